/* SPDX-License-Identifier: Apache-2.0 */
/* Requests about keys, guests, hooks and persons. */
'use strict';

const { ref } = require('./pair.js');

/* ---- Keys and sessions ---- */

function createKey(w, role = w.r.pick(['app', 'door']), name = w.r.chance(0.9) ? w.unique('key-') : 'shop') {
    const keys = role === 'app' ? w.apps : w.doors;
    return { method: 'POST', path: '/v1/keys', as: w.admin, body: { name, role },
        done: ({ key }) => keys.push({ name, key, role }) };
}

function aKey(w) {
    return w.r.pick([...w.apps, ...w.doors].slice(2)); /* the first two are always there */
}

function rotateKey(w) {
    const known = w.r.chance(0.9) ? aKey(w) : { name: 'nosuchkey' };
    return known && { method: 'POST', path: `/v1/keys/${known.name}/rotate`, as: w.admin,
        body: w.r.pick([{}, { old_valid_seconds: 600 }, { old_valid_seconds: 0 }]), done: ({ key }) => (known.key = key) };
}

function removeKey(w) {
    const known = aKey(w);
    const done = () => {
        w.apps = w.apps.filter((one) => one !== known);
        w.doors = w.doors.filter((one) => one !== known);
    };
    return known && { method: 'DELETE', path: `/v1/keys/${known.name}`, as: w.admin, done };
}

const listKeys = (w) => ({ method: 'GET', path: `/v1/keys?limit=${w.r.int(1, 20)}`, as: w.r.chance(0.9) ? w.admin : w.anyone,
    list: true });

function session(w) {
    const as = w.r.chance(0.75) ? undefined : w.r.chance(0.6) ? w.guest : w.anyone;
    return { method: 'POST', path: '/v1/sessions', as, body: {}, done: (guest) => w.guests.put(guest.user_id, guest) };
}

/* ---- Hooks, to a closed port ---- */

const EVENTS = ['reservation.held', 'reservation.expiring', 'reservation.confirmed', 'reservation.released',
    'reservation.expired', 'reservation.cancelled', 'reservation.refunded',
    'reservation.transferred', 'refund.due', 'refund.withdrawn', 'payment.discrepancy', 'list.offered', 'ride.assigned'];

function putHook(w) {
    const id = w.r.chance(0.3) && w.hooks.size ? w.pick(w.hooks).id : w.unique('hook-');
    if (w.hooks.size >= 4 && !w.hooks.get(id)) {
        return undefined;
    }
    const body = { url: `${w.nowhere}/${id}`, events: w.r.some(EVENTS, w.r.int(1, 6)),
        secret: `whsec_${Buffer.alloc(32, w.r.int(1, 3)).toString('base64')}` };
    const done = () => {
        w.hooks.put(id, { id });
        w.hooksSince ??= w.now;
    };
    return { method: 'PUT', path: `/v1/hooks/${id}`, as: w.admin, body, done };
}

function removeHook(w, hook = w.pick(w.hooks)) {
    const done = () => {
        w.hooks.remove(hook.id);
        w.hooksSince = w.hooks.size ? w.hooksSince : null;
    };
    return hook && { method: 'DELETE', path: `/v1/hooks/${hook.id}`, as: w.admin, done };
}

function showHook(w) {
    const hook = w.r.chance(0.9) ? w.pick(w.hooks) : { id: 'nosuchhook' };
    const what = hook && w.r.weighted({ one: 3, messages: 1, resend: 1, list: 1 });
    return hook && { as: w.admin, method: what === 'resend' ? 'POST' : 'GET',
        ...({ one: { path: `/v1/hooks/${hook.id}` }, messages: { path: `/v1/hooks/${hook.id}/messages`, list: true },
        resend: { path: `/v1/hooks/${hook.id}/resend`, body: w.r.pick([{ since: w.at(-3_600) }, { id: 'msg_nosuch' }, {}]) },
        list: { path: '/v1/hooks?limit=3', list: true } }[what]) };
}

/* ---- Persons ---- */

function person(w) {
    const user = w.r.pick(w.users);
    return { method: 'GET',
        path: `/v1/users/${encodeURIComponent(user)}/${w.r.chance(0.85) ? `export?limit=${w.r.int(1, 20)}` : 'erasure'}`,
        as: w.r.chance(0.95) ? w.admin : w.anyone, book: true, list: true };
}

/* Without hooks: a message about an erased user ends at its next attempt, the time of which is random. */
function erase(w) {
    if (w.hooks.size) {
        return removeHook(w);
    }
    const guest = w.r.chance(0.3) ? w.pick(w.guests) : undefined;
    const user = guest ? ref(guest.user_id) : encodeURIComponent(w.r.pick(w.users));
    return { method: 'DELETE', path: `/v1/users/${user}`, as: w.admin, erases: user };
}

module.exports = {
    createKey, removeHook, session,
    acts: { createKey: [0.35, createKey], rotateKey: [0.3, rotateKey], removeKey: [0.2, removeKey], listKeys: [0.3, listKeys],
        session: [0.7, session], putHook: [0.4, putHook],
        removeHook: [0.15, removeHook], showHook: [0.7, showHook], person: [1.2, person], erase: [0.12, erase] },
};
