/* SPDX-License-Identifier: Apache-2.0 */
/* Requests about reservations: holds of every kind, and all that is done to them until they end. */
'use strict';

const { ref } = require('./pair.js');
const { aSlot, aGroupSlot } = require('./acts_calendar.js');

const path = (reservation, rest = '') =>
    `${reservation.short ? '' : '/v1'}/reservations/${ref(reservation.reservation_id)}${rest}`;

/* ---- Which reservation, and who ---- */

const KINDS = {
    held: (w) => (it) => w.live(it), confirmed: () => (it) => it.status === 'confirmed', ended: (w) => (it) => !w.live(it) &&
        it.status !== 'confirmed', any: () => () => true,
};
function one(w, weights) {
    const kind = w.r.weighted(weights);
    return w.pick(w.reservations, KINDS[kind](w)) ?? w.pick(w.reservations);
}

/* A key of the caller's, which may be sent again. */
function keyed(w, request, p) {
    if (!w.r.chance(p)) {
        return request;
    }
    const key = w.unique('key-');
    const sent = { ...request, headers: { ...request.headers, 'Idempotency-Key': key } };
    w.keyed.put(key, sent);
    return sent;
}

/* A request about one, usually by a caller that is allowed to. */
function about(w, weights, make) {
    const reservation = one(w, weights);
    if (!reservation) {
        return undefined;
    }
    const order = w.orders.get(reservation.reservation_id);
    const as = order && w.r.chance(0.12) ? { bearer: ref(order) } : w.caller(reservation.user_id);
    const it = w.r.chance(0.04) ? { ...reservation, short: true } : reservation;
    const request = make(it, as);
    if (!request) {
        return undefined;
    }
    if (request.body && !Array.isArray(request.body) && w.r.chance(0.08)) {
        request.body.user_id = w.name(w.r.chance(0.85) ? reservation.user_id : w.r.pick(w.users));
    }
    const { rest = '', query = '', keyedBy = 0, ...wanted } = request;
    return keyed(w, { method: 'POST', as, reservation, ...wanted, path: path(it, rest) + query }, keyedBy);
}

/* ---- Items ---- */

const attributes = (w) => w.r.pick([{ name: 'Ann' }, { note: '=SUM(A1)', deep: { list: [1, 2.5, null, true, 'ü'] } }, {},
    { reason: 'check-up' }]);

function code(w, event) {
    const known = event.codes.length && w.r.chance(0.85) ? w.r.pick(event.codes).code
        : w.r.pick(['nosuchcode', ...event.codes.map((it) => it.code.toUpperCase())]);
    return w.r.chance(0.2) ? known.toLowerCase() : known;
}

function extras(w, event) {
    const { categories } = event.body;
    return {
        ...(categories && w.r.chance(0.5) ? { category: w.r.pick(categories) } : w.r.chance(0.01) ? { category: 'adult' } : {}),
        ...w.r.maybe(0.12, { attributes: attributes(w) }),
        ...(event.body.access === 'code' && w.r.chance(0.15) ? { code: code(w, event) } : {}),
    };
}

function ofEvent(w, event) {
    const free = w.free(event);
    const kind = w.r.weighted({ seat: free.length ? 6 : 1, pool: event.pools.size ? 3 : 0.05, best: free.length > 1 ? 2.5 : 0.4,
        set: 0.5 });
    const more = extras(w, event);
    if (kind === 'seat') {
        const seat = w.r.chance(0.9) && free.length ? w.r.pick(free).id : w.r.pick([...event.seats.keys(), 'Z1']);
        return { event: event.id, seat, ...more };
    }
    if (kind === 'pool') {
        return { event: event.id, pool: w.r.pick([...event.pools.keys(), ...(w.r.chance(0.05) ? ['none'] : [])]) ?? 'none',
            ...w.r.maybe(0.8, { quantity: w.r.int(1, 3) }), ...more };
    }
    if (kind === 'best') {
        const best = { quantity: w.r.int(1, 3), ...w.r.maybe(0.5, { adjacent: true }),
            ...w.r.maybe(0.2, { tier: w.r.pick(['gold', 'silver']) }),
            ...w.r.maybe(0.15, { section: 'stalls' }), ...w.r.maybe(0.08, { accessible: 1 }),
            ...w.r.maybe(0.06, { allotment: 'club' }) };
        return { event: event.id, best, ...more };
    }
    const aside = [...event.seats.values()].filter((seat) => seat.allotment || seat.blocked);
    const seat = w.r.pick(aside);
    return seat ? { event: event.id, seat: seat.id, ...w.r.maybe(0.9, { allotment: seat.blocked ? 'blocked' : seat.allotment }),
        ...more } : { event: event.id, seat: 'A1', ...more };
}

