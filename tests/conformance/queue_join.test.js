/* SPDX-License-Identifier: Apache-2.0 */
/* Joining a waiting room: a position by arrival, one live entry per person, and nothing revealed about others. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent } = require('./lib/catalogue.js');
const { queue, makeRoom, shown, join, look, becomes, room, sign } = require('./lib/entries.js');
const { refused, invalid } = require('./lib/expect.js');

const hf = shared();
const iso = (ms) => new Date(ms).toISOString();
/* A room where everyone waits: it opens in an hour. */
const closedRoom = (more = {}) => makeRoom(hf, { room: { open_at: iso(hf.now() + 3_600_000), ...more } });

test('201, Location, and the whole entry', async () => {
    const event = await closedRoom();
    const answer = await hf.user('ann').post(queue(event), {});
    const e = shown(answer, 201, { event, user_id: 'ann', number: 1, position: 1, ahead: 0, status: 'waiting' });
    assert.equal(answer.headers.location, queue(event, `/${e.entry_id}`));
    assert.ok(Math.abs(Date.parse(e.joined_at) - hf.now()) < 5_000);
    assert.deepEqual({ ...(await look(hf.user('ann'), e)), poll_after_seconds: 0, eta_seconds: 0 }, {
        ...e, poll_after_seconds: 0, eta_seconds: 0,
    });
});

test('positions grow by arrival, ahead is exact, and leaving moves up everyone behind', async () => {
    const event = await closedRoom();
    const people = ['a', 'b', 'c', 'd', 'e'].map((name) => hf.user(name));
    const entries = [];
    for (const one of people) {
        entries.push(await join(one, event));
    }
    assert.deepEqual(entries.map((e) => e.position), [1, 2, 3, 4, 5]);
    assert.deepEqual(entries.map((e) => e.ahead), [0, 1, 2, 3, 4]);
    shown(await people[1].delete(queue(event, `/${entries[1].entry_id}`)), 200, { status: 'left', position: 2 });
    const ahead = [];
    for (const i of [0, 2, 3, 4]) {
        const now = await look(people[i], entries[i]);
        assert.equal(now.position, i + 1, 'a position never changes');
        ahead.push(now.ahead);
    }
    assert.deepEqual(ahead, [0, 1, 2, 3]);
});

test('an empty body is equivalent to {}', async () => {
    const event = await closedRoom();
    shown(await hf.user('ann').call('POST', queue(event)), 201);
});

test('one live entry: joining again returns 200 and the same entry, also through an app', async () => {
    const event = await closedRoom();
    const ann = hf.user('ann');
    const e = await join(ann, event);
    shown(await ann.post(queue(event), {}), 200, { entry_id: e.entry_id, position: 1 });
    shown(await hf.app.post(queue(event), { user_id: 'ann' }), 200, { entry_id: e.entry_id });
    shown(await ann.post(queue(event), { user_id: 'ann' }), 200, { entry_id: e.entry_id });
    assert.equal((await join(hf.user('bob'), event)).position, 2);
    const other = await closedRoom();
    assert.notEqual((await join(ann, other)).entry_id, e.entry_id, 'another event is another line');
});

test('after leaving, joining again goes to the end, and the old entry stays as it was', async () => {
    const event = await closedRoom();
    const ann = hf.user('ann');
    const first = await join(ann, event);
    await join(hf.user('bob'), event);
    shown(await ann.delete(queue(event, `/${first.entry_id}`)), 200, { status: 'left' });
    shown(await ann.delete(queue(event, `/${first.entry_id}`)), 200, { status: 'left' });
    const second = shown(await ann.post(queue(event), {}), 201, { position: 3 });
    assert.notEqual(second.entry_id, first.entry_id);
    assert.equal((await look(ann, first)).status, 'left');
});

test('500 people joining at once get 500 positions, one each', async () => {
    const event = await closedRoom();
    const entries = await Promise.all(Array.from({ length: 500 }, (_, i) => join(hf.user(`p${i}`), event)));
    const positions = entries.map((e) => e.position).sort((a, b) => a - b);
    assert.deepEqual(positions, Array.from({ length: 500 }, (_, i) => i + 1));
    assert.equal(new Set(entries.map((e) => e.entry_id)).size, 500);
    const { waiting, joined } = await room(hf, event);
    assert.deepEqual([waiting, joined], [500, 500]);
});

test('one person joining 100 times at once has one entry', async () => {
    const event = await closedRoom();
    const answers = await Promise.all(Array.from({ length: 100 }, () => hf.user('ann').post(queue(event), {})));
    assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
    assert.equal(new Set(answers.map((answer) => answer.json.entry_id)).size, 1);
    assert.equal((await room(hf, event)).joined, 1);
});

