/* SPDX-License-Identifier: Apache-2.0 */
/* Calendar items in every reservation call: intervals that never overlap beyond the capacity, alone, several at once
 * and mixed with seats and pools, all or nothing. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, seatStatus, availability } = require('./lib/catalogue.js');
const { MINUTE, HOUR, DAY, iso, midnight, monday, makeCalendar, slot, starts } = require('./lib/calendars.js');
const { instant, refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.acting('ann');
const bob = () => hf.acting('bob');
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const create = (caller, wanted, more = {}) => caller.post('/v1/reservations', { items: wanted, ...more });
const move = (caller, r, body, i = 0) => caller.patch(path(r, `/items/${r.items[i].item_id}`), body);
const to = (start, minutes = 30) => ({ start: iso(start), end: iso(start + minutes * MINUTE) });
const HOURS = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:30' }];

/* ---- Hold ---- */

test('a hold of an interval: the item as the contract shows it, the terms of the calendar', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { price: 4500, currency: 'GBP' });
    const answer = await create(ann(), [slot(calendar, at)]);
    const r = granted(answer, 201, { status: 'held', user_id: 'ann', version: 1 });
    assert.equal(answer.headers.location, path(r));
    assert.deepEqual(r.items, [{ item_id: '1', calendar, start: iso(at), end: iso(at + 30 * MINUTE), price: 4500 }]);
    assert.deepEqual(r.total, { amount: 4500, currency: 'GBP' });
    assert.equal(r.expires_in, 300, 'hold_ttl_seconds of a calendar is 300');
    assert.equal(instant(r.max_expires_at) - instant(r.created_at), 900_000);
    granted(await ann().get(path(r)), 200, { items: r.items });
});

test('any offset is understood, answered in UTC with milliseconds', async () => {
    const calendar = await makeCalendar(hf);
    const day = iso(midnight(hf)).slice(0, 10);
    const r = await hold(ann(), [{ calendar, start: `${day}T14:00:00.25+02:00`, end: `${day}T13:00:00Z` }]);
    assert.deepEqual([r.items[0].start, r.items[0].end], [`${day}T12:00:00.250Z`, `${day}T13:00:00.000Z`]);
});

test('slot_minutes affects only the list: a claim can be any interval within the hours', async () => {
    const day = monday(hf);
    const calendar = await makeCalendar(hf, { hours: HOURS, slot_minutes: 60 });
    for (const [from, to] of [[9 * HOUR, 9 * HOUR + 1], [9 * HOUR + 1, 10 * HOUR + 7 * MINUTE + 3],
        [11 * HOUR, 17.5 * HOUR]]) {
        await hold(ann(), [{ calendar, start: iso(day + from), end: iso(day + to) }]);
    }
});

test('half-open: what touches does not overlap, what overlaps by a millisecond does', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf);
    await hold(ann(), [slot(calendar, at, 60)]);
    for (const [from, to] of [[-HOUR, 1], [HOUR - 1, 2 * HOUR], [0, HOUR], [1, 2], [-HOUR, 2 * HOUR],
        [HOUR - 1, HOUR]]) {
        refused(
            await create(bob(), [{ calendar, start: iso(at + from), end: iso(at + to) }]), 409, 'taken'
        );
    }
    await hold(bob(), [slot(calendar, at - HOUR, 60), slot(calendar, at + HOUR, 60)]);
});

test('taken names every item in the way, as requested; confirmed ones are sold', async () => {
    const at = midnight(hf);
    const services = [{ id: 'long', duration_minutes: 90, price: 0 }];
    const calendar = await makeCalendar(hf, { services });
    await hold(bob(), [slot(calendar, at)]);
    const sold = await hold(bob(), [slot(calendar, at + HOUR)]);
    granted(await bob().post(path(sold, '/commit'), {}), 200);
    const wanted = [
        slot(calendar, at + 5 * HOUR), { calendar, start: iso(at + HOUR - 1), end: iso(at + HOUR + 1) },
        { calendar, start: iso(at - HOUR), service: 'long' },
    ];
    const problem = refused(await create(ann(), wanted), 409, 'taken');
    assert.deepEqual(problem.items, [
        { item: 1, ...wanted[1], status: 'sold' }, { item: 2, ...wanted[2], status: 'held' }
    ]);
    assert.match(problem.detail, /slot|time/i, 'a sentence about times, not about seats');
    await hold(ann(), [wanted[0]]);
});

