/* SPDX-License-Identifier: Apache-2.0 */
/* A hall drawn in /admin: by pointer and by keyboard, with a way back, saved, and sold from. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent, hold, items } = require('../conformance/lib/catalogue.js');
const { browser } = require('./lib/browser.js');
const { signedIn } = require('./lib/admin.js');

const { hf, visitor, axe, looks } = browser();

async function drawing(event, options, settings) {
    await makeEvent(hf, { id: event, name: 'The drawn hall', ...settings });
    return signedIn(await visitor(options), hf, `events/draw/${event}`);
}

const seatsOf = async (event) => new Map((await hf.admin.get(`/v1/events/${event}/seats`)).json.seats.map((seat) => [seat.id, seat]));
const fill = async (page, fields) => {
    const form = page.locator('.block-form');
    for (const [label, value] of Object.entries(fields)) {
        const field = ['combobox', 'spinbutton', 'textbox'].map((role) => form.getByRole(role, { name: label, exact: true })).reduce((one, other) => one.or(other));
        await (await field.evaluate((one) => one.tagName) === 'SELECT' ? field.selectOption(value) : field.fill(value));
    }
};
const save = async (page) => {
    await page.getByRole('button', { name: /^Save \d/ }).click();
    await page.getByText(/seats saved/).waitFor();
};

test('a hall is drawn, saved and sold from', async () => {
    const page = await drawing('drawn');
    await page.getByRole('button', { name: '+ Rows' }).click();
    await fill(page, { Section: 'Stalls', Rows: '5', 'Seats per row': '10', 'Curve, degrees': '40', 'Numbers run': 'right' });
    await page.getByRole('button', { name: '+ Table' }).click();
    await fill(page, { Section: 'Tables', 'Seats per table': '6', 'Tables across': '3' });
    await page.getByRole('group', { name: 'standard' }).getByLabel('Price in EUR').fill('45.50');
    await page.getByRole('group', { name: 'standard' }).getByLabel('Tier').fill('gold');
    await page.getByText('68 seats in 2 blocks').waitFor();
    await save(page);
    const seats = await seatsOf('drawn');
    assert.equal(seats.size, 68);
    const [left, right] = [seats.get('Stalls-A-10'), seats.get('Stalls-A-1')];
    assert.ok(left.x < right.x, 'numbers run from the right');
    assert.deepEqual([left.section, left.row, left.number, left.tier, left.price], ['Stalls', 'A', '10', 'gold', 4550]);
    assert.ok(seats.get('Stalls-A-5').y > left.y, 'on an arc, the ends towards the front');
    assert.ok(seats.has('Tables-3-6'));
    await axe(page);

    const buyer = await visitor();
    await buyer.goto('/e/drawn');
    await buyer.locator('[data-seat="Tables-2-4"][data-status=available]').click();
    await buyer.locator('[data-seat="Tables-2-4"][data-status=mine]').waitFor();
    await buyer.locator('[data-seat="Stalls-C-7"]').click();
    await buyer.locator('[data-seat="Stalls-C-7"][data-status=mine]').waitFor();
    await buyer.getByRole('button', { name: 'Check out' }).click();
    await buyer.getByLabel('Name', { exact: true }).fill('Ann Example');
    await buyer.getByLabel('E-mail').fill('ann@example.org');
    await buyer.getByRole('button', { name: 'Confirm' }).click();
    await buyer.waitForURL(/\/o\/res_/);
    assert.equal((await hf.admin.get('/v1/events/drawn')).json.counts.sold, 2);
});

test('blocks are dragged, undone and done again', async () => {
    const page = await drawing('dragged');
    await page.getByRole('button', { name: '+ Rows' }).click();
    const right = page.getByLabel('To the right');
    const hull = page.locator('.surface .opened .hull');
    const box = await hull.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    const moved = Number(await right.inputValue());
    assert.ok(moved > 1, `moved by ${moved}`);
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await right.inputValue(), '0');
    await page.getByRole('button', { name: 'Redo' }).click();
    assert.equal(Number(await right.inputValue()), moved);
    await fill(page, { Rows: '3' });
    await page.getByRole('button', { name: 'Copy block' }).click();
    await page.getByText('72 seats in 2 blocks').waitFor();
    await page.locator('.surface svg').focus();
    for (const expected of ['36 seats in 1 block', '96 seats in 1 block']) {
        await page.keyboard.press('Control+z');
        await page.getByText(expected).waitFor();
    }
    await page.keyboard.press('Control+z');
    assert.equal(await right.inputValue(), '0', 'the way back goes on to what was dragged');
    await page.keyboard.press('Control+Shift+z');
    await page.keyboard.press('Control+y');
    await page.getByText('36 seats in 1 block').waitFor();
    await page.reload();
    await signedIn(page, hf, 'events/draw/dragged');
    await page.getByText('36 seats in 1 block').waitFor(); /* a drawing survives a reload */
});

