/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue of /admin: events, calendars and groups created, edited and copied; seats from a file, wrong lines marked. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server } = require('../conformance/lib/server.js');
const { makeEvent, hold, items } = require('../conformance/lib/catalogue.js');
const { makeCalendar, midnight, iso } = require('../conformance/lib/calendars.js');
const { browser } = require('./lib/browser.js');
const { signedIn } = require('./lib/admin.js');

const { hf, visitor, axe, tooWide, screenshot } = browser({ prepare: fill });

async function fill(server) {
    await makeEvent(server, { id: 'opera', name: 'Night at the opera', venue: 'City hall', starts_at: iso(midnight(server, 40) + 18 * 3600_000),
        categories: ['adult', 'child'], prices: { gold: { adult: 9000, child: 4500 } }, seats: 'A1-A9', pools: { floor: 50 } });
    await makeCalendar(server, { id: 'rivera', name: 'Dr. Rivera', timezone: 'Europe/Madrid', price: 4000 });
    await makeCalendar(server, { id: 'sato', name: 'Dr. Sato', timezone: 'Europe/Madrid', price: 4500 });
}

const admin = async (view, options) => signedIn(await visitor(options), hf, view);
const read = async (path) => (await hf.admin.get(path)).json;
const csv = (name, text) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

test('an event is created, edited and copied with its seats', async () => {
    const page = await admin('events');
    await page.getByRole('link', { name: 'New event' }).click();
    await page.getByLabel('Name').fill('A recital');
    await page.getByLabel('Venue').fill('The small hall');
    await page.getByLabel('Time zone').fill('Europe/Lisbon');
    await page.getByLabel('Time zone').blur();
    await page.getByLabel('Starts').fill('2030-05-01T19:30');
    await page.getByLabel('Limit per buyer').fill('4');
    await page.getByLabel('A hold lasts').fill('8');
    await page.getByLabel('Tickets can be transferred').uncheck();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('A recital created').waitFor();
    const made = await read('/v1/events/a-recital');
    assert.deepEqual([made.name, made.venue, made.starts_at, made.per_user_limit, made.hold_ttl_seconds, made.max_hold_seconds, made.transfer],
        ['A recital', 'The small hall', '2030-05-01T18:30:00.000Z', 4, 480, 720, 'off']);
    await page.waitForURL(/#events\/edit\/a-recital$/);
    await hf.admin.patch('/v1/events/a-recital', { description: 'Meanwhile.' });
    await page.getByLabel('Name').fill('A long recital');
    await page.getByLabel('Venue').fill('');
    await page.getByLabel('Categories').fill('adult, child');
    await page.getByLabel('Categories').blur();
    await page.getByLabel('Another tier').fill('gold');
    await page.getByRole('button', { name: 'Add tier' }).click();
    await page.getByLabel('gold, adult').fill('45.50');
    await page.getByLabel('gold, child').fill('20');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A long recital saved').waitFor();
    const edited = await read('/v1/events/a-recital');
    assert.deepEqual([edited.name, edited.venue, edited.per_user_limit, edited.description], ['A long recital', null, 4, 'Meanwhile.'], 'only what was changed is sent');
    assert.deepEqual(edited.prices, { gold: { adult: 4550, child: 2000 } });
    await page.getByLabel('Categories').fill('adult');
    await page.getByLabel('Buyers wait their turn').check();
    await page.getByLabel('People per second').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A long recital saved').waitFor();
    const again = await read('/v1/events/a-recital');
    assert.deepEqual([again.prices, again.waiting_room.rate_per_second], [{ gold: { adult: 4550 } }, 7], 'a category takes its prices along');

    await page.goto('/admin#events/copy/opera');
    await page.reload();
    await signedIn(page, hf, 'events/copy/opera');
    assert.equal(await page.getByLabel('Name').inputValue(), 'Copy of Night at the opera');
    await page.getByLabel('Name').fill('Second night');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Second night created').waitFor();
    const copied = await read('/v1/events/second-night');
    assert.deepEqual([copied.counts.seats, copied.counts.pools.capacity, copied.venue], [9, 50, 'City hall']);
    assert.deepEqual(copied.prices, { gold: { adult: 9000, child: 4500 } });
});

test('what the server refuses is shown at its field, and a name that is taken replaces nothing', async () => {
    const page = await admin('events/new');
    await page.getByLabel('Name').fill('Too long');
    await page.getByLabel('A hold lasts').fill('30');
    await page.getByLabel('With more time, at most').fill('10');
    await page.getByRole('button', { name: 'Create' }).click();
    const field = page.locator('[aria-invalid=true]');
    await field.waitFor();
    assert.ok(await field.evaluate((input) => input === document.activeElement), 'it has the focus');
    const seen = await field.evaluate((input) => { const { left, top, width, height } = input.getBoundingClientRect(); return document.elementFromPoint(left + width / 2, top + height / 2) === input; });
    assert.ok(seen, 'and can be seen');
    const told = await field.evaluate((input) => document.getElementById(input.getAttribute('aria-describedby').split(' ').pop()).textContent);
    assert.match(told, /hold_seconds|ttl/i);
    await axe(page);
    await page.getByLabel('A hold lasts').fill('5');
    await page.getByLabel('Id').fill('opera');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.fault').getByText('The id opera is already in use').waitFor();
    assert.equal((await read('/v1/events/opera')).name, 'Night at the opera');
    await page.getByLabel('Id').fill('not an id');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Some fields need attention').waitFor();
    await page.getByLabel('Id').fill('elsewhere');
    await page.getByLabel('Starts').fill('2030-05-01T19:30');
    await page.getByLabel('Time zone').fill('Nowhere');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.fault').getByText('no such time zone').waitFor();
});

test('a calendar and a group are created, edited and copied', async () => {
    const page = await admin('calendars/new');
    await page.getByLabel('Name').fill('Court 1');
    await page.getByLabel('Time zone').fill('Europe/Madrid');
    await page.getByRole('group', { name: 'Hours 1' }).getByLabel('Saturday').check();
    await page.getByRole('group', { name: 'Hours 1' }).getByLabel('To').fill('22:00');
    await page.getByRole('button', { name: 'Add service' }).click();
    await page.getByLabel('Service', { exact: true }).fill('lesson');
    await page.getByLabel('Minutes').fill('60');
    await page.getByLabel('Price in EUR').fill('55');
    await page.getByRole('button', { name: 'Add a closed time' }).click();
    const closed = page.getByRole('group', { name: 'Closed time 1' });
    await closed.getByLabel('From').fill('2030-12-24T00:00');
    await closed.getByLabel('Until').fill('2030-12-27T00:00');
    await page.getByLabel('Price', { exact: true }).fill('20');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Court 1 created').waitFor();
    const made = await read('/v1/calendars/court-1');
    assert.deepEqual(made.hours, [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'], from: '09:00', to: '22:00' }]);
    assert.deepEqual(made.services, [{ id: 'lesson', duration_minutes: 60, price: 5500 }]);
    assert.deepEqual(made.closed, [{ start: '2030-12-23T23:00:00.000Z', end: '2030-12-26T23:00:00.000Z' }], 'in the time zone of the calendar');
    assert.equal(made.price, 2000);
    await page.getByRole('button', { name: 'Remove Closed time 1' }).click();
    await page.getByRole('button', { name: 'Add hours' }).click();
    await page.getByRole('group', { name: 'Hours 2' }).getByLabel('To').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('group', { name: 'Hours 2' }).locator('.fault').waitFor();
    await page.getByRole('button', { name: 'Remove Hours 2' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Court 1 saved').waitFor();
    assert.deepEqual((await read('/v1/calendars/court-1')).closed, []);

    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Groups' }).click();
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
    await page.getByRole('link', { name: 'New group' }).click();
    await page.getByLabel('Name').fill('Any doctor');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.locator('.fault').waitFor();
    await page.getByRole('button', { name: '+ Dr. Rivera' }).click();
    await page.getByRole('button', { name: '+ Dr. Sato' }).click();
    await page.getByRole('button', { name: 'Move Dr. Sato up' }).click();
    await page.getByLabel('If several are free, pick').selectOption('in_order');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Any doctor created').waitFor();
    const group = await read('/v1/groups/any-doctor');
    assert.deepEqual([group.calendars, group.pick], [['sato', 'rivera'], 'in_order']);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Really delete?' }).click();
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
});

test('a bad file: every wrong line is marked before anything is sent; corrected, it is imported', async () => {
    await makeEvent(hf, { id: 'filed', name: 'From a file' });
    const page = await admin('events/seats/filed');
    await page.getByRole('link', { name: 'Import a file' }).click();
    const choose = (text) => page.locator('input[type=file]').setInputFiles(csv('hall.csv', text));
    await choose('id,section,row,number,price\nA1,Stalls,A,1,4500\nA2,Stalls,A,2,cheap\nA 3,Stalls,A,3,4500\nA1,Stalls,A,4,4500\nA5,Stalls\n');
    await page.getByText('4 lines have errors').waitFor();
    assert.deepEqual(await page.locator('tr.wrong').evaluateAll((rows) => rows.map((row) => row.dataset.line)), ['3', '4', '5', '6']);
    await page.locator('tr[data-line="3"]').getByText('"cheap" is not a price').waitFor();
    await page.locator('tr[data-line="5"]').getByText('Seat A1 is already on line 2').waitFor();
    assert.ok(await page.getByRole('button', { name: /^Import/ }).isDisabled());
    await axe(page);
    await screenshot(page, 'admin-import-desktop-light');
    await choose('id,colour\nA1,red\n');
    await page.getByText('There is no column "colour"').waitFor();
    assert.equal((await read('/v1/events/filed')).counts.seats, 0);
    await choose('id,section,row,number,price\nA1,Stalls,A,1,4500\nA2,Stalls,A,2,4500\n');
    await page.getByText('2 seats, no errors').waitFor();
    await page.getByRole('group', { name: 'Plan of the seats in the file' }).waitFor();
    await page.getByRole('button', { name: 'Import 2 seats' }).click();
    await page.getByText('Imported: 2 new, 0 updated').waitFor();
    assert.equal((await read('/v1/events/filed')).counts.seats, 2);
});

test('what the server finds wrong is marked at its line', async () => {
    await makeEvent(hf, { id: 'claimed', name: 'Claimed', seats: 'A1-A3' });
    await hold(hf.user('ann'), items('claimed', 'A2'));
    const page = await admin('events/import/claimed');
    await page.locator('input[type=file]').setInputFiles(csv('blocked.csv', 'id,blocked\nA1,true\nA2,true\n'));
    await page.getByRole('button', { name: 'Import 2 seats' }).click();
    await page.locator('tr[data-line="3"].wrong .fault').waitFor();
    assert.equal(await page.locator('tr.wrong').count(), 1);
    assert.equal((await read('/v1/events/claimed')).counts.blocked, 0, 'nothing was imported');
    await page.route('**/v1/events/claimed/seats', (route) => route.fulfill({ status: 400, contentType: 'application/problem+json',
        body: JSON.stringify({ status: 400, code: 'invalid', detail: 'Invalid price.', line: 2 }) }));
    await page.locator('input[type=file]').setInputFiles(csv('again.csv', 'id,price\nA1,1\nA2,1\n'));
    await page.getByRole('button', { name: 'Import 2 seats' }).click();
    await page.locator('tr[data-line="2"].wrong').getByText('Invalid price.').waitFor();
});

test('seats are set aside, taken off sale and put back by choosing them; standing places are added', async () => {
    await makeEvent(hf, { id: 'aside', name: 'Set aside', seats: 'A1-A6 B1-B6' });
    const page = await admin('events/seats/aside');
    await page.getByLabel('Rows').fill('A');
    await page.getByRole('textbox', { name: 'Seats' }).fill('2-4');
    await page.getByRole('button', { name: 'Choose seats' }).click();
    await page.getByText('3 seats chosen').waitFor();
    await page.getByLabel('Allotment').fill('club');
    await page.getByRole('button', { name: 'Set aside' }).click();
    await page.getByText('3 seats set aside for club').waitFor();
    assert.deepEqual(await Promise.all(['A2', 'A4', 'A5'].map(async (seat) => (await read(`/v1/events/aside/seats/${seat}`)).allotment)), ['club', 'club', null]);
    await page.locator('.surface svg').scrollIntoViewIfNeeded();
    const box = await page.locator('.surface [data-block] .hull').boundingBox();
    await page.mouse.move(box.x - 4, box.y - 4);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 4, box.y + box.height + 4, { steps: 3 });
    await page.mouse.up();
    await page.getByText('12 seats chosen').waitFor();
    await page.getByRole('button', { name: 'Put on sale' }).click();
    await page.getByText('12 seats put on sale').waitFor();
    assert.equal((await read('/v1/events/aside')).counts.available, 12);
    await page.getByRole('button', { name: 'Add standing places' }).click();
    await page.getByLabel('Name').fill('Floor');
    await page.getByLabel('How many').fill('200');
    await page.getByLabel('Price in EUR').fill('12.5');
    await page.getByRole('button', { name: 'Save places' }).click();
    await page.getByText('200 of 200 standing places left').waitFor();
    assert.equal((await read('/v1/events/aside/pools/floor')).price, 1250);
});

test('empty, failed, and a server without anything', async (t) => {
    const server = await new Server().start();
    t.after(() => server.close());
    const page = await visitor({ origin: server.url });
    await signedIn(page, server, 'events');
    await page.getByRole('heading', { name: 'No events yet' }).waitFor();
    await axe(page);
    await page.goto(`${server.url}/admin#events/edit/none`);
    await page.getByText('This didn\'t load').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
});

for (const [device, scheme] of ['phone', 'desktop'].flatMap((d) => [[d, 'light'], [d, 'dark']])) {
    test(`axe-core finds nothing: ${device}, ${scheme}`, async () => {
        const page = await admin('events', { device, scheme });
        for (const view of ['events', 'events/edit/opera', 'calendars/edit/rivera', 'groups/new', 'events/seats/opera', 'events/import/opera']) {
            await page.evaluate((hash) => { location.hash = hash; }, view);
            await page.locator(`.body[aria-busy=false] ${view === 'events' ? '.items' : /seats|import/.test(view) ? '.part:not(.record *)' : '.record'}`).first().waitFor();
            await axe(page, `${view} ${device} ${scheme}`);
            const wide = await tooWide(page);
            assert.ok(wide <= 0, `${view}: it is ${wide} px too wide`);
        }
    });
}
