/* SPDX-License-Identifier: Apache-2.0 */
/* The order by its manage link: tickets on screen and on paper, transfer, cancel, history; and where its token goes. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { makeCalendar, midnight, iso } = require('../conformance/lib/calendars.js');
const { unique } = require('../conformance/lib/server.js');
const { browser } = require('./lib/browser.js');

const { hf, visitor, axe, keepsFocus, looks, screenshot } = browser();
const ROW = Array.from({ length: 12 }, (_, i) => ({ id: `A${i + 1}`, section: 'Stalls', row: 'A', number: String(i + 1), x: i, y: 0, tier: 'gold', price: 6000 }));
const show = (settings = {}) => makeEvent(hf, { id: unique('show'), name: 'The winter concert', venue: 'City hall', payment: 'required',
    starts_at: iso(midnight(hf, 40) + 19 * 3600_000), seats: ROW, pools: { floor: { capacity: 50, price: 2500, name: 'Standing room' } }, ...settings });

/* Bought by ann: its id and the path of its manage link. */
async function bought(items, more = {}, by = hf.app) {
    const { json, status, text } = await by.post('/v1/reservations', { user_id: 'ann', commit: true, attributes: { name: 'Ann Example' }, items, ...more });
    assert.equal(status, 201, text);
    return { id: json.reservation_id, order: json, link: `/o/${json.reservation_id}#t=${json.manage_token}` };
}
const seats = (event, ...ids) => ids.map((seat) => ({ event, seat }));

async function opened(link, options) {
    const page = await visitor(options);
    await page.goto(link);
    await page.getByRole('heading', { name: 'Your order' }).waitFor();
    return page;
}

