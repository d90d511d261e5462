/* SPDX-License-Identifier: Apache-2.0 */
/* entries.js — waiting rooms and waiting lists to test on, and what every entry looks like. */
'use strict';

const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { makeEvent } = require('./catalogue.js');
const { INSTANT, instant } = require('./expect.js');

const queue = (event, rest = '') => `/v1/events/${event}/queue${rest}`;
const waitingList = (event, rest = '') => `/v1/events/${event}/waiting-list${rest}`;

/* An event with a waiting room that is not limited by stock unless the test says so. */
function makeRoom(hf, { room = {}, ...event } = {}) {
    return makeEvent(hf, { ...event, waiting_room: { by_inventory: false, ...room } });
}

const ENTRY_FIELDS = [
    'entry_id', 'event', 'user_id', 'number', 'position', 'ahead', 'status', 'eta_seconds', 'poll_after_seconds', 'joined_at',
];
const ENTRY_STATUSES = ['waiting', 'admitted', 'passed_over', 'finished', 'left'];
const whole = (value) => Number.isInteger(value) && value >= 0;

/* A whole queue entry, checked for consistency. Returns it. */
function entry(e, wanted = {}) {
    const told = JSON.stringify(e);
    assert.match(e.entry_id, /^ent_[0-9A-Z]{26}$/, told);
    assert.ok(ENTRY_STATUSES.includes(e.status), told);
    assert.ok(whole(e.number) && e.number >= 1, told);
    assert.ok(e.position === null || (whole(e.position) && e.position >= 1), told);
    instant(e.joined_at, told);
    const over = e.status === 'finished' || e.status === 'left';
    assert.ok(over ? e.ahead === null : e.ahead === null || whole(e.ahead), told);
    assert.ok(e.eta_seconds === null || (!over && whole(e.eta_seconds)), told);
    if (over) {
        assert.equal(e.poll_after_seconds, null, told);
    } else {
        assert.ok(whole(e.poll_after_seconds) && e.poll_after_seconds >= 1 && e.poll_after_seconds <= 60, told);
    }
    const own = {
        admitted: ['pass', 'pass_expires_at'], passed_over: ['returns_until'], waiting: [], finished: [], left: [],
    }[e.status];
    const more = Object.keys(e).filter((field) => !ENTRY_FIELDS.includes(field) && field !== 'tiers');
    assert.deepEqual(more.sort(), own, told);
    if (e.status === 'admitted') {
        assert.match(e.pass_expires_at, INSTANT, told);
        assert.match(e.pass, /^[\w-]+\.[\w-]+\.[\w-]+$/, told);
    }
    assert.ok(e.returns_until === undefined || e.returns_until === null || INSTANT.test(e.returns_until), told);
    for (const [field, value] of Object.entries(wanted)) {
        assert.deepEqual(e[field], value, `${field}: ${told}`);
    }
    return e;
}

/* The answer has a whole entry. */
function shown(answer, status, wanted) {
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.headers['cache-control'], 'no-store');
    return entry(answer.json, wanted);
}

async function join(caller, event, body = {}, options) {
    const answer = await caller.post(queue(event), body, options);
    assert.ok(answer.status === 201 || answer.status === 200, answer.text);
    return shown(answer, answer.status);
}

const look = async (caller, e) => shown(await caller.get(queue(e.event, `/${e.entry_id}`)), 200);

/* Polls until the entry has this status. */
function becomes(hf, caller, e, status, patience) {
    return hf.eventually(() => look(caller, e), (now) => now.status === status, `${e.user_id} is ${status}`, patience);
}

const withPass = (pass) => ({ headers: { 'Holdfast-Pass': pass } });

async function room(hf, event) {
    const answer = await hf.admin.get(queue(event));
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
}

/* The public number. It can be up to a second old, so it is requested until it fits. */
function sign(hf, event, fits = () => true, what = 'the public number') {
    const ask = async () => {
        const answer = await hf.anyone.get(queue(event));
        assert.equal(answer.status, 200, answer.text);
        return answer.json;
    };
    return hf.eventually(ask, fits, what);
}

const LIST_FIELDS = [
    'entry_id', 'event', 'user_id', 'position', 'status', 'quantity', 'adjacent', 'tier', 'section', 'pool', 'joined_at',
    'reservation_id',
];

function listEntry(e, wanted = {}) {
    const told = JSON.stringify(e);
    assert.deepEqual(Object.keys(e), LIST_FIELDS, told);
    assert.match(e.entry_id, /^lst_[0-9A-Z]{26}$/, told);
    assert.ok(['waiting', 'offered', 'finished', 'left'].includes(e.status), told);
    instant(e.joined_at, told);
    if (e.status !== 'waiting') {
        assert.equal(e.position, null, told);
    }
    if (e.status === 'offered' || e.status === 'finished') {
        assert.match(e.reservation_id, /^res_/, told);
    }
    for (const [field, value] of Object.entries(wanted)) {
        assert.deepEqual(e[field], value, `${field}: ${told}`);
    }
    return e;
}

function listed(answer, status, wanted) {
    assert.equal(answer.status, status, answer.text);
    return listEntry(answer.json, wanted);
}

const wish = async (caller, event, body = { quantity: 1 }) => listed(await caller.post(waitingList(event), body), 201);
const lookAtWish = async (caller, e) => listed(await caller.get(waitingList(e.event, `/${e.entry_id}`)), 200);
const wishBecomes = (hf, caller, e, status) =>
    hf.eventually(() => lookAtWish(caller, e), (now) => now.status === status, `${e.user_id}'s wish is ${status}`);

/* The programs of docs/waiting-room.md as written there: the text of one, by its name. */
function programFromDocs(name) {
    const text = fs.readFileSync(path.join(__dirname, '../../../docs/waiting-room.md'), 'utf8');
    const [, program] = new RegExp(`\`\`\`js ${name}\n([^]*?)\`\`\``).exec(text);
    return program.replace(/^import .*$/gm, '').replace(/^export /gm, '');
}

const drawFromDocs = () => new Function(
    'createHash', `${programFromDocs('draw')}\nreturn { drawPosition, drawHolds };`
)(crypto.createHash);

/* With a `fetch` and a `setTimeout` given by the caller. */
const pageFromDocs = (send, later) => new Function(
    'fetch', 'setTimeout', `${programFromDocs('page')}\nreturn { waitForTurn };`
)(send, later);

module.exports = {
    queue, waitingList, makeRoom, entry, shown, join, look, becomes, withPass, room, sign, listEntry, listed, wish, lookAtWish,
    wishBecomes, drawFromDocs, pageFromDocs,
};
