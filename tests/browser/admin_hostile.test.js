/* SPDX-License-Identifier: Apache-2.0 */
/* Names chosen to break a page: on every view of /admin they are text, they wrap, and what is written from the
 * right turns nothing around it. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { browser } = require('./lib/browser.js');
const { signedIn } = require('./lib/admin.js');

const { hf, visitor, tooWide } = browser({ prepare: fill });

const LONG = 'W'.repeat(200);
const TURNED = '\u202e\u05e9\u05dc\u05d5\u05dd\u2066 evil'; /* an override and an isolate that are never closed */
const MARKUP = '<img src=x onerror="globalThis.hit=1">';
const EMOJI = '👩‍👩‍👧‍👦🎭'.repeat(8);
const ID = 'i'.repeat(64);
const NAMES = { [ID]: LONG, turned: TURNED, markup: MARKUP, emoji: EMOJI };
/* The first characters of a text, at most this many bytes. */
function cut(text, bytes) {
    const letters = [...text];
    while (Buffer.byteLength(letters.join('')) > bytes) {
        letters.pop();
    }
    return letters.join('');
}
const userOf = (name) => cut(name, 128);
const good = ({ status, text }) => assert.ok(status < 300, text);

async function fill(server) {
    for (const [id, name] of Object.entries(NAMES)) {
        const label = cut(name, 64);
        await makeEvent(server, { id, name, venue: name, description: `${name}\n${name}`, categories: [label, 'other'], prices: { [label]: { [label]: 900, other: 400 } },
            waiting_list: true, seats: [1, 2, 3].map((n) => ({ id: `S${n}`, section: label, row: label, number: `${n}`, x: n, y: 0, tier: label, price: 900 })) });
        good(await server.admin.put(`/v1/events/${id}/pools/${id}`, { name, capacity: 9, price: 100 }));
        good(await server.admin.put(`/v1/calendars/${id}`, { name, timezone: 'Europe/Madrid', services: [{ id, duration_minutes: 30 }] }));
        good(await server.admin.put(`/v1/groups/${id}`, { name, calendars: [id] }));
        good(await server.admin.put(`/v1/hooks/${id}`, { url: `https://${'h'.repeat(60)}.example/${'p'.repeat(300)}`, events: ['reservation.confirmed'], secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` }));
        for (const [commit, seat] of [[true, 'S1'], [false, 'S2']]) {
            good(await server.app.post('/v1/reservations', { user_id: userOf(name), commit, attributes: { name, note: name }, ...(commit ? { payment_ref: userOf(name) } : {}),
                items: [{ event: id, seat, category: label }, { event: id, pool: id, quantity: 1 }] }));
        }
        good(await server.admin.patch(`/v1/events/${id}`, { waiting_room: {} }));
    }
}

const VIEWS = ['live', 'events', `events/edit/${ID}`, 'events/edit/turned', `events/seats/${ID}`, 'events/seats/turned', `events/import/${ID}`, `events/draw/${ID}`, `events/copy/${ID}`,
    'calendars', `calendars/edit/${ID}`, 'groups', `groups/edit/${ID}`, 'groups/edit/turned', 'groups/new', 'find', ...Object.values(NAMES).map((name) => `find/${encodeURIComponent(userOf(name))}`),
    'refunds', 'payments', 'payments/all', 'hooks', `rooms/${ID}`, `funnel/${ID}`, `ages/${ID}`, 'ages/turned', 'health'];

/* What sticks out of what it is in, and is not a place that scrolls. */
const sticksOut = () => [...document.querySelectorAll('main *')].filter((one) => {
    const { right, width } = one.getBoundingClientRect();
    const scrolls = one.closest('.sideways, .surface, pre, .views ul, svg, .visually-hidden');
    return width > 0 && right > document.documentElement.clientWidth + 1 && !scrolls;
}).slice(0, 5).map((one) => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`);

for (const device of ['phone', 'desktop']) {
    test(`hostile names wrap and are text, on every view: ${device}`, async () => {
        const page = await signedIn(await visitor({ device }), hf, 'health');
        const found = [];
        for (const view of VIEWS) {
            await page.evaluate((hash) => { location.hash = hash; }, view);
            await page.waitForFunction((hash) => decodeURIComponent(location.hash) === decodeURIComponent(`#${hash}`) && document.querySelector('.body[aria-busy=false]'), view);
            const wide = await tooWide(page);
            found.push(...(await page.evaluate(sticksOut)).map((one) => `${view}: ${one}`), ...(wide > 0 ? [`${view} is ${wide} px too wide`] : []));
        }
        assert.deepEqual(found, []);
        assert.equal(await page.evaluate(() => globalThis.hit), undefined);
    });
}

test('what is written from the right turns nothing behind it', async () => {
    const page = await signedIn(await visitor(), hf, 'groups/edit/turned');
    const order = (scope) => page.locator(scope).first().evaluate((element) => { /* its words, from left to right as they are seen */
        const words = [];
        const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
            for (const { 0: word, index } of node.data.matchAll(/[A-Za-z0-9]+/g)) {
                const range = document.createRange();
                range.setStart(node, index);
                range.setEnd(node, index + 1);
                const [first] = range.getClientRects();
                words.push([word, first.left]);
            }
        }
        return words.sort(([, a], [, b]) => a - b).map(([word]) => word);
    });
    const member = await order('.members li .grow');
    assert.equal(member.at(-1), 'turned', `the id is behind the name: ${member.join(' ')}`);
    good(await hf.admin.put('/v1/groups/flipped', { name: '\u202eabc', calendars: ['turned'] }));
    await page.evaluate(() => { location.hash = 'groups/edit/flipped'; });
    await page.locator('.heading').getByText('abc').waitFor();
    await page.getByLabel('If several are free, pick').selectOption('in_order');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.told .note').waitFor();
    const told = await order('.told strong');
    assert.deepEqual(told, ['abc', 'saved']);
});
