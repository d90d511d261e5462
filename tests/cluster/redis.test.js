/* SPDX-License-Identifier: Apache-2.0 */
/* With --gate redis a node that follows asks Redis before it passes a hold on: what refuses, what passes, and what is given
 * back. Keys are set here as another node would set them. */
'use strict';

const { test: plainTest, before, after } = require('node:test');
const assert = require('node:assert/strict');

const { GatedSite, metrics, hold, GRANT_MS, INTENT_MS, NONCE } = require('./lib/gated.js');
const { Postgres } = require('./lib/postgres.js');
const { makeEvent, items, seats } = require('../conformance/lib/catalogue.js');
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

/* An event that both nodes have. */
async function shared(settings = {}) {
    const event = await makeEvent(owner, { seats: 'A1-A9', hold_ttl_seconds: 600, ...settings });
    await site.copied(asker, await owner.admin.get(`/v1/events/${event}`));
    return event;
}

/* How much a count of the asking node grows while `work` goes on. */
async function growth(work) {
    const before_ = await metrics(asker);
    await work();
    const now = await metrics(asker);
    return Object.fromEntries(Object.keys(now).map((name) => [name, now[name] - before_[name]]));
}

/* Where Redis did not answer within 20 ms, as on a busy machine, a request goes around it, and the test says nothing: again. */
function test(name, body) {
    plainTest(name, async () => {
        const missed = async () => (({ timed_out, around }) => timed_out + around)(await metrics(asker));
        for (let before_ = await missed(); ; before_ = await missed()) {
            try {
                return await body();
            } catch (fault) {
                if ((await missed()) === before_) {
                    throw fault;
                }
                await site.up(asker);
            }
        }
    });
}

/* ---- What refuses ---- */

test('a seat that another user wants is refused as held, and the owner does not hear of it', async () => {
    const event = await shared();
    await site.want(event, 'A1', 'bob');
    const { seq } = await owner.admin.get('/metrics');
    const grown = await growth(async () => {
        const answer = await hold(asker, 'ann', event, 'A1');
        assert.equal(answer.status, 409, answer.text);
        assert.equal(answer.json.code, 'taken');
        assert.deepEqual(answer.json.items, [{ item: 0, event, seat: 'A1', status: 'held' }]);
    });
    assert.equal(grown.refused, 1);
    assert.equal(grown.taken, 0);
    assert.equal((await owner.admin.get('/metrics')).seq, seq);
    assert.equal(await site.key(event, 'A1'), `bob\n${NONCE}`);
    await redis.call('DEL', `seat:${event}:A1`); /* as it does after 5 s */
    assert.equal((await hold(asker, 'ann', event, 'A1')).status, 201);
});

test('all seats of a request, or none: those in the way are named, and no other gets an intent', async () => {
    const event = await shared();
    await site.want(event, 'A2', 'bob');
    await site.want(event, 'A4', 'bob');
    const answer = await hold(asker, 'ann', event, 'A1 A2 A3 A4');
    assert.equal(answer.status, 409, answer.text);
    assert.deepEqual(answer.json.items.map(({ seat, status }) => `${seat} ${status}`), ['A2 held', 'A4 held']);
    assert.deepEqual([await site.key(event, 'A1'), await site.key(event, 'A3')], [null, null]);
    assert.equal((await hold(asker, 'cy', event, 'A1 A3')).status, 201);
});

test('events are asked in the order of their ids, and those before the one that refuses are given back', async () => {
    const [first, last] = [unique('a'), unique('b')];
    await shared({ id: first });
    await shared({ id: last });
    await site.want(last, 'A1', 'bob');
    const body = { items: [...items(last, 'A1'), ...items(first, 'A1 A2')], user_id: 'ann' };
    const answer = await asker.app.post('/v1/reservations', body);
    assert.equal(answer.status, 409, answer.text);
    assert.deepEqual(answer.json.items.map(({ event, seat }) => [event, seat]), [[last, 'A1']]);
    await site.keyIs(first, 'A1', null);
    await site.keyIs(first, 'A2', null);
    assert.equal(await site.key(last, 'A1'), `bob\n${NONCE}`);
    await site.want(first, 'A2', 'bob');
    const other = await asker.app.post('/v1/reservations', body);
    assert.deepEqual(other.json.items.map(({ event, seat }) => [event, seat]), [[first, 'A2']], 'the first one refuses alone');
});

