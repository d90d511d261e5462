/* SPDX-License-Identifier: Apache-2.0 */
/* The door: three results, with the server and without it; what was scanned offline comes to light, once, in order. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Server } = require('../conformance/lib/server.js');
const { browser } = require('./lib/browser.js');
const { doorKey, gates, result, log, type, kept, offLine } = require('./lib/door.js');
const { filmTicket } = require('./lib/ticket_picture.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-door-'));
const FILM = path.join(folder, 'ticket.y4m');
const kit = browser({
    prepare,
    flags: ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${FILM}`,
        '--host-resolver-rules=MAP door.test 127.0.0.1'],
});
const { hf, visitor, axe, tooWide, screenshot } = kit;
const { show, sold, atGate, openGate, past } = gates(kit);
test.after(() => fs.rmSync(folder, { recursive: true }));

let filmed;
async function prepare() {
    await doorKey(hf);
    const event = await show({ name: 'The filmed concert' });
    filmed = { event, ...(await sold(event, 'A1')) };
    await filmTicket(hf, filmed.code, FILM);
}

test('check-in twice: in, then refused with when and where; each result has a colour, a symbol, a word and a sound', async () => {
    const event = await show();
    const [ticket, other] = [await sold(event, 'A1'), await sold(event)];
    const page = await atGate(event);
    const first = await type(page, ticket.form);
    assert.deepEqual([first.result, first.word, first.symbol, first.place], ['in', 'In', '✓', 'Seat A1']);
    const second = await type(page, ticket.code.toLowerCase());
    assert.deepEqual([second.result, second.word, second.symbol], ['refused', 'Refused', '✕']);
    assert.match(second.why, /Already checked in since \d\d:\d\d, gate north\./);
    await kept(page);
    await offLine(page);
    const third = await type(page, other.form);
    assert.deepEqual([third.result, third.word, third.symbol, third.place], ['unchecked', 'Signature valid', '?', 'Standing room']);
    assert.match(third.why, /^Not checked with the server/);
    assert.equal(new Set([first, second, third].map(({ colour }) => colour)).size, 3);
    const played = await page.evaluate(() => globalThis.played);
    assert.deepEqual(played, [660, 990, 220, 147, 523, 523]);
    assert.deepEqual(await log(page), ['unchecked', 'refused', 'in']);
});

test('one altered character, another event\'s ticket, a void print: refused with the server and without', async () => {
    const [event, elsewhere] = [await show(), await show()];
    const [ticket, stranger, moved] = [await sold(event, 'A1'), await sold(elsewhere, 'A1'), await sold(event, 'A2')];
    assert.equal((await hf.app.patch(`/v1/reservations/${moved.id}/items/1`, { seat: 'A3' })).status, 200);
    const altered = ticket.form.slice(0, 60) + (ticket.form[60] === 'A' ? 'B' : 'A') + ticket.form.slice(61);
    const tail = ticket.form.slice(0, -1) + String.fromCharCode(ticket.form.charCodeAt(ticket.form.length - 1) + 1);
    await hf.eventually(() => hf.door.get(`/v1/check-ins?event=${event}`), ({ json }) => json.data.length === 1, 'the move is in the list');
    const page = await atGate(event);
    for (const network of [true, false]) {
        if (!network) {
            await offLine(page);
        }
        assert.match((await type(page, altered)).why, /invalid or altered/);
        assert.match((await type(page, tail)).why, /invalid or altered/);
        assert.match((await type(page, stranger.form)).why, /for something else/);
        assert.match((await type(page, moved.form)).why, /void/);
    }
    assert.match((await type(page, ticket.code)).why, /typed code can't be checked/);
    assert.equal((await type(page, ticket.form)).result, 'unchecked');
    assert.deepEqual([...new Set((await log(page)).slice(1))], ['refused']);
});

test('offline: what was used before the loss is known; reload; sent in order when the network is back', async () => {
    const event = await show();
    const [used, elsewhere, ...fresh] = await Promise.all(['A1', 'A2', 'A3', 'A4', 'A5'].map((seat) => sold(event, seat)));
    const told = await hf.door.post('/v1/check-ins', { code: elsewhere.code, gate: 'south' });
    await hf.eventually(() => hf.door.get(`/v1/check-ins?event=${event}`), ({ json }) => json.data.length === 1, 'it is in the list');
    assert.equal(told.status, 200);
    const page = await atGate(event, { ahead: 2 * 3600_000 });
    assert.equal((await type(page, used.form)).result, 'in');
    await kept(page);
    await offLine(page);
    assert.match((await type(page, used.form)).why, /since \d\d:\d\d, gate north/, 'let in here a moment ago');
    assert.match((await type(page, elsewhere.form)).why, /gate south/, 'let in elsewhere');
    assert.equal((await type(page, fresh[0].form)).result, 'unchecked');
    assert.equal((await type(page, fresh[1].form)).result, 'unchecked');
    await page.reload();
    await page.getByRole('heading', { name: 'The winter concert' }).waitFor();
    await page.getByText('2 scans waiting to be sent').waitFor();
    assert.match((await type(page, fresh[0].form)).why, /gate north/, 'the reload has forgotten nothing');
    assert.equal((await type(page, fresh[2].form)).result, 'unchecked');
    const sent = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.postDataJSON()));
    await page.context().setOffline(false);
    await page.locator('[data-waiting="0"][data-reachable=true]').waitFor();
    assert.deepEqual(sent.map(({ code }) => code), fresh.map(({ form }) => form));
    assert.equal(new Set(sent.map(({ nonce }) => nonce)).size, 3);
    assert.ok(sent.every(({ gate, event: of }) => gate === 'north' && of === event));
    assert.ok(sent.every(({ scanned_at }) => Math.abs(Date.parse(scanned_at) - hf.now()) < 600_000), 'by the server\'s clock');
    for (const ticket of fresh) {
        await past(ticket, 'checked_in');
    }
    assert.equal(await page.locator('[data-conflict]').count(), 0);
    assert.equal((await log(page)).filter((one) => one === 'in').length, 4);
});

test('a conflict is listed after the return, over a reload, until it is resolved', async () => {
    const event = await show();
    const [twice, refunded] = [await sold(event, 'A1'), await sold(event, 'A2')];
    const page = await atGate(event);
    await kept(page);
    await offLine(page);
    assert.equal((await type(page, twice.form)).result, 'unchecked');
    assert.equal((await type(page, refunded.form)).result, 'unchecked');
    assert.equal((await hf.door.post('/v1/check-ins', { code: twice.code, gate: 'south' })).status, 200);
    assert.equal((await hf.app.post(`/v1/reservations/${refunded.id}/refund`, {})).status, 200);
    await page.route('**/v1/check-ins?*', (route) => route.fulfill({ json: { data: [], next_cursor: null } }), { times: 1 }); /* the list lags behind */
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: '2 conflicts' }).waitFor();
    await page.locator('[data-conflict=duplicate]').getByText(/Someone else was let in with this ticket\s+since \d\d:\d\d, gate south\./).waitFor();
    await page.locator('[data-conflict=void]').getByText('The ticket was void.').waitFor();
    await axe(page);
    await screenshot(page, 'door-conflicts-desktop-light');
    await page.reload();
    await page.locator('[data-conflict=void]').getByRole('button', { name: 'Resolved' }).click();
    await page.getByRole('heading', { name: '1 conflict' }).waitFor();
    await page.reload();
    await page.locator('[data-conflict=duplicate]').waitFor();
    assert.equal(await page.locator('[data-conflict]').count(), 1);
});

