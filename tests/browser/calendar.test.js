/* SPDX-License-Identifier: Apache-2.0 */
/* Booking a time: on a calendar and on a group: hold, fill in, confirm, move, cancel; weeks and months, zones and clocks that change. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { unique } = require('../conformance/lib/server.js');
const { hold } = require('../conformance/lib/catalogue.js');
const { makeCalendar, monday, iso, slot, HOUR, DAY } = require('../conformance/lib/calendars.js');
const { browser } = require('./lib/browser.js');

const { hf, visitor, axe, keepsFocus, looks, screenshot } = browser({ args: ['--checkout', '/pay?order={reservation}'] });
const OPEN = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '13:00' }];

/* Nothing is free before a Monday some weeks from now, where the page opens. */
const closedUntil = (ms) => [{ start: iso(hf.now() - DAY), end: iso(ms) }];
async function doctor(settings = {}) {
    const start = monday(hf, 3);
    const id = await makeCalendar(hf, { id: unique('dr'), name: 'Dr. Rivera', timezone: 'Europe/Berlin', hours: OPEN,
        closed: closedUntil(start), cancel_until_minutes: 60, ...settings });
    return { id, at: (hour, day = 0) => iso(start + day * DAY + (hour - 1) * HOUR).replace('.000Z', 'Z') };
}
const slotAt = (page, start) => page.locator(`[data-slot^="${start.slice(0, 16)}"]`);

async function book(page, start) {
    await slotAt(page, start).click();
    await page.getByRole('button', { name: 'Book' }).click();
    await page.locator('[data-countdown]').waitFor();
}

async function fillIn(page) {
    await page.getByLabel('Name').fill('Ann Lee');
    await page.getByLabel('E-mail').fill('ann@example.org');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Your booking reference is').waitFor();
}

/* What is sold on a calendar, once the list has caught up. */
const sold = (calendar, fits = (all) => all.length === 1) => hf.eventually(
    async () => (await hf.admin.get(`/v1/reservations?calendar=${calendar}&status=confirmed`)).json.data, fits, 'the list catches up');
const starts = (start) => (all) => all.some(({ items: [item] }) => Date.parse(item.start) === Date.parse(start));

test('a time is held, filled in, confirmed, moved and cancelled', async () => {
    const { id, at } = await doctor();
    const page = await visitor();
    await page.goto(`/c/${id}`);
    await page.getByRole('heading', { name: 'Dr. Rivera' }).first().waitFor();
    await page.evaluate(() => ['hold', 'confirmed'].forEach((name) => addEventListener(name, (e) => { window[name] = e.detail.status; })));
    await book(page, at(9));
    await slotAt(page, at(9)).waitFor({ state: 'detached' });
    await fillIn(page);
    assert.deepEqual(await page.evaluate(() => [window.hold, window.confirmed]), ['held', 'confirmed']);
    const [bought] = await sold(id);
    assert.deepEqual([bought.attributes, Date.parse(bought.items[0].start)], [{ name: 'Ann Lee', email: 'ann@example.org' }, Date.parse(at(9))]);

    await page.reload();
    await page.getByRole('heading', { name: 'Your bookings' }).waitFor();
    await page.getByRole('button', { name: 'Move' }).click();
    await page.getByText('Choose a new time.').waitFor();
    await slotAt(page, at(11, 1)).click();
    await page.getByRole('button', { name: 'Move it here' }).click();
    await page.getByText('Moved', { exact: true }).waitFor();
    await sold(id, starts(at(11, 1)));
    await slotAt(page, at(9)).waitFor();

    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Yes, cancel it' }).click();
    await page.getByText('The time is available to others again.').waitFor();
    await sold(id, (all) => all.length === 0);
    await slotAt(page, at(11, 1)).waitFor();
    assert.equal(await page.getByRole('heading', { name: 'Your bookings' }).count(), 0);
});

test('a group gives any free member that is large enough, and a move stays on it', async () => {
    const start = monday(hf, 3);
    const tables = [];
    for (const [name, size] of [['Window table', 2], ['Round table', 4]]) {
        tables.push(await makeCalendar(hf, { id: unique('table'), name, size, hours: OPEN, closed: closedUntil(start) }));
    }
    const group = unique('tables');
    await hf.admin.put(`/v1/groups/${group}`, { name: 'Bistro', calendars: tables, pick: 'in_order' });
    const page = await visitor();
    await page.goto(`/c/group/${group}`);
    const at = (hour, day = 0) => iso(start + day * DAY + hour * HOUR);
    await slotAt(page, at(9)).getByText('2 left').waitFor();
    for (let n = 1; n < 4; n++) {
        await page.getByRole('button', { name: 'One more' }).click();
    }
    assert.ok(await page.getByRole('button', { name: 'One more' }).isDisabled(), 'no table is larger');
    await slotAt(page, at(9)).getByText('1 left').waitFor();
    await book(page, at(9));
    await page.getByText('Round table').waitFor();
    await screenshot(page, 'calendar-group-desktop');
    await fillIn(page);
    await sold(tables[1]);
    await hold(hf.acting('bob'), [slot(tables[1], start + 10 * HOUR)], { commit: true });
    await page.getByRole('button', { name: 'Move' }).click();
    await page.getByText('Choose a new time.').waitFor();
    await slotAt(page, at(10)).waitFor({ state: 'detached' }); /* the small table is free then, but it stays on its own */
    await slotAt(page, at(12)).click();
    await page.getByRole('button', { name: 'Move it here' }).click();
    await page.getByText('Moved', { exact: true }).waitFor();
    await sold(tables[1], starts(at(12)));
    await axe(page);
});

