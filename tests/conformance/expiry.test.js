/* SPDX-License-Identifier: Apache-2.0 */
/* The deadline: valid before, expired from that instant on; settled by the first request, by the timer, or across a
 * restart; and no clock set back revives anything. The exact millisecond is proved by the scripts of core; here time
 * advances on its own, so the margins are a few seconds before and a few milliseconds after. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, ownClock, ownProcess } = require('./lib/server.js');
const { makeEvent, items, hold, seatStatus, availability, counts } = require('./lib/catalogue.js');
const { instant, refused, granted } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const bob = () => hf.user('bob');
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const RULES = { hold_ttl_seconds: 60, max_hold_seconds: 600 };
const EARLY_MS = 5_000;
const LATE_MS = 1;

const before = (r) => hf.clock.goto(instant(r.expires_at) - EARLY_MS);
const after = (r) => hf.clock.goto(instant(r.expires_at) + LATE_MS);

test('before the deadline: everything works, and the seat is taken for others', ownClock, async () => {
    const event = await makeEvent(hf, { ...RULES, seats: 'A1-A3' });
    const r = await hold(ann(), items(event, 'A1 A2'));
    before(r);
    refused(await bob().post('/v1/reservations', { items: items(event, 'A1') }), 409, 'taken');
    const read = granted(await ann().get(path(r)), 200, { status: 'held' });
    assert.ok(read.expires_in_ms <= EARLY_MS, `${read.expires_in_ms} ms left`);
    granted(await ann().post(path(r, '/items'), { event, seat: 'A3' }), 201);
    granted(await ann().post(path(r, '/commit'), {}), 200, { status: 'confirmed' });
});

test('from the deadline on: every command is expired', ownClock, async () => {
    const event = await makeEvent(hf, { ...RULES, seats: 'A1-A20' });
    const commands = {
        commit: (r) => ann().post(path(r, '/commit'), {}),
        'commit by the app': (r) => hf.app.post(path(r, '/commit'), {}),
        extend: (r) => ann().post(path(r, '/extend'), {}),
        payment: (r) => ann().post(path(r, '/payment'), {}),
        release: (r) => ann().post(path(r, '/release'), {}),
        delete: (r) => ann().delete(path(r)),
        add: (r) => ann().post(path(r, '/items'), { event, seat: 'A20' }),
        drop: (r) => ann().delete(path(r, `/items/${r.items[0].item_id}`)),
        move: (r) => ann().patch(path(r, `/items/${r.items[0].item_id}`), { seat: 'A20' }),
    };
    const held = [];
    for (let i = 1; i <= Object.keys(commands).length; i++) {
        held.push(await hold(ann(), items(event, `A${i}`)));
    }
    after(held.at(-1));
    hf.clock.advance(1_000);
    for (const [i, [name, command]] of Object.entries(commands).entries()) {
        const answer = await command(held[i]);
        assert.equal(answer.json?.code, 'expired', `${name}: ${answer.text}`);
        refused(answer, 409, 'expired');
    }
    assert.equal((await counts(hf, event)).sold, 0);
});

test('lazily: the first request for the seat gets it, whether or not the timer has run', ownClock, async () => {
    for (let round = 0; round < 10; round++) {
        const event = await makeEvent(hf, { ...RULES, seats: 'A1-A3', pools: { floor: 2 } });
        const r = await hold(ann(), [...items(event, 'A1 A2'), { event, pool: 'floor', quantity: 2 }]);
        after(r);
        const wanted = [...items(event, 'A2 A3'), { event, pool: 'floor', quantity: 2 }];
        const next =
            granted(await bob().post('/v1/reservations', { items: wanted }), 201, { user_id: 'bob' });
        assert.ok(next.fence > r.fence);
        const lapsed = granted(await ann().get(path(r)), 200, { status: 'expired' });
        assert.equal(lapsed.ended_at, r.expires_at);
        refused(await ann().post(path(r, '/commit'), {}), 409, 'expired');
        assert.equal(await seatStatus(hf, event, 'A2'), 'held', 'bob keeps it');
    }
});

test('lazily: best finds lapsed seats', ownClock, async () => {
    const event = await makeEvent(hf, { ...RULES, seats: 'A1-A4' });
    const r = await hold(ann(), items(event, 'A1-A4'));
    after(r);
    const best = [{ event, best: { quantity: 4, adjacent: true } }];
    granted(await bob().post('/v1/reservations', { items: best }), 201);
});

test('lazily: a move and an added item find lapsed seats', ownClock, async () => {
    const event = await makeEvent(hf, { ...RULES, seats: 'A1-A4' });
    const r = await hold(ann(), items(event, 'A1 A2'), { ttl_seconds: 30 });
    const other = await hold(bob(), items(event, 'A3'));
    after(r);
    granted(await bob().patch(path(other, `/items/${other.items[0].item_id}`), { seat: 'A1' }), 200);
    granted(await bob().post(path(other, '/items'), { event, seat: 'A2' }), 201);
});

test('lazily: blocking a lapsed seat works', ownClock, async () => {
    const event = await makeEvent(hf, { ...RULES, seats: 'A1' });
    after(await hold(ann(), items(event, 'A1')));
    const answer = await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A1'], blocked: true });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(await seatStatus(hf, event, 'A1'), 'blocked');
});

test('eagerly: without a request it expires within a moment', ownClock, async () => {
    const event = await makeEvent(hf, { ...RULES, seats: 'A1-A3', pools: { floor: 2 } });
    const r = await hold(ann(), [...items(event, 'A1'), { event, pool: 'floor', quantity: 2 }]);
    const version = (await hf.anyone.get(`/v1/events/${event}/seats/A1`)).json.version;
    after(r);
    const ask = () => counts(hf, event);
    await hf.eventually(ask, (now) => now.held === 0, 'nothing held');
    granted(await ann().get(path(r)), 200, { status: 'expired' });
    assert.equal((await availability(hf, event)).pools.floor.available, 2);
    assert.ok((await hf.anyone.get(`/v1/events/${event}/seats/A1`)).json.version > version);
});

test('eagerly: a thousand that expire together', ownClock, async () => {
    const event =
        await makeEvent(hf, { ...RULES, seats: Array.from({ length: 1_000 }, (_, i) => ({ id: `S${i}` })) });
    await Promise.all(
        Array.from({ length: 1_000 }, (_, i) => hold(hf.user(`u${i}`), [{ event, seat: `S${i}` }]))
    );
    assert.equal((await counts(hf, event)).held, 1_000);
    hf.clock.advance(61_000);
    const ask = () => counts(hf, event);
    const now = await hf.eventually(ask, (one) => one.held === 0, 'nothing held');
    assert.equal(now.available, 1_000);
});

test('an expiry frees only its own items', ownClock, async () => {
    const event = await makeEvent(hf, { ...RULES, seats: 'A1-A4' });
    const short = await hold(ann(), items(event, 'A1'), { ttl_seconds: 20 });
    const long = await hold(ann(), items(event, 'A2'), { ttl_seconds: 60 });
    const sold = await hold(ann(), items(event, 'A3'), { ttl_seconds: 20 });
    granted(await ann().post(path(sold, '/commit'), {}), 200);
    after(short);
    await hf.eventually(
        () => availability(hf, event), (now) => now.seats.A1 === 'available', 'A1 free', 5_000
    );
    assert.deepEqual((await availability(hf, event)).seats, {
        A1: 'available', A2: 'held', A3: 'sold', A4: 'available'
    });
    granted(await ann().post(path(long, '/commit'), {}), 200);
});

test('an extended hold does not end at its old deadline', ownClock, async () => {
    const event = await makeEvent(hf, { ...RULES, seats: 'A1' });
    const r = await hold(ann(), items(event, 'A1'));
    before(r);
    const later = granted(await ann().post(path(r, '/extend'), {}), 200);
    after(r);
    refused(await bob().post('/v1/reservations', { items: items(event, 'A1') }), 409, 'taken');
    granted(await ann().get(path(r)), 200, { status: 'held', expires_at: later.expires_at });
    after(later);
    granted(await bob().post('/v1/reservations', { items: items(event, 'A1') }), 201);
});

test('ended_at is the deadline: before the sweep, after it, in lists, after a restart', ownProcess, async () => {
    const own = await new Server().start();
    try {
        const user = own.user('ann');
        const event = await makeEvent(own, { ...RULES, seats: 'A1-A3' });
        const held = [await hold(user, items(event, 'A1')), await hold(user, items(event, 'A2'))];
        const ended = async (r) => granted(await user.get(path(r)), 200, { status: 'expired' }).ended_at;
        own.clock.advance(3600_000);
        assert.equal(await ended(held[0]), held[0].expires_at, 'by the look that found it');
        await own.eventually(() => counts(own, event), (now) => now.held === 0, 'nothing held');
        const everywhere = async (when) => {
            for (const r of held) {
                assert.equal(await ended(r), r.expires_at, when);
            }
            const since = own.since(await own.anyone.get('/healthz'));
            const { json } = await own.admin.get('/v1/reservations?status=expired', since);
            assert.deepEqual(
                json.data.map((r) => [r.reservation_id, r.ended_at]),
                held.map((r) => [r.reservation_id, r.expires_at]).reverse(), when
            );
        };
        await everywhere('after the sweep');
        const { json } = await user.get(path(held[1], '/history'));
        const entry = json.data.at(-1);
        assert.equal(entry.action, 'expired');
        assert.equal(entry.expires_at, held[1].expires_at);
        assert.ok(instant(entry.at) >= instant(entry.expires_at) + 3500_000, 'history says when it was settled');
        await own.kill9();
        await own.launch();
        await everywhere('after a restart from the journal');
        await own.stop();
        await own.launch();
        await everywhere('after a restart from the book');
    } finally {
        await own.close();
    }
});

test('a clock set back by a day revives nothing and does not run backwards', ownProcess, async () => {
    const own = await new Server().start();
    try {
        own.app = await own.key('app');
        const event = await makeEvent(own, { ...RULES, seats: 'A1-A3' });
        const r = await hold(own.user('ann'), items(event, 'A1'));
        own.clock.advance(61_000);
        refused(await own.user('ann').post(path(r, '/commit'), {}), 409, 'expired');
        const last = await hold(own.user('ann'), items(event, 'A2'));
        own.clock.advance(-24 * 3600_000);
        refused(await own.app.post(path(r, '/commit'), {}), 409, 'expired');
        granted(await own.app.get(path(r)), 200, { status: 'expired' });
        const wanted = { items: items(event, 'A1'), user_id: 'bob' };
        const next = granted(await own.app.post('/v1/reservations', wanted), 201);
        const told = `${next.created_at} after ${last.created_at}`;
        assert.ok(instant(next.created_at) >= instant(last.created_at), told);
        assert.ok(next.fence > last.fence);
    } finally {
        await own.close();
    }
});

test('across a restart: a hold that lapsed in between is expired, others are held', ownProcess, async () => {
    const own = await new Server().start();
    try {
        own.app = await own.key('app');
        const event = await makeEvent(own, { ...RULES, seats: 'A1-A4' });
        const short = await hold(own.user('ann'), items(event, 'A1'), { ttl_seconds: 20 });
        const taken = await hold(own.user('ann'), items(event, 'A2'), { ttl_seconds: 20 });
        const long = await hold(own.user('ann'), items(event, 'A3'), { ttl_seconds: 60 });
        await own.stop();
        own.clock.advance(25_000);
        await own.launch();
        refused(await own.user('ann').post(path(short, '/commit'), {}), 409, 'expired');
        const next =
            granted(await own.user('bob').post('/v1/reservations', { items: items(event, 'A2') }), 201);
        assert.ok(next.fence > long.fence, 'fences go on');
        granted(await own.user('ann').get(path(taken)), 200, { status: 'expired' });
        const still = granted(await own.user('ann').get(path(long)), 200, {
            status: 'held', expires_at: long.expires_at
        });
        assert.equal(still.fence, long.fence);
        refused(await own.user('bob').post('/v1/reservations', { items: items(event, 'A3') }), 409, 'taken');
        granted(await own.user('ann').post(path(long, '/commit'), {}), 200, { status: 'confirmed' });
    } finally {
        await own.close();
    }
});

test('across a restart with the clock set back: expired stays expired, time continues', ownProcess, async () => {
    const own = await new Server().start();
    try {
        own.app = await own.key('app');
        const event = await makeEvent(own, { ...RULES, seats: 'A1-A4' });
        const r = await hold(own.user('ann'), items(event, 'A1'));
        own.clock.advance(61_000);
        refused(await own.user('ann').post(path(r, '/commit'), {}), 409, 'expired');
        const last = granted(
            await own.app.post('/v1/reservations', { items: items(event, 'A2'), user_id: 'ann' }), 201
        );
        await own.kill9();
        own.clock.advance(-24 * 3600_000);
        await own.launch();
        refused(await own.app.post(path(r, '/commit'), {}), 409, 'expired');
        const next = granted(
            await own.app.post('/v1/reservations', { items: items(event, 'A1'), user_id: 'bob' }), 201
        );
        assert.ok(
            instant(next.created_at) >= instant(last.created_at),
            `${next.created_at} after ${last.created_at}`
        );
    } finally {
        await own.close();
    }
});
