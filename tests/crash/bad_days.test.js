/* SPDX-License-Identifier: Apache-2.0 */
/* Bad days: disks that fail, fill up or lie, clocks that jump, a second process, damage; and what then stands. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Server } = require('../conformance/lib/server.js');
const { makeEvent, seats, items, hold, seatStatus, availability, counts, whole } = require('../conformance/lib/catalogue.js');
const { refused, granted, instant } = require('../conformance/lib/expect.js');
const { Random } = require('./lib/random.js');
const { Run, sleep } = require('./lib/run.js');
const { lasting } = require('./lib/oracle.js');
const { BLOCK, run, whyNoStrace, segments, inject, smallDisk, readOnly, fillUp, batches, overwrite, rewrite } = require('./lib/fault.js');

const DAY_MS = 86_400_000;
const strace = { skip: whyNoStrace() };
const sqlite = { skip: spawnSync('sqlite3', ['--version']).status === 0 ? false : 'sqlite3 is not installed' };
const at = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

async function shut(hf) {
    hf.child?.kill('SIGKILL');
    await hf.exit;
    hf.child = null;
    await hf.close();
}

/* A server of the test's own, closed whatever happens, and dead or alive at the end. */
function own(name, body, options = {}) {
    test(name, options, async (t) => {
        const hf = await new Server(options.server).start();
        try {
            await body(hf, t);
        } finally {
            await shut(hf);
        }
    });
}

/* The same for a run with load and an oracle. */
function under(name, body, options = {}) {
    test(name, options, async (t) => {
        const load = new Run(new Random(Date.now() >>> 0), { connections: 8, server: options.server });
        try {
            await load.begin();
            await body(load, t);
        } finally {
            await shut(load.hf);
        }
    });
}

function scratch(t) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-'));
    t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
    return folder;
}

/* The server has to end by itself, soon and with this code; 0 is any but 0. */
async function ends(hf, code) {
    const timer = setTimeout(() => hf.child.kill('SIGABRT'), 30_000);
    const ended = await hf.exit;
    clearTimeout(timer);
    hf.client.close();
    hf.child = null;
    const told = `${ended.signal ?? ''} ${hf.stderr.slice(-2000)}`;
    assert.equal(ended.signal, null, told);
    assert.ok(code ? ended.code === code : ended.code !== 0, `exit ${ended.code}: ${told}`);
}

/* It does not start, says why in one sentence that fits, and touches standard output not at all. */
async function doesNotStart(hf, code, sentence) {
    const told = await run(['serve', '--data', hf.data, '--listen', '127.0.0.1:0'], hf.environment());
    assert.equal(told.signal, null, told.stderr);
    assert.equal(told.code, code, told.stderr);
    assert.equal(told.stdout, '');
    assert.match(told.stderr, sentence);
}

/* ---- The folder ---- */

own('a second process on the same data folder is refused with exit 75; the first goes on', async (hf) => {
    await doesNotStart(hf, 75, /another process is using the data folder/);
    const event = await makeEvent(hf, { seats: 'A1' });
    await hold(hf.user('ann'), items(event, 'A1'));
    const { code, stderr } = await run(['check', hf.data]);
    assert.equal(code, 75, `check must not look at a folder in use: ${stderr}`);
});

own('a read-only data folder is refused with a sentence, empty or not, and stays as it was', async (hf, t) => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const r = await hold(hf.user('ann'), items(event, 'A1'));
    await hf.stop();
    const empty = { data: path.join(hf.folder, 'empty'), environment: () => hf.environment() };
    fs.mkdirSync(empty.data);
    for (const folder of [empty, hf]) {
        const { undo, why } = readOnly(folder.data);
        if (why) {
            t.skip(why);
            return;
        }
        try {
            await doesNotStart(folder, 74, /[Rr]ead-only|[Pp]ermission denied/);
        } finally {
            undo();
        }
    }
    assert.deepEqual(fs.readdirSync(empty.data), []);
    await hf.launch();
    granted(await hf.user('ann').get(at(r)), 200, { status: 'held' });
});

