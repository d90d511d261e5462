/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger balances to the cent after any trade, with kill -9 in between: checked from outside, by adding up the
 * lists of payments and reservations alone.
 *
 *     SEEDS=10 OPS=1000 node --test tests/crash/money_fuzz.test.js    more seeds, and more operations of each
 *     SEED=7 OPS=1000 node --test tests/crash/money_fuzz.test.js      one seed again
 */
'use strict';

const test = require('node:test');
const { Server } = require('../conformance/lib/server.js');
const { shut } = require('./lib/own.js');
const { Trade } = require('./lib/trade.js');

const OPS = Number(process.env.OPS ?? 150);
const SEEDS = process.env.SEED ? [Number(process.env.SEED)] : Array.from({ length: Number(process.env.SEEDS ?? 2) }, (_, i) => i + 1);

for (const seed of SEEDS) {
    test(`${OPS} random operations with money, seed ${seed}`, async (t) => {
        const hf = await new Server().start();
        t.after(() => shut(hf));
        const trade = new Trade(hf, seed);
        try {
            await trade.begin();
            await trade.run(OPS);
            const before = await trade.verify();
            hf.child.kill('SIGKILL');
            await trade.recover();
            await trade.verify();
            t.diagnostic(JSON.stringify({ seed, kills: trade.kills, ...before, ...trade.tally }));
        } catch (error) {
            error.message = `SEED=${seed} OPS=${OPS}: ${error.message}`;
            throw error;
        }
    });
}
