/* SPDX-License-Identifier: Apache-2.0 */
/* The waiting list: freed stock is offered to the first entry whose whole wish fits, before anyone else. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, unique, ownProcess, ownClock } = require('./lib/server.js');
const { makeEvent, seats, items, hold, seatStatus, availability, counts, whole, putPool } = require('./lib/catalogue.js');
const { waitingList, listEntry, listed, wish, lookAtWish, wishBecomes, makeRoom } = require('./lib/entries.js');
const { refused, invalid, granted, seatsOf } = require('./lib/expect.js');

const hf = shared();
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id ?? r}${rest}`;
const release = async (caller, r) => granted(await caller.delete(path(r)), 200, { status: 'released' });
const own = (e) => waitingList(e.event, `/${e.entry_id}`);
const ann = () => hf.user('ann');
const bob = () => hf.user('bob');
const seller = () => hf.user('seller');

/* An event with a list, all of whose stock the seller holds: {event, held}. */
async function soldOut(list = 'A1-A4', more = {}) {
    const event = await makeEvent(hf, { seats: list, waiting_list: true, ...more });
    const names = (typeof list === 'string' ? seats(list) : list).map((seat) => seat.id);
    const held = {};
    for (const seat of names) {
        held[seat] = await hold(seller(), [{ event, seat }]);
    }
    return { event, held };
}

/* The offer of an entry, as its user sees it. */
async function offered(user, e) {
    const now = await wishBecomes(hf, user, e, 'offered');
    return granted(await user.get(path(now.reservation_id)), 200);
}

test('201, Location, and the whole entry', async () => {
    const { event } = await soldOut();
    const answer = await ann().post(waitingList(event), { quantity: 2, adjacent: true });
    const e = listed(answer, 201, {
        event, user_id: 'ann', position: 1, status: 'waiting', quantity: 2, adjacent: true, tier: null, section: null,
        pool: null, reservation_id: null,
    });
    assert.equal(answer.headers.location, own(e));
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.deepEqual(await lookAtWish(ann(), e), e);
    assert.equal((await wish(bob(), event)).position, 2);
    listed(await ann().delete(own(e)), 200, { status: 'left' });
    listed(await ann().delete(own(e)), 200, { status: 'left' });
});

test('one live entry: joining again returns 200 and the same entry, whatever the wish', async () => {
    const { event } = await soldOut();
    const e = await wish(ann(), event, { quantity: 2 });
    listed(await ann().post(waitingList(event), { quantity: 1 }), 200, { entry_id: e.entry_id, quantity: 2 });
    listed(await hf.app.post(waitingList(event), { quantity: 1, user_id: 'ann' }), 200, { entry_id: e.entry_id });
    await ann().delete(own(e));
    const again = await wish(ann(), event);
    assert.notEqual(again.entry_id, e.entry_id);
});

test('Idempotency-Key: a replay is the same entry as it is now, another body 422', async () => {
    const { event } = await soldOut();
    const headers = { 'Idempotency-Key': unique('key') };
    const body = '{"quantity":1}';
    const e = listed(await ann().post(waitingList(event), body, { headers }), 201);
    await ann().delete(own(e));
    const again = await ann().post(waitingList(event), body, { headers });
    listed(again, 201, { entry_id: e.entry_id, status: 'left' });
    assert.equal(again.headers['idempotent-replayed'], 'true');
    refused(await ann().post(waitingList(event), '{"quantity":2}', { headers }), 422, 'idempotency_key_reused');
});

