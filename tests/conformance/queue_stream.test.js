/* SPDX-License-Identifier: Apache-2.0 */
/* The stream of one entry: its state at once, at every move, and to the end. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, ownClock } = require('./lib/server.js');
const { items } = require('./lib/catalogue.js');
const { queue, makeRoom, entry, join, look, becomes, withPass, room } = require('./lib/entries.js');
const { granted, refused } = require('./lib/expect.js');
const { Wire, request } = require('./lib/http.js');

const hf = shared();
const BEFORE_REFRESH_MS = 9_000; /* a stream is refreshed anyway after ten to fifteen seconds */
const iso = (ms) => new Date(ms).toISOString();
const path = (e) => queue(e.event, `/${e.entry_id}/stream`);
const is = (status) => (told) => told.json.status === status;
const leave = (user, e) => user.delete(queue(e.event, `/${e.entry_id}`));

async function follow(caller, e) {
    const stream = await caller.stream(path(e));
    assert.equal(stream.status, 200);
    return stream;
}

test('it is Server-Sent Events and begins with the entry as it is', async () => {
    const event = await makeRoom(hf, { room: { open_at: iso(hf.now() + 3_600_000) } });
    const ann = hf.user('ann');
    const e = await join(ann, event);
    for (const caller of [ann, hf.app, hf.admin]) {
        const stream = await follow(caller, e);
        assert.match(stream.headers['content-type'], /^text\/event-stream\b/);
        assert.equal(stream.headers['cache-control'], 'no-store');
        const first = await stream.next();
        assert.equal(first.name, 'entry');
        assert.match(first.id, /^\d+$/);
        entry(first.json, { entry_id: e.entry_id, status: 'waiting', position: 1 });
        stream.close();
    }
    const head = await ann.head(path(e));
    assert.deepEqual([head.status, head.size, head.headers.connection], [200, 0, 'close']);
});

test('it sends the admission, with the pass, and what follows, and ends with the entry', async () => {
    const event = await makeRoom(hf, { seats: 'A1', room: { max_active: 1, rate_per_second: 1000 } });
    const [ann, bob] = [hf.user('ann'), hf.user('bob')];
    const first = await join(ann, event);
    await becomes(hf, ann, first, 'admitted');
    const e = await join(bob, event);
    const stream = await follow(bob, e);
    await stream.next(is('waiting'));
    await leave(ann, first);
    const told = await stream.next(is('admitted'), 'admission');
    const { pass } = entry(told.json);
    const r = granted(await bob.post('/v1/reservations', { items: items(event, 'A1') }, withPass(pass)), 201);
    granted(await bob.post(`/v1/reservations/${r.reservation_id}/commit`, {}), 200);
    entry((await stream.next(is('finished'), 'the end')).json);
    await hf.eventually(async () => stream.ended, Boolean, 'the stream ends');
});

test('leaving ends it; a stream of an ended entry says so and ends', async () => {
    const event = await makeRoom(hf, { room: { open_at: iso(hf.now() + 3_600_000) } });
    const ann = hf.user('ann');
    const e = await join(ann, event);
    const streams = [await follow(ann, e), await follow(hf.app, e)];
    await leave(ann, e);
    for (const stream of streams) {
        await stream.next(is('left'));
        await hf.eventually(async () => stream.ended, Boolean, 'the stream ends');
    }
    const after = await follow(ann, e);
    entry((await after.next()).json, { status: 'left' });
    await hf.eventually(async () => after.ended, Boolean, 'the stream ends');
});

