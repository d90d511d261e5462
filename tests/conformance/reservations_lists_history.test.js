/* SPDX-License-Identifier: Apache-2.0 */
/* Lists have whole reservations, page by page, users only their own; history shows every change and its actor. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, seats } = require('./lib/catalogue.js');
const { makeCalendar, midnight, slot } = require('./lib/calendars.js');
const { instant, refused, invalid, granted, reservation } = require('./lib/expect.js');

const hf = shared();
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const idsOf = (list) => list.map((r) => r.reservation_id).sort();

/* A list that is at least as new as everything acknowledged so far. */
async function fresh() {
    return hf.since(await hf.anyone.get('/healthz'));
}

async function list(caller, query = '') {
    const answer = await caller.get(`/v1/reservations${query}`, await fresh());
    assert.equal(answer.status, 200, answer.text);
    assert.equal(typeof answer.seq, 'number');
    answer.json.data.forEach((r) => reservation(r));
    return answer.json;
}

test('a list has whole reservations, as GET returns them', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3', pools: { floor: 3 } });
    const me = hf.user(unique('user'));
    const one = await hold(me, [...items(event, 'A1'), { event, pool: 'floor', quantity: 2 }], {
        attributes: { a: [1] }
    });
    const two = await hold(me, items(event, 'A2'));
    granted(await me.post(path(two, '/commit'), {}), 200);
    const { data, next_cursor } = await list(me);
    assert.equal(next_cursor, null);
    assert.deepEqual(idsOf(data), idsOf([one, two]));
    for (const listed of data) {
        const { expires_in, expires_in_ms, ...rest } = listed;
        const { expires_in: a, expires_in_ms: b, ...read } = (await me.get(path(listed))).json;
        assert.deepEqual(rest, read);
        assert.deepEqual([typeof expires_in, typeof expires_in_ms], [typeof a, typeof b]);
    }
});

test('users see their own, app and admin see all', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A4' });
    const [a, b] = [unique('a'), unique('b')];
    const one = await hold(hf.user(a), items(event, 'A1'));
    const two = await hold(hf.user(b), items(event, 'A2'));
    assert.deepEqual(idsOf((await list(hf.user(a))).data), idsOf([one]));
    assert.deepEqual(idsOf((await list(hf.user(a), `?user_id=${a}`)).data), idsOf([one]));
    assert.deepEqual(idsOf((await list(hf.user(b), `?event=${event}`)).data), idsOf([two]));
    refused(await hf.user(a).get(`/v1/reservations?user_id=${b}`), 403, 'not_owner');
    for (const caller of [hf.app, hf.admin]) {
        assert.deepEqual(idsOf((await list(caller, `?event=${event}`)).data), idsOf([one, two]));
        assert.deepEqual(idsOf((await list(caller, `?user_id=${b}`)).data), idsOf([two]));
    }
});

test('filters: event, status, pnr, and all of them together', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9', hold_ttl_seconds: 30 });
    const other = await makeEvent(hf, { seats: 'A1-A9' });
    const user = unique('user');
    const me = hf.user(user);
    const lapsed = await hold(me, items(event, 'A1'));
    hf.clock.advance(31_000);
    refused(await me.post(path(lapsed, '/commit'), {}), 409, 'expired');
    const held = await hold(me, items(event, 'A2'));
    const sold = await hold(me, items(event, 'A3'));
    granted(await me.post(path(sold, '/commit'), {}), 200);
    const released = await hold(me, items(event, 'A4'));
    granted(await me.post(path(released, '/release'), {}), 200);
    const both = await hold(me, [...items(event, 'A5'), ...items(other, 'A5')]);
    const find = async (query) => idsOf((await list(hf.app, query)).data);
    assert.deepEqual(await find(`?event=${event}`), idsOf([lapsed, held, sold, released, both]));
    assert.deepEqual(await find(`?event=${other}`), idsOf([both]));
    assert.deepEqual(await find(`?event=${event}&status=held`), idsOf([held, both]));
    assert.deepEqual(await find(`?event=${event}&status=confirmed`), idsOf([sold]));
    assert.deepEqual(await find(`?event=${event}&status=released`), idsOf([released]));
    assert.deepEqual(await find(`?event=${event}&status=expired`), idsOf([lapsed]));
    assert.deepEqual(await find(`?pnr=${sold.pnr}&event=${event}`), idsOf([sold]));
    assert.deepEqual(
        await find(`?user_id=${user}&event=${other}&status=held&pnr=${both.pnr}`), idsOf([both])
    );
    assert.deepEqual(await find(`?user_id=${unique('nobody')}`), []);
    invalid(await hf.app.get('/v1/reservations?status=lost'));
});