test('a fence that the copy has not seen yet refuses', async () => {
    const event = await shared();
    const { seq } = await asker.admin.get('/v1/keys');
    await redis.call('SET', `seat:${event}:A1`, `bob\n${seq + 1000}`, 'PX', GRANT_MS);
    const answer = await hold(asker, 'ann', event, 'A1');
    assert.equal(answer.status, 409, answer.text);
    assert.equal(answer.json.items[0].status, 'held');
});

/* ---- What passes ---- */

test('the intent of the same user passes', async () => {
    const event = await shared();
    await site.want(event, 'A1', 'ann');
    const answer = await hold(asker, 'ann', event, 'A1');
    assert.equal(answer.status, 201, answer.text);
    await site.keyIs(event, 'A1', `ann\n${answer.json.fence}`);
});

test('the same key again passes, whatever Redis says', async () => {
    const event = await shared();
    const headers = { 'Idempotency-Key': unique('key') };
    const first = await hold(asker, 'ann', event, 'A1', {}, headers);
    assert.equal(first.status, 201, first.text);
    await site.copied(asker, first);
    await site.keyIs(event, 'A1', `ann\n${first.json.fence}`);
    await site.want(event, 'A1', 'bob');
    const again = await hold(asker, 'ann', event, 'A1', {}, headers);
    assert.equal(again.status, 201, again.text);
    assert.equal(again.json.reservation_id, first.json.reservation_id);
});

/* Keys on a free seat that mean nothing; each is overwritten by the intent of the next request. */
const STALE = {
    'an intent without an end': (name) => redis.call('SET', name, `bob\n${NONCE}`),
    'an intent that is longer than any': (name) => redis.call('SET', name, `bob\n${NONCE}`, 'PX', INTENT_MS * 2),
    'a fence that the copy has seen': (name) => redis.call('SET', name, 'bob\n1', 'PX', GRANT_MS),
    'a fence beyond the copy, written more than 5 s ago': (name) => redis.call('SET', name, `bob\n${10 ** 15}`, 'PX', GRANT_MS - INTENT_MS - 1000),
    'a fence beyond the copy, without an end': (name) => redis.call('SET', name, `bob\n${10 ** 15}`),
    'nothing': (name) => redis.call('SET', name, '', 'PX', INTENT_MS),
    'a line feed': (name) => redis.call('SET', name, '\n', 'PX', INTENT_MS),
    'a user': (name) => redis.call('SET', name, 'bob', 'PX', INTENT_MS),
    'a user and words': (name) => redis.call('SET', name, 'bob\nseat', 'PX', INTENT_MS),
    'a fence of too many digits': (name) => redis.call('SET', name, `bob\n${'9'.repeat(400)}`, 'PX', INTENT_MS),
    'a fence that is no whole number': (name) => redis.call('SET', name, 'bob\n1e99', 'PX', INTENT_MS),
    'a nonce that is too short': (name) => redis.call('SET', name, 'bob\ni012', 'PX', INTENT_MS),
    'bytes': (name) => redis.call('SET', name, '\u0000\u0001\n\n\n\uffff', 'PX', INTENT_MS),
    'a megabyte': (name) => redis.call('SET', name, 'x'.repeat(1 << 20), 'PX', INTENT_MS),
    'a hash': (name) => redis.call('HSET', name, 'user', 'bob'),
    'a list': (name) => redis.call('RPUSH', name, 'bob'),
    'a stream': (name) => redis.call('XADD', name, '*', 'user', 'bob'),
};

for (const [what, set] of Object.entries(STALE)) {
    test(`a stale key does not refuse: ${what}`, async () => {
        const event = await shared();
        await set(`seat:${event}:A1`);
        const grown = await growth(async () => {
            const answer = await hold(asker, 'ann', event, 'A1');
            assert.equal(answer.status, 201, answer.text);
            await site.keyIs(event, 'A1', `ann\n${answer.json.fence}`);
        });
        assert.equal(grown.taken, 1);
        assert.equal(grown.repaired, 1);
    });
}

