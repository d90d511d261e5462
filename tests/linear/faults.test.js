/* SPDX-License-Identifier: Apache-2.0 */
/* Each fault that a server could have, in the smallest history that shows it, beside one that only looks like it. A
 * violation names the object and the calls. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { hold, change, read, pool, text } = require('./lib/lines.js');
const { linear } = require('./lib/linear.js');

const LIMIT = { outcome: 'refused:limit_exceeded' };

/* name: [lines, the object or sentence of the violation, the lines of the calls it shows, options] */
const FAULTS = {
    'a seat is held twice': [
        [hold('ann', 1, 2, 'A1', 'r1', 9000), hold('bob', 3, 4, 'A1', 'r2', 9000)], 'seat hall/A1', [1, 2],
    ],
    'a seat is sold twice to two who asked at once': [
        [
            hold('ann', 1, 5, 'A1', 'r1', 9000), hold('bob', 1, 5, 'A1', 'r2', 9000),
            change('commit', 'ann', 6, 8, 'A1', 'r1'), change('commit', 'bob', 6, 8, 'A1', 'r2'),
        ], 'seat hall/A1', [1, 2],
    ],
    'an acknowledged hold is lost: its seat goes to another': [
        [hold('ann', 1, 2, 'A1 A2', 'r1', 9000), hold('bob', 3, 4, 'A2', 'r2', 9000), change('commit', 'ann', 5, 6, 'A1 A2', 'r1')],
        'seat hall/A2', [1, 2],
    ],
    'an acknowledged hold is lost: nobody knows it': [
        [hold('ann', 1, 2, 'A1', 'r1', 9000), change('commit', 'ann', 3, 4, 'A1', 'r1', { outcome: 'refused:no_such_reservation' })],
        'seat hall/A1', [1, 2],
    ],
    'an acknowledged hold is lost: a read shows its seat as free': [
        [hold('ann', 1, 2, 'A1', 'r1', 9000), read('bob', 3, 4, { A1: 'free' })], 'seat hall/A1', [1, 2],
    ],
    'an acknowledged commit is lost: the reservation expires': [
        [
            hold('ann', 1, 2, 'A1', 'r1', 1000), change('commit', 'ann', 3, 4, 'A1', 'r1'),
            read('ann', 1100, 1101, { A1: 'gone r1' }),
        ], 'seat hall/A1', [2, 3],
    ],
    'a stale read: after the release it shows the hold': [
        [
            hold('ann', 1, 2, 'A1', 'r1', 9000), change('release', 'ann', 3, 4, 'A1', 'r1'),
            read('ann', 5, 6, { A1: 'held r1' }),
        ], 'seat hall/A1', [2, 3],
    ],
    'a stale read: older than the seq it claims': [
        [
            hold('ann', 1, 2, 'A1', 'r1', 9000, { fence: 5, seq: 5 }), change('release', 'ann', 3, 4, 'A1', 'r1', { seq: 6 }),
            read('bob', 5, 6, { A1: 'held r1' }, { seq: 6 }),
        ], 'seat hall/A1', [2, 3],
    ],
    'a stale read: older than what its client had seen': [
        [
            hold('ann', 1, 2, 'A1', 'r1', 9000, { fence: 5, seq: 5 }), change('release', 'ann', 3, 4, 'A1', 'r1', { seq: 6 }),
            read('ann', 5, 6, { A1: 'held r1' }, { seq: 5 }),
        ], 'client ann had seen seq 6', [2, 3],
    ],
    'an answer older than the Min-Seq asked': [
        [hold('ann', 1, 2, 'A1', 'r1', 9000, { fence: 5, seq: 5 }), read('bob', 3, 4, { A2: 'free' }, { seq: 4, min_seq: 5 })],
        'Min-Seq 5 of client bob', [2],
    ],
    'two reads see two changes in opposite order': [
        [
            hold('ann', 1, 90, 'A1', 'r1', 9000), read('bob', 10, 11, { A1: 'held r1' }),
            read('cid', 20, 21, { A1: 'free' }),
        ], 'seat hall/A1', [1, 3],
    ],
    'a release is undone': [
        [
            hold('ann', 1, 2, 'A1', 'r1', 9000), change('release', 'ann', 3, 4, 'A1', 'r1'),
            change('commit', 'ann', 5, 6, 'A1', 'r1'),
        ], 'seat hall/A1', [2, 3],
    ],
    'a release is forgotten: the seat stays taken': [
        [hold('ann', 1, 2, 'A1', 'r1', 9000), change('release', 'ann', 3, 4, 'A1', 'r1'), hold('bob', 5, 6, 'A1')],
        'seat hall/A1', [2, 3],
    ],
    'a commit after the hold expired': [
        [hold('ann', 1, 2, 'A1', 'r1', 1000), change('commit', 'ann', 1001, 1002, 'A1', 'r1')], 'seat hall/A1', [1, 2],
    ],
    'a hold that was granted after its own deadline': [
        [hold('ann', 1001, 1002, 'A1', 'r1', 1000)], 'seat hall/A1', [1],
    ],
    'a seat that is granted before the hold on it expires': [
        [hold('ann', 1, 2, 'A1', 'r1', 1000), hold('bob', 990, 999, 'A1', 'r2', 9000)], 'seat hall/A1', [1, 2],
    ],
    'an expiry that never comes': [
        [hold('ann', 1, 2, 'A1', 'r1', 1000), hold('bob', 1500, 1501, 'A1')], 'seat hall/A1', [1, 2],
    ],
    'a hold that is extended and expires at its first deadline': [
        [
            hold('ann', 1, 2, 'A1', 'r1', 1000), change('extend', 'ann', 3, 4, 'A1', 'r1', { until: 2000 }),
            hold('bob', 1100, 1101, 'A1', 'r2', 9000),
        ], 'seat hall/A1', [2, 3],
    ],
    'a refusal as expired before the deadline': [
        [hold('ann', 1, 2, 'A1', 'r1', 1000), change('commit', 'ann', 3, 4, 'A1', 'r1', { outcome: 'refused:expired' })],
        'seat hall/A1', [1, 2],
    ],
    'a refusal of a free seat': [[hold('ann', 1, 2, 'A1')], 'seat hall/A1', [1]],
    'a pool is sold beyond its capacity': [
        [pool('floor', 5), hold('ann', 1, 2, 'floor:3', 'r1', 9000), hold('bob', 3, 4, 'floor:3', 'r2', 9000)],
        'pool hall/floor', [2, 3],
    ],
    'a pool refuses units that it has': [
        [pool('floor', 5), hold('ann', 1, 2, 'floor:3', 'r1', 9000), hold('bob', 3, 4, 'floor:2')],
        'pool hall/floor', [2, 3],
    ],
    'a pool shows more units than it has': [
        [pool('floor', 5), hold('ann', 1, 2, 'floor:3', 'r1', 9000), read('bob', 3, 4, { floor: 'available 3' })],
        'pool hall/floor', [2, 3],
    ],
    'a refunded seat stays sold': [
        [
            hold('ann', 1, 2, 'A1', 'r1', 9000), change('commit', 'ann', 3, 4, 'A1', 'r1'),
            change('refund', 'ann', 5, 6, 'A1', 'r1'), read('bob', 7, 8, { A1: 'sold r1' }),
        ], 'seat hall/A1', [3, 4],
    ],
    'a batch is shown in part': [
        [hold('ann', 1, 9, 'A1 A2', 'r1', 9000), read('bob', 2, 8, { A1: 'held r1', A2: 'free' })],
        'shows a part of r1: hall/A1 is held, hall/A2 is not', [2],
    ],
    'a fence that is not greater than one answered before': [
        [hold('ann', 1, 2, 'A1', 'r1', 9000, { fence: 7 }), hold('bob', 3, 4, 'A2', 'r2', 9000, { fence: 6 })],
        'fence 6 was granted after 7', [1, 2],
    ],
    'two reservations with one fence': [
        [hold('ann', 1, 5, 'A1', 'r1', 9000, { fence: 7 }), hold('bob', 1, 5, 'A2', 'r2', 9000, { fence: 7 })],
        'two reservations have the fence 7', [1, 2],
    ],
    'one key, two reservations': [
        [
            hold('ann', 1, 2, 'A1', 'r1', 9000, { key: 'k' }),
            hold('ann', 3, 4, 'A1', 'r2', 9000, { key: 'k' }),
        ], 'key k was answered with two results', [1, 2],
    ],
    'the window of refusals has an end': [
        [hold('ann', 1, 2, 'A1', 'r1', 1000), hold('bob', 2100, 2101, 'A1')], 'seat hall/A1', [2],
        ['--gate', 'copy'],
    ],
    'an intent that is kept for ever': [
        [hold('ann', 1, 2, 'A1', undefined, undefined, LIMIT), hold('bob', 5001, 5002, 'A1'), hold('bob', 5003, 5004, 'A1')],
        'seat hall/A1', [3], ['--gate', 'redis'],
    ],
    'an intent that is kept for ever, and a crowd that goes on asking': [
        [
            hold('ann', 1, 2, 'A1', undefined, undefined, LIMIT), hold('bob', 5003, 6000, 'A1'), hold('cid', 5500, 6500, 'A1'),
            hold('dan', 6400, 7000, 'A1'), hold('bob', 6600, 7000, 'A1'),
        ], 'seat hall/A1', [2], ['--gate', 'redis'],
    ],
    'an intent that refuses its own user: the same key': [
        [hold('ann', 1, 2, 'A1', undefined, undefined, { outcome: 'undecided', key: 'k' }), hold('ann', 3, 4, 'A1', undefined, undefined, { key: 'k' })],
        'seat hall/A1', [2], ['--gate', 'redis'],
    ],
    'an intent that refuses its own user: another key, and the seat is free': [
        [
            hold('ann', 1, 2, 'A1', undefined, undefined, { outcome: 'undecided', key: 'k', ttl_ms: 9000 }),
            hold('ann', 3, 4, 'A1'), read('bob', 5, 6, { A1: 'free' }), hold('cid', 7, 8, 'A1', 'r1', 9000),
            read('bob', 9, 10, { A1: 'held r1' }),
        ], 'seat hall/A1', [3], ['--gate', 'redis'],
    ],
    'a request for another seat was under way': [
        [hold('ann', 1, 5, 'A2', 'r1', 9000), hold('bob', 2, 3, 'A1')], 'seat hall/A1', [2], ['--gate', 'redis'],
    ],
    'a gate that refuses a pool': [
        [pool('floor', 5), hold('ann', 1, 2, 'floor:5', 'r1', 1000), hold('bob', 1100, 1101, 'floor:1')],
        'pool hall/floor', [2, 3], ['--gate', 'redis'],
    ],
    'an intent is no excuse for the copy': [
        [hold('ann', 1, 5, 'A1', undefined, undefined, LIMIT), hold('bob', 2, 3, 'A1')], 'seat hall/A1', [2], ['--gate', 'copy'],
    ],
};