test('Idempotency-Key: a replay is the same entry as it is now, another body 422', async () => {
    const event = await closedRoom();
    const ann = hf.user('ann');
    const headers = { 'Idempotency-Key': unique('key') };
    const e = shown(await ann.post(queue(event), '{}', { headers }), 201);
    const again = await ann.post(queue(event), '{}', { headers });
    shown(again, 201, { entry_id: e.entry_id });
    assert.equal(again.headers['idempotent-replayed'], 'true');
    refused(await ann.post(queue(event), '{ }', { headers }), 422, 'idempotency_key_reused');
    await ann.delete(queue(event, `/${e.entry_id}`));
    shown(await ann.post(queue(event), '{}', { headers }), 201, { entry_id: e.entry_id, status: 'left' });
    shown(await ann.post(queue(event), '{}'), 201, { position: 2 });
    shown(await hf.user('bob').post(queue(event), '{}', { headers }), 201, { position: 3 });
});

test('an app and the admin join for others, and must say for whom', async () => {
    const event = await closedRoom();
    for (const caller of [hf.app, hf.admin]) {
        invalid(await caller.post(queue(event), {}), '/user_id');
        const e = shown(await caller.post(queue(event), { user_id: caller.name }), 201, { user_id: caller.name });
        assert.equal((await look(hf.user(caller.name), e)).entry_id, e.entry_id);
        assert.equal((await look(caller, e)).entry_id, e.entry_id);
        shown(await caller.delete(queue(event, `/${e.entry_id}`)), 200, { status: 'left' });
    }
});

test('not allowed: no credentials 401, a door key 403, a user for another user 403', async () => {
    const event = await closedRoom();
    const e = await join(hf.user('ann'), event);
    const own = queue(event, `/${e.entry_id}`);
    const door = await hf.key('door');
    for (const [method, target] of [
        ['POST', queue(event)], ['GET', own], ['DELETE', own], ['GET', `${own}/stream`],
    ]) {
        refused(await hf.anyone.call(method, target), 401, 'unauthenticated');
        refused(await door.call(method, target), 403, 'forbidden');
    }
    const { detail } = refused(await hf.user('ann').post(queue(event), { user_id: 'bob' }), 403, 'not_owner');
    assert.match(detail, /belongs to another user/);
    refused(await hf.user('ann').post(queue('no-such'), { user_id: 'bob' }), 403, 'not_owner');
    refused(await hf.user('ann').post(queue(event), { tiers: ['gold'] }), 403, 'forbidden');
});

test('another\'s entry does not exist for a user, and neither does one of another event', async () => {
    const [event, other] = [await closedRoom(), await closedRoom()];
    const e = await join(hf.user('ann'), event);
    await join(hf.user('bob'), event);
    const elsewhere = await join(hf.user('ann'), other);
    for (const [method, rest] of [['GET', ''], ['DELETE', ''], ['GET', '/stream']]) {
        refused(await hf.user('bob').call(method, queue(event, `/${e.entry_id}${rest}`)), 404, 'no_such_entry');
        for (const caller of [hf.user('ann'), hf.app, hf.admin]) {
            refused(await caller.call(method, queue(other, `/${e.entry_id}${rest}`)), 404, 'no_such_entry');
            refused(await caller.call(method, queue(event, `/${elsewhere.entry_id}${rest}`)), 404, 'no_such_entry');
        }
    }
    assert.equal((await look(hf.user('ann'), e)).status, 'waiting', 'nobody else could end it');
});

test('ids that were never issued are 404: guessed, of a list, of another form', async () => {
    const event = await closedRoom();
    const { entry_id: id } = await join(hf.user('ann'), event);
    const last = id.at(-1) === '0' ? '1' : '0';
    for (const guess of [
        `ent_${'0'.repeat(26)}`, `ent_${'0'.repeat(25)}1`, id.slice(0, -1) + last, `lst_${id.slice(4)}`, `res_${id.slice(4)}`,
        id.slice(4), `${id}0`, id.slice(0, -1), 'ent_', '1', '2', '-1',
    ]) {
        for (const caller of [hf.user('ann'), hf.app]) {
            refused(await caller.get(queue(event, `/${guess}`)), 404, 'no_such_entry');
            refused(await caller.delete(queue(event, `/${guess}`)), 404, 'no_such_entry');
        }
    }
    refused(await hf.app.get(queue('no-such', `/${id}`)), 404, 'no_such_event');
});

