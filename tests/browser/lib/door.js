/* SPDX-License-Identifier: Apache-2.0 */
/* door.js — gates with tickets to check, for the tests of /door. */
'use strict';

const assert = require('node:assert/strict');
const { makeEvent } = require('../../conformance/lib/catalogue.js');
const { unique } = require('../../conformance/lib/server.js');
const { signedForm } = require('./ticket_picture.js');

/* Makes `hf.door`, the key of every gate. For browser()'s `prepare`. */
async function doorKey(hf) {
    hf.door = await hf.key('door');
}

/* Events, tickets and gates of a server and its visitors, as browser() gives them. */
function gates({ hf, visitor }) {
    const show = (settings = {}) => makeEvent(hf, { id: unique('show'), name: 'The winter concert', seats: 'A1-A9', pools: { floor: { capacity: 9, name: 'Standing room' } },
        starts_at: new Date(hf.now() + 3600_000).toISOString(), ...settings });

    /* A ticket: its code, and the signed form that its picture holds. */
    async function sold(event, seat) {
        const item = seat ? { event, seat } : { event, pool: 'floor', quantity: 1 };
        const { json, status, text } = await hf.app.post('/v1/reservations', { user_id: 'ann', commit: true, items: [item] });
        assert.equal(status, 201, text);
        const [{ code }] = json.tickets;
        return { code, id: json.reservation_id, form: await signedForm(hf, code) };
    }

    /* The gate of an event, open, on a device whose clock is `ahead` by these ms; what sounds is kept in `played`. */
    async function atGate(event, { gate, ahead = 0, ...options } = {}) {
        const page = await visitor(options);
        await page.addInitScript((ms) => {
            const now = Date.now;
            Date.now = () => now() + ms;
            globalThis.played = [];
            const start = OscillatorNode.prototype.start;
            OscillatorNode.prototype.start = function (...args) {
                globalThis.played.push(this.frequency.value);
                return start.apply(this, args);
            };
        }, ahead);
        return openGate(page, event, gate);
    }

    async function openGate(page, event, gate = 'north') {
        await page.goto('/door');
        await page.getByLabel('Event').selectOption(event);
        await page.getByLabel('Name of this gate').fill(gate);
        await page.getByLabel('Door key').fill(hf.door.key);
        await page.getByRole('button', { name: 'Open the door' }).click();
        await page.locator('[data-result=ready]').waitFor();
        return page;
    }

    /* What has happened to a ticket, once it ends like this: the history may lag behind by a moment. */
    const past = async (ticket, last) => (await hf.eventually(() => hf.admin.get(`/v1/reservations/${ticket.id}/history`),
        ({ json }) => json.data.at(-1).action === last, `its last is ${last}`)).json.data.map(({ action }) => action);

    return { show, sold, atGate, openGate, past };
}

const result = (page, name) => page.locator(`[data-result=${name}]`);
const log = (page) => page.locator('[data-scan]').evaluateAll((rows) => rows.map((row) => row.dataset.scan));

/* Types what a ticket says; waits for one more line of the log, and says what the result is. */
async function type(page, text) {
    const lines = await page.locator('[data-scan]').count();
    await page.getByLabel('Code of the ticket').fill(text);
    await page.keyboard.press('Enter');
    await page.locator('[data-scan]').nth(lines).waitFor();
    return page.locator('[data-result]').evaluate((panel) => ({
        result: panel.dataset.result, word: panel.querySelector('.word').textContent, symbol: panel.querySelector('.symbol').textContent,
        why: panel.querySelector('.why').textContent, place: panel.querySelector('.place').textContent,
        colour: getComputedStyle(panel).backgroundColor,
    }));
}

/* The page's own copy is there: it may lose the network now. */
const kept = (page) => page.locator('[data-kept=true]').waitFor();
async function offLine(page) {
    await page.context().setOffline(true);
    await page.locator('[data-reachable=false]').waitFor();
}

module.exports = { doorKey, gates, result, log, type, kept, offLine };
