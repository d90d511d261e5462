/* SPDX-License-Identifier: Apache-2.0 */
/* The confirmed bookings as iCalendar: a strict reader accepts them and finds the same bookings. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, hold } = require('./lib/catalogue.js');
const { MINUTE, HOUR, DAY, iso, midnight, makeCalendar, slot } = require('./lib/calendars.js');
const { refused, invalid, granted } = require('./lib/expect.js');
const ics = require('./lib/ics.js');

const hf = shared();
const ann = () => hf.acting('ann');
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const commit = async (r, caller = ann()) => granted(await caller.post(path(r, '/commit'), {}), 200);

/* The calendar as a program would fetch it, at least as new as everything acknowledged so far. */
async function fetched(calendar, query = '') {
    const now = await hf.anyone.get('/healthz');
    const ask = () => hf.admin.get(`/v1/calendars/${calendar}.ics${query}`, hf.since(now));
    const answer = await hf.eventually(ask, (one) => one.seq >= now.seq, 'the book has it');
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers['content-type'], 'text/calendar; charset=utf-8');
    return ics.read(answer.text);
}
const spans = ({ events }) => events.map((one) => [one.start, one.end]);

test('the reader is strict', () => {
    const event = ['BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20261203T140000Z', 'DTSTART:20261203T140000Z',
        'DTEND:20261203T143000Z',
        'SUMMARY:a\\, b', 'END:VEVENT'];
    const whole = (lines) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', ...lines, 'END:VCALENDAR', '']
        .join('\r\n');
    assert.equal(ics.read(whole(event)).events[0].summary, 'a, b');
    assert.equal(ics.read(whole(event.map((line) => line.replace('a\\,', 'a\\\r\n ,')))).events[0].summary, 'a, b');
    const swap = (from, to) => whole(event.map((line) => (line.startsWith(from) ? to : line)).filter(Boolean));
    const bad = [
        whole([]), whole(event).slice(0, -2), whole(event).replaceAll('\r\n', '\n'), whole([...event, ...event]),
        whole(event).replace('VERSION:2.0', 'VERSION:1.0'), whole(event).replace('VERSION:2.0\r\n', ''),
        `${whole(event)}${whole(event)}`, whole(event).replace('END:VEVENT\r\n', ''),
        whole(['METHOD:PUBLISH', ...event]),
        swap('UID', ''), swap('DTSTAMP', ''), swap('DTEND', 'DTEND:20261203T140000Z'),
        swap('DTEND', 'DTEND:20261203T143000'),
        swap('DTEND', 'DTEND:20261303T143000Z'), swap('SUMMARY', 'SUMMARY:a, b'), swap('SUMMARY', 'SUMMARY:a\\x'),
        swap('SUMMARY', `SUMMARY:${'x'.repeat(70)}`), swap('SUMMARY', 'SUMMARY:a\rb'), swap('SUMMARY', 'NOVALUE'),
        Buffer.from(swap('SUMMARY', 'SUMMARY:ü\r\n ü'), 'utf8').subarray(0, -1),
        Buffer.from(swap('SUMMARY', 'SUMMARY:ü'), 'latin1'), swap('SUMMARY', 'SUMMARY:a\r\n\r\n b'),
    ];
    bad.forEach((text, i) => assert.throws(() => ics.read(text), `${i}: ${text}`));
});

test('a calendar without bookings is a complete object', async () => {
    const calendar = await makeCalendar(hf, { name: 'Empty; really, so' });
    const found = await fetched(calendar);
    assert.deepEqual(found, { name: 'Empty; really, so', events: [] });
    await hold(ann(), [slot(calendar, midnight(hf))]);
    assert.deepEqual((await fetched(calendar)).events, [], 'a hold is no booking');
});