test('an impossible wish is 400 with its pointer', async () => {
    const { event } = await soldOut([
        ...seats('A1-A2', { tier: 'gold', section: 'Nord' }), ...seats('B1-B2', { tier: 'silver', section: 'Nord' }),
    ]);
    await putPool(hf, event, 'floor', { capacity: 3 });
    const say = (body) => ann().post(waitingList(event), body);
    invalid(await say({}), '/quantity');
    invalid(await say({ quantity: 0 }), '/quantity');
    invalid(await say({ quantity: 1.5 }), '/quantity');
    invalid(await say({ quantity: '1' }), '/quantity');
    invalid(await say({ quantity: 1001 }), '/quantity');
    invalid(await say({ quantity: 5 }), '/quantity');
    invalid(await say({ quantity: 3, tier: 'gold' }), '/quantity');
    invalid(await say({ quantity: 4, pool: 'floor' }), '/quantity');
    invalid(await say({ quantity: 1, tier: 'platinum' }), '/tier');
    invalid(await say({ quantity: 1, section: 'Süd' }), '/section');
    invalid(await say({ quantity: 1, tier: '' }), '/tier');
    invalid(await say({ quantity: 1, pool: 'floor', tier: 'gold' }), '/tier');
    invalid(await say({ quantity: 1, pool: 'floor', section: 'Nord' }), '/section');
    invalid(await say({ quantity: 1, pool: 'floor', adjacent: true }), '/adjacent');
    invalid(await say({ quantity: 1, adjacent: 'yes' }), '/adjacent');
    invalid(await say({ quantity: 1, seat: 'A1' }), '/seat');
    refused(await say({ quantity: 1, pool: 'cellar' }), 404, 'no_such_pool');
    refused(await ann().post(waitingList('no-such'), { quantity: 1 }), 404, 'no_such_event');
    refused(await ann().post(waitingList(await makeEvent(hf)), { quantity: 1 }), 409, 'no_waiting_list');
    const limited = await makeEvent(hf, { seats: 'A1-A9', waiting_list: true, per_user_limit: 2 });
    invalid(await ann().post(waitingList(limited), { quantity: 3 }), '/quantity');
    assert.deepEqual(await whole(hf.admin, waitingList(event)), []);
});

test('not allowed: no credentials 401, door 403, a user for another user 403, an app without a name 400', async () => {
    const { event } = await soldOut();
    const e = await wish(ann(), event);
    const door = await hf.key('door');
    for (const [method, target, body] of [
        ['POST', waitingList(event), { quantity: 1 }], ['GET', own(e)], ['DELETE', own(e)], ['GET', waitingList(event)],
    ]) {
        refused(await hf.anyone.call(method, target, { body }), 401, 'unauthenticated');
        refused(await door.call(method, target, { body }), 403, 'forbidden');
    }
    refused(await ann().get(waitingList(event)), 403, 'forbidden');
    refused(await hf.app.get(waitingList(event)), 403, 'forbidden');
    refused(await ann().post(waitingList(event), { quantity: 1, user_id: 'bob' }), 403, 'not_owner');
    invalid(await hf.app.post(waitingList(event), { quantity: 1 }), '/user_id');
    listed(await hf.app.post(waitingList(event), { quantity: 1, user_id: 'eve' }), 201, { user_id: 'eve' });
    listed(await hf.app.get(own(e)), 200);
});

test('another user\'s entry does not exist, nor one of another event, nor a guess; ids are in no order', async () => {
    const [{ event }, { event: other }] = [await soldOut(), await soldOut()];
    const e = await wish(ann(), event);
    for (const method of ['GET', 'DELETE']) {
        refused(await bob().call(method, own(e)), 404, 'no_such_entry');
        refused(await hf.app.call(method, waitingList(other, `/${e.entry_id}`)), 404, 'no_such_entry');
        for (const guess of [`lst_${'0'.repeat(26)}`, `ent_${e.entry_id.slice(4)}`, '1', e.entry_id.slice(0, -1)]) {
            refused(await hf.app.call(method, waitingList(event, `/${guess}`)), 404, 'no_such_entry');
        }
    }
    assert.equal((await lookAtWish(ann(), e)).status, 'waiting');
    const ids = [];
    for (let i = 0; i < 32; i++) {
        ids.push((await wish(hf.user(`p${i}`), event)).entry_id);
    }
    const sorted = [...ids].sort();
    assert.ok(ids.filter((id, i) => sorted[i] === id).length < 10);
});

