/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.js — calls a server for clients and writes down what each was answered, as build/linear reads it.
 *
 *     const recorder = new Recorder({ file, offset_ms: () => hf.clock.offset_ms });
 *     recorder.pool('hall', 'floor', 100);
 *     const ann = recorder.client('ann', hf.acting('ann'));
 *     const { reservation } = await ann.hold([{ event: 'hall', seat: 'A1' }]);
 *     await ann.commit(reservation);
 *     await ann.readEvent('hall');
 *     recorder.close();
 *
 * A line is written when its call ends, so that a run that is cut off leaves what it had; close() writes calls still
 * under way as undecided. Times are those of a monotonic clock that begins at the system's time, plus `offset_ms` of a
 * test clock that only goes forward: the deadlines in answers are by the same clock.
 */
'use strict';

const fs = require('node:fs');
const { performance } = require('node:perf_hooks');
const { setTimeout: pause } = require('node:timers/promises');

const US_PER_MS = 1000;
const claims = new Set(['hold', 'buy']);
const ITEMS_MAX = 1000; /* of one line */
const SHOWN_SEAT = { available: 'free', held: 'held', sold: 'sold' }; /* other words say nothing about claims */
const SHOWN_RESERVATION = { held: 'held', confirmed: 'sold' }; /* all others: gone */

const objectOf = ({ event, seat, pool }) => `${event}/${seat ?? pool}`;
const itemOf = (item) => ({ object: objectOf(item), ...(item.pool ? { units: item.quantity ?? 1 } : {}) });

/* Whether no answer came, so that the call may have taken effect or not. */
const isCut = (error) => Boolean(error.code) || /no answer$/.test(error.message);

class Recorder {
    /* attempts: how often an undecided call is sent, with the same key. reads: 'now' checks each read against the time of
     * its call; 'seen' sends the greatest seq that the client saw and checks that much, as followers promise. */
    constructor({ file, offset_ms = () => 0, attempts = 1, pause_ms = 50, reads = 'now' } = {}) {
        Object.assign(this, { offset_ms, attempts, pause_ms, reads, latest_us: 0, underWay: new Set(), held: new Map() });
        this.lines = file ? null : [];
        this.fd = file ? fs.openSync(file, 'w') : null;
    }

    now_us() {
        const now = Math.floor((performance.timeOrigin + performance.now() + this.offset_ms()) * US_PER_MS);
        this.latest_us = Math.max(this.latest_us, now);
        return this.latest_us;
    }

    client(name, caller) {
        return new RecordedClient(this, name, caller);
    }

    /* Says how many units a pool has: before its first call. */
    pool(event, pool, units) {
        this.write({ op: 'pool', items: [{ object: objectOf({ event, pool }), units }] });
    }

    write(line) {
        if (this.lines) this.lines.push(line);
        else if (this.fd !== null) fs.writeSync(this.fd, `${JSON.stringify(line)}\n`);
    }

    begin(line) {
        const begun = { ...line, call_us: this.now_us() };
        this.underWay.add(begun);
        return begun;
    }

    end(begun, fields) {
        if (!this.underWay.delete(begun)) return; /* closed meanwhile */
        this.write({ ...begun, answer_us: this.now_us(), ...fields });
    }

    /* The history so far, if it is not in a file. */
    text() {
        return this.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    }

    close() {
        for (const begun of this.underWay) if (begun.op !== 'read') this.write({ ...begun, outcome: 'undecided' });
        this.underWay.clear();
        if (this.fd !== null) fs.closeSync(this.fd);
        this.fd = null;
    }
}

/* A refusal names what was in the way. One that names nothing says something only about a single item. */
function refusedItems(asked, { code, items }) {
    if (code !== 'taken' && code !== 'sold_out') return asked;
    const named = (items ?? []).filter(({ status, available }) => available !== undefined || SHOWN_SEAT[status]).map(itemOf);
    return named.length || asked.length > 1 ? named : asked;
}

class RecordedClient {
    /* `caller` has call(method, target, {body, headers}) as those of tests/conformance/lib/server.js, or is a function
     * that returns one for each attempt, such as another node's. */
    constructor(recorder, name, caller) {
        Object.assign(this, { recorder, name, keys: 0, seen: 0 });
        this.caller = typeof caller === 'function' ? caller : () => caller;
    }

    /* One attempt: the answer, or undefined if none came. */
    async ask(method, target, options, attempt) {
        try {
            const answer = await this.caller(attempt).call(method, target, options);
            this.seen = Math.max(this.seen, answer.seq ?? 0);
            return answer;
        } catch (error) {
            if (!isCut(error)) throw error;
            return undefined;
        }
    }

