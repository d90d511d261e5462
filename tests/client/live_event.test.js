/* SPDX-License-Identifier: Apache-2.0 */
/* An event's availability as a page follows it: answers and streams that cross each other. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');

/* A LiveEvent whose requests wait in `asked` until they are answered, and whose streams are in `opened`. */
async function follower() {
    const { LiveEvent } = await import(path.join(__dirname, '../../web/lib/live_event.js'));
    const [asked, opened, written] = [[], [], []];
    const hall = { size: 1, setMap: (map) => written.push(map) };
    const client = {
        availability: () => new Promise((resolve) => asked.push((version, map) => resolve({ version, map, layout: 'tag' }))),
        pools: async () => [],
        follow: async (_, options) => { opened.push(options); },
    };
    const nothing = () => {};
    const live = new LiveEvent(client, { load: async () => ({ event: { id: 'eras' }, hall, etag: 'tag' }) }, { seat: nothing, pools: nothing, all: nothing, outdated: nothing });
    const questions = async (n) => {
        for (let i = 0; i < 20 && asked.length < n; i++) {
            await null;
        }
        assert.equal(asked.length, n);
    };
    return { live, asked, opened, written, questions };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a tab hidden and shown during a reload opens one stream, after the answer', async () => {
    const { live, asked, opened, questions } = await follower();
    const loaded = live.load('eras', { fresh: false });
    await questions(1);
    asked[0](5, 'a');
    assert.ok(await loaded);
    live.follow();
    opened[0].onEvent({ id: '6', event: 'reset' });
    await questions(2);
    live.unfollow();
    live.follow();
    assert.equal(opened.length, 1, 'none at the old version');
    asked[1](9, 'h');
    await settled();
    assert.deepEqual(opened.map(({ lastEventId, signal }) => [lastEventId, signal.aborted]), [['5', true], ['9', false]]);
});

test('reloaded during a reload: the stream opens, and the older answer is dropped', async () => {
    const { live, asked, opened, written, questions } = await follower();
    const first = live.load('eras', { fresh: false });
    await questions(1);
    asked[0](5, 'a');
    await first;
    live.follow();
    opened[0].onEvent({ id: '6', event: 'reset' });
    await questions(2);
    const second = live.load('eras', { fresh: false });
    await questions(3);
    asked[2](9, 'h');
    assert.ok(await second);
    live.follow();
    asked[1](7, 'a');
    await settled();
    assert.deepEqual(written, ['a', 'h']);
    assert.deepEqual(opened.map(({ lastEventId }) => lastEventId), ['5', '9']);
});
