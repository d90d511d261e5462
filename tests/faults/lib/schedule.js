/* SPDX-License-Identifier: Apache-2.0 */
/* schedule.js — a test that makes something fail while clients go on, with a seed that is printed and can be given again.
 *
 * FAULT_SEED names the seed (default: of the time), FAULT_SECONDS how long each schedule keeps on making faults. */
'use strict';

const { test } = require('node:test');
const assert = require('node:assert/strict');

const { Nodes } = require('./nodes.js');
const { Traffic } = require('./traffic.js');
const { dice } = require('../../linear/lib/random_history.js');

const SEED = Number(process.env.FAULT_SEED || Date.now() % 1_000_000);
const SECONDS = Number(process.env.FAULT_SECONDS || 50);

/* Runs `body` with {pg, nodes, traffic, random, until}, and judges what the clients were answered. `database` makes what the
 * nodes log to, `options` are those of the nodes, or make them; `until()` is false when the time is over. */
function schedule(name, { database, ids = ['one', 'two', 'three'], seconds = SECONDS, load = {}, options = {} }, body) {
    test(`${name} (FAULT_SEED=${SEED})`, { timeout: (seconds + 300) * 1000 }, async (t) => {
        const pg = await database();
        const nodes = new Nodes(pg, typeof options === 'function' ? await options(t) : options);
        try {
            await nodes.start(...ids);
            const traffic = await new Traffic(nodes, { seed: SEED, ...load }).begin();
            const over = Date.now() + seconds * 1000;
            const until = () => Date.now() < over && traffic.running;
            await body({ pg, nodes, traffic, random: dice(SEED), until, t });
            await traffic.finish();
            t.diagnostic(`${traffic.answers} answers, ends of nodes: ${nodes.exits.map(({ code, signal }) => code ?? signal).join(' ')}`);
            await nodes.stop();
            nodes.site.pg = pg.pg ?? pg; /* not by a proxy in this process, which waits here */
            const { status, stdout, stderr } = nodes.site.tool('check');
            assert.equal(status, 0, stdout + stderr);
        } finally {
            await nodes.close();
            await pg.close();
        }
    });
}

module.exports = { schedule, SEED, SECONDS };
