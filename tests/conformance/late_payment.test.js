/* SPDX-License-Identifier: Apache-2.0 */
/* A payment of app or admin after the deadline: confirmed if everything is free, otherwise owed; also after a crash. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, seats, seatStatus } = require('./lib/catalogue.js');
const { refused, granted } = require('./lib/expect.js');

const hf = shared();
const place = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const commit = (r, ref) => hf.app.post(place(r, '/commit'), { payment_ref: ref });

test('free: confirmed under a new fence, and it stays so; half of it taken: owed, and nothing is claimed', ownClock, async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A4', { price: 500 }) });
    const [free, half] = [await hold(hf.user('ann'), items(event, 'A1 A2'), { ttl_seconds: 60 }), await hold(hf.user('bob'), items(event, 'A3 A4'), { ttl_seconds: 60 })];
    hf.clock.advance(61_000);
    const sold = granted(await commit(free, 'pi_1'), 200);
    assert.equal(sold.status, 'confirmed');
    assert.ok(sold.fence > free.fence);
    assert.equal(sold.tickets.length, 2);
    await hold(hf.user('cid'), items(event, 'A4'));
    assert.match(refused(await commit(half, 'pi_2'), 409, 'expired').refund_due, /^rfd_/);
    for (let i = 0; i < 2; i++) {
        await hf.restart({ kill: true });
        const now = granted(await hf.app.get(place(free)), 200);
        assert.deepEqual([now.status, now.fence, now.tickets], ['confirmed', sold.fence, sold.tickets]);
        assert.deepEqual([await seatStatus(hf, event, 'A1'), await seatStatus(hf, event, 'A3')], ['sold', 'available']);
        assert.equal(granted(await commit(free, 'pi_1'), 200).version, sold.version);
    }
});

test('twice at once: one sale, and the other payment is owed', ownClock, async () => {
    const event = await makeEvent(hf, { seats: seats('A1', { price: 500 }) });
    const first = await hold(hf.user('ann'), items(event, 'A1'), { ttl_seconds: 60 });
    hf.clock.advance(61_000);
    const answers = await Promise.all(['pi_a', 'pi_a', 'pi_b'].map((ref) => commit(first, ref)));
    answers.forEach((answer) => assert.equal(answer.status, 200, answer.text));
    const { json } = await hf.app.get('/v1/refunds-due?limit=1000', hf.since(await hf.admin.get('/v1/keys')));
    assert.equal(json.data.filter((due) => due.reservation_id === first.reservation_id).length, 1);
});
