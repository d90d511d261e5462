/* SPDX-License-Identifier: Apache-2.0 */
/* Release: everything is free at once, and repeating it changes nothing. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, availability } = require('./lib/catalogue.js');
const { instant, refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

/* POST …/release and DELETE are one call under two names. */
const WAYS = {
    'POST release': (caller, r) => caller.post(path(r, '/release'), {}),
    'POST release without a body': (caller, r) => caller.post(path(r, '/release')),
    'DELETE': (caller, r) => caller.delete(path(r)),
};

for (const [name, release] of Object.entries(WAYS)) {
    test(`${name}: released, free at once, and again the same 200`, async () => {
        const event = await makeEvent(hf, { seats: 'A1-A2', pools: { floor: 3 } });
        const r = await hold(ann(), [...items(event, 'A1 A2'), { event, pool: 'floor', quantity: 3 }]);
        const gone =
            granted(await release(ann(), r), 200, { status: 'released', reservation_id: r.reservation_id });
        assert.ok(Math.abs(instant(gone.ended_at) - hf.now()) < 5_000);
        const now = await availability(hf, event);
        assert.deepEqual(now.seats, { A1: 'available', A2: 'available' });
        assert.equal(now.pools.floor.available, 3);
        await hold(hf.user('bob'), items(event, 'A1'));
        granted(await release(ann(), r), 200, { ended_at: gone.ended_at, version: gone.version });
        assert.equal(
            (await availability(hf, event)).seats.A1, 'held', 'the second release does not touch bob'
        );
    });

    test(`${name}: a confirmed one is already_confirmed, an expired one expired`, ownClock, async () => {
        const event = await makeEvent(hf, { seats: 'A1-A2', hold_ttl_seconds: 30 });
        const sold = await hold(ann(), items(event, 'A1'));
        granted(await ann().post(path(sold, '/commit'), {}), 200);
        refused(await release(ann(), sold), 409, 'already_confirmed');
        refused(await release(hf.app, sold), 409, 'already_confirmed');
        const lapsed = await hold(ann(), items(event, 'A2'));
        hf.clock.advance(31_000);
        refused(await release(ann(), lapsed), 409, 'expired');
        assert.equal((await availability(hf, event)).seats.A1, 'sold');
    });

    test(`${name}: another's does not exist; app and admin may`, async () => {
        const event = await makeEvent(hf, { seats: 'A1-A2' });
        const one = await hold(ann(), items(event, 'A1'));
        const two = await hold(ann(), items(event, 'A2'));
        refused(await release(hf.user('bob'), one), 404, 'no_such_reservation');
        granted(await release(hf.app, one), 200, { status: 'released' });
        granted(await release(hf.admin, two), 200, { status: 'released' });
    });
}

test('user_id in body or query must be the owner', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(ann(), items(event, 'A1'));
    refused(await hf.app.post(path(r, '/release'), { user_id: 'bob' }), 403, 'not_owner');
    refused(await hf.app.post(path(r, '/release?user_id=bob'), {}), 403, 'not_owner');
    refused(await hf.app.delete(path(r, '?user_id=bob')), 403, 'not_owner');
    refused(await hf.admin.delete(path(r, '?user_id=bob')), 403, 'not_owner');
    invalid(await hf.app.post(path(r, '/release'), { reason: 5 }));
    granted(await hf.app.delete(path(r, '?user_id=ann')), 200, { status: 'released' });
});

test('an unknown reservation is 404 for every role', async () => {
    const nobody = { reservation_id: `res_${'0'.repeat(26)}` };
    for (const caller of [ann(), hf.app, hf.admin]) {
        for (const id of [
            nobody, { reservation_id: 'res_x' }, { reservation_id: unique() }, { reservation_id: 'a%20b' }
        ]) {
            refused(await caller.get(path(id)), 404, 'no_such_reservation');
            refused(await caller.post(path(id, '/commit'), {}), 404, 'no_such_reservation');
            refused(await caller.post(path(id, '/release'), {}), 404, 'no_such_reservation');
            refused(await caller.post(path(id, '/extend'), {}), 404, 'no_such_reservation');
            refused(await caller.post(path(id, '/payment'), {}), 404, 'no_such_reservation');
            refused(await caller.delete(path(id)), 404, 'no_such_reservation');
            refused(await caller.patch(path(id), { attributes: {} }), 404, 'no_such_reservation');
            refused(await caller.get(path(id, '/history')), 404, 'no_such_reservation');
            refused(await caller.delete(path(id, '/items/1')), 404, 'no_such_reservation');
            refused(await caller.patch(path(id, '/items/1'), { seat: 'A1' }), 404, 'no_such_reservation');
            const item = { event: await known(), seat: 'A1' };
            refused(await caller.post(path(id, '/items'), item), 404, 'no_such_reservation');
        }
    }
});

let anEvent;
async function known() {
    anEvent ??= await makeEvent(hf, { seats: 'A1' });
    return anEvent;
}
