/* SPDX-License-Identifier: Apache-2.0 */
/* /admin: recent orders, a sale refunded, an event cancelled after a preview, and the audit log. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent, seats } = require('../conformance/lib/catalogue.js');
const { unique } = require('../conformance/lib/server.js');
const { browser } = require('./lib/browser.js');
const { signedIn } = require('./lib/admin.js');

const { hf, visitor, axe } = browser();
const show = (more = {}) => makeEvent(hf, { id: unique('show'), name: 'The winter concert', payment: 'required', seats: seats('A1-A9', { price: 6000 }), ...more });

async function hold(event, item, user = 'ann') {
    const { status, json, text } = await hf.app.post('/v1/reservations', { user_id: user, items: [{ event, ...item }] });
    assert.equal(status, 201, text);
    return json;
}
async function sold(event, item, user) {
    const held = await hold(event, item, user);
    return (await hf.app.post(`/v1/reservations/${held.reservation_id}/commit`, { payment_ref: unique('pi') })).json;
}
const order = (page, { reservation_id: id }) => page.locator(`[data-reservation=${id}]`);

test('orders: the newest first, newer ones are counted and shown when asked for, filters by event and status', async () => {
    const event = await show();
    const page = await visitor();
    await page.clock.install();
    await signedIn(page, hf, `orders/${event}`);
    await page.getByText('No such orders').waitFor();
    const first = await sold(event, { seat: 'A1' });
    const second = await hold(event, { seat: 'A2' }, 'bob');
    await hf.admin.get('/v1/reservations', { atLeast: (await hf.admin.get('/v1/keys')).seq });
    await page.clock.fastForward(5_000);
    await page.getByText('2 newer orders').waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await order(page, second).waitFor();
    const listed = () => page.locator('[data-reservation]').evaluateAll((rows) => rows.map((row) => row.dataset.reservation));
    assert.deepEqual(await listed(), [second.reservation_id, first.reservation_id]);
    await axe(page);
    await page.getByLabel('Status').selectOption({ label: 'Sold' });
    await page.waitForURL(`**/admin#orders/${event}/confirmed`);
    await order(page, second).waitFor({ state: 'detached' });
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download as CSV' }).click()]);
    assert.equal(file.suggestedFilename(), 'orders.csv');
    await order(page, first).getByRole('link').click();
    await page.locator(`[data-pnr="${first.pnr}"]`).waitFor();
});

test('a sale is refunded from its page, and what was paid is due', async () => {
    const order = await sold(await show(), { seat: 'A1' });
    const page = await signedIn(await visitor(), hf, `find/${order.pnr}`);
    await page.getByText('Refund this sale').click();
    await page.getByLabel('Reason (optional)').fill('The lift is broken.');
    await axe(page);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByRole('button', { name: 'Really refund?' }).click();
    await page.getByText('The places are back on sale').waitFor();
    await page.locator('[data-action=refunded]').getByText('The lift is broken.').waitFor();
    assert.equal(await page.getByText('Refund this sale').count(), 0);
    const { status, payments: [{ owed }] } = (await hf.app.get(`/v1/reservations/${order.reservation_id}`)).json;
    assert.deepEqual({ status, owed }, { status: 'refunded', owed: 6000 });
});

test('cancelling an event: what it will do, its id to confirm, the progress, and where to go then', async () => {
    const event = await show({ pools: { floor: 20 }, waiting_list: true });
    await sold(event, { seat: 'A1' });
    await sold(event, { seat: 'A2' });
    await hold(event, { seat: 'A3' });
    await hold(event, { pool: 'floor', quantity: 2 });
    assert.equal((await hf.admin.patch(`/v1/events/${event}`, { waiting_room: { rate_per_second: 1, max_active: 1 } })).status, 200);
    for (const user of ['cleo', 'dan', 'eve']) {
        assert.equal((await hf.user(user).post(`/v1/events/${event}/queue`, {})).status, 201);
    }
    const page = await signedIn(await visitor(), hf, `events/edit/${event}`);
    await page.getByRole('link', { name: 'Cancel event' }).click();
    const will = await page.locator('[data-will]').innerText();
    for (const line of ['1 place that is held now', '2 sold places are refunded', '2 standing places', 'Up to €120.00', 'in the waiting room']) {
        assert.ok(will.includes(line), `${line}: ${will}`);
    }
    await axe(page);
    await page.getByLabel('Reason (optional)').fill('The hall is flooded.');
    await page.getByRole('button', { name: 'Cancel this event' }).click();
    await page.getByText('This is not the id of the event').waitFor();
    assert.equal((await hf.admin.get(`/v1/events/${event}/cancel`)).json.state, 'none');
    let answer = { state: 'running', refunded: 1, left: 1 };
    await page.route(`**/${event}/cancel`, async (route) => {
        const response = await route.fetch();
        await route.fulfill(answer ? { status: response.status(), json: answer } : { response });
    });
    await page.getByLabel(`Type ${event} to confirm`).fill(event);
    await page.getByRole('button', { name: 'Cancel this event' }).click();
    await page.getByText('1 sale refunded, 1 left').waitFor();
    assert.ok(await page.locator('[data-cancel]').evaluate((card) => card === document.activeElement), 'it has the focus');
    await axe(page);
    answer = null;
    await page.getByText('2 sales were refunded').waitFor();
    await axe(page);
    await page.locator('.body').getByRole('link', { name: 'Refunds due' }).click();
    await page.locator('[data-refund]').getByText('The hall is flooded.').first().waitFor();
    await page.goto('/admin#audit');
    await page.locator('[data-audit="event cancelled"]').getByText(event).waitFor();
});

test('the audit log: who did what, by days', async () => {
    const event = await show();
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A1', 'A2'], blocked: true });
    const page = await signedIn(await visitor(), hf, 'audit');
    const entry = page.locator('[data-audit="seats blocked"]').filter({ hasText: event });
    await entry.getByText('2 seats taken off sale').waitFor();
    await entry.getByText('by admin').waitFor();
    await axe(page);
    await page.getByLabel('Until').fill('2020-01-01');
    await page.getByText('No changes on these days').waitFor();
    await page.getByLabel('Until').fill('');
    await entry.getByRole('link').click();
    await page.getByRole('heading', { name: 'The winter concert' }).waitFor();
});
