/* SPDX-License-Identifier: Apache-2.0 */
/* Every refusal that a route declares can occur: each code of each route is produced once.
 *
 * lib/description.js checks every refusal that any test gets against the list of its route, so none is missing there.
 * This file checks that none is superfluous. Not produced here: a full disk, a book that is behind, too many requests,
 * and what an operator has closed, which have their own tests (tests/crash, limits.test.js, sessions.test.js).
 */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, seats } = require('./lib/catalogue.js');
const { makeCalendar, midnight, slot, iso, MINUTE, DAY, WEEKDAYS } = require('./lib/calendars.js');
const { makeFleet, makeDriver, ridePath, askRide, offerOf, answerOffer, assigned } = require('./lib/fleets.js');
const { makeRoom, queue, waitingList, join, becomes, withPass, wish } = require('./lib/entries.js');
const { exchange, request } = require('./lib/http.js');
const { refused } = require('./lib/expect.js');
const { codesOf, pathsOf } = require('./lib/description.js');

const hf = shared();
const ELSEWHERE = ['storage_full', 'unavailable', 'undecided', 'slow_down'];
const CLOSABLE = ['post /v1/sessions 403 guests_refused'];
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const place = (r, rest = '') => `/v1/reservations/${r.reservation_id ?? r}${rest}`;

function operations() {
    return pathsOf(hf.description.document).flatMap(([path, found]) =>
        METHODS.filter((method) => method in found).map((method) => ({ path, method, ...found[method] })));
}

/* Every refusal that is described: 'post /v1/reservations 409 taken'. */
function described() {
    return operations().flatMap(({ path, method, responses: { default: general, ...own } }) =>
        Object.entries(own).flatMap(([status, it]) =>
            codesOf(hf.description.resolve(it)).filter((code) => !ELSEWHERE.includes(code))
                .map((code) => `${method} ${path} ${status} ${code}`))).filter((one) => !CLOSABLE.includes(one));
}

/* ---- What follows from the form of a route ---- */

const fill = (path, values) => path.replace(/\{([^}]+)\}/g, (_, name) => values[name] ?? 'x');

async function formal({ path, method, parameters, requestBody, security }, door, order) {
    const [call, target] = [method.toUpperCase(), fill(path, {})];
    const admins = security.some((one) => 'admin' in one); /* otherwise it is for callers without credentials */
    const caller = admins ? hf.admin : hf.anyone;
    refused(await caller.call(call, `${target}?no_such=1`), 400, 'invalid');
    refused(await hf.bearer('nonsense').call(call, target), 401, 'unauthenticated');
    const { status } = await door.call(call, target);
    if (path !== '/v1/webhooks/payments') { /* open to all, but only for events signed by the provider */
        assert.notEqual(status, 401); /* 403 wherever the door may not */
    }
    assert.ok([400, 403, 404].includes((await order.call(call, target)).status), `${call} ${path}`);
    for (const { name } of parameters.filter((one) => one.in === 'path')) {
        const made = method === 'put' && path.endsWith(`{${name}}`); /* an invalid id */
        const bad = name === 'user' ? '%00' : '%20'; /* a user id can have any characters except control characters */
        assert.equal((await hf.admin.call(call, fill(path, { [name]: bad }))).status, made || name === 'user' ? 400 : 404,
            `${call} ${path}`);
    }
    if (requestBody) {
        const options = { body: 'x', headers: { 'content-type': 'text/plain' } };
        refused(await caller.call(call, target, options), 415, 'unsupported_type');
        const packed = { body: '{}', headers: { 'content-encoding': 'gzip' } };
        refused(await caller.call(call, target, packed), 415, 'unsupported_type');
        const lines = ['Content-Length: 99999999', 'Expect: 100-continue'];
        if (admins) {
            lines.push(`Authorization: Bearer ${hf.adminKey}`);
        }
        const { answers: [large] } = await exchange(hf.url, [request(call, target, { lines })], { enough: 1 });
        refused(large, 413, 'too_large');
        assert.equal(hf.description.fault(call, target, large), undefined);
    }
}

/* ---- What follows from what is there ---- */

