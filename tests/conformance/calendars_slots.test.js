/* SPDX-License-Identifier: Apache-2.0 */
/* The slots of a calendar: those that can be claimed now, and no others. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { hold } = require('./lib/catalogue.js');
const {
    MINUTE, HOUR, DAY, WEEKDAYS, iso, midnight, monday, makeCalendar, slot, slots, starts, grid
} = require('./lib/calendars.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.acting('ann');
const ask = (calendar, query) => hf.anyone.get(`/v1/calendars/${calendar}/slots?${new URLSearchParams(query)}`);
const week = (day) => ({ from: day, to: day + 7 * DAY });
const every = (from, to, days = WEEKDAYS) => [{ days, from, to }];

test('they start with each range, step by slot_minutes and lie entirely within the hours', async () => {
    const day = monday(hf);
    const hours = [
        { days: ['mon', 'tue'], from: '09:10', to: '11:00' }, { days: ['mon'], from: '13:00', to: '13:50' },
        { days: ['wed'], from: '08:00', to: '08:20' },
    ];
    const calendar = await makeCalendar(hf, { hours, slot_minutes: 25 });
    const found = await slots(hf, calendar, week(day));
    const wanted = [
        ...[9 * 60 + 10, 9 * 60 + 35, 10 * 60, 10 * 60 + 25, 13 * 60, 13 * 60 + 25].map((m) => day + m * MINUTE),
        ...[9 * 60 + 10, 9 * 60 + 35, 10 * 60, 10 * 60 + 25].map((m) => day + DAY + m * MINUTE),
    ];
    assert.deepEqual(found, wanted.map((start) => [start, start + 25 * MINUTE, 1]));
});

test('without hours they begin at local midnight', async () => {
    const day = midnight(hf);
    const plain = await makeCalendar(hf, { slot_minutes: 7 * 60 });
    assert.deepEqual(await starts(hf, plain, { from: day, to: day + 2 * DAY }),
        [0, 7, 14, 21, 24, 31, 38, 45].map((hour) => day + hour * HOUR));
    const kathmandu = await makeCalendar(hf, { slot_minutes: 24 * 60, timezone: 'Asia/Kathmandu' });
    assert.deepEqual(await starts(hf, kathmandu, { from: day, to: day + 2 * DAY }),
        [18.25, 42.25].map((hour) => day + hour * HOUR), '+05:45');
});

test('past midnight, and around the clock', async () => {
    const day = monday(hf);
    const night = await makeCalendar(hf, { hours: every('22:00', '02:00', ['mon', 'sun']), slot_minutes: 60 });
    assert.deepEqual(await starts(hf, night, week(day)),
        [0, 1, 22, 23, 24, 25, 166, 167].map((hour) => day + hour * HOUR));
    const whole = await makeCalendar(hf, { hours: every('09:00', '09:00', ['mon']), slot_minutes: 360 });
    assert.deepEqual(await starts(hf, whole, week(day)), [9, 15, 21, 27].map((hour) => day + hour * HOUR));
    assert.deepEqual(await starts(hf, whole, { ...week(day), duration_minutes: 24 * 60 }), [day + 9 * HOUR]);
    assert.deepEqual(await starts(hf, whole, { ...week(day), duration_minutes: 24 * 60 + 1 }), []);
});

test('start in [from, to)', async () => {
    const day = midnight(hf);
    const calendar = await makeCalendar(hf, { slot_minutes: 60 });
    assert.deepEqual(await starts(hf, calendar, { from: day, to: day + 1 }), [day]);
    assert.deepEqual(await starts(hf, calendar, { from: day + 1, to: day + HOUR }), []);
    assert.deepEqual(await starts(hf, calendar, { from: day + 1, to: day + HOUR + 1 }), [day + HOUR]);
    const [last] = (await slots(hf, calendar, { from: day, to: day + DAY, duration_minutes: 600 })).slice(-1);
    assert.deepEqual(last, [day + 23 * HOUR, day + 33 * HOUR, 1], 'the end may lie after `to`');
});

test('by a duration or by a service; the step stays', async () => {
    const day = monday(hf);
    const services = [{ id: 'short', duration_minutes: 10, price: 0 },
        { id: 'long', duration_minutes: 90, price: 0 }];
    const calendar = await makeCalendar(hf, { hours: every('09:00', '11:00', ['mon']), services });
    const at = (...hours) => hours.map((hour) => day + hour * HOUR);
    const lengths = (list) => [...new Set(list.map(([start, end]) => (end - start) / MINUTE))];
    assert.deepEqual(await starts(hf, calendar, week(day)), at(9, 9.5, 10, 10.5));
    for (const more of [{ duration_minutes: 90 }, { service: 'long' }]) {
        const found = await slots(hf, calendar, { ...week(day), ...more });
        assert.deepEqual(found.map(([start]) => start), at(9, 9.5));
        assert.deepEqual(lengths(found), [90]);
    }
    const short = await slots(hf, calendar, { ...week(day), service: 'short' });
    assert.deepEqual(short.map(([start]) => start), at(9, 9.5, 10, 10.5));
    assert.deepEqual(lengths(short), [10]);
});

test('closed intervals are left out, and slots that would reach into them', async () => {
    const day = monday(hf);
    const closed = [{ start: iso(day + 10.25 * HOUR), end: iso(day + 12 * HOUR) }];
    const calendar = await makeCalendar(hf, { hours: every('09:00', '14:00', ['mon']), closed });
    assert.deepEqual(await starts(hf, calendar, week(day)), [9, 9.5, 12, 12.5, 13, 13.5].map((h) => day + h * HOUR));
    assert.deepEqual(
        await starts(hf, calendar, { ...week(day), duration_minutes: 60 }),
            [9, 12, 12.5, 13].map((h) => day + h * HOUR)
    );
});

test('they show the remaining capacity; held and confirmed count alike, and so does the buffer', async () => {
    const day = midnight(hf);
    const calendar = await makeCalendar(hf, { capacity: 3, slot_minutes: 60, buffer_minutes: 30 });
    const a = await hold(ann(), [slot(calendar, day + HOUR, 60)]);
    await hold(ann(), [slot(calendar, day + 2 * HOUR, 60)]);
    const room = async () => (await slots(hf, calendar, { from: day, to: day + 5 * HOUR })).map(([, , left]) => left);
    /* Each slot needs its own buffer too: 00:00 to 01:30 meets the first claim, 01:00 to 02:30 both. */
    assert.deepEqual(await room(), [2, 1, 1, 2, 3]);
    granted(await ann().post(`/v1/reservations/${a.reservation_id}/commit`, {}), 200);
    assert.deepEqual(await room(), [2, 1, 1, 2, 3]);
    await hold(ann(), [slot(calendar, day + HOUR, 60)]);
    const [first] = await slots(hf, calendar, { from: day + HOUR, to: day + 5 * HOUR });
    assert.equal(first[0], day + 3 * HOUR, 'those without room are not shown');
});

