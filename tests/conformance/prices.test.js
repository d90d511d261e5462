/* SPDX-License-Identifier: Apache-2.0 */
/* Categories and prices: valid values, which price an item gets, and how a held one changes its category. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, Server, unique, ownProcess } = require('./lib/server.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const ann = () => hf.user('ann');
const CATEGORIES = ['adult', 'child'];
const PRICES = { gold: { adult: 12000, child: 6000 } };

async function theatre(on = hf) {
    const event = unique('event');
    const put = await on.admin.put(`/v1/events/${event}`,
        { name: 'A play', categories: CATEGORIES, prices: PRICES });
    assert.equal(put.status, 201, put.text);
    const seats = await on.admin.post(`/v1/events/${event}/seats`, [
        { id: 'G1', tier: 'gold', price: 1 }, { id: 'G2', tier: 'gold', price: 1 }, { id: 'G3', tier: 'gold' },
        { id: 'S1', tier: 'silver', price: 500 }, { id: 'S2', price: 400 },
    ]);
    assert.equal(seats.status, 201, seats.text);
    const pool = await on.admin.put(`/v1/events/${event}/pools/floor`,
        { capacity: 10, price: 100, prices: { adult: 90, child: 40 } });
    assert.equal(pool.status, 201, pool.text);
    assert.deepEqual(pool.json.prices, { adult: 90, child: 40 });
    return event;
}

const hold = async (items) => granted(await ann().post('/v1/reservations', { items }), 201);
const patch = (r, item, body) => ann().patch(`/v1/reservations/${r.reservation_id}/items/${item}`, body);
const shown = (r) => r.items.map((it) => [it.seat ?? it.pool, it.category, it.price]);

test('an event shows its categories and prices, and null without', async () => {
    const event = await theatre();
    const got = (await hf.admin.get(`/v1/events/${event}`)).json;
    assert.deepEqual(got.categories, CATEGORIES);
    assert.deepEqual(got.prices, PRICES);
    const plain = await hf.admin.put(`/v1/events/${event}`, { name: 'A play', categories: null, prices: null });
    assert.equal(plain.status, 200, plain.text);
    assert.equal(plain.json.categories, null);
    assert.equal(plain.json.prices, null);
});

test('names are kept as they are, whatever is in them', async () => {
    const categories = ['"é"', 'a/b~c', ' '];
    const prices = { '\\tier"': { 'a/b~c': 0, '"é"': 1e12 } };
    const event = unique('event');
    const put = await hf.admin.put(`/v1/events/${event}`, { name: 'x', categories, prices });
    assert.equal(put.status, 201, put.text);
    assert.deepEqual([put.json.categories, put.json.prices], [categories, prices]);
    const wrong = { name: 'x', categories, prices: { 'a/b': { '~': 1 } } };
    invalid(await hf.admin.put(`/v1/events/${event}`, wrong), '/prices/a~1b/~0');
});

test('valid and invalid prices and categories', async () => {
    const path = `/v1/events/${unique('event')}`;
    const many = (count) => Array.from({ length: count }, (_, i) => `c${i}`);
    const tiers = (count) => Object.fromEntries(many(count).map((tier) => [tier, { c0: 1 }]));
    const say = (categories, prices) => hf.admin.put(path, { name: 'x', categories, prices });
    for (const [categories, prices, pointer] of [
        [CATEGORIES, { gold: { senior: 1 } }, '/prices/gold/senior'],
        [undefined, { gold: { adult: 1 } }, '/prices'],
        [CATEGORIES, { gold: { adult: -1 } }, '/prices/gold/adult'],
        [CATEGORIES, { gold: { adult: 1e12 + 1 } }, '/prices/gold/adult'],
        [CATEGORIES, { gold: { adult: 1.5 } }, '/prices/gold/adult'],
        [CATEGORIES, { gold: { adult: null } }, '/prices/gold/adult'],
        [CATEGORIES, { gold: 5 }, '/prices/gold'],
        [CATEGORIES, [], '/prices'],
        [CATEGORIES, { '': { adult: 1 } }, '/prices/'],
        [['adult', 'adult'], undefined, '/categories/1'],
        [['adult', ''], undefined, '/categories/1'],
        [['x'.repeat(65)], undefined, '/categories/0'],
        [[], undefined, '/categories'],
        [many(33), undefined, '/categories'],
        [['c0'], tiers(65), '/prices'],
    ]) {
        invalid(await say(categories, prices), pointer);
    }
    refused(await hf.admin.get(path), 404, 'no_such_event');
    assert.equal((await say(many(32), tiers(64))).status, 201);
    invalid(await hf.admin.put(`${path}/pools/p`, { capacity: 1, prices: { adult: 1 } }), '/prices/adult');
    invalid(await hf.admin.put(`${path}/pools/p`, { capacity: 1, prices: { c0: -1 } }), '/prices/c0');
});

test('an item costs the price of its category', async () => {
    const event = await theatre();
    const r = await hold([{ event, seat: 'G1' }, { event, seat: 'G2', category: 'child' }, { event, seat: 'S1' },
        { event, pool: 'floor', quantity: 3, category: 'child' }]);
    assert.deepEqual(shown(r), [
        ['G1', 'adult', 12000], ['G2', 'child', 6000], ['S1', 'adult', 500], ['floor', 'child', 120]]);
    assert.equal(r.total.amount, 18620);
    const best = await hold([{ event, best: { quantity: 1, tier: 'gold' }, category: 'child' }]);
    assert.deepEqual(shown(best), [['G3', 'child', 6000]]);
    const layout = (await hf.admin.get(`/v1/events/${event}/seats`)).json;
    assert.deepEqual(layout.seats.map((seat) => seat.price), [1, 1, 0, 500, 400]);
    const taken = refused(await ann().post('/v1/reservations',
        { items: [{ event, seat: 'G1', category: 'child' }] }), 409, 'taken');
    assert.deepEqual(taken.items, [{ item: 0, event, seat: 'G1', category: 'child', status: 'held' }]);
});

test('a category without a price is 400', async () => {
    const event = await theatre();
    const ask = (item) => ann().post('/v1/reservations', { items: [{ event, seat: 'S2' }, { event, ...item }] });
    invalid(await ask({ seat: 'S1', category: 'child' }), '/items/1/category');
    invalid(await ask({ seat: 'G1', category: 'senior' }), '/items/1/category');
    invalid(await ask({ best: { quantity: 1, tier: 'silver' }, category: 'child' }), '/items/1/category');
    invalid(await ask({ pool: 'floor', category: 'senior' }), '/items/1/category');
    const plain = unique('event');
    await hf.admin.put(`/v1/events/${plain}`, { name: 'x' });
    await hf.admin.post(`/v1/events/${plain}/seats`, [{ id: 'A1' }]);
    invalid(await ann().post('/v1/reservations', { items: [{ event: plain, seat: 'A1', category: 'adult' }] }),
        '/items/0/category');
    const r = await hold([{ event: plain, seat: 'A1' }]);
    assert.equal('category' in r.items[0], false);
});

test('PATCH {category} takes the current price while the item is held', async () => {
    const event = await theatre();
    const r = await hold([{ event, seat: 'G1' }, { event, pool: 'floor', quantity: 2 }]);
    const child = granted(await patch(r, 1, { category: 'child' }), 200, { version: 2, fence: r.fence });
    assert.deepEqual(shown(child), [['G1', 'child', 6000], ['floor', 'adult', 180]]);
    await hf.admin.put(`/v1/events/${event}`,
        { name: 'A play', categories: CATEGORIES, prices: { gold: { adult: 10000, child: 5000 } } });
    assert.deepEqual(shown(granted(await ann().get(`/v1/reservations/${r.reservation_id}`), 200)), shown(child));
    const moved = granted(await patch(r, 1, { seat: 'G2' }), 200, { version: 3 });
    assert.deepEqual(shown(moved)[0], ['G2', 'child', 5000]);
    const pool = granted(await patch(r, 2, { category: 'child' }), 200, { version: 4 });
    assert.deepEqual(shown(pool)[1], ['floor', 'child', 80]);
    invalid(await patch(r, 1, { category: 'senior' }), '/category');
    invalid(await patch(r, 1, { category: 'adult', seat: 'G3' }), '/category');
    refused(await patch(r, 9, { category: 'adult' }), 404, 'no_such_item');
    const path = `/v1/reservations/${r.reservation_id}`;
    granted(await hf.admin.post(`${path}/commit`, {}), 200, { status: 'confirmed' });
    refused(await patch(r, 1, { category: 'adult' }), 409, 'already_confirmed');
    refused(await patch(r, 1, { seat: 'S1' }), 400, 'invalid');
    await hf.admin.put(`/v1/events/${event}`, { name: 'A play', categories: CATEGORIES, prices: PRICES });
    refused(await patch(r, 1, { seat: 'G3' }), 402, 'payment_required');
});

test('lists show the category too', async () => {
    const event = await theatre();
    const wanted = [{ event, seat: 'G1', category: 'child' }, { event, pool: 'floor' }];
    const made = await ann().post('/v1/reservations', { items: wanted });
    const list = await hf.admin.get(`/v1/reservations?event=${event}`,
        { headers: { 'Holdfast-Min-Seq': String(made.seq) } });
    assert.deepEqual(list.json.data.map(shown), [[['G1', 'child', 6000], ['floor', 'adult', 90]]]);
});

for (const kill of [false, true]) {
    test(`everything survives ${kill ? 'kill -9' : 'SIGTERM'}`, ownProcess, async () => {
        const own = await new Server().start();
        try {
            const event = await theatre(own);
            const wanted = [{ event, seat: 'G1', category: 'child' }, { event, pool: 'floor' }];
            const r = granted(await own.user('ann').post('/v1/reservations', { items: wanted }), 201);
            await own.restart({ kill });
            const { categories, prices } = (await own.anyone.get(`/v1/events/${event}`)).json;
            assert.deepEqual([categories, prices], [CATEGORIES, PRICES]);
            const path = `/v1/reservations/${r.reservation_id}`;
            assert.deepEqual(shown(granted(await own.user('ann').get(path), 200)), shown(r));
            const more = granted(await own.user('ann').post(`${path}/items`, { event, pool: 'floor', category: 'child' }), 201);
            assert.deepEqual(shown(more).at(-1), ['floor', 'child', 40]);
        } finally {
            await own.close();
        }
    });
}
