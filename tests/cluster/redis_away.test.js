/* SPDX-License-Identifier: Apache-2.0 */
/* Redis is stopped, killed, emptied, full, or forgets its scripts; a node or an owner is lost in the middle: holds go on
 * without it, and the gate is back as soon as Redis is. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const net = require('node:net');

const { GatedSite, metrics, hold, INTENT_MS } = require('./lib/gated.js');
const { Postgres } = require('./lib/postgres.js');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');

let pg;
before(async () => (pg = await new Postgres().start()));
after(() => pg?.close());

/* Two nodes, and an event of 2,000 seats that both have; `free()` names another seat each time. */
function withGate(name, body, options) {
    test(name, async () => {
        const site = await new GatedSite(pg, options).start();
        try {
            const { owner, asker } = await site.pair();
            const event = await makeEvent(owner, { seats: 'A1-A2000' });
            await site.copied(asker, await owner.admin.get(`/v1/events/${event}`));
            let next = 0;
            await body({ site, owner, asker, event, free: () => `A${++next}` });
        } finally {
            await site.close();
        }
    });
}

/* A hold of a free seat at a node is granted, whatever Redis does. */
async function granted(node, event, seat, user = 'ann') {
    const answer = await hold(node, user, event, seat);
    assert.equal(answer.status, 201, answer.text);
    return answer;
}

/* Waits until requests take intents again. */
const asksAgain = ({ asker, event, free }) => eventually(async () => {
    const { taken } = await metrics(asker);
    await granted(asker, event, free());
    return (await metrics(asker)).taken - taken;
}, (grown) => grown === 1, 'an intent');

const readiness = async (node) => {
    const { status, json } = await node.anyone.get('/readyz');
    return { status, degraded: json.degraded ?? [] };
};

const degraded = (node, wanted) => eventually(() => readiness(node),
    ({ degraded: list }) => list.includes('gate_away') === wanted, `gate_away ${wanted ? 'shown' : 'gone'}`);

withGate('Redis is killed and started again: holds go around it, and readiness says so', async (gate) => {
    const { site, owner, asker, event, free } = gate;
    await asksAgain(gate);
    assert.deepEqual(await readiness(asker), { status: 200, degraded: [] });
    const kept = free();
    const held = await granted(asker, event, kept);
    await site.redis.stop();
    await degraded(asker, true);
    await degraded(owner, true);
    assert.equal((await readiness(asker)).status, 200);
    assert.equal((await metrics(asker)).gate_up, 0);
    const { around } = await metrics(asker);
    await granted(asker, event, free());
    assert.equal((await metrics(asker)).around, around + 1);
    await site.redis.launch();
    await degraded(asker, false);
    await degraded(owner, false);
    await asksAgain(gate);
    await site.keyIs(event, kept, `ann\n${held.json.fence}`); /* the owner has mirrored all of it again */
});

withGate('Redis is stopped: no hold waits for it for long, and after three of them none does', async (gate) => {
    const { site, asker, event, free } = gate;
    await asksAgain(gate);
    const start = await metrics(asker);
    site.redis.pause();
    try {
        for (let i = 0; i < 20; i++) {
            await granted(asker, event, free());
        }
        const now = await metrics(asker);
        assert.equal(now.taken, start.taken);
        assert.ok(now.timed_out - start.timed_out >= 3, JSON.stringify(now));
        assert.ok(now.around > start.around, JSON.stringify(now));
        assert.equal(now.timed_out - start.timed_out + now.around - start.around, 20);
        await degraded(asker, true);
    } finally {
        site.redis.resume();
    }
    await degraded(asker, false);
    await asksAgain(gate);
});

withGate('an intent that Redis grants too late is taken back at once', async (gate) => {
    const { site, asker, event, free } = gate;
    await asksAgain(gate);
    const seats = [free(), free(), free()];
    site.redis.pause();
    try {
        for (const seat of seats) { /* each is asked for; Redis reads it when it goes on */
            const held = await granted(asker, event, seat);
            assert.equal((await asker.app.post(`/v1/reservations/${held.json.reservation_id}/release`)).status, 200);
        }
        assert.ok((await metrics(asker)).timed_out >= 3);
        await degraded(asker, true);
    } finally {
        site.redis.resume();
    }
    await degraded(asker, false); /* it has answered what came after them */
    for (const seat of seats) {
        assert.doesNotMatch(String(await site.key(event, seat)), /^ann\ni/);
        await granted(asker, event, seat, 'bob');
    }
});