test('at most `capacity` claims overlap at any instant', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { capacity: 2 });
    await hold(ann(), [slot(calendar, at, 60), slot(calendar, at + 30 * MINUTE, 60)]);
    refused(await create(bob(), [slot(calendar, at + 45 * MINUTE, 60)]), 409, 'taken');
    refused(await create(bob(), [slot(calendar, at, 31)]), 409, 'taken');
    await hold(bob(), [slot(calendar, at, 30)]);
    await hold(bob(), [slot(calendar, at + 60 * MINUTE, 30)]);
    refused(await create(bob(), [slot(calendar, at + 89 * MINUTE, 2)]), 409, 'taken');
    await hold(bob(), [slot(calendar, at + 90 * MINUTE, 2)]);
});

test('the items of one request count among themselves', async () => {
    const at = midnight(hf);
    const one = await makeCalendar(hf);
    const wanted = [slot(one, at, 60), slot(one, at + 30 * MINUTE, 60)];
    const problem = refused(await create(ann(), wanted), 409, 'taken');
    assert.deepEqual(problem.items, [{ item: 1, ...wanted[1], status: 'held' }]);
    assert.deepEqual((await starts(hf, one, { from: at, to: at + HOUR })).length, 2, 'nothing is held');
    const rooms = await makeCalendar(hf, { capacity: 3 });
    const r = await hold(ann(), [slot(rooms, at, 1440), slot(rooms, at, 1440), slot(rooms, at, 1440)]);
    assert.equal(new Set(r.items.map((it) => it.item_id)).size, 3, 'three rooms of the same night');
    refused(await create(bob(), [slot(rooms, at, 1440)]), 409, 'taken');
});

test('the buffer blocks what follows, and can extend past closing time', async () => {
    const day = monday(hf);
    const calendar = await makeCalendar(hf, { hours: HOURS, buffer_minutes: 15 });
    await hold(ann(), [slot(calendar, day + 10 * HOUR, 60)]);
    refused(await create(bob(), [slot(calendar, day + 11 * HOUR + 14 * MINUTE)]), 409, 'taken');
    refused(await create(bob(), [slot(calendar, day + 9 * HOUR, 46)]), 409, 'taken');
    await hold(bob(), [slot(calendar, day + 9 * HOUR, 45)]);
    await hold(bob(), [slot(calendar, day + 11.25 * HOUR)]);
    await hold(bob(), [slot(calendar, day + 17 * HOUR, 30)]);
});

test('a service determines the end and the price', async () => {
    const at = midnight(hf);
    const services = [{ id: 'cut', duration_minutes: 45, price: 3200 }];
    const calendar = await makeCalendar(hf, { price: 100, services });
    const r = await hold(ann(), [{ calendar, start: iso(at), service: 'cut' }, slot(calendar, at + 45 * MINUTE)]);
    assert.deepEqual(r.items, [
        { item_id: '1', calendar, start: iso(at), end: iso(at + 45 * MINUTE), service: 'cut', price: 3200 },
        { item_id: '2', calendar, start: iso(at + 45 * MINUTE), end: iso(at + 75 * MINUTE), price: 100 },
    ]);
    assert.equal(r.total.amount, 3300);
});

/* ---- Refusals ---- */