test('one VEVENT for each confirmed booking, with the same instants, in the order of time', async () => {
    const day = midnight(hf);
    const services = [{ id: 'check-up', duration_minutes: 20, price: 0 }];
    const calendar = await makeCalendar(hf, { name: 'Dr Smith', services, buffer_minutes: 10 });
    const other = await makeCalendar(hf);
    const event = await makeEvent(hf, { seats: 'A1' });
    const late = await commit(await hold(ann(), [slot(calendar, day + 5 * HOUR, 45)]));
    const several = await commit(await hold(ann(), [
        slot(calendar, day + HOUR, 30), { calendar, start: iso(day), service: 'check-up' }, { event, seat: 'A1' },
        slot(other, day),
    ]));
    await hold(ann(), [slot(calendar, day + 8 * HOUR)]);
    const gone = await hold(ann(), [slot(calendar, day + 9 * HOUR)]);
    granted(await ann().delete(path(gone)), 200);
    const { name, events } = await fetched(calendar);
    assert.equal(name, 'Dr Smith');
    const wanted = [[several, 1, 'Dr Smith: check-up'], [several, 0, 'Dr Smith'], [late, 0, 'Dr Smith']];
    assert.deepEqual(events, wanted.map(([r, i, summary]) => ({
        uid: `${r.reservation_id}-${r.items[i].item_id}@holdfast`,
        stamp: Math.floor(Date.parse(r.confirmed_at) / 1000) * 1000,
        start: Date.parse(r.items[i].start), end: Date.parse(r.items[i].end), summary, description: `${r.pnr}, ann`,
    })));
    assert.deepEqual(spans(await fetched(other)), [[day, day + 30 * MINUTE]]);
});

test('in the time zone of the calendar, also across a change of its clocks', async () => {
    const calendar = await makeCalendar(hf, { timezone: 'Europe/Berlin' });
    const days = [0, 60, 120, 180].map((n) => midnight(hf) + n * DAY); /* over half a year: at least one change */
    await commit(await hold(ann(), days.map((day) => slot(calendar, day + 10 * HOUR))));
    const found = await fetched(calendar);
    assert.deepEqual(spans(found), days.map((day) => [day + 10 * HOUR, day + 10.5 * HOUR]));
    const { text } = await hf.admin.get(`/v1/calendars/${calendar}.ics`);
    assert.equal(text.match(/\r\nDTSTART;TZID=Europe\/Berlin:\d{8}T1[12]0000\r\n/g).length, 4, text);
});

test('a booking confirmed a moment ago is included', async () => {
    const day = midnight(hf);
    const calendar = await makeCalendar(hf, { capacity: 50 });
    for (let count = 1; count <= 20; count++) {
        const made = await ann().post(path(await hold(ann(), [slot(calendar, day)]), '/commit'), {});
        granted(made, 200);
        const answer = await hf.admin.get(`/v1/calendars/${calendar}.ics`, { atLeast: made.seq });
        assert.equal(ics.read(answer.text).events.length, count);
    }
});

test('a moved booking is shown where it is now, under the same UID', async () => {
    const day = midnight(hf);
    const calendar = await makeCalendar(hf);
    const r = await commit(await hold(ann(), [slot(calendar, day)]));
    const [before] = (await fetched(calendar)).events;
    const to = { start: iso(day + DAY), end: iso(day + DAY + HOUR) };
    granted(await ann().patch(path(r, `/items/${r.items[0].item_id}`), to), 200);
    const [after] = (await fetched(calendar)).events;
    assert.equal(after.uid, before.uid);
    assert.deepEqual([after.start, after.end], [day + DAY, day + DAY + HOUR]);
});

test('any names and users are returned unchanged, in lines that fit', async () => {
    const day = midnight(hf);
    const names = [
        'a,b;c\\d:e"f\'g', '\\n is no line feed; \\, is no comma', 'ü'.repeat(128), '€'.repeat(85), '😀'.repeat(64),
        `${'x'.repeat(66)}\\`, `${'x'.repeat(65)},,,`, ' leading and trailing ', 'BEGIN:VEVENT',
    ];
    for (const name of names) {
        const calendar = await makeCalendar(hf, { name });
        const user = [...name].slice(0, 30).join('');
        await commit(await hold(hf.acting(user), [slot(calendar, day)]), hf.acting(user));
        const found = await fetched(calendar);
        assert.equal(found.name, name);
        assert.equal(found.events[0].summary, name);
        assert.equal(found.events[0].description.slice(8), user);
    }
});

test('fractions of a second belong to the booking', async () => {
    const day = midnight(hf);
    const calendar = await makeCalendar(hf);
    const item = { calendar, start: iso(day + 1), end: iso(day + 60_001) };
    await commit(await hold(ann(), [item]));
    assert.deepEqual(spans(await fetched(calendar)), [[day, day + 61_000]]);
});

