/* SPDX-License-Identifier: Apache-2.0 */
/* The demo: its first page leads everywhere; /f/{fleet} opens at once, with a rider and two drivers to play. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { browser } = require('./lib/browser.js');

const { hf, visitor, axe, screenshot } = browser({ command: 'demo', args: ['--quiet'], prepare: async (server) => {
    await server.eventually(() => server.admin.get('/v1/fleets/taxi/drivers'), (list) => list.json.data?.length === 14, 'all drivers are there');
} });

const card = (page, driver) => page.locator(`[data-play=${driver}]`);

/* From the home page, without any key. */
async function opened(options) {
    const page = await visitor(options);
    await page.goto('/');
    await page.getByRole('link', { name: /^taxi/ }).click();
    await card(page, 'emil').waitFor();
    return page;
}

test('the first page leads to admin, door, docs and the taxis, says where the key is, and has a picture for each event', async () => {
    const page = await visitor();
    await page.goto('/');
    const ways = page.getByRole('navigation', { name: 'This is the demo' });
    await ways.getByText('Its key: $HOLDFAST_ADMIN_KEY').waitFor(); /* of this test */
    const to = await ways.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    assert.deepEqual(to, ['/admin', '/door', '/docs', '/f/taxi']);
    for (const picture of await page.locator('.picture').all()) {
        await picture.scrollIntoViewIfNeeded(); /* it loads then */
        assert.ok(await picture.locator('img').evaluate((img) => img.decode().then(() => img.naturalWidth)) > 0);
    }
    await axe(page);
    await ways.getByRole('link', { name: 'Admin' }).click();
    await page.getByText('Where is the key?').click();
    await page.getByText('$HOLDFAST_ADMIN_KEY').waitFor();
});

test('the home page leads to the fleet, whose drivers are on the map at once', async () => {
    const page = await opened();
    await page.locator('[data-driver^=taxi_]').nth(11).waitFor();
    assert.ok(await page.locator('[data-cell]').count() > 3);
    await page.locator('[data-driver=dora][data-status=away]').waitFor();
    assert.equal(await page.getByLabel('Key', { exact: true }).count(), 0);
});

test('a visitor plays both sides: as rider asks, as one driver declines, and the next takes it; a reload keeps the ride', async () => {
    const page = await opened();
    const place = await page.getByLabel('Where dora is', { exact: true }).inputValue();
    await page.getByLabel('Pickup', { exact: true }).fill(place); /* nearer than any other */
    await page.getByLabel('Pickup', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Go on duty: dora' }).click();
    await page.locator('[data-play=dora][data-duty=on]').waitFor();
    await page.getByRole('button', { name: 'Ask for a ride' }).click();
    await card(page, 'dora').getByRole('button', { name: 'Decline' }).click();
    await page.locator('[data-my-ride=assigned]').waitFor(); /* the demo's drivers accept */
    await page.reload();
    await page.locator('[data-my-ride=assigned] strong').waitFor();
    assert.match(await page.locator('[data-my-ride] strong').innerText(), /^taxi_/);
    assert.match(await page.locator('[data-my-ride] .offers').innerText(), /Driver 1\s+declined/, 'of one who declined the rider learns nothing');
});

for (const [device, scheme] of [['phone', 'light'], ['desktop', 'dark']]) {
    test(`axe-core finds nothing: ${device}, ${scheme}`, async () => {
        const page = await opened({ device, scheme });
        await page.getByRole('button', { name: 'Go on duty: dora' }).click();
        await page.locator('[data-play=dora][data-duty=on]').waitFor();
        await page.locator('[data-driver=dora][data-status=free]').waitFor();
        await axe(page);
        await screenshot(page, `fleet-demo-${device}`);
        await page.locator('.time').scrollIntoViewIfNeeded();
        await screenshot(page, `fleet-demo-time-${device}`);
    });
}