/* ---- A disk that fails ---- */

for (const call of ['fdatasync', 'pwrite64']) {
    under(`${call} fails: the server ends at once, and all that was acknowledged is there`, async (load) => {
        for (const nth of [1, 2, 5]) {
            await load.crash(async (worker) => {
                worker.doomed = true;
                await inject(load.hf, `${call}:error=EIO:when=${nth}`);
                await ends(load.hf, 74);
            });
            assert.match(load.hf.stderr, /cannot write the journal/);
            load.check();
            await load.hf.launch();
            await load.verify();
        }
        await load.end();
    }, strace);
}

under('killed exactly at the Kth sync, K from 1 to 8: all that was acknowledged is there', async (load) => {
    for (let nth = 1; nth <= 8; nth++) {
        await load.crash(async (worker) => {
            worker.doomed = true;
            await inject(load.hf, `fdatasync:signal=SIGKILL:when=${nth}`);
            const { signal } = await load.hf.exit;
            assert.equal(signal, 'SIGKILL', load.hf.stderr.slice(-2000));
            load.hf.client.close();
            load.hf.child = null;
        });
        await load.hf.launch();
        await load.verify();
    }
    await load.end();
}, strace);

/* An answer, or null when there was none yet after `ms`. */
const within = (answer, ms) => Promise.race([answer, sleep(ms).then(() => null)]);

own('nothing is told of a hold before it is synced: no answer, refusal, read or event of a stream', async (hf) => {
    const event = await makeEvent(hf, { seats: 'A1-A2' });
    const stream = await hf.anyone.stream(`/v1/events/${event}/stream`);
    await stream.next(({ name }) => name === 'reset');
    const trace = await inject(hf, 'fdatasync:delay_enter=1500000');
    let first = hf.user('ann').post('/v1/reservations', { items: items(event, 'A1') });
    assert.equal(await within(first, 300), null, 'answered before the sync');
    const second = hf.user('bob').post('/v1/reservations', { items: items(event, 'A1') });
    const seat = hf.anyone.get(`/v1/events/${event}/seats/A1`);
    const all = hf.anyone.get(`/v1/events/${event}/availability`);
    const map = hf.anyone.get(`/v1/events/${event}/availability?format=map`);
    const count = hf.anyone.get(`/v1/events/${event}`);
    const early = await Promise.all([first, second, seat, all, map, count].map((answer) => within(answer, 500)));
    assert.equal(early[0], null, 'answered before the sync');
    assert.equal(early[1], null, `refused because of a hold that is not durable: ${early[1]?.text}`);
    const free = [(a) => a.json.status, (a) => a.json.seats.A1, (a) => ({ a: 'available' })[a.json.map[0]], (a) => (a.json.counts.held ? 'held' : 'available')];
    early.slice(2).forEach((answer, i) => assert.ok(answer === null || free[i](answer) === 'available', `shown before the sync: ${answer?.text}`));
    assert.deepEqual(stream.events, [], 'streamed before the sync');
    first = await first;
    granted(first, 201, { status: 'held' });
    refused(await second, 409, 'taken');
    assert.equal((await seat).status, 200);
    await stream.next(({ json }) => json?.id === 'A1', 'the seat in the stream');
    stream.close();
    await trace.release();
}, strace);

own('killed while a hold waits for its write: nobody was told, and it is not there', async (hf) => {
    const event = await makeEvent(hf, { seats: 'A1' });
    await inject(hf, 'pwrite64:delay_enter=2000000');
    const answers = ['ann', 'bob'].map((name) => hf.user(name).post('/v1/reservations', { items: items(event, 'A1') }).catch(() => 'gone'));
    assert.equal(await within(Promise.any(answers), 300), null, 'answered before it was written');
    await hf.kill9();
    assert.deepEqual(await Promise.all(answers), ['gone', 'gone']);
    await hf.launch();
    assert.equal(await seatStatus(hf, event, 'A1'), 'available');
    await hold(hf.user('cid'), items(event, 'A1'));
}, strace);