/* What --gate redis allows. */
const GATED = {
    'the seat was taken five seconds before': [
        hold('ann', 1, 2, 'A1', 'r1', 9000), change('release', 'ann', 3, 4, 'A1', 'r1'), hold('bob', 5003, 5004, 'A1'),
    ],
    'another request is under way, and is refused for another reason': [
        hold('ann', 1, 5, 'A1', undefined, undefined, LIMIT), hold('bob', 2, 3, 'A1'),
    ],
    'another request was under way five seconds before': [
        hold('ann', 1, 5, 'A1', undefined, undefined, LIMIT), hold('bob', 5004, 5005, 'A1'),
    ],
    'another request is under way, and is refused for another of its seats': [
        hold('cid', 0, 1, 'A2', 'r1', 9000), hold('ann', 2, 9, 'A2', undefined, undefined, { asked: [{ object: 'hall/A1' }] }),
        hold('bob', 4, 5, 'A1'),
    ],
    'another request is under way that loses the seat later': [
        hold('ann', 1, 9, 'A1'), hold('bob', 2, 3, 'A1'), hold('cid', 5, 6, 'A1', 'r1', 9000),
    ],
    'another request was never decided': [
        hold('ann', 1, 2, 'A1', undefined, undefined, { outcome: 'undecided', key: 'k', ttl_ms: 9000 }), hold('bob', 3, 4, 'A1'),
        read('cid', 5, 6, { A1: 'free' }), hold('cid', 7, 8, 'A1', 'r1', 9000), read('cid', 9, 10, { A1: 'held r1' }),
    ],
    'another request was undecided, and is refused when it is repeated': [
        hold('ann', 1, 2, 'A1', undefined, undefined, { outcome: 'undecided', key: 'k' }), hold('bob', 3, 4, 'A1'),
        hold('cid', 6, 9, 'A1', undefined, undefined, LIMIT), hold('ann', 7, 8, 'A1', undefined, undefined, { key: 'k' }),
    ],
};

