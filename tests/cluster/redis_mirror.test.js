/* SPDX-License-Identifier: Apache-2.0 */
/* The owner mirrors its live claims into Redis: a key for each seat that is held or sold, and none for the others. The log
 * wins over whatever a key says, and an erased person is in none. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');

const { GatedSite, metrics, hold, GRANT_MS, NONCE } = require('./lib/gated.js');
const { Postgres } = require('./lib/postgres.js');
const { makeEvent, seats } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');
const { unique } = require('../conformance/lib/server.js');

let pg, site, owner, asker, redis;
before(async () => {
    pg = await new Postgres().start();
    site = await new GatedSite(pg).start();
    ({ owner, asker } = await site.pair());
    ({ redis } = site);
});
after(async () => {
    await site?.close().finally(() => pg.close());
});

function ok(answer, status = 200) {
    assert.equal(answer.status, status, answer.text);
    return answer.json;
}

const act = async (reservation, what, body = {}) => ok(await owner.app.post(`/v1/reservations/${reservation.reservation_id}/${what}`, body));
const is = (event, seat, user, reservation) => site.keyIs(event, seat, `${user}\n${reservation.fence}`);

/* The key is as old as it gets before it is prolonged. */
const ages = (event, seat) => redis.call('PEXPIRE', `seat:${event}:${seat}`, GRANT_MS / 3);

/* Lets the owner notice that its marker is gone. */
async function mirrorAgain() {
    await redis.call('DEL', 'holdfast:mirror');
    await eventually(() => redis.call('EXISTS', 'holdfast:mirror'), (there) => there === 1, 'the marker');
    await eventually(() => metrics(owner), (now) => now.refill_done === now.refill_total, 'the end of the pass');
}

test('a key from the grant to the end of the claim, whatever happens in between', async () => {
    const event = await makeEvent(owner, { seats: seats('A1-A9', { price: 500 }), hold_ttl_seconds: 600, payment: 'required' });
    const one = ok(await hold(owner, 'ann', event, 'A1 A2'), 201);
    await is(event, 'A1', 'ann', one);
    await is(event, 'A2', 'ann', one);
    const left = await redis.call('PTTL', `seat:${event}:A1`);
    assert.ok(left > GRANT_MS / 2 && left <= GRANT_MS, `${left} ms left`);
    await act(one, 'commit', { payment_ref: unique('pi') });
    const given = await act(one, 'refund');
    assert.equal(given.status, 'refunded');
    await site.keyIs(event, 'A1', null);
    await site.keyIs(event, 'A2', null);
    const two = ok(await hold(owner, 'bob', event, 'A3'), 201);
    await is(event, 'A3', 'bob', two);
    await act(two, 'release');
    await site.keyIs(event, 'A3', null);
    assert.equal(await redis.call('EXISTS', `seat:${event}:A9`), 0);
});

test('a hold that expires leaves no key', async () => {
    const event = await makeEvent(owner, { seats: 'A1-A9', hold_ttl_seconds: 1 });
    const held = ok(await hold(owner, 'ann', event, 'A1'), 201);
    await is(event, 'A1', 'ann', held);
    await site.keyIs(event, 'A1', null);
});

test('a reservation that changes hands has its new user in the key when it is prolonged', async () => {
    const event = await makeEvent(owner, { seats: 'A1-A9' });
    const sale = ok(await hold(owner, 'ann', event, 'A1', { commit: true }), 201);
    await eventually(() => site.key(event, 'A1'), (value) => value?.startsWith('ann\n'), 'the key of ann');
    await act(sale, 'transfer', { to_user_id: 'bob' });
    await ages(event, 'A1');
    await mirrorAgain();
    await eventually(() => site.key(event, 'A1'), (value) => value?.startsWith('bob\n'), 'the key of bob');
});

/* ---- The key says one, the log another ---- */

test('split brain: a key says ann, the log says bob', async () => {
    const event = await makeEvent(owner, { seats: 'A1-A9', hold_ttl_seconds: 600 });
    const held = ok(await hold(owner, 'bob', event, 'A1'), 201);
    await site.copied(asker, { seq: held.fence });
    await is(event, 'A1', 'bob', held);
    await redis.call('SET', `seat:${event}:A1`, `ann\n${held.fence - 1}`, 'PX', GRANT_MS);
    ok(await hold(asker, 'ann', event, 'A1'), 409);
    await mirrorAgain();
    await is(event, 'A1', 'bob', held);
    await redis.call('SET', `seat:${event}:A1`, `ann\n${NONCE}`, 'PX', 5000);
    ok(await hold(asker, 'ann', event, 'A1'), 409);
    await act(held, 'commit', {});
    await mirrorAgain();
    await is(event, 'A1', 'bob', held);
});

