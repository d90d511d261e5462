/* SPDX-License-Identifier: Apache-2.0 */
/* The checker accepts random legal histories, and finds a rule that was broken in one of them. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { randomWorld, text, dice } = require('./lib/random_history.js');
const { linear } = require('./lib/linear.js');

const SEEDS = Number(process.env.LINEAR_SEEDS ?? 60);
const WINDOW = ['--gate', 'copy'];
const REDIS = { window_us: 5_000_000, intents: true };

test('random legal histories pass', () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
        const world = randomWorld({ seed, steps: 400, seats: 3 + (seed % 6), clients: 2 + (seed % 7) });
        const { code, output } = linear(text(world.lines), ...WINDOW);
        assert.equal(code, 0, `seed ${seed}\n${output}`);
    }
});

test('with a gate on Redis they pass, too, and its refusals are none without it', () => {
    let refused = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
        const options = { seed, steps: 400, seats: 3 + (seed % 6), clients: 2 + (seed % 7) };
        for (const world of [{ ...options, ...REDIS }, { ...options, stale: false, intents: true }]) {
            const lines = text(randomWorld(world).lines);
            const { code, output } = linear(lines, '--gate', 'redis');
            assert.equal(code, 0, `seed ${seed}\n${output}`);
            refused += world.stale === false && linear(lines).code === 1;
        }
    }
assert.ok(refused > SEEDS / 20, `${refused} have a refusal by an intent`);
});

test('without stale refusals they pass with no window', () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
        const world = randomWorld({ seed, steps: 400, stale: false });
        const { code, output } = linear(text(world.lines));
        assert.equal(code, 0, `seed ${seed}\n${output}`);
    }
});

/* Reservations that were sold and are sold at the end: from the answer of the commit on, nothing else is true. */
function sold(lines) {
    const ends = new Set(lines.filter((line) => line.op === 'refund').map((line) => line.reservation));
    return lines.filter((line) => line.op === 'commit' && !ends.has(line.reservation));
}

const MUTATIONS = {
    'a refusal of a sold seat becomes a grant': (lines, pick) => {
        const found = lines.filter((line) => line.outcome === 'refused:taken' && line.items.length === 1 &&
            sold(lines).some((commit) => commit.answer_us < line.call_us && commit.items.some(({ object }) => object === line.items[0].object) && !line.items[0].units));
        const line = found[pick(found.length)];
        if (line) delete line.asked;
        return line && Object.assign(line, { outcome: 'granted', reservation: 'planted', expires_us: line.answer_us + 1e9 });
    },
    'a read shows a sold seat as free': (lines, pick) => {
        const found = lines.flatMap((line) => (line.op === 'read' ? line.items : []).filter((item) => item.status === 'sold' &&
            sold(lines).some((commit) => commit.reservation === item.reservation && commit.seq <= line.seq)));
        const item = found[pick(found.length)];
        if (item) delete item.reservation;
        return item && Object.assign(item, { status: 'free' });
    },
    'a fence was given before': (lines, pick) => {
        const grants = lines.filter((line) => line.outcome === 'granted');
        const later = grants[pick(grants.length)];
        const earlier = grants.find((line) => line.answer_us < later.call_us && line.fence < later.fence && line.key !== later.key);
        return earlier && Object.assign(later, { fence: earlier.fence });
    },
    'a read is older than what its client saw': (lines, pick) => {
        const found = lines.filter((line) => line.op === 'read' && line.min_seq > 1 && line.seq >= line.min_seq);
        const line = found[pick(found.length)];
        if (line) line.seq = line.min_seq - 1;
        if (line) delete line.min_seq;
        return line;
    },
    'an acknowledged commit is lost': (lines, pick) => {
        const commits = sold(lines).filter((commit) => commit.items.every(({ object }) => object !== 'hall/floor'));
        const commit = commits[pick(commits.length)];
        const at = Math.max(...lines.map((line) => line.answer_us ?? 0)) + 1e7;
        if (commit) lines.push({ op: 'hold', client: 'late', call_us: at, answer_us: at + 5, reservation: 'planted', outcome: 'granted', expires_us: at + 1e6, items: commit.items });
        return commit;
    },
    'a seat stays taken for ever after it was given back': (lines, pick) => {
        const at = Math.max(...lines.map((line) => line.answer_us ?? 0)) + 1e7;
        const given = lines.filter((line) => line.op === 'release' || line.op === 'refund').flatMap((line) => line.items)
            .filter(({ object }) => object !== 'hall/floor' && !sold(lines).some((commit) => commit.items.some((item) => item.object === object)) &&
                !lines.some((line) => line.outcome === 'undecided' && line.items.some((item) => item.object === object)));
        const item = given[pick(given.length)];
        if (item) lines.push({ op: 'hold', client: 'late', call_us: at, answer_us: at + 5, outcome: 'refused:taken', items: [item] });
        return item;
    },
};

const GATES = { copy: {}, redis: REDIS };
const CASES = Object.keys(GATES).flatMap((gate) => Object.entries(MUTATIONS).map(([name, mutate]) => ({ gate, name, mutate })));

for (const { gate, name, mutate } of CASES) {
    test(`found: ${name}, with the gate ${gate}`, () => {
        let planted = 0;
        for (let seed = 1; seed <= SEEDS; seed++) {
            const { lines } = randomWorld({ seed, steps: 300, ...GATES[gate] });
            if (!mutate(lines, dice(seed + 1000))) continue;
            planted++;
            const { code, output } = linear(text(lines), '--gate', gate);
            assert.equal(code, 1, `seed ${seed}: not found\n${output}`);
            assert.match(output, /^violation: /m);
        }
        assert.ok(planted > SEEDS / 6, `${planted} planted`);
    });
}
