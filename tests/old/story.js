/* SPDX-License-Identifier: Apache-2.0 */
/* story.js — one of everything that a data folder can hold, made over HTTP by a server whose clock stands at BEGIN.
 *
 * Every part takes a suffix, so that a folder can have it twice: once in the book, once in the journal alone. What is
 * held lasts for weeks; what is to lapse does so within the story or before READ, the instant at which the folder is
 * read again.
 */
'use strict';

const assert = require('node:assert/strict');
const { makeEvent, addSeats, putPool, hold, items } = require('../conformance/lib/catalogue.js');
const { queue, waitingList, join, becomes, withPass, wish, wishBecomes } = require('../conformance/lib/entries.js');

const MINUTE = 60_000;
const BEGIN = Date.parse('2027-01-11T09:00:00Z'); /* a Monday */
const LAST = Date.parse('2027-01-11T15:00:00Z'); /* what is passed over then may still return at READ */
const READ = Date.parse('2027-01-11T15:10:00Z');
const LONG = { hold_ttl_seconds: 2_000_000, max_hold_seconds: 2_500_000 };
const day = (hour) => `2027-01-18T${hour}:00Z`;

const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

/* An answer that must be a success. */
async function done(answer) {
    const { status, text, json } = await answer;
    assert.ok(status >= 200 && status < 300, `${status} ${text}`);
    return json;
}

