/* SPDX-License-Identifier: Apache-2.0 */
/* /f/{fleet} with a key: the live map, and both sides of a ride played over the page. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { browser } = require('./lib/browser.js');
const { unique } = require('../conformance/lib/server.js');

const { hf, visitor, axe, tooWide, screenshot } = browser();
const [LAT, LNG] = [53.5511, 9.9937];

/* A fleet with drivers at these thousandths of a degree to the north. A driver's id is the same driver in every fleet: those of
 * earlier tests are out of service, whatever they were left with. */
const registered = [];
async function makeFleet(drivers = { dora: 1, emil: 4 }, fleet = unique('fleet')) {
    for (const path of registered.splice(0)) {
        assert.ok([204, 404].includes((await hf.app.delete(path)).status), path);
    }
    assert.equal((await hf.admin.put(`/v1/fleets/${fleet}`, { max_rings: 20 })).status, 201);
    for (const [driver, north] of Object.entries(drivers)) {
        const answer = await hf.app.put(`/v1/fleets/${fleet}/drivers/${driver}`, { lat: LAT + north / 1000, lng: LNG, available: true });
        assert.equal(answer.status, 201, answer.text);
        registered.push(`/v1/fleets/${fleet}/drivers/${driver}`);
    }
    return fleet;
}

async function opened(fleet, options) {
    const page = await visitor(options);
    await page.goto(`/f/${fleet}`);
    await page.getByLabel('Key', { exact: true }).fill(hf.app.key);
    await page.getByRole('button', { name: 'Open the map' }).click();
    await page.locator('[data-part=map] svg').first().waitFor();
    return page;
}

const card = (page, driver) => page.locator(`[data-play=${driver}]`);
async function play(page, ...drivers) {
    for (const driver of drivers) {
        await page.getByLabel('Play a driver').fill(driver);
        await page.getByRole('button', { name: 'Play', exact: true }).click();
        await page.getByRole('button', { name: `Go on duty: ${driver}` }).click();
        await page.locator(`[data-play=${driver}][data-duty=on]`).waitFor();
    }
}

async function ask(page) {
    await page.getByLabel('Pickup', { exact: true }).fill(`${LAT}, ${LNG}`);
    await page.getByLabel('Pickup', { exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Ask for a ride' }).click();
}

test('a ride is offered, declined by one driver and accepted by the next, driven and completed', async () => {
    const fleet = await makeFleet();
    const page = await opened(fleet);
    await play(page, 'dora', 'emil');
    await ask(page);
    const ring = card(page, 'dora').locator('[data-ring]');
    await ring.waitFor();
    const left = Number(await ring.getAttribute('data-ring'));
    assert.ok(left > 5 && left <= 15, `${left} s are left`);
    await page.locator('[data-driver=dora][data-status=offered]').waitFor();
    await page.locator('[data-asked=dora][data-end=live]').waitFor({ state: 'attached' });
    await card(page, 'dora').getByRole('button', { name: 'Decline' }).click();
    await page.locator('[data-asked=dora][data-end=declined]').waitFor({ state: 'attached' }); /* the offer moves on */
    await page.locator('[data-asked=emil][data-end=live]').waitFor({ state: 'attached' });
    await card(page, 'emil').getByRole('button', { name: 'Accept' }).click();
    await page.locator('[data-my-ride=assigned]').getByText('emil').first().waitFor();
    assert.deepEqual(await page.locator('[data-my-ride] .offers li').allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, ' '))),
        ['dora declined', 'emil accepted']);
    await page.locator('[data-driver=emil][data-status=busy]').waitFor();
    await page.locator('[data-ride][data-leg=comes] .comes').waitFor({ state: 'attached' });
    await page.getByLabel('Where emil is', { exact: true }).fill(`${LAT}, ${LNG}`);
    await page.getByLabel('Where emil is', { exact: true }).press('Enter');
    await page.locator('[data-ride][data-leg=drives]').waitFor({ state: 'attached' });
    await card(page, 'emil').getByRole('button', { name: 'Complete' }).click();
    await page.locator('[data-my-ride=completed]').waitFor();
    const { json } = await hf.app.get(`/v1/fleets/${fleet}/rides?rider_id=ann`);
    assert.deepEqual(json.data[0].offers.map(({ driver_id: driver, end }) => [driver, end]), [['dora', 'declined'], ['emil', 'accepted']]);
});

