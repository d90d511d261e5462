/* SPDX-License-Identifier: Apache-2.0 */
/* taxis.js — riders and drivers of one fleet, all at once, and what was acknowledged to each of them; compared after a
 * crash.
 *
 * A ride remembers what was acknowledged: `taken` by which offer, the end, the declined offers. What was under way when
 * the server was killed may have happened or not: `open` has the calls that could have changed the ride.
 */
'use strict';

const assert = require('node:assert/strict');
const { north, makeFleet, makeDriver, driverPath, ride, ridePath, answerOffer } = require('../../conformance/lib/fleets.js');

const GONE_MS = 10_000;
const ENDS = { cancel: 'cancelled', complete: 'completed' };

class Taxis {
    constructor(hf, random, { drivers = 12, riders = 8 } = {}) {
        Object.assign(this, { hf, random, riderCount: riders, driverCount: drivers });
        this.rides = new Map(); /* by id */
        this.seen = new Map(); /* by driver: the last offer shown to it */
        this.counts = { rides: 0, taken: 0, declined: 0, ended: 0, survived: 0 };
        this.doomed = false;
        this.left = 0;
    }

    async begin() {
        this.fleet = await makeFleet(this.hf, { rides_per_rider: 0, offer_seconds: 600, search_seconds: 3600 });
        this.drivers = [];
        for (let i = 0; i < this.driverCount; i++) {
            this.drivers.push(await makeDriver(this.hf, this.fleet, 20 * i));
        }
    }

    /* Everyone does something again and again, until the server is gone. */
    async run() {
        this.doomed = false;
        await Promise.all([...this.drivers.map((driver) => this.drive(driver)),
            ...Array.from({ length: this.riderCount }, (_, i) => this.ask(`rider${i}`))]);
    }

    /* Resolves when `count` more calls were answered. */
    answers(count) {
        this.left = count;
        return new Promise((resolve) => {
            this.enough = resolve;
        });
    }

    /* An answer; null: the server is gone, and it is unknown whether it was done. */
    async call(made) {
        try {
            const answer = await made;
            if (--this.left === 0) {
                this.enough();
            }
            return answer;
        } catch (error) {
            const late = new Promise((resolve, reject) => {
                setTimeout(() => reject(error), GONE_MS).unref();
            });
            await Promise.race([this.hf.exit, late]); /* nothing else breaks a connection */
            this.doomed = true;
            return null;
        }
    }

    /* The same for a call that can change a ride. */
    async change(known, what, made) {
        known.open.add(what);
        const answer = await this.call(made);
        if (answer) {
            known.open.delete(what);
        }
        return answer;
    }

    async ask(rider) {
        while (!this.doomed) {
            const made = await this.call(this.hf.user(rider).post(`${this.fleet}/rides`, north(this.random.between(0, 300))));
            if (!made) {
                return;
            }
            assert.equal(made.status, 201, made.text);
            const { ride_id } = ride(made.json);
            const known = { ride_id, rider, taken: null, end: null, declined: [], open: new Set(), answered: new Set() };
            this.rides.set(known.ride_id, known);
            this.counts.rides++;
            for (let looks = this.random.between(1, 30); looks > 0 && !known.end; looks--) {
                if (!await this.call(this.hf.user(rider).get(ridePath(this.fleet, known)))) {
                    return;
                }
            }
            if (this.random.chance(0.3)) {
                await this.end(known, this.hf.user(rider), 'cancel');
            }
        }
    }

    async end(known, caller, how) {
        const answer = await this.change(known, how, caller.post(ridePath(this.fleet, known, `/${how}`), {}));
        if (answer?.status === 200) {
            known.end = ENDS[how];
            this.counts.ended++;
        }
    }

    async drive(driver) {
        const caller = this.hf.user(driver);
        while (!this.doomed) {
            await this.call(caller.put(driverPath(this.fleet, driver), { ...north(this.random.between(0, 300)), available: true }));
            const shown = await this.call(caller.get(driverPath(this.fleet, driver, '/offer')));
            const known = shown?.status === 200 ? this.rides.get(shown.json.ride_id) : null;
            if (shown?.status === 200) {
                this.seen.set(driver, shown.json);
            }
            if (known && this.random.chance(0.7)) {
                await this.answer(driver, known, shown.json);
            }
        }
    }

    async answer(driver, known, offer) {
        const caller = this.hf.user(driver);
        known.answered.add(offer.offer_id);
        if (this.random.chance(0.25)) {
            const answer = await this.change(known, `decline ${offer.offer_id}`, answerOffer(caller, this.fleet, offer, 'decline'));
            if (answer?.status === 200) {
                known.declined.push({ driver, offer_id: offer.offer_id });
                this.counts.declined++;
            }
            return;
        }
        const answer = await this.change(known, `accept ${offer.offer_id}`, answerOffer(caller, this.fleet, offer, 'accept'));
        if (answer?.status !== 200) {
            return;
        }
        known.taken = { driver, offer_id: offer.offer_id };
        this.counts.taken++;
        if (this.random.chance(0.2)) {
            const left = await this.change(known, 'driver-cancel', caller.post(ridePath(this.fleet, known, '/driver-cancel'), {}));
            if (left?.status === 200) {
                known.taken = null;
            }
        } else if (this.random.chance(0.8)) {
            await this.end(known, caller, 'complete');
        }
    }