test('pages: limit and cursor return each once, also when more arrive in between', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A40' });
    const made = [];
    for (let i = 1; i <= 25; i++) {
        made.push(await hold(hf.user(unique('u')), items(event, `A${i}`)));
    }
    const first = await list(hf.app, `?event=${event}&limit=10`);
    assert.equal(first.data.length, 10);
    assert.equal(typeof first.next_cursor, 'string');
    const late = await hold(hf.user(unique('u')), items(event, 'A30'));
    const rest = [];
    for (let cursor = encodeURIComponent(first.next_cursor); cursor;) {
        const { data, next_cursor } = await list(hf.app, `?event=${event}&limit=10&cursor=${cursor}`);
        rest.push(...data);
        cursor = next_cursor && encodeURIComponent(next_cursor);
    }
    const seen = idsOf([...first.data, ...rest]).filter((id) => id !== late.reservation_id);
    assert.deepEqual(seen, idsOf(made));
    const exact = await list(hf.app, `?event=${event}&limit=26`);
    assert.equal(exact.data.length, 26);
    assert.equal(exact.next_cursor, null);
});

test('limit is 1 to 1000, 100 by default', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A101' });
    await Promise.all(
        Array.from({ length: 101 }, (_, i) => hold(hf.user(`u${i}`), items(event, `A${i + 1}`)))
    );
    const page = await list(hf.app, `?event=${event}`);
    assert.equal(page.data.length, 100);
    assert.equal((await list(hf.app, `?event=${event}&limit=1000`)).data.length, 101);
    assert.equal((await list(hf.app, `?event=${event}&limit=1`)).data.length, 1);
    for (const limit of ['0', '1001', '-1', 'x', '', '1.5']) {
        invalid(await hf.app.get(`/v1/reservations?event=${event}&limit=${limit}`));
    }
    invalid(await hf.app.get('/v1/reservations?cursor=not-a-cursor'));
});

/* Two seconds of real time at most. */
test('Holdfast-Min-Seq from the future waits no longer than about two seconds', async () => {
    const { seq } = await hf.anyone.get('/healthz');
    const began = Date.now();
    const answer =
        await hf.app.get('/v1/reservations', { headers: { 'Holdfast-Min-Seq': String(seq + 1_000_000) } });
    assert.ok(Date.now() - began < 6_000);
    if (answer.status === 503) {
        refused(answer, 503, 'unavailable');
    } else {
        assert.equal(answer.status, 200, answer.text);
        assert.ok(answer.seq < seq + 1_000_000, 'it says how far it is');
    }
});

const FIELDS = ['seq', 'at', 'actor', 'action', 'reason', 'status', 'expires_at', 'version'];

async function history(caller, r) {
    const answer = await caller.get(path(r, '/history'), await fresh());
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.next_cursor, null);
    const { data } = answer.json;
    data.forEach((entry, i) => {
        FIELDS.forEach((field) => assert.ok(field in entry, `${field}: ${JSON.stringify(entry)}`));
        instant(entry.at);
        if (i > 0) {
            assert.ok(entry.seq > data[i - 1].seq, 'in order');
            assert.ok(instant(entry.at) >= instant(data[i - 1].at));
        }
    });
    return data;
}

