/* SPDX-License-Identifier: Apache-2.0 */
/* The owner is killed, or stopped for longer than its lease, again and again under load: another node decides, and nothing
 * that was acknowledged is lost or sold twice. */
'use strict';

const assert = require('node:assert/strict');

const { schedule } = require('./lib/schedule.js');
const { Postgres } = require('../cluster/lib/postgres.js');
const { eventually } = require('../conformance/lib/http.js');

const database = () => new Postgres().start();
const AWAY_MS = 8000; /* a node that restarts immediately takes over immediately */
const STOPPED_MS = 8000;

schedule('the owner is killed under load', { database }, async ({ nodes, traffic, random, until }) => {
    while (until()) {
        await traffic.progress(50 + random(200));
        nodes.kill(await nodes.owner(), random(2) * AWAY_MS);
    }
    await traffic.progress(100);
});

schedule('the owner is killed, and half of the clients send to any node', { database, load: { anywhere: 6 } },
    async ({ nodes, traffic, random, until }) => {
        await traffic.progress(300);
        const passed = await Promise.all(nodes.list.map(async (node) => {
            const { text } = await node.admin.get('/metrics');
            return ['forwards_total', 'gate_refused_total'].map((name) => Number(new RegExp(`^holdfast_${name} (\\d+)$`, 'm').exec(text)[1]));
        }));
        const sum = (at) => passed.reduce((total, counts) => total + counts[at], 0);
        assert.ok(sum(0) > 0 && sum(1) > 0, `forwarded and refused by a copy: ${passed.join(' ')}`);
        while (until()) {
            await traffic.progress(50 + random(200));
            nodes.kill(await nodes.owner(), random(2) * AWAY_MS);
        }
        await traffic.progress(100);
    });

schedule('holds expire while there is no owner', { database, load: { ttl_s: 5 } }, async ({ nodes, traffic, random, until }) => {
    while (until()) {
        await traffic.progress(50 + random(200));
        nodes.kill(await nodes.owner(), random(2) * AWAY_MS);
    }
    await traffic.progress(100);
});

schedule('the owner is stopped for longer than its lease under load', { database }, async ({ nodes, traffic, random, until }) => {
    while (until()) {
        await traffic.progress(50 + random(200));
        const owner = await nodes.owner();
        const ends = nodes.exits.length;
        await nodes.freeze(owner, STOPPED_MS);
        await eventually(async () => nodes.exits.length, (count) => count > ends, 'the end of the stopped owner', 20_000);
        assert.equal(nodes.exits.at(-1).code, 75, nodes.exits.at(-1).text);
    }
    await traffic.progress(100);
});