test('invalid items are 400 and point at the field', async () => {
    const at = midnight(hf);
    const event = await makeEvent(hf, { seats: 'A1', pools: { floor: 5 } });
    const services = [{ id: 's', duration_minutes: 30, price: 0 },
        { id: 'year', duration_minutes: 366 * 1440, price: 0 }];
    const calendar = await makeCalendar(hf, { services });
    const good = slot(calendar, at);
    const far = hf.now() + 3660 * DAY;
    const bad = [
        [{ calendar }, '/start'], [{ calendar, start: good.start }, '/end'], [{ calendar, end: good.end }, '/start'],
        [{ ...good, service: 's' }, '/end'], [{ start: good.start, end: good.end }, ''],
        [{ ...good, calendar: 5 }, '/calendar'],
        [{ ...good, calendar: 'a b' }, '/calendar'], [{ ...good, start: 'now' }, '/start'],
        [{ ...good, start: null }, '/start'],
        [{ ...good, end: 5 }, '/end'], [{ ...good, end: '2031-12-03T14:00:00' }, '/end'],
        [{ ...good, event }, '/event'], [{ ...good, seat: 'A1' }, ''], [{ ...good, event, seat: 'A1' }, ''],
        [{ ...good, pool: 'floor' }, ''], [{ ...good, best: { quantity: 1 } }, ''],
        [{ ...good, quantity: 1 }, '/quantity'],
        [{ ...good, colour: 'red' }, '/colour'], [{ calendar, start: good.start, service: 'nope' }, '/service'],
        [{ calendar, start: good.start, service: 'a b' }, '/service'],
        [{ ...good, end: good.start }, '/end'], [{ ...good, end: iso(at - 1) }, '/end'],
        [{ ...good, end: iso(at + 366 * DAY + 1) }, '/end'],
        [{ calendar, start: iso(hf.now() - MINUTE), end: good.end }, '/start'],
        [{ calendar, start: iso(hf.now() - MINUTE), service: 's' }, '/start'],
        [{ calendar, start: '1970-01-01T00:00:00Z', service: 's' }, '/start'],
        [{ calendar, start: '0001-01-01T00:00:00Z', end: '0001-01-01T01:00:00Z' }, '/start'],
        [{ calendar, start: iso(far + HOUR), end: iso(far + 2 * HOUR) }, '/start'],
        [{ calendar, start: '9999-12-31T00:00:00Z', end: '9999-12-31T01:00:00Z' }, '/start'],
        [{ calendar, start: iso(far - HOUR), end: iso(far + HOUR) }, '/end'],
        [{ calendar, start: '9999-12-31T23:59:00Z', service: 'year' }, '/start'],
    ];
    for (const [item, pointer] of bad) {
        const answer = await create(ann(), [slot(calendar, at + 400 * DAY), item]);
        assert.equal(answer.status, 400, `${JSON.stringify(item)}: ${answer.text}`);
        invalid(answer, `/items/1${pointer}`);
    }
    const inTheEnd = [{ calendar, start: iso(far - HOUR), service: 'year' }];
    invalid(await create(ann(), inTheEnd), '/items/0/start'); /* the end that follows is more than ten years away */
    await hold(ann(), [{ calendar, start: iso(at), end: iso(at + 366 * DAY) }]);
    invalid(await create(ann(), 'x'), '/items');
    invalid(await ann().post('/v1/reservations', { resource_id: calendar, start: good.start }), '/start');
});

test('the short form is for seats', async () => {
    const calendar = await makeCalendar(hf);
    refused(await ann().post('/v1/reservations', { resource_id: `${calendar}/x` }), 404, 'no_such_event');
});

test('an unknown calendar is 404, after every 400 and before closed and taken', async () => {
    const day = monday(hf);
    const calendar = await makeCalendar(hf, { hours: HOURS });
    refused(await create(ann(), [slot(unique('calendar'), day)]), 404, 'no_such_calendar');
    refused(await create(ann(), [slot(calendar, day), slot(unique('calendar'), day)]), 404, 'no_such_calendar');
    invalid(await create(ann(), [slot(unique('calendar'), day), slot(calendar, day, 0)]), '/items/1/end');
    invalid(await create(ann(), [{ calendar: unique('c'), start: iso(hf.now() - HOUR), service: 's' }]),
        '/items/0/start');
});

test('outside the hours: 409 closed, naming the hours and their time zone', async () => {
    const day = monday(hf);
    const calendar = await makeCalendar(hf, { hours: HOURS, timezone: 'Asia/Kathmandu', name: 'Dr Smith' });
    const zone = -5.75 * HOUR;
    const outside = [[8 * HOUR, 60], [8 * HOUR, 120], [17.25 * HOUR, 30], [17.5 * HOUR, 1], [12 * HOUR, 1440],
        [5 * 24 * HOUR + 12 * HOUR, 30]];
    for (const [from, minutes] of outside) {
        const answer = await create(ann(), [slot(calendar, day + zone + 12 * HOUR),
            slot(calendar, day + zone + from, minutes)]);
        const problem = refused(answer, 409, 'closed');
        assert.equal(problem.item, 1);
        assert.equal(problem.calendar, calendar);
        assert.equal(problem.timezone, 'Asia/Kathmandu');
        assert.deepEqual(problem.hours, HOURS);
        assert.deepEqual(problem.closed, []);
        assert.match(problem.detail, /Mon-Fri 09:00-17:30 \(Asia\/Kathmandu\)/);
    }
    await hold(ann(), [slot(calendar, day + zone + 9 * HOUR, 510)]);
});

