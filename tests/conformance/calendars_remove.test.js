/* SPDX-License-Identifier: Apache-2.0 */
/* A calendar can be deleted when nothing on it is in the future. Bookings stay readable, and the name is free. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, ownClock, ownProcess } = require('./lib/server.js');
const { makeEvent, hold } = require('./lib/catalogue.js');
const { MINUTE, HOUR, DAY, iso, midnight, makeCalendar, slot, slots } = require('./lib/calendars.js');
const { refused, granted } = require('./lib/expect.js');

const hf = shared();
const place = (id, rest = '') => `/v1/calendars/${id}${rest}`;
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const remove = async (id, server = hf) => {
    const gone = await server.admin.delete(place(id));
    assert.equal(gone.status, 204, gone.text);
    assert.equal(gone.text, '');
};

test('DELETE: 204, only without claims that are not over', async () => {
    const at = midnight(hf);
    const calendar = await makeCalendar(hf);
    const ann = hf.acting('ann');
    const held = await hold(ann, [slot(calendar, at)]);
    const problem = refused(await hf.admin.delete(place(calendar)), 409, 'in_use');
    assert.equal(problem.detail, 'This calendar has bookings that are not over.');
    granted(await ann.delete(path(held)), 200);
    const sold = await hold(ann, [slot(calendar, at)]);
    granted(await ann.post(path(sold, '/commit'), {}), 200);
    refused(await hf.admin.delete(place(calendar)), 409, 'in_use');
    const other = await makeCalendar(hf);
    await remove(other);
    for (const [caller, rest] of [[hf.anyone, ''], [hf.anyone, '/slots'], [hf.admin, '.ics']]) {
        refused(await caller.get(place(other, rest)), 404, 'no_such_calendar');
    }
    refused(await hf.admin.delete(place(other)), 404, 'no_such_calendar');
    refused(await hf.admin.patch(place(other), { name: 'x' }), 404, 'no_such_calendar');
    refused(await ann.post('/v1/reservations', { items: [slot(other, at)] }), 404, 'no_such_calendar');
    const listed = async (id) => {
        for (let cursor = ''; cursor !== null;) {
            const { json } = await hf.anyone.get(`/v1/calendars?limit=1000${cursor && `&cursor=${cursor}`}`);
            if (json.data.some((one) => one.id === id)) {
                return true;
            }
            cursor = json.next_cursor;
        }
        return false;
    };
    assert.deepEqual([await listed(calendar), await listed(other)], [true, false]);
});

test('it is for admins', async () => {
    const calendar = await makeCalendar(hf);
    refused(await hf.anyone.delete(place(calendar)), 401, 'unauthenticated');
    for (const caller of [hf.app, hf.user('ann')]) {
        refused(await caller.delete(place(calendar)), 403, 'forbidden');
    }
    assert.equal((await hf.anyone.get(place(calendar))).status, 200);
});

/* A server of its own after an hour booked on a calendar has passed and the calendar is deleted. */
async function passed(server) {
    const services = [{ id: 'wash', duration_minutes: 10, price: 5 }];
    const event = await makeEvent(server, { seats: 'A1-A2' });
    const settings = { services, buffer_minutes: 5, hold_ttl_seconds: 7200, max_hold_seconds: 7200 };
    const calendar = await makeCalendar(server, settings);
    const ann = server.acting('ann');
    const at = server.now() + 10 * MINUTE;
    const sold = await hold(ann, [{ calendar, start: iso(at), service: 'wash' }, { event, seat: 'A1' }]);
    granted(await ann.post(path(sold, '/commit'), {}), 200);
    const long = await makeEvent(server, { seats: 'A1', hold_ttl_seconds: 7200, max_hold_seconds: 7200 });
    const held = await hold(ann, [{ calendar, start: iso(at + 20 * MINUTE), service: 'wash' }, { event: long, seat: 'A1' }]);
    refused(await server.admin.delete(place(calendar)), 409, 'in_use');
    server.clock.advance(10 * MINUTE + 10 * MINUTE + 20 * MINUTE);
    refused(await server.admin.delete(place(calendar)), 409, 'in_use');
    server.clock.advance(5 * MINUTE);
    await remove(calendar, server);
    return { calendar, ann, sold, held, at };
}

/* A reservation as it is shown, without the parts that depend on the clock. */
const lasting = ({ expires_in, expires_in_ms, ...rest }) => rest;

for (const kill of [false, true]) {
    test(`past bookings stay readable, also after ${kill ? 'kill -9' : 'SIGTERM'}; the name can be reused`,
        ownProcess, async () => {
            const server = await new Server().start();
            try {
                server.app = await server.key('app');
                const { calendar, ann, sold, held, at } = await passed(server);
                const read = async () => {
                    const seen = [];
                    for (const r of [sold, held]) {
                        seen.push(lasting(granted(await ann.get(path(r)), 200)));
                        const { json } = await ann.get(path(r, '/history'), server.since(await server.anyone.get('/healthz')));
                        seen.push(json.data);
                    }
                    return seen;
                };
                const before = await read();
                assert.deepEqual(before[0].items[0].calendar, calendar);
                assert.deepEqual(before[0].items[0].service, 'wash');
                await server.restart({ kill });
                assert.deepEqual(await read(), before);
                refused(await server.anyone.get(place(calendar)), 404, 'no_such_calendar');
                /* A new calendar of that name has nothing of the old one. */
                await makeCalendar(server, { id: calendar });
                assert.deepEqual(await read(), before);
                const free = await slots(server, calendar, { from: at + DAY, to: at + DAY + HOUR });
                assert.equal(free.length, 2);
                const move = { start: iso(at + DAY) };
                refused(await server.app.patch(path(sold, '/items/1'), { ...move, user_id: 'ann' }), 404, 'no_such_calendar');
                refused(await server.app.patch(path(held, '/items/1'), { ...move, user_id: 'ann' }), 404, 'no_such_calendar');
                granted(await ann.post(path(held, '/commit'), {}), 200);
                const mine = await ann.get(`/v1/reservations?calendar=${calendar}`,
                    server.since(await server.anyone.get('/healthz')));
                assert.deepEqual(mine.json.data.map((r) => r.reservation_id),
                    [held.reservation_id, sold.reservation_id]);
                await server.restart({ kill: !kill });
                assert.equal(granted(await ann.get(path(held)), 200).status, 'confirmed');
                await remove(calendar, server);
                await makeCalendar(server, { id: calendar });
            } finally {
                await server.close();
            }
        });
}

test('a lapsed hold is no obstacle', ownClock, async () => {
    const calendar = await makeCalendar(hf, { hold_ttl_seconds: 60, max_hold_seconds: 60 });
    await hold(hf.acting('ann'), [slot(calendar, midnight(hf))]);
    refused(await hf.admin.delete(place(calendar)), 409, 'in_use');
    hf.clock.advance(MINUTE);
    await remove(calendar);
});
