/* SPDX-License-Identifier: Apache-2.0 */
/* Requests about waiting rooms and waiting lists. */
'use strict';

const { ref } = require('./pair.js');
const { keyed } = require('./acts_claim.js');

const path = (event, rest = '') => `/v1/events/${event.id}${rest}`;
const aRoom = (w) => w.pick(w.events, (event) => !event.gone && (event.room || w.r.chance(0.01)));
const aList = (w) => w.pick(w.events, (event) => !event.gone && (event.body.waiting_list || w.r.chance(0.01)));

/* The caller and the body of a request to join, with a code where one is needed. */
function joiner(w, event) {
    const staff = w.r.chance(0.35);
    const user = w.r.pick(w.users);
    const guest = !staff && w.r.chance(0.08) ? w.guest : undefined;
    const known = event.codes.length ? w.r.pick(event.codes).code : undefined;
    const code = event.body.access === 'code' ? (w.r.chance(0.9) && known ? { code: known }
        : w.r.pick([{}, { code: 'nosuchcode' }])) : known && w.r.chance(0.15) ? { code: known } : {};
    return { as: guest ?? (staff ? w.staff : w.user(user)), body: { ...(staff ? { user_id: w.name(user) } : {}), ...code } };
}

/* ---- Waiting rooms ---- */

function join(w) {
    const event = aRoom(w);
    if (!event) {
        return undefined;
    }
    const { as, body } = joiner(w, event);
    const tiers = event.body.waiting_room?.tiers && w.r.chance(0.4) ? { tiers: ['gold'] } : {};
    return keyed(w, { method: 'POST', path: path(event, '/queue'), as, event, body: { ...body, ...tiers } }, 0.15);
}

/* A request about an entry, usually a live one, usually by its owner. */
function entry(w, make) {
    const found = w.r.chance(0.7) ? w.pick(w.entries, (it) => it.status !== 'left' && it.status !== 'finished')
        : w.pick(w.entries);
    const event = found && w.events.get(found.event);
    return event && { as: w.caller(found.user_id), event, ...make(event, ref(found.entry_id), found) };
}
const look = (w) => entry(w, (event, id, { status }) => ({ method: 'GET', path: path(event, `/queue/${id}`) }));
const leave = (w) => entry(w, (event, id) => ({ method: 'DELETE', path: path(event, `/queue/${id}`) }));

function show(w) {
    const event = aRoom(w);
    return event && { method: 'GET', path: path(event, '/queue'), as: w.r.chance(0.6) ? w.admin : w.anyone, event, looks: true,
        looks: true };
}

function control(w) {
    const event = aRoom(w);
    const body = w.r.pick([{ paused: true }, { paused: false }, { paused: false }, { rate_per_second: 1 },
        { rate_per_second: 100_000 }, { max_active: w.r.int(0, 5) },
        { open_at: w.at(w.r.int(5, 100)) }, { open_at: null }, { max_active: 0, paused: false }, {}]);
    return event && { method: 'PATCH', path: path(event, '/queue'), as: w.admin, event, body };
}

/* ---- Waiting lists ---- */

function wish(w) {
    const event = aList(w);
    if (!event) {
        return undefined;
    }
    const { as, body } = joiner(w, event);
    const wanted = w.r.chance(0.3) && event.pools.size ? { pool: w.r.pick([...event.pools.keys()]) }
        : { ...w.r.maybe(0.2, { tier: 'gold' }), ...w.r.maybe(0.2, { section: 'stalls' }),
        ...w.r.maybe(0.2, { adjacent: true }) };
    return keyed(w, { method: 'POST', path: path(event, '/waiting-list'), as, event,
        body: { ...body, quantity: w.r.int(1, 2), ...wanted } }, 0.15);
}

function wishOf(w, make) {
    const found = w.r.chance(0.7) ? w.pick(w.wishes, (it) => it.status === 'waiting' || it.status === 'offered')
        : w.pick(w.wishes);
    const event = found && w.events.get(found.event);
    return event && { as: w.caller(found.user_id), event, path: path(event, `/waiting-list/${ref(found.entry_id)}`),
        ...make(event) };
}
const lookAtWish = (w) => wishOf(w, () => ({ method: 'GET' }));
const leaveList = (w) => wishOf(w, () => ({ method: 'DELETE' }));
function showList(w) {
    const event = aList(w);
    const status = w.r.chance(0.4) ? `&status=${w.r.pick(['waiting', 'offered', 'finished', 'left'])}` : '';
    return event && { method: 'GET', path: path(event, `/waiting-list?limit=${w.r.int(1, 20)}${status}`), as: w.admin,
        book: true, list: true, event };
}

module.exports = {
    acts: { join: [2.8, join], look: [2.2, look], leave: [0.7, leave], show: [1.2, show], control: [0.9, control],
        wish: [2, wish], lookAtWish: [1.5, lookAtWish], leaveList: [0.6, leaveList], showList: [0.8, showList] },
};
