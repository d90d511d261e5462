/* SPDX-License-Identifier: Apache-2.0 */
/* The event stream: begins with a reset, continues without a gap, and resumes where it was left. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, ownClock, ownProcess } = require('./lib/server.js');
const { makeEvent, items, hold, availability } = require('./lib/catalogue.js');
const { granted } = require('./lib/expect.js');
const { Wire, request } = require('./lib/http.js');

const hf = shared();
const ann = () => hf.user('ann');
const path = (event) => `/v1/events/${event}/stream`;
const act = async (r, what) =>
    granted(await ann().post(`/v1/reservations/${r.reservation_id}/${what}`, {}), 200);
const isSeat = (id, status) => (e) => e.name === 'seat' && e.json.id === id && e.json.status === status;
const isPool = (id, left) => (e) => e.name === 'pool' && e.json.id === id && e.json.available === left;

/* A stream that is past its reset. */
async function follow(event, options) {
    const stream = await hf.anyone.stream(path(event), options);
    assert.equal(stream.status, 200);
    const reset = await stream.next();
    assert.equal(reset.name, 'reset');
    return Object.assign(stream, { reset });
}

test('it is Server-Sent Events, needs no credentials and begins with reset {version}', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const { version } = await availability(hf, event);
    const stream = await follow(event);
    assert.match(stream.headers['content-type'], /^text\/event-stream\b/);
    assert.ok('holdfast-seq' in stream.headers);
    assert.ok(stream.reset.json.version >= version);
    stream.close();
});

test('HEAD answers like GET: no length, and the connection closes', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const stream = await follow(event);
    const head = await hf.anyone.head(path(event));
    assert.equal(head.status, 200);
    assert.equal(head.size, 0);
    for (const name of [
        'content-type', 'content-length', 'transfer-encoding', 'cache-control', 'connection', 'x-accel-buffering',
    ]) {
        assert.equal(head.headers[name], stream.headers[name], name);
    }
    assert.equal(head.headers.connection, 'close');
    assert.equal(head.headers['transfer-encoding'], 'chunked');
    assert.ok(!('content-length' in head.headers));
    stream.close();
});

/* Each chunk can be read separately: it is one message or several, never a part of one. */
const whole = (chunk) => /^(:\n\n|(event: [a-z]+\nid: \d+\ndata: .+\n\n)+)$/.test(chunk);

test('it comes in chunks of whole messages, one chunk per flush', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A50' });
    const wires = [1, 2].map(() => new Wire(hf.url, request('GET', path(event))));
    for (const wire of wires) {
        await wire.until((w) => w.chunks.data.length === 1, 'the reset');
        assert.match(wire.head, /^HTTP\/1\.1 200 OK\r\n/);
        assert.match(wire.head, /\r\nTransfer-Encoding: chunked\r\n/);
        assert.match(wire.head, /\r\nConnection: close\r\n/);
        assert.match(wire.chunks.data[0], /^event: reset\n/);
    }
    await Promise.all(Array.from({ length: 50 }, (_, i) => hold(hf.user(`u${i}`), items(event, `A${i + 1}`))));
    for (const wire of wires) {
        const messages = () => wire.chunks.data.join('').split('\n\n').length - 1;
        await wire.until(() => messages() === 51, 'fifty seats');
        const { data, rest, last } = wire.chunks;
        assert.ok(data.every(whole), JSON.stringify(data.find((chunk) => !whole(chunk))));
        assert.deepEqual([rest, last], ['', false]);
        wire.close();
    }
});

test('a resumption with nothing to send writes no empty chunk, which would be the end', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const first = await follow(event);
    first.close();
    const lines = [`Last-Event-ID: ${first.reset.id}`];
    const wire = new Wire(hf.url, request('GET', path(event), { lines }));
    await wire.until((w) => w.head.length > 4, 'the head');
    await hold(ann(), items(event, 'A1'));
    await wire.until((w) => w.chunks.data.some((chunk) => chunk.includes('"held"')), 'A1 held');
    assert.ok(wire.chunks.data.every(whole));
    wire.close();
});

test('HTTP/1.0 has no chunks: the stream ends with the connection', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const modern = await follow(event);
    const wire = new Wire(hf.url, `GET ${path(event)} HTTP/1.0\r\n\r\n`);
    await wire.until((w) => w.body.includes('\n\n'), 'the reset');
    assert.doesNotMatch(wire.head, /transfer-encoding/i);
    assert.match(wire.head, /\r\nConnection: close\r\n/);
    await hold(ann(), items(event, 'A1'));
    await wire.until((w) => w.body.includes('"held"') && w.body.endsWith('\n\n'), 'A1 held');
    await modern.next(isSeat('A1', 'held'));
    assert.ok(whole(wire.body), wire.body);
    wire.close();
    modern.close();
});