test('inside a closed interval: 409 closed, naming it', async () => {
    const at = midnight(hf);
    const closed = [[0, 1], [5, 6]].map(([from, to]) => ({ start: iso(at + from * DAY), end: iso(at + to * DAY) }));
    const services = [{ id: 'days', duration_minutes: 4 * 1440, price: 0 }];
    const calendar = await makeCalendar(hf, { closed, services });
    const ask = async (item) => refused(await create(ann(), [item]), 409, 'closed');
    assert.deepEqual((await ask(slot(calendar, at - MINUTE, 2))).closed, [closed[0]]);
    assert.deepEqual((await ask(slot(calendar, at + DAY - MINUTE, 1))).closed, [closed[0]]);
    assert.deepEqual((await ask(slot(calendar, at - DAY, 20 * 1440))).closed, closed);
    const problem = await ask({ calendar, start: iso(at + 2 * DAY), service: 'days' });
    assert.deepEqual(problem.closed, [closed[1]]);
    assert.deepEqual(problem.hours, []);
    assert.match(problem.detail, new RegExp(iso(at + 5 * DAY).slice(0, 16).replace('T', ' ')));
    await hold(ann(), [slot(calendar, at + DAY, 4 * 1440), slot(calendar, at - DAY, 1440)]);
});

test('the order of refusals: limit, then closed, then taken', async () => {
    const day = monday(hf);
    const event = await makeEvent(hf, { seats: 'A1-A3', per_user_limit: 1 });
    const calendar = await makeCalendar(hf, { hours: HOURS });
    await hold(bob(), [{ event, seat: 'A1' }, slot(calendar, day + 10 * HOUR)]);
    const me = hf.acting(unique('user'));
    const open = slot(calendar, day + 10 * HOUR);
    const shut = slot(calendar, day);
    refused(await create(me, [shut, ...items(event, 'A1 A2')]), 409, 'limit_exceeded');
    refused(await create(me, [open, { event, seat: 'A1' }, shut]), 409, 'closed');
    const first = refused(await create(me, [open, { event, seat: 'A1' }]), 409, 'taken');
    assert.deepEqual(first.items, [{ item: 0, ...open, status: 'held' },
        { item: 1, event, seat: 'A1', status: 'held' }]);
});

test('when several kinds are in the way the code is that of the first', async () => {
    const at = midnight(hf);
    const event = await makeEvent(hf, { pools: { floor: 1 } });
    const calendar = await makeCalendar(hf);
    await hold(bob(), [slot(calendar, at)]);
    const pool = { event, pool: 'floor', quantity: 2 };
    const held = { ...slot(calendar, at), status: 'held' };
    assert.deepEqual(refused(await create(ann(), [slot(calendar, at), pool]), 409, 'taken').items,
        [{ item: 0, ...held }, { item: 1, ...pool, available: 1 }]);
    assert.deepEqual(refused(await create(ann(), [pool, slot(calendar, at)]), 409, 'sold_out').items,
        [{ item: 0, ...pool, available: 1 }, { item: 1, ...held }]);
});

/* ---- Mixed with seats and pools ---- */

test('slots, seats and pools in one hold: all or nothing', async () => {
    const at = midnight(hf);
    const event = await makeEvent(hf, { seats: [{ id: 'A1', price: 100 }, { id: 'A2', price: 100 }],
        pools: { floor: { capacity: 2, price: 10 } } });
    const calendar = await makeCalendar(hf, { price: 1 });
    const wanted = [{ event, seat: 'A1' }, slot(calendar, at), { event, pool: 'floor', quantity: 2 },
        { event, best: { quantity: 1 } }];
    const r = await hold(ann(), wanted);
    assert.equal(r.total.amount, 221);
    assert.equal(r.items.length, 4);
    const answer = await create(bob(), [{ event, pool: 'floor', quantity: 1 }, slot(calendar, at + DAY),
        slot(calendar, at)]);
    refused(answer, 409, 'sold_out');
    granted(await ann().post(path(r, '/release'), {}), 200);
    assert.deepEqual((await availability(hf, event)).pools.floor, { capacity: 2, available: 2 });
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
    await hold(bob(), wanted);
});