/* ---- A disk that is full ---- */

test('disk full: holds get 507, commits, releases and reads go on; with room again holds work; nothing is lost', async (t) => {
    const { folder, remove, why } = smallDisk(64);
    if (why) {
        t.skip(why);
        return;
    }
    const hf = new Server({ data: path.join(folder, 'data'), env: { HOLDFAST_SEGMENT_SIZE: '1M' } });
    try {
        await hf.start();
        await fullDisk(hf, folder);
    } finally {
        await shut(hf);
        remove();
    }
});

async function fullDisk(hf, folder) {
    const event = await makeEvent(hf, { seats: seats('A1-A2000'), pools: { floor: 1_000_000 } });
    const ann = hf.user('ann');
    const told = new Map();
    const tell = (answer) => {
        told.set(answer.json.reservation_id, lasting(answer.json));
        return answer.json;
    };
    const take = (i) => ann.post('/v1/reservations', { items: items(event, `A${i}`) });
    const finish = async (r, how) => tell(granted200(await ann.post(at(r, how), {})));
    const held = [];
    for (let i = 1; i <= 420; i++) {
        held.push(tell(await take(i)));
    }
    const journal = path.join(hf.data, 'journal');
    const spares = () => fs.readdirSync(journal).filter((name) => name.endsWith('.spare')).length;
    await hf.eventually(async () => spares(), (n) => n === 9, 'the next segment and the reserve of 8 MiB');
    const filler = fillUp(folder);
    /* This segment has room, and after it comes the one that is ready; then only the reserve is left. */
    const first = segments(hf).length;
    for (let i = 421; i <= 2000 && segments(hf).length === first; i++) {
        tell(await take(i));
    }
    let next = 1000;
    const more = async () => {
        const answer = await take(next++);
        return answer.status === 201 ? void tell(answer) : answer;
    };
    const full = await hf.eventually(more, Boolean, 'a hold is refused');
    refused(full, 507, 'storage_full');
    refused(await ann.post(at(held[0], '/items'), { event, pool: 'floor', quantity: 1 }), 507, 'storage_full');
    await finish(held.pop(), '/release');
    await finish(held.pop(), '/commit');
    granted(await ann.get(at(held[50])), 200, { status: 'held' });
    assert.equal(await seatStatus(hf, event, 'A420'), 'available');
    assert.equal((await availability(hf, event)).seats.A419, 'sold');
    const ready = await hf.anyone.get('/readyz');
    assert.ok(ready.status === 503 || /degraded/.test(ready.text), `${ready.status} ${ready.text}`);
    assert.equal((await hf.anyone.get('/healthz')).status, 200);

    await hf.kill9();
    await hf.launch();
    await everythingTold(hf, told);
    refused(await take(1999), 507, 'storage_full');
    /* Beyond the end of this segment they go to the one that was reserved for them. */
    const before = segments(hf);
    const { offset } = batches(before.at(-1)).at(-1);
    const left = (fs.statSync(before.at(-1)).size - offset) / BLOCK;
    for (let i = 0; i < left + 100; i++) {
        await finish(held.pop(), i % 2 ? '/commit' : '/release');
    }
    assert.equal(segments(hf).length, before.length + 1, 'the reserve was not needed');

    fs.rmSync(filler);
    tell(await hf.eventually(() => take(1999), (answer) => answer.status === 201, 'holds again'));
    await everythingTold(hf, told);
    await hf.stop();
    const { code, stdout, stderr } = await run(['check', hf.data]);
    assert.equal(code, 0, stdout + stderr);
}

test('disk full while an import fills a segment with every batch: 507 in time, commits go on, nothing is lost', async (t) => {
    const { folder, remove, why } = smallDisk(32);
    if (why) {
        t.skip(why);
        return;
    }
    const hf = new Server({ data: path.join(folder, 'data'), env: { HOLDFAST_SEGMENT_SIZE: '1M' } });
    try {
        fs.writeFileSync(path.join(folder, 'ballast'), Buffer.alloc(2 << 20, 1));
        await hf.start();
        await fullByImport(hf, path.join(folder, 'ballast'));
    } finally {
        await shut(hf);
        remove();
    }
});