/* Seats by CSV and JSON, blocked ones, a layout that was added to, pools, copied seats, a removed event. */
async function catalogue(hf, x) {
    const event = await makeEvent(hf, { id: `hall-${x}`, name: 'A "hall", ü', starts_at: '2027-03-01T19:30:00Z', payment: 'required', per_user_limit: 9, waiting_list: true, ...LONG });
    const csv = 'id,section,row,number,x,y,tier,price,accessible,blocked\r\n'
        + Array.from({ length: 12 }, (_, i) => `A${i + 1},Stalls,A,${i + 1},${i * 1.5},-2.25,gold,4500,${i === 11},${i === 10}\r\n`).join('');
    await done(hf.admin.post(`/v1/events/${event}/seats`, csv, { headers: { 'Content-Type': 'text/csv' } }));
    await addSeats(hf, event, [{ id: 'A12', price: 4000 }, { id: 'B1', section: 'Circle', row: 'B', tier: 'silver', price: 100 }, { id: 'B2' }]);
    await done(hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A9', 'A10'], blocked: true }));
    await done(hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A10'], blocked: false }));
    await putPool(hf, event, 'floor', { capacity: 20, price: 1250, name: 'Standing room' });
    await putPool(hf, event, 'floor', { capacity: 30, price: 1500 });
    await putPool(hf, event, 'box', { capacity: 4 });
    await makeEvent(hf, { id: `copy-${x}`, copy_seats_from: event, preset: 'airline', currency: 'USD', late_payment: 'refund', pools: { floor: 5 } });
    await makeEvent(hf, { id: `later-${x}`, on_sale_at: '2027-02-01T00:00:00Z', off_sale_at: '2027-02-20T00:00:00Z', payment_ttl_seconds: 0, seats: 'A1-A3' });
    await makeEvent(hf, { id: `gone-${x}`, seats: 'A1-A3', pools: { floor: 3 } });
    await done(hf.admin.delete(`/v1/events/gone-${x}`));
    await makeEvent(hf, { id: 'default', seats: 'A1 A2', ...LONG });
}

async function calendars(hf, x) {
    const settings = {
        name: 'Dr Smith', timezone: 'Europe/London', capacity: 2, price: 900, slot_minutes: 25, buffer_minutes: 15, ...LONG,
        hours: [{ days: ['mon', 'tue'], from: '09:00', to: '17:30' }, { days: ['sat'], from: '22:00', to: '02:00' }],
        closed: [{ start: '2027-01-19T00:00:00Z', end: '2027-01-20T00:00:00Z' }],
        services: [{ id: 'old', duration_minutes: 10, price: 1 }, { id: 'cut', duration_minutes: 45, price: 2500 }],
    };
    await done(hf.admin.put(`/v1/calendars/doctor-${x}`, settings));
    await done(hf.admin.put(`/v1/calendars/room-${x}`, { name: 'A room', payment: 'none', ...LONG }));
    await hold(hf.user('carl'), [{ calendar: `doctor-${x}`, start: day('10:00'), service: 'old' }]);
    await done(hf.admin.put(`/v1/calendars/doctor-${x}`, { ...settings, services: [settings.services[1]] }));
}

/* A reservation in every status, and one changed in every way. */
async function reservations(hf, app, x) {
    const event = `hall-${x}`;
    const ann = hf.user('ann'), bob = hf.user('bob');
    await hold(ann, [...items(event, 'A1 A2'), { event, pool: 'floor', quantity: 2 }, { calendar: `doctor-${x}`, start: day('11:00'), service: 'cut' }],
        { attributes: { note: 'Ä "quoted"', nested: [1, null, { a: 0.5 }] } });
    const once = { headers: { 'Idempotency-Key': `cart-${x}` } };
    const cart = await done(bob.post('/v1/reservations', { items: items(event, 'A5') }, once));
    await done(bob.post(path(cart, '/items'), { items: [...items(event, 'A6'), { event, pool: 'floor', quantity: 1 }] }, once));
    await done(bob.patch(path(cart, '/items/1'), { seat: 'A7' }));
    await done(bob.delete(path(cart, '/items/2')));
    await done(bob.patch(path(cart), { attributes: { changed: x } }));
    await done(bob.post(path(cart, '/extend'), { ttl_seconds: 2_000_000 }));
    const sold = await hold(ann, [{ event, best: { quantity: 2, adjacent: true } }, { event, pool: 'box', quantity: 1 }, { calendar: `room-${x}`, start: day('09:00'), end: day('10:30') }]);
    await done(app.post(path(sold, '/commit'), { payment_method: 'card', payment_ref: 'pi_1', attributes: { paid: true } }));
    const moved = sold.items.find((one) => one.calendar);
    await done(ann.patch(path(sold, `/items/${moved.item_id}`), { start: day('12:00'), end: day('13:00') }));
    const paying = await hold(hf.user('carl'), items(event, 'B1'));
    await done(app.post(path(paying, '/payment'), { payment_ref: 'pi_2' }));
    const released = await hold(bob, items(event, 'B2'));
    await done(bob.post(path(released, '/release'), {}));
    const dropped = await hold(bob, [{ event, pool: 'box', quantity: 2 }]);
    await done(bob.delete(path(dropped, '/items/1')));
    const lapsed = await hold(hf.user('dora'), [...items(`copy-${x}`, 'A1 A2'), { event: `copy-${x}`, pool: 'floor', quantity: 3 }], { ttl_seconds: 30 });
    hf.clock.advance(31_000);
    await hf.eventually(() => done(app.get(path(lapsed))), (r) => r.status === 'expired', 'it lapses');
    await done(app.post('/v1/reservations', { resource_id: `copy-${x}/A3`, user_id: 'eve', commit: true }));
    if (x === 'a') {
        await done(hf.user('eve').post('/v1/reservations', { resource_id: 'A1' }));
    }
    return cart;
}

/* Changes of what an earlier part made. */
async function goOn(hf, app, x, cart) {
    const event = `hall-${x}`;
    await done(app.post(path(cart, '/commit'), { payment_ref: 'pi_3' }));
    await done(hf.user('bob').patch(path(cart, '/items/1'), { seat: 'A8' }));
    await addSeats(hf, event, [{ id: 'C1', section: 'Circle', row: 'C' }, { id: 'A1', price: 9999 }]);
    await putPool(hf, event, 'floor', { capacity: 25, price: 2000 });
    const late = await hold(hf.user('finn'), [{ event, pool: 'floor', quantity: 1 }, { calendar: `room-${x}`, start: day('15:00'), end: day('16:00') }]);
    await done(app.post(path(late, '/items'), { event, seat: 'C1' }));
}

async function keys(hf, x) {
    const app = await hf.key('app', `shop-${x}`);
    await hf.key('door', `door-${x}`);
    const rotated = await hf.key('app', `turned-${x}`);
    const { key } = await done(hf.admin.post(`/v1/keys/turned-${x}/rotate`, { old_valid_seconds: 2_000_000 }));
    await hf.key('app', `gone-${x}`);
    await done(hf.admin.delete(`/v1/keys/gone-${x}`));
    return { app, good: { [`shop-${x}`]: app.key, [`turned-${x} before`]: rotated.key, [`turned-${x}`]: key } };
}

/* First come, first served, with an entry of every status; it is left paused. */
async function room(hf, app, x) {
    const settings = (pass_ttl_seconds) => ({ id: `fifo-${x}`, waiting_room: { rate_per_second: 1000, by_inventory: false, pass_ttl_seconds, tiers: ['gold'] }, ...LONG });
    const event = await makeEvent(hf, { ...settings(60), seats: [{ id: 'A1', tier: 'gold' }, { id: 'A2', tier: 'gold' }, { id: 'A3' }] });
    const enter = async (name, body) => {
        const user = hf.user(name);
        return { user, entry: await join(user, event, body) };
    };
    const admitted = ({ user, entry }) => becomes(hf, user, entry, 'admitted');
    const short = await enter('short');
    await admitted(short);
    hf.clock.advance(61_000);
    await becomes(hf, short.user, short.entry, 'finished');
    await makeEvent(hf, settings(2_000_000));
    const buyer = await enter('buyer');
    const { pass } = await admitted(buyer);
    const bought = await done(buyer.user.post('/v1/reservations', { items: items(event, 'A1') }, withPass(pass)));
    await done(buyer.user.post(path(bought, '/commit'), {}));
    await becomes(hf, buyer.user, buyer.entry, 'finished');
    const keeper = await enter('keeper');
    const { pass: kept } = await admitted(keeper);
    await done(keeper.user.post('/v1/reservations', { items: items(event, 'A2') }, withPass(kept)));
    await done(hf.admin.patch(queue(event), { paused: true }));
    const absent = await enter('absent');
    const gone = await enter('gone');
    await done(gone.user.delete(queue(event, `/${gone.entry.entry_id}`)));
    hf.clock.advance(3 * MINUTE);
    const present = await enter('present');
    await done(hf.admin.patch(queue(event), { paused: false }));
    await admitted(present);
    await becomes(hf, hf.admin, absent.entry, 'passed_over');
    await done(hf.admin.patch(queue(event), { paused: true, rate_per_second: 10, max_active: 3 }));
    const waiting = await enter('waiting');
    const vip = { entry: await join(app, event, { user_id: 'vip', tiers: ['gold', 'vip'] }, { headers: { 'Idempotency-Key': 'vip' } }) };
    return [short, buyer, keeper, absent, gone, present, waiting, vip].map(({ entry }) => queue(event, `/${entry.entry_id}`));
}

/* By lot: one that has drawn and is left paused, one that is still to draw. */
async function draws(hf, x) {
    const targets = [];
    const waiting_room = { shuffle_before_open: true, by_inventory: false, max_active: 2, pass_ttl_seconds: 2_000_000 };
    const open = (ms) => new Date(hf.now() + ms).toISOString();
    for (const [id, open_at] of [[`drawn-${x}`, open(10 * MINUTE)], [`to-draw-${x}`, '2027-02-01T00:00:00Z']]) {
        await makeEvent(hf, { id, seats: 'A1-A9', waiting_room: { ...waiting_room, open_at } });
        for (let i = 1; i <= 6; i++) {
            targets.push(queue(id, `/${(await join(hf.user(`u${i}`), id)).entry_id}`));
        }
    }
    hf.clock.advance(10 * MINUTE);
    const active = () => done(hf.admin.get(queue(`drawn-${x}`)));
    await hf.eventually(active, (room) => room.active === 2, 'two are admitted');
    await done(hf.admin.patch(queue(`drawn-${x}`), { paused: true }));
    return targets;
}

/* A wish of every status. */
async function lists(hf, x) {
    const event = await makeEvent(hf, { id: `full-${x}`, waiting_list: true, seats: 'A1-A4', pools: { floor: 2 }, ...LONG });
    const all = await hold(hf.user('first'), items(event, 'A1-A4'));
    const floor = await hold(hf.user('first'), [{ event, pool: 'floor', quantity: 2 }]);
    const entries = {};
    for (const [name, body] of Object.entries({
        sold: { quantity: 1 }, offered: { quantity: 2, adjacent: true }, left: { quantity: 1 }, declined: { quantity: 1 }, pool: { quantity: 2, pool: 'floor' }, waiting: { quantity: 4 },
    })) {
        entries[name] = await wish(hf.user(name), event, body);
    }
    await done(hf.user('left').delete(waitingList(event, `/${entries.left.entry_id}`)));
    const comesFree = async (item, name) => {
        await done(hf.user('first').delete(path(all, `/items/${item}`)));
        return wishBecomes(hf, hf.user(name), entries[name], 'offered');
    };
    const offer = await comesFree(1, 'sold');
    await done(hf.user('sold').post(path(offer, '/commit'), {}));
    await wishBecomes(hf, hf.user('sold'), entries.sold, 'finished');
    await comesFree(2, 'declined');
    await done(hf.user('declined').delete(waitingList(event, `/${entries.declined.entry_id}`)));
    await comesFree(3, 'offered'); /* with the seat that was declined */
    await done(hf.user('first').delete(path(floor)));
    await wishBecomes(hf, hf.user('pool'), entries.pool, 'offered');
    return Object.values(entries).map((entry) => waitingList(event, `/${entry.entry_id}`));
}

/* All of it under one suffix; the last part of the last one at LAST. Gives what the folder itself does not tell: keys, and where entries are. */
async function tell(hf, x, last = false) {
    const { app, good } = await keys(hf, x);
    await catalogue(hf, x);
    await calendars(hf, x);
    const cart = await reservations(hf, app, x);
    const entries = [...await draws(hf, x), ...await lists(hf, x)];
    if (last) {
        hf.clock.goto(LAST);
    }
    entries.push(...await room(hf, app, x));
    return { app, cart, good, entries };
}

/* A hold that is still there when the server ends and has lapsed at READ. */
const lapseMeanwhile = (hf) => hold(hf.user('gil'), items('copy-b', 'A5'), { ttl_seconds: 60 });

module.exports = { BEGIN, READ, tell, goOn, lapseMeanwhile };