test('what the gate has no word in passes it by', async () => {
    const event = await shared({ pools: { floor: 9 }, seats: seats('A1-A9', { price: 500 }) });
    for (const seat of ['A1', 'A2', 'A3']) {
        await site.want(event, seat, 'bob');
    }
    const held = await hold(owner, 'ann', event, 'A9');
    await site.copied(asker, held);
    const id = held.json.reservation_id;
    const post = (path, body) => asker.app.post(path, body);
    const grown = await growth(async () => {
        const user_id = 'ann';
        for (const answer of [
            await post(`/v1/reservations/${id}/items`, { items: items(event, 'A1') }),
            await post('/v1/reservations', { user_id, items: [{ event, best: { quantity: 2 } }] }),
            await post('/v1/reservations', { user_id, items: [{ event, pool: 'floor', quantity: 1 }] }),
            await post('/v1/reservations', { user_id, items: [...items(event, 'A3'), { event, pool: 'floor', quantity: 1 }] }),
        ]) {
            assert.ok(answer.status === 201 || answer.status === 200, answer.text);
        }
    });
    assert.deepEqual([grown.taken, grown.refused, grown.timed_out, grown.around], [0, 0, 0, 0]);
});

test('a user over the limit gets no intent', async () => {
    const event = await shared({ per_user_limit: 1 });
    const held = await hold(asker, 'ann', event, 'A1');
    assert.equal(held.status, 201, held.text);
    await site.copied(asker, held);
    const grown = await growth(async () => {
        const answer = await hold(asker, 'ann', event, 'A2');
        assert.equal(answer.status, 409, answer.text);
        assert.equal(answer.json.code, 'limit_exceeded');
    });
    assert.equal(grown.taken, 0);
    assert.equal(await site.key(event, 'A2'), null);
    assert.equal((await hold(asker, 'bob', event, 'A2')).status, 201);
});

/* ---- What is given back ---- */

test('an intent that the owner refuses is deleted at once', async () => {
    const plain = await new GatedSite(pg).start();
    try {
        const decides = await plain.node('one'); /* mirrors nothing */
        const asks = await plain.gated('two');
        await plain.up(asks);
        const event = await makeEvent(decides, { seats: 'A1-A500' });
        await plain.copied(asks, await decides.admin.get(`/v1/events/${event}`));
        /* The copy is a few milliseconds behind: sooner or later it lets a request pass that the owner refuses. */
        let asked = 0;
        for (let i = 1; asked < 3; i++) {
            assert.ok(i < 500, 'the copy is never behind');
            const { taken } = await metrics(asks);
            assert.equal((await hold(decides, 'bob', event, `A${i}`)).status, 201);
            assert.equal((await hold(asks, 'ann', event, `A${i}`)).status, 409);
            asked += (await metrics(asks)).taken - taken;
            await plain.keyIs(event, `A${i}`, null);
        }
    } finally {
        await plain.close();
    }
});

test('of a crowd that asks at the same instant one gets to the owner', async () => {
    const event = await shared();
    const crowd = 60;
    const refusedThere = async () => Number(/^holdfast_requests_total\{method="POST",route="\/v1\/reservations",status="4xx"\} (\d+)/m
        .exec((await owner.admin.get('/metrics')).text)?.[1] ?? 0);
    const [before_, there] = [await metrics(asker), await refusedThere()];
    const answers = await Promise.all(Array.from({ length: crowd }, (_, i) => hold(asker, `user-${i}`, event, 'A1')));
    assert.deepEqual(answers.map(({ status }) => status).filter((status) => status === 201), [201]);
    assert.equal(answers.filter(({ status }) => status === 409).length, crowd - 1);
    const now = await metrics(asker);
    assert.equal(now.taken - before_.taken, 1);
    assert.equal(await refusedThere(), there);
});

test('the metrics of the gate', async () => {
    const { text } = await asker.admin.get('/metrics');
    for (const name of ['holdfast_gate_intents_total', 'holdfast_gate_repaired_total', 'holdfast_gate_intent_seconds', 'holdfast_gate_up',
        'holdfast_gate_addresses', 'holdfast_gate_mirror_queue', 'holdfast_gate_refill_done', 'holdfast_gate_refill_total']) {
        assert.match(text, new RegExp(`^# TYPE ${name} `, 'm'));
    }
    const now = await metrics(asker);
    assert.equal(now.addresses, 1);
    await eventually(async () => (await asker.admin.get('/metrics')).text, (all) => /^holdfast_gate_intent_seconds_count [1-9]/m.test(all), 'a latency');
});
