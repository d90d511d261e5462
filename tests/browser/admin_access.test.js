/* SPDX-License-Identifier: Apache-2.0 */
/* /admin: keys, shown once, rotated and revoked; codes of an event, made, imported and used. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { unique } = require('../conformance/lib/server.js');
const { browser } = require('./lib/browser.js');
const { signedIn } = require('./lib/admin.js');

const { hf, visitor, axe } = browser();
const works = async (key) => (await hf.bearer(key).get('/v1/reservations')).status === 200;
const codesOf = async (event) => (await hf.admin.get(`/v1/events/${event}/codes`)).json.data;

test('a key is created, shown once, and works; leaving before it is saved asks', async () => {
    const name = unique('shop');
    const page = await signedIn(await visitor(), hf, 'keys');
    await page.getByLabel('Name').fill('not a name');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Use 1 to 64 letters').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.name), 'name');
    await axe(page);
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create key' }).click();
    const shown = page.locator(`[data-shown=${name}]`);
    const key = await shown.locator('.secret').innerText();
    assert.ok(await works(key));
    assert.ok(await shown.evaluate((card) => card === document.activeElement), 'it has the focus');
    await axe(page);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click();
    await shown.getByRole('button', { name: 'I have saved it' }).click();
    assert.ok(!(await page.content()).includes(key), 'it is shown no more');
    await page.goto('/admin#audit');
    await page.locator('[data-audit="key put"]').getByText(name).waitFor();
});

test('a key is rotated, with time for the old one, and revoked', async () => {
    const name = unique('door');
    const { key: old } = (await hf.admin.post('/v1/keys', { name, role: 'app' })).json;
    const page = await signedIn(await visitor(), hf, 'keys');
    const row = page.locator(`[data-key=${name}]`);
    await row.getByRole('button', { name: `Rotate ${name}` }).click();
    await row.getByLabel('The old key works for').selectOption({ label: 'One more hour' });
    await axe(page);
    await row.getByRole('button', { name: 'Make a new key' }).click();
    const made = await page.locator(`[data-shown=${name}] .secret`).innerText();
    await row.getByText('The old key works until').waitFor();
    assert.deepEqual([await works(old), await works(made)], [true, true]);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await row.getByRole('button', { name: `Revoke ${name}` }).click();
    await row.getByRole('button', { name: 'Keep it' }).click();
    assert.ok(await works(made));
    await row.getByRole('button', { name: `Revoke ${name}` }).click();
    await row.getByRole('button', { name: 'Revoke now' }).click();
    await page.getByText(`${name} is revoked.`).waitFor();
    assert.equal(await row.count(), 0);
    assert.deepEqual([await works(old), await works(made)], [false, false]);
});

test('codes: one by name, random ones as a file, and how much of each is used', async () => {
    const event = await makeEvent(hf, { name: 'A sale by code', access: 'code', seats: 'A1-A9' });
    const page = await signedIn(await visitor(), hf, `codes/${event}`);
    await page.getByText('No codes yet').waitFor();
    await axe(page);
    await page.getByLabel('Code', { exact: true }).fill('no');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Use 4 to 64 letters').waitFor();
    await page.getByLabel('Code', { exact: true }).fill('FRIENDS');
    await page.getByLabel('Places per code').fill('2');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('1 code created').waitFor();
    assert.equal((await hf.app.post('/v1/reservations', { user_id: 'ann', code: 'FRIENDS', items: items(event, 'A1-A2') })).status, 201);
    await page.getByLabel('How many').fill('40');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('40 codes created').waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download them as CSV' }).click()]);
    const [head, ...made] = fs.readFileSync(await file.path(), 'utf8').trim().split('\n');
    assert.equal(head, 'code,units,tiers,allotment');
    assert.equal(new Set(made).size, 40);
    made.forEach((line) => assert.match(line, /^[2-9A-Z]{4}-[2-9A-Z]{4},1,,$/));
    const friends = page.locator('[data-code=FRIENDS]');
    await friends.getByText('2 of 2 used').waitFor();
    await friends.getByText('Used up').waitFor();
    await axe(page);
    await friends.getByRole('button', { name: 'Delete the code FRIENDS' }).click();
    await friends.getByRole('button', { name: 'Really delete?' }).click();
    await page.getByText('FRIENDS is deleted').waitFor();
    assert.equal((await codesOf(event)).length, 40);
});

test('codes from a file: a wrong line is named and nothing changes, a right one is imported', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const page = await signedIn(await visitor(), hf, `codes/${event}`);
    await page.getByText('This event is open to everyone').waitFor();
    const pick = (text) => page.getByLabel('CSV file').setInputFiles({ name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await pick('code,units\nGOOD-ONE,2\nno,1\n');
    await page.getByText('Line 3:').waitFor();
    assert.deepEqual(await codesOf(event), []);
    await pick('code,units,tiers\nGOOD-ONE,2,gold;silver\nPRESS,0,\n');
    await page.getByText('2 created, 0 updated.').waitFor();
    await page.locator('[data-code=GOOD-ONE]').getByText('Tiers: gold, silver').waitFor();
    await page.locator('[data-code=PRESS]').getByText('no limit').waitFor();
});
