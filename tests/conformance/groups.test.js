/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of calendars: their records, which calendar is given, what is refused, and that a race never oversells. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, Server, unique, ownProcess } = require('./lib/server.js');
const { Client } = require('./lib/http.js');
const { hold, whole } = require('./lib/catalogue.js');
const { MINUTE, HOUR, DAY, iso, midnight, monday, makeCalendar, slot } = require('./lib/calendars.js');
const { refused } = require('./lib/expect.js');

const hf = shared();
const place = (id, rest = '') => `/v1/groups/${id}${rest}`;
const of = (group, start, more = {}) =>
    ({ group, start: iso(start), end: iso(start + 30 * MINUTE), ...more });

/* A group of new calendars, one for each size. */
async function makeGroup(to, sizes, { pick = 'in_order', ...settings } = {}) {
    const calendars = [];
    for (const size of sizes) {
        calendars.push(await makeCalendar(to, { size, ...settings }));
    }
    const group = unique('group');
    const answer = await to.admin.put(place(group), { name: 'Tables', calendars, pick });
    assert.equal(answer.status, 201, answer.text);
    return { group, calendars };
}

const claims = async (calendar) => (await whole(hf.admin, `/v1/reservations?calendar=${calendar}`)).length;

test('a group is created, read, listed, replaced and removed, and what GET returns can be PUT', async () => {
    const { group, calendars } = await makeGroup(hf, [2, 4]);
    const read = await hf.anyone.get(place(group));
    assert.equal(read.status, 200, read.text);
    assert.deepEqual(Object.keys(read.json), ['id', 'name', 'calendars', 'pick', 'created_at']);
    assert.deepEqual([read.json.id, read.json.calendars, read.json.pick], [group, calendars, 'in_order']);
    const again = await hf.admin.put(place(group), read.json);
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(again.json, read.json);
    const plain = await hf.admin.put(place(group), { name: 'Plain', calendars: [calendars[1]] });
    assert.deepEqual([plain.json.pick, plain.json.calendars], ['least_busy', [calendars[1]]]);
    const listed = (await whole(hf.anyone, '/v1/groups?limit=3')).filter((one) => one.id === group);
    assert.deepEqual(listed, [plain.json]);
    assert.equal((await hf.admin.delete(place(group))).status, 204);
    refused(await hf.anyone.get(place(group)), 404, 'no_such_group');
    refused(await hf.anyone.get(place(group, '/slots')), 404, 'no_such_group');
    refused(await hf.admin.delete(place(group)), 404, 'no_such_group');
    assert.ok(!(await whole(hf.anyone, '/v1/groups')).some((one) => one.id === group));
    refused(await hf.user('ann').post('/v1/reservations', { items: [of(group, midnight(hf))] }), 404, 'no_such_group');
    assert.equal((await hf.admin.put(place(group), { name: 'Again', calendars })).status, 201);
    refused(await hf.user('ann').put(place(group), { name: 'Mine', calendars }), 403, 'forbidden');
    refused(await hf.user('ann').delete(place(group)), 403, 'forbidden');
});

test('a PUT with a calendar that cannot be a member is 400 with its pointer, and nothing changes', async () => {
    const { group, calendars } = await makeGroup(hf, [2, 4], { timezone: 'Europe/Berlin' });
    const before = (await hf.anyone.get(place(group))).json;
    const paris = await makeCalendar(hf, { timezone: 'Europe/Paris' });
    const dollars = await makeCalendar(hf, { timezone: 'Europe/Berlin', currency: 'USD' });
    const put = (list, more = {}) => hf.admin.put(place(group), { name: 'Other', calendars: list, ...more });
    for (const wrong of [unique('none'), paris, dollars, calendars[0]]) {
        const answer = await put([...calendars, wrong]);
        refused(answer, 400, 'invalid');
        assert.equal(answer.json.pointer, '/calendars/2');
    }
    for (const [list, more, pointer] of [
        [[], {}, '/calendars'], [[...Array(101)].map((_, i) => `c${i}`), {}, '/calendars'], [['a b'], {}, '/calendars/0'],
        [calendars, { pick: 'best' }, '/pick'], [calendars, { id: 'other' }, '/id'], [calendars, { size: 3 }, '/size'],
    ]) {
        const answer = await put(list, more);
        refused(answer, 400, 'invalid');
        assert.equal(answer.json.pointer, pointer);
    }
    assert.deepEqual((await hf.anyone.get(place(group))).json, before);
    /* What all have in common must stay so. */
    const same = { name: 'A room', payment: 'none', size: 2, timezone: 'Europe/Berlin' };
    refused(await hf.admin.put(`/v1/calendars/${calendars[0]}`, { ...same, timezone: 'Europe/Paris' }), 409, 'in_use');
    refused(await hf.admin.patch(`/v1/calendars/${calendars[0]}`, { currency: 'USD' }), 409, 'in_use');
    assert.equal((await hf.admin.put(`/v1/calendars/${calendars[0]}`, { ...same, price: 5 })).status, 200);
});

