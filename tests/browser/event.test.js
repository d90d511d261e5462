/* SPDX-License-Identifier: Apache-2.0 */
/* The page of an event: every click is a real hold, what others do shows at once, what is refused is explained. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent, hold, items, seatStatus } = require('../conformance/lib/catalogue.js');
const { unique } = require('../conformance/lib/server.js');
const { midnight, iso } = require('../conformance/lib/calendars.js');
const { browser } = require('./lib/browser.js');

const { hf, visitor, axe, looks, screenshot } = browser();

/* Two sections of three rows by eight, gold before silver. */
const HALL = ['A', 'B'].flatMap((section, s) => Array.from({ length: 24 }, (_, i) => ({
    id: `${section}${i + 1}`, section, row: String(1 + Math.floor(i / 8)), number: String(1 + (i % 8)),
    x: s * 11 + (i % 8), y: Math.floor(i / 8), tier: s ? 'silver' : 'gold', price: s ? 8000 : 12000,
    accessible: section === 'B' && i === 0,
})));
const show = (settings = {}) => makeEvent(hf, { name: 'The magic flute', venue: 'The old theatre', seats: HALL, payment: 'required',
    starts_at: iso(midnight(hf, 50) + 18.5 * 3600_000), id: unique('show'), ...settings });

async function open(event, options) {
    const page = await visitor(options);
    await page.goto(`/e/${event}`);
    await page.locator('holdfast-seats .plan').first().waitFor();
    return page;
}
const seat = (page, id) => page.locator(`[data-seat="${id}"]`);
const becomes = (page, id, status) => page.locator(`[data-seat="${id}"][data-status="${status}"]`).waitFor();
const inBasket = (page, n) => page.locator(`[data-basket="${n}"]`).waitFor();

test('the first click holds, the second adds to the same hold, a click on what is mine gives it back', async () => {
    const event = await show();
    const page = await open(event);
    await seat(page, 'A3').click();
    await becomes(page, 'A3', 'mine');
    assert.equal(await seatStatus(hf, event, 'A3'), 'held');
    await seat(page, 'A4').click();
    await becomes(page, 'A4', 'mine');
    await inBasket(page, 2);
    await page.locator('.total').getByText('€240.00').waitFor();
    const { json } = await hf.admin.get(`/v1/events/${event}`);
    assert.equal(json.counts.held, 2);
    await seat(page, 'A3').click();
    await becomes(page, 'A3', 'available');
    await inBasket(page, 1);
    assert.equal(await seatStatus(hf, event, 'A3'), 'available');
    await page.getByRole('button', { name: 'Give back Section A, row 1, seat 4' }).click();
    await inBasket(page, 0);
    assert.equal(await seatStatus(hf, event, 'A4'), 'available');
});

test('two browsers: what one holds is taken in the other within a second, and free again when it lapses', async () => {
    const event = await show();
    const [ann, bob] = await Promise.all([open(event), open(event)]);
    await bob.locator('[data-section=A][data-left="24"]').waitFor();
    await seat(ann, 'A5').click();
    await becomes(ann, 'A5', 'mine');
    const began = Date.now();
    await becomes(bob, 'A5', 'held');
    assert.ok(Date.now() - began < 1_000);
    await bob.locator('[data-section=A][data-left="23"]').waitFor();
    assert.equal(await seat(bob, 'A5').getAttribute('aria-disabled'), 'true');
    hf.clock.advance(700_000);
    await becomes(bob, 'A5', 'available');
    await ann.getByText('Your hold has ended').waitFor();
    await becomes(ann, 'A5', 'available');
    await ann.getByRole('button', { name: 'Start again' }).click();
    await ann.getByText('Nothing chosen yet').waitFor();
});

