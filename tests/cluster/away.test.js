/* SPDX-License-Identifier: Apache-2.0 */
/* While PostgreSQL is away commands get 503; on its return what was sent is decided, once. */
'use strict';

const { test } = require('node:test');
const assert = require('node:assert/strict');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { join, makeRoom, queue } = require('../conformance/lib/entries.js');
const { eventually } = require('../conformance/lib/http.js');

test('while PostgreSQL is away commands get 503, and the batch is decided on its return', async (t) => {
    const pg = await new Postgres().start();
    t.after(() => pg.close());
    const site = new Site(pg);
    t.after(() => site.close());
    const one = await site.node('one');
    const event = await makeEvent(one, { seats: 'A1-A9' });
    const hold = (seat, key) => one.app.post('/v1/reservations', { items: items(event, seat), user_id: 'ann' },
        { headers: { 'Idempotency-Key': key } });
    assert.equal((await hold('A1', 'before')).status, 201);
    const rows = site.number('SELECT count(*) FROM log WHERE shard=this');
    await pg.stop('SIGQUIT');
    const parked = await hold('A2', 'parked');
    assert.equal(parked.status, 503, parked.text);
    assert.equal(parked.json.code, 'undecided');
    assert.equal(parked.headers.connection, 'close');
    const next = await hold('A3', 'refused');
    assert.equal(next.status, 503, next.text);
    assert.ok(next.headers['retry-after'], next.text);
    await pg.launch();
    const again = await eventually(() => hold('A2', 'parked'), ({ status }) => status < 500, 'a decision');
    assert.equal(again.status, 201, again.text);
    assert.equal((await hold('A2', 'other')).json.code, 'taken');
    assert.equal((await hold('A3', 'refused')).status, 201);
    assert.equal(site.number('SELECT count(*) FROM log WHERE shard=this'), rows + 2);
});

test('a stream gets comments and nothing from memory once the lease has run out, and goes on after it', async (t) => {
    const pg = await new Postgres().start();
    t.after(() => pg.close());
    const site = new Site(pg);
    t.after(() => site.close());
    const one = await site.node('one');
    const event = await makeRoom(one, { room: { open_at: new Date(one.now() + 3_600_000).toISOString() } });
    const ann = one.user('ann');
    const entry = await join(ann, event);
    const stream = await ann.stream(queue(event, `/${entry.entry_id}/stream`));
    const waits = ({ json }) => json.status === 'waiting';
    await stream.next(waits);
    await pg.stop('SIGQUIT');
    await eventually(() => site.ready(one), ({ degraded }) => degraded.includes('log_away'), 'the end of the lease', 20_000);
    stream.events.length = 0;
    const before = stream.comments;
    one.clock.advance(16_000); /* a refresh is due after ten to fifteen seconds */
    await eventually(async () => stream.comments, (comments) => comments > before, 'a comment', 10_000);
    assert.deepEqual(stream.events, []);
    await pg.launch();
    await stream.next(waits, 'the refresh that was due', 9_000);
    stream.close();
});
