/* SPDX-License-Identifier: Apache-2.0 */
/* A browser that prefers German: texts, dates and money are German on every page, refusals and errors too; and what a browser
 * gets that prefers a language without texts. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { makeCalendar, midnight, iso } = require('../conformance/lib/calendars.js');
const { browser } = require('./lib/browser.js');

const ROWS = ['A', 'B', 'C', 'D'].flatMap((row, y) => Array.from({ length: 9 }, (_, i) => (
    { id: `${row}${i + 1}`, section: 'Parkett', row, number: String(i + 1), x: i, y, tier: y < 2 ? 'Vorne' : 'Hinten', price: y < 2 ? 123450 : 6000, accessible: i === 0 })));
const about = {};
const { hf, visitor, axe, fits, tooWide, screenshot } = browser({ prepare: fill });

async function fill(server) {
    const starts = iso(midnight(server, 40) + 19 * 3600_000);
    await makeEvent(server, { id: 'konzert', name: 'Das Winterkonzert', venue: 'Stadthalle', starts_at: starts, seats: ROWS, payment: 'required',
        pools: { floor: { capacity: 80, price: 2500, name: 'Stehplätze' } }, waiting_list: true });
    await makeEvent(server, { id: 'geheim', name: 'Für Mitglieder', starts_at: starts, seats: 'A1-A9', access: 'code' });
    await makeEvent(server, { id: 'premiere', name: 'Premiere', starts_at: starts, seats: ROWS, waiting_room: { max_active: 1, by_inventory: false } });
    await server.user('first').post('/v1/events/premiere/queue', {});
    await makeCalendar(server, { id: 'praxis', name: 'Dr. Rivera', price: 4000, payment: 'none' });
    const bought = await server.app.post('/v1/reservations', { user_id: 'ann', commit: true, payment_ref: 'pi_1', attributes: { name: 'Ann Example' },
        items: [{ event: 'konzert', seat: 'C5' }, { event: 'konzert', seat: 'C6' }] });
    assert.equal(bought.status, 201, bought.text);
    about.order = `/o/${bought.json.reservation_id}#t=${bought.json.manage_token}`;
}

const german = (options) => visitor({ locale: 'de-DE', ...options });
const plain = (text) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

async function signIn(page, view) {
    await page.goto(`/admin#${view}`);
    await page.getByLabel('Admin-Schlüssel').fill(hf.adminKey);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.locator('.view .body[aria-busy=false]').waitFor();
}

test('the first page: language, title, words, a date, a price', async () => {
    const page = await german();
    await page.goto('/');
    const card = page.getByRole('link', { name: 'Das Winterkonzert' });
    await card.getByText(/^Noch 11\d Plätze$/).waitFor();
    assert.equal(await page.getAttribute('html', 'lang'), 'de');
    assert.equal(await page.title(), 'Programm · Holdfast');
    await page.getByRole('link', { name: 'Zum Inhalt springen' }).waitFor({ state: 'attached' });
    assert.match(plain(await card.innerText()), /(Mo|Di|Mi|Do|Fr|Sa|So)\., \d{1,2}\. (Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember) 20\d\d/);
    assert.match(plain(await page.getByRole('link', { name: 'Dr. Rivera' }).innerText()), /40,00 €/);
});

/* What each page must show before it is looked at. */
const PAGES = {
    home: async (page) => { await page.goto('/'); await page.getByRole('heading', { name: 'Veranstaltungen' }).waitFor(); },
    event: async (page) => {
        await page.goto('/e/konzert');
        await page.locator('[data-seat][data-status=available]').nth(1).click();
        await page.getByRole('heading', { name: 'Ihr Warenkorb' }).waitFor();
        await page.locator('[data-basket="1"]').getByText(/1\.234,50\s€/).first().waitFor();
    },
    queue: async (page) => { await page.goto('/q/premiere'); await page.locator('holdfast-queue [data-status]').waitFor(); },
    calendar: async (page) => { await page.goto('/c/praxis'); await page.locator('[data-slot]').first().click(); await page.getByRole('button', { name: 'Buchen' }).waitFor(); },
    order: async (page) => { await page.goto(about.order); await page.getByRole('heading', { name: 'Ihre Bestellung' }).waitFor(); },
    door: async (page) => { await page.goto('/door'); await page.getByRole('button', { name: 'Einlass öffnen' }).waitFor(); },
    admin: async (page) => { await signIn(page, 'events/edit/konzert'); await page.getByLabel('Höchstzahl pro Käufer').waitFor(); },
    docs: async (page) => { await page.goto('/docs/reference'); await page.getByLabel('Aufruf suchen').waitFor(); },
};

