/* SPDX-License-Identifier: Apache-2.0 */
/* catalogue.js — events with seats and pools to test on, each with its own name. */
'use strict';

const assert = require('node:assert/strict');
const { unique } = require('./server.js');

/* 'A1-A5 B7' → the ids A1 … A5 and B7. */
function ids(text) {
    return text
        .trim()
        .split(/\s+/)
        .flatMap((word) => {
            const [, stem, from, to] = /^([A-Za-z]*)(\d+)-\1(\d+)$/.exec(word) ?? [];
            if (stem === undefined) {
                return [word];
            }
            return Array.from({ length: to - from + 1 }, (_, i) => `${stem}${Number(from) + i}`);
        });
}

/* Seats named by letter and number, 'A7' being number 7 of row A; `extra` goes to each. */
function seats(text, extra = {}) {
    return ids(text).map((id) => {
        const [, row, number] = /^([A-Za-z]+)(\d+)$/.exec(id) ?? [];
        return { id, ...(row ? { row, number } : {}), ...extra };
    });
}

async function addSeats(hf, event, list) {
    const answer = await hf.admin.post(`/v1/events/${event}/seats`, list);
    assert.equal(answer.status, 201, answer.text);
    return answer;
}

async function putPool(hf, event, pool, body) {
    const answer = await hf.admin.put(`/v1/events/${event}/pools/${pool}`, body);
    assert.ok(answer.status === 200 || answer.status === 201, answer.text);
    return answer;
}

/* Creates an event and returns its id. Seats are free of charge and payment is off unless the test says otherwise. */
async function makeEvent(hf, { seats: list, pools = {}, id = unique('event'), ...settings } = {}) {
    const body = { name: 'A show', payment: 'none', ...settings };
    const answer = await hf.admin.put(`/v1/events/${id}`, body);
    assert.ok(answer.status === 201 || answer.status === 200, answer.text);
    if (list) {
        await addSeats(hf, id, typeof list === 'string' ? seats(list) : list);
    }
    for (const [pool, settingsOfPool] of Object.entries(pools)) {
        const wanted = typeof settingsOfPool === 'number' ? { capacity: settingsOfPool } : settingsOfPool;
        await putPool(hf, id, pool, wanted);
    }
    return id;
}

/* The items of a request: seats of one event. */
function items(event, text) {
    return ids(text).map((seat) => ({ event, seat }));
}

/* A hold that must succeed; returns the reservation. */
async function hold(caller, wanted, more = {}) {
    const answer = await caller.post('/v1/reservations', { items: wanted, ...more });
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
}

/* The status of one seat as the seat itself shows it. */
async function seatStatus(hf, event, seat) {
    const answer = await hf.anyone.get(`/v1/events/${event}/seats/${seat}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.status;
}

async function availability(hf, event, query = '') {
    const answer = await hf.anyone.get(`/v1/events/${event}/availability${query}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
}

async function counts(hf, event) {
    const answer = await hf.anyone.get(`/v1/events/${event}`);
    assert.equal(answer.status, 200, answer.text);
    const { pools, ...ofSeats } = answer.json.counts;
    assert.ok(pools.available <= pools.capacity);
    return ofSeats;
}

/* Every page of a list. */
async function whole(caller, target, options) {
    const data = [];
    for (let cursor = null, first = true; first || cursor; first = false) {
        const glue = target.includes('?') ? '&' : '?';
        const page = cursor ? `${target}${glue}cursor=${encodeURIComponent(cursor)}` : target;
        const answer = await caller.get(page, options);
        assert.equal(answer.status, 200, answer.text);
        data.push(...answer.json.data);
        cursor = answer.json.next_cursor;
    }
    return data;
}

module.exports = {
    ids, seats, addSeats, putPool, makeEvent, items, hold, seatStatus, availability, counts, whole,
};
