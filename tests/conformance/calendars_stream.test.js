/* SPDX-License-Identifier: Apache-2.0 */
/* The stream of a calendar: which time could look different, from a reset on, without a gap. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, unique, ownClock, ownProcess } = require('./lib/server.js');
const { hold } = require('./lib/catalogue.js');
const { MINUTE, HOUR, iso, midnight, makeCalendar, slot } = require('./lib/calendars.js');
const { refused, granted } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.acting('ann');
const place = (id, rest = '/stream') => `/v1/calendars/${id}${rest}`;
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const is = (from, to) => (e) => e.name === 'changed' && e.json.from === iso(from) && e.json.to === iso(to);

/* A stream that is past its reset. */
async function follow(calendar, options, server = hf) {
    const stream = await server.anyone.stream(place(calendar), options);
    assert.equal(stream.status, 200);
    const reset = await stream.next();
    assert.equal(reset.name, 'reset');
    return Object.assign(stream, { reset });
}

test('it needs no credentials, begins with reset {version}, and is 404 for a calendar that does not exist', async () => {
    const calendar = await makeCalendar(hf);
    const stream = await follow(calendar);
    assert.match(stream.headers['content-type'], /^text\/event-stream\b/);
    assert.deepEqual(Object.keys(stream.reset.json), ['version']);
    assert.equal(Number(stream.reset.id), stream.reset.json.version);
    stream.close();
    refused(await hf.anyone.get(place(unique('calendar'))), 404, 'no_such_calendar');
});

test('claims that begin, move, are released and expire are sent; commits and reads are not', ownClock, async () => {
    const calendar = await makeCalendar(hf);
    const at = midnight(hf);
    const stream = await follow(calendar);
    const r = await hold(ann(), [slot(calendar, at), slot(calendar, at + 5 * HOUR)]);
    const first = await stream.next(is(at, at + 30 * MINUTE));
    assert.deepEqual(Object.keys(first.json), ['from', 'to']);
    assert.ok(Number(first.id) > stream.reset.json.version);
    await stream.next(is(at + 5 * HOUR, at + 5.5 * HOUR));
    const moved = { user_id: 'ann', start: iso(at + HOUR), end: iso(at + 2 * HOUR) };
    granted(await hf.app.patch(path(r, '/items/1'), moved), 200);
    await stream.next(is(at, at + 30 * MINUTE));
    await stream.next(is(at + HOUR, at + 2 * HOUR));
    granted(await ann().post(path(r, '/commit'), {}), 200);
    const other = await hold(ann(), [slot(calendar, at + 9 * HOUR)]);
    const next = await stream.next();
    assert.ok(is(at + 9 * HOUR, at + 9.5 * HOUR)(next), `a commit changes nothing: ${next.data}`);
    granted(await ann().delete(path(other)), 200);
    await stream.next(is(at + 9 * HOUR, at + 9.5 * HOUR));
    const lapsing = await hold(ann(), [slot(calendar, at + 20 * HOUR)], { ttl_seconds: 60 });
    await stream.next(is(at + 20 * HOUR, at + 20.5 * HOUR));
    hf.clock.advance(61_000);
    const expired = await stream.next(is(at + 20 * HOUR, at + 20.5 * HOUR));
    assert.ok(expired && lapsing);
    stream.close();
});

test('it covers all slots that a claim makes unavailable', async () => {
    const calendar = await makeCalendar(hf, { buffer_minutes: 10, buffer_before_minutes: 5 });
    const at = midnight(hf);
    const stream = await follow(calendar);
    await hold(ann(), [slot(calendar, at + HOUR)]);
    await stream.next(is(at + HOUR - 15 * MINUTE, at + 1.5 * HOUR + 15 * MINUTE));
    stream.close();
});

test('changed settings concern all future time', async () => {
    const calendar = await makeCalendar(hf);
    const stream = await follow(calendar);
    assert.equal((await hf.admin.patch(place(calendar, ''), { slot_minutes: 15 })).status, 200);
    const { json } = await stream.next((e) => e.name === 'changed');
    assert.ok(Date.parse(json.from) <= hf.now() + MINUTE && Date.parse(json.to) > midnight(hf, 366));
    stream.close();
});

