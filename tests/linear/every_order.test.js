/* SPDX-License-Identifier: Apache-2.0 */
/* Random small histories, most of them illegal: the checker agrees with a judge that tries every order. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { everyOrder, WHATS } = require('./lib/every_order.js');
const { dice } = require('./lib/random_history.js');
const { linear } = require('./lib/linear.js');
const { text } = require('./lib/lines.js');

const FILES = Number(process.env.LINEAR_FILES ?? 150);
const SEATS = 15; /* of a file; fewer than the violations that are printed */
const US_PER_STEP = 1000;

/* A hold of r1 and r2 each, at most, and whatever else. */
function randomCalls(random) {
    const calls = [];
    const count = 2 + random(5);
    while (calls.length < count) {
        const what = calls.length < 1 ? 'hold granted' : WHATS[random(WHATS.length)];
        const who = `r${1 + random(2)}`;
        if (what === 'hold granted' && calls.some((call) => call.what === what && call.who === who)) continue;
        const from = random(14);
        const open = (what === 'commit confirmed' || what === 'release released') && random(4) === 0;
        calls.push({ what, who, from, to: from + random(6), open, until: what === 'hold granted' ? 8 + random(14) : 0 });
    }
    return calls;
}

/* A call as a line about seat `object`. */
function lineOf({ what, who, from, to, until, open }, object, number) {
    const [op, outcome] = what.split(' ');
    const reservation = `${object} ${who}`;
    const line = { op, client: `c${number}`, call_us: from * US_PER_STEP, answer_us: to * US_PER_STEP };
    if (op === 'read') {
        const named = outcome === 'free' ? {} : { reservation };
        return { ...line, outcome: 'shown', items: [{ object, status: outcome, ...named }] };
    }
    const granted = outcome === 'granted' ? { expires_us: until * US_PER_STEP } : {};
    const named = outcome === 'refused:taken' ? {} : { reservation };
    return { ...line, ...granted, ...named, outcome: open ? 'undecided' : outcome, items: [{ object }] };
}

test('the checker and a judge that tries every order agree', () => {
    const random = dice(24);
    const counts = { true: 0, false: 0 };
    for (let file = 0; file < FILES; file++) {
        const seats = Array.from({ length: SEATS }, (_, i) => ({ object: `hall/A${i}`, calls: randomCalls(random) }));
        const { output } = linear(text(seats.flatMap(({ object, calls }) => calls.map((call, i) => lineOf(call, object, i)))));
        for (const { object, calls } of seats) {
            const legal = everyOrder(calls);
            counts[legal]++;
            assert.equal(!output.includes(`violation: seat ${object}: `), legal, `${JSON.stringify(calls, null, 1)}\n${output}`);
        }
    }
    assert.ok(counts.true > FILES && counts.false > FILES, JSON.stringify(counts));
});
