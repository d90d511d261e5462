/* SPDX-License-Identifier: Apache-2.0 */
/* The operator's commands for a site: `holdfast cluster status`, `forget` and `adopt`. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const { makeEvent, items, seatStatus } = require('../conformance/lib/catalogue.js');
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

function ran(site, status, text, ...args) {
    const { status: code, stdout, stderr } = site.tool('cluster', ...args);
    assert.equal(code, status, stdout + stderr);
    assert.match(stdout + stderr, text);
    return stdout;
}

const looked = (site) => JSON.parse(ran(site, 0, /./, 'status', '--json'));
const sound = (site) => assert.match(site.tool('check').stdout, /^ok$/m);

async function hold(server, event, seat, user, commit = false) {
    const answer = await server.app.post('/v1/reservations', { items: items(event, seat), user_id: user, commit });
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
}
const buy = (server, event, seat, user) => hold(server, event, seat, user, true);
const erase = async (server, user) => assert.equal((await server.admin.delete(`/v1/users/${user}`)).status, 202);
const erasure = async (server, user) => (await server.admin.get(`/v1/users/${user}/erasure`)).json.state;

/* It refuses to start. */
async function refused(server, text) {
    await assert.rejects(server.launch(), text);
    server.child = null;
}

const inFolder = (folder, name) => fs.readdirSync(folder).filter((file) => fs.readFileSync(path.join(folder, file)).includes(name));

withSite('status shows the nodes with their roles, and how far their books go', async (site) => {
    const one = await site.node('one');
    const event = await makeEvent(one, { seats: 'A1-A9' });
    await buy(one, event, 'A1', 'ann');
    site.sql("INSERT INTO node VALUES (this, 'two', 'http://two', 1, '0.1', 1, 1, clock_timestamp() - interval '7 s')");
    const now = await eventually(() => looked(site), ({ nodes }) => nodes[0].behind === 0, 'the row of the owner');
    assert.equal(now.site, site.name);
    assert.equal(now.owner, 'one');
    assert.equal(now.halted, null);
    assert.equal(now.last_seq, site.number('SELECT max(first_seq+count-1) FROM log WHERE shard=this'));
    const [first, second] = now.nodes;
    assert.deepEqual([first.node, first.role, first.book_seq], ['one', 'owner', now.last_seq]);
    assert.ok(first.seen_ms_ago < 3000, `${first.seen_ms_ago}`);
    assert.deepEqual([second.node, second.role, second.behind], ['two', 'follower', now.last_seq - 1]);
    assert.ok(second.seen_ms_ago >= 7000 && second.seen_ms_ago < 60_000, `${second.seen_ms_ago}`);
    const text = ran(site, 0, /^one +owner +\d+ +0 /m, 'status');
    assert.match(text, /^two +follower +1 +\d+ +\d+\.\ds ago +0\.1 +http:\/\/two$/m);
    site.sql("UPDATE fence SET halted='for a test' WHERE shard=this");
    ran(site, 0, /^halted: for a test$/m, 'status');
    site.sql('UPDATE fence SET halted=NULL WHERE shard=this');
});

withSite('a forgotten node does not count for an erasure, and discards its book when it returns', async (site) => {
    const name = 'qqforgottenqq';
    const two = await site.node('two');
    const event = await makeEvent(two, { seats: 'A1-A9' });
    await buy(two, event, 'A1', name);
    await two.stop();
    const one = await site.node('one');
    await erase(one, name);
    site.sql("UPDATE node SET seen = seen - interval '11 minutes' WHERE shard=this AND id='two'");
    await eventually(() => site.number('SELECT count(*) FROM snapshot_done WHERE shard=this'), (count) => count === 1, 'a snapshot', 20_000);
    assert.equal(await erasure(one, name), 'running', 'the disk of that node has the name');
    assert.notDeepEqual(inFolder(two.data, name), []);
    ran(site, 0, /^forgot two/, 'forget', 'two');
    await eventually(() => erasure(one, name), (state) => state === 'done', 'the erasure', 20_000);
    await one.stop();
    await two.restart();
    assert.match(two.stderr, /took the snapshot/);
    assert.deepEqual(inFolder(two.data, name), []);
    assert.equal(await seatStatus(two, event, 'A1'), 'sold');
});

withSite('a forgotten node begins with a new book even where its old one fits', async (site) => {
    const two = await site.node('two');
    const event = await makeEvent(two, { seats: 'A1-A9' });
    await buy(two, event, 'A1', 'ann');
    await two.stop();
    const one = await site.node('one');
    await one.stop();
    /* A second name, so that no new file gets the number of this one. */
    const book = path.join(two.data, 'book.sqlite'), old = `${two.data}.old`;
    fs.linkSync(book, old);
    await two.restart();
    await two.stop();
    assert.equal(fs.statSync(book).ino, fs.statSync(old).ino, 'the same book');
    await one.restart();
    await one.stop();
    ran(site, 0, /^forgot two/, 'forget', 'two');
    await two.restart();
    assert.notEqual(fs.statSync(book).ino, fs.statSync(old).ino, 'a new book');
    assert.equal(await seatStatus(two, event, 'A1'), 'sold');
});

