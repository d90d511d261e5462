/* SPDX-License-Identifier: Apache-2.0 */
/* examples/tickets: a third-party QR reader reads the PNG of a ticket, and node's own crypto verifies its content, as
 * docs/tickets.md says; the server accepts it. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { shared } = require('../conformance/lib/server.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { makeCalendar, midnight, iso } = require('../conformance/lib/calendars.js');
const { refused, granted } = require('../conformance/lib/expect.js');

const EXAMPLE = path.join(__dirname, '../../examples/tickets');
const installed = execFileSync(path.join(__dirname, '../tools/install'), [EXAMPLE], { encoding: 'utf8' }).trim();
for (const file of ['read.js', 'verify.js']) {
    fs.copyFileSync(path.join(EXAMPLE, file), path.join(installed, file));
}
const { readPicture } = require(path.join(installed, 'read.js'));
const { verifyTicket } = require(path.join(installed, 'verify.js'));
const hf = shared();

const picture = (code) => new Promise((resolve, reject) => {
    http.get(`${hf.url}/v1/tickets/${code}.png`, { agent: false }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part)).on('error', reject)
            .on('end', () => resolve(Buffer.concat(parts)));
    }).on('error', reject);
});

async function sell(wanted) {
    return granted(await hf.app.post('/v1/reservations', { items: wanted, user_id: 'ann', commit: true }), 201);
}

test('the page has the program that this runs', () => {
    const [, ...lines] = fs.readFileSync(path.join(EXAMPLE, 'verify.js'), 'utf8').trimEnd().split('\n');
    const page = fs.readFileSync(path.join(__dirname, '../../docs/tickets.md'), 'utf8');
    assert.ok(page.includes(`\`\`\`js\n${lines.join('\n')}\n\`\`\`\n`), 'docs/tickets.md differs from examples/tickets/verify.js');
});

test('what a third-party reader finds in the picture is signed, says what the ticket is for, and admits', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9', pools: { floor: 3 } });
    const calendar = await makeCalendar(hf, { services: [{ id: 'cut', duration_minutes: 30, price: 0 }] });
    const slot = { calendar, start: iso(midnight(hf)), service: 'cut' };
    const r = await sell([...items(event, 'A1'), { event, pool: 'floor', quantity: 2 }, slot]);
    const { json: keys } = await hf.anyone.get('/v1/tickets/key');
    const wanted = [
        { kind: 1, of: event, part: 'A1', unit: 0 }, { kind: 2, of: event, part: 'floor', unit: 0 },
        { kind: 2, of: event, part: 'floor', unit: 1 }, { kind: 4, of: calendar, part: 'cut', unit: 0 },
    ];
    for (const [i, { code }] of r.tickets.entries()) {
        const text = readPicture(await picture(code));
        assert.deepEqual(verifyTicket(text, keys), { code, reissue: r.fence, ...wanted[i] });
        for (const at of [5, 20, text.length - 2]) {
            const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
            assert.equal(verifyTicket(changed, keys), null);
        }
        const { json } = await hf.app.post('/v1/check-ins', { code: text });
        assert.deepEqual([json.result, json.code], ['ok', code]);
        refused(await hf.app.post('/v1/check-ins', { code: text }), 409, 'already_checked_in');
    }
});

test('after a move the old print is void and the new one is not', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const r = await sell(items(event, 'A1'));
    const [{ code }] = r.tickets;
    const old = readPicture(await picture(code));
    const moved = granted(await hf.app.patch(`/v1/reservations/${r.reservation_id}/items/1`, { seat: 'A2' }), 200);
    const fresh = readPicture(await picture(code));
    const { json: keys } = await hf.anyone.get('/v1/tickets/key');
    assert.deepEqual(verifyTicket(fresh, keys), { code, reissue: moved.fence, kind: 1, of: event, part: 'A2', unit: 0 });
    assert.ok(verifyTicket(old, keys).reissue < moved.fence);
    refused(await hf.app.post('/v1/check-ins', { code: old }), 409, 'void');
    assert.equal((await hf.app.post('/v1/check-ins', { code: fresh })).json.seat, 'A2');
});

test('the example tells valid tickets from invalid ones', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const [{ code }] = (await sell(items(event, 'A1'))).tickets;
    const file = path.join(hf.folder, 'ticket.png');
    fs.writeFileSync(file, await picture(code));
    const { status, stdout } = spawnSync('node', [path.join(installed, 'read.js'), hf.url, file], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
    assert.equal(JSON.parse(stdout).code, code);
});
