/* SPDX-License-Identifier: Apache-2.0 */
/* Slots added to a reservation, dropped from it and moved: together or not at all, and no other time is touched. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, hold } = require('./lib/catalogue.js');
const { MINUTE, HOUR, DAY, iso, midnight, monday, makeCalendar, slot, starts } = require('./lib/calendars.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.acting('ann');
const bob = () => hf.acting('bob');
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const create = (caller, wanted, more = {}) => caller.post('/v1/reservations', { items: wanted, ...more });
const move = (caller, r, body, i = 0) => caller.patch(path(r, `/items/${r.items[i].item_id}`), body);
const to = (start, minutes = 30) => ({ start: iso(start), end: iso(start + minutes * MINUTE) });
const span = (it) => [Date.parse(it.start), Date.parse(it.end)];
const HOURS = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:30' }];

test('POST items: 201, a new fence, version + 1, and the TTL of the calendar counts from now', ownClock, async () => {
    const at = midnight(hf);
    const event = await makeEvent(hf, { seats: 'A1' });
    const calendar = await makeCalendar(hf, { capacity: 2 });
    const r = await hold(ann(), [{ event, seat: 'A1' }]);
    hf.clock.advance(5_000);
    const one = granted(await ann().post(path(r, '/items'), slot(calendar, at)), 201,
        { version: 2, max_expires_at: r.max_expires_at });
    const left = Date.parse(one.expires_at) - Date.parse(r.created_at);
    assert.ok(left >= 305_000 && left < 315_000, `five minutes from now: ${left}`);
    assert.ok(one.fence > r.fence);
    const wanted = [slot(calendar, at), slot(calendar, at + HOUR), slot(calendar, at + 2 * HOUR)];
    const more = granted(await ann().post(path(r, '/items'), { items: wanted }), 201, { version: 3 });
    assert.equal(more.items.length, 5, 'with a capacity of two the same interval again is a wish of its own');
    refused(await create(bob(), [slot(calendar, at)]), 409, 'taken');
    const problem = refused(await ann().post(path(r, '/items'),
        { items: [slot(calendar, at + DAY), slot(calendar, at)] }), 409, 'taken');
    assert.deepEqual(problem.items, [{ item: 1, ...slot(calendar, at), status: 'held' }]);
    granted(await ann().get(path(r)), 200, { version: 3, items: more.items });
});

test('POST items with a slot it already has: 200 and nothing changes', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf);
    const r = await hold(ann(), [slot(calendar, at)]);
    granted(await ann().post(path(r, '/items'), slot(calendar, at)), 200,
        { version: r.version, fence: r.fence, items: r.items });
    refused(await ann().post(path(r, '/items'), slot(calendar, at, 31)), 409, 'taken');
    refused(await bob().post('/v1/reservations', { items: [slot(calendar, at)] }), 409, 'taken');
});

test('POST items: invalid and unknown items are refused as in a hold, with their own pointers', async () => {
    const day = monday(hf);
    const calendar = await makeCalendar(hf, { hours: HOURS });
    const r = await hold(ann(), [slot(calendar, day + 10 * HOUR)]);
    const add = (body) => ann().post(path(r, '/items'), body);
    invalid(await add({ calendar, start: iso(day + 12 * HOUR) }), '/end');
    invalid(await add({ items: [{ calendar, end: iso(day + 12 * HOUR) }] }), '/items/0/start');
    invalid(await add({ ...slot(calendar, day + 12 * HOUR), items: [slot(calendar, day + 12 * HOUR)] }), '/items');
    invalid(await add(slot(calendar, hf.now() - DAY)));
    refused(await add(slot(unique('calendar'), day)), 404, 'no_such_calendar');
    assert.equal(refused(await add(slot(calendar, day)), 409, 'closed').item, 0);
    granted(await ann().get(path(r)), 200, { version: r.version });
});

test('DELETE of an item frees its time; the last one releases', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf);
    const r = await hold(ann(), [slot(calendar, at), slot(calendar, at + HOUR)]);
    const less = granted(await ann().delete(path(r, `/items/${r.items[0].item_id}`)), 200, { status: 'held' });
    assert.deepEqual(less.items, [r.items[1]]);
    await hold(bob(), [slot(calendar, at)]);
    granted(await ann().delete(path(r, `/items/${r.items[1].item_id}`)), 200, { status: 'released' });
    await hold(bob(), [slot(calendar, at + HOUR)]);
});

test('move: claims the new time and ends the old claim together, a new fence, version + 1', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { price: 700 });
    const r = await hold(ann(), [slot(calendar, at), slot(calendar, at + 5 * HOUR)]);
    const moved = granted(await move(ann(), r, to(at + HOUR, 60)), 200, {
        status: 'held', version: 2, expires_at: r.expires_at
    });
    assert.ok(moved.fence > r.fence);
    assert.deepEqual(moved.items, [{ ...r.items[0], ...to(at + HOUR, 60), price: 1400 }, r.items[1]]);
    await hold(bob(), [slot(calendar, at)]);
    refused(await create(bob(), [slot(calendar, at + 1.5 * HOUR)]), 409, 'taken');
});

test('move of a confirmed one: it stays confirmed, its tickets show the new time', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { payment: 'required', price: 700 });
    const r = await hold(ann(), [slot(calendar, at)]);
    const sold = granted(await hf.app.post(path(r, '/commit'), {}), 200);
    const moved = granted(await move(ann(), r, to(at + DAY)), 200, { status: 'confirmed', order_id: sold.order_id });
    assert.ok(moved.fence > sold.fence);
    assert.deepEqual(moved.tickets, [{ ...sold.tickets[0], ...to(at + DAY) }]);
    assert.equal(refused(await create(bob(), [slot(calendar, at + DAY)]), 409, 'taken').items[0].status, 'sold');
    await hold(bob(), [slot(calendar, at)]);
});

test('a move that overlaps its own old interval succeeds', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { buffer_minutes: 10 });
    let r = await hold(ann(), [slot(calendar, at, 60)]);
    for (const [from, minutes] of [[30, 60], [20, 60], [20, 5], [0, 120], [0, 60]]) {
        r = granted(await move(ann(), r, to(at + from * MINUTE, minutes)), 200, { version: r.version + 1 });
        assert.deepEqual(span(r.items[0]), [at + from * MINUTE, at + (from + minutes) * MINUTE]);
    }
    await hold(bob(), [slot(calendar, at + 70 * MINUTE)]);
    refused(await move(ann(), r, to(at, 61)), 409, 'taken');
});

test('a move to its current time: 200, nothing changes', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf);
    const r = await hold(ann(), [slot(calendar, at)]);
    granted(await move(ann(), r, to(at)), 200, { version: r.version, fence: r.fence, items: r.items });
});

test('a refused move changes nothing', async () => {
    const day = monday(hf);
    const at = day + 10 * HOUR;
    const calendar = await makeCalendar(hf, { hours: HOURS });
    const r = await hold(ann(), [slot(calendar, at), slot(calendar, at + HOUR)]);
    await hold(bob(), [slot(calendar, at + 2 * HOUR)]);
    const problem = refused(await move(ann(), r, to(at + 2 * HOUR)), 409, 'taken');
    assert.deepEqual(problem.items, [{ item: 0, ...to(at + 2 * HOUR), status: 'held' }]);
    refused(await move(ann(), r, to(at + HOUR)), 409, 'taken');
    const closed = refused(await move(ann(), r, to(day)), 409, 'closed');
    assert.deepEqual([closed.item, closed.calendar, closed.hours], [0, calendar, HOURS]);
    const bad = [
        [{}, ''], [{ end: iso(at) }, '/start'], [{ start: iso(at) }, '/end'],
        [{ start: 'x', end: iso(at) }, '/start'],
        [{ start: iso(at), end: iso(at) }, '/end'], [to(at, 367 * 1440), '/end'], [to(hf.now() - HOUR, 30), '/start'],
        [to(hf.now() + 3661 * DAY), '/start'], [{ seat: 'A1' }, '/seat'], [{ ...to(at), seat: 'A1' }, '/seat'],
        [{ ...to(at), calendar }, '/calendar'], [{ ...to(at), service: 's' }, '/service'],
        [{ ...to(at), colour: 'red' }, '/colour'],
    ];
    for (const [body, pointer] of bad) {
        const answer = await move(ann(), r, body);
        assert.equal(answer.status, 400, `${JSON.stringify(body)}: ${answer.text}`);
        invalid(answer, pointer);
    }
    refused(await move(hf.user('bob'), r, to(at + 3 * HOUR)), 404, 'no_such_reservation');
    refused(await ann().patch(path(r, '/items/99'), to(at + 3 * HOUR)), 404, 'no_such_item');
    granted(await ann().get(path(r)), 200, { version: r.version, fence: r.fence, items: r.items });
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const seated = await hold(ann(), [{ event, seat: 'A1' }]);
    invalid(await move(ann(), seated, to(at)), '/start');
});

test('a move keeps service and price; without an end it has the length of the service', async () => {
    const at = midnight(hf);
    const services = [{ id: 'cut', duration_minutes: 45, price: 3200 }];
    const calendar = await makeCalendar(hf, { services });
    const r = await hold(ann(), [{ calendar, start: iso(at), service: 'cut' }]);
    const [item] = granted(await move(ann(), r, { start: iso(at + HOUR) }), 200).items;
    assert.deepEqual(item, { ...r.items[0], ...to(at + HOUR, 45) });
    const [longer] = granted(await move(ann(), r, to(at, 90)), 200).items;
    assert.deepEqual(longer, { ...r.items[0], ...to(at, 90) });
});

test('items of ended and paying ones are refused by their state', ownClock, async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { hold_ttl_seconds: 30 });
    const released = await hold(ann(), [slot(calendar, at)]);
    granted(await ann().delete(path(released)), 200);
    const paying = await hold(ann(), [slot(calendar, at)]);
    granted(await ann().post(path(paying, '/payment'), {}), 200);
    const lapsed = await hold(ann(), [slot(calendar, at + HOUR)]);
    hf.clock.advance(30_000);
    for (const [r, code] of [[released, 'already_released'], [paying, 'paying'], [lapsed, 'expired']]) {
        refused(await ann().post(path(r, '/items'), slot(calendar, at + 2 * HOUR)), 409, code);
        refused(await move(ann(), r, to(at + 2 * HOUR)), 409, code);
        refused(await ann().delete(path(r, `/items/${r.items[0].item_id}`)), 409, code);
    }
    assert.deepEqual(await starts(hf, calendar, { from: at + 2 * HOUR, to: at + 2 * HOUR + 1 }), [at + 2 * HOUR]);
});
