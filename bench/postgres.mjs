// SPDX-License-Identifier: Apache-2.0
// PostgreSQL on a free loopback port with its data beside Holdfast's: a peer, and the log of a site.
import fs from 'node:fs';
import path from 'node:path';
import { subfolder, freePort, startChild, stopChild, runChild, logTail } from './children.mjs';
import { until } from './measure.mjs';

const sql = path.join(path.dirname(new URL(import.meta.url).pathname), 'sql');

export function postgresFolder() {
    if (process.env.PG_BIN) return process.env.PG_BIN;
    const root = '/usr/lib/postgresql';
    const versions = fs.existsSync(root) ? fs.readdirSync(root).sort((a, b) => b - a) : [];
    const found = versions.map((v) => path.join(root, v, 'bin')).find((bin) => fs.existsSync(path.join(bin, 'postgres')));
    if (!found) throw new Error('PostgreSQL is not installed; scripts/setup bench installs it');
    return found;
}

export class Postgres {
    // Default settings, so default durability, except for the number of connections. PostgreSQL refuses to run as root.
    static async start() {
        const pg = new Postgres();
        pg.bin = postgresFolder();
        pg.user = process.getuid() === 0 ? 'postgres' : undefined;
        pg.folder = subfolder('postgres');
        pg.port = await freePort();
        if (pg.user) await pg.tool('chown', [pg.user, pg.folder], false);
        await pg.tool(path.join(pg.bin, 'initdb'), ['-D', path.join(pg.folder, 'data'), '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C']);
        fs.writeFileSync(path.join(pg.folder, 'log'), '');
        pg.child = await pg.launch('data', pg.port);
        await pg.psql(fs.readFileSync(path.join(sql, 'schema.sql'), 'utf8'));
        return pg;
    }

    // The process that serves a folder of this server's, once it is ready.
    async launch(data, port) {
        const args = ['-D', path.join(this.folder, data), '-h', '127.0.0.1', '-p', String(port), '-k', this.folder, '-c', 'max_connections=300'];
        const child = startChild(path.join(this.bin, 'postgres'), args, { log: path.join(this.folder, 'log'), user: this.user });
        await until('PostgreSQL to be ready', async () => {
            if (child.exitCode !== null) throw new Error(`postgres ended:\n${logTail(child)}`);
            return (await runChild(path.join(this.bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port), '-q'])).code === 0;
        }, { every: 50, within: 60 });
        return child;
    }

    // A second server with the same rows, on the same disk, which from here on every commit waits for.
    async addStandby() {
        const data = path.join(this.folder, 'standby');
        await this.tool(path.join(this.bin, 'pg_basebackup'), [...this.connection(), '-D', data, '-R', '-X', 'stream', '-c', 'fast']);
        this.standby = await this.launch('standby', await freePort());
        await this.psql("ALTER SYSTEM SET synchronous_standby_names = '*';");
        await this.psql('SELECT pg_reload_conf();');
        await until('the standby to be synchronous', async () =>
            (await this.psql('SELECT sync_state FROM pg_stat_replication;')).trim() === 'sync', { every: 50, within: 60 });
    }

    // For --store.
    get url() {
        return `postgres://bench@127.0.0.1:${this.port}/postgres`;
    }

    async tool(command, args, asUser = true) {
        const { code, err } = await runChild(command, args, { user: asUser ? this.user : undefined });
        if (code !== 0) throw new Error(`${command} ended with ${code}: ${err.trim()}`);
    }

    connection() {
        return ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'bench'];
    }

    // Its output: the rows alone.
    async psql(text) {
        const args = [...this.connection(), '-d', 'postgres', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1'];
        const { code, out, err } = await runChild(path.join(this.bin, 'psql'), args, { input: text });
        if (code !== 0) throw new Error(`psql: ${err.trim()}`);
        return out;
    }

    // An empty table of claims and nothing left to write from the run before.
    async clear(seats = 0) {
        await this.psql('TRUNCATE claims, seats;');
        if (seats) await this.psql(`INSERT INTO seats (seat_id) SELECT generate_series(0, ${seats - 1}); VACUUM ANALYZE seats;`);
        await this.psql('CHECKPOINT;');
    }

    // script: 'insert' or 'for_update'; { rate, latency_ms, done }.
    async bench(script, { clients, time, seats }) {
        const variables = { i: -1, first: 0, clients, seats };
        // Its clock runs while it connects; its rate does not include that time.
        const seconds = Math.ceil(time + clients / 100);
        const args = [...this.connection(), '-n', '-M', 'prepared', '-c', clients, '-j', 2, '-T', seconds, '-f', path.join(sql, `${script}.sql`)];
        for (const [name, value] of Object.entries(variables)) args.push('-D', `${name}=${value}`);
        const { code, out, err } = await runChild(path.join(this.bin, 'pgbench'), [...args.map(String), 'postgres']);
        const tps = out.match(/^tps = ([\d.]+) \(without initial connection time\)/m);
        const done = out.match(/^number of transactions actually processed: (\d+)/m);
        const failed = out.match(/^number of failed transactions: (\d+)/m);
        if (code !== 0 || !tps || !done || (failed && failed[1] !== '0')) throw new Error(`pgbench ended with ${code}: ${err.trim()} ${out}`);
        return { rate: Number(tps[1]), done: Number(done[1]), latency_ms: Number(out.match(/^latency average = ([\d.]+) ms/m)[1]) };
    }

    // A fast shutdown; the standby last, because the other one waits for it.
    async stop() {
        await stopChild(this.child, 'SIGINT');
        if (this.standby) await stopChild(this.standby, 'SIGINT');
        fs.rmSync(this.folder, { recursive: true, force: true });
    }
}