test('by keyboard alone: a block, its form, an allotment, saved', async () => {
    const page = await drawing('keys');
    await page.getByRole('button', { name: '+ Rows' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Circle');
    for (const [label, value] of [['Rows', '2'], ['Seats per row', '4']]) {
        await page.locator('.block-form').getByLabel(label, { exact: true }).focus();
        await page.keyboard.press('Control+a');
        await page.keyboard.type(value);
    }
    await page.locator('.surface svg').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    assert.equal(await page.getByLabel('To the right').inputValue(), '5.5');
    await page.locator('.seats-panel').getByLabel('Rows').focus();
    await page.keyboard.type('B');
    await page.keyboard.press('Tab');
    await page.keyboard.type('1-2');
    await page.keyboard.press('Enter');
    await page.getByText('2 seats chosen').waitFor();
    await page.getByLabel('Allotment').focus();
    await page.keyboard.type('club');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save 8 seats' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('8 seats saved').waitFor();
    const allotments = await Promise.all(['B-1', 'B-2', 'B-3'].map(async (seat) => (await hf.admin.get(`/v1/events/keys/seats/Circle-${seat}`)).json.allotment));
    assert.deepEqual(allotments, ['club', 'club', null]);
});

test('allotments by a frame around seats; marks; odd and even; what is no longer drawn is removed', async () => {
    const page = await drawing('framed');
    await page.getByRole('button', { name: '+ Rows' }).click();
    await fill(page, { Section: 'Left', Rows: '2', 'Seats per row': '4', Numbers: 'odd' });
    await page.getByRole('button', { name: 'Mirror block' }).click();
    await fill(page, { Section: 'Right', Numbers: 'even', 'To the right': '6' });
    await page.getByRole('radio', { name: 'Choose seats' }).check();
    const box = await page.locator('.surface .opened .hull').boundingBox();
    await page.mouse.move(box.x - 2, box.y - 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width + 2, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    await page.getByText('4 seats chosen').waitFor();
    await page.getByLabel('Allotment').fill('sponsor');
    await page.getByRole('button', { name: 'Set aside' }).click();
    await page.getByRole('button', { name: 'Add tier' }).click();
    await page.getByRole('combobox', { name: 'Tier of these seats' }).selectOption('tier 2');
    await page.getByRole('button', { name: 'Accessible' }).click();
    await save(page);
    const seats = await seatsOf('framed');
    assert.deepEqual([...seats.keys()].filter((id) => id.startsWith('Left-A')), ['Left-A-1', 'Left-A-3', 'Left-A-5', 'Left-A-7']);
    assert.ok(seats.get('Right-A-2').x > seats.get('Right-A-8').x, 'mirrored: from the right');
    assert.equal((await hf.admin.get('/v1/events/framed/seats/Right-A-2')).json.allotment, 'sponsor');
    assert.deepEqual([seats.get('Right-A-2').tier, seats.get('Right-A-2').accessible, seats.get('Right-B-2').tier], ['tier 2', true, 'standard']);
    await page.getByRole('button', { name: 'Undo' }).click(); /* which takes nothing back from the server */
    await page.getByRole('button', { name: 'Remove block' }).click();
    await save(page);
    await page.getByText('8 seats drawn before were removed').waitFor();
    assert.equal((await seatsOf('framed')).size, 8);
});

test('what cannot be saved is explained: the same seat twice, a seat that is sold', async () => {
    const page = await drawing('refused');
    await page.getByRole('button', { name: '+ Rows' }).click();
    await fill(page, { Section: 'S', Rows: '1', 'Seats per row': '3' });
    await page.getByRole('button', { name: 'Mirror block' }).click();
    await fill(page, { Section: 'S' });
    await page.getByText('Seat S-A-1 is drawn twice').or(page.getByText('Seat S-A-3 is drawn twice')).waitFor();
    assert.ok(await page.getByRole('button', { name: /^Save 6/ }).isDisabled());
    await axe(page);
    await page.getByRole('button', { name: 'Remove block' }).click();
    await save(page);
    await hold(hf.user('ann'), items('refused', 'S-A-2'));
    await fill(page, { Section: 'S', Rows: '1', 'Seats per row': '1' });
    await page.getByRole('button', { name: /^Save 1/ }).click();
    await page.getByRole('alert').waitFor();
    assert.equal((await seatsOf('refused')).size, 3, 'a seat that is held stays');
});

test('seats that the event has besides are shown and stay', async () => {
    const page = await drawing('besides', {}, { seats: [{ id: 'X1', x: 0, y: 0, price: 100 }, { id: 'X2', x: 1, y: 0, price: 100 }] });
    await page.locator('.surface .still').waitFor();
    await page.getByRole('button', { name: '+ Table' }).click();
    await save(page);
    const seats = await seatsOf('besides');
    assert.equal(seats.size, 10);
    assert.equal(seats.get('X2').price, 100);
});

test('a hall larger than one import is sent in slices, with progress, and goes on after a failure', async () => {
    const page = await drawing('large');
    await page.getByRole('button', { name: '+ Rows' }).click();
    await fill(page, { Rows: '101', 'Seats per row': '100' });
    const sizes = [];
    await page.route('**/v1/events/large/seats', async (route) => {
        const { length } = route.request().postDataJSON() ?? [];
        length && sizes.push(length);
        if (length === 100 && sizes.length === 2) {
            await page.getByText('10,000 of 10,100 seats sent').waitFor();
            await route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify({ status: 409, code: 'conflict', detail: 'Not now.' }) });
        } else {
            await route.continue();
        }
    });
    await page.getByRole('button', { name: /^Save 10,100/ }).click();
    await page.getByText('10,000 of 10,100 seats saved. Save again to continue from there.').waitFor();
    await axe(page);
    await page.reload();
    await signedIn(page, hf, 'events/draw/large');
    await page.getByRole('button', { name: /^Save 10,100/ }).click();
    await page.getByText('10,100 seats saved').waitFor();
    assert.deepEqual(sizes, [10_000, 100, 100]);
    assert.equal((await hf.admin.get('/v1/events/large')).json.counts.seats, 10_100);
});

test('a save that was cut short begins anew where the event has lost its seats', async () => {
    const page = await drawing('anew');
    await page.getByRole('button', { name: '+ Rows' }).click();
    await fill(page, { Section: 'S', Rows: '1', 'Seats per row': '3' });
    await page.getByText('3 seats in 1 block').waitFor();
    await page.evaluate(() => {
        const key = 'holdfast:hall:anew';
        localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), reached: 2 }));
    });
    await page.reload();
    await signedIn(page, hf, 'events/draw/anew');
    await save(page);
    assert.deepEqual([...(await seatsOf('anew')).keys()], ['S-A-1', 'S-A-2', 'S-A-3']);
});