withSite('forget refuses the owner, a running node and an unknown one', async (site) => {
    const one = await site.node('one');
    ran(site, 64, /"one" owns the site/, 'forget', 'one');
    ran(site, 64, /no node "nobody"/, 'forget', 'nobody');
    ran(site, 64, /missing NODE/, 'forget');
    const two = await site.node('two');
    ran(site, 75, /"two" is running/, 'forget', 'two');
    assert.equal(site.number("SELECT count(*) FROM node WHERE shard=this AND id='two'"), 1);
    await two.stop();
    ran(site, 0, /^forgot two/, 'forget', 'two');
    await one.stop();
    ran(site, 0, /^forgot one/, 'forget', 'one');
    const unknown = site.tool('cluster', 'remember');
    assert.equal(unknown.status, 64);
    assert.match(unknown.stderr, /unknown command 'remember'/);
});

withSite('adopt refuses while a lease is renewed, or a node writes its row', async (site) => {
    const one = await site.node('one');
    ran(site, 75, /is running/, 'adopt');
    site.sql('UPDATE lease SET owner=NULL WHERE shard=this'); /* the beats go on: they are the node's */
    ran(site, 75, /"one" is running/, 'adopt');
    assert.equal(looked(site).halted, null);
    await buy(one, await makeEvent(one, { seats: 'A1' }), 'A1', 'ann');
    await one.stop();
    /* An owner that has no time for its row renews its lease all the same. */
    site.sql("UPDATE lease SET owner='one' WHERE shard=this");
    const beats = pg.background('DO $$ BEGIN FOR i IN 1..10 LOOP UPDATE lease SET beat=beat+1; COMMIT; PERFORM pg_sleep(0.3); END LOOP; END $$');
    ran(site, 75, /is running/, 'adopt');
    await beats;
    assert.equal(looked(site).halted, null);
    ran(site, 0, /^adopted/, 'adopt');
});

withSite('a node whose last row is another one in the log halts it', async (site) => {
    const node = await site.node();
    await node.stop();
    site.sql('UPDATE log SET chain=chain+1 WHERE shard=this AND first_seq=(SELECT max(first_seq) FROM log WHERE shard=this)');
    await refused(node, /ended with 65[^]*the log was halted/);
    assert.match(looked(site).halted, /the node one has changes that the log lacks: the log has another row/);
});

/* The database as it is now, to be restored later. */
async function kept() {
    const copy = `${pg.data}.kept`;
    await pg.stop();
    fs.rmSync(copy, { recursive: true, force: true });
    pg.tool('cp', ['-a', pg.data, copy], false);
    await pg.launch();
    return async () => {
        await pg.stop();
        fs.rmSync(pg.data, { recursive: true });
        fs.renameSync(copy, pg.data);
        await pg.launch();
    };
}

const rows = (site) => site.sql('SELECT event, seat, fence FROM sold WHERE shard=this AND fence<>0 ORDER BY 1, 2');