async function fullByImport(hf, ballast) {
    const event = await makeEvent(hf, { seats: 'A1-A20' });
    const ann = hf.user('ann');
    const told = new Map();
    const tell = (r) => told.set(r.reservation_id, lasting(r));
    const held = [];
    for (let i = 1; i <= 10; i++) {
        held.push(await hold(ann, items(event, `A${i}`)));
        tell(held.at(-1));
    }
    const name = 'a name that takes some room';
    const rows = Array.from({ length: 400_000 }, (_, i) => `s${i},${name},${name}\n`);
    const body = Buffer.from(`id,section,tier\n${rows.join('')}`);
    refused(await hf.admin.post(`/v1/events/${event}/seats`, body, { headers: { 'Content-Type': 'text/csv' } }), 507, 'storage_full');
    refused(await ann.post('/v1/reservations', { items: items(event, 'A20') }), 507, 'storage_full');
    for (const [i, r] of held.entries()) {
        tell(granted(await ann.post(at(r, i % 2 ? '/commit' : '/release'), {}), 200));
    }
    await hf.kill9();
    fs.rmSync(ballast);
    await hf.launch();
    await everythingTold(hf, told);
    assert.deepEqual(await counts(hf, event), { seats: 20, available: 15, held: 0, sold: 5, blocked: 0 });
}

function granted200(answer) {
    granted(answer, 200);
    return answer;
}

/* Every reservation is what was told of it last. */
async function everythingTold(hf, told) {
    for (const [id, image] of told) {
        assert.deepEqual(lasting(granted(await hf.admin.get(`/v1/reservations/${id}`), 200)), image);
    }
}

/* ---- Clocks ---- */

own('a clock set back by a day, while it runs and across a restart, revives nothing and turns no time back', async (hf) => {
    const event = await makeEvent(hf, { seats: 'A1-A9', hold_ttl_seconds: 600 });
    const ann = hf.user('ann', 30 * 86_400);
    const lapsed = await hold(ann, items(event, 'A1'));
    hf.clock.advance(600_000);
    refused(await ann.post(at(lapsed, '/commit'), {}), 409, 'expired');
    const before = await hold(ann, items(event, 'A2'));
    let last = instant(before.created_at);
    const later = async (r) => {
        assert.ok(instant(r.created_at) >= last, `${r.created_at} is before ${new Date(last).toISOString()}`);
        last = instant(r.created_at);
    };
    for (const how of ['while it runs', 'across a stop', 'across kill -9']) {
        if (how !== 'while it runs') {
            await (how === 'across a stop' ? hf.stop() : hf.kill9());
            hf.child = null;
        }
        hf.clock.advance(-DAY_MS);
        if (how !== 'while it runs') {
            await hf.launch();
        }
        granted(await ann.get(at(lapsed)), 200, { status: 'expired' });
        refused(await ann.post(at(lapsed, '/commit'), {}), 409, 'expired');
        const r = await hold(ann, items(event, 'A1'));
        await later(r);
        assert.ok(instant(r.expires_at) - instant(r.created_at) === 600_000, how);
        granted(await ann.delete(at(r)), 200);
        granted(await ann.get(at(before)), 200, { status: 'held' });
    }
});