test('freed by release: an ordinary hold for the first, with its reason and its own TTL', async () => {
    const { event, held } = await soldOut('A1-A4', { hold_ttl_seconds: 120 });
    const e = await wish(ann(), event);
    await release(seller(), held.A2);
    const r = await offered(ann(), e);
    assert.deepEqual([r.status, r.reason, r.user_id, seatsOf(r)], ['held', 'list', 'ann', ['A2']]);
    assert.equal(Date.parse(r.expires_at) - Date.parse(r.created_at), 120_000);
    assert.equal(await seatStatus(hf, event, 'A2'), 'held');
    const history = await whole(ann(), path(r, '/history'), hf.since(await ann().get(path(r))));
    assert.deepEqual(history.map((line) => [line.action, line.reason, line.actor]), [['held', 'list', 'server']]);
    assert.equal((await lookAtWish(ann(), e)).position, null);
    listed(await ann().post(waitingList(event), { quantity: 1 }), 200, { entry_id: e.entry_id, status: 'offered' });
    const bought = granted(await ann().post(path(r, '/commit'), {}), 200, { status: 'confirmed', reason: 'list' });
    assert.equal(bought.reservation_id, r.reservation_id);
    assert.equal((await wishBecomes(hf, ann(), e, 'finished')).reservation_id, r.reservation_id);
    const mine = await whole(ann(), `/v1/reservations?event=${event}`, hf.since(await ann().get(path(r))));
    assert.deepEqual(mine.map((one) => one.reason), ['list']);
    assert.ok(!('reason' in (await seller().get(path(held.A1))).json), 'only offers have a reason');
});

test('freed by expiry, by dropping, by moving, by new seats, by unblocking', ownClock, async () => {
    const free = {
        expiry: async ({ held }) => hf.clock.goto(Date.parse(held.A1.expires_at)),
        dropping: async ({ held }) =>
            granted(await seller().delete(path(held.A1, `/items/${held.A1.items[0].item_id}`)), 200),
        moving: async ({ event, held }) => {
            await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['B1'], blocked: false });
            return held;
        },
        'new seats': async ({ event }) => hf.admin.post(`/v1/events/${event}/seats`, seats('Z1')),
    };
    for (const [how, act] of Object.entries(free)) {
        const { event, held } = await soldOut('A1-A2', { hold_ttl_seconds: 300 });
        if (how === 'moving') {
            await hf.admin.post(`/v1/events/${event}/seats`, [{ ...seats('B1')[0], blocked: true }]);
        }
        const e = await wish(ann(), event);
        await act({ event, held });
        const r = await offered(ann(), e);
        assert.equal(r.items.length, 1, how);
        await release(ann(), r);
    }
});

test('group-aware: four together for a wish of four together, and fewer for a later wish for fewer', async () => {
    const { event, held } = await soldOut('A1-A6');
    const four = await wish(ann(), event, { quantity: 4, adjacent: true });
    const one = await wish(bob(), event, { quantity: 1 });
    await release(seller(), held.A1);
    const single = await offered(bob(), one);
    assert.deepEqual(seatsOf(single), ['A1']);
    assert.equal((await lookAtWish(ann(), four)).position, 1, 'who could not be served waits on, first as before');
    for (const seat of ['A2', 'A3', 'A5']) {
        await release(seller(), held[seat]);
    }
    assert.equal((await lookAtWish(ann(), four)).status, 'waiting');
    await release(seller(), held.A4);
    assert.deepEqual(seatsOf(await offered(ann(), four)), ['A2', 'A3', 'A4', 'A5']);
});