test('entry ids do not reveal the order of arrival', async () => {
    const event = await closedRoom();
    const ids = [];
    for (let i = 0; i < 64; i++) {
        ids.push((await join(hf.user(`p${i}`), event)).entry_id);
    }
    const sorted = [...ids].sort();
    const inPlace = ids.filter((id, i) => sorted[i] === id).length;
    assert.ok(inPlace < 16, `${inPlace} of 64 are where they would be if ids were in order`);
    const prefixes = new Set(ids.map((id) => id.slice(4, 8)));
    assert.ok(prefixes.size > 32, 'nor do they begin alike');
});

test('no waiting room: 409; no event: 404', async () => {
    const event = await makeEvent(hf);
    refused(await hf.user('ann').post(queue(event), {}), 409, 'no_waiting_room');
    refused(await hf.user('ann').get(queue(event, `/ent_${'0'.repeat(26)}`)), 404, 'no_such_entry');
    refused(await hf.anyone.get(queue(event)), 409, 'no_waiting_room');
    refused(await hf.admin.get(queue(event)), 409, 'no_waiting_room');
    refused(await hf.admin.patch(queue(event), { paused: true }), 409, 'no_waiting_room');
    refused(await hf.user('ann').post(queue('no-such'), {}), 404, 'no_such_event');
    refused(await hf.anyone.get(queue('no-such')), 404, 'no_such_event');
    refused(await hf.admin.patch(queue('no-such'), { paused: true }), 404, 'no_such_event');
});

test('unknown fields are 400 with their pointer', async () => {
    const event = await closedRoom();
    const say = (body) => hf.app.post(queue(event), body);
    invalid(await say({ user_id: 'ann', position: 1 }), '/position');
    invalid(await say({ user_id: '' }), '/user_id');
    invalid(await say({ user_id: 7 }), '/user_id');
    invalid(await say({ user_id: 'x'.repeat(129) }), '/user_id');
    invalid(await say({ user_id: 'a\u0000b' }));
    invalid(await say({ user_id: 'ann', tiers: [] }), '/tiers');
    invalid(await say({ user_id: 'ann', tiers: 'gold' }), '/tiers');
    invalid(await say({ user_id: 'ann', tiers: ['gold', 'gold'] }), '/tiers/1');
    invalid(await say({ user_id: 'ann', tiers: ['gold', ''] }), '/tiers/1');
    invalid(await say({ user_id: 'ann', tiers: ['gold', 5] }), '/tiers/1');
    invalid(await say({ user_id: 'ann', tiers: Array.from({ length: 17 }, (_, i) => `t${i}`) }), '/tiers');
    invalid(await say('[]'));
    invalid(await say('{"user_id":"ann","user_id":"bob"}'));
    refused(await hf.user('ann').post(queue(event), 'hello', { headers: { 'Content-Type': 'text/plain' } }), 415,
        'unsupported_type');
    assert.equal((await room(hf, event)).joined, 0);
});

test('tiers that an app names come with the entry, and null is none', async () => {
    const event = await closedRoom({ tiers: ['silver'] });
    shown(await hf.app.post(queue(event), { user_id: 'ann', tiers: ['gold', 'VIP lounge "ü"'] }), 201, {
        tiers: ['gold', 'VIP lounge "ü"'],
    });
    shown(await hf.app.post(queue(event), { user_id: 'bob', tiers: null }), 201, { tiers: ['silver'] });
    shown(await hf.user('eve').post(queue(event), {}), 201, { tiers: ['silver'] });
    const plain = await closedRoom();
    const e = await join(hf.user('ann'), plain);
    assert.ok(!('tiers' in e), 'a pass for everything has none');
});

test('a name that needs escaping is a name', async () => {
    const event = await closedRoom();
    const name = 'grün & "blau"/+%\\ 😀';
    const e = await join(hf.app, event, { user_id: name });
    assert.equal((await look(hf.user(name), e)).user_id, name);
    assert.equal((await join(hf.user(name), event)).entry_id, e.entry_id);
});

