/* SPDX-License-Identifier: Apache-2.0 */
/* site.js — a site in a test's PostgreSQL: its nodes, its secrets and its rows. */
'use strict';

const { spawnSync } = require('node:child_process');
const crypto = require('node:crypto');

const { eventually } = require('../../conformance/lib/http.js');
const { Caller, Server } = require('../../conformance/lib/server.js');

let count = 0;

class Site {
    constructor(pg) {
        this.pg = pg;
        this.name = `site-${++count}`;
        this.adminKey = `admin-${crypto.randomBytes(24).toString('hex')}`;
        this.secret = crypto.randomBytes(32).toString('hex');
        this.ticketKey = crypto.randomBytes(32).toString('hex');
        this.nodes = [];
    }

    /* A node that is started; `options` are those of a Server. */
    async node(id = 'one', options = {}) {
        const args = ['--store', this.pg.url, '--site', this.name, '--advertise', 'http://127.0.0.1:0', '--node', id];
        const server = new Server({ adminKey: this.adminKey, secret: this.secret, ...options,
            args: [...args, ...(options.args ?? [])], env: { HOLDFAST_TICKET_KEY: this.ticketKey, ...options.env } });
        this.nodes.push(server);
        await server.start();
        /* The key is in the log, so every node knows it. */
        this.appKey ??= (await server.key('app')).key;
        server.app = new Caller(server, this.appKey, 'app');
        return server;
    }

    /* What a node says of itself. */
    async ready(server) {
        return (await server.anyone.get('/readyz')).json;
    }

    /* Waits until a node has this role. */
    role(server, role, patience = 20_000) {
        return eventually(() => this.ready(server), (ready) => ready.role === role, `a node in the role ${role}`, patience);
    }

    /* Numbers from the rows of this site; `this` in the text is its shard. */
    number(text) {
        return Number(this.pg.sql(text.replaceAll('this', `(SELECT shard FROM site WHERE name='${this.name}')`))[0]?.[0] ?? NaN);
    }

    sql(text) {
        return this.pg.sql(text.replaceAll('this', `(SELECT shard FROM site WHERE name='${this.name}')`));
    }

    /* Runs the program with the site's options: { status, stdout, stderr }. */
    tool(...args) {
        const server = this.nodes[0] ?? new Server();
        const env = { ...process.env, HOLDFAST_ADMIN_KEY: this.adminKey, HOLDFAST_SECRET: this.secret, HOLDFAST_TICKET_KEY: this.ticketKey };
        return spawnSync(server.program, [...args, '--store', this.pg.url, '--site', this.name], { encoding: 'utf8', env });
    }

    /* All of them, and then what was wrong with the first one that did not end well. */
    async close() {
        const faults = [];
        for (const server of this.nodes) {
            await server.close().catch((fault) => faults.push(fault));
        }
        if (faults.length) {
            throw faults[0];
        }
    }
}

module.exports = { Site };