test('when the server stops, the stream is complete: it ends with the last chunk', ownProcess, async (t) => {
    const server = await new Server().start();
    t.after(() => server.close());
    const event = await makeEvent(server, { seats: 'A1' });
    const wire = new Wire(server.url, request('GET', path(event)));
    await wire.until((w) => w.chunks.data.length === 1, 'the reset');
    await server.stop();
    await wire.until((w) => w.chunks.last, 'the last chunk');
    assert.equal(wire.chunks.rest, '');
});

test('a client that does not read is dropped; the others continue, and it can resume', ownProcess, async (t) => {
    const server = await new Server().start();
    t.after(() => server.close());
    const event = await makeEvent(server, { seats: 'A1-A2000' });
    const dropped = async () =>
        Number(/^holdfast_streams_dropped_total (\d+)$/m.exec((await server.admin.get('/metrics')).text)[1]);
    const slow = new Wire(server.url, request('GET', path(event)));
    await slow.until((w) => w.chunks.data.length === 1, 'the reset');
    slow.socket.pause();
    const reader = await server.anyone.stream(path(event));
    const ids = Array.from({ length: 2000 }, (_, i) => `A${i + 1}`);
    let blocked = false;
    assert.equal(await dropped(), 0);
    for (let round = 0; round < 300 && !(await dropped()); round++) {
        blocked = !blocked;
        const status = blocked ? 'blocked' : 'available';
        reader.events.length = 0;
        assert.equal((await server.admin.patch(`/v1/events/${event}/seats`, { ids, blocked })).status, 200);
        await reader.until(() => reader.events.filter((e) => e.json.status === status).length === 2000, 'all seats');
    }
    assert.equal(await dropped(), 1);
    assert.ok(!reader.ended);
    const closed = new Promise((resolve) => slow.socket.on('close', resolve));
    slow.socket.resume();
    await closed;
    assert.ok(!slow.chunks.last, 'no end, as it is not complete');
    const lastEventId = reader.events.at(-1).id;
    const [seat, status] = ['A1', blocked ? 'available' : 'blocked'];
    await server.admin.patch(`/v1/events/${event}/seats`, { ids: [seat], blocked: !blocked });
    const back = await server.anyone.stream(path(event), { lastEventId });
    await back.until(() => back.events.some(isSeat(seat, status)), 'what came since');
    assert.ok(back.events.every((e) => e.name === 'seat'), 'no reset');
    back.close();
    reader.close();
});

test('seat {id, status, version} with the seat\'s own version, pool {id, available}, and a growing id', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2', pools: { floor: 5 } });
    const stream = await follow(event);
    const r = await hold(ann(), [...items(event, 'A1'), { event, pool: 'floor', quantity: 2 }]);
    const held = await stream.next(isSeat('A1', 'held'));
    const seat = (await hf.anyone.get(`/v1/events/${event}/seats/A1`)).json;
    assert.deepEqual(held.json, { id: 'A1', status: 'held', version: seat.version });
    assert.ok(Number(held.id) > stream.reset.json.version);
    const other = await hold(ann(), [{ event, pool: 'floor', quantity: 1 }]);
    const pool = await stream.next(isPool('floor', 2));
    assert.deepEqual(pool.json, { id: 'floor', available: 2 });
    assert.ok(Number(pool.id) > Number(held.id));
    await act(r, 'commit');
    const sold = await stream.next(isSeat('A1', 'sold'));
    assert.ok(Number(sold.id) > Number(pool.id));
    await act(other, 'release');
    await stream.next(isPool('floor', 3));
    stream.close();
});

test('the changes of one command to a seat or a pool are sent once, in their final state', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3', pools: { floor: 9 } });
    const stream = await follow(event);
    const floor = (quantity) => ({ event, pool: 'floor', quantity });
    const bought = await hf.admin.post('/v1/reservations', {
        user_id: 'ann', commit: true, items: [...items(event, 'A1'), floor(2), floor(3)],
    });
    assert.equal(granted(bought, 201).status, 'confirmed');
    await hold(ann(), items(event, 'A2'));
    await stream.until(() => stream.events.some(isSeat('A2', 'held')), 'A2 held');
    const told = stream.events.map((e) => `${e.json.id} ${e.json.status ?? e.json.available}`);
    assert.deepEqual(told.sort(), ['A1 sold', 'A2 held', 'floor 4']);
    stream.close();
});

test('blocking and imports are sent', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const stream = await follow(event);
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A1'], blocked: true });
    await stream.next(isSeat('A1', 'blocked'));
    await hf.admin.put(`/v1/events/${event}/pools/floor`, { capacity: 7 });
    await stream.next(isPool('floor', 7));
    stream.close();
});

