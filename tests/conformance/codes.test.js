/* SPDX-License-Identifier: Apache-2.0 */
/* Codes: with one a caller can claim what its event restricts, up to its units; codes cannot be guessed. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, unique, ownProcess, ownClock } = require('./lib/server.js');
const { makeEvent, seats, items, hold } = require('./lib/catalogue.js');
const { waitingList, queue, listed } = require('./lib/entries.js');
const { refused, invalid, granted, seatsOf } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const create = (caller, body) => caller.post('/v1/reservations', body);
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const codesOf = (event, rest = '') => `/v1/events/${event}/codes${rest}`;
const csv = (server, event, body) =>
    server.admin.call('POST', codesOf(event), { body, headers: { 'content-type': 'text/csv' } });

/* An event of restricted access that has these codes. */
async function restricted(server, codes, more = {}) {
    const event = await makeEvent(server, { seats: 'A1-A9', pools: { floor: 9 }, access: 'code', ...more });
    if (codes) {
        const made = await server.admin.post(codesOf(event), codes);
        assert.equal(made.status, 201, made.text);
        assert.deepEqual(made.json, { created: codes.length, updated: 0 });
    }
    return event;
}

async function used(server, event) {
    const { json } = await server.admin.get(codesOf(event));
    return Object.fromEntries(json.data.map((one) => [one.code, one.used]));
}

test('access is open by default, and only these two words are settings', async () => {
    const event = unique();
    const put = (more) => hf.admin.put(`/v1/events/${event}`, { name: 'Codes', ...more });
    assert.equal((await put({})).json.access, 'open');
    assert.equal((await put({ access: 'code' })).json.access, 'code');
    assert.equal((await hf.anyone.get(`/v1/events/${event}`)).json.access, 'code');
    invalid(await put({ access: 'closed' }), '/access');
    invalid(await put({ access: null }), '/access');
});

test('a hold needs a code of the event; only app and admin see the code', async () => {
    const event = await restricted(hf, [{ code: 'Pre-Sale' }]);
    const other = await restricted(hf, [{ code: 'elsewhere' }]);
    refused(await create(ann(), { items: items(event, 'A1') }), 403, 'code_required');
    refused(await create(hf.app, { user_id: 'ann', items: items(event, 'A1') }), 403, 'code_required');
    refused(await create(ann(), { items: items(event, 'A1'), code: 'nope' }), 403, 'code_invalid');
    refused(await create(ann(), { items: items(event, 'A1'), code: 'elsewhere' }), 403, 'code_invalid');
    invalid(await create(ann(), { items: items(event, 'A1'), code: 'abc' }), '/code');
    invalid(await create(ann(), { items: [{ event, seat: 'A1', code: 'a b c d' }] }), '/items/0/code');
    invalid(await create(ann(), { items: [{ calendar: 'c', start: 0, code: 'abcd' }] }), '/items/0/start');
    const r = granted(await create(ann(), { resource_id: `${event}/A1`, code: 'PRE-SALE' }), 201);
    assert.equal(r.items[0].code, undefined);
    const wanted = [...items(event, 'A2'), { event: other, pool: 'floor', quantity: 2, code: 'ELSEWHERE' }];
    const both = granted(await create(hf.app, { user_id: 'ann', items: wanted, code: 'pre-sale' }), 201);
    assert.deepEqual(both.items.map((one) => one.code), ['Pre-Sale', 'elsewhere']);
    assert.equal(granted(await hf.admin.get(path(r)), 200).items[0].code, 'Pre-Sale');
    granted(await ann().get(path(both)), 200).items.forEach((one) => assert.equal(one.code, undefined));
    granted(await create(hf.admin, { user_id: 'ann', items: items(event, 'A3') }), 201);
    const { json: mine } = await ann().get('/v1/reservations', { atLeast: 3 });
    mine.data.flatMap((one) => one.items).forEach((one) => assert.equal(one.code, undefined));
});

