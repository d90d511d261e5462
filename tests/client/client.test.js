/* SPDX-License-Identifier: Apache-2.0 */
/* clients/js against a server: lost requests are repeated without being done twice, refusals have their code, the
 * server's clock counts, streams resume, and a guest stays the same guest. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared } = require('../conformance/lib/server.js');
const { makeEvent, hold, items } = require('../conformance/lib/catalogue.js');

const hf = shared();
const load = () => import('../../clients/js/src/client.js');

/* A substitute for the browser's localStorage. */
function storage() {
    const map = new Map();
    return { map, getItem: (key) => map.get(key) ?? null, setItem: (key, value) => map.set(key, value) };
}

async function guest(options = {}) {
    const { Holdfast } = await load();
    return new Holdfast({ url: hf.url, storage: storage(), ...options });
}

test('a hold whose answer is lost is made once', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const keys = [];
    let lose = 2;
    const client = await guest({ fetch: async (url, options) => {
        const answer = await fetch(url, options);
        if (url.endsWith('/v1/reservations')) {
            keys.push(options.headers['Idempotency-Key']);
            if (lose-- > 0) {
                await answer.text();
                throw new TypeError('the connection broke');
            }
        }
        return answer;
    } });
    const made = await client.hold([{ event, seat: 'A1' }]);
    assert.equal(made.status, 'held');
    assert.equal(keys.length, 3);
    assert.equal(new Set(keys).size, 1);
    const { json } = await hf.admin.get(`/v1/events/${event}`);
    assert.equal(json.counts.held, 1);
});

test('a file is sent as it is, with its type', async () => {
    const event = await makeEvent(hf);
    const { Holdfast } = await load();
    const admin = new Holdfast({ url: hf.url, token: hf.adminKey, guest: false });
    assert.deepEqual(await admin.upload(`/v1/events/${event}/seats`, 'id,price\nA1,5\n', 'text/csv'), { created: 1, updated: 0 });
    await assert.rejects(admin.upload(`/v1/events/${event}/seats`, 'id,price\nA1,5\nA2,x\n', 'text/csv'), (problem) => problem.body.line === 3);
});

test('503 and 429 are retried when the server says; other refusals are not', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    await hold(hf.acting('ann'), items(event, 'A1'));
    let calls = 0;
    const busy = await guest({ fetch: (url, options) => (url.includes('/v1/events') && calls++ === 0
        ? Promise.resolve(new Response('{"code":"unavailable"}', { status: 503, headers: { 'Content-Type': 'application/problem+json' } }))
        : fetch(url, options)) });
    assert.equal((await busy.event(event)).id, event);
    assert.equal(calls, 2);
    const { Problem } = await load();
    let asked = 0;
    const client = await guest({ fetch: (url, options) => { asked += url.endsWith('/reservations'); return fetch(url, options); } });
    await assert.rejects(client.hold([{ event, seat: 'A1' }]), (problem) => {
        assert.ok(problem instanceof Problem);
        assert.equal(problem.code, 'taken');
        assert.equal(problem.status, 409);
        assert.equal(problem.body.items[0].seat, 'A1');
        assert.match(problem.message, /\.$/);
        return true;
    });
    assert.equal(asked, 1);
});

test('an unreachable server is the problem "offline"', async () => {
    const client = await guest({ url: 'http://127.0.0.1:9', attempts: 2 });
    await assert.rejects(client.get('/v1/events'), { code: 'offline', status: 0 });
});

test('a guest gets one token, keeps it, and gets another when it is refused', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A4' });
    const kept = storage();
    let sessions = 0;
    const counting = (url, options) => { sessions += url.endsWith('/v1/sessions'); return fetch(url, options); };
    const client = await guest({ storage: kept, fetch: counting });
    const [one, two] = await Promise.all([client.hold([{ event, seat: 'A1' }]), client.hold([{ event, seat: 'A2' }])]);
    assert.equal(one.user_id, two.user_id);
    assert.equal(sessions, 1);
    const later = await guest({ storage: kept, fetch: counting });
    assert.equal((await later.reservation(one.reservation_id)).user_id, one.user_id);
    assert.equal(sessions, 1);
    const [[key]] = kept.map;
    kept.map.set(key, `${kept.map.get(key).slice(0, -4)}AAAA`); /* no longer signed by the server */
    const renewed = await guest({ storage: kept, fetch: counting });
    assert.notEqual((await renewed.hold([{ event, seat: 'A3' }])).user_id, one.user_id);
    assert.ok(sessions >= 2);
});

