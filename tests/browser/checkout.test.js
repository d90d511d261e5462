/* SPDX-License-Identifier: Apache-2.0 */
/* Checking out under `holdfast demo`: names, a payment that succeeds, is declined or is slow, and the tickets. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent, hold, items, seatStatus } = require('../conformance/lib/catalogue.js');
const { unique } = require('../conformance/lib/server.js');
const { makeCalendar, midnight, iso } = require('../conformance/lib/calendars.js');
const { browser } = require('./lib/browser.js');

const { hf, visitor, axe, keepsFocus, looks, screenshot } = browser({ command: 'demo', args: ['--quiet'] });
const HALL = ['A', 'B', 'C'].flatMap((row, y) => Array.from({ length: 12 }, (_, i) => ({ id: `${row}${i + 1}`, section: 'Stalls', row,
    number: String(i + 1), x: i, y, tier: y ? 'silver' : 'gold', price: y ? 3500 : 6000 })));
const show = (settings = {}) => makeEvent(hf, { id: unique('show'), name: 'The winter concert', venue: 'City hall', payment: 'required',
    starts_at: iso(midnight(hf, 40) + 19 * 3600_000), seats: HALL, ...settings });
const becomes = (page, id, status) => page.locator(`[data-seat="${id}"][data-status="${status}"]`).waitFor();

async function holding(event, seats, options) {
    const page = await visitor(options);
    await options?.before?.(page);
    await page.goto(`/e/${event}`);
    for (const seat of seats) {
        await page.locator(`[data-seat=${seat}]`).click();
        await becomes(page, seat, 'mine');
    }
    return page;
}

async function fill(page) {
    await page.getByRole('button', { name: 'Check out' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Ann Example');
    await page.getByLabel('E-mail').fill('ann@example.org');
}

const pay = async (page, how) => {
    await page.getByLabel(how).check();
    await page.getByRole('button', { name: 'Pay' }).click();
};
const held = async (page) => JSON.parse(await page.evaluate(() => localStorage.getItem(Object.keys(localStorage).find((key) => key.startsWith('holdfast:basket:')))))?.id;

test('a full purchase: seats, names, payment, reference, tickets, link', async () => {
    const event = await show();
    const page = await holding(event, ['A5', 'A6']);
    await fill(page);
    await page.getByRole('textbox', { name: 'row A, seat 6' }).fill('Bob Example');
    await page.locator('[data-countdown]').waitFor();
    await pay(page, 'It succeeds');
    await page.waitForURL(/\/o\/res_[^#?]+#t=/);
    const pnr = await page.locator('[data-pnr]').getAttribute('data-pnr');
    assert.match(pnr, /^[A-Z0-9]{6}$/);
    assert.equal(await page.locator('[data-ticket]').count(), 2);
    assert.deepEqual(await page.locator('[data-ticket] dl div:first-child dd').allTextContents(), ['Ann Example', 'Bob Example']);
    const drawn = await page.locator('[data-ticket] img').evaluateAll((all) => Promise.all(all.map((img) => img.decode().then(() => img.naturalWidth > 20))));
    assert.deepEqual(drawn, [true, true]);
    assert.equal(await page.getByLabel('Link to this order').inputValue(), page.url());
    for (const words of ['Held: Section Stalls, row A, seat 5', 'Names and details filled in', 'Payment started', 'Bought for €120.00']) {
        await page.getByText(words).first().waitFor();
    }
    const id = page.url().match(/res_[^#]+/)[0];
    const { json } = await hf.admin.get(`/v1/reservations/${id}`);
    assert.equal(json.pnr, pnr);
    assert.deepEqual(json.attributes, { name: 'Ann Example', email: 'ann@example.org' });
    assert.deepEqual(json.items.map((item) => item.attributes?.name), [undefined, 'Bob Example']);
    assert.equal(await seatStatus(hf, event, 'A5'), 'sold');
    await page.goto(`/e/${event}`); /* and nothing is left in the basket */
    await page.getByText('Nothing chosen yet').waitFor();
});