const anEvent = (w) => w.pick(w.events, (event) => (w.onSale(event) && (w.free(event).length || event.pools.size)) ||
    w.r.chance(0.01));

function anItem(w, event) {
    const kind = w.r.weighted({ event: event ? 8 : 0, slot: w.calendars.size ? 2 : 0, group: w.groups.size ? 1 : 0, any: 0.1 });
    return kind === 'event' ? ofEvent(w, event) : kind === 'slot' ? aSlot(w) : kind === 'group' ? aGroupSlot(w)
        : { event: 'nowhere', seat: 'A1' };
}

/* Seats of a row near each other, which may leave one alone. */
function near(w, event) {
    const { row } = w.r.pick(w.free(event));
    const seats = w.r.some(w.free(event).filter((seat) => seat.row === row), w.r.int(1, 3));
    return (w.r.chance(0.5) ? seats : seats.reverse()).map((seat) => ({ event: event.id, seat: seat.id }));
}

function items(w, event) {
    if (event?.body.single_seats === 'refuse' && w.free(event).length && w.r.chance(0.6)) {
        return near(w, event);
    }
    const count = w.r.weighted({ 1: 6, 2: 3, 3: 1 });
    const found = Array.from({ length: Number(count) }, () => anItem(w, event)).filter(Boolean);
    const names = found.map((item) => `${item.event}/${item.seat}`);
    return found.filter((item, i) => !item.seat || names.indexOf(names[i]) === i || w.r.chance(0.02));
}

/* A buyer: for an event with a waiting room, usually one with a pass. */
function buyer(w, event) {
    const entry = event?.room && w.r.chance(0.9) ? w.pick(w.entries, (it) => it.event === event.id &&
        it.status === 'admitted' && it.pass) : undefined;
    const user = entry?.user_id ?? w.r.pick(w.users);
    const as = entry ? w.r.weighted({ user: 5, app: 2, admin: 1 })
        : w.r.weighted({ user: event?.room ? 1 : 45, app: 25, admin: 18, guest: w.guests.size ? 10 : 0, nobody: 0.5,
        door: 0.5 });
    const guest = as === 'guest' ? w.guest : undefined;
    const headers = entry || (event?.room && w.r.chance(0.1)) ? { 'Holdfast-Pass': entry ? ref(entry.pass) : 'a.b.c' } : {};
    const needed = as === 'app' || as === 'admin' || as === 'door';
    return { user, headers, needed, as: { user: w.user(user), app: w.app, admin: w.admin, guest, nobody: undefined,
        door: w.door }[as], staff: as === 'app' || as === 'admin' };
}

const codeFor = (w, event) => (event && (event.body.access === 'code' ? w.r.chance(0.92) : event.codes.length &&
    w.r.chance(0.15)) ? { code: code(w, event) } : {});

