/* SPDX-License-Identifier: Apache-2.0 */
/* The demo's waiting room: a line that does not move while nobody else waits, and moves up place by place when a
 * visitor does. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, ownProcess } = require('./lib/server.js');

const QUEUE = '/v1/events/premiere/queue';

test('a visitor sees the line move and is admitted within half a minute', ownProcess, async (t) => {
    const hf = await new Server({ command: 'demo' }).start();
    t.after(() => hf.close());
    const stands = (json) => json.waiting === 10 && json.serving === 5;
    await hf.eventually(() => hf.anyone.get(QUEUE), ({ json }) => stands(json), 'the line stands');
    const ann = hf.user('ann');
    const joined = (await ann.post(QUEUE, {})).json;
    assert.equal(joined.ahead, 10);
    const places = new Set();
    const { json } = await hf.eventually(() => ann.get(`${QUEUE}/${joined.entry_id}`), (answer) => {
        answer.json.status === 'waiting' && places.add(answer.json.ahead);
        return answer.json.status !== 'waiting';
    }, 'it is ann\'s turn');
    assert.equal(json.status, 'admitted');
    assert.ok(json.pass);
    assert.ok(places.size >= 5, [...places].join());
    await hf.eventually(() => hf.anyone.get(QUEUE), (answer) => answer.json.waiting >= 10, 'there is a line for the next one');
});
