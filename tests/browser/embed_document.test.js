/* SPDX-License-Identifier: Apache-2.0 */
/* The shop of docs/embed.md, as written there, on another origin: bought as a guest, and by a user who is signed in. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { makeCalendar } = require('../conformance/lib/calendars.js');
const { PROGRAM } = require('../conformance/lib/server.js');
const { browser } = require('./lib/browser.js');

const root = path.join(__dirname, '../..');
const SERVER = 'https://tickets.example';
const START = 'createServer(shop).listen(3000);';

const web = http.createServer((request, response) => web.shop(request, response)).listen(0);
web.unref();
const origin = () => `http://127.0.0.1:${web.address().port}`;
const { hf, visitor, axe } = browser({ command: 'demo', args: ['--cors', origin()], prepare: begin });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-shop-'));
test.after(() => fs.rmSync(folder, { recursive: true }));
let member; /* the page for a user who is signed in */
const buyer = () => visitor({ origin: origin(), also: hf.url });

/* The blocks of the section, by language, in their order. */
function blocks() {
    const [, section] = /^## A shop, whole\n([^]*?)^## /m.exec(fs.readFileSync(path.join(root, 'docs/embed.md'), 'utf8'));
    const of = (language) => [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text]) => text.replaceAll(SERVER, hf.url));
    return { html: of('html'), js: of('js') };
}

/* A folder with the files of the document and the client. Its server listens where chromium may go. */
async function begin() {
    const client = path.join(folder, 'node_modules/holdfast-client');
    fs.cpSync(path.join(root, 'clients/js/src'), path.join(client, 'src'), { recursive: true });
    fs.copyFileSync(path.join(root, 'clients/js/package.json'), path.join(client, 'package.json'));
    execFileSync('node', [path.join(root, 'clients/generate/main.js'), 'js', path.join(client, 'api')], { env: { ...process.env, HOLDFAST: path.resolve(PROGRAM) } });
    const { html: [index, thanks, signedIn], js: [script, shop] } = blocks();
    assert.ok(shop.includes(START));
    const files = { 'index.html': index, 'thanks.html': thanks, 'thanks.js': script, 'package.json': '{"type":"module"}',
        'shop.js': `process.env.HOLDFAST_KEY = ${JSON.stringify(hf.app.bearer)};\n${shop.replace(START, 'export { shop };')}` };
    Object.entries(files).forEach(([name, text]) => fs.writeFileSync(path.join(folder, name), text));
    process.chdir(folder); /* it reads its files where it was started */
    web.shop = (await import(pathToFileURL(path.join(folder, 'shop.js')))).shop;
    member = index.replace(/<holdfast-seats[^]*<\/holdfast-basket>\n/, signedIn.replaceAll('eyJ…', hf.user('user-ann').bearer));
}

test('a guest buys', async () => {
    const page = await buyer();
    await page.goto('/');
    await page.getByRole('button', { name: 'Best available' }).click();
    await page.locator('[data-basket="2"]').waitFor();
    await page.getByRole('button', { name: 'Check out' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Ann Example');
    await page.getByLabel(/^E-mail/).fill('ann@example.org');
    await axe(page);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForURL(/\/pay\?order=res_/);
    const id = new URL(page.url()).searchParams.get('order');
    await page.getByRole('button', { name: 'Pay now' }).click();
    await page.waitForURL(`**/thanks?order=${id}`);
    await page.locator('[data-ticket]').nth(1).waitFor();
    await axe(page);
    const { json } = await hf.app.get(`/v1/reservations/${id}`);
    assert.deepEqual([json.status, json.attributes.name, json.attributes.email], ['confirmed', 'Ann Example', 'ann@example.org']);
});

test('a user who is signed in is asked nothing, and the order has their name', async (t) => {
    const page = await buyer();
    const index = fs.readFileSync('index.html');
    t.after(() => fs.writeFileSync('index.html', index));
    fs.writeFileSync('index.html', member);
    await page.goto('/');
    await page.getByRole('button', { name: 'Best available' }).click();
    await page.locator('[data-basket="2"]').waitFor();
    await page.getByRole('button', { name: 'Check out' }).click();
    await page.waitForURL(/\/pay\?order=res_/);
    const id = new URL(page.url()).searchParams.get('order');
    const { json: held } = await hf.app.get(`/v1/reservations/${id}`);
    assert.deepEqual([held.user_id, held.attributes.name, held.attributes.email], ['user-ann', 'Ann Example', 'ann@example.org']);
    assert.ok(held.payment_started_at);
    await page.goBack();
    await page.getByRole('button', { name: 'Check out' }).click(); /* not paid yet: there again */
    await page.getByRole('button', { name: 'Pay now' }).click();
    await page.waitForURL(`**/thanks?order=${id}`);
    assert.equal((await hf.app.get(`/v1/reservations/${id}`)).json.status, 'confirmed');
});

test('what the page knows is filled in, what the buyer enters stays, and Pay is asked for without `skip-details`', async () => {
    const page = await buyer();
    await page.goto('/');
    await page.evaluate(() => {
        const basket = document.querySelector('holdfast-basket');
        basket.setAttribute('buyer-name', 'Known Name');
        basket.setAttribute('buyer-email', 'known@example.org');
    });
    await page.getByRole('button', { name: 'Best available' }).click();
    await page.getByRole('button', { name: 'Check out' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.waitFor();
    assert.deepEqual([await name.inputValue(), await page.getByLabel(/^E-mail/).inputValue()], ['Known Name', 'known@example.org']);
    await name.fill('Another Name');
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await page.waitForURL(/\/pay\?order=res_/);
    const { json } = await hf.app.get(`/v1/reservations/${new URL(page.url()).searchParams.get('order')}`);
    assert.deepEqual([json.attributes.name, json.attributes.email], ['Another Name', 'known@example.org']);
});

test('a calendar gives what it knows to the form inside it', async () => {
    const page = await visitor();
    await page.goto(`/c/${await makeCalendar(hf, { payment: 'none' })}`);
    await page.locator('holdfast-calendar').evaluate((calendar) => calendar.setAttribute('buyer-name', 'Known Name'));
    await page.locator('[data-slot]').first().click();
    await page.getByRole('button', { name: 'Book' }).click();
    await page.getByLabel('Name', { exact: true }).waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Known Name');
});
