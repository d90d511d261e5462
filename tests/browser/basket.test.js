/* SPDX-License-Identifier: Apache-2.0 */
/* The basket and its countdown: the server's clock counts, time can be had, and neither a reload nor another tab loses it. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent, seatStatus } = require('../conformance/lib/catalogue.js');
const { unique } = require('../conformance/lib/server.js');
const { browser } = require('./lib/browser.js');

const { hf, visitor, axe, screenshot } = browser({ args: ['--checkout', '/pay?order={reservation}'] });
const ROW = Array.from({ length: 12 }, (_, i) => ({ id: `A${i + 1}`, section: 'A', row: '1', number: String(i + 1), x: i, y: 0, price: 1500 }));
const show = (settings = {}) => makeEvent(hf, { id: unique('show'), name: 'A show', seats: ROW, ...settings });
const becomes = (page, id, status) => page.locator(`[data-seat="${id}"][data-status="${status}"]`).waitFor();
const left = async (page) => Number(await page.locator('[data-countdown]').getAttribute('data-countdown'));

async function holding(event, options) {
    const page = await visitor(options);
    await options?.before?.(page);
    await page.goto(`/e/${event}`);
    await page.locator('[data-seat=A1]').click();
    await becomes(page, 'A1', 'mine');
    return page;
}

/* The clock of the visitor's machine is this many milliseconds wrong. */
const wrongClock = (ms) => (page) => page.addInitScript((off) => {
    const Real = Date;
    globalThis.Date = class extends Real {
        constructor(...given) {
            given.length ? super(...given) : super(Real.now() + off);
        }

        static now() {
            return Real.now() + off;
        }
    };
}, ms);

for (const [words, ms] of [['fast', 2 * 3600_000], ['slow', -2 * 3600_000]]) {
    test(`a clock that is two hours ${words} changes nothing`, async () => {
        const page = await holding(await show({ hold_ttl_seconds: 400, max_hold_seconds: 400 }), { before: wrongClock(ms) });
        const seconds = await left(page);
        assert.ok(seconds > 390 && seconds <= 400, `${seconds} s left`);
        await page.waitForFunction((before) => Number(document.querySelector('holdfast-basket').shadowRoot
            .querySelector('holdfast-countdown').shadowRoot.querySelector('[data-countdown]').dataset.countdown) < before, seconds);
    });
}

test('a basket that could not be read is read by Try again, and nothing is chosen past it', async () => {
    const event = await show();
    const page = await holding(event);
    let broken = true;
    await page.route('**/v1/reservations/*', (route) => (broken ? route.fulfill({ status: 500, contentType: 'application/problem+json',
        body: '{"code":"broken","detail":"The book is closed."}' }) : route.continue()));
    await page.reload();
    await page.getByText('The book is closed.').waitFor();
    broken = false;
    await page.locator('[data-seat=A2]').click();
    await becomes(page, 'A2', 'mine');
    await becomes(page, 'A1', 'mine');
    broken = true;
    await page.reload();
    await page.getByText('The book is closed.').waitFor();
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('[data-basket="2"]').waitFor();
});

test('at the end it says so, gives the places back and starts again', async () => {
    const event = await show({ hold_ttl_seconds: 3, max_hold_seconds: 3 });
    const page = await holding(event);
    await page.evaluate(() => addEventListener('expired', (e) => { window.expired = e.detail.status; }));
    await page.getByText('Less than a minute left').waitFor();
    await page.getByText('No more time can be added.').waitFor();
    await page.getByText('Your hold has ended').waitFor();
    await becomes(page, 'A1', 'available');
    assert.equal(await page.evaluate(() => window.expired), 'expired');
    assert.equal(await page.locator('[data-countdown]').count(), 0);
    await axe(page);
    await page.locator('[data-seat=A2]').click();
    await becomes(page, 'A2', 'mine');
});

test('More time extends it, up to what the event allows', async () => {
    const page = await holding(await show({ hold_ttl_seconds: 50, max_hold_seconds: 90 }));
    const calls = [];
    page.on('request', (request) => request.url().endsWith('/extend') && calls.push(request.url()));
    assert.ok(await left(page) <= 50);
    hf.clock.advance(30_000);
    await page.reload();
    await page.locator('[data-countdown]').waitFor();
    assert.ok(await left(page) <= 21, `${await left(page)}`);
    await page.getByRole('button', { name: 'More time' }).click();
    await page.waitForFunction(() => Number(document.querySelector('holdfast-basket').shadowRoot
        .querySelector('holdfast-countdown').shadowRoot.querySelector('[data-countdown]').dataset.countdown) > 40);
    await page.locator('[data-seat=A2]').click();
    await becomes(page, 'A2', 'mine'); /* calls leave in order: whatever the click asked for has been asked */
    assert.equal(calls.length, 1);
    hf.clock.advance(45_000);
    await page.reload();
    await page.getByRole('button', { name: 'More time' }).click();
    await page.getByText('No more time can be added.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'More time' }).count(), 0);
    assert.ok(await left(page) <= 16, `${await left(page)}`);
});

test('a visitor still choosing when half of the time is gone gets more', async () => {
    const event = await show({ hold_ttl_seconds: 60, max_hold_seconds: 600 });
    const page = await holding(event);
    hf.clock.advance(40_000);
    await page.reload();
    await page.locator('[data-countdown]').waitFor();
    const extended = page.waitForResponse((response) => response.url().endsWith('/extend') && response.ok());
    await page.keyboard.press('Tab');
    await extended;
    await page.waitForFunction(() => Number(document.querySelector('holdfast-basket').shadowRoot
        .querySelector('holdfast-countdown').shadowRoot.querySelector('[data-countdown]').dataset.countdown) > 50);
});

test('it is spoken at five minutes, one minute and thirty seconds', async () => {
    const page = await holding(await show({ hold_ttl_seconds: 302, max_hold_seconds: 302 }));
    const spoken = (text) => page.locator('holdfast-countdown [role=status]').getByText(text, { exact: true }).waitFor({ state: 'attached' });
    await spoken('5 minutes left');
    for (const [ms, text] of [[236_000, '1 minute left'], [28_000, '30 seconds left']]) {
        hf.clock.advance(ms);
        await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))); /* as when a tab comes back */
        await spoken(text);
    }
});

