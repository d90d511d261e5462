/* SPDX-License-Identifier: Apache-2.0 */
/* run.js — one data folder through many crashes: load, the end, recovery, and the comparison with the oracle. */
'use strict';

const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { Server, Caller, PROGRAM } = require('../../conformance/lib/server.js');
const { makeEvent, availability, counts, whole } = require('../../conformance/lib/catalogue.js');
const { makeCalendar, slots, MINUTE, DAY } = require('../../conformance/lib/calendars.js');
const { userToken } = require('../../conformance/lib/token.js');
const { Oracle, unitsOf } = require('./oracle.js');
const { Load, path } = require('./load.js');
const { Lines } = require('./entries.js');

const USERS = 8;
const SEATS = 300;
const FLOOR = 400;
const ROOMS = [{ capacity: 1, buffer: 10 }, { capacity: 3, buffer: 0 }];
const QUARTERS = 3 * 96; /* of an hour, in which rooms are requested */
const ANY_QUARTERS = { slot_minutes: 15, max_minutes: 7 * 24 * 60 }; /* for users too, and extended again and again */
const SAMPLE = 40;
const PARALLEL = 16;

const sleep = (ms) => new Promise((wake) => setTimeout(wake, ms));

/* Runs them all, a few at a time. */
async function each(list, work) {
    let next = 0;
    await Promise.all(Array.from({ length: PARALLEL }, async () => {
        while (next < list.length) {
            await work(list[next++]);
        }
    }));
}

class Run {
    constructor(random, { connections = 32, server = {} } = {}) {
        this.random = random;
        this.connections = connections;
        this.oracle = new Oracle();
        this.hf = new Server(server);
        this.houses = [];
        this.rooms = [];
        this.each = each;
        this.lines = new Lines(this);
        this.cycle = 0;
    }

    async begin() {
        const { hf } = this;
        await hf.start();
        const app = await hf.key('app');
        const token = (name) => userToken(hf.secret, name, Date.now(), 86_400);
        const users = Array.from({ length: USERS }, (_, i) => `user-${i}`);
        this.callers = [
            ...users.map((name) => Object.assign(new Caller(hf, token(name), name), { role: 'user' })),
            Object.assign(new Caller(hf, app.key, 'user-of-app'), { role: 'app' }),
        ];
        const brief = await makeEvent(hf, { hold_ttl_seconds: 1, max_hold_seconds: 3, seats: 'B1-B40' });
        const briefRoom = await makeCalendar(hf, { ...ANY_QUARTERS, hold_ttl_seconds: 1, max_hold_seconds: 3 });
        this.brief = { brief, briefSeats: Array.from({ length: 40 }, (_, i) => `B${i + 1}`), briefRoom };
        await this.newHouse();
    }

    /* Sold stock is gone; every few cycles there are new seats and rooms, and new lines. */
    async newHouse() {
        await this.lines.renew();
        const event = await makeEvent(this.hf, {
            hold_ttl_seconds: 3600, max_hold_seconds: 7200, seats: `A1-A${SEATS}`, pools: { floor: FLOOR },
        });
        const rooms = [];
        for (const { capacity, buffer } of ROOMS) {
            const calendar = await makeCalendar(this.hf, {
                ...ANY_QUARTERS, capacity, buffer_minutes: buffer, hold_ttl_seconds: 3600, max_hold_seconds: 7200,
            });
            rooms.push({ calendar, capacity, buffer });
        }
        this.houses.push(event);
        this.rooms.push(...rooms);
        this.day ??= Math.ceil(Date.now() / DAY) * DAY + 30 * DAY;
        const names = Array.from({ length: SEATS }, (_, i) => `A${i + 1}`);
        this.house = { event, seats: names, rooms, day: this.day, quarters: QUARTERS, ...this.brief };
    }

    /* Load until `end(load)` has ended the server. */
    async crash(end) {
        const { hf, random } = this;
        this.oracle.cycle = ++this.cycle;
        const load = new Load(this.oracle, this.house, this.callers, hf.anyone, random, this.connections);
        load.workers.push(...this.lines.workers(load));
        await load.run(async () => {
            await hf.eventually(async () => load.answers > 0 || load.over, Boolean, 'a first answer');
            await end(load);
        });
    }

    /* `holdfast check` finds nothing wrong with the folder as it is. */
    check() {
        const { status, stdout, stderr } = spawnSync(PROGRAM, ['check', this.hf.data], { encoding: 'utf8', env: this.hf.environment() });
        assert.equal(status, 0, `holdfast check ended with ${status}\n${stdout}${stderr}`);
    }

    /* Starts the server and kills it before, during or just after recovery. */
    async stumble(after_ms) {
        const { hf } = this;
        const started = hf.launch().catch(() => {});
        await sleep(after_ms);
        hf.child.kill('SIGKILL');
        await hf.exit;
        await started;
        hf.client?.close();
    }