withGate('Redis is emptied: nothing is sold twice, and all live claims come back', async (gate) => {
    const { site, owner, asker, event, free } = gate;
    await asksAgain(gate);
    const held = [];
    for (let i = 0; i < 20; i++) {
        const seat = free();
        held.push({ seat, answer: await granted(asker, event, seat) });
    }
    await site.redis.call('FLUSHALL');
    for (const { seat } of held) {
        const answer = await hold(asker, 'bob', event, seat);
        assert.equal(answer.status, 409, answer.text);
    }
    for (const { seat, answer } of held) {
        await site.keyIs(event, seat, `ann\n${answer.json.fence}`);
    }
    await eventually(() => metrics(owner), (now) => now.refill_total > 0 && now.refill_done === now.refill_total, 'the end of the refill');
});

withGate('Redis forgets its scripts: they are loaded again', async (gate) => {
    const { site, event, free, asker } = gate;
    await asksAgain(gate);
    await site.redis.call('SCRIPT', 'FLUSH');
    const seat = free();
    const held = await granted(asker, event, seat);
    await asksAgain(gate);
    await site.keyIs(event, seat, `ann\n${held.json.fence}`); /* so has the owner's */
});

withGate('Redis is at its memory limit: holds go on, and the gate is back when there is room', async (gate) => {
    const { site, event, free, asker } = gate;
    await asksAgain(gate);
    await site.redis.call('CONFIG', 'SET', 'maxmemory', '1');
    const seat = free();
    const held = await granted(asker, event, seat);
    for (let i = 0; i < 10; i++) {
        await granted(asker, event, free());
    }
    await site.redis.call('CONFIG', 'SET', 'maxmemory', '0');
    await asksAgain(gate);
    await site.keyIs(event, seat, `ann\n${held.json.fence}`);
    await degraded(asker, false);
});

withGate('one of three servers is killed: the events of the others are asked for as before', async ({ site, owner, asker }) => {
    const events = [];
    for (let i = 0; i < 12; i++) {
        events.push(await makeEvent(owner, { seats: 'A1-A9' }));
    }
    await site.copied(asker, await owner.admin.get(`/v1/events/${events.at(-1)}`));
    /* Which server has an event, by the key of a hold. */
    const servers = await Promise.all(events.map(async (event) => {
        const held = await granted(asker, event, 'A1');
        return eventually(async () => {
            const values = await Promise.all(site.servers.map((redis) => redis.call('GET', `seat:${event}:A1`)));
            assert.ok(values.filter((value) => value !== null).length <= 1, 'an event belongs to one server');
            return values.indexOf(`ann\n${held.json.fence}`);
        }, (at) => at >= 0, 'the key');
    }));
    assert.equal(new Set(servers).size, 3, `12 events on servers ${servers}`);
    await site.servers[0].stop();
    await eventually(() => metrics(asker), ({ gate_up }) => gate_up === 2, 'two of three');
    for (const [i, event] of events.entries()) {
        const start = await metrics(asker);
        await granted(asker, event, 'A2');
        const now = await metrics(asker);
        assert.deepEqual([now.taken - start.taken, now.around - start.around], servers[i] === 0 ? [0, 1] : [1, 0], `event ${i}`);
    }
}, { servers: 3 });

/* ---- A node is lost ---- */

/* Stands between a node and Redis. `lost` resolves with the first reply after a command that has this text, which never
 * arrives; `then` is called at once. */
class Eavesdropper {
    constructor(redis) {
        this.redis = redis;
        this.plan = null;
    }

    async start() {
        this.server = net.createServer((client) => {
            const there = net.connect({ host: '127.0.0.1', port: this.redis.port });
            let asked = false;
            client.on('data', (part) => {
                asked ||= this.plan !== null && part.includes(this.plan.text);
                there.write(part);
            });
            there.on('data', (part) => (asked ? this.plan.then() : client.write(part)));
            for (const [one, other] of [[client, there], [there, client]]) {
                one.setNoDelay(true);
                one.on('error', () => {});
                one.on('close', () => other.destroy());
            }
        });
        await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
        this.url = `redis://127.0.0.1:${this.server.address().port}`;
        return this;
    }
}

