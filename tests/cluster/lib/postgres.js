/* SPDX-License-Identifier: Apache-2.0 */
/* postgres.js — a PostgreSQL server of a test's own: in a temporary folder, on a free port of the loopback address. */
'use strict';

const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const { eventually } = require('../../conformance/lib/http.js');

/* The newest version that is installed. */
function programs() {
    const root = '/usr/lib/postgresql';
    const versions = fs.existsSync(root) ? fs.readdirSync(root).filter((name) => /^\d+$/.test(name)) : [];
    if (versions.length === 0) {
        throw new Error('PostgreSQL is missing: scripts/setup cluster');
    }
    return path.join(root, String(Math.max(...versions.map(Number))), 'bin');
}

function freePort() {
    return new Promise((resolve, reject) => {
        const server = net.createServer().on('error', reject).listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

/* PostgreSQL refuses to run as root. */
const USER = process.getuid() === 0 ? 'postgres' : undefined;

const AS_USER = USER ? ['--reuid', USER, '--regid', USER, '--clear-groups'] : [];

function asUser(program, args) {
    return USER ? ['setpriv', [...AS_USER, program, ...args]] : [program, args];
}

class Postgres {
    /* settings: lines of its configuration, such as { fsync: 'off' }. */
    constructor(settings = {}) {
        this.settings = { max_connections: 300, ...settings };
        this.bin = programs();
        this.child = null;
    }

    async start() {
        this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-pg-'));
        fs.chmodSync(this.folder, 0o755);
        this.data = path.join(this.folder, 'data');
        this.port = await freePort();
        this.url = `postgres://holdfast@127.0.0.1:${this.port}/postgres`;
        this.own(this.folder);
        this.tool('initdb', ['-D', this.data, '-U', 'holdfast', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N']);
        await this.launch();
        return this;
    }

    /* Gives a folder to the user that the server runs as. */
    own(folder) {
        if (USER) {
            this.tool('chown', [USER, folder], false);
        }
    }

    tool(name, args, ours = true) {
        const [program, all] = ours ? asUser(path.join(this.bin, name), args) : [name, args];
        const { status, stdout, stderr } = spawnSync(program, all, { cwd: this.folder, encoding: 'utf8' });
        if (status !== 0) {
            throw new Error(`${name} ended with ${status}: ${stderr}`);
        }
        return stdout;
    }

    /* Starts the server on the folder that is there. */
    async launch() {
        const args = ['-D', this.data, '-h', '127.0.0.1', '-p', String(this.port), '-k', this.folder];
        for (const [name, value] of Object.entries(this.settings)) {
            args.push('-c', `${name}=${value}`);
        }
        const log = fs.openSync(path.join(this.folder, 'log'), 'a');
        /* It ends with this process, however that ends; a Ctrl-C is for this process only, which stops what depends on it first. */
        const child = spawn('setpriv', [...AS_USER, '--pdeathsig', 'INT', path.join(this.bin, 'postgres'), ...args],
            { cwd: this.folder, stdio: ['ignore', log, log], detached: true });
        fs.closeSync(log);
        this.child = child;
        this.ended = new Promise((resolve) => child.on('close', resolve));
        await eventually(() => this.ready(), (ready) => ready, 'PostgreSQL to be ready', 60_000);
    }

    ready() {
        if (this.child.exitCode !== null) {
            throw new Error(`postgres ended:\n${fs.readFileSync(path.join(this.folder, 'log'), 'utf8').slice(-4000)}`);
        }
        const args = ['-h', '127.0.0.1', '-p', String(this.port), '-q', '-d', 'postgres', '-U', 'holdfast'];
        return spawnSync(path.join(this.bin, 'pg_isready'), args).status === 0;
    }

    /* Runs statements; the rows of the last one, each a list of texts. */
    sql(text) {
        const args = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'holdfast', '-d', 'postgres', '-X', '-q',
            '-A', '-t', '-F', '\t', '-v', 'ON_ERROR_STOP=1', '-c', text];
        const { status, stdout, stderr } = spawnSync(path.join(this.bin, 'psql'), args, { encoding: 'utf8' });
        if (status !== 0) {
            throw new Error(`psql: ${stderr}`);
        }
        return stdout.split('\n').filter((line) => line !== '').map((line) => line.split('\t'));
    }

    /* Runs statements meanwhile; resolves when they have ended. */
    background(text) {
        const args = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'holdfast', '-d', 'postgres', '-X', '-q', '-c', text];
        const child = spawn(path.join(this.bin, 'psql'), args, { stdio: 'ignore' });
        return new Promise((resolve) => child.on('close', resolve));
    }

    /* SIGINT: cuts connections and stops. SIGQUIT: as if the power had failed. */
    async stop(signal = 'SIGINT') {
        if (this.child) {
            process.kill(Number(fs.readFileSync(path.join(this.data, 'postmaster.pid'), 'utf8').split('\n')[0]), signal);
            await this.ended;
            this.child = null;
        }
    }

    async restart(signal) {
        await this.stop(signal);
        await this.launch();
    }

    async close() {
        await this.stop('SIGQUIT');
        fs.rmSync(this.folder, { recursive: true, force: true });
    }
}

module.exports = { Postgres, freePort };
