/* SPDX-License-Identifier: Apache-2.0 */
/* Every answer has its time, its request id and its seq, including refusals before routing. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, ownClock, ownProcess } = require('./lib/server.js');
const { makeEvent, items, hold } = require('./lib/catalogue.js');
const { Wire, request } = require('./lib/http.js');

const hf = shared();
const IMF_FIXDATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;
const MADE_ID = /^[0-9a-f]{12}-[1-9]\d*$/;

const header = (head, name) => new RegExp(`\r\n${name}:([^\r]*)\r\n`, 'i').exec(head)?.[1];

/* Requests whose answers are made in different ways: [bytes, status]. */
async function kinds() {
    const event = await makeEvent(hf, { seats: 'A1-A900' });
    const ann = hf.user('ann');
    const held = await hold(ann, items(event, 'A1'));
    const bearer = (caller) => `Authorization: Bearer ${caller.bearer}`;
    const body = JSON.stringify({ items: items(event, 'A2') });
    const post = [bearer(ann), 'Content-Type: application/json', `Content-Length: ${body.length}`];
    const layout = await hf.anyone.get(`/v1/events/${event}/seats`);
    const get = (path, lines) => request('GET', path, { lines });
    return [
        [get('/healthz'), 200], [get('/metrics'), 200], [get('/openapi.json'), 200], [get(`/v1/events/${event}`), 200],
        [get(`/v1/events/${event}/seats`), 200], [get(`/v1/events/${event}/availability`), 200],
        [get(`/v1/events/${event}/seats`, [`If-None-Match: ${layout.headers.etag}`]), 304],
        [get(`/v1/events/${event}/stream`), 200], [get('/v1/events?limit=1'), 200],
        [get('/v1/keys', [bearer(hf.admin)]), 200], [get(`/v1/reservations/${held.reservation_id}`, [bearer(ann)]), 200],
        [request('POST', '/v1/reservations', { lines: post, body }), 201],
        [request('POST', '/v1/reservations', { lines: post, body }), 409],
        [request('HEAD', `/v1/events/${event}/seats`), 200], [request('DELETE', '/healthz'), 405],
        [get('/nowhere'), 404], [get('/v1/keys'), 401], [get('/v1/events?limit=x'), 400],
        [request('DELETE', `/v1/events/${await makeEvent(hf)}`, { lines: [bearer(hf.admin)] }), 204],
        ['GET / HTTP/1.1\r\n\r\n', 400], ['nonsense\r\n\r\n', 400], [`GET / HTTP/1.1\r\nHost: ${'x'.repeat(17_000)}`, 431],
        ['GET /healthz HTTP/1.0\r\n\r\n', 200],
    ];
}

test('every answer has Date, Request-Id and Holdfast-Seq, without extra blanks', async () => {
    const seen = new Set();
    for (const [bytes, status] of await kinds()) {
        const wire = new Wire(hf.url, bytes);
        await wire.until((w) => w.head.length > 4, 'a head');
        const told = `${bytes.slice(0, 60)}\n${wire.head}`;
        assert.match(wire.head, new RegExp(`^HTTP/1.1 ${status} `), told);
        const date = header(wire.head, 'Date');
        assert.match(date?.slice(1) ?? '', IMF_FIXDATE, told);
        assert.ok(Math.abs(Date.parse(date) - hf.now()) < 60_000, told);
        assert.match(header(wire.head, 'Holdfast-Seq') ?? '', /^ \d+$/, told);
        assert.match(header(wire.head, 'Content-Length') ?? ' 0', /^ \d+$/, told);
        const id = header(wire.head, 'Request-Id')?.slice(1) ?? '';
        assert.match(id, MADE_ID, told);
        assert.ok(!seen.has(id), `${id} twice`);
        seen.add(id);
        const size = header(wire.head, 'Content-Length');
        if (size !== undefined && !bytes.startsWith('HEAD')) {
            await wire.until((w) => w.body.length >= Number(size), 'the body');
            assert.equal(wire.body.length, Number(size), told);
        }
        wire.close();
    }
});