test('a seat lost in the race is explained, and the nearest free one of its kind is offered', async () => {
    const event = await show();
    const page = await open(event);
    await page.route('**/stream', () => {}); /* this browser hears nothing */
    await page.reload();
    await becomes(page, 'A4', 'available');
    await hold(hf.acting('eve'), items(event, 'A4 A5'));
    await seat(page, 'A4').click();
    await page.getByText('Section A, row 1, seat 4 was just taken by someone else.').waitFor();
    await becomes(page, 'A4', 'held');
    await page.getByRole('button', { name: 'Take Section A, row 1, seat 3' }).click();
    await becomes(page, 'A3', 'mine');
});

test('best available: a number of seats, together, of a price; accessible places only when asked for', async () => {
    const event = await show();
    const page = await open(event);
    await page.getByRole('group', { name: 'How many' }).getByRole('button', { name: 'One more' }).click();
    await page.locator('select[name=tier]').selectOption('silver');
    await page.getByRole('button', { name: 'Best available' }).click();
    await inBasket(page, 3);
    const got = await page.locator('[data-status=mine]').evaluateAll((all) => all.map((one) => one.dataset.seat).sort());
    assert.equal(got.length, 3);
    assert.ok(got.every((id) => id.startsWith('B')) && !got.includes('B1'), got.join());
    const numbers = got.map((id) => Number(id.slice(1)));
    assert.equal(Math.max(...numbers) - Math.min(...numbers), 2, got.join());
    await page.getByRole('group', { name: 'Accessible seats' }).getByRole('button', { name: 'One more' }).click();
    for (let i = 0; i < 2; i++) {
        await page.getByRole('group', { name: 'How many' }).getByRole('button', { name: 'One fewer' }).click();
    }
    await page.getByRole('button', { name: 'Best available' }).click();
    await becomes(page, 'B1', 'mine');
});

test('pools: more units, fewer units; what is left follows', async () => {
    const event = await show({ pools: { floor: { capacity: 40, price: 2500, name: 'Standing room' } } });
    const [page, other] = await Promise.all([open(event), open(event)]);
    await page.getByRole('group', { name: 'Standing room' }).getByRole('button', { name: 'One more' }).click();
    await page.getByRole('button', { name: 'Add 2 × Standing room' }).click();
    await inBasket(page, 1);
    await other.locator('[data-available="38"]').waitFor();
    await page.getByRole('button', { name: 'Add 2 × Standing room' }).click();
    await other.locator('[data-available="36"]').waitFor();
    await inBasket(page, 1);
    await page.getByRole('group', { name: 'How many of Standing room' }).getByRole('button', { name: 'One fewer' }).click();
    await other.locator('[data-available="37"]').waitFor();
    await page.locator('.total').getByText('€75.00').waitFor();
});

test('categories: the price follows the ticket type, on the map and in the basket', async () => {
    const event = await show({ categories: ['adult', 'child'], prices: { gold: { adult: 12000, child: 6000 }, silver: { adult: 8000, child: 4000 } } });
    const page = await open(event);
    assert.equal(await seat(page, 'A1').getAttribute('aria-label'), 'Section A, row 1, seat 1, gold, €120.00, available');
    await page.getByRole('radio', { name: 'child' }).check();
    await page.locator('[data-seat=A1][aria-label="Section A, row 1, seat 1, gold, €60.00, available"]').waitFor();
    await seat(page, 'A1').click();
    await page.locator('.total').getByText('€60.00').waitFor();
    await page.locator('holdfast-basket select').selectOption('adult');
    await page.locator('.total').getByText('€120.00').waitFor();
});

test('a sale by code: asked for, refused when wrong, and then it works', async () => {
    const event = await show({ access: 'code' });
    assert.equal((await hf.admin.post(`/v1/events/${event}/codes`, [{ code: 'FRIENDS' }])).status, 201);
    const page = await open(event);
    await page.getByRole('heading', { name: 'You need a code to buy' }).waitFor();
    await page.getByLabel('Code').fill('WRONG');
    await page.getByRole('button', { name: 'Use code' }).click();
    await seat(page, 'A1').click();
    await page.getByText('That didn\'t work').waitFor();
    await page.getByLabel('Code').fill('FRIENDS');
    await page.getByRole('button', { name: 'Use code' }).click();
    await seat(page, 'A1').click();
    await becomes(page, 'A1', 'mine');
});

