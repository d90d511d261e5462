/* SPDX-License-Identifier: Apache-2.0 */
/* Allotments: allotted seats look blocked to everyone, and are sold to callers who may have them. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, ownProcess } = require('./lib/server.js');
const { Client } = require('./lib/http.js');
const { makeEvent, items, hold, availability, counts, seatStatus } = require('./lib/catalogue.js');
const { waitingList, listed, wishBecomes } = require('./lib/entries.js');
const { refused, invalid, granted, seatsOf } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const seatsPath = (event) => `/v1/events/${event}/seats`;
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const create = (caller, wanted, more = {}) => caller.post('/v1/reservations', { items: wanted, ...more });
const staff = (caller, wanted, more = {}) => create(caller, wanted, { user_id: 'ann', ...more });
const from = (event, text, allotment) => items(event, text).map((one) => ({ ...one, allotment }));

async function patch(server, event, body, wanted) {
    const answer = await server.admin.patch(seatsPath(event), body);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json, { ...wanted, updated: wanted.changed });
}

/* Seats A1-A9, of which these are allotted. */
async function allotted(server, text, allotment, more = {}) {
    const event = await makeEvent(server, { seats: 'A1-A9', ...more });
    const ids = items(event, text).map((one) => one.seat);
    await patch(server, event, { ids, set_allotment: allotment }, { changed: ids.length, skipped: 0 });
    return event;
}

test('allotted seats look blocked to everyone, in every view', async () => {
    const event = await allotted(hf, 'A1 A2', 'sponsors');
    assert.equal(await seatStatus(hf, event, 'A1'), 'blocked');
    const { seats } = await availability(hf, event);
    assert.deepEqual([seats.A1, seats.A2, seats.A3], ['blocked', 'blocked', 'available']);
    assert.equal((await availability(hf, event, '?format=map')).map, 'bbaaaaaaa');
    assert.deepEqual(await counts(hf, event), { seats: 9, available: 7, held: 0, sold: 0, blocked: 2 });
    const answer = await create(ann(), items(event, 'A1 A3'));
    refused(answer, 409, 'taken');
    assert.equal(answer.json.detail, 'This seat is not on sale.');
    assert.deepEqual(answer.json.items, [{ item: 0, event, seat: 'A1', status: 'blocked' }]);
    refused(await staff(hf.app, items(event, 'A1')), 409, 'taken');
    refused(await staff(hf.admin, items(event, 'A1')), 409, 'taken');
});

test('app and admin can claim by naming the allotment; only they see it, and freed seats return to it', async () => {
    const event = await allotted(hf, 'A1-A3', 'sponsors');
    const r = granted(await staff(hf.app, [...from(event, 'A1', 'sponsors'), ...items(event, 'A9')]), 201);
    assert.deepEqual(r.items.map((one) => one.allotment), ['sponsors', undefined]);
    assert.equal(await seatStatus(hf, event, 'A1'), 'held');
    assert.deepEqual(await counts(hf, event), { seats: 9, available: 5, held: 2, sold: 0, blocked: 2 });
    assert.equal(granted(await hf.admin.get(path(r)), 200).items[0].allotment, 'sponsors');
    granted(await ann().get(path(r)), 200).items.forEach((one) => assert.equal(one.allotment, undefined));
    const options = hf.since(await hf.anyone.get('/healthz'));
    const told = async (caller) => (await caller.get(path(r, '/history'), options)).json.data[0].what.items[0].after;
    assert.equal((await told(hf.app)).allotment, 'sponsors');
    assert.equal((await told(ann())).allotment, undefined);
    granted(await ann().post(path(r, '/release'), {}), 200);
    assert.equal(await seatStatus(hf, event, 'A1'), 'blocked');
    assert.equal(await seatStatus(hf, event, 'A9'), 'available');
    granted(await staff(hf.admin, from(event, 'A1', 'sponsors'), { commit: true }), 201);
    assert.equal(await seatStatus(hf, event, 'A1'), 'sold');
});

