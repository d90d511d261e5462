// SPDX-License-Identifier: Apache-2.0
// Redis and PostgreSQL, each on a free loopback port with its data beside Holdfast's.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { subfolder, freePort, startChild, stopChild, runChild, logTail, version } from './children.mjs';
import { load } from './holdfast.mjs';
import { until } from './measure.mjs';

const sql = path.join(path.dirname(new URL(import.meta.url).pathname), 'sql');

export class Redis {
    // mode: 'memory' (no persistence), 'always' (a synced append-only file), 'plain' (commands only, which load slowest
    // and show best what a restart costs).
    static async start(mode) {
        const redis = new Redis();
        redis.folder = subfolder(`redis-${mode}`);
        redis.port = await freePort();
        redis.args = ['--port', redis.port, '--bind', '127.0.0.1', '--dir', redis.folder, '--save', '', '--daemonize', 'no'];
        redis.args.push('--appendonly', mode === 'memory' ? 'no' : 'yes');
        if (mode === 'always') redis.args.push('--appendfsync', 'always');
        if (mode === 'plain') redis.args.push('--appendfsync', 'everysec', '--aof-use-rdb-preamble', 'no');
        // A rewrite in the middle of a burst would only hurt Redis.
        redis.args.push('--auto-aof-rewrite-percentage', '0');
        await redis.start();
        return redis;
    }

    // Milliseconds from starting the process until it answers.
    async start() {
        const began = performance.now();
        this.child = startChild('redis-server', this.args.map(String), { log: path.join(this.folder, 'log') });
        await until('Redis to be ready', async () => {
            if (this.child.exitCode !== null) throw new Error(`redis-server ended:\n${logTail(this.child)}`);
            return (await this.command('PING').catch(() => '')) === '+PONG';
        }, { every: 1, within: 600 });
        return performance.now() - began;
    }

    // The first line of the answer.
    command(text) {
        return new Promise((resolve, reject) => {
            let answer = '';
            const socket = net.connect(this.port, '127.0.0.1', () => socket.write(`${text}\r\n`));
            socket.setEncoding('utf8');
            socket.on('error', reject);
            socket.on('close', () => reject(new Error('Redis closed the connection')));
            socket.on('data', (d) => {
                answer += d;
                if (!answer.includes('\r\n')) return;
                resolve(answer.slice(0, answer.indexOf('\r\n')));
                socket.destroy();
            });
        });
    }

    load(workload, options) {
        return load(workload, this.port, options);
    }

    async clear() {
        await this.command('FLUSHALL');
    }

    async stop() {
        await stopChild(this.child, 'SIGKILL');
        fs.rmSync(this.folder, { recursive: true, force: true });
    }

    async kill() {
        await stopChild(this.child, 'SIGKILL');
    }
}

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
        const args = ['-D', path.join(pg.folder, 'data'), '-h', '127.0.0.1', '-p', String(pg.port), '-k', pg.folder, '-c', 'max_connections=300'];
        pg.child = startChild(path.join(pg.bin, 'postgres'), args, { log: path.join(pg.folder, 'log'), user: pg.user });
        await until('PostgreSQL to be ready', async () => {
            if (pg.child.exitCode !== null) throw new Error(`postgres ended:\n${logTail(pg.child)}`);
            return (await runChild(path.join(pg.bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(pg.port), '-q'])).code === 0;
        }, { every: 50, within: 60 });
        await pg.psql(fs.readFileSync(path.join(sql, 'schema.sql'), 'utf8'));
        return pg;
    }

    async tool(command, args, asUser = true) {
        const { code, err } = await runChild(command, args, { user: asUser ? this.user : undefined });
        if (code !== 0) throw new Error(`${command} ended with ${code}: ${err.trim()}`);
    }

    connection() {
        return ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'bench'];
    }

    async psql(text) {
        const args = [...this.connection(), '-d', 'postgres', '-q', '-v', 'ON_ERROR_STOP=1'];
        const { code, err } = await runChild(path.join(this.bin, 'psql'), args, { input: text });
        if (code !== 0) throw new Error(`psql: ${err.trim()}`);
    }

    // An empty table of claims and nothing left to write from the run before.
    async clear(seats = 0) {
        await this.psql('TRUNCATE claims, seats;');
        if (seats) await this.psql(`INSERT INTO seats (seat_id) SELECT generate_series(0, ${seats - 1}); VACUUM ANALYZE seats;`);
        await this.psql('CHECKPOINT;');
    }

    // script: 'insert' or 'for_update'; { rate, latency_ms }.
    async bench(script, { clients, time, seats }) {
        const variables = { i: -1, first: 0, clients, seats };
        // Its clock runs while it connects; its rate does not include that time.
        const seconds = Math.ceil(time + clients / 100);
        const args = [...this.connection(), '-n', '-M', 'prepared', '-c', clients, '-j', 2, '-T', seconds, '-f', path.join(sql, `${script}.sql`)];
        for (const [name, value] of Object.entries(variables)) args.push('-D', `${name}=${value}`);
        const { code, out, err } = await runChild(path.join(this.bin, 'pgbench'), [...args.map(String), 'postgres']);
        const tps = out.match(/^tps = ([\d.]+) \(without initial connection time\)/m);
        const failed = out.match(/^number of failed transactions: (\d+)/m);
        if (code !== 0 || !tps || (failed && failed[1] !== '0')) throw new Error(`pgbench ended with ${code}: ${err.trim()} ${out}`);
        return { rate: Number(tps[1]), latency_ms: Number(out.match(/^latency average = ([\d.]+) ms/m)[1]) };
    }

    async stop() {
        await stopChild(this.child, 'SIGINT'); // fast shutdown
        fs.rmSync(this.folder, { recursive: true, force: true });
    }
}

export function peerVersions() {
    return { redis: version('redis-server'), postgres: version(path.join(postgresFolder(), 'postgres')) };
}
