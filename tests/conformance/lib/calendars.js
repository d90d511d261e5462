/* SPDX-License-Identifier: Apache-2.0 */
/* calendars.js — calendars to test on, and the instants to request: in milliseconds until they are sent. */
'use strict';

const assert = require('node:assert/strict');
const { unique } = require('./server.js');

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const iso = (ms) => new Date(ms).toISOString();

/* A midnight UTC some days from now: far enough that no test of this file advances its clock to it. */
const midnight = (hf, days = 30) => (Math.ceil(hf.now() / DAY) + days) * DAY;
/* Such a midnight on a Monday. */
function monday(hf, weeks = 4) {
    const day = Math.ceil(hf.now() / DAY) + weeks * 7;
    return (day + ((11 - (day % 7)) % 7)) * DAY; /* day 0 was a Thursday */
}

/* Creates a calendar and returns its id: always open, capacity 1, free of charge unless the test says otherwise. */
async function makeCalendar(hf, { id = unique('calendar'), ...settings } = {}) {
    const answer = await hf.admin.put(`/v1/calendars/${id}`, { name: 'A room', payment: 'none', ...settings });
    assert.ok(answer.status === 201 || answer.status === 200, answer.text);
    return id;
}

/* An item of a request: this many minutes from an instant on. */
const slot = (calendar, start, minutes = 30) => ({ calendar, start: iso(start), end: iso(start + minutes * MINUTE) });

/* The slots that a calendar lists, all pages, as [start, end, available]. */
async function slots(hf, calendar, { from, to, ...more } = {}) {
    const found = [];
    for (let cursor = null, pages = 0; pages === 0 || cursor; pages++) {
        assert.ok(pages < 1_000, 'the pages never end');
        const query = new URLSearchParams({
            ...(from === undefined ? {} : { from: iso(from) }), ...(to === undefined ? {} : { to: iso(to) }),
            ...more, ...(cursor ? { cursor } : {}),
        });
        const answer = await hf.anyone.get(`/v1/calendars/${calendar}/slots?${query}`);
        assert.equal(answer.status, 200, answer.text);
        for (const one of answer.json.data) {
            assert.deepEqual(Object.keys(one), ['start', 'end', 'available']);
            assert.ok(one.available >= 1);
            found.push([Date.parse(one.start), Date.parse(one.end), one.available]);
        }
        cursor = answer.json.next_cursor;
    }
    for (let i = 1; i < found.length; i++) {
        assert.ok(found[i - 1][0] < found[i][0], 'slots come in order, each once');
    }
    return found;
}

/* Only their starts. */
const starts = async (...asked) => (await slots(...asked)).map(([start]) => start);

/* Every `minutes` in [from, to). */
const grid = (from, to, minutes = 30) =>
    Array.from({ length: Math.ceil((to - from) / (minutes * MINUTE)) }, (_, i) => from + i * minutes * MINUTE);

module.exports = { MINUTE, HOUR, DAY, WEEKDAYS, iso, midnight, monday, makeCalendar, slot, slots, starts, grid };
