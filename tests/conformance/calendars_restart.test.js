/* SPDX-License-Identifier: Apache-2.0 */
/* Calendars, claims and bookings survive SIGTERM and kill -9, and are judged as before. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, unique, ownProcess } = require('./lib/server.js');
const { makeEvent, hold } = require('./lib/catalogue.js');
const { MINUTE, HOUR, DAY, iso, midnight, monday, makeCalendar, slot, slots } = require('./lib/calendars.js');
const { instant, refused, granted } = require('./lib/expect.js');
const ics = require('./lib/ics.js');

const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const lasting = ({ expires_in, expires_in_ms, ...rest }) => rest;

/* A server of the test's own, closed whatever happens. */
function own(name, body) {
    test(name, ownProcess, async () => {
        const hf = await new Server().start();
        try {
            hf.app = await hf.key('app');
            await body(hf);
        } finally {
            await hf.close();
        }
    });
}

async function bookings(hf, calendar) {
    const now = await hf.anyone.get('/healthz');
    const ask = () => hf.admin.get(`/v1/calendars/${calendar}.ics`, hf.since(now));
    return ics.read((await hf.eventually(ask, (one) => one.seq >= now.seq, 'the book has it')).text);
}

for (const kill of [false, true]) {
    const how = kill ? 'kill -9' : 'SIGTERM';

    own(`${how}: settings, claims, services, moves and bookings survive`, async (hf) => {
        const day = monday(hf);
        const at = day + 10 * HOUR;
        const event = await makeEvent(hf, { seats: 'A1' });
        const settings = {
            name: 'Dr Smith, "ü"', timezone: 'America/St_Johns', capacity: 2, price: 900, buffer_minutes: 15,
            slot_minutes: 25,
            hours: [{ days: ['mon', 'tue'], from: '00:00', to: '24:00' },
            { days: ['sat'], from: '22:00', to: '02:00' }],
            closed: [{ start: iso(day + 40 * DAY), end: iso(day + 41 * DAY) }],
            services: [{ id: 'gone', duration_minutes: 10, price: 1 }, { id: 'cut', duration_minutes: 45, price: 2 }],
        };
        const calendar = await makeCalendar(hf, settings);
        const ann = hf.acting('ann');
        const held = await hold(ann, [slot(calendar, at), { event, seat: 'A1' },
            { calendar, start: iso(at + HOUR), service: 'gone' }]);
        await makeCalendar(hf, { ...settings, id: calendar, services: [settings.services[1]] });
        const sold = await hold(ann, [{ calendar, start: iso(at), service: 'cut' }, slot(calendar, at + 8 * HOUR)]);
        granted(await ann.post(path(sold, '/commit'), {}), 200);
        granted(await ann.patch(path(sold, '/items/2'), { start: iso(at + 9 * HOUR), end: iso(at + 10 * HOUR) }),
            200);
        const released = await hold(ann, [slot(calendar, at + 5 * HOUR)]);
        granted(await ann.delete(path(released)), 200);
        const read = async () => {
            const mine = [];
            for (const r of [held, sold, released]) {
                mine.push(lasting(granted(await ann.get(path(r)), 200)));
            }
            const { json } = await hf.anyone.get(`/v1/calendars/${calendar}`);
            const free = await slots(hf, calendar, { from: day, to: day + 14 * DAY, limit: 1000 });
            return { mine, json, free, booked: await bookings(hf, calendar) };
        };
        const before = await read();
        assert.equal(before.mine[0].items[2].service, 'gone');
        assert.deepEqual(before.booked.events.map((one) => one.start), [at, at + 9 * HOUR]);
        await hf.restart({ kill });
        assert.deepEqual(await read(), before);
        const full = refused(await ann.post('/v1/reservations', { items: [slot(calendar, at + 10 * MINUTE)] }),
            409, 'taken');
        assert.equal(full.items[0].status, 'held');
        granted(await ann.post(path(held, '/commit'), {}), 200);
        const gone = refused(await ann.post('/v1/reservations', { items: [slot(calendar, at + 10 * MINUTE)] }),
            409, 'taken');
        assert.equal(gone.items[0].status, 'sold');
        refused(await hf.admin.put(`/v1/calendars/${calendar}`, { ...settings, capacity: 1 }), 409,
            'capacity_in_use');
        const next = await hold(ann, [slot(calendar, at + 5 * HOUR)]);
        assert.ok(next.fence > Math.max(held.fence, sold.fence));
        await hf.restart({ kill });
        assert.deepEqual((await bookings(hf, calendar)).events.length, 4);
    });

    own(`${how}: what lapsed in between is free, the rest is not`, async (hf) => {
        const at = midnight(hf);
        const calendar = await makeCalendar(hf, { hold_ttl_seconds: 60 });
        const ann = hf.acting('ann');
        const short = await hold(ann, [slot(calendar, at)], { ttl_seconds: 20 });
        const long = await hold(ann, [slot(calendar, at + HOUR)]);
        const headers = { 'Idempotency-Key': unique('key') };
        const body = { items: [slot(calendar, at + 2 * HOUR)] };
        const once = granted(await ann.post('/v1/reservations', body, { headers }), 201);
        await (kill ? hf.kill9() : hf.stop());
        hf.clock.goto(instant(short.expires_at));
        await hf.launch();
        await hold(hf.acting('bob'), [slot(calendar, at)]);
        refused(await ann.post(path(short, '/commit'), {}), 409, 'expired');
        refused(await hf.acting('bob').post('/v1/reservations', { items: [slot(calendar, at + HOUR)] }), 409, 'taken');
        granted(await ann.post(path(long, '/commit'), {}), 200);
        const again = await ann.post('/v1/reservations', body, { headers });
        granted(again, 201, { reservation_id: once.reservation_id });
        assert.equal(again.headers['idempotent-replayed'], 'true');
    });
}