async function reservationsInAllStates(event) {
    const ann = hf.user('ann');
    const made = {};
    for (const [i, state] of ['held', 'confirmed', 'released', 'expired', 'paying', 'cancelled', 'refunded'].entries()) {
        made[state] = await hold(ann, items(event, `A${i + 1}`), { ttl_seconds: state === 'expired' ? 60 : 600 });
    }
    assert.equal((await hf.app.post(place(made.confirmed, '/commit'), {})).status, 200);
    for (const state of ['cancelled', 'refunded']) {
        assert.equal((await hf.app.post(place(made[state], '/commit'), {})).status, 200);
    }
    assert.equal((await ann.post(place(made.cancelled, '/cancel'), {})).status, 200);
    assert.equal((await hf.app.post(place(made.refunded, '/refund'), {})).status, 200);
    assert.equal((await ann.delete(place(made.released))).status, 200);
    assert.equal((await ann.post(place(made.paying, '/payment'), {})).status, 200);
    hf.clock.advance(61_000);
    return made;
}

/* Everything that can be called on a reservation: [method, rest of the path, body]. */
const CALLS = {
    get: ['GET', ''], attributes: ['PATCH', '', { attributes: {} }], delete: ['DELETE', ''],
    release: ['POST', '/release', {}], add: ['POST', '/items', undefined], drop: ['DELETE', '/items/1'],
    move: ['PATCH', '/items/1', { seat: 'A9' }], size: ['PATCH', '/items/1', { quantity: 2 }],
    extend: ['POST', '/extend', {}], payment: ['POST', '/payment', {}],
    commit: ['POST', '/commit', {}], history: ['GET', '/history'], transfer: ['POST', '/transfer', { to_user_id: 'carl' }],
    tokens: ['DELETE', '/manage-tokens'],
};
const STATES = {
    confirmed: ['already_confirmed', 'delete release add drop size extend payment'],
    released: ['already_released', 'attributes add drop move extend payment commit'],
    expired: ['expired', 'attributes delete release add drop move extend payment commit'],
    paying: ['paying', 'add drop move extend'],
    cancelled: ['already_cancelled', 'attributes delete release add drop move extend payment commit transfer tokens'],
    refunded: ['already_refunded', 'attributes delete release add drop move extend payment commit transfer tokens'],
};

async function sizes() {
    const event = await makeEvent(hf, { pools: { floor: 3 }, per_user_limit: 4 });
    const carl = hf.user('carl');
    const r = await hold(carl, [{ event, pool: 'floor', quantity: 2 }]);
    refused(await carl.patch(place(r, '/items/1'), { quantity: 4 }), 409, 'sold_out');
    refused(await carl.patch(place(r, '/items/1'), { quantity: 5 }), 409, 'limit_exceeded');
}

/* Sales that are taken back, or cannot be. */
async function takenBack(made) {
    const ann = hf.user('ann');
    refused(await hf.app.post(place(made.confirmed, '/refund'), { items: ['7'] }), 404, 'no_such_item');
    for (const [state, code] of [['held', 'not_confirmed'], ['released', 'already_released'], ['expired', 'expired']]) {
        refused(await hf.app.post(place(made[state], '/refund'), {}), 409, code);
        refused(await ann.post(place(made[state], '/cancel'), {}), 409, code);
    }
    refused(await hf.app.post(place(made.cancelled, '/refund'), {}), 409, 'already_cancelled');
    refused(await ann.post(place(made.refunded, '/cancel'), {}), 409, 'already_refunded');
    refused(await hf.app.post(place(made.held, '/refund?user_id=bob'), {}), 403, 'not_owner');
    refused(await ann.post(place(made.held, '/cancel?user_id=bob'), {}), 403, 'not_owner');
    const strict = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(ann, items(strict, 'A1'));
    assert.equal((await hf.app.post(place(r, '/commit'), {})).status, 200);
    refused(await ann.post(place(r, '/cancel'), {}), 409, 'not_cancellable');
}

async function states(event) {
    const made = await reservationsInAllStates(event);
    await sizes();
    const [ann, bob] = [hf.user('ann'), hf.user('bob')];
    const call = (who, of, name, more = '') => {
        const [method, rest, body] = CALLS[name];
        return who.call(method, place(of, rest) + more, { body: name === 'add' ? items(event, 'A9')[0] : body });
    };
    for (const [state, [code, names]] of Object.entries(STATES)) {
        for (const name of names.split(' ')) {
            refused(await call(ann, made[state], name), 409, code);
        }
    }
    for (const name of Object.keys(CALLS)) {
        refused(await call(bob, made.held, name), 404, 'no_such_reservation');
        refused(await call(hf.app, made.held, name, '?user_id=bob'), 403, 'not_owner');
    }
    refused(await bob.get('/v1/reservations?user_id=ann'), 403, 'not_owner');
    refused(await ann.delete(place(made.held, '/items/7')), 404, 'no_such_item');
    refused(await ann.patch(place(made.held, '/items/7'), { seat: 'A9' }), 404, 'no_such_item');
    refused(await ann.patch(place(made.held, '/items/1'), { seat: 'Z9' }), 404, 'no_such_seat');
    refused(await ann.patch(place(made.held, '/items/1'), { seat: 'A2' }), 409, 'taken');
    refused(await ann.patch(place(made.confirmed, '/items/1'), { seat: 'B1' }), 402, 'payment_required');
    refused(await ann.patch(place(made.confirmed, '/items/1'), { category: 'adult' }), 409, 'already_confirmed');
    refused(await ann.post(place(made.held, '/commit'), {}), 402, 'payment_required');
    await takenBack(made);
    return made.held;
}