test('every listed slot can be claimed, and no full one between them can', async () => {
    const day = monday(hf);
    const calendar = await makeCalendar(hf, { hours: every('09:00', '12:00', ['mon']), buffer_minutes: 5 });
    await hold(ann(), [slot(calendar, day + 10 * HOUR, 20)]);
    const shown = await starts(hf, calendar, week(day));
    assert.deepEqual(shown, [9, 10.5, 11, 11.5].map((hour) => day + hour * HOUR), '09:30 would buffer into 10:00');
    for (const start of [9, 10.5].map((hour) => day + hour * HOUR)) {
        await hold(ann(), [slot(calendar, start)]);
    }
    assert.deepEqual(await starts(hf, calendar, week(day)), [day + 11.5 * HOUR]);
    for (const start of [9.5, 10, 11].map((hour) => day + hour * HOUR)) {
        refused(await ann().post('/v1/reservations', { items: [slot(calendar, start)] }), 409, 'taken');
    }
});

test('released and lapsed slots are free again at once', ownClock, async () => {
    const day = midnight(hf, 60);
    const calendar = await makeCalendar(hf, { slot_minutes: 60, hold_ttl_seconds: 60 });
    const span = { from: day, to: day + 2 * HOUR };
    const r = await hold(ann(), [slot(calendar, day, 120)]);
    assert.deepEqual(await starts(hf, calendar, span), []);
    granted(await ann().delete(`/v1/reservations/${r.reservation_id}`), 200);
    assert.deepEqual(await starts(hf, calendar, span), [day, day + HOUR]);
    await hold(ann(), [slot(calendar, day, 120)]);
    hf.clock.advance(60_000);
    await hf.eventually(() => starts(hf, calendar, span), (now) => now.length === 2, 'both are free');
});