const LEGAL = {
    'two who asked at once: the later line was first': [
        hold('ann', 1, 9, 'A1'), hold('bob', 1, 9, 'A1', 'r1', 9000),
    ],
    'a commit that overlaps the deadline may be in time or too late': [
        hold('ann', 1, 2, 'A1', 'r1', 1000), hold('bob', 1, 2, 'A2', 'r2', 1000),
        change('commit', 'ann', 999, 1001, 'A1', 'r1'), change('commit', 'bob', 999, 1001, 'A2', 'r2', { outcome: 'refused:expired' }),
    ],
    'an undecided hold that took effect, as another is refused': [
        hold('ann', 1, 2, 'A1', undefined, undefined, { outcome: 'undecided', key: 'k' }), hold('bob', 3, 4, 'A1'),
    ],
    'an undecided hold that did not, as another is granted': [
        hold('ann', 1, 2, 'A1', undefined, undefined, { outcome: 'undecided', key: 'k' }), hold('bob', 3, 4, 'A1', 'r1', 9000),
    ],
    'an undecided hold that is repeated: one grant, at some time in between': [
        hold('ann', 1, 2, 'A1', undefined, undefined, { outcome: 'undecided', key: 'k' }), hold('bob', 3, 4, 'A1'),
        hold('ann', 5, 6, 'A1', 'r1', 9000, { key: 'k' }),
    ],
    'an undecided commit, and the seat is still sold after the deadline': [
        hold('ann', 1, 2, 'A1', 'r1', 1000), change('commit', 'ann', 3, undefined, 'A1', 'r1', { outcome: 'undecided' }),
        hold('bob', 1500, 1501, 'A1'),
    ],
    'an undecided commit, and the seat is free after the deadline': [
        hold('ann', 1, 2, 'A1', 'r1', 1000), change('commit', 'ann', 3, undefined, 'A1', 'r1', { outcome: 'undecided' }),
        hold('bob', 1500, 1501, 'A1', 'r2', 9000),
    ],
    'the same release and the same commit again': [
        hold('ann', 1, 2, 'A1', 'r1', 9000), change('release', 'ann', 3, 4, 'A1', 'r1'), change('release', 'bob', 5, 6, 'A1', 'r1'),
        hold('ann', 7, 8, 'A2', 'r2', 9000), change('commit', 'ann', 9, 10, 'A2', 'r2'), change('commit', 'ann', 11, 12, 'A2', 'r2'),
    ],
    'another client reads an older state, and says so by its seq': [
        hold('ann', 1, 2, 'A1', 'r1', 9000, { fence: 5, seq: 5 }), change('release', 'ann', 3, 4, 'A1', 'r1', { seq: 6 }),
        read('bob', 5, 6, { A1: 'held r1' }, { seq: 5 }),
    ],
    'a seat sold, refunded and sold again': [
        hold('ann', 1, 2, 'A1', 'r1', 9000), change('commit', 'ann', 3, 4, 'A1', 'r1'),
        change('refund', 'ann', 5, 6, 'A1', 'r1'), hold('bob', 7, 8, 'A1', 'r2', 9000),
        change('commit', 'bob', 9, 10, 'A1', 'r2'), read('ann', 11, 12, { A1: 'sold r2' }),
    ],
};

