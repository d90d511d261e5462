/* SPDX-License-Identifier: Apache-2.0 */
/* Reports give the sums of the rows of the book, as JSON, as CSV and in its views. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const { shared, unique, ownClock, ownProcess } = require('./lib/server.js');
const { makeEvent, items, hold, seats } = require('./lib/catalogue.js');
const { makeCalendar, midnight, slot, DAY } = require('./lib/calendars.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const place = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const done = async (answer) => granted(await answer, 200);
const REPORTS = ['sales', 'abandoned', 'funnel'];

async function report(name, query = '') {
    const now = hf.since(await hf.admin.get('/v1/keys'));
    const { json, status, text } = await hf.admin.get(`/v1/reports/${name}${query}`, now);
    assert.equal(status, 200, text);
    assert.equal(json.next_cursor, null);
    return json.data;
}

/* ---- The same sums, made from the raw tables ---- */

function book(sql) {
    const { stdout, stderr, status } = spawnSync('sqlite3', ['-readonly', '-json', path.join(hf.data, 'book.sqlite'), sql],
        { encoding: 'utf8', maxBuffer: 1 << 26 });
    assert.equal(status, 0, stderr);
    return stdout.trim() ? JSON.parse(stdout) : [];
}

const WHAT = ['event', 'calendar', 'tier', 'pool', 'service'];
const dayOf = (ms) => new Date(ms).toISOString().slice(0, 10);

/* Every item that was held to the end or refunded, with its reservation and its names. */
function lines() {
    const table = (name) => book(`SELECT * FROM ${name}`);
    const [reservations, events, calendars, services] = ['reservations', 'events', 'calendars', 'services'].map(table);
    const [parts, pools, history] = [table('seats'), table('pools'), table('history')];
    const byNumber = new Map(reservations.map((r) => [r.number, r]));
    const refunds = table('refunds');
    const refunded = new Set(history.filter((h) => h.action === 'item_refunded').map((h) => `${h.reservation} ${h.seq}`));
    const names = (i) => ({
        event: events.find((e) => e.number === i.event)?.id ?? null,
        calendar: calendars.find((c) => c.number === i.calendar)?.id ?? null,
        tier: (i.kind === 'seat' && parts.find((s) => s.event === i.event && s.position === i.position)?.tier) || null,
        pool: (i.kind === 'pool' && pools.find((p) => p.event === i.event && p.position === i.position)?.id) || null,
        service: (i.calendar && services.find((v) => v.calendar === i.calendar && v.position === i.position)?.id) || null
    });
    const line = (i, gone) => {
        const r = byNumber.get(i.reservation);
        const back = gone || r.status === 'refunded' || r.status === 'cancelled';
        const owed = refunds.some((f) => f.reservation === r.id && f.reason === 'expired' && f.status !== 'withdrawn');
        const late = r.confirmed_at ? r.confirmed_at >= r.expires_at : r.status === 'expired' && owed;
        return { ...names(i), r, units: i.quantity, amount: i.price, back, late };
    };
    return [
        ...table('items').map((i) => line(i, false)),
        ...table('history_items').filter((i) => refunded.has(`${i.reservation} ${i.seq}`)).map((i) => line(i, true))
    ];
}

/* Groups by the keys' values, in the order of the reports: null first. */
function grouped(list, keys, sums) {
    const groups = new Map();
    for (const one of list) {
        const key = keys.map((name) => one[name]);
        const text = JSON.stringify(key);
        groups.set(text, [...(groups.get(text) ?? []), one]);
    }
    const order = (a, b) => {
        const differs = keys.find((name) => a[name] !== b[name]);
        return a[differs] === null ? -1 : b[differs] === null ? 1 : a[differs] < b[differs] ? -1 : 1;
    };
    return [...groups.values()].map((of) => ({ ...Object.fromEntries(keys.map((name) => [name, of[0][name]])), ...sums(of) })).sort(order);
}

const sum = (list, of) => list.reduce((total, one) => total + Number(of(one)), 0);
/* One for each reservation and kind of item in it. */
const checkouts = (list) => grouped(list.map((l) => ({ ...l, number: l.r.number })), ['number', ...WHAT],
    (of) => ({ r: of[0].r, late: of[0].late, units: sum(of, (l) => l.units), amount: sum(of, (l) => l.amount), back: of.some((l) => l.back) }));