function hold(w) {
    const event = anEvent(w);
    const { user, headers, as, staff, needed } = buyer(w, event);
    const short = w.r.chance(0.08) && event && w.free(event).length;
    const known = short ? w.free(event).filter((it) => w.etags.get(`${event.id}/${it.id}`)) : [];
    const seat = short ? w.r.pick(known.length ? known : w.free(event)).id : undefined;
    const what = short ? { resource_id: event.id === 'default' && w.r.chance(0.7) ? seat : `${event.id}/${seat}` }
        : { items: items(w, event) };
    if (!short && !what.items.length) {
        return undefined;
    }
    const etag = seat && w.etags.get(`${event.id}/${seat}`);
    const match = short && etag && w.r.chance(0.7) ? { 'If-Match': ref(etag) } : {};
    const commit = staff && w.r.chance(0.15) ? { commit: true, ...payment(w, undefined, 0.5) } : {};
    const body = { ...(needed || w.r.chance(0.02) ? { user_id: w.name(user) } : {}), ...what, ...codeFor(w, event), ...commit,
        ...w.r.maybe(0.15, { ttl_seconds: w.r.pick([5, 15, 20, 60, 700]) }),
        ...w.r.maybe(0.15, { attributes: attributes(w) }) };
    const request = { method: 'POST', path: w.r.chance(0.05) ? '/reservations' : '/v1/reservations', as, event, body,
        headers: { ...headers, ...match } };
    return keyed(w, request, 0.25);
}

/* The same request again, or another one under its key. */
function again(w) {
    const request = w.pick(w.keyed);
    if (!request) {
        return undefined;
    }
    const other = w.r.chance(0.2) && request.body && typeof request.body === 'object';
    return { ...request, body: other ? { ...request.body, attributes: { other: 1 } } : request.body };
}

/* ---- What is done to one ---- */

function payment(w, reservation, p = 0.8) {
    if (!w.r.chance(p)) {
        return w.r.chance(0.3) ? { payment_method: 'cash' } : {};
    }
    const used = w.r.chance(0.12) && w.pick(w.payments);
    const payment_ref = used ? used.payment_ref : w.unique('pi_');
    w.payments.put(payment_ref, { payment_ref, reservation: reservation?.reservation_id, total: reservation?.total });
    const amount = reservation && w.r.chance(0.4) ? { amount: { ...reservation.total,
        amount: Math.max(0, reservation.total.amount + (w.r.chance(0.8) ? 0 : w.r.pick([-100, 100, 5_000]))) } } : {};
    return { payment_ref, ...w.r.maybe(0.3, { payment_method: 'card' }), ...amount };
}

const HELD = { held: 90, confirmed: 5, ended: 5 };
const SOLD = { confirmed: 88, held: 6, ended: 6 };

function look(w) {
    return about(w, { held: 4, confirmed: 4, ended: 3 },
        () => ({ method: w.r.chance(0.03) ? 'HEAD' : 'GET', query: w.r.chance(0.15) ? '?manage_token=1' : '' }));
}

function history(w) {
    return about(w, { held: 3, confirmed: 5, ended: 4 },
        () => ({ method: 'GET', rest: '/history', query: w.r.chance(0.3) ? `?limit=${w.r.int(1, 4)}` : '', book: true,
        list: true }));
}

function add(w) {
    return about(w, HELD, (reservation) => {
        const item = w.r.pick(reservation.items);
        const event = (item?.event && w.r.chance(0.85) ? w.events.get(item.event) : undefined) ?? anEvent(w);
        const entry = event?.room && w.pick(w.entries, (it) => it.event === event.id && it.user_id === reservation.user_id &&
            it.pass);
        const wanted = w.r.chance(0.05) && item?.seat ? { event: item.event, seat: item.seat } : anItem(w, event);
        const body = wanted && (w.r.chance(0.75) ? { ...wanted }
            : { items: [wanted, ...(w.r.chance(0.5) ? items(w, event) : [])], ...codeFor(w, event) });
        return body && { rest: '/items', body, headers: entry ? { 'Holdfast-Pass': ref(entry.pass) } : {}, keyedBy: 0.15 };
    });
}

const itemOf = (w, reservation) => (w.r.chance(0.95) && reservation.items.length ? w.r.pick(reservation.items)
    : { item_id: '77' });
function drop(w) {
    return about(w, HELD, (reservation) => ({ method: 'DELETE', rest: `/items/${itemOf(w, reservation).item_id}` }));
}

