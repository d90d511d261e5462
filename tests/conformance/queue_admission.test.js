/* SPDX-License-Identifier: Apache-2.0 */
/* Admission: strictly by position, within rate, max_active and stock; absence costs only the absent one a turn. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, unique, ownProcess, ownClock } = require('./lib/server.js');
const { items } = require('./lib/catalogue.js');
const { queue, makeRoom, shown, join, look, becomes, withPass, room, sign, entry } = require('./lib/entries.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const iso = (ms) => new Date(ms).toISOString();
const patch = async (event, body) => {
    const answer = await hf.admin.patch(queue(event), body);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
};
/* This many people in line, p0 first. */
async function crowd(event, count, server = hf) {
    const people = [];
    for (let i = 0; i < count; i++) {
        const user = server.user(`p${i}`);
        people.push({ user, entry: await join(user, event) });
    }
    return people;
}
const statuses = (people, caller) => Promise.all(people.map(async ({ entry: e }) =>
    entry((await caller.get(queue(e.event, `/${e.entry_id}`))).json).status));
/* The status of all of them. The app polls for them, so they are all present. */
const standing = (people) => statuses(people, hf.app);
/* The same without making anyone present. */
const unasked = (people) => statuses(people, hf.admin);
const admitted = async (people) => (await standing(people)).filter((status) => status === 'admitted').length;
/* Waits until the i-th one is admitted, with everyone present. */
const reaches = (people, i) =>
    hf.eventually(() => standing(people), (now) => now[i] === 'admitted', `number ${i} is admitted`);
const leaves = (one) => one.user.delete(queue(one.entry.event, `/${one.entry.entry_id}`));

test('queue, pass, hold, commit: from end to end', async () => {
    const event = await makeRoom(hf, { seats: 'A1-A3' });
    const ann = hf.user('ann');
    const wanted = { items: items(event, 'A1') };
    refused(await ann.post('/v1/reservations', wanted), 403, 'pass_required');
    const e = await becomes(hf, ann, await join(ann, event), 'admitted');
    assert.ok(Math.abs(Date.parse(e.pass_expires_at) - hf.now() - 900_000) < 10_000);
    const r = granted(await ann.post('/v1/reservations', wanted, withPass(e.pass)), 201);
    granted(await ann.post(`/v1/reservations/${r.reservation_id}/items`, { event, seat: 'A2' }, withPass(e.pass)), 201);
    const bought = await ann.post(`/v1/reservations/${r.reservation_id}/commit`, {});
    assert.deepEqual(granted(bought, 200, { status: 'confirmed' }).items.map((it) => it.seat), ['A1', 'A2']);
    assert.equal((await look(ann, e)).status, 'finished', 'a buyer is finished');
    refused(await ann.post('/v1/reservations', { items: items(event, 'A3') }, withPass(e.pass)), 403, 'pass_invalid');
    const again = await join(ann, event);
    assert.equal(again.position, 2, 'and may come again, at the end');
    const { active, finished, serving } = await room(hf, event);
    assert.ok(finished === 1 && active <= 1 && serving >= 1);
});

test('a hold keeps its own deadline when the pass has ended', ownClock, async () => {
    const event = await makeRoom(hf, { seats: 'A1-A3', room: { pass_ttl_seconds: 30 } });
    const ann = hf.user('ann');
    const e = await becomes(hf, ann, await join(ann, event), 'admitted');
    const r = granted(await ann.post('/v1/reservations', { items: items(event, 'A1') }, withPass(e.pass)), 201);
    hf.clock.advance(31_000);
    refused(await ann.post('/v1/reservations', { items: items(event, 'A2') }, withPass(e.pass)), 403, 'pass_expired');
    assert.equal((await look(ann, e)).status, 'finished');
    granted(await ann.post(`/v1/reservations/${r.reservation_id}/extend`, {}), 200);
    granted(await ann.post(`/v1/reservations/${r.reservation_id}/commit`, {}), 200, { status: 'confirmed' });
});

test('max_active: at most that many at a time; leaving and finishing admit the next one at once', async () => {
    const event = await makeRoom(hf, { seats: 'A1-A9', room: { max_active: 2, rate_per_second: 1000 } });
    const people = await crowd(event, 5);
    await reaches(people, 1);
    assert.deepEqual(await standing(people), ['admitted', 'admitted', 'waiting', 'waiting', 'waiting']);
    assert.equal((await room(hf, event)).active, 2);
    await leaves(people[0]);
    await reaches(people, 2);
    const { pass } = await look(people[1].user, people[1].entry);
    const r = granted(await people[1].user.post('/v1/reservations', { items: items(event, 'A1') }, withPass(pass)), 201);
    assert.equal(await admitted(people), 2, 'a hold is not the end');
    granted(await people[1].user.post(`/v1/reservations/${r.reservation_id}/commit`, {}), 200);
    await reaches(people, 3);
    assert.deepEqual(await standing(people), ['left', 'finished', 'admitted', 'admitted', 'waiting']);
    assert.equal((await look(people[4].user, people[4].entry)).ahead, 0);
    await patch(event, { max_active: 0 });
    await reaches(people, 4);
});