test('from and to: the bookings that overlap', async () => {
    const day = midnight(hf);
    const calendar = await makeCalendar(hf);
    await commit(await hold(ann(), [0, 1, 2, 3].map((n) => slot(calendar, day + n * HOUR, 30))));
    await commit(await hold(ann(), [slot(calendar, day + 10 * DAY, 300 * 1440)]));
    const part = async (from, to) => spans(await fetched(calendar, `?${new URLSearchParams({
        ...(from === null ? {} : { from: iso(from) }), ...(to === null ? {} : { to: iso(to) })
    })}`)).map(([start]) => (start - day) / HOUR);
    assert.deepEqual(await part(null, null), [0, 1, 2, 3, 240]);
    assert.deepEqual(await part(day + HOUR, day + 2 * HOUR), [1]);
    assert.deepEqual(await part(day + 1.5 * HOUR, day + 2 * HOUR + 1), [2]);
    assert.deepEqual(await part(day + 1.5 * HOUR - 1, null), [1, 2, 3, 240]);
    assert.deepEqual(await part(null, day + HOUR), [0]);
    assert.deepEqual(await part(day + 200 * DAY, day + 201 * DAY), [240], 'begun long before');
    invalid(await hf.admin.get(`/v1/calendars/${calendar}.ics?from=x`), '?from');
    invalid(await hf.admin.get(`/v1/calendars/${calendar}.ics?from=${iso(day)}&to=${iso(day)}`), '?to');
    invalid(await hf.admin.get(`/v1/calendars/${calendar}.ics?limit=5`), '?limit');
});

test('many bookings, all of them', async () => {
    const day = midnight(hf);
    const calendar = await makeCalendar(hf, { capacity: 1000 });
    const total = 5_200; /* more than is read from the book at once */
    for (let done = 0; done < total; done += 1_300) {
        await Promise.all(Array.from({ length: 13 }, (_, part) => {
            const items = Array.from({ length: 100 }, (__, i) => slot(calendar,
                day + (done + part * 100 + i) * MINUTE, 60));
            return hold(hf.app, items, { user_id: 'ann', commit: true });
        }));
    }
    assert.deepEqual(spans(await fetched(calendar)),
        Array.from({ length: total }, (_, i) => [day + i * MINUTE, day + (i + 60) * MINUTE]));
});

test('HEAD, other methods, and who may', async () => {
    const calendar = await makeCalendar(hf);
    const [get, head] = [await hf.admin.get(`/v1/calendars/${calendar}.ics`),
        await hf.admin.head(`/v1/calendars/${calendar}.ics`)];
    assert.equal(head.status, 200);
    assert.equal(head.size, 0);
    assert.equal(head.headers['content-length'], get.headers['content-length']);
    assert.equal((await hf.admin.delete(`/v1/calendars/${calendar}.ics`)).headers.allow, 'GET, HEAD');
    refused(await hf.anyone.get(`/v1/calendars/${calendar}.ics`), 401, 'unauthenticated');
    for (const caller of [hf.user('ann'), hf.app]) {
        refused(await caller.get(`/v1/calendars/${calendar}.ics`), 403, 'forbidden');
    }
    refused(await hf.admin.get(`/v1/calendars/${unique('calendar')}.ics`), 404, 'no_such_calendar');
});

test('DTSTAMP is of the last change, whatever it was', ownClock, async () => {
    const day = midnight(hf);
    const calendar = await makeCalendar(hf);
    const r = await commit(await hold(ann(), [slot(calendar, day)]));
    const stamp = async () => (await fetched(calendar)).events[0].stamp;
    const second = () => Math.floor(hf.now() / 1000) * 1000;
    assert.equal(await stamp(), Math.floor(Date.parse(r.confirmed_at) / 1000) * 1000);
    hf.clock.advance(3_600_000);
    const moved = await hf.app.patch(path(r, `/items/${r.items[0].item_id}`), { start: iso(day + HOUR), end: iso(day + HOUR + 30 * MINUTE) });
    granted(moved, 200);
    const after = await stamp();
    assert.ok(Math.abs(after - second()) <= 5_000, `${after} ${second()}`);
    hf.clock.advance(3_600_000);
    granted(await hf.app.patch(path(r), { attributes: { reason: 'other' } }), 200);
    const later = await stamp();
    assert.ok(later - after >= 3_590_000, `${later} ${after}`);
});