test('undo: with the server, and of what waits to be sent', async () => {
    const event = await show();
    const [ticket, other] = [await sold(event, 'A1'), await sold(event, 'A2')];
    const page = await atGate(event);
    await type(page, ticket.form);
    await page.locator('.result').getByRole('button', { name: 'Undo' }).click();
    await page.locator('.result').getByText('Undone').waitFor();
    await past(ticket, 'check_in_undone');
    await offLine(page);
    assert.equal((await type(page, ticket.form)).result, 'unchecked', 'it is good again');
    assert.equal((await type(page, other.form)).result, 'unchecked');
    await page.getByRole('button', { name: 'Undo Seat A2' }).click();
    await page.locator('[data-waiting="1"]').waitFor();
    assert.equal((await type(page, other.form)).result, 'unchecked');
    await page.getByRole('button', { name: 'Undo Seat A2' }).click();
    await page.locator('[data-waiting="1"]').waitFor();
    await page.context().setOffline(false);
    await page.locator('[data-waiting="0"]').waitFor();
    await past(ticket, 'checked_in');
    await past(other, 'confirmed');
});

test('an answer that is lost counts once: the door judges alone, and the server knows the nonce', async () => {
    const event = await show();
    const [ticket, other] = [await sold(event, 'A1'), await sold(event, 'A2')];
    const page = await atGate(event, { serviceWorkers: 'block' }); /* what goes by a worker is not lost by the routes below */
    let lost = true;
    await page.route('**/v1/check-ins', async (route) => {
        if (lost) {
            await route.fetch(); /* it has arrived */
            await route.abort('internetdisconnected');
        } else {
            await route.continue();
        }
    });
    await page.route('**/v1/tickets/key', (route) => (lost ? route.abort('internetdisconnected') : route.continue()));
    assert.equal((await type(page, ticket.form)).result, 'unchecked');
    await page.getByText('Without the server').waitFor();
    assert.equal((await type(page, other.form)).result, 'unchecked', 'and asks nobody as long as nobody answers');
    await past(ticket, 'checked_in');
    lost = false;
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.locator('[data-waiting="0"][data-reachable=true]').waitFor();
    assert.equal(await page.locator('[data-conflict]').count(), 0);
    assert.equal((await past(ticket, 'checked_in')).filter((action) => action === 'checked_in').length, 1);
});

