/* SPDX-License-Identifier: Apache-2.0 */
/* The first page: what is on sale with what is left, and the calendars; and the pages that every address has. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server } = require('../conformance/lib/server.js');
const { makeEvent, hold, items } = require('../conformance/lib/catalogue.js');
const { makeCalendar, midnight, iso } = require('../conformance/lib/calendars.js');
const { browser } = require('./lib/browser.js');

const HALL = Array.from({ length: 40 }, (_, i) => ({ id: `A${i + 1}`, row: 'A', number: String(i + 1), price: 2500 }));

const { visitor, axe, looks, tooWide, screenshot } = browser({ prepare: fill });

async function fill(hf) {
    await makeEvent(hf, { id: 'opera', name: 'Night at the opera', venue: 'City hall', starts_at: iso(midnight(hf, 40) + 18 * 3600_000), seats: HALL });
    await makeEvent(hf, { id: 'full', name: 'The last concert', starts_at: iso(midnight(hf, 30)), seats: 'A1-A2' });
    await hold(hf.acting('ann'), items('full', 'A1-A2'), { commit: true });
    await makeEvent(hf, { id: 'soon', name: 'On sale next week', starts_at: iso(midnight(hf, 60)),
        on_sale_at: iso(midnight(hf, 7)), seats: 'A1-A9' });
    await makeEvent(hf, { id: 'jazz', name: 'Jazz in the cellar', starts_at: iso(midnight(hf, 12)), pools: { floor: 120 } });
    await makeEvent(hf, { id: 'line', name: 'The long night', starts_at: iso(midnight(hf, 50)), seats: 'A1-A9', waiting_room: {} });
    await makeCalendar(hf, { id: 'dr', name: 'Dr. Rivera', timezone: 'Europe/Madrid', price: 4000 });
    await hf.admin.put('/v1/groups/doctors', { name: 'Any doctor', calendars: ['dr'] });
}

test('it lists what is on sale, with what is left, and the calendars', async () => {
    const page = await visitor();
    await page.goto('/');
    const card = page.getByRole('link', { name: 'Night at the opera' });
    await card.getByText('40 places left').waitFor();
    assert.equal(await card.getAttribute('href'), '/e/opera');
    await page.getByRole('link', { name: 'The last concert' }).getByText('Sold out').waitFor();
    await page.getByRole('link', { name: 'On sale next week' }).getByText(/^On sale from .* UTC/).waitFor();
    await page.getByRole('link', { name: 'Jazz in the cellar' }).getByText('120 places left').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Dr. Rivera' }).getAttribute('href'), '/c/dr');
    await page.getByText('€40.00').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Any doctor' }).getAttribute('href'), '/c/group/doctors');
    assert.equal(await page.getByRole('link', { name: 'The long night' }).getAttribute('href'), '/q/line', 'the waiting room comes first');
    assert.equal(await page.locator('main').getAttribute('aria-busy'), 'false');
    assert.equal(await page.getByText('This is the demo').count(), 0);
    assert.equal((await page.request.get('/demo/pictures/arena.svg')).status(), 404, 'nothing of the demo');
});

test('loading: a skeleton until the answer comes, and the page says that it is busy', async () => {
    const page = await visitor();
    let go;
    const held = new Promise((resolve) => (go = resolve));
    await page.route('**/v1/events*', async (route) => { await held; await route.continue(); });
    await page.goto('/');
    assert.equal(await page.locator('main').getAttribute('aria-busy'), 'true');
    await page.locator('.skeleton-page').waitFor();
    go();
    await page.locator('main[aria-busy=false]').waitFor();
});

test('error: what happened, and Try again', async () => {
    const page = await visitor();
    let broken = true;
    await page.route('**/v1/events*', (route) => (broken
        ? route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"broken","detail":"The book is closed."}' })
        : route.continue()));
    await page.goto('/');
    await page.getByRole('alert').getByText('The book is closed.').waitFor();
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Night at the opera' }).waitFor();
});