test('only future slots', ownClock, async () => {
    const calendar = await makeCalendar(hf, { slot_minutes: 1 });
    const now = hf.now();
    const shown = await starts(hf, calendar, { from: now - DAY, to: now + 10 * MINUTE });
    assert.ok(shown.length >= 8 && shown.length <= 10, `${shown.length}`);
    assert.ok(shown[0] >= now);
    assert.deepEqual(await starts(hf, calendar, { from: now - 2 * DAY, to: now - DAY }), []);
    hf.clock.advance(5 * MINUTE);
    const later = await starts(hf, calendar, { from: now - DAY, to: now + 10 * MINUTE });
    assert.deepEqual(later, shown.slice(-later.length));
    assert.ok(later.length < shown.length);
});

test('defaults: from now on, seven days', async () => {
    const calendar = await makeCalendar(hf, { slot_minutes: 720 });
    const now = hf.now();
    const shown = await starts(hf, calendar);
    assert.equal(shown.length, 14);
    assert.ok(shown[0] >= now && shown[0] <= now + DAY / 2 + HOUR);
    const from = midnight(hf);
    assert.deepEqual(await starts(hf, calendar, { from }), grid(from, from + 7 * DAY, 720));
});

test('at most 62 days', async () => {
    const calendar = await makeCalendar(hf, { slot_minutes: 1440 });
    const from = midnight(hf);
    assert.equal((await starts(hf, calendar, { from, to: from + 62 * DAY })).length, 62);
    invalid(await ask(calendar, { from: iso(from), to: iso(from + 62 * DAY + 1) }), '?to');
    invalid(await ask(calendar, { to: iso(hf.now() + 63 * DAY) }), '?to');
});

test('nothing is listed more than ten years ahead', async () => {
    const calendar = await makeCalendar(hf, { slot_minutes: 1440, horizon_days: 3660 });
    const edge = hf.now() + 3660 * DAY;
    const shown = await slots(hf, calendar, { from: edge - 5 * DAY, to: edge + 5 * DAY });
    assert.ok(shown.length >= 3 && shown.length <= 5, `${shown.length}`);
    await hold(ann(), [slot(calendar, shown.at(-1)[0], 1440)]);
    assert.deepEqual(await slots(hf, calendar, { from: edge + DAY, to: edge + 5 * DAY }), []);
    assert.deepEqual(await slots(hf, calendar, { from: Date.UTC(9998, 0), to: Date.UTC(9998, 1) }), []);
});

test('invalid queries are 400 and point at the parameter', async () => {
    const calendar = await makeCalendar(hf, { services: [{ id: 's', duration_minutes: 30, price: 0 }] });
    const from = midnight(hf);
    const bad = [
        [{ from: 'tomorrow' }, '?from'], [{ from: '2031-12-03' }, '?from'], [{ from: '' }, '?from'],
        [{ to: '2031-12-03T14:00' }, '?to'], [{ from: iso(from), to: iso(from) }, '?to'],
        [{ from: iso(from), to: iso(from - 1) }, '?to'], [{ to: iso(hf.now() - DAY) }, '?to'],
        [{ duration_minutes: 0 }, '?duration_minutes'], [{ duration_minutes: 527_041 }, '?duration_minutes'],
        [{ duration_minutes: 'x' }, '?duration_minutes'], [{ service: 'nope' }, '?service'],
        [{ service: '' }, '?service'], [{ service: 's', duration_minutes: 30 }, '?service'],
        [{ limit: 0 }, '?limit'], [{ limit: 1001 }, '?limit'], [{ cursor: 'x' }, '?cursor'],
        [{ cursor: '7ZZZZZZZZZZZZZZZZZZZZZZZZZ' }, '?cursor'], [{ cursor: '0'.repeat(26) }, '?cursor'],
        [{ colour: 'red' }, '?colour'],
    ];
    for (const [query, pointer] of bad) {
        const answer = await ask(calendar, query);
        assert.equal(answer.status, 400, `${JSON.stringify(query)}: ${answer.text}`);
        invalid(answer, pointer);
    }
    invalid(await ask(unique('calendar'), { from: 'tomorrow' }), '?from');
    refused(await ask(unique('calendar'), { service: 's' }), 404, 'no_such_calendar');
});