test('the token is in the fragment, and goes nowhere but into Authorization', async () => {
    const { id, order, link } = await bought(seats(await show(), 'A1'));
    const page = await visitor();
    const requests = [];
    page.on('request', (request) => requests.push({ url: request.url(), headers: request.allHeaders() }));
    await page.goto(link);
    await page.locator(`[data-pnr="${order.pnr}"]`).waitFor();
    await page.locator('[data-ticket] img').evaluate((img) => img.decode());
    const seen = await Promise.all(requests.map(async ({ url, headers }) => ({ url, headers: await headers })));
    const carriers = seen.filter(({ headers }) => headers.authorization);
    assert.ok(carriers.length >= 2);
    for (const { url, headers } of seen) {
        assert.ok(!url.replace(/#.*/, '').includes(order.manage_token), url);
        assert.doesNotMatch(headers.referer ?? '', /\/o\//);
        if (headers.authorization) {
            assert.ok(url.startsWith(`${hf.url}/v1/reservations/${id}`), url);
            assert.equal(headers.authorization, `Bearer ${order.manage_token}`);
        }
    }
    assert.equal((await page.goto(`/o/${id}`)).headers()['referrer-policy'], 'no-referrer');
    await page.getByText('This link does not open an order').waitFor(); /* without it, nothing is to be seen */
    assert.equal(await page.locator('[data-pnr]').count(), 0);
});

test('skipping to the content does not lose the token', async () => {
    const { link, order } = await bought(seats(await show(), 'A1'));
    const page = await opened(link);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.reload();
    await page.locator(`[data-pnr="${order.pnr}"]`).waitFor();
});

const toAccount = async (page, user) => {
    await page.getByText('Transfer to an account').click();
    await page.getByLabel('User id of the receiver').fill(user);
    await page.getByRole('button', { name: 'Transfer', exact: true }).click();
};

test('transfer by the manage link: the tickets are void here, and the receiver has new ones', async () => {
    const { id, order, link } = await bought(seats(await show(), 'A1', 'A2'));
    const page = await opened(link);
    await toAccount(page, 'bob');
    await page.getByRole('button', { name: 'Keep it' }).click();
    assert.equal((await hf.admin.get(`/v1/reservations/${id}`)).json.user_id, 'ann');
    await toAccount(page, 'bob');
    await page.getByRole('button', { name: 'Yes, transfer' }).click();
    await page.getByText('Transferred to bob').waitFor();
    assert.equal(await page.locator('[data-ticket]').count(), 0);
    await axe(page);
    const { json } = await hf.user('bob').get(`/v1/reservations/${id}?manage_token=1`);
    assert.notEqual(json.tickets[0].code, order.tickets[0].code);
    assert.equal((await fetch(`${hf.url}/v1/tickets/${order.tickets[0].code}.svg`)).status, 410);
    await page.reload();
    await page.getByText('This link does not open an order').waitFor();
    await axe(page);
    const other = await opened(`/o/${id}#t=${json.manage_token}`);
    await other.getByText('Transferred to bob').waitFor();
    assert.equal(await other.locator('[data-ticket]').count(), 2);
});

test('a transfer that is refused says why', async () => {
    const event = await show({ per_user_limit: 1 });
    await bought(seats(event, 'A2'), { user_id: 'bob' });
    const { link } = await bought(seats(event, 'A1'));
    const page = await opened(link);
    await toAccount(page, 'bob');
    await page.getByRole('button', { name: 'Yes, transfer' }).click();
    await page.getByText('That didn\'t work').waitFor();
    assert.equal(await page.locator('[data-ticket]').count(), 1);
});

test('what may not be transferred says so', async () => {
    const { link } = await bought(seats(await show({ transfer: 'off' }), 'A1'));
    const page = await opened(link);
    await page.getByText('The organiser does not allow this order to be transferred.').waitFor();
    assert.equal(await page.getByRole('button', { name: /Transfer|Make it mine/ }).count(), 0);
});

test('a guest who was sent the link makes the order theirs: new tickets here, the old link is void', async () => {
    const { id, order, link } = await bought(seats(await show(), 'A1'));
    const page = await opened(link);
    await page.getByRole('button', { name: 'Make it mine' }).click();
    await page.getByRole('button', { name: 'Yes, make it mine' }).click();
    await page.getByText('This order is yours now').waitFor();
    await axe(page);
    const { json } = await hf.admin.get(`/v1/reservations/${id}`);
    assert.notEqual(json.user_id, 'ann');
    assert.notEqual(await page.locator('[data-ticket]').getAttribute('data-ticket'), order.tickets[0].code);
    await page.getByText('They open it and choose “Make it mine”').waitFor(); /* and it can go on from here */
    const sent = await page.getByLabel('Link to this order').inputValue();
    await page.reload(); /* without any token in the address */
    await page.locator('[data-ticket]').waitFor();
    const old = await opened(link);
    await old.getByText('This link does not open an order').waitFor();
    const other = await opened(new URL(sent).pathname + new URL(sent).hash);
    await other.getByRole('button', { name: 'Make it mine' }).waitFor();
});

test('cancel: until when, twice asked, and then the tickets are void', async () => {
    const event = await show({ cancel_until_seconds: 86400 });
    const { id, link } = await bought(seats(event, 'A1'), { payment_ref: unique('pi') });
    const page = await visitor();
    await keepsFocus(page);
    await page.goto(link);
    await page.getByText(/You can cancel until .*19:00/).or(page.getByText(/You can cancel until .*20:00/)).waitFor();
    await page.getByRole('button', { name: 'Cancel order' }).press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'group', 'the question, and not yet "Yes"');
    await page.getByRole('button', { name: 'Yes, cancel' }).press('Enter');
    await page.getByText('This order was cancelled').waitFor();
    await page.getByText('The organiser will refund €60.00.').waitFor();
    await page.locator('[data-ticket]').getByText('Void').waitFor();
    assert.equal((await hf.admin.get(`/v1/reservations/${id}`)).json.status, 'cancelled');
    await axe(page);
    await screenshot(page, 'order-cancelled-desktop');
});

test('what cannot be cancelled says so', async () => {
    const { link } = await bought(seats(await show(), 'A1'));
    const page = await opened(link);
    await page.getByText('This order can\'t be cancelled here.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Cancel order' }).count(), 0);
});

test('history in words: who did what', async () => {
    const event = await show();
    const held = (await hf.app.post('/v1/reservations', { user_id: 'ann', items: [{ event, pool: 'floor', quantity: 2 }] })).json;
    const at = `/v1/reservations/${held.reservation_id}`;
    await hf.app.post(`${at}/items`, { event, seat: 'A3' });
    await hf.user('ann').delete(`${at}/items/1`);
    await hf.user('ann').post(`${at}/extend`, {});
    const { manage_token, tickets } = (await hf.app.post(`${at}/commit`, {})).json;
    await hf.admin.post('/v1/check-ins', { code: tickets[0].code, gate: 'north' });
    const page = await opened(`/o/${held.reservation_id}#t=${manage_token}`);
    for (const [what, by] of [['Held: 2 × Standing room', 'by the box office'], ['Added: Section Stalls, row A, seat 3', 'by the box office'],
        ['Given back: 2 × Standing room', 'by the buyer'], ['Bought for €60.00', 'by the box office'], ['Ticket used at north', 'by the organiser']]) {
        await page.getByRole('listitem').filter({ hasText: what }).filter({ hasText: by }).waitFor();
    }
});