/* The refusals that holds and additions share: `ask` sends items. */
async function claims(ask, event) {
    const calendar = await makeCalendar(hf, { hours: [{ days: WEEKDAYS, from: '09:00', to: '17:00' }] });
    const past = await makeEvent(hf, { seats: 'A1', off_sale_at: iso(hf.now() - DAY) });
    const few = await makeEvent(hf, { seats: 'A1-A2', per_user_limit: 1 });
    const apart = await makeEvent(hf, { seats: [...seats('A1', { row: 'A' }), ...seats('B1', { row: 'B' })] });
    const rows = await makeEvent(hf, { seats: 'A1-A9', single_seats: 'refuse' });
    refused(await ask(items(rows, 'A2 A3')), 409, 'leaves_single');
    refused(await ask(items(unique(), 'A1')), 404, 'no_such_event');
    refused(await ask(items(event, 'Z1')), 404, 'no_such_seat');
    refused(await ask([{ event, pool: 'none', quantity: 1 }]), 404, 'no_such_pool');
    refused(await ask([slot(unique(), midnight(hf))]), 404, 'no_such_calendar');
    refused(await ask([{ ...slot(undefined, midnight(hf)), group: unique() }]), 404, 'no_such_group');
    refused(await ask(items(past, 'A1')), 409, 'not_on_sale');
    refused(await ask(items(few, 'A1 A2')), 409, 'limit_exceeded');
    refused(await ask([slot(calendar, midnight(hf))]), 409, 'closed');
    refused(await ask([slot(calendar, midnight(hf) + 10 * 3_600_000, 60)]), 409, 'not_bookable');
    refused(await ask(items(event, 'A2')), 409, 'taken');
    refused(await ask([{ event, pool: 'floor', quantity: 9 }]), 409, 'sold_out');
    refused(await ask([{ event: apart, best: { quantity: 2, adjacent: true } }]), 409, 'no_adjacent_seats');
}

/* A payment that is too small, another's, and a missing one. */
async function payments(r) {
    const one = { amount: 1, currency: 'EUR' };
    const { refund_due: due } = refused(await hf.app.post(place(r, '/commit'), { payment_ref: 'pi_less', amount: one }), 402, 'payment_required');
    assert.equal((await hf.app.post(place(r, '/commit'), { payment_ref: 'pi_1' })).status, 200);
    const other = await hold(hf.user('ann'), r.items.map(({ event, pool, quantity }) => ({ event, pool, quantity })));
    for (const what of ['/commit', '/payment']) {
        refused(await hf.app.post(place(other, what), { payment_ref: 'pi_1' }), 409, 'payment_used');
    }
    const buy = (payment_ref, amount) => hf.app.post('/v1/reservations', { user_id: 'ann', items: other.items.map(({ event, pool, quantity }) => ({ event, pool, quantity })),
        commit: true, payment_ref, amount });
    refused(await buy('pi_1'), 409, 'payment_used');
    refused(await buy('pi_2', one), 402, 'payment_required');
    refused(await hf.app.get('/v1/payments/pi_2'), 404, 'no_such_payment');
    assert.equal((await hf.app.post(place(other, '/commit'), { payment_ref: 'pi_3', amount: { ...one, amount: 700 } })).status, 200);
    assert.equal((await hf.app.post(place(other, '/refund'), {})).status, 200);
    const { data } = (await hf.app.get('/v1/refunds-due?limit=1000', hf.since(await hf.admin.get('/v1/keys')))).json;
    const changed = data.find(({ id, reservation_id }) => id !== due && reservation_id === other.reservation_id);
    refused(await hf.app.post(`/v1/refunds-due/${changed.id}/done`, {}), 409, 'refund_changed');
}

