/* SPDX-License-Identifier: Apache-2.0 */
/* /admin: a reservation found by every key that a customer can have, refunds due, payments, waiting rooms. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { unique } = require('../conformance/lib/server.js');
const { browser } = require('./lib/browser.js');
const { signedIn } = require('./lib/admin.js');

const { hf, visitor, axe } = browser();
const ROW = Array.from({ length: 9 }, (_, i) => ({ id: `A${i + 1}`, section: 'Stalls', row: 'A', number: String(i + 1), price: i < 8 ? 6000 : 4000 }));
const show = (more = {}) => makeEvent(hf, { id: unique('show'), name: 'The winter concert', seats: ROW, ...more });

async function bought({ user = unique('ann'), ref = unique('pi'), seat = 'A1', event, amount } = {}) {
    const held = await hf.app.post('/v1/reservations', { user_id: user, attributes: { name: 'Ann Example', table: unique('word') }, items: [{ event: event ?? await show(), seat }] });
    assert.equal(held.status, 201, held.text);
    return (await hf.app.post(`/v1/reservations/${held.json.reservation_id}/commit`, { payment_ref: ref, amount })).json;
}

/* Given back, and paid nevertheless: a refund due. */
async function owed() {
    const { json } = await hf.app.post('/v1/reservations', { user_id: 'bob', items: [{ event: await show(), seat: 'A2' }] });
    const [path, payment_ref] = [`/v1/reservations/${json.reservation_id}`, unique('pi')];
    await hf.app.post(`${path}/release`, {});
    const { status, json: refusal, seq } = await hf.app.post(`${path}/commit`, { payment_ref });
    assert.equal(status, 409);
    await hf.admin.get('/v1/refunds-due', { atLeast: seq });
    return { id: refusal.refund_due, payment_ref, reservation_id: json.reservation_id };
}

async function find(page, what) {
    await page.getByRole('searchbox').fill(what);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
}

test('one reservation by each of its keys, with its whole history in words', async () => {
    const order = await bought();
    const code = order.tickets[0].code;
    const { seq } = await hf.admin.post('/v1/check-ins', { code, gate: 'north' });
    await hf.admin.get(`/v1/reservations/${order.reservation_id}/history`, { atLeast: seq });
    const page = await signedIn(await visitor(), hf, 'find');
    for (const what of [order.reservation_id, order.pnr, order.pnr.toLowerCase(), order.user_id, code, order.payment.ref, order.attributes.table]) {
        await find(page, what);
        await page.locator(`[data-pnr="${order.pnr}"]`).waitFor();
        assert.equal(await page.getByRole('searchbox').inputValue(), what);
        await page.goto('/admin#find'); /* the same page: the key is still there */
        await page.locator('[data-pnr]').waitFor({ state: 'detached' });
    }
    await find(page, order.pnr);
    const line = (action) => page.locator(`[data-action=${action}]`);
    await line('held').getByText('Held: Section Stalls, row A, seat 1').waitFor();
    await line('confirmed').getByText('Bought for €60.00').waitFor();
    assert.match(await line('confirmed').innerText(), new RegExp(`by app:${hf.app.name}`));
    await line('checked_in').getByText('Ticket used at north').waitFor();
    await page.reload();
    assert.equal(await page.locator('[data-pnr]').count(), 0);
});

test('several are a list, and none is reported as such', async () => {
    const user = unique('carol');
    const event = await show();
    const orders = [await bought({ user, event, seat: 'A1' }), await bought({ user, event, seat: 'A2' })];
    await hf.admin.get('/v1/reservations', { atLeast: (await hf.admin.get(`/v1/reservations/${orders[1].reservation_id}`)).seq });
    const page = await signedIn(await visitor(), hf, `find/${user}`);
    await page.getByText('2 reservations found').waitFor();
    await axe(page);
    await page.locator(`[data-reservation=${orders[0].reservation_id}] a`).click();
    await page.locator(`[data-pnr="${orders[0].pnr}"]`).waitFor();
    await page.getByRole('link', { name: 'All results' }).click();
    await page.getByText('2 reservations found').waitFor();
    await find(page, 'nobody-at-all');
    await page.getByText('Nothing found for nobody-at-all').waitFor();
    await axe(page);
});

test('a refund is marked as done, and the list is a file', async () => {
    const due = await owed();
    const page = await signedIn(await visitor(), hf, 'refunds');
    const row = page.locator(`[data-refund=${due.id}]`);
    await row.getByText('The hold was released').waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download as CSV' }).click()]);
    assert.equal(file.suggestedFilename(), 'refunds-open.csv');
    assert.match(fs.readFileSync(await file.path(), 'utf8'), new RegExp(due.payment_ref));
    await row.getByRole('button', { name: `Mark as paid back: €60.00 of ${due.payment_ref}` }).click();
    await page.getByText('Marked as paid back').waitFor();
    assert.equal(await row.count(), 0);
    const { json } = await hf.admin.get('/v1/refunds-due?status=done', { atLeast: (await hf.admin.get('/v1/keys')).seq });
    assert.ok(json.data.some(({ id, done_at }) => id === due.id && done_at));
    await page.getByRole('link', { name: 'Done' }).click();
    await row.getByText('Done', { exact: false }).first().waitFor();
    await row.getByRole('link', { name: 'Reservation' }).click();
    await page.locator('[data-action=refund_done]').getByText('Refunded: €60.00').waitFor();
});

