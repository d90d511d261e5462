/* SPDX-License-Identifier: Apache-2.0 */
/* Guests: a browser without an account gets its own token, valid for a day. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, ownClock, ownProcess } = require('./lib/server.js');
const { claimsOf, signatureHolds } = require('./lib/token.js');
const { makeEvent, items, hold } = require('./lib/catalogue.js');
const { instant, refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const DAY_MS = 24 * 3600_000;

async function guest() {
    const answer = await hf.anyone.post('/v1/sessions', {});
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
}

test('POST {} needs nothing: 201 {token, user_id, expires_at}', async () => {
    const session = await guest();
    assert.deepEqual(Object.keys(session).sort(), ['expires_at', 'token', 'user_id']);
    assert.match(session.user_id, /^guest_[A-Za-z0-9._~-]{10,}$/);
    const ahead = instant(session.expires_at) - hf.now();
    assert.ok(Math.abs(ahead - DAY_MS) < 5_000, `${ahead} ms`);
});

test('the token is an ordinary user token over the secret', async () => {
    const { token, user_id, expires_at } = await guest();
    assert.ok(signatureHolds(hf.secret, token));
    const claims = claimsOf(token);
    assert.equal(claims.sub, user_id);
    assert.deepEqual([].concat(claims.aud), ['holdfast']);
    assert.ok(Math.abs(claims.exp * 1000 - instant(expires_at)) <= 1_000);
});

test('a guest holds, reads and buys like any user, and guests do not see each other', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const [one, two] = [await guest(), await guest()];
    assert.notEqual(one.user_id, two.user_id);
    const [ann, bob] = [hf.bearer(one.token), hf.bearer(two.token)];
    const r = await hold(ann, items(event, 'A1'));
    assert.equal(r.user_id, one.user_id);
    refused(await bob.get(`/v1/reservations/${r.reservation_id}`), 404, 'no_such_reservation');
    granted(await ann.post(`/v1/reservations/${r.reservation_id}/commit`, {}), 200, { status: 'confirmed' });
    refused(await ann.put(`/v1/events/${event}`, { name: 'mine' }), 403, 'forbidden');
});

test('unknown fields are 400; a missing body is {}', async () => {
    invalid(await hf.anyone.post('/v1/sessions', { user_id: 'ann' }), '/user_id');
    assert.equal((await hf.anyone.post('/v1/sessions')).status, 201);
});

test('valid for exactly a day', ownClock, async () => {
    const { token } = await guest();
    hf.clock.advance(DAY_MS - 60_000);
    assert.equal((await hf.bearer(token).get('/v1/reservations')).status, 200);
    hf.clock.advance(61_000);
    refused(await hf.bearer(token).get('/v1/reservations'), 401, 'unauthenticated');
});

test('with a valid guest token it renews that one: the same guest for another day', ownClock, async () => {
    const first = await guest();
    hf.clock.advance(DAY_MS - 60_000);
    const answer = await hf.bearer(first.token).post('/v1/sessions', {});
    assert.equal(answer.status, 201, answer.text);
    const second = answer.json;
    assert.deepEqual(Object.keys(second).sort(), ['expires_at', 'token', 'user_id']);
    assert.equal(second.user_id, first.user_id);
    assert.equal(claimsOf(second.token).sub, first.user_id);
    const ahead = instant(second.expires_at) - hf.now();
    assert.ok(Math.abs(ahead - DAY_MS) < 5_000, `${ahead} ms`);
    assert.equal(answer.headers['cache-control'], 'no-store');
    /* The first one ends when it said it would; its reservations still belong to the guest. */
    hf.clock.advance(61_000);
    refused(await hf.bearer(first.token).get('/v1/reservations'), 401, 'unauthenticated');
    assert.equal((await hf.bearer(second.token).get('/v1/reservations')).status, 200);
});

test('an expired guest token renews nothing: the guest renews in time or starts over', ownClock, async () => {
    const { token } = await guest();
    hf.clock.advance(DAY_MS);
    refused(await hf.bearer(token).post('/v1/sessions', {}), 401, 'unauthenticated');
    refused(await hf.bearer(`${token}x`).post('/v1/sessions', {}), 401, 'unauthenticated');
    refused(await hf.bearer('no-such-key').post('/v1/sessions', {}), 401, 'unauthenticated');
});

test('callers with other credentials cannot become guests: 403, before the body is read', async () => {
    for (const caller of [hf.user('ann'), hf.user('guestbook'), await hf.key('app'), await hf.key('door'), hf.admin]) {
        refused(await caller.post('/v1/sessions', {}), 403, 'forbidden');
        refused(await caller.post('/v1/sessions', { user_id: 'guest_1' }), 403, 'forbidden');
    }
    /* A guest is recognized by its name, no matter who signed the token; any user id can be renewed. */
    const name = `guest_${'\u00fc"\\'.repeat(30)}`;
    const renewed = await hf.user(name).post('/v1/sessions', {});
    assert.equal(renewed.status, 201, renewed.text);
    assert.equal(claimsOf(renewed.json.token).sub, name);
    assert.equal((await hf.bearer(renewed.json.token).get('/v1/reservations')).status, 200);
});

test('--guests off: no sessions and no renewals; issued tokens stay valid', ownProcess, async (t) => {
    for (const given of [{ args: ['--guests', 'off'] }, { env: { HOLDFAST_GUESTS: 'off' } }]) {
        const server = await new Server(given).start();
        t.after(() => server.close());
        refused(await server.anyone.post('/v1/sessions', {}), 403, 'guests_refused');
        refused(await server.user('guest_1').post('/v1/sessions', {}), 403, 'guests_refused');
        refused(await server.bearer('no-such-key').post('/v1/sessions', {}), 401, 'unauthenticated');
        assert.equal((await server.user('guest_1').get('/v1/reservations')).status, 200);
    }
});