own('without the data of a calendar\'s time zone it does not start, and says which', async (hf) => {
    const calendar = await makeCalendar(hf, { timezone: 'Pacific/Chatham' });
    await hf.stop();
    hf.env = { TZDIR: hf.data };
    await assert.rejects(hf.launch(), (error) => /ended with 64/.test(error.message) &&
        error.message.includes(calendar) && error.message.includes('Pacific/Chatham'));
    hf.env = {};
    await hf.launch();
    assert.equal((await hf.anyone.get(`/v1/calendars/${calendar}`)).json.timezone, 'Pacific/Chatham');
});

own('the process\'s own time zone makes no difference', async (hf) => {
    const day = monday(hf);
    const calendar = await makeCalendar(hf, { timezone: 'Europe/London',
        hours: [{ days: ['mon'], from: '09:00', to: '10:00' }] });
    const before = await slots(hf, calendar, { from: day, to: day + 62 * DAY });
    hf.env = { TZ: 'Pacific/Kiritimati' };
    await hf.restart();
    assert.deepEqual(await slots(hf, calendar, { from: day, to: day + 62 * DAY }), before);
});

own('kill -9 during many claims: everything acknowledged survives, nothing overlaps', async (hf) => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf, { capacity: 2 });
    const acknowledged = new Map(); /* id → whether a commit was acknowledged */
    for (let cycle = 0; cycle < 3; cycle++) {
        let dead = false;
        const worker = async (n) => {
            for (let turn = 0; !dead && turn < 40; turn++) {
                const item = slot(calendar, at + ((n * 31 + turn * 17 + cycle * 7) % 211) * 7 * MINUTE, 5 + (n % 9));
                const made = await hf.app.post('/v1/reservations', { items: [item], user_id: 'ann' });
                if (made.status !== 201) {
                    refused(made, 409, 'taken');
                    continue;
                }
                acknowledged.set(made.json.reservation_id, false);
                if (turn % 2 === 0) {
                    granted(await hf.app.post(path(made.json, '/commit'), {}), 200);
                    acknowledged.set(made.json.reservation_id, true);
                }
            }
        };
        const work = Array.from({ length: 16 }, (_, n) => worker(n).catch((error) => {
            assert.ok(dead, error.message);
        }));
        await hf.eventually(async () => acknowledged.size, (size) => size >= 60 * (cycle + 1) || size >= 150,
            'some claims');
        dead = true;
        await hf.kill9();
        await Promise.all(work);
        await hf.launch();
    }
    const claims = [];
    for (const [id, committed] of acknowledged) {
        const r = granted(await hf.app.get(`/v1/reservations/${id}`), 200);
        assert.ok(!committed || r.status === 'confirmed', `${id} is ${r.status}`);
        claims.push(...r.items.map((it) => [Date.parse(it.start), Date.parse(it.end)]));
    }
    for (const [start] of claims) {
        const there = claims.filter(([from, to]) => from <= start && start < to).length;
        assert.ok(there <= 2, `${there} at ${iso(start)}`);
    }
    const { json } = await hf.admin.put(`/v1/calendars/${calendar}`, { name: 'x', capacity: 2 });
    assert.equal(json.capacity, 2);
});
