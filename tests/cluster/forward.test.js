/* SPDX-License-Identifier: Apache-2.0 */
/* Every call works at a node that follows: what it cannot answer is passed on to the owner, and a client that has seen a
 * change sees it at every node. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');

let pg, site, owner, copy;
before(async () => {
    pg = await new Postgres().start();
    site = new Site(pg);
    owner = await site.node('one');
    copy = await site.node('two');
    await site.role(copy, 'follower');
});
after(async () => {
    await site?.close();
    pg?.close();
});

test('a sale from its beginning to its end at the copy', async () => {
    await makeEvent(copy, { id: 'show', seats: 'A1 A2 A3' });
    const held = await copy.app.post('/v1/reservations', { items: items('show', 'A1'), user_id: 'ann' });
    assert.equal(held.status, 201, held.text);
    const seen = { headers: { 'Holdfast-Min-Seq': held.seq } };
    const path = `/v1/reservations/${held.json.reservation_id}`;
    const read = await copy.app.get(path, seen);
    assert.equal(read.status, 200, read.text);
    assert.ok(read.seq >= held.seq, `${read.seq} ${held.seq}`);
    const sold = await copy.app.post(`${path}/commit`, { payment_ref: 'p1' });
    assert.equal(sold.status, 200, sold.text);
    assert.equal((await owner.app.get(path)).json.status, 'confirmed');
    const list = await copy.app.get('/v1/reservations?user_id=ann', { headers: { 'Holdfast-Min-Seq': sold.seq } });
    assert.equal(list.json.data[0].status, 'confirmed', list.text);
});

test('a key made at the copy is good there at once', async () => {
    const { key } = await copy.key('app');
    const { Caller } = require('../conformance/lib/server.js');
    const answer = await new Caller(copy, key, 'app').get('/v1/reservations?user_id=ann');
    assert.equal(answer.status, 200, answer.text);
});

test('figures of forwards are on both nodes', async () => {
    const count = async (server, name) => Number((await server.admin.get('/metrics')).text.match(new RegExp(`^${name} (\\d+)`, 'm'))[1]);
    assert.ok(await count(copy, 'holdfast_forwards_total') > 3);
    assert.equal(await count(copy, 'holdfast_forwards_in_flight'), 0);
    assert.equal(await count(owner, 'holdfast_forwards_total'), 0);
    assert.match((await owner.admin.get('/metrics')).text, /holdfast_requests_total\{method="POST",route="\/v1\/reservations",status="2xx"\} 1$/m);
});

test('one who waits at the copy is let in by the owner', async () => {
    await makeEvent(copy, { id: 'rush', seats: 'A1 A2', waiting_room: { rate_per_second: 1000, pass_ttl_seconds: 60 } });
    const entry = await copy.app.post('/v1/events/rush/queue', { user_id: 'bob' });
    assert.equal(entry.status, 201, entry.text);
    const path = `/v1/events/rush/queue/${entry.json.entry_id}`;
    await eventually(() => copy.app.get(path, { headers: { 'Holdfast-Min-Seq': entry.seq } }),
        (answer) => answer.json.status === 'admitted', 'bob is admitted');
});

test('after a takeover the same connections lead to the new owner', async () => {
    await owner.stop();
    await site.role(copy, 'owner');
    assert.equal((await copy.app.post('/v1/reservations', { items: items('show', 'A2'), user_id: 'bob' })).status, 201);
});
