/* SPDX-License-Identifier: Apache-2.0 */
/* The book, a copy of it, and one rebuilt from the journal have everything that was acknowledged. */
'use strict';

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { Server } = require('../conformance/lib/server.js');
const { makeEvent, seats, items, hold, seatStatus, availability, whole } = require('../conformance/lib/catalogue.js');
const { granted } = require('../conformance/lib/expect.js');
const { lasting } = require('./lib/oracle.js');
const { run, inject, runInjected, segments, whyNoStrace } = require('./lib/fault.js');
const { own, under, scratch, ends, at, sqlite } = require('./lib/own.js');

/* ---- Backup ---- */

under('a backup of a running server under load, restored elsewhere, has everything acknowledged before it', async (load, t) => {
    const { hf, oracle } = load;
    const place = scratch(t);
    const copy = path.join(place, 'backup');
    const data = path.join(place, 'data');
    for (const folder of [copy, data]) {
        fs.mkdirSync(folder, { mode: 0o755 }); /* its contents must still be private */
    }
    const before = new Map();
    await load.crash(async (worker) => {
        await hf.eventually(async () => oracle.acknowledged, (n) => n > 300, 'some work done');
        for (const { known } of oracle.entries.filter((entry) => entry.known)) {
            before.set(known.reservation_id, known);
        }
        const made = await run(['backup', hf.data, copy]);
        assert.equal(made.code, 0, made.stderr);
        worker.over = true;
        await hf.kill9();
    });
    assert.ok(before.size > 50);
    const restored = await run(['restore', copy, data]);
    assert.equal(restored.code, 0, restored.stderr);
    for (const file of [copy, data].flatMap((folder) => fs.readdirSync(folder, { recursive: true, withFileTypes: true }))) {
        const { mode } = fs.statSync(path.join(file.path, file.name));
        assert.equal(mode & 0o077, 0, `${file.name} is for others, too: ${mode.toString(8)}`);
    }
    const again = await run(['restore', copy, data]);
    assert.notEqual(again.code, 0, 'a folder that is not empty must not be written over');
    const { adminKey, secret } = hf;
    const other = await new Server({ data, adminKey, secret }).start();
    try {
        for (const [id, image] of before) {
            const now = granted(await other.admin.get(`/v1/reservations/${id}`), 200);
            assert.ok(now.version >= image.version, `${id} is at version ${now.version}, acknowledged ${image.version}`);
            if (now.version === image.version) {
                assert.deepEqual(lasting(now), image);
            }
        }
    } finally {
        await other.close();
    }
    const looked = await run(['check', data]);
    assert.equal(looked.code, 0, looked.stdout + looked.stderr);
});

/* ---- The book ---- */