test('users may not name an allotment, and apps may not name "blocked"', async () => {
    const event = await allotted(hf, 'A1', 'sponsors');
    refused(await create(ann(), from(event, 'A1', 'sponsors')), 403, 'forbidden');
    refused(await create(ann(), from(event, 'A2', 'sponsors')), 403, 'forbidden');
    refused(await create(ann(), [{ event, best: { quantity: 1, allotment: 'sponsors' } }]), 403, 'forbidden');
    refused(await create(ann(), from(event, 'A1', 'blocked')), 403, 'forbidden');
    refused(await staff(hf.app, from(event, 'A1', 'blocked')), 403, 'forbidden');
    const r = await hold(ann(), items(event, 'A5'));
    refused(await ann().post(path(r, '/items'), from(event, 'A1', 'sponsors')[0]), 403, 'forbidden');
    invalid(await staff(hf.app, from(event, 'A1', 'a b')), '/items/0/allotment');
    const twice = { event, best: { quantity: 1, allotment: 'x' }, allotment: 'x' };
    invalid(await staff(hf.app, [twice]), '/items/0/allotment');
    invalid(await staff(hf.app, [{ calendar: 'c', start: '2030-01-01T00:00:00Z', service: 's', allotment: 'x' }]),
        '/items/0/allotment');
});

test('the wrong allotment is not_on_sale; seats on public sale can be claimed with any name', async () => {
    const event = await allotted(hf, 'A1', 'sponsors');
    refused(await staff(hf.app, from(event, 'A1', 'club')), 409, 'taken');
    const r = granted(await staff(hf.app, from(event, 'A5', 'club')), 201);
    assert.equal(r.items[0].allotment, undefined);
});

test('best takes from the named allotment, and otherwise from seats in none', async () => {
    const event = await allotted(hf, 'A4-A6', 'sponsors');
    const best = (more, quantity = 2) => [{ event, best: { quantity, ...more } }];
    const r = granted(await staff(hf.app, best({ allotment: 'sponsors' })), 201);
    assert.deepEqual(seatsOf(r).map((seat) => ['A4', 'A5', 'A6'].includes(seat)), [true, true]);
    const none = await staff(hf.app, best({ allotment: 'sponsors' }));
    refused(none, 409, 'sold_out');
    assert.equal(none.json.items[0].best.allotment, 'sponsors');
    refused(await staff(hf.app, best({ allotment: 'nobody' })), 409, 'sold_out');
    refused(await create(ann(), best({}, 7)), 409, 'sold_out');
    const rest = granted(await create(ann(), best({}, 6)), 201);
    assert.deepEqual(seatsOf(rest).sort(), ['A1', 'A2', 'A3', 'A7', 'A8', 'A9']);
    const [wanted] = best({}, 1);
    granted(await staff(hf.app, [{ ...wanted, allotment: 'sponsors' }]), 201);
});

test('admins claim blocked seats by name; blocked takes precedence over an allotment', async () => {
    const event = await allotted(hf, 'A1 A2', 'x');
    await patch(hf, event, { ids: ['A2', 'A3'], blocked: true }, { changed: 2, skipped: 0 });
    refused(await staff(hf.app, from(event, 'A2', 'x')), 409, 'taken');
    refused(await staff(hf.admin, from(event, 'A1', 'blocked')), 409, 'taken');
    const r = granted(await staff(hf.admin, from(event, 'A2 A3', 'blocked')), 201);
    assert.deepEqual(r.items.map((one) => one.allotment), ['blocked', 'blocked']);
    assert.equal(await seatStatus(hf, event, 'A3'), 'held');
    granted(await hf.admin.post(path(r, '/release'), {}), 200);
    assert.equal(await seatStatus(hf, event, 'A3'), 'blocked');
    const house = granted(await staff(hf.admin, [{ event, best: { quantity: 2, allotment: 'blocked' } }]), 201);
    assert.deepEqual(seatsOf(house).sort(), ['A2', 'A3']);
});