test('a drawing goes to a file and comes from one, for another event too', async () => {
    const page = await drawing('filed');
    await page.getByText('It is kept in this browser only').waitFor();
    await page.getByRole('button', { name: '+ Rows' }).click();
    await fill(page, { Section: 'Stalls', Rows: '2', 'Seats per row': '5' });
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download drawing' }).click()]);
    assert.equal(download.suggestedFilename(), 'filed.hall.json');
    const file = await download.path();
    const other = await drawing('refiled');
    await other.getByRole('button', { name: '+ Table' }).click();
    await other.getByLabel('Open drawing').setInputFiles({ name: 'seats.csv', mimeType: 'text/csv', buffer: Buffer.from('id\nA1\n') });
    await other.getByText('seats.csv is not a drawing of a hall').waitFor();
    await other.getByLabel('Open drawing').setInputFiles(file);
    await other.getByText('10 seats in 1 block').waitFor();
    await axe(other);
    await save(other);
    assert.ok((await seatsOf('refiled')).has('Stalls-B-5'));
    await other.getByRole('button', { name: 'Undo' }).click();
    await other.getByText('8 seats in 1 block').waitFor();
});

test('where the browser keeps nothing, it says so, and asks before the drawing is lost', async () => {
    const page = await visitor();
    await page.addInitScript(() => Object.defineProperty(Storage.prototype, 'setItem', { value() { throw new DOMException('full', 'QuotaExceededError'); } }));
    await makeEvent(hf, { id: 'unkept', name: 'Unkept' });
    await signedIn(page, hf, 'events/draw/unkept');
    await page.getByRole('button', { name: '+ Rows' }).click();
    await page.getByText('The drawing is not stored in this browser').waitFor();
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Calendars' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click();
    await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download drawing' }).click()]);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Calendars' }).click();
    await page.getByRole('heading', { name: 'Calendars', level: 1 }).waitFor();
});

