/* SPDX-License-Identifier: Apache-2.0 */
/* intents.js — two schedules in which a bug of one line in the gate on Redis refuses a seat that is free. Each records its
 * clients and returns what the checker says: {code, output}. `program` is the server; undefined: the one that is tested. */
'use strict';

const { GatedSite, metrics } = require('../../cluster/lib/gated.js');
const { Postgres } = require('../../cluster/lib/postgres.js');
const { makeEvent } = require('../../conformance/lib/catalogue.js');
const { eventually } = require('../../conformance/lib/http.js');
const { Recorder } = require('../../linear/lib/recorder.js');
const { linear } = require('../../linear/lib/linear.js');

const SEATS = 300;
const INTENT_US = 5_000_000;
const CUT_MS = 300; /* when a client gives up */

async function on(body) {
    const pg = await new Postgres().start();
    const site = await new GatedSite(pg).start();
    const recorder = new Recorder({ reads: 'seen', attempts: 2, pause_ms: 1 });
    try {
        await body(site, recorder);
        recorder.close();
        const { code, output } = linear(recorder.text(), '--clock-error-ms', '5', '--sweep-ms', '1000', '--gate', 'redis');
        return { code, output: `${output}\n${recorder.text()}` };
    } finally {
        await site.close().finally(() => pg.close());
    }
}

/* A request gets its intent because the copy is a moment behind, and the owner refuses it. Then the seat is given back, and
 * another one asks for it when no intent can be left. */
const keptIntent = (program) => on(async (site, recorder) => {
    const owner = await site.node('one', { program }); /* mirrors nothing */
    const asker = await site.gated('two', { program });
    await site.up(asker);
    const event = await makeEvent(owner, { seats: `A1-A${SEATS}`, hold_ttl_seconds: 600 });
    await site.copied(asker, await owner.admin.get(`/v1/events/${event}`));
    const bob = recorder.client('bob', owner.acting('bob'));
    const ann = recorder.client('ann', asker.acting('ann'));
    for (let i = 1; ; i++) {
        const seat = [{ event, seat: `A${i}` }];
        const before = await metrics(asker);
        const { reservation } = await bob.hold(seat);
        await ann.hold(seat);
        if ((await metrics(asker)).taken === before.taken && i < SEATS) {
            continue;
        }
        const { answer } = await bob.release(reservation);
        const released_us = recorder.now_us();
        await site.copied(asker, answer);
        await eventually(async () => recorder.now_us(), (now) => now > released_us + INTENT_US, 'the end of every intent');
        await recorder.client('cy', asker.acting('cy')).hold(seat);
        return;
    }
});

/* The owner is stopped while a request has its intent; its client gives up and asks again with the same key. */
const ownIntent = (program) => on(async (site, recorder) => {
    const { owner, asker } = await site.pair({ program });
    const event = await makeEvent(owner, { seats: 'A1-A4', hold_ttl_seconds: 600 });
    await site.copied(asker, await owner.admin.get(`/v1/events/${event}`));
    const impatient = (target) => ({ call: (method, path, options) => target.call(method, path, { patience: CUT_MS, ...options }) });
    owner.child.kill('SIGSTOP');
    try {
        await recorder.client('ann', impatient(asker.acting('ann'))).hold([{ event, seat: 'A1' }]);
    } finally {
        owner.child.kill('SIGCONT');
    }
});

module.exports = { keptIntent, ownIntent };