test('the smallest calendar that is large enough and free is given, and shown with its group', async () => {
    const { group, calendars: [four, two, other, six] } = await makeGroup(hf, [4, 2, 2, 6]);
    const at = midnight(hf) + 9 * HOUR;
    const given = async (party) => {
        const [item] = (await hold(hf.user('ann'), [of(group, at, party ? { party } : {})])).items;
        assert.equal(item.group, group);
        return item.calendar;
    };
    assert.deepEqual([await given(), await given(2), await given(1), await given(3)], [two, other, four, six]);
    const busy = await hf.user('bob').post('/v1/reservations', { items: [of(group, at, { party: 5 })] });
    refused(busy, 409, 'taken');
    assert.deepEqual(busy.json.items, [{ item: 0, group, party: 5, start: iso(at), end: iso(at + 30 * MINUTE), status: 'held' }]);
    const large = await hf.user('bob').post('/v1/reservations', { items: [of(group, at, { party: 7 })] });
    refused(large, 400, 'invalid');
    assert.equal(large.json.pointer, '/items/0/party');
    for (const [more, pointer] of [[{ calendar: two }, '/items/0'], [{ end: undefined }, '/items/0/end'],
        [{ service: 'cut' }, '/items/0/end'], [{ party: 0 }, '/items/0/party'], [{ quantity: 2 }, '/items/0/quantity']]) {
        const wrong = await hf.user('bob').post('/v1/reservations', { items: [of(group, at + DAY, more)] });
        refused(wrong, 400, 'invalid');
        assert.equal(wrong.json.pointer, pointer);
    }
    /* A named calendar comes first, whatever the order of the request; a move stays on its calendar. */
    const day = at + DAY;
    const mixed = await hold(hf.user('ann'), [of(group, day), slot(two, day)]);
    assert.deepEqual(mixed.items.map((item) => item.calendar), [other, two]);
    assert.equal(mixed.items[1].group, undefined);
    const path = `/v1/reservations/${mixed.reservation_id}/items/1`;
    const moved = await hf.user('ann').patch(path, { start: iso(day + HOUR), end: iso(day + 90 * MINUTE) });
    assert.equal(moved.status, 200, moved.text);
    assert.deepEqual([moved.json.items[0].calendar, moved.json.items[0].group], [other, group]);
});

test('the least busy calendar of a day is given, and the limit counts all members', async () => {
    const { group, calendars: [a, b] } = await makeGroup(hf, [1, 1], { pick: 'least_busy', per_user_limit: 3 });
    const at = midnight(hf) + 9 * HOUR;
    await hold(hf.user('bob'), [slot(a, at)]);
    const one = await hold(hf.user('ann'), [of(group, at + HOUR), of(group, at + 2 * HOUR), of(group, at + 3 * HOUR)]);
    assert.deepEqual(one.items.map((item) => item.calendar), [b, a, b]);
    for (const item of [of(group, at + 5 * HOUR), slot(a, at + 5 * HOUR), slot(b, at + 5 * HOUR)]) {
        const more = await hf.user('ann').post('/v1/reservations', { items: [item] });
        refused(more, 409, 'limit_exceeded');
        assert.deepEqual([more.json.limit, more.json.have], [3, 3]);
    }
});

test('guests, hours and rules: a member that would refuse this caller is not free', async () => {
    const { group, calendars: [a, b] } = await makeGroup(hf, [1, 1], { guests: false });
    const at = monday(hf) + 9 * HOUR;
    const guest = hf.user(`guest_${unique()}`);
    const ask = (who, item) => who.post('/v1/reservations', { items: [item] });
    refused(await ask(guest, of(group, at)), 403, 'guests_refused');
    await hf.admin.patch(`/v1/calendars/${b}`, { guests: true, hours: [{ days: ['mon'], from: '09:00', to: '10:00' }] });
    assert.equal((await ask(guest, of(group, at))).json.items[0].calendar, b);
    refused(await ask(guest, of(group, at + 2 * HOUR)), 409, 'closed');
    await hf.admin.patch(`/v1/calendars/${a}`, { hours: [{ days: ['mon'], from: '09:00', to: '10:00' }] });
    refused(await ask(hf.user('ann'), of(group, at + 2 * HOUR)), 409, 'closed');
    const between = await ask(hf.user('ann'), of(group, at + 5 * MINUTE));
    refused(between, 409, 'not_bookable');
    assert.equal(between.json.rule, 'grid');
});

