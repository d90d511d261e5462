/* SPDX-License-Identifier: Apache-2.0 */
/* `holdfast check --store` finds damage of a site without a data folder, and none where there is none. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');

let pg, site, node;
before(async () => {
    pg = await new Postgres().start();
    site = new Site(pg);
    node = await site.node();
});
after(async () => {
    await site?.close();
    await pg?.close();
});

const SOUND = /^ok$/m;
function checked(status, text) {
    const { status: code, stdout, stderr } = site.tool('check');
    assert.equal(code, status, stdout + stderr);
    assert.match(stdout + stderr, text);
}

/* Runs the statement, checks, and takes it back. */
function broken(statement, back, text) {
    site.sql(statement);
    checked(65, text);
    site.sql(back);
    checked(0, SOUND);
}

test('a site without a snapshot, then with one, while its node runs', async () => {
    const event = await makeEvent(node, { seats: 'A1-A9' });
    for (const seat of ['A1', 'A2', 'A3']) {
        assert.equal((await node.app.post('/v1/reservations', { items: items(event, seat), user_id: `u${seat}`, commit: true })).status, 201);
    }
    checked(0, SOUND);
    assert.equal((await node.admin.delete('/v1/users/uA1')).status, 202);
    await eventually(() => site.number('SELECT count(*) FROM snapshot_done WHERE shard=this'), (n) => n === 1, 'a snapshot', 20_000);
    assert.equal((await node.app.post('/v1/reservations', { items: items(event, 'A4'), user_id: 'bob' })).status, 201);
    checked(0, SOUND);
});

test('damage is found: a changed row, a missing row, a changed snapshot', async () => {
    await node.stop();
    const last = site.number('SELECT max(first_seq) FROM log WHERE shard=this');
    const at = `shard=this AND first_seq=${last}`;
    /* The second sentence: a later snapshot ends with this row. */
    broken(`UPDATE log SET at_ms=at_ms+1 WHERE ${at}`, `UPDATE log SET at_ms=at_ms-1 WHERE ${at}`,
        /FAULT .*(does not follow|has another row)/);
    broken(`CREATE TABLE kept AS SELECT * FROM log WHERE shard=this AND first_seq>1; UPDATE log SET first_seq=first_seq+1 WHERE ${at}`,
        `DELETE FROM log WHERE shard=this AND first_seq>1; INSERT INTO log SELECT * FROM kept`, /FAULT/);
    const flip = 'UPDATE snapshot SET bytes=set_byte(bytes, 9000, 255-get_byte(bytes, 9000)) WHERE shard=this';
    broken(flip, flip, /FAULT .*digest/);
});

test('a table of sold seats that is not what the log says is found', () => {
    const sale = 'shard=this AND seat=(SELECT min(seat) FROM sold WHERE shard=this AND fence<>0)';
    broken(`UPDATE sold SET fence=fence+1 WHERE ${sale}`, `UPDATE sold SET fence=fence-1 WHERE ${sale}`, /^FAULT sold: seat 0 of event \d+ has fence/m);
    broken(`CREATE TABLE sale AS SELECT * FROM sold WHERE ${sale}; DELETE FROM sold WHERE ${sale}`, 'INSERT INTO sold SELECT * FROM sale',
        /^FAULT sold: seat 0 of event \d+ has fence 0 in the table of sold seats, and \d+ by the log/m);
    broken('INSERT INTO sold SELECT shard, event, 8, 77, 0 FROM sale', 'UPDATE sold SET fence=0, prev=77 WHERE shard=this AND seat=8',
        /^FAULT sold: seat 8 of event \d+ has fence 77 in the table of sold seats, and 0 by the log/m);
});

test('a site that does not exist is refused', () => {
    const { status, stderr } = new Site(pg).tool('check');
    assert.equal(status, 64, stderr);
    assert.match(stderr, /has no site "site-/);
});
