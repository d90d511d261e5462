/* SPDX-License-Identifier: Apache-2.0 */
/* Imports of seats, JSON and CSV: all or nothing, and a refusal says where. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, ownClock } = require('./lib/server.js');
const { exchange, request } = require('./lib/http.js');
const { makeEvent, addSeats, seats, items, hold, seatStatus, counts } = require('./lib/catalogue.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const path = (event) => `/v1/events/${event}/seats`;
const csv = (event, text, type = 'text/csv') =>
    hf.admin.post(path(event), text, { headers: { 'Content-Type': type } });

async function layout(event) {
    const answer = await hf.anyone.get(path(event));
    assert.equal(answer.status, 200, answer.text);
    return answer.json.seats;
}

const FULL = {
    id: 'A1', section: 'Nord', row: 'A', number: '1', x: 10.5, y: -3.25, tier: 'gold', price: 12000,
    accessible: true,
};

test('JSON: every field is kept; created and updated are counted', async () => {
    const event = await makeEvent(hf);
    const made = await addSeats(hf, event, [FULL, { id: 'A2' }]);
    assert.deepEqual(made.json, { created: 2, updated: 0 });
    const [first, second] = await layout(event);
    assert.deepEqual(first, FULL);
    assert.equal(second.id, 'A2');
    assert.equal(second.price, 0);
    assert.equal(second.accessible, false);
    const more = await addSeats(hf, event, [{ id: 'A2', price: 700 }, { id: 'A3' }]);
    assert.deepEqual(more.json, { created: 1, updated: 1 });
    assert.deepEqual((await layout(event)).map((seat) => seat.id), ['A1', 'A2', 'A3'], 'never deletes');
});

test('CSV: columns in any order, LF or CRLF, with or without a BOM', async () => {
    const rows = [
        'price,id,accessible,section,number,row,y,x,tier', '12000,A1,true,Nord,1,A,-3.25,10.5,gold',
        '5,A2,0,,,,,,'
    ];
    for (const text of [
        rows.join('\n'), `${rows.join('\n')}\n`, `${rows.join('\r\n')}\r\n`, `\ufeff${rows.join('\n')}\n`
    ]) {
        const event = await makeEvent(hf);
        const made = await csv(event, text);
        assert.equal(made.status, 201, made.text);
        assert.deepEqual(made.json, { created: 2, updated: 0 });
        const [first, second] = await layout(event);
        assert.deepEqual(first, FULL);
        assert.equal(second.price, 5);
    }
});

test('CSV: quoted fields may hold commas, quotes and line ends', async () => {
    const event = await makeEvent(hf);
    const text = 'id,section,row,number\r\n"A1","Upper, ""left""\r\nbalcony",Ä,"1"\r\nA2,плац,B,2\r\n';
    const made = await csv(event, text, 'text/csv; charset=utf-8');
    assert.equal(made.status, 201, made.text);
    const [first, second] = await layout(event);
    assert.equal(first.section, 'Upper, "left"\r\nbalcony');
    assert.equal(first.row, 'Ä');
    assert.equal(second.section, 'плац');
});

test('CSV: booleans are true, false, 1 and 0', async () => {
    const event = await makeEvent(hf);
    const made = await csv(event, 'id,accessible,blocked\nA1,true,1\nA2,1,false\nA3,false,true\nA4,0,0\n');
    assert.equal(made.status, 201, made.text);
    assert.deepEqual((await layout(event)).map((seat) => seat.accessible), [true, true, false, false]);
    const statuses = await Promise.all(['A1', 'A2', 'A3', 'A4'].map((seat) => seatStatus(hf, event, seat)));
    assert.deepEqual(statuses, ['blocked', 'available', 'blocked', 'available']);
});

test('CSV: a refusal names the line, the header being 1, and nothing is imported', async () => {
    const cases = [
        ['id,colour\nA1,red\n', 1],
        ['section\nNord\n', 1],
        ['id,id\nA1,A1\n', 1],
        ['id\nA1\nA2\nA1\n', 4],
        ['id,price\nA1,5\nA2,cheap\n', 3],
        ['id,price\nA1,-5\n', 2],
        ['id,price\nA1,1.5\n', 2],
        ['id,accessible\nA1,yes\n', 2],
        ['id,x\nA1,left\n', 2],
        ['id,price\nA1,5,6\n', 2],
        ['id,price\nA1,5\nA2\n', 3],
        ['id\nA1\nno spaces\n', 3],
        [`id\n${'a'.repeat(65)}\n`, 2],
        ['id,section\n,Nord\n', 2],
        ['id,price\nA1,99999999999999999999999\n', 2],
    ];
    for (const [text, line] of cases) {
        const event = await makeEvent(hf);
        const answer = await csv(event, text);
        const problem = refused(answer, 400, 'invalid');
        assert.equal(problem.line, line, `${JSON.stringify(text)}: ${answer.text}`);
        assert.equal((await counts(hf, event)).seats, 0, JSON.stringify(text));
    }
});

test('CSV: a quote left open, text after a quote, bad UTF-8 or no header at all is refused', async () => {
    const event = await makeEvent(hf);
    const cases = ['id\n"A1\n', 'id\n"A1"x\n', '', Buffer.from('id,section\nA1,\xff\xfe\n', 'latin1')];
    for (const text of cases) {
        refused(await csv(event, text), 400, 'invalid');
    }
    assert.equal((await counts(hf, event)).seats, 0);
});

test('JSON: a refusal points at the field, and nothing is imported', async () => {
    const cases = [
        [[{ id: 'A1' }, { id: 'A2', colour: 'red' }], '/1/colour'],
        [[{ id: 'A1' }, { section: 'Nord' }], '/1/id'],
        [[{ id: 'A1', price: -1 }], '/0/price'],
        [[{ id: 'A1', price: 1.5 }], '/0/price'],
        [[{ id: 'A1', price: '5' }], '/0/price'],
        [[{ id: 'A1', row: 5 }], '/0/row'],
        [[{ id: 'A1', number: 5 }], '/0/number'],
        [[{ id: 'A1', x: 'left' }], '/0/x'],
        [[{ id: 'A1', accessible: 'yes' }], '/0/accessible'],
        [[{ id: 'A1', blocked: 'maybe' }], '/0/blocked'],
        [[{ id: 'no spaces' }], '/0/id'],
        [[{ id: '' }], '/0/id'],
        [[{ id: 7 }], '/0/id'],
        [[{ id: 'A1' }, 'A2'], '/1'],
        [{ id: 'A1' }, ''],
    ];
    for (const [body, pointer] of cases) {
        const event = await makeEvent(hf);
        const answer = await hf.admin.post(path(event), body);
        invalid(answer, pointer);
        assert.equal((await counts(hf, event)).seats, 0, answer.text);
    }
    const event = await makeEvent(hf);
    const twice = invalid(await hf.admin.post(path(event), [{ id: 'A1' }, { id: 'A2' }, { id: 'A1' }]));
    assert.match(twice.pointer, /^\/2(\/id)?$/);
    assert.equal((await counts(hf, event)).seats, 0);
});

test('an import without a field keeps it as it was', async () => {
    const event = await makeEvent(hf);
    await addSeats(hf, event, [{ ...FULL, blocked: true }]);
    await addSeats(hf, event, [{ id: 'A1', price: 1 }]);
    assert.deepEqual((await layout(event))[0], { ...FULL, price: 1 });
    assert.equal(await seatStatus(hf, event, 'A1'), 'blocked');
    await csv(event, 'id,tier\nA1,silver\n');
    assert.deepEqual((await layout(event))[0], { ...FULL, price: 1, tier: 'silver' });
});

test('a claimed seat keeps the price it was claimed at', async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A2', { price: 1000 }) });
    const ann = hf.user('ann');
    const held = await hold(ann, items(event, 'A1'));
    await addSeats(hf, event, [{ id: 'A1', price: 9000 }, { id: 'A2', price: 9000 }]);
    const read = granted(await ann.get(`/v1/reservations/${held.reservation_id}`), 200);
    assert.equal(read.items[0].price, 1000);
    const sold = granted(await ann.post(`/v1/reservations/${held.reservation_id}/commit`, {}), 200);
    assert.deepEqual(sold.total, { amount: 1000, currency: 'EUR' });
    assert.equal((await hold(ann, items(event, 'A2'))).total.amount, 9000);
    assert.equal((await layout(event))[0].price, 9000);
});

test('blocking takes seats off sale and back', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const ann = hf.user('ann');
    const blocked = await hf.admin.patch(path(event), { ids: ['A1', 'A2'], blocked: true });
    assert.equal(blocked.status, 200, blocked.text);
    assert.equal(await seatStatus(hf, event, 'A1'), 'blocked');
    const problem = refused(await ann.post('/v1/reservations', { items: items(event, 'A1') }), 409, 'taken');
    assert.deepEqual(problem.items, [{ item: 0, event, seat: 'A1', status: 'blocked' }]);
    assert.equal((await hf.admin.patch(path(event), { ids: ['A1'], blocked: false })).status, 200);
    await hold(ann, items(event, 'A1'));
    assert.equal(await seatStatus(hf, event, 'A2'), 'blocked');
});

test('a claimed seat cannot be blocked, by PATCH or by import, and then no seat is', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A4' });
    const ann = hf.user('ann');
    await hold(ann, items(event, 'A2'));
    const sold = await hold(ann, items(event, 'A3'));
    await ann.post(`/v1/reservations/${sold.reservation_id}/commit`, {});
    for (const seat of ['A2', 'A3']) {
        refused(await hf.admin.patch(path(event), { ids: ['A1', seat], blocked: true }), 409, 'taken');
        const problem = refused(
            await hf.admin.post(path(event), [{ id: 'A1', blocked: true }, { id: seat, blocked: true }]), 409,
            'taken'
        );
        assert.deepEqual(problem.items, [{ seat, status: seat === 'A2' ? 'held' : 'sold' }]);
    }
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
    assert.deepEqual(await counts(hf, event), { seats: 4, available: 2, held: 1, sold: 1, blocked: 0 });
});

test('an import that would block claimed seats names the first hundred of them', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A130' });
    await hold(hf.user('ann'), items(event, 'A1-A70'));
    await hold(hf.user('ann'), items(event, 'A71-A125'));
    const csv = `id,blocked\n${Array.from({ length: 130 }, (_, i) => `A${i + 1},true\n`).join('')}`;
    const { items: named } = refused(
        await hf.admin.post(path(event), csv, { headers: { 'Content-Type': 'text/csv' } }), 409, 'taken'
    );
    assert.deepEqual(named, Array.from({ length: 100 }, (_, i) => ({ seat: `A${i + 1}`, status: 'held' })));
    assert.equal((await counts(hf, event)).blocked, 0);
});

test('PATCH of seats checks its fields and knows its seats', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const patch = (body) => hf.admin.patch(path(event), body);
    invalid(await patch({ blocked: true }), '/ids');
    invalid(await patch({ ids: [], blocked: true }), '/ids');
    invalid(await patch({ ids: 'A1', blocked: true }), '/ids');
    invalid(await patch({ ids: [5], blocked: true }), '/ids/0');
    invalid(await patch({ ids: ['A1'] }), '/blocked');
    invalid(await patch({ ids: ['A1'], blocked: 1 }), '/blocked');
    invalid(await patch({ ids: ['A1'], blocked: true, price: 5 }), '/price');
    refused(await patch({ ids: ['A1', 'Z9'], blocked: true }), 404, 'no_such_seat');
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
});

test('imports accept only text/csv and JSON', async () => {
    const event = await makeEvent(hf);
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
        refused(await csv(event, 'id\nA1\n', type), 415, 'unsupported_type');
    }
    assert.equal((await counts(hf, event)).seats, 0);
});

test('a large import, over the limit of other bodies, becomes visible at once', async () => {
    const event = await makeEvent(hf);
    const list = Array.from({ length: 20_000 }, (_, i) => ({
        id: `S${i}`, section: `section ${i % 20}`, row: `row ${i % 100}`, number: String(i % 50), price: i,
    }));
    const body = JSON.stringify(list);
    assert.ok(body.length > 1024 * 1024);
    const importing = hf.admin.post(path(event), body);
    const seen = new Set();
    let done = false;
    importing.finally(() => (done = true));
    while (!done) {
        seen.add((await counts(hf, event)).seats);
    }
    const made = await importing;
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.json, { created: 20_000, updated: 0 });
    seen.add((await counts(hf, event)).seats);
    for (const count of seen) {
        assert.ok(count === 0 || count === 20_000, `a part of the import was visible: ${count}`);
    }
    const text = `id,price\n${list.map((seat) => `${seat.id},7`).join('\n')}\n`;
    assert.deepEqual((await csv(event, text)).json, { created: 0, updated: 20_000 });
    const [first] = await layout(event);
    assert.deepEqual([first.id, first.price, first.section], ['S0', 7, 'section 0']);
});

test('JSON over 8 MiB and CSV over 64 MiB are 413', async () => {
    const event = await makeEvent(hf);
    for (const [type, size] of [
        ['application/json', 8 * 1024 * 1024 + 1], ['text/csv', 64 * 1024 * 1024 + 1]
    ]) {
        const lines =
            [`Authorization: Bearer ${hf.adminKey}`, `Content-Type: ${type}`, `Content-Length: ${size}`];
        const seen = await exchange(hf.url, request('POST', path(event), { lines, body: 'id\n' }));
        refused(seen.answers[0], 413, 'too_large');
        assert.match(seen.answers[0].headers.connection ?? '', /close/i);
        assert.ok(seen.closed);
    }
});

test('an import can take longer than other requests, up to 120 s', ownClock, async () => {
    const event = await makeEvent(hf);
    const text = 'id\nA1\nA2\n';
    const lines = [
        `Authorization: Bearer ${hf.adminKey}`, 'Content-Type: text/csv', `Content-Length: ${text.length}`,
    ];
    /* The server has checked its deadlines once an ordinary, unfinished request has been closed. */
    const aMinutePasses = async () => {
        let sent;
        const other = new Promise((next) => { sent = next; });
        const ordinary = exchange(hf.url, ['GET /healthz HTTP/1.1\r\nHost: te', async () => sent()], { patience: 14_000 });
        await other;
        assert.equal((await hf.anyone.get('/healthz')).status, 200, 'both are in its hands');
        hf.clock.skip(60_000);
        assert.ok((await ordinary).closed, 'the 10 s of others are over');
    };
    const begun = request('POST', path(event), { lines, body: text.slice(0, 5) });
    const slow = await exchange(hf.url, [begun, aMinutePasses, text.slice(5)], { enough: 1 });
    assert.equal(slow.answers[0]?.status, 201, slow.text);
    assert.deepEqual(slow.answers[0].json, { created: 2, updated: 0 });
});

test('the order of the layout is the order of import', async () => {
    const event = await makeEvent(hf, { seats: 'C3 A1 B2' });
    await addSeats(hf, event, seats('A0 B2'));
    assert.deepEqual((await layout(event)).map((seat) => seat.id), ['C3', 'A1', 'B2', 'A0']);
});
