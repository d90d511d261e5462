/* SPDX-License-Identifier: Apache-2.0 */
/* Calendars: their settings, replaced as a whole, every field with its default, every invalid value with a pointer. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { makeEvent, hold, whole } = require('./lib/catalogue.js');
const { MINUTE, HOUR, DAY, WEEKDAYS, iso, midnight, monday, makeCalendar, slot, slots,
    starts } = require('./lib/calendars.js');
const { INSTANT, refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.acting('ann');
const put = (id, body) => hf.admin.put(`/v1/calendars/${id}`, body);
const get = (id) => hf.anyone.get(`/v1/calendars/${id}`);
const create = (caller, ...items) => caller.post('/v1/reservations', { items });

/* A calendar with nothing but a name. */
const PLAIN = {
    timezone: 'UTC', capacity: 1, price: 0, currency: 'EUR', hold_ttl_seconds: 300, max_hold_seconds: 900,
    payment_ttl_seconds: 300, payment: 'required', late_payment: 'accept_if_free', slot_minutes: 30,
        buffer_minutes: 0,
    buffer_before_minutes: 0, min_minutes: null, max_minutes: null, price_per: 'slot', notice_minutes: 0,
    horizon_days: 366, per_user_limit: 0, change_until_minutes: 0, cancel_until_minutes: null, size: 1, guests: true,
    hours: [], closed: [], services: [],
};
const FULL = {
    name: 'Dr Smith', timezone: 'Europe/London', capacity: 3, price: 4500, currency: 'GBP', hold_ttl_seconds: 120,
    max_hold_seconds: 240, payment_ttl_seconds: 0, payment: 'none', late_payment: 'refund', slot_minutes: 20,
    buffer_minutes: 10, buffer_before_minutes: 5, min_minutes: 40, max_minutes: 60, price_per: 'claim',
    notice_minutes: 120, horizon_days: 90, per_user_limit: 2, change_until_minutes: 1440, cancel_until_minutes: 90, size: 4, guests: false,
    hours: [
        { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '12:30' },
        { days: ['mon', 'wed'], from: '13:30', to: '18:00' }, { days: ['sat'], from: '22:00', to: '02:00' },
    ],
    closed: [{ start: '2031-12-24T00:00:00.000Z', end: '2031-12-27T00:00:00.000Z' }],
    services: [{ id: 'check-up', duration_minutes: 20, price: 4000 }, { id: 'long', duration_minutes: 60, price: 0 }],
};

test('PUT creates a calendar, 201 then 200, with every default', async () => {
    const id = unique('calendar');
    const made = await put(id, { name: 'Dr Smith' });
    assert.equal(made.status, 201, made.text);
    const { created_at, ...rest } = made.json;
    assert.match(created_at, INSTANT);
    assert.deepEqual(rest, { id, name: 'Dr Smith', ...PLAIN });
    const again = await put(id, { name: 'Dr Smith' });
    assert.equal(again.status, 200);
    assert.deepEqual(again.json, made.json);
    assert.deepEqual((await get(id)).json, made.json);
});

test('every field is returned as it was put, and what GET returns can be PUT', async () => {
    const id = unique('calendar');
    const made = await put(id, FULL);
    assert.equal(made.status, 201, made.text);
    const { created_at, ...rest } = made.json;
    assert.deepEqual(rest, { id, ...FULL });
    const { id: _, created_at: __, ...settings } = (await get(id)).json;
    assert.deepEqual((await put(id, settings)).json, made.json);
});

test('PUT replaces the whole record: fields left out take their defaults', async () => {
    const id = await makeCalendar(hf, FULL);
    const { created_at, ...rest } = (await put(id, { name: 'Plain' })).json;
    assert.deepEqual(rest, { id, name: 'Plain', ...PLAIN });
});

test('an id can have dots; one that ends in .ics is the export', async () => {
    const id = `${unique('dr')}.b.c`;
    assert.equal((await put(id, { name: 'Dots' })).status, 201);
    assert.equal((await get(id)).json.id, id);
    assert.equal((await hf.admin.get(`/v1/calendars/${id}.ics`)).status, 200);
    assert.equal((await put(`${id}.ics`, { name: 'x' })).status, 405);
    invalid(await put(`${id}%2Eics`, { name: 'x' }), '');
});