test('history: every change of a sale, its actor, status, deadline and version', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const ann = hf.user('ann');
    const r = await hold(ann, items(event, 'A1'));
    const more = granted(await ann.post(path(r, '/items'), { items: items(event, 'A2 A3') }), 201);
    const second = more.items[1].item_id;
    granted(await ann.delete(path(r, `/items/${more.items[2].item_id}`)), 200);
    granted(await ann.patch(path(r, `/items/${second}`), { seat: 'A4' }), 200);
    granted(await hf.app.patch(path(r), { attributes: { a: 1 } }), 200);
    hf.clock.advance(10_000);
    const extended = granted(await ann.post(path(r, '/extend'), {}), 200);
    granted(await ann.post(path(r, '/payment'), {}), 200);
    const sold = granted(await hf.admin.post(path(r, '/commit'), {}), 200);
    const told = await history(ann, r);
    const app = `app:${hf.app.name}`;
    assert.deepEqual(told.map((entry) => [entry.action, entry.actor, entry.status]), [
        ['held', 'user:ann', 'held'], ['item_added', 'user:ann', 'held'],
        ['item_dropped', 'user:ann', 'held'],
        ['item_moved', 'user:ann', 'held'], ['attributes_changed', app, 'held'],
        ['extended', 'user:ann', 'held'],
        ['payment_started', 'user:ann', 'held'], ['confirmed', 'admin', 'confirmed'],
    ]);
    assert.equal(told[0].at, r.created_at);
    assert.equal(told[0].expires_at, r.expires_at);
    assert.equal(told[0].version, r.version);
    assert.equal(told[1].version, more.version);
    assert.equal(told[5].expires_at, extended.expires_at);
    assert.equal(told[7].at, sold.confirmed_at);
});

test('history: what each change did to the items and the total, even for removed ones', async () => {
    const event = await makeEvent(hf, {
        seats: [{ id: 'A1', price: 100 }, { id: 'A2', price: 150 }], pools: { floor: { capacity: 9, price: 10 } },
    });
    const ann = hf.user('ann');
    const r = await hold(ann, items(event, 'A1'));
    const added = granted(await ann.post(path(r, '/items'), { event, pool: 'floor', quantity: 2 }), 201);
    const moved = granted(await ann.patch(path(r, '/items/1'), { seat: 'A2' }), 200);
    const sized = granted(await ann.patch(path(r, '/items/2'), { quantity: 5 }), 200);
    const named = granted(await ann.patch(path(r, '/items/1'), { attributes: { name: 'Ann' } }), 200);
    granted(await ann.delete(path(r, '/items/2')), 200);
    granted(await ann.post(path(r, '/extend'), {}), 200);
    const told = await history(ann, r);
    assert.deepEqual(told.map((entry) => entry.what), [
        { items: [{ item_id: '1', before: null, after: r.items[0] }], total: { before: 0, after: 100 } },
        { items: [{ item_id: '2', before: null, after: added.items[1] }], total: { before: 100, after: 120 } },
        { items: [{ item_id: '1', before: r.items[0], after: moved.items[0] }], total: { before: 120, after: 170 } },
        { items: [{ item_id: '2', before: added.items[1], after: sized.items[1] }], total: { before: 170, after: 200 } },
        { items: [{ item_id: '1', before: moved.items[0], after: named.items[0] }], total: { before: 200, after: 200 } },
        { items: [{ item_id: '2', before: sized.items[1], after: null }], total: { before: 200, after: 150 } },
    ].concat(told.length > 6 ? [{ items: [], total: { before: 150, after: 150 } }] : []));
    assert.equal(told[3].action, 'item_changed');
    const page = (await ann.get(path(r, '/history?limit=2'), await fresh())).json;
    const rest = (await ann.get(path(r, `/history?cursor=${page.next_cursor}`), await fresh())).json;
    assert.deepEqual([...page.data, ...rest.data], told);
});

test('history: how it ended, and by whom', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9', hold_ttl_seconds: 30 });
    const lapsed = await hold(hf.user('ann'), items(event, 'A1'));
    hf.clock.advance(31_000);
    await hold(hf.user('bob'), items(event, 'A1'));
    const end = (await history(hf.user('ann'), lapsed)).at(-1);
    assert.deepEqual([end.action, end.actor, end.status], ['expired', 'server', 'expired']);
    const made = await hf.app.post('/v1/reservations', { items: items(event, 'A2'), user_id: 'ann' });
    const released = granted(made, 201);
    const gone = granted(await hf.user('ann').delete(path(released)), 200);
    const told = await history(hf.admin, released);
    assert.deepEqual(told.map((entry) => [entry.action, entry.actor]), [
        ['held', `app:${hf.app.name}`], ['released', 'user:ann'],
    ]);
    assert.equal(told[1].at, gone.ended_at);
});