async function holds(event, held) {
    const [ann, bob] = [hf.user('ann'), hf.user('bob')];
    await claims((wanted) => bob.post('/v1/reservations', { items: wanted }), event);
    await claims((wanted) => ann.post(place(held, '/items'), { items: wanted }), event);
    refused(await ann.post('/v1/reservations', { user_id: 'bob', items: items(event, 'A9') }), 403, 'not_owner');
    refused(
        await ann.post('/v1/reservations', { resource_id: `${event}/A9` }, { headers: { 'If-Match': '"1"' } }),
        412, 'version_mismatch'
    );
    const rows = await makeEvent(hf, { seats: 'A1-A9', single_seats: 'refuse' });
    const second = await hold(ann, items(rows, 'A2'));
    refused(await ann.post(place(second, '/payment'), {}), 409, 'leaves_single');
    refused(await ann.post(place(second, '/commit'), {}), 409, 'leaves_single');
    assert.equal((await hf.app.post(place(second, '/commit'), { payment_ref: 'pi_second' })).status, 200);
    refused(await ann.patch(place(second, '/items/1'), { seat: 'A8' }), 409, 'leaves_single');
    const paid = await hold(ann, [{ event: await makeEvent(hf, { pools: { floor: { capacity: 9, price: 500 } } }), pool: 'floor', quantity: 1 }]);
    await payments(paid);
    const off = await makeEvent(hf, { seats: 'A1-A2', payment_ttl_seconds: 0 });
    const r = await hold(ann, items(off, 'A1'));
    refused(await ann.post(place(r, '/payment'), {}), 409, 'payment_window_off');
    await hf.admin.put(`/v1/events/${off}`, { name: 'Over', off_sale_at: iso(hf.now() - DAY) });
    refused(await ann.patch(place(r, '/items/1'), { seat: 'A2' }), 409, 'not_on_sale');
    const calendar = await makeCalendar(hf, { hours: [{ days: WEEKDAYS, from: '09:00', to: '17:00' }] });
    const at = midnight(hf);
    const day = await hold(ann, [slot(calendar, at + 10 * 3_600_000)]);
    const { start, end } = slot(calendar, at);
    refused(await ann.patch(place(day, '/items/1'), { start, end }), 409, 'closed');
    const { start: odd, end: until } = slot(calendar, at + 10 * 3_600_000 + 1);
    refused(await ann.patch(place(day, '/items/1'), { start: odd, end: until }), 409, 'not_bookable');
    const [guest, members] = [hf.user('guest_x'), await makeCalendar(hf, { guests: false })];
    const theirs = await hold(guest, items(await makeEvent(hf, { seats: 'A1' }), 'A1'));
    refused(await guest.post('/v1/reservations', { items: [slot(members, at)] }), 403, 'guests_refused');
    refused(await guest.post(place(theirs, '/items'), slot(members, at)), 403, 'guests_refused');
}

/* The same key with another body. */
async function keys(event, held) {
    const list = await makeEvent(hf, { seats: 'A1', waiting_list: true });
    const room = await makeRoom(hf);
    for (const [target, first, second] of [
        ['/v1/reservations', { items: items(event, 'A7') }, { items: items(event, 'A8') }],
        [place(held, '/items'), items(event, 'A7')[0], items(event, 'A8')[0]],
        [queue(room), {}, { user_id: 'ann' }], [waitingList(list), { quantity: 1 }, { quantity: 1, user_id: 'ann' }],
    ]) {
        const options = { headers: { 'Idempotency-Key': unique() } };
        const made = await hf.user('ann').post(target, first, options);
        assert.equal(made.status, 201, made.text);
        if (made.json.reservation_id && target === '/v1/reservations') {
            await hf.user('ann').delete(place(made.json));
        }
        refused(await hf.user('ann').post(target, second, options), 422, 'idempotency_key_reused');
    }
}