test('the TTL and its caps are the least over all items', async () => {
    const at = midnight(hf);
    const event = await makeEvent(hf, { seats: 'A1-A4', hold_ttl_seconds: 600, max_hold_seconds: 1200 });
    const calendar = await makeCalendar(hf, { hold_ttl_seconds: 200, max_hold_seconds: 2000 });
    const wanted = [{ event, seat: 'A1' }, slot(calendar, at)];
    assert.equal((await hold(ann(), wanted)).expires_in, 200);
    const other = [{ event, seat: 'A2' }, slot(calendar, at + HOUR)];
    invalid(await create(hf.user('ann'), other, { ttl_seconds: 201 }), '/ttl_seconds');
    invalid(await create(hf.app, other, { ttl_seconds: 1201, user_id: 'ann' }), '/ttl_seconds');
    assert.equal((await hold(hf.app, other, { ttl_seconds: 1200, user_id: 'ann' })).expires_in, 1200);
});

test('two currencies in one reservation are 400', async () => {
    const at = midnight(hf);
    const euro = await makeCalendar(hf);
    const pound = await makeCalendar(hf, { currency: 'GBP' });
    invalid(await create(ann(), [slot(euro, at), slot(pound, at)]));
    const event = await makeEvent(hf, { seats: 'A1' });
    invalid(await create(ann(), [{ event, seat: 'A1' }, slot(pound, at)]));
    await hold(ann(), [{ event, seat: 'A1' }, slot(euro, at)]);
});

test('payment is required if any item requires it', async () => {
    const at = midnight(hf);
    const free = await makeCalendar(hf, { price: 5 });
    const paid = await makeCalendar(hf, { payment: 'required', price: 5 });
    const r = await hold(ann(), [slot(free, at), slot(paid, at)]);
    refused(await hf.user('ann').post(path(r, '/commit'), {}), 402, 'payment_required');
    granted(await hf.app.post(path(r, '/commit'), { payment_ref: 'pi_1' }), 200, { status: 'confirmed' });
    const alone = await hold(ann(), [slot(free, at + DAY)]);
    granted(await ann().post(path(alone, '/commit'), {}), 200);
});

/* ---- Commit, release ---- */

test('commit gives a ticket for each slot, and the slot is sold', async () => {
    const at = midnight(hf);
    const services = [{ id: 'cut', duration_minutes: 45, price: 0 }];
    const calendar = await makeCalendar(hf, { services });
    const r = await hold(ann(), [slot(calendar, at), { calendar, start: iso(at + HOUR), service: 'cut' }]);
    const sold = granted(await ann().post(path(r, '/commit'), {}), 200, { status: 'confirmed' });
    assert.equal(sold.tickets.length, 2);
    const { code, ...ticket } = sold.tickets[0];
    assert.deepEqual(ticket, { item_id: '1', calendar, start: iso(at), end: iso(at + 30 * MINUTE) });
    assert.equal(sold.tickets[1].service, 'cut');
    const again = granted(await ann().post(path(r, '/commit'), {}), 200);
    assert.deepEqual(again.tickets, sold.tickets);
    const problem = refused(await create(bob(), [slot(calendar, at)]), 409, 'taken');
    assert.equal(problem.items[0].status, 'sold');
});

test('"commit":true buys in one step', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { payment: 'required', price: 10 });
    const answer = await create(hf.app, [slot(calendar, at)], { user_id: 'ann', commit: true, payment_ref: unique('pi') });
    granted(answer, 201, { status: 'confirmed' });
    refused(await create(hf.user('ann'), [slot(calendar, at)], { commit: true }), 403, 'forbidden');
});

test('release gives the time back', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf);
    for (let i = 0; i < 3; i++) {
        const r = await hold(ann(), [slot(calendar, at, 120)]);
        refused(await create(bob(), [slot(calendar, at + HOUR)]), 409, 'taken');
        granted(await (i % 2 ? ann().delete(path(r)) : ann().post(path(r, '/release'), {})), 200,
            { status: 'released' });
    }
    await hold(bob(), [slot(calendar, at, 120)]);
});

/* ---- How many ---- */