test('a declined payment says so, keeps the places and can be tried again', async () => {
    const page = await holding(await show(), ['A1']);
    await fill(page);
    await pay(page, 'It is declined');
    await page.getByText('The payment was declined').waitFor();
    await axe(page);
    await screenshot(page, 'checkout-declined-desktop');
    assert.ok(!await page.getByLabel('E-mail').isEditable());
    await pay(page, 'It succeeds');
    await page.locator('[data-pnr]').waitFor();
    assert.equal(await page.locator('[data-ticket]').count(), 1);
});

test('a slow payment is waited for, also without a stream', async () => {
    const page = await holding(await show(), ['A1'], { device: 'phone', before: (one) => one.route('**/stream', () => {}) });
    await fill(page);
    await pay(page, 'It is slow');
    await page.getByText('Waiting for your payment').waitFor();
    await axe(page);
    await screenshot(page, 'checkout-waiting-phone');
    await page.locator('[data-pnr]').waitFor();
});

test('a tab closed in payment: a buyer who comes back finds the tickets', async () => {
    const event = await show();
    const page = await holding(event, ['A1']);
    await fill(page);
    await pay(page, 'It is slow');
    await page.getByText('Waiting for your payment').waitFor();
    const id = await held(page);
    const context = page.context();
    await page.close();
    const early = await context.newPage(); /* before it has arrived */
    await early.goto(`/e/${event}`);
    await early.getByText('Payment has started.').waitFor();
    await early.getByText('Your booking reference is').waitFor();
    await early.close();
    assert.equal((await hf.admin.get(`/v1/reservations/${id}`)).json.status, 'confirmed');
    const late = await context.newPage(); /* after */
    await late.goto(`/e/${event}`);
    await late.getByText('Your booking reference is').waitFor();
    await late.getByRole('link', { name: 'Tickets and order' }).click();
    await late.waitForURL(new RegExp(`/o/${id}#t=`));
    await late.locator('[data-ticket]').waitFor();
    await late.goto(`/e/${event}`);
    await late.getByText('Nothing chosen yet').waitFor();
});

test('time runs out at the check-out: it says so, and the places are free', async () => {
    const event = await show();
    const page = await holding(event, ['A1']);
    await fill(page);
    hf.clock.advance(1000_000);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))); /* as when a tab comes back */
    await page.getByText('Your hold has ended').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Pay' }).count(), 0);
    await becomes(page, 'A1', 'available');
});

test('a payment that comes after the deadline: the page waits for it, over a reload too, and says what came of it', async () => {
    const event = await show();
    const page = await holding(event, ['A1']);
    const other = await holding(event, ['A2']);
    for (const one of [page, other]) {
        await fill(one);
        await pay(one, 'It is declined');
        await one.getByText('The payment was declined').waitFor();
    }
    const id = await held(page);
    const lost = await held(other);
    hf.clock.advance(3000_000);
    for (const one of [page, other]) {
        await one.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
        await one.getByText('A payment had started.').waitFor();
    }
    await axe(page);
    await page.reload();
    await page.getByText('A payment had started.').waitFor();
    assert.equal((await hf.app.post(`/v1/reservations/${id}/commit`, { payment_ref: 'pi_late' })).status, 200);
    await page.getByText('Your payment arrived').waitFor();
    await page.getByRole('link', { name: 'Tickets and order' }).click();
    await page.locator('[data-ticket]').waitFor();
    await hold(hf.acting('bob'), items(event, 'A2'));
    assert.equal((await hf.app.post(`/v1/reservations/${lost}/commit`, { payment_ref: 'pi_lost' })).status, 409);
    await other.getByText('The organiser will refund €60.00').waitFor();
    await other.goto(`/o/${lost}`);
    await other.getByText('The organiser will refund €60.00').waitFor();
    await other.getByRole('listitem').filter({ hasText: 'To be refunded: €60.00' }).waitFor();
});

