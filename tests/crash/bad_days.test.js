/* SPDX-License-Identifier: Apache-2.0 */
/* Bad days: disks that fail or fill up, clocks that jump, a second process, a stop in the middle of work; and what is
 * left afterwards. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { Server } = require('../conformance/lib/server.js');
const { makeEvent, seats, items, hold, seatStatus, availability, counts } = require('../conformance/lib/catalogue.js');
const { refused, granted, instant } = require('../conformance/lib/expect.js');
const { sleep } = require('./lib/run.js');
const { lasting } = require('./lib/oracle.js');
const { BLOCK, run, segments, inject, smallDisk, readOnly, fillUp, batches, whyNoStrace } = require('./lib/fault.js');
const { own, under, shut, ends, doesNotStart, at } = require('./lib/own.js');

const DAY_MS = 86_400_000;
const strace = { skip: whyNoStrace() };

/* ---- The folder ---- */

own('a second process on the same data folder is refused with exit 75; the first continues', async (hf) => {
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
    const empty = path.join(hf.folder, 'empty');
    fs.mkdirSync(empty);
    for (const data of [empty, hf.data]) {
        const { view, undo, why } = readOnly(data);
        if (why) {
            t.skip(why);
            return;
        }
        try {
            await doesNotStart({ data: view, environment: () => hf.environment() }, 74, /[Rr]ead-only|[Pp]ermission denied/);
        } finally {
            undo();
        }
    }
    assert.deepEqual(fs.readdirSync(empty), []);
    await hf.launch();
    granted(await hf.user('ann').get(at(r)), 200, { status: 'held' });
});

/* ---- A disk that fails ---- */

for (const call of ['fdatasync', 'pwrite64']) {
    under(`${call} fails: the server ends at once, and everything acknowledged survives`, async (load) => {
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

under('killed exactly at the Kth sync, K from 1 to 8: everything acknowledged survives', async (load) => {
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

/* An answer, or null if there was none after `ms`. */
const within = (answer, ms) => Promise.race([answer, sleep(ms).then(() => null)]);

own('nothing shows a hold before it is synced: no answer, refusal, read or event of a stream', async (hf) => {
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

own('killed while a hold waits for its write: it was not acknowledged, and does not exist', async (hf) => {
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

test('disk full: holds get 507, commits, releases and reads continue; with room again holds work; nothing is lost', async (t) => {
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
    /* This segment has room, and after it the ready one; then only the reserve is left. */
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
    /* Beyond the end of this segment they go to the reserved one. */
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

test('disk full while an import fills a segment with every batch: 507 in time, commits continue, nothing is lost', async (t) => {
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

/* Every reservation is as last acknowledged. */
async function everythingTold(hf, told) {
    for (const [id, image] of told) {
        assert.deepEqual(lasting(granted(await hf.admin.get(`/v1/reservations/${id}`), 200)), image);
    }
}

/* ---- Clocks ---- */

own('a clock set back by a day, while it runs and across a restart, revives nothing and never runs backwards', async (hf) => {
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

own('a clock set forward by a day expires what is due, permanently', async (hf) => {
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

/* ---- The end ---- */

own('SIGTERM while a large import is being read: exit 0 within five seconds; everything acknowledged survives', async (hf) => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const held = await hold(hf.user('ann'), items(event, 'A1'));
    const rows = Buffer.from('id,price\n' + Array.from({ length: 3_000_000 }, (_, i) => `s${i},100\n`).join(''));
    const importing = hf.admin.post(`/v1/events/${event}/seats`, rows, { headers: { 'Content-Type': 'text/csv' } })
        .catch(() => null); /* the connection can be closed during it */
    await hf.admin.get('/healthz');
    await hf.stop(); /* checks exit 0 and the time */
    await importing;
    await hf.start();
    granted(await hf.admin.get(at(held)), 200, { status: 'held' });
    const left = await counts(hf, event);
    assert.ok(left.seats === 3 || left.seats === 3_000_003, `${left.seats} seats: a part of an import`);
});
