/* SPDX-License-Identifier: Apache-2.0 */
/* The waiting room: from joining to the map, through a reload, a sleep and a lost network, and the draw checked. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { unique } = require('../conformance/lib/server.js');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { makeRoom, queue, join } = require('../conformance/lib/entries.js');
const { iso } = require('../conformance/lib/calendars.js');
const { browser } = require('./lib/browser.js');

const { hf, visitor, axe, looks, screenshot } = browser();
const HALL = Array.from({ length: 24 }, (_, i) => ({ id: `A${i + 1}`, section: 'A', row: String(1 + Math.floor(i / 12)), number: String(1 + i % 12), price: 0 }));
const MINUTE = 60_000;

const room = (settings = {}, event = {}) => makeRoom(hf, { id: unique('line'), name: 'The long night', venue: 'City hall',
    starts_at: iso(hf.now() + 40 * 24 * 60 * MINUTE), seats: HALL, room: settings, ...event });
const pace = (event, change) => hf.admin.patch(queue(event), change);
/* So many people who joined before. */
const crowd = (event, n) => Promise.all(Array.from({ length: n }, (_, i) => join(hf.user(`w${i}`), event)));
const status = (page, name) => page.locator(`[data-status=${name}]`).first().waitFor();
const position = async (page) => Number(await page.locator('[data-position]').getAttribute('data-position'));

async function waiting(event, options) {
    const page = await visitor(options);
    await options?.before?.(page);
    await page.goto(`/q/${event}`);
    await status(page, 'waiting');
    return page;
}

test('from joining to the map: the place, who is ahead, how long, and then a seat', async () => {
    const event = await room({ rate_per_second: 1, max_active: 3 });
    await pace(event, { paused: true });
    await crowd(event, 7);
    const page = await waiting(event);
    assert.equal(await position(page), 8);
    assert.equal(await page.locator('[data-ahead]').getAttribute('data-ahead'), '7');
    await page.getByText('Paused by the organiser').waitFor();
    await page.getByText('Your number is 8.').waitFor();
    await page.getByText('Keep this page open').waitFor();
    await page.getByText('How the order is decided').click();
    await page.getByText('First come, first served').waitFor();
    await page.evaluate(() => addEventListener('admitted', (e) => sessionStorage.setItem('told', e.detail.status)));
    await pace(event, { paused: false, rate_per_second: 1000, max_active: 0 });
    await page.waitForURL(`**/e/${event}`);
    assert.equal(await page.evaluate(() => sessionStorage.getItem('told')), 'admitted');
    await page.getByText('It is your turn').waitFor();
    const left = Number(await page.locator('[data-pass]').getAttribute('data-pass'));
    assert.ok(left > 880 && left <= 901, `${left} s`);
    await page.locator('[data-pass]').getByText(/1[45]:\d\d/).waitFor();
    await page.locator('[data-seat=A5]').click();
    await page.locator('[data-seat=A5][data-status=mine]').waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL('**/o/*');
    await page.goto(`/e/${event}`);
    await page.getByRole('link', { name: 'Go to the waiting room' }).waitFor(); /* whoever has bought joins again */
});

test('an estimate, the number that is served, and progress as people are let in', async () => {
    const event = await room({ rate_per_second: 1, by_inventory: false });
    await pace(event, { paused: true });
    await crowd(event, 400);
    const page = await waiting(event);
    await pace(event, { paused: false });
    await page.getByText(/^Estimated wait: \d minutes/).waitFor();
    await page.getByText(/^Your number is 401, now serving \d+\./).waitFor();
    const bar = page.getByRole('progressbar');
    const before = await bar.evaluate((one) => one.value);
    await pace(event, { rate_per_second: 40 });
    await page.waitForFunction((value) => document.querySelector('holdfast-queue').shadowRoot.querySelector('progress').value > value + 5, before);
    assert.equal(await position(page), 401, 'the place itself never changes');
});