test('history: refused and repeated commands leave no entry', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const ann = hf.user('ann');
    const r = await hold(ann, items(event, 'A1'));
    granted(await ann.post(path(r, '/commit'), {}), 200);
    granted(await ann.post(path(r, '/commit'), {}), 200);
    refused(await ann.post(path(r, '/release'), {}), 409, 'already_confirmed');
    assert.deepEqual((await history(ann, r)).map((entry) => entry.action), ['held', 'confirmed']);
});

test('history: page by page, each change once', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const ann = hf.user('ann');
    const r = await hold(ann, items(event, 'A1'));
    for (let i = 0; i < 4; i++) await ann.patch(path(r), { attributes: { i } });
    const versions = [];
    let cursor = null;
    do {
        const query = `?limit=2${cursor ? `&cursor=${cursor}` : ''}`;
        const page = (await ann.get(path(r, `/history${query}`), await fresh())).json;
        assert.ok(page.data.length <= 2);
        versions.push(...page.data.map((entry) => entry.version));
        cursor = page.next_cursor;
    } while (cursor);
    assert.deepEqual(versions, [1, 2, 3, 4, 5]);
});

test('history: another user\'s does not exist', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(hf.user('ann'), items(event, 'A1'));
    refused(await hf.user('bob').get(path(r, '/history')), 404, 'no_such_reservation');
    refused(await hf.app.get(path(r, '/history?user_id=bob')), 403, 'not_owner');
    refused(await hf.anyone.get(path(r, '/history')), 401, 'unauthenticated');
});

test('an expired and a released reservation stay visible', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2', hold_ttl_seconds: 30 });
    const ann = hf.user('ann');
    const one = await hold(ann, items(event, 'A1'));
    const two = await hold(ann, items(event, 'A2'));
    granted(await ann.delete(path(two)), 200);
    hf.clock.advance(31_000);
    await hold(hf.user('bob'), items(event, 'A1 A2'));
    hf.clock.advance(24 * 3600_000);
    const lapsed =
        granted(await ann.get(path(one)), 200, { status: 'expired', items: one.items, pnr: one.pnr });
    assert.ok(instant(lapsed.ended_at) >= instant(one.expires_at));
    granted(await ann.get(path(two)), 200, { status: 'released' });
});

test('from and to select by creation time, with the other filters and page by page', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const [a, b] = [unique('a'), unique('b')];
    const made = [];
    for (let i = 1; i <= 8; i++) {
        made.push(await hold(hf.user(i % 2 ? a : b), items(event, `A${i}`)));
        hf.clock.advance(10_000);
    }
    const at = (i) => made[i].created_at;
    const find = async (query) => (await list(hf.app, `?event=${event}&${query}`)).data.map((r) => made.findIndex((one) => one.reservation_id === r.reservation_id));
    assert.deepEqual(await find(`from=${at(2)}&to=${at(5)}`), [4, 3, 2], 'from is in it, to is not');
    assert.deepEqual(await find(`from=${at(6)}`), [7, 6]);
    assert.deepEqual(await find(`to=${at(2)}`), [1, 0]);
    assert.deepEqual(await find(`from=${at(1)}&user_id=${b}`), [7, 5, 3, 1]);
    assert.deepEqual(await find(`from=${at(1)}&to=${at(6)}&user_id=${a}&status=held`), [4, 2]);
    assert.deepEqual(await find(`from=${new Date(hf.now() + 60_000).toISOString()}`), []);
    assert.deepEqual(await find('to=1970-01-01T00:00:00Z'), []);
    assert.deepEqual(await find('to=1960-01-01T00:00:00Z'), []);
    assert.equal((await find('from=1960-01-01T00:00:00Z')).length, 8);
    const pages = [];
    for (let cursor = ''; cursor !== null;) {
        const page = await list(hf.app, `?event=${event}&from=${at(1)}&to=${at(6)}&limit=2${cursor && `&cursor=${cursor}`}`);
        pages.push(page.data.map((r) => r.created_at));
        cursor = page.next_cursor;
    }
    assert.deepEqual(pages, [[at(5), at(4)], [at(3), at(2)], [at(1)]]);
    invalid(await hf.app.get(`/v1/reservations?from=${at(2)}&to=${at(2)}`), '?to');
    invalid(await hf.app.get('/v1/reservations?from=yesterday'), '?from');
});

