/* SPDX-License-Identifier: Apache-2.0 */
/* A follower reads nothing from the log for a while, in which the owner makes as many changes as a busy site in ten minutes.
 * It says that it lags, shows nothing older than asked, and catches up while it is read. */
'use strict';

const { test } = require('node:test');
const assert = require('node:assert/strict');

const { Proxy } = require('./lib/proxy.js');
const { Postgres } = require('../cluster/lib/postgres.js');
const { Site } = require('../cluster/lib/site.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');

const CHANGES = 24_000; /* 40 a second for ten minutes */
const AT_ONCE = 64;
const READERS = 16;
const LATE_MS = 10_000;

/* Buys the seats of these numbers; `last` is the last sale so far. */
async function sales(one, event, from, to, last) {
    let next = from;
    const buyer = async () => {
        while (next <= to) {
            const seat = `A${next++}`;
            const answer = await one.app.post('/v1/reservations', { items: items(event, seat), user_id: 'ann', commit: true });
            assert.equal(answer.status, 201, answer.text);
            if (answer.seq > last.seq) {
                Object.assign(last, { seat, seq: answer.seq });
            }
        }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, buyer));
}

/* A seat was sold at `seq`: a node that answers as of that, or later, shows it so. A node that cannot answers 503, which a
 * single server has no reason to describe. Resolves with the status. */
async function look(node, event, { seat, seq }) {
    const answer = await fetch(`${node.url}/v1/events/${event}/seats/${seat}`, { headers: { 'Holdfast-Min-Seq': String(seq) } });
    const json = await answer.json();
    assert.ok(answer.status === 200 || answer.status === 503, JSON.stringify(json));
    if (answer.status === 200) {
        assert.equal(json.status, 'sold', `${seat} as of ${answer.headers.get('holdfast-seq')}, asked for ${seq}`);
    }
    return answer.status;
}

test(`a follower that misses ${CHANGES} changes catches up while it is read`, async () => {
    const pg = await new Postgres().start();
    const site = new Site(pg);
    const proxy = await new Proxy(pg).start();
    try {
        const one = await site.node('one');
        site.pg = proxy;
        const two = await site.node('two');
        site.pg = pg;
        await site.role(two, 'follower');
        const event = await makeEvent(one, { seats: `A1-A${AT_ONCE + CHANGES}` });
        const last = { seq: 0 };
        await sales(one, event, 1, AT_ONCE, last);
        await eventually(() => look(two, event, last), (status) => status === 200, 'the first sales at the follower');

        proxy.hold();
        /* Read by many from before it begins to lag until it has caught up. */
        let behind = true;
        const reader = async () => {
            const seen = { 200: 0, 503: 0 };
            while (behind) {
                seen[await look(two, event, { ...last })]++;
            }
            return seen;
        };
        const readers = Promise.all(Array.from({ length: READERS }, reader));
        readers.catch(() => {});
        const lag = async () => (await site.ready(two)).lag_ms;
        try {
            await sales(one, event, AT_ONCE + 1, AT_ONCE + CHANGES, last);
            await eventually(lag, (ms) => ms > LATE_MS, 'a lag of more than ten seconds');
            assert.equal((await two.app.get('/v1/reservations?user_id=ann')).status, 503, 'a key may have been revoked');
            assert.equal((await two.anyone.get('/readyz')).status, 503);
            proxy.resume();
            await eventually(lag, (ms) => ms < 1000, 'a follower that has caught up');
        } finally {
            behind = false;
        }
        const seen = await readers;
        assert.ok(seen.some((counts) => counts[200] > 0), 'reads while it lags');
        assert.equal(await look(two, event, last), 200);
        assert.equal((await two.app.get('/v1/reservations?user_id=ann')).status, 200);
        const counts = async (node) => (await node.anyone.get(`/v1/events/${event}`)).json.counts;
        assert.deepEqual(await counts(two), await counts(one));
        assert.equal((await counts(two)).available, 0);
    } finally {
        await site.close().finally(() => proxy.close());
    }
});