test('PATCH by ids is all or nothing; by allotment the claimed ones follow', async () => {
    const event = await allotted(hf, 'A1-A4', 'x');
    const r = granted(await staff(hf.app, from(event, 'A1', 'x')), 201);
    for (const body of [{ set_allotment: 'y' }, { set_allotment: null }, { blocked: true }]) {
        const answer = await hf.admin.patch(seatsPath(event), { ids: ['A2', 'A1'], ...body });
        refused(answer, 409, 'taken');
        assert.deepEqual(answer.json.items, [{ item: 1, event, seat: 'A1', status: 'held' }]);
    }
    refused(await hf.admin.patch(seatsPath(event), { ids: ['Z9'], set_allotment: 'y' }), 404, 'no_such_seat');
    await patch(hf, event, { allotment: 'x', set_allotment: 'y' }, { changed: 3, skipped: 1 });
    await patch(hf, event, { allotment: 'x', set_allotment: 'z' }, { changed: 0, skipped: 0 });
    refused(await staff(hf.app, from(event, 'A2', 'x')), 409, 'taken');
    granted(await ann().post(path(r, '/release'), {}), 200);
    const again = granted(await staff(hf.app, from(event, 'A1 A2', 'y')), 201);
    await patch(hf, event, { allotment: 'y', set_allotment: null, blocked: false }, { changed: 2, skipped: 2 });
    assert.deepEqual(await counts(hf, event), { seats: 9, available: 7, held: 2, sold: 0, blocked: 0 });
    granted(await ann().post(path(again, '/release'), {}), 200);
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
});

test('a large allotment is moved in slices, and counted as a whole', async () => {
    const event = await makeEvent(hf);
    const many = Array.from({ length: 5000 }, (_, i) => ({ id: `S${i}`, allotment: 'x' }));
    assert.equal((await hf.admin.post(seatsPath(event), many)).status, 201);
    granted(await staff(hf.app, from(event, 'S0 S4999', 'x')), 201);
    await patch(hf, event, { allotment: 'x', blocked: true }, { changed: 4998, skipped: 2 });
    await patch(hf, event, { allotment: 'x', set_allotment: 'y', blocked: false }, { changed: 4998, skipped: 2 });
    await patch(hf, event, { allotment: 'x', set_allotment: null }, { changed: 0, skipped: 0 });
    await patch(hf, event, { allotment: 'y', set_allotment: null }, { changed: 4998, skipped: 2 });
    assert.deepEqual(await counts(hf, event), { seats: 5000, available: 4998, held: 2, sold: 0, blocked: 0 });
});

test('PATCH names the seats and the change', async () => {
    const event = await allotted(hf, 'A1', 'x');
    const call = (body) => hf.admin.patch(seatsPath(event), body);
    invalid(await call({ ids: ['A1'], allotment: 'x', blocked: true }), '/allotment');
    invalid(await call({ blocked: true }), '/ids');
    invalid(await call({ ids: ['A1'] }), '/blocked');
    invalid(await call({ allotment: 'x' }), '/blocked');
    invalid(await call({ ids: ['A1'], set_allotment: 'blocked' }), '/set_allotment');
    invalid(await call({ ids: ['A1'], set_allotment: '' }), '/set_allotment');
    invalid(await call({ allotment: 'blocked', blocked: true }), '/allotment');
    refused(await hf.app.patch(seatsPath(event), { ids: ['A1'], blocked: true }), 403, 'forbidden');
});

