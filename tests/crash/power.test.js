/* SPDX-License-Identifier: Apache-2.0 */
/* Power loss under the real program: everything acknowledged before it is covered by the syncs. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { Server, PROGRAM } = require('../conformance/lib/server.js');
const { makeEvent, items, whole } = require('../conformance/lib/catalogue.js');
const { makeRoom, queue, waitingList } = require('../conformance/lib/entries.js');
const { Random } = require('./lib/random.js');
const { lasting } = require('./lib/oracle.js');
const { sleep } = require('./lib/run.js');
const { run } = require('./lib/fault.js');
const { records, Disk } = require('./lib/power.js');

const WITNESS = path.join(path.dirname(PROGRAM), 'witness.so');
const WORKERS = 24;
const SEATS = 4000;
const LOAD_MS = 500;
const IMAGES = 12;
const RATE = 300; /* of admission */
const FEW = 30;   /* units, whose waiting list they join */

const at = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

/* A server with a record of every write and sync. */
class Witnessed extends Server {
    environment() {
        return { ...super.environment(), LD_PRELOAD: WITNESS, WITNESS_FOLDER: this.data, WITNESS_LOG: this.log };
    }

    get log() {
        return path.join(this.folder, 'log');
    }

    /* The witness turns it into SIGKILL at a moment when its log is complete. */
    async kill9() {
        this.child.kill('SIGUSR2');
        const { signal, code } = await this.exit;
        this.client.close();
        this.child = null;
        assert.equal(signal, 'SIGKILL', `had ended before with ${code}\n${this.stderr.slice(-4000)}`);
    }
}

/* A life of the server under a witness: load, kill -9, load, a clean stop, load, kill -9. `told` is the list of
 * reservations, each a list of {sent, acked, image}: the length of the log when a step was sent and when it was
 * acknowledged; `lines` is the same for entries of waiting rooms and waiting lists. `turns` are the parts of the log in
 * which the server started. */
class Life {
    constructor(random) {
        this.random = random;
        this.hf = new Witnessed({ env: { HOLDFAST_SEGMENT_SIZE: '1M' } });
        this.told = [];
        this.lines = [];
        this.turns = [];
        this.next = 1;
    }

    written() {
        return fs.statSync(this.hf.log).size;
    }

    async live() {
        const { hf } = this;
        await hf.start();
        this.event = await makeEvent(hf, { seats: `A1-A${SEATS}`, hold_ttl_seconds: 3600, max_hold_seconds: 7200 });
        this.room = await makeRoom(hf, { pools: { floor: 1 }, room: { rate_per_second: RATE, pass_ttl_seconds: 7200 } });
        this.list = await makeEvent(hf, { pools: { few: FEW }, waiting_list: true, hold_ttl_seconds: 3600, max_hold_seconds: 7200 });
        this.made = this.written();
        await this.load(() => hf.kill9());
        await this.start();
        await this.load(async () => {});
        await hf.stop();
        await this.start();
        await this.load(() => hf.kill9());
    }

    async start() {
        const from = this.written();
        await this.hf.launch();
        this.turns.push([from, this.written()]);
    }

    async load(end) {
        this.over = false;
        const workers = Array.from({ length: WORKERS }, (_, i) => this.work(this.hf.user(`user-${i}`)));
        await sleep(LOAD_MS);
        await end();
        this.over = true;
        await Promise.all(workers);
    }

    async step(steps, ask) {
        const step = { sent: this.written(), acked: Infinity };
        steps.push(step);
        const answer = await ask().catch(() => null);
        if (!answer) {
            this.over = true; /* the server is gone */
            return null;
        }
        assert.ok(answer.status < 300, answer.text);
        step.acked = this.written();
        step.image = lasting(answer.json);
        return answer.json;
    }

    /* Joins, and polls once more: a third of them can be admitted, or have an offer, by then. */
    async stand(name) {
        const caller = this.hf.user(name);
        const steps = [];
        const inRoom = this.random.chance(0.6);
        const lines = inRoom ? queue(this.room) : waitingList(this.list);
        this.lines.push(steps);
        const e = await this.step(steps, () => caller.post(lines, inRoom ? {} : { quantity: 1, pool: 'few' }));
        if (e) {
            await this.step(steps, () => caller.get(`${lines}/${e.entry_id}`));
        }
    }

    async work(caller) {
        while (!this.over && this.next < SEATS) {
            if (this.random.chance(0.3)) {
                await this.stand(`person-${this.next++}`);
                continue;
            }
            const steps = [];
            this.told.push(steps);
            const seat = `A${this.next++}`;
            const r = await this.step(steps, () => caller.post('/v1/reservations', { items: items(this.event, seat) }));
            const dice = this.random.next();
            if (r && dice < 0.6) {
                await this.step(steps, () => caller.post(at(r, dice < 0.3 ? '/commit' : '/release'), {}));
            }
        }
    }
}