test('by camera: the picture of the server is read once, however long it is in view', async () => {
    const page = await atGate(filmed.event);
    await page.getByRole('button', { name: 'Scan by camera' }).click();
    await result(page, 'in').waitFor();
    await page.locator('.place').getByText('Seat A1').waitFor();
    await page.locator('[data-camera=on]').waitFor();
    await screenshot(page, 'door-camera-desktop-light');
    await page.waitForFunction(() => document.querySelector('video').currentTime > 1);
    assert.deepEqual(await log(page), ['in']);
    await page.getByRole('button', { name: 'Stop the camera' }).click();
    assert.equal(await page.locator('video').evaluate((video) => video.srcObject.active), false);
    assert.match((await type(page, filmed.form)).why, /gate north/);
});

test('by camera, where the browser itself reads QR codes', async () => {
    const event = await show();
    const ticket = await sold(event, 'A1');
    const page = await visitor();
    await page.addInitScript((rawValue) => {
        globalThis.BarcodeDetector = class {
            static getSupportedFormats = async () => ['ean_13', 'qr_code'];
            detect = async (video) => (video.videoWidth ? [{ rawValue }] : []);
        };
    }, ticket.form);
    await openGate(page, event);
    await page.getByRole('button', { name: 'Scan by camera' }).click();
    await result(page, 'in').waitFor();
    assert.ok(!(await page.evaluate(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('/qr/')))));
    await page.locator('video').evaluate((video) => video.srcObject.getVideoTracks()[0].dispatchEvent(new Event('ended')));
    await page.locator('[data-camera=off]').waitFor();
});

test('without HTTPS: the camera needs one, and typing works on without a network', async () => {
    const event = await show();
    const ticket = await sold(event, 'A1');
    const origin = hf.url.replace('127.0.0.1', 'door.test');
    const page = await atGate(event, { origin });
    assert.equal(await page.evaluate(() => isSecureContext || crypto.subtle !== undefined), false);
    await page.getByText('The camera needs HTTPS').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Scan by camera' }).count(), 0);
    await offLine(page);
    assert.match((await type(page, ticket.form.replace(/.$/, '!'))).why, /invalid or altered/);
    assert.match((await type(page, `${ticket.form.slice(0, 90)}${ticket.form[90] === 'A' ? 'B' : 'A'}${ticket.form.slice(91)}`)).why, /invalid or altered/);
    assert.equal((await type(page, ticket.form)).result, 'unchecked');
    await axe(page);
});

test('a key that is refused is no result: the door asks for another, and forgets one that is given back', async () => {
    const event = await show();
    const [key, ticket] = [await hf.key('door'), await sold(event, 'A1')];
    const page = await visitor();
    await page.goto('/door');
    await page.getByLabel('Event').selectOption(event);
    await page.getByLabel('Door key').fill('nothing');
    await page.getByRole('button', { name: 'Open the door' }).click();
    await page.getByRole('alert').getByText('This key is not accepted').waitFor();
    await page.getByLabel('Door key').fill(key.key);
    await page.keyboard.press('Enter');
    await result(page, 'ready').waitFor();
    assert.equal((await hf.admin.delete(`/v1/keys/${key.name}`)).status, 204);
    await page.getByLabel('Code of the ticket').fill(ticket.form);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This key is not accepted').waitFor();
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await page.getByRole('button', { name: 'Forget the key' }).waitFor({ state: 'hidden' });
    assert.equal(await page.getByLabel('Door key').inputValue(), '');
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
});

test('any event or booking: one gate for all of them', async () => {
    const [one, other] = [await sold(await show(), 'A1'), await sold(await show(), 'A1')];
    const page = await atGate('', { gate: '' });
    assert.equal((await type(page, one.code)).result, 'in');
    assert.equal((await type(page, other.form)).result, 'in');
    await offLine(page);
    assert.match((await type(page, other.form)).why, /Already checked in/);
});

