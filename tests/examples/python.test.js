/* SPDX-License-Identifier: Apache-2.0 */
/* examples/python: a program with `requests` sees changes of an event at once. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const path = require('node:path');
const { shared } = require('../conformance/lib/server.js');
const { makeEvent, items, hold } = require('../conformance/lib/catalogue.js');

const hf = shared();
const PROGRAM = path.join(__dirname, '../../examples/python/follow.py');
/* A comment comes after 15 s and would flush anything stuck before it: what is seen earlier was seen at once. */
const AT_ONCE_MS = 10_000;

/* The program, with a promise of each line it prints. */
function follow(...args) {
    const child = spawn('/usr/bin/python3', [PROGRAM, ...args], { env: { ...process.env, HOLDFAST_URL: hf.url } });
    const exit = new Promise((resolve) => child.on('close', resolve));
    let text = '';
    let told = '';
    let wake = () => {};
    child.stdout.setEncoding('utf8').on('data', (more) => wake((text += more)));
    child.stderr.setEncoding('utf8').on('data', (more) => (told += more));
    const line = () => new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no line; so far: ${text} ${told}`)), AT_ONCE_MS);
        wake = () => {
            const end = text.indexOf('\n');
            if (end >= 0) {
                wake = () => {}; /* the next line is for the next caller */
                clearTimeout(timer);
                resolve(text.slice(0, end));
                text = text.slice(end + 1);
            }
        };
        wake();
    });
    return { child, exit, line, told: () => told };
}

test('it prints each change of a seat and a pool at once', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3', pools: { floor: 5 } });
    const { child, exit, line } = follow(event);
    try {
        assert.equal(await line(), '3 seats, 3 available');
        const ann = hf.user('ann');
        const r = await hold(ann, items(event, 'A2'));
        assert.equal(await line(), 'seat A2 is held');
        await ann.delete(`/v1/reservations/${r.reservation_id}`);
        assert.equal(await line(), 'seat A2 is available');
        await hold(ann, [{ event, pool: 'floor', quantity: 2 }]);
        assert.equal(await line(), 'pool floor has 3 left');
    } finally {
        child.kill();
        await exit;
    }
});

test('for a missing event it says so and ends', async () => {
    const { exit, told } = follow('nowhere');
    assert.equal(await exit, 1);
    assert.match(told(), /No such event/);
});
