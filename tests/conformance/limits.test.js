/* SPDX-License-Identifier: Apache-2.0 */
/* Rate limits: generous to people, firm with loops, and never in the way of a commit or of a trusted key. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const net = require('node:net');
const { Server, shared, unique, ownProcess } = require('./lib/server.js');
const { Client, exchange, request } = require('./lib/http.js');
const { makeEvent, items, hold } = require('./lib/catalogue.js');
const { refused, granted } = require('./lib/expect.js');

const hf = shared({ limits: 'on' });
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const create = (caller, body, options) => caller.post('/v1/reservations', body, options);

/* More than any person clicks, and less than a generous default allows. */
const LOOPS_MAX = 300;
const USER_FLOOD = 10_000;
const ADDRESS_FLOOD = 100_000;

/* Holds and releases one seat until it is slowed down; returns the refusal, or undefined. */
async function loop(caller, event, seat, times) {
    for (let i = 0; i < times; i++) {
        const held = await create(caller, { items: items(event, seat) });
        if (held.status === 429) {
            return held;
        }
        granted(held, 201);
        const released = await caller.delete(path(held.json));
        if (released.status === 429) {
            return released;
        }
        granted(released, 200);
    }
    return undefined;
}

/* `texts` pipelined over each of a few connections of one address, repeatedly, until one answer is 429 or `most`
 * requests are sent. Returns every answer. */
async function flood(texts, localAddress, most) {
    const all = [];
    const connections = 4;
    const one = () => exchange(hf.url, texts.join(''), { localAddress, enough: texts.length });
    const slowed = () => all.some((answer) => answer.status === 429);
    for (let sent = 0; sent < most && !slowed(); sent += connections * texts.length) {
        const seen = await Promise.all(Array.from({ length: connections }, one));
        all.push(...seen.flatMap(({ answers }) => answers));
    }
    return all;
}

function holdRequest(user, event, seat) {
    const body = JSON.stringify({ items: items(event, seat) });
    const lines = [
        `Authorization: Bearer ${hf.user(user).bearer}`, 'Content-Type: application/json',
        `Content-Length: ${body.length}`
    ];
    return request('POST', '/v1/reservations', { lines, body });
}

test('a user who releases occasionally is not slowed down', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const me = hf.user(unique('user'));
    assert.equal(await loop(me, event, 'A1', 5), undefined);
});

test('a hold-and-release loop is cooled down, 429 slow_down; commits have their own lane', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const me = hf.user(unique('user'));
    const kept = await hold(me, items(event, 'A9'));
    const answer = await loop(me, event, 'A1', LOOPS_MAX);
    assert.ok(answer, `no 429 in ${LOOPS_MAX} loops`);
    refused(answer, 429, 'slow_down');
    assert.ok(Number(answer.headers['retry-after']) >= 1);
    granted(await me.post(path(kept, '/commit'), {}), 200, { status: 'confirmed' });
    await hold(hf.user(unique('other')), items(event, 'A2'));
});

/* `"a";q=1;w=2, "b";q=3;w=4` → [{name, q, w}, …]. */
function limits(value) {
    const one = /^"([a-z-]+)"((?:;[a-z]+=\d+)+)$/;
    return value.split(', ').map((part) => {
        const [, name, parameters] = one.exec(part) ?? assert.fail(`not a list of items: ${value}`);
        const pairs = parameters.slice(1).split(';').map((pair) => pair.split('='));
        return { name, ...Object.fromEntries(pairs.map(([key, number]) => [key, Number(number)])) };
    });
}

test('RateLimit and RateLimit-Policy show counted callers their quota', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const me = hf.user(unique('user'));
    const first = await create(me, { items: items(event, 'A1') });
    const policies = limits(first.headers['ratelimit-policy']);
    assert.deepEqual(policies.map(({ name }) => name), ['hold-user', 'hold-address']);
    assert.ok(policies.every(({ q, w }) => q >= 1 && w >= 1));
    const [before] = limits(first.headers.ratelimit);
    const second = await create(me, { items: items(event, 'A1') });
    refused(second, 409, 'taken');
    const [after] = limits(second.headers.ratelimit);
    assert.deepEqual([before.name, after.name], ['hold-user', 'hold-user']);
    assert.ok(before.r < policies[0].q && after.r < policies[0].q && after.t >= 1 && after.t <= policies[0].w);
    const read = await hf.anyone.get(`/v1/events/${event}`);
    assert.deepEqual(limits(read.headers['ratelimit-policy']).map(({ name }) => name), ['read-address']);
    assert.deepEqual(limits(read.headers.ratelimit).map(({ name }) => name), ['read-address']);
});