test('per_user_limit is of events; slots do not count', async () => {
    const at = midnight(hf);
    const event = await makeEvent(hf, { seats: 'A1-A2', per_user_limit: 1 });
    const calendar = await makeCalendar(hf);
    const me = hf.acting(unique('user'));
    await hold(me, [{ event, seat: 'A1' }, ...[0, 1, 2, 3].map((n) => slot(calendar, at + n * HOUR))]);
    const problem = refused(await create(me, [{ event, seat: 'A2' }, slot(calendar, at + DAY)]), 409,
        'limit_exceeded');
    assert.deepEqual([problem.limit, problem.have], [1, 1]);
});

test('at most a hundred slots at once', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf);
    const all = Array.from({ length: 101 }, (_, i) => slot(calendar, at + i * HOUR));
    invalid(await create(ann(), all), '/items');
    const r = await hold(ann(), all.slice(0, 100));
    assert.equal(r.items.length, 100);
    invalid(await ann().post(path(r, '/items'), all[100]));
});

/* ---- Idempotency, lists, history ---- */

test('Idempotency-Key: the same claim once, also for added slots', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { capacity: 5 });
    const headers = { 'Idempotency-Key': unique('key') };
    const body = { items: [slot(calendar, at)] };
    const r = granted(await ann().post('/v1/reservations', body, { headers }), 201);
    const again = await ann().post('/v1/reservations', body, { headers });
    granted(again, 201, { reservation_id: r.reservation_id, items: r.items });
    assert.equal(again.headers['idempotent-replayed'], 'true');
    refused(await ann().post('/v1/reservations', { items: [slot(calendar, at + 1)] }, { headers }), 422,
        'idempotency_key_reused');
    const add = () => ann().post(path(r, '/items'), slot(calendar, at), { headers });
    const two = granted(await add(), 201, { version: 2 });
    granted(await add(), 201, { version: 2, items: two.items });
    const moved = granted(await move(ann(), r, to(at + DAY)), 200);
    granted(await ann().post('/v1/reservations', body, { headers }), 201, { items: moved.items, version: 3 });
    assert.equal(two.items.length, 2);
});

test('Idempotency-Key: a refused claim is judged again', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf);
    const r = await hold(bob(), [slot(calendar, at)]);
    const headers = { 'Idempotency-Key': unique('key') };
    const ask = () => ann().post('/v1/reservations', { items: [slot(calendar, at)] }, { headers });
    refused(await ask(), 409, 'taken');
    granted(await bob().delete(path(r)), 200);
    granted(await ask(), 201);
});

test('lists are filtered by calendar, and by more at once', async () => {
    const at = midnight(hf);
    const event = await makeEvent(hf, { seats: 'A1-A4' });
    const calendar = await makeCalendar(hf);
    const other = await makeCalendar(hf);
    const me = hf.acting(unique('user'));
    const one = await hold(me, [slot(calendar, at)]);
    const two = await hold(me, [slot(other, at), { event, seat: 'A1' }]);
    const both = await hold(bob(), [slot(calendar, at + HOUR), slot(other, at + HOUR), { event, seat: 'A2' }]);
    granted(await bob().post(path(both, '/commit'), {}), 200);
    const fresh = hf.since(await hf.anyone.get('/healthz'));
    const list = async (caller, query) => {
        const answer = await caller.get(`/v1/reservations?${query}`, fresh);
        assert.equal(answer.status, 200, answer.text);
        return answer.json.data.map((r) => r.reservation_id).sort();
    };
    const ids = (...list_) => list_.map((r) => r.reservation_id).sort();
    assert.deepEqual(await list(hf.admin, `calendar=${calendar}`), ids(one, both));
    assert.deepEqual(await list(hf.app, `calendar=${other}`), ids(two, both));
    assert.deepEqual(await list(hf.user(me.user), `calendar=${calendar}`), ids(one));
    assert.deepEqual(await list(hf.admin, `calendar=${other}&event=${event}&status=held`), ids(two));
    assert.deepEqual(await list(hf.admin, `calendar=${calendar}&status=confirmed`), ids(both));
    assert.deepEqual(await list(hf.admin, `calendar=${unique('calendar')}`), []);
    assert.deepEqual(await list(hf.admin, `calendar=${event}`), [], 'an event\'s name is no calendar\'s');
    assert.deepEqual(await list(hf.admin, `calendar=${calendar}&limit=1`).then((l) => l.length), 1);
    invalid(await hf.admin.get('/v1/reservations?calendar=a%20b'), '?calendar');
    const [listed] = (await hf.admin.get(`/v1/reservations?calendar=${calendar}&status=confirmed`, fresh)).json.data;
    assert.deepEqual(listed, granted(await bob().get(path(both)), 200));
});

