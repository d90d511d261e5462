/* SPDX-License-Identifier: Apache-2.0 */
/* story.js — what a folder of tests/old has in it: something of every kind of record, and the questions whose answers show
 * that all of it is still there. */
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { SECRET: HOOK_SECRET } = require('../conformance/lib/receiver.js');
const { items, hold, seats, makeEvent, whole } = require('../conformance/lib/catalogue.js');
const { DAY, iso, midnight, makeCalendar } = require('../conformance/lib/calendars.js');
const entries = require('../conformance/lib/entries.js');
const { makeFleet, makeDriver, assigned, askRide, ridePath } = require('../conformance/lib/fleets.js');
const provider = require('../conformance/lib/provider.js');
const { segments } = require('../crash/lib/fault.js');

/* Known to every test: it signs the tokens and marks of people who were erased. */
const SECRET = 'the secret of every folder in tests/old';
const at = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

async function fine(answer) {
    const { status, text } = await answer;
    assert.ok(status >= 200 && status < 300, text);
    return answer;
}

async function catalogue(hf) {
    const event = await makeEvent(hf, {
        id: 'arena', name: 'The arena \u2014 night 3', description: 'Doors at 19:00', venue: 'Arena', timezone: 'Europe/Berlin',
        starts_at: iso(midnight(hf)), payment: 'required', staff_hold_seconds: 7200, per_user_limit: 9, waiting_list: true,
        categories: ['adult', 'child'], prices: { gold: { adult: 12_000, child: 6_000 } }, cancel_until_seconds: 3600,
        seats: [...seats('A1-A9', { tier: 'gold', section: 'L' }), ...seats('B1-B5', { price: 700, x: 1.5, y: -2 })],
        pools: { floor: { capacity: 9, price: 1000 }, sponsors: { capacity: 2, allotment: 'club' } },
    });
    await fine(hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A8', 'A9'], set_allotment: 'club' }));
    await fine(hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['B5'], blocked: true }));
    await fine(hf.admin.delete(`/v1/events/${event}/seats`, { body: { ids: ['B4'] } }));
    await fine(hf.admin.post(`/v1/events/${event}/codes`, [{ code: 'CLUB-1', units: 5, allotment: 'club' }, { code: 'Gone', units: 1 }]));
    await fine(hf.admin.delete(`/v1/events/${event}/codes/Gone`));
    await fine(hf.admin.patch(`/v1/events/${event}`, { cancel_until_seconds: 7200, late_payment: 'refund' }));
    await makeEvent(hf, { id: 'copy', copy_seats_from: event });
    await makeEvent(hf, { id: 'removed', seats: 'A1' });
    await fine(hf.admin.delete('/v1/events/removed'));
}

async function calendars(hf) {
    const services = [{ id: 'cut', duration_minutes: 30, price: 2500 }];
    const hours = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '08:00', to: '20:00' }];
    await makeCalendar(hf, { id: 'anna', timezone: 'Europe/Berlin', services, hours, buffer_minutes: 10, buffer_before_minutes: 5,
        closed: [{ start: iso(midnight(hf)), end: iso(midnight(hf) + DAY) }], cancel_until_minutes: 60 });
    await makeCalendar(hf, { id: 'bert', timezone: 'Europe/Berlin', services, capacity: 2, size: 4, guests: false, max_minutes: 120 });
    await makeCalendar(hf, { id: 'gone' });
    await fine(hf.admin.put('/v1/groups/anyone', { name: 'Anyone', calendars: ['anna', 'bert'], pick: 'in_order' }));
    await fine(hf.admin.delete('/v1/calendars/gone'));
}

