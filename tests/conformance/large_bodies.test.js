/* SPDX-License-Identifier: Apache-2.0 */
/* A large body, which is read off the loop, is read like any other: the same answers, in the same order. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { makeEvent, items } = require('./lib/catalogue.js');
const { exchange, request } = require('./lib/http.js');
const { refused } = require('./lib/expect.js');

const hf = shared();
const LARGE = 200 * 1024;
const seats = (event) => items(event, 'A1-A100');
/* A hundred items, each with as many names as fit. */
const full = (event) => seats(event).map((item) => ({
    ...item, attributes: Object.fromEntries(Array.from({ length: 120 }, (_, i) => [i.toString(36), i])),
}));

test('a hold of a hundred items with attributes succeeds', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A100' });
    const body = JSON.stringify({ items: full(event), attributes: { note: 'é'.repeat(2000) } }, null, 2);
    assert.ok(body.length > LARGE);
    const { status, json, text } = await hf.user('ann').post('/v1/reservations', body);
    assert.equal(status, 201, text);
    assert.equal(json.items.length, 100);
    assert.deepEqual(json.items[99].attributes, full(event)[99].attributes);
    assert.equal(json.attributes.note.length, 2000);
});

test('repeated with its key it is the same hold; other bytes are refused', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const headers = { 'Idempotency-Key': unique('key') };
    const body = JSON.stringify({ items: items(event, 'A1') }).padEnd(LARGE);
    const first = await hf.user('ann').post('/v1/reservations', body, { headers });
    const again = await hf.user('ann').post('/v1/reservations', body, { headers });
    assert.equal(first.status, 201, first.text);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal(again.json.reservation_id, first.json.reservation_id);
    refused(await hf.user('ann').post('/v1/reservations', `${body} `, { headers }), 422, 'idempotency_key_reused');
    refused(await hf.user('ann').post('/v1/reservations', body.trim(), { headers }), 422, 'idempotency_key_reused');
});

test('an error in it is reported by name, or by position', async () => {
    const ann = hf.user('ann');
    const wrong = async (body) => (await ann.post('/v1/reservations', body)).json;
    assert.equal((await wrong(JSON.stringify({ itemz: [] }).padEnd(LARGE))).detail, 'Unknown field "itemz" (did you mean "items"?).');
    assert.equal((await wrong(JSON.stringify({ items: [{ event: 7, seat: 'A1' }] }).padEnd(LARGE))).pointer, '/items/0/event');
    assert.match((await wrong('{'.padEnd(LARGE))).detail, /^Invalid JSON: unexpected end \(line 1, column/);
    const names = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`n${i}`, 0])));
    const many = await wrong(names);
    assert.equal(many.code, 'invalid');
    assert.match(many.detail, /^Invalid JSON: too many fields in an object \(line 1, column \d+\)\.$/);
    assert.match((await wrong(JSON.stringify({ items: Array(300_000).fill(0) }))).detail, /^Invalid JSON: too many values/);
});

test('patches and lists can be large too', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const patched = await hf.admin.patch(`/v1/events/${event}`, JSON.stringify({ name: 'Late show' }).padEnd(LARGE));
    assert.equal(patched.json.name, 'Late show', patched.text);
    refused(await hf.admin.patch(`/v1/events/${event}`, JSON.stringify({ nam: 'x' }).padEnd(LARGE)), 400, 'invalid');
    const fleet = unique('fleet');
    await hf.admin.put(`/v1/fleets/${fleet}`, {});
    await hf.admin.put(`/v1/fleets/${fleet}/drivers/dora`, { lat: 1, lng: 1, available: true });
    const positions = Array.from({ length: 1000 }, (_, i) => ({ driver: i ? `d${i}` : 'dora', lat: 52.5, lng: 13.4 }));
    const moved = await hf.admin.post(`/v1/fleets/${fleet}/positions`, positions);
    assert.equal(moved.json.updated, 1, moved.text);
    assert.equal(moved.json.unknown.length, 999);
    const bad = [...positions.slice(0, 999), { driver: 'dora', lat: 91, lng: 0 }];
    assert.equal((await hf.admin.post(`/v1/fleets/${fleet}/positions`, bad)).json.pointer, '/999/lat');
    refused(await hf.admin.post(`/v1/fleets/${fleet}/positions`, '[]'.padEnd(LARGE)), 400, 'invalid');
});

test('answers come in the order of the requests, and an abandoned one does no harm', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const ann = hf.user('ann');
    const post = (seat, size) => {
        const body = JSON.stringify({ items: items(event, seat) }).padEnd(size);
        const lines = [`Authorization: Bearer ${ann.bearer}`, 'Content-Type: application/json', `Content-Length: ${body.length}`];
        return request('POST', '/v1/reservations', { lines, body });
    };
    const { answers } = await exchange(hf.url, [post('A1', LARGE) + post('A2', 0) + post('A3', LARGE)], { enough: 3 });
    assert.deepEqual(answers.map(({ status, json }) => [status, json.items[0].seat]), [[201, 'A1'], [201, 'A2'], [201, 'A3']]);
    await exchange(hf.url, [post('A4', LARGE)], { enough: () => true });
    const after = await ann.post('/v1/reservations', { items: items(event, 'A5') });
    assert.equal(after.status, 201, after.text);
});

test('many large bodies at once are all read', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A40' });
    const ann = hf.user('ann');
    const answers = await Promise.all(items(event, 'A1-A40').map((item) =>
        ann.post('/v1/reservations', JSON.stringify({ items: [item] }).padEnd(1024 * 1024))));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
});