test('any event or booking: what was sent, or refused as used, is known when the network goes again', async () => {
    const [sent, elsewhere] = [await sold(await show(), 'A1'), await sold(await show(), 'A1')];
    assert.equal((await hf.door.post('/v1/check-ins', { code: elsewhere.code, gate: 'south' })).status, 200);
    const page = await atGate('', { gate: 'north' });
    assert.match((await type(page, elsewhere.form)).why, /gate south/);
    await offLine(page);
    assert.match((await type(page, elsewhere.form)).why, /gate south/, 'the server has said so a moment ago');
    assert.equal((await type(page, sent.form)).result, 'unchecked');
    await page.context().setOffline(false);
    await page.locator('[data-waiting="0"][data-reachable=true]').waitFor();
    await offLine(page);
    assert.match((await type(page, sent.form)).why, /gate north/, 'one ticket, one person');
});

test('names as long as names can be leave room for the result, on a phone', async () => {
    const event = await show({ name: 'W'.repeat(200) });
    const { code } = await sold(event, 'A1');
    const page = await atGate(event, { device: 'phone', gate: 'G'.repeat(64) });
    for (const result of ['in', 'refused']) {
        await page.getByLabel('Code of the ticket').fill(code);
        await page.getByRole('button', { name: 'Check' }).click();
        await page.locator(`[data-result=${result}]`).waitFor();
    }
    const wide = await tooWide(page);
    const from = await page.evaluate(() => document.querySelector('.result').getBoundingClientRect().top + scrollY);
    assert.ok(wide <= 0, `it is ${wide} px too wide`);
    assert.ok(from < 422, `the result begins at ${from} px, in the lower half of the screen`);
});

test('loading, error, empty, ended', async (t) => {
    const page = await visitor({ serviceWorkers: 'block' }); /* what goes by a worker does not meet the routes below */
    let go, broken = false;
    const held = new Promise((resolve) => (go = resolve));
    await page.route('**/v1/events*', async (route) => {
        await held;
        await (broken ? route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"code":"broken","detail":"The book is closed."}' }) : route.continue());
    });
    await page.goto('/door');
    assert.equal(await page.locator('main').getAttribute('aria-busy'), 'true');
    await page.locator('.skeleton-page').waitFor();
    broken = true;
    go();
    await page.getByRole('alert').getByText('The book is closed.').waitFor();
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Open the door' }).waitFor();
    const event = await show({ name: 'The concert that was' });
    assert.equal((await hf.admin.post(`/v1/events/${event}/cancel`, {})).status, 202);
    const ended = await atGate(event, { serviceWorkers: 'block' });
    await ended.getByText('This event is cancelled').waitFor();
    await ended.route('**/v1/check-ins?*', (route) => route.fulfill({ status: 404, contentType: 'application/problem+json', body: '{"code":"no_such_event"}' }));
    await ended.evaluate(() => dispatchEvent(new Event('online')));
    await ended.getByText('This event no longer exists').waitFor();
    await ended.locator('[data-reachable=true]').waitFor();
    const server = await new Server().start();
    t.after(() => server.close());
    const nothing = await visitor({ origin: server.url });
    await nothing.goto('/door');
    await nothing.getByText('No events yet').waitFor();
    assert.equal(await nothing.getByRole('link', { name: 'New event' }).getAttribute('href'), '/admin#events/new');
    await axe(nothing);
});

for (const [device, scheme] of ['phone', 'desktop'].flatMap((d) => [[d, 'light'], [d, 'dark']])) {
    test(`axe-core finds nothing: ${device}, ${scheme}`, async () => {
        const event = await show();
        const [ticket, other] = [await sold(event, 'A1'), await sold(event, 'A2')];
        const page = await visitor({ device, scheme });
        const shot = async (name) => {
            await screenshot(page, `door-${name}-${device}-${scheme}`);
            await axe(page);
            const { width, height } = page.viewportSize();
            await page.setViewportSize({ width: Math.min(width, 1024) - 30, height }); /* a narrower phone, and a window beside another */
            const wide = await tooWide(page);
            assert.ok(wide <= 0, `${name} is ${wide} px too wide`);
            await page.setViewportSize({ width, height });
        };
        await page.goto('/door');
        await page.getByLabel('Event').selectOption(event);
        await page.getByLabel('Name of this gate').fill('North entrance');
        await page.getByLabel('Door key').fill(hf.door.key);
        await shot('setup');
        await page.getByRole('button', { name: 'Open the door' }).click();
        await result(page, 'ready').waitFor();
        assert.equal((await type(page, ticket.form)).result, 'in');
        await shot('in');
        assert.equal((await type(page, ticket.form)).result, 'refused');
        await shot('refused');
        await offLine(page);
        assert.equal((await type(page, other.form)).result, 'unchecked');
        await shot('unchecked');
    });
}
