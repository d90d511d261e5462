/* SPDX-License-Identifier: Apache-2.0 */
/* Signed tickets: keys and pictures are public, a print is valid as long as its ticket is, and nothing else is accepted
 * as one. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const zlib = require('node:zlib');
const { Server, shared, ownProcess, PROGRAM } = require('./lib/server.js');
const { makeEvent, items } = require('./lib/catalogue.js');
const { refused, granted } = require('./lib/expect.js');

const hf = shared();
const scan = (code, more = {}, server = hf) => server.admin.post('/v1/check-ins', { code, ...more });

async function sell(wanted, server = hf) {
    const sold = granted(await server.admin.post('/v1/reservations', { items: wanted, user_id: 'ann', commit: true }), 201);
    return { r: sold, codes: sold.tickets.map(({ code }) => code) };
}

/* ---- Signed by hand, from docs/tickets.md ---- */

/* PKCS #8 of an Ed25519 seed. */
const privateKey = (seed) => crypto.createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]), format: 'der', type: 'pkcs8',
});
function keyOf(seed) {
    const key = privateKey(seed);
    const { x } = crypto.createPublicKey(key).export({ format: 'jwk' });
    const id = crypto.createHash('sha256').update(Buffer.from(x, 'base64url')).digest().subarray(0, 8);
    return { key, x, id, kid: id.toString('base64url') };
}

function print({ key, id }, { code, reissue, unit = 0, kind = 1, of, part, rest = '' }) {
    const numbers = Buffer.alloc(8);
    numbers.writeBigUInt64BE(BigInt(reissue));
    const payload = Buffer.concat([
        id, numbers, Buffer.from(code), Buffer.from([unit >> 8, unit & 255, kind, of.length]), Buffer.from(of),
        Buffer.from([part.length]), Buffer.from(part + rest),
    ]);
    const text = `HF1.${payload.toString('base64url')}`;
    return `${text}.${crypto.sign(null, Buffer.from(text), key).toString('base64url')}`;
}

const seedOf = (server) => Buffer.from(fs.readFileSync(path.join(server.data, 'ticket.key'), 'latin1').trim(), 'hex');

test('the keys are a JWK set of the file in the data folder, which only its owner can read', ownProcess, async () => {
    const { mode } = fs.statSync(path.join(hf.data, 'ticket.key'));
    assert.equal(mode & 0o777, 0o600);
    const { x, kid } = keyOf(seedOf(hf));
    const answer = await hf.anyone.get('/v1/tickets/key');
    assert.deepEqual(answer.json, { keys: [{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x }] });
    assert.notEqual(seedOf(hf).toString('hex'), hf.secret);
    /* Without it a restored server would not know earlier prints. */
    const copy = `${hf.data}.copy`;
    execFileSync(PROGRAM, ['backup', hf.data, copy]);
    assert.deepEqual(seedOf({ data: copy }), seedOf(hf));
    fs.rmSync(copy, { recursive: true });
});

test('a print made by hand as documented admits; changed anywhere it is invalid', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const { r, codes: [code, other] } = await sell(items(event, 'A1 A2'));
    const key = keyOf(seedOf(hf));
    const says = { code, reissue: r.fence, of: event, part: 'A1' };
    const good = print(key, says);
    for (let at = 0; at < good.length; at++) {
        const changed = good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1);
        refused(await scan(changed), 404, 'no_such_ticket');
    }
    const stranger = { ...keyOf(crypto.randomBytes(32)) };
    for (const bad of [
        good.slice(0, -1), `${good}A`, `${good}.`, `${good}=`, good.replace('HF1.', 'HF2.'), good.split('.').slice(0, 2).join('.'),
        print(stranger, says), print({ ...stranger, id: key.id }, says), print(key, { ...says, rest: 'x' }),
        print(key, { ...says, code: '0'.repeat(20) }), print(key, { ...says, of: 'x'.repeat(65) }),
    ]) {
        refused(await scan(bad), 404, 'no_such_ticket');
    }
    refused(await scan(print(key, { ...says, reissue: r.fence - 1 })), 409, 'void');
    const nonce = 'n1';
    const first = await scan(good, { gate: 'north', event, nonce });
    assert.deepEqual([first.json.result, first.json.code], ['ok', code]);
    assert.deepEqual((await scan(good, { nonce })).json, first.json);
    refused(await scan(good), 409, 'already_checked_in');
    refused(await scan(code), 409, 'already_checked_in');
    assert.equal((await scan(print(key, { ...says, code: other, part: 'A2' }))).json.seat, 'A2');
});

