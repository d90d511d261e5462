/* SPDX-License-Identifier: Apache-2.0 */
/* /docs: the API from /openapi.json, and docs/*.md beside it. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { browser } = require('./lib/browser.js');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { unique } = require('../conformance/lib/server.js');

const { hf, visitor, axe, tooWide, screenshot } = browser();
const names = fs.readdirSync(path.join(__dirname, '../../docs')).filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3));

const addressOf = (name) => (name === 'start' ? '/docs' : `/docs/${name}`);
const fits = async (page) => {
    const wide = await tooWide(page);
    assert.ok(wide <= 0, `${page.url()} is ${wide} px too wide`);
};

test('every document of docs/ is a page, is linked, and none of its links is dead', async () => {
    const text = new Map();
    for (const name of names) {
        const answer = await fetch(hf.url + addressOf(name));
        assert.equal(answer.status, 200, name);
        assert.match(answer.headers.get('content-security-policy'), /default-src 'none'/);
        text.set(addressOf(name), await answer.text());
        assert.doesNotMatch(text.get(addressOf(name)), /<th>\s*<\/th>/, `${name}: empty-table-header`);
    }
    const links = [...text].flatMap(([from, page]) => [...page.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => ({ from, href })));
    const linked = new Set();
    for (const { from, href } of links.filter((one) => !/^https:/.test(one.href))) {
        assert.match(href, /^[/#]/, `${from} links to ${href}`);
        const [path_, anchor] = href.split('#');
        const to = path_ || from;
        to === from || linked.add(to);
        if (!text.has(to)) {
            text.set(to, (await fetch(hf.url + to, { headers: { Accept: 'text/html' } })).status === 200 ? '' : null);
        }
        assert.notEqual(text.get(to), null, `${from} links to ${href}`);
        assert.ok(!anchor || text.get(to).includes(`id="${anchor}"`), `${from} links to ${href}`);
    }
    assert.deepEqual(names.filter((name) => !linked.has(addressOf(name))), []);
    assert.ok(links.some(({ href }) => href === '/docs/operations#pages-of-other-origins'));
});

test('the first page is getting started, without a script; the guides are listed by task; the reference is one link away', async () => {
    for (const device of ['desktop', 'phone']) {
        const page = await visitor({ device, javaScriptEnabled: false });
        await page.goto('/docs');
        await page.getByRole('heading', { level: 1, name: 'Getting started' }).waitFor();
        const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts();
        assert.deepEqual(headings.slice(0, 3).map((one) => one.replace(/\W+$/, '')), ['With curl', 'In JavaScript', 'In Python']);
        const guides = await page.getByRole('list', { name: 'Guides' }).getByRole('listitem').allInnerTexts();
        assert.deepEqual(guides.filter((one) => ['Start', 'Build', 'Sell', 'Operate'].includes(one)), ['Start', 'Build', 'Sell', 'Operate']);
        assert.deepEqual(guides.slice(0, 3), ['Start', 'Getting started', 'Tutorial']);
        assert.equal(guides.length, names.length + 4);
        assert.equal(await page.locator('nav [aria-current=page]').innerText(), 'Getting started');
        await page.getByRole('navigation').getByRole('link', { name: 'API reference' }).click();
        await page.waitForURL('**/docs/reference');
    }
    const page = await visitor({ device: 'phone' });
    await page.goto('/docs');
    await fits(page);
    await axe(page);
});

test('a document that is not there is a page with a way back; no other page is served by its file\'s name', async () => {
    const page = await visitor();
    assert.equal((await page.goto('/docs/nothing')).status(), 404);
    await page.getByRole('link', { name: 'See what\'s on' }).waitFor();
    for (const at of ['/pages/home.html', '/pages/document.html', '/docs/api.md', '/docs/api.html']) {
        assert.equal((await fetch(hf.url + at)).status, 404, at);
    }
});

test('the reference has every call; words find one, and a link opens it', async () => {
    const page = await visitor();
    await page.goto('/docs/reference');
    const { paths } = (await hf.admin.get('/openapi.json')).json;
    const calls = Object.values(paths).filter((one) => !one['x-alias-of']).flatMap((one) => Object.keys(one).filter((key) => ['get', 'post', 'put', 'patch', 'delete'].includes(key)));
    await page.locator('.operation').first().waitFor();
    assert.equal(await page.locator('.operation').count(), calls.length);
    await page.getByLabel('Find a call').fill('offer_expired /accept');
    await page.getByText('1 call', { exact: true }).waitFor();
    await page.locator('summary').click();
    await page.locator('.answers').getByText('offer_expired').waitFor();
    await page.getByLabel('Find a call').fill('nothing like that');
    await page.getByText('Nothing matches all of these words').waitFor();
    await page.goto('/docs/reference#putFleet');
    await page.locator('#putFleet[open]').getByText('weights.eta').waitFor();
});

