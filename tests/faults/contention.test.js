/* SPDX-License-Identifier: Apache-2.0 */
/* Three nodes, 64 clients and a house that sells out, while everything fails that can: the owner is killed, another one is
 * stopped for long, PostgreSQL is restarted, and its standby is promoted. */
'use strict';

const { setTimeout: pause } = require('node:timers/promises');

const { schedule, SECONDS } = require('./lib/schedule.js');
const { Replicas } = require('./lib/replicas.js');

const database = () => new Replicas().start();
const SEATS = Number(process.env.FAULT_SEATS || Math.min(5000, SECONDS * 20));
const STOPPED_MS = 30_000;

schedule(`${SEATS} seats are sold out under contention`, { database, load: { clients: 64, seats: SEATS } },
    async ({ pg, nodes, traffic, random }) => {
        await traffic.progress(300 + random(500));
        nodes.kill(await nodes.owner(), 8000);
        await traffic.progress(300 + random(500));
        const frozen = nodes.freeze(await nodes.owner(), STOPPED_MS);
        await traffic.progress(300 + random(500));
        await pg.first.stop('SIGINT');
        await pause(random(3000));
        await pg.first.launch();
        await traffic.progress(300 + random(500));
        await pg.replicating('sync');
        await pg.failOver();
        await traffic.progress(300 + random(500));
        await frozen;
        await traffic.progress(300);
    });