test('by tier, by section, by pool', async () => {
    const { event, held } = await soldOut([
        ...seats('A1-A2', { tier: 'gold', section: 'Nord' }), ...seats('B1-B2', { tier: 'silver', section: 'Süd' }),
    ]);
    await putPool(hf, event, 'floor', { capacity: 2 });
    const floor = await hold(seller(), [{ event, pool: 'floor', quantity: 2 }]);
    const gold = await wish(ann(), event, { quantity: 1, tier: 'gold' });
    const south = await wish(bob(), event, { quantity: 1, section: 'Süd' });
    const pool = await wish(hf.user('eve'), event, { quantity: 2, pool: 'floor' });
    await release(seller(), held.B2);
    assert.deepEqual(seatsOf(await offered(bob(), south)), ['B2']);
    await release(seller(), floor);
    const units = await offered(hf.user('eve'), pool);
    assert.deepEqual(units.items.map((it) => [it.pool, it.quantity]), [['floor', 2]]);
    assert.equal((await lookAtWish(ann(), gold)).status, 'waiting');
    await release(seller(), held.A1);
    assert.deepEqual(seatsOf(await offered(ann(), gold)), ['A1']);
});

test('declining, releasing and lapsing ask the next one', ownClock, async () => {
    const { event, held } = await soldOut('A1', { hold_ttl_seconds: 600 });
    const users = ['u1', 'u2', 'u3', 'u4'].map((name) => hf.user(name));
    const entries = [];
    for (const user of users) {
        entries.push(await wish(user, event));
    }
    assert.deepEqual(entries.map((e) => e.position), [1, 2, 3, 4]);
    await release(seller(), held.A1);
    const first = await offered(users[0], entries[0]);
    listed(await users[0].delete(own(entries[0])), 200, { status: 'left', reservation_id: first.reservation_id });
    granted(await users[0].get(path(first)), 200, { status: 'released' });
    const second = await offered(users[1], entries[1]);
    await release(users[1], second);
    assert.equal((await wishBecomes(hf, users[1], entries[1], 'left')).reservation_id, second.reservation_id);
    const third = await offered(users[2], entries[2]);
    assert.equal((await lookAtWish(users[3], entries[3])).position, 1);
    hf.clock.goto(Date.parse(third.expires_at));
    const fourth = await offered(users[3], entries[3]);
    assert.equal((await lookAtWish(users[2], entries[2])).status, 'left');
    granted(await users[3].post(path(fourth, '/commit'), {}), 200, { status: 'confirmed' });
    assert.deepEqual(await counts(hf, event), { seats: 1, available: 0, held: 0, sold: 1, blocked: 0 });
});

test('stock that is free when an entry joins is offered at once', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3', waiting_list: true });
    const e = await wish(ann(), event, { quantity: 2, adjacent: true });
    assert.equal(seatsOf(await offered(ann(), e)).length, 2);
    assert.equal((await counts(hf, event)).available, 1);
});

test('no claimant gets freed stock first, at the very instant of the deadline', ownClock, async () => {
    for (const claim of [
        (event) => bob().post('/v1/reservations', { items: items(event, 'A1') }),
        (event) => bob().post('/v1/reservations', { items: [{ event, best: { quantity: 1 } }] }),
        (event) => hf.admin.post('/v1/reservations', { items: items(event, 'A1'), user_id: 'bob', commit: true }),
    ]) {
        const { event, held } = await soldOut('A1', { hold_ttl_seconds: 300 });
        const e = await wish(ann(), event);
        hf.clock.goto(Date.parse(held.A1.expires_at));
        const answer = await claim(event);
        assert.equal(answer.status, 409, answer.text);
        assert.ok(['taken', 'sold_out'].includes(answer.json.code), answer.text);
        assert.deepEqual(seatsOf(await offered(ann(), e)), ['A1']);
    }
});

test('per_user_limit: an entry at its limit is skipped until there is room again', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3', waiting_list: true, per_user_limit: 1 });
    const mine = await hold(ann(), items(event, 'A1'));
    const others = [await hold(hf.user('x'), items(event, 'A2')), await hold(hf.user('y'), items(event, 'A3'))];
    const [a, b] = [await wish(ann(), event), await wish(bob(), event)];
    await release(hf.user('x'), others[0]);
    await offered(bob(), b);
    assert.equal((await lookAtWish(ann(), a)).status, 'waiting');
    await release(ann(), mine);
    assert.deepEqual(seatsOf(await offered(ann(), a)), ['A1']);
});

