/* SPDX-License-Identifier: Apache-2.0 */
/* The pass: its content, where it is required, and that nothing else is accepted. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { shared, ownClock } = require('./lib/server.js');
const { HEADER, base64url, mac, sign, userToken, claimsOf, signatureHolds } = require('./lib/token.js');
const { exchange, request } = require('./lib/http.js');
const { makeEvent, seats, items, hold, seatStatus } = require('./lib/catalogue.js');
const { queue, makeRoom, join, look, becomes, withPass } = require('./lib/entries.js');
const { makeCalendar, slot, midnight } = require('./lib/calendars.js');
const { refused, invalid, granted, seatsOf } = require('./lib/expect.js');

const hf = shared();
const FAST = { rate_per_second: 100000 };

/* An admitted user: {user, entry, pass}. */
async function admit(event, name = 'ann', body) {
    const user = hf.user(name);
    const e = await becomes(hf, user, await join(body ? hf.app : user, event, body ?? {}), 'admitted');
    return { user, entry: e, pass: e.pass };
}
const create = (caller, event, seat, pass) =>
    caller.post('/v1/reservations', { items: items(event, seat) }, pass === undefined ? {} : withPass(pass));

test('the content of a pass, and that it is signed like a login but is not one', async () => {
    const event = await makeRoom(hf, { seats: 'A1', room: FAST });
    const { entry, pass } = await admit(event);
    assert.deepEqual(claimsOf(pass), {
        aud: 'holdfast-pass', sub: 'ann', event, jti: entry.entry_id, exp: Date.parse(entry.pass_expires_at) / 1000,
    });
    assert.ok(signatureHolds(hf.secret, pass));
    refused(await hf.bearer(pass).get('/v1/reservations'), 401, 'unauthenticated');
    refused(await hf.bearer(pass).post(queue(event), {}), 401, 'unauthenticated');
    const other = await admit(await makeRoom(hf, { room: { ...FAST, tiers: ['gold', 'b\u00fcrger "x"'] } }));
    assert.deepEqual(claimsOf(other.pass).tiers, ['gold', 'b\u00fcrger "x"']);
});

test('another poll returns a pass for the same time', async () => {
    const event = await makeRoom(hf, { seats: 'A1-A4', room: FAST });
    const { user, entry, pass } = await admit(event);
    assert.deepEqual(claimsOf((await look(user, entry)).pass), claimsOf(pass));
    assert.deepEqual(claimsOf((await join(user, event)).pass), claimsOf(pass));
    assert.deepEqual(claimsOf((await look(hf.app, entry)).pass), claimsOf(pass));
    for (const seat of ['A1', 'A2', 'A3']) {
        granted(await create(user, event, seat, pass), 201);
    }
});

test('the pass is required for hold, add and move, and for nothing else', async () => {
    const event = await makeRoom(hf, { seats: 'A1-A6', room: FAST });
    const { user, pass } = await admit(event);
    const r = granted(await create(user, event, 'A1', pass), 201);
    const path = (rest) => `/v1/reservations/${r.reservation_id}${rest}`;
    refused(await user.post(path('/items'), { event, seat: 'A2' }), 403, 'pass_required');
    refused(await user.patch(path(`/items/${r.items[0].item_id}`), { seat: 'A3' }), 403, 'pass_required');
    const more = granted(await user.post(path('/items'), { event, seat: 'A2' }, withPass(pass)), 201);
    granted(await user.patch(path(`/items/${r.items[0].item_id}`), { seat: 'A3' }, withPass(pass)), 200);
    granted(await user.delete(path(`/items/${more.items[1].item_id}`)), 200);
    granted(await user.patch(path(''), { attributes: {} }), 200);
    granted(await user.post(path('/extend'), {}), 200);
    granted(await user.post(path('/payment'), {}), 200);
    granted(await user.post(path('/commit'), {}), 200);
});