test('the limit per person is said with its number', async () => {
    const event = await show({ per_user_limit: 1 });
    const page = await open(event);
    await seat(page, 'A1').click();
    await becomes(page, 'A1', 'mine');
    await seat(page, 'A2').click();
    await page.getByText('At most 1 per person. You have 1.').waitFor();
    assert.equal(await seat(page, 'A2').getAttribute('data-status'), 'available');
});

test('no such event is a page with a way back', async () => {
    const page = await visitor();
    assert.equal((await page.goto('/e/nothing-there')).status(), 404);
    await page.getByRole('heading', { name: 'No such event' }).waitFor();
    await page.getByRole('link', { name: 'See what\'s on' }).waitFor();
});

test('ended: sold out, sale over, not yet; each in words', async () => {
    const full = await show({ seats: HALL.slice(0, 2) });
    await hold(hf.acting('ann'), items(full, 'A1-A2'), { commit: true });
    const page = await open(full);
    await page.getByText('Every place is held or sold.').waitFor();
    await becomes(page, 'A1', 'sold');
    await page.goto(`/e/${await show({ on_sale_at: iso(midnight(hf, 9)), timezone: 'America/New_York' })}`);
    await page.getByText(/Sales start .* Eastern Time/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Best available' }).count(), 0);
    await page.goto(`/e/${await show({ on_sale_at: iso(hf.now() - 7200_000), off_sale_at: iso(hf.now() - 3600_000) })}`);
    await page.getByText('Sales have ended').waitFor();
    await page.goto(`/e/${await makeEvent(hf, { name: 'Bare', id: unique('bare') })}`);
    await page.getByText('No places yet').waitFor();
});

test('cancelled while it is open: the reason, and no seats to choose', async () => {
    const event = await show();
    const page = await open(event);
    await seat(page, 'A1').click();
    await becomes(page, 'A1', 'mine');
    assert.equal((await hf.admin.post(`/v1/events/${event}/cancel`, { reason: 'The hall is flooded.' })).status, 202);
    for (const again of [false, true]) {
        again && await page.reload();
        await page.getByText('“The hall is flooded.”').waitFor();
        assert.equal(await page.locator('[data-seat]').count(), 0);
        assert.equal(await page.getByRole('button', { name: 'Best available' }).count(), 0);
    }
    await page.locator('holdfast-basket').waitFor({ state: 'hidden' });
    await looks(page, 'event-cancelled', { shots: [] });
});

test('a map that is taken out of the page while it loads follows nothing', async () => {
    const event = await show();
    const page = await visitor();
    const streams = [];
    page.on('request', (request) => request.url().includes('/stream') && streams.push(request.url()));
    let go;
    const held = new Promise((resolve) => (go = resolve));
    await page.route('**/availability*', (route) => held.then(() => route.continue()));
    await page.goto(`/e/${event}`);
    await page.locator('holdfast-seats [aria-busy=true]').waitFor();
    const other = await show();
    await page.evaluate((id) => {
        const map = document.querySelector('holdfast-seats');
        map.replaceWith(Object.assign(document.createElement('div'), { className: 'place' }));
        window.put = () => {
            const next = document.createElement('holdfast-seats');
            next.setAttribute('event', id);
            document.querySelector('.place').append(next);
        };
    }, other);
    const loaded = page.waitForResponse((response) => response.url().includes(`/${event}/pools`));
    go();
    await loaded;
    await page.evaluate(() => window.put());
    await becomes(page, 'A1', 'available');
    assert.deepEqual(streams.filter((url) => url.includes(`/${event}/`)), []);
});

/* A route whose answers wait: `go()` lets them through. */
async function gate(page, url) {
    let go;
    const held = new Promise((resolve) => (go = resolve));
    await page.route(url, (route) => held.then(() => route.continue()));
    return go;
}

test('an answer that is overtaken by a later one does not count', async () => {
    const [slow, fast] = [await show(), await show({ seats: [{ id: 'Z1' }] })];
    const page = await visitor();
    const go = await gate(page, `**/${slow}/availability*`);
    await page.goto(`/e/${slow}`);
    await page.locator('holdfast-seats [aria-busy=true]').waitFor();
    await page.locator('holdfast-seats').evaluate((map, id) => map.setAttribute('event', id), fast);
    await becomes(page, 'Z1', 'available');
    const last = page.waitForResponse((response) => response.url().includes(`/${slow}/pools`));
    go();
    await (await last).finished();
    await hold(hf.acting('ann'), items(fast, 'Z1'));
    await becomes(page, 'Z1', 'held');
    assert.equal(await seat(page, 'A1').count(), 0);
});

test('a stream that begins anew: what changes while the page asks how everything stands is not lost', async () => {
    const event = await show();
    const page = await visitor();
    let asked = 0;
    let answer;
    await page.route('**/availability*', async (route) => {
        if (++asked === 2) { /* an answer of now that comes later */
            answer = await route.fetch();
            await hold(hf.acting('bob'), items(event, 'A2'));
            await new Promise((resolve) => (answer.go = resolve));
            await route.fulfill({ response: answer });
            return;
        }
        await route.continue();
    });
    await page.route('**/stream', (route) => route.continue({ headers: { ...route.request().headers(), ...(asked < 2 ? { 'last-event-id': '999999' } : {}) } }));
    await page.goto(`/e/${event}`);
    await hf.eventually(async () => answer?.go, Boolean, 'the answer waits');
    answer.go();
    await becomes(page, 'A2', 'held');
});

test('an open page notices the end of the sale without a reload', async () => {
    const event = await show({ off_sale_at: iso(hf.now() + 90_000) });
    const page = await visitor();
    await page.clock.install();
    await page.goto(`/e/${event}`);
    await becomes(page, 'A1', 'available');
    await page.getByRole('button', { name: 'Best available' }).waitFor();
    await page.clock.fastForward(91_000);
    await page.getByText('Sales have ended').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Best available' }).count(), 0);
});

test('loading and error: a skeleton, then what happened and Try again', async () => {
    const event = await show();
    const page = await visitor();
    let go;
    const held = new Promise((resolve) => (go = resolve));
    let broken = true;
    await page.route('**/availability*', async (route) => {
        await held;
        await (broken ? route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"broken","detail":"The book is closed."}' })
            : route.continue());
    });
    await page.goto(`/e/${event}`);
    await page.locator('holdfast-seats [aria-busy=true] .skeleton').first().waitFor();
    go();
    await page.getByText('The book is closed.').waitFor();
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await becomes(page, 'A1', 'available');
});

for (const device of ['phone', 'desktop']) {
    test(`axe-core finds nothing, and nothing is too wide: ${device}, light and dark`, async () => {
        const event = await show({ categories: ['adult', 'child'], prices: { gold: { adult: 12000, child: 6000 } },
            description: 'Two hours with an interval. Doors open an hour before.', pools: { floor: { capacity: 40, price: 2500, name: 'Standing room' } } });
        await hold(hf.acting('ann'), items(event, 'A1 A2 A7 A20 B9 B10'), { commit: true });
        await hold(hf.acting('ann'), items(event, 'A11 A12 B20'));
        await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A24'], blocked: true });
        const page = await open(event, { device });
        await axe(page, 'before anything is chosen');
        await seat(page, 'A13').click();
        await seat(page, 'A14').click();
        await inBasket(page, 2);
        await page.mouse.move(5, 5);
        await page.evaluate(() => scrollTo(0, 0));
        await looks(page, `event-${device}`, { what: 'with a basket' });
        await page.locator('holdfast-basket').scrollIntoViewIfNeeded();
        device === 'phone' && await screenshot(page, `basket-${device}-light`);
    });
}
