/* SPDX-License-Identifier: Apache-2.0 */
/* The secret can be changed without interruption: what the old one has signed stays valid as long as that is
 * configured. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { Server, ownProcess } = require('./lib/server.js');
const { makeRoom, join, becomes, withPass, look } = require('./lib/entries.js');
const { items } = require('./lib/catalogue.js');
const { signatureHolds } = require('./lib/token.js');
const { granted, refused } = require('./lib/expect.js');

const fresh = () => crypto.randomBytes(32).toString('hex');

test('tokens and passes of the old secret are accepted, and nothing is signed with it', ownProcess, async (t) => {
    const hf = await new Server().start();
    t.after(() => hf.close());
    const event = await makeRoom(hf, { seats: 'A1-A3', room: { rate_per_second: 1000 } });
    const { json: guest } = await hf.anyone.post('/v1/sessions', {});
    const ann = hf.bearer(hf.user('ann').bearer); /* the same token, not a new one */
    const { pass } = await becomes(hf, ann, await join(ann, event), 'admitted');

    const before = hf.secret;
    Object.assign(hf, { secret: fresh(), env: { HOLDFAST_SECRET_OLD: before } });
    await hf.restart();
    granted(await ann.post('/v1/reservations', { items: items(event, 'A1') }, withPass(pass)), 201);
    assert.equal((await hf.bearer(guest.token).get('/v1/reservations')).status, 200);
    const { json: stranger } = await hf.anyone.post('/v1/sessions', {});
    const bob = hf.user('bob');
    const admitted = await becomes(hf, bob, await join(bob, event), 'admitted');
    for (const made of [stranger.token, admitted.pass, (await look(bob, admitted)).pass]) {
        assert.ok(signatureHolds(hf.secret, made) && !signatureHolds(before, made), made);
    }

    hf.env = {};
    await hf.restart();
    const late = await ann.get('/v1/reservations');
    refused(late, 401, 'unauthenticated');
    assert.match(late.headers['www-authenticate'], /signature/);
    refused(await hf.bearer(guest.token).get('/v1/reservations'), 401, 'unauthenticated');
    refused(
        await hf.user('ann').post('/v1/reservations', { items: items(event, 'A2') }, withPass(pass)), 403, 'pass_invalid'
    );
    granted(await bob.post('/v1/reservations', { items: items(event, 'A3') }, withPass(admitted.pass)), 201);
});
