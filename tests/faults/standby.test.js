/* SPDX-License-Identifier: Apache-2.0 */
/* A synchronous standby is stopped, or promoted, under load: nothing is acknowledged, and nothing shown, that is not on both. */
'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { setTimeout: pause } = require('node:timers/promises');

const { schedule } = require('./lib/schedule.js');
const { Proxy } = require('./lib/proxy.js');
const { Replicas } = require('./lib/replicas.js');
const { Site } = require('../cluster/lib/site.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');

const SEATS = 20_000;
const synchronous = () => new Replicas().start();

schedule('the standby is stopped and returns', { database: synchronous }, async ({ pg, nodes, traffic, random, until }) => {
    while (until()) {
        await traffic.progress(50 + random(200));
        await pg.second.stop('SIGQUIT');
        await pause(random(12_000));
        if (random(2)) {
            pg.first.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'holdfast %'`);
        }
        if (random(3) === 0) {
            nodes.kill(await nodes.owner(), random(2) * 8000);
        }
        await pg.second.launch();
        await pg.replicating('sync');
    }
    await traffic.progress(100);
});

schedule('the standby is promoted', { database: synchronous }, async ({ pg, nodes, traffic, random }) => {
    await traffic.progress(500 + random(500));
    if (random(2)) {
        nodes.kill(await nodes.owner(), 8000);
    }
    await pg.failOver();
    await traffic.progress(500);
});

schedule('the standby is cut off, backends that wait for it are ended, and it is promoted', { database: synchronous },
    async ({ pg, traffic, random }) => {
        await traffic.progress(300 + random(300));
        await pg.second.stop('SIGQUIT');
        await pause(1500); /* there is a write that waits */
        for (let i = 0; i < 5; i++) {
            pg.first.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'holdfast writer%'`);
            await pause(500);
        }
        await pg.first.stop('SIGQUIT');
        await pg.second.launch();
        pg.second.promote();
        pg.current = pg.second;
        await traffic.progress(300);
    });

const rows = (site) => site.number('SELECT max(first_seq) FROM log WHERE shard=this');

