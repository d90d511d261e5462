/* SPDX-License-Identifier: Apache-2.0 */
/* pooler.js — a pooler between nodes and PostgreSQL. In transaction mode each statement runs on the next of `size` connections
 * of the server; without a size each client has one of its own (session mode). */
'use strict';

const net = require('node:net');

const ENCRYPTIONS = [80877103, 80877104]; /* a client asks for TLS, or for GSSAPI */

/* The whole messages at the start of some bytes: {type, bytes}, and what is left. */
function messages(bytes) {
    const found = [];
    while (bytes.length >= 5 && bytes.length >= 1 + bytes.readUInt32BE(1)) {
        const size = 1 + bytes.readUInt32BE(1);
        found.push({ type: String.fromCharCode(bytes[0]), bytes: bytes.subarray(0, size) });
        bytes = bytes.subarray(size);
    }
    return [found, bytes];
}

const message = (type, body) => {
    const head = Buffer.alloc(5, type);
    head.writeUInt32BE(4 + body.length, 1);
    return Buffer.concat([head, body]);
};

/* One connection of the server: runs one statement at a time. */
class Backend {
    constructor(port, startup) {
        this.socket = net.connect({ host: '127.0.0.1', port }).setNoDelay(true);
        this.left = Buffer.alloc(0);
        this.waiting = []; /* {bytes, to: socket, or null} */
        this.greeting = this.run(startup);
        this.socket.on('data', (part) => this.read(part));
        this.socket.on('error', () => {});
    }

    /* Resolves with the answer, which is also written to the client. */
    run(bytes, to = null) {
        return new Promise((resolve) => {
            this.waiting.push({ bytes, to, resolve, parts: [] });
            if (this.waiting.length === 1) {
                this.socket.write(bytes);
            }
        });
    }

    read(part) {
        const [all, left] = messages(Buffer.concat([this.left, part]));
        this.left = left;
        for (const { type, bytes } of all) {
            const [first] = this.waiting;
            first.parts.push(bytes);
            first.to?.write(bytes);
            if (type === 'Z') { /* ready for the next statement */
                this.waiting.shift();
                first.resolve(Buffer.concat(first.parts));
                if (this.waiting.length) {
                    this.socket.write(this.waiting[0].bytes);
                }
            }
        }
    }
}

class Pooler {
    constructor(pg, size = null) {
        this.pg = pg;
        this.size = size;
        this.backends = [];
        this.clients = new Set();
        this.next = 0;
    }

    async start() {
        this.server = net.createServer((client) => this.join(client));
        await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
        this.url = this.pg.url.replace(/:\d+\//, `:${this.server.address().port}/`);
        return this;
    }

    sql(text) {
        return this.pg.sql(text);
    }

    backend(startup) {
        const backend = new Backend(this.pg.port, startup);
        this.backends.push(backend);
        return backend;
    }

    join(client) {
        let own = null;
        let left = Buffer.alloc(0);
        let statement = [];
        const begin = async () => {
            const size = left.length >= 8 ? left.readUInt32BE(0) : Infinity;
            if (left.length < size) {
                return;
            }
            const startup = left.subarray(0, size);
            left = left.subarray(size);
            if (ENCRYPTIONS.includes(startup.readUInt32BE(4))) {
                client.write('N');
                return;
            }
            while (this.backends.length < (this.size ?? 0)) {
                this.backend(startup);
            }
            own = this.size ? this.backends[0] : this.backend(startup);
            client.write(await own.greeting);
        };
        const pass = () => {
            const [all, rest] = messages(left);
            left = rest;
            for (const { type, bytes } of all) {
                statement.push(bytes);
                if (type === 'S' || type === 'Q') {
                    const backend = this.size ? this.backends[this.next++ % this.size] : own;
                    backend.run(Buffer.concat(statement), client);
                    statement = [];
                }
            }
        };
        client.setNoDelay(true);
        client.on('data', (part) => {
            left = Buffer.concat([left, part]);
            (own ? pass : begin)();
        });
        client.on('error', () => {});
        client.on('close', () => this.clients.delete(client));
        this.clients.add(client);
    }

    /* All connections of the server forget the statements that were prepared on them. */
    forget() {
        return Promise.all(this.backends.map((backend) => backend.run(message('Q', Buffer.from('DEALLOCATE ALL\0')))));
    }

    async close() {
        for (const socket of [...this.clients, ...this.backends.map(({ socket }) => socket)]) {
            socket.destroy();
        }
        await new Promise((resolve) => this.server.close(resolve));
    }
}

module.exports = { Pooler };