test('an app needs its user\'s pass, the admin needs none', async () => {
    const event = await makeRoom(hf, { seats: 'A1-A6', room: FAST });
    const { pass } = await admit(event);
    const wanted = (seat, user_id) => ({ items: items(event, seat), user_id });
    refused(await hf.app.post('/v1/reservations', wanted('A1', 'ann')), 403, 'pass_required');
    refused(await hf.app.post('/v1/reservations', wanted('A1', 'bob'), withPass(pass)), 403, 'pass_invalid');
    granted(await hf.app.post('/v1/reservations', wanted('A1', 'ann'), withPass(pass)), 201);
    granted(await hf.admin.post('/v1/reservations', wanted('A2', 'bob')), 201);
    granted(await hf.admin.post('/v1/reservations', wanted('A3', 'bob'), withPass('rubbish')), 201);
    const oneStep = await hf.app.post('/v1/reservations', { ...wanted('A4', 'ann'), commit: true }, withPass(pass));
    granted(oneStep, 201, { status: 'confirmed' });
    refused(await hf.app.post('/v1/reservations', wanted('A5', 'ann'), withPass(pass)), 403, 'pass_invalid');
});

test('the short form and the path without /v1 require it too', async () => {
    const event = await makeRoom(hf, { seats: 'A1-A2', room: FAST });
    const { user, pass } = await admit(event);
    const short = { resource_id: `${event}/A1` };
    refused(await user.post('/reservations', short), 403, 'pass_required');
    granted(await user.post('/reservations', short, withPass(pass)), 201);
});

test('one item behind a waiting room is enough to require it; other items need none', async () => {
    const event = await makeRoom(hf, { seats: 'A1-A3', room: FAST });
    const open = await makeEvent(hf, { seats: 'A1-A3' });
    const calendar = await makeCalendar(hf);
    const { user, pass } = await admit(event);
    const mixed = [...items(open, 'A1'), slot(calendar, midnight(hf)), ...items(event, 'A1')];
    refused(await user.post('/v1/reservations', { items: mixed }), 403, 'pass_required');
    granted(await user.post('/v1/reservations', { items: mixed }, withPass(pass)), 201);
    granted(await user.post('/v1/reservations', { items: items(open, 'A2') }), 201);
    granted(await user.post('/v1/reservations', { items: items(open, 'A3') }, withPass('rubbish')), 201);
    const second = await makeRoom(hf, { seats: 'A1', room: FAST });
    const both = [...items(event, 'A2'), ...items(second, 'A1')];
    refused(await user.post('/v1/reservations', { items: both }, withPass(pass)), 403, 'pass_invalid');
});

test('refusals come in the order of the contract: 404 and not_on_sale before, taken after', async () => {
    const event = await makeRoom(hf, { seats: 'A1', room: FAST });
    const ann = hf.user('ann');
    refused(await create(ann, event, 'Z9'), 404, 'no_such_seat');
    refused(await create(ann, 'no-such', 'A1'), 404, 'no_such_event');
    invalid(await ann.post('/v1/reservations', { items: [] }));
    refused(await ann.post('/v1/reservations', { items: items(event, 'A1'), user_id: 'bob' }), 403, 'not_owner');
    granted(await hf.admin.post('/v1/reservations', { items: items(event, 'A1'), user_id: 'eve' }), 201);
    refused(await create(ann, event, 'A1'), 403, 'pass_required');
    const { pass } = await admit(event);
    refused(await create(ann, event, 'A1', pass), 409, 'taken');
    const headers = { 'If-Match': '"0"' };
    const short = { resource_id: `${event}/A1` };
    refused(await ann.post('/v1/reservations', short, { headers }), 403, 'pass_required');
    refused(await ann.post('/v1/reservations', short, { headers: { ...headers, 'Holdfast-Pass': pass } }), 412,
        'version_mismatch');
    const later = await makeRoom(hf, {
        seats: 'A1', room: FAST, on_sale_at: new Date(hf.now() + 3_600_000).toISOString(),
    });
    refused(await create(ann, later, 'A1'), 409, 'not_on_sale');
    const limited = await makeRoom(hf, { seats: 'A1-A3', room: FAST, per_user_limit: 1 });
    refused(await ann.post('/v1/reservations', { items: items(limited, 'A1 A2') }), 403, 'pass_required');
});

