/* SPDX-License-Identifier: Apache-2.0 */
/* lost.js — schedules in which a bug of one line loses or denies what was acknowledged. Each records its clients and
 * returns what the checker says: {code, output}. `program` is the server; undefined: the one that is tested. */
'use strict';

const assert = require('node:assert/strict');

const { Proxy } = require('./proxy.js');
const { Replicas } = require('./replicas.js');
const { Postgres } = require('../../cluster/lib/postgres.js');
const { Site } = require('../../cluster/lib/site.js');
const { makeEvent } = require('../../conformance/lib/catalogue.js');
const { eventually } = require('../../conformance/lib/http.js');
const { Recorder } = require('../../linear/lib/recorder.js');
const { linear } = require('../../linear/lib/linear.js');

const OPTIONS = ['--clock-error-ms', '1000', '--sweep-ms', '5000'];

async function on(database, body) {
    const pg = await database.start();
    const site = new Site(pg);
    try {
        return await body(pg, site);
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

const judge = (recorder, ...options) => {
    recorder.close();
    const { code, output } = linear(recorder.text(), ...OPTIONS, ...options);
    return { code, output: `${output}\n${recorder.text()}` };
};

/* The same site for nodes that reach its database through a proxy. */
async function through(pg, site) {
    const proxy = await new Proxy(pg).start();
    proxy.server.unref(); /* its connections end with the nodes */
    return { proxy, site: Object.assign(new Site(proxy), { ...site, pg: proxy }) };
}

/* The owner is stopped, another node gives a seat back, and the first one is asked for it when it wakes, before the database can
 * say that another one decides. */
const stoppedOwner = (program) => on(new Postgres(), async (pg, site) => {
    const recorder = new Recorder({ reads: 'seen' });
    const { site: behind, proxy } = await through(pg, site);
    const one = await behind.node('one', { program });
    const event = await makeEvent(one, { seats: 'A1-A4' });
    const two = await site.node('two', { program });
    const seat = [{ event, seat: 'A1' }];
    const ann = recorder.client('ann', (attempt) => (ann.keys < 2 ? one : two).acting('ann'));
    const bob = recorder.client('bob', one.acting('bob'));
    const { reservation } = await ann.hold(seat);
    one.child.kill('SIGSTOP');
    await site.role(two, 'owner', 60_000);
    assert.equal((await ann.release(reservation)).outcome, 'released');
    proxy.hold();
    const asked = bob.hold(seat);
    one.child.kill('SIGCONT');
    await asked;
    proxy.resume();
    return judge(recorder);
});

/* The standby is away; the backend that waits for it is ended, so that the row is visible and on one server only. That server
 * is lost, and an empty node goes on from the standby. */
const lostServer = (program) => on(new Replicas(), async (pg, site) => {
    const recorder = new Recorder({ reads: 'seen' });
    const one = await site.node('one', { program });
    const two = await site.node('two', { program });
    const event = await makeEvent(one, { seats: 'A1-A4' });
    const looker = recorder.client('looker', two.admin);
    const seat = [{ event, seat: 'A2' }];
    await recorder.client('ann', one.acting('ann')).hold([{ event, seat: 'A1' }]);
    const before = site.number('SELECT max(first_seq) FROM log WHERE shard=this');
    await pg.second.stop('SIGQUIT');
    const asked = recorder.client('cy', one.acting('cy')).hold(seat, { ttl_seconds: 600 });
    await eventually(async () => pg.first.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE 'holdfast writer%' AND wait_event='SyncRep'`), (ended) => ended.length > 0, 'a write that waits');
    await eventually(async () => site.number('SELECT max(first_seq) FROM log WHERE shard=this'), (last) => last > before, 'the row');
    await asked;
    for (let i = 0; i < 10; i++) {
        await looker.readEvent(event);
    }
    await Promise.all([one.kill9(), two.kill9()]);
    await pg.first.stop('SIGQUIT');
    await pg.second.launch();
    pg.second.promote();
    pg.current = pg.second;
    const three = await site.node('three', { program });
    await site.role(three, 'owner', 60_000);
    await recorder.client('bob', three.acting('bob')).hold(seat);
    await recorder.client('dora', three.admin).readEvent(event);
    return judge(recorder);
});

/* A follower that gets no more answers is asked for a seat that was given back since, over a second ago. */
const laggingFollower = (program) => on(new Postgres(), async (pg, site) => {
    const recorder = new Recorder({ reads: 'seen' });
    const one = await site.node('one', { program });
    const event = await makeEvent(one, { seats: 'A1-A4' });
    const { site: behind, proxy } = await through(pg, site);
    const two = await behind.node('two', { program });
    const seat = [{ event, seat: 'A1' }];
    const ann = recorder.client('ann', one.acting('ann'));
    const bob = recorder.client('bob', two.acting('bob'));
    const { reservation } = await ann.hold(seat);
    await eventually(async () => (await two.admin.get(`/v1/events/${event}/seats/A1`)).json.status, (status) => status === 'held',
        'the hold in the copy');
    assert.equal((await bob.hold(seat)).outcome, 'refused:taken');
    proxy.hold();
    assert.equal((await ann.release(reservation)).outcome, 'released');
    await eventually(() => site.ready(two), ({ lag_ms: lag }) => lag > 2_500, 'a follower that lags');
    await bob.hold(seat);
    return judge(recorder, '--gate', 'copy');
});

module.exports = { stoppedOwner, lostServer, laggingFollower };