test('each event is a chunk, and the end is the last one', async () => {
    const event = await makeRoom(hf, { room: { open_at: iso(hf.now() + 3_600_000) } });
    const ann = hf.user('ann');
    const e = await join(ann, event);
    const ask = () => new Wire(hf.url, request('GET', path(e), { lines: [`Authorization: Bearer ${ann.bearer}`] }));
    const wire = ask();
    await wire.until((w) => w.chunks.data.length === 1, 'the entry');
    assert.match(wire.head, /\r\nTransfer-Encoding: chunked\r\n/);
    await leave(ann, e);
    await wire.until((w) => w.chunks.last, 'the last chunk');
    const after = ask();
    await after.until((w) => w.chunks.last, 'the last chunk');
    for (const { data, rest } of [wire.chunks, after.chunks]) {
        assert.ok(data.every((chunk) => /^event: entry\nid: \d+\ndata: .+\n\n$/.test(chunk)), JSON.stringify(data));
        assert.match(data.at(-1), /"status":"left"/);
        assert.equal(rest, '');
    }
    await hf.eventually(async () => wire.closed && after.closed, Boolean, 'the connections close');
});

test('HTTP/1.0 has no chunks: the entry as it is, and the connection closes at its end', async () => {
    const event = await makeRoom(hf, { room: { open_at: iso(hf.now() + 3_600_000) } });
    const ann = hf.user('ann');
    const e = await join(ann, event);
    const wire = new Wire(hf.url, `GET ${path(e)} HTTP/1.0\r\nAuthorization: Bearer ${ann.bearer}\r\n\r\n`);
    await wire.until((w) => w.body.endsWith('\n\n'), 'the entry');
    await leave(ann, e);
    await hf.eventually(async () => wire.closed, Boolean, 'the connection closes');
    assert.doesNotMatch(wire.head, /transfer-encoding/i);
    assert.match(wire.body, /^(event: entry\nid: \d+\ndata: .+\n\n){2,}$/);
});

test('500 streams get their admission, and not by a refresh', ownClock, async () => {
    const event = await makeRoom(hf, { room: { open_at: iso(hf.now() + 60_000), rate_per_second: 100000 } });
    const people = await Promise.all(Array.from({ length: 500 }, async (_, i) => {
        const user = hf.user(`p${i}`);
        const e = await join(user, event);
        return follow(user, e);
    }));
    await Promise.all(people.map((stream) => stream.next(is('waiting'))));
    hf.clock.advance(60_000);
    await hf.eventually(() => room(hf, event), (now) => now.active > 0, 'the first');
    const told = [];
    await Promise.all(people.map(async (stream) => {
        const { json } = await stream.next(is('admitted'), 'admission', BEFORE_REFRESH_MS);
        told.push(entry(json).position);
        stream.close();
    }));
    assert.equal(new Set(told).size, 500);
    assert.equal((await room(hf, event)).active, 500);
});

test('the opening and the draw are sent', ownClock, async () => {
    const event = await makeRoom(hf, {
        room: { open_at: iso(hf.now() + 60_000), shuffle_before_open: true, rate_per_second: 1, max_active: 1 },
    });
    const streams = [];
    for (const name of ['a', 'b', 'c', 'd']) {
        streams.push(await follow(hf.user(name), await join(hf.user(name), event)));
    }
    for (const stream of streams) {
        assert.equal((await stream.next()).json.position, null);
    }
    hf.clock.advance(60_000);
    const positions = [];
    for (const stream of streams) {
        const { json } = await stream.next((told) => told.json.position !== null, 'a position', BEFORE_REFRESH_MS);
        positions.push(json.position);
        stream.close();
    }
    assert.deepEqual(positions.sort(), [1, 2, 3, 4]);
});

test('a pause is sent', async () => {
    const event = await makeRoom(hf, { room: { max_active: 1, rate_per_second: 1000 } });
    await becomes(hf, hf.user('first'), await join(hf.user('first'), event), 'admitted');
    const stream = await follow(hf.user('ann'), await join(hf.user('ann'), event));
    await stream.next(is('waiting'));
    await hf.admin.patch(queue(event), { paused: true });
    entry((await stream.next(is('waiting'), 'the pause', BEFORE_REFRESH_MS)).json, { eta_seconds: null });
    stream.close();
});

