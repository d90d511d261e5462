/* SPDX-License-Identifier: Apache-2.0 */
/* While PostgreSQL is away commands get 503; on its return what was sent is decided, once. */
'use strict';

const { test } = require('node:test');
const assert = require('node:assert/strict');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
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
