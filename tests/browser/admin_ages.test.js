/* SPDX-License-Identifier: Apache-2.0 */
/* /admin: seats coloured by the age of their hold. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { unique } = require('../conformance/lib/server.js');
const { browser } = require('./lib/browser.js');
const { signedIn } = require('./lib/admin.js');

const { hf, visitor, axe } = browser();
const ROWS = ['A', 'B', 'C', 'D'].flatMap((row, y) => Array.from({ length: 14 }, (_, i) => (
    { id: `${row}${i + 1}`, section: 'Stalls', row, number: String(i + 1), x: i, y, price: 6000 })));
const hold = async (event, user, ...seats) => {
    const { json, status, text } = await hf.app.post('/v1/reservations', { user_id: user, items: seats.map((seat) => ({ event, seat })) });
    assert.equal(status, 201, text);
    return json;
};
const show = () => makeEvent(hf, { id: unique('show'), name: 'The winter concert', seats: ROWS, hold_ttl_seconds: 1200, max_hold_seconds: 1800 });

/* Holds of four ages. */
async function aged(event) {
    const oldest = await hold(event, 'ann', 'A1', 'A2');
    hf.clock.advance(200_000);
    await hold(event, 'bob', 'B5');
    hf.clock.advance(300_000);
    await hold(event, 'carol', 'C7', 'C8', 'C9');
    hf.clock.advance(150_000);
    const newest = await hold(event, 'dora', 'D3');
    await hf.admin.get('/v1/reservations', { atLeast: (await hf.admin.get('/v1/keys')).seq });
    return { oldest, newest };
}

test('each hold has the colour, the minutes and the words of its age; a click opens its history', async () => {
    const event = await show();
    const { oldest } = await aged(event);
    const page = await signedIn(await visitor(), hf, `ages/${event}`);
    for (const [seat, mark, minutes] of [['A1', '4', '10'], ['B5', '3', '7'], ['C7', '2', '2'], ['D3', '1', '0']]) {
        const element = page.locator(`[data-seat=${seat}][data-mark="${mark}"]`);
        await element.waitFor();
        assert.equal(await element.innerText(), `${minutes}′`);
        assert.match(await element.getAttribute('aria-label'), new RegExp(`held by someone else, for ${minutes}:\\d\\d$`));
    }
    assert.equal(await page.locator('[data-seat=A5]').getAttribute('data-mark'), null);
    await page.locator('[data-figure=age-4]').filter({ hasText: '1 hold' }).waitFor();
    await hold(event, 'erin', 'A9'); /* meanwhile */
    await page.locator('[data-seat=A9][data-mark="1"]').waitFor();
    await hf.app.post(`/v1/reservations/${oldest.reservation_id}/release`, {});
    await page.locator('[data-seat=A1]:not([data-mark])').waitFor();
    await page.locator('[data-seat=B5]').click();
    await page.locator('[data-action=held]').waitFor();
    await page.getByText('bob', { exact: true }).waitFor();
});

test('nothing held, and nothing there at all', async () => {
    const page = await signedIn(await visitor(), hf, `ages/${await show()}`);
    await page.getByText('Nothing is held right now').waitFor();
    await axe(page);
    const empty = await visitor();
    await empty.route('**/v1/events', (route) => route.fulfill({ json: { data: [], next_cursor: null } }));
    await signedIn(empty, hf, 'ages');
    await empty.getByText('No events yet').waitFor();
    await empty.getByRole('link', { name: 'New event' }).click();
    await empty.getByRole('heading', { name: 'New event' }).waitFor();
});