/* One of each status, and most of what can be done to one. */
async function reservations(hf, receiver) {
    const [ann, bob, cid] = ['ann', 'bob', 'cid'].map((name) => hf.user(name));
    const held = await hold(ann, [...items('arena', 'A1 A2'), { event: 'arena', pool: 'floor', quantity: 3 }], { attributes: { name: 'Ann' } });
    await fine(ann.patch(at(held, `/items/${held.items[1].item_id}`), { seat: 'A3' }));
    await fine(ann.post(at(held, '/items'), { items: [{ event: 'arena', seat: 'B1' }] }));
    await fine(ann.delete(at(held, `/items/${held.items[0].item_id}`)));
    await fine(ann.post(at(held, '/extend'), { ttl_seconds: 700 }));
    const sold = await hold(bob, [{ event: 'arena', seat: 'A5', category: 'child' }, ...items('arena', 'B2')]);
    await fine(bob.post(at(sold, '/payment'), {}));
    await fine(hf.app.post(at(sold, '/commit'), { payment_ref: 'pi_sold', payment_method: 'card' }));
    await fine(hf.app.post(at(sold, '/refund'), { items: [sold.items[1].item_id], reason: 'rained off' }));
    await fine(hf.app.post(at(sold, '/transfer'), { to_user_id: 'dee' }));
    await fine(bob.delete(at(await hold(bob, items('arena', 'A7')))));
    const club = await hold(cid, [{ event: 'arena', seat: 'A8', code: 'CLUB-1' }]);
    await fine(hf.app.post(at(club, '/commit'), { payment_ref: 'pi_club' }));
    await fine(cid.post(at(club, '/cancel'), {}));
    const time = midnight(hf, 32);
    const noon = iso(time + DAY / 2);
    const visit = await hold(ann, [{ calendar: 'anna', start: noon, service: 'cut' }, { group: 'anyone', start: noon, service: 'cut' }]);
    await fine(ann.post(at(visit, '/commit'), {}));
    await hold(cid, [{ calendar: 'bert', start: noon, service: 'cut' }]);
    const key = { headers: { 'Idempotency-Key': 'once' } };
    await fine(cid.post('/v1/reservations', { items: items('arena', 'B3') }, key));
    const refused = await cid.post('/v1/reservations', { items: items('arena', 'A5') });
    assert.equal(refused.status, 409, refused.text);
    const lapsed = await hold(hf.user('eve'), items('copy', 'A1'), { ttl_seconds: 300 });
    hf.clock.advance(270_000);
    await receiver.count(1); /* it is about to expire */
    hf.clock.advance(3_600_000 * 2);
    await hf.eventually(() => hf.app.get(at(lapsed)), ({ json }) => json.status === 'expired', 'the hold has expired');
    await hold(ann, items('arena', 'A1')); /* and one that is held when the folder is packed */
}

async function lines(hf) {
    const room = await entries.makeRoom(hf, { id: 'room', room: { rate_per_second: 1, max_active: 1 } });
    const [ann, bob] = [hf.user('ann'), hf.user('bob')];
    const first = await entries.join(ann, room);
    await entries.join(hf.app, room, { user_id: 'bob', tiers: ['gold'] });
    await entries.becomes(hf, ann, first, 'admitted');
    await fine(ann.delete(entries.queue(room, `/${first.entry_id}`)));
    await fine(hf.admin.patch(entries.queue(room), { paused: true }));
    const list = await makeEvent(hf, { id: 'list', seats: seats('A1-A2', { tier: 'gold' }), waiting_list: true });
    const all = await hold(hf.user('cid'), items(list, 'A1 A2'));
    const wish = await entries.wish(ann, list, { quantity: 1, tier: 'gold' });
    await entries.wish(bob, list, { quantity: 2, adjacent: true });
    await fine(hf.user('cid').delete(at(all, `/items/${all.items[0].item_id}`)));
    await entries.wishBecomes(hf, ann, wish, 'offered');
}

async function money(hf) {
    await fine(provider.put(hf));
    const r = await hold(hf.user('fay'), [{ event: 'arena', pool: 'floor', quantity: 1 }]);
    await provider.became(provider.tell(hf, provider.success(r, 'pi_fay', 1500)), 'confirmed'); /* 500 over */
    await fine(provider.tell(hf, provider.charge('pi_fay', 200)));
    const gone = await hold(hf.user('fay'), [{ event: 'arena', pool: 'floor', quantity: 1 }]);
    await fine(hf.app.delete(at(gone)));
    const late = await hf.app.post(at(gone, '/commit'), { payment_ref: 'pi_late' });
    assert.equal(late.status, 409, late.text);
    await fine(hf.app.post(`/v1/refunds-due/${late.json.refund_due}/done`, {}));
}

async function door(hf) {
    const { json: r } = await fine(hf.app.post('/v1/reservations', { user_id: 'gus', commit: true, items: [...items('copy', 'A2'), ...items('copy', 'A3')] }));
    const gate = await hf.key('door', 'north');
    await fine(gate.post('/v1/check-ins', { code: r.tickets[0].code, gate: 'north', nonce: 'one' }));
    await fine(gate.post('/v1/check-ins', { code: r.tickets[1].code, gate: 'north' }));
    await fine(gate.post('/v1/check-ins', { code: r.tickets[1].code, undo: true }));
    await fine(hf.admin.post('/v1/keys/north/rotate', { old_valid_seconds: 86_400 }));
    const show = await makeEvent(hf, { id: 'cancelled', seats: 'A1' });
    await fine(hf.app.post('/v1/reservations', { user_id: 'gus', commit: true, items: items(show, 'A1') }));
    await fine(hf.admin.post(`/v1/events/${show}/cancel`, { reason: 'flooded' }));
    await hf.eventually(() => hf.admin.get(`/v1/events/${show}/cancel`), ({ json }) => json.state === 'done', 'nothing is left');
}

