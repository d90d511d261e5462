/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that no well-behaved client would send, over raw sockets: a clean 400 and a close, never a second
 * interpretation of the bytes; and requests that look odd but are valid. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const net = require('node:net');
const { shared, ownClock } = require('./lib/server.js');
const { exchange, request } = require('./lib/http.js');
const { makeEvent, ids, items, seatStatus, counts } = require('./lib/catalogue.js');
const { refused } = require('./lib/expect.js');

const hf = shared();
const HEALTH = request('GET', '/healthz');
const send = (parts, options) => exchange(hf.url, parts, options);
const bearer = () => `Authorization: Bearer ${hf.user('ann').bearer}`;
const JSON_TYPE = 'Content-Type: application/json';

/* A hold of one seat with header lines and body as given. */
function holding(lines, body) {
    return request('POST', '/v1/reservations', { lines: [bearer(), JSON_TYPE, ...lines], body });
}

/* One refusal, announced to close, and closed; nothing after it in the same bytes is answered. */
async function closes(bytes, status = 400, code = undefined) {
    const seen = await send(Buffer.concat([Buffer.from(bytes), Buffer.from(HEALTH)]), { patience: 8_000 });
    const told = JSON.stringify([seen.answers.map((a) => [a.status, a.text]), seen.text]).slice(0, 400);
    assert.equal(seen.answers.length, 1, told);
    assert.equal(seen.answers[0].status, status, told);
    assert.match(seen.answers[0].headers.connection ?? '', /^close$/i, told);
    assert.ok(seen.closed, `left open: ${told}`);
    refused(seen.answers[0], status, code ?? seen.answers[0].json?.code);
    return seen.answers[0];
}

/* Answered or not, the connection ends and the server lives. */
async function ends(bytes, options) {
    const seen = await send(bytes, { patience: 15_000, ...options });
    assert.ok(seen.closed, `left open after ${JSON.stringify(bytes).slice(0, 200)}`);
    assert.equal((await hf.anyone.get('/healthz')).status, 200);
    return seen;
}

test('a length together with an encoding', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const body = JSON.stringify({ items: items(event, 'A1') });
    const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    await closes(holding([`Content-Length: ${chunk.length}`, 'Transfer-Encoding: chunked'], chunk));
    await closes(holding(['Transfer-Encoding: chunked', `Content-Length: ${chunk.length}`], chunk));
    await closes(holding(['Content-Length: 0', 'Transfer-Encoding: chunked'], chunk));
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
});

test('two lengths, equal or not, in two lines or one', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const body = JSON.stringify({ items: items(event, 'A1') });
    const length = `Content-Length: ${body.length}`;
    await closes(holding([length, length], body));
    await closes(holding([length, 'Content-Length: 1'], body));
    await closes(holding([`${length}, ${body.length}`], body));
    await closes(holding([length, `content-length: ${body.length}`], body));
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
});

test('a length that is signed or not a number', async () => {
    for (const length of [
        '+5', '-5', '0x5', '5 5', '5.0', '5a', 'five', '', '99999999999999999999999', '18446744073709551617'
    ]) {
        const answer =
            await send(holding([`Content-Length: ${length}`], '{"a":') + HEALTH, { patience: 8_000 });
        const [first] = answer.answers;
        assert.ok(first && (first.status === 400 || first.status === 413), `${length}: ${first?.status}`);
        assert.equal(answer.answers.length, 1, length);
        assert.ok(answer.closed, length);
    }
});

test('an unknown encoding, or chunked not last', async () => {
    for (const encoding of ['gzip', 'chunked, gzip', 'xchunked', 'chunked, identity', 'identity']) {
        const seen = await send(holding([`Transfer-Encoding: ${encoding}`], '0\r\n\r\n') + HEALTH, {
            patience: 8_000
        });
        const told = `${encoding}: ${seen.answers.map((a) => a.status)} ${seen.text}`;
        assert.equal(seen.answers.length, 1, told);
        assert.ok([400, 501].includes(seen.answers[0].status), told);
        assert.ok(seen.closed, told);
    }
});

