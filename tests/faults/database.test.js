/* SPDX-License-Identifier: Apache-2.0 */
/* PostgreSQL restarts, loses answers, is full, or has a clock that jumps, under load: what was sent is decided later, once. */
'use strict';

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { test } = require('node:test');
const { setTimeout: pause } = require('node:timers/promises');

const { schedule } = require('./lib/schedule.js');
const { Proxy } = require('./lib/proxy.js');
const { Postgres } = require('../cluster/lib/postgres.js');
const { Site } = require('../cluster/lib/site.js');
const { makeEvent, items } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');

const database = () => new Postgres().start();

schedule('PostgreSQL restarts again and again', { database }, async ({ pg, traffic, random, until }) => {
    const signals = ['SIGINT', 'SIGQUIT'];
    while (until()) {
        await traffic.progress(50 + random(200));
        await pg.stop(signals[random(2)]);
        await pause(random(2) * random(4000));
        await pg.launch();
    }
    await traffic.progress(100);
});

schedule('answers of commits are lost', { database: async () => new Proxy(await database()).start() },
    async ({ pg, traffic, random, until }) => {
        const names = [/writer/, /writer/, /writer/, /lease/, /takeover/, /follower/];
        while (until()) {
            await traffic.progress(10 + random(60));
            pg.cut(names[random(names.length)], random(3));
        }
        await traffic.progress(100);
        assert.ok(pg.cuts > 3, `${pg.cuts} answers were lost`);
    });

/* 74: the first look of a node that starts was not answered. */
schedule('answers of takeovers are lost', { database: async () => new Proxy(await database()).start(), options: { expected: [74] } },
    async ({ pg, nodes, traffic, random, until }) => {
        while (until()) {
            await traffic.progress(30 + random(60));
            pg.cut(/takeover|start/, random(4));
            pg.cut(/writer/, random(3));
            nodes.kill(await nodes.owner(), random(3) * 4000);
        }
        await traffic.progress(100);
    });

/* ---- The clock ---- */

/* What the nodes ask for the time is found before the built-in function. */
const OWN_CLOCK = `CREATE TABLE shift (by interval NOT NULL); INSERT INTO shift VALUES ('0');
    CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
        'SELECT pg_catalog.clock_timestamp() + (SELECT by FROM public.shift)';
    ALTER ROLE holdfast SET search_path = public, pg_catalog;`;

async function ownClock() {
    const pg = await database();
    pg.sql(OWN_CLOCK);
    return pg;
}

schedule('the clock of PostgreSQL jumps by an hour, both ways', { database: ownClock }, async ({ pg, nodes, traffic, random, until }) => {
    const epochs = () => nodes.site.number('SELECT epoch FROM lease WHERE shard=this');
    const before = epochs();
    while (until()) {
        for (const by of ['1 hour', '0', '-1 hour', '0']) {
            await traffic.progress(50 + random(100));
            pg.sql(`UPDATE shift SET by='${by}'`);
            const [[off]] = pg.sql(`SELECT round(extract(epoch FROM clock_timestamp() - now()) / 3600)`);
            assert.equal(Number(off), { '1 hour': 1, '-1 hour': -1 }[by] ?? 0);
            await pause(random(3000));
        }
    }
    assert.deepEqual(nodes.exits, [], 'a node ended');
    assert.equal(epochs(), before, 'another node took over');
});

/* ---- The disk ---- */

const mounts = spawnSync('sh', ['-c', 'd=$(mktemp -d) && mount -t tmpfs -o size=1m none $d && umount $d && rmdir $d']).status === 0;

class SmallPostgres extends Postgres {
    own(folder) {
        this.disk = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-disk-'));
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'none', this.disk]);
        fs.chmodSync(this.disk, 0o755);
        this.data = path.join(this.disk, 'data');
        super.own(folder);
        super.own(this.disk);
    }

    fill() {
        const file = path.join(this.disk, 'filler');
        spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k']);
    }

    free() {
        fs.rmSync(path.join(this.disk, 'filler'));
    }

    async close() {
        await super.close();
        execFileSync('umount', [this.disk]);
        fs.rmdirSync(this.disk);
    }
}

test('a full disk: 507, and the batch is kept until there is room', { skip: mounts ? false : 'cannot mount a file system' }, async () => {
    const pg = await new SmallPostgres({ max_wal_size: '64MB', min_wal_size: '32MB', wal_recycle: 'off' }).start();
    const site = new Site(pg);
    try {
        const one = await site.node('one');
        const event = await makeEvent(one, { seats: 'A1-A3000' });
        let next = 0;
        const hold = (seat = `A${++next}`) => one.app.post('/v1/reservations', { items: items(event, seat), user_id: 'ann' },
            { headers: { 'Idempotency-Key': seat } });
        assert.equal((await hold()).status, 201);
        pg.fill();
        const granted = new Set(['A1']);
        const full = await eventually(async () => {
            const many = await Promise.all(Array.from({ length: 8 }, () => hold().catch(() => ({ status: 503 }))));
            many.filter(({ status }) => status === 201).forEach(({ json }) => granted.add(json.items[0].seat));
            return many.find(({ status }) => status === 507);
        }, (answer) => answer, '507', 60_000);
        assert.equal(full.status, 507);
        pg.free();
        await eventually(() => hold(), ({ status }) => status === 201, 'a hold', 90_000);
        for (const seat of granted) {
            assert.equal((await one.app.get(`/v1/events/${event}/seats/${seat}`)).json.status, 'held', seat);
        }
    } finally {
        await site.close();
        await pg.close();
    }
});