/* Everything acknowledged at this place of the log is as acknowledged, or as requested since. */
async function allThere(hf, life, place) {
    const event = await hf.anyone.get(`/v1/events/${life.event}`);
    assert.equal(event.status, 200, event.text);
    const list = await whole(hf.admin, `/v1/reservations?event=${life.event}&limit=1000`, hf.since(event));
    const found = new Map(list.map((r) => [r.reservation_id, r]));
    let acknowledged = 0;
    for (const steps of life.told) {
        const last = steps.findLast(({ acked }) => acked <= place);
        if (!last) {
            continue;
        }
        acknowledged++;
        const there = found.get(last.image.reservation_id);
        assert.ok(there, `${last.image.reservation_id} was acknowledged at ${last.acked} and is gone`);
        const later = steps.slice(steps.indexOf(last) + 1).some(({ sent }) => sent <= place);
        if (!later || there.status === last.image.status) {
            assert.deepEqual(lasting(there), last.image);
        }
        assert.equal(there.fence, last.image.fence);
    }
    return acknowledged;
}

/* The stages of an entry. */
const STAGES = ['waiting', 'passed_over', 'offered', 'admitted', 'finished', 'left'];

/* Every entry acknowledged at this place of the log is there, at the same position or further ahead. */
async function allInLine(hf, life, place) {
    const told = life.lines.map((steps) => steps.findLast(({ acked }) => acked <= place)).filter(Boolean);
    for (const { image } of told) {
        const lines = image.event === life.room ? queue : waitingList;
        const answer = await hf.admin.get(lines(image.event, `/${image.entry_id}`));
        const text = `told ${JSON.stringify(image)}, and now ${answer.text}`;
        assert.equal(answer.status, 200, text);
        const there = answer.json;
        assert.ok(STAGES.indexOf(there.status) >= STAGES.indexOf(image.status), text);
        const fixed = image.event === life.room ? ['number', 'position', 'joined_at', 'user_id'] : ['joined_at', 'user_id'];
        for (const field of [...fixed, ...(image.status === 'admitted' ? ['pass_expires_at'] : []), ...(image.reservation_id ? ['reservation_id'] : [])]) {
            assert.deepEqual(there[field], image[field], `${field}: ${text}`);
        }
    }
    return told.length;
}

/* Acknowledgements during a sync, and the first ones in each new segment: after its first batch, at the end of its
 * header, was synced. */
function tightest(list, acked) {
    const busy = [];
    const fresh = [];
    let next = 0;
    let syncing = 0;
    let segment = null; /* 'named', then the file, then 'synced' */
    for (const { kind, file, number, bytes, end } of list) {
        for (; acked[next] < end; next++) {
            syncing && busy.push(acked[next]);
            segment === 'synced' && fresh.push(acked[next]);
            segment = segment === 'synced' ? null : segment;
        }
        syncing += (kind === 'B') - (kind === 'E');
        if (kind === 'R' && bytes.toString('latin1').endsWith('.segment')) {
            segment = 'named';
        } else if (kind === 'W' && number === 4096n && segment === 'named') {
            segment = file;
        } else if (kind === 'E' && file === segment) {
            segment = 'synced';
        }
    }
    return { busy, fresh };
}

/* Places in the log: where it matters most, some while the server starts, and some anywhere. */
function places(life, list, random) {
    const ends = list.map(({ end }) => end).filter((end) => end >= life.made);
    const acked = [...life.told, ...life.lines].flat().map((step) => step.acked).filter((place) => place !== Infinity).sort((a, b) => a - b);
    const { busy, fresh } = tightest(list, acked);
    const starts = life.turns.map(([from, to]) => random.of(ends.filter((end) => end >= from && end <= to)));
    const chosen = [ends.at(-1), ...starts, ...random.some(fresh, 3), ...random.some(busy, 3)];
    while (chosen.length < IMAGES) {
        chosen.push(random.of(ends));
    }
    return chosen.sort((a, b) => a - b);
}

async function survives(life, disk, place, random) {
    const data = path.join(life.hf.folder, `image-${place}-${random ? 'some' : 'none'}`);
    disk.write(life.hf.data, data, random);
    const looked = await run(['check', data]);
    assert.equal(looked.code, 0, looked.stdout + looked.stderr);
    const hf = new Server({ data, adminKey: life.hf.adminKey, secret: life.hf.secret });
    try {
        await hf.start();
        const count = await allThere(hf, life, place);
        const inLine = await allInLine(hf, life, place);
        await hf.kill9();
        return [count, inLine];
    } finally {
        hf.child?.kill('SIGKILL');
        await hf.exit;
        hf.client?.close();
        hf.clock?.close();
    }
}

test('power lost at any moment: everything acknowledged is in what was synced', async (t) => {
    const seed = (Date.now() ^ process.pid) >>> 0;
    const random = new Random(seed);
    const life = new Life(random);
    await life.live();
    const list = records(fs.readFileSync(life.hf.log));
    const disk = new Disk(life.hf.data);
    let done = 0;
    let most = 0;
    let inLine = 0;
    for (const [i, place] of places(life, list, random).entries()) {
        while (done < list.length && list[done].end <= place) {
            disk.apply(list[done++]);
        }
        try {
            const [count, lines] = await survives(life, disk, place, i % 3 ? null : random);
            most = Math.max(most, count);
            inLine = Math.max(inLine, lines);
        } catch (error) {
            error.message = `seed ${seed}, place ${place} of ${life.hf.log}: ${error.message}`;
            throw error; /* and the folder stays */
        }
    }
    assert.equal(done, list.length);
    disk.equals(life.hf.data);
    assert.ok(most > 100 && inLine > 30, `only ${most} and ${inLine} were acknowledged: that proves little`);
    t.diagnostic(`${IMAGES} images, ${most} reservations and ${inLine} places in line acknowledged at the last of them, log of ${life.written()} bytes`);
    await life.hf.close();
});
