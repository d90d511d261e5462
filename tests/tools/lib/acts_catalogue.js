/* SPDX-License-Identifier: Apache-2.0 */
/* Requests about events: settings, seats, pools, codes, and what is shown of them. */
'use strict';

const { ref } = require('./pair.js');

const TIERS = ['gold', 'silver', 'bronze'];
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];

const path = (event, rest = '') => `/v1/events/${event.id}${rest}`;
const anEvent = (w) => w.pick(w.events, (event) => !event.gone || w.r.chance(0.02));

function room(w) {
    const { r } = w;
    return {
        rate_per_second: r.pick([1, 100_000, 100_000]), by_inventory: r.chance(0.5),
        ...w.r.maybe(0.4, { max_active: r.int(1, 4) }), ...w.r.maybe(0.5, { pass_ttl_seconds: r.pick([30, 120, 900]) }),
        ...w.r.maybe(0.25, { open_at: w.at(r.int(5, 400)) }), ...w.r.maybe(0.15, { tiers: ['gold', 'silver'] }),
    };
}

function prices(w, categories) {
    const of = (base) => Object.fromEntries(categories.map((category, i) => [category, Math.round(base / (i + 1))]));
    return Object.fromEntries(w.r.some(TIERS, 2).map((tier) => [tier, of(w.r.int(10, 90) * 100)]));
}

function money(w) {
    const { r } = w;
    const categories = ['adult', 'child', 'senior'].slice(0, r.int(1, 3));
    return {
        payment: r.chance(0.5) ? 'required' : 'none', ...w.r.maybe(0.12, { currency: r.pick(['USD', 'JPY']) }),
        ...w.r.maybe(0.25, { late_payment: 'refund' }), ...w.r.maybe(0.35, { categories, prices: prices(w, categories) }),
        ...w.r.maybe(0.3, { payment_ttl_seconds: r.pick([0, 30, 120]) }),
        ...w.r.maybe(0.35, { cancel_until_seconds: r.pick([0, 3600, 86_400]) }),
    };
}

function settings(w) {
    const { r } = w;
    const ttl = r.pick([20, 60, 120, 300, 600]);
    return {
        name: `Show ${w.unique('')}`, ...money(w),
        ...w.r.maybe(0.75, { starts_at: w.at(r.pick([3_600, 86_400, 5 * 86_400, 40 * 86_400])) }),
        ...(r.chance(0.15) ? { preset: r.pick(['concert', 'airline', 'hotel', 'restaurant']) } : { hold_ttl_seconds: ttl }),
        ...w.r.maybe(0.1, { on_sale_at: w.at(r.int(10, 1_500)) }),
        ...w.r.maybe(0.06, { off_sale_at: w.at(r.int(2_000, 9_000)) }),
        ...w.r.maybe(0.2, { per_user_limit: r.int(2, 6) }), ...w.r.maybe(0.2, { waiting_room: room(w) }),
        ...w.r.maybe(0.35, { waiting_list: true }), ...w.r.maybe(0.12, { guests: false }),
        ...w.r.maybe(0.15, { access: 'code' }), ...w.r.maybe(0.3, { single_seats: 'refuse' }),
        ...w.r.maybe(0.1, { transfer: 'off' }), ...w.r.maybe(0.3, { timezone: r.pick(ZONES) }),
        ...w.r.maybe(0.15, { description: 'An evening.\nWith music: "ää", 日本.', venue: 'Hall 1', image: '/assets/x.png' }),
        ...w.r.maybe(0.1, { staff_hold_seconds: 3_000 }),
    };
}

/* ---- Seats, pools, codes ---- */