test('imports set, keep and clear the allotment; no allotment is called blocked', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const csv = (body) => hf.admin.call('POST', seatsPath(event), { body, headers: { 'content-type': 'text/csv' } });
    const map = async () => (await availability(hf, event, '?format=map')).map;
    assert.equal((await csv('id,allotment\nA1,x\nA2,x\nA4,y\n')).status, 201);
    assert.equal(await map(), 'bbab');
    assert.equal((await csv('id,tier\nA1,gold\n')).status, 201);
    assert.equal(await map(), 'bbab');
    assert.equal((await csv('id,allotment\nA1,\n')).status, 201);
    assert.equal(await map(), 'abab');
    assert.equal((await hf.admin.post(seatsPath(event), [{ id: 'A2', allotment: null }, { id: 'A1', allotment: 'x' }]))
        .status, 201);
    assert.equal(await map(), 'baab');
    const bad = await csv('id,allotment\nA1,blocked\n');
    assert.deepEqual([bad.status, bad.json.code, bad.json.line], [400, 'invalid', 2]);
    invalid(await hf.admin.post(seatsPath(event), [{ id: 'A1', allotment: 'blocked' }]), '/0/allotment');
    invalid(await hf.admin.put(`/v1/events/${event}/pools/p`, { capacity: 1, allotment: 'blocked' }), '/allotment');
    invalid(await hf.admin.post(`/v1/events/${event}/codes`, [{ code: 'abcd', allotment: 'blocked' }]), '/0/allotment');
    granted(await staff(hf.app, from(event, 'A1', 'x')), 201);
    assert.equal((await csv('id,allotment\nA1,x\n')).status, 201, 'what is so already may come again');
    refused(await csv('id,allotment\nA2,y\nA1,y\n'), 409, 'taken');
    assert.equal(await map(), 'haab');
    const layout = (await hf.anyone.get(seatsPath(event))).json.seats;
    layout.forEach((seat) => assert.equal(seat.allotment, undefined));
});

test('a pool of an allotment has nothing for the public, in every view', async () => {
    const event = await makeEvent(hf, { pools: { floor: { capacity: 5, allotment: 'x' }, other: 3 } });
    const floor = `/v1/events/${event}/pools/floor`;
    assert.equal((await hf.anyone.get(floor)).json.available, 0);
    assert.deepEqual((await availability(hf, event)).pools.floor, { capacity: 5, available: 0 });
    assert.deepEqual((await hf.anyone.get(`/v1/events/${event}`)).json.counts.pools, { capacity: 8, available: 3 });
    const wanted = (quantity, more) => [{ event, pool: 'floor', quantity, ...more }];
    refused(await create(ann(), wanted(1)), 409, 'sold_out');
    refused(await staff(hf.app, wanted(1)), 409, 'sold_out');
    refused(await create(ann(), wanted(1, { allotment: 'x' })), 403, 'forbidden');
    const stream = await hf.anyone.stream(`/v1/events/${event}/stream`);
    assert.equal((await stream.next()).name, 'reset');
    const r = granted(await staff(hf.app, wanted(4, { allotment: 'x' })), 201);
    assert.equal(r.items[0].allotment, 'x');
    assert.deepEqual((await stream.next()).json, { id: 'floor', available: 0 });
    refused(await staff(hf.app, wanted(2, { allotment: 'x' })), 409, 'sold_out');
    assert.equal((await hf.admin.put(floor, { capacity: 5 })).json.available, 1);
    assert.deepEqual((await stream.next()).json, { id: 'floor', available: 1 });
    stream.close();
});

test('a code that carries an allotment opens it, and is counted there alone', async () => {
    const event = await allotted(hf, 'A1-A3', 'x');
    const codes = [{ code: 'carrier', units: 2, allotment: 'x' }, { code: 'plain' }];
    assert.equal((await hf.admin.post(`/v1/events/${event}/codes`, codes)).status, 201);
    const used = async () => (await hf.admin.get(`/v1/events/${event}/codes`)).json.data[0].used;
    refused(await create(ann(), items(event, 'A1'), { code: 'wrong' }), 403, 'code_invalid');
    refused(await create(ann(), items(event, 'A1'), { code: 'plain' }), 409, 'taken');
    const r = granted(await create(ann(), items(event, 'A1 A9'), { code: 'Carrier' }), 201);
    assert.equal(await used(), 1);
    const told = granted(await hf.app.get(path(r)), 200).items;
    assert.deepEqual(told.map((one) => [one.code, one.allotment]), [['carrier', 'x'], [undefined, undefined]]);
    refused(await create(ann(), items(event, 'A2 A3'), { code: 'carrier' }), 409, 'code_used');
    const best = granted(await create(ann(), [{ event, best: { quantity: 1 } }], { code: 'carrier' }), 201);
    assert.ok(['A2', 'A3'].includes(seatsOf(best)[0]));
    granted(await ann().post(path(r, '/release'), {}), 200);
    assert.equal(await used(), 1);
});