async function dispatch(hf) {
    const fleet = await makeFleet(hf, { batch_ms: 0 });
    const driver = await makeDriver(hf, fleet, 100, { rating: 4.8, types: ['xl'] }, 'hal');
    const ride = await assigned(hf, fleet, driver, 'ina');
    await fine(hf.user(driver).post(ridePath(fleet, ride, '/complete'), {}));
    const other = await askRide(hf.user('ina'), fleet, { to: { lat: 52.5, lng: 13.4 } });
    await fine(hf.user('ina').post(ridePath(fleet, other, '/cancel'), {}));
    await fine(hf.app.delete(`${fleet}/drivers/${driver}`));
}

async function erased(hf) {
    const r = await hold(hf.user('jon'), items('copy', 'A7'), { attributes: { name: 'Jon' } });
    await fine(hf.user('jon').delete(at(r)));
    await fine(hf.admin.delete('/v1/users/jon'));
    await hf.eventually(() => hf.admin.get('/v1/users/jon/erasure'), ({ json }) => json.state === 'done', 'the erasure', 30_000);
}

async function tell(hf, receiver, more = []) {
    hf.app = await hf.key('app', 'shop');
    await hf.key('app', 'gone');
    await fine(hf.admin.delete('/v1/keys/gone'));
    await fine(hf.admin.put('/v1/hooks/shop', { url: receiver.url, events: ['list.offered', 'reservation.expiring'], secret: HOOK_SECRET }));
    for (const part of [catalogue, calendars, reservations, lines, money, door, dispatch, ...more]) {
        await part(hf, receiver);
    }
    await hf.eventually(() => hf.admin.get('/v1/hooks/shop'), ({ json }) => json.waiting === 0, 'the hook was delivered');
}

/* What follows from the present time, or from a secret that is not packed. */
const PASSING = new Set(['expires_in', 'expires_in_ms', 'eta_seconds', 'poll_after_seconds', 'admitted_per_second', 'pass', 'manage_token']);

function lasting(value) {
    if (Array.isArray(value)) {
        return value.map(lasting);
    }
    return value === null || typeof value !== 'object' ? value
        : Object.fromEntries(Object.entries(value).filter(([name]) => !PASSING.has(name)).map(([name, one]) => [name, lasting(one)]));
}

/* The answers to all questions: {path: answer}. */
async function look(hf) {
    const answers = {};
    const now = hf.since(await hf.admin.get('/v1/keys'));
    const ask = async (path, how) => {
        const { status, json, text } = await hf.admin.get(path, how);
        assert.equal(status, 200, `${path}: ${text}`);
        answers[path] = lasting(json);
        return json;
    };
    const list = async (path) => (answers[path] = lasting(await whole(hf.admin, `${path}${path.includes('?') ? '&' : '?'}limit=1000`, now)));
    const plain = ['/v1/keys', '/v1/hooks', '/v1/calendars', '/v1/groups', '/v1/events'];
    for (const path of plain) {
        await ask(path);
    }
    for (const { id } of answers['/v1/events'].data) {
        const event = `/v1/events/${id}`;
        for (const rest of ['', '/seats', '/availability', '/pools', '/codes', '/cancel']) {
            await ask(`${event}${rest}`);
        }
        delete answers[`${event}/availability`].version; /* a start may count as a change */
    }
    await ask('/v1/events/room/queue');
    await list('/v1/events/list/waiting-list');
    for (const { reservation_id } of await list('/v1/reservations')) {
        await ask(`/v1/reservations/${reservation_id}`);
        await list(`/v1/reservations/${reservation_id}/history`);
    }
    for (const path of ['/v1/payments', '/v1/payment-events', '/v1/refunds-due?status=all', '/v1/check-ins?event=copy', '/v1/audit']) {
        await list(path);
    }
    const { data: [{ id: fleet }] } = await ask('/v1/fleets');
    await list(`/v1/fleets/${fleet}/rides`);
    for (const report of ['sales', 'money', 'abandoned', 'funnel']) {
        await ask(`/v1/reports/${report}`, now);
    }
    return answers;
}

/* The versions of a folder's formats. */
function nameOf(data) {
    const book = execFileSync('sqlite3', [`file:${path.join(data, 'book.sqlite')}?immutable=1`, 'PRAGMA user_version'], { encoding: 'utf8' }).trim();
    const journal = fs.readFileSync(segments({ data }).at(-1)).readUInt32LE(8);
    return `book${book}-journal${journal}`;
}

module.exports = { SECRET, tell, look, erased, nameOf };