test('only this event is in it', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const other = await makeEvent(hf, { seats: 'A1' });
    const stream = await follow(event);
    await hold(ann(), items(other, 'A1'));
    await hold(hf.user('bob'), items(event, 'A1'));
    const first = await stream.next((e) => e.name === 'seat');
    const own = (await hf.anyone.get(`/v1/events/${event}/seats/A1`)).json;
    assert.equal(first.json.version, own.version);
    stream.close();
});

test('every change comes to every follower, in order', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A100' });
    const streams = await Promise.all(Array.from({ length: 10 }, () => follow(event)));
    await Promise.all(
        Array.from({ length: 100 }, (_, i) => hold(hf.user(`u${i}`), items(event, `A${i + 1}`)))
    );
    for (const stream of streams) {
        await stream.until(
            () => new Set(stream.events.map((e) => e.json.id)).size === 100, 'a hundred seats'
        );
        const ids = stream.events.map((e) => Number(e.id));
        assert.deepEqual(ids, [...ids].sort((a, b) => a - b));
        stream.close();
    }
});

test('Last-Event-ID resumes without a gap and without a reset', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A10' });
    const first = await follow(event);
    await hold(ann(), items(event, 'A1'));
    const seen = await first.next(isSeat('A1', 'held'));
    first.close();
    const r = await hold(ann(), items(event, 'A2'));
    await act(r, 'release');
    await hold(ann(), items(event, 'A3'));
    const second = await hf.anyone.stream(path(event), { lastEventId: seen.id });
    await second.until(() => second.events.some(isSeat('A3', 'held')), 'A3 held');
    assert.ok(second.events.every((e) => e.name === 'seat'), 'no reset');
    assert.ok(second.events.every((e) => Number(e.id) > Number(seen.id)), 'nothing twice');
    const last = new Map(second.events.map((e) => [e.json.id, e.json.status]));
    assert.deepEqual(Object.fromEntries(last), { A2: 'available', A3: 'held' });
    await hold(ann(), items(event, 'A4'));
    await second.next(isSeat('A4', 'held'));
    second.close();
});

test('resuming from the version of the reset or of availability loses nothing', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const { version } = await availability(hf, event);
    await hold(ann(), items(event, 'A1'));
    const stream = await hf.anyone.stream(path(event), { lastEventId: version });
    const first = await stream.next();
    assert.ok(isSeat('A1', 'held')(first), `${first.name} ${first.data}`);
    stream.close();
});

test('an unknown Last-Event-ID begins with a reset', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const { version } = await availability(hf, event);
    for (const lastEventId of [version + 1_000_000_000, 'garbage', '-1']) {
        const stream = await follow(event, { lastEventId });
        assert.ok(stream.reset.json.version >= version, String(lastEventId));
        stream.close();
    }
});

test('fetch, then follow: no change falls between reset and stream', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A60' });
    const holding =
        Promise.all(Array.from({ length: 60 }, (_, i) => hold(hf.user(`u${i}`), items(event, `A${i + 1}`))));
    const stream = await follow(event);
    const { seats } = await availability(hf, event);
    await holding;
    const done = () => Object.values(seats).every((status) => status === 'held');
    await stream.until(() => {
        stream.events.splice(0).forEach((e) => (seats[e.json.id] = e.json.status));
        return done();
    }, 'all sixty held');
    stream.close();
});

test('an expiry is sent without a request', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1', pools: { floor: 2 }, hold_ttl_seconds: 60 });
    await hold(ann(), [...items(event, 'A1'), { event, pool: 'floor', quantity: 2 }]);
    const stream = await follow(event);
    hf.clock.advance(61_000);
    await stream.until(() => stream.events.some(isSeat('A1', 'available')), 'A1 available');
    await stream.until(() => stream.events.some(isPool('floor', 2)), 'floor 2');
    stream.close();
});

/* Up to 15 s of real time, unless the comment follows the test clock. */
test('deleting the event ends its streams at once; a new one of the same name is separate', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const stream = await follow(event);
    assert.equal((await hf.admin.delete(`/v1/events/${event}`)).status, 204);
    await makeEvent(hf, { id: event, seats: 'A1' });
    await hold(ann(), items(event, 'A1'));
    await stream.until(() => stream.ended, 'the end');
    assert.deepEqual(stream.events, [], 'no reset for what is gone, and nothing of the other');
    (await follow(event, { lastEventId: stream.reset.id })).close();
});

test('a comment every 15 s keeps the stream alive', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const stream = await follow(event);
    const before = stream.comments;
    hf.clock.advance(15_500);
    hf.clock.skip(15_500);
    await stream.until(() => stream.comments > before, 'comment', 17_000);
    stream.close();
});
