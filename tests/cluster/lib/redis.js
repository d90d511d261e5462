/* SPDX-License-Identifier: Apache-2.0 */
/* redis.js — a Redis server of a test's own: in a temporary folder, on a free port of the loopback address; and a client. */
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const { eventually } = require('../../conformance/lib/http.js');
const { freePort } = require('./postgres.js');

/* One reply that begins at `at`: [value, where the next one begins], or undefined if it is not all there. */
function reply(bytes, at) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) {
        return undefined;
    }
    const text = bytes.toString('utf8', at + 1, end);
    const size = Number(text);
    const next = end + 2;
    switch (String.fromCharCode(bytes[at])) {
    case '+':
        return [text, next];
    case '-':
        return [new Error(text), next];
    case ':':
        return [size, next];
    case '$':
        if (size < 0) {
            return [null, next];
        }
        return next + size + 2 > bytes.length ? undefined : [bytes.toString('utf8', next, next + size), next + size + 2];
    case '*':
        return replies(bytes, next, size);
    default:
        throw new Error(`not a reply of Redis: ${bytes.toString('latin1', at, at + 100)}`);
    }
}

function replies(bytes, at, count) {
    const list = [];
    let next = at;
    while (list.length < count) {
        const one = reply(bytes, next);
        if (!one) {
            return undefined;
        }
        list.push(one[0]);
        next = one[1];
    }
    return [list, next];
}

/* Commands, one after the other, over one connection that is made when it is needed. */
class RedisClient {
    constructor(port, password) {
        this.port = port;
        this.password = password;
        this.socket = null;
        this.waiting = []; /* {resolve, reject}, in the order of the commands */
    }

    connect() {
        const socket = net.connect({ host: '127.0.0.1', port: this.port });
        let rest = Buffer.alloc(0);
        socket.setNoDelay(true);
        socket.on('data', (part) => {
            rest = Buffer.concat([rest, part]);
            for (let one; rest.length && (one = reply(rest, 0)); rest = rest.subarray(one[1])) {
                const { resolve, reject } = this.waiting.shift();
                one[0] instanceof Error ? reject(one[0]) : resolve(one[0]);
            }
        });
        socket.on('error', () => {}); /* `close` follows */
        socket.on('close', () => {
            if (this.socket === socket) {
                this.socket = null;
                this.waiting.splice(0).forEach(({ reject }) => reject(new Error('Redis closed the connection')));
            }
        });
        return socket;
    }

    call(...words) {
        if (!this.socket) {
            this.socket = this.connect();
            if (this.password) {
                this.call('AUTH', this.password).catch(() => {}); /* the next command says so */
            }
        }
        const parts = words.map((word) => Buffer.from(String(word)));
        const bytes = parts.flatMap((part) => [Buffer.from(`$${part.length}\r\n`), part, Buffer.from('\r\n')]);
        return new Promise((resolve, reject) => {
            this.waiting.push({ resolve, reject });
            this.socket.write(Buffer.concat([Buffer.from(`*${parts.length}\r\n`), ...bytes]));
        });
    }

    close() {
        this.socket?.destroy();
    }
}

class Redis {
    /* settings: lines of its configuration, such as { maxmemory: '2mb' }. Nothing is saved: it starts empty. */
    constructor(settings = {}) {
        this.settings = { save: '', appendonly: 'no', ...settings };
        this.child = null;
    }

    async start() {
        this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-redis-'));
        this.port = await freePort();
        this.url = `redis://127.0.0.1:${this.port}`;
        this.client = new RedisClient(this.port, this.settings.requirepass);
        await this.launch();
        return this;
    }

    /* Starts the server again on its port; it ends with this process, however that ends. */
    async launch() {
        const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder, '--daemonize', 'no'];
        for (const [name, value] of Object.entries(this.settings)) {
            args.push(`--${name}`, String(value));
        }
        const log = fs.openSync(path.join(this.folder, 'log'), 'a');
        this.child = spawn('setpriv', ['--pdeathsig', 'KILL', 'redis-server', ...args], { stdio: ['ignore', log, log] });
        fs.closeSync(log);
        this.ended = new Promise((resolve) => this.child.on('close', resolve));
        await eventually(() => this.ready(), (ready) => ready, 'Redis to be ready');
    }

    async ready() {
        if (this.child.exitCode !== null) {
            throw new Error(`redis-server ended:\n${fs.readFileSync(path.join(this.folder, 'log'), 'utf8').slice(-4000)}`);
        }
        return (await this.call('PING').catch(() => '')) === 'PONG';
    }

    /* The reply to one command; one that is an error is thrown. */
    call(...words) {
        return this.client.call(...words);
    }

    /* All keys that fit, with their values; of other types null. */
    async keys(pattern = '*') {
        const names = await this.call('KEYS', pattern);
        return names.length ? new Map((await this.call('MGET', ...names)).map((value, i) => [names[i], value])) : new Map();
    }

    /* It stops where it is, with its connections, until resume(). */
    pause() {
        this.child.kill('SIGSTOP');
    }

    resume() {
        this.child.kill('SIGCONT');
    }

    /* As if its power had failed. */
    async stop() {
        if (this.child) {
            this.child.kill('SIGKILL');
            await this.ended;
            this.child = null;
        }
    }

    async close() {
        this.client?.close();
        await this.stop();
        fs.rmSync(this.folder, { recursive: true, force: true });
    }
}

module.exports = { Redis };