    /* The live reservations on an event or a calendar from the list, by id; each of them complete. */
    async listed(on, seen, kind = 'event') {
        const { hf } = this;
        const list = [];
        for (const status of ['held', 'confirmed']) {
            list.push(...await whole(hf.admin, `/v1/reservations?${kind}=${on}&status=${status}&limit=1000`, hf.since(seen)));
        }
        const byId = new Map(list.map((image) => [image.reservation_id, image]));
        assert.equal(byId.size, list.length, 'a reservation stands in the list twice');
        return byId;
    }

    /* Holds that were in flight: there as requested, or not at all; never under two ids. */
    claimWishes(list) {
        const wishes = new Map(this.oracle.entries.filter((entry) => !entry.known && entry.pending).map((entry) => [entry.wish.tag, entry]));
        for (const image of list.values()) {
            if (this.oracle.byId.has(image.reservation_id)) {
                continue;
            }
            const entry = wishes.get(image.attributes.tag);
            assert.ok(entry, `nobody asked for ${JSON.stringify(image)}, or it is there a second time`);
            wishes.delete(image.attributes.tag);
            this.oracle.found(entry, image);
        }
    }

    /* Repeats a request; its key must be known exactly if its effect is there. */
    async replay(entry, op, there) {
        const answer = await entry.caller.call(op.method, op.path, { body: op.body, headers: { 'Idempotency-Key': op.key } });
        const replayed = answer.headers['idempotent-replayed'] === 'true';
        const told = `${op.method} ${op.path} ${op.body} under ${op.key} again: ${answer.status} ${answer.text}`;
        this.oracle.heard(answer);
        assert.equal(replayed, there, `${there ? 'its effect is there' : 'it was never done'}; ${told}`);
        if (there) {
            assert.equal(answer.status, 201, told);
            assert.equal(answer.json.reservation_id, entry.known.reservation_id, told);
            this.oracle.found(entry, answer.json);
        } else if (answer.status === 201) {
            entry.pending = op;
            this.oracle.acknowledge(entry, answer, this.oracle.fence);
        } else {
            assert.equal(answer.status, 409, told);
            this.oracle.refuse(entry);
        }
    }

    async replays() {
        const { oracle, random } = this;
        const keyed = oracle.entries.filter((entry) => entry.known && entry.wish.key);
        const recent = keyed.filter((entry) => entry.cycle === this.cycle);
        const chosen = new Set([...random.some(recent, SAMPLE / 2), ...random.some(keyed.slice(-2000), SAMPLE / 2)]);
        await each([...chosen], (entry) => this.replay(entry, entry.wish, true));
        const added = oracle.entries.slice(-2000).filter((entry) => entry.added?.key);
        await each(random.some(added, SAMPLE / 2), (entry) => this.replay(entry, entry.added, true));
        /* Those in flight without an effect: repeated now, one by one, each is new. */
        for (const entry of oracle.entries.filter((one) => !one.known && one.pending)) {
            if (entry.wish.key && !this.mayHaveLapsed(entry)) {
                await this.replay(entry, entry.wish, false);
            }
            entry.pending = null;
            entry.gone = !entry.known;
        }
    }

    /* A brief hold that was in flight can already be over, and then no list of live ones shows it. */
    mayHaveLapsed(entry) {
        return entry.wish.items.some((item) => item.event === this.house.brief || item.calendar === this.house.briefRoom);
    }

    /* Reads every reservation that is live or was touched in this cycle, and some older ones. */
    async read() {
        const { oracle, random, hf } = this;
        const open = (entry) => entry.known && (entry.pending || entry.cycle === this.cycle || entry.known.status === 'held');
        const old = oracle.entries.filter((entry) => entry.known && !open(entry));
        await each([...oracle.entries.filter(open), ...random.some(old.slice(-5000), SAMPLE)], async (entry) => {
            const asked = Date.now();
            const answer = await hf.admin.get(path(entry.known));
            assert.equal(answer.status, 200, `acknowledged ${JSON.stringify(entry.known)}, and now: ${answer.text}`);
            oracle.heard(answer);
            oracle.found(entry, answer.json);
            const due = Date.parse(answer.json.expires_at);
            assert.ok(answer.json.status !== 'held' || asked < due + 100, `still held after its deadline: ${answer.text}`);
        });
    }

