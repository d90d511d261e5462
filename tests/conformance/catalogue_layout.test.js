/* SPDX-License-Identifier: Apache-2.0 */
/* The layout is static: a strong ETag, 304 and gzip; a seat has a version of its own. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared } = require('./lib/server.js');
const { makeEvent, addSeats, seats, items, hold } = require('./lib/catalogue.js');
const { refused } = require('./lib/expect.js');

const hf = shared();
const path = (event) => `/v1/events/${event}/seats`;
const get = (event, headers = {}) => hf.anyone.get(path(event), { headers });

test('the layout names its event and has a strong ETag', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const answer = await get(event);
    assert.equal(answer.status, 200);
    assert.equal(answer.json.event, event);
    assert.equal(answer.json.seats.length, 3);
    assert.match(answer.headers.etag, /^"[^"]+"$/);
    assert.deepEqual((await get(await makeEvent(hf))).json.seats, []);
});

test('If-None-Match with the ETag is 304 without a body', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const { etag } = (await get(event)).headers;
    for (const value of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
        const same = await get(event, { 'If-None-Match': value });
        assert.equal(same.status, 304, value);
        assert.equal(same.text, '');
        assert.equal(same.headers.etag, etag);
    }
    assert.equal((await get(event, { 'If-None-Match': '"other"' })).status, 200);
});

test('claims do not change the layout, an import does', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const { etag } = (await get(event)).headers;
    await hold(hf.user('ann'), items(event, 'A1'));
    assert.equal((await get(event)).headers.etag, etag);
    await addSeats(hf, event, [{ id: 'A2', price: 5 }]);
    const changed = await get(event, { 'If-None-Match': etag });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.etag, etag);
    assert.equal(changed.json.seats[1].price, 5);
});

test('gzip on request, with the same bytes inside', async () => {
    const list = Array.from({ length: 2000 }, (_, i) => ({ id: `S${i}`, row: 'A', number: String(i) }));
    const event = await makeEvent(hf, { seats: list });
    const plain = await get(event);
    assert.equal(plain.headers['content-encoding'], undefined);
    const asked = { 'Accept-Encoding': 'br, gzip' };
    /* The layout can be compressed off the loop: the first answers can still be plain. */
    const packed =
        await hf.eventually(() => get(event, asked), (a) => a.headers['content-encoding'] === 'gzip', 'gzip');
    assert.ok(packed.size < plain.size / 4, `${packed.size} of ${plain.size}`);
    assert.equal(packed.text, plain.text);
    assert.match(packed.headers.vary ?? '', /accept-encoding/i);
    const same = await get(event, { ...asked, 'If-None-Match': packed.headers.etag });
    assert.equal(same.status, 304);
    assert.equal(
        (await get(event, { 'Accept-Encoding': 'gzip;q=0' })).headers['content-encoding'], undefined
    );
    assert.equal(
        (await get(event, { 'Accept-Encoding': 'identity' })).headers['content-encoding'], undefined
    );
});

test('a seat shows its status and its own version, which grows with every claim and every end of one', async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A2', { section: 'Nord', tier: 'gold', price: 5 }) });
    const read = async (seat) => {
        const answer = await hf.anyone.get(`${path(event)}/${seat}`);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.headers.etag, `"${answer.json.version}"`);
        return answer.json;
    };
    const free = await read('A1');
    const wanted =
        { id: 'A1', status: 'available', section: 'Nord', row: 'A', number: '1', tier: 'gold', price: 5 };
    for (const [field, value] of Object.entries(wanted)) {
        assert.equal(free[field], value, field);
    }
    const other = await read('A2');
    const ann = hf.user('ann');
    const first = await hold(ann, items(event, 'A1'));
    const held = await read('A1');
    assert.equal(held.status, 'held');
    assert.ok(held.version > free.version);
    await ann.post(`/v1/reservations/${first.reservation_id}/release`, {});
    const released = await read('A1');
    assert.equal(released.status, 'available');
    assert.ok(released.version > held.version);
    const second = await hold(ann, items(event, 'A1'));
    const again = await read('A1');
    assert.ok(again.version > released.version);
    await ann.post(`/v1/reservations/${second.reservation_id}/commit`, {});
    assert.equal((await read('A1')).status, 'sold');
    assert.deepEqual(await read('A2'), other, 'the version is the seat\'s own');
});

test('a public read does not show who holds a seat', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const ann = hf.user('ann-the-secret-buyer');
    const held = await hold(ann, items(event, 'A1'));
    for (const target of [
        `${path(event)}/A1`, path(event), `/v1/events/${event}/availability`, `/v1/events/${event}`
    ]) {
        const { text } = await hf.anyone.get(target);
        assert.ok(!text.includes('ann-the-secret-buyer'), target);
        assert.ok(!text.includes(held.reservation_id), target);
    }
});

test('an unknown seat is 404', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    refused(await hf.anyone.get(`${path(event)}/A2`), 404, 'no_such_seat');
    refused(await hf.anyone.get(`${path(event)}/a1`), 404, 'no_such_seat');
    refused(await hf.anyone.get(`${path(event)}/A%201`), 404, 'no_such_seat');
});