test('services have their length and price; what has to be paid goes the way of the basket', async () => {
    const { id, at } = await doctor({ payment: 'required', price: 5000, services: [
        { id: 'check_up', duration_minutes: 30, price: 4000 }, { id: 'long_talk', duration_minutes: 120, price: 9000 }, { id: 'advice', duration_minutes: 30, price: 0 }] });
    const page = await visitor();
    await page.goto(`/c/${id}`);
    await slotAt(page, at(12)).waitFor();
    await page.getByLabel('Service').selectOption({ label: 'Long talk · €90.00' });
    await page.getByText('Takes 2 h.').waitFor();
    await slotAt(page, at(12)).waitFor({ state: 'detached' });
    await book(page, at(11));
    assert.equal(await page.locator('[data-basket]').getAttribute('data-basket'), '1');
    await page.locator('[data-basket] .total').getByText('€90.00').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Confirm' }).count(), 0);
    await axe(page);
    await page.getByRole('button', { name: 'Give everything back' }).click();
    await page.getByLabel('Service').selectOption({ label: 'Advice · Free' });
    await book(page, at(9, 2));
    await fillIn(page);
    assert.equal((await sold(id))[0].items[0].service, 'advice');
});

test('a reload keeps what is held, the time can be changed before it is confirmed, and given back', async () => {
    const { id, at } = await doctor();
    const page = await visitor();
    await page.goto(`/c/${id}`);
    await book(page, at(10));
    await page.reload();
    await page.locator('[data-countdown]').waitFor();
    await page.getByRole('button', { name: 'Change the time' }).click();
    await slotAt(page, at(12, 3)).click();
    await page.getByRole('button', { name: 'Move it here' }).click();
    await page.locator(`[data-booking^="${at(12, 3).slice(0, 16)}"]`).waitFor();
    await slotAt(page, at(10)).waitFor();
    await page.getByRole('button', { name: 'Give the time back' }).click();
    await page.getByText('Choose a time', { exact: true }).waitFor();
    await slotAt(page, at(12, 3)).waitFor();
});

test('a time lost in the race is explained and the nearest one offered; the page follows what others do', async () => {
    const { id, at } = await doctor();
    const page = await visitor();
    await page.goto(`/c/${id}`);
    await slotAt(page, at(9)).click();
    await page.getByRole('button', { name: 'Book' }).waitFor();
    await page.route('**/stream', (route) => route.abort());
    await hold(hf.acting('bob'), [slot(id, Date.parse(at(9)))]);
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByText('was just taken by someone else.').waitFor();
    await page.getByRole('button', { name: /^Choose .*09:30/ }).click();
    await page.getByRole('button', { name: 'Book' }).click();
    await page.locator('[data-countdown]').waitFor();
    const other = await visitor();
    await other.goto(`/c/${id}`);
    await slotAt(other, at(12)).waitFor();
    const bob = await hold(hf.acting('bob'), [slot(id, Date.parse(at(12)))]);
    await slotAt(other, at(12)).waitFor({ state: 'detached' });
    await hf.acting('bob').post(`/v1/reservations/${bob.reservation_id}/release`);
    await slotAt(other, at(12)).waitFor();
});

test('ended: a hold that lapses says so and gives the time back', async () => {
    const { id, at } = await doctor({ hold_ttl_seconds: 3, max_hold_seconds: 3 });
    const page = await visitor();
    await page.goto(`/c/${id}`);
    await book(page, at(9));
    await page.getByText('Your hold has ended').waitFor();
    await slotAt(page, at(9)).waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByText('Choose a time', { exact: true }).waitFor();
});

test('a month shows how much is free on each day, and the times of the one chosen', async () => {
    const { id, at } = await doctor();
    const page = await visitor();
    await page.goto(`/c/${id}`);
    await page.getByRole('radio', { name: 'Month' }).check();
    const day = page.locator(`button[data-day="${at(9, 2).slice(0, 10)}"]`);
    await day.getByText('8 free').waitFor();
    await day.click();
    await slotAt(page, at(9, 2)).click();
    await page.getByRole('button', { name: 'Book' }).waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.getByRole('button', { name: 'Previous month' }).click();
    await day.getByText('8 free').waitFor();
});

