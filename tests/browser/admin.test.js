/* SPDX-License-Identifier: Apache-2.0 */
/* The frame of /admin: nothing without the key, a wrong one explained, and the key in memory only. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { browser } = require('./lib/browser.js');
const { signIn, signedIn } = require('./lib/admin.js');

const { hf, visitor, axe } = browser();

test('nothing is asked of the server before the key works, and a wrong key is explained', async () => {
    const page = await visitor();
    const asked = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/admin');
    await page.getByLabel('Admin key').waitFor();
    assert.deepEqual(asked.filter((path) => !/^\/(admin|favicon|assets\/)/.test(path)), []);
    await axe(page);
    await signIn(page, 'nonsense');
    await page.getByText('This key does not work').waitFor();
    await axe(page);
    await signIn(page, hf.app.bearer);
    await page.getByText('This is not the admin key').waitFor();
    assert.deepEqual([...new Set(asked.filter((path) => /^\/v1|^\/metrics|^\/readyz/.test(path)))], ['/v1/keys']);
    assert.deepEqual(asked.filter((path) => /pages\/admin\/(?!views?\.js)/.test(path)), [], 'no view is loaded');
    await signIn(page, hf.adminKey);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
});

test('while a view loads there is a skeleton, and a user who goes on meanwhile gets the next one', async () => {
    const page = await visitor();
    let answer;
    await page.route('**/v1/refunds-due*', async (route) => {
        await new Promise((resolve) => { answer = resolve; });
        await route.continue().catch(() => {}); /* nobody waits for it any more */
    });
    await page.goto('/admin#refunds');
    await signIn(page, hf.adminKey);
    await page.locator('.body[aria-busy=true] .skeleton').first().waitFor();
    await axe(page);
    await page.keyboard.press('Tab'); /* Skip to content, or the first link: the navigation works by keyboard */
    await page.getByRole('link', { name: 'System health' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('New holds are accepted').waitFor();
    answer();
    await page.locator('.body[aria-busy=false]').waitFor();
    assert.equal(await page.getByRole('link', { name: 'System health' }).getAttribute('aria-current'), 'page');
    assert.equal(await page.getByText('Nothing to pay back').count(), 0);
});

test('the key is in memory only: nothing stores it, no address has it, a reload and signing out forget it', async () => {
    const page = await visitor();
    const carriers = [];
    page.on('request', (request) => carriers.push(request.url()));
    await signedIn(page, hf, 'health');
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]));
    assert.ok(!stored.includes(hf.adminKey), stored);
    assert.ok(carriers.every((url) => !url.includes(hf.adminKey)));
    await page.reload();
    await signIn(page, hf.adminKey);
    await page.getByRole('heading', { name: 'System health' }).waitFor(); /* where it was */
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Admin key').waitFor();
    assert.equal(await page.getByLabel('Admin key').inputValue(), '');
    assert.equal(await page.locator('.view').count(), 0);
});

test('a fragment that cannot be read is the first view', async () => {
    const page = await signedIn(await visitor(), hf, '%');
    await page.locator('.views [aria-current=page]').waitFor();
});

test('a server that cannot be reached is reported, with a way to try again', async () => {
    const page = await visitor();
    await page.goto('/admin#health');
    await page.getByLabel('Admin key').waitFor();
    await page.route('**/v1/keys*', (route) => route.abort('internetdisconnected'), { times: 1 });
    await signIn(page, hf.adminKey);
    await page.getByText('Can\'t reach the server').waitFor();
    await page.route('**/readyz', (route) => route.fulfill({ status: 500, contentType: 'application/problem+json',
        body: JSON.stringify({ status: 500, code: 'internal', detail: 'Broken.' }) }), { times: 1 });
    await signIn(page, hf.adminKey);
    await page.getByText('This didn\'t load').waitFor();
    await axe(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.body[aria-busy=false]').waitFor();
    await page.context().setOffline(true);
    await page.getByText('What you see may be out of date').waitFor();
});
