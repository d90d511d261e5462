/* SPDX-License-Identifier: Apache-2.0 */
/* Outgoing webhooks: messages are signed, delivered at least once, in order for each reservation, and never to a
 * forbidden address. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const net = require('node:net');
const { Server, shared, unique, ownProcess, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold } = require('./lib/catalogue.js');
const { makeFleet, makeDriver, ride, ridePath, offerOf, answerOffer, assigned } = require('./lib/fleets.js');
const { refused, invalid, granted } = require('./lib/expect.js');
const { Receiver, SECRET, signature } = require('./lib/receiver.js');
const { PRIVATE, at, hooked, own, waiting, drained } = require('./lib/hooks.js');

const HOUR_MS = 3_600_000;
const hf = shared(PRIVATE);
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

test('a hook is put, shown without its secret, replaced and removed', async () => {
    const hook = unique('hook');
    const body = { url: 'https://shop.example/x', events: ['reservation.held', 'list.offered'], secret: SECRET };
    refused(await hf.app.put(at(hook), body), 403, 'forbidden');
    refused(await hf.admin.get(at(hook)), 404, 'no_such_hook');
    refused(await hf.admin.delete(at(hook)), 404, 'no_such_hook');
    refused(await hf.admin.post(at(hook, '/resend'), {}), 404, 'no_such_hook');
    refused(await hf.admin.get(at(hook, '/messages')), 404, 'no_such_hook');
    const made = await hf.admin.put(at(hook), body);
    assert.equal(made.status, 201, made.text);
    const { created_at, ...rest } = made.json;
    assert.deepEqual(rest, { id: hook, url: body.url, events: body.events, old_secret_until: null, waiting: 0 });
    const same = await hf.admin.put(at(hook), body);
    assert.equal(same.status, 200);
    assert.equal(same.json.created_at, created_at);
    const other = { ...body, secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` };
    const rotated = (await hf.admin.put(at(hook), other)).json;
    const until = Date.parse(rotated.old_secret_until) - hf.now();
    assert.ok(until > 23 * HOUR_MS && until <= 24 * HOUR_MS);
    const shown = await hf.admin.get(at(hook));
    assert.deepEqual(shown.json, rotated);
    assert.ok(!shown.text.includes('whsec_'));
    assert.equal((await hf.admin.delete(at(hook))).status, 204);
    refused(await hf.admin.get(at(hook)), 404, 'no_such_hook');
});

test('hooks are listed by name, page by page, as each is shown', async () => {
    const body = { url: 'https://shop.example/x', events: ['refund.due'], secret: SECRET };
    refused(await hf.app.get('/v1/hooks'), 403, 'forbidden');
    const names = ['b', 'a', 'c'].map((letter) => `${unique('listed')}-${letter}`);
    for (const name of names) {
        assert.equal((await hf.admin.put(at(name), body)).status, 201);
    }
    const listed = [];
    for (let cursor = ''; cursor !== null;) {
        const { json } = await hf.admin.get(`/v1/hooks?limit=2${cursor && `&cursor=${cursor}`}`);
        assert.ok(json.data.length <= 2);
        listed.push(...json.data);
        cursor = json.next_cursor;
    }
    assert.deepEqual(listed.map(({ id }) => id), listed.map(({ id }) => id).sort());
    for (const name of names) {
        assert.deepEqual(listed.filter(({ id }) => id === name), [(await hf.admin.get(at(name))).json]);
        await hf.admin.delete(at(name));
    }
});

test('a new hook is 201 also while messages of another are due', async (t) => {
    await hooked(t, hf, ['reservation.held']);
    const event = await makeEvent(hf, { pools: { floor: 1000 } });
    const body = { url: 'https://shop.example/x', events: ['reservation.transferred'], secret: SECRET };
    for (let i = 0; i < 40; i++) {
        const hook = unique('hook');
        const holds = () => hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 1 }]);
        const [, , made] = await Promise.all([holds(), holds(), hf.admin.put(at(hook), body), holds(), holds()]);
        assert.equal(made.status, 201, made.text);
        assert.equal((await hf.admin.delete(at(hook))).status, 204);
    }
});

test('an invalid hook is refused', async () => {
    const good = { url: 'https://shop.example/x', events: ['reservation.held'], secret: SECRET };
    const put = (more) => hf.admin.put(at(unique('hook')), { ...good, ...more });
    for (const url of ['file:///etc/passwd', 'ftp://x/', 'gopher://x', 'http://', 'https://', 'http:///x', '/x', 'x',
        'http://user:pw@x/', 'http://x/ y', 'http://x\\y', 'http://x/#y', 'HTTP://x', 'http://:80/', '', 7,
        'http://[::1', 'http://[::1/x', 'http://[::g]/', 'http://x:99999/', 'http://x:0/', 'http://x:8o/', 'http://x:-1/']) {
        invalid(await put({ url }), '/url');
    }
    invalid(await put({ url: `https://x/${'y'.repeat(2048)}` }), '/url');
    for (const events of [[], ['reservation.gone'], ['ride.offered'], 'reservation.held', [7]]) {
        invalid(await put({ events }));
    }
    for (const secret of ['whsec_', 'secret', `whsec_${'A'.repeat(28)}`, `whsec_${'!'.repeat(32)}`,
        SECRET.slice(6), `whsec_${Buffer.alloc(65).toString('base64')}`]) {
        invalid(await put({ secret }), '/secret');
    }
    invalid(await put({ secret: undefined }), '/secret');
    assert.equal((await put({})).status, 201);
});

test('messages show what an app sees, in order, and signed', async (t) => {
    const { receiver, hook } = await hooked(t, hf, [
        'reservation.held', 'reservation.confirmed', 'reservation.released', 'reservation.transferred']);
    const event = await makeEvent(hf, { seats: 'A1-A9', payment: 'none' });
    const r = await hold(hf.user('ann'), items(event, 'A1'));
    granted(await hf.user('ann').post(path(r, '/commit'), {}), 200);
    await hf.user('ann').post(path(r, '/transfer'), { to_user_id: 'bob' });
    const other = await hold(hf.user('cat'), items(event, 'A2'));
    await hf.user('cat').delete(path(other));
    const told = await receiver.count(5);
    const of = (one) => told.filter(({ data }) => data.reservation_id === one.reservation_id).map(({ type }) => type);
    assert.deepEqual(of(r), ['reservation.held', 'reservation.confirmed', 'reservation.transferred']);
    assert.deepEqual(of(other), ['reservation.held', 'reservation.released']);
    assert.equal(new Set(told.map(({ id }) => id)).size, 5);
    const seen = (await hf.app.get(path(r))).json;
    const last = told.find(({ type }) => type === 'reservation.transferred');
    assert.deepEqual(last.data, seen);
    assert.ok(Math.abs(Date.parse(last.timestamp) - hf.now()) < 60_000);
    for (const one of receiver.got) {
        assert.equal(one.method, 'POST');
        assert.equal(one.path, '/hook');
        assert.equal(one.headers['content-type'], 'application/json');
        assert.ok(Math.abs(Number(one.headers['webhook-timestamp']) - hf.now() / 1000) < 60);
        assert.equal(one.headers['webhook-signature'], signature(SECRET, one));
    }
    await drained(hf, hook);
});

test('the message of a sale has its manage token', async (t) => {
    const { receiver } = await hooked(t, hf, ['reservation.confirmed', 'reservation.held']);
    const event = await makeEvent(hf, { seats: 'A1-A9', payment: 'none' });
    const r = await hold(hf.user('ann'), items(event, 'A1'));
    const [held] = await receiver.count(1);
    assert.equal(held.data.manage_token, undefined);
    granted(await hf.user('ann').post(path(r, '/commit'), {}), 200);
    const [, sold] = await receiver.count(2);
    assert.equal(sold.type, 'reservation.confirmed');
    assert.equal((await hf.bearer(sold.data.manage_token).get(path(r))).status, 200);
});

test('while a secret is replaced both sign', async (t) => {
    const { receiver, hook } = await hooked(t, hf, ['reservation.held']);
    const fresh = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    await hf.admin.put(at(hook), { url: receiver.url, events: ['reservation.held'], secret: fresh });
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    await hold(hf.user('ann'), items(event, 'A1'));
    await receiver.count(1);
    const [one] = receiver.got;
    assert.equal(one.headers['webhook-signature'], `${signature(fresh, one)} ${signature(SECRET, one)}`);
});

test('a hold sends a message a minute before it expires, and when it has', ownClock, async (t) => {
    const server = await own(t);
    const { receiver } = await hooked(t, server, ['reservation.expiring', 'reservation.expired']);
    const event = await makeEvent(server, { seats: 'A1-A9', hold_ttl_seconds: 600 });
    const r = await hold(server.user('ann'), items(event, 'A1'));
    server.clock.advance(539_000);
    server.clock.advance(1_500);
    const [first] = await receiver.count(1);
    assert.equal(first.type, 'reservation.expiring');
    assert.equal(first.data.reservation_id, r.reservation_id);
    assert.equal(first.data.status, 'held');
    server.clock.advance(60_000);
    const [, second] = await receiver.count(2);
    assert.equal(second.type, 'reservation.expired');
    assert.equal(second.data.status, 'expired');
});

test('an offer sends a message', async (t) => {
    const { receiver } = await hooked(t, hf, ['list.offered']);
    const event = await makeEvent(hf, { pools: { floor: 1 }, waiting_list: true });
    const r = await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 1 }]);
    const joined = await hf.user('bob').post(`/v1/events/${event}/waiting-list`, { pool: 'floor', quantity: 1 });
    assert.equal(joined.status, 201, joined.text);
    await hf.user('ann').delete(path(r));
    const [told] = await receiver.count(1);
    assert.equal(told.type, 'list.offered');
    assert.equal(told.data.user_id, 'bob');
});

test('an assigned ride sends a message with what an app sees, each time and in order', async (t) => {
    const { receiver, hook } = await hooked(t, hf, ['ride.assigned']);
    const fleet = await makeFleet(hf);
    const [near, far] = [await makeDriver(hf, fleet, 50), await makeDriver(hf, fleet, 500)];
    const r = await assigned(hf, fleet, near, 'ann');
    const [first] = await receiver.count(1);
    assert.equal(first.type, 'ride.assigned');
    ride(first.data, { ride_id: r.ride_id, status: 'assigned', rider_id: 'ann', driver_id: near });
    assert.equal(first.timestamp, r.assigned_at);
    assert.deepEqual(first.data, (await hf.app.get(ridePath(fleet, r))).json);
    assert.equal((await answerOffer(hf.user(near), fleet, r.offer, 'accept')).status, 200); /* again: no message */
    assert.equal((await hf.user(near).post(ridePath(fleet, r, '/driver-cancel'), {})).status, 200);
    assert.equal((await answerOffer(hf.user(far), fleet, await offerOf(hf, fleet, far), 'accept')).status, 200);
    const [, second] = await receiver.count(2);
    ride(second.data, { ride_id: r.ride_id, status: 'assigned', driver_id: far });
    assert.notEqual(second.id, first.id);
    await drained(hf, hook);
    assert.equal(receiver.got.length, 2);
});