test('the ring turns by the server\'s clock: a wrong clock here changes nothing, and what is not answered in time is over', async () => {
    const fleet = await makeFleet();
    const page = await visitor();
    await page.addInitScript(() => {
        const now = Date.now;
        Date.now = () => now() + 7_200_000;
    });
    await page.goto(`/f/${fleet}`);
    await page.getByLabel('Key', { exact: true }).fill(hf.adminKey);
    await page.getByRole('button', { name: 'Open the map' }).click();
    await play(page, 'dora');
    await ask(page);
    const ring = card(page, 'dora').locator('[data-ring]');
    await ring.waitFor();
    assert.ok(Number(await ring.getAttribute('data-ring')) > 5);
    hf.clock.advance(16_000);
    await card(page, 'dora').getByText('did not answer in time').waitFor();
});

test('a rider who cancels takes the offer off the driver\'s screen; a driver who gives it back is left out', async () => {
    const fleet = await makeFleet({ dora: 1, emil: 4 });
    const page = await opened(fleet);
    await play(page, 'dora');
    await ask(page);
    await card(page, 'dora').locator('[data-offer]').waitFor();
    await page.getByRole('button', { name: 'Cancel the ride' }).click();
    await page.locator('[data-my-ride=cancelled]').waitFor();
    await card(page, 'dora').locator('[data-offer]').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Another ride' }).click();
    await ask(page);
    await card(page, 'dora').getByRole('button', { name: 'Accept' }).click();
    await card(page, 'dora').getByRole('button', { name: 'Give ride back' }).click();
    await page.locator('[data-my-ride=offered]').waitFor();
    await card(page, 'dora').getByText('waiting for an offer').waitFor();
});

test('hexagons, drivers and numbers are what the overview says, and move by themselves', async () => {
    const fleet = await makeFleet({ a: 0, b: 0, c: 20 });
    const page = await opened(fleet);
    const { cells } = (await hf.app.get(`/v1/fleets/${fleet}/overview`)).json;
    assert.deepEqual((await page.locator('[data-cell]').evaluateAll((all) => all.map((one) => one.dataset.cell))).sort(), cells.map(({ cell }) => cell).sort());
    assert.equal(await page.locator('[data-count=free]').innerText(), '3');
    const place = () => page.locator('[data-driver=c]').getAttribute('transform');
    const before = await place();
    await hf.app.post(`/v1/fleets/${fleet}/positions`, [{ driver: 'c', lat: LAT + 0.01, lng: LNG, available: false }]);
    await page.locator('[data-driver=c][data-status=away]').waitFor();
    assert.notEqual(await place(), before);
    await page.locator('[data-cell]').nth(1).waitFor({ state: 'detached' });
    assert.equal(await page.locator('[data-count=away]').innerText(), '1');
    assert.match(await page.locator('[data-share=free]').innerText(), /^\d+ ?%$/);
});