const EXPECTED = {
    sales: (list) => grouped(list.filter(({ r }) => r.confirmed_at).map((l) => ({ ...l, day: dayOf(l.r.confirmed_at), currency: l.r.currency })),
        ['day', ...WHAT, 'currency'], (of) => ({
            units: sum(of, (l) => (l.back ? 0 : l.units)), amount: sum(of, (l) => (l.back ? 0 : l.amount)),
            refunded_units: sum(of, (l) => (l.back ? l.units : 0)), refunded_amount: sum(of, (l) => (l.back ? l.amount : 0))
        })),
    abandoned: (list) => grouped(checkouts(list).filter(({ r }) => ['expired', 'released'].includes(r.status)).map((c) => {
        const end = c.r.status === 'expired' ? c.r.expires_at : c.r.ended_at;
        return { ...c, day: dayOf(end), how: c.r.status, reached: c.r.payment_started_at ? 'paying' : 'held', currency: c.r.currency, ms: end - c.r.created_at };
    }), ['day', ...WHAT, 'how', 'reached', 'currency'], (of) => ({
        checkouts: of.length, units: sum(of, (c) => c.units), amount: sum(of, (c) => c.amount),
        seconds_held: Math.floor(Math.floor(sum(of, (c) => c.ms) / of.length) / 1000),
        seconds_held_max: Math.floor(Math.max(...of.map((c) => c.ms)) / 1000)
    })),
    funnel: (list) => grouped(checkouts(list).map((c) => ({ ...c, day: dayOf(c.r.created_at) })), ['day', ...WHAT], (of) => ({
        held: of.length, paying: sum(of, (c) => Boolean(c.r.payment_started_at || c.r.confirmed_at)),
        confirmed: sum(of, (c) => Boolean(c.r.confirmed_at)), late: sum(of, (c) => c.late), refunded: sum(of, (c) => c.back)
    }))
};

/* ---- A few days of trade ---- */

const gold = (text) => seats(text, { tier: 'gold', price: 4500 });
const silver = (text) => seats(text, { tier: 'silver', price: 2000 });

async function trade(event, other, calendar) {
    const [ann, bob] = [hf.user('ann'), hf.user('bob')];
    const pay = (r) => done(hf.app.post(place(r, '/commit'), { payment_ref: unique('pi') }));
    const started = (r) => done(hf.user(r.user_id).post(place(r, '/payment'), {}));
    await pay(await hold(ann, items(event, 'A1 A2 B1')));
    const back = await pay(await hold(bob, items(event, 'A3 A4')));
    await done(hf.app.post(place(back, '/refund'), { items: ['1'] }));
    const whole = await pay(await hold(bob, [...items(event, 'A5'), { event, pool: 'floor', quantity: 3 }]));
    await done(hf.app.post(place(whole, '/refund'), {}));
    const given = await pay(await hold(ann, items(other, 'A1')));
    await done(ann.post(place(given, '/cancel'), {}));
    await done(ann.delete(place(await hold(ann, items(event, 'B2 B3')))));
    await started(await hold(bob, items(event, 'A6'), { ttl_seconds: 60 }));
    await hold(ann, [{ event, pool: 'floor', quantity: 2 }, ...items(other, 'A2')], { ttl_seconds: 90 });
    const [late, owed] = [await hold(ann, items(event, 'A7'), { ttl_seconds: 60 }), await hold(bob, items(event, 'A8'), { ttl_seconds: 60 })];
    hf.clock.advance(DAY);
    await pay(late);
    await hold(ann, items(event, 'A8'));
    refused(await hf.app.post(place(owed, '/commit'), { payment_ref: unique('pi') }), 409, 'expired');
    await pay(await hold(bob, [slot(calendar, midnight(hf, 3))]));
}

const someTrade = async () => {
    const event = await makeEvent(hf, { seats: [...gold('A1-A9'), ...silver('B1-B4')], pools: { floor: { capacity: 20, price: 700 } } });
    const other = await makeEvent(hf, { seats: seats('A1-A3'), starts_at: new Date(hf.now() + 9 * DAY).toISOString(), cancel_until_seconds: 60 });
    const calendar = await makeCalendar(hf, {});
    await trade(event, other, calendar);
    return { event, other, calendar };
};