test('where access is by code an app that names the allotment needs none', async () => {
    const event = await allotted(hf, 'A1', 'x', { access: 'code' });
    refused(await staff(hf.app, items(event, 'A1')), 403, 'code_required');
    refused(await staff(hf.app, from(event, 'A2', 'x')), 403, 'code_required');
    granted(await staff(hf.app, from(event, 'A1', 'x')), 201);
});

test('freed seats of an allotment are offered to list entries whose code carries it', async () => {
    const event = await allotted(hf, 'A1', 'x', { seats: 'A1 A2', waiting_list: true });
    assert.equal((await hf.admin.post(`/v1/events/${event}/codes`, [{ code: 'carrier', allotment: 'x' }])).status, 201);
    const x = granted(await staff(hf.app, from(event, 'A1', 'x')), 201);
    await hold(ann(), items(event, 'A2'));
    const bob = hf.user('bob'), cat = hf.user('cat');
    const first = listed(await bob.post(waitingList(event), { quantity: 1 }), 201);
    refused(await cat.post(waitingList(event), { quantity: 1, code: 'wrong' }), 403, 'code_invalid');
    const second = listed(await cat.post(waitingList(event), { quantity: 1, code: 'carrier' }), 201);
    granted(await ann().post(path(x, '/release'), {}), 200);
    const offer = await wishBecomes(hf, cat, { event, ...second }, 'offered');
    const r = granted(await cat.get(`/v1/reservations/${offer.reservation_id}`), 200);
    assert.deepEqual(seatsOf(r), ['A1']);
    listed(await bob.get(waitingList(event, `/${first.entry_id}`)), 200, { status: 'waiting' });
});

test('a copied event has the blocks and the allotments', async () => {
    const event = await allotted(hf, 'A1', 'x', { pools: { floor: { capacity: 2, allotment: 'x' } } });
    granted(await staff(hf.app, from(event, 'A1', 'x')), 201);
    const copy = await makeEvent(hf, { copy_seats_from: event });
    assert.equal(await seatStatus(hf, copy, 'A1'), 'blocked');
    assert.deepEqual((await availability(hf, copy)).pools.floor, { capacity: 2, available: 0 });
    granted(await staff(hf.app, from(copy, 'A1', 'x')), 201);
});

test('the last seat of an allotment: only the app gets it, and it is never shown as available', async () => {
    const users = Array.from({ length: 16 }, (_, i) => ({ user: hf.user(`racer${i}`), client: new Client(hf.url) }));
    for (let round = 0; round < 8; round++) {
        const event = await makeEvent(hf, { seats: [{ id: 'A1', allotment: 'x' }] });
        const stream = await hf.anyone.stream(`/v1/events/${event}/stream`);
        await stream.next();
        let over = false;
        const seen = new Set();
        const watch = async () => {
            while (!over) {
                seen.add((await availability(hf, event)).seats.A1);
                seen.add(await seatStatus(hf, event, 'A1'));
            }
        };
        const watching = watch();
        const attempts = users.flatMap(({ user, client }, i) => [
            user.post('/v1/reservations', { items: items(event, 'A1') }, { client }),
            user.post('/v1/reservations', { items: [{ event, best: { quantity: 1 } }] }, { client }),
            ...(i % 4 ? [] : [staff(hf.app, from(event, 'A1', 'x'))]),
        ]);
        const answers = await Promise.all(attempts);
        const won = answers.filter((answer) => answer.status === 201);
        assert.equal(won.length, 1, 'one of the app, and none of the users');
        answers.filter((answer) => answer.status !== 201).forEach((answer) =>
            refused(answer, 409, answer.json.code === 'sold_out' ? 'sold_out' : 'taken'));
        const r = granted(await hf.app.get(path(won[0].json)), 200);
        assert.equal(r.items[0].allotment, 'x');
        granted(await hf.app.post(path(r, '/release'), {}), 200);
        const late = await Promise.all(users.map(({ user, client }) =>
            user.post('/v1/reservations', { items: items(event, 'A1') }, { client })));
        late.forEach((answer) => refused(answer, 409, 'taken'));
        assert.deepEqual([(await stream.next()).json.status, (await stream.next()).json.status], ['held', 'blocked']);
        over = true;
        await watching;
        stream.close();
        assert.ok(!seen.has('available') && seen.has('blocked'), [...seen].join());
    }
    users.forEach(({ client }) => client.close());
});

