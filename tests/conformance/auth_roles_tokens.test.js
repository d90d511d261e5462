/* SPDX-License-Identifier: Apache-2.0 */
/* Callers: what each role may do, which tokens are valid, and who owns a reservation. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { HEADER, base64url, mac, sign } = require('./lib/token.js');
const { makeEvent, items, hold } = require('./lib/catalogue.js');
const { makeCalendar, slot, midnight } = require('./lib/calendars.js');
const { refused, granted } = require('./lib/expect.js');

const hf = shared();
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const soon = () => Math.floor(hf.now() / 1000) + 3600;
const good = (more = {}) => ({ sub: 'ann', aud: 'holdfast', exp: soon(), ...more });
const without = (field) => {
    const claims = good();
    delete claims[field];
    return claims;
};

/* A call that every user may make, by the bare text of a credential. */
const ask = (token) => hf.bearer(token).get('/v1/reservations');
const accepted = async (token, why) => assert.equal((await ask(token)).status, 200, why);
const rejected = async (token, why) => {
    const answer = await ask(token);
    assert.equal(answer.status, 401, `${why}: ${answer.status}`);
    const problem = refused(answer, 401, 'unauthenticated');
    assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer/, 'RFC 9110 wants to know how');
    return problem;
};

test('401 says what is wrong with a credential, and no more (RFC 6750)', ownClock, async () => {
    const wrong = {
        malformed: /expected HS256 with sub, aud holdfast and exp in seconds/, scheme: /expected Bearer/,
        unknown: /unknown key or wrong signature/, expired: /has expired/, early: /not valid yet/,
    };
    const header = (authorization) => hf.anyone.get('/v1/reservations', { headers: { authorization } });
    const other = sign('another secret of some 32 bytes or so', good());
    const lapsed = sign(hf.secret, good({ exp: soon() - 3600 }));
    const cached = sign(hf.secret, good({ exp: soon() - 3000 }));
    await accepted(cached, 'good for ten minutes');
    hf.clock.advance(601_000);
    for (const [credential, why] of [
        [`Bearer ${lapsed}`, 'expired'], [`Bearer ${cached}`, 'expired'],
        [`Bearer ${sign(hf.secret, good({ nbf: soon() }))}`, 'early'],
        [`Bearer ${other}`, 'unknown'], ['Bearer nobodys-key', 'unknown'],
        [`Bearer ${sign('another secret of some 32 bytes or so', good({ exp: 1 }))}`, 'unknown'],
        ['Bearer a.b.c', 'malformed'], [`Bearer ${sign(hf.secret, good(), { alg: 'none' })}`, 'malformed'],
        [`Bearer ${sign(hf.secret, without('sub'))}`, 'malformed'], [`Bearer ${sign(hf.secret, without('exp'))}`, 'malformed'],
        [`Bearer ${sign(hf.secret, good({ exp: soon() * 1000 }))}`, 'malformed'], [`Bearer ${sign(hf.secret, good({ aud: 'x' }))}`, 'malformed'],
        ['Basic YTpi', 'scheme'], ['Bearer a b', 'scheme'],
    ]) {
        const answer = await header(credential);
        const { detail } = refused(answer, 401, 'unauthenticated');
        const [, told] = /^Bearer error="invalid_token", error_description="([^"\\]+)"$/.exec(
            answer.headers['www-authenticate']
        ) ?? assert.fail(answer.headers['www-authenticate']);
        assert.match(told, wrong[why], credential);
        assert.equal(detail, told);
    }
    const none = await hf.anyone.get('/v1/reservations');
    refused(none, 401, 'unauthenticated');
    assert.equal(none.headers['www-authenticate'], 'Bearer');
});

