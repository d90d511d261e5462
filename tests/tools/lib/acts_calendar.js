/* SPDX-License-Identifier: Apache-2.0 */
/* Requests about calendars and groups of them, and the slots that holds ask for. */
'use strict';

const { iso } = require('./world.js');

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const path = (calendar, rest = '') => `/v1/calendars/${calendar.id}${rest}`;
function settings(w, zone) {
    const { r } = w;
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    return {
        name: `Room ${w.unique('')}`, timezone: zone ?? r.pick(['UTC', 'UTC', 'Europe/Berlin', 'America/New_York']),
        capacity: r.pick([1, 1, 2, 3]),
        price: r.pick([0, 1_000, 3_000]), payment: r.pick(['none', 'none', 'required']), slot_minutes: r.pick([15, 30, 60]),
        hold_ttl_seconds: r.pick([60, 300]),
        ...w.r.maybe(0.3, { buffer_minutes: r.pick([5, 10, 15]) }), ...w.r.maybe(0.2, { buffer_before_minutes: 10 }),
        ...w.r.maybe(0.5, { hours: [{ days, from: '08:00', to: '18:00' },
            { days: ['fri', 'sat'], from: '20:00', to: '02:00' }] }),
        ...w.r.maybe(0.2, { closed: [{ start: w.at(2 * 86_400), end: w.at(2 * 86_400 + 7_200) }] }),
        ...w.r.maybe(0.25, { services: [{ id: 'cut', duration_minutes: 45, price: 2_000 },
            { id: 'wash', duration_minutes: 30 }] }),
        ...w.r.maybe(0.25, { min_minutes: 30, max_minutes: 120 }), ...w.r.maybe(0.3, { price_per: r.pick(['slot', 'claim']) }),
        ...w.r.maybe(0.15, { notice_minutes: 120 }), ...w.r.maybe(0.1, { horizon_days: 10 }),
        ...w.r.maybe(0.15, { per_user_limit: 3 }),
        ...w.r.maybe(0.2, { change_until_minutes: 60 }), ...w.r.maybe(0.35, { cancel_until_minutes: r.pick([0, 60, 1_440]) }),
        ...w.r.maybe(0.5, { size: r.int(1, 6) }), ...w.r.maybe(0.1, { guests: false }),
        ...w.r.maybe(0.2, { late_payment: 'refund' }),
    };
}

function put(w, id, zone) {
    const old = !id && w.r.chance(0.3) ? w.pick(w.calendars) : undefined;
    const calendar = { id: id ?? old?.id ?? w.unique('calendar-'), body: settings(w, old?.grouped ? old.body.timezone : zone),
        grouped: old?.grouped };
    return { method: 'PUT', path: path(calendar), as: w.admin, body: calendar.body,
        done: () => w.calendars.put(calendar.id, calendar) };
}

function patch(w) {
    const calendar = w.pick(w.calendars);
    const body = w.r.pick([{ price: 1_500 }, { capacity: 2 }, { notice_minutes: null }, { hours: null }, { buffer_minutes: 5 },
        { slot_minutes: 45 }, { capacity: 0 },
        { services: [{ id: 'cut', duration_minutes: 30, price: 100 }] }, { timezone: 'Asia/Tokyo' },
        { cancel_until_minutes: 30 }]);
    return calendar && { method: 'PATCH', path: path(calendar), as: w.admin, body,
        done: () => Object.assign(calendar.body, body) };
}

function remove(w) {
    const calendar = w.pick(w.calendars);
    return calendar && { method: 'DELETE', path: path(calendar), as: w.admin, done: () => w.calendars.remove(calendar.id) };
}

/* ---- Slots ---- */

/* From midnight of a day some days ahead, so that requests fit the grid. */
function window(w) {
    const from = (Math.floor(w.now / DAY) + w.r.int(1, 5)) * DAY;
    return `from=${iso(from)}&to=${iso(from + w.r.pick([1, 2, 7]) * DAY)}`;
}