test('a time on a calendar is paid in the same way, and one that is free of charge is confirmed, also beside seats', async () => {
    const start = midnight(hf, 9) + 12 * 3600_000;
    const closed = [{ start: iso(hf.now() - 86400_000), end: iso(start) }];
    const cabin = await makeCalendar(hf, { id: unique('cabin'), name: 'The cabin', price: 4000, payment: 'required', closed });
    const page = await visitor();
    await page.goto(`/c/${cabin}`);
    await page.locator('[data-slot]').first().click();
    await page.getByRole('button', { name: 'Book' }).click();
    await fill(page);
    await page.getByRole('textbox', { name: 'The cabin' }).waitFor();
    await pay(page, 'It succeeds');
    await page.waitForURL(/\/o\/res_/);
    await page.locator('[data-ticket]').getByText('The cabin').waitFor();

    const room = await makeCalendar(hf, { id: unique('room'), name: 'The room', price: 4000, payment: 'none', closed });
    await page.goto(`/e/${await show({ payment: 'none' })}`);
    await page.locator('[data-seat=A1]').click();
    await becomes(page, 'A1', 'mine');
    await page.goto(`/c/${room}`);
    await page.locator('[data-slot]').first().click();
    await page.getByRole('button', { name: 'Book' }).click();
    await page.locator('[data-basket="2"]').getByText('€100.00').waitFor();
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.locator('[data-ticket]').getByText('The room').waitFor();
    assert.equal(await page.locator('[data-ticket]').count(), 2);
});

test('what is missing is asked for, and the way back keeps the basket', async () => {
    const page = await holding(await show(), ['A1']);
    const missing = (label) => page.getByLabel(label, { exact: true }).evaluate((input) => input.matches(':focus') && !input.validity.valid);
    await page.locator('holdfast-basket').evaluate((basket) => basket.setAttribute('ask-email', 'required'));
    await page.getByRole('button', { name: 'Check out' }).click();
    await page.getByRole('button', { name: 'Pay' }).click();
    assert.ok(await missing('Name'));
    await page.getByLabel('Name', { exact: true }).fill('Ann Example');
    await page.getByRole('button', { name: 'Pay' }).click();
    assert.ok(await missing('E-mail'));
    assert.equal((await hf.admin.get(`/v1/reservations/${await held(page)}`)).json.payment_started_at, null);
    await page.getByRole('button', { name: 'Back to the basket' }).click();
    await page.locator('[data-basket="1"]').getByText('row A, seat 1').waitFor();
    await becomes(page, 'A1', 'mine');
});

test('offline: the form stays, the countdown goes on, and Pay works once the network is back', async () => {
    const page = await holding(await show(), ['A1']);
    await fill(page);
    await page.context().setOffline(true);
    await page.getByText('You\'re offline').waitFor();
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.locator('button[aria-disabled=true]', { hasText: 'Pay' }).waitFor();
    await page.context().setOffline(false);
    await page.locator('[data-pnr]').waitFor();
});

test('nothing to pay: Confirm, with names for those who want them', async () => {
    const page = await holding(await show({ payment: 'none' }), ['A1']);
    await page.getByRole('button', { name: 'Confirm' }).waitFor();
    await fill(page);
    assert.equal(await page.getByText('Demo payment').count(), 0);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.locator('[data-ticket]').getByText('Ann Example').waitFor();
});