test('a long history: the latest entries, the earlier ones when asked for, and what repeats itself once', async () => {
    const event = await show();
    const at = await hf.app.post('/v1/reservations', { user_id: 'ann', items: seats(event, 'A1') }).then(({ json }) => `/v1/reservations/${json.reservation_id}`);
    for (let i = 0; i < 55; i++) {
        await hf.app.patch(at, { attributes: { name: `Ann ${i}` } });
        await hf.app.post(`${at}/items`, { event, seat: `A${2 + (i % 2)}` });
        await hf.app.delete(`${at}/items/${i + 2}`);
    }
    await hf.app.patch(at, { attributes: { name: 'Ann' } });
    await hf.app.patch(at, { attributes: { name: 'Ann Lee' } });
    const { manage_token } = (await hf.app.post(`${at}/commit`, {})).json;
    const page = await opened(`/o/${at.split('/').pop()}#t=${manage_token}`);
    const entries = page.locator('.past li');
    await entries.last().getByText('Bought for').waitFor();
    assert.equal(await entries.count(), 100);
    assert.deepEqual(await entries.evaluateAll((all) => all.slice(-3).map((one) => one.querySelector('strong').textContent.split(':')[0])),
        ['Given back', 'Names and details filled in', 'Bought for €60.00']);
    await page.getByRole('button', { name: 'Show earlier entries' }).click();
    await entries.first().getByText('Held: Section Stalls, row A, seat 1').waitFor();
    assert.equal(await entries.count(), 1 + 3 * 55 + 2);
    assert.equal(await page.getByRole('button', { name: 'Show earlier entries' }).count(), 0);
});

test('an event is at the time of its place wherever its buyer is: on the tickets and as iCalendar', async () => {
    const event = await show({ timezone: 'Europe/Berlin', starts_at: '2031-06-07T18:00:00Z' });
    const { link, order } = await bought(seats(event, 'A1', 'A2'));
    const page = await opened(link, { locale: 'en-US', timezoneId: 'America/New_York' });
    await page.locator('[data-ticket]').first().getByText(/June 7, 2031 at 8:00\sPM Central European Time/).waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Add to calendar' }).click()]);
    assert.equal(file.suggestedFilename(), `${order.pnr}.ics`);
    const text = fs.readFileSync(await file.path(), 'utf8');
    assert.match(text, /\r\nDTSTART;TZID=Europe\/Berlin:20310607T200000\r\n/);
    assert.equal(text.match(/BEGIN:VEVENT/g).length, 1, 'one event, however many seats');
});

test('a booking on a calendar: its time in its own zone', async () => {
    const calendar = await makeCalendar(hf, { name: 'Dr. Smith', timezone: 'America/New_York', cancel_until_minutes: 60 });
    const start = midnight(hf, 9) + 15 * 3600_000;
    const { link } = await bought([{ calendar, start: iso(start), end: iso(start + 1800_000) }]);
    const page = await opened(link);
    await page.locator('[data-ticket]').getByText('Dr. Smith').waitFor();
    await page.locator('[data-ticket]').getByText(/1[01]:00 Eastern Time/).waitFor();
    await page.getByText('You can cancel until').waitFor();
});

test('a booking on a calendar is moved by its owner: from the order to its calendar, which asks for the new time', async () => {
    const start = midnight(hf, 9) + 12 * 3600_000;
    const calendar = await makeCalendar(hf, { id: unique('dr'), name: 'Dr. Smith', payment: 'none', change_until_minutes: 60,
        closed: [{ start: iso(hf.now() - 86400_000), end: iso(start) }] });
    const page = await visitor();
    await page.goto(`/c/${calendar}`);
    await page.locator('[data-slot]').first().click();
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByLabel('Name').fill('Ann Lee');
    await page.getByLabel('E-mail').fill('ann@example.org');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('link', { name: 'Manage booking' }).click();
    const link = page.url();
    await page.getByRole('link', { name: 'Choose another time' }).click();
    await page.getByText('Choose a new time.').waitFor();
    const slot = page.locator('[data-slot]').nth(1);
    const to = await slot.getAttribute('data-slot');
    await slot.click();
    await page.getByRole('button', { name: 'Move it here' }).click();
    await page.getByText('Moved', { exact: true }).waitFor();
    const { json } = await hf.admin.get(`/v1/reservations/${link.match(/res_[^#]+/)[0]}`);
    assert.equal(Date.parse(json.items[0].start), Date.parse(to));
    const other = await opened(link); /* another person with the link */
    await other.getByText('in the browser in which you booked it').waitFor();
});

test('an event that is cancelled says so on every page', async () => {
    const event = await show({ name: 'The lost evening', waiting_room: { by_inventory: false } });
    const { link } = await bought(seats(event, 'A1'), { payment_ref: unique('pi') }, hf.admin);
    assert.equal((await hf.admin.post(`/v1/events/${event}/cancel`, { reason: 'The hall is flooded.' })).status, 202);
    const page = await opened(link);
    await page.getByText('“The hall is flooded.”').waitFor();
    await page.getByText('The lost evening is cancelled').waitFor();
    await axe(page);
    await page.goto('/');
    await page.getByRole('link', { name: 'The lost evening' }).getByText('Cancelled').waitFor();
    for (const path of ['/e/', '/q/']) {
        await page.goto(`${path}${event}`);
        await page.getByText('This event is cancelled').waitFor();
        await page.getByText('“The hall is flooded.”').waitFor();
        assert.equal(await page.getByRole('button', { name: /Best available|Join/ }).count(), 0);
    }
});