for (const [name, [lines, sentence, shown, options = []]] of Object.entries(FAULTS)) {
    test(`found: ${name}`, () => {
        const { code, output } = linear(text(lines), ...options);
        assert.equal(code, 1, output);
        const violation = output.split('\n').find((row) => row.startsWith('violation: ') && row.includes(sentence));
        assert.ok(violation, output);
        for (const number of shown) assert.match(output, new RegExp(`^    .* line ${number}, client `, 'm'));
    });
}

for (const [name, lines] of Object.entries(LEGAL)) {
    test(`legal: ${name}`, () => {
        const { code, output } = linear(text(lines));
        assert.equal(code, 0, output);
    });
}

for (const [name, lines] of Object.entries(GATED)) {
    test(`legal with a gate on Redis: ${name}`, () => {
        const gated = linear(text(lines), '--gate', 'redis');
        assert.equal(gated.code, 0, gated.output);
        assert.equal(linear(text(lines)).code, 1, 'without a gate it is a violation');
    });
}

test('a window of refusals, and an error of clocks, allow what they say', () => {
    const late = text([hold('ann', 1, 2, 'A1', 'r1', 1000), hold('bob', 1900, 1901, 'A1')]);
    assert.equal(linear(late, '--gate', 'copy').code, 0);
    const early = text([hold('ann', 1, 2, 'A1', 'r1', 1000), change('commit', 'ann', 1001, 1002, 'A1', 'r1')]);
    assert.equal(linear(early, '--clock-error-ms', '5').code, 0);
});

test('a run with too many undecided calls of one seat is no proof', () => {
    const open = Array.from({ length: 9 }, (_, i) => hold('ann', 1, 2, 'A1', undefined, undefined, { outcome: 'undecided', key: `k${i}` }));
    const { code, output } = linear(text(open));
    assert.equal(code, 2, output);
    assert.match(output, /not checked: hall\/A1: 9 operations were never decided/);
});

test('a gate that nobody knows, or none, is no option', () => {
    for (const options of [['--gate', 'paper'], ['--gate']]) {
        const { code, output } = linear('', ...options);
        assert.equal(code, 2, output);
        assert.match(output, /^usage: linear /);
    }
});

test('a line that is no call is named', () => {
    const granted = hold('ann', 1, 2, 'A1', 'r1', 9000, { asked: [{ object: 'hall/A2' }] });
    for (const wrong of [JSON.stringify(granted), '{', '{"op":"hold"}', '{"op":"steal","client":"a","call_us":1,"outcome":"granted","items":[{"object":"x"}]}']) {
        const { code, output } = linear(`${text([hold('ann', 1, 2, 'A1')])}${wrong}\n`);
        assert.equal(code, 2, output);
        assert.match(output, /line 2: /);
    }
});