function ask(hf, sql) {
    const { status, stdout, stderr } = spawnSync('sqlite3', ['-readonly', '-json', path.join(hf.data, 'book.sqlite'), sql], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout ? JSON.parse(stdout) : [];
}

own('a list from an empty book has Holdfast-Seq 0', async (hf) => {
    const lock = spawn('sqlite3', [path.join(hf.data, 'book.sqlite')], { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
        lock.stdin.write("BEGIN IMMEDIATE; SELECT 'held';\n");
        await once(lock.stdout, 'data'); /* from here on the book cannot follow the journal */
        assert.equal((await hf.admin.put('/v1/events/e', { name: 'e' })).status, 201);
        const list = await hf.admin.get('/v1/reservations?user_id=ann');
        assert.equal(list.status, 200);
        assert.equal(list.headers['holdfast-seq'], '0');
    } finally {
        lock.kill('SIGKILL');
        await once(lock, 'exit');
    }
}, sqlite);

own('the book can be read with sqlite3 while the server runs: live_holds, sales, abandoned', async (hf) => {
    const event = await makeEvent(hf, { seats: seats('A1-A9', { price: 250 }), pools: { floor: { capacity: 9, price: 7 } } });
    const ann = hf.user('ann');
    const live = await hold(ann, [...items(event, 'A1 A2'), { event, pool: 'floor', quantity: 3 }]);
    const app = await hf.key('app');
    const sold = granted(await app.post(at(await hold(ann, items(event, 'A3')), '/commit'), { payment_ref: 'pay-1' }), 200);
    const released = await hold(ann, items(event, 'A4'));
    granted(await ann.delete(at(released)), 200);
    const expired = await hold(ann, items(event, 'A5'), { ttl_seconds: 60 });
    hf.clock.advance(60_000);
    const last = await ann.get(at(expired));
    granted(last, 200, { status: 'expired' });
    await whole(hf.admin, '/v1/reservations', hf.since(last));

    const columns = 'reservation, pnr, user_id, event, seat, pool, quantity, price, currency';
    const row = (r, item) => ({
        reservation: r.reservation_id, pnr: r.pnr, user_id: 'ann', event, seat: item.seat ?? null, pool: item.pool ?? null,
        quantity: item.quantity ?? 1, price: item.price, currency: 'EUR',
    });
    const sorted = (rows) => rows.map((one) => JSON.stringify(one)).sort();
    assert.deepEqual(sorted(ask(hf, `SELECT ${columns} FROM live_holds`)), sorted(live.items.map((item) => row(live, item))));
    assert.deepEqual(ask(hf, `SELECT ${columns} FROM sales`), [row(sold, sold.items[0])]);
    const [sale] = ask(hf, 'SELECT order_id, sold_at, payment_ref FROM sales');
    assert.deepEqual(sale, { order_id: sold.order_id, sold_at: sold.confirmed_at, payment_ref: 'pay-1' });
    const [times] = ask(hf, 'SELECT held_at, expires_at FROM live_holds LIMIT 1');
    assert.deepEqual(times, { held_at: live.created_at, expires_at: live.expires_at });
    const gone = ask(hf, 'SELECT reservation, how, seat, ended_at FROM abandoned ORDER BY how');
    assert.deepEqual(gone.map(({ reservation, how, seat }) => [reservation, how, seat]),
        [[expired.reservation_id, 'expired', 'A5'], [released.reservation_id, 'released', 'A4']]);
    assert.equal(gone[0].ended_at, last.json.ended_at);
    await hold(ann, items(event, 'A6')); /* the server continues */
}, sqlite);

/* ---- Others at the book ---- */

/* Another process with an open transaction on the book. */
async function occupy(hf, sql, ...options) {
    const child = spawn('sqlite3', [...options, path.join(hf.data, 'book.sqlite')], { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.write(`${sql}\n`);
    await once(child.stdout, 'data');
    return async () => {
        child.kill('SIGKILL');
        await once(child, 'exit');
    };
}

const figure = async (hf, name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec((await hf.admin.get('/metrics')).text)[1]);
const MAX = 16 << 20;

/* Imports until the journal is larger than allowed: returns the last answer. */
async function outgrow(hf, event) {
    const name = 'a name that takes some room in the journal';
    let answer;
    for (let n = 0; !answer || (answer.status === 201 && await figure(hf, 'holdfast_journal_bytes') <= MAX + (5 << 20)); n++) {
        const rows = Array.from({ length: 20_000 }, (_, i) => `${n}s${i},${name} ${i},${name}\n`);
        const body = Buffer.from(`id,section,tier\n${rows.join('')}`);
        answer = await hf.admin.post(`/v1/events/${event}/seats`, body, { headers: { 'Content-Type': 'text/csv' } });
    }
    return answer;
}

const readiness = (hf, wanted, cause) => hf.eventually(() => hf.anyone.get('/readyz'),
    ({ status, json }) => status === wanted && json.degraded.join() === cause, `/readyz ${wanted} ${cause}`, 60_000);

own('a long reader of the book stops no sale; a book that cannot be written does', async (hf) => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const [large, more] = [await makeEvent(hf), await makeEvent(hf)];
    const leave = await occupy(hf, 'BEGIN; SELECT count(*) FROM events;', '-readonly');
    try {
        assert.equal((await outgrow(hf, large)).status, 201);
        const { json } = await readiness(hf, 200, 'book_pinned');
        assert.equal(json.status, 'ready');
        const r = await hold(hf.user('ann'), items(event, 'A1'));
        granted(await hf.user('ann').post(at(r, '/commit'), {}), 200, { status: 'confirmed' });
        assert.equal(await figure(hf, 'holdfast_ready'), 1);
        assert.ok(await figure(hf, 'holdfast_book_pinned_seconds') > 0);
    } finally {
        await leave();
    }
    await readiness(hf, 200, '');
    assert.equal(await figure(hf, 'holdfast_book_pinned_seconds'), 0);
    await hf.eventually(() => figure(hf, 'holdfast_journal_bytes'), (bytes) => bytes < 5 << 20, 'the journal is freed');

    const mine = await hold(hf.user('ann'), items(event, 'A2'));
    const unlock = await occupy(hf, "BEGIN IMMEDIATE; SELECT 'held';");
    try {
        await outgrow(hf, more);
        await readiness(hf, 503, 'book_behind');
        assert.equal((await hf.user('bob').post('/v1/reservations', { items: items(event, 'A3') })).status, 503);
        granted(await hf.user('ann').post(at(mine, '/commit'), {}), 200, { status: 'confirmed' });
    } finally {
        await unlock();
    }
    await readiness(hf, 200, '');
    await hold(hf.user('bob'), items(event, 'A3'));
}, { ...sqlite, server: { args: ['--segment-size', '1M', '--journal-max', '16M'] } });

/* Everything visible, except for what changes over time. */
async function everything(hf, event) {
    const seen = await hf.anyone.get('/healthz');
    const list = await whole(hf.admin, '/v1/reservations?limit=1000', hf.since(seen));
    const histories = [];
    for (const r of list) {
        histories.push((await hf.admin.get(at(r, '/history'))).json.data);
    }
    const { seats: now, pools } = await availability(hf, event);
    const layout = (await hf.anyone.get(`/v1/events/${event}/seats`)).json;
    const versions = [];
    for (const seat of Object.keys(now)) {
        versions.push((await hf.anyone.get(`/v1/events/${event}/seats/${seat}`)).json);
    }
    const keys = (await hf.admin.get('/v1/keys')).json;
    return { list: list.map(lasting), histories, now, pools, layout, versions, keys, event: (await hf.anyone.get(`/v1/events/${event}`)).json };
}

own('a deleted book rebuilt from the journal equals the live state', async (hf) => {
    const event = await makeEvent(hf, { seats: seats('A1-A20', { price: 250, section: 'Nord' }), pools: { floor: 50 }, per_user_limit: 12 });
    const ann = hf.user('ann');
    const key = { headers: { 'Idempotency-Key': 'once' } };
    const app = await hf.key('app');
    const body = { items: [...items(event, 'A1 A2'), { event, pool: 'floor', quantity: 2 }], attributes: { a: 'ü' } };
    const first = granted(await ann.post('/v1/reservations', body, key), 201);
    const sold = await hold(ann, items(event, 'A3 A4'));
    granted(await app.post(at(sold, '/commit'), { payment_ref: 'p' }), 200);
    const changed = await hold(ann, items(event, 'A5 A6'));
    granted(await ann.post(at(changed, '/items'), { event, seat: 'A7' }), 201);
    granted(await ann.delete(at(changed, '/items/1')), 200);
    granted(await ann.post(at(changed, '/extend'), { ttl_seconds: 700 }), 200);
    granted(await ann.delete(at(await hold(ann, items(event, 'A8')))), 200);
    await hold(hf.user('bob'), items(event, 'A9'), { ttl_seconds: 5 });
    hf.clock.advance(5_000);
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A10'], blocked: true });
    await hf.eventually(async () => seatStatus(hf, event, 'A9'), (status) => status === 'available', 'the brief hold expires');
    const before = await everything(hf, event);
    for (const kill of [false, true]) {
        await (kill ? hf.kill9() : hf.stop());
        const files = fs.readdirSync(hf.data).filter((name) => name.startsWith('book.sqlite'));
        assert.ok(files.length > 0);
        files.forEach((name) => fs.rmSync(path.join(hf.data, name)));
        await hf.launch();
        assert.deepEqual(await everything(hf, event), before);
        const again = await ann.post('/v1/reservations', body, key);
        granted(again, 201, { reservation_id: first.reservation_id });
        assert.equal(again.headers['idempotent-replayed'], 'true');
    }
    await hf.stop();
    const looked = await run(['check', hf.data]);
    assert.equal(looked.code, 0, looked.stdout + looked.stderr);
});

/* A seat's claim continues while its price changes: in the book it must not look freed after it was claimed. */
own('items changed in every way leave a consistent book, after kill -9 too', async (hf) => {
    const event = await makeEvent(hf, {
        seats: ['A1', 'A2', 'A3', 'A4', 'A5'].map((id) => ({ id, tier: 'gold' })),
        categories: ['adult', 'child'], prices: { gold: { adult: 900, child: 400 } },
        pools: { floor: { capacity: 9, prices: { adult: 200, child: 100 } } },
    });
    const ann = hf.user('ann');
    const child = { category: 'child' };
    const changes = [[child], [{ seat: 'A5' }, child], [child, 'commit'], [child, 'commit', 'transfer']];
    for (const [n, steps] of changes.entries()) {
        const r = await hold(ann, items(event, `A${n + 1}`));
        for (const step of steps) {
            const done = typeof step !== 'string' ? await ann.patch(at(r, '/items/1'), step)
                : await ann.post(at(r, `/${step}`), step === 'transfer' ? { to_user_id: 'bea' } : {});
            assert.equal(done.status, 200, done.text);
        }
    }
    const floor = await hold(ann, [{ event, pool: 'floor', quantity: 3 }]);
    for (const step of [child, { quantity: 5 }, { quantity: 2 }, { attributes: { name: 'Ann' } }])
        granted(await ann.patch(at(floor, '/items/1'), step), 200);
    for (const kill of [true, false]) {
        await (kill ? hf.kill9() : hf.stop());
        const looked = await run(['check', hf.data]);
        assert.equal(looked.code, 0, looked.stdout + looked.stderr);
        await hf.launch();
    }
});

/* ---- A disk that does not give what is on it ---- */

const strace = { skip: whyNoStrace(), server: { args: ['--segment-size', '1M'] } };
const EIO = 'pread64:error=EIO';

/* The Nth read fails, for increasing N, until there are fewer reads. */
async function readsFail(t, data, file, make) {
    let hits = 0;
    for (let nth = 1, next = 2; ; [nth, next] = [next, nth + next]) {
        const place = scratch(t), copy = path.join(place, 'data');
        fs.cpSync(data, copy, { recursive: true, preserveTimestamps: true });
        const args = make(copy, path.join(place, 'made'));
        const told = await runInjected(args, `${EIO}:when=${nth}`, path.join(copy, file));
        if (!told.hit) {
            assert.ok(hits > 2, `${args[0]} reads ${file}`);
            return;
        }
        hits++;
        assert.equal(told.code, 74, `${args[0]}, read ${nth} of ${file}: ${told.stdout}${told.stderr}`);
    }
}

own('a read that fails is exit 74, not damage: book, log and journal, in check, backup and export, and at a start', async (hf, t) => {
    const event = await makeEvent(hf, { seats: 'A1-A200' });
    for (let i = 1; i <= 30; i++) {
        await hold(hf.user(`u${i}`), items(event, `A${i}`));
    }
    const { seq } = await hf.admin.get('/healthz');
    await hf.admin.get('/v1/reservations?limit=1', { ...hf.since({ seq }), atLeast: seq });
    await hf.kill9();
    const journal = path.relative(hf.data, segments(hf)[0]);
    const backup = (data, to) => ['backup', data, to];
    for (const file of ['book.sqlite', 'book.sqlite-wal', journal]) {
        await readsFail(t, hf.data, file, backup);
        const serve = ['serve', '--data', hf.data, '--listen', '127.0.0.1:0'];
        const told = await runInjected(serve, `${EIO}:when=3+`, path.join(hf.data, file));
        assert.equal(told.code, 74, `a start without ${file}: ${told.stderr}`);
    }
    await hf.launch();
    await hf.stop();
    for (const make of [(data) => ['check', data], (data, to) => ['export', '--data', data, '--sql', to]]) {
        await readsFail(t, hf.data, 'book.sqlite', make);
    }
    assert.equal((await run(['check', hf.data])).code, 0);
    await hf.launch();
    const book = path.join(hf.data, 'book.sqlite');
    await inject(hf, EIO, [book, `${book}-wal`]);
    await assert.rejects(hf.admin.get('/v1/reservations?limit=100'));
    await ends(hf, 74);
    assert.match(hf.stderr, /cannot be read; ending the process/);
}, strace);