    /* The slots of a room against the reservations that claim them: at no instant more than its capacity, none
     * forgotten, and the listed availability is what is left. */
    async slotViews({ calendar, capacity, buffer }, list) {
        const ids = this.oracle.live(calendar).map((entry) => entry.known.reservation_id);
        assert.deepEqual([...list.keys()].sort(), ids.sort(), 'the list of live reservations of a calendar is not what was acknowledged');
        const claims = [...list.values()].flatMap((image) => {
            const own = image.items.filter((item) => item.calendar === calendar)
                .map((item) => ({ start: Date.parse(item.start), end: Date.parse(item.end) }));
            /* The buffer ends where the next of the same reservation starts. */
            return own.map(({ start, end }) => ({
                start, until: Math.min(end + buffer * MINUTE, ...own.map((next) => next.start).filter((next) => next >= end)),
            }));
        });
        const taken = (from, until) => Math.max(0, ...[from, ...claims.map((claim) => claim.start).filter((at) => from < at && at < until)]
            .map((at) => claims.filter((claim) => claim.start <= at && at < claim.until).length));
        for (const { start, until } of claims) {
            assert.ok(taken(start, until) <= capacity, `${calendar} has ${taken(start, until)} at once from ${new Date(start).toISOString()}`);
        }
        const from = this.day, to = this.day + QUARTERS * 15 * MINUTE;
        const should = [];
        for (let start = from; start < to; start += 15 * MINUTE) {
            const left = capacity - taken(start, start + (15 + buffer) * MINUTE);
            if (left > 0) {
                should.push([start, start + 15 * MINUTE, left]);
            }
        }
        assert.deepEqual(await slots(this.hf, calendar, { from, to, limit: 1000 }), should, `the slots of ${calendar}`);
    }

    /* Seats and pools against the reservations that claim them; nothing twice, nothing forgotten. */
    async views(event, list) {
        const claims = new Map();
        let units = 0;
        for (const image of list.values()) {
            for (const item of image.items.filter((one) => one.event === event)) {
                if (item.pool !== undefined) {
                    units += unitsOf(item);
                    continue;
                }
                assert.ok(!claims.has(item.seat), `${event}/${item.seat} is claimed by ${claims.get(item.seat)} and ${image.reservation_id}`);
                claims.set(item.seat, image.reservation_id);
            }
        }
        const ids = this.oracle.live(event).map((entry) => entry.known.reservation_id);
        assert.deepEqual([...list.keys()].sort(), ids.sort(), 'the list of live reservations is not what was acknowledged');
        const { seats, pools } = await availability(this.hf, event);
        for (const [seat, status] of Object.entries(seats)) {
            const image = list.get(claims.get(seat));
            const should = !image ? 'available' : image.status === 'held' ? 'held' : 'sold';
            assert.equal(status, should, `${event}/${seat}, ${image ? image.reservation_id : 'nobody has it'}`);
        }
        assert.deepEqual(pools.floor, { capacity: FLOOR, available: FLOOR - units }, `the pool of ${event}`);
        const { available, held, sold } = await counts(this.hf, event);
        assert.deepEqual([available, held + sold], [SEATS - claims.size, claims.size], `the counts of ${event}`);
    }

    async seatVersions() {
        const seen = [...this.oracle.seats].filter(([key]) => key.startsWith(`${this.house.event}/`));
        await each(this.random.some(seen, SAMPLE), async ([key, before]) => {
            const answer = await this.hf.anyone.get(`/v1/events/${key.replace('/', '/seats/')}`);
            assert.equal(answer.status, 200, answer.text);
            this.oracle.seatSeen(key, answer.json, before);
        });
    }

    async verify() {
        const { hf, oracle } = this;
        const { event } = this.house;
        const alive = await hf.anyone.get('/healthz');
        assert.ok(alive.seq >= oracle.seq, `an answer told seq ${oracle.seq}, and now the server is at ${alive.seq}`);
        await this.lines.verify();
        await this.read();
        this.claimWishes(await this.listed(event, alive));
        for (const { calendar } of this.house.rooms) {
            this.claimWishes(await this.listed(calendar, alive, 'calendar'));
        }
        await this.replays();
        await this.seatVersions();
        const seen = await hf.anyone.get('/healthz');
        await this.views(event, await this.listed(event, seen));
        for (const room of this.house.rooms) {
            await this.slotViews(room, await this.listed(room.calendar, seen, 'calendar'));
        }
    }

    /* At the very end: every house, every reservation ever acknowledged, and the folder after a clean stop. */
    async end() {
        const { hf, oracle } = this;
        const seen = await hf.anyone.get('/healthz');
        for (const event of this.houses) {
            await this.views(event, await this.listed(event, seen));
        }
        for (const room of this.rooms) {
            await this.slotViews(room, await this.listed(room.calendar, seen, 'calendar'));
        }
        const listed = new Set();
        const places = [
            ...[...this.houses, this.house.brief].map((event) => `event=${event}`),
            ...[...this.rooms.map((room) => room.calendar), this.house.briefRoom].map((calendar) => `calendar=${calendar}`),
        ];
        for (const place of places) {
            for (const image of await whole(hf.admin, `/v1/reservations?${place}&limit=1000`, hf.since(seen))) {
                const entry = oracle.byId.get(image.reservation_id);
                listed.add(image.reservation_id);
                if (entry) {
                    oracle.found(entry, image);
                }
            }
        }
        const lost = [...oracle.byId.keys()].filter((id) => !listed.has(id));
        assert.deepEqual(lost, [], 'acknowledged, and in no list');
        await hf.stop();
        this.check();
    }
}

module.exports = { Run, sleep };
