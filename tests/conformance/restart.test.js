/* SPDX-License-Identifier: Apache-2.0 */
/* Everything acknowledged survives SIGTERM and kill -9, with the same ids, fences, keys and answers. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { Server, unique, ownProcess, PROGRAM } = require('./lib/server.js');
const { exchange, request } = require('./lib/http.js');
const { makeEvent, seats, items, hold, availability, counts, whole } = require('./lib/catalogue.js');
const { refused, granted } = require('./lib/expect.js');

const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const lasting = ({ expires_in, expires_in_ms, ...rest }) => rest;

/* A server of the test's own, closed whatever happens. */
function own(name, body, options) {
    test(name, ownProcess, async () => {
        const hf = await new Server(options).start();
        try {
            hf.app = await hf.key('app');
            await body(hf);
        } finally {
            await hf.close();
        }
    });
}

for (const kill of [false, true]) {
    const how = kill ? 'kill -9' : 'SIGTERM';

    own(`${how}: events, seats, pools, keys and reservations survive`, async (hf) => {
        const event = await makeEvent(hf, {
            name: 'Lasting', seats: seats('A1-A6', { price: 250, section: 'Nord', x: 1.125 }),
            pools: { floor: { capacity: 9, price: 5 } },
            per_user_limit: 6, starts_at: '2031-01-01T00:00:00.000Z',
            description: 'Two lines.\nNo more.', venue: 'The arena', image: '/assets/arena.jpg',
        });
        const ann = hf.user('ann');
        const held = await hold(ann, [...items(event, 'A1'), { event, pool: 'floor', quantity: 2 }], {
            attributes: { a: 'ü' }
        });
        const sold = granted(await ann.post(path(await hold(ann, items(event, 'A2')), '/commit'), {}), 200);
        const released = granted(await ann.delete(path(await hold(ann, items(event, 'A3')))), 200);
        await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A4'], blocked: true });
        const read = async () => {
            const targets =
                ['', '/seats', '/seats/A1', '/seats/A3'].map((rest) => `/v1/events/${event}${rest}`);
            const all = await Promise.all(targets.map((target) => hf.anyone.get(target)));
            const { seats: now, pools } = await availability(hf, event);
            const mine = [];
            for (const r of [held, sold, released]) {
                mine.push(lasting(granted(await ann.get(path(r)), 200)));
            }
            return { all: all.map((answer) => answer.json), now, pools, mine };
        };
        const before = await read();
        const { seq } = await hf.anyone.get('/healthz');
        await hf.restart({ kill });
        assert.deepEqual(await read(), before);
        const answer = await hf.anyone.get('/healthz');
        assert.ok(answer.seq >= seq, 'Holdfast-Seq does not go back');
        assert.equal((await hf.app.get('/v1/reservations')).status, 200, 'the app key still works');
        granted(await ann.post(path(sold, '/commit'), {}), 200, {
            order_id: sold.order_id, tickets: sold.tickets
        });
        const next = await hold(ann, items(event, 'A3'));
        assert.ok(next.fence > Math.max(held.fence, sold.fence, released.fence));
        granted(await ann.post(path(held, '/commit'), {}), 200, { status: 'confirmed' });
        refused(await ann.post('/v1/reservations', { items: items(event, 'A5 A6') }), 409, 'limit_exceeded');
    });

    own(`${how}: removed seats stay removed, and one that was added again is new`, async (hf) => {
        const event = await makeEvent(hf, { seats: 'A1-A5' });
        const ann = hf.user('ann');
        const remove = (ids) => hf.admin.call('DELETE', `/v1/events/${event}/seats`, { body: { ids } });
        const r = granted(await ann.delete(path(await hold(ann, items(event, 'A2')))), 200);
        assert.equal((await remove(['A2', 'A4'])).status, 200);
        assert.equal((await hf.admin.post(`/v1/events/${event}/seats`, [{ id: 'A2', price: 9 }])).status, 201);
        const mine = await hold(ann, items(event, 'A2'));
        const read = async () => {
            const all = ['/seats', '/availability?format=map', ''].map((rest) => `/v1/events/${event}${rest}`);
            const answers = await Promise.all(all.map((target) => hf.anyone.get(target)));
            answers[1].json.version = 0;
            return [answers[0].headers.etag, ...answers.map((answer) => answer.json)];
        };
        const before = await read();
        assert.deepEqual(before[1].seats.map((seat) => seat.id), ['A1', 'A3', 'A5', 'A2']);
        for (let i = 0; i < 2; i++) { /* from the journal, and from the book */
            await hf.restart({ kill });
            assert.deepEqual(await read(), before);
        }
        assert.equal((await ann.get(path(r))).json.items[0].seat, 'A2', 'who once had it still sees its name');
        refused(await remove(['A2']), 409, 'taken');
        granted(await ann.post(path(mine, '/commit'), {}), 200, { status: 'confirmed' });
        refused(await ann.post('/v1/reservations', { items: items(event, 'A4') }), 404, 'no_such_seat');
    });

    own(`${how}: an Idempotency-Key is remembered with its effect`, async (hf) => {
        const event = await makeEvent(hf, { seats: 'A1-A4' });
        const ann = hf.user('ann');
        const headers = { 'Idempotency-Key': unique('key') };
        const body = JSON.stringify({ items: items(event, 'A1') });
        const r = granted(await ann.post('/v1/reservations', body, { headers }), 201);
        const more = granted(await ann.post(path(r, '/items'), { event, seat: 'A2' }, { headers }), 201);
        await hf.restart({ kill });
        const again = await ann.post('/v1/reservations', body, { headers });
        granted(again, 201, { reservation_id: r.reservation_id, version: more.version });
        assert.equal(again.headers['idempotent-replayed'], 'true');
        const added = await ann.post(path(r, '/items'), { event, seat: 'A2' }, { headers });
        granted(added, 201, { version: more.version });
        assert.equal(added.headers['idempotent-replayed'], 'true');
        refused(await ann.post('/v1/reservations', `${body} `, { headers }), 422, 'idempotency_key_reused');
        assert.equal((await counts(hf, event)).held, 2);
    });

    own(`${how}: a version and a Last-Event-ID from before are too old`, async (hf) => {
        const event = await makeEvent(hf, { seats: 'A1-A4' });
        const { version } = await availability(hf, event);
        await hold(hf.user('ann'), items(event, 'A1'));
        await hf.restart({ kill });
        const now = await availability(hf, event, `?since=${version}`);
        assert.equal(now.full, true);
        assert.equal(now.seats.A1, 'held');
        assert.ok(now.version > version);
        const stream = await hf.anyone.stream(`/v1/events/${event}/stream`, { lastEventId: version });
        assert.equal((await stream.next()).name, 'reset');
        stream.close();
    });
}

