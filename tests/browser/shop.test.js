/* SPDX-License-Identifier: Apache-2.0 */
/* examples/shop: a shop in plain HTML on another origin, with a payment back end. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const http = require('node:http');
const { makeEvent, seatStatus } = require('../conformance/lib/catalogue.js');
const { shop } = require('../../examples/shop/server.js');
const { browser } = require('./lib/browser.js');

/* Its address is known before the server starts, which has to allow it. */
const web = http.createServer((request, response) => web.shop(request, response)).listen(0);
web.unref();
const origin = () => `http://127.0.0.1:${web.address().port}`;
const { hf, visitor, axe, tooWide, screenshot } = browser({
    command: 'demo', args: ['--quiet', '--cors', origin()],
    prepare: () => { web.shop = shop({ holdfast: hf.url, key: hf.app.bearer }); },
});
const buyer = (options) => visitor({ origin: origin(), also: hf.url, ...options });

/* On the shop's payment page with a seat of the arena, under the shop's policy. */
async function paying(page, seats = 1) {
    await page.goto('/concert');
    await page.getByLabel('How many', { exact: true }).waitFor();
    for (let n = 2; n > seats; n--) {
        await page.getByRole('button', { name: 'One fewer' }).first().click();
    }
    await page.getByRole('button', { name: 'Best available' }).click();
    await page.locator(`[data-basket="${seats}"]`).waitFor();
    await page.getByRole('button', { name: 'Check out' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Ann Example');
    await page.getByLabel('E-mail').fill('ann@example.org');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForURL(/\/pay\?order=res_/);
    await page.locator('[data-countdown]').waitFor();
    return new URL(page.url()).searchParams.get('order');
}

test('a purchase: the seats, the shop\'s own payment, declined and then paid, the tickets', async () => {
    const page = await buyer();
    await page.goto('/');
    await page.getByRole('link', { name: 'An evening at the arena' }).click();
    await page.waitForURL('**/concert');
    const heard = [];
    await page.exposeFunction('heard', (name) => heard.push(name));
    await page.evaluate(() => ['hold', 'confirmed'].forEach((name) => addEventListener(name, () => window.heard(name))));
    await page.getByRole('button', { name: 'Best available' }).click();
    await page.locator('[data-basket="2"]').waitFor();
    assert.deepEqual(heard, ['hold']);
    assert.equal(await page.getByRole('button', { name: 'Check out' }).evaluate((one) => getComputedStyle(one).backgroundColor), 'rgb(143, 58, 28)');
    await page.evaluate(() => scrollTo(0, 0));
    await screenshot(page, 'shop-desktop');
    await page.getByRole('button', { name: 'Check out' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Ann Example');
    await page.getByLabel('E-mail').fill('ann@example.org');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForURL(/\/pay\?order=res_/);
    const order = new URL(page.url()).searchParams.get('order');
    const { json: held } = await hf.app.get(`/v1/reservations/${order}`);
    await page.getByRole('button', { name: `Pay €${(held.total.amount / 100).toFixed(2)}` }).waitFor();
    await page.getByLabel('Card number').fill('4000 0000 0000 0002');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('alert').getByText('declined').waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.waitForURL(/\/thanks\?order=/);
    await page.locator('[data-ticket]').nth(1).waitFor();
    assert.ok(await page.locator('[data-ticket] img').first().evaluate((img) => img.decode().then(() => img.naturalWidth > 20)));
    const { json } = await hf.app.get(`/v1/reservations/${order}`);
    assert.deepEqual([json.status, json.payment.method, json.items.length], ['confirmed', 'card', 2]);
    assert.equal(await seatStatus(hf, 'arena', json.items[0].seat), 'sold');
    await axe(page);
    await page.goto('/concert'); /* and the basket there says so */
    await page.getByText(json.pnr).waitFor();
});

test('too late: nothing is charged, and the shop says so', async () => {
    const page = await buyer({ device: 'phone' });
    const order = await paying(page);
    await screenshot(page, 'shop-pay-phone');
    assert.equal((await hf.app.delete(`/v1/reservations/${order}`)).status, 200);
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.getByRole('alert').getByText('The time was up').waitFor();
    assert.deepEqual((await hf.app.get('/v1/refunds-due?status=all', hf.since(await hf.admin.get('/v1/keys')))).json.data, []);
});

test('the waiting room brings up the seats; a table is booked without a payment', async () => {
    await makeEvent(hf, { id: 'premiere', name: 'The premiere', seats: 'A1-A6', payment: 'none', waiting_room: { by_inventory: false } });
    const page = await buyer();
    await page.goto('/premiere');
    await page.locator('holdfast-seats').locator('[data-seat]').first().waitFor();
    assert.ok(await page.locator('holdfast-queue').isHidden());
    await page.goto('/table');
    await page.locator('[data-slot]').first().click();
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByLabel('Name').fill('Ann Example');
    await page.getByLabel('E-mail').fill('ann@example.org');
    await axe(page);
    await screenshot(page, 'shop-table-desktop');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Your booking reference is').waitFor();
});

for (const device of ['phone', 'desktop']) {
    test(`axe-core finds nothing on the shop's pages, and nothing is too wide: ${device}`, async () => {
        const page = await buyer({ device });
        for (const path of ['/', '/concert', '/table']) {
            await page.goto(path);
            await page.locator(path === '/' ? 'main' : path === '/table' ? '[data-slot]' : '[data-section]').first().waitFor();
            await axe(page, path);
            assert.ok(await tooWide(page) <= 0, path);
        }
        await page.goto('/');
        await screenshot(page, `shop-home-${device}`);
    });
}
