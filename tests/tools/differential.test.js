/* SPDX-License-Identifier: Apache-2.0 */
/* The differential run: finds no difference between a build and itself, and finds one where there is one. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { PROGRAM, ownProcess } = require('../conformance/lib/server.js');
const { run } = require('./lib/differential.js');
const { Matcher } = require('./lib/match.js');

const options = { seed: 1, restarts: 1, show: 5 };

test('a build answers as it does itself', ownProcess, async () => {
    const lines = [];
    const told = await run({ ...options, programs: [PROGRAM, PROGRAM], requests: 300 }, (line) => lines.push(line));
    assert.equal(told.differences, 0, lines.join('\n'));
    assert.equal(told.sent, 300);
    assert.ok(told.fine > 135 && told.fine < 290, `${told.fine} of 300 were granted`);
});

test('a build that refuses guests differs from one that does not', ownProcess, async (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-differential-'));
    t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
    const other = path.join(folder, 'holdfast');
    const more = '[ "$1" = serve ] && set -- "$@" --guests off';
    fs.writeFileSync(other, `#!/bin/sh\n${more}\nexec '${path.resolve(PROGRAM)}' "$@"\n`, { mode: 0o755 });
    const lines = [];
    const told = await run({ ...options, programs: [PROGRAM, other], requests: 20, restarts: 0 }, (line) => lines.push(line));
    assert.ok(told.differences > 0);
    assert.match(lines.join('\n'), /POST \/v1\/sessions[^]*status\n +old 201\n +new 403/);
});

/* ---- What counts as the same ---- */

const answer = (json, { status = 200, ...headers } = {}) => ({
    status, headers: { 'content-type': 'application/json', 'holdfast-seq': '7', ...headers }, json, text: JSON.stringify(json),
});
/* Where the answers of each pair differ, one pair after the other. */
function differing(...pairs) {
    const matcher = new Matcher();
    return pairs.map(([a, b]) => matcher.compare({ method: 'GET', path: '/v1/x' }, a, b).map(({ at }) => at));
}
const differ = (a, b) => differing([answer(a), answer(b)])[0];
const id = (letter) => `res_${letter.repeat(26)}`;

test('values are equal or different', () => {
    assert.deepEqual(differ({ a: 1, b: [true, null] }, { a: 1, b: [true, null] }), []);
    assert.deepEqual(differ({ a: 1 }, { a: 2 }), ['/a']);
    assert.deepEqual(differ({ a: { b: ['x'] } }, { a: { b: ['y'] } }), ['/a/b/0']);
    assert.deepEqual(differ({ a: [1] }, { a: [1, 2] }), ['/a length']);
    assert.deepEqual(differ({ a: 1 }, { a: 1, b: null }), [' members']);
    assert.deepEqual(differ({ a: null }, { a: 0 }), ['/a']);
});

test('status and header fields count', () => {
    const pair = (a, b) => differing([answer({}, a), answer({}, b)])[0];
    assert.deepEqual(pair({ status: 200 }, { status: 201 }), ['status']);
    assert.deepEqual(pair({ location: '/a' }, { location: '/b' }), ['header location']);
    assert.deepEqual(pair({ 'retry-after': '1' }, {}), ['header retry-after']);
    assert.deepEqual(pair({ 'retry-after': '1' }, { 'retry-after': '2' }), []);
    assert.deepEqual(pair({ date: 'now' }, { date: 'then' }), []);
});

test('sentences of problems do not count, their codes do', () => {
    assert.deepEqual(differ({ code: 'taken', title: 'Taken', detail: 'x' }, { code: 'taken', title: 'Gone', detail: 'y' }), []);
    assert.deepEqual(differ({ code: 'taken', detail: 'x' }, { code: 'sold_out', detail: 'x' }), ['/code']);
    assert.deepEqual(differ({ name: 'Hall', title: 'x' }, { name: 'Hall', title: 'y' }), ['/title'], 'not of a problem');
});

test('a name keeps the name that it goes with', () => {
    const named = (a) => answer({ reservation_id: id(a), pnr: a.repeat(6) });
    assert.deepEqual(differing([named('A'), named('B')], [named('C'), named('D')], [named('A'), named('B')]), [[], [], []]);
    const swapped = differing([named('A'), named('B')], [named('C'), named('D')], [named('A'), named('D')])[2];
    assert.equal(swapped.length, 2, 'both members');
    assert.equal(differing([named('A'), named('B')], [named('C'), named('B')])[1].length, 2, 'one for two');
    assert.deepEqual(differ({ url: `/r/${id('A')}/x` }, { url: `/r/${id('B')}/y` }), ['/url']);
});

test('tokens are compared by what they say', () => {
    const token = (claims, end) => answer({ token: `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${end}` });
    assert.deepEqual(differing([token({ sub: 'ann', exp: 5 }, 'x'), token({ sub: 'ann', exp: 5 }, 'y')])[0], []);
    assert.deepEqual(differing([token({ sub: 'ann', exp: 5 }, 'x'), token({ sub: 'bob', exp: 5 }, 'y')])[0], ['/token claims/sub']);
});

test('instants are close, not equal', () => {
    const at = (ms) => ({ at: new Date(1_800_000_000_123 + ms).toISOString() });
    assert.deepEqual(differ(at(0), at(300)), []);
    assert.deepEqual(differ(at(0), at(1_000)), ['/at']);
});

test('a table is compared cell by cell', () => {
    const table = (text) => ({ status: 200, headers: { 'content-type': 'text/csv' }, text });
    const pair = (a, b) => differing([table(a), table(b)])[0];
    assert.deepEqual(pair(`id,price\r\n${id('A')},5\r\n`, `id,price\r\n${id('B')},5\r\n`), []);
    assert.deepEqual(pair(`id,price\r\n${id('A')},5\r\n`, `id,price\r\n${id('B')},6\r\n`), ['row 2 price']);
    assert.deepEqual(pair('id,price\r\n', 'id,price,tax\r\n'), ['row 1']);
    assert.deepEqual(pair('id\r\n', 'id\r\n1\r\n').slice(0, 1), ['rows']);
});

test('a description is compared without its prose', () => {
    const document = (prose, type) => answer({ paths: { '/x': { summary: prose } }, properties: { title: { type, description: prose } } });
    const pair = (a, b) => new Matcher().compare({ method: 'GET', path: '/openapi.json' }, a, b).map(({ at }) => at);
    assert.deepEqual(pair(document('One.', 'string'), document('Two.', 'string')), []);
    assert.deepEqual(pair(document('One.', 'string'), document('One.', 'integer')), ['/properties/title/type']);
});