test('sent twice it is 400', async () => {
    const event = await makeRoom(hf, { seats: 'A1', room: FAST });
    const { user, pass } = await admit(event);
    const body = JSON.stringify({ items: items(event, 'A1') });
    const lines = [
        `Authorization: Bearer ${user.bearer}`, 'Content-Type: application/json', `Content-Length: ${body.length}`,
        `Holdfast-Pass: ${pass}`, `holdfast-pass: ${pass}`,
    ];
    const { answers, closed } = await exchange(hf.url, request('POST', '/v1/reservations', { lines, body }));
    refused(answers[0], 400, 'invalid');
    assert.ok(closed);
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
});

/* ---- Tiers ---- */

async function tieredRoom(room = {}) {
    return makeRoom(hf, {
        seats: [...seats('A1-A4', { tier: 'gold' }), ...seats('B1-B4', { tier: 'silver' }), ...seats('C1-C2')],
        pools: { floor: 9 }, room: { ...FAST, ...room },
    });
}

test('tiers: a seat outside is pass_tier, best takes from inside only, pools are not bound', async () => {
    const event = await tieredRoom();
    const { user, pass } = await admit(event, 'ann', { user_id: 'ann', tiers: ['silver'] });
    const wants = (one) => user.post('/v1/reservations', { items: [{ event, ...one }] }, withPass(pass));
    refused(await wants({ seat: 'A1' }), 403, 'pass_tier');
    refused(await wants({ seat: 'C1' }), 403, 'pass_tier');
    refused(await wants({ best: { quantity: 1, tier: 'gold' } }), 403, 'pass_tier');
    refused(await user.post('/v1/reservations', { items: items(event, 'B1 A1') }, withPass(pass)), 403, 'pass_tier');
    const r = granted(await wants({ best: { quantity: 3 } }), 201);
    assert.ok(seatsOf(r).every((seat) => seat.startsWith('B')), `${seatsOf(r)}`);
    refused(await wants({ best: { quantity: 2 } }), 409, 'sold_out');
    granted(await wants({ best: { quantity: 1, tier: 'silver' } }), 201);
    granted(await wants({ pool: 'floor', quantity: 2 }), 201);
    const path = `/v1/reservations/${r.reservation_id}`;
    refused(await user.post(`${path}/items`, { event, seat: 'A1' }, withPass(pass)), 403, 'pass_tier');
    refused(await user.patch(`${path}/items/${r.items[0].item_id}`, { seat: 'A1' }, withPass(pass)), 403, 'pass_tier');
});

test('tiers of the room apply to everyone without their own', async () => {
    const event = await tieredRoom({ tiers: ['silver', 'gold'] });
    const ann = await admit(event);
    refused(await create(ann.user, event, 'C1', ann.pass), 403, 'pass_tier');
    granted(await create(ann.user, event, 'A1', ann.pass), 201);
    granted(await create(ann.user, event, 'B1', ann.pass), 201);
    const bob = await admit(event, 'bob', { user_id: 'bob', tiers: ['platinum'] });
    refused(await create(bob.user, event, 'A2', bob.pass), 403, 'pass_tier');
    assert.deepEqual(bob.entry.tiers, ['platinum']);
});

/* ---- Bad ones ---- */

