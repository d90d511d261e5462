/* SPDX-License-Identifier: Apache-2.0 */
/* What each node says of itself and of the others: /v1/nodes, /readyz and /metrics. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const { hold, items, makeEvent } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');

let pg;
before(async () => (pg = await new Postgres().start()));
after(() => pg?.close());

function withSite(name, body) {
    test(name, async () => {
        const site = new Site(pg);
        try {
            await body(site);
        } finally {
            await site.close();
        }
    });
}

const ready = async (server) => {
    const { status: http, json } = await server.anyone.get('/readyz');
    return { ...json, http };
};
const becomes = (server, http, cause, patience = 20_000) =>
    eventually(() => ready(server), (it) => it.http === http && (it.degraded[0] ?? null) === cause, `/readyz with ${http} ${cause}`, patience);

async function figures(server) {
    const { text } = await server.admin.get('/metrics');
    return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
}

const nodes = async (server) => (await server.admin.get('/v1/nodes')).json.data;
const roles = (list) => list.map(({ node, role }) => [node, role]);

withSite('each node lists all nodes with their roles, and its own lag', async (site) => {
    const one = await site.node('one');
    const two = await site.node('two');
    const both = [['one', 'owner'], ['two', 'follower']];
    const { epoch } = await ready(one);
    for (const server of [one, two]) {
        const list = await eventually(() => nodes(server), (them) => them.length === 2, 'a list of both nodes');
        assert.deepEqual(roles(list), both);
        for (const it of list) {
            assert.equal(it.url, it.node === 'one' ? one.url : two.url);
            assert.equal(it.epoch, epoch);
            assert.ok(Math.abs(Date.parse(it.seen_at) - Date.now()) < 60_000, it.seen_at);
            assert.equal('lag_ms' in it, it.url === server.url);
        }
    }
    const [owner, follower] = [await figures(one), await figures(two)];
    assert.deepEqual([owner('holdfast_owner'), owner('holdfast_ready'), owner('holdfast_lag_seconds')], [1, 1, 0]);
    assert.deepEqual([follower('holdfast_owner'), follower('holdfast_ready'), follower('holdfast_epoch')], [0, 1, epoch]);
    await one.stop();
    await site.role(two, 'owner');
    const after_ = await eventually(() => nodes(two), (them) => them.every(({ node, role }) => (role === 'owner') === (node === 'two')), 'two owns it');
    assert.equal(after_.find(({ node }) => node === 'two').epoch, epoch + 1);
});

withSite('a follower is ready while it knows an owner that can decide', async (site) => {
    const one = await site.node('one');
    const two = await site.node('two');
    const three = await site.node('three');
    await becomes(two, 200, null);
    const { role, epoch, lag_ms: lag } = await ready(two);
    assert.deepEqual([role, epoch], ['follower', (await ready(one)).epoch]);
    assert.ok(lag < 10_000);
    /* It renews its lease no more, and the others wait for a little longer than it may answer. */
    one.child.kill('SIGSTOP');
    try {
        await becomes(two, 503, 'owner_away', 10_000);
    } finally {
        await one.kill9(); /* one that is stopped would not end */
    }
    await eventually(async () => [await ready(two), await ready(three)], (both) => both.some(({ role: now }) => now === 'owner') && both.every(({ http }) => http === 200),
        'one of the two decides, the other follows it, and both are ready');
});

withSite('while PostgreSQL does not answer no node is ready, and each says why', async (site) => {
    const one = await site.node('one');
    const two = await site.node('two');
    await becomes(two, 200, null);
    await pg.stop();
    try {
        await becomes(one, 503, 'log_away');
        await becomes(two, 503, 'lagging');
        assert.equal((await figures(two))('holdfast_ready'), 0);
        assert.ok((await figures(two))('holdfast_lag_seconds') > 10);
        assert.equal((await two.admin.get('/v1/nodes')).status, 503);
        await one.kill9();
    } finally {
        await pg.launch();
    }
    await site.role(two, 'owner', 30_000);
    await becomes(two, 200, null);
});

withSite('an owner that stops gives the lease back, however long its book takes', async (site) => {
    const one = await site.node('one');
    const event = await makeEvent(one, { seats: 'A1-A9' });
    const book = spawn('sqlite3', [path.join(one.data, 'book.sqlite')], { stdio: ['pipe', 'pipe', 'inherit'] });
    book.stdin.write('.timeout 60000\nBEGIN IMMEDIATE;\nSELECT 1;\n');
    await once(book.stdout, 'data');
    try {
        await hold(one.app, items(event, 'A1'), { user_id: 'ann' });
        await one.stop();
        assert.deepEqual(site.sql('SELECT owner IS NULL FROM lease WHERE shard=this'), [['t']]);
    } finally {
        book.kill();
    }
});

withSite('of two processes with one id the later one ends, and the earlier one goes on', async (site) => {
    const one = await site.node('one');
    const seen = new Set();
    await eventually(async () => seen.add(site.sql("SELECT seen FROM node WHERE shard=this AND id='one'")[0][0]).size,
        (times) => times > 5, 'a row that was written a few times');
    /* It may end before it listens. */
    await site.node('one').catch(() => {});
    const later = site.nodes.pop();
    assert.deepEqual(await later.exit, { code: 64, signal: null });
    assert.match(later.stderr, /another running node has the id \\"one\\"/);
    later.child = null;
    await later.close();
    assert.equal((await site.ready(one)).role, 'owner');
    assert.equal((await one.admin.put('/v1/events/e', { name: 'A show' })).status, 201);
});
