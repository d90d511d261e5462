/* SPDX-License-Identifier: Apache-2.0 */
/* skip.js — loaded before each file of the conformance tests when they run with a log in PostgreSQL: the tests that cannot
 * run so, and why. */
'use strict';

const test = require('node:test');
const path = require('node:path');

const KEYS = 'keys are given in the environment, because all nodes need the same ones; no file has them';
const DEMO = 'reads the admin key from the demo\'s data folder: with a shared log no file has it';
const SKIPPED = {
    'keys are created on first start, kept, mode 0600, and the path is logged': KEYS,
    'the keys are a JWK set of the file in the data folder, which only its owner can read': KEYS,
    'a print made by hand as documented admits; changed anywhere it is invalid': KEYS,
    'a new key signs, an old one is still accepted, a removed one is not': KEYS,
    'the session of README.md works as written, and again': DEMO,
    'the sessions of docs/tutorial.md work as written, and again': DEMO,
    'the sessions of docs/selling.md work as written, and again': DEMO,
    'the session of docs/payments.md works as written, and again': DEMO,
    'the sessions of docs/hooks.md and docs/tickets.md work as written, and again': DEMO,
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
if (process.env.HOLDFAST_SUITE_THROUGH === 'follower') {
    const { Client } = require('../../conformance/lib/http.js');
    const { call: plain } = Client.prototype;
    Client.prototype.call = async function (method, target, { headers = {}, ...rest } = {}) {
        const names = Object.keys(headers).map((name) => name.toLowerCase());
        const seen = this.greatest && !names.includes('holdfast-min-seq') ? { 'Holdfast-Min-Seq': String(this.greatest) } : {};
        const answer = await plain.call(this, method, target, { headers: { ...headers, ...seen }, ...rest });
        this.greatest = Math.max(this.greatest ?? 0, answer.seq ?? 0);
        return answer;
    };
}
module.exports = { SKIPPED, folder: path.dirname(__dirname) };