/* RFC 4180, strictly: rows of cells. */
function csv(text) {
    assert.ok(text.endsWith('\r\n'));
    const rows = [[]];
    for (let rest = text; rest;) {
        const [whole, quoted, plain = '', end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? assert.fail(rest);
        rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
        rest = rest.slice(whole.length);
        if (end !== ',' && rest) {
            rows.push([]);
        }
    }
    const [names, ...cells] = rows;
    return cells.map((row) => {
        assert.equal(row.length, names.length, row.join());
        return Object.fromEntries(names.map((name, i) => [name, row[i]]));
    });
}
const CSV = { accept: 'text/csv' };
async function sheet(caller, query, accept = CSV) {
    const since = await fresh();
    const answer = await caller.get(`/v1/reservations${query}`, { ...since, headers: { ...since.headers, ...accept } });
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8');
    assert.equal(answer.headers.vary, 'Accept');
    return { rows: csv(answer.text), next: answer.headers['holdfast-next-cursor'] };
}

test('CSV for app and admin: a row for each item, and no cell is a formula', async () => {
    const event = await makeEvent(hf, { seats: seats('A1-A3', { price: 500 }), pools: { floor: 3 } });
    const calendar = await makeCalendar(hf);
    const user = '=HYPERLINK("http://x","a,b")';
    const start = midnight(hf);
    const r = await hold(hf.app, [...items(event, 'A1'), { event, pool: 'floor', quantity: 2 }, slot(calendar, start)],
        { user_id: user, attributes: { note: 'a "quote",\nü' } });
    const { payment } = granted(await hf.app.post(path(r, '/commit'), { payment_method: 'card', payment_ref: '=1' }), 200);
    for (const caller of [hf.app, hf.admin]) {
        const { rows, next } = await sheet(caller, `?event=${event}`);
        assert.equal(next, undefined);
        const same = {
            reservation_id: r.reservation_id, pnr: r.pnr, status: 'confirmed', user_id: `'${user}`, created_at: r.created_at,
            payment_method: 'card', payment_ref: "'=1", payment_recorded_at: payment.recorded_at, total: '500', currency: 'EUR', ended_at: '', attributes: '{"note":"a \\"quote\\",\\nü"}',
        };
        const none = {
            event: '', seat: '', pool: '', calendar: '', service: '', start: '', end: '',
            category: '', group: '', allotment: '', code: '', item_attributes: '',
        };
        const wanted = [
            { ...none, item_id: '1', event, seat: 'A1', quantity: '1', price: '500' },
            { ...none, item_id: '2', event, pool: 'floor', quantity: '2', price: '0' },
            { ...none, item_id: '3', calendar, quantity: '1', price: '0', start: new Date(start).toISOString(), end: new Date(start + 1_800_000).toISOString() },
        ];
        assert.deepEqual(rows.map(({ expires_at, confirmed_at, ...rest }) => rest), wanted.map((one) => ({ ...same, ...one })));
        rows.forEach((row) => instant(row.confirmed_at) && instant(row.expires_at));
    }
    for (const first of ['=', '+', '-', '@']) {
        const one = await hold(hf.app, [{ event, pool: 'floor', quantity: 1 }], { user_id: `${first}1` });
        assert.equal((await sheet(hf.app, `?pnr=${one.pnr}`)).rows[0].user_id, `'${first}1`);
        granted(await hf.app.delete(path(one)), 200);
    }
    refused(await hf.user('ann').get('/v1/reservations', { headers: CSV }), 403, 'forbidden');
});

test('CSV has the attributes of items in its last columns', async () => {
    const event = await makeEvent(hf, {
        seats: [{ id: 'A1', allotment: 'press' }, { id: 'A2' }], access: 'code', categories: ['adult', 'child'],
        pools: { floor: { capacity: 3, prices: { child: 1 } } },
    });
    await hf.admin.post(`/v1/events/${event}/codes`, [{ code: 'GOOD-1' }]);
    const calendar = await makeCalendar(hf);
    const group = unique('group');
    assert.equal((await hf.admin.put(`/v1/groups/${group}`, { name: 'Any', calendars: [calendar] })).status, 201);
    const { calendar: named, ...time } = slot(calendar, midnight(hf));
    await hold(hf.app, [
        { event, seat: 'A1', allotment: 'press', attributes: { name: '"Ann", B' } },
        { event, pool: 'floor', quantity: 1, category: 'child', code: 'GOOD-1' }, { group, ...time },
    ], { user_id: 'ann' });
    const { rows } = await sheet(hf.app, `?event=${event}`);
    const extras = rows.map((row) => [row.category, row.group, row.allotment, row.code, row.item_attributes, row.calendar]);
    assert.deepEqual(extras, [
        ['adult', '', 'press', '', '{"name":"\\"Ann\\", B"}', ''], ['child', '', '', 'GOOD-1', '', ''], ['', group, '', '', '', named],
    ]);
});

test('Accept chooses the format; pages of CSV name the next one', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A5' });
    const made = [];
    for (let i = 1; i <= 5; i++) {
        made.unshift((await hold(hf.app, items(event, `A${i}`), { user_id: 'ann' })).reservation_id);
    }
    for (const accept of ['text/csv', 'text/csv, */*', 'text/csv;q=0.9, application/json;q=0.5', 'TEXT/CSV; charset=utf-8', 'application/json;q=0, text/csv;q=0.1']) {
        assert.equal((await sheet(hf.app, `?event=${event}`, { accept })).rows.length, 5, accept);
    }
    for (const accept of ['*/*', 'application/json', 'application/json, text/csv', 'text/html', 'text/*', 'text/csv;q=0', 'text/csv;q=0.1, */*']) {
        const answer = await hf.app.get(`/v1/reservations?event=${event}`, { headers: { accept } });
        assert.match(answer.headers['content-type'], /^application\/json/, accept);
    }
    const found = [];
    let query = '&limit=2';
    for (let pages = 0; query && pages < 9; pages++) {
        const { rows, next } = await sheet(hf.app, `?event=${event}${query}`);
        found.push(...rows.map((row) => row.reservation_id));
        query = next && `&limit=2&cursor=${next}`;
    }
    assert.deepEqual(found, made);
});

