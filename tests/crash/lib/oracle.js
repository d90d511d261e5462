/* SPDX-License-Identifier: Apache-2.0 */
/* oracle.js — what was acknowledged to the callers, and so what must be there after a crash.
 *
 * An entry is one reservation, or a request for one: `known` is its last acknowledged image (null before the first),
 * `pending` the operation that was sent and not yet answered. An entry belongs to one caller at a time, so there is at
 * most one pending operation. After a crash the truth is `known`, or `known` with `pending` completely done; nothing
 * else. A deadline that has passed turns `held` into `expired`.
 */
'use strict';

const assert = require('node:assert/strict');
const { reservation } = require('../../conformance/lib/expect.js');

const CLOCKS_DIFFER_MS = 100; /* between our clock and the server's */

/* A reservation without the parts that change over time, without the token that only the answer to a commit has, and
 * without what owner and staff see differently. */
const lasting = ({ expires_in, expires_in_ms, manage_token, payment, payments, balance, paid, ...rest }) => rest;

const unitsOf = (item) => item.quantity ?? 1;

/* Whether the items of a grant are the requested ones, all of them; `best` is returned as seats. */
function granted(items, asked) {
    const named = asked.filter((item) => !item.best);
    const left = [...items];
    for (const want of named) {
        const at = left.findIndex((item) => ['event', 'seat', 'pool', 'calendar', 'start', 'end'].every((field) => item[field] === want[field])
            && (want.pool === undefined || item.quantity === want.quantity));
        assert.ok(at >= 0, `${JSON.stringify(want)} was asked for and is not in ${JSON.stringify(items)}`);
        left.splice(at, 1);
    }
    const best = asked.filter((item) => item.best).reduce((sum, item) => sum + item.best.quantity, 0);
    assert.equal(left.length, best, `more or less than asked for: ${JSON.stringify(items)} for ${JSON.stringify(asked)}`);
}

const untouched = ['reservation_id', 'pnr', 'user_id', 'created_at', 'attributes'];

function unchanged(before, after, fields) {
    for (const field of [...untouched, ...fields]) {
        assert.deepEqual(after[field], before[field], `${field} of ${before.reservation_id}`);
    }
}

/* The effect of each operation on a reservation; they throw if `after` differs. */
const effects = {
    hold(before, after, op) {
        assert.equal(after.status, op.commit ? 'confirmed' : 'held');
        assert.equal(after.version, 1);
        assert.equal(after.user_id, op.user);
        assert.equal(after.attributes.tag, op.tag);
        granted(after.items, op.items);
    },
    commit(before, after) {
        unchanged(before, after, ['fence', 'items', 'total', 'expires_at']);
        assert.equal(after.status, 'confirmed');
        assert.equal(after.version, before.version + 1);
    },
    release(before, after) {
        unchanged(before, after, ['fence', 'items', 'total', 'expires_at']);
        assert.equal(after.status, 'released');
        assert.equal(after.version, before.version + 1);
    },
    extend(before, after) {
        unchanged(before, after, ['fence', 'items', 'total', 'max_expires_at', 'status']);
        assert.ok(Date.parse(after.expires_at) >= Date.parse(before.expires_at), 'the deadline went back');
        assert.ok(Date.parse(after.expires_at) <= Date.parse(after.max_expires_at), 'the deadline passed its maximum');
    },
    add(before, after, op) {
        unchanged(before, after, ['expires_at', 'status']);
        assert.deepEqual(after.items.slice(0, before.items.length), before.items);
        granted(after.items.slice(before.items.length), op.items);
        assert.ok(after.fence > before.fence, 'adding is a grant');
        assert.equal(after.version, before.version + 1);
    },
    move(before, after, op) {
        unchanged(before, after, ['expires_at', 'max_expires_at', 'status', 'total', 'order_id']);
        const moved = ({ item_id, ...item }) => ({ item_id, ...item, ...(item_id === op.item ? { start: op.start, end: op.end } : {}) });
        assert.deepEqual(after.items, before.items.map(moved));
        assert.ok(after.fence > before.fence, 'moving is a grant');
        assert.equal(after.version, before.version + 1);
    },
    drop(before, after, op) {
        const left = before.items.filter((item) => item.item_id !== op.item);
        unchanged(before, after, ['expires_at']);
        assert.equal(after.status, left.length ? 'held' : 'released');
        assert.deepEqual(after.items, left.length ? left : before.items);
    },
};

function same(before, after) {
    try {
        assert.deepEqual(after, before);
        return true;
    } catch {
        return false;
    }
}