function seatsOf(w) {
    const { r } = w;
    const seats = [];
    const [rows, length] = [r.int(1, 3), r.int(3, 9)];
    for (let row = 0; row < rows; row++) {
        const tier = TIERS[row % 3];
        for (let number = 1; number <= length; number++) {
            const letter = 'ABC'[row];
            seats.push({
                id: `${letter}${number}`, section: row < 2 ? 'stalls' : 'balcony', row: letter, number: String(number), tier,
                price: r.pick([0, 1_000, 2_500, 4_000]), ...w.r.maybe(0.3, { x: number * 10, y: row * 12.5 }),
                ...w.r.maybe(0.08, { accessible: true }), ...w.r.maybe(0.04, { blocked: true }),
                ...w.r.maybe(0.08, { allotment: 'club' }),
            });
        }
    }
    return seats;
}

const CSV = { 'content-type': 'text/csv' };
const cell = (value) => (/[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ''));
function csv(w, rows, columns) {
    const end = w.r.pick(['\n', '\r\n']);
    return [columns.join(), ...rows.map((row) => columns.map((column) => cell(row[column])).join())].join(end) + end;
}

function importSeats(w, event, seats) {
    const table = w.r.chance(0.4);
    const columns = w.r.chance(0.5) ? ['id', 'section', 'row', 'number', 'tier', 'price']
        : ['price', 'id', 'row', 'number', 'tier', 'accessible', 'blocked', 'allotment'];
    const rows = seats.map((seat) => ({ ...seat, accessible: seat.accessible ? 'true' : '0', blocked: seat.blocked ? '1'
        : 'false' }));
    return {
        method: 'POST', path: path(event, '/seats'), as: w.admin, event,
        ...(table ? { body: csv(w, rows, columns), headers: CSV } : { body: seats }),
        done: () => seats.forEach((seat) => event.seats.set(seat.id, !table ? { ...event.seats.get(seat.id), ...seat }
            : { ...seat,
            blocked: columns.includes('blocked') && seat.blocked, allotment: columns.includes('allotment') ? seat.allotment
                : undefined })),
    };
}

function putPool(w, event, id = w.r.pick(['floor', 'box', 'lawn'])) {
    const categories = event.body.categories;
    const body = {
        capacity: w.r.int(2, 25), price: w.r.pick([0, 500, 1_500]), ...w.r.maybe(0.4, { name: `The ${id}` }),
        ...(categories ? { prices: Object.fromEntries(categories.map((category, i) => [category, 900 - 100 * i])) } : {}),
        ...w.r.maybe(0.12, { allotment: 'club' }),
    };
    return { method: 'PUT', path: path(event, `/pools/${id}`), as: w.admin, event, body,
        done: () => event.pools.set(id, body) };
}

function putCodes(w, event) {
    const codes = Array.from({ length: w.r.int(1, 4) }, () => ({
        code: `Code-${w.unique('')}`, units: w.r.pick([0, 2, 5]), ...w.r.maybe(0.25, { tiers: w.r.some(TIERS, 2) }),
        ...w.r.maybe(0.35, { allotment: 'club' }),
    }));
    const table = w.r.chance(0.4);
    const rows = codes.map((code) => ({ ...code, tiers: (code.tiers ?? []).join(w.r.pick([';', ' '])) }));
    return {
        method: 'POST', path: path(event, '/codes'), as: w.admin, event,
        ...(table ? { body: csv(w, rows, ['code', 'units', 'tiers', 'allotment']), headers: CSV } : { body: codes }),
        done: () => event.codes.push(...codes),
    };
}

/* ---- Events ---- */

/* With seats and all, by and by. */
function create(w, id = w.unique('event-')) {
    const body = settings(w);
    const from = w.r.chance(0.06) && w.pick(w.events, (event) => !event.gone && event.seats.size);
    if (from) {
        body.copy_seats_from = from.id;
    }
    const event = { id, body, room: Boolean(body.waiting_room), seats: new Map(from ? [...from.seats] : []),
        pools: new Map(from ? [...from.pools] : []),
        codes: [], taken: new Map() };
    const done = () => {
        w.events.put(id, event);
        const parts = [from ? undefined : () => importSeats(w, event, seatsOf(w)), w.r.chance(0.6) ? () => putPool(w, event)
            : undefined,
            body.access === 'code' || w.r.chance(0.25) ? () => putCodes(w, event) : undefined];
        w.plan.push(...parts.filter(Boolean));
    };
    return { method: 'PUT', path: path(event), as: w.admin, body, event, done };
}