test('a reload keeps the place, and the entry is asked about only as often as the server said', async () => {
    const event = await room({ open_at: iso(hf.now() + 60 * MINUTE) });
    await crowd(event, 3);
    const page = await waiting(event);
    assert.equal(await position(page), 4);
    const asked = { own: 0, all: 0, named: false, told: null };
    page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (pathname === queue(event) && request.method() === 'GET') {
            asked.all++;
            asked.named ||= request.headers().authorization !== undefined;
        } else if (pathname.startsWith(`${queue(event)}/`)) {
            asked.own++;
        }
    });
    const own = page.waitForResponse((response) => new URL(response.url()).pathname.startsWith(`${queue(event)}/`));
    await page.reload();
    asked.told = (await (await own).json()).poll_after_seconds;
    await status(page, 'waiting');
    assert.equal(await position(page), 4);
    await page.waitForResponse((response) => new URL(response.url()).pathname === queue(event) && asked.all >= 4);
    assert.ok(asked.told >= 20, `poll_after_seconds ${asked.told}`);
    assert.ok(!asked.named, 'the public number is the same for everybody');
    assert.equal(asked.own, 1, 'four seconds, one question about the own entry');
    const woken = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith(`${queue(event)}/`), { timeout: 8_000 });
    await page.evaluate(() => { /* the machine slept for an hour */
        const { now } = Date;
        Date.now = () => now() + 3600_000;
    });
    await woken;
    await pace(event, { open_at: null });
    await page.waitForURL(`**/e/${event}`, { timeout: 8_000 }); /* at once, not when the next question is due */
});

test('a machine that slept through its turn comes back and is let in first', async () => {
    const event = await room({ rate_per_second: 1, max_active: 1 });
    const [first] = await crowd(event, 1);
    const page = await waiting(event);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Page.setWebLifecycleState', { state: 'frozen' });
    hf.clock.advance(5 * MINUTE);
    await hf.user('w0').delete(queue(event, `/${first.entry_id}`));
    hf.clock.advance(2_000);
    const passed = async () => (await hf.admin.get(queue(event))).json.passed_over;
    while (await passed() !== 1) { /* its turn comes within a moment */ }
    await cdp.send('Page.setWebLifecycleState', { state: 'active' });
    await page.waitForURL(`**/e/${event}`);
    await page.locator('[data-seat=A1]').click();
    await page.locator('[data-seat=A1][data-status=mine]').waitFor();
});

test('offline: the place stays on the page, and waiting goes on afterwards', async () => {
    const event = await room({ open_at: iso(hf.now() + 10 * MINUTE) });
    const page = await waiting(event);
    await page.context().setOffline(true);
    await page.getByText('You\'re offline').waitFor();
    assert.equal(await position(page), 1);
    await pace(event, { open_at: null });
    await page.context().setOffline(false);
    await page.waitForURL(`**/e/${event}`);
});

test('leaving says what it means, and joining again starts at the end', async () => {
    const event = await room({ open_at: iso(hf.now() + 60 * MINUTE) });
    const page = await waiting(event);
    await crowd(event, 2);
    await page.getByRole('button', { name: 'Leave the line' }).click();
    await page.getByText('If you join again, you start at the end of the line.').waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Leave the line' }).click();
    await page.getByRole('button', { name: 'Leave and give up my place' }).click();
    await status(page, 'left');
    await page.reload();
    await status(page, 'left');
    await axe(page);
    await page.getByRole('button', { name: 'Join again' }).click();
    await status(page, 'waiting');
    assert.equal(await position(page), 4);
});

test('a draw: no place before it, the fingerprint is remembered, and the browser checks it', async () => {
    const event = await room({ open_at: iso(hf.now() + 10 * MINUTE), shuffle_before_open: true });
    await pace(event, { paused: true });
    await crowd(event, 5);
    const page = await waiting(event);
    assert.equal(await page.locator('[data-position]').count(), 0);
    await page.getByText('Your number for the draw').waitFor();
    await page.getByText('How to check the draw').click();
    await page.locator('.draw code').nth(1).getByText(/^[0-9a-f]{64}$/).waitFor();
    await axe(page);
    hf.clock.advance(10 * MINUTE);
    await page.locator('[data-position]').waitFor();
    assert.ok(await position(page) <= 6);
    await page.getByRole('button', { name: 'Check it in this browser' }).click();
    await page.getByText('The draw is correct').waitFor();
    await axe(page);
    await screenshot(page, 'queue-draw-checked-desktop');
    await pace(event, { paused: false });
    await page.waitForURL(`**/e/${event}`);
});

test('a draw that was tampered with is found out', async () => {
    const event = await room({ open_at: iso(hf.now() + 10 * MINUTE), shuffle_before_open: true });
    await pace(event, { paused: true });
    await crowd(event, 5);
    const page = await waiting(event, { before: (one) => one.route(`**${queue(event)}`, async (route) => {
        if (route.request().method() !== 'GET') {
            return route.continue();
        }
        const answer = await route.fetch();
        const body = await answer.json();
        const commitment = body.draw.seed ? body.draw.commitment : '11'.repeat(32); /* another one than was promised */
        return route.fulfill({ response: answer, json: { ...body, draw: { ...body.draw, commitment } } });
    }) });
    await page.getByText('How to check the draw').click();
    hf.clock.advance(10 * MINUTE);
    await page.getByRole('button', { name: 'Check it in this browser' }).click();
    await page.getByText('The draw does not match').waitFor();
});