/* A transfer, and the end of manage tokens: of an unconfirmed reservation, and to a forbidden receiver. */
async function transfers() {
    const [ann, event] = [hf.user('ann'), await makeEvent(hf, { seats: 'A1-A9', per_user_limit: 4 })];
    const off = await makeEvent(hf, { seats: 'A1', transfer: 'off' });
    const once = { headers: { 'Idempotency-Key': unique() } };
    const { json: first } = await ann.post('/v1/reservations', { items: items(event, 'A1') }, once);
    const [released, expired, fixed] =
        [await hold(ann, items(event, 'A2')), await hold(ann, items(event, 'A3')), await hold(ann, items(off, 'A1'))];
    const ask = (r, to = 'bob', body = {}, options = {}) =>
        ann.post(place(r, '/transfer'), { to_user_id: to, ...body }, options);
    const revoke = (r, query = '') => ann.delete(place(r, `/manage-tokens${query}`));
    refused(await ask(first), 409, 'not_confirmed');
    refused(await revoke(first), 409, 'not_confirmed');
    refused(await ask(first, 'bob', { user_id: 'eve' }), 403, 'not_owner');
    refused(await revoke(first, '?user_id=eve'), 403, 'not_owner');
    for (const r of [first, fixed]) {
        assert.equal((await ann.post(place(r, '/commit'), {})).status, 200);
    }
    refused(await ask(fixed), 409, 'not_transferable');
    const members = await makeEvent(hf, { seats: 'A1', guests: false });
    const theirs = await hold(ann, items(members, 'A1'));
    assert.equal((await ann.post(place(theirs, '/commit'), {})).status, 200);
    refused(await ask(theirs, 'guest_1'), 403, 'guests_refused');
    await hold(hf.user('full'), items(event, 'A4 A5 A6 A7'));
    refused(await ask(first, 'full'), 409, 'limit_exceeded');
    const key = { headers: { 'Idempotency-Key': unique() } };
    assert.equal((await ask(first, 'bob', {}, key)).status, 200);
    refused(await ask(first, 'eve', {}, key), 422, 'idempotency_key_reused');
    refused(await ann.post('/v1/reservations', { items: items(event, 'A1') }, once), 404, 'no_such_reservation');
    await ann.delete(place(released));
    refused(await ask(released), 409, 'already_released');
    refused(await revoke(released), 409, 'already_released');
    hf.clock.goto(expired.expires_at);
    refused(await ask(expired), 409, 'expired');
    refused(await revoke(expired), 409, 'expired');
}

async function passes() {
    const facts = [...seats('A1-A4', { tier: 'gold' }), ...seats('B1', { tier: 'tin' })];
    const event = await makeRoom(hf, { seats: facts, room: { tiers: ['gold'], pass_ttl_seconds: 60 } });
    const ann = hf.user('ann');
    const { pass } = await becomes(hf, ann, await join(ann, event), 'admitted');
    const { json: r } = await ann.post('/v1/reservations', { items: items(event, 'A1') }, withPass(pass));
    const asks = [
        (seat, options) => ann.post('/v1/reservations', { items: items(event, seat) }, options),
        (seat, options) => ann.post(place(r, '/items'), { items: items(event, seat) }, options),
        (seat, options) => ann.patch(place(r, '/items/1'), { seat }, options),
    ];
    for (const ask of asks) {
        refused(await ask('A2'), 403, 'pass_required');
        refused(await ask('A2', withPass('a.b.c')), 403, 'pass_invalid');
        refused(await ask('B1', withPass(pass)), 403, 'pass_tier');
    }
    hf.clock.advance(61_000);
    for (const ask of asks) {
        refused(await ask('A2', withPass(pass)), 403, 'pass_expired');
    }
}

async function lines() {
    const [ann, none] = [hf.user('ann'), await makeEvent(hf, { seats: 'A1' })];
    refused(await ann.post(queue(none), {}), 409, 'no_waiting_room');
    refused(await ann.get(queue(none)), 409, 'no_waiting_room');
    refused(await hf.admin.patch(queue(none), { paused: true }), 409, 'no_waiting_room');
    refused(await ann.post(waitingList(none), { quantity: 1 }), 409, 'no_waiting_list');
    const past = await makeRoom(hf, { seats: 'A1', waiting_list: true, starts_at: iso(hf.now() - DAY) });
    refused(await ann.post(queue(past), {}), 409, 'not_on_sale');
    refused(await ann.post(waitingList(past), { quantity: 1 }), 409, 'not_on_sale');
    const event = await makeRoom(hf, { seats: 'A1', waiting_list: true });
    refused(await ann.post(waitingList(event), { quantity: 1 }), 409, 'not_sold_out');
    refused(await ann.post(waitingList(event), { quantity: 1, pool: 'none' }), 404, 'no_such_pool');
    refused(await ann.post(queue(event), { user_id: 'bob' }), 403, 'not_owner');
    refused(await ann.post(waitingList(event), { quantity: 1, user_id: 'bob' }), 403, 'not_owner');
    for (const target of [queue(event, '/x'), waitingList(event, '/x')]) {
        refused(await ann.get(`${target}?user_id=bob`), 403, 'not_owner');
        refused(await ann.delete(`${target}?user_id=bob`), 403, 'not_owner');
    }
    refused(await ann.get(queue(event, '/x/stream?user_id=bob')), 403, 'not_owner');
    /* The record of the key was removed with its event. */
    const again = await makeEvent(hf, { seats: 'A1', waiting_room: {}, waiting_list: true });
    const options = { headers: { 'Idempotency-Key': unique() } };
    const both = [[queue(again), { user_id: 'eve' }], [waitingList(again), { user_id: 'eve', quantity: 1 }]];
    const taken = await hf.admin.post('/v1/reservations', { user_id: 'bob', items: items(again, 'A1') });
    for (const [target, body] of both) {
        assert.equal((await hf.app.post(target, body, options)).status, 201);
    }
    await hf.app.delete(waitingList(again, `/${(await wish(hf.user('fay'), again)).entry_id}`));
    assert.equal((await hf.admin.put(`/v1/events/${again}`, { name: 'No list' })).status, 200);
    assert.equal((await hf.admin.delete(place(taken.json))).status, 200);
    assert.equal((await hf.admin.delete(`/v1/events/${again}`)).status, 204);
    await makeEvent(hf, { id: again, waiting_room: {}, waiting_list: true });
    for (const [target, body] of both) {
        refused(await hf.app.post(target, body, options), 404, 'no_such_entry');
    }
}