const trial = (page, id) => page.locator(`#${id} form.try`);

test('a call is tried from the page: without a key, with one, and as a guest', async () => {
    const event = await makeEvent(hf, { id: unique('show'), seats: [{ id: 'A1', price: 2500 }] });
    const page = await visitor();
    await page.goto('/docs/reference#getEvent');
    const form = trial(page, 'getEvent');
    await form.getByLabel('event').fill(event);
    await form.getByText('As a curl command').click();
    await form.getByText(`curl '${hf.url}/v1/events/${event}'`).waitFor();
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('[data-answer="200"]').getByText(`"id": "${event}"`).waitFor();

    await page.goto('/docs/reference#listKeys');
    const keys = trial(page, 'listKeys');
    await keys.getByRole('button', { name: 'Send' }).click();
    await keys.locator('[data-answer="401"]').getByText('"unauthenticated"').waitFor();
    await page.getByLabel('Your key or token').fill(hf.adminKey);
    await keys.getByText('with your key or token').waitFor();
    await keys.getByRole('button', { name: 'Send' }).click();
    await keys.locator('[data-answer="200"]').getByText('"role": "app"').waitFor();
    await keys.getByText('As a curl command').click();
    assert.ok(!(await keys.innerText()).includes(hf.adminKey), 'the key is not shown');

    await page.goto('/docs/reference#createReservation');
    await page.getByRole('button', { name: 'Get a guest token' }).click();
    await page.getByText('You now have a guest token').waitFor();
    const hold = trial(page, 'createReservation');
    await hold.getByLabel('Body').fill(JSON.stringify({ resource_id: `${event}/A1` }));
    await hold.getByRole('button', { name: 'Send' }).click();
    await hold.locator('[data-answer="201"]').getByText('"status": "held"').waitFor();
    await hold.getByText('Response headers').click();
    await hold.getByText(/^location: /m).waitFor();
});

test('a stream is shown as it comes, until it is stopped', async () => {
    const event = await makeEvent(hf, { id: unique('show'), seats: [{ id: 'A1', price: 2500 }] });
    const page = await visitor();
    await page.goto('/docs/reference#streamEvent');
    const form = trial(page, 'streamEvent');
    await form.getByLabel('event', { exact: false }).first().fill(event);
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('[data-answer="200"]').getByText('event: reset').waitFor();
    await form.getByRole('button', { name: 'Stop' }).click();
    await form.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
});

test('loading: a skeleton, and the page says that it is busy; the guides are there already', async () => {
    const page = await visitor();
    let go;
    const held = new Promise((resolve) => (go = resolve));
    await page.route('**/openapi.json', async (route) => { await held; await route.continue(); });
    await page.goto('/docs/reference');
    await page.locator('main[aria-busy=true] .skeleton-page').waitFor();
    await page.getByRole('link', { name: 'Payments' }).waitFor();
    go();
    await page.locator('main[aria-busy=false] .operation').first().waitFor();
});

test('error: what happened, and Try again; closed: the admin key opens it', async () => {
    const page = await visitor();
    let answer = { status: 500, contentType: 'application/problem+json', body: '{"code":"broken","detail":"The book is closed."}' };
    await page.route('**/openapi.json', (route) => (answer && (answer.status !== 401 || route.request().headers().authorization !== `Bearer ${hf.adminKey}`)
        ? route.fulfill(answer) : route.continue()));
    await page.goto('/docs/reference');
    await page.getByRole('alert').getByText('The book is closed.').waitFor();
    answer = { status: 401, contentType: 'application/problem+json', body: '{"code":"unauthenticated","detail":"Unknown key."}' };
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Admin key').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Unknown key.').waitFor();
    await page.getByLabel('Admin key').fill(hf.adminKey);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.locator('.operation').first().waitFor();
});

for (const [device, scheme] of ['phone', 'desktop'].flatMap((d) => [[d, 'light'], [d, 'dark']])) {
    test(`axe-core finds nothing: ${device}, ${scheme}`, async () => {
        const page = await visitor({ device, scheme });
        await page.goto('/docs/reference#createRide');
        await page.locator('.operation[open] .answers').waitFor();
        await fits(page);
        await screenshot(page, `docs-${device}-${scheme}`);
        await page.getByLabel('Find a call').fill('fleets rides'); /* few enough to be looked at in a moment */
        await page.locator('#listEvents').waitFor({ state: 'detached' });
        await trial(page, 'createRide').getByRole('button', { name: 'Send' }).click();
        await page.locator('[data-answer="401"]').waitFor();
        await axe(page);
        await page.goto('/docs/dispatch');
        await axe(page);
        await fits(page);
        await screenshot(page, `document-${device}-${scheme}`);
    });
}