test('nothing is offered before the sale, after it, or once the event has begun', ownClock, async () => {
    const at = (seconds) => new Date(Math.ceil(hf.now() / 1000) * 1000 + seconds * 1000).toISOString();
    const later = await makeEvent(hf, { seats: 'A1', waiting_list: true, on_sale_at: at(600) });
    const waits = await wish(ann(), later);
    assert.equal((await lookAtWish(ann(), waits)).status, 'waiting');
    hf.clock.advance(601_000);
    await offered(ann(), waits);
    for (const field of ['starts_at', 'off_sale_at']) {
        const { event, held } = await soldOut('A1', { hold_ttl_seconds: 900, [field]: at(300) });
        const e = await wish(ann(), event);
        hf.clock.advance(301_000);
        await release(seller(), held.A1);
        assert.equal((await lookAtWish(ann(), e)).status, 'waiting');
        assert.equal(await seatStatus(hf, event, 'A1'), 'available');
    }
});

test('a waiting room does not prevent an offer', async () => {
    const event = await makeRoom(hf, { seats: 'A1', waiting_list: true });
    const r = granted(await hf.admin.post('/v1/reservations', { items: items(event, 'A1'), user_id: 'x' }), 201);
    const e = await wish(ann(), event);
    await release(hf.admin, r);
    granted(await ann().post(path(await offered(ann(), e), '/commit'), {}), 200, { status: 'confirmed' });
});

test('the admin lists all entries, page by page, by status', async () => {
    const { event, held } = await soldOut('A1-A2');
    const entries = [];
    for (let i = 0; i < 7; i++) {
        entries.push(await wish(hf.user(`u${i}`), event));
    }
    await release(seller(), held.A1);
    await offered(hf.user('u0'), entries[0]);
    const last = await hf.user('u3').delete(own(entries[3]));
    const all = await whole(hf.admin, `${waitingList(event)}?limit=3`, hf.since(last));
    all.forEach((e) => listEntry(e));
    assert.deepEqual(all.map((e) => e.position), [null, 1, 2, null, 3, 4, 5], 'the rank among those who wait');
    assert.deepEqual(all.map((e) => e.entry_id), entries.map((e) => e.entry_id), 'in the order of joining');
    assert.deepEqual(all.map((e) => e.status), [
        'offered', 'waiting', 'waiting', 'left', 'waiting', 'waiting', 'waiting',
    ]);
    assert.deepEqual(all.map((e) => e.user_id), entries.map((e) => e.user_id));
    assert.match(all[0].reservation_id, /^res_/);
    const waiting = await whole(hf.admin, `${waitingList(event)}?status=waiting&limit=2`, hf.since(last));
    assert.deepEqual(waiting.map((e) => e.user_id), ['u1', 'u2', 'u4', 'u5', 'u6']);
    assert.deepEqual((await whole(hf.admin, `${waitingList(event)}?status=finished`)), []);
    invalid(await hf.admin.get(`${waitingList(event)}?status=held`), '?status');
    invalid(await hf.admin.get(`${waitingList(event)}?limit=0`), '?limit');
    invalid(await hf.admin.get(`${waitingList(event)}?cursor=x`), '?cursor');
    refused(await hf.admin.get(waitingList('no-such')), 404, 'no_such_event');
});