    /* Sends a command until it is decided, a line for each attempt. Returns the last line's outcome and the answer. */
    async command(line, method, target, { done, ...options }) {
        const { recorder } = this;
        const key = `${this.name}-${++this.keys}`;
        const headers = { 'Idempotency-Key': key };
        for (let attempt = 1; ; attempt++) {
            const begun = recorder.begin({ client: this.name, key, ...line });
            const answer = await this.ask(method, target, { headers, ...options }, attempt);
            const fields = this.outcome(line, answer, done);
            recorder.end(begun, fields);
            if (fields.outcome !== 'undecided' || attempt >= recorder.attempts) return { ...fields, answer };
            await pause(recorder.pause_ms);
        }
    }

    outcome(line, answer, done) {
        if (!answer || answer.status >= 500) return { outcome: 'undecided' };
        const seq = answer.seq ? { seq: answer.seq } : {};
        if (answer.status < 300) return { ...seq, ...done(answer.json) };
        const { code } = answer.json;
        const items = refusedItems(line.items, answer.json);
        if (!items.length) return { outcome: `refused:${code}_unnamed`, ...seq };
        const others = claims.has(line.op) ? line.items.filter(({ object }) => !items.some((item) => item.object === object)) : [];
        return { outcome: `refused:${code}`, ...seq, items, ...(others.length ? { asked: others } : {}) };
    }

    /* Items as the API takes them: [{event, seat}] or [{event, pool, quantity}]. `more` are fields of the request. */
    async hold(items, more = {}) {
        /* Without an answer its deadline is unknown; it lasts at least this long. */
        const least = more.ttl_seconds ? { ttl_ms: more.ttl_seconds * 1000 } : {};
        const line = { op: 'hold', items: items.map(itemOf), ...least };
        const result = await this.command(line, 'POST', '/v1/reservations', {
            body: { items, ...more },
            done: (json) => ({
                outcome: 'granted',
                reservation: json.reservation_id,
                fence: json.fence,
                expires_us: Date.parse(json.expires_at) * US_PER_MS,
            }),
        });
        if (result.reservation) this.recorder.held.set(result.reservation, line.items.map(({ object }) => ({ object })));
        return result;
    }

    change(op, reservation, path, outcome, body = {}, more = () => ({})) {
        const items = this.recorder.held.get(reservation);
        return this.command({ op, reservation, items }, 'POST', `/v1/reservations/${reservation}/${path}`, {
            body,
            headers: {},
            done: (json) => ({ outcome, ...more(json) }),
        });
    }

    commit(reservation, body) {
        return this.change('commit', reservation, 'commit', 'confirmed', body);
    }

    release(reservation, body) {
        return this.change('release', reservation, 'release', 'released', body);
    }

    refund(reservation, body) {
        return this.change('refund', reservation, 'refund', 'refunded', body);
    }

    extend(reservation, body) {
        return this.change('extend', reservation, 'extend', 'extended', body,
            (json) => ({ expires_us: Date.parse(json.expires_at) * US_PER_MS }));
    }

    /* `items` makes the line's items of the answer; a read that fails is not written, as it says nothing. */
    async read(target, items) {
        const { recorder } = this;
        const min = recorder.reads === 'seen' && this.seen ? this.seen : 0;
        const begun = recorder.begin({ op: 'read', client: this.name });
        const answer = await this.ask('GET', target, { headers: min ? { 'Holdfast-Min-Seq': String(min) } : {} }, 1);
        const shown = answer && (answer.status === 200 || answer.status === 404) ? items(answer) : [];
        if (!recorder.underWay.delete(begun) || !shown.length) return answer;
        /* An event's availability has the seq of its last change, which may be less than it was asked for. */
        const seq = recorder.reads === 'seen' && Math.max(min, answer.seq ?? 0);
        const fields = { outcome: 'shown', ...(seq ? { seq } : {}), ...(min ? { min_seq: min } : {}) };
        const answer_us = recorder.now_us();
        for (let i = 0; i < shown.length; i += ITEMS_MAX)
            recorder.write({ ...begun, answer_us, ...fields, items: shown.slice(i, i + ITEMS_MAX) });
        return answer;
    }

    /* The seats and pools of an event. */
    readEvent(event) {
        return this.read(`/v1/events/${event}/availability`, ({ status, json }) => (status !== 200 ? [] : [
            ...Object.entries(json.seats ?? {}).filter(([, word]) => SHOWN_SEAT[word])
                .map(([seat, word]) => ({ object: objectOf({ event, seat }), status: SHOWN_SEAT[word] })),
            ...Object.entries(json.pools ?? {})
                .map(([pool, { available }]) => ({ object: objectOf({ event, pool }), status: 'available', units: available })),
        ]));
    }

    /* A reservation that a client of this recorder got. 404 counts as gone: ask as its owner, or with an app key. */
    readReservation(reservation) {
        return this.read(`/v1/reservations/${reservation}`, (answer) => {
            const status = (answer.status === 200 && SHOWN_RESERVATION[answer.json.status]) || 'gone';
            return this.recorder.held.get(reservation).map(({ object }) => ({ object, reservation, status }));
        });
    }
}

module.exports = { Recorder };