test('times are the calendar\'s, or the visitor\'s, and what is booked is said in both', async () => {
    const { id, at } = await doctor();
    const page = await visitor({ timezoneId: 'Asia/Tokyo' });
    await page.goto(`/c/${id}`);
    await slotAt(page, at(9)).getByText('09:00').waitFor();
    await slotAt(page, at(9)).click();
    await page.getByText(/^Your time: .*17:00$/).waitFor();
    await page.getByRole('radio', { name: 'Tokyo (your time)' }).check();
    await slotAt(page, at(9)).getByText('17:00').waitFor();
    await page.getByRole('radio', { name: 'Berlin (local time)' }).check();
    await slotAt(page, at(9)).getByText('09:00').waitFor();
});

/* The Sunday on which the clocks of Berlin change next, as a midnight of UTC: forward, or back. */
function changeOfClocks(forward) {
    const offset = (ms) => Number(new Intl.DateTimeFormat('en', { timeZone: 'Europe/Berlin', timeZoneName: 'longOffset' }).format(ms).match(/GMT\+0(\d)/)[1]);
    for (let day = Math.ceil(hf.now() / DAY) + 8; ; day++) {
        const change = offset((day + 1) * DAY) - offset(day * DAY);
        if (change === (forward ? 1 : -1)) {
            return day * DAY;
        }
    }
}

for (const [words, forward, times] of [
    ['forward: a time that is skipped is not offered', true, ['01:00', '01:30', '03:00', '03:30']],
    ['back: a time that occurs twice has its zone', false, ['01:00', '01:30', '02:00 CEST', '02:30 CEST', '02:00 CET', '02:30 CET', '03:00', '03:30']],
]) {
    test(`the week in which the clocks go ${words}`, async () => {
        const sunday = changeOfClocks(forward);
        const { id } = await doctor({ closed: closedUntil(sunday - 6 * DAY), horizon_days: 500,
            hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '01:00', to: '04:00' }] });
        const page = await visitor();
        await page.goto(`/c/${id}`);
        const last = page.locator(`[data-day="${iso(sunday).slice(0, 10)}"]`);
        await last.getByText('Clocks change').waitFor();
        assert.deepEqual(await last.locator('[data-slot]').allInnerTexts(), times);
        const saturday = page.locator(`[data-day="${iso(sunday - DAY).slice(0, 10)}"]`);
        assert.deepEqual(await saturday.locator('[data-slot]').allInnerTexts(), ['01:00', '01:30', '02:00', '02:30', '03:00', '03:30']);
        await last.locator('[data-slot]').last().click();
        await page.getByRole('button', { name: 'Book' }).click();
        await fillIn(page);
        const [{ items: [item] }] = await sold(id);
        assert.equal(Date.parse(item.start), sunday + (3.5 - (forward ? 2 : 1)) * HOUR);
    });
}

test('empty: nothing free this week leads to the next; nothing at all says what to do', async () => {
    const { id, at } = await doctor();
    const page = await visitor();
    await page.goto(`/c/${id}`);
    await slotAt(page, at(9)).waitFor();
    await page.getByRole('button', { name: 'Previous week' }).click();
    await page.getByText('Nothing free this week').waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Next free time' }).click();
    await slotAt(page, at(9)).waitFor();
    const never = await doctor({ closed: closedUntil(hf.now() + 400 * DAY) });
    await page.goto(`/c/${never.id}`);
    await page.getByText('Nothing can be booked at the moment').waitFor();
    await page.getByText('Please look again later.').waitFor();
    await axe(page);
    assert.equal((await page.goto('/c/nowhere')).status(), 404);
    assert.equal((await page.goto('/c/group/nowhere')).status(), 404);
    await page.getByRole('link', { name: 'See what\'s on' }).waitFor();
});

test('what is free for one service only is found when it is chosen', async () => {
    const { id, at } = await doctor({ services: [{ id: 'whole_day', duration_minutes: 600 }, { id: 'advice', duration_minutes: 30 }] });
    const page = await visitor();
    await page.goto(`/c/${id}`);
    await page.getByText('Nothing can be booked at the moment').waitFor();
    await page.getByLabel('Service').selectOption('advice');
    await slotAt(page, at(9)).waitFor();
});

test('a calendar that is always open shows the rest of this week', async () => {
    const id = await makeCalendar(hf, { id: unique('room'), timezone: 'Europe/Berlin', slot_minutes: 60 });
    const page = await visitor();
    await page.goto(`/c/${id}`);
    await page.locator('[data-slot]').first().waitFor();
    const first = Date.parse(await page.locator('[data-slot]').first().getAttribute('data-slot'));
    assert.ok(first > hf.now() && first <= hf.now() + HOUR, new Date(first).toISOString());
    assert.ok(await page.getByRole('button', { name: 'Previous week' }).isDisabled());
});