test('the catalogue and availability are open to all', async () => {
    const event = await makeEvent(hf, { seats: 'A1', waiting_room: {} });
    const below = ['', '/seats', '/seats/A1', '/availability', '/availability?format=map', '/queue'];
    const targets = below.map((rest) => `/v1/events/${event}${rest}`);
    const calendar = await makeCalendar(hf);
    targets.push('/v1/events', '/v1/calendars', `/v1/calendars/${calendar}`, `/v1/calendars/${calendar}/slots`);
    for (const target of targets) {
        assert.equal((await hf.anyone.get(target)).status, 200, target);
    }
    const stream = await hf.anyone.stream(`/v1/events/${event}/stream`);
    assert.equal(stream.status, 200);
    stream.close();
    const time = await hf.anyone.stream(`/v1/calendars/${calendar}/stream`);
    assert.equal(time.status, 200);
    time.close();
});

/* Everything else: who may, by method, path and body. The ids exist. */
async function calls() {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const r = await hold(hf.user('ann'), items(event, 'A1'));
    const item = `/items/${r.items[0].item_id}`;
    const calendar = await makeCalendar(hf);
    const admin = [
        ['PUT', `/v1/events/${event}`, { name: 'x' }], ['DELETE', `/v1/events/${event}`],
        ['POST', `/v1/events/${event}/seats`, [{ id: 'A1' }]],
        ['PATCH', `/v1/events/${event}/seats`, { ids: ['A9'], blocked: false }],
        ['PUT', `/v1/events/${event}/pools/floor`, { capacity: 1 }],
        ['PATCH', `/v1/events/${event}/queue`, { paused: true }], ['GET', `/v1/events/${event}/waiting-list`],
        ['PUT', `/v1/calendars/${calendar}`, { name: 'x' }], ['DELETE', `/v1/calendars/${calendar}`], ['GET', `/v1/calendars/${calendar}.ics`],
        ['POST', '/v1/keys', { name: unique('k'), role: 'app' }], ['GET', '/v1/keys'],
        ['DELETE', `/v1/keys/${unique('k')}`], ['POST', `/v1/keys/${unique('k')}/rotate`, {}],
    ];
    const owner = [
        ['POST', '/v1/reservations', { items: items(event, 'A2') }], ['GET', '/v1/reservations'],
        ['GET', path(r)], ['POST', path(r, '/items'), slot(calendar, midnight(hf))],
        ['PATCH', path(r), { attributes: {} }], ['POST', path(r, '/items'), { event, seat: 'A3' }],
        ['PATCH', path(r, item), { seat: 'A4' }], ['DELETE', path(r, item)], ['POST', path(r, '/extend'), {}],
        ['POST', path(r, '/payment'), {}], ['POST', path(r, '/commit'), {}],
        ['POST', path(r, '/release'), {}],
        ['DELETE', path(r)], ['GET', path(r, '/history')],
    ];
    return { admin, owner };
}

test('without credentials everything else is 401', async () => {
    const { admin, owner } = await calls();
    for (const [method, target, body] of [...admin, ...owner]) {
        refused(await hf.anyone.call(method, target, { body }), 401, 'unauthenticated');
    }
});

test('admin calls are 403 for user, app and door', async () => {
    const { admin } = await calls();
    const door = await hf.key('door');
    for (const caller of [hf.user('ann'), hf.app, door]) {
        for (const [method, target, body] of admin) {
            refused(await caller.call(method, target, { body }), 403, 'forbidden');
        }
    }
});

test('a door key opens no reservation', async () => {
    const { owner } = await calls();
    const door = await hf.key('door');
    for (const [method, target, body] of owner) {
        refused(await door.call(method, target, { body }), 403, 'forbidden');
    }
});

test('another user\'s reservation does not exist, for every call', async () => {
    const { owner } = await calls();
    for (const [method, target, body] of owner.slice(2)) {
        refused(await hf.user('bob').call(method, target, { body }), 404, 'no_such_reservation');
    }
});

test('a user who names another user is 403 not_owner, before any lookup', async () => {
    const { owner } = await calls();
    for (const [method, target, body] of owner) {
        const named = `${target}?user_id=bob`;
        refused(await hf.user('ann').call(method, named, { body }), 403, 'not_owner');
        const nowhere = named.replace(/res_[^/?]+/, `res_${'0'.repeat(26)}`);
        refused(await hf.user('ann').call(method, nowhere, { body }), 403, 'not_owner');
    }
});

