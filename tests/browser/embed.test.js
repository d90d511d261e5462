/* SPDX-License-Identifier: Apache-2.0 */
/* The components in a page of another origin: two lines, a theme, and the server's --cors. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const http = require('node:http');
const { Server } = require('../conformance/lib/server.js');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { makeCalendar } = require('../conformance/lib/calendars.js');
const { browser } = require('./lib/browser.js');

const { visitor, axe } = browser();

/* Another company's shop: plain HTML on a port of its own. */
async function shop(t, html) {
    const server = http.createServer((request, response) => {
        response.writeHead(200, { 'Content-Type': request.url === '/' ? 'text/html; charset=utf-8' : 'image/x-icon' });
        response.end(request.url === '/' ? html() : '');
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    t.after(() => server.close());
    return `http://127.0.0.1:${server.address().port}`;
}

test('a shop sells from its own page, in its own colour', async (t) => {
    let hf;
    const origin = await shop(t, () => `<!doctype html><html lang="en"><title>Shop</title><style>:root { --hf-accent: #a03000; }</style>
        <script type="module" src="${hf.url}/embed/holdfast.js"></script>
        <main><h1>Shop</h1><holdfast-seats event="show"></holdfast-seats><holdfast-basket></holdfast-basket></main></html>`);
    hf = await new Server({ args: ['--cors', origin] }).start();
    t.after(() => hf.close());
    await makeEvent(hf, { id: 'show', seats: 'A1-A6' });
    const page = await visitor({ origin, also: hf.url });
    await page.goto('/');
    await page.evaluate(() => addEventListener('hold', (e) => { window.held = e.detail.items.length; }));
    await page.locator('[data-seat=A3]').click();
    await page.locator('[data-seat=A3][data-status=mine]').waitFor();
    assert.equal(await page.evaluate(() => window.held), 1);
    assert.equal(await page.getByRole('button', { name: 'Confirm' }).evaluate((button) => getComputedStyle(button).backgroundColor), 'rgb(160, 48, 0)');
    await axe(page);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Your booking reference is').waitFor();
});

test('components follow the language of the page that they are in, then the visitor\'s, and say which it is', async (t) => {
    let hf, lang;
    const origin = await shop(t, () => `<!doctype html><html lang="${lang}"><title>Shop</title>
        <script type="module" src="${hf.url}/embed/holdfast.js"></script><main><h1>Shop</h1><holdfast-basket></holdfast-basket></main></html>`);
    hf = await new Server({ args: ['--cors', origin] }).start();
    t.after(() => hf.close());
    const cases = [['de-CH', 'en-GB', 'Ihr Warenkorb', 'de'], ['en', 'de-DE', 'Your basket', ''], ['fr', 'de-AT', 'Ihr Warenkorb', 'de'], ['fr', 'fr-FR', 'Your basket', 'en']];
    for (const [of, locale, title, marked] of cases) {
        lang = of;
        const page = await visitor({ origin, also: hf.url, locale });
        await page.goto('/');
        await page.getByRole('heading', { name: title }).waitFor();
        assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, document.querySelector('holdfast-basket').lang]), [of, marked]);
    }
});

test('a shop shows the tickets of an order by its manage token, all or one of them', async (t) => {
    let hf, order;
    const origin = await shop(t, () => `<!doctype html><html lang="en"><title>Shop</title>
        <script type="module" src="${hf.url}/embed/holdfast.js"></script>
        <main><h1>Tickets</h1><div id="all"><holdfast-ticket reservation="${order.reservation_id}" token="${order.manage_token}"></holdfast-ticket></div>
        <div id="one"><holdfast-ticket reservation="${order.reservation_id}" token="${order.manage_token}" code="${order.tickets[1].code}"></holdfast-ticket></div>
        <div id="none"><holdfast-ticket reservation="${order.reservation_id}" token="${order.manage_token}x"></holdfast-ticket></div></main></html>`);
    hf = await new Server({ args: ['--cors', origin] }).start();
    t.after(() => hf.close());
    await makeEvent(hf, { id: 'show', name: 'The winter concert', seats: 'A1-A6' });
    order = (await hf.admin.post('/v1/reservations', { user_id: 'ann', commit: true, items: [{ event: 'show', seat: 'A1' }, { event: 'show', seat: 'A2' }] })).json;
    const page = await visitor({ origin, also: hf.url });
    await page.goto('/');
    await page.locator('#all [data-ticket]').nth(1).waitFor();
    assert.equal(await page.locator('#one [data-ticket]').count(), 1);
    await page.locator(`#one [data-ticket="${order.tickets[1].code}"]`).getByText('row A, seat 2', { exact: false }).waitFor();
    assert.ok(await page.locator('#all img').first().evaluate((img) => img.decode().then(() => img.naturalWidth > 20)));
    await page.locator('#none').getByRole('button', { name: 'Try again' }).waitFor();
    await axe(page);
});

test('a shop has the waiting room and a calendar in its own page', async (t) => {
    let hf;
    const origin = await shop(t, () => `<!doctype html><html lang="en"><title>Shop</title>
        <script type="module" src="${hf.url}/embed/holdfast.js"></script>
        <main><h1>Shop</h1><holdfast-queue event="line"></holdfast-queue><holdfast-seats event="line"></holdfast-seats>
        <holdfast-calendar calendar="room"></holdfast-calendar></main></html>`);
    hf = await new Server({ args: ['--cors', origin] }).start();
    t.after(() => hf.close());
    await makeEvent(hf, { id: 'line', seats: 'A1-A6', waiting_room: { by_inventory: false } });
    await hf.admin.patch('/v1/events/line/queue', { paused: true });
    await makeCalendar(hf, { id: 'room', timezone: 'Europe/Berlin' });
    const page = await visitor({ origin, also: hf.url });
    await page.goto('/');
    await page.evaluate(() => addEventListener('admitted', (e) => { window.admitted = e.detail.status; }));
    await page.locator('[data-status=waiting][data-position="1"]').waitFor();
    await axe(page);
    await hf.admin.patch('/v1/events/line/queue', { paused: false });
    await page.locator('[data-status=admitted]').waitFor();
    assert.equal(await page.evaluate(() => window.admitted), 'admitted');
    assert.equal(page.url(), `${origin}/`, 'where to go is for the shop to say');
    await page.locator('[data-seat=A3]').click();
    await page.locator('[data-seat=A3][data-status=mine]').waitFor();
    await page.locator('[data-slot]').last().click();
    await page.getByRole('button', { name: 'Book' }).click();
    await page.locator('[data-basket="2"]').waitFor();
});