for (const kill of [false, true]) {
    test(`allotments survive ${kill ? 'kill -9' : 'SIGTERM'}`, ownProcess, async () => {
        const own = await new Server().start();
        own.app = await own.key('app');
        const event = await allotted(own, 'A1-A4', 'x', { pools: { floor: { capacity: 2, allotment: 'x' } } });
        assert.equal((await own.admin.post(`/v1/events/${event}/codes`, [{ code: 'carrier', allotment: 'x' }])).status, 201);
        const r = granted(await staff(own.app, [...from(event, 'A1', 'x'),
            { event, pool: 'floor', quantity: 1, allotment: 'x' }]), 201);
        await patch(own, event, { allotment: 'x', blocked: true }, { changed: 3, skipped: 1 });
        const before = await availability(own, event);
        await own.restart({ kill });
        const after = await availability(own, event);
        assert.deepEqual([after.seats, after.pools], [before.seats, before.pools]);
        assert.deepEqual(granted(await own.app.get(path(r)), 200).items.map((one) => one.allotment), ['x', 'x']);
        granted(await own.app.post(path(r, '/release'), {}), 200);
        refused(await staff(own.app, from(event, 'A1', 'x')), 409, 'taken');
        await patch(own, event, { allotment: 'x', blocked: false }, { changed: 4, skipped: 0 });
        granted(await create(own.user('ann'), items(event, 'A1'), { code: 'carrier' }), 201);
        await own.close();
    });
}

test('app and admin see the allotment of a seat; nobody else does, and the layout never has it', async () => {
    const event = await allotted(hf, 'A1', 'sponsors');
    for (const caller of [hf.app, hf.admin]) {
        assert.equal((await caller.get(`${seatsPath(event)}/A1`)).json.allotment, 'sponsors');
        assert.equal((await caller.get(`${seatsPath(event)}/A2`)).json.allotment, null);
    }
    for (const caller of [hf.anyone, ann()]) {
        assert.ok(!('allotment' in (await caller.get(`${seatsPath(event)}/A1`)).json));
    }
    assert.ok(!(await hf.admin.get(seatsPath(event))).text.includes('allotment'));
});

test('a pool keeps its allotment when app or admin PUT what they read', async () => {
    const event = await makeEvent(hf, { pools: { house: { capacity: 5, allotment: 'sponsors' }, floor: 5 } });
    const pools = `/v1/events/${event}/pools`;
    for (const caller of [hf.app, hf.admin]) {
        assert.deepEqual((await caller.get(pools)).json.data.map((one) => one.allotment), ['sponsors', null]);
        for (const [id, allotment] of [['house', 'sponsors'], ['floor', null]]) {
            const seen = (await caller.get(`${pools}/${id}`)).json;
            assert.equal(seen.allotment, allotment);
            const put = await hf.admin.put(`${pools}/${id}`, seen);
            assert.equal(put.status, 200, put.text);
            assert.deepEqual(put.json, seen);
        }
    }
    assert.equal((await hf.anyone.get(`${pools}/house`)).json.available, 0);
    for (const caller of [hf.anyone, ann()]) {
        for (const at of [pools, `${pools}/house`, `${pools}/floor`]) {
            assert.ok(!(await caller.get(at)).text.includes('allotment'), at);
        }
    }
});
