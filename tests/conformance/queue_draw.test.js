/* SPDX-License-Identifier: Apache-2.0 */
/* The draw: entries from before the opening are ordered by lot, once, and anyone can verify it with the program in the
 * docs. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { Server, shared, ownProcess, ownClock } = require('./lib/server.js');
const { queue, makeRoom, join, look, becomes, room, sign, drawFromDocs } = require('./lib/entries.js');

const hf = shared();
const { drawPosition, drawHolds } = drawFromDocs();
const iso = (ms) => new Date(ms).toISOString();
const shuffled = (server, more = {}) => makeRoom(server, {
    room: { open_at: iso(server.now() + 60_000), shuffle_before_open: true, rate_per_second: 100000, ...more },
});
async function crowd(server, event, count, from = 0) {
    const users = Array.from({ length: count }, (_, i) => server.user(`p${from + i}`));
    const entries = await Promise.all(users.map((user) => join(user, event)));
    return users.map((user, i) => ({ user, entry: entries[i] }));
}
const positions = (people) => Promise.all(people.map(async (one) => (await look(one.user, one.entry)).position));

test('the program of the docs draws a permutation, for any count', () => {
    for (const count of [1, 2, 3, 15, 16, 17, 255, 256, 257, 1000]) {
        const seed = crypto.randomBytes(32).toString('hex');
        const drawn = Array.from({ length: count }, (_, i) => drawPosition(seed, count, i + 1));
        assert.deepEqual([...drawn].sort((a, b) => a - b), Array.from({ length: count }, (_, i) => i + 1));
    }
});

test('before the opening nobody has a position; the hash of the seed is public', async () => {
    const event = await shuffled(hf, { open_at: iso(hf.now() + 3_600_000) });
    const [{ entry }] = await crowd(hf, event, 3);
    assert.deepEqual([entry.position, entry.ahead, entry.eta_seconds], [null, null, null]);
    const { draw, opened_at } = await sign(hf, event, (one) => one.waiting === 3);
    assert.equal(opened_at, null);
    assert.match(draw.commitment, /^[0-9a-f]{64}$/);
    assert.deepEqual([draw.seed, draw.entries], [null, null]);
    assert.deepEqual((await room(hf, event)).draw, draw, 'the admin knows no more');
});

test('at the opening the seed is published, matches its hash, and gives every position', ownClock, async () => {
    const event = await shuffled(hf);
    const people = await crowd(hf, event, 300);
    const { draw: before } = await sign(hf, event, (one) => one.waiting === 300);
    hf.clock.advance(60_000);
    const { draw, opened_at } = await sign(hf, event, (one) => one.opened_at !== null);
    assert.ok(Date.parse(opened_at) <= hf.now());
    assert.equal(draw.commitment, before.commitment);
    assert.equal(draw.entries, 300);
    for (const { user, entry } of people) {
        const now = await look(user, entry);
        assert.equal(now.number, entry.number);
        assert.ok(drawHolds(draw, now), JSON.stringify(now));
    }
    const drawn = await positions(people);
    assert.deepEqual([...drawn].sort((a, b) => a - b), Array.from({ length: 300 }, (_, i) => i + 1));
    assert.notDeepEqual(drawn, people.map((one) => one.entry.number));
    const late = await join(hf.user('late'), event);
    assert.equal(late.position, 301, 'who comes later stands behind');
    assert.ok(drawHolds(draw, late));
});

test('admission follows the draw, and entries that left before it delay nobody', ownClock, async () => {
    const event = await shuffled(hf, { max_active: 1 });
    const people = await crowd(hf, event, 12);
    for (const { user, entry } of people.slice(0, 4)) {
        await user.delete(queue(event, `/${entry.entry_id}`));
    }
    hf.clock.advance(60_000);
    await sign(hf, event, (one) => one.opened_at !== null);
    const inOrder = [];
    for (const one of people.slice(4)) {
        inOrder.push({ ...one, position: (await look(one.user, one.entry)).position });
    }
    inOrder.sort((a, b) => a.position - b.position);
    for (const [i, one] of inOrder.entries()) {
        const now = await becomes(hf, one.user, one.entry, 'admitted');
        assert.equal(now.position, one.position);
        if (i + 1 < inOrder.length) {
            const next = await look(inOrder[i + 1].user, inOrder[i + 1].entry);
            assert.deepEqual([next.status, next.ahead], ['waiting', 0]);
            const last = await look(inOrder.at(-1).user, inOrder.at(-1).entry);
            assert.equal(last.ahead, inOrder.length - i - 2, 'ahead counts who is in line only');
        }
        await one.user.delete(queue(event, `/${one.entry.entry_id}`));
    }
});

test('nobody in line at the opening: nothing is drawn, and the seed is still published', ownClock, async () => {
    const event = await shuffled(hf);
    hf.clock.advance(60_000);
    const { draw } = await sign(hf, event, (one) => one.opened_at !== null);
    assert.equal(draw.entries, 0);
    assert.equal(crypto.createHash('sha256').update(Buffer.from(draw.seed, 'hex')).digest('hex'), draw.commitment);
    assert.equal((await join(hf.user('ann'), event)).position, 1);
});

test('two rooms have two seeds', async () => {
    const [a, b] = [await shuffled(hf), await shuffled(hf)];
    assert.notEqual((await sign(hf, a)).draw.commitment, (await sign(hf, b)).draw.commitment);
});

test('a room that has opened is not drawn again: by later settings, by closing, by a restart', ownProcess, async () => {
    const own = await new Server().start();
    try {
        const event = await shuffled(own);
        const people = await crowd(own, event, 20);
        const committed = (await sign(own, event)).draw.commitment;
        await own.restart({ kill: true });
        assert.equal((await sign(own, event)).draw.commitment, committed, 'the seed is kept before the opening');
        own.clock.advance(61_000);
        const { draw } = await sign(own, event, (one) => one.opened_at !== null);
        assert.equal(draw.commitment, committed);
        const drawn = await positions(people);
        await own.restart({ kill: true });
        assert.deepEqual(await positions(people), drawn);
        const settings = (await own.anyone.get(`/v1/events/${event}`)).json.waiting_room;
        const put = (waiting_room) => own.admin.put(`/v1/events/${event}`, { name: 'x', payment: 'none', waiting_room });
        await put({ ...settings, shuffle_before_open: false });
        assert.deepEqual(await positions(people), drawn);
        await put(null);
        await put({ ...settings, open_at: iso(own.now() + 600_000) });
        assert.deepEqual(await positions(people), drawn);
        assert.deepEqual((await sign(own, event)).draw, draw);
    } finally {
        await own.close();
    }
});

test('a room that opened empty draws with a new seed, which survives restarts', ownProcess, async () => {
    const own = await new Server().start();
    try {
        const event = await shuffled(own, { open_at: null });
        const { draw: burnt } = await sign(own, event, (one) => one.opened_at !== null);
        const open_at = iso(own.now() + 60_000);
        assert.equal((await own.admin.patch(queue(event), { open_at })).status, 200);
        const people = await crowd(own, event, 20);
        const { commitment } = (await sign(own, event, (one) => one.opened_at === null)).draw;
        assert.notEqual(commitment, burnt.commitment);
        await own.restart();
        assert.equal((await sign(own, event)).draw.commitment, commitment);
        own.clock.advance(61_000);
        const { draw } = await sign(own, event, (one) => one.opened_at !== null);
        assert.equal(draw.commitment, commitment);
        assert.notEqual(draw.seed, burnt.seed);
        const drawn = await positions(people);
        await own.restart();
        assert.deepEqual(await positions(people), drawn);
        await own.admin.patch(queue(event), { paused: true });
        await own.restart({ kill: true });
        assert.deepEqual(await positions(people), drawn);
    } finally {
        await own.close();
    }
});