test('split brain: a key says bob, the log says ann may have it', async () => {
    const event = await makeEvent(owner, { seats: 'A1-A9', hold_ttl_seconds: 600 });
    const { seq } = await owner.admin.get(`/v1/events/${event}`);
    await site.copied(asker, { seq });
    await redis.call('SET', `seat:${event}:A1`, `bob\n${seq}`, 'PX', GRANT_MS);
    const held = ok(await hold(asker, 'ann', event, 'A1'), 201);
    await is(event, 'A1', 'ann', held);
    /* bob's sale was given back, and that message was lost. */
    const sale = ok(await hold(owner, 'bob', event, 'A2', { commit: true }), 201);
    await eventually(() => site.key(event, 'A2'), (value) => value !== null, 'the key of bob');
    const back = await owner.app.post(`/v1/reservations/${sale.reservation_id}/refund`, {});
    ok(back);
    await site.keyIs(event, 'A2', null);
    await redis.call('SET', `seat:${event}:A2`, `bob\n${sale.fence}`, 'PX', GRANT_MS);
    await site.copied(asker, back);
    ok(await hold(asker, 'ann', event, 'A2'), 201);
});

test('keys of any type and value are replaced by what the log says', async () => {
    const event = await makeEvent(owner, { seats: 'A1-A9', hold_ttl_seconds: 600 });
    const held = ok(await hold(owner, 'ann', event, 'A1 A2 A3 A4 A5'), 201);
    await is(event, 'A5', 'ann', held);
    const names = [1, 2, 3, 4, 5].map((i) => `seat:${event}:A${i}`);
    await redis.call('DEL', ...names);
    await redis.call('SET', names[0], 'garbage');
    await redis.call('HSET', names[1], 'user', 'bob');
    await redis.call('SET', names[2], `bob\n${NONCE}`);
    await redis.call('SET', names[3], `ann\n${held.fence}`, 'PX', 20_000); /* about to end: prolonged */
    await mirrorAgain();
    for (const seat of ['A1', 'A2', 'A3', 'A4', 'A5']) {
        await is(event, seat, 'ann', held);
    }
    assert.ok((await redis.call('PTTL', names[3])) > GRANT_MS / 2);
});

test('an old fence is never written over a newer one, and a late end deletes nothing newer', async () => {
    const event = await makeEvent(owner, { seats: 'A1-A9', hold_ttl_seconds: 600 });
    const held = ok(await hold(owner, 'ann', event, 'A1'), 201);
    await is(event, 'A1', 'ann', held);
    const newer = `zed\n${held.fence + 1000}`; /* what a new owner would have written */
    await redis.call('SET', `seat:${event}:A1`, newer, 'PX', GRANT_MS);
    await mirrorAgain();
    assert.equal(await site.key(event, 'A1'), newer);
    await act(held, 'release');
    const other = ok(await hold(owner, 'ann', event, 'A2'), 201);
    await is(event, 'A2', 'ann', other); /* that came after the end */
    assert.equal(await site.key(event, 'A1'), newer);
});

/* ---- Nobody is asked ---- */

test('the shadow: with --gate copy Redis has all claims, and nobody asks it', async () => {
    const shadow = await new GatedSite(pg).start();
    try {
        const { owner: decides, asker: follows } = await shadow.pair({ gate: 'copy' });
        const event = await makeEvent(decides, { seats: 'A1-A9', hold_ttl_seconds: 600 });
        await shadow.copied(follows, await decides.admin.get(`/v1/events/${event}`));
        await shadow.want(event, 'A1', 'bob');
        const held = ok(await hold(follows, 'ann', event, 'A1'), 201);
        await shadow.keyIs(event, 'A1', `ann\n${held.fence}`);
        const now = await metrics(follows);
        assert.deepEqual([now.taken, now.refused, now.timed_out, now.around], [0, 0, 0, 0]);
        await shadow.redis.stop();
        await eventually(() => follows.anyone.get('/readyz'), ({ json }) => json.degraded?.includes('gate_away'), 'gate_away');
        ok(await hold(follows, 'ann', event, 'A2'), 201);
        await shadow.redis.launch();
        await shadow.keyIs(event, 'A1', `ann\n${held.fence}`);
    } finally {
        await shadow.close();
    }
});

/* ---- Erasure ---- */

test('an erasure is not done before no key can have the name any more', async () => {
    const person = unique('person');
    const event = await makeEvent(owner, { seats: 'A1-A9' });
    const sale = ok(await hold(owner, person, event, 'A1', { commit: true }), 201);
    await eventually(() => site.key(event, 'A1'), (value) => value?.startsWith(`${person}\n`), 'the key of the person');
    const erased = await owner.admin.delete(`/v1/users/${person}`);
    assert.ok(erased.status < 300, erased.text);
    const state = async () => (await owner.admin.get(`/v1/users/${person}/erasure`)).json.state;
    /* All that is in files and the log is gone; keys that a message was lost for may be left. */
    await eventually(() => site.sql(`SELECT 1 FROM snapshot_done WHERE shard=this AND seq>=${erased.seq}`), (rows) => rows.length > 0,
        'a snapshot without the name', 120_000);
    assert.equal(await state(), 'running');
    assert.equal((await owner.app.get(`/v1/reservations/${sale.reservation_id}`)).json.status, 'confirmed');
    /* Time passes until the owner has gone through all claims again, and then until no other key can have lasted. */
    await ages(event, 'A1');
    const minute = () => owner.clock.skip(60_000);
    const key = () => site.key(event, 'A1');
    await eventually(async () => minute() ?? key(), (value) => value?.startsWith('erased_'), 'the key of nobody');
    await eventually(async () => minute() ?? state(), (now) => now === 'done', 'the erasure to be done', 120_000);
});
