/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of /admin during edits: what is not saved is not lost silently, by leaving or by another user's save. */
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
    await page.waitForURL(/#events\/edit\/opera$/);
    assert.equal(await focused(page), 'Groups', 'the focus is where it was');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await question(page).getByRole('button', { name: 'Stay here' }).click();
    await page.getByLabel('Venue').fill('City hall');
    await goTo(page, 'Groups'); /* as it was: nothing to ask */
    await page.getByRole('heading', { name: 'Groups', level: 1 }).waitFor();
    await page.goBack();
    await page.getByLabel('Limit per buyer').fill('4');
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
    await page.getByText('Night at the opera saved').waitFor();
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
    await page.getByLabel('Let in at most, per second').fill('9');
    assert.equal(await asksToUnload(page), true);
    await page.getByRole('button', { name: 'Set pace' }).click();
    await page.getByText('The new pace applies from now on').waitFor();
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

test('a key that the server no longer takes is asked for above the form, which stays', async () => {
    await makeEvent(hf, { id: 'rekeyed', name: 'Rekeyed' });
    const page = await admin('events/edit/rekeyed');
    await page.getByLabel('Venue').fill('Kept');
    await page.route('**/v1/events/rekeyed', (route) => route.fulfill({ status: 401, contentType: 'application/problem+json',
        body: JSON.stringify({ status: 401, code: 'unauthenticated', detail: 'Unknown key.' }) }), { times: 1 });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Admin key' });
    await dialog.getByText('The admin key was changed').waitFor();
    await dialog.getByText('what you filled in is still here').waitFor();
    await looks(page, 'admin-renewal-desktop', { shots: [] });
    await page.evaluate(() => { location.hash = 'groups'; }); /* as Back and Forward do */
    await page.waitForFunction(() => location.hash === '#events/edit/rekeyed');
    await dialog.getByLabel('Admin key').fill('nonsense');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('This key does not work').waitFor();
    await dialog.getByLabel('Admin key').fill(hf.adminKey);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByLabel('Venue').inputValue(), 'Kept');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Rekeyed saved').waitFor();
    assert.equal((await hf.admin.get('/v1/events/rekeyed')).json.venue, 'Kept');
});

/* ---- Two at once ---- */

const read = async (path) => (await hf.admin.get(path)).json;
const saved = async (page, name) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(`${name} saved`).waitFor();
};

test('two edit one event: each keeps what the other has not touched, and sees what both have', async () => {
    await makeEvent(hf, { id: 'two', name: 'Two', venue: 'City hall', categories: ['adult'], prices: { gold: { adult: 5000 } } });
    const [ann, bob] = [await admin('events/edit/two'), await admin('events/edit/two')];
    await ann.getByLabel('Venue').fill('Ann\u2019s hall');
    await ann.getByLabel('Limit per buyer').fill('4');
    await saved(ann, 'Two');
    await bob.getByLabel('Description').fill('Bob\u2019s words');
    await bob.getByLabel('Venue').fill('Bob\u2019s hall');
    await bob.getByRole('button', { name: 'Save', exact: true }).click();
    await bob.getByRole('alert').getByText('someone else has changed: Venue.').waitFor();
    await looks(bob, 'admin-disputed-desktop', { shots: [] });
    assert.deepEqual([(await read('/v1/events/two')).venue, (await read('/v1/events/two')).description], ['Ann\u2019s hall', null], 'nothing of it saved');
    assert.equal(await bob.getByLabel('Venue').inputValue(), 'Bob\u2019s hall');
    assert.equal(await bob.getByLabel('Limit per buyer').inputValue(), '4', 'what only the other has changed is shown');
    await bob.getByRole('button', { name: 'Use theirs' }).click();
    assert.equal(await bob.getByLabel('Venue').inputValue(), 'Ann\u2019s hall');
    await bob.getByLabel('Description').fill('Bob\u2019s words');
    await bob.getByLabel('gold, adult').fill('60');
    await saved(bob, 'Two');
    const { venue, per_user_limit: limit, description, prices } = await read('/v1/events/two');
    assert.deepEqual({ venue, limit, description, prices }, { venue: 'Ann\u2019s hall', limit: 4, description: 'Bob\u2019s words', prices: { gold: { adult: 6000 } } });
    await ann.getByLabel('Description').fill('Ann\u2019s words');
    await ann.getByRole('button', { name: 'Save', exact: true }).click();
    await ann.getByRole('button', { name: 'Save mine' }).click();
    await ann.getByText('Two saved').waitFor();
    assert.equal((await read('/v1/events/two')).description, 'Ann\u2019s words');
});