test('without --checkout the organiser takes payment, and the page says until when the hold lasts', async () => {
    const page = await visitor();
    await page.goto(`/e/${await show()}`);
    await page.locator('[data-seat=A1]').click();
    await page.getByText(/The organiser takes payment. Your places are held until \d\d:\d\d/).waitFor();
    for (const name of ['Check out', 'Pay', 'Confirm']) {
        assert.equal(await page.getByRole('button', { name }).count(), 0);
    }
});

test('the five states: loading, held, error, offline, ended', async () => {
    const event = await show();
    const { link, id } = await bought(seats(event, 'A1'));
    const page = await visitor();
    let release;
    const wait = new Promise((resolve) => { release = resolve; });
    await page.route('**/v1/reservations/**', async (route) => {
        await wait;
        return route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"status":500,"code":"internal","detail":"Something broke."}' });
    });
    await page.goto(link);
    await page.locator('main[aria-busy=true] .skeleton-page').waitFor();
    release();
    await page.getByText('This didn\'t load').waitFor();
    await page.getByText('Something broke.').waitFor();
    await axe(page);
    await page.unroute('**/v1/reservations/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('[data-ticket]').waitFor();
    await page.context().setOffline(true);
    await page.getByText('You\'re offline').waitFor();
    assert.equal(await page.locator('[data-ticket]').count(), 1);
    await page.context().setOffline(false);
    await hf.app.post(`/v1/reservations/${id}/refund`, {});
    await page.reload();
    await page.getByText('This order was refunded').waitFor();
    await page.locator('[data-ticket]').getByText('Void').waitFor();

    const own = await visitor(); /* a hold of this browser's, without any link */
    await own.goto(`/e/${event}`);
    await own.locator('[data-seat=A5]').click();
    await own.locator('[data-seat=A5][data-status=mine]').waitFor();
    const held = await own.evaluate(() => JSON.parse(localStorage.getItem(Object.keys(localStorage).find((key) => key.startsWith('holdfast:basket:')))).id);
    await own.goto(`/o/${held}`);
    await own.getByText('Not bought yet').waitFor();
    await axe(own);
    await own.getByRole('link', { name: 'Back to the basket' }).click();
    await own.locator('[data-basket="1"]').waitFor();
});

/* How many pages a PDF has. */
const pages = (pdf) => [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;

test('printed, the tickets stand alone, whole, dark on white', async () => {
    const event = await show();
    const { link, order } = await bought([...seats(event, 'A1', 'A2', 'A3'), { event, pool: 'floor', quantity: 3 }]);
    const page = await opened(link, { scheme: 'dark' });
    await page.locator('[data-ticket]').nth(5).waitFor();
    await page.locator('[data-ticket] img').evaluateAll((all) => Promise.all(all.map((img) => img.decode())));
    await page.emulateMedia({ media: 'print' });
    for (const hidden of [page.locator('.bar'), page.getByRole('button', { name: 'Print tickets' }), page.getByText('History'), page.getByLabel('Link to this order')]) {
        assert.equal(await hidden.isVisible(), false);
    }
    const box = await page.locator('[data-ticket]').first().boundingBox();
    assert.ok(box.width > 300 && box.height > 100);
    const [ink, kept] = await page.locator('[data-ticket]').first().evaluate((ticket) => [getComputedStyle(ticket).color, getComputedStyle(ticket).breakInside]);
    assert.equal(kept, 'avoid');
    assert.ok(ink.match(/\d+/g).slice(0, 3).every((part) => Number(part) < 60), ink);
    assert.ok(!(await page.locator('main').innerText()).includes(order.manage_token));
    await screenshot(page, 'tickets-print');
    const pdf = await page.pdf({ format: 'A4' });
    assert.equal(pages(pdf), 2); /* six tickets, none of them cut in two */
});

for (const device of ['phone', 'desktop']) {
    test(`axe-core finds nothing: ${device}, light and dark`, async () => {
        const event = await show({ cancel_until_seconds: 86400 });
        const { link } = await bought(seats(event, 'A1', 'A2'), { payment_ref: unique('pi') });
        const page = await opened(link, { device });
        await page.locator('[data-ticket] img').evaluateAll((all) => Promise.all(all.map((img) => img.decode())));
        await looks(page, `order-${device}`);
        await toAccount(page, 'bob');
        await axe(page);
    });
}