test('an app key that names the wrong owner is 403 not_owner; the right one works', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const r = await hold(hf.user('ann'), items(event, 'A1'));
    for (const caller of [hf.app, hf.admin]) {
        refused(await caller.get(path(r, '?user_id=bob')), 403, 'not_owner');
        refused(
            await caller.post(path(r, '/items'), { event, seat: 'A2', user_id: 'bob' }), 403, 'not_owner'
        );
        refused(await caller.patch(path(r), { attributes: {}, user_id: 'bob' }), 403, 'not_owner');
        refused(await caller.post(path(r, '/extend'), { user_id: 'bob' }), 403, 'not_owner');
        refused(await caller.post(path(r, '/payment'), { user_id: 'bob' }), 403, 'not_owner');
        granted(await caller.get(path(r, '?user_id=ann')), 200);
        granted(await caller.post(path(r, '/extend'), { user_id: 'ann' }), 200);
    }
    granted(await hf.user('ann').post(path(r, '/extend?user_id=ann'), {}), 200);
});

test('an owner with a name that needs escaping is found by query', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const name = 'grün & blau/+%';
    const r = await hold(hf.user(name), items(event, 'A1'));
    assert.equal(r.user_id, name);
    granted(await hf.app.get(path(r, `?user_id=${encodeURIComponent(name)}`)), 200);
    refused(await hf.app.get(path(r, '?user_id=gr%C3%BCn')), 403, 'not_owner');
});

test('valid tokens', async () => {
    await accepted(sign(hf.secret, good()), 'plain');
    await accepted(sign(hf.secret, good({ aud: ['other', 'holdfast'] })), 'aud is an array with it');
    await accepted(sign(hf.secret, good({ exp: soon() + 0.5 })), 'exp is a number');
    await accepted(sign(hf.secret, good({ nbf: soon() - 7200 })), 'nbf is over');
    await accepted(
        sign(hf.secret, good({ iat: soon() + 9999, iss: 'x', jti: 7, role: 'admin' })), 'the rest is ignored'
    );
    await accepted(sign(hf.secret, good(), { alg: 'HS256' }), 'typ left out');
    await accepted(sign(hf.secret, good({ sub: 'ü'.repeat(64) })), '128 bytes');
});

test('invalid claims: 401', async () => {
    const now = Math.floor(hf.now() / 1000);
    const bad = {
        'no sub': without('sub'), 'empty sub': good({ sub: '' }),
        'sub of 129 bytes': good({ sub: 'a'.repeat(129) }),
        'sub is a number': good({ sub: 5 }), 'sub with a control character': good({ sub: 'a\nb' }),
        'no aud': without('aud'), 'another aud': good({ aud: 'other' }),
        'aud is an array without it': good({ aud: ['x'] }),
        'aud of a pass': good({ aud: 'holdfast-pass' }), 'aud is empty': good({ aud: [] }),
        'aud is nested': good({ aud: [['holdfast']] }),
        'no exp': without('exp'), 'exp is a string': good({ exp: String(soon()) }),
        'exp is null': good({ exp: null }),
        'exp is over': good({ exp: now - 1 }), 'exp is now, or just over': good({ exp: now }),
        'nbf is to come': good({ nbf: now + 600 }), 'nbf is a string': good({ nbf: 'yesterday' }),
        'an array': [good()], 'a string': '"ann"', 'not JSON': '{"sub":"ann"',
        'sub twice': `{"sub":"ann","sub":"bob","aud":"holdfast","exp":${soon()}}`,
        'exp twice': `{"exp":1,"sub":"ann","aud":"holdfast","exp":${soon()}}`,
        'exp is huge': `{"sub":"ann","aud":"holdfast","exp":1e999}`,
    };
    for (const [why, claims] of Object.entries(bad)) {
        await rejected(sign(hf.secret, claims), why);
    }
});

