/* SPDX-License-Identifier: Apache-2.0 */
/* Requests about tickets: shown, and used at the door. */
'use strict';

const { ref } = require('./pair.js');

function checkIn(w) {
    const ticket = w.pick(w.tickets);
    if (!ticket) {
        return undefined;
    }
    const used = w.r.chance(0.15) && w.pick(w.nonces);
    if (used) {
        return { ...used, as: w.r.pick([w.door, w.app]) };
    }
    const body = {
        code: w.r.chance(0.95) ? ref(ticket.code) : '0123456789ABCDEFGHJK',
        ...(w.r.chance(0.5) && ticket.event ? { event: w.r.chance(0.9) ? ticket.event : 'default' } : {}),
        ...w.r.maybe(0.6, { gate: w.r.pick(['north', 'south']) }), ...w.r.maybe(0.18, { undo: true }),
        ...w.r.maybe(0.15, { scanned_at: w.at(-w.r.pick([5, 600, 7_200, 200_000])) }),
    };
    const request = { method: 'POST', path: '/v1/check-ins', as: w.r.chance(0.93) ? w.r.pick([w.door, w.door, w.app, w.admin])
        : w.anyone, body };
    if (w.r.chance(0.4)) {
        body.nonce = w.unique('scan-');
        w.nonces.put(body.nonce, request);
        request.done = () => w.r.chance(0.15) && !body.undo &&
            w.plan.unshift(() => ({ ...request, body: { code: body.code, undo: true } }), () => ({ ...request }));
    }
    return request;
}

function list(w) {
    const ticket = w.pick(w.tickets, (it) => it.event);
    const since = w.r.chance(0.3) ? `&since=${w.at(-w.r.int(60, 9_000))}` : '';
    return ticket && { method: 'GET', path: `/v1/check-ins?event=${ticket.event}&limit=1000${since}`,
        as: w.r.pick([w.door, w.app, w.admin]), book: true, sorts: 'codes' };
}

function picture(w) {
    const ticket = w.pick(w.tickets);
    const form = w.r.pick(['svg', 'png']);
    return ticket && { method: 'GET',
        path: `/v1/tickets/${w.r.chance(0.92) ? ref(ticket.code) : '0123456789ABCDEFGHJK'}.${form}`, as: w.anyone };
}

const key = (w) => ({ method: 'GET', path: '/v1/tickets/key', as: w.anyone });

module.exports = { acts: { checkIn: [3.2, checkIn], list: [0.8, list], picture: [0.8, picture], key: [0.1, key] } };