const ALG = (alg) => ({ alg, typ: 'JWT' });
const { privateKey, publicKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
const raw = (header, claims, signature = '') => `${base64url(header)}.${base64url(claims)}.${signature}`;
const cut = (claims, field) => Object.fromEntries(Object.entries(claims).filter(([name]) => name !== field));

/* [what is wrong, the pass, the code]. `c` are the claims of a valid pass for ann, `good` is that pass. */
function badPasses(c, good, others) {
    const [head, body, signature] = good.split('.');
    const s = (claims, header = HEADER, hash) => sign(hf.secret, claims, header, hash);
    const now = Math.floor(hf.now() / 1000);
    const tweak = (text, at) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
    const rs256 = (text) => crypto.sign('sha256', Buffer.from(text), privateKey).toString('base64url');
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    const signed = `${base64url(ALG('RS256'))}.${body}`;
    const doubled = (extra) => JSON.stringify(c).replace('{', `{${extra},`);
    return [
        /* Not a token. */
        ['empty', '', 'pass_invalid'], ['a word', 'rubbish', 'pass_invalid'], ['dots', '..', 'pass_invalid'],
        ['three dots', '...', 'pass_invalid'], ['one part', head, 'pass_invalid'], ['two parts', `${head}.${body}`, 'pass_invalid'],
        ['four parts', `${good}.${signature}`, 'pass_invalid'], ['five parts', `${good}..`, 'pass_invalid'],
        ['Bearer before it', `Bearer ${good}`, 'pass_invalid'], ['a comma list', `${good},${good}`, 'pass_invalid'],
        ['oversized', s({ ...c, padding: 'x'.repeat(4000) }), 'pass_invalid'],
        ['the largest head', 'A'.repeat(12_000), 'pass_invalid'],
        ['the entry id', c.jti, 'pass_invalid'], ['the admin key', hf.adminKey, 'pass_invalid'],
        ['an app key', hf.app.key, 'pass_invalid'],
        /* Algorithms. */
        ['alg none', raw(ALG('none'), c), 'pass_invalid'], ['alg None', raw(ALG('None'), c), 'pass_invalid'],
        ['alg nOnE', raw(ALG('nOnE'), c), 'pass_invalid'], ['alg NONE', raw(ALG('NONE'), c), 'pass_invalid'],
        ['alg none, good signature', raw(ALG('none'), c, signature), 'pass_invalid'],
        ['alg none, signed', s(c, ALG('none')), 'pass_invalid'], ['no alg', s(c, { typ: 'JWT' }), 'pass_invalid'],
        ['alg empty', s(c, ALG('')), 'pass_invalid'], ['alg null', s(c, ALG(null)), 'pass_invalid'],
        ['alg a list', s(c, ALG(['HS256'])), 'pass_invalid'], ['alg in small letters', s(c, ALG('hs256')), 'pass_invalid'],
        ['HS384', s(c, ALG('HS384'), 'sha384'), 'pass_invalid'], ['HS512', s(c, ALG('HS512'), 'sha512'), 'pass_invalid'],
        ['HS512 named, HS256 made', s(c, ALG('HS512')), 'pass_invalid'],
        ['HS256 named, HS512 made', s(c, HEADER, 'sha512'), 'pass_invalid'],
        ['RS256 with the HMAC secret', s(c, ALG('RS256')), 'pass_invalid'],
        ['RS256 with a key of its own', `${signed}.${rs256(signed)}`, 'pass_invalid'],
        ['HS256 with a public key as the secret', sign(pem, c), 'pass_invalid'],
        ['ES256', s(c, ALG('ES256')), 'pass_invalid'], ['PS256', s(c, ALG('PS256')), 'pass_invalid'],
        ['EdDSA', s(c, ALG('EdDSA')), 'pass_invalid'], ['two algs', s(c, '{"alg":"HS256","alg":"none"}'), 'pass_invalid'],
        /* Keys. */
        ['another key', sign('x'.repeat(32), c), 'pass_invalid'], ['an empty key', sign('', c), 'pass_invalid'],
        ['the key in hex', sign(Buffer.from(hf.secret, 'hex'), c), 'pass_invalid'],
        ['kid to nowhere, empty key', sign('', c, { ...HEADER, kid: '../../dev/null' }), 'pass_invalid'],
        ['kid with SQL', sign('x', c, { ...HEADER, kid: '\' OR 1=1 --' }), 'pass_invalid'],
        ['a key in jwk', sign('x'.repeat(32), c, { ...HEADER, jwk: { kty: 'oct', k: base64url('x'.repeat(32)) } }), 'pass_invalid'],
        ['jku', sign('x'.repeat(32), c, { ...HEADER, jku: 'http://127.0.0.1/keys' }), 'pass_invalid'],
        ['crit', s(c, { ...HEADER, crit: ['exp'] }), 'pass_invalid'], ['crit empty', s(c, { ...HEADER, crit: [] }), 'pass_invalid'],
        /* Signatures. */
        ['no signature', `${head}.${body}.`, 'pass_invalid'], ['a cut signature', good.slice(0, -1), 'pass_invalid'],
        ['half a signature', good.slice(0, -21), 'pass_invalid'], ['a longer signature', `${good}A`, 'pass_invalid'],
        ['padded', `${good}=`, 'pass_invalid'], ['one bit of it', tweak(good, good.length - 10), 'pass_invalid'],
        ['one letter of the claims', `${head}.${tweak(body, 12)}.${signature}`, 'pass_invalid'],
        ['one letter of the head', `${tweak(head, 5)}.${body}.${signature}`, 'pass_invalid'],
        ['spare bits in the last letter', good.slice(0, -1) + nextLetter(good.at(-1)), 'pass_invalid'],
        ['plain base64', good.replace(/[-_]/g, (ch) => (ch === '-' ? '+' : '/')).replace(/$/, '='), 'pass_invalid'],
        ['the signature of another', `${head}.${body}.${others.bob.split('.')[2]}`, 'pass_invalid'],
        ['a space inside', `${head}. ${body}.${signature}`, 'pass_invalid'],
        /* Claims. */
        ['not JSON', s('hello'), 'pass_invalid'], ['a list', s([c]), 'pass_invalid'], ['null', s('null'), 'pass_invalid'],
        ['something after it', s(`${JSON.stringify(c)} {}`), 'pass_invalid'],
        ['exp missing', s(cut(c, 'exp')), 'pass_invalid'], ['exp a string', s({ ...c, exp: String(c.exp) }), 'pass_invalid'],
        ['exp a fraction', s({ ...c, exp: c.exp + 0.5 }), 'pass_invalid'], ['exp huge', s({ ...c, exp: 1e30 }), 'pass_invalid'],
        ['exp null', s({ ...c, exp: null }), 'pass_invalid'], ['exp negative', s({ ...c, exp: -1 }), 'pass_invalid'],
        ['exp true', s({ ...c, exp: true }), 'pass_invalid'], ['exp a list', s({ ...c, exp: [c.exp] }), 'pass_invalid'],
        ['exp infinite', s(JSON.stringify(c).replace(/"exp":\d+/, '"exp":1e999')), 'pass_invalid'],
        ['exp past', s({ ...c, exp: now - 1 }), 'pass_expired'], ['exp this second', s({ ...c, exp: now }), 'pass_expired'],
        ['exp 0', s({ ...c, exp: 0 }), 'pass_expired'],
        ['exp past, another\'s', s({ ...c, exp: now - 1, sub: 'bob' }), 'pass_invalid'],
        ['exp past, another event\'s', s({ ...c, exp: now - 1, event: others.event }), 'pass_invalid'],
        ['nbf future', s({ ...c, nbf: now + 100 }), 'pass_invalid'], ['nbf a string', s({ ...c, nbf: 'now' }), 'pass_invalid'],
        ['aud missing', s(cut(c, 'aud')), 'pass_invalid'], ['aud of a login', s({ ...c, aud: 'holdfast' }), 'pass_invalid'],
        ['aud other', s({ ...c, aud: 'holdfast-pas' }), 'pass_invalid'], ['aud longer', s({ ...c, aud: 'holdfast-pass2' }), 'pass_invalid'],
        ['aud both', s({ ...c, aud: ['holdfast', 'holdfast-pass'] }), 'pass_invalid'],
        ['aud a list', s({ ...c, aud: ['holdfast-pass'] }), 'pass_invalid'], ['aud null', s({ ...c, aud: null }), 'pass_invalid'],
        ['aud in capitals', s({ ...c, aud: 'HOLDFAST-PASS' }), 'pass_invalid'],
        ['a login token', userToken(hf.secret, 'ann', hf.now()), 'pass_invalid'],
        ['a login with an entry', s({ ...c, aud: 'holdfast' }), 'pass_invalid'],
        ['sub missing', s(cut(c, 'sub')), 'pass_invalid'], ['sub of another', s({ ...c, sub: 'bob' }), 'pass_invalid'],
        ['sub empty', s({ ...c, sub: '' }), 'pass_invalid'], ['sub a number', s({ ...c, sub: 5 }), 'pass_invalid'],
        ['sub with a NUL', s({ ...c, sub: 'ann\u0000' }), 'pass_invalid'], ['sub too long', s({ ...c, sub: 'x'.repeat(129) }), 'pass_invalid'],
        ['event missing', s(cut(c, 'event')), 'pass_invalid'], ['event of another', s({ ...c, event: others.event }), 'pass_invalid'],
        ['event unknown', s({ ...c, event: 'no-such' }), 'pass_invalid'], ['event a list', s({ ...c, event: [c.event] }), 'pass_invalid'],
        ['event not an id', s({ ...c, event: '../x' }), 'pass_invalid'],
        ['jti missing', s(cut(c, 'jti')), 'pass_invalid'], ['jti of another', s({ ...c, jti: others.bobs }), 'pass_invalid'],
        ['jti of another event', s({ ...c, jti: others.elsewhere }), 'pass_invalid'],
        ['jti unknown', s({ ...c, jti: `ent_${'0'.repeat(26)}` }), 'pass_invalid'], ['jti no id', s({ ...c, jti: '1' }), 'pass_invalid'],
        ['jti of a finished entry', s({ ...c, jti: others.finished }), 'pass_invalid'],
        ['jti of one that left', s({ ...c, jti: others.left }), 'pass_invalid'],
        ['jti of one that waits', s({ ...c, jti: others.waiting, sub: 'ann' }), 'pass_invalid'],
        ['jti a number', s({ ...c, jti: 1 }), 'pass_invalid'],
        ['claims doubled: sub', s(doubled('"sub":"bob"')), 'pass_invalid'], ['claims doubled: exp', s(doubled('"exp":1')), 'pass_invalid'],
        ['claims doubled: aud', s(doubled('"aud":"holdfast"')), 'pass_invalid'],
        ['claims doubled: event', s(doubled('"event":"x"')), 'pass_invalid'], ['claims doubled: jti', s(doubled('"jti":"x"')), 'pass_invalid'],
        ['another\'s pass', others.bob, 'pass_invalid'], ['a pass of another event', others.elsewherePass, 'pass_invalid'],
    ];
}

/* The letter whose spare bits are not zero, but which decodes to the same bytes. */
function nextLetter(letter) {
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return digits[digits.indexOf(letter) ^ 1];
}

test('more than a hundred invalid passes, each with its code and no further details', async () => {
    const event = await makeRoom(hf, { seats: 'A1-A9', room: FAST });
    const elsewhere = await makeRoom(hf, { seats: 'A1', room: FAST });
    const shut = await makeRoom(hf, { room: { open_at: new Date(hf.now() + 3_600_000).toISOString() } });
    const ann = hf.user('ann');
    /* Two ended entries of ann: one left, one bought. */
    const left = await join(ann, event);
    await ann.delete(queue(event, `/${left.entry_id}`));
    const buyer = await admit(event);
    const bought = granted(await create(ann, event, 'A9', buyer.pass), 201);
    granted(await ann.post(`/v1/reservations/${bought.reservation_id}/commit`, {}), 200);
    const bob = await admit(event, 'bob');
    const other = await admit(elsewhere);
    const waiting = await join(ann, shut);
    const { pass } = await admit(event);
    const cases = badPasses(claimsOf(pass), pass, {
        event: elsewhere, bob: bob.pass, bobs: bob.entry.entry_id, elsewhere: other.entry.entry_id, elsewherePass: other.pass,
        finished: buyer.entry.entry_id, left: left.entry_id, waiting: waiting.entry_id,
    });
    assert.ok(cases.length >= 100, `${cases.length} cases`);
    const sentences = {};
    for (const [what, bad, code] of cases) {
        const answer = await create(ann, event, 'A1', bad);
        assert.equal(answer.status, 403, `${what}: ${answer.status} ${answer.text}`);
        assert.equal(answer.json.code, code, `${what}: ${answer.text}`);
        sentences[code] ??= answer.text;
        assert.equal(answer.text, sentences[code], `${what} has a sentence of its own`);
    }
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
    granted(await create(ann, event, 'A1', pass), 201);
});

test('extra claims that a valid pass can have', async () => {
    const event = await makeRoom(hf, { seats: 'A1-A9', room: FAST });
    const { user, pass } = await admit(event);
    const c = claimsOf(pass);
    const good = [
        sign(hf.secret, { ...c, iat: 1, iss: 'somebody' }), sign(hf.secret, c, { alg: 'HS256' }),
        sign(hf.secret, c, { ...HEADER, kid: '../../dev/null' }), sign(hf.secret, { ...c, nbf: c.exp - 100_000 }),
    ];
    for (const [i, one] of good.entries()) {
        granted(await create(user, event, `A${i + 1}`, one), 201);
    }
});

test('a longer exp does not make a pass last longer: its entry determines the end', ownClock, async () => {
    const event = await makeRoom(hf, { seats: 'A1-A9', room: { ...FAST, pass_ttl_seconds: 100 } });
    const { user, pass } = await admit(event);
    const longer = sign(hf.secret, { ...claimsOf(pass), exp: claimsOf(pass).exp + 100_000 });
    granted(await create(user, event, 'A1', longer), 201);
    hf.clock.goto(claimsOf(pass).exp * 1000);
    refused(await create(user, event, 'A2', pass), 403, 'pass_expired');
    const after = await create(user, event, 'A2', longer);
    assert.ok(after.status === 403 && /^pass_(expired|invalid)$/.test(after.json.code), after.text);
    refused(await create(user, event, 'A2', mac(hf.secret, 'x').toString('base64url')), 403, 'pass_invalid');
});

test('a pass of a user who joined again is not that of the old entry', async () => {
    const event = await makeRoom(hf, { seats: 'A1-A9', room: FAST });
    const first = await admit(event);
    await first.user.delete(queue(event, `/${first.entry.entry_id}`));
    refused(await create(first.user, event, 'A1', first.pass), 403, 'pass_invalid');
    const second = await admit(event);
    refused(await create(first.user, event, 'A1', first.pass), 403, 'pass_invalid');
    granted(await create(second.user, event, 'A1', second.pass), 201);
});

test('a closed room requires no pass; open again it does', async () => {
    const event = await makeRoom(hf, { seats: 'A1-A9', room: FAST });
    const ann = hf.user('ann');
    refused(await create(ann, event, 'A1'), 403, 'pass_required');
    await hf.admin.put(`/v1/events/${event}`, { name: 'x', payment: 'none' });
    await hold(ann, items(event, 'A1'));
    await hf.admin.put(`/v1/events/${event}`, { name: 'x', payment: 'none', waiting_room: FAST });
    refused(await create(ann, event, 'A2'), 403, 'pass_required');
});

test('an Idempotency-Key seen before is answered without a pass, also when the entry is over', async () => {
    const event = await makeRoom(hf, { seats: 'A1-A2', room: FAST });
    const { user, entry, pass } = await admit(event);
    const key = { 'Idempotency-Key': 'once' };
    const body = JSON.stringify({ items: items(event, 'A1') });
    refused(await user.post('/v1/reservations', body, { headers: key }), 403, 'pass_required');
    const r = granted(await user.post('/v1/reservations', body, { headers: { ...key, 'Holdfast-Pass': pass } }), 201);
    await user.delete(queue(event, `/${entry.entry_id}`));
    const again = await user.post('/v1/reservations', body, { headers: key });
    assert.equal(granted(again, 201).reservation_id, r.reservation_id);
});

test('CORS: a page may send it', async () => {
    const { Server } = require('./lib/server.js');
    const own = await new Server({ args: ['--cors', 'https://shop.example'] }).start();
    try {
        const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' };
        const answer = await own.anyone.call('OPTIONS', '/v1/reservations', { headers });
        assert.match(answer.headers['access-control-allow-headers'], /\bHoldfast-Pass\b/);
        /* What a cache keeps for a client without an Origin must not be given to a page. */
        const event = await makeRoom(own);
        for (const sent of [{}, { Origin: 'https://shop.example' }, { Origin: 'https://other.example' }]) {
            const { headers: got } = await own.anyone.get(queue(event), { headers: sent });
            assert.match(got.vary, /\bOrigin\b/);
            assert.equal(got['access-control-allow-origin'], sent.Origin?.includes('shop') ? sent.Origin : undefined);
        }
    } finally {
        await own.close();
    }
});