test('history shows claims, moves and ends', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf);
    const r = await hold(ann(), [slot(calendar, at)]);
    granted(await ann().post(path(r, '/items'), slot(calendar, at + HOUR)), 201);
    granted(await move(ann(), r, to(at + 2 * HOUR)), 200);
    granted(await ann().delete(path(r, '/items/2')), 200);
    const last = await hf.app.post(path(r, '/commit'), {});
    granted(last, 200);
    const answer = await ann().get(path(r, '/history'), hf.since(last));
    assert.deepEqual(answer.json.data.map((one) => one.action),
        ['held', 'item_added', 'item_moved', 'item_dropped', 'confirmed']);
});

/* ---- The deadline ---- */

test('a lapsed hold blocks nobody from that very millisecond', ownClock, async () => {
    const at = midnight(hf, 60);
    for (let round = 0; round < 10; round++) {
        const calendar = await makeCalendar(hf, { hold_ttl_seconds: 60, buffer_minutes: 5 });
        const r = await hold(ann(), [slot(calendar, at, 60), slot(calendar, at + 2 * HOUR, 60)]);
        hf.clock.goto(instant(r.expires_at) - 5_000);
        refused(await create(bob(), [slot(calendar, at)]), 409, 'taken');
        hf.clock.goto(instant(r.expires_at));
        const next = granted(await create(bob(), [slot(calendar, at + 2.5 * HOUR, 60),
            slot(calendar, at + 64 * MINUTE)]), 201);
        assert.ok(instant(next.created_at) >= instant(r.expires_at), `${next.created_at} before ${r.expires_at}`);
        refused(await ann().post(path(r, '/commit'), {}), 409, 'expired');
        granted(await ann().get(path(r)), 200, { status: 'expired' });
        refused(await create(ann(), [slot(calendar, at + 2.5 * HOUR)]), 409, 'taken');
    }
});

test('a capacity can be lowered if only lapsed holds are in the way', ownClock, async () => {
    const at = midnight(hf, 60);
    const calendar = await makeCalendar(hf, { hold_ttl_seconds: 60, capacity: 2 });
    const r = await hold(ann(), [slot(calendar, at), slot(calendar, at)]);
    const put = () => hf.admin.put(`/v1/calendars/${calendar}`, { name: 'x', capacity: 1 });
    refused(await put(), 409, 'capacity_in_use');
    hf.clock.goto(instant(r.expires_at));
    assert.equal((await put()).status, 200);
});

test('a move finds lapsed time', ownClock, async () => {
    const at = midnight(hf, 60);
    const calendar = await makeCalendar(hf, { hold_ttl_seconds: 60 });
    const r = await hold(ann(), [slot(calendar, at)], { ttl_seconds: 30 });
    const mine = await hold(bob(), [slot(calendar, at + DAY)]);
    hf.clock.goto(instant(r.expires_at));
    granted(await move(bob(), mine, to(at)), 200);
});

test('time that has begun cannot be claimed; a booking that has begun can be extended', ownClock, async () => {
    const at = Math.ceil(hf.now() / MINUTE) * MINUTE + 2 * MINUTE;
    const calendar = await makeCalendar(hf);
    const r = await hold(ann(), [slot(calendar, at, 60)]);
    granted(await ann().post(path(r, '/commit'), {}), 200);
    hf.clock.goto(at + MINUTE);
    invalid(await create(bob(), [slot(calendar, at, 90)]), '/items/0/start');
    refused(await create(bob(), [slot(calendar, at + 30 * MINUTE)]), 409, 'taken');
    invalid(await move(ann(), r, to(at - MINUTE, 90)), '/start');
    granted(await move(ann(), r, to(at, 90)), 200);
    refused(await create(bob(), [slot(calendar, at + 80 * MINUTE)]), 409, 'taken');
    granted(await move(ann(), r, to(at, 30)), 200);
    await hold(bob(), [slot(calendar, at + 30 * MINUTE)]);
});