/* Who may buy: neither guests nor more than the limit. */
async function buyers() {
    const [open, closed] = [await makeEvent(hf, { seats: 'A1-A2' }), await makeEvent(hf, { seats: 'A1', guests: false })];
    const guest = hf.user(`guest_${unique()}`);
    const r = await hold(guest, items(open, 'A1'));
    refused(await guest.post('/v1/reservations', { items: items(closed, 'A1') }), 403, 'guests_refused');
    refused(await guest.post(place(r, '/items'), { items: items(closed, 'A1') }), 403, 'guests_refused');
    const both = await makeEvent(hf, { seats: 'A1', guests: false, waiting_room: {}, waiting_list: true });
    refused(await guest.post(queue(both), {}), 403, 'guests_refused');
    refused(await guest.post(waitingList(both), { quantity: 1 }), 403, 'guests_refused');
    const facts = [...seats('A1-A2', { tier: 'gold' }), ...seats('B1', { tier: 'tin' })];
    const coded = await makeEvent(hf, { seats: facts, access: 'code', waiting_room: {}, waiting_list: true });
    const sold = await makeEvent(hf, { seats: facts, access: 'code' });
    const codes = [{ code: 'once', units: 1 }, { code: 'golden', tiers: ['gold'] }];
    await hf.admin.post(`/v1/events/${sold}/codes`, codes);
    for (const [status, refusal, more] of [
        [403, 'code_required', {}], [403, 'code_invalid', { code: 'nope' }], [409, 'code_used', { code: 'once' }],
    ]) {
        const body = { items: items(sold, 'A1 A2'), ...more };
        refused(await guest.post('/v1/reservations', body), status, refusal);
        refused(await guest.post(place(r, '/items'), body), status, refusal);
        if (status === 403) {
            refused(await guest.post(queue(coded), more), 403, refusal);
            refused(await guest.post(waitingList(coded), { quantity: 1, ...more }), 403, refusal);
        }
    }
    const one = await hold(guest, items(sold, 'A1'), { code: 'golden' });
    refused(await guest.patch(place(one, '/items/1'), { seat: 'B1' }), 403, 'code_invalid');
    await hf.admin.put(`/v1/events/${sold}/pools/floor`, { capacity: 5 });
    const unit = await hold(guest, [{ event: sold, pool: 'floor', quantity: 1 }], { code: 'once' });
    refused(await guest.patch(place(unit, '/items/1'), { quantity: 2 }), 409, 'code_used');
    refused(await hf.admin.delete(`/v1/events/${sold}/codes/nope`), 404, 'no_such_code');
}

/* A ticket at the door. */
async function doors() {
    const [event, other] = [await makeEvent(hf, { seats: 'A1-A3' }), await makeEvent(hf, { seats: 'A1' })];
    const scan = (code, more) => hf.app.post('/v1/check-ins', { code, ...more });
    const { json: r } = await hf.app.post('/v1/reservations', { items: items(event, 'A1 A3'), user_id: 'ann', commit: true });
    const [{ code: old }] = r.tickets;
    const { json: moved } = await hf.app.post(place(r, '/transfer'), { to_user_id: 'bob' });
    const [{ code }] = moved.tickets;
    refused(await scan('nothing'), 404, 'no_such_ticket');
    refused(await scan(old), 409, 'void');
    for (const ending of ['svg', 'png']) {
        refused(await hf.anyone.get(`/v1/tickets/${old}.${ending}`), 410, 'void');
    }
    refused(await scan(code, { event: other }), 409, 'wrong_event');
    assert.equal((await scan(code, { nonce: 'n' })).status, 200);
    refused(await scan(code), 409, 'already_checked_in');
    refused(await hf.app.post(place(r, '/transfer'), { to_user_id: 'carl' }), 409, 'checked_in');
    refused(await hf.app.patch(place(r, '/items/1'), { seat: 'A2' }), 409, 'checked_in');
    refused(await hf.app.post(place(r, '/refund'), { items: ['1'] }), 409, 'checked_in');
    refused(await hf.user('bob').post(place(r, '/cancel'), {}), 409, 'checked_in');
    assert.equal((await scan(code, { nonce: 'n', undo: true })).status, 200);
    refused(await scan(code, { nonce: 'n' }), 409, 'undone');
    refused(await hf.app.get('/v1/check-ins?event=none'), 404, 'no_such_event');
}

