/* SPDX-License-Identifier: Apache-2.0 */
/* The door's own storage: what is shown is on disk, the copy of the page, other tabs, and a browser that stores nothing. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { browser } = require('./lib/browser.js');
const { doorKey, gates, result, log, type, kept, offLine } = require('./lib/door.js');

const kit = browser({ prepare: doorKey });
const { hf, visitor, axe } = kit;
const { show, sold, atGate, past } = gates(kit);

/* From the `n`th on, what the page writes of scans is not done until release() is called. */
const holdWrites = (page, n) => page.evaluate((free) => {
    const transaction = IDBDatabase.prototype.transaction;
    globalThis.held = 0;
    IDBDatabase.prototype.transaction = function (name, mode, options) {
        const made = transaction.call(this, name, mode, options);
        const wait = () => { made.objectStore(name).get(0).onsuccess = () => globalThis.held && wait(); };
        if (name === 'scans' && mode === 'readwrite' && free-- <= 1) {
            globalThis.held++;
            wait();
        }
        return made;
    };
    globalThis.release = () => {
        IDBDatabase.prototype.transaction = transaction;
        globalThis.held = 0;
    };
}, n);
/* Anything else that makes the page draw itself. */
const redraw = (page) => page.evaluate(() => dispatchEvent(new Event('offline')));

test('what staff did is shown when it is on disk, not before', async () => {
    const event = await show();
    const [twice, other] = [await sold(event, 'A1'), await sold(event, 'A2')];
    const page = await atGate(event);
    await kept(page);
    await offLine(page);
    await type(page, twice.form);
    await holdWrites(page, 2); /* the scan is written, but not yet what it displaces */
    await page.getByLabel('Code of the ticket').fill(other.form);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => globalThis.held === 1);
    await redraw(page);
    assert.deepEqual([await log(page), await result(page, 'busy').count()], [['unchecked'], 1]);
    await page.evaluate(() => globalThis.release());
    await page.locator('[data-scan]').nth(1).waitFor();
    assert.equal(await result(page, 'unchecked').count(), 1);

    assert.equal((await hf.door.post('/v1/check-ins', { code: twice.code, gate: 'south' })).status, 200);
    await page.context().setOffline(false);
    await page.locator('[data-waiting="0"][data-reachable=true]').waitFor();
    await holdWrites(page, 1);
    await page.getByRole('button', { name: 'Resolved' }).click();
    await page.waitForFunction(() => globalThis.held === 1);
    await redraw(page);
    assert.equal(await page.locator('[data-conflict]').count(), 1);
    await page.evaluate(() => globalThis.release());
    await page.locator('[data-conflict]').waitFor({ state: 'detached' });
});

test('the copy of an older build goes, and nothing of the API is in the new one', async () => {
    const page = await visitor();
    await page.goto('/licenses');
    const older = 'holdfast-door /assets/000000000000';
    await page.evaluate((name) => caches.open(name), older);
    await page.goto('/door');
    /* Only names are asked for while it may still be deleted: opening it would create it again. */
    const [copy] = await hf.eventually(() => page.evaluate(() => caches.keys()), (all) => all.length === 1 && all[0] !== older,
        'only the copy of this build is left');
    const held = await page.evaluate(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname), copy);
    assert.ok(held.includes('/door') && held.length > 20, held.join(' '));
    assert.deepEqual(held.filter((path) => !/^\/(door|favicon\.svg|assets\/[0-9a-f]{12}\/.+)$/.test(path)), []);
});

test('a new tab without the key goes on offline, and sends once it has one', async () => {
    const event = await show();
    const ticket = await sold(event, 'A1');
    const first = await atGate(event);
    await kept(first);
    const context = first.context();
    await first.close();
    await context.setOffline(true);
    const page = await context.newPage();
    await page.goto('/door');
    await page.getByText('No door key').waitFor();
    assert.equal((await type(page, ticket.form)).result, 'unchecked');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Enter a key' }).click();
    await page.getByText('1 scan waiting to be sent').waitFor();
    await page.getByLabel('Door key').fill(hf.door.key);
    await page.keyboard.press('Enter');
    await page.locator('[data-waiting="0"][data-reachable=true]').waitFor();
    await past(ticket, 'checked_in');
});

test('a second tab does not open the same door', async () => {
    const page = await atGate(await show());
    const second = await page.context().newPage();
    await second.goto('/door');
    await second.getByText('open in another tab').waitFor();
});

test('a browser that stores nothing: the page says what to do, not the browser\'s own words', async () => {
    const blocked = {
        'refused at once': () => { IDBFactory.prototype.open = () => { throw new DOMException('The operation is insecure.', 'SecurityError'); }; },
        'refused later': () => { IDBFactory.prototype.open = () => { const request = { error: new DOMException('Internal error.', 'UnknownError') }; setTimeout(() => request.onerror()); return request; }; },
        'none at all': () => Object.defineProperty(globalThis, 'indexedDB', { value: undefined }),
        'no tab\'s own': () => { Storage.prototype.getItem = () => { throw new DOMException('Access is denied for this document.', 'SecurityError'); }; },
    };
    for (const [how, block] of Object.entries(blocked)) {
        const page = await visitor();
        await page.addInitScript(block);
        await page.goto('/door');
        await page.getByRole('alert').getByText('This browser blocks storage').waitFor();
        assert.equal(await page.getByText(/insecure|Internal|denied for/).count(), 0, how);
        how === 'none at all' && await axe(page);
    }
    const page = await visitor(); /* full, as it is found when the door is opened */
    await page.goto('/door');
    await page.getByLabel('Door key').fill(hf.door.bearer);
    await page.evaluate(() => { IDBObjectStore.prototype.put = () => { throw new DOMException('Quota.', 'QuotaExceededError'); }; });
    await page.getByRole('button', { name: 'Open the door' }).click();
    await page.getByRole('alert').getByText('This browser blocks storage').waitFor();
});