test('a drawing that another tab changes is announced', async () => {
    const page = await drawing('tabs');
    await page.getByRole('button', { name: '+ Rows' }).click();
    const tab = await page.context().newPage();
    await signedIn(tab, hf, 'events/draw/tabs');
    await tab.getByRole('button', { name: '+ Table' }).click();
    await page.getByText('The drawing was changed in another tab').waitFor();
    await page.getByRole('button', { name: '+ Rows' }).click();
    await page.getByText('The drawing was changed in another tab').waitFor({ state: 'detached' });
});

for (const device of ['phone', 'desktop']) {
    test(`axe-core finds nothing: ${device}, light and dark`, async () => {
        const page = await drawing(`axe-${device}`, { device });
        await page.getByRole('button', { name: '+ Rows' }).waitFor();
        await looks(page, `admin-hall-empty-${device}`, { shots: [] });
        await page.getByRole('button', { name: '+ Rows' }).click();
        await fill(page, { Section: 'Stalls', Rows: '9', 'Seats per row': '9', 'Curve, degrees': '75', 'Extra seats per row': '1', 'Parts side by side': '3' });
        await page.getByRole('button', { name: 'Add tier' }).click();
        await page.getByRole('button', { name: '+ Table' }).click();
        await fill(page, { Section: 'Gala', 'Tables across': '6', Tier: 'tier 2' });
        await page.locator('.seats-panel').getByLabel('Rows').fill('1-2');
        await page.getByRole('button', { name: 'Choose in Gala' }).click();
        await page.getByLabel('Allotment').fill('club');
        await page.getByRole('button', { name: 'Set aside' }).click();
        await page.evaluate((phone) => (phone ? document.querySelector('.board').scrollIntoView() : scrollTo(0, 0)), device === 'phone');
        await looks(page, `admin-hall-${device}`, { shots: ['light'] });
    });
}