test('a new key signs, an old one is still accepted, a removed one is not', ownProcess, async () => {
    const [first, second] = [crypto.randomBytes(32), crypto.randomBytes(32)];
    const server = new Server({ env: { HOLDFAST_TICKET_KEY: first.toString('hex') } });
    await server.start();
    try {
        const event = await makeEvent(server, { seats: 'A1-A9' });
        const { r, codes } = await sell(items(event, 'A1 A2'), server);
        assert.ok(!fs.existsSync(path.join(server.data, 'ticket.key')));
        const prints = codes.map((code, i) => print(keyOf(first), { code, reissue: r.fence, of: event, part: `A${i + 1}` }));
        server.env.HOLDFAST_TICKET_KEY = `${second.toString('hex').toUpperCase()}, ${first.toString('hex')}`;
        await server.restart();
        const { json } = await server.anyone.get('/v1/tickets/key');
        assert.deepEqual(json.keys.map(({ kid }) => kid), [second, first].map((seed) => keyOf(seed).kid));
        assert.equal((await scan(prints[0], {}, server)).status, 200);
        server.env.HOLDFAST_TICKET_KEY = second.toString('hex');
        await server.restart();
        refused(await scan(prints[1], {}, server), 404, 'no_such_ticket');
        assert.equal((await scan(codes[1], {}, server)).status, 200);
        await server.stop();
        const one = first.toString('hex');
        for (const bad of ['', 'x', one.slice(1), `${one}0`, `${one},${one}`, `${one} ${'g'.repeat(64)}`]) {
            server.env.HOLDFAST_TICKET_KEY = bad;
            await assert.rejects(server.launch(), /HOLDFAST_TICKET_KEY/);
            assert.ok(!server.stderr.includes(one.slice(1)), 'a key was logged');
        }
        server.child = null;
    } finally {
        await server.close();
    }
});

/* ---- Pictures ---- */

const fetchPicture = (target) => new Promise((resolve, reject) => {
    http.get(`${hf.url}${target}`, { agent: false }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part)).on('error', reject).on(
            'end', () => resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(parts) }));
    }).on('error', reject);
});

/* The dark modules of a picture, as rows of 0 and 1 with the margin. */
function ofSvg(text) {
    const [, size] = /viewBox="0 0 (\d+) \1"/.exec(text);
    const rows = Array.from({ length: size }, () => Array(Number(size)).fill(0));
    for (const [, x, y, run] of text.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
        rows[y].fill(1, Number(x), Number(x) + Number(run));
    }
    return rows.map((row) => row.join(''));
}

function ofPng(bytes) {
    assert.equal(bytes.toString('hex', 0, 8), '89504e470d0a1a0a');
    const chunks = [];
    for (let at = 8; at < bytes.length;) {
        const size = bytes.readUInt32BE(at);
        chunks.push([bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + size)]);
        at += size + 12;
    }
    assert.deepEqual(chunks.map(([type]) => type), ['IHDR', 'IDAT', 'IEND']);
    const [[, head], [, data]] = chunks;
    const pixels = head.readUInt32BE(0);
    assert.deepEqual([head.readUInt32BE(4), [...head.subarray(8)]], [pixels, [1, 0, 0, 0, 0]]);
    const lines = zlib.inflateSync(data);
    const size = pixels / 8;
    return Array.from({ length: size }, (_, y) => Array.from({ length: size }, (_, x) => (lines[y * 8 * (size + 1) + 1 + x] ? 0 : 1)).join(''));
}

test('a ticket is available as SVG and PNG with the same modules, to anyone with its code', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const { r, codes: [code] } = await sell(items(event, 'A1'));
    const [svg, png] = [await fetchPicture(`/v1/tickets/${code}.svg`), await fetchPicture(`/v1/tickets/${code}.png`)];
    for (const [{ status, headers }, type] of [[svg, 'image/svg+xml'], [png, 'image/png']]) {
        assert.equal(status, 200);
        assert.deepEqual([headers['content-type'], headers['cache-control']], [type, 'private, no-store']);
    }
    const modules = ofSvg(svg.bytes.toString());
    assert.deepEqual(ofPng(png.bytes), modules);
    assert.ok(modules.length >= 29 && modules.slice(0, 4).every((row) => !row.includes('1')));
    const finder = ['1111111', '1000001', '1011101', '1011101', '1011101', '1000001', '1111111'];
    assert.deepEqual(modules.slice(4, 11).map((row) => row.slice(4, 11)), finder);
    assert.ok(!svg.bytes.toString().includes(code));
    for (const who of [hf.user('ann'), hf.app, await hf.key('door')]) {
        assert.equal((await who.get(`/v1/tickets/${code.toLowerCase()}.svg`)).text, svg.bytes.toString());
    }
    granted(await hf.app.post(`/v1/reservations/${r.reservation_id}/transfer`, { to_user_id: 'bob' }), 200);
    for (const ending of ['svg', 'png']) {
        refused(await hf.anyone.get(`/v1/tickets/${code}.${ending}`), 410, 'void');
        refused(await hf.anyone.get(`/v1/tickets/${'0'.repeat(20)}.${ending}`), 404, 'no_such_ticket');
        refused(await hf.anyone.get(`/v1/tickets/x.${ending}`), 404, 'no_such_ticket');
    }
    assert.equal((await hf.anyone.get(`/v1/tickets/${code}`)).json.code, 'no_such_route');
    assert.ok(!hf.stderr?.includes(code), 'a code was logged');
});

test('pictures are limited per address', ownProcess, async () => {
    const server = new Server({ limits: 'on' });
    await server.start();
    try {
        const answers = [];
        for (let i = 0; i < 3_000 && answers.at(-1) !== 429; i += 64) {
            const some = await Promise.all(Array.from({ length: 64 }, () => server.anyone.get(`/v1/tickets/${'0'.repeat(20)}.svg`)));
            answers.push(...some.map(({ status }) => status).sort());
        }
        assert.deepEqual([...new Set(answers)], [404, 429]);
    } finally {
        await server.close();
    }
});