test('a place is picked on the map, which keys and buttons move', async () => {
    const page = await opened(await makeFleet());
    const place = () => page.locator('[data-driver=dora]').getAttribute('transform').then((text) => text.match(/[\d.-]+/g).map(Number));
    const [x, y] = await place();
    await page.getByRole('group', { name: 'Live map' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    const [right, up] = await place();
    assert.ok(Math.abs(x - 60 - right) < 2 && Math.abs(y + 60 - up) < 2, `${x}, ${y} → ${right}, ${up}`);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    assert.notDeepEqual(await place(), [right, up]);
    await page.getByRole('button', { name: 'Whole fleet' }).click();
    assert.ok(Math.abs((await place())[0] - x) < 2);
    await page.getByRole('button', { name: 'Destination: On the map' }).click();
    await page.getByText('Tap the map: Destination.').waitFor();
    await page.locator('[data-part=map]').click({ position: { x: 120, y: 100 } });
    const [lat, lng] = (await page.getByLabel('Destination', { exact: true }).inputValue()).split(', ').map(Number);
    assert.ok(Math.abs(lat - LAT) < 0.1 && Math.abs(lng - LNG) < 0.1, `${lat}, ${lng}`);
    await page.locator('.mark.to').waitFor();
});

test('a key that is none, an empty fleet, one that is gone, and one that never was', async () => {
    const fleet = await makeFleet({});
    const page = await visitor();
    await page.goto(`/f/${fleet}`);
    await page.getByLabel('Key', { exact: true }).fill('nothing');
    await page.getByRole('button', { name: 'Open the map' }).click();
    await page.getByText('This key does not open the map').waitFor();
    await page.getByLabel('Key', { exact: true }).fill(hf.adminKey);
    await page.getByRole('button', { name: 'Open the map' }).click();
    await page.getByText('No drivers yet').waitFor();
    assert.equal((await hf.admin.delete(`/v1/fleets/${fleet}`)).status, 204);
    await page.getByText('This fleet no longer exists').waitFor();
    assert.equal((await page.goto('/f/nowhere')).status(), 404);
    await page.getByRole('link', { name: 'See what\'s on' }).waitFor();
});

test('loading: busy; error: what happened, and Try again; offline: a banner, and what is shown is old', async () => {
    const fleet = await makeFleet();
    const page = await visitor();
    let broken = true;
    let go;
    const held = new Promise((resolve) => (go = resolve));
    await page.route(`**/v1/fleets/${fleet}`, async (route) => { await held; await route.continue(); });
    await page.route('**/overview', (route) => (broken
        ? route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"broken","detail":"The book is closed."}' })
        : route.continue()));
    await page.goto(`/f/${fleet}`);
    await page.getByLabel('Key', { exact: true }).fill(hf.adminKey);
    await page.getByRole('button', { name: 'Open the map' }).click();
    await page.locator('main[aria-busy=true]').getByRole('button', { name: 'Open the map', disabled: true }).waitFor();
    go();
    await page.getByText('The book is closed.').waitFor();
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('[data-driver=dora]').waitFor();
    await page.context().setOffline(true);
    await page.getByText('This may be out of date').waitFor();
    await page.locator('.offline').waitFor();
    await page.context().setOffline(false);
    await page.getByText('This may be out of date').waitFor({ state: 'detached' });
});

for (const [device, scheme, town] of [['phone', 'light', 'lisbon'], ['phone', 'dark', 'porto'], ['desktop', 'light', 'hamburg'], ['desktop', 'dark', 'turin']]) {
    test(`axe-core finds nothing: ${device}, ${scheme}`, async () => {
        const some = Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`taxi_${i}`, ((i * 7) % 24) + 6]));
        const fleet = await makeFleet({ dora: 1, ...some }, town);
        await hf.app.post(`/v1/fleets/${fleet}/positions`, Object.keys(some).map((driver, i) => (
            { driver, lat: LAT + ((i * 7) % 24) / 900, lng: LNG + ((i * 11) % 24) / 500 - 0.02, available: i % 6 !== 0 })));
        await hf.app.post(`/v1/fleets/${fleet}/rides`, { rider_id: 'bob', lat: LAT + 0.012, lng: LNG + 0.01, to: { lat: LAT + 0.02, lng: LNG - 0.015 } });
        const page = await opened(fleet, { device, scheme });
        await play(page, 'dora');
        await ask(page);
        await card(page, 'dora').locator('[data-ring]').waitFor();
        await page.locator('[data-driver=dora][data-status=offered]').waitFor();
        await axe(page);
        const wide = await tooWide(page);
        assert.ok(wide <= 0, `it is ${wide} px too wide`);
        await screenshot(page, `fleet-${device}-${scheme}`);
    });
}