test('Date follows the server\'s clock', ownClock, async () => {
    hf.clock.advance(3_600_000);
    const { headers } = await hf.anyone.get('/healthz');
    assert.ok(Math.abs(Date.parse(headers.date) - hf.now()) < 60_000, headers.date);
    assert.ok(Date.parse(headers.date) > Date.now() + 3_000_000);
});

test('the caller\'s own Request-Id is returned', async () => {
    for (const own of ['x', 'a b', '0af7651916cd43dd8448eb211c80319c', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', 'i'.repeat(128)]) {
        for (const path of ['/healthz', '/nowhere', '/v1/events']) {
            const { headers } = await hf.anyone.get(path, { headers: { 'Request-Id': own } });
            assert.equal(headers['request-id'], own);
        }
    }
});

test('an empty, long or unprintable one is replaced', async () => {
    for (const own of ['', ' ', 'i'.repeat(129), 'caf\u00e9', 'a\tb']) {
        const wire = new Wire(hf.url, Buffer.from(request('GET', '/healthz', { lines: [`Request-Id: ${own}`] }), 'latin1'));
        await wire.until((w) => w.head.length > 4, 'a head');
        assert.match(header(wire.head, 'Request-Id')?.slice(1) ?? '', MADE_ID, own);
        wire.close();
    }
});

test('a page of another origin may read and send Request-Id', ownProcess, async (t) => {
    const server = await new Server({ args: ['--cors', 'https://shop.example'] }).start();
    t.after(() => server.close());
    const origin = { Origin: 'https://shop.example' };
    const { headers } = await server.anyone.get('/healthz', { headers: origin });
    for (const name of ['Request-Id', 'Holdfast-Seq', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate']) {
        assert.ok(headers['access-control-expose-headers'].split(', ').includes(name), name);
    }
    const preflight = await server.anyone.call('OPTIONS', '/v1/events', {
        headers: { ...origin, 'Access-Control-Request-Method': 'GET' },
    });
    assert.match(preflight.headers['access-control-allow-headers'], /\bRequest-Id\b/);
    assert.match(preflight.headers.date, IMF_FIXDATE);
});

/* The limit of connections makes a failure on demand. */
test('one connection too many gets a problem like any other, and a failure is logged with its id', ownProcess, async (t) => {
    const server = await new Server({ limits: 'on' }).start();
    const wires = [];
    t.after(async () => {
        wires.forEach((wire) => wire.close());
        await server.close();
    });
    const open = async (bytes) => {
        wires.push(new Wire(server.url, bytes, { localAddress: '127.0.0.9' }));
        await new Promise((next) => wires.at(-1).socket.once('connect', next));
        return wires.at(-1);
    };
    for (let i = 0; i < 1_024; i++) {
        await open('GET /'); /* not idle, so that none makes room */
    }
    await server.anyone.get('/healthz'); /* by now they have been read */
    const last = await open('');
    await server.eventually(async () => last.closed, Boolean, 'the last one is closed');
    const { head, body } = last;
    assert.match(head, /^HTTP\/1\.1 503 /);
    assert.match(header(head, 'Date')?.slice(1) ?? '', IMF_FIXDATE);
    assert.equal(header(head, 'Connection'), ' close');
    assert.equal(header(head, 'Retry-After'), ' 1');
    assert.equal(Number(header(head, 'Content-Length')), body.length);
    assert.equal(JSON.parse(body).code, 'unavailable');
    const id = header(head, 'Request-Id').slice(1);
    const line = () => server.stderr.split('\n').find((one) => one.includes(`"${id}"`));
    const logged = JSON.parse(await server.eventually(async () => line(), Boolean, 'a line in the log'));
    assert.deepEqual([logged.request_id, logged.status, logged.code], [id, 503, 'unavailable']);
});