test('an event and a calendar can have the same id', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const calendar = await makeCalendar(hf, { id: event });
    const r = await hold(ann(), [{ event, seat: 'A1' }, slot(calendar, midnight(hf))]);
    assert.deepEqual(r.items.map((it) => it.event ?? it.calendar), [event, calendar]);
});

test('an unknown calendar is 404', async () => {
    for (const id of [unique('calendar'), 'no%20space', 'a'.repeat(65)]) {
        refused(await get(id), 404, 'no_such_calendar');
        refused(await hf.anyone.get(`/v1/calendars/${id}/slots`), 404, 'no_such_calendar');
        refused(await hf.admin.get(`/v1/calendars/${id}.ics`), 404, 'no_such_calendar');
    }
    refused(await put('no%20space', { name: 'x' }), 400, 'invalid');
});

test('the list has every calendar once, page by page', async () => {
    const ids = [];
    for (let i = 0; i < 7; i++) {
        ids.push(await makeCalendar(hf, { name: `Room ${i}` }));
    }
    for (const limit of [1, 3, 1000]) {
        const listed = await whole(hf.anyone, `/v1/calendars?limit=${limit}`);
        const mine = listed.filter((one) => ids.includes(one.id));
        assert.deepEqual(mine.map((one) => one.id), ids);
        assert.deepEqual(mine[3], (await get(ids[3])).json);
    }
    invalid(await hf.anyone.get('/v1/calendars?limit=0'), '?limit');
    invalid(await hf.anyone.get('/v1/calendars?cursor=x'), '?cursor');
    invalid(await hf.anyone.get('/v1/calendars?colour=red'), '?colour');
});