test('a node is killed between its intent and its request to the owner: others can claim the seat within 5 s', async (t) => {
    const site = await new GatedSite(pg).start();
    const between = await new Eavesdropper(site.redis).start();
    t.after(() => between.server.close());
    try {
        const owner = await site.gated('one');
        const dies = await site.gated('two', { url: between.url });
        const asker = await site.gated('three');
        await site.up(owner, dies, asker);
        const event = await makeEvent(owner, { seats: 'A1-A9' });
        const seen = await owner.admin.get(`/v1/events/${event}`);
        await Promise.all([dies, asker].map((node) => site.copied(node, seen)));
        const killed = new Promise((resolve) => {
            between.plan = { text: `seat:${event}:A1`, then: () => resolve(dies.child.kill('SIGKILL')) };
        });
        await assert.rejects(hold(dies, 'ann', event, 'A1'));
        await killed;
        await dies.exit;
        dies.child = null;
        assert.match(await site.key(event, 'A1'), /^ann\ni[0-9a-f]{16}$/);
        const left = await site.redis.call('PTTL', `seat:${event}:A1`);
        assert.ok(left > 0 && left <= INTENT_MS, `${left} ms left`);
        assert.equal((await hold(asker, 'bob', event, 'A1')).status, 409);
        assert.equal((await hold(asker, 'ann', event, 'A2')).status, 201);
        await site.redis.call('PEXPIRE', `seat:${event}:A1`, 1);
        await site.keyIs(event, 'A1', null);
        await granted(asker, event, 'A1', 'bob');
    } finally {
        await site.close();
    }
});

/* What the log says about each seat, as keys. */
async function claims(node, event) {
    const { json } = await node.admin.get(`/v1/reservations?event=${event}&limit=100`);
    return new Map(json.data.filter(({ status }) => status === 'held' || status === 'confirmed')
        .flatMap(({ user_id, fence, items }) => items.map(({ seat }) => [`seat:${event}:${seat}`, `${user_id}\n${fence}`])));
}

withGate('the owner is lost while Redis is stopped: its late messages touch no newer claim', async ({ site, owner, asker, event }) => {
    const seats = Array.from({ length: 30 }, (_, i) => `A${i + 1}`);
    const first = await Promise.all(seats.map((seat) => granted(owner, event, seat)));
    await Promise.all(seats.map((seat, i) => site.keyIs(event, seat, `ann\n${first[i].json.fence}`)));
    site.redis.pause();
    try {
        /* Deletes and grants of the old owner are on their way to Redis. */
        await Promise.all(first.map(({ json }, i) => i % 3 && owner.app.post(`/v1/reservations/${json.reservation_id}/release`)));
        const second = await Promise.all(seats.map((seat, i) => (i % 3 === 2 ? granted(owner, event, seat, 'bob') : null)));
        await owner.kill9();
        await site.role(asker, 'owner', 60_000);
        await Promise.all(second.map((answer) => answer && asker.app.post(`/v1/reservations/${answer.json.reservation_id}/release`)));
        await Promise.all(seats.map((seat, i) => i % 3 && granted(asker, event, seat, 'cy')));
    } finally {
        site.redis.resume();
    }
    const wanted = await eventually(() => claims(asker, event), ({ size }) => size === seats.length, 'all claims in the book');
    await eventually(() => site.redis.keys(`seat:${event}:*`), (keys) => [...wanted].every(([key, value]) => keys.get(key) === value),
        'the keys of the new owner');
    assert.equal([...wanted.values()].filter((value) => value.startsWith('cy\n')).length, 20);
});

withGate('a takeover: the new owner mirrors all that is live', async ({ site, owner, asker, event, free }) => {
    const seat = free();
    const held = await granted(owner, event, seat);
    await site.keyIs(event, seat, `ann\n${held.json.fence}`);
    await owner.kill9();
    await site.redis.call('FLUSHALL');
    await site.role(asker, 'owner', 60_000);
    await site.keyIs(event, seat, `ann\n${held.json.fence}`);
    await site.want(event, 'A999', 'zed'); /* an owner asks nobody */
    const own = await granted(asker, event, 'A999', 'bob');
    await site.keyIs(event, 'A999', `bob\n${own.json.fence}`);
});