test('time left follows the server\'s clock, whatever the local one says', async (t) => {
    const event = await makeEvent(hf, { seats: 'A1', hold_ttl_seconds: 300, max_hold_seconds: 300 });
    const real = Date.now;
    t.after(() => { Date.now = real; });
    Date.now = () => real() + 2 * 3600_000;
    const client = await guest({ token: hf.user('eve').bearer });
    const made = await client.hold([{ event, seat: 'A1' }]);
    const left = client.secondsLeft(made);
    assert.ok(left > 298 && left <= 300, `${left} s`);
    Date.now = () => real() - 2 * 3600_000;
    assert.ok(Math.abs(client.secondsLeft(made) - left) < 2);
});

test('a stream resumes where it broke off: every change once, in order', async (t) => {
    const event = await makeEvent(hf, { seats: 'A1-A6' });
    const client = await guest();
    const stop = new AbortController();
    t.after(() => stop.abort());
    let cut;
    const send = client.send;
    client.send = (url, options) => {
        const own = new AbortController();
        cut = () => own.abort();
        options.signal.addEventListener('abort', () => own.abort());
        return send(url, { ...options, signal: own.signal });
    };
    const seen = [];
    let opened = 0;
    client.follow(`/v1/events/${event}/stream`, {
        signal: stop.signal, onOpen: () => opened++, onEvent: ({ event: name, data }) => seen.push(name === 'seat' ? data.id : name),
    });
    const until = (n) => hf.eventually(async () => seen.length, (length) => length >= n, `${n} events`);
    await until(1);
    await hold(hf.acting('ann'), items(event, 'A1'));
    await until(2);
    cut();
    await hold(hf.acting('ann'), items(event, 'A2'));
    await hold(hf.acting('ann'), items(event, 'A3'));
    await until(4);
    await hold(hf.acting('ann'), items(event, 'A4'));
    await until(5);
    assert.deepEqual(seen, ['reset', 'A1', 'A2', 'A3', 'A4']);
    assert.equal(opened, 2);
});

test('a stream that is refused ends with the problem', async () => {
    const client = await guest();
    await assert.rejects(client.follow('/v1/events/nothing-there/stream', { onEvent() {} }), { code: 'no_such_event' });
});

for (const status of [503, 429]) {
    test(`a stream that is refused with ${status} is not retried before the server says`, async (t) => {
        t.mock.timers.enable({ apis: ['setTimeout'] });
        let asked = 0;
        const answers = [() => new Response('{"code":"busy"}', { status, headers: { 'Retry-After': '30', 'Content-Type': 'application/problem+json' } }),
            () => new Response('{"code":"no_such_event"}', { status: 404, headers: { 'Content-Type': 'application/problem+json' } })];
        const client = await guest({ fetch: async () => answers[asked++]() });
        const waits = new Promise((resolve) => {
            client.follow('/v1/events/x/stream', { onEvent() {}, onDown: resolve }).catch((problem) => problem).then((problem) => { client.ended = problem; });
        });
        await waits;
        await new Promise(setImmediate);
        t.mock.timers.tick(29_999);
        await new Promise(setImmediate);
        assert.equal(asked, 1);
        t.mock.timers.tick(1_000);
        await new Promise(setImmediate);
        assert.equal(asked, 2);
        assert.equal(client.ended.code, 'no_such_event');
    });
}

test('events are read in any pieces', async () => {
    const { parser } = await import('../../clients/js/src/stream.js');
    const whole = 'id: 7\nevent: seat\ndata: {"a":\ndata: 1}\n\n: comment\n\nid: 8\r\ndata: x\r\n\r\n';
    for (let size = 1; size <= whole.length; size++) {
        const got = [];
        const push = parser((event) => got.push(event));
        for (let at = 0; at < whole.length; at += size) {
            push(whole.slice(at, at + size));
        }
        assert.deepEqual(got, [{ id: '7', event: 'seat', data: '{"a":\n1}' }, { id: '8', event: 'message', data: 'x' }], `${size}`);
    }
});
