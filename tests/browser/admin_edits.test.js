/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of /admin while somebody edits: what is not saved is not lost silently, by leaving or by somebody else's save. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { makeCalendar } = require('../conformance/lib/calendars.js');
const { browser } = require('./lib/browser.js');
const { signedIn } = require('./lib/admin.js');

const { hf, visitor, looks } = browser({ prepare: fill });

async function fill(server) {
    await makeEvent(server, { id: 'opera', name: 'Night at the opera', venue: 'City hall', pools: { floor: 50 }, waiting_room: { rate_per_second: 5 } });
    await makeCalendar(server, { id: 'rivera', name: 'Dr. Rivera', timezone: 'Europe/Madrid' });
    await makeCalendar(server, { id: 'sato', name: 'Dr. Sato', timezone: 'Europe/Madrid' });
    await makeCalendar(server, { id: 'okoye', name: 'Dr. Okoye', timezone: 'Europe/Madrid' });
}

const admin = async (view, options) => signedIn(await visitor(options), hf, view);
const goTo = (page, name) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true }).click();
const question = (page) => page.getByRole('dialog', { name: 'Leave without saving?' });
const focused = (page) => page.evaluate(() => document.activeElement.textContent.trim() || document.activeElement.id);

/* ---- Leaving ---- */

test('a form with changes asks before another view, and only then', async () => {
    const page = await admin('events/edit/opera');
    await goTo(page, 'Calendars');
    await page.getByRole('heading', { name: 'Calendars', level: 1 }).waitFor();
    await page.goBack();
    await page.getByLabel('Venue').fill('Another hall');
    await goTo(page, 'Groups');
    await question(page).waitFor();
    await looks(page, 'admin-leave-desktop', { shots: [] });
    await page.keyboard.press('Escape');
    await question(page).waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Venue').inputValue(), 'Another hall');
    assert.match(page.url(), /#events\/edit\/opera$/);
    assert.equal(await focused(page), 'Groups', 'the focus is where it was');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await question(page).getByRole('button', { name: 'Stay here' }).click();
    await page.getByLabel('Venue').fill('City hall');
    await goTo(page, 'Groups'); /* as it was: nothing to ask */
    await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor();
    await page.goBack();
    await page.getByLabel('Most for each buyer').fill('4');
    await page.goForward();
    await question(page).getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor();
    assert.equal((await hf.admin.get('/v1/events/opera')).json.per_user_limit, 0);
});

/* Whether the browser asks before it leaves the page. */
async function asksToUnload(page) {
    let asked = false;
    page.once('dialog', (dialog) => {
        asked = dialog.type() === 'beforeunload';
        dialog.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await page.evaluate(() => 0).catch(() => {}); /* answered: it stays, or it is gone */
    return asked;
}

test('closing the page asks too: typed and not left, saved, of a new record, of standing places, of a pace', async () => {
    const page = await admin('events/edit/opera');
    await page.getByLabel('Description').pressSequentially('Typed');
    assert.equal(await asksToUnload(page), true, 'before the field is left');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Night at the opera is saved').waitFor();
    await goTo(page, 'Events');
    await page.getByRole('link', { name: 'New event' }).click();
    await page.getByRole('heading', { name: 'New event' }).waitFor();
    await page.getByLabel('Name').fill('Another');
    assert.equal(await asksToUnload(page), true);
    await page.getByLabel('Name').fill('');
    await goTo(page, 'Events');
    await page.getByRole('link', { name: 'Seats of Night at the opera' }).click();
    await page.getByRole('button', { name: 'Edit floor' }).click();
    await page.getByLabel('How many').fill('60');
    await goTo(page, 'Waiting rooms');
    await question(page).getByRole('button', { name: 'Leave' }).click();
    await page.getByLabel('Let in at most, each second').fill('9');
    assert.equal(await asksToUnload(page), true);
    await page.getByRole('button', { name: 'Set pace' }).click();
    await page.getByText('The new pace holds from now on').waitFor();
    assert.equal(await asksToUnload(page), false);
});

test('what is deleted is not asked about', async () => {
    await makeEvent(hf, { id: 'gone', name: 'Gone' });
    const page = await admin('events/edit/gone');
    await page.getByLabel('Venue').fill('Nowhere');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Really delete?' }).click();
    await page.getByRole('link', { name: 'New event' }).waitFor();
});