test('each report matches the sums of the book\'s rows, and so does its view', ownClock, async () => {
    const { event } = await someTrade();
    for (const name of REPORTS) {
        /* Refusals are counted separately, and tested below. */
        const without = (rows) => (name !== 'funnel' ? rows : rows.filter(({ held }) => held).map(({ refusals, ...row }) => row));
        const all = without(await report(name));
        assert.deepEqual(all, EXPECTED[name](lines()), name);
        assert.deepEqual(all, book(`SELECT * FROM ${name}_by_day ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9`), name);
        const mine = without(await report(name, `?event=${event}`));
        assert.deepEqual(mine, all.filter((row) => row.event === event), name);
        assert.ok(mine.length > 1, name);
    }
});

test('the figures of one event, by hand', ownClock, async () => {
    const event = await makeEvent(hf, { seats: [...gold('A1-A3'), ...silver('B1')] });
    const sold = await hold(hf.user('ann'), items(event, 'A1 A2 B1'));
    await done(hf.app.post(place(sold, '/commit'), { payment_ref: unique('pi') }));
    await done(hf.app.post(place(sold, '/refund'), { items: ['2'] }));
    const lapsed = await hold(hf.user('bob'), items(event, 'A3'), { ttl_seconds: 60 });
    hf.clock.advance(61_000);
    await done(hf.admin.get(place(lapsed)));
    await hold(hf.user('cid'), items(event, 'A3'));
    const day = { event, calendar: null, pool: null, service: null };
    const pick = (rows, ...names) => rows.map((row) => names.map((name) => row[name]));
    const sales = await report('sales', `?event=${event}`);
    assert.deepEqual(sales[0], { day: sold.created_at.slice(0, 10), ...day, tier: 'gold', currency: 'EUR', units: 1, amount: 4500, refunded_units: 1, refunded_amount: 4500 });
    assert.deepEqual(pick(sales, 'tier', 'units', 'refunded_units'), [['gold', 1, 1], ['silver', 1, 0]]);
    assert.deepEqual(pick(await report('abandoned', `?event=${event}`), 'tier', 'how', 'reached', 'checkouts', 'units', 'amount', 'seconds_held'),
        [['gold', 'expired', 'held', 1, 1, 4500, 60]]);
    assert.equal(sum(await report('funnel', `?event=${event}`), (row) => row.held), 4);
    assert.equal(sum(await report('funnel', `?event=${event}`), (row) => row.confirmed), 2);
    assert.equal(sum(await report('funnel', `?event=${event}`), (row) => row.refunded), 1);
});

/* ---- Refusals ---- */

/* Sends requests, and counts the refusals: by day, resource of the refused item, and code. */
function counting() {
    const counts = new Map();
    return {
        counts,
        ask: async (who, wanted, what, rest = {}) => {
            const { status, json } = await who.post('/v1/reservations', { items: wanted, ...rest });
            if (status >= 400) {
                const key = JSON.stringify([dayOf(hf.now()), what.event ?? null, what.calendar ?? null, what.tier ?? null, what.pool ?? null, what.service ?? null, json.code]);
                counts.set(key, (counts.get(key) ?? 0) + 1);
            }
            return { status, json };
        }
    };
}
const flat = (rows) => rows.flatMap(({ refusals, ...row }) => refusals.map(({ reason, count }) => [JSON.stringify(['day', ...WHAT].map((name) => row[name]).concat(reason)), count]));
const sorted = (pairs) => [...pairs].sort(([a], [b]) => (a < b ? -1 : 1));

/* The counts are recorded a minute after the first. */
async function told(query, expected) {
    hf.clock.advance(60_001);
    for (let i = 0; ; i++) {
        const rows = flat(await report('funnel', query));
        if (sum(rows, ([, count]) => count) >= sum([...expected.values()], (count) => count) || i === 100) {
            return assert.deepEqual(sorted(rows), sorted(expected));
        }
    }
}