test('broken chunks', async () => {
    for (const body of [
        'zz\r\n{}\r\n0\r\n\r\n', '-2\r\n{}\r\n0\r\n\r\n', '2\r\n{}XX0\r\n\r\n', 'fffffffffffffffff\r\n{}',
        '2\n{}\n0\n\n'
    ]) {
        await closes(holding(['Transfer-Encoding: chunked'], body));
    }
});

test('bare LF, anywhere in the head', async () => {
    await closes('GET /healthz HTTP/1.1\nHost: test\n\n');
    await closes('GET /healthz HTTP/1.1\nHost: test\r\n\r\n');
    await closes('GET /healthz HTTP/1.1\r\nHost: test\nX-A: b\r\n\r\n');
    await closes('GET /healthz HTTP/1.1\r\nHost: test\r\nX-A: b\n\r\n');
    await closes('GET /healthz HTTP/1.1\r\nHost: test\r\n\n');
});

test('bare CR in the head', async () => {
    await closes('GET /healthz HTTP/1.1\r\nHost: test\r\nX-A: b\rX-B: c\r\n\r\n');
});

test('a space before the colon', async () => {
    await closes('GET /healthz HTTP/1.1\r\nHost: test\r\nX-A : b\r\n\r\n');
    await closes('GET /healthz HTTP/1.1\r\nHost : test\r\n\r\n');
    await closes('GET /healthz HTTP/1.1\r\nHost: test\r\nX-A\t: b\r\n\r\n');
    await closes(holding(['Content-Length : 5'], '{"a":'));
});

test('a folded header', async () => {
    await closes('GET /healthz HTTP/1.1\r\nHost: test\r\nX-A: b\r\n c\r\n\r\n');
    await closes('GET /healthz HTTP/1.1\r\nHost: test\r\nX-A: b\r\n\tc\r\n\r\n');
    await closes('GET /healthz HTTP/1.1\r\n X-A: b\r\nHost: test\r\n\r\n');
});

test('no Host, or two', async () => {
    await closes(request('GET', '/healthz', { host: null }));
    await closes(request('GET', '/healthz', { lines: ['Host: other'] }));
});

test('a Host that is not a name or address with an optional port', async () => {
    const bad = ['x/../@y', 'a@b', 'a b', 'a/', 'a?b', 'a#b', 'a\\b', 'a"b', '<a>', 'a:b', 'a:80:80', '[::1', '[]', '[::1]x', '[::1]:x', '[g/]', 'caf\u00e9'];
    for (const host of bad) {
        await closes(Buffer.from(request('GET', '/healthz', { host: `Host: ${host}` }), 'latin1'));
    }
    const good = ['a', 'A.example', 'a:', 'a:8080', '127.0.0.1:80', '[::1]', '[::ffff:1.2.3.4]:8080', 'a_b.example', "x!$&'()*+,;=%20~-", ''];
    for (const host of good) {
        const { answers: [answer] } = await send(request('GET', '/healthz', { host: `Host: ${host}` }), { enough: 1 });
        assert.equal(answer.status, 200, host);
    }
});

test('control bytes in a header or in the target', async () => {
    for (const byte of ['\x00', '\x01', '\x08', '\x0b', '\x1b', '\x7f']) {
        await closes(Buffer.from(request('GET', '/healthz', { lines: [`X-A: b${byte}c`] }), 'latin1'));
        await closes(Buffer.from(request('GET', '/healthz', { lines: [`X-${byte}A: b`] }), 'latin1'));
        await closes(Buffer.from(request('GET', `/health${byte}z`), 'latin1'));
    }
});

test('bytes that are not HTTP', async () => {
    const noise = [
        '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'hello\r\n\r\n', 'GET\r\n\r\n',
        'GET /healthz\r\n\r\n',
        'GET /healthz HTTP/9.9\r\nHost: test\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ': \r\n\r\n',
        '\x00'.repeat(64),
        'G\u00cbT /healthz HTTP/1.1\r\nHost: test\r\n\r\n', 'GET  /healthz HTTP/1.1\r\nHost: test\r\n\r\n',
        'GET /healthz HTTP/1.1\r\nHost: test\r\nno colon here\r\n\r\n',
        'GET /healthz HTTP/1.1\r\nHost: test\r\n: empty\r\n\r\n',
    ];
    for (const bytes of noise) {
        const seen = await ends(Buffer.from(bytes, 'latin1'));
        for (const answer of seen.answers) {
            assert.ok(
                answer.status >= 400 && answer.status < 600, `${JSON.stringify(bytes)}: ${answer.status}`
            );
        }
    }
});