test('a pass that lapses makes room for the next', ownClock, async () => {
    const event = await makeRoom(hf, { room: { max_active: 1, pass_ttl_seconds: 60 } });
    const people = await crowd(event, 2);
    await reaches(people, 0);
    assert.equal((await look(people[1].user, people[1].entry)).status, 'waiting');
    hf.clock.advance(61_000);
    await reaches(people, 1);
    assert.equal((await look(people[0].user, people[0].entry)).status, 'finished');
});

test('the rate is exact: no burst at the opening, and admissions are reported', ownClock, async () => {
    const event = await makeRoom(hf, { room: { open_at: iso(hf.now() + 60_000), rate_per_second: 10 } });
    const people = await crowd(event, 60);
    assert.equal(await admitted(people), 0, 'nobody before the opening');
    assert.equal((await sign(hf, event)).opened_at, null);
    const began = Date.now();
    hf.clock.advance(60_000);
    await reaches(people, 19);
    const took_ms = Date.now() - began;
    assert.ok(took_ms > 1_500, `twenty at ten a second took ${took_ms} ms`);
    const so_far = await standing(people);
    const first = so_far.indexOf('waiting');
    assert.ok(so_far.slice(first).every((status) => status === 'waiting'), 'strictly by position');
    const { admitted_per_second: pace, serving } = await sign(hf, event, (one) => one.serving >= 20);
    assert.ok(pace > 0 && pace <= 10.5, `${pace} a second`);
    assert.ok(serving >= 20 && serving <= 60);
});

test('pause and resume take effect at once, and no credit is saved up', async () => {
    const event = await makeRoom(hf, { room: { rate_per_second: 2 } });
    assert.equal((await patch(event, { paused: true })).paused, true);
    const people = await crowd(event, 30);
    assert.equal(people[5].entry.eta_seconds, null, 'nobody knows how long a pause is');
    const before = await room(hf, event);
    assert.deepEqual([before.active, before.waiting, before.paused], [0, 30, true]);
    assert.equal((await sign(hf, event, (one) => one.paused && one.waiting === 30)).serving, 0);
    hf.clock.advance(60_000);
    assert.equal(await admitted(people), 0);
    const began = Date.now();
    assert.equal((await patch(event, { paused: false })).paused, false);
    await reaches(people, 0);
    const count = await admitted(people);
    assert.ok(count <= 2 + 2 * (Date.now() - began) / 1000, 'a minute at two a second would be all of them');
    await patch(event, { paused: true });
    const stopped = await admitted(people);
    hf.clock.advance(5_000);
    assert.equal(await admitted(people), stopped);
    await patch(event, { paused: false, rate_per_second: 100000 });
    await reaches(people, 29);
});

test('PATCH: given fields change, the rest stays, the event shows it', async () => {
    const event = await makeRoom(hf, { room: { rate_per_second: 7, max_active: 3, tiers: ['gold'] } });
    const { rate_per_second, max_active, paused, tiers } = await patch(event, {});
    assert.deepEqual([rate_per_second, max_active, paused, tiers], [7, 3, false, ['gold']]);
    assert.equal((await patch(event, { rate_per_second: 9 })).max_active, 3);
    const later = iso(Math.ceil(hf.now() / 1000) * 1000 + 600_000);
    assert.equal((await patch(event, { open_at: later, max_active: 0 })).open_at, later);
    assert.deepEqual((await hf.anyone.get(`/v1/events/${event}`)).json.waiting_room, {
        open_at: later, rate_per_second: 9, max_active: 0, pass_ttl_seconds: 900, shuffle_before_open: false,
        by_inventory: false, tiers: ['gold'],
    });
    assert.equal((await patch(event, { open_at: null })).open_at, null);
    for (const [body, pointer] of [
        [{ rate_per_second: 0 }, '/rate_per_second'], [{ rate_per_second: '5' }, '/rate_per_second'],
        [{ max_active: -1 }, '/max_active'], [{ paused: 1 }, '/paused'], [{ paused: null }, '/paused'],
        [{ open_at: 'now' }, '/open_at'], [{ tiers: ['x'] }, '/tiers'], [{ pass_ttl_seconds: 5 }, '/pass_ttl_seconds'],
    ]) {
        invalid(await hf.admin.patch(queue(event), body), pointer);
    }
});