test('with a waiting room the list is for sold-out stock, and no way around the line', ownClock, async () => {
    const open_at = new Date(hf.now() + 60_000).toISOString();
    const event = await makeEvent(hf, { seats: 'A1-A2', waiting_list: true, waiting_room: { open_at } });
    refused(await ann().post(waitingList(event), { quantity: 1 }), 409, 'not_sold_out');
    hf.clock.advance(61_000);
    refused(await ann().post(waitingList(event), { quantity: 2 }), 409, 'not_sold_out');
    const r = await hold(hf.admin, items(event, 'A1'), { user_id: 'seller' });
    refused(await ann().post(waitingList(event), { quantity: 1 }), 409, 'not_sold_out');
    const e = await wish(ann(), event, { quantity: 2 });
    assert.equal((await lookAtWish(ann(), e)).status, 'waiting');
    await release(hf.admin, r);
    await offered(ann(), e);
    const other = await makeEvent(hf, { seats: 'A1', waiting_list: true, waiting_room: { open_at: null } });
    listed(await hf.app.post(waitingList(other), { quantity: 1, user_id: 'bob' }), 201);
});

test('waiting_list is a setting: off by default, and when off nobody joins and nothing is offered', async () => {
    const { event, held } = await soldOut('A1');
    assert.equal((await hf.anyone.get(`/v1/events/${event}`)).json.waiting_list, true);
    assert.equal((await hf.anyone.get(`/v1/events/${await makeEvent(hf)}`)).json.waiting_list, false);
    const e = await wish(ann(), event);
    await hf.admin.put(`/v1/events/${event}`, { name: 'x', payment: 'none' });
    refused(await bob().post(waitingList(event), { quantity: 1 }), 409, 'no_waiting_list');
    await release(seller(), held.A1);
    assert.equal((await lookAtWish(ann(), e)).status, 'waiting');
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
    await hf.admin.put(`/v1/events/${event}`, { name: 'x', payment: 'none', waiting_list: true });
    await offered(ann(), e);
});

for (const kill of [false, true]) {
    test(`${kill ? 'kill -9' : 'SIGTERM'}: entries, offers and the order survive`, ownProcess, async () => {
        const server = await new Server().start();
        try {
            const event = await makeEvent(server, { seats: 'A1-A2', waiting_list: true });
            const r = await hold(server.user('x'), items(event, 'A1 A2'));
            const users = ['a', 'b', 'c'].map((name) => server.user(name));
            const entries = [];
            for (const user of users) {
                entries.push(await wish(user, event));
            }
            const item = r.items.find((it) => it.seat === 'A1').item_id;
            granted(await server.user('x').delete(path(r, `/items/${item}`)), 200);
            await wishBecomes(server, users[0], entries[0], 'offered');
            const read = () => Promise.all(users.map((user, i) => lookAtWish(user, entries[i])));
            const before = await read();
            await server.restart({ kill });
            assert.deepEqual(await read(), before);
            const offer = granted(await users[0].get(path(before[0].reservation_id)), 200, { reason: 'list' });
            granted(await server.user('x').delete(path(r)), 200);
            await wishBecomes(server, users[1], entries[1], 'offered');
            await users[0].delete(path(offer));
            await wishBecomes(server, users[2], entries[2], 'offered');
            const { seats: now } = await availability(server, event);
            assert.deepEqual(now, { A1: 'held', A2: 'held' });
        } finally {
            await server.close();
        }
    });
}

test('an offer that its owner moved to another event outlives its own, across restarts too', ownProcess, async () => {
    const server = await new Server().start();
    try {
        const event = await makeEvent(server, { seats: 'A1', waiting_list: true });
        const other = await makeEvent(server, { seats: 'B1' });
        const user = server.user('a');
        const { reservation_id } = await wishBecomes(server, user, await wish(user, event), 'offered');
        granted(await user.post(path(reservation_id, '/items'), { items: items(other, 'B1') }), 201);
        const both = granted(await user.get(path(reservation_id)), 200);
        const item = both.items.find((it) => it.seat === 'A1').item_id;
        granted(await user.delete(path(reservation_id, `/items/${item}`)), 200);
        assert.equal((await server.admin.delete(`/v1/events/${event}`)).status, 204);
        await server.restart();
        granted(await user.post(path(reservation_id, '/commit'), {}), 200, { status: 'confirmed' });
        assert.deepEqual((await availability(server, other)).seats, { B1: 'sold' });
    } finally {
        await server.close();
    }
});