test('invalid values are 400 and point at their field', async () => {
    const id = unique('calendar');
    const range = { days: ['mon'], from: '09:00', to: '17:00' };
    const service = { id: 's', duration_minutes: 30, price: 0 };
    const interval = { start: '2031-01-01T00:00:00Z', end: '2031-01-02T00:00:00Z' };
    const bad = {
        '/name': [undefined, '', 5, null, 'x'.repeat(257), 'a\nb'],
        '/timezone': [
            'Europe/Nowhere', '', 'europe', '/etc/passwd', '../zoneinfo/UTC', 'Europe', 5, null, 'x'.repeat(65),
            'Europe/London ', 'tzdata.zi', 'localtime'
        ],
        '/capacity': [0, -1, 1.5, '2', null, 1_000_001],
        '/price': [-1, 0.5, '5', null, 1e13],
        '/currency': ['eur', 'EURO', '', 5],
        '/hold_ttl_seconds': [0, -1, '5', 2_592_001, 901 /* over the given maximum */],
        '/max_hold_seconds': [0, '5', 299 /* under the default TTL */],
        '/payment_ttl_seconds': [-1, '5'],
        '/payment': ['maybe', '', 5],
        '/late_payment': ['maybe', 5],
        '/slot_minutes': [0, -5, 1441, 7.5, '30'],
        '/buffer_minutes': [-1, 10_081, '5'],
        '/hours': [5, {}, 'mon', null],
        '/hours/0': [['mon'], [null], [[]]],
        '/hours/0/days': [
            [{ ...range, days: [] }], [{ ...range, days: undefined }], [{ ...range, days: 'mon' }],
            [{ ...range, days: [...WEEKDAYS, 'mon'] }]
        ],
        '/hours/0/days/0': [
            [{ ...range, days: ['monday'] }], [{ ...range, days: ['Mon'] }], [{ ...range, days: [1] }]
        ],
        '/hours/0/days/1': [[{ ...range, days: ['mon', 'mon'] }], [{ ...range, days: ['mon', ''] }]],
        '/hours/0/from': [
            '9:00', '09:60', '24:00', '25:00', '09:00:00', '0900', '', '-1:00', 'ab:cd', 9, null, undefined
        ].map((from) => [{ ...range, from }]),
        '/hours/0/to': ['24:01', '09:60', '9', '17.00', null, undefined].map((to) => [{ ...range, to }]),
        '/hours/0/colour': [[{ ...range, colour: 'red' }]],
        '/hours/1/from': [[range, { ...range, from: 'x' }]],
        '/closed': [{}, 'never'],
        '/closed/0/start': ['yesterday', '2031-01-01', 5, null, undefined].map((start) => [{ ...interval, start }]),
        '/closed/0/end': [
            ...['soon', null, undefined].map((end) => [{ ...interval, end }]),
            [{ start: interval.end, end: interval.start }], [{ start: interval.start, end: interval.start }]
        ],
        '/closed/1/end': [[interval, { start: interval.end, end: interval.start }]],
        '/services': [{}, Array.from({ length: 101 }, (_, i) => ({ ...service, id: `s${i}` }))],
        '/services/0/id': ['', 'a b', 'x'.repeat(65), 5, undefined].map((one) => [{ ...service, id: one }]),
        '/services/0/duration_minutes':
            [0, -1, 1.5, '30', 527_041, undefined].map((minutes) => [{ ...service, duration_minutes: minutes }]),
        '/services/0/price': [-1, 0.5, '5'].map((price) => [{ ...service, price }]),
        '/services/1/id': [[service, service]],
        '/colour': ['red'],
        '/buffer_before_minutes': [-1, 10_081, '5', null],
        '/min_minutes': [0, -1, 527_041, '5'],
        '/max_minutes': [0, -1, 527_041, '5', 29 /* less than a slot */],
        '/price_per': ['night', '', 5, null],
        '/notice_minutes': [-1, 527_041, '5'],
        '/horizon_days': [0, -1, 3_661, '5'],
        '/per_user_limit': [-1, 10_001, '5'],
        '/change_until_minutes': [-1, 527_041, '5'],
        '/size': [0, 1_000_001, '5'],
        '/guests': ['no', 0, null],
        '/cancel_until_minutes': [-1, 527_041, '5'],
    };
    for (const [pointer, values] of Object.entries(bad)) {
        for (const value of values) {
            const more = pointer === '/hold_ttl_seconds' && value === 901 ? { max_hold_seconds: 900 } : {};
            const body = { name: 'x', ...more, [pointer.split('/')[1]]: value };
            const answer = await put(id, body);
            assert.equal(answer.status, 400, `${JSON.stringify(body).slice(0, 300)}: ${answer.text}`);
            invalid(answer, pointer);
        }
    }
    invalid(await put(id, `{"name":"x","name":"y"}`));
    refused(await get(id), 404, 'no_such_calendar');
});

test('the maximum is at least the minimum, and a whole number of slots lies between', async () => {
    const id = unique('calendar');
    invalid(await put(id, { name: 'x', min_minutes: 90, max_minutes: 60 }), '/max_minutes');
    invalid(await put(id, { name: 'x', min_minutes: 40, max_minutes: 50 }), '/max_minutes');
    assert.equal((await put(id, { name: 'x', min_minutes: 40, max_minutes: 60 })).status, 201);
});

