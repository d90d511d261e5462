/* SPDX-License-Identifier: Apache-2.0 */
/* The live view of /admin: what happens meanwhile is seen, and a server that falls silent is reported. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { browser } = require('./lib/browser.js');
const { signedIn } = require('./lib/admin.js');

const { hf, visitor, axe } = browser();
const hold = (event, seat, more = {}) => hf.app.post('/v1/reservations', { user_id: 'ann', items: [{ event, seat }], ...more });
const figure = (page, name, value) => page.locator(`[data-figure=${name}]`).filter({ hasText: new RegExp(`^${value}$`) }).waitFor();

test('a sale, a hold and a refusal made meanwhile are counted and drawn', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9', payment: 'none' });
    const page = await signedIn(await visitor(), hf);
    await page.getByRole('heading', { name: 'Live', level: 1 }).waitFor();
    await figure(page, 'sales', 0);
    await hold(event, 'A1', { commit: true });
    await hold(event, 'A2');
    assert.equal((await hold(event, 'A2')).status, 409);
    await figure(page, 'sales', 1);
    await figure(page, 'holds', 2);
    await figure(page, 'refusals', 1);
    await figure(page, 'held', 1);
    await page.locator('[data-plot=pace] canvas').waitFor();
    assert.equal(await page.locator('[data-plot] canvas').count(), 3);
    hf.clock.advance(700_000); /* the hold lapses */
    await figure(page, 'expiries', 1);
    await figure(page, 'held', 0);
    await page.getByRole('img', { name: /Response time of holds and commits, the last five minutes. Now: Median/ }).waitFor();
});

test('metrics are read once a second, with the key, and no longer once the user went elsewhere', async () => {
    const page = await visitor();
    const reads = [];
    page.on('request', (request) => request.url().endsWith('/metrics') && reads.push(request));
    await signedIn(page, hf, 'live');
    await page.waitForRequest('**/metrics');
    await page.waitForRequest('**/metrics');
    assert.equal((await reads[0].allHeaders()).authorization, `Bearer ${hf.adminKey}`);
    await page.getByRole('link', { name: 'System health' }).click();
    await page.getByRole('heading', { name: 'System health', level: 1 }).waitFor();
    assert.ok(await page.locator('#view-title').evaluate((title) => title === document.activeElement));
});

test('a server that falls silent is reported, and the view goes on without a reload', async () => {
    const page = await signedIn(await visitor(), hf, 'live');
    await page.route('**/metrics', (route) => route.abort('internetdisconnected'));
    await page.getByText('The server is not responding').waitFor();
    await axe(page);
    await page.unroute('**/metrics');
    await page.getByText('The server is not responding').waitFor({ state: 'detached' });
});

test('a key that is no longer taken leads back to signing in', async () => {
    const page = await signedIn(await visitor(), hf, 'live');
    await page.route('**/metrics', (route) => route.fulfill({ status: 401, contentType: 'application/problem+json',
        body: JSON.stringify({ status: 401, code: 'unauthenticated', detail: 'No.' }) }));
    await page.getByText('The server no longer accepts this key').waitFor();
    assert.equal(await page.locator('.view').count(), 0);
});