test('refusals are counted by reason, event, day and tier, as in the answers', ownClock, async () => {
    const event = await makeEvent(hf, { seats: [...gold('A1-A4'), ...silver('B1-B2')], pools: { floor: { capacity: 2, price: 700 } }, per_user_limit: 3 });
    const { counts, ask } = counting();
    const [ann, bob] = [hf.user('ann'), hf.user('bob')];
    const day = [{ event, tier: 'gold' }, { event, tier: 'silver' }, { event, pool: 'floor' }];
    await ask(ann, items(event, 'A1 A2'), {});
    for (let i = 0; i < 5; i++) {
        await ask(bob, items(event, 'A1'), day[0]);
        await ask(bob, [...items(event, 'B1'), ...items(event, 'A2')], day[0]);
        await ask(bob, [{ event, pool: 'floor', quantity: 3 }], day[2]);
    }
    await ask(ann, items(event, 'A3 B1'), day[0]); /* over the limit, which the first of them is refused for */
    await ask(ann, items(event, 'A9'), { event });
    await ask(ann, [{ event, best: { quantity: 3, tier: 'silver' } }], day[1]);
    assert.equal(sum([...counts.values()], (count) => count), 18);
    await told(`?event=${event}`, counts);
    /* Another day, and the same again next to existing counts. */
    await ask(bob, items(event, 'A1'), day[0]);
    hf.clock.advance(DAY);
    await ask(ann, items(event, 'A1 A2'), {});
    await ask(bob, items(event, 'A1'), day[0]);
    await told(`?event=${event}`, counts);
    const view = book(`SELECT * FROM refusals_by_day WHERE event = '${event}'`);
    assert.deepEqual(sorted(view.map(({ count, reason, ...row }) => [JSON.stringify([...Object.values(row), reason]), count])), sorted(counts));
    const now = hf.since(await hf.admin.get('/v1/keys'));
    const { text } = await hf.admin.get(`/v1/reports/funnel?event=${event}`, { ...now, headers: { ...now.headers, accept: 'text/csv' } });
    assert.match(text, new RegExp(`,${event},,gold,,,[0-9,]+,limit_exceeded 1;taken 1[01]\r\n`));
});

test('refusals on calendars count there; counts survive a restart', ownProcess, async () => {
    const calendar = await makeCalendar(hf, {});
    const { counts, ask } = counting();
    await ask(hf.user('ann'), [slot(calendar, midnight(hf, 3))], {});
    await ask(hf.user('bob'), [slot(calendar, midnight(hf, 3))], { calendar });
    await ask(hf.user('bob'), [slot('nowhere', midnight(hf, 3))], {});
    assert.equal(counts.size, 2);
    await hf.restart();
    assert.deepEqual(sorted(flat(await report('funnel')).filter(([key]) => counts.has(key))), sorted(counts));
});

test('from and to choose by the instant of the sale, the end or the hold', ownClock, async () => {
    const event = await makeEvent(hf, { seats: gold('A1-A3') });
    const first = await hold(hf.user('ann'), items(event, 'A1'));
    hf.clock.advance(5_000);
    const { confirmed_at: at } = await done(hf.app.post(place(first, '/commit'), { payment_ref: unique('pi') }));
    const later = new Date(Date.parse(at) + 1).toISOString();
    const units = async (query) => sum(await report('sales', `?event=${event}${query}`), (row) => row.units);
    assert.deepEqual([await units(`&from=${at}`), await units(`&from=${later}`), await units(`&to=${at}`), await units(`&to=${later}`)], [1, 0, 0, 1]);
    const held = async (query) => sum(await report('funnel', `?event=${event}${query}`), (row) => row.held);
    assert.deepEqual([await held(`&from=${first.created_at}`), await held(`&from=${at}`), await held(`&to=${first.created_at}`)], [1, 0, 0]);
    assert.deepEqual(await report('abandoned', `?event=${event}`), []);
    assert.deepEqual(await report('sales', '?event=nowhere'), []);
});

test('CSV has the same rows; others than admins are 403; times and ids are checked', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: seats('A1', { tier: '=1+1', price: 100 }) });
    const one = await hold(hf.user('ann'), items(event, 'A1'));
    const since = hf.since(await hf.app.post(place(one, '/commit'), { payment_ref: unique('pi') }));
    const csv = { ...since, headers: { ...since.headers, accept: 'text/csv' } };
    const { text, headers } = await hf.admin.get(`/v1/reports/sales?event=${event}`, csv);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    assert.match(headers.vary, /Accept/);
    assert.equal(text, 'day,event,calendar,tier,pool,service,currency,units,amount,refunded_units,refunded_amount\r\n'
        + `${one.created_at.slice(0, 10)},${event},,'=1+1,,,EUR,1,100,0,0\r\n`);
    for (const name of REPORTS) {
        const { text: rows } = await hf.admin.get(`/v1/reports/${name}?event=${event}`, csv);
        const json = await report(name, `?event=${event}`);
        assert.equal(rows.trim().split('\r\n').length, json.length + 1);
        const { properties } = hf.description.document.components.schemas[`${name}_row`];
        assert.equal(rows.split('\r\n')[0], Object.keys(properties).join());
        for (const who of [hf.app, hf.user('ann')]) {
            refused(await who.get(`/v1/reports/${name}`), 403, 'forbidden');
        }
        invalid(await hf.admin.get(`/v1/reports/${name}?from=yesterday`), '?from');
        invalid(await hf.admin.get(`/v1/reports/${name}?from=2030-01-02T00:00:00Z&to=2030-01-01T00:00:00Z`), '?to');
        invalid(await hf.admin.get(`/v1/reports/${name}?event=${encodeURIComponent('no id')}`), '?event');
    }
});