async function catalogue(event) {
    refused(await hf.admin.delete(`/v1/events/${event}`), 409, 'in_use');
    const holder = unique('holder');
    await hold(hf.user(holder), [{ event: await makeEvent(hf, { pools: { floor: 1 } }), pool: 'floor', quantity: 1 }]);
    refused(await hf.admin.delete(`/v1/users/${holder}`), 409, 'in_use');
    refused(await hf.admin.post(`/v1/events/${event}/seats`, [{ id: 'A2', blocked: true }]), 409, 'taken');
    refused(await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['Z1'], blocked: true }), 404, 'no_such_seat');
    refused(await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A2'], blocked: true }), 409, 'taken');
    const remove = (ids) => hf.admin.call('DELETE', `/v1/events/${event}/seats`, { body: { ids } });
    refused(await remove(['Z1']), 404, 'no_such_seat');
    refused(await remove(['A2']), 409, 'taken');
    await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 2 }]);
    refused(await hf.admin.put(`/v1/events/${event}/pools/floor`, { capacity: 1 }), 409, 'capacity_in_use');
    const calendar = await makeCalendar(hf, { capacity: 2 });
    await hold(hf.user('ann'), [slot(calendar, midnight(hf)), slot(calendar, midnight(hf))]);
    refused(await hf.admin.put(`/v1/calendars/${calendar}`, { name: 'Less' }), 409, 'capacity_in_use');
    refused(await hf.admin.patch(`/v1/calendars/${calendar}`, { capacity: 1 }), 409, 'capacity_in_use');
    refused(await hf.admin.delete(`/v1/calendars/${calendar}`), 409, 'in_use');
    const over = await makeCalendar(hf, { hold_ttl_seconds: 600 });
    const past = await hold(hf.acting('ann'), [slot(over, hf.now() + MINUTE, 1)]);
    hf.clock.advance(3 * MINUTE);
    assert.equal((await hf.admin.delete(`/v1/calendars/${over}`)).status, 204);
    const later = { user_id: 'ann', start: iso(midnight(hf)), end: iso(midnight(hf) + DAY) };
    refused(await hf.app.patch(place(past, '/items/1'), later), 404, 'no_such_calendar');
    const pair = { name: 'Pair', calendars: [calendar, await makeCalendar(hf)] };
    assert.equal((await hf.admin.put(`/v1/groups/${calendar}`, pair)).status, 201);
    refused(await hf.admin.put(`/v1/calendars/${calendar}`, { name: 'Far', capacity: 2, timezone: 'Asia/Tokyo' }), 409, 'in_use');
    refused(await hf.admin.patch(`/v1/calendars/${calendar}`, { timezone: 'Asia/Tokyo' }), 409, 'in_use');
    refused(await hf.admin.post('/v1/keys', { name: hf.app.name, role: 'app' }), 409, 'exists');
}