test('added items need a code too: their own, or that of the request', async () => {
    const event = await restricted(hf, [{ code: 'first' }, { code: 'second' }]);
    const r = granted(await create(hf.app, { user_id: 'ann', items: items(event, 'A1'), code: 'first' }), 201);
    refused(await ann().post(path(r, '/items'), items(event, 'A2')[0]), 403, 'code_required');
    granted(await hf.app.post(path(r, '/items'), { ...items(event, 'A2')[0], code: 'second' }), 201);
    const wanted = { items: [...items(event, 'A3'), { event, seat: 'A4', code: 'second' }], code: 'first' };
    const now = granted(await hf.app.post(path(r, '/items'), wanted), 201);
    assert.deepEqual(now.items.map((one) => one.code), ['first', 'second', 'first', 'second']);
    assert.deepEqual(await used(hf, event), { first: 2, second: 2 });
});

test('tiers: only the named ones, and best picks only from them', async () => {
    const facts = [...seats('A1-A2', { tier: 'gold' }), ...seats('B1-B2', { tier: 'tin' })];
    const event = await restricted(hf, [{ code: 'tinny', tiers: ['tin'] }], { seats: facts });
    refused(await create(ann(), { items: items(event, 'A1'), code: 'tinny' }), 403, 'code_invalid');
    refused(await create(ann(), { items: [{ event, pool: 'floor' }], code: 'tinny' }), 403, 'code_invalid');
    const best = granted(await create(ann(), { items: [{ event, best: { quantity: 1 } }], code: 'tinny' }), 201);
    assert.equal(seatsOf(best)[0][0], 'B');
    refused(await ann().patch(path(best, '/items/1'), { seat: 'A2' }), 403, 'code_invalid');
    const free = seatsOf(best)[0] === 'B1' ? 'B2' : 'B1';
    granted(await ann().patch(path(best, '/items/1'), { seat: free }), 200);
    assert.deepEqual(await used(hf, event), { tinny: 1 });
});

test('units: given back by drop, release and expiry, kept by a sale', ownClock, async () => {
    const event = await restricted(hf, [{ code: 'twice', units: 2 }], { payment: 'none', hold_ttl_seconds: 60 });
    const two = granted(await create(ann(), { items: items(event, 'A1 A2'), code: 'twice' }), 201);
    refused(await create(hf.user('bob'), { items: items(event, 'A3'), code: 'twice' }), 409, 'code_used');
    await ann().delete(path(two, '/items/1'));
    const one = granted(await create(hf.user('bob'), { items: items(event, 'A3'), code: 'TWICE' }), 201);
    granted(await hf.user('bob').post(path(one, '/commit'), {}), 200);
    assert.deepEqual(await used(hf, event), { twice: 2 });
    hf.clock.advance(61_000);
    granted(await create(hf.user('cat'), { items: items(event, 'A4'), code: 'twice' }), 201);
    refused(await create(hf.user('dan'), { items: items(event, 'A5'), code: 'twice' }), 409, 'code_used');
});

test('two units against 64 holds of one: exactly two', async () => {
    const event = await restricted(hf, [{ code: 'pairs', units: 2 }], { seats: 'A1-A64' });
    const asks = Array.from({ length: 64 }, (_, i) =>
        create(hf.user(`racer${i}`), { items: items(event, `A${i + 1}`), code: 'pairs' }));
    const answers = await Promise.all(asks);
    assert.equal(answers.filter((one) => one.status === 201).length, 2);
    answers.filter((one) => one.status !== 201).forEach((one) => refused(one, 409, 'code_used'));
    assert.deepEqual(await used(hf, event), { pairs: 2 });
});

test('waiting needs a code that exists, and uses none', async () => {
    const event = await restricted(hf, [{ code: 'single', units: 1 }], {
        seats: 'A1', waiting_list: true, waiting_room: { rate_per_second: 1000 },
    });
    for (const [target, body] of [[queue(event), {}], [waitingList(event), { quantity: 1 }]]) {
        refused(await ann().post(target, body), 403, 'code_required');
        refused(await ann().post(target, { ...body, code: 'nope' }), 403, 'code_invalid');
    }
    assert.equal((await ann().post(queue(event), { code: 'Single' })).status, 201);
    const taken = granted(await create(hf.admin, { user_id: 'bob', items: items(event, 'A1') }), 201);
    const e = listed(await ann().post(waitingList(event), { quantity: 1, code: 'Single' }), 201);
    assert.deepEqual(await used(hf, event), { single: 0 });
    await hf.admin.delete(path(taken));
    const offered = (await ann().get(waitingList(event, `/${e.entry_id}`))).json;
    assert.equal(offered.status, 'offered');
    assert.equal(granted(await hf.admin.get(path(offered)), 200).items[0].code, 'single');
    assert.deepEqual(await used(hf, event), { single: 1 });
});