test('a refund that cannot be marked says why, and stays', async () => {
    const due = await owed();
    const page = await signedIn(await visitor(), hf, 'refunds');
    await page.route(`**/refunds-due/${due.id}/done`, (route) => route.fulfill({ status: 507, contentType: 'application/problem+json',
        body: JSON.stringify({ status: 507, code: 'storage_full', detail: 'The disk is full.' }) }));
    await page.locator(`[data-refund=${due.id}]`).getByRole('button', { name: 'Mark as paid back' }).click();
    await page.getByText('The disk is full.').waitFor();
    assert.equal(await page.locator(`[data-refund=${due.id}]`).count(), 1);
});

test('a refund due whose amount has changed asks how much was paid back', async () => {
    const { reservation_id: id, payment: { ref }, items } = await bought({ amount: { amount: 7000, currency: 'EUR' } });
    const moved = await hf.app.patch(`/v1/reservations/${id}/items/${items[0].item_id}`, { seat: 'A9' });
    assert.equal(moved.status, 200, moved.text);
    const due = (await hf.app.get('/v1/refunds-due', { atLeast: moved.seq })).json.data.find(({ payment_ref }) => payment_ref === ref);
    const page = await signedIn(await visitor(), hf, 'refunds');
    const row = page.locator(`[data-refund=${due.id}]`);
    await row.getByText('Moved to something cheaper').waitFor();
    await row.getByRole('button', { name: `Mark as paid back: €30.00 of ${ref}` }).click();
    await page.getByText('The amount of this refund due has changed').waitFor();
    assert.equal(await row.getByLabel('Paid back (EUR)').inputValue(), '30.00');
    await axe(page);
    await row.getByLabel('Paid back (EUR)').fill('25');
    await row.getByRole('button', { name: 'Mark as paid back' }).click();
    await page.getByText('Marked as paid back').waitFor();
    const { owed, returned, kept } = (await hf.app.get(`/v1/reservations/${id}`)).json.payments[0];
    assert.deepEqual({ owed, returned, kept }, { owed: 500, returned: 2500, kept: 4000 });
});

test('a reservation shows its payments and what is still to be paid; payments that do not add up are a list', async () => {
    const { reservation_id: id, pnr, payment: { ref }, items } = await bought({ seat: 'A9' });
    await hf.app.patch(`/v1/reservations/${id}/items/${items[0].item_id}`, { seat: 'A1' });
    const { id: due, payment_ref: over } = await owed();
    const { seq, status, text } = await hf.app.post(`/v1/refunds-due/${due}/done`, { amount: { amount: 9000, currency: 'EUR' } });
    assert.equal(status, 200, text);
    await hf.app.get('/v1/payments', { atLeast: seq });
    const page = await signedIn(await visitor(), hf, `find/${pnr}`);
    const payment = (of) => page.locator(`[data-payment=${of}]`);
    await payment(ref).getByText('€40.00 kept').waitFor();
    await page.locator('.facts > div').filter({ hasText: 'Balance due' }).getByText('€20.00').waitFor();
    await page.goto('/admin#payments');
    await payment(over).getByText('More returned than received').waitFor();
    assert.equal(await payment(ref).count(), 0);
    await axe(page);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await payment(ref).getByRole('link', { name: 'Reservation' }).click();
    await page.locator(`[data-pnr="${pnr}"]`).waitFor();
});

test('a waiting room is paused, resumed, opened and given another pace', async () => {
    const event = await show({ name: 'Premiere', waiting_room: { rate_per_second: 50, open_at: new Date(hf.now() + 3600_000).toISOString() } });
    const queue = async () => (await hf.admin.get(`/v1/events/${event}/queue`)).json;
    assert.equal((await hf.user('ann').post(`/v1/events/${event}/queue`, {})).status, 201);
    const page = await signedIn(await visitor(), hf, `rooms/${event}`);
    await page.locator('[data-room=early]').waitFor();
    await page.locator('[data-figure=waiting]').filter({ hasText: /^1$/ }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.locator('[data-room=paused]').waitFor();
    assert.equal((await queue()).paused, true);
    await page.getByRole('button', { name: 'Open now' }).click();
    await page.getByText('The waiting room is open.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('[data-room=open]').waitFor();
    await page.locator('[data-figure=active]').filter({ hasText: /^1$/ }).waitFor(); /* ann was let in */
    await page.getByLabel('Let in at most, per second').fill('120');
    await page.getByLabel('Inside at once').fill('7');
    await page.getByRole('button', { name: 'Set pace' }).click();
    await page.getByText('The new pace applies from now on').waitFor();
    const { rate_per_second: rate, max_active: most, paused } = await queue();
    assert.deepEqual({ rate, most, paused }, { rate: 120, most: 7, paused: false });
    await axe(page);
});

test('without waiting rooms the next step is shown', async () => {
    const page = await visitor();
    await page.route('**/v1/events', (route) => route.fulfill({ json: { data: [], next_cursor: null } }));
    await signedIn(page, hf, 'rooms');
    await page.getByText('No event has a waiting room').waitFor();
    await axe(page);
});