test('headers over 16 KiB are 431, also when they never end', async () => {
    const long = request('GET', '/healthz', { lines: [`X-A: ${'a'.repeat(17 * 1024)}`] });
    await closes(long, 431, 'headers_too_large');
    const many = Array.from({ length: 2000 }, (_, i) => `X-${i}: value-${i}`);
    await closes(request('GET', '/healthz', { lines: many }), 431, 'headers_too_large');
    const endless = await send(`GET /healthz HTTP/1.1\r\nHost: test\r\nX-A: ${'a'.repeat(20 * 1024)}`, {
        patience: 8_000
    });
    refused(endless.answers[0], 431, 'headers_too_large');
    assert.ok(endless.closed);
    const target = await send([request('GET', `/${'a'.repeat(17 * 1024)}`)], { patience: 8_000 });
    assert.ok([414, 431].includes(target.answers[0].status), String(target.answers[0].status));
});

test('a HEAD that is refused for its head gets no body either', async () => {
    const bad = {
        431: [request('HEAD', '/healthz', { lines: [`X-A: ${'a'.repeat(17 * 1024)}`] }),
            request('HEAD', `/${'a'.repeat(17 * 1024)}`)],
        400: ['HEAD /healthz HTTP/1.1\r\n\r\n', request('HEAD', '/healthz', { lines: ['X-A : 1'] }),
            request('HEAD', '/healthz', { lines: ['Content-Length: 1', 'Content-Length: 1'] }), 'HEAD /healthz HTTP/3\r\n\r\n'],
    };
    for (const [status, all] of Object.entries(bad)) {
        for (const bytes of all) {
            const { answers, closed, text } = await send(bytes, { patience: 8_000, methods: ['HEAD'] });
            const told = `${bytes.slice(0, 60)}: ${text}`;
            assert.deepEqual(answers.map((answer) => answer.status), [Number(status)], told);
            assert.match(answers[0].headers.connection ?? '', /^close$/i, told);
            assert.ok(Number(answers[0].headers['content-length']) > 0, told);
            assert.equal(text, '', told);
            assert.ok(closed, told);
        }
    }
});

test('headers under 16 KiB are fine', async () => {
    const lines = [`X-A: ${'a'.repeat(15 * 1024)}`];
    const seen = await send(request('GET', '/healthz', { lines }), { enough: 1 });
    assert.equal(seen.answers[0].status, 200);
});

test('bodies over 1 MiB are 413, with a length or in chunks', async () => {
    const answer = await closes(holding([`Content-Length: ${1024 * 1024 + 1}`], '{'), 413, 'too_large');
    assert.match(answer.headers.connection, /close/i);
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const parts = [holding(['Transfer-Encoding: chunked'], ''), ...Array(17).fill(chunk), '0\r\n\r\n'];
    const seen = await send(parts, { patience: 8_000 });
    refused(seen.answers[0], 413, 'too_large');
    assert.ok(seen.closed);
});

test('a payment event over 256 KiB is 413 with any signature, with a length or in chunks', async () => {
    const large = `{${' '.repeat(256 * 1024 - 1)}}`; /* one too many */
    refused(await hf.anyone.post('/v1/webhooks/payments', large), 413, 'too_large');
    refused(await hf.anyone.post('/v1/webhooks/payments', large.replace(' ', '')), 401, 'unauthenticated');
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const head = request('POST', '/v1/webhooks/payments', { lines: ['Content-Type: application/json', 'Transfer-Encoding: chunked'] });
    const seen = await send([head, ...Array(5).fill(chunk), '0\r\n\r\n'], { patience: 8_000 });
    refused(seen.answers[0], 413, 'too_large');
    assert.ok(seen.closed);
});