test('settings of the room: defaults, as put, null is none, and back', async () => {
    const event = await makeEvent(hf, { waiting_room: {} });
    const read = async () => (await hf.anyone.get(`/v1/events/${event}`)).json.waiting_room;
    assert.deepEqual(await read(), {
        open_at: null, rate_per_second: 50, max_active: 0, pass_ttl_seconds: 900, shuffle_before_open: false,
        by_inventory: true, tiers: null,
    });
    const settings = {
        open_at: iso(hf.now() + 1000), rate_per_second: 100000, max_active: 7, pass_ttl_seconds: 1,
        shuffle_before_open: true, by_inventory: false, tiers: ['gold', 'silver'],
    };
    const put = async (waiting_room) => hf.admin.put(`/v1/events/${event}`, { name: 'x', payment: 'none', waiting_room });
    assert.deepEqual((await put(settings)).json.waiting_room, settings);
    assert.deepEqual(await read(), settings);
    assert.equal((await put(await read())).status, 200, 'what is read can be put');
    assert.equal((await put(null)).json.waiting_room, null);
    assert.equal(await read(), null);
    assert.equal((await hf.admin.put(`/v1/events/${event}`, { name: 'x' })).json.waiting_room, null);
    const list = (await hf.anyone.get('/v1/events?limit=1000')).json.data;
    assert.equal(list.find((one) => one.id === event)?.waiting_room ?? null, null);
    for (const secret of ['line_key', 'seed', 'number']) {
        assert.ok(!(secret in (await hf.admin.get(`/v1/events/${event}`)).json), secret);
    }
});

test('invalid settings are 400 with a pointer into waiting_room', async () => {
    const event = await makeEvent(hf);
    const bad = [
        [{ rate_per_second: 0 }, '/rate_per_second'], [{ rate_per_second: 100001 }, '/rate_per_second'],
        [{ rate_per_second: 1.5 }, '/rate_per_second'], [{ rate_per_second: null }, '/rate_per_second'],
        [{ max_active: -1 }, '/max_active'], [{ max_active: 2 ** 31 }, '/max_active'],
        [{ pass_ttl_seconds: 0 }, '/pass_ttl_seconds'], [{ pass_ttl_seconds: 2592001 }, '/pass_ttl_seconds'],
        [{ open_at: 'tomorrow' }, '/open_at'], [{ open_at: 5 }, '/open_at'],
        [{ shuffle_before_open: 'yes' }, '/shuffle_before_open'], [{ by_inventory: 1 }, '/by_inventory'],
        [{ tiers: [] }, '/tiers'], [{ tiers: ['a', 'a'] }, '/tiers/1'], [{ tiers: ['x'.repeat(65)] }, '/tiers/0'],
        [{ tiers: Array.from({ length: 17 }, (_, i) => `t${i}`) }, '/tiers'], [{ rate: 5 }, '/rate'],
    ];
    for (const [waiting_room, pointer] of bad) {
        invalid(await hf.admin.put(`/v1/events/${event}`, { name: 'x', waiting_room }), `/waiting_room${pointer}`);
    }
    invalid(await hf.admin.put(`/v1/events/${event}`, { name: 'x', waiting_room: [] }), '/waiting_room');
    invalid(await hf.admin.put(`/v1/events/${event}`, { name: 'x', waiting_room: true }), '/waiting_room');
    invalid(await hf.admin.put(`/v1/events/${event}`, { name: 'x', waiting_list: 'yes' }), '/waiting_list');
    assert.equal((await hf.anyone.get(`/v1/events/${event}`)).json.waiting_room, null);
});

test('a closed room: joining 409, entries can be read and left, and the same line continues when it is back', async () => {
    const event = await closedRoom();
    const ann = hf.user('ann');
    const e = await join(ann, event);
    const settings = (await hf.anyone.get(`/v1/events/${event}`)).json.waiting_room;
    const put = (waiting_room) => hf.admin.put(`/v1/events/${event}`, { name: 'x', payment: 'none', waiting_room });
    assert.equal((await put(null)).status, 200);
    refused(await hf.user('bob').post(queue(event), {}), 409, 'no_waiting_room');
    refused(await hf.anyone.get(queue(event)), 409, 'no_waiting_room');
    assert.equal((await look(ann, e)).status, 'waiting');
    assert.equal((await put(settings)).status, 200);
    assert.equal((await look(ann, e)).position, 1);
    assert.equal((await join(hf.user('bob'), event)).position, 2);
});

test('a removed event takes its line with it', async () => {
    const event = await closedRoom();
    const e = await join(hf.user('ann'), event);
    assert.equal((await hf.admin.delete(`/v1/events/${event}`)).status, 204);
    refused(await hf.user('ann').get(queue(event, `/${e.entry_id}`)), 404, 'no_such_event');
    refused(await hf.anyone.get(queue(event)), 404, 'no_such_event');
    await makeRoom(hf, { id: event, room: { open_at: iso(hf.now() + 3_600_000) } });
    refused(await hf.user('ann').get(queue(event, `/${e.entry_id}`)), 404, 'no_such_entry');
    assert.equal((await join(hf.user('ann'), event)).position, 1);
});