test('a week has at most 336 ranges, each counted for each of its days', async () => {
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    const clock = (minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    const hours = Array.from({ length: 49 }, (_, i) => ({ days, from: clock(i * 20), to: clock(i * 20 + 10) }));
    const id = unique('calendar');
    invalid(await put(id, { name: 'x', hours }), '/hours');
    assert.equal((await put(id, { name: 'x', hours: hours.slice(1) })).status, 201);
});

test('hours that overlap each other are 400 and point at the second', async () => {
    const id = unique('calendar');
    const overlapping = [
        [[['mon'], '09:00', '12:00'], [['mon'], '11:59', '13:00']],
        [[WEEKDAYS, '09:00', '12:00'], [['sun'], '10:00', '10:30']],
        [[['mon'], '22:00', '02:00'], [['tue'], '01:59', '03:00']],
        [[['sun'], '22:00', '02:00'], [['mon'], '01:00', '03:00']],
        [[['mon'], '09:00', '09:00'], [['tue'], '08:00', '08:30']],
        [[['mon'], '09:00', '10:00'], [['mon'], '09:00', '10:00']],
    ];
    for (const pair of overlapping) {
        const hours = pair.map(([days, from, to]) => ({ days, from, to }));
        invalid(await put(id, { name: 'x', hours }), '/hours/1');
        invalid(await put(id, { name: 'x', hours: [{ days: ['fri'], from: '01:00', to: '01:05' }, ...hours] }));
    }
    invalid(await put(id, { name: 'x', hours: [{ days: ['mon', 'tue'], from: '09:00', to: '09:01' },
        { days: ['mon'], from: '08:00', to: '09:00' }, { days: ['sun'], from: '10:00', to: '09:30' }] }));
    const touching = [
        { days: ['sun', 'mon'], from: '22:00', to: '02:00' }, { days: ['mon', 'tue'], from: '02:00', to: '05:00' },
        { days: ['wed'], from: '09:00', to: '09:00' }, { days: ['thu'], from: '09:00', to: '24:00' },
    ];
    assert.equal((await put(id, { name: 'x', hours: touching })).status, 201);
});

test('the maximum of hours, closed intervals and services, in lists of short pages', async () => {
    const day = midnight(hf);
    const clock = (half) => `${String(Math.floor(half / 2) % 24).padStart(2, '0')}:${half % 2 ? '30' : '00'}`;
    const settings = {
        name: 'Full', payment: 'none',
        hours: WEEKDAYS.flatMap((one) => Array.from({ length: 48 }, (_, half) => ({
            days: [one], from: clock(half), to: clock(half + 1)
        }))),
        closed: Array.from({ length: 1000 }, (_, i) => ({ start: iso(day + i * HOUR), end: iso(day + i * HOUR + 1) })),
        services: Array.from({ length: 100 }, (_, i) => ({ id: `s${i}`, duration_minutes: i + 1, price: i })),
    };
    const ids = [];
    for (let i = 0; i < 12; i++) {
        ids.push(await makeCalendar(hf, settings));
    }
    const { json } = await get(ids[0]);
    for (const field of ['hours', 'closed', 'services']) {
        assert.deepEqual(json[field], settings[field]);
    }
    assert.ok((await hf.anyone.get('/v1/calendars?limit=1000')).size < 2_000_000);
    const listed = (await whole(hf.anyone, '/v1/calendars?limit=1000')).map((one) => one.id);
    assert.deepEqual(listed.filter((id) => ids.includes(id)), ids);
    await hold(ann(), [slot(ids[0], day + 1, 59)]);
    const problem = refused(await create(ann(), slot(ids[0], day, 60)), 409, 'closed');
    assert.equal(problem.closed.length, 1);
    for (const field of ['hours', 'closed', 'services']) {
        invalid(await put(ids[0], { ...settings, [field]: [...settings[field], settings[field][0]] }), `/${field}`);
    }
});

test('24:00 is midnight at the end of the day', async () => {
    const day = monday(hf);
    const calendar = await makeCalendar(hf, { hours: [{ days: ['mon'], from: '22:00', to: '24:00' }] });
    assert.deepEqual((await get(calendar)).json.hours, [{ days: ['mon'], from: '22:00', to: '00:00' }]);
    assert.deepEqual(await starts(hf, calendar, { from: day, to: day + 7 * DAY }),
        [22, 22.5, 23, 23.5].map((hour) => day + hour * HOUR));
});

test('a long TTL without a maximum sets it to one and a half times the TTL', async () => {
    const id = unique('calendar');
    for (const [ttl, max] of [[1, 900], [300, 900], [600, 900], [601, 901], [1800, 2700], [2_592_000, 2_592_000]]) {
        const { json } = await put(id, { name: 'x', hold_ttl_seconds: ttl });
        assert.deepEqual([json.hold_ttl_seconds, json.max_hold_seconds], [ttl, max]);
    }
});

test('a service without a price costs what the calendar costs', async () => {
    const services = [{ id: 'a', duration_minutes: 10 }, { id: 'b', duration_minutes: 10, price: 0 }];
    const calendar = await makeCalendar(hf, { price: 700, services });
    const r = await hold(ann(), ['a', 'b'].map((service, i) => ({
        calendar, service, start: iso(midnight(hf) + i * HOUR)
    })));
    assert.deepEqual(r.items.map((it) => it.price), [700, 0]);
});

test('a capacity below what is booked is 409 capacity_in_use; the past and lapsed holds do not count', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { capacity: 3, buffer_minutes: 30 });
    const a = await hold(ann(), [slot(calendar, at, 60)]);
    const b = await hold(ann(), [slot(calendar, at + 30 * MINUTE, 60)]);
    granted(await ann().post(`/v1/reservations/${a.reservation_id}/commit`, {}), 200);
    await hold(ann(), [slot(calendar, at + 10 * HOUR, 60)]);
    refused(await put(calendar, { name: 'x', capacity: 1 }), 409, 'capacity_in_use');
    assert.equal((await get(calendar)).json.capacity, 3, 'a refused PUT changes nothing');
    assert.equal((await put(calendar, { name: 'x', capacity: 2 })).status, 200);
    refused(await create(ann(), slot(calendar, at + 30 * MINUTE, 30)), 409, 'taken');
    granted(await ann().delete(`/v1/reservations/${b.reservation_id}`), 200);
    assert.equal((await put(calendar, { name: 'x', capacity: 1 })).status, 200);
    refused(await create(ann(), slot(calendar, at + 80 * MINUTE, 30)), 409, 'taken');
    await hold(ann(), [slot(calendar, at + 90 * MINUTE, 30)]);
});

