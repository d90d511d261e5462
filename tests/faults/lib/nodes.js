/* SPDX-License-Identifier: Apache-2.0 */
/* nodes.js — the nodes of a site and what a service manager does for them: one that ends is started again. And a caller
 * that finds the owner, as a client behind a proxy does. */
'use strict';

const assert = require('node:assert/strict');
const { setTimeout: pause } = require('node:timers/promises');

const { Site } = require('../../cluster/lib/site.js');

const ANSWER_MS = 8000; /* of a command */
const READY_MS = 1500;
const OWNER_MS = 90_000; /* without an owner the run fails */
const AGAIN_MS = 100;

class Nodes {
    /* anywhere: clients ask each node in turn, not only the owner. */
    constructor(pg, { expected = [], anywhere = false, ...options } = {}) {
        this.site = new Site(pg);
        this.anywhere = anywhere;
        this.turn = 0;
        this.options = options; /* of each Server */
        this.expected = new Set([75, ...expected]); /* how a node may end; 75: it lost its place */
        this.list = [];
        this.exits = []; /* {id, code, signal} */
        this.closing = false;
        this.owning = null;
        this.searching = null;
    }

    async start(...ids) {
        for (const id of ids) {
            const server = await this.site.node(id, this.options);
            this.list.push(Object.assign(server, { id, away_ms: 0 }));
            this.watch(server);
        }
        return this;
    }

    /* ---- The service manager ---- */

    watch(server) {
        const { client, child } = server;
        server.exit.then(async ({ code, signal }) => {
            if (server.child !== child && server.child !== null) {
                return;
            }
            client.close();
            server.child = null;
            this.exits.push({ id: server.id, code, signal, text: server.stderr.slice(-3000) });
            await pause(server.away_ms);
            server.away_ms = 0;
            await this.revive(server);
        });
    }

    async revive(server) {
        while (!this.closing) {
            await pause(AGAIN_MS);
            try {
                await server.launch();
                return this.closing ? undefined : this.watch(server);
            } catch {
                const { child, exit } = server;
                child?.kill('SIGKILL');
                const { code, signal } = await exit;
                this.exits.push({ id: server.id, code, signal, text: server.stderr.slice(-3000) });
                server.child = null;
            }
        }
        return undefined;
    }

    /* Ends a process; it is started again after this time. */
    kill(server, away_ms = 0) {
        this.forget(server);
        server.away_ms = away_ms;
        server.child?.kill('SIGKILL');
    }

    /* Stops the process for this long and lets it go on. */
    async freeze(server, ms) {
        const { child } = server;
        child.kill('SIGSTOP');
        await pause(ms);
        child.kill('SIGCONT');
    }

    /* Ends that are neither our kills nor fenced owners. */
    unexpected() {
        return this.exits.filter(({ code, signal }) => signal !== 'SIGKILL' && !this.expected.has(code));
    }

    /* ---- Callers ---- */

    async ready(server, patience = READY_MS) {
        try {
            return (await server.client.call('GET', '/readyz', { patience })).json ?? {};
        } catch {
            return {};
        }
    }

    async search() {
        const until = Date.now() + OWNER_MS;
        while (Date.now() < until) {
            const roles = await Promise.all(this.list.filter(({ child }) => child).map(async (server) =>
                ({ server, ...(await this.ready(server)) })));
            const owners = roles.filter(({ role }) => role === 'owner').sort((a, b) => b.epoch - a.epoch);
            if (owners.length) {
                return owners[0].server;
            }
            await pause(AGAIN_MS);
        }
        throw new Error(`no node decides; ${JSON.stringify(this.exits.slice(-3))}`);
    }

    async owner() {
        while (!this.owning) {
            this.searching ??= this.search().finally(() => (this.searching = null));
            this.owning = await this.searching;
        }
        return this.owning;
    }

    forget(server) {
        if (this.owning === server) {
            this.owning = null;
        }
    }

    async follower() {
        const owner = await this.owner();
        return this.list.find((server) => server !== owner && server.child);
    }

    async chosen() {
        const running = this.anywhere ? this.list.filter(({ child }) => child) : [];
        return running.length ? running[this.turn++ % running.length] : this.owner();
    }

    /* Sends one request. A node that does not decide answers 421 to other nodes: that command was never applied. */
    async ask(user, method, target, options) {
        for (;;) {
            const server = await this.chosen();
            try {
                const caller = user ? server.acting(user) : server.admin;
                const answer = await caller.call(method, target, { patience: ANSWER_MS, ...options });
                if (answer.status >= 500 || answer.status === 421) {
                    this.forget(server);
                }
                if (answer.status !== 421) {
                    return answer;
                }
                await pause(AGAIN_MS);
            } catch (error) {
                this.forget(server);
                throw error;
            }
        }
    }

    caller(user) {
        return { call: (method, target, options) => this.ask(user, method, target, options) };
    }

    /* Sends each request to a node that `random` picks, as a proxy without a memory does, and never accepts a state that is
     * older than what it has seen. */
    wanderer(user, random) {
        let seen = 0;
        return { call: async (method, target, { headers = {}, ...options } = {}) => {
            const running = this.list.filter(({ child }) => child);
            const server = running[random(running.length)] ?? (await this.owner());
            const answer = await server.acting(user).call(method, target, { patience: ANSWER_MS, ...options,
                headers: seen ? { 'Holdfast-Min-Seq': String(seen), ...headers } : headers });
            assert.notEqual(answer.status, 421, 'only nodes are told to ask the owner');
            seen = Math.max(seen, answer.seq ?? 0);
            return answer;
        } };
    }

    /* Asks this node only, as it is. */
    looker(server) {
        return { call: (method, target, options) => server.admin.call(method, target, { patience: ANSWER_MS, ...options }) };
    }

    /* Repeats a command with its key until it is decided. */
    async decided(method, target, { key, user, ...options }) {
        const until = Date.now() + OWNER_MS;
        while (Date.now() < until) {
            const headers = key ? { 'Idempotency-Key': key } : {};
            const answer = await this.ask(user, method, target, { headers, ...options }).catch((error) => {
                if (!error.code && !/no answer$/.test(error.message)) {
                    throw error;
                }
                return undefined;
            });
            if (answer && answer.status < 500) {
                return answer;
            }
            await pause(AGAIN_MS);
        }
        throw new Error(`${method} ${target} was never decided`);
    }

    /* Every node serves again. */
    async settled(patience_ms = 60_000) {
        const until = Date.now() + patience_ms;
        for (;;) {
            const all = await Promise.all(this.list.map((server) => (server.child ? this.ready(server) : {})));
            if (all.filter(({ role }) => role === 'owner').length === 1 && all.every(({ role }) => role)) {
                return;
            }
            assert.ok(Date.now() < until, `not all nodes serve: ${JSON.stringify(all)} ${JSON.stringify(this.exits.slice(-3))}`);
            await pause(AGAIN_MS);
        }
    }

    /* Stops them; then nothing runs and the log can be checked. */
    async stop() {
        this.closing = true;
        for (const server of this.list) {
            if (server.child) {
                server.child.kill('SIGCONT');
                server.child.kill('SIGTERM');
                const timer = setTimeout(() => server.child?.kill('SIGKILL'), 15_000);
                await server.exit;
                clearTimeout(timer);
                server.child = null;
            }
        }
    }

    async close() {
        await this.stop();
        await this.site.close();
    }
}

module.exports = { Nodes };
