/* SPDX-License-Identifier: Apache-2.0 */
/* Many seats are imported while two followers stream the event: each stream says that everything changed and goes on, and
 * all nodes show the same. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');

const SEATS = 1_000_000;

let pg;
before(async () => (pg = await new Postgres().start()));
after(() => pg?.close());

const buy = async (server, event, seat) => {
    const answer = await server.app.post('/v1/reservations', { items: items(event, seat), user_id: 'ann', commit: true });
    assert.equal(answer.status, 201, answer.text);
    return answer.seq;
};

test(`${SEATS} seats are published while two followers stream the event`, async () => {
    const site = new Site(pg);
    try {
        const one = await site.node('one');
        const event = await makeEvent(one, { seats: 'A1-A9' });
        const followers = [await site.node('two'), await site.node('three')];
        const streams = [];
        for (const node of followers) {
            await site.role(node, 'follower');
            const stream = await node.anyone.stream(`/v1/events/${event}/stream`);
            await stream.next(({ name }) => name === 'reset', 'the first reset');
            streams.push(stream);
        }
        await buy(one, event, 'A1');
        for (const stream of streams) {
            await stream.next(({ name, json }) => name === 'seat' && json.id === 'A1', 'A1');
        }
        const csv = `id\n${Array.from({ length: SEATS }, (_, i) => `M${i}\n`).join('')}`;
        const made = await one.admin.post(`/v1/events/${event}/seats`, csv, { headers: { 'Content-Type': 'text/csv' } });
        assert.equal(made.status, 201, made.text);
        assert.deepEqual(made.json, { created: SEATS, updated: 0 });
        const sold = [await buy(followers[0], event, 'M7'), await buy(one, event, `M${SEATS - 1} A2`)].at(-1);
        for (const stream of streams) {
            const reset = await stream.next(({ name }) => name === 'reset', 'a reset for the new layout');
            assert.ok(reset.json.version > 0);
            /* A sale in the same turn as the reset is within what it says to fetch. */
            const seat = `A${3 + streams.indexOf(stream)}`;
            await buy(one, event, seat);
            await stream.next(({ name, json }) => name === 'seat' && json.id === seat, 'a sale after it');
            assert.equal(stream.ended, false);
        }
        const target = `/v1/events/${event}/availability?format=map`;
        const wanted = await one.anyone.get(target);
        assert.ok(wanted.seq >= sold);
        assert.equal(wanted.json.map.length, SEATS + 9);
        for (const node of followers) {
            const shown = await eventually(() => node.anyone.get(target), ({ seq }) => seq >= wanted.seq, `availability as of ${wanted.seq}`);
            assert.ok(shown.json.map === wanted.json.map, 'another map');
            assert.equal(shown.json.layout, wanted.json.layout);
            const { counts } = (await node.anyone.get(`/v1/events/${event}`)).json;
            assert.deepEqual(counts, (await one.anyone.get(`/v1/events/${event}`)).json.counts);
            assert.equal(counts.sold, 6);
        }
    } finally {
        await site.close();
    }
});