    /* ---- After the crash ---- */

    /* One ride as it is now, against what was acknowledged. */
    verifyRide(known, now) {
        const told = `${JSON.stringify({ ...known, open: [...known.open], answered: [...known.answered] })} is ${JSON.stringify(now)}`;
        const ended = (offer_id) => now.offers.find((offer) => offer.offer_id === offer_id)?.end;
        if (known.end) {
            assert.equal(now.status, known.end, told);
        }
        if (known.taken && !known.open.has('driver-cancel')) { /* whatever ended it since, it was theirs */
            assert.equal(now.driver_id, known.taken.driver, told);
            assert.ok(['assigned', 'completed', 'cancelled'].includes(now.status), told);
        }
        if (known.taken) {
            assert.equal(ended(known.taken.offer_id), 'accepted', told);
        }
        for (const { driver, offer_id } of known.declined) {
            assert.equal(ended(offer_id), 'declined', told);
            assert.equal(now.offers.findLastIndex((offer) => offer.driver_id === driver),
                now.offers.findIndex((offer) => offer.offer_id === offer_id), `asked again: ${told}`);
        }
        if (!known.end && !known.open.has('cancel') && !known.open.has('complete')) {
            assert.ok(['searching', 'offered', 'assigned'].includes(now.status), `ended by nobody: ${told}`);
        }
    }

    /* An offer that was shown and not answered is live, with its deadline. */
    async verifyOffer(driver, offer, now) {
        const known = this.rides.get(offer.ride_id);
        const is = now.get(offer.ride_id).offers.find(({ offer_id }) => offer_id === offer.offer_id);
        assert.ok(is && is.driver_id === driver, `an offer that was shown is gone: ${JSON.stringify(offer)}`);
        const over = known && (known.end || known.open.has('cancel') || known.answered.has(offer.offer_id));
        assert.ok(over || is.end === null, `nobody has ended ${JSON.stringify(is)}`);
        if (is.end === null) {
            const live = await this.hf.user(driver).get(driverPath(this.fleet, driver, '/offer'));
            assert.deepEqual([live.status, live.json?.offer_id, live.json?.expires_at], [200, offer.offer_id, offer.expires_at]);
            this.counts.survived++;
        }
    }

    async verify() {
        const now = new Map();
        const busy = new Map();
        for (const [id, known] of this.rides) {
            const answer = await this.hf.app.get(ridePath(this.fleet, known));
            assert.equal(answer.status, 200, `${id} is gone: ${answer.text}`);
            now.set(id, ride(answer.json));
            this.verifyRide(known, answer.json);
        }
        for (const r of await this.all()) {
            now.set(r.ride_id, r); /* including those that were never acknowledged */
            const by = r.status === 'assigned' ? r.driver_id : r.offers.find((offer) => offer.end === null)?.driver_id;
            if (by) {
                assert.ok(!busy.has(by), `${by} has ${busy.get(by)} and ${r.ride_id}`);
                busy.set(by, r.ride_id);
            }
        }
        for (const [driver, offer] of this.seen) {
            await this.verifyOffer(driver, offer, now);
        }
        this.adopt(now);
    }

    /* All rides, as the book has them once it has everything. */
    async all() {
        const since = this.hf.since(await this.hf.anyone.get('/healthz'));
        const rides = [];
        let cursor = '';
        do {
            const page = await this.hf.app.get(`${this.fleet}/rides?limit=1000${cursor}`, since);
            assert.equal(page.status, 200, page.text);
            rides.push(...page.json.data.map((r) => ride(r)));
            cursor = page.json.next_cursor && `&cursor=${page.json.next_cursor}`;
        } while (cursor);
        return rides;
    }

    /* The calls that were under way are known by now. */
    adopt(now) {
        for (const [id, r] of now) {
            const known = this.rides.get(id) ?? { rider: r.rider_id, declined: [], ride_id: id };
            const accepted = r.driver_id && r.offers.findLast((offer) => offer.end === 'accepted');
            known.taken = accepted ? { driver: r.driver_id, offer_id: accepted.offer_id } : null;
            known.end = ['searching', 'offered', 'assigned'].includes(r.status) ? null : r.status;
            known.declined = r.offers.filter((offer) => offer.end === 'declined').map(({ driver_id, offer_id }) => ({ driver: driver_id, offer_id }));
            known.open = new Set();
            known.answered = new Set();
            this.rides.set(id, known);
        }
        this.seen.clear();
    }

    /* Drivers with a ride from before the crash complete it, so that everyone has something to do again. */
    async settle() {
        for (const known of this.rides.values()) {
            if (known.taken && !known.end) {
                const done = await this.hf.app.post(ridePath(this.fleet, known, '/complete'), {});
                assert.equal(done.status, 200, done.text);
                known.end = 'completed';
            }
        }
        await Promise.all(this.drivers.map((driver, i) => this.hf.app.put(driverPath(this.fleet, driver), { ...north(20 * i), available: true })));
    }
}

module.exports = { Taxis };