test('without its standby nothing is acknowledged and nothing new is shown; reads go on, and it goes on when it returns', async () => {
    const pg = await synchronous();
    const site = new Site(pg);
    try {
        const one = await site.node('one');
        const two = await site.node('two');
        const event = await makeEvent(one, { seats: 'A1-A9' });
        const hold = (seat) => one.app.post('/v1/reservations', { items: items(event, seat), user_id: 'ann' }, { headers: { 'Idempotency-Key': seat } });
        const first = await hold('A1');
        assert.equal(first.status, 201, first.text);
        await pg.second.stop('SIGQUIT');
        const before = rows(site);
        const parked = hold('A2').catch(() => ({ status: 503 }));
        /* Its backend is ended while it waits: the row becomes visible, and is on one server only. */
        await eventually(async () => pg.first.sql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'holdfast writer%' AND wait_event='SyncRep'`),
        (ended) => ended.length > 0, 'a backend that waits for the standby');
        await eventually(async () => rows(site), (last) => last > before, 'the row to be visible', 30_000);
        for (let i = 0; i < 20; i++) {
            const seen = await two.admin.get(`/v1/events/${event}/seats/A2`);
            assert.equal(seen.status, 200, seen.text);
            assert.equal(seen.json.status, 'available', 'a follower shows what is not replicated');
            await pause(50);
        }
        assert.equal((await parked).status, 503);
        await pg.second.launch();
        const again = await eventually(() => hold('A2').catch(() => ({ status: 503 })), ({ status }) => status < 500, 'a decision', 60_000);
        assert.equal(again.status, 201, again.text);
        await eventually(() => two.admin.get(`/v1/events/${event}/seats/A2`), ({ json }) => json.status === 'held', 'the follower to show it');
        assert.equal((await two.admin.get(`/v1/events/${event}/seats/A1`)).json.status, 'held');
    } finally {
        await site.close();
        await pg.close();
    }
});

/* Longer than a node that cannot read the log answers, and it is about to take over all the time. */
const AWAY_MS = 25_000;

test('reads go on at a follower for as long as the standby is away', async () => {
    const pg = await synchronous();
    const site = new Site(pg);
    try {
        const one = await site.node('one');
        const two = await site.node('two');
        const event = await makeEvent(one, { seats: 'A1-A9' });
        const hold = (server, seat) => server.app.post('/v1/reservations', { items: items(event, seat), user_id: 'ann' }).catch(() => ({ status: 503 }));
        const shown = () => two.client.call('GET', `/v1/events/${event}`);
        await eventually(shown, ({ status }) => status === 200, 'the event at the follower');
        await pg.second.stop('SIGQUIT');
        const parked = hold(one, 'A1');
        for (const until = Date.now() + AWAY_MS; Date.now() < until; await pause(100)) {
            const answer = await shown();
            assert.equal(answer.status, 200, answer.text);
        }
        assert.equal((await parked).status, 503);
        await pg.second.launch();
        await eventually(() => hold(two, 'A2'), ({ status }) => status === 201, 'a decision', 60_000);
    } finally {
        await site.close();
        await pg.close();
    }
});

/* ---- An isolated primary ---- */

test('a primary is isolated with the owner, and its standby is promoted: the owner stops answering, and a follower goes on', async () => {
    const pg = await synchronous();
    const proxy = await new Proxy(pg.first).start();
    const site = new Site(pg);
    /* A node that reaches these servers only. */
    const reaching = (...ports) => {
        const hosts = ports.map((port) => `127.0.0.1:${port}`).join();
        site.pg = { ...pg, url: `postgres://holdfast@${hosts}/postgres?target_session_attrs=read-write` };
    };
    const sold = new Set(); /* acknowledged */
    const asked = [];
    let buying = true;
    try {
        reaching(pg.first.port);
        const one = await site.node('one');
        reaching(proxy.port, pg.second.port);
        const two = await site.node('two');
        site.pg = pg;
        await site.role(two, 'follower');
        const event = await makeEvent(one, { seats: `A1-A${SEATS}` });
        const buy = async (node, seat) => {
            const answer = await node.app.post('/v1/reservations', { items: items(event, seat), user_id: 'ann', commit: true },
                { headers: { 'Idempotency-Key': `${seat}-${node === one ? 1 : 2}` } }).catch(() => ({ status: 503 }));
            if (answer.status === 201) {
                assert.ok(!sold.has(seat), `${seat} was sold twice`);
                sold.add(seat);
            }
            return answer;
        };
        const buyer = async () => {
            while (buying && asked.length < SEATS / 2) {
                const seat = `A${asked.length + 1}`;
                asked.push(seat);
                if ((await buy(one, seat)).status !== 201) {
                    await pause(100);
                }
            }
        };
        const buyers = Promise.all(Array.from({ length: 8 }, buyer));
        buyers.catch(() => {});
        await eventually(async () => sold.size, (size) => size > 50, 'sales');

        proxy.isolate();
        pg.second.promote();
        pg.current = pg.second;
        await site.role(two, 'owner', 60_000);
        /* From here on the old one answers nothing, though it runs, and its database too. */
        const late = await Promise.all([one.admin.get(`/v1/events/${event}`), one.app.get('/v1/reservations?user_id=ann'), buy(one, `A${SEATS}`)]
            .map((answer) => answer.catch(() => ({ status: 503 }))));
        assert.deepEqual(late.map(({ status }) => status), [503, 503, 503]);
        assert.notEqual((await one.anyone.get('/readyz')).status, 200);
        assert.equal(one.child.exitCode, null);
        buying = false;
        await buyers;

        const before = new Set(sold);
        assert.ok(before.size < asked.length, 'the isolated primary acknowledged everything');
        for (const seat of before) {
            assert.equal((await two.admin.get(`/v1/events/${event}/seats/${seat}`)).json.status, 'sold', `${seat} is lost`);
            assert.equal((await buy(two, seat)).json.code, 'taken');
        }
        /* What was not acknowledged is sold to others now, unless it was durable. */
        for (const seat of asked.filter((it) => !before.has(it))) {
            const { status, json } = await buy(two, seat);
            assert.ok(status === 201 || json.code === 'taken', seat);
        }
        const { json } = await two.admin.get(`/v1/events/${event}`);
        assert.equal(json.counts.sold, asked.length);
        assert.equal(site.number('SELECT count(*) FROM sold WHERE shard=this AND fence<>0'), asked.length);
        await one.kill9();
    } finally {
        buying = false;
        await site.close().finally(() => proxy.leave()).finally(() => pg.close());
    }
});

/* ---- A standby that lagged ---- */

/* The standby receives nothing more; then the first server is lost. */
async function loseTail(pg, write) {
    pg.second.sql('SELECT pg_wal_replay_pause()');
    pg.first.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_replication`);
    const stop = pg.second.stop('SIGQUIT');
    await stop;
    await write();
    await pg.first.stop('SIGQUIT');
    await pg.second.launch();
    pg.second.promote();
    pg.current = pg.second;
}

async function lagged(body, ids) {
    const pg = await new Replicas({ synchronous: false }).start();
    const site = new Site(pg);
    try {
        const nodes = [];
        for (const id of ids) {
            nodes.push(await site.node(id));
        }
        const event = await makeEvent(nodes[0], { seats: 'A1-A9' });
        const buy = async (seat) => {
            const answer = await nodes[0].app.post('/v1/reservations', { items: items(event, seat), user_id: 'ann', commit: true });
            assert.equal(answer.status, 201, answer.text);
            return answer;
        };
        await buy('A1');
        await pg.replicating('async');
        const sent = () => pg.first.sql('SELECT pg_current_wal_lsn() <= replay_lsn FROM pg_stat_replication').flat();
        await eventually(async () => sent(), ([same]) => same === 't', 'the standby to have everything');
        await body({ pg, site, nodes, event, buy });
    } finally {
        for (const node of site.nodes) {
            node.child?.kill('SIGKILL');
            await node.exit;
            node.child = null;
        }
        await site.close();
        await pg.close();
    }
}

const halted = (site) => site.sql('SELECT halted FROM fence WHERE shard=this')[0]?.[0] ?? '';

test('a standby that lagged is promoted: the follower that has what was lost halts the log, and an empty node does not go on', () =>
    lagged(async ({ pg, site, nodes, buy }) => {
        const [one, two] = nodes;
        await loseTail(pg, async () => {
            const { seq } = await buy('A2');
            await eventually(() => two.admin.get('/v1/events'), (answer) => answer.seq >= seq, 'the follower to know');
            await one.kill9();
        });
        const empty = site.node('three').catch((error) => error);
        await eventually(async () => halted(site), (why) => why.includes('two'), 'the log to be halted', 60_000);
        await empty;
        const { epoch } = { epoch: site.number('SELECT epoch FROM lease WHERE shard=this') };
        await pause(8000);
        assert.equal(site.number('SELECT epoch FROM lease WHERE shard=this'), epoch, 'a node took over a halted log');
    }, ['one', 'two']));

test('the same, and only the owner has what was lost: it halts the log with its next command', () =>
    lagged(async ({ pg, site, nodes, event, buy }) => {
        const [one] = nodes;
        await loseTail(pg, async () => {
            await buy('A2');
            await buy('A3');
        });
        const empty = site.node('three').catch((error) => error);
        await one.app.post('/v1/reservations', { items: items(event, 'A4'), user_id: 'bob' }).catch(() => {});
        assert.equal((await one.exit).code, 65, one.stderr.slice(-2000));
        assert.notEqual(halted(site), '', 'the owner ended and did not halt the log');
        await empty;
    }, ['one']));

test('the same, and the owner is started again without a command: it halts the log', () =>
    lagged(async ({ pg, site, nodes, buy }) => {
        const [one] = nodes;
        await loseTail(pg, async () => {
            await buy('A2');
            await one.stop();
        });
        await one.launch().catch(() => {});
        await eventually(async () => halted(site), (why) => why !== '', 'the log to be halted', 20_000);
    }, ['one']));