test('a seat left alone is named at once and the fix is one click; at Pay it is named too, and the focus stays', async () => {
    const event = await show({ single_seats: 'refuse' });
    const page = await holding(event, ['A2']);
    await page.getByText('Section Stalls, row A, seat 1 would be left alone.').waitFor();
    await looks(page, 'single-desktop', { shots: [] });
    await page.getByRole('button', { name: 'Move seat 2 to seat 1' }).click();
    await becomes(page, 'A1', 'mine');
    await becomes(page, 'A2', 'available');
    await page.getByText('would be left alone').waitFor({ state: 'detached' });
    await page.locator('[data-seat=A3]').click();
    await becomes(page, 'A3', 'mine');
    await fill(page);
    const alone = page.getByRole('alert').getByText('Section Stalls, row A, seat 2 would be left alone.');
    await alone.waitFor();
    await page.getByRole('button', { name: 'Pay' }).press('Enter');
    await page.getByRole('alert').filter({ hasText: 'That didn\'t work' }).getByText('seat 2 would be left alone.').waitFor();
    assert.equal(await page.getByRole('alert').count(), 1);
    assert.ok(await page.getByRole('button', { name: 'Pay' }).evaluate((button) => button.matches(':focus')));
    await looks(page, 'single-refused', { shots: [] });
    await hold(hf.acting('eve'), items(event, 'A2')); /* and then it is not alone any more */
    await alone.waitFor({ state: 'detached' });
    await pay(page, 'It succeeds');
    await page.locator('[data-ticket]').first().waitFor();
});

const focused = (page) => page.evaluate(() => {
    let on = document.activeElement;
    while (on?.shadowRoot?.activeElement) {
        on = on.shadowRoot.activeElement;
    }
    return (on?.getAttribute('aria-label') ?? on?.closest('label')?.innerText ?? on?.innerText ?? '').replace(/\s+/g, ' ').trim();
});

/* Moves the focus by Tab until it is on what has this name. */
async function tabTo(page, name) {
    for (let i = 0; i < 80; i++) {
        await page.keyboard.press('Tab');
        if ((await focused(page)).startsWith(name)) {
            return;
        }
    }
    assert.fail(`Tab never reaches "${name}"`);
}

test('by keyboard alone, from the map to the tickets, and the focus is never lost', async () => {
    const page = await visitor();
    const settled = await keepsFocus(page);
    await page.goto(`/e/${await show({ single_seats: 'refuse' })}`);
    await page.locator('[data-seat=A1]').waitFor();
    await tabTo(page, 'Section Stalls 36 left');
    await page.keyboard.press('Enter');
    assert.match(await focused(page), /^Section Stalls, row A, seat 1,/);
    for (const key of ['ArrowRight', 'Enter']) {
        await page.keyboard.press(key);
    }
    await page.locator('[data-basket="1"]').waitFor();
    await tabTo(page, 'One fewer'); /* of the best available: as few as there may be */
    await page.keyboard.press('Enter');
    await settled();
    assert.equal(await focused(page), 'One fewer');
    await tabTo(page, 'Best available');
    await page.keyboard.press('Enter');
    await page.locator('[data-basket="2"]').waitFor();
    await tabTo(page, 'Give back');
    await tabTo(page, 'Give back'); /* the second one */
    await page.keyboard.press('Enter');
    await page.locator('[data-basket="1"]').waitFor();
    assert.match(await focused(page), /^Give back/);
    await tabTo(page, 'Move seat 2 to seat 1');
    await page.keyboard.press('Enter');
    await becomes(page, 'A1', 'mine');
    await page.getByText('would be left alone').waitFor({ state: 'detached' });
    assert.equal(await focused(page), 'Check out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check out' }).waitFor();
    await tabTo(page, 'Name');
    await page.keyboard.type('Ann Example');
    await tabTo(page, 'It succeeds');
    await page.keyboard.press('ArrowDown'); /* It is declined */
    await tabTo(page, 'Pay');
    await page.keyboard.press('Enter');
    await page.getByText('The payment was declined').waitFor();
    assert.equal(await focused(page), 'Pay');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter'); /* in the form */
    await page.locator('[data-ticket]').waitFor();
    await tabTo(page, 'Print tickets');
});

for (const device of ['phone', 'desktop']) {
    test(`axe-core finds nothing: ${device}, light and dark`, async () => {
        const page = await holding(await show(), ['A5', 'A6'], { device });
        await fill(page);
        await looks(page, `checkout-${device}`);
    });
}