test('a night is a night; past days are empty', async () => {
    const now = new Date(hf.now());
    hf.clock.advance(((10 - now.getUTCDay()) % 7) * DAY); /* a Wednesday */
    const id = await makeCalendar(hf, { id: unique('inn'), name: 'The inn', timezone: 'Europe/Berlin', slot_minutes: 1440, max_minutes: 2880, price: 9500,
        hours: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '15:00', to: '15:00' }] });
    const page = await visitor();
    await page.goto(`/c/${id}`);
    await page.getByLabel('Duration').selectOption({ label: '1 night · €95.00' });
    await page.locator('[data-slot]').first().click();
    await page.locator('.panel .facts').getByText('1 night', { exact: true }).waitFor();
    const past = page.locator('.day.past');
    assert.equal(await past.count(), 2);
    assert.ok((await past.allInnerTexts()).every((text) => !/free/i.test(text)));
    await page.getByRole('radio', { name: 'Month' }).check();
    await page.locator('.month').waitFor();
    const today = iso(hf.now()).slice(0, 10);
    const cells = await page.locator('.cell').evaluateAll((all) => all.map((one) => [one.dataset.day, one.querySelector('.fine') !== null]));
    assert.ok(cells.filter(([day]) => day < today).every(([, said]) => !said));
    await page.goto('/');
    await page.getByRole('link', { name: /^The inn/ }).getByText('1 night').waitFor();
});

test('loading and error: a skeleton, what happened, and Try again', async () => {
    const { id, at } = await doctor();
    const page = await visitor();
    let go;
    let broken = true;
    const held = new Promise((resolve) => (go = resolve));
    await page.route('**/slots?*', async (route) => {
        await held;
        await (broken ? route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"broken","detail":"The book is closed."}' })
            : route.continue());
    });
    await page.goto(`/c/${id}`);
    await page.locator('[aria-busy=true] .skeleton').first().waitFor();
    go();
    await page.getByRole('alert').getByText('The book is closed.').waitFor();
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await slotAt(page, at(9)).waitFor();
});

test('offline: a banner, the times stay, and booking goes through afterwards', async () => {
    const { id, at } = await doctor();
    const page = await visitor();
    await page.goto(`/c/${id}`);
    await slotAt(page, at(9)).click();
    await page.context().setOffline(true);
    await page.getByText('You\'re offline').waitFor();
    await page.getByRole('button', { name: 'Book' }).click();
    await page.context().setOffline(false);
    await page.locator('[data-countdown]').waitFor();
});

test('from the first page to a booking, by keyboard alone', async () => {
    const { id, at } = await doctor({ name: 'By keyboard' });
    const page = await visitor();
    await keepsFocus(page);
    await page.goto('/');
    await page.getByRole('link', { name: 'By keyboard' }).press('Enter');
    await slotAt(page, at(9)).press('Enter');
    await page.getByRole('button', { name: 'Book' }).press('Enter');
    await page.getByLabel('Name').waitFor();
    await page.getByLabel('Name').pressSequentially('Ann');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ann@example.org');
    await page.keyboard.press('Enter');
    await page.getByText('Your booking reference is').waitFor();
    await sold(id);
    await page.getByRole('button', { name: 'Move' }).press('Enter');
    await slotAt(page, at(11, 1)).press('Enter');
    await page.getByRole('button', { name: 'Move it here' }).press('Enter');
    await page.getByText('Moved', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.getByRole('button', { name: 'Yes, cancel it' }).press('Enter');
    await page.getByText('The time is available to others again.').waitFor();
});

for (const device of ['phone', 'desktop']) {
    test(`axe-core finds nothing: ${device}, light and dark`, async () => {
        const { id, at } = await doctor({ timezone: 'Europe/Lisbon', services: [{ id: 'check_up', duration_minutes: 30, price: 0 }, { id: 'long_talk', duration_minutes: 60, price: 0 }] });
        for (const hour of [9, 10.5, 11, 33, 34, 58]) {
            await hold(hf.acting('bob'), [slot(id, Date.parse(at(hour + 1)))], { commit: true });
        }
        const page = await visitor({ device });
        await page.goto(`/c/${id}`);
        await slotAt(page, at(12.5)).waitFor();
        await looks(page, `calendar-${device}`);
        await book(page, at(12.5));
        await looks(page, `calendar-held-${device}`, { shots: device === 'phone' ? ['light', 'dark'] : [] });
        await fillIn(page);
        await page.getByRole('radio', { name: 'Month' }).check();
        await page.locator('.month').waitFor();
        await looks(page, `calendar-booked-${device}`, { shots: ['light'] });
    });
}