test('429 says that nothing is left, and Retry-After when to retry', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const slowed = await loop(hf.user(unique('user')), event, 'A1', LOOPS_MAX);
    refused(slowed, 429, 'slow_down');
    const [{ name, r, t }] = limits(slowed.headers.ratelimit);
    assert.deepEqual([name, r, t], ['hold-user', 0, Number(slowed.headers['retry-after'])]);
    assert.ok('ratelimit-policy' in slowed.headers);
});

test('callers who are not counted get no such headers', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const off = await new Server({ limits: 'off' }).start();
    const answers = [
        await create(hf.app, { user_id: 'ann', items: items(event, 'A1') }), await hf.admin.get(`/v1/events/${event}`),
        await hf.app.get(`/v1/events/${event}`), await hf.anyone.get('/healthz'), await hf.anyone.get('/nowhere'),
        await hf.anyone.get('/v1/keys'), await off.anyone.get('/v1/events'),
    ];
    await off.close();
    for (const { headers, status } of answers) {
        assert.equal(headers.ratelimit ?? headers['ratelimit-policy'], undefined, String(status));
    }
});

test('the cool-down ends', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const me = hf.user(unique('user'));
    const answer = await loop(me, event, 'A1', LOOPS_MAX);
    assert.ok(answer);
    hf.clock.advance((Number(answer.headers['retry-after']) + 1) * 1000);
    const ask = () => create(me, { items: items(event, 'A2') });
    const held = await hf.eventually(ask, (one) => one.status !== 429, 'the end of the cool-down', 15_000);
    granted(held, 201);
});

test('one user who floods is slowed down, another is not', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    await hold(hf.user(unique('first')), items(event, 'A1'));
    const text = holdRequest(unique('flood'), event, 'A1');
    const answers = await flood(Array(500).fill(text), '127.0.0.2', USER_FLOOD);
    const slowed = answers.filter((answer) => answer.status === 429);
    assert.ok(slowed.length > 0, `${answers.length} requests and no 429`);
    refused(slowed[0], 429, 'slow_down');
    assert.ok(
        answers.every((answer) => answer.status === 429 || answer.status === 409), 'nothing but 409 and 429'
    );
    await hold(hf.user(unique('other')), items(event, 'A2'));
});

test('one address that floods under many names is slowed down, another is not', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    await hold(hf.user(unique('first')), items(event, 'A1'));
    const texts = Array.from({ length: 500 }, () => holdRequest(unique('many'), event, 'A1'));
    const answers = await flood(texts, '127.0.0.3', ADDRESS_FLOOD);
    const slowed = answers.find((answer) => answer.status === 429);
    assert.ok(slowed, `${answers.length} requests and no 429`);
    refused(slowed, 429, 'slow_down');
    const elsewhere = new Client(hf.url, { localAddress: '127.0.0.4' });
    granted(
        await create(hf.user(unique('other')), { items: items(event, 'A3') }, { client: elsewhere }), 201
    );
    elsewhere.close();
});

/* One join each, under as many names. */
function joinRequest(user, event) {
    const lines = [
        `Authorization: Bearer ${hf.user(user).bearer}`, 'Content-Type: application/json', 'Content-Length: 2',
    ];
    return request('POST', `/v1/events/${event}/queue`, { lines, body: '{}' });
}
const shutRoom = () => makeEvent(hf, {
    seats: 'A1', waiting_room: { open_at: new Date(hf.now() + 3_600_000).toISOString() },
});

test('one address that joins under many names is slowed down; another is not; reads and polls continue', ownProcess, async () => {
    const event = await shutRoom();
    const texts = () => Array.from({ length: 250 }, () => joinRequest(unique('many'), event));
    const answers = await flood(texts(), '127.0.0.8', 20_000);
    const joined = answers.filter((answer) => answer.status === 201).length;
    assert.ok(joined >= 100 && joined <= 5_000, `${joined} joined`);
    refused(answers.find((answer) => answer.status === 429), 429, 'slow_down');
    const here = new Client(hf.url, { localAddress: '127.0.0.8' });
    assert.equal((await here.call('GET', `/v1/events/${event}/queue`)).status, 200);
    assert.equal((await here.call('GET', `/v1/events/${event}`)).status, 200);
    const e = answers.find((answer) => answer.status === 201).json;
    const bearer = hf.user(e.user_id).bearer;
    assert.equal((await here.call('GET', `/v1/events/${event}/queue/${e.entry_id}`, { bearer })).status, 200);
    here.close();
    const elsewhere = new Client(hf.url, { localAddress: '127.0.0.9' });
    const other = await hf.user(unique('other')).post(`/v1/events/${event}/queue`, {}, { client: elsewhere });
    assert.equal(other.status, 201);
    elsewhere.close();
});