test('an assigned ride sends its message after kill -9, even if it has ended and only the book has it', ownClock, async (t) => {
    const server = await own(t);
    server.app = await server.key('app');
    let good = false;
    const { receiver, hook } = await hooked(t, server, ['ride.assigned'], (response) => response.writeHead(good ? 200 : 500).end());
    const fleet = await makeFleet(server);
    const driver = await makeDriver(server, fleet, 50);
    const r = await assigned(server, fleet, driver, 'ann');
    await receiver.count(1);
    assert.equal((await server.user(driver).post(ridePath(fleet, r, '/complete'), {})).status, 200);
    server.clock.advance(20 * 60_000); /* longer than it stays in memory */
    await server.restart({ kill: true });
    assert.equal(await waiting(server, hook), 1);
    good = true;
    const told = (await receiver.count(receiver.got.length + 1)).at(-1);
    ride(told.data, { ride_id: r.ride_id, status: 'completed', driver_id: driver });
    assert.equal(told.id, receiver.messages()[0].id);
    await drained(server, hook);
});

/* Invalid answers: each fails until the clock has advanced enough for a retry. */
const failures = {
    'answers 500': (response) => response.writeHead(500).end('no'),
    'closes early': (response, message, request) => request.socket.destroy(),
    'ends in the middle of its answer': (response, message, request) => {
        response.writeHead(200, { 'content-length': 1000 });
        response.write('half');
        setImmediate(() => request.socket.destroy());
    },
    redirects: (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
};
for (const [what, answer] of Object.entries(failures)) {
    test(`a receiver that ${what} gets the same message again, and later ones after it`, ownClock, async (t) => {
        const server = await own(t);
        let good = false;
        const { receiver, hook } = await hooked(t, server, ['reservation.held', 'reservation.released'],
            (response, ...rest) => (good ? response.writeHead(200).end('yes') : answer(response, ...rest)));
        const event = await makeEvent(server, { seats: 'A1-A9' });
        const r = await hold(server.user('ann'), items(event, 'A1'));
        await server.user('ann').delete(path(r));
        await receiver.count(1);
        server.clock.advance(1_000);
        await receiver.count(2);
        good = true;
        server.clock.advance(2_000);
        const told = await receiver.count(4);
        assert.deepEqual(told.map(({ type }) => type), [
            'reservation.held', 'reservation.held', 'reservation.held', 'reservation.released']);
        assert.equal(new Set(told.slice(0, 3).map(({ id }) => id)).size, 1);
        assert.ok(receiver.got.every((one) => one.path === '/hook'));
        await drained(server, hook);
    });
}

test('redirects are not followed, whatever their address', ownClock, async (t) => {
    const server = await own(t);
    const elsewhere = await new Receiver().start();
    t.after(() => elsewhere.close());
    const places = [elsewhere.url, elsewhere.url.replace('127.0.0.1', 'localhost'), 'http://169.254.169.254/', 'file:///etc/passwd'];
    for (const [i, location] of places.entries()) {
        const { receiver } = await hooked(t, server, ['reservation.held'], (response) => response.writeHead(301 + i % 2 * 6, { location }).end());
        const event = await makeEvent(server, { seats: 'A1' });
        await hold(server.user('ann'), items(event, 'A1'));
        await receiver.count(1);
        server.clock.advance(2_000);
        await receiver.count(2); /* a failure like any other */
    }
    assert.equal(elsewhere.got.length, 0);
});

test('a receiver that hangs is abandoned after a while, and gets the same message again', async (t) => {
    const { receiver, hook } = await hooked(t, hf, ['reservation.held'],
        (response) => receiver.got.length > 1 && response.writeHead(204).end());
    const event = await makeEvent(hf, { seats: 'A1' });
    await hold(hf.user('ann'), items(event, 'A1'));
    const [first, second] = await receiver.count(2);
    assert.equal(first.id, second.id);
    await drained(hf, hook);
});

test('a host that refuses connections delays nobody, and gets its message later', ownProcess, async (t) => {
    /* A stopped process, with as many connections waiting as its kernel accepts: all others are dropped. */
    const child = spawn(process.execPath, ['-e', `
        const server = require('node:http').createServer((request, response) => response.writeHead(204).end(() => console.log('told')));
        server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`], { stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    let said = '';
    child.stdout.on('data', (text) => (said += text));
    await hf.eventually(() => said, (text) => text.includes('\n'), 'a port');
    const port = Number(said);
    child.kill('SIGSTOP');
    const queue = Array.from({ length: 4 }, () => net.connect(port, '127.0.0.1').on('error', () => {}));
    const hook = unique('hook');
    t.after(() => hf.admin.delete(at(hook)));
    const put = await hf.admin.put(at(hook), { url: `http://127.0.0.1:${port}/`, events: ['reservation.held'], secret: SECRET });
    assert.equal(put.status, 201, put.text);
    const good = await hooked(t, hf, ['reservation.held']);
    const event = await makeEvent(hf, { seats: 'A1' });
    await hold(hf.user('ann'), items(event, 'A1'));
    await good.receiver.count(1);
    assert.equal(await waiting(hf, hook), 1);
    queue.forEach((socket) => socket.destroy());
    child.kill('SIGCONT');
    await drained(hf, hook);
    await hf.eventually(() => said, (text) => text.includes('told'), 'it says so');
});

test('an endless answer counts, and is not read', async (t) => {
    const { receiver, hook } = await hooked(t, hf, ['reservation.held'], (response) => {
        response.writeHead(200);
        const more = () => response.write('x'.repeat(65_536), (error) => error || setImmediate(more));
        more();
    });
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    await hold(hf.user('ann'), items(event, 'A1'));
    await receiver.count(1);
    await drained(hf, hook);
    assert.equal(receiver.got.length, 1);
});

test('a receiver that hangs delays neither others nor requests', async (t) => {
    const hangs = await hooked(t, hf, ['reservation.held'], () => {});
    const deaf = net.createServer(() => {}); /* accepts connections and reads nothing */
    await new Promise((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    t.after(() => deaf.close());
    const silent = unique('hook');
    await hf.admin.put(at(silent), { url: `http://127.0.0.1:${deaf.address().port}/`, events: ['reservation.held'], secret: SECRET });
    t.after(() => hf.admin.delete(at(silent)));
    const good = await hooked(t, hf, ['reservation.held']);
    const event = await makeEvent(hf, { seats: 'A1-A60' });
    const began = Date.now();
    for (let i = 1; i <= 60; i++) {
        await hold(hf.user(`u${i}`), items(event, `A${i}`));
    }
    await good.receiver.count(60);
    assert.ok(Date.now() - began < 5_000, 'they wait for the one that hangs');
    assert.ok(hangs.receiver.got.length <= 16, `${hangs.receiver.got.length} at once`);
    assert.equal(await waiting(hf, hangs.hook), 60);
});

test('after a day a message is dead: listed, and resent on request', ownClock, async (t) => {
    const server = await own(t);
    let good = false;
    const { receiver, hook } = await hooked(t, server, ['reservation.held'],
        (response) => response.writeHead(good ? 200 : 503).end());
    const event = await makeEvent(server, { seats: 'A1-A9', hold_ttl_seconds: 600 });
    const reservations = [];
    for (const seat of ['A1', 'A2', 'A3']) {
        reservations.push(await hold(server.user('ann'), items(event, seat)));
    }
    await receiver.count(3);
    server.clock.advance(24 * HOUR_MS + 1_000);
    await drained(server, hook);
    const { json } = await server.eventually(
        () => server.admin.get(at(hook, '/messages')), ({ json }) => json.data.length === 3, 'three are dead');
    assert.deepEqual(json.data.map((one) => one.reservation_id), reservations.map((one) => one.reservation_id));
    assert.deepEqual(json.data.map((one) => one.type), Array(3).fill('reservation.held'));
    /* those of different reservations come in any order, and repeatedly */
    assert.deepEqual(new Set(json.data.map((one) => one.id)), new Set(receiver.messages().map(({ id }) => id)));
    const page = (await server.admin.get(at(hook, '/messages?limit=2'))).json;
    assert.equal(page.data.length, 2);
    const rest = (await server.admin.get(at(hook, `/messages?limit=2&cursor=${page.next_cursor}`))).json;
    assert.deepEqual([...page.data, ...rest.data], json.data);
    good = true;
    const before = receiver.got.length;
    invalid(await server.admin.post(at(hook, '/resend'), { id: 'msg_x' }), '/id');
    assert.deepEqual((await server.admin.post(at(hook, '/resend'), { id: 'msg_999999_0_x' })).json, { resent: 0, more: false });
    assert.deepEqual((await server.admin.post(at(hook, '/resend'), { id: json.data[1].id })).json, { resent: 1, more: false });
    await receiver.count(before + 1);
    assert.equal(receiver.messages()[before].id, json.data[1].id);
    await server.eventually(
        () => server.admin.get(at(hook, '/messages')), (a) => a.json.data.length === 2, 'two are dead');
    const later = new Date(server.now()).toISOString();
    assert.deepEqual((await server.admin.post(at(hook, '/resend'), { since: later })).json, { resent: 0, more: false });
    assert.deepEqual((await server.admin.post(at(hook, '/resend'), {})).json, { resent: 2, more: false });
    await receiver.count(before + 3);
    await drained(server, hook);
    const metrics = (await server.anyone.get('/metrics')).text;
    assert.match(metrics, /^holdfast_hook_messages_waiting 0$/m);
    assert.match(metrics, /^holdfast_hook_messages_delivered_total 3$/m);
    assert.match(metrics, /^holdfast_hook_messages_dead_total 3$/m);
});

for (const kill of [false, true]) {
    test(`waiting messages survive ${kill ? 'kill -9' : 'a restart'}`, ownProcess, async (t) => {
        const server = await own(t);
        let good = false;
        const { receiver, hook } = await hooked(t, server, ['reservation.held', 'reservation.confirmed'],
            (response) => response.writeHead(good ? 200 : 500).end());
        const event = await makeEvent(server, { seats: 'A1-A20', payment: 'none' });
        const ids = [];
        for (let i = 1; i <= 20; i++) {
            const r = await hold(server.user('ann'), items(event, `A${i}`));
            granted(await server.user('ann').post(path(r, '/commit'), {}), 200);
            ids.push(r.reservation_id);
        }
        await receiver.count(1);
        await server.restart({ kill });
        assert.equal(await waiting(server, hook), 40);
        good = true;
        receiver.got.length = 0;
        await drained(server, hook);
        for (const id of ids) {
            const types = receiver.messages().filter(({ data }) => data.reservation_id === id).map(({ type }) => type);
            assert.deepEqual([...new Set(types)], ['reservation.held', 'reservation.confirmed']);
        }
    });
}

test('without --hooks-private no address on this machine or its networks is reached', async (t) => {
    const server = await new Server().start();
    t.after(() => server.close());
    const receiver = await new Receiver().start();
    t.after(() => receiver.close());
    const { port } = receiver.server.address();
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0', '2130706433', '0x7f.1'];
    for (const [i, host] of hosts.entries()) {
        const put = await server.admin.put(at(`h${i}`), { url: `http://${host}:${port}/`, events: ['reservation.held'], secret: SECRET });
        assert.equal(put.status, 201, put.text);
    }
    const event = await makeEvent(server, { seats: 'A1-A9' });
    await hold(server.user('ann'), items(event, 'A1'));
    /* Each has failed once when it is retried later: waiting messages stay, and none arrived. */
    server.clock.advance(24 * HOUR_MS + 1_000);
    for (const i of hosts.keys()) {
        await drained(server, `h${i}`);
    }
    assert.equal(receiver.got.length, 0);
    /* the log says which, and why */
    const told = server.stderr.split('\n').filter((line) => /a hook did not accept/.test(line)).map((line) => JSON.parse(line));
    assert.ok(told.length >= 1, server.stderr);
    for (const { level, status, hook, why } of told) {
        assert.deepEqual([level, status], ['warn', 0]);
        assert.match(`${hook}: ${why}`, /^h\d: ./);
    }
});

test('a refund due sends one message, as it is listed, after its cause', async (t) => {
    const { receiver, hook } = await hooked(t, hf, ['reservation.refunded', 'refund.due']);
    const event = await makeEvent(hf, { pools: { floor: { capacity: 9, price: 700 } } });
    const r = await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 1 }]);
    granted(await hf.app.post(path(r, '/commit'), { payment_ref: 'pi_told' }), 200);
    granted(await hf.app.post(path(r, '/refund'), { reason: 'rain' }), 200);
    await receiver.count(2);
    await drained(hf, hook);
    const [refunded, due] = receiver.got.map(({ body }) => JSON.parse(body));
    assert.deepEqual([refunded.type, due.type], ['reservation.refunded', 'refund.due']);
    const list = (await hf.app.get('/v1/refunds-due?limit=1000', hf.since(await hf.admin.get('/v1/keys')))).json.data;
    assert.deepEqual(due.data, list.find(({ reservation_id }) => reservation_id === r.reservation_id));
    assert.equal(due.data.reason, 'rain');
    assert.equal((await hf.app.post(`/v1/refunds-due/${due.data.id}/done`, {})).status, 200);
    assert.equal(receiver.got.length, 2);
});

test('messages that a receiver accepts together are recorded as one change', async (t) => {
    const server = await own(t);
    const COUNT = 12, responses = [];
    const { hook } = await hooked(t, server, ['reservation.held'], (response) => responses.push(response));
    const event = await makeEvent(server, { seats: `A1-A${COUNT + 1}` });
    const take = (i) => hold(server.user('ann'), items(event, `A${i + 1}`));
    const held = await Promise.all(Array.from({ length: COUNT }, (_, i) => take(i)));
    await server.eventually(async () => responses.length, (n) => n === COUNT, 'all have come');
    /* All answers are there when it resumes, so that they are handled in one turn. */
    server.child.kill('SIGSTOP');
    await Promise.all(responses.map((response) => new Promise((done) => { response.writeHead(204).end(done); })));
    server.child.kill('SIGCONT');
    await drained(server, hook);
    /* A fence is the number of the change that granted it. */
    const changes = (await take(COUNT)).fence - Math.max(...held.map(({ fence }) => fence)) - 1;
    assert.ok(changes >= 1 && changes < COUNT / 2, `${changes} changes for ${COUNT} messages`);
});