own('a clock set forward by a day expires what is due, once and for good', async (hf) => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const ann = hf.user('ann', 30 * 86_400);
    const one = await hold(ann, items(event, 'A1'));
    const sold = granted(await ann.post(at(await hold(ann, items(event, 'A2')), '/commit'), {}), 200);
    hf.clock.advance(DAY_MS);
    refused(await ann.post(at(one, '/commit'), {}), 409, 'expired');
    const two = await hold(ann, items(event, 'A3'));
    await hf.kill9();
    hf.clock.advance(DAY_MS);
    await hf.launch();
    refused(await ann.post(at(two, '/commit'), {}), 409, 'expired');
    await hf.stop();
    hf.clock.advance(-2 * DAY_MS);
    await hf.launch();
    for (const r of [one, two]) {
        granted(await ann.get(at(r)), 200, { status: 'expired' });
    }
    granted(await ann.post(at(sold, '/commit'), {}), 200, { tickets: sold.tickets });
    assert.deepEqual(await counts(hf, event), { seats: 9, available: 8, held: 0, sold: 1, blocked: 0 });
});

/* ---- Damage ---- */

/* A stopped folder with some history in one segment. */
async function history(hf) {
    const event = await makeEvent(hf, { seats: 'A1-A40' });
    const ann = hf.user('ann');
    const made = [];
    for (let i = 1; i <= 20; i++) {
        made.push(await hold(ann, items(event, `A${i}`), { attributes: { note: 'x'.repeat(1500) } }));
    }
    return { event, made };
}

own('a byte flipped in the middle of the journal: exit 65, naming file, offset and seq; check says the same', async (hf) => {
    const { made } = await history(hf);
    await hf.stop();
    const good = await run(['check', hf.data]);
    assert.equal(good.code, 0, good.stdout + good.stderr);
    const files = segments(hf);
    assert.equal(files.length, 1);
    const found = batches(files[0]).filter(({ count }) => count > 0);
    const { offset } = found[Math.floor(found.length / 2)];
    for (const place of [offset + 100, offset + 20]) {
        overwrite(files[0], place, (byte) => byte ^ 0x10);
        const named = new RegExp(`${path.basename(files[0])}.*offset ${offset}\\b.*seq \\d+`);
        await doesNotStart(hf, 65, named);
        const bad = await run(['check', hf.data]);
        assert.equal(bad.code, 65, bad.stdout + bad.stderr);
        assert.match(bad.stdout + bad.stderr, named);
        overwrite(files[0], place, (byte) => byte ^ 0x10);
    }
    assert.ok(!fs.readdirSync(path.dirname(files[0])).some((name) => name.includes('.torn')), 'nothing may be cut');
    await hf.launch();
    for (const r of made) {
        granted(await hf.user('ann').get(at(r)), 200, { status: 'held' });
    }
});

own('a segment that is missing, short or of another journal is refused', async (hf) => {
    await history(hf);
    await hf.stop();
    const [file] = segments(hf);
    const bytes = fs.readFileSync(file);
    fs.writeFileSync(file, bytes.subarray(0, bytes.length - BLOCK));
    await doesNotStart(hf, 65, new RegExp(path.basename(file)));
    fs.writeFileSync(file, bytes);
    overwrite(file, 32, (byte) => byte ^ 1);
    await doesNotStart(hf, 65, new RegExp(path.basename(file)));
    overwrite(file, 32, (byte) => byte ^ 1);
    await hf.launch();
});

own('a torn last batch that nobody was told of is cut off and kept', async (hf) => {
    const { event, made } = await history(hf);
    await inject(hf, 'fdatasync:signal=SIGKILL:when=1');
    const body = { items: items(event, 'A30'), attributes: { note: 'y'.repeat(3900) } };
    await assert.rejects(hf.user('ann').post('/v1/reservations', body));
    await hf.exit;
    hf.client.close();
    hf.child = null;
    const [file] = segments(hf);
    const last = batches(file).at(-1);
    assert.ok(last.count > 0 && last.size > 3900, JSON.stringify(last));
    overwrite(file, last.offset + 2048, Buffer.alloc(6144));
    const looked = await run(['check', hf.data]);
    assert.equal(looked.code, 0, looked.stdout + looked.stderr);
    await hf.launch();
    const kept = fs.readdirSync(path.dirname(file)).filter((name) => name.includes('.torn'));
    assert.equal(kept.length, 1, kept.join());
    assert.equal(await seatStatus(hf, event, 'A30'), 'available');
    for (const r of made) {
        granted(await hf.user('ann').get(at(r)), 200, { status: 'held' });
    }
    const next = await hold(hf.user('bob'), items(event, 'A30'));
    assert.ok(next.fence > made.at(-1).fence);
    await hf.restart({ kill: true });
    granted(await hf.user('bob').get(at(next)), 200, { status: 'held' });
}, strace);