test('q finds words in PNR, user and attributes, whatever their case', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A5' });
    const [x, y] = [unique('x').replace(/\W/g, ''), unique('y').replace(/\W/g, '')];
    const made = [];
    for (const [seat, user, attributes] of [
        ['A1', `ann.${x}@example.org`, { note: `Wheelchair ${y}`, deep: { list: ['Grüße', 42] } }],
        ['A2', `bob.${x}@example.org`, { note: 'window' }], ['A3', `cid.${y}`, undefined],
    ]) {
        made.push(await hold(hf.app, items(event, seat), { user_id: user, attributes }));
    }
    const find = async (q, more = `&event=${event}`, caller = hf.app) => (await list(caller, `?q=${encodeURIComponent(q)}${more}`)).data
        .map((r) => made.findIndex((one) => one.reservation_id === r.reservation_id)).sort();
    assert.deepEqual(await find(x, ''), [0, 1]);
    assert.deepEqual(await find(x.toUpperCase(), ''), [0, 1]);
    assert.deepEqual(await find(y, ''), [0, 2], 'of the user, or of the attributes');
    assert.deepEqual(await find(`${y} ${x}`, ''), [0], 'all of them');
    assert.deepEqual(await find(made[1].pnr.toLowerCase(), ''), [1]);
    assert.deepEqual(await find(`bob.${x}@example.org`, ''), [1]);
    assert.deepEqual(await find('wheelchair grüsse'), []);
    assert.deepEqual(await find('GRÜßE 42'), [0]);
    assert.deepEqual(await find('wheel'), [], 'whole words');
    for (const odd of ['"', '""', '*', '-', 'NOT', 'OR x', 'words:x', '^x', '(', "'", 'NEAR(a b)', ' ']) {
        assert.ok(Array.isArray(await find(odd)), odd);
    }
    assert.deepEqual(await find(x, `&from=${made[1].created_at}&limit=1`), [1]);
    assert.deepEqual(await find(x, '', hf.user(`ann.${x}@example.org`)), [0], 'only its own');
    /* It follows changes, and ended reservations can still be found. */
    granted(await hf.app.patch(path(made[1]), { attributes: { note: `aisle ${y}` } }), 200);
    assert.deepEqual([await find('window'), await find('aisle'), await find(y)], [[], [1], [0, 1, 2]]);
    granted(await hf.app.delete(path(made[0])), 200);
    assert.deepEqual(await find('wheelchair'), [0]);
    invalid(await hf.app.get('/v1/reservations?q='), '?q');
    invalid(await hf.app.get(`/v1/reservations?q=${'x'.repeat(257)}`), '?q');
});

