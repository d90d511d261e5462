/* SPDX-License-Identifier: Apache-2.0 */
/* /metrics and /openapi.json are open to all, unless the operator closes them. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, unique, ownProcess } = require('./lib/server.js');
const { refused } = require('./lib/expect.js');

const hf = shared();

async function start(t, options) {
    const server = await new Server(options).start();
    t.after(() => server.close());
    return server;
}

/* Callers with valid credentials, but not the right ones. */
const others = async (server) => [server.user('ann'), await server.key('app'), await server.key('door')];

test('both are open by default', async () => {
    for (const caller of [hf.anyone, hf.admin, ...(await others(hf))]) {
        assert.equal((await caller.get('/metrics')).status, 200);
        assert.equal((await caller.get('/openapi.json')).status, 200);
    }
});

test('--metrics-key: that key and the admin key open /metrics, and nothing else does', ownProcess, async (t) => {
    const key = unique('metrics');
    for (const given of [{ args: ['--metrics-key', key] }, { env: { HOLDFAST_METRICS_KEY: key } }]) {
        const server = await start(t, given);
        const watcher = server.bearer(key);
        for (const caller of [watcher, server.admin]) {
            const answer = await caller.get('/metrics');
            assert.equal(answer.status, 200);
            assert.match(answer.text, /^holdfast_seq \d+$/m);
            assert.equal((await caller.head('/metrics')).status, 200);
        }
        const none = await server.anyone.get('/metrics');
        refused(none, 401, 'unauthenticated');
        assert.equal(none.headers['www-authenticate'], 'Bearer');
        for (const wrong of [`${key}x`, key.slice(1), key.toUpperCase()]) {
            refused(await server.bearer(wrong).get('/metrics'), 401, 'unauthenticated');
        }
        for (const caller of await others(server)) {
            refused(await caller.get('/metrics'), 403, 'forbidden');
        }
        /* It opens the metrics and nothing else. */
        for (const path of ['/v1/keys', '/v1/reservations', '/v1/events', '/healthz', '/openapi.json']) {
            refused(await watcher.get(path), 401, 'unauthenticated');
        }
        assert.equal((await server.anyone.get('/openapi.json')).status, 200);
        assert.ok(!server.stderr.includes(key), 'it is not logged');
    }
});

test('--openapi admin: only the admin key opens /openapi.json', ownProcess, async (t) => {
    const server = await start(t, { args: ['--openapi', 'admin', '--metrics-key', 'k'.repeat(40)] });
    assert.equal((await server.admin.get('/openapi.json')).json.openapi, '3.1.0');
    refused(await server.anyone.get('/openapi.json'), 401, 'unauthenticated');
    refused(await server.bearer('k'.repeat(40)).get('/openapi.json'), 401, 'unauthenticated');
    for (const caller of await others(server)) {
        refused(await caller.get('/openapi.json'), 403, 'forbidden');
    }
    const open = await start(t, { args: ['--openapi', 'public'] });
    assert.equal((await open.anyone.get('/openapi.json')).status, 200);
});
