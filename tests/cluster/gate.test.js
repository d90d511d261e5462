/* SPDX-License-Identifier: Apache-2.0 */
/* A node that follows refuses holds of taken seats by its copy, with the answer of the owner, which never sees them. What
 * the copy cannot decide goes to the owner. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');

let pg;
before(async () => (pg = await new Postgres().start()));
after(() => pg?.close());

function withNodes(name, options, body) {
    test(name, async () => {
        const site = new Site(pg);
        try {
            const one = await site.node('one');
            await body(one, await site.node('two', options), site);
        } finally {
            await site.close();
        }
    });
}

const on = (event, text) => ({ items: items(event, text), user_id: 'cy' });
const hold = (server, event, text) => server.app.post('/v1/reservations', on(event, text));

/* The same, whatever becomes of it. */
async function attempt(server, body, headers = {}) {
    const all = { authorization: `Bearer ${server.app.bearer}`, 'content-type': 'application/json', ...headers };
    const answer = await fetch(`${server.url}/v1/reservations`, { method: 'POST', headers: all, body: JSON.stringify(body) });
    await answer.arrayBuffer();
}

/* How many holds the copy has refused. */
async function refused(server) {
    const { text } = await server.admin.get('/metrics');
    return Number(/^holdfast_gate_refused_total (\d+)$/m.exec(text)[1]);
}

/* A sale of A1 and a hold of A2, which the other node shows. */
async function taken(one, two) {
    const event = await makeEvent(one, { seats: 'A1-A9', hold_ttl_seconds: 600 });
    const more = { user_id: 'ann' };
    assert.equal((await one.app.post('/v1/reservations', { items: items(event, 'A1'), commit: true, ...more })).status, 201);
    const held = await one.app.post('/v1/reservations', { items: items(event, 'A2'), ...more }, { headers: { 'Idempotency-Key': 'k' } });
    assert.equal(held.status, 201, held.text);
    await eventually(() => two.admin.get(`/v1/events/${event}`), (answer) => answer.seq >= held.seq, 'the hold at the other node');
    return { event, seq: held.seq, body: { items: items(event, 'A2'), ...more } };
}

withNodes('taken seats are refused by the copy, as the owner refuses them', {}, async (one, two) => {
    const { event, seq } = await taken(one, two);
    for (const seats of ['A1', 'A2', 'A3 A1 A2']) {
        const decided = await hold(one, event, seats);
        const copied = await hold(two, event, seats);
        assert.equal(copied.status, 409, copied.text);
        assert.equal(copied.json.code, 'taken');
        assert.deepEqual(copied.json, decided.json);
        assert.ok(copied.seq >= seq);
    }
    assert.equal(await refused(two), 3);
    assert.equal(await refused(one), 0);
    assert.equal((await one.admin.get('/metrics')).seq, seq); /* nothing happened there */
    const many = await Promise.all(Array.from({ length: 200 }, () => hold(two, event, 'A1')));
    assert.deepEqual(new Set(many.map(({ status }) => status)), new Set([409]));
    assert.equal(await refused(two), 203);
});

withNodes('what the copy cannot decide, it does not refuse', {}, async (one, two) => {
    const { event, seq, body } = await taken(one, two);
    const again = (headers) => attempt(two, body, headers);
    await attempt(two, on(event, 'A9'));
    await attempt(two, on(event, 'nowhere'));
    await again({ 'Idempotency-Key': 'k' }); /* it was granted */
    await again({ 'Holdfast-Min-Seq': String(seq + 1000) });
    await again({ 'Idempotency-Key': 'another'.repeat(100) });
    assert.equal(await refused(two), 0);
    await again({ 'Idempotency-Key': 'another' });
    await again({ 'Holdfast-Min-Seq': String(seq) });
    assert.equal(await refused(two), 2);
});

withNodes('a copy that lags refuses nothing', {}, async (one, two) => {
    const { event } = await taken(one, two);
    assert.equal((await hold(two, event, 'A1')).status, 409);
    await pg.stop();
    try {
        await eventually(() => two.anyone.get('/readyz'), ({ json }) => json.lag_ms >= 1000, 'a lag of a second');
        await attempt(two, on(event, 'A1'));
        assert.equal(await refused(two), 1);
    } finally {
        await pg.launch();
    }
    await eventually(() => attempt(two, on(event, 'A1')).then(() => refused(two)), (count) => count > 1, 'a copy that has caught up');
});

withNodes('with --gate off every hold goes to the owner', { args: ['--gate', 'off'] }, async (one, two) => {
    const { event } = await taken(one, two);
    await attempt(two, on(event, 'A1'));
    assert.equal(await refused(two), 0);
});
