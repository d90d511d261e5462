/* SPDX-License-Identifier: Apache-2.0 */
/* Spin searches each configuration of the model whole and finds no violation, and it finds each planted mistake by the claim
 * that this mistake breaks. README.md says what is modelled. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { execFileSync, spawnSync } = require('node:child_process');

const DEPTH = 1000000; /* steps of one behaviour; the search says if one was cut off */
/* Name: the model, and what it is searched with. */
const CONFIGURATIONS = {
    default: ['log', 'ROWS=3', 'TOKENS=3'],
    split: ['log', 'ROWS=3', 'TOKENS=2', 'SPLIT'],
    lagging: ['log', 'ROWS=3', 'TOKENS=2', 'LAGGING'],
    laggingTwice: ['log', 'ROWS=3', 'TOKENS=3', 'LAGGING'],
    lease: ['lease', 'TOKENS=2', 'BEATS=2'],
    leaseTwice: ['lease', 'TOKENS=3', 'BEATS=1'],
    leaseSplit: ['lease', 'TOKENS=2', 'BEATS=2', 'SPLIT'],
};
/* Mistake: the configuration that has it, and the claim that it breaks. */
const MISTAKES = [
    ['RETRY_WITHOUT_GUARD', 'default', 'NOTHING_AFTER_A_TAKEOVER'],
    ['RETRY_BY_SELECT', 'default', 'ACKNOWLEDGED_IS_KEPT'],
    ['WARNING_COUNTS', 'default', 'ACKNOWLEDGED_IS_KEPT'],
    ['TAKE_WITHOUT_WAITING', 'default', 'TAKEOVER_IS_LAST'],
    ['SHOW_THE_LAST_ROW', 'default', 'SHOWN_IS_KEPT'],
    ['READ_COUNTS_AT_ONCE', 'split', 'NO_NEEDLESS_HALT'],
    ['NO_ROW_BEFORE', 'lagging', 'NO_GAP'],
    ['NO_ROW_BEFORE', 'lagging', 'LOG_IS_MEMORY'],
    ['TAKE_KEEPS_DURABLE', 'lagging', 'SHOWN_IS_KEPT'],
    ['NO_TOKEN', 'laggingTwice', 'NOTHING_AFTER_A_TAKEOVER'],
    ['NO_TOKEN', 'laggingTwice', 'ONE_WRITER_PER_EPOCH'],
    ['DURABLE_BY_EPOCH', 'laggingTwice', 'SHOWN_IS_KEPT'],
    ['NO_MARGIN', 'lease', 'ONE_ANSWERS'],
    ['RENEWAL_COUNTS_FROM_ITS_ANSWER', 'lease', 'ONE_ANSWERS'],
    ['TAKE_WITHOUT_BEAT', 'lease', 'ONE_ANSWERS'],
    ['HANDS_OVER_FIRST', 'lease', 'ONE_ANSWERS'],
    ['TAKE_WITH_WARNING', 'lease', 'ONE_ANSWERS'],
    ['QUESTION_COUNTS_AS_RENEWAL', 'leaseTwice', 'ONE_ANSWERS'],
    ['RENEWAL_WITH_WARNING', 'leaseSplit', 'ONE_ANSWERS'],
];

/* Nothing that was searched whole finds these. */
const NOT_RUN = ['RENEW_BY_EPOCH', 'WAIT_ACROSS_SERVERS'];

const file = (model) => path.join(__dirname, `${model}.pml`);
const sources = Object.fromEntries(['log', 'lease'].map((model) => [model, fs.readFileSync(file(model), 'utf8')]));
/* Claims have numbers from 101 on. */
const claimsOf = (model) => [...sources[model].matchAll(/^#define ([A-Z_]+) (1\d\d)\b/gm)].map(([, name, number]) => ({ name, number }));

/* What a search says: its errors, the claim that was refuted, and whether all states were visited. */
function search(context, [model, ...definitions]) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-model-'));
    context.after(() => fs.rmSync(folder, { recursive: true, force: true }));
    const options = { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 };
    execFileSync('spin', [...definitions.map((name) => `-D${name}`), '-a', file(model)], options);
    /* Spin's own program has warnings. Without -E it would demand that processes end; these never do. */
    execFileSync('gcc', ['-w', '-O1', '-DSAFETY', '-DVECTORSZ=1024', '-DMEMLIM=3000', '-o', 'pan', 'pan.c'], options);
    const { stdout, stderr, status } = spawnSync('./pan', ['-E', `-m${DEPTH}`, '-w22'], options);
    assert.equal(status, 0, stdout + stderr);
    const errors = /errors: (\d+)/.exec(stdout), refuted = /assertion violated \((\d+)&&/.exec(stdout);
    assert.ok(errors, stdout + stderr);
    return {
        errors: Number(errors[1]), claim: refuted && claimsOf(model).find(({ number }) => number === refuted[1]).name, states: Number(/(\d+) states, stored/.exec(stdout)[1]),
        whole: !/Search not completed|max search depth too small|out of memory/.test(stdout + stderr), said: stdout,
    };
}

for (const [name, definitions] of Object.entries(CONFIGURATIONS))
    test(`no violation: ${name}`, (context) => {
        const found = search(context, definitions);
        assert.equal(found.errors, 0, found.said);
        assert.ok(found.whole, found.said);
        assert.ok(found.states > 10000, found.said); /* nodes and servers did something */
        context.diagnostic(`${found.states} states`);
    });

for (const [mistake, configuration, claim] of MISTAKES)
    test(`found: ${mistake} breaks ${claim}`, (context) => {
        const [model, ...bounds] = CONFIGURATIONS[configuration];
        const only = claimsOf(model).find(({ name }) => name === claim).number;
        const found = search(context, [model, ...bounds, `BUG_${mistake}`, `ONLY=${only}`]);
        assert.equal(found.errors, 1, found.said);
        assert.equal(found.claim, claim, found.said);
    });

test('every planted mistake is searched for, or named as not run', () => {
    const planted = new Set([...Object.values(sources).join('').matchAll(/BUG_([A-Z_]+)/g)].map(([, name]) => name));
    assert.deepEqual([...planted].sort(), [...new Set(MISTAKES.map(([name]) => name)), ...NOT_RUN].sort());
});