test('import: JSON and CSV, added or updated, and used counts stay', async () => {
    const event = await restricted(hf, [{ code: 'keep', units: 3, tiers: ['gold', 'tin'], allotment: 'friends' }]);
    const text = '\uFEFFunits,code,tiers,allotment\r\n5,KEEP,,\r\n,plain,gold; tin,friends\n\n0,"other","a b",\n';
    assert.deepEqual((await csv(hf, event, text)).json, { created: 2, updated: 1 });
    assert.deepEqual((await hf.admin.get(codesOf(event))).json, {
        data: [
            { code: 'KEEP', units: 5, used: 0, tiers: null, allotment: null },
            { code: 'plain', units: 0, used: 0, tiers: ['gold', 'tin'], allotment: 'friends' },
            { code: 'other', units: 0, used: 0, tiers: ['a', 'b'], allotment: null },
        ],
        next_cursor: null,
    });
    const first = (await hf.admin.get(`${codesOf(event)}?limit=2`)).json;
    assert.equal(first.data.length, 2);
    const rest = (await hf.admin.get(`${codesOf(event)}?limit=2&cursor=${first.next_cursor}`)).json;
    assert.deepEqual(rest.data.map((one) => one.code), ['other']);
    assert.equal(rest.next_cursor, null);
});

test('one wrong line, and nothing is changed', async () => {
    const event = await restricted(hf, [{ code: 'keep', units: 1 }]);
    const before = (await hf.admin.get(codesOf(event))).json;
    for (const [text, line] of [
        ['code,units\nkeep,2\nabc,1\n', 3], ['code,units\nkeep,2\nfine,-1\n', 3], ['code,unit\nkeep,2\n', 1],
        ['units\n2\n', 1], ['code\nsame\nSAME\n', 3], ['code,units\nkeep\n', 2], ['code\n', 1],
        ['code,units\nkeep,1000000001\n', 2], ['code,allotment\nkeep,a b\n', 2],
    ]) {
        const answer = await csv(hf, event, text);
        assert.equal(answer.status, 400, text);
        assert.equal(answer.json.line, line, answer.text);
    }
    const bad = (body, pointer) => hf.admin.post(codesOf(event), body).then((answer) => invalid(answer, pointer));
    await bad([{ code: 'keep', units: 2 }, { code: 'abc' }], '/1/code');
    await bad([{ code: 'keep', units: 2 }, { units: 1 }], '/1/code');
    await bad([{ code: 'keep' }, { code: 'KEEP' }], '/1/code');
    await bad([{ code: 'keep', units: 1.5 }], '/0/units');
    await bad([{ code: 'keep', tiers: [] }], '/0/tiers');
    await bad([{ code: 'keep', seats: 1 }], '/0/seats');
    await bad([], '');
    assert.deepEqual((await hf.admin.get(codesOf(event))).json, before);
    refused(await hf.admin.post(codesOf(unique()), [{ code: 'keep' }]), 404, 'no_such_event');
    refused(await hf.admin.get(codesOf(unique())), 404, 'no_such_event');
});

test('more than one step imports: all of them, once', async () => {
    const event = await restricted(hf);
    const lines = Array.from({ length: 2500 }, (_, i) => `bulk-${i},1`);
    assert.deepEqual((await csv(hf, event, `code,units\n${lines.join('\n')}`)).json, { created: 2500, updated: 0 });
    assert.deepEqual((await csv(hf, event, `code,units\n${lines.join('\n')}`)).json, { created: 0, updated: 2500 });
    granted(await create(ann(), { items: items(event, 'A1'), code: 'bulk-2499' }), 201);
});