test('an offset, with its plus sign encoded or not', async () => {
    const calendar = await makeCalendar(hf, { slot_minutes: 60 });
    const day = midnight(hf);
    const local = `${iso(day).slice(0, 11)}02:00:00`;
    for (const sign of ['+', '%2B']) {
        const answer = await hf.anyone.get(
            `/v1/calendars/${calendar}/slots?from=${local}${sign}02:00&to=${local}${sign}01:00`
        );
        assert.deepEqual(answer.json?.data.map((one) => Date.parse(one.start)), [day], answer.text);
    }
});

test('page by page, the same slots, also when some are taken in between', async () => {
    const day = midnight(hf);
    const calendar = await makeCalendar(hf, { capacity: 2 });
    const span = { from: day, to: day + 5 * DAY };
    const all = await slots(hf, calendar, { ...span, limit: 1000 });
    assert.equal(all.length, 240);
    for (const limit of [1, 7, 100, 240, 1000]) {
        assert.deepEqual(await slots(hf, calendar, { ...span, limit }), all, `limit ${limit}`);
    }
    assert.equal((await ask(calendar, { from: iso(day), to: iso(day + 5 * DAY) })).json.data.length, 100);
    const query = { from: iso(day), to: iso(day + 5 * DAY), limit: 10 };
    const first = (await ask(calendar, query)).json;
    await hold(ann(), [slot(calendar, all[9][0]), slot(calendar, all[10][0]), slot(calendar, all[10][0])]);
    const next = (await ask(calendar, { ...query, cursor: first.next_cursor })).json;
    assert.equal(Date.parse(next.data[0].start), all[11][0], 'the full one is left out, none is shown twice');
    invalid(await ask(calendar, { ...query, to: iso(day + DAY), cursor: first.next_cursor }), '?cursor');
});

test('the end of a listing without `to` stays where it was', ownClock, async () => {
    const calendar = await makeCalendar(hf, { slot_minutes: 720 });
    const { data, next_cursor } = (await ask(calendar, { limit: 1 })).json;
    const seven = Date.parse(data[0].start) + 7 * DAY;
    hf.clock.advance(2 * DAY);
    const rest = (await ask(calendar, { limit: 100, cursor: next_cursor })).json;
    assert.ok(rest.data.every((one) => Date.parse(one.start) < seven));
    assert.equal(rest.next_cursor, null);
});

test('a calendar that is never open answers at once', async () => {
    const day = midnight(hf);
    const closed = [{ start: iso(day - DAY), end: iso(day + 100 * DAY) }];
    const calendar = await makeCalendar(hf, { slot_minutes: 1, closed });
    assert.deepEqual(await slots(hf, calendar, { from: day, to: day + 62 * DAY, limit: 1000 }), []);
    const full = await makeCalendar(hf, { slot_minutes: 1 });
    await hold(ann(), [slot(full, day, 62 * 1440)]);
    assert.deepEqual(await slots(hf, full, { from: day, to: day + 62 * DAY, limit: 1000 }), []);
});

test('every minute of 62 days, in pages', async () => {
    const day = midnight(hf);
    const calendar = await makeCalendar(hf, { slot_minutes: 1 });
    await hold(ann(), [slot(calendar, day + DAY, 1440)]);
    const found = await starts(hf, calendar, { from: day, to: day + 62 * DAY, limit: 1000 });
    const wanted = grid(day, day + 62 * DAY, 1).filter((at) => at < day + DAY || at >= day + 2 * DAY);
    assert.equal(found.length, wanted.length);
    assert.deepEqual(found, wanted);
});