test('TTL advice: the 95th percentile of hold to payment and a tenth, late payments included', ownClock, async () => {
    const event = await makeEvent(hf, { seats: gold('A1-A30') });
    const advice = async () => (await hf.admin.get(`/v1/events/${event}/ttl-advice`, hf.since(await hf.admin.get('/v1/keys')))).json;
    const none = { p50_seconds: null, p95_seconds: null, recommended_ttl_seconds: null };
    assert.deepEqual(await advice(), { samples: 0, ...none });
    const held = [];
    for (let i = 1; i <= 20; i++) {
        held.push(await hold(hf.user('ann'), items(event, `A${i}`), { ttl_seconds: 190 }));
    }
    await hold(hf.user('bob'), items(event, 'A30')); /* not paid: no sample */
    /* The first after about 10 s, the next after 20 s, …; the twentieth is late, and its seat is gone. */
    const began = hf.now();
    for (const [i, r] of held.entries()) {
        hf.clock.advance(began + (i + 1) * 10_000 - hf.now());
        if (i === 19) {
            await hold(hf.user('cid'), items(event, 'A20'));
        }
        const { status } = await hf.app.post(place(r, '/commit'), { payment_ref: unique('pi') });
        assert.equal(status, i === 19 ? 409 : 200);
    }
    const seconds = (i) => Math.ceil((began + i * 10_000 - Date.parse(held[i - 1].created_at)) / 1000);
    const { samples, p50_seconds, p95_seconds, recommended_ttl_seconds } = await advice();
    assert.equal(samples, 20);
    for (const [got, expected] of [[p50_seconds, seconds(10)], [p95_seconds, seconds(19)], [recommended_ttl_seconds, Math.ceil(seconds(19) * 1.1)]]) {
        assert.ok(Math.abs(got - expected) <= 3, `${got} instead of ${expected}`);
    }
    hf.clock.advance(31 * DAY);
    assert.deepEqual(await advice(), { samples: 0, ...none });
    refused(await hf.admin.get('/v1/events/nowhere/ttl-advice'), 404, 'no_such_event');
    refused(await hf.app.get(`/v1/events/${event}/ttl-advice`), 403, 'forbidden');
});

/* A zone where the date now differs from UTC. */
const elsewhere = () => (new Date(hf.now()).getUTCHours() < 11 ? 'Pacific/Pago_Pago' : 'Pacific/Kiritimati');

test('days of an event are those of its time zone; of several, each by its own', ownClock, async () => {
    const timezone = elsewhere();
    const there = await makeEvent(hf, { seats: gold('A1-A3'), timezone });
    const here = await makeEvent(hf, { seats: gold('A1-A3') });
    const day = (zone) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date(hf.now()));
    assert.notEqual(day(timezone), day('UTC'));
    const days = { [there]: day(timezone), [here]: day('UTC') };
    for (const event of [there, here]) {
        const sold = await hold(hf.user('ann'), items(event, 'A1'));
        await done(hf.app.post(place(sold, '/commit'), {}));
        const given = await hold(hf.user('bob'), items(event, 'A2'));
        await done(hf.user('bob').post(place(given, '/release'), {}));
        refused(await hf.user('bob').post('/v1/reservations', { items: items(event, 'A1') }), 409, 'taken');
    }
    hf.clock.advance(60_001);
    for (const event of [there, here]) {
        const told = async () => (await report('funnel', `?event=${event}`)).some((row) => row.refusals.length);
        for (let i = 0; i < 100 && !(await told()); i++);
    }
    for (const name of REPORTS)
        for (const event of [there, here]) {
            const rows = await report(name, `?event=${event}`);
            assert.deepEqual([...new Set(rows.map((row) => row.day))], [days[event]], `${name} ${timezone}`);
            const all = (await report(name)).filter((row) => row.event === event);
            assert.deepEqual(all, rows);
        }
});
