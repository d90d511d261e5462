/* SPDX-License-Identifier: Apache-2.0 */
/* Every view of /admin with something in it, on a phone and a desktop, in light and dark: axe-core, nothing cut off, screenshots. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { Receiver, SECRET } = require('../conformance/lib/receiver.js');
const { browser } = require('./lib/browser.js');
const { signedIn } = require('./lib/admin.js');

const SEATS = ['A', 'B', 'C', 'D', 'E', 'F'].flatMap((row, y) => Array.from({ length: 8 }, (_, i) => (
    { id: `${row}${i + 1}`, section: 'Stalls', row, number: String(i + 1), x: i + (y % 2) / 2, y, tier: y < 2 ? 'gold' : 'blue', price: y < 2 ? 9000 : 6000 })));
const about = {};
const { hf, visitor, axe, tooWide, screenshot, COLOURS } = browser({ args: ['--hooks-private', 'on'], prepare });

async function hold(user, ...seats) {
    const { json, status, text } = await hf.app.post('/v1/reservations', { user_id: user, items: seats.map((seat) => ({ event: 'winter', seat })) });
    assert.equal(status, 201, text);
    return json.reservation_id;
}
const on = (id, what, body = {}) => hf.app.post(`/v1/reservations/${id}/${what}`, body);

/* A day of a box office: sales, holds of all ages, a refund due, a hook that fails, a line. */
async function prepare() {
    const receiver = await new Receiver((response) => response.writeHead(503).end()).start();
    await makeEvent(hf, { id: 'winter', name: 'The winter concert', seats: SEATS, hold_ttl_seconds: 1200, max_hold_seconds: 1800 });
    await makeEvent(hf, { id: 'premiere', name: 'Premiere', seats: SEATS, waiting_room: { rate_per_second: 1, max_active: 1 } });
    await hf.admin.post('/v1/events/winter/codes', [{ code: 'FRIENDS', units: 40, tiers: ['gold'] }, { code: 'PRESS', units: 0 }]);
    await hf.admin.put('/v1/hooks/shop', { url: receiver.url, events: ['reservation.released'], secret: SECRET });
    const owed = await hold('bob@example.org', 'C1', 'C2');
    await on(owed, 'release');
    await on(owed, 'commit', { payment_ref: 'pi_3NkVQ2eZ' });
    await receiver.count(1);
    hf.clock.advance(86_401_000);
    await hf.eventually(() => hf.admin.get('/v1/hooks/shop/messages'), ({ json }) => json.data.length, 'it is dead');
    await receiver.close();
    about.sold = await hold('ann@example.org', 'A7', 'A8');
    await on(about.sold, 'payment', {});
    await on(about.sold, 'commit', { payment_ref: 'pi_3NkVQ7aB' });
    for (const [user, wait, ...seats] of [['carol', 200_000, 'B3', 'B4'], ['dora', 300_000, 'D7'], ['erin', 150_000, 'E1', 'E2', 'E3'], ['finn', 0, 'F5', 'F6']]) {
        await hold(user, ...seats);
        hf.clock.advance(wait);
    }
    for (let i = 0; i < 4; i++) {
        assert.equal((await hf.app.post('/v1/reservations', { user_id: 'gus', items: [{ event: 'winter', seat: 'A7' }] })).status, 409);
        await hf.user(`waits${i}`).post('/v1/events/premiere/queue', {});
    }
    hf.clock.advance(61_000); /* counts of refusals are written */
    await hf.eventually(() => hf.admin.get('/v1/reports/funnel?event=winter'), ({ json }) => json.data.some(({ refusals }) => refusals.length), 'refusals are in the book');
}

const VIEWS = [
    ['live', '[data-plot=latency] canvas'], ['find', '[data-action=confirmed]', () => `find/${about.sold}`], ['rooms', '[data-room]', () => 'rooms/premiere'],
    ['refunds', '[data-refund]'], ['payments', '[data-payment]', () => 'payments/all'], ['hooks', '[data-message]'], ['funnel', '[data-bar=taken]', () => 'funnel/winter'], ['ages', '[data-mark="4"]', () => 'ages/winter'],
    ['orders', '[data-reservation]'], ['codes', '[data-code]', () => 'codes/winter'], ['keys', '[data-key]'], ['audit', '[data-audit]'],
    ['payment', '[data-figure=received]', () => 'payments/one/pi_3NkVQ7aB'], ['cancel', '[data-will]', () => 'events/cancel/winter'],
    ['health', '[data-health=memory]'],
];

for (const device of ['phone', 'desktop']) {
    test(`on a ${device}, in light and dark: axe-core finds nothing, and nothing is cut off`, async () => {
        const page = await signedIn(await visitor({ device }), hf);
        for (const [name, sign, address = () => name] of VIEWS) {
            await page.goto(`/admin#${address()}`);
            await page.locator(sign).first().waitFor();
            for (const colorScheme of ['light', 'dark']) {
                await page.emulateMedia({ colorScheme });
                await axe(page, `${name} ${device} ${colorScheme}`, colorScheme === 'light' ? undefined : COLOURS);
                assert.ok(await tooWide(page) <= 0, name);
            }
            await screenshot(page, `admin-${name}-${device}`);
        }
    });
}

test('plots have something to show', { skip: !process.env.SCREENS }, async () => {
    const pages = await Promise.all(['phone', 'desktop'].map(async (device) => [device, await signedIn(await visitor({ device }), hf, 'live')]));
    for (let i = 0; i < 40; i++) {
        const id = await hold(`u${i}`, `C${1 + i % 8}`).catch(() => null);
        id && await on(id, i % 3 ? 'release' : 'commit', i % 3 ? {} : { payment_ref: `pi_${i}` });
        await pages[0][1].waitForTimeout(200 + 180 * Math.sin(i / 5));
    }
    for (const [device, page] of pages) {
        await screenshot(page, `admin-live-${device}`);
    }
});
