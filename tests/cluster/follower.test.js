/* SPDX-License-Identifier: Apache-2.0 */
/* A second node follows the one that owns the site: it shows everything that was acknowledged there, and takes over when the
 * owner is gone, with everything that was acknowledged. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const { makeEvent, items, seats } = require('../conformance/lib/catalogue.js');
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

const hold = (server, event, text, user, more = {}) =>
    server.app.post('/v1/reservations', { items: items(event, text), user_id: user, ...more });

async function held(server, event, text, user, more) {
    const answer = await hold(server, event, text, user, more);
    assert.equal(answer.status, 201, answer.text);
    return { ...answer.json, seq: answer.seq };
}

/* The answer of a node once it shows this change. */
const shown = (server, target, seq) =>
    eventually(() => server.admin.get(target), (answer) => answer.seq >= seq, `${target} as of ${seq}`);

/* Without what counts down. */
function still({ expires_in, expires_in_ms, ...rest }) {
    return rest;
}

/* What two nodes show is the same. */
async function same(one, two, targets) {
    for (const target of targets) {
        const first = await one.admin.get(target);
        const second = await shown(two, target, first.seq);
        assert.deepEqual(still(second.json), still(first.json), target);
    }
}

withSite('a second node follows and shows what the owner shows', async (site) => {
    const one = await site.node('one');
    const event = await makeEvent(one, { seats: 'A1-A9', pools: { floor: 20 }, timezone: 'Europe/Berlin' });
    const two = await site.node('two');
    assert.equal((await site.ready(one)).role, 'owner');
    assert.equal((await site.ready(two)).role, 'follower');
    const later = await makeEvent(one, { seats: 'B1-B5', timezone: 'America/New_York' });
    await one.admin.put('/v1/calendars/room', { name: 'A room', timezone: 'Asia/Tokyo', hours: [{ days: ['mon', 'tue'], from: '09:00', to: '17:00' }] });
    const sale = await held(one, event, 'A1 A2', 'ann', { commit: true });
    const open = await held(one, later, 'B1', 'bob');
    const gone = await held(one, event, 'A3', 'cy');
    assert.equal((await one.app.post(`/v1/reservations/${gone.reservation_id}/release`)).status, 200);
    await same(one, two, [`/v1/events/${event}`, `/v1/events/${later}`, `/v1/events/${event}/availability?format=map`,
        `/v1/events/${event}/seats`, `/v1/events/${later}/seats`, '/v1/events', '/v1/calendars/room',
        ...[sale, open, gone].map((it) => `/v1/reservations/${it.reservation_id}/history`)]);
    const copy = await shown(two, `/v1/reservations/${open.reservation_id}`, open.seq);
    assert.equal(copy.json.status, 'held');
    assert.equal(copy.json.fence, open.fence);
});

withSite('a follower that knows a change does not deny the reservation it made', async (site) => {
    const one = await site.node('one');
    const two = await site.node('two');
    const event = await makeEvent(one, { seats: 'A1-A120' });
    await Promise.all([1, 2, 3, 4].map(async (first) => {
        for (let i = first; i <= 120; i += 4) {
            const made = await held(one, event, `A${i}`, 'ann');
            await eventually(() => two.admin.get(`/v1/reservations/${made.reservation_id}`), ({ status, seq }) => {
                assert.ok(status === 200 || seq < made.seq, `as of ${seq} the reservation of ${made.seq} is ${status}`);
                return status === 200;
            }, 'the follower to show it');
        }
    }));
});

withSite('seats that are imported, changed and removed while a node follows are there, too', async (site) => {
    const one = await site.node('one');
    const two = await site.node('two');
    const event = await makeEvent(one, { seats: 'A1-A9' });
    const many = Array.from({ length: 20000 }, (_, i) => ({ id: `M${i}`, section: 'M', row: `${i % 100}`, number: `${i}` }));
    const added = await one.admin.post(`/v1/events/${event}/seats`, many);
    assert.equal(added.status, 201, added.text);
    await held(one, event, 'A1 M7', 'ann', { commit: true });
    assert.equal((await one.admin.post(`/v1/events/${event}/seats`, seats('A2-A3', { tier: 'gold', price: 5 }))).status, 201);
    assert.equal((await one.admin.call('DELETE', `/v1/events/${event}/seats`, { body: { ids: ['M9', 'A9'] } })).status, 200);
    await held(one, event, 'A3 M10', 'bob');
    await same(one, two, [`/v1/events/${event}`, `/v1/events/${event}/seats`, `/v1/events/${event}/availability`]);
});