test('changed hours, buffer and price apply to new claims only', async () => {
    const at = monday(hf) + 10 * HOUR;
    const settings = { name: 'x', payment: 'none', price: 100, buffer_minutes: 60 };
    const calendar = await makeCalendar(hf, settings);
    const early = await hold(ann(), [slot(calendar, at, 60)]);
    const hours = [{ days: ['mon'], from: '12:00', to: '20:00' }];
    assert.equal((await put(calendar, { ...settings, price: 900, buffer_minutes: 0, hours })).status, 200);
    const still = granted(await ann().get(`/v1/reservations/${early.reservation_id}`), 200);
    assert.deepEqual(still.items, early.items);
    refused(await create(ann(), slot(calendar, at + 2 * HOUR - MINUTE, 30)), 409, 'closed');
    const [first] = await slots(hf, calendar, { from: at, to: at + DAY });
    assert.deepEqual(first, [at + 2 * HOUR, at + 2.5 * HOUR, 1], 'the old claim blocks its old buffer, and no more');
    const next = await hold(ann(), [slot(calendar, at + 2 * HOUR, 60)]);
    assert.equal(next.total.amount, 1800);
    await hold(ann(), [slot(calendar, at + 3 * HOUR, 60)]);
    granted(await ann().post(`/v1/reservations/${early.reservation_id}/commit`, {}), 200, { status: 'confirmed' });
});

test('a service that is no longer offered cannot be requested; old items keep its name', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { services: FULL.services });
    const r = await hold(ann(), [{ calendar, service: 'check-up', start: iso(at) }]);
    await put(calendar, { name: 'x', payment: 'none', services: [{ id: 'long', duration_minutes: 90, price: 5 }] });
    assert.deepEqual((await get(calendar)).json.services, [{ id: 'long', duration_minutes: 90, price: 5 }]);
    invalid(await create(ann(), { calendar, service: 'check-up', start: iso(at + DAY) }), '/items/0/service');
    invalid(await hf.anyone.get(`/v1/calendars/${calendar}/slots?service=check-up`), '?service');
    const again = granted(await ann().get(`/v1/reservations/${r.reservation_id}`), 200);
    assert.equal(again.items[0].service, 'check-up');
    const { items: [long] } = await hold(ann(), [{ calendar, service: 'long', start: iso(at + DAY) }]);
    assert.equal(Date.parse(long.end) - Date.parse(long.start), 90 * MINUTE);
    assert.equal(long.price, 5);
});