function slots(w) {
    const calendar = w.pick(w.calendars);
    if (!calendar) {
        return undefined;
    }
    const service = calendar.body.services ? `&service=${w.r.pick(['cut', 'wash', 'cut'])}` : w.r.chance(0.2)
        ? '&duration_minutes=60' : '';
    const done = ({ data }) => data.length && (calendar.slots = data);
    return { method: 'GET', path: path(calendar, `/slots?${window(w)}${service}${w.r.chance(0.5) ? '&limit=40' : ''}`),
        as: w.anyone, list: true, looks: true, done };
}

/* An item of a hold: one that was listed, or any time; undefined: there is no calendar. */
function aSlot(w, calendar = w.pick(w.calendars)) {
    if (!calendar) {
        return undefined;
    }
    const { services, slot_minutes } = calendar.body;
    const listed = w.r.chance(0.9) && calendar.slots ? w.r.pick(calendar.slots) : undefined;
    const start = listed ? Date.parse(listed.start) : (Math.floor(w.now / DAY) + w.r.int(1, 4)) * DAY + w.r.int(16,
        36) * 30 * MINUTE;
    const end = listed && !services ? listed.end : iso(start + (slot_minutes ?? 30) * MINUTE);
    const length = services && w.r.chance(0.9) ? { service: services.length > 1 ? w.r.pick(['cut', 'cut', 'wash']) : 'cut' }
        : { end };
    return { calendar: calendar.id, start: iso(start), ...length };
}

/* ---- Groups ---- */

function putGroup(w) {
    const old = w.r.chance(0.3) ? w.pick(w.groups) : undefined;
    const first = w.pick(w.calendars);
    if (!first) {
        return undefined;
    }
    const members = w.calendars.list((it) => it.body.timezone === first.body.timezone);
    const chosen = w.r.some(members, 4);
    const body = { name: 'Tables', calendars: chosen.map((it) => it.id),
        ...w.r.maybe(0.5, { pick: w.r.pick(['least_busy', 'in_order']) }) };
    const group = { id: old?.id ?? w.unique('group-'), body };
    const done = () => {
        w.groups.put(group.id, group);
        chosen.forEach((it) => (it.grouped = true));
    };
    return { method: 'PUT', path: `/v1/groups/${group.id}`, as: w.admin, body: group.body, done };
}

function showGroup(w) {
    const group = w.pick(w.groups);
    const party = w.r.chance(0.5) ? `&party=${w.r.int(1, 7)}` : '';
    const done = ({ data }) => data?.length && (group.slots = data);
    const what = group && w.r.weighted({ group: 1, slots: 4 });
    return group && { method: 'GET', as: w.anyone, looks: true, ...(what === 'group' ? { path: `/v1/groups/${group.id}` } :
        { path: `/v1/groups/${group.id}/slots?${window(w)}${party}`, list: true, done }) };
}

function aGroupSlot(w) {
    const group = w.pick(w.groups);
    const listed = group?.slots && w.r.pick(group.slots);
    return listed && { group: group.id, start: listed.start, end: listed.end, ...w.r.maybe(0.5, { party: w.r.int(1, 4) }) };
}

function removeGroup(w) {
    const group = w.pick(w.groups);
    return group && { method: 'DELETE', path: `/v1/groups/${group.id}`, as: w.admin, done: () => w.groups.remove(group.id) };
}

/* ---- What is shown ---- */

function show(w) {
    const calendar = w.pick(w.calendars);
    return calendar && w.r.pick([{ method: 'GET', path: path(calendar), as: w.anyone, looks: true },
        { method: 'GET', path: path(calendar, '.ics') + (w.r.chance(0.3) ? `?${window(w)}` : ''), as: w.r.chance(0.85) ? w.admin
            : w.anyone, book: true },
        { method: 'GET', path: `/v1/calendars?limit=${w.r.int(1, 30)}`, as: w.anyone, list: true },
        { method: 'GET', path: `/v1/groups?limit=${w.r.int(1, 30)}`, as: w.anyone, list: true }]);
}

module.exports = {
    aSlot, aGroupSlot, put, putGroup,
    acts: { put: [1, put], patch: [0.6, patch], remove: [0.3, remove], slots: [4, slots], putGroup: [0.6, putGroup],
        showGroup: [2, showGroup], removeGroup: [0.15, removeGroup],
        show: [1.8, show] },
};