test('poll_after_seconds is longer far from the front, and spread', ownClock, async () => {
    const event = await closedRoom();
    const told = [];
    for (let i = 0; i < 40; i++) {
        told.push((await join(hf.user(`p${i}`), event)).poll_after_seconds);
    }
    assert.ok(new Set(told).size > 3, `all fall into step: ${told}`);
    assert.ok(told.every((s) => s >= 20), `an hour before the opening nobody needs to ask often: ${told}`);
    const open = await makeRoom(hf, { room: { rate_per_second: 1, max_active: 1 } });
    const first = await join(hf.user('first'), open);
    await becomes(hf, hf.user('first'), first, 'admitted');
    const next = await join(hf.user('next'), open);
    assert.ok(next.poll_after_seconds <= 60);
});

test('the public number: its content, who can read it, and how long it can be cached', async () => {
    const event = await closedRoom();
    await join(hf.user('ann'), event);
    await sign(hf, event, (one) => one.waiting === 1);
    const answer = await hf.anyone.get(queue(event));
    assert.equal(answer.headers['cache-control'], 'public, max-age=1');
    const { open_at } = (await hf.anyone.get(`/v1/events/${event}`)).json.waiting_room;
    assert.deepEqual(answer.json, {
        serving: 0, waiting: 1, admitted_per_second: 0, open_at, paused: false, opened_at: null, draw: null,
    });
    for (const caller of [hf.user('ann'), hf.app, await hf.key('door')]) {
        assert.deepEqual((await caller.get(queue(event))).json, answer.json, `${caller.name} sees what all see`);
    }
    const headers = { 'If-None-Match': answer.headers.etag };
    const same = await hf.eventually(() => hf.anyone.get(queue(event), { headers }), (one) => one.status === 304, '304');
    assert.equal(same.text, '');
    assert.equal((await hf.anyone.head(queue(event))).headers['content-length'], String(answer.size));
    assert.match(answer.headers.vary, /Authorization/, 'a cache must not show it to the admin');
    assert.ok(answer.seq >= 0);
});

test('the admin sees more, without caching', async () => {
    const event = await closedRoom({ max_active: 9, tiers: ['gold'] });
    const e = await join(hf.user('ann'), event);
    await join(hf.user('bob'), event);
    await hf.user('ann').delete(queue(event, `/${e.entry_id}`));
    const answer = await hf.admin.get(queue(event));
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { open_at } = (await hf.anyone.get(`/v1/events/${event}`)).json.waiting_room;
    assert.deepEqual(answer.json, {
        serving: 0, waiting: 1, admitted_per_second: 0, open_at, paused: false, opened_at: null, draw: null,
        rate_per_second: 50, max_active: 9, pass_ttl_seconds: 900, shuffle_before_open: false, by_inventory: false,
        tiers: ['gold'], active: 0, passed_over: 0, finished: 0, left: 1, joined: 2,
    });
    refused(await hf.user('ann').patch(queue(event), {}), 403, 'forbidden');
    refused(await hf.app.patch(queue(event), {}), 403, 'forbidden');
    refused(await hf.anyone.patch(queue(event), {}), 401, 'unauthenticated');
});

test('naming the wrong owner of an entry is refused, for every role; for a user before any lookup', async () => {
    const event = await makeRoom(hf, {
        seats: 'A1', waiting_list: true, room: { open_at: iso(hf.now() + 3_600_000) },
    });
    const ann = hf.user('ann');
    const entered = await join(ann, event);
    const listed = (await hf.admin.post(`/v1/events/${event}/waiting-list`, { user_id: 'ann', quantity: 1 })).json;
    for (const target of [queue(event, `/${entered.entry_id}`), `/v1/events/${event}/waiting-list/${listed.entry_id}`]) {
        for (const caller of [ann, hf.app, hf.admin]) {
            assert.equal((await caller.get(`${target}?user_id=ann`)).json.user_id, 'ann');
            refused(await caller.get(`${target}?user_id=bob`), 403, 'not_owner');
            refused(await caller.delete(`${target}?user_id=bob`), 403, 'not_owner');
        }
        refused(await hf.user('bob').get(`${target}?user_id=bob`), 404, 'no_such_entry');
        refused(await ann.get(`${target.replace(event, 'no-such')}?user_id=bob`), 403, 'not_owner');
        invalid(await ann.get(`${target}?user_id=`));
        assert.equal((await ann.delete(`${target}?user_id=ann`)).json.status, 'left');
    }
});