test('a later open_at stops admission, positions stay; an earlier one opens', ownClock, async () => {
    const event = await makeRoom(hf, { room: { open_at: iso(hf.now() + 3_600_000), rate_per_second: 1000, max_active: 1 } });
    const people = await crowd(event, 3);
    await patch(event, { open_at: null });
    await reaches(people, 0);
    await patch(event, { open_at: iso(hf.now() + 60_000), max_active: 0 });
    hf.clock.advance(20_000);
    assert.deepEqual(await standing(people), ['admitted', 'waiting', 'waiting']);
    assert.deepEqual((await look(people[2].user, people[2].entry)).position, 3);
    hf.clock.advance(41_000);
    await reaches(people, 2);
});

test('by_inventory: never more people than could still get something', ownClock, async () => {
    const event = await makeRoom(hf, {
        seats: 'A1-A3', pools: { floor: 1 }, room: { by_inventory: true, rate_per_second: 1000 },
    });
    const people = await crowd(event, 8);
    await reaches(people, 3);
    assert.equal(await admitted(people), 4, 'three seats and a unit');
    hf.clock.advance(15_000);
    await standing(people);
    assert.equal((await look(people[7].user, people[7].entry)).eta_seconds, null, 'while nothing moves nobody can say');
    const buy = async (i, item) => {
        const { pass } = await look(people[i].user, people[i].entry);
        const r = granted(await people[i].user.post('/v1/reservations', { items: [item] }, withPass(pass)), 201);
        return granted(await people[i].user.post(`/v1/reservations/${r.reservation_id}/commit`, {}), 200);
    };
    await buy(0, { event, seat: 'A1' });
    await buy(1, { event, pool: 'floor', quantity: 1 });
    assert.equal(await admitted(people), 2, 'two are left, and two have a pass');
    await leaves(people[2]);
    await reaches(people, 4);
    assert.equal(await admitted(people), 2);
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A2'], blocked: true });
    await leaves(people[3]);
    assert.equal(await admitted(people), 1, 'a blocked seat is nothing to get');
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A2'], blocked: false });
    await reaches(people, 5);
});

test('an absent entry is passed over, costs nobody a place, and is first when it comes back', ownClock, async () => {
    const event = await makeRoom(hf, { room: { rate_per_second: 1000, max_active: 1 } });
    const people = await crowd(event, 4);
    const at = (i) => look(people[i].user, people[i].entry);
    await reaches(people, 0);
    /* Nobody counts as absent in the first minutes; then all but the last have gone away. */
    hf.clock.advance(300_000);
    await at(3);
    await leaves(people[0]);
    await hf.eventually(() => unasked(people), (now) => now[3] === 'admitted', 'the one who stayed is admitted');
    assert.deepEqual(await unasked(people), ['left', 'passed_over', 'passed_over', 'admitted']);
    assert.equal((await room(hf, event)).passed_over, 2);
    const away = entry((await hf.admin.get(queue(event, `/${people[2].entry.entry_id}`))).json);
    assert.equal(away.position, 3, 'it keeps its position');
    assert.ok(Math.abs(Date.parse(away.returns_until) - hf.now() - 900_000) < 20_000);
    const back = await at(2);
    assert.deepEqual([back.status, back.position, back.returns_until, back.ahead], ['passed_over', 3, null, 0]);
    await at(1);
    assert.equal((await at(2)).ahead, 1);
    const late = await join(hf.user('late'), event);
    await leaves(people[3]);
    await reaches(people, 1);
    assert.equal((await at(2)).status, 'passed_over', 'by position among those who came back');
    await leaves(people[1]);
    await reaches(people, 2);
    assert.equal((await look(hf.user('late'), late)).status, 'waiting');
});

test('an entry that does not come back within fifteen minutes has left', ownClock, async () => {
    const event = await makeRoom(hf, { room: { rate_per_second: 1000, max_active: 1 } });
    const people = await crowd(event, 3);
    await reaches(people, 0);
    hf.clock.advance(300_000);
    await look(people[2].user, people[2].entry);
    await leaves(people[0]);
    await hf.eventually(() => unasked(people), (now) => now[2] === 'admitted', 'the third');
    assert.equal((await unasked(people))[1], 'passed_over');
    hf.clock.advance(901_000);
    await hf.eventually(() => unasked(people), (now) => now[1] === 'left', 'the second has left');
    assert.equal((await join(people[1].user, event)).position, 4);
});

