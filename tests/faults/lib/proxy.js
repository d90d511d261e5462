/* SPDX-License-Identifier: Apache-2.0 */
/* proxy.js — sits between nodes and a server of PostgreSQL.
 *
 * cut      loses an answer: what a node has sent arrives and is carried out, and the node is cut off before it reads the answer
 * hold     nothing comes through any more, in either direction, until resume()
 * isolate  the server is out of reach from now on */
'use strict';

const net = require('node:net');

const NAME = /application_name\0([^\0]*)\0/;

class Proxy {
    constructor(pg) {
        this.pg = pg;
        this.sockets = new Set();
        this.plans = []; /* {name: RegExp, left: answers that still come through} */
        this.cuts = 0;
        this.holding = false;
        this.isolated = false;
    }

    async start() {
        this.server = net.createServer((client) => this.join(client));
        await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
        this.port = this.server.address().port;
        this.url = this.pg.url.replace(/:\d+\//, `:${this.port}/`);
        return this;
    }

    sql(text) {
        return this.pg.sql(text);
    }

    /* Of a connection whose name fits, the answer after `left` more is lost, and the connection with it. */
    cut(name, left = 0) {
        return new Promise((done) => this.plans.push({ name, left, done }));
    }

    hold() {
        this.holding = true;
        this.sockets.forEach((socket) => socket.pause());
    }

    resume() {
        this.holding = false;
        this.sockets.forEach((socket) => socket.resume());
    }

    isolate() {
        this.isolated = true;
        this.sockets.forEach((socket) => socket.destroy());
    }

    join(client) {
        if (this.isolated) {
            client.destroy();
            return;
        }
        const there = net.connect({ host: '127.0.0.1', port: this.pg.port });
        let name = null;
        const end = () => {
            client.destroy();
            there.destroy();
            this.sockets.delete(client);
            this.sockets.delete(there);
        };
        this.sockets.add(client).add(there);
        client.on('data', (part) => {
            name ??= NAME.exec(part.toString('latin1'))?.[1] ?? null;
            there.write(part);
        });
        there.on('data', (part) => (this.loses(name) ? end() : client.write(part)));
        for (const socket of [client, there]) {
            socket.setNoDelay(true);
            socket.on('error', end);
            socket.on('close', end);
            if (this.holding) {
                socket.pause();
            }
        }
    }

    loses(name) {
        const plan = this.plans.find((each) => name !== null && each.name.test(name));
        if (!plan || plan.left-- > 0) {
            return false;
        }
        this.plans.splice(this.plans.indexOf(plan), 1);
        this.cuts++;
        plan.done();
        return true;
    }

    /* The server that it leads to goes on. */
    async leave() {
        this.isolate();
        await new Promise((resolve) => this.server.close(resolve));
    }

    async close() {
        await this.leave();
        await this.pg.close();
    }
}

module.exports = { Proxy };