for (const device of ['phone', 'desktop']) {
    for (const [name, open] of Object.entries(PAGES)) {
        test(`${name} in German on a ${device}: ${device === 'phone' ? 'axe-core finds nothing, ' : ''}nothing is too wide`, async () => {
            const page = await german({ device });
            await open(page);
            assert.equal(await page.getAttribute('html', 'lang'), 'de');
            device === 'phone' && await axe(page);
            await fits(page, name);
            await screenshot(page, `german-${name}-${device}`);
        });
    }
}

/* Words that are split between two lines without a hyphen. */
const splitWords = () => [...document.querySelectorAll('main :is(h1, h2, dt, strong, label, .button, .switch a, [data-health] span, th)')].flatMap((one) => {
    const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
        for (const { 0: word, index } of texts.currentNode.data.matchAll(/\p{L}+/gu)) {
            const range = new Range();
            range.setStart(texts.currentNode, index);
            range.setEnd(texts.currentNode, index + word.length);
            new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1 && found.push(word);
        }
    }
    return found;
});

test('every view of /admin in German on a phone: nothing is too wide, and no word is split', async () => {
    const page = await german({ device: 'phone' });
    await signIn(page, 'live');
    for (const view of await page.locator('.views a').evaluateAll((all) => all.map((link) => link.hash.slice(1)))) {
        await page.evaluate((hash) => { location.hash = hash; }, view);
        await page.locator(`.views a[href="#${view}"][aria-current]`).waitFor();
        await page.locator('.view .body[aria-busy=false]').waitFor();
        assert.deepEqual({ wide: await tooWide(page), split: await page.evaluate(splitWords) }, { wide: 0, split: [] }, view);
    }
});

test('a refusal is in German, by its code', async () => {
    const page = await german();
    await page.goto('/e/geheim');
    await page.getByLabel('Code', { exact: true }).fill('FALSCH');
    await page.getByRole('button', { name: 'Code einlösen' }).click();
    await page.locator('[data-seat=A1]').click();
    await page.getByText('Dieser Code gilt hier nicht.').waitFor();
});

test('the page of an error is in German, and without script in English', async () => {
    const page = await german();
    assert.equal((await page.goto('/e/nirgends')).status(), 404);
    await page.getByRole('heading', { name: 'Veranstaltung nicht gefunden' }).waitFor();
    await page.getByText('Fehler 404').waitFor();
    await axe(page);
    await page.getByRole('link', { name: 'Zum Programm' }).click();
    await page.getByRole('heading', { name: 'Programm' }).waitFor();
    const bare = await german({ javaScriptEnabled: false });
    await bare.goto('/nirgends');
    await bare.getByRole('heading', { name: 'Page not found' }).waitFor();
    assert.equal(await bare.getAttribute('html', 'lang'), 'en');
});

test('a language without texts is English, dates and money as well', async () => {
    const page = await visitor({ locale: 'fr-FR' });
    await page.goto('/');
    const card = page.getByRole('link', { name: 'Das Winterkonzert' });
    await card.getByText(/^11\d places left$/).waitFor();
    assert.equal(await page.getAttribute('html', 'lang'), 'en');
    assert.match(plain(await card.innerText()), /(January|February|March|April|May|June|July|August|September|October|November|December)/);
    await page.getByText('€40.00').waitFor();
});
