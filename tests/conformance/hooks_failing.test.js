/* SPDX-License-Identifier: Apache-2.0 */
/* Outgoing webhooks: a failing receiver is left alone, longer each time. What counts is how often it is tried. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const net = require('node:net');
const { ownClock } = require('./lib/server.js');
const { makeEvent, hold } = require('./lib/catalogue.js');
const { SECRET } = require('./lib/receiver.js');
const { at, hooked, own, waiting, drained } = require('./lib/hooks.js');

const REST_MS = 60_000; /* the longest; up to a quarter shorter */
const DAY_MS = 24 * 3_600_000;

/* Lets the longest rest pass, and waits for what is tried then. The rest begins when the server knows that the last attempt
 * failed, which is after the receiver saw it: a clock that moves in between leaves the whole rest to be waited for. */
async function rest(server, count) {
    await server.eventually(async () => Number(/^holdfast_hook_attempts_failed_total (\d+)$/m.exec((await server.anyone.get('/metrics')).text)[1]),
        (n) => n === count(), 'every attempt has failed');
    const before = count();
    server.clock.advance(REST_MS);
    await server.eventually(async () => count(), (n) => n > before, 'it is tried again');
}

/* Until its rest is the longest, so that the time this test takes is short beside it. */
async function tire(server, count) {
    for (let i = 0; i < 8; i++) {
        await rest(server, count);
    }
}

/* Accepts connections and closes them at once: with TLS nothing can be delivered. Counts them. */
async function refusing(t) {
    const server = net.createServer((socket) => {
        server.count++;
        socket.destroy();
    });
    server.count = 0;
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    return server;
}

/* Makes this many holds, and waits until a hook with a healthy receiver got all of them. */
async function selling(t, server) {
    const good = await hooked(t, server, ['reservation.held']);
    const event = await makeEvent(server, { pools: { floor: 1000 }, hold_ttl_seconds: 600 });
    return async (count) => {
        await Promise.all(Array.from({ length: count }, () => hold(server.user('ann'), [{ event, pool: 'floor', quantity: 1 }])));
        await drained(server, good.hook);
    };
}

test('an unreachable host is tried with one message at a time, whatever waits for it', ownClock, async (t) => {
    const server = await own(t);
    const host = await refusing(t);
    const hooks = ['one', 'two', 'three'];
    for (const hook of hooks) {
        const url = `https://127.0.0.1:${host.address().port}/${hook}`;
        assert.equal((await server.admin.put(at(hook), { url, events: ['reservation.held'], secret: SECRET })).status, 201);
    }
    const sell = await selling(t, server);
    await sell(60);
    await server.eventually(async () => host.count, (n) => n > 0, 'it is tried');
    assert.ok(host.count <= 3 * 16, `${host.count} connections for 3 hooks`);
    await tire(server, () => host.count);
    const tired = host.count;
    for (let i = 0; i < 4; i++) {
        await sell(25);
        assert.equal(host.count, tired + i);
        await rest(server, () => host.count);
    }
    for (const hook of hooks) {
        assert.equal(await waiting(server, hook), 160);
    }
});

test('messages that wait a day for an unreachable host are dead, all of them', ownClock, async (t) => {
    const server = await own(t);
    const host = await refusing(t);
    const url = `https://127.0.0.1:${host.address().port}/`;
    assert.equal((await server.admin.put(at('shop'), { url, events: ['reservation.held'], secret: SECRET })).status, 201);
    const event = await makeEvent(server, { pools: { floor: 1000 }, hold_ttl_seconds: 600 });
    await Promise.all(Array.from({ length: 100 }, () => hold(server.user('ann'), [{ event, pool: 'floor', quantity: 1 }])));
    await server.eventually(async () => host.count, (n) => n > 0, 'it is tried');
    server.clock.advance(DAY_MS + 1_000);
    await drained(server, 'shop');
    assert.ok(host.count < 40, `${host.count} connections`);
    assert.match((await server.anyone.get('/metrics')).text, /^holdfast_hook_messages_dead_total 100$/m);
});

test('a failing receiver is tried with one message at a time after some failures', ownClock, async (t) => {
    const server = await own(t);
    const { receiver, hook } = await hooked(t, server, ['reservation.held'], (response) => response.writeHead(500).end());
    const sell = await selling(t, server);
    await sell(100);
    await server.eventually(async () => receiver.got.length, (n) => n > 8, 'it has failed for good');
    await tire(server, () => receiver.got.length);
    const tired = receiver.got.length;
    assert.ok(tired < 50, `${tired} attempts`);
    for (let i = 0; i < 4; i++) {
        await sell(20);
        assert.equal(receiver.got.length, tired + i);
        await rest(server, () => receiver.got.length);
    }
    assert.equal(await waiting(server, hook), 180);
});