test('offline: a banner, which goes when the network is back', async () => {
    const page = await visitor();
    await page.goto('/');
    await page.getByRole('link', { name: 'Night at the opera' }).waitFor();
    await page.context().setOffline(true);
    await page.getByText('You\'re offline').waitFor();
    await page.context().setOffline(false);
    await page.getByText('You\'re offline').waitFor({ state: 'hidden' });
});

test('empty: nothing on sale yet, and the operator\'s next step', async (t) => {
    const server = await new Server().start();
    t.after(() => server.close());
    const page = await visitor({ origin: server.url });
    await page.goto('/');
    await page.getByRole('heading', { name: 'Nothing on sale yet' }).waitFor();
    await page.getByRole('link', { name: '/admin' }).waitFor();
    await axe(page);
    await screenshot(page, 'home-empty-desktop');
});

for (const device of ['phone', 'desktop']) {
    test(`axe-core finds nothing: ${device}, light and dark`, async () => {
        const page = await visitor({ device });
        await page.goto('/');
        await page.getByRole('link', { name: 'Night at the opera' }).waitFor();
        await looks(page, `home-${device}`);
        await page.goto('/nowhere');
        await page.getByRole('heading', { name: 'Page not found' }).waitFor();
        await looks(page, `error-${device}`, { shots: device === 'desktop' ? ['light'] : [] });
        await page.goto('/licenses');
        await page.getByText('lit-html 3').waitFor();
        await looks(page, 'licenses', { shots: [] });
    });
}

test('images of events come from --image-origin; others are not even asked for', async (t) => {
    const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    const from = 'https://img.example';
    const server = await new Server({ args: ['--image-origin', from] }).start();
    t.after(() => server.close());
    await makeEvent(server, { id: 'shown', name: 'Opera', image: `${from}/opera.png`, seats: 'A1' });
    await makeEvent(server, { id: 'not', name: 'Jazz', image: 'https://elsewhere.example/jazz.png', seats: 'A1' });
    const page = await visitor({ origin: server.url, also: from });
    await page.route(`${from}/**`, (route) => route.fulfill({ contentType: 'image/png', body: PIXEL }));
    for (const path of ['/', '/e/shown']) {
        await page.goto(path);
        const image = page.locator(`img[src="${from}/opera.png"]`);
        assert.equal(await image.evaluate((img) => img.decode().then(() => img.naturalWidth)), 1);
        assert.equal(await page.locator('main img').count(), 1);
    }
    await page.goto('/e/not');
    await page.getByRole('heading', { name: 'Jazz' }).waitFor();
    assert.equal(await page.locator('main img').count(), 0);
});

test('an image whose address is none hides nothing; a name without a space is no wider than a phone', async (t) => {
    const server = await new Server().start();
    t.after(() => server.close());
    await makeEvent(server, { id: 'odd', name: `<img src=x> ${'W'.repeat(180)}`, image: '/odd.png', seats: 'A1-A2' });
    const page = await visitor({ origin: server.url, device: 'phone' });
    await page.route(/\/v1\/events(\/odd)?(\?|$)/, async (route) => { /* no longer taken, but older servers took it */
        const response = await route.fetch();
        await route.fulfill({ response, body: (await response.text()).replace('"/odd.png"', '"https://["') });
    });
    for (const [address, found] of [['/', 'a[href="/e/odd"]'], ['/e/odd', '[data-seat=A1]']]) {
        await page.goto(address);
        await page.locator(found).waitFor();
        const wide = await tooWide(page);
        assert.ok(wide <= 0, `${address} is ${wide} px too wide`);
    }
});

test('an address without anything behind it leads back', async () => {
    const page = await visitor();
    const answer = await page.goto('/nowhere?x=1');
    assert.equal(answer.status(), 404);
    await page.getByRole('link', { name: 'See what\'s on' }).click();
    await page.getByRole('link', { name: 'Night at the opera' }).waitFor();
});