test('slots of a group count the free and large enough calendars', async () => {
    const { group, calendars: [two] } = await makeGroup(hf, [2, 4, 4], { slot_minutes: 60 });
    const from = midnight(hf);
    const to = from + 62 * DAY;
    const list = async (more, days = 1) => {
        const query = new URLSearchParams({ from: iso(from), to: iso(from + days * DAY), limit: 7, ...more });
        return (await whole(hf.anyone, place(group, `/slots?${query}`))).map((one) => one.available);
    };
    await hold(hf.user('ann'), [slot(two, from, 60)]);
    assert.deepEqual(await list({}), [2, ...Array(23).fill(3)]);
    assert.deepEqual(await list({ party: 3 }), Array(24).fill(2));
    assert.equal((await list({ limit: 1000 }, 62)).length, 62 * 24);
    assert.deepEqual(await list({ party: 5 }), []);
    for (const [query, pointer] of [['party=0', '?party'], ['service=cut', '?service'],
        [`from=${iso(from)}&to=${iso(to + 1)}`, '?to']]) {
        const wrong = await hf.anyone.get(place(group, `/slots?${query}`));
        refused(wrong, 400, 'invalid');
        assert.equal(wrong.json.pointer, pointer);
    }
});

/* Real connections, one each, open before the race begins. */
async function racers(count) {
    const clients = Array.from({ length: count }, () => new Client(hf.url, { connections: 1 }));
    await Promise.all(clients.map((client) => client.call('GET', '/healthz')));
    const create = (i, ...items) => clients[i].call('POST', '/v1/reservations',
        { bearer: hf.adminKey, body: { user_id: `racer${i}`, items } });
    return { create, close: () => clients.forEach((client) => client.close()) };
}

test('the last free table of a group, raced by 64: exactly one gets it', async () => {
    const field = await racers(64);
    const at = midnight(hf) + 9 * HOUR;
    for (let round = 0; round < 10; round++) {
        const { group } = await makeGroup(hf, [2, 2, 2], { pick: round % 2 ? 'in_order' : 'least_busy' });
        await hold(hf.user('ann'), [of(group, at), of(group, at)]);
        const answers = await Promise.all([...Array(64)].map((_, i) => field.create(i, of(group, at, { party: 2 }))));
        assert.equal(answers.filter((answer) => answer.status === 201).length, 1);
        answers.filter((answer) => answer.status !== 201).forEach((answer) => refused(answer, 409, 'taken'));
    }
    field.close();
});

test('a group and one of its calendars, claimed at the same time by many: never over the capacity', async () => {
    const field = await racers(64);
    const at = midnight(hf) + 9 * HOUR;
    const { group, calendars } = await makeGroup(hf, [2, 2], { capacity: 5 });
    const answers = await Promise.all([...Array(64)].map((_, i) =>
        field.create(i, i % 2 ? of(group, at) : slot(calendars[i % 4 / 2], at))));
    const won = answers.filter((answer) => answer.status === 201);
    assert.equal(won.length, 10);
    for (const calendar of calendars) {
        assert.equal(won.filter((answer) => answer.json.items[0].calendar === calendar).length, 5);
    }
    await hf.eventually(() => Promise.all(calendars.map(claims)), ([a, b]) => a === 5 && b === 5, 'the book has them');
    answers.filter((answer) => answer.status !== 201).forEach((answer) => refused(answer, 409, 'taken'));
    field.close();
});

for (const kill of [false, true]) {
    test(`${kill ? 'kill -9' : 'SIGTERM'}: groups, and the group of each item, survive`, ownProcess, async () => {
        const own = await new Server().start();
        try {
            const { group, calendars } = await makeGroup(own, [2, 4], { pick: 'least_busy' });
            const gone = await makeGroup(own, [1]);
            const at = midnight(own) + 9 * HOUR;
            const held = await hold(own.user('ann'), [of(group, at, { party: 3 }), of(gone.group, at)]);
            const bought = await hold(own.user('ann'), [of(group, at)]);
            assert.equal((await own.user('ann').post(`/v1/reservations/${bought.reservation_id}/commit`, {})).status, 200);
            assert.equal((await own.admin.delete(place(gone.group))).status, 204);
            const before = (await own.anyone.get('/v1/groups')).json;
            await own.restart({ kill });
            assert.deepEqual((await own.anyone.get('/v1/groups')).json, before);
            const look = async (r) => (await own.user('ann').get(`/v1/reservations/${r.reservation_id}`)).json.items;
            assert.deepEqual(await look(held), held.items);
            assert.deepEqual(await look(bought), bought.items);
            const listed = await own.eventually(() => whole(own.user('ann'), '/v1/reservations'),
                (data) => data.length === 2, 'the book has both');
            assert.deepEqual(listed.map((one) => one.items), [bought.items, held.items]);
            refused(await own.user('bob').post('/v1/reservations', { items: [of(group, at)] }), 409, 'taken');
            assert.deepEqual(before.data[0].calendars, calendars);
        } finally {
            await own.close();
        }
    });
}
