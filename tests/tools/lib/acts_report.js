/* SPDX-License-Identifier: Apache-2.0 */
/* Requests for lists, searches, reports and what operators ask for. */
'use strict';

const { ref } = require('./pair.js');

function search(w) {
    const [reservation, event, calendar, ticket, paid] = [w.pick(w.reservations), w.pick(w.events), w.pick(w.calendars),
        w.pick(w.tickets), w.pick(w.payments)];
    const by = w.r.weighted({ all: 2, user: reservation ? 3 : 0, event: event ? 3 : 0, calendar: calendar ? 1 : 0, status: 3,
        pnr: reservation ? 2 : 0, q: 2, time: 1, ticket: ticket ? 1 : 0, paid: paid ? 1 : 0 });
    const query = {
        all: () => '', user: () =>
            `user_id=${encodeURIComponent(reservation.user_id).replace(/^(guest_.*|erased_.*)$/, (name) => ref(name))}&`,
            event: () => `event=${event.id}&`, calendar: () => `calendar=${calendar.id}&`,
        status: () => `status=${w.r.pick(['held', 'confirmed', 'released', 'expired', 'cancelled', 'refunded'])}&`,
        pnr: () => `pnr=${ref(reservation.pnr)}&`,
        q: () => `q=${w.r.pick(['ann', 'check', 'user', 'nobody'])}&`, time: () => `from=${w.at(-w.r.int(60, 9_000))}&`,
        ticket: () => `ticket=${ref(ticket.code)}&`,
        paid: () => `payment_ref=${paid.payment_ref}&`,
    }[by]();
    const csv = w.r.chance(0.25) ? { headers: { accept: 'text/csv' } } : {};
    const as = w.r.weighted({ staff: 7, user: 3, other: 0.5 });
    return { method: 'GET', path: `/v1/reservations?${query}limit=${w.r.int(1, 25)}`,
        as: { staff: w.staff, user: w.user(reservation?.user_id ?? 'user-a'), other: w.anyone }[as], book: true, list: true,
        ...csv };
}

/* The next page of what was asked for before, by the same caller. */
function nextPage(w) {
    const known = w.pick(w.cursors);
    if (!known) {
        return undefined;
    }
    const { request, cursor } = known;
    const glue = request.path.includes('?') ? '&' : '?';
    return { ...request, path: `${request.path.replace(/&?cursor=[^&]*/, '')}${glue}cursor=${w.r.chance(0.95) ? ref(cursor) : 'bad'}`, done: undefined };
}

function report(w) {
    const event = w.pick(w.events);
    const name = w.r.pick(['sales', 'abandoned', 'funnel', 'money']);
    const of = name !== 'money' && event && w.r.chance(0.6) ? `event=${event.id}&` : name === 'money' && w.r.chance(0.3)
        ? 'timezone=Asia/Tokyo&' : '';
    const span = w.r.chance(0.5)
        ? `from=${w.at(-w.r.pick([3_600, 86_400, 900_000])).slice(0, 10)}T00:00:00Z&to=${w.at(86_400).slice(0, 10)}T00:00:00Z`
        : '';
    return { method: 'GET', path: `/v1/reports/${name}?${of}${span}`.replace(/[?&]$/, ''), as: w.r.chance(0.92) ? w.admin
        : w.anyone, book: true, ...w.r.maybe(0.3, { headers: { accept: 'text/csv' } }) };
}

const audit = (w) => ({ method: 'GET', path: `/v1/audit?limit=${w.r.int(1, 30)}`, as: w.r.chance(0.92) ? w.admin : w.anyone,
    book: true, list: true });

const PAGES = ['/', '/docs', '/admin', '/door', '/licenses', '/favicon.svg', '/e/default', '/e/nowhere', '/q/default',
    '/c/nowhere', '/o/x', '/f/nowhere', '/embed/holdfast.js', '/assets/none.js'];
function operations(w) {
    const what = w.r.weighted({ healthz: 1, readyz: 1, metrics: 1, openapi: 0.15, page: 2, none: 1, method: 1, options: 0.5 });
    return { as: w.r.chance(0.7) ? undefined : w.anyone, ...({
        healthz: { method: 'GET', path: '/healthz' }, readyz: { method: 'GET', path: '/readyz', looks: true },
        metrics: { method: 'GET', path: '/metrics' }, openapi: { method: 'GET', path: '/openapi.json' },
        page: { method: 'GET', path: w.r.pick(PAGES), headers: w.r.chance(0.7) ? { accept: 'text/html' } : {} },
        none: { method: 'GET', path: w.r.pick(['/v1/nothing', '/v2/events', '/v1/events/a/b/c', '/v1']) },
        method: { method: w.r.pick(['DELETE', 'PUT', 'PATCH']),
            path: w.r.pick(['/v1/events', '/v1/reservations', '/healthz']) },
            options: { method: 'OPTIONS', path: '/v1/reservations',
            headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' } },
    }[what]) };
}

module.exports = { acts: { search: [4.5, search], nextPage: [2.5, nextPage], report: [2, report], audit: [0.7, audit],
    operations: [1.8, operations] } };