test('a poll by an app keeps its user present; one by the admin does not', ownClock, async () => {
    const event = await makeRoom(hf, { room: { rate_per_second: 1000, max_active: 1 } });
    const people = await crowd(event, 3);
    await reaches(people, 0);
    hf.clock.advance(300_000);
    await look(hf.admin, people[1].entry);
    await look(hf.app, people[2].entry);
    await leaves(people[0]);
    await hf.eventually(() => unasked(people), (now) => now[2] === 'admitted', 'the app\'s');
    assert.equal((await unasked(people))[1], 'passed_over');
});

test('absence does not count before the opening', ownClock, async () => {
    const event = await makeRoom(hf, { room: { open_at: iso(hf.now() + 7_200_000), rate_per_second: 1000 } });
    const people = await crowd(event, 3);
    hf.clock.advance(7_201_000);
    await hf.eventually(() => unasked(people), (now) => now.every((status) => status === 'admitted'), 'all three');
});

test('eta: before the opening the time until then, afterwards by what was measured', ownClock, async () => {
    const event = await makeRoom(hf, { room: { open_at: iso(hf.now() + 600_000), rate_per_second: 10 } });
    const people = await crowd(event, 50);
    const eta = (await look(people[49].user, people[49].entry)).eta_seconds;
    assert.ok(eta >= 590 && eta <= 620, `${eta} s`);
    hf.clock.advance(600_000);
    await reaches(people, 25);
    const later = await look(people[49].user, people[49].entry);
    assert.ok(later.eta_seconds !== null && later.eta_seconds <= 12, `${later.eta_seconds} s for ${later.ahead} ahead`);
    assert.ok(later.ahead <= 23);
});

for (const kill of [false, true]) {
    test(`${kill ? 'kill -9' : 'SIGTERM'}: positions, admissions, passes and the room itself survive`, ownProcess,
        async () => {
            const own = await new Server().start();
            try {
                const event = await makeRoom(own, { seats: 'A1-A3', room: { rate_per_second: 1000, max_active: 2 } });
                const people = await crowd(event, 6, own);
                const [ann] = people;
                await becomes(own, people[1].user, people[1].entry, 'admitted');
                await leaves(people[3]);
                const answer = await own.admin.patch(queue(event), { paused: true });
                assert.equal(answer.status, 200);
                const { pass } = await look(ann.user, ann.entry);
                const steady = ({ poll_after_seconds, eta_seconds, ...rest }) => rest;
                const read = async () => Promise.all(people.map(async (one) => steady(await look(one.user, one.entry))));
                const before = await read();
                await own.restart({ kill });
                assert.deepEqual(await read(), before);
                const { active, waiting, left, paused, joined, serving } = await room(own, event);
                assert.deepEqual([active, waiting, left, paused, joined, serving], [2, 3, 1, true, 6, 2]);
                granted(await ann.user.post('/v1/reservations', { items: items(event, 'A1') }, withPass(pass)), 201);
                assert.equal((await join(own.user('late'), event)).position, 7);
                shown(await ann.user.post(queue(event), {}), 200, { entry_id: ann.entry.entry_id });
                await own.admin.patch(queue(event), { paused: false, max_active: 0 });
                await becomes(own, people[5].user, people[5].entry, 'admitted');
                assert.deepEqual(await statuses(people, own.admin), [
                    'admitted', 'admitted', 'admitted', 'left', 'admitted', 'admitted',
                ]);
            } finally {
                await own.close();
            }
        });
}

test('an acknowledged join survives kill -9, with its key', ownProcess, async () => {
    const own = await new Server().start();
    try {
        const event = await makeRoom(own, { room: { open_at: iso(own.now() + 3_600_000) } });
        const headers = { 'Idempotency-Key': unique('key') };
        const people = Array.from({ length: 200 }, (_, i) => own.user(`p${i}`));
        const entries = await Promise.all(people.map((one) => join(one, event, {}, { headers })));
        await own.restart({ kill: true });
        for (const [i, one] of people.entries()) {
            assert.equal((await look(one, entries[i])).position, entries[i].position);
        }
        const again = await people[7].post(queue(event), {}, { headers });
        assert.equal(again.headers['idempotent-replayed'], 'true');
        shown(again, 201, { entry_id: entries[7].entry_id });
        assert.equal((await join(own.user('late'), event)).position, 201);
    } finally {
        await own.close();
    }
});