test('only this calendar is in it', async () => {
    const [calendar, other] = [await makeCalendar(hf), await makeCalendar(hf)];
    const at = midnight(hf);
    const stream = await follow(calendar);
    await hold(ann(), [slot(other, at)]);
    await hold(ann(), [slot(calendar, at + HOUR)]);
    const first = await stream.next();
    assert.ok(is(at + HOUR, at + 1.5 * HOUR)(first), first.data);
    stream.close();
});

test('Last-Event-ID resumes without a gap and without a reset; an unknown one begins with a reset', async () => {
    const calendar = await makeCalendar(hf);
    const at = midnight(hf);
    const first = await follow(calendar);
    await hold(ann(), [slot(calendar, at)]);
    const seen = await first.next(is(at, at + 30 * MINUTE));
    first.close();
    const r = await hold(ann(), [slot(calendar, at + HOUR)]);
    granted(await ann().delete(path(r)), 200);
    await hold(ann(), [slot(calendar, at + 2 * HOUR)]);
    const second = await hf.anyone.stream(place(calendar), { lastEventId: seen.id });
    await second.until(() => second.events.some(is(at + 2 * HOUR, at + 2.5 * HOUR)), 'the third');
    assert.deepEqual(second.events.map((e) => e.json.from), [at + HOUR, at + HOUR, at + 2 * HOUR].map(iso));
    second.close();
    for (const lastEventId of [Number(seen.id) + 1_000_000_000, 'garbage', '1']) {
        (await follow(calendar, { lastEventId })).close();
    }
});

test('every change comes to every follower, in order', async () => {
    const calendar = await makeCalendar(hf);
    const at = midnight(hf);
    const streams = await Promise.all(Array.from({ length: 5 }, () => follow(calendar)));
    await Promise.all(Array.from({ length: 60 }, (_, i) => hold(ann(), [slot(calendar, at + i * HOUR)])));
    for (const stream of streams) {
        await stream.until(() => new Set(stream.events.map((e) => e.json.from)).size === 60, 'sixty slots');
        const ids = stream.events.map((e) => Number(e.id));
        assert.deepEqual(ids, [...ids].sort((a, b) => a - b));
        stream.close();
    }
});

test('deleting the calendar ends its streams at once; a new one of the same name is separate', ownProcess, async (t) => {
    const server = await new Server().start();
    t.after(() => server.close());
    server.app = await server.key('app');
    const calendar = await makeCalendar(server);
    const aside = await makeCalendar(server);
    const streams = await Promise.all(Array.from({ length: 300 }, () => follow(calendar, {}, server)));
    const beside = await follow(aside, {}, server);
    assert.equal((await server.admin.delete(place(calendar, ''))).status, 204);
    await makeCalendar(server, { id: calendar });
    await hold(server.acting('ann'), [slot(calendar, midnight(server))]);
    for (const stream of streams) {
        await stream.until(() => stream.ended, 'the end');
        assert.deepEqual(stream.events, [], 'no reset for what is gone, and nothing of the other');
    }
    assert.ok(!beside.ended);
    beside.close();
    /* Nor does it continue where the old one was. */
    const other = await follow(calendar, { lastEventId: streams[0].reset.id }, server);
    other.close();
});

test('a comment every 15 seconds; after kill -9 a resumption begins with a reset', ownProcess, async (t) => {
    const server = await new Server().start();
    t.after(() => server.close());
    server.app = await server.key('app');
    const calendar = await makeCalendar(server);
    const at = midnight(server);
    const stream = await follow(calendar, {}, server);
    server.clock.skip(15_500);
    await stream.until(() => stream.comments > 0, 'a comment');
    await hold(server.acting('ann'), [slot(calendar, at)]);
    const seen = await stream.next(is(at, at + 30 * MINUTE));
    await hold(server.acting('ann'), [slot(calendar, at + HOUR)]);
    await server.restart({ kill: true });
    const again = await follow(calendar, { lastEventId: seen.id }, server);
    assert.ok(again.reset.json.version > Number(seen.id), 'what was sent is durable');
    refused(await server.app.post('/v1/reservations', { user_id: 'bob', items: [slot(calendar, at)] }), 409, 'taken');
    again.close();
});