/* ---- Clocks that change ---- */

/* The Sunday on or after the 25th of a month, at an hour of UTC. */
const lastSunday = (year, month, hour) => {
    const end = Date.UTC(year, month + 1, 0);
    return end - new Date(end).getUTCDay() * DAY + hour * HOUR;
};
const YEAR = new Date().getUTCFullYear() + 1;

test('London, the night the clocks go forward: 01:30 does not exist', async () => {
    const change = lastSunday(YEAR, 2, 1); /* 01:00 becomes 02:00 */
    const span = { from: change - HOUR, to: change + 12 * HOUR };
    const night = await makeCalendar(hf, { timezone: 'Europe/London', hours: every('00:00', '04:00', ['sun']) });
    assert.deepEqual(await starts(hf, night, span), grid(change - HOUR, change + 2 * HOUR), 'three hours long');
    const gap = await makeCalendar(hf, { timezone: 'Europe/London', hours: every('01:30', '03:00', ['sun']) });
    assert.deepEqual(await starts(hf, gap, span), [change + HOUR / 2], 'read with the offset before: 02:30 to 03:00');
    await hold(ann(), [slot(gap, change + HOUR / 2)]);
    refused(
        await ann().post('/v1/reservations', { items: [slot(gap, change, 30)] }), 409, 'closed'
    );
});

test('London, the night the clocks go back: 01:30 happens twice', async () => {
    const change = lastSunday(YEAR, 9, 1); /* 02:00 becomes 01:00 */
    const span = { from: change - 2 * HOUR, to: change + 12 * HOUR };
    const night = await makeCalendar(hf, { timezone: 'Europe/London', hours: every('00:00', '04:00', ['sun']) });
    assert.deepEqual(await starts(hf, night, span), grid(change - 2 * HOUR, change + 3 * HOUR), 'five hours long');
    const twice = await makeCalendar(hf, { timezone: 'Europe/London', hours: every('01:30', '02:00', ['sun']) });
    assert.deepEqual(await starts(hf, twice, span), grid(change - HOUR / 2, change + HOUR), 'from the first 01:30');
    const ends = await makeCalendar(hf, { timezone: 'Europe/London', hours: every('00:30', '01:30', ['sun']) });
    assert.deepEqual(await starts(hf, ends, span), grid(change - 1.5 * HOUR, change - HOUR / 2), 'to the first');
});

/* What a wall clock shows there, by another source of time zones than the server's. */
function wallClock(timeZone) {
    const format = new Intl.DateTimeFormat('en-GB', {
        timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23'
    });
    return (at) => {
        const parts = format.formatToParts(at).map(({ type, value }) => [type, value]);
        const { weekday, hour, minute } = Object.fromEntries(parts);
        return { day: weekday.toLowerCase(), clock: `${hour}:${minute}` };
    };
}

test('around both changes, in both hemispheres, every slot shows a clock within the hours', async () => {
    const hours = every('08:00', '18:00', ['mon', 'tue', 'wed', 'thu', 'fri', 'sat']);
    const zones = [
        'Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Santiago',
        'Pacific/Auckland', 'America/St_Johns', 'Africa/Casablanca'
    ];
    for (const timezone of zones) {
        const calendar = await makeCalendar(hf, { timezone, hours, slot_minutes: 60, horizon_days: 3660 });
        for (let from = Date.UTC(YEAR, 0, 3); from < Date.UTC(YEAR + 1, 0, 3); from += 61 * DAY) {
            const found = await starts(hf, calendar, { from, to: from + 61 * DAY, limit: 1000 });
            const shown = found.map(wallClock(timezone));
            assert.ok(shown.every(({ day, clock }) => day !== 'sun' && clock >= '08:00' && clock <= '17:00'),
                timezone);
            const mornings = shown.filter(({ clock }) => clock === '08:00').length;
            assert.ok(mornings >= 51 && mornings <= 54, `${timezone}: ${mornings} days are opened at eight`);
            assert.ok(Math.abs(found.length - mornings * 10) <= 10, `${timezone}: ten slots a day`);
        }
    }
});