test('found by the code of a ticket, also a void one, and by a payment, also one that is owed', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A4' });
    const [one, other, gone] = [await hold(hf.user('ann'), items(event, 'A1 A2')), await hold(hf.user('bob'), items(event, 'A3')), await hold(hf.user('cid'), items(event, 'A4'))];
    const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
    const ref = `pi_${event}`;
    const { json: sold } = await hf.app.post(path(one, '/commit'), { payment_ref: ref });
    const { json: second } = await hf.app.post(path(other, '/commit'), { payment_ref: `${ref}_2` });
    await hf.user('cid').delete(path(gone));
    assert.equal((await hf.app.post(path(gone, '/commit'), { payment_ref: `${ref}_3` })).status, 409);
    const find = async (query, caller = hf.app) => {
        const { json, status, text } = await caller.get(`/v1/reservations?${query}`, hf.since(await hf.admin.get('/v1/keys')));
        assert.equal(status, 200, text);
        return json.data.map((r) => r.reservation_id);
    };
    const code = sold.tickets[1].code;
    assert.deepEqual(await find(`ticket=${code}`), [one.reservation_id]);
    assert.deepEqual(await find(`ticket=${code}`, hf.user('ann')), [one.reservation_id]);
    assert.deepEqual(await find(`ticket=${code}`, hf.user('bob')), []);
    assert.deepEqual(await find(`ticket=${second.tickets[0].code}&user_id=ann`), []);
    assert.deepEqual(await find(`payment_ref=${ref}`), [one.reservation_id]);
    assert.deepEqual(await find(`payment_ref=${ref}_3`), [gone.reservation_id]);
    assert.deepEqual(await find(`payment_ref=${ref}_2`), [other.reservation_id]);
    assert.deepEqual(await find(`payment_ref=${ref}&ticket=${second.tickets[0].code}`), []);
    assert.deepEqual(await find('payment_ref=pi_nobody'), []);
    assert.equal((await hf.app.post(path(one, '/refund'), {})).status, 200);
    assert.equal((await hf.user('bob').post(path(other, '/transfer'), { to_user_id: 'dan' })).status, 200);
    assert.deepEqual(await find(`ticket=${code}`), [one.reservation_id]);
    assert.deepEqual(await find(`ticket=${second.tickets[0].code}`), [other.reservation_id]);
    invalid(await hf.app.get('/v1/reservations?ticket=short'), '?ticket');
    invalid(await hf.app.get('/v1/reservations?payment_ref='), '?payment_ref');
    refused(await hf.user('ann').get(`/v1/reservations?payment_ref=${ref}`), 403, 'forbidden');
});

test('q finds the names on tickets, as they are now', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const ann = hf.user('ann');
    const named = (seat, name) => ({ event, seat, attributes: { name } });
    const r = await hold(ann, [named('A1', 'Zoë Quill'), named('A2', 'Max Quill')]);
    const at = (item) => `/v1/reservations/${r.reservation_id}/items/${item}`;
    const finds = async (q, after) =>
        (await hf.app.get(`/v1/reservations?event=${event}&q=${encodeURIComponent(q)}`, hf.since(after))).json.data.length;
    let last = await ann.get(`/v1/reservations/${r.reservation_id}`);
    assert.deepEqual([await finds('zoe', last), await finds('zoe max quill', last), await finds('ida', last)], [1, 1, 0]);
    last = await ann.patch(at(1), { attributes: { name: 'Ida' } });
    assert.deepEqual([await finds('zoe', last), await finds('ida', last), await finds('max', last)], [0, 1, 1]);
    last = await ann.delete(at(2));
    assert.deepEqual([await finds('max', last), await finds('ida', last)], [0, 1]);
});