test('rooms that pause together notify everyone in them', async () => {
    const events = [];
    for (let i = 0; i < 6; i++)
        events.push(await makeRoom(hf, { room: { max_active: 1, rate_per_second: 1000 } }));
    const streams = [];
    for (const event of events) {
        await becomes(hf, hf.user('first'), await join(hf.user('first'), event), 'admitted');
        for (const name of ['ann', 'bob', 'cid']) {
            const stream = await follow(hf.user(name), await join(hf.user(name), event));
            await stream.next(is('waiting'));
            streams.push(stream);
        }
    }
    streams.pop().close();
    await Promise.all(events.map((event) => hf.admin.patch(queue(event), { paused: true })));
    for (const stream of streams) {
        await stream.next((told) => told.json.eta_seconds === null, 'the pause', BEFORE_REFRESH_MS);
        stream.close();
    }
});

test('a user with a stream is present; one who closed it and stays away is not', ownClock, async () => {
    const event = await makeRoom(hf, { room: { max_active: 1, rate_per_second: 1000 } });
    const [first, ann, bob] = ['first', 'ann', 'bob'].map((name) => hf.user(name));
    const entries = [await join(first, event), await join(ann, event), await join(bob, event)];
    await becomes(hf, first, entries[0], 'admitted');
    const stream = await follow(bob, entries[2]);
    await stream.next(is('waiting'));
    hf.clock.advance(300_000);
    hf.clock.skip(16_000);
    await stream.next(is('waiting'), 'the next look at who is streaming');
    await leave(first, entries[0]);
    await stream.next(is('admitted'));
    assert.equal(entry((await hf.admin.get(queue(event, `/${entries[1].entry_id}`))).json).status, 'passed_over');
    stream.close();
});

test('opening a stream counts as coming back', ownClock, async () => {
    const event = await makeRoom(hf, { room: { max_active: 1, rate_per_second: 1000 } });
    const [first, ann, bob] = ['first', 'ann', 'bob'].map((name) => hf.user(name));
    const entries = [await join(first, event), await join(ann, event), await join(bob, event)];
    await becomes(hf, first, entries[0], 'admitted');
    hf.clock.advance(300_000);
    await look(bob, entries[2]);
    await leave(first, entries[0]);
    await becomes(hf, hf.admin, entries[2], 'admitted');
    const stream = await follow(ann, entries[1]);
    await stream.next(is('passed_over'));
    await leave(bob, entries[2]);
    await stream.next(is('admitted'));
    stream.close();
});

test('a removed event closes its streams', async () => {
    const event = await makeRoom(hf, { room: { open_at: iso(hf.now() + 3_600_000) } });
    const stream = await follow(hf.user('ann'), await join(hf.user('ann'), event));
    await stream.next();
    assert.equal((await hf.admin.delete(`/v1/events/${event}`)).status, 204);
    await hf.eventually(async () => stream.ended, Boolean, 'the stream ends');
    refused(await hf.user('ann').get(queue(event)), 404, 'no_such_event');
});

test('a refresh comes in place of a comment, within fifteen seconds', ownClock, async () => {
    const event = await makeRoom(hf, { room: { max_active: 1, rate_per_second: 1000 } });
    await becomes(hf, hf.user('first'), await join(hf.user('first'), event), 'admitted');
    const stream = await follow(hf.user('ann'), await join(hf.user('ann'), event));
    await stream.next(is('waiting'));
    hf.clock.skip(16_000);
    await stream.next(is('waiting'), 'a refresh');
    stream.close();
});

test('a server with open streams stops on request', async () => {
    const event = await makeRoom(hf, { room: { open_at: iso(hf.now() + 3_600_000) } });
    const stream = await follow(hf.user('ann'), await join(hf.user('ann'), event));
    await stream.next();
    /* Left open: the end of the file stops the server, and checks how. */
});
