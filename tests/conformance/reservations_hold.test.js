/* SPDX-License-Identifier: Apache-2.0 */
/* Creating a reservation: its form, its short form, its TTL, its limits, all or nothing. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, seats, items, hold, seatStatus, availability, counts } = require('./lib/catalogue.js');
const { instant, refused, invalid, granted, seatsOf } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const create = (caller, body, options) => caller.post('/v1/reservations', body, options);

test('a hold of seats and a pool: 201, Location and the whole reservation', async () => {
    const event = await makeEvent(hf, {
        seats: seats('A1-A3', { price: 12000 }), pools: { floor: { capacity: 9, price: 500 } }
    });
    const attributes = { reason: 'check-up', nested: { list: [1, 'two', null, true], grün: 'ü' } };
    const wanted = [...items(event, 'A1 A3'), { event, pool: 'floor', quantity: 2 }];
    const answer = await create(ann(), { items: wanted, attributes });
    const r = granted(answer, 201, {
        status: 'held', user_id: 'ann', version: 1, attributes, payment_started_at: null
    });
    assert.equal(answer.headers.location, `/v1/reservations/${r.reservation_id}`);
    assert.ok(Math.abs(instant(r.created_at) - hf.now()) < 5_000, `${r.created_at}`);
    assert.equal(instant(r.expires_at) - instant(r.created_at), 600_000);
    assert.equal(instant(r.max_expires_at) - instant(r.created_at), 900_000);
    assert.ok(r.expires_in_ms > 598_000, String(r.expires_in_ms));
    assert.deepEqual(r.total, { amount: 25000, currency: 'EUR' });
    assert.deepEqual(r.items.map(({ item_id, ...rest }) => rest), [
        { event, seat: 'A1', price: 12000 }, { event, seat: 'A3', price: 12000 },
        { event, pool: 'floor', quantity: 2, price: 1000 },
    ]);
    assert.deepEqual((await availability(hf, event)).seats, { A1: 'held', A2: 'available', A3: 'held' });
});

test('GET returns the same to owner, app and admin, except for the payment', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(ann(), items(event, 'A1'), { attributes: { note: 'mine' } });
    for (const caller of [ann(), hf.app, hf.admin]) {
        const read = granted(await caller.get(`/v1/reservations/${r.reservation_id}`), 200);
        const { expires_in, expires_in_ms, paid, payment, payments, balance, ...rest } = read;
        const { expires_in: a, expires_in_ms: b, paid: nothing, ...first } = r;
        assert.deepEqual([rest, paid ?? payment], [first, paid === undefined ? null : nothing]);
        assert.ok(expires_in_ms <= b && expires_in <= a);
    }
});

test('without attributes they are an empty object', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    assert.deepEqual((await hold(ann(), items(event, 'A1'))).attributes, {});
});

test('attributes are any object up to 4 KiB, with numbers unchanged', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A4' });
    const big = `{"items":[{"event":"${event}","seat":"A1"}],"attributes":{"n":9007199254740993,"f":1.5}}`;
    const kept = await create(ann(), big);
    granted(kept, 201);
    assert.match(kept.text, /9007199254740993/);
    assert.equal(kept.json.attributes.f, 1.5);
    granted(await create(ann(), { items: items(event, 'A2'), attributes: { a: 'x'.repeat(4000) } }), 201);
    const over = { items: items(event, 'A3'), attributes: { a: 'x'.repeat(4100) } };
    invalid(await create(ann(), over), '/attributes');
    for (const attributes of [[], 'text', 5, null]) {
        invalid(await create(ann(), { items: items(event, 'A3'), attributes }), '/attributes');
    }
    assert.equal(await seatStatus(hf, event, 'A3'), 'available');
});

test('each grant has a greater fence than all before it', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A20' });
    let fence = 0;
    for (let i = 1; i <= 20; i++) {
        const r = await hold(hf.user(`u${i}`), items(event, `A${i}`));
        assert.ok(r.fence > fence);
        fence = r.fence;
    }
});

test('the short form: resource_id event/seat', async () => {
    const event = await makeEvent(hf, { seats: seats('A15', { price: 7 }) });
    const body = { resource_id: `${event}/A15`, user_id: 'user_xyz', ttl_seconds: 300 };
    const answer = await create(hf.app, body);
    const r = granted(answer, 201, { user_id: 'user_xyz' });
    assert.deepEqual(r.items, [{ item_id: r.items[0].item_id, event, seat: 'A15', price: 7 }]);
    assert.equal(instant(r.expires_at) - instant(r.created_at), 300_000);
    const problem = refused(await create(ann(), { resource_id: `${event}/A15` }), 409, 'taken');
    assert.equal(problem.items.length, 1);
    assert.equal(problem.items[0].item, 0);
    assert.equal(problem.items[0].status, 'held');
});

test('the short form: a bare seat means the event `default`, and the seeds\' paths work without /v1', async () => {
    const seat = unique('S');
    await makeEvent(hf, { id: 'default', seats: [{ id: seat }] });
    const answer = await ann().post('/reservations', { resource_id: seat, user_id: 'ann', ttl_seconds: 60 });
    const r = granted(answer, 201, { status: 'held' });
    assert.equal(r.items[0].event, 'default');
    assert.equal(r.items[0].seat, seat);
    const sold = await ann().post(`/reservations/${r.reservation_id}/commit`, { payment_method: 'pm_xxx' });
    granted(sold, 200, { status: 'confirmed' });
});

test('the short form: invalid values', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    for (const resource_id of [
        '', '/', 'a/b/c', `${event}/`, '/A1', 'a b', 5, null, `${event}/${'x'.repeat(65)}`
    ]) {
        invalid(await create(ann(), { resource_id }), '/resource_id');
    }
    invalid(await create(ann(), { resource_id: `${event}/A1`, items: items(event, 'A1') }));
    refused(await create(ann(), { resource_id: `${unique()}/A1` }), 404, 'no_such_event');
    refused(await create(ann(), { resource_id: `${event}/Z9` }), 404, 'no_such_seat');
});

test('If-Match: the seat\'s version, or 412 version_mismatch', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const read = async () => (await hf.anyone.get(`/v1/events/${event}/seats/A1`)).headers.etag;
    const take = (etag) => create(ann(), { resource_id: `${event}/A1` }, { headers: { 'If-Match': etag } });
    const fresh = await read();
    const r = granted(await take(fresh), 201);
    refused(await take(fresh), 412, 'version_mismatch');
    refused(await take(await read()), 409, 'taken');
    await ann().delete(`/v1/reservations/${r.reservation_id}`);
    refused(await take(fresh), 412, 'version_mismatch');
    granted(await take(await read()), 201);
});

test('ttl_seconds: a user up to hold_ttl_seconds, app and admin up to max_hold_seconds', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9', hold_ttl_seconds: 100, max_hold_seconds: 200 });
    const ask = (caller, seat, ttl_seconds) =>
        create(caller, { items: items(event, seat), user_id: 'ann', ttl_seconds });
    const ttl = (answer) => {
        const r = granted(answer, 201);
        return (instant(r.expires_at) - instant(r.created_at)) / 1000;
    };
    assert.equal(ttl(await ask(ann(), 'A1', 1)), 1);
    assert.equal(ttl(await ask(ann(), 'A2', 100)), 100);
    invalid(await ask(ann(), 'A3', 101), '/ttl_seconds');
    assert.equal(ttl(await ask(hf.app, 'A3', 200)), 200);
    assert.equal(ttl(await ask(hf.admin, 'A4', 200)), 200);
    invalid(await ask(hf.app, 'A5', 201), '/ttl_seconds');
    invalid(await ask(hf.admin, 'A5', 201), '/ttl_seconds');
    assert.equal(ttl(await ask(hf.app, 'A5', undefined)), 100);
    for (const bad of [0, -1, 1.5, '60', null, true, 1e30]) {
        invalid(await ask(hf.app, 'A6', bad), '/ttl_seconds');
    }
    assert.equal(await seatStatus(hf, event, 'A6'), 'available');
});

test('over several events the default and the caps are the least of all', async () => {
    const long = await makeEvent(hf, { seats: 'A1-A9', hold_ttl_seconds: 600, max_hold_seconds: 900 });
    const short = await makeEvent(hf, { seats: 'A1-A9', hold_ttl_seconds: 60, max_hold_seconds: 1000 });
    const both = (seat) => [...items(long, seat), ...items(short, seat)];
    const r = await hold(ann(), both('A1'));
    assert.equal(instant(r.expires_at) - instant(r.created_at), 60_000);
    assert.equal(instant(r.max_expires_at) - instant(r.created_at), 900_000);
    invalid(await create(ann(), { items: both('A2'), ttl_seconds: 61 }), '/ttl_seconds');
    const app = { items: both('A2'), user_id: 'ann' };
    granted(await create(hf.app, { ...app, ttl_seconds: 900 }), 201);
    invalid(await create(hf.app, { ...app, items: both('A3'), ttl_seconds: 901 }), '/ttl_seconds');
});

test('two currencies in one reservation are 400', async () => {
    const euro = await makeEvent(hf, { seats: 'A1', currency: 'EUR' });
    const dollar = await makeEvent(hf, { seats: 'A1', currency: 'USD' });
    invalid(await create(ann(), { items: [...items(euro, 'A1'), ...items(dollar, 'A1')] }));
    assert.equal(await seatStatus(hf, euro, 'A1'), 'available');
    assert.equal((await hold(ann(), items(dollar, 'A1'))).total.currency, 'USD');
});

test('one to a hundred items', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A150' });
    invalid(await create(ann(), { items: [] }), '/items');
    invalid(await create(ann(), {}));
    invalid(await create(ann(), { items: items(event, 'A1-A101') }), '/items');
    assert.equal((await counts(hf, event)).held, 0);
    const r = await hold(ann(), items(event, 'A1-A100'));
    assert.equal(r.items.length, 100);
    const best = [{ event, best: { quantity: 50 } }, { event, best: { quantity: 51 } }];
    invalid(await create(ann(), { items: best }));
    assert.equal((await counts(hf, event)).held, 100);
});

test('an item is one seat, one pool or one best, of an event, or one slot, and nothing else', async () => {
    const event = await makeEvent(hf, { seats: 'A1', pools: { floor: 5 } });
    const bad = [
        [{ event }, undefined],
        [{ seat: 'A1', event: 5 }, '/items/0/event'],
        [{ event, seat: 5 }, '/items/0/seat'],
        [{ event, seat: 'A1', pool: 'floor', quantity: 1 }, undefined],
        [{ event, seat: 'A1', best: { quantity: 1 } }, undefined],
        [{ event, seat: 'A1', price: 0 }, '/items/0/price'],
        [{ event, pool: 'floor', quantity: '2' }, '/items/0/quantity'],
        [{ event, best: {} }, '/items/0/best/quantity'],
        [{ event, best: { quantity: 0 } }, '/items/0/best/quantity'],
        [{ event, best: { quantity: 1, adjacent: 'yes' } }, '/items/0/best/adjacent'],
        [{ event, best: { quantity: 1, colour: 'red' } }, '/items/0/best/colour'],
        [{ event, best: 2 }, '/items/0/best'],
        [{ event, seat: 'A1', calendar: 'c' }, undefined],
        [{ event, seat: 'A1', start: '2031-12-03T14:00:00Z' }, '/items/0/start'],
        [{ event, pool: 'floor', end: '2031-12-03T14:00:00Z' }, '/items/0/end'],
        [{ event, best: { quantity: 1 }, service: 's' }, '/items/0/service'],
        ['A1', '/items/0'],
        [null, '/items/0'],
    ];
    for (const [item, pointer] of bad) {
        const answer = await create(ann(), { items: [item] });
        assert.equal(answer.status, 400, `${JSON.stringify(item)}: ${answer.text}`);
        invalid(answer, pointer);
    }
    invalid(await create(ann(), { items: items(event, 'A1'), colour: 'red' }), '/colour');
    invalid(await create(ann(), { items: 'A1' }), '/items');
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
});

test('the same seat twice in a request is 400', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    invalid(await create(ann(), { items: items(event, 'A1 A2 A1') }));
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
});

test('all or nothing: one taken seat refuses the rest, and every one in the way is named', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A6', pools: { floor: 3 } });
    await hold(hf.user('bob'), items(event, 'A2'));
    const sold = { items: items(event, 'A4'), user_id: 'bob', commit: true };
    granted(await create(hf.app, sold), 201, { status: 'confirmed' });
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A5'], blocked: true });
    const wanted = [...items(event, 'A1 A2 A3 A4 A5'), { event, pool: 'floor', quantity: 4 }];
    const problem = refused(await create(ann(), { items: wanted }), 409, 'taken');
    assert.deepEqual(problem.items, [
        { item: 1, event, seat: 'A2', status: 'held' }, { item: 3, event, seat: 'A4', status: 'sold' },
        { item: 4, event, seat: 'A5', status: 'blocked' },
        { item: 5, event, pool: 'floor', quantity: 4, available: 3 },
    ]);
    assert.deepEqual(await counts(hf, event), { seats: 6, available: 3, held: 1, sold: 1, blocked: 1 });
    assert.equal((await availability(hf, event)).pools.floor.available, 3);
});

test('the code is that of the first item in the way', async () => {
    const event = await makeEvent(hf, { seats: 'A1', pools: { floor: 1 } });
    await hold(hf.user('bob'), [...items(event, 'A1'), { event, pool: 'floor', quantity: 1 }]);
    const seat = items(event, 'A1')[0];
    const pool = { event, pool: 'floor', quantity: 1 };
    refused(await create(ann(), { items: [seat, pool] }), 409, 'taken');
    const problem = refused(await create(ann(), { items: [pool, seat] }), 409, 'sold_out');
    assert.deepEqual(problem.items, [
        { item: 0, ...pool, available: 0 }, { item: 1, ...seat, status: 'held' }
    ]);
});

test('one\'s own held seat is taken too', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    await hold(ann(), items(event, 'A1'));
    refused(await create(ann(), { items: items(event, 'A1') }), 409, 'taken');
});

test('commit:true buys in one step, for app and admin only', async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A3', { price: 500 }), payment: 'required' });
    const body = (seat) => ({ items: items(event, seat), user_id: 'ann', commit: true });
    for (const [caller, seat] of [[hf.app, 'A1'], [hf.admin, 'A2']]) {
        const answer = await create(caller, body(seat));
        const r = granted(answer, 201, { status: 'confirmed', user_id: 'ann' });
        assert.equal(answer.headers.location, `/v1/reservations/${r.reservation_id}`);
        assert.equal(await seatStatus(hf, event, seat), 'sold');
    }
    refused(await create(ann(), body('A3')), 403, 'forbidden');
    assert.equal(await seatStatus(hf, event, 'A3'), 'available');
    const held = await create(hf.app, { ...body('A3'), commit: false });
    granted(held, 201, { status: 'held' });
    invalid(await create(hf.app, { ...body('A3'), commit: 'yes' }), '/commit');
});

test('user_id: required for app and admin, optional for a user, 1 to 128 bytes without control characters', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const body = (seat, user_id) => ({ items: items(event, seat), user_id });
    invalid(await create(hf.app, body('A1')), '/user_id');
    invalid(await create(hf.admin, body('A1')), '/user_id');
    granted(await create(ann(), body('A1', 'ann')), 201, { user_id: 'ann' });
    const longest = 'ü'.repeat(64);
    granted(await create(hf.app, body('A2', longest)), 201, { user_id: longest });
    granted(await create(hf.app, body('A3', 'Ω "quoted" / back\\slash')), 201, {
        user_id: 'Ω "quoted" / back\\slash'
    });
    for (const bad of ['', `${longest}x`, 'a\nb', 'a\u007fb', 'a\u0085b', 5, null]) {
        invalid(await create(hf.app, body('A4', bad)), '/user_id');
    }
    assert.equal(await seatStatus(hf, event, 'A4'), 'available');
});

test('per_user_limit counts seats and units, held and sold, no matter who created them', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9', pools: { floor: 9 }, per_user_limit: 4 });
    const user = unique('user');
    const me = hf.user(user);
    const mine = (text) => ({ items: items(event, text), user_id: user });
    const first = await hold(me, items(event, 'A1'));
    granted(await create(hf.app, { ...mine('A2'), commit: true }), 201);
    const pool = { event, pool: 'floor', quantity: 2 };
    granted(await create(hf.admin, { items: [pool], user_id: user }), 201);
    for (const caller of [me, hf.app, hf.admin]) {
        const problem = refused(await create(caller, mine('A3')), 409, 'limit_exceeded');
        assert.equal(problem.limit, 4);
        assert.equal(problem.have, 4);
    }
    granted(await create(hf.user(unique('other')), { items: items(event, 'A4-A7') }), 201);
    granted(await me.post(`/v1/reservations/${first.reservation_id}/release`, {}), 200);
    const two = refused(await create(me, mine('A3 A8')), 409, 'limit_exceeded');
    assert.deepEqual([two.limit, two.have], [4, 3]);
    granted(await create(me, mine('A3')), 201);
});

test('per_user_limit is per event, and expiry gives it back', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9', per_user_limit: 2, hold_ttl_seconds: 30 });
    const other = await makeEvent(hf, { seats: 'A1-A9', per_user_limit: 2 });
    const me = hf.user(unique('user'));
    await hold(me, items(event, 'A1 A2'));
    await hold(me, items(other, 'A1 A2'));
    refused(await create(me, { items: items(event, 'A3') }), 409, 'limit_exceeded');
    hf.clock.advance(31_000);
    await hold(me, items(event, 'A3 A4'));
});

test('not_on_sale: before on_sale_at for all but admin, after off_sale_at for everyone', ownClock, async () => {
    const at = (ms) => new Date(hf.now() + ms).toISOString();
    const event = await makeEvent(hf, { seats: 'A1-A9', on_sale_at: at(100_000), off_sale_at: at(200_000) });
    const ask = (caller, seat) => create(caller, { items: items(event, seat), user_id: 'ann' });
    refused(await ask(ann(), 'A1'), 409, 'not_on_sale');
    refused(await ask(hf.app, 'A1'), 409, 'not_on_sale');
    granted(await ask(hf.admin, 'A1'), 201);
    hf.clock.advance(101_000);
    granted(await ask(ann(), 'A2'), 201);
    const held = granted(await ask(hf.app, 'A3'), 201);
    hf.clock.advance(100_000);
    refused(await ask(ann(), 'A4'), 409, 'not_on_sale');
    refused(await ask(hf.app, 'A4'), 409, 'not_on_sale');
    refused(await ask(hf.admin, 'A4'), 409, 'not_on_sale');
    granted(await ann().post(`/v1/reservations/${held.reservation_id}/commit`, {}), 200, {
        status: 'confirmed'
    });
});

test('seats of several events in one reservation, all or nothing', async () => {
    const one = await makeEvent(hf, { seats: seats('A1-A2', { price: 3 }) });
    const two = await makeEvent(hf, { seats: seats('A1-A2', { price: 4 }) });
    const r = await hold(ann(), [...items(one, 'A1'), ...items(two, 'A1')]);
    assert.equal(r.total.amount, 7);
    const wanted = [...items(one, 'A2'), ...items(two, 'A1')];
    const problem = refused(await create(ann(), { items: wanted }), 409, 'taken');
    assert.deepEqual(problem.items, [{ item: 1, event: two, seat: 'A1', status: 'held' }]);
    assert.equal(await seatStatus(hf, one, 'A2'), 'available');
    assert.deepEqual(seatsOf(r), ['A1', 'A1']);
});

test('a missing resource is named: event, seat, pool and calendar', async () => {
    const day = (days) => new Date(hf.now() + days * 86_400_000).toISOString();
    const event = await makeEvent(hf, { seats: 'A1' });
    for (const [item, detail] of [
        [{ event: 'nope', seat: 'A1' }, 'No event "nope".'], [{ event, seat: 'QQ' }, `No seat "QQ" in event "${event}".`],
        [{ event, pool: 'QQ', quantity: 1 }, `No pool "QQ" in event "${event}".`], [{ calendar: 'nope', start: day(1), end: day(2) }, 'No calendar "nope".'],
    ]) {
        const answer = await hf.user('ann').post('/v1/reservations', { items: [{ event, seat: 'A1' }, item] });
        assert.deepEqual([answer.status, answer.json.detail], [404, detail]);
    }
});

test('405, 415 and an unknown field say what is accepted', async () => {
    const gone = await hf.admin.call('DELETE', '/v1/reservations');
    assert.equal(gone.json.detail, 'DELETE is not allowed here. Allowed: GET, HEAD, POST.');
    assert.equal((await hf.admin.put('/v1/calendars/k.ics', {})).json.detail, 'A calendar id must not end in ".ics".');
    const typed = await hf.admin.post('/v1/reservations', 'x', { headers: { 'content-type': 'text/plain' } });
    assert.equal(typed.json.detail, 'Unsupported content type: expected application/json, in UTF-8, got "text/plain".');
    const misspelt = await hf.admin.post('/v1/reservations', { user: 'ann', usr_id: 'ann', items: [] });
    assert.equal(misspelt.json.detail, 'Unknown field "user".');
    assert.equal((await hf.admin.post('/v1/reservations', { usr_id: 'ann' })).json.detail, 'Unknown field "usr_id" (did you mean "user_id"?).');
});

test('a blocked seat says that it is not on sale, not that it was just taken', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const block = (ids) => hf.admin.patch(`/v1/events/${event}/seats`, { ids, blocked: true });
    assert.equal((await block(['A1'])).status, 200);
    const off = refused(await ann().post('/v1/reservations', { items: items(event, 'A1') }), 409, 'taken');
    assert.equal(off.detail, 'This seat is not on sale.');
    assert.equal(off.items[0].status, 'blocked');
    await hold(ann(), items(event, 'A2'));
    assert.equal(refused(await block(['A2']), 409, 'taken').detail, 'This seat is held or sold.');
});