function replace(w) {
    const event = anEvent(w);
    const body = event && { ...settings(w), ...(event.room || w.r.chance(0.9)
        ? { waiting_room: event.body.waiting_room ?? null } : {}) };
    const shown = w.r.chance(0.3) ? { id: event?.id, created_at: 'x', counts: { any: 1 } } : {};
    return event && { method: 'PUT', path: path(event), as: w.admin, event, body: { ...body, ...shown },
        done: () => Object.assign(event, { body, room: event.room || Boolean(body.waiting_room), gone: false }) };
}

const PATCHES = [
    (w) => ({ name: `Renamed ${w.unique('')}` }), (w) => ({ per_user_limit: w.r.pick([null, 0, 4]) }),
    () => ({ description: null }),
    (w) => ({ hold_ttl_seconds: w.r.pick([30, 90, null]) }), (w) => ({ max_hold_seconds: w.r.pick([10, 800, 1_200]) }),
    (w) => ({ off_sale_at: w.r.pick([null, w.at(5_000)]) }), (w) => ({ waiting_list: w.r.chance(0.7) }),
    (w) => ({ timezone: w.r.pick([...ZONES, 'Mars/Base']) }),
    (w) => ({ single_seats: w.r.pick(['allow', 'refuse']) }), (w) => ({ cancel_until_seconds: w.r.pick([null, 0, 60]) }),
    (w) => ({ late_payment: w.r.pick(['refund', 'accept_if_free', null]) }),
    (w) => ({ payment: w.r.pick(['required', 'none']) }),
    () => ({ preset: 'hotel' }), (w) => ({ on_sale_at: w.r.pick([null, w.at(-100), w.at(60)]) }),
    (w) => ({ guests: w.r.chance(0.8) }),
];
function patch(w) {
    const event = anEvent(w);
    if (!event) {
        return undefined;
    }
    const body = Object.assign({}, ...w.r.some(PATCHES, w.r.int(1, 2)).map((one) => one(w)));
    if (event.room && w.r.chance(0.3)) {
        body.waiting_room = w.r.pick([{ pass_ttl_seconds: 60 }, { max_active: null }, { by_inventory: false }]);
    }
    const headers = w.r.chance(0.5) ? { 'content-type': 'application/merge-patch+json' } : {};
    const done = () => Object.entries(body).forEach(([name, value]) => {
        if (name !== 'waiting_room' && name !== 'access') {
            event.body[name] = value;
        }
    });
    return { method: 'PATCH', path: path(event), as: w.admin, event, body, headers, done };
}

function markSeats(w) {
    const event = w.pick(w.events, (one) => !one.gone && one.seats.size);
    if (!event) {
        return undefined;
    }
    const known = [...event.seats.values()];
    const free = w.free(event);
    const ids = w.r.some(w.r.chance(0.85) && free.length ? free : known, w.r.int(1, 3)).map((seat) => seat.id);
    const change = w.r.weighted({ block: 4, open: 3, allot: 2, free: 2, both: 1 });
    const body = { ...(w.r.chance(0.75) ? { ids } : { allotment: w.r.pick(['club', 'press']) }),
        ...({ block: { blocked: true }, open: { blocked: false }, allot: { set_allotment: w.r.pick(['club', 'press']) },
            free: { set_allotment: null },
            both: { blocked: false, set_allotment: null } }[change]) };
    const done = () => ids.forEach((id) => {
        const seat = event.seats.get(id);
        if (seat && body.ids) {
            seat.blocked = body.blocked ?? seat.blocked;
            seat.allotment = body.set_allotment === undefined ? seat.allotment : body.set_allotment ?? undefined;
        }
    });
    return { method: 'PATCH', path: path(event, '/seats'), as: w.admin, event, body, done };
}

