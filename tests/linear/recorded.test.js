/* SPDX-License-Identifier: Apache-2.0 */
/* Eight clients race for few seats of a real server. Their answers fit one order; with one line changed, not. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { shared, ownClock, ownProcess } = require('../conformance/lib/server.js');
const { Client } = require('../conformance/lib/http.js');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { Recorder } = require('./lib/recorder.js');
const { linear } = require('./lib/linear.js');
const { dice } = require('./lib/random_history.js');

const hf = shared();
const CLIENTS = 8;
const SEATS = ['A1', 'A2', 'A3', 'A4'];
const UNITS = 5;
const TTL_S = 60;
const ROUNDS = 6;
const ACTIONS = 12; /* of each client in a round */
/* After a jump of the clock, reads of an event show expired holds until they are swept. */
const OPTIONS = ['--clock-error-ms', '5', '--sweep-ms', String((TTL_S + 1) * 1000)];

function racer(recorder, event, number, caller) {
    return { client: recorder.client(`racer${number}`, caller), event, random: dice(number), holds: [], sold: [] };
}

/* A caller with a connection of its own. */
function connected(user, connections) {
    const client = new Client(hf.url, { connections: 1 });
    const agent = hf.acting(user);
    connections.push(client);
    return { call: (method, target, options) => agent.call(method, target, { client, ...options }) };
}

async function holdSomething({ client, event, random, holds }) {
    const first = random(SEATS.length);
    const items = [{ event, seat: SEATS[first] }];
    if (random(3) === 0) items.push({ event, seat: SEATS[(first + 1) % SEATS.length] });
    const wanted = random(4) === 0 ? [{ event, pool: 'floor', quantity: 1 + random(2) }] : items;
    const { outcome, reservation } = await client.hold(wanted, { ttl_seconds: TTL_S });
    if (outcome === 'granted') holds.push(reservation);
}

async function act(racer) {
    const { client, random, holds, sold, event } = racer;
    const what = random(10);
    if (what < 5 || !holds.length) return holdSomething(racer);
    const reservation = holds[random(holds.length)];
    if (what === 5) return client.readReservation(reservation);
    if (what === 6) return client.release(reservation);
    if (what === 7 && sold.length) return client.refund(sold.pop());
    if (what === 8) return client.extend(reservation, { ttl_seconds: TTL_S });
    if (what === 9) return client.readEvent(event);
    const { outcome } = await client.commit(reservation);
    if (outcome === 'confirmed') sold.push(reservation);
    return undefined;
}

/* What nobody has is sold to the first, the second is refused every seat, and the first looks. */
async function sellOut([first, second], event) {
    hf.clock.advance((TTL_S + 1) * 1000);
    for (const seat of SEATS) {
        const { outcome, reservation } = await first.client.hold([{ event, seat }]);
        if (outcome === 'granted') await first.client.commit(reservation);
    }
    for (const seat of SEATS) await second.client.hold([{ event, seat }]);
    await first.client.readEvent(event);
}

async function race(recorder, event) {
    const connections = [];
    const racers = Array.from({ length: CLIENTS }, (_, i) =>
        racer(recorder, event, i + 1, connected(`racer${i + 1}`, connections)));
    for (let round = 0; round < ROUNDS; round++) {
        const calls = racers.map(async (each) => {
            for (let i = 0; i < ACTIONS; i++) await act(each);
        });
        await calls[round];
        hf.clock.advance((round % 2 ? TTL_S / 2 : TTL_S + 1) * 1000); /* what is held expires, or half of it */
        await Promise.all(calls);
    }
    await sellOut(racers, event);
    connections.forEach((client) => client.close());
}

async function recordRace() {
    const event = await makeEvent(hf, { seats: SEATS.join(' '), pools: { floor: UNITS }, hold_ttl_seconds: TTL_S });
    const recorder = new Recorder({ offset_ms: () => hf.clock.offset_ms, attempts: 5 });
    recorder.pool(event, 'floor', UNITS);
    await race(recorder, event);
    recorder.close();
    return recorder;
}

const text = (lines) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/* The history with one line replaced. */
const edited = (lines, line, fields) => text(lines.map((each) => (each === line ? { ...line, ...fields } : each)));

const ANSWERS = ['granted', 'refused:taken', 'refused:expired', 'confirmed', 'released', 'refunded', 'extended', 'shown'];

test('eight clients race for four seats: one order explains every answer, not with a line changed', ownClock, async () => {
    const { lines } = await recordRace();
    const legal = linear(text(lines), ...OPTIONS);
    assert.equal(legal.code, 0, legal.output);
    for (const word of ANSWERS)
        assert.ok(lines.some(({ outcome }) => outcome === word), `${word} was never answered`);

    const refusal = lines.findLast(({ outcome }) => outcome === 'refused:taken'); /* of a seat that is sold */
    const grant = { outcome: 'granted', reservation: 'planted', expires_us: refusal.answer_us + 1e7 };
    const twice = linear(edited(lines, refusal, grant), ...OPTIONS);
    assert.equal(twice.code, 1, twice.output);
    assert.match(twice.output, new RegExp(`^violation: seat ${refusal.items[0].object}: `, 'm'));

    const last = lines.at(-1);
    const [seat, ...others] = last.items;
    assert.equal(seat.status, 'sold');
    const stale = linear(edited(lines, last, { items: [{ object: seat.object, status: 'free' }, ...others] }), ...OPTIONS);
    assert.equal(stale.code, 1, stale.output);
    const sentence = `^violation: seat ${seat.object}: no order explains line ${lines.length} of client racer1`;
    assert.match(stale.output, new RegExp(sentence, 'm'));
});

test('a server that is killed leaves undecided calls, which are repeated at the next one', ownProcess, async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-linear-'));
    const file = path.join(folder, 'history.jsonl');
    const event = await makeEvent(hf, { seats: SEATS.join(' '), pools: { floor: UNITS }, hold_ttl_seconds: TTL_S });
    const recorder = new Recorder({ file, offset_ms: () => hf.clock.offset_ms, attempts: 200, pause_ms: 20 });
    recorder.pool(event, 'floor', UNITS);
    const racers = Array.from({ length: CLIENTS }, (_, i) => racer(recorder, event, i + 1, hf.acting(`racer${i + 1}`)));
    const running = Promise.all(racers.map(async (each) => {
        for (let i = 0; i < ACTIONS * 3; i++) await act(each);
    }));
    while (recorder.underWay.size === 0) await new Promise(setImmediate);
    await hf.restart({ kill: true });
    await running;
    recorder.close();
    const history = fs.readFileSync(file, 'utf8');
    fs.rmSync(folder, { recursive: true });
    const { code, output } = linear(history, ...OPTIONS);
    assert.equal(code, 0, output);
    assert.match(history, /"outcome":"undecided"/);
});