withSite('a stream that moves from node to node misses nothing', async (site) => {
    const one = await site.node('one');
    const two = await site.node('two');
    const event = await makeEvent(one, { seats: 'A1-A9' });
    await shown(two, `/v1/events/${event}`, (await one.admin.get(`/v1/events/${event}`)).seq);
    const path = `/v1/events/${event}/stream`;
    const here = await one.anyone.stream(path); /* from then on the node knows what has changed */
    const there = await two.anyone.stream(path);
    await there.next(({ name }) => name === 'reset');
    await held(one, event, 'A1 A2 A3', 'ann');
    await there.until(() => there.events.length >= 3, 'three seats');
    const seen = there.events.splice(0);
    assert.deepEqual(seen.map(({ name, json }) => json.id ?? name).sort(), ['A1', 'A2', 'A3']);
    assert.deepEqual(seen.slice(0, 2).map((message) => message.id), [undefined, undefined], 'only the last one of a batch');
    there.close();
    await held(one, event, 'A4', 'bob');
    const next = await one.anyone.stream(path, { lastEventId: seen[2].id });
    await next.next(({ json }) => json.id === 'A4');
    next.close();
    here.close();
});

withSite('a follower changes records that only its book has', async (site) => {
    const one = await site.node('one');
    const two = await site.node('two');
    const event = await makeEvent(one, { seats: 'A1-A9', payment: 'required' });
    const sales = [];
    for (const seat of ['A1', 'A2', 'A3', 'A4', 'A5']) {
        const it = await held(one, event, seat, `user-${seat}`);
        const paid = await one.app.post(`/v1/reservations/${it.reservation_id}/commit`, { payment_ref: `pay-${seat}` });
        assert.equal(paid.status, 200, paid.text);
        sales.push(it.reservation_id);
    }
    /* Confirmed reservations leave memory once the book has them. */
    await eventually(async () => (await two.admin.get('/metrics')).text, (text) =>
        /^holdfast_reservations\{status="confirmed"\} 0$/m.test(text), 'a follower without confirmed reservations in memory', 30_000);
    for (const id of sales.slice(1)) {
        assert.equal((await one.app.post(`/v1/reservations/${id}/refund`, { reason: 'rain' })).status, 200);
    }
    await same(one, two, [`/v1/events/${event}/availability`, ...sales.map((id) => `/v1/reservations/${id}`)]);
    await same(one, two, sales.map((id) => `/v1/reservations/${id}/history`));
});

withSite('when the owner is killed the follower decides, and the owner follows when it returns', async (site) => {
    const one = await site.node('one');
    const event = await makeEvent(one, { seats: 'A1-A9', hold_ttl_seconds: 600 });
    const two = await site.node('two');
    const sale = await held(one, event, 'A1', 'ann', { commit: true });
    const open = await held(one, event, 'A2', 'bob');
    await one.kill9();
    await site.role(two, 'owner');
    assert.equal((await two.app.get(`/v1/reservations/${sale.reservation_id}`)).json.status, 'confirmed');
    assert.equal((await hold(two, event, 'A1', 'cy')).json.code, 'taken');
    assert.equal((await hold(two, event, 'A2', 'cy')).json.code, 'taken');
    const next = await held(two, event, 'A3', 'cy');
    assert.ok(next.fence > open.fence);
    assert.equal((await two.app.post(`/v1/reservations/${open.reservation_id}/commit`)).status, 200);
    await one.launch();
    assert.equal((await site.ready(one)).role, 'follower');
    await same(two, one, [`/v1/events/${event}/availability`, `/v1/reservations/${next.reservation_id}`,
        `/v1/reservations/${open.reservation_id}/history`]);
    assert.equal((await site.ready(one)).epoch, (await site.ready(two)).epoch);
});

withSite('an owner that stops hands over at once', async (site) => {
    const one = await site.node('one');
    const event = await makeEvent(one, { seats: 'A1-A9' });
    const two = await site.node('two');
    const sale = await held(one, event, 'A1', 'ann', { commit: true });
    await one.stop();
    /* Given back, and perhaps taken already: nobody waits until the lease has run out. */
    const [[owner]] = site.sql("SELECT coalesce(owner,'nobody') FROM lease WHERE shard=this");
    assert.notEqual(owner, 'one');
    await site.role(two, 'owner');
    assert.equal((await hold(two, event, 'A1', 'cy')).json.code, 'taken');
    assert.equal((await two.app.get(`/v1/reservations/${sale.reservation_id}`)).json.status, 'confirmed');
});

withSite('an owner that was stopped for long ends, and acknowledged nothing that it decided', async (site) => {
    const one = await site.node('one');
    const event = await makeEvent(one, { seats: 'A1-A9' });
    const two = await site.node('two');
    await held(one, event, 'A1', 'ann', { commit: true });
    one.child.kill('SIGSTOP');
    await site.role(two, 'owner');
    await held(two, event, 'A2', 'bob', { commit: true });
    one.child.kill('SIGCONT');
    assert.deepEqual(await one.exit, { code: 75, signal: null });
    one.client.close();
    await one.launch();
    assert.equal((await site.ready(one)).role, 'follower');
    await same(two, one, [`/v1/events/${event}/availability`]);
});