own('kill -9 under load, again and again: everything acknowledged survives, nothing is claimed twice', async (hf) => {
    const total = 600;
    const event = await makeEvent(hf, {
        seats: Array.from({ length: total }, (_, i) => ({ id: `S${i}` })), pools: { floor: 10_000 }
    });
    const wanted = new Map(); /* id → the status last acknowledged */
    let next = 0;
    for (let cycle = 0; cycle < 3; cycle++) {
        let dead = false;
        const worker = async () => {
            while (!dead && next < total) {
                const seat = `S${next++}`;
                const ask = [{ event, seat }, { event, pool: 'floor', quantity: 1 }];
                const answer = await hf.app.post('/v1/reservations', { items: ask, user_id: 'ann' });
                assert.equal(answer.status, 201, answer.text);
                const id = answer.json.reservation_id;
                wanted.set(id, 'held');
                const what = ['commit', 'release', null][next % 3];
                if (what) {
                    wanted.set(id, `held or ${what}`);
                    const end = await hf.app.post(path(answer.json, `/${what}`), {});
                    assert.equal(end.status, 200, end.text);
                    wanted.set(id, end.json.status);
                }
            }
        };
        const workers =
            Array.from({ length: 16 }, () => worker().catch((error) => assert.ok(dead, error.stack)));
        const goal = wanted.size + 100;
        await hf.eventually(async () => wanted.size, (n) => n >= Math.min(goal, total), 'some work done');
        dead = true;
        await hf.kill9();
        await Promise.all(workers);
        await hf.launch();
        for (const [id, status] of wanted) {
            const r = granted(await hf.app.get(`/v1/reservations/${id}`), 200);
            const may = {
                'held or commit': ['held', 'confirmed'], 'held or release': ['held', 'released']
            }[status] ?? [status];
            assert.ok(may.includes(r.status), `${id} is ${r.status}, acknowledged as ${status}`);
        }
    }
    const seen = await hf.anyone.get(`/v1/events/${event}/availability`);
    const live = [];
    for (const status of ['held', 'confirmed']) {
        live.push(
            ...await whole(
                hf.admin, `/v1/reservations?event=${event}&status=${status}&limit=1000`, hf.since(seen)
            )
        );
    }
    const claimed = live.flatMap((r) => r.items.filter((item) => item.seat).map((item) => item.seat)).sort();
    assert.equal(new Set(claimed).size, claimed.length, 'no seat in two reservations');
    const shown =
        Object.entries(seen.json.seats).filter(([, status]) => status !== 'available').map(([seat]) => seat);
    assert.deepEqual(shown.sort(), claimed);
    assert.equal(seen.json.pools.floor.available, 10_000 - live.length);
    assert.equal((await counts(hf, event)).available, total - claimed.length);
});

