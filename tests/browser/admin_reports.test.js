/* SPDX-License-Identifier: Apache-2.0 */
/* /admin: webhooks that failed are sent again, the funnel, and the health of the server. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { Receiver, SECRET } = require('../conformance/lib/receiver.js');
const { unique } = require('../conformance/lib/server.js');
const { browser } = require('./lib/browser.js');
const { signedIn } = require('./lib/admin.js');

const { hf, visitor, axe } = browser({ args: ['--hooks-private', 'on'] });
const DAY_MS = 86_400_000;
const hold = (event, seat, user = 'ann') => hf.app.post('/v1/reservations', { user_id: user, items: [{ event, seat }] });

/* A hook with this many messages that were not accepted for a day; `fix` lets them through. */
async function failing(t, messages) {
    let good = false;
    const receiver = await new Receiver((response) => response.writeHead(good ? 200 : 503).end()).start();
    const [hook, event] = [unique('shop'), await makeEvent(hf, { seats: 'A1-A9' })];
    t.after(async () => {
        await hf.admin.delete(`/v1/hooks/${hook}`);
        await receiver.close();
    });
    assert.equal((await hf.admin.put(`/v1/hooks/${hook}`, { url: receiver.url, events: ['reservation.held'], secret: SECRET })).status, 201);
    for (let i = 1; i <= messages; i++) {
        assert.equal((await hold(event, `A${i}`)).status, 201);
    }
    await receiver.count(messages);
    hf.clock.advance(DAY_MS + 1_000);
    await hf.eventually(() => hf.admin.get(`/v1/hooks/${hook}/messages`), ({ json }) => json.data.length === messages, 'they are dead');
    return { hook, receiver, fix: () => { good = true; } };
}

test('messages of a failing hook are listed, and sent again one by one and all at once', async (t) => {
    const { hook, receiver, fix } = await failing(t, 3);
    const page = await signedIn(await visitor(), hf, 'hooks');
    const card = page.locator(`[data-hook=${hook}]`);
    await card.getByText('3 not delivered').waitFor();
    fix();
    const before = receiver.got.length;
    const first = await card.locator('[data-message]').first().getAttribute('data-message');
    await card.locator('[data-message]').first().getByRole('button', { name: 'Send again: reservation.held' }).click();
    await page.getByText('1 message is being sent again.').waitFor();
    await receiver.count(before + 1);
    assert.equal(receiver.messages()[before].id, first);
    await card.getByText('2 not delivered').waitFor();
    await hf.eventually(() => hf.admin.get(`/v1/hooks/${hook}/messages`), ({ json }) => json.data.length === 2, 'the book knows');
    await card.getByRole('button', { name: 'Send all again' }).click();
    await page.getByText('2 messages are being sent again.').waitFor();
    await receiver.count(before + 3);
    assert.equal(await card.locator('[data-message]').count(), 0);
});

test('without hooks the next step is shown', async () => {
    const page = await signedIn(await visitor(), hf, 'hooks');
    await page.getByText('No webhooks yet').waitFor();
    await axe(page);
});

test('the funnel: steps, refusals by reason, abandoned checkouts, advice and files', async () => {
    const event = await makeEvent(hf, { name: 'Premiere', seats: 'A1-A9', hold_ttl_seconds: 600 });
    const paid = (await hold(event, 'A1')).json;
    await hf.app.post(`/v1/reservations/${paid.reservation_id}/commit`, { payment_ref: 'pi_1' });
    await hf.app.post(`/v1/reservations/${(await hold(event, 'A2')).json.reservation_id}/release`, {});
    assert.equal((await hold(event, 'A1')).status, 409);
    await hold(event, 'A3');
    hf.clock.advance(61_000); /* counts of refusals are written once a minute */
    const { seq } = await hf.admin.get('/v1/keys');
    await hf.eventually(() => hf.admin.get(`/v1/reports/funnel?event=${event}`, { atLeast: seq }), ({ json }) => json.data.some(({ refusals }) => refusals.length), 'refusals are in the book');
    const page = await signedIn(await visitor(), hf, `funnel/${event}`);
    await page.locator('[data-bar=held]').getByText('3', { exact: true }).waitFor();
    await page.locator('[data-bar=confirmed]').getByText('1 (33%)').waitFor();
    await page.locator('[data-bar=taken]').getByText('1', { exact: true }).waitFor();
    await page.locator('[data-abandoned]').filter({ hasText: 'Released' }).getByText('1 checkout').waitFor();
    await page.getByText('Based on 1 payment only').waitFor();
    assert.match(await page.locator('[data-ttl]').innerText(), /A hold now lasts 10:00/);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV: From hold to sale' }).click()]);
    assert.match(fs.readFileSync(await file.path(), 'utf8'), /^day,event,.*\n.*taken 1/s);
    await page.getByLabel('Days').selectOption({ label: 'Today' });
    await page.waitForURL(`**/admin#funnel/${event}/1`);
    await page.getByLabel('Event').selectOption({ label: 'All events and calendars' });
    await page.getByText('Choose an event to get advice').waitFor();
});