test('two edit one group and one pool, which are saved whole', async () => {
    assert.equal((await hf.admin.put('/v1/groups/both', { name: 'Both', calendars: ['rivera'] })).status, 201);
    const [ann, bob] = [await admin('groups/edit/both'), await admin('groups/edit/both')];
    await ann.getByRole('button', { name: '+ Dr. Sato' }).click();
    await saved(ann, 'Both');
    await bob.getByLabel('Name').fill('Both of them');
    await saved(bob, 'Both of them');
    const { name, calendars } = await read('/v1/groups/both');
    assert.deepEqual([name, calendars], ['Both of them', ['rivera', 'sato']]);
    await ann.getByRole('button', { name: '+ Dr. Okoye' }).click();
    await hf.admin.put('/v1/groups/both', { name: 'Both of them', calendars: ['okoye'] });
    await ann.getByRole('button', { name: 'Save', exact: true }).click();
    await ann.getByText('Someone else changed this too').waitFor();
    assert.deepEqual((await read('/v1/groups/both')).calendars, ['okoye']);

    const page = await admin('events/seats/opera');
    await page.getByRole('button', { name: 'Edit floor' }).click();
    await hf.admin.put('/v1/events/opera/pools/floor', { name: 'The floor', capacity: 70, price: 100 });
    await page.getByLabel('Price in EUR').fill('12.50');
    await page.getByRole('button', { name: 'Save places' }).click();
    await page.getByText('Someone else has changed these places').waitFor();
    await page.getByRole('button', { name: 'Save places' }).click();
    await page.getByText('Standing places saved').waitFor();
    const floor = await read('/v1/events/opera/pools/floor');
    assert.deepEqual([floor.name, floor.capacity, floor.price], ['The floor', 70, 1250]);
});

test('while places are saved no others are opened, and they are not left', async () => {
    await makeEvent(hf, { id: 'stands', name: 'Stands', pools: { east: 10, west: 20 } });
    const page = await admin('events/seats/stands');
    await page.getByRole('button', { name: 'Edit east' }).click();
    await page.getByLabel('How many').fill('11');
    let go;
    const held = new Promise((resolve) => (go = resolve));
    await page.route('**/pools/east', (route) => held.then(() => route.continue()), { times: 1 });
    const asked = page.waitForRequest('**/pools/east');
    await page.getByRole('button', { name: 'Save places' }).click();
    await asked;
    for (const name of ['Edit west', 'Cancel']) {
        const button = page.getByRole('button', { name });
        assert.ok(await button.isDisabled(), name);
        await button.evaluate((one) => one.dispatchEvent(new Event('click'))); /* one that came before it was */
    }
    go();
    await page.getByText('Standing places saved').waitFor();
    assert.deepEqual([(await read('/v1/events/stands/pools/east')).capacity, (await read('/v1/events/stands/pools/west')).capacity], [11, 20]);
});

/* ---- By keyboard ---- */

test('everything that Tab reaches shows that it has the focus, in the order of the page, and not below the bar', async () => {
    const page = await admin('events/edit/opera');
    const state = () => page.evaluate(() => {
        const one = document.activeElement;
        if (!one || one === document.body) {
            return null;
        }
        if (one === globalThis.before) { /* the next part of a date */
            return { shown: true, later: true };
        }
        const marks = (element) => { const { boxShadow, outlineStyle } = getComputedStyle(element); return boxShadow !== 'none' || outlineStyle !== 'none'; };
        const shown = [one, one.nextElementSibling, one.parentElement].filter(Boolean).some(marks);
        const { left, top, width, height } = one.getBoundingClientRect();
        const above = document.elementFromPoint(Math.min(left + width / 2, innerWidth - 1), top + height / 2);
        const covered = !one.contains(above) && !above?.contains(one) && !one.closest('label')?.contains(above);
        const later = !globalThis.before || Boolean(globalThis.before.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
        globalThis.before = one;
        return { name: `${one.tagName} ${one.id || one.className} ${one.textContent.trim().slice(0, 20)}`, shown, covered, later };
    });
    for (const view of ['events', 'events/edit/opera', 'calendars/edit/rivera', 'groups/new', 'events/seats/opera', 'events/draw/opera', 'events/import/opera', 'rooms', 'find', 'ages', 'hooks', 'refunds', 'payments/all', 'funnel']) {
        await page.evaluate((hash) => { location.hash = hash; }, view);
        await page.waitForFunction((hash) => location.hash === `#${hash}` && document.querySelector('.body[aria-busy=false]'), view);
        await page.evaluate(() => { globalThis.before = null; document.activeElement?.blur(); document.querySelector('.view').tabIndex = -1; document.querySelector('.view').focus(); });
        const wrong = [];
        for (let i = 0; i < 120; i++) {
            await page.keyboard.press('Tab');
            const now = await state();
            if (!now || now.name?.startsWith('A skip')) {
                break;
            }
            (!now.shown || now.covered || !now.later) && wrong.push(now);
        }
        assert.deepEqual(wrong, [], view);
    }
});

test('the focus stays where it was, or near, when a button has done its work or what had it is gone', async () => {
    const page = await admin('rooms/opera');
    const press = async (name) => {
        await page.getByRole('button', { name, exact: true }).focus();
        await page.keyboard.press('Enter');
    };
    const has = (name) => page.waitForFunction((text) => (document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim() === text, name);
    await press('Pause');
    await has('Resume');
    await press('Resume');
    await has('Pause');
    await page.evaluate(() => { location.hash = 'calendars/edit/rivera'; });
    await page.getByRole('button', { name: 'Add a closed time' }).waitFor();
    await press('Add a closed time');
    await press('Remove Closed time 1');
    await has('Add a closed time');
    await press('Save');
    await page.getByText('Dr. Rivera saved').waitFor();
    await has('Save');
    await page.evaluate(() => { location.hash = 'events/seats/opera'; });
    await page.getByRole('button', { name: 'Add standing places' }).waitFor();
    await press('Add standing places');
    await press('Cancel');
    await has('Add standing places');
});