test('a reload and a second tab keep the basket; what one tab does the other shows', async () => {
    const event = await show();
    const page = await holding(event);
    await page.reload();
    await becomes(page, 'A1', 'mine');
    const second = await page.context().newPage();
    await second.goto(`/e/${event}`);
    await becomes(second, 'A1', 'mine');
    await second.locator('[data-seat=A2]').click();
    await becomes(page, 'A2', 'mine');
    await page.locator('[data-basket="2"]').waitFor();
    await page.locator('[data-seat=A1]').click();
    await becomes(second, 'A1', 'available');
    await page.getByRole('button', { name: 'Give everything back' }).click();
    await second.getByText('Nothing chosen yet').waitFor();
    assert.equal(await seatStatus(hf, event, 'A2'), 'available');
});

test('seats of two events: the basket and the check-out say of which event each is', async () => {
    const [first, second] = [await show({ payment: 'required' }), await show({ payment: 'required', name: 'Another show' })];
    const page = await holding(first);
    await page.locator('.what .of', { hasText: /^A show$/ }).waitFor();
    await page.goto(`/e/${second}`);
    for (const seat of ['A1', 'A2']) {
        await page.locator(`[data-seat=${seat}]`).click();
        await becomes(page, seat, 'mine');
    }
    await page.locator('.what .of').nth(1).waitFor();
    assert.deepEqual(await page.locator('.what .of').allTextContents(), ['A show', 'Another show'], 'once for the seats of one event');
    await axe(page, 'two events in a basket');
    await page.getByRole('button', { name: 'Check out', exact: true }).click();
    await page.getByLabel('A show, Section A, row 1, seat 1').waitFor();
    await page.getByLabel('Another show, Section A, row 1, seat 2').waitFor();
});

test('offline: the countdown goes on, a click waits and works once the network is back', async () => {
    const page = await holding(await show(), { before: (one) => one.addInitScript(() => { Math.random = () => 0; }) }); /* the shortest pauses */
    await page.context().setOffline(true);
    await page.getByText('You\'re offline').waitFor();
    const before = await left(page);
    await page.waitForFunction((n) => Number(document.querySelector('holdfast-basket').shadowRoot
        .querySelector('holdfast-countdown').shadowRoot.querySelector('[data-countdown]').dataset.countdown) < n, before);
    await page.locator('[data-seat=A2]').click();
    await page.locator('[data-seat=A2][data-pending]').waitFor();
    await page.waitForFunction((n) => Number(document.querySelector('holdfast-basket').shadowRoot
        .querySelector('holdfast-countdown').shadowRoot.querySelector('[data-countdown]').dataset.countdown) < n - 4, before);
    await page.locator('[data-seat=A2][data-pending]').waitFor(); /* longer than a call is tried on a network that is there */
    await page.context().setOffline(false);
    await becomes(page, 'A2', 'mine');
});

test('nothing to pay: Confirm buys, and shows the booking reference', async () => {
    const event = await show({ payment: 'none' });
    const page = await holding(event);
    const other = await page.context().newPage();
    await other.goto(`/e/${event}`);
    await becomes(other, 'A1', 'mine');
    await page.evaluate(() => addEventListener('confirmed', (e) => sessionStorage.setItem('confirmed', e.detail.pnr)));
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(/\/o\/res_[^#]+#t=/);
    const pnr = await page.evaluate(() => sessionStorage.getItem('confirmed'));
    assert.match(pnr, /^[A-Z0-9]{6}$/);
    await page.locator(`[data-pnr="${pnr}"]`).waitFor();
    await other.getByText(`Your booking reference is ${pnr}.`).waitFor(); /* where nobody pressed it stays, with the way to the tickets */
    await becomes(other, 'A1', 'sold');
    await axe(other);
    await screenshot(other, 'confirmed-desktop');
    await other.getByRole('link', { name: 'Tickets and order' }).click();
    await other.locator(`[data-pnr="${pnr}"]`).waitFor();
});

test('something to pay: Pay leads to the checkout, with the reservation, and begins the time for it', async () => {
    const event = await show({ payment: 'required' });
    const page = await holding(event);
    assert.equal(await page.getByRole('button', { name: 'Confirm' }).count(), 0);
    await page.getByRole('button', { name: 'Check out' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Ann Example');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(/\/pay\?order=res_/);
    const id = new URL(page.url()).searchParams.get('order');
    const { json } = await hf.admin.get(`/v1/reservations/${id}`);
    assert.ok(json.payment_started_at);
    assert.deepEqual(json.attributes, { name: 'Ann Example' });
    await page.goto(`/e/${event}`);
    await page.getByText('Payment has started.').waitFor();
});