test('polls of the public number do not use up what joins need', ownProcess, async () => {
    const event = await shutRoom();
    const poll = request('GET', `/v1/events/${event}/queue`);
    for (let i = 0; i < 20; i++) {
        const { answers } = await exchange(hf.url, poll.repeat(500), { localAddress: '127.0.0.10', enough: 500 });
        assert.ok(answers.every((answer) => answer.status === 200), 'ten thousand polls');
    }
    const here = new Client(hf.url, { localAddress: '127.0.0.10' });
    for (let i = 0; i < 100; i++) {
        const answer = await hf.user(unique('late')).post(`/v1/events/${event}/queue`, {}, { client: here });
        assert.equal(answer.status, 201, answer.text);
    }
    here.close();
});

test('one user who joins and leaves again and again is slowed down, on rooms and lists alike', ownProcess, async () => {
    const room = await shutRoom(), event = await makeEvent(hf, { seats: 'A1', waiting_list: true });
    for (const [target, body] of [[`/v1/events/${room}/queue`, {}], [`/v1/events/${event}/waiting-list`, { quantity: 1 }]]) {
        const me = hf.user(unique('restless'));
        let last;
        for (let i = 0; i < 300 && last?.status !== 429; i++) {
            last = await me.post(target, body);
            if (last.status === 201) {
                await me.delete(`${target}/${last.json.entry_id}`);
            }
        }
        refused(last, 429, 'slow_down');
        assert.equal((await hf.user(unique('calm')).post(target, body)).status, 201);
    }
});

test('guest sessions are limited by address', ownProcess, async () => {
    const lines = ['Content-Type: application/json', 'Content-Length: 2'];
    const one = request('POST', '/v1/sessions', { lines, body: '{}' });
    const answers = await flood(Array(250).fill(one), '127.0.0.11', 20_000);
    assert.ok(answers.filter((answer) => answer.status === 201).length >= 100);
    refused(answers.find((answer) => answer.status === 429), 429, 'slow_down');
    const elsewhere = new Client(hf.url, { localAddress: '127.0.0.12' });
    assert.equal((await elsewhere.call('POST', '/v1/sessions')).status, 201);
    elsewhere.close();
});

test('app and admin keys have no limit', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    for (const caller of [hf.app, hf.admin]) {
        for (let i = 0; i < LOOPS_MAX; i++) {
            const held = await create(caller, { items: items(event, 'A1'), user_id: 'ann' });
            granted(held, 201);
            granted(await caller.delete(path(held.json)), 200);
        }
        const room = await shutRoom();
        for (let i = 0; i < 1_000; i++) {
            const joined = await caller.post(`/v1/events/${room}/queue`, { user_id: `u${i}` });
            assert.equal(joined.status, 201, joined.text);
        }
    }
});

test('one address can open at most 1,024 connections', ownProcess, async () => {
    const { hostname: host, port } = new URL(hf.url);
    const sockets = [];
    let closed = 0;
    const open = () => new Promise((ready) => {
        const socket = net.connect({ host, port: Number(port), localAddress: '127.0.0.7' }, ready);
        socket.on('error', ready);
        socket.on('close', () => closed++);
        socket.resume();
        sockets.push(socket);
    });
    for (let i = 0; i < 1_024; i += 64) {
        await Promise.all(Array.from({ length: 64 }, open));
    }
    assert.equal((await hf.anyone.get('/healthz')).status, 200);
    assert.equal(closed, 0, 'up to 1,024 all stay');
    await Promise.all(Array.from({ length: 100 }, open));
    await hf.eventually(async () => closed, (n) => n >= 100, 'a hundred too many are closed');
    assert.equal((await hf.anyone.get('/healthz')).status, 200, 'another address is served');
    sockets.forEach((socket) => socket.destroy());
    const again = new Client(hf.url, { localAddress: '127.0.0.7' });
    const ask = () => again.call('GET', '/healthz').then((answer) => answer.status, () => 0);
    await hf.eventually(ask, (status) => status === 200, 'the address is served again');
    again.close();
});

test('--limits off: no loop is cooled down and no flood slowed', ownProcess, async () => {
    const off = await new Server({ limits: 'off' }).start();
    try {
        const event = await makeEvent(off, { seats: 'A1-A9' });
        const me = off.user(unique('user'));
        assert.equal(await loop(me, event, 'A1', LOOPS_MAX), undefined);
        await hold(me, items(event, 'A1'));
        const answers =
            await Promise.all(Array.from({ length: 2_000 }, () => create(me, { items: items(event, 'A1') })));
        assert.ok(answers.every((answer) => answer.status === 409));
    } finally {
        await off.close();
    }
});