test('removed: 204, then 404; invalid for new claims, and back with its used count', async () => {
    const event = await restricted(hf, [{ code: 'gone', units: 1 }]);
    const r = await hold(ann(), items(event, 'A1'), { code: 'gone' });
    assert.equal((await hf.admin.delete(codesOf(event, '/GONE'))).status, 204);
    refused(await hf.admin.delete(codesOf(event, '/gone')), 404, 'no_such_code');
    refused(await create(ann(), { items: items(event, 'A2'), code: 'gone' }), 403, 'code_invalid');
    assert.deepEqual(await used(hf, event), {});
    granted(await ann().patch(path(r, '/items/1'), { seat: 'A3' }), 200);
    assert.deepEqual((await hf.admin.post(codesOf(event), [{ code: 'gone', units: 1 }])).json, { created: 1, updated: 0 });
    assert.deepEqual(await used(hf, event), { gone: 1 });
    refused(await create(ann(), { items: items(event, 'A2'), code: 'gone' }), 409, 'code_used');
});

test('only the admin manages codes', async () => {
    const event = await restricted(hf, [{ code: 'secret' }]);
    for (const caller of [hf.app, ann()]) {
        refused(await caller.get(codesOf(event)), 403, 'forbidden');
        refused(await caller.post(codesOf(event), [{ code: 'mine' }]), 403, 'forbidden');
        refused(await caller.delete(codesOf(event, '/secret')), 403, 'forbidden');
    }
});

test('kill -9: codes and their used counts survive', ownProcess, async () => {
    const own = await new Server().start();
    try {
        const event = await restricted(own, [{ code: 'twice', units: 2 }, { code: 'gone' }], { payment: 'none' });
        const sold = await hold(own.user('ann'), items(event, 'A1'), { code: 'twice' });
        granted(await own.user('ann').post(path(sold, '/commit'), {}), 200);
        const held = await hold(own.user('ann'), items(event, 'A2'), { code: 'twice' });
        await own.admin.delete(codesOf(event, '/gone'));
        for (let round = 0; round < 2; round++) {
            await own.restart({ kill: true });
            assert.deepEqual(await used(own, event), { twice: 2 });
            refused(await create(own.user('bob'), { items: items(event, 'A3'), code: 'twice' }), 409, 'code_used');
            refused(await create(own.user('bob'), { items: items(event, 'A3'), code: 'gone' }), 403, 'code_invalid');
            assert.equal(granted(await own.admin.get(path(sold)), 200).items[0].code, 'twice');
        }
        granted(await own.user('ann').delete(path(held)), 200);
        granted(await create(own.user('bob'), { items: items(event, 'A3'), code: 'twice' }), 201);
    } finally {
        await own.close();
    }
});

test('ten wrong codes in a minute: no code is checked any more, by user and by address', ownProcess, async () => {
    const own = await new Server({ limits: 'on' }).start();
    try {
        const app = await own.key('app');
        const [event, other] = [await restricted(own, [{ code: 'right' }]), await restricted(own, [{ code: 'right' }])];
        const ask = (caller, code, user_id, where = event) => create(caller, { user_id, items: items(where, 'A1'), code });
        for (let i = 0; i < 10; i++) {
            refused(await ask(app, `wrong${i}`, 'eve'), 403, 'code_invalid');
        }
        const slow = refused(await ask(app, 'right', 'eve'), 429, 'slow_down');
        assert.ok(slow);
        refused(await app.post(path(granted(await ask(app, 'right', 'bob'), 201), '/items'),
            { user_id: 'bob', event, seat: 'A2', code: 'wrong' }), 403, 'code_invalid');
        granted(await ask(app, 'right', 'eve', other), 201);
        refused(await create(app, { user_id: 'eve', items: items(event, 'A3') }), 403, 'code_required');
        for (let i = 0; i < 10; i++) {
            refused(await ask(own.user(`guest_${i}`), 'wrong'), 403, 'code_invalid');
        }
        const answer = await ask(own.user('somebody'), 'right');
        refused(answer, 429, 'slow_down');
        assert.ok(Number(answer.headers['retry-after']) >= 1 && Number(answer.headers['retry-after']) <= 60);
        granted(await create(own.admin, { user_id: 'eve', items: items(event, 'A4'), code: 'right' }), 201);
    } finally {
        await own.close();
    }
});