class Oracle {
    constructor() {
        this.entries = [];
        this.byId = new Map();
        this.fences = new Map(); /* fence → the grant that had it */
        this.fence = 0;          /* the greatest acknowledged */
        this.seq = 0;            /* the greatest in any answer */
        this.seats = new Map();  /* 'event/seat' → {version, status} as last seen */
        this.acknowledged = 0;
        this.refused = 0;
        this.unknown = 0;
    }

    /* A request for a reservation, about to be sent. */
    wish(caller, op) {
        const entry = { caller, wish: op, known: null, pending: op, cycle: this.cycle };
        this.entries.push(entry);
        return entry;
    }

    /* Every answer passes through here. */
    heard(answer) {
        this.seq = Math.max(this.seq, answer.seq ?? 0);
    }

    /* A grant's fence: new, and greater than every one acknowledged before the request was sent. */
    grantSeen(image, sentAfterFence) {
        const grant = `${image.reservation_id} version ${image.version}`;
        assert.ok(image.fence > sentAfterFence, `fence ${image.fence} of ${grant} is not after ${sentAfterFence}`);
        const other = this.fences.get(image.fence);
        assert.ok(other === undefined || other === grant, `fence ${image.fence} of ${grant} was that of ${other}`);
        this.fences.set(image.fence, grant);
    }

    /* `after` is the entry once its pending operation was done. */
    done(entry, after, sentAfterFence) {
        const { known, pending } = entry;
        reservation(after);
        effects[pending.kind](known, after, pending);
        if (['hold', 'add', 'move'].includes(pending.kind)) {
            this.grantSeen(after, sentAfterFence);
        }
        if (!known) {
            assert.ok(!this.byId.has(after.reservation_id), `${after.reservation_id} was given twice`);
            this.byId.set(after.reservation_id, entry);
        }
        entry.known = lasting(after);
        entry.pending = null;
    }

    acknowledge(entry, answer, sentAfterFence) {
        this.done(entry, answer.json, sentAfterFence);
        this.fence = Math.max(this.fence, answer.json.fence);
        this.acknowledged++;
    }

    refuse(entry) {
        entry.pending = null;
        entry.gone = !entry.known;
        this.refused++;
    }

    /* The truth after a crash, from wherever it was read. Throws if it contradicts what was acknowledged. */
    found(entry, image) {
        const seen = lasting(image);
        reservation(image);
        if (entry.known && same(entry.known, seen)) {
            entry.pending = null;
            return;
        }
        if (entry.known && this.lapsed(entry, seen)) {
            return;
        }
        const told = JSON.stringify(entry.known);
        assert.ok(entry.pending, `acknowledged ${told}, and now there is ${JSON.stringify(seen)}`);
        try {
            this.done(entry, image, 0);
        } catch (error) {
            error.message += `\nacknowledged ${told}\nthen in flight ${JSON.stringify(entry.pending)}\nnow ${JSON.stringify(seen)}`;
            throw error;
        }
    }

    /* A hold past its deadline has to be expired, one before it must not be. */
    lapsed(entry, seen) {
        const { known } = entry;
        if (known.status !== 'held' || seen.status !== 'expired') {
            return false;
        }
        const due = Date.parse(seen.expires_at);
        assert.ok(Date.now() >= due - CLOCKS_DIFFER_MS, `${known.reservation_id} expired before its deadline ${seen.expires_at}`);
        assert.equal(seen.ended_at, seen.expires_at, `${known.reservation_id} ended at another instant than its deadline`);
        if (seen.expires_at !== known.expires_at) {
            assert.equal(entry.pending?.kind, 'extend', `the deadline of ${known.reservation_id} moved without a request`);
        } else if (entry.pending === null) {
            unchanged(known, seen, ['fence', 'items', 'total', 'max_expires_at']);
        }
        entry.known = seen;
        entry.pending = null;
        return true;
    }

    /* A seat as seen in an answer, requested after `before` was known: its version never goes back, and within one
     * version only a sale changes it. */
    seatSeen(key, { version, status }, before) {
        if (before) {
            assert.ok(version >= before.version, `the version of ${key} went from ${before.version} back to ${version}`);
            const fits = version > before.version || status === before.status || (before.status === 'held' && status === 'sold');
            assert.ok(fits, `${key} went from ${before.status} to ${status} under version ${version}`);
        }
        const last = this.seats.get(key);
        if (!last || version > last.version || (version === last.version && status === 'sold')) {
            this.seats.set(key, { version, status });
        }
    }

    /* Those with a claim on an event or a calendar. */
    live(on) {
        const there = (entry) => entry.known && ['held', 'confirmed'].includes(entry.known.status);
        return this.entries.filter((entry) => there(entry) && entry.known.items.some((item) => (item.event ?? item.calendar) === on));
    }
}

module.exports = { Oracle, lasting, unitsOf };