withSite('an older backup is restored: the first node with changes that the log lacks halts it; adopt declares it valid', async (site) => {
    const one = await site.node('one');
    const event = await makeEvent(one, { seats: 'A1-A9' });
    const sold = await buy(one, event, 'A1', 'ann');
    const held = await hold(one, event, 'A2', 'bob');
    await one.stop();
    const restore = await kept();
    await one.restart();
    const lost = [];
    for (const seat of ['A3', 'A4', 'A5']) {
        lost.push((await buy(one, event, seat, 'cid')).fence);
        await one.restart(); /* more epochs than follow the restore, too */
    }
    const { epoch: lostEpoch } = looked(site);
    await one.stop();
    await restore();
    const before = looked(site);
    assert.ok(before.last_seq < Math.max(...lost));

    /* An empty node cannot notice. */
    const two = await site.node('two');
    await buy(two, event, 'A3', 'dora');
    await two.stop();
    await refused(one, /ended with 65[^]*the log was halted/);
    assert.match(looked(site).halted, /the node one has changes that the log lacks/);
    await refused(two, /ended with 65[^]*the log was halted/);
    sound(site);

    /* What an adopt that was interrupted may leave: rows of the table of sold seats, and a part of a snapshot. */
    const truth = rows(site);
    site.sql('UPDATE sold SET fence=fence+7 WHERE shard=this AND seat=0; DELETE FROM sold WHERE shard=this AND seat=2;'
        + ' INSERT INTO sold SELECT shard, event, 7, 99, 0 FROM sold WHERE shard=this');
    const next = looked(site).last_seq + 2 ** 32;
    site.sql(`INSERT INTO snapshot VALUES (this, ${next}, -1, '\\x00'), (this, ${next}, 0, '\\x00'), (this, ${next}, 3, '\\x00')`);
    const id = site.sql('SELECT id FROM site WHERE shard=this')[0][0];
    ran(site, 0, /^adopted the log that ends with seq \d+/, 'adopt');
    const now = looked(site);
    assert.equal(now.halted, null);
    assert.notEqual(site.sql('SELECT id FROM site WHERE shard=this')[0][0], id);
    assert.deepEqual([now.first_seq, now.last_seq, now.snapshot_seq], [next + 1, next + 1, next]);
    assert.ok(now.epoch > lostEpoch);
    assert.deepEqual(rows(site), truth);
    assert.deepEqual(site.sql('SELECT seq, part FROM snapshot WHERE shard=this'), [[`${next}`, '0']]);
    sound(site);

    /* The node that knew more discards what it knows. */
    await one.launch();
    assert.match(one.stderr, /belongs to an abandoned log[^]*took the snapshot/);
    const seats = await Promise.all(['A1', 'A2', 'A3', 'A4', 'A5'].map((seat) => seatStatus(one, event, seat)));
    assert.deepEqual(seats, ['sold', 'held', 'sold', 'available', 'available']);
    assert.equal((await one.app.get(`/v1/reservations/${sold.reservation_id}`)).json.fence, sold.fence);
    assert.equal((await one.admin.post(`/v1/reservations/${held.reservation_id}/commit`, {})).status, 200);
    const again = await buy(one, event, 'A4', 'eve');
    assert.ok(again.fence > Math.max(...lost), `${again.fence}`);
    assert.equal((await one.admin.post(`/v1/reservations/${sold.reservation_id}/refund`, {})).status, 200);
    sound(site);
    await one.stop();
    await two.launch();
    assert.equal(await seatStatus(two, event, 'A4'), 'sold');
    await two.stop();
    await one.restart();
    assert.equal(await seatStatus(one, event, 'A1'), 'available');
    sound(site);
});

withSite('after adopt a site is trimmed and erases as before', async (site) => {
    const name = 'qqadoptedqq';
    const node = await site.node();
    const event = await makeEvent(node, { seats: 'A1-A9' });
    await buy(node, event, 'A1', name);
    await node.stop();
    ran(site, 0, /^adopted/, 'adopt');
    ran(site, 0, /^adopted/, 'adopt');
    await node.restart();
    await buy(node, event, 'A2', 'bob');
    await erase(node, name);
    await eventually(() => erasure(node, name), (state) => state === 'done', 'the erasure', 20_000);
    assert.deepEqual(inFolder(node.data, name), []);
    assert.equal(site.number(`SELECT count(*) FROM snapshot WHERE shard=this AND position('${name}'::bytea in bytes)>0`), 0);
    assert.equal(site.number('SELECT count(*) FROM snapshot_done WHERE shard=this'), 1);
    sound(site);
});

withSite('adopt refuses a log that is damaged, and changes nothing', async (site) => {
    const node = await site.node();
    await buy(node, await makeEvent(node, { seats: 'A1-A9' }), 'A1', 'ann');
    await node.stop();
    const last = site.number('SELECT max(first_seq) FROM log WHERE shard=this');
    site.sql(`UPDATE log SET at_ms=at_ms+1 WHERE shard=this AND first_seq=${last}`);
    ran(site, 65, /does not follow/, 'adopt');
    assert.equal(looked(site).halted, null);
    site.sql(`UPDATE log SET at_ms=at_ms-1 WHERE shard=this AND first_seq=${last}`);
    await node.restart();
});

withSite('a book of another log that ends later is neither discarded nor a reason to halt', async (site) => {
    const node = await site.node();
    const event = await makeEvent(node, { seats: 'A1-A9' });
    for (let i = 1; i < 9; i++) {
        await buy(node, event, `A${i}`, 'ann');
    }
    await node.stop();
    const other = new Site(pg);
    Object.assign(other, { adminKey: site.adminKey, secret: site.secret, ticketKey: site.ticketKey });
    try {
        const empty = await other.node();
        await empty.stop();
        const { data } = empty;
        empty.data = node.data;
        await refused(empty, /ended with 65[^]*belongs to another log/);
        empty.data = data;
        assert.equal(looked(other).halted, null);
    } finally {
        await other.close();
    }
    await node.restart();
    assert.equal(await seatStatus(node, event, 'A8'), 'sold');
});
