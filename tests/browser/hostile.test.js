/* SPDX-License-Identifier: Apache-2.0 */
/* Names as nobody would wish for: without a space, in markup, from right to left, with marks that turn what follows. Every page of a
 * buyer shows them as they are, and nothing becomes too wide. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { makeCalendar, midnight, iso } = require('../conformance/lib/calendars.js');
const { unique } = require('../conformance/lib/server.js');
const { browser } = require('./lib/browser.js');

const { hf, visitor, fits } = browser();
const NAMES = {
    long: 'W'.repeat(200),
    markup: '<img src=x onerror=alert(1)><b>"quoted" & \'so\'</b>',
    turned: 'Evening \u202Egnineve',
    hebrew: 'ערב של שירים 7',
    emoji: '👩‍👩‍👧‍👦🎭'.repeat(6),
};

for (const [kind, name] of Object.entries(NAMES)) {
    test(`${kind}: the first page, the map, the basket, check-out, the order, the waiting room, a calendar`, async () => {
        const short = [...name].reduce((text, one) => (Buffer.byteLength(text + one) <= 60 ? text + one : text), '');
        const seats = [1, 2, 3].map((i) => ({ id: `A${i}`, section: short, row: short, number: String(i), tier: short, price: 5000 }));
        const id = await makeEvent(hf, { id: unique('show'), name, venue: name, description: `${name} ${name}`, seats, payment: 'required',
            starts_at: iso(midnight(hf, 40)), pools: { floor: { capacity: 5, price: 100, name } } });
        const line = await makeEvent(hf, { id: unique('line'), name, seats, waiting_room: { max_active: 1, by_inventory: false, open_at: iso(midnight(hf, 2)) } });
        const calendar = await makeCalendar(hf, { id: unique('cal'), name, payment: 'none' });
        const page = await visitor({ device: 'phone', viewport: { width: 360, height: 740 } });
        await page.goto('/');
        await page.getByRole('heading', { name: 'On sale' }).or(page.locator('.offers').first()).first().waitFor();
        await fits(page, `${kind} first`);
        await page.goto(`/e/${id}`);
        await page.locator('[data-seat=A1]').click();
        await page.locator('[data-basket="1"]').waitFor();
        assert.equal(await page.locator('h1').textContent(), name);
        assert.equal((await page.title()).endsWith(/[\u0590-\u05ff\u202e]/.test(name) ? '\u2069 · Holdfast' : `${name} · Holdfast`), true);
        await fits(page, `${kind} map`);
        const bought = (await hf.app.post('/v1/reservations', { user_id: 'ann', commit: true, payment_ref: unique('pi'), attributes: { name },
            items: [{ event: id, seat: 'A2', attributes: { name } }, { event: id, pool: 'floor', quantity: 1 }] })).json;
        await page.goto(`/o/${bought.reservation_id}#t=${bought.manage_token}`);
        await page.locator('[data-ticket]').first().waitFor();
        await fits(page, `${kind} order`);
        await page.goto(`/q/${line}`);
        await page.locator('holdfast-queue [data-status]').waitFor();
        await fits(page, `${kind} line`);
        await page.goto(`/c/${calendar}`);
        await page.locator('[data-slot]').first().click();
        await page.getByRole('button', { name: 'Book' }).waitFor();
        await fits(page, `${kind} calendar`);
    });
}