test('a body of exactly 1 MiB is read', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const body = JSON.stringify({ items: items(event, 'A1') }).padEnd(1024 * 1024, ' ');
    assert.equal((await hf.user('ann').post('/v1/reservations', body)).status, 201);
});

test('a chunked body is equivalent to one with a length', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const body = JSON.stringify({ items: items(event, 'A1') });
    const half = body.length >> 1;
    const chunk = (text) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const parts = [
        holding(['Transfer-Encoding: chunked'], ''), chunk(body.slice(0, half)), chunk(body.slice(half)),
        '0\r\n\r\n'
    ];
    const seen = await send(parts, { enough: 1 });
    assert.equal(seen.answers[0].status, 201, seen.answers[0].text);
});

test('a request that arrives byte by byte is one request', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const body = JSON.stringify({ items: items(event, 'A1') });
    const bytes = holding([`Content-Length: ${body.length}`], body);
    const seen = await send([...bytes], { enough: 1 });
    assert.equal(seen.answers[0].status, 201, seen.answers[0].text);
});

test('pipelined requests are answered each, in order', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A10' });
    const requests = [];
    for (let i = 1; i <= 10; i++) {
        const body = JSON.stringify({ items: items(event, `A${i}`) });
        requests.push(holding([`Content-Length: ${body.length}`], body));
        requests.push(request('GET', `/v1/events/${event}/seats/A${i}`));
    }
    const seen = await send(requests.join(''), { enough: 20 });
    assert.equal(seen.answers.length, 20);
    for (let i = 0; i < 10; i++) {
        assert.equal(seen.answers[2 * i].status, 201);
        assert.equal(seen.answers[2 * i].json.items[0].seat, `A${i + 1}`);
        const { id, status } = seen.answers[2 * i + 1].json;
        assert.deepEqual([id, status], [`A${i + 1}`, 'held'], 'it sees what was asked before it');
    }
});

test('more at once than one turn of the loop handles: every answer comes, in order', async () => {
    const event = await makeEvent(hf, { seats: 'B1-B100' });
    const bytes = ids('B1-B100').map((seat) => request('GET', `/v1/events/${event}/seats/${seat}`)).join('');
    const all = await Promise.all(Array.from({ length: 100 }, () => send(bytes, { enough: 100 })));
    for (const seen of all) {
        assert.deepEqual(seen.answers.map((answer) => answer.json.id), ids('B1-B100'));
    }
});

test('a pipelined refusal does not end the connection, a broken request does', async () => {
    const parts = [request('GET', '/nowhere'), HEALTH, 'broken\r\n\r\n', HEALTH];
    const seen = await send(parts.join(''));
    assert.deepEqual(seen.answers.map((answer) => answer.status), [404, 200, 400]);
    assert.ok(seen.closed);
});

test('a target that is no path, no URL and not *', async () => {
    for (const target of ['healthz', '?healthz', '*healthz', 'http:///healthz', 'http://ann@127.0.0.1/healthz', 'ftp://127.0.0.1/healthz']) {
        await closes(request('GET', target));
    }
    await closes(request('CONNECT', '127.0.0.1:80'));
    assert.equal((await send(request('GET', 'http://127.0.0.1/healthz'), { enough: 1 })).answers[0].status, 200);
});

test('a method that no route has is not allowed, and its body is skipped', async () => {
    for (const method of ['BREW', 'get', 'TRACE', 'X-!~']) {
        const bytes = request(method, '/healthz', { lines: ['Content-Length: 5'], body: '\r\n\r\nG' }) + HEALTH;
        const [refusal, next] = (await send(bytes, { enough: 2 })).answers;
        refused(refusal, 405, 'method_not_allowed');
        assert.equal(next.status, 200);
    }
});

test('HEAD is answered without a body, and the next answer follows at once', async () => {
    const bytes = request('HEAD', '/v1/events') + HEALTH;
    const methods = ['HEAD', 'GET'];
    const [head, next] = (await send(bytes, { enough: 2, methods })).answers;
    assert.equal(head.status, 200);
    assert.equal(next.status, 200);
});