test('health: journal, book and memory, and a server that refuses holds says why', async () => {
    const page = await signedIn(await visitor(), hf, 'health');
    await page.getByText('New holds are accepted').waitFor();
    const seq = page.locator('[data-figure=seq]');
    const before = await seq.innerText();
    await page.locator('[data-health=memory]').getByText(/\d MB/).waitFor();
    await page.locator('[data-health=book_lag]').getByText('fine').waitFor();
    await makeEvent(hf, { seats: 'A1-A2' });
    await page.waitForFunction((old) => document.querySelector('[data-figure=seq]').textContent !== old, before);
    await page.route('**/readyz', (route) => route.fulfill({ status: 503, json: { status: 'degraded', degraded: ['storage_full'] } }));
    await page.getByText('The disk is full').waitFor();
    await page.unroute('**/readyz');
    await page.route('**/readyz', (route) => route.fulfill({ json: { status: 'ready', degraded: ['book_pinned'] } }));
    await page.locator('.note.warn', { hasText: 'New holds are accepted' }).getByText('the journal can\'t be freed').waitFor();
    await axe(page);
});

test('health: the nodes, with roles and lag, those that are gone, and a list that cannot be read', async () => {
    const page = await signedIn(await visitor(), hf, 'health');
    const card = page.locator('[data-nodes]');
    await card.locator('[data-node]', { hasText: new URL(hf.url).host }).getByText('Owner').waitFor(); /* alone */
    assert.equal(await card.locator('[data-node]').count(), 1);
    const [now, before] = ['2030-06-03T09:02:00.000Z', '2030-06-03T09:00:00.000Z'];
    const node = (name, role, seen, more = {}) => ({ node: name, url: `http://${name}`, role, epoch: 3, book_seq: 1234, seen_at: seen, version: '0.1.0', ...more });
    let nodes = [node('one:1', 'owner', now), node('two:2', 'follower', now, { lag_ms: 14 }), node('three:3', 'follower', before)];
    await page.route('**/v1/nodes', (route) => route.fulfill({ json: { data: nodes, next_cursor: null } }));
    await card.locator('[data-node="one:1"]').getByText('decides').waitFor();
    await card.locator('[data-node="two:2"]').getByText('14 ms behind').waitFor();
    await card.locator('[data-node="two:2"]').getByText('follows').waitFor();
    await card.locator('[data-node="three:3"]').getByText('not seen for 2 minutes').waitFor();
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        await axe(page, `nodes ${colorScheme}`);
    }
    nodes = [node('two:2', 'follower', now, { lag_ms: 2500 }), node('three:3', 'follower', before)];
    await card.locator('[data-node="two:2"]').getByText('behind', { exact: true }).waitFor();
    await card.getByText('No node is in charge right now').waitFor();
    await page.unroute('**/v1/nodes');
    await page.route('**/v1/nodes', (route) => route.fulfill({ status: 503, json: { code: 'unavailable', status: 503, title: 'Unavailable' } }));
    await card.getByText('The nodes can\'t be listed right now').waitFor();
    await page.getByText('New holds are accepted').waitFor(); /* the rest is still shown */
    await axe(page);
});