test('invalid headers and signatures: 401', async () => {
    const claims = good();
    const token = sign(hf.secret, claims);
    const [header, body, signature] = token.split('.');
    const flipped = (signature[0] === 'A' ? 'B' : 'A') + signature.slice(1);
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const trailing = signature.slice(0, -1) + alphabet[alphabet.indexOf(signature.at(-1)) + 1];
    const none = (alg) => `${base64url({ alg, typ: 'JWT' })}.${body}`;
    const bad = {
        'another secret': sign(`${hf.secret}x`, claims), 'a flipped bit': `${header}.${body}.${flipped}`,
        'a short signature': `${header}.${body}.${signature.slice(0, -2)}`,
        'a long signature': `${header}.${body}.${signature}AA`, 'an empty signature': `${header}.${body}.`,
        'no signature': `${header}.${body}`, 'four parts': `${token}.x`, 'padding': `${token}=`,
        'trailing bits': `${header}.${body}.${trailing}`,
        'other claims': `${header}.${base64url(good({ sub: 'bob' }))}.${signature}`,
        'plain base 64': `${header}.${body}.${mac(hf.secret, `${header}.${body}`).toString('base64')}`,
        'alg none': `${none('none')}.`, 'alg None': `${none('None')}.`,
        'alg none, signed': sign(hf.secret, claims, { alg: 'none' }),
        'alg is left out': sign(hf.secret, claims, { typ: 'JWT' }),
        'alg is empty': sign(hf.secret, claims, { alg: '' }),
        'alg HS512': sign(hf.secret, claims, { alg: 'HS512' }, 'sha512'),
        'alg HS384': sign(hf.secret, claims, { alg: 'HS384' }, 'sha384'),
        'alg says HS512': sign(hf.secret, claims, { alg: 'HS512' }),
        'alg RS256': sign(hf.secret, claims, { alg: 'RS256' }),
        'alg hs256': sign(hf.secret, claims, { alg: 'hs256' }),
        'alg twice': sign(hf.secret, claims, '{"alg":"none","alg":"HS256"}'),
        'header is no object': sign(hf.secret, claims, '"HS256"'), 'an empty secret': sign('', claims),
        'dots': '..', 'one dot': '.', 'spaces': 'a b c',
        'too long': sign(hf.secret, good({ pad: 'x'.repeat(9000) })),
    };
    for (const [why, bearer] of Object.entries(bad)) {
        await rejected(bearer, why);
    }
    await accepted(token, 'the good one still is');
    assert.equal(HEADER.alg, 'HS256');
});

test('a token ends exactly at its exp: no leeway', ownClock, async () => {
    const exp = Math.ceil(hf.now() / 1000) + 30;
    const token = sign(hf.secret, good({ exp }));
    await accepted(token, 'before');
    hf.clock.goto(exp * 1000 - 5_000);
    await accepted(token, 'five seconds before');
    hf.clock.goto(exp * 1000 + 1);
    await rejected(token, 'at the instant');
    const early = sign(hf.secret, good({ nbf: exp + 60 }));
    await rejected(early, 'nbf is to come');
    hf.clock.goto(exp * 1000 + 60_100);
    await accepted(early, 'nbf is over');
});

test('other schemes and other words are 401', async () => {
    const token = sign(hf.secret, good());
    const say = (authorization) => hf.anyone.get('/v1/reservations', { headers: { authorization } });
    for (const text of [
        `Basic ${token}`, token, 'Bearer', 'Bearer ', `Bearer ${token} x`, `Token ${token}`, `Bearer ${hf.adminKey}x`,
        `Bearer ${hf.adminKey.slice(0, -1)}`, `Bearer ${hf.adminKey.toUpperCase()}`, `Bearer ${hf.secret}`,
    ]) {
        refused(await say(text), 401, 'unauthenticated');
    }
    assert.equal((await say(`Bearer ${token}`)).status, 200);
    assert.equal((await say(`Bearer ${hf.adminKey}`)).status, 200);
});