test('loading: a skeleton while it joins', async () => {
    const event = await room({ open_at: iso(hf.now() + 60 * MINUTE) });
    const page = await visitor();
    let go;
    const held = new Promise((resolve) => (go = resolve));
    await page.route(`**${queue(event)}`, async (route) => { await held; await route.continue(); });
    await page.goto(`/q/${event}`);
    await page.locator('[data-status=joining][aria-busy=true] .skeleton').first().waitFor();
    go();
    await status(page, 'waiting');
});

test('error: what happened, and Try again', async () => {
    const event = await room({ open_at: iso(hf.now() + 60 * MINUTE) });
    const page = await visitor();
    let broken = true;
    await page.route(`**${queue(event)}`, (route) => (broken
        ? route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"broken","detail":"The book is closed."}' })
        : route.continue()));
    await page.goto(`/q/${event}`);
    await page.getByRole('alert').getByText('The book is closed.').waitFor();
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await status(page, 'waiting');
});

test('a sale for codes asks for one before it lets anybody into line', async () => {
    const event = await room({ open_at: iso(hf.now() + 60 * MINUTE) }, { access: 'code' });
    await hf.admin.post(`/v1/events/${event}/codes`, [{ code: 'FRIENDS24' }]);
    const page = await visitor();
    await page.goto(`/q/${event}`);
    await page.getByLabel('Code').fill('WRONG1234');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Code').fill('FRIENDS24');
    await page.getByRole('button', { name: 'Join' }).click();
    await status(page, 'waiting');
});

test('ended: no waiting room, sale over, guests refused, no such event', async () => {
    const page = await visitor();
    const open = await makeEvent(hf, { id: unique('open'), seats: HALL });
    await page.goto(`/q/${open}`);
    await page.getByRole('link', { name: 'Choose places' }).click();
    await page.locator('[data-seat=A1]').waitFor();
    const over = await room({}, { starts_at: iso(hf.now() - MINUTE) });
    await page.goto(`/q/${over}`);
    await page.getByText('Sales have ended').waitFor();
    const closed = await room({}, { guests: false });
    await page.goto(`/q/${closed}`);
    await page.getByText('You cannot join this line').waitFor();
    assert.equal((await page.goto('/q/nowhere')).status(), 404);
    await page.getByRole('link', { name: 'See what\'s on' }).waitFor();
});

test('a room that is turned off while people wait lets them through', async () => {
    const event = await room({ open_at: iso(hf.now() + 60 * MINUTE) });
    const page = await waiting(event);
    const { counts, created_at, ...body } = (await hf.admin.get(`/v1/events/${event}`)).json;
    const answer = await hf.admin.put(`/v1/events/${event}`, { ...body, waiting_room: null });
    assert.equal(answer.status, 200, answer.text);
    await page.waitForURL(`**/e/${event}`);
});

test('the map without a pass, and with one that is over, leads to the waiting room', async () => {
    const event = await room({ rate_per_second: 1000, pass_ttl_seconds: 60 });
    const page = await visitor();
    await page.goto(`/e/${event}`);
    await page.getByRole('link', { name: 'Go to the waiting room' }).click();
    await page.waitForURL(`**/e/${event}`);
    await page.locator('[data-seat=A1]').waitFor();
    hf.clock.advance(61_000);
    await page.reload();
    await page.getByText('Your turn is over').waitFor();
    await page.locator('[data-seat=A1]').click();
    await page.getByText('Your turn is over.').waitFor();
    assert.equal(await page.evaluate((key) => sessionStorage.getItem(key), `holdfast:pass:${event}`), null);
    await page.getByRole('link', { name: 'Go to the waiting room' }).first().click();
    await status(page, 'finished');
    await page.getByRole('button', { name: 'Join again' }).click();
    await page.waitForURL(`**/e/${event}`);
});

for (const device of ['phone', 'desktop']) {
    test(`axe-core finds nothing: ${device}, light and dark`, async () => {
        const event = await room({ rate_per_second: 2, max_active: 1000 });
        await pace(event, { paused: true });
        await crowd(event, 600);
        const page = await waiting(event, { device });
        await pace(event, { paused: false });
        await page.getByText(/^Estimated wait:/).waitFor();
        await looks(page, `queue-${device}`);
    });
}