/* Fleets, drivers, rides and offers. */
async function dispatch() {
    const fleet = await makeFleet(hf, { offer_seconds: 600, search_seconds: 60, rides_per_rider: 2 });
    const driver = await makeDriver(hf, fleet);
    const [ann, dora, far] = [hf.user('ann'), hf.user(driver), { lat: 0, lng: 0 }];
    const act = (who, r, what, body = {}, of = fleet) => who.post(ridePath(of, r, `/${what}`), body);
    for (const [method, rest, body] of [['GET', ''], ['PUT', '', { ...far, available: true }], ['DELETE', ''], ['GET', '/offer'],
        ['GET', '/stream']]) {
        const who = method === 'PUT' ? hf.user('nobody') : hf.app;
        refused(await who.call(method, `${fleet}/drivers/nobody${rest}`, { body }), 404, 'no_such_driver');
    }
    refused(await ann.get(`${fleet}/rides?rider_id=bob`), 403, 'not_owner');
    refused(await ann.post(`${fleet}/rides`, { ...far, rider_id: 'bob' }), 403, 'not_owner');
    refused(await hf.user('guest_x').post(`${fleet}/rides`, far), 403, 'guests_refused');
    const options = { headers: { 'Idempotency-Key': unique() } };
    const lost = (await ann.post(`${fleet}/rides`, far, options)).json;
    refused(await ann.post(`${fleet}/rides`, { ...far, lat: 1 }, options), 422, 'idempotency_key_reused');
    const short = await makeFleet(hf);
    assert.equal((await act(ann, (await ann.post(`${short}/rides`, far, options)).json, 'cancel', {}, short)).status, 200);
    assert.equal((await hf.admin.delete(short)).status, 204);
    assert.equal((await hf.admin.put(short, {})).status, 201);
    refused(await ann.post(`${short}/rides`, far, options), 404, 'no_such_ride');
    refused(await act(hf.app, lost, 'complete'), 409, 'not_assigned');
    refused(await act(hf.app, lost, 'driver-cancel'), 409, 'not_assigned');
    const done = await assigned(hf, fleet, driver, 'ann');
    refused(await ann.post(`${fleet}/rides`, far), 409, 'limit_exceeded');
    refused(await hf.admin.put(fleet, { resolution: 3 }), 409, 'in_use');
    refused(await hf.admin.delete(fleet), 409, 'in_use');
    refused(await act(dora, done, 'cancel'), 403, 'not_owner');
    refused(await act(ann, done, 'complete'), 403, 'not_owner');
    refused(await act(ann, done, 'driver-cancel'), 403, 'not_owner');
    for (const how of ['accept', 'decline']) {
        refused(await answerOffer(ann, fleet, done.offer, how), 403, 'not_owner');
    }
    assert.equal((await act(dora, done, 'complete')).status, 200);
    refused(await answerOffer(dora, fleet, done.offer, 'decline'), 409, 'offer_expired');
    refused(await act(ann, done, 'cancel'), 409, 'already_completed');
    refused(await act(dora, done, 'driver-cancel'), 409, 'already_completed');
    const gone = await askRide(ann, fleet);
    const offer = await offerOf(hf, fleet, driver);
    assert.equal((await act(ann, gone, 'cancel')).status, 200);
    refused(await answerOffer(dora, fleet, offer, 'accept'), 409, 'offer_expired');
    for (const what of ['complete', 'driver-cancel']) {
        refused(await act(hf.app, gone, what), 409, 'already_cancelled');
    }
    hf.clock.advance(MINUTE);
    for (const what of ['cancel', 'complete', 'driver-cancel']) {
        refused(await act(hf.app, lost, what), 409, 'no_driver');
    }
}

test('every described refusal of a route occurs', ownClock, async () => {
    const { seen } = hf.description;
    const door = await hf.key('door');
    const house = await makeEvent(hf, { seats: 'A1' });
    const sale = await hf.app.post('/v1/reservations', { items: items(house, 'A1'), user_id: 'ann', commit: true });
    const order = hf.bearer(sale.json.manage_token);
    seen.clear();
    for (const operation of operations()) {
        await formal(operation, door, order);
    }
    const facts = [...seats('A1-A9', { price: 500 }), ...seats('B1', { price: 900 })];
    const event = await makeEvent(hf, { seats: facts, pools: { floor: 5 }, payment: 'required', cancel_until_seconds: 0 });
    const held = await states(event);
    await holds(event, held);
    await keys(event, held);
    await catalogue(event);
    await lines();
    await transfers();
    await passes();
    await buyers();
    await doors();
    await dispatch();
    assert.deepEqual(described().filter((one) => !seen.has(one)), [], 'described, but never said');
});

test('a code is described under its own status, and each has a sentence and an example', () => {
    const { responses, schemas } = hf.description.document.components;
    const known = schemas.problem.properties.code.enum;
    for (const [name, response] of Object.entries(responses).filter(([one]) => one !== 'general')) {
        const [code] = codesOf(response);
        assert.deepEqual(codesOf(response), [code]);
        assert.match(name, new RegExp(`^${code}(_4\\d\\d)?$`)); /* a code with two statuses has the status in its name */
        assert.match(response.description, /^[A-Z].*\.$/);
    }
    for (const { path, method, responses: all } of operations()) {
        for (const [status, it] of Object.entries(all).filter(([one]) => one !== 'default')) {
            const { content } = hf.description.resolve(it);
            for (const code of codesOf(hf.description.resolve(it))) {
                assert.ok(known.includes(code), code);
                const { value } = hf.description.resolve(content['application/problem+json'].examples[code]);
                assert.equal(value.code, code);
                assert.equal(value.status, Number(status), `${method} ${path} ${code}`);
                assert.match(value.detail, /^[A-Z].*\.$/);
            }
        }
    }
});