own('a book with more in the draw than ever joined, or a room that admits nobody, does not start: exit 65, saying so', async (hf) => {
    const event = await makeEvent(hf, { seats: 'A1', waiting_room: { by_inventory: false } });
    assert.equal((await hf.user('ann').post(`/v1/events/${event}/queue`, {})).status, 201);
    await hf.stop();
    const book = path.join(hf.data, 'book.sqlite');
    const copy = path.join(hf.folder, 'copy.sqlite');
    fs.copyFileSync(book, copy);
    for (const [sql, sentence] of [
        ['UPDATE rooms SET drawn = 2', /2 were drawn, but only 1 joined/],
        ['UPDATE room_settings SET rate_per_second = 0', /invalid rate: 0 per second/],
    ]) {
        rewrite(book, sql);
        await doesNotStart(hf, 65, sentence);
        fs.copyFileSync(copy, book);
    }
}, sqlite);

own('check finds a book that contradicts itself or the journal', async (hf) => {
    await history(hf);
    await hf.stop();
    const book = path.join(hf.data, 'book.sqlite');
    const copy = path.join(hf.folder, 'copy.sqlite');
    fs.copyFileSync(book, copy);
    const damage = [
        'DELETE FROM claims WHERE seat = 4', 'UPDATE claims SET reservation = reservation + 1 WHERE seat = 5', 'UPDATE seats SET position = 99 WHERE position = 39',
        "UPDATE reservations SET status = 'released' WHERE number = (SELECT max(number) FROM reservations)", 'UPDATE meta SET last_seq = last_seq + 5',
    ];
    for (const sql of damage) {
        rewrite(book, sql);
        const bad = await run(['check', hf.data]);
        assert.equal(bad.code, 65, `${sql}: ${bad.stdout}${bad.stderr}`);
        assert.match(bad.stdout, /^FAULT /m, sql);
        fs.copyFileSync(copy, book);
    }
    const good = await run(['check', hf.data]);
    assert.equal(good.code, 0, good.stdout + good.stderr);
}, sqlite);

/* ---- Backup ---- */

under('a backup of a running server under load, restored elsewhere, has all that was acknowledged before it', async (load, t) => {
    const { hf, oracle } = load;
    const place = scratch(t);
    const copy = path.join(place, 'backup');
    const data = path.join(place, 'data');
    for (const folder of [copy, data]) {
        fs.mkdirSync(folder, { mode: 0o755 }); /* what comes into it is nobody else's business all the same */
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
    await hold(ann, items(event, 'A6')); /* the server goes on */
}, sqlite);

/* Everything that anybody can see, but for what changes by itself. */
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

own('the book deleted and made again from the journal equals the live state', async (hf) => {
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

own('SIGTERM while a large import is being read: exit 0 within five seconds; what was acknowledged is there', async (hf) => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const held = await hold(hf.user('ann'), items(event, 'A1'));
    const rows = Buffer.from('id,price\n' + Array.from({ length: 3_000_000 }, (_, i) => `s${i},100\n`).join(''));
    const importing = hf.admin.post(`/v1/events/${event}/seats`, rows, { headers: { 'Content-Type': 'text/csv' } })
        .catch(() => null); /* the connection may be closed on it */
    await hf.admin.get('/healthz');
    await hf.stop(); /* demands exit 0 and the time */
    await importing;
    await hf.start();
    granted(await hf.admin.get(at(held)), 200, { status: 'held' });
    const left = await counts(hf, event);
    assert.ok(left.seats === 3 || left.seats === 3_000_003, `${left.seats} seats: a part of an import`);
});