function removeSeats(w) {
    const event = w.pick(w.events, (one) => !one.gone && one.seats.size > 2);
    if (!event) {
        return undefined;
    }
    const free = w.free(event);
    const ids = w.r.some(w.r.chance(0.7) && free.length ? free : [...event.seats.values()], w.r.int(1, 2))
        .map((seat) => seat.id);
    return { method: 'DELETE', path: path(event, '/seats'), as: w.admin, event, body: { ids },
        done: () => ids.forEach((id) => event.seats.delete(id)) };
}

function moreSeats(w) {
    const event = anEvent(w);
    const seats = event && Array.from({ length: w.r.int(1, 4) },
        () => ({ id: `${w.r.pick(['A', 'D'])}${w.r.int(1, 12)}`, row: 'D', tier: w.r.pick(TIERS),
        price: w.r.int(0, 3) * 700 }));
    return event && importSeats(w, event, w.r.chance(0.9) ? [...new Map(seats.map((seat) => [seat.id, seat])).values()]
        : seats);
}

function remove(w) {
    const event = w.pick(w.events, (one) => !one.gone);
    return event && { method: 'DELETE', path: path(event), as: w.admin, event, done: () => (event.gone = true) };
}

function removeCode(w) {
    const event = w.pick(w.events, (one) => one.codes.length);
    const code = event && w.r.pick(event.codes).code;
    return event && { method: 'DELETE', path: path(event, `/codes/${code}`), as: w.admin, event,
        done: () => (event.codes = event.codes.filter((one) => one.code !== code)) };
}

/* ---- What is shown ---- */

function show(w) {
    const event = anEvent(w);
    if (!event) {
        return undefined;
    }
    const what = w.r.weighted({ event: 4, layout: 2, seat: 4, pools: 2, pool: 2, availability: 4, since: 2, map: 1, codes: 2,
        advice: 1 });
    const [seat, pool] = [w.r.pick([...event.seats.keys(), 'Z9']), w.r.pick([...event.pools.keys(), 'none'])];
    const as = w.anyone;
    const shown = {
        event: () => ({ path: path(event) }), layout: () =>
            ({ path: path(event, '/seats'), headers: w.r.pick([{}, { 'accept-encoding': 'gzip' },
            { 'If-None-Match': ref(w.etags.get(`layout ${event.id}`) ?? '"x"') }]),
            done: (_, answer) => w.etags.put(`layout ${event.id}`, answer.headers.etag) }),
        seat: () => ({ path: path(event, `/seats/${seat}`),
            done: (_, answer) => w.etags.put(`${event.id}/${seat}`, answer.headers.etag) }),
        pools: () => ({ path: path(event, '/pools') }), pool: () => ({ path: path(event, `/pools/${pool}`) }),
        availability: () => ({ path: path(event, '/availability'),
            done: ({ version }) => (event.version = version) }),
        since: () => ({ path: path(event, `/availability?since=${ref(event.version ?? 0)}`) }),
        map: () => ({ path: path(event, '/availability?format=map') }),
        codes: () => ({ path: path(event, `/codes?limit=${w.r.int(1, 20)}`), as: w.admin, list: true }),
        advice: () => ({ path: path(event, '/ttl-advice'), as: w.admin, book: true }),
    }[what]();
    return { method: !shown.headers && w.r.chance(0.04) ? 'HEAD' : 'GET', as, ...shown, looks: true, event };
}

const list = (w) => ({ method: 'GET', path: `/v1/events?limit=${w.r.int(1, 50)}`, as: w.anyone, list: true });

module.exports = {
    create,
    acts: {
        create: [3.2, create], replace: [1, replace], patch: [2, patch], markSeats: [2, markSeats],
        removeSeats: [0.8, removeSeats],
        moreSeats: [1, moreSeats], pool: [1.2, (w) => { const event = anEvent(w); return event && putPool(w, event); }],
        codes: [1.2, (w) => { const event = anEvent(w); return event && putCodes(w, event); }], removeCode: [0.4, removeCode],
        remove: [0.4, remove],
        show: [8, show], list: [0.7, list],
    },
};