own('SIGTERM finishes requests in flight and closes idle connections and streams, within 5 s', async (hf) => {
    const event = await makeEvent(hf, { seats: 'A1-A64' });
    const streams =
        await Promise.all(Array.from({ length: 5 }, () => hf.anyone.stream(`/v1/events/${event}/stream`)));
    const idle = exchange(hf.url, request('GET', '/healthz'), { enough: () => false });
    const ann = hf.user('ann');
    const flight = Array.from({ length: 64 }, (_, i) =>
        ann.post('/v1/reservations', { items: items(event, `A${i + 1}`) }).then((answer) => answer, () => null));
    await Promise.race(flight);
    const took_ms = await hf.stop();
    assert.ok(took_ms < 5_500, `${took_ms} ms`);
    assert.equal((await idle).closed, true);
    await Promise.all(
        streams.map(
            (stream) => (stream.ended ? null : new Promise((end) => stream.response.on('close', end)))
        )
    );
    const answers = (await Promise.all(flight)).filter(Boolean);
    assert.ok(answers.length >= 1);
    await hf.launch();
    for (const answer of answers) {
        const r = granted(answer, 201);
        granted(await ann.get(path(r)), 200, { status: 'held' });
    }
});

own('SIGTERM ends it within 5 s even if several requests never complete', async (hf) => {
    const head = 'POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
    const halves = Array.from({ length: 3 }, () => exchange(hf.url, head, { enough: () => false }));
    assert.equal((await hf.anyone.get('/healthz')).status, 200);
    const took_ms = await hf.stop();
    assert.ok(took_ms < 5_500, `${took_ms} ms`);
    for (const half of halves) assert.equal((await half).closed, true);
    await hf.launch();
});

own('a second server on the same data folder is refused; the first continues', async (hf) => {
    const args = ['serve', '--data', hf.data, '--listen', '127.0.0.1:0'];
    const child = spawn(PROGRAM, args, { env: hf.environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    child.stdout.on('data', (text) => (stdout += text));
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
    const [code, signal] = await new Promise((end) => child.on('close', (...how) => end(how)));
    clearTimeout(timer);
    assert.equal(signal, null, 'it ends without a signal');
    assert.notEqual(code, 0);
    assert.equal(stdout, '');
    const event = await makeEvent(hf, { seats: 'A1' });
    await hold(hf.user('ann'), items(event, 'A1'));
});