function change(w) {
    return about(w, { held: 70, confirmed: 27, ended: 3 }, (reservation) => {
        const item = itemOf(w, reservation);
        const event = w.events.get(item.event);
        const kinds = { attributes: 1, seat: item.seat && event ? 5 : 0.1, quantity: item.pool ? 5 : 0.1,
            category: event?.body.categories ? 2 : 0.1, time: item.calendar ? 6 : 0.1 };
        const slot = aSlot(w, item.calendar && w.calendars.get(item.calendar));
        const body = {
            attributes: () => ({ attributes: attributes(w) }),
            seat: () => ({ seat: w.r.pick(event ? w.free(event) : [])?.id ?? 'A1' }),
            quantity: () => ({ quantity: w.r.int(1, 4) }),
            category: () => ({ category: w.r.pick(event?.body.categories ?? ['adult']) }), time: () => slot &&
                { start: slot.start, ...(slot.end && !item.service ? { end: slot.end } : {}) },
        }[w.r.weighted(kinds)]();
        const entry = event?.room && w.pick(w.entries, (it) => it.event === event.id && it.user_id === reservation.user_id &&
            it.pass);
        return body && { method: 'PATCH', rest: `/items/${item.item_id}`, body, headers: entry
            ? { 'Holdfast-Pass': ref(entry.pass) } : {} };
    });
}

const patch = (w) => about(w, { held: 5, confirmed: 3, ended: 1 },
    () => ({ method: 'PATCH', body: { attributes: attributes(w) } }));
/* Later than whatever was done before, so that it changes the deadline on both sides or on none. */
const extend = (w) => about(w, HELD, () => ({ rest: '/extend', later: 700, body: w.r.chance(0.6)
    ? { ttl_seconds: w.r.pick([1, 30, 300, 100_000]) } : {} }));
const pay = (w) => about(w, HELD, (reservation, as) => ({ rest: '/payment', body: as.user ? {}
    : payment(w, reservation, 0.4) }));

function commit(w) {
    return about(w, { held: 85, confirmed: 8, ended: 7 }, (reservation, as) => {
        const free = reservation.total.amount === 0;
        const body = { ...(free && w.r.chance(0.8) ? {} : payment(w, reservation, 0.8)),
            ...w.r.maybe(0.1, { attributes: attributes(w) }) };
        const trusted = !free && w.r.chance(0.8) ? w.staff : as;
        return { rest: '/commit', body, as: trusted, pays: true };
    });
}

function release(w) {
    return about(w, { held: 80, confirmed: 10, ended: 10 },
        () => (w.r.chance(0.6) ? { rest: '/release', body: {} } : { method: 'DELETE' }));
}

function transfer(w) {
    return about(w, SOLD, (reservation, as) => {
        const to = w.r.chance(0.9) ? w.r.pick(w.users) : reservation.user_id;
        const body = { to_user_id: w.name(to), ...w.r.maybe(0.15, { keep_attributes: true }) };
        return { rest: '/transfer', body, as, keyedBy: 0.25 };
    });
}

const cancel = (w) => about(w, SOLD, (reservation) => ({ rest: '/cancel', body: {}, as: w.r.chance(0.7)
    ? w.user(reservation.user_id) : w.caller(reservation.user_id) }));
function refund(w) {
    return about(w, SOLD, (reservation) => {
        const some = reservation.items.length > 1 && w.r.chance(0.4)
            ? { items: w.r.some(reservation.items, 1).map((item) => item.item_id) } : {};
        const body = { ...some, ...w.r.maybe(0.2, { reason: 'The star is ill.' }), ...w.r.maybe(0.2, { paid_back: true }) };
        return { rest: '/refund', body, as: w.r.chance(0.92) ? w.staff : w.user(reservation.user_id) };
    });
}
const revoke = (w) => about(w, SOLD, () => ({ method: 'DELETE', rest: '/manage-tokens' }));

module.exports = {
    keyed,
    acts: {
        hold: [19, hold], again: [2, again], look: [5, look], history: [3, history], add: [4.5, add], drop: [2, drop],
        change: [5, change], patch: [1.2, patch],
        extend: [2.5, extend], pay: [3, pay], commit: [9, commit], release: [2.2, release], transfer: [1.8, transfer],
        cancel: [1.2, cancel], refund: [2, refund], revoke: [0.4, revoke],
    },
};