test('Connection: close is honoured, and said', async () => {
    const seen = await send(request('GET', '/healthz', { lines: ['Connection: close'] }));
    assert.equal(seen.answers[0].status, 200);
    assert.match(seen.answers[0].headers.connection ?? '', /close/i);
    assert.ok(seen.closed);
});

test('a half-closed socket still gets its answer', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const body = JSON.stringify({ items: items(event, 'A1') });
    const seen = await send(holding([`Content-Length: ${body.length}`], body) + HEALTH, { end: true });
    assert.deepEqual(seen.answers.map((answer) => answer.status), [201, 200]);
    assert.ok(seen.closed);
});

test('half a request and then the end of input: closed, and nothing is held', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const body = JSON.stringify({ items: items(event, 'A1') });
    await ends(holding([`Content-Length: ${body.length + 10}`], body), { end: true });
    await ends('GET /heal', { end: true });
    await ends('', { end: true });
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
});

test('a client that goes away before the answer does no harm', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A50' });
    const { hostname: host, port } = new URL(hf.url);
    await Promise.all(Array.from({ length: 50 }, (_, i) => new Promise((gone) => {
        const socket = net.connect({ host, port: Number(port) }, () => {
            const body = JSON.stringify({ items: items(event, `A${i + 1}`) });
            socket.write(holding([`Content-Length: ${body.length}`], body), () => socket.resetAndDestroy());
        });
        socket.on('error', () => {});
        socket.on('close', gone);
    })));
    const { held, available } = await counts(hf, event);
    assert.equal(held + available, 50, 'held whole or not at all');
});

test('Expect: 100-continue is answered, with 100 or at once', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const body = JSON.stringify({ items: items(event, 'A1') });
    const lines = [`Content-Length: ${body.length}`, 'Expect: 100-continue'];
    const seen =
        await send([holding(lines, ''), body], { enough: (all) => all.some((a) => a.status >= 200) });
    assert.equal(seen.answers.at(-1).status, 201, seen.answers.at(-1).text);
});

/* Time passes in steps between the drips, so that a deadline extended by each byte would never come. Up to 10 s of real
 * time where the deadline does not follow the test clock. */
test('a request not complete in 10 s is closed, however it drips', ownClock, async () => {
    const drips = [
        ['a head that stops', ['GET /healthz HTTP/1.1\r\nHost: te']],
        ['a body that stops', [holding(['Content-Length: 100'], '{"items":')]],
        ['a head that drips', [...dripping('GET /healthz HTTP/1.1\r\nHost: test\r\nX-A: ')]],
        ['a body that drips', [...dripping(holding(['Content-Length: 1000'], '{'))]],
        ['a chunked body that drips', [...dripping(holding(['Transfer-Encoding: chunked'], '1000\r\n'))]],
    ];
    const began_ms = Date.now() + hf.clock.skipped_ms;
    const passed_ms = () => Date.now() + hf.clock.skipped_ms - began_ms;
    const closed = [];
    const running = drips.map(async ([why, parts]) => {
        const seen = await send(parts, { patience: 14_000 });
        closed.push([why, seen, passed_ms()]);
    });
    while (closed.length < drips.length) {
        await new Promise((next) => setTimeout(next, 250));
        hf.clock.skip(1_000);
    }
    await Promise.all(running);
    for (const [why, seen, after_ms] of closed) {
        assert.ok(seen.closed, `${why}: still open after ${after_ms} ms`);
        assert.ok(after_ms >= 9_000, `${why}: closed after ${after_ms} ms`);
        assert.ok(seen.answers.every((answer) => answer.status >= 400), why);
    }
    assert.equal((await hf.anyone.get('/healthz')).status, 200);
});

/* The beginning, and then a byte every 100 ms for as long as the server listens. */
function* dripping(beginning) {
    yield beginning;
    for (let i = 0; i < 130; i++) {
        yield (socket) => new Promise((next) => {
            if (!socket.destroyed && socket.writable) {
                socket.write(' ', () => {});
            }
            setTimeout(next, 100);
        });
    }
}
