/* SPDX-License-Identifier: Apache-2.0 */
/* A node whose disk was wiped serves again: from the log, or from the newest snapshot and the rest of the log. Rows that
 * nobody needs are trimmed, and the name of an erased person is in no row, snapshot or book once the erasure is done. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');

let pg;
before(async () => (pg = await new Postgres().start()));
after(() => pg?.close());

function withSite(name, body) {
    test(name, async () => {
        const site = new Site(pg);
        try {
            await body(site);
        } finally {
            await site.close();
        }
    });
}

const buy = async (server, event, seat, user) => {
    const answer = await server.app.post('/v1/reservations', { items: items(event, seat), user_id: user, commit: true });
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
};
const isSold = async (server, event, seat) => {
    const answer = await server.app.post('/v1/reservations', { items: items(event, seat), user_id: 'late' });
    assert.equal(answer.status, 409, answer.text);
};
const state = async (server, user) => (await server.admin.get(`/v1/users/${user}/erasure`)).json.state;
const erase = async (server, user) => assert.equal((await server.admin.delete(`/v1/users/${user}`)).status, 202);
const erased = (server, user) => eventually(() => state(server, user), (now) => now === 'done', `${user} is erased`, 30_000);

function wipe(server) {
    fs.rmSync(server.data, { recursive: true });
    fs.mkdirSync(server.data);
}

/* Where the name is: in tables of the site and files of the folder. */
function places(site, folder, name) {
    const found = ['log', 'snapshot'].filter((table) =>
        site.number(`SELECT count(*) FROM ${table} WHERE shard=this AND position('${name}'::bytea in bytes) > 0`) > 0);
    for (const file of fs.readdirSync(folder).filter((entry) => fs.statSync(path.join(folder, entry)).isFile())) {
        if (fs.readFileSync(path.join(folder, file)).includes(name)) {
            found.push(file);
        }
    }
    return found;
}

withSite('a node whose disk was wiped serves again: from the log, then from a snapshot', async (site) => {
    const node = await site.node();
    const event = await makeEvent(node, { seats: 'A1-A9' });
    const first = await buy(node, event, 'A1', 'ann');
    await node.stop();
    wipe(node);
    await node.restart();
    await isSold(node, event, 'A1');
    await buy(node, event, 'A2', 'bob');
    await erase(node, 'bob');
    await erased(node, 'bob');
    await buy(node, event, 'A3', 'cid');
    assert.equal(site.number('SELECT count(*) FROM snapshot_done WHERE shard=this'), 1);
    assert.ok(site.number('SELECT min(first_seq) FROM log WHERE shard=this') > 1, 'the log was trimmed');
    await node.stop();
    wipe(node);
    await node.restart();
    assert.match(node.stderr, /took the snapshot/);
    for (const seat of ['A1', 'A2', 'A3']) {
        await isSold(node, event, seat);
    }
    assert.equal((await node.app.get(`/v1/reservations/${first.reservation_id}`)).json.user_id, 'ann');
    await erased(node, 'bob'); /* until its new book is known to be clean, it is not */
});

withSite('no row, snapshot or book has the name of an erased person', async (site) => {
    const node = await site.node();
    const event = await makeEvent(node, { seats: 'A1-A9' });
    const name = 'qqsomebodyqq';
    await erase(node, 'nobody'); /* leaves a snapshot that has the name */
    await buy(node, event, 'A1', name);
    await erased(node, 'nobody');
    assert.ok(places(site, node.data, name).length > 0, 'it can be found');
    await node.restart(); /* a minute lies between two snapshots of one process */
    await erase(node, name);
    await erased(node, name);
    assert.deepEqual(places(site, node.data, name), []);
    assert.equal(site.number('SELECT count(*) FROM snapshot_done WHERE shard=this'), 1, 'the one before is gone');
    await node.stop();
    assert.deepEqual(places(site, node.data, name), []);
});

withSite('a book whose next row was trimmed is replaced by the snapshot', async (site) => {
    const node = await site.node();
    const event = await makeEvent(node, { seats: 'A1-A9' });
    await buy(node, event, 'A1', 'ann');
    await node.stop();
    const old = `${node.data}.old`;
    fs.cpSync(node.data, old, { recursive: true });
    await node.restart();
    await buy(node, event, 'A2', 'bob');
    await erase(node, 'bob');
    await erased(node, 'bob');
    await node.stop();
    fs.rmSync(node.data, { recursive: true });
    fs.renameSync(old, node.data);
    await node.restart();
    assert.match(node.stderr, /took the snapshot/);
    await isSold(node, event, 'A2');
});

withSite('rows stay for a node seen lately, and a name is not gone while a node may have it', async (site) => {
    const node = await site.node();
    const event = await makeEvent(node, { seats: 'A1-A9' });
    site.sql("INSERT INTO node VALUES (this, 'away', '', 1, '', 1, 1, clock_timestamp())");
    await buy(node, event, 'A1', 'ann');
    await erase(node, 'ann');
    const snapshots = () => site.number('SELECT count(*) FROM snapshot_done WHERE shard=this');
    /* It is the one that would make the snapshots, until it is not seen for a minute. */
    site.sql("UPDATE node SET seen = seen - interval '9 minutes' WHERE shard=this AND id='away'");
    await eventually(snapshots, (done) => done === 1, 'a snapshot', 20_000);
    const first = () => site.number('SELECT min(first_seq) FROM log WHERE shard=this');
    assert.ok(first() <= 2, `${first()}: only what that node has may go`);
    site.sql("UPDATE node SET seen = seen - interval '2 minutes' WHERE shard=this AND id='away'");
    await eventually(first, (seq) => seq > 2, 'trimming', 20_000);
    assert.equal(await state(node, 'ann'), 'running', 'its disk may have the name');
    site.sql("DELETE FROM node WHERE shard=this AND id='away'");
    await erased(node, 'ann');
});

withSite('a damaged snapshot is refused, and remains of other attempts go', async (site) => {
    const node = await site.node();
    await makeEvent(node, { seats: 'A1-A9' });
    site.sql("INSERT INTO snapshot VALUES (this, 1, -1, '\\x00'), (this, 1, 0, '\\x0000')");
    await erase(node, 'ann');
    await erased(node, 'ann');
    assert.equal(site.number('SELECT count(*) FROM snapshot WHERE shard=this AND seq=1'), 0);
    await node.stop();
    wipe(node);
    site.sql("UPDATE snapshot SET bytes = set_byte(bytes, 5000, 255 - get_byte(bytes, 5000)) WHERE shard=this");
    await assert.rejects(node.restart(), /ended with 65[^]*digest/);
    node.child = null;
    assert.deepEqual(fs.readdirSync(node.data).filter((name) => name.startsWith('book')), []);
});
