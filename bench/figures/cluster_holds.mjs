// SPDX-License-Identifier: Apache-2.0
// Durable holds through the owner of a site, whose log is in PostgreSQL, beside pgbench's bare INSERT … ON CONFLICT on the same
// server; without and with a synchronous standby on both sides; and what it costs that PostgreSQL judges every sale.
import path from 'node:path';
import cluster from '../../tests/cluster/lib/patched.js';
import { processorSeconds } from '../effort.mjs';
import { binary } from '../holdfast.mjs';
import { alternate, median, row } from '../measure.mjs';
import { Postgres } from '../postgres.mjs';
import { Site } from '../site.mjs';

const CONNECTIONS = 64;
const RATE_MAX = 60000; // seats enough for a burst at this rate
const SALES = { admin: true, 'sell-every': 10 };

// Bursts at the owner of a site: run(name, options) for the rate. `told` gets the processor time of the owner's loop and of
// everything that runs for each request, in µs: a busy machine changes it less than the rate.
function bursts(site, owner, time, told = {}) {
    const seats = Math.ceil(RATE_MAX * time);
    return async (event, options = {}) => {
        await owner.event(event, seats);
        await site.settle();
        const batches = await owner.metrics();
        const before = { loop: owner.processorSeconds().loop, all: processorSeconds().seconds };
        const { rate, requests } = await owner.load('hold', { connections: CONNECTIONS, time, event, seats, users: seats, random: 7, ...options });
        await owner.settle();
        (told.loop_us ??= []).push(((owner.processorSeconds().loop - before.loop) * 1e6) / requests);
        (told.all_us ??= []).push(((processorSeconds().seconds - before.all) * 1e6) / requests);
        const after = await owner.metrics();
        const grown = (name) => after.get(name) - batches.get(name);
        await site.settle();
        (told.batch ??= []).push(grown('holdfast_batch_changes_total') / grown('holdfast_batches_total'));
        (told.write_ms ??= []).push((1000 * grown('holdfast_sync_seconds_total')) / grown('holdfast_batches_total'));
        return rate;
    };
}

const inWords = ({ batch, write_ms, all_us }) => `${median(batch).toFixed(0)} changes a statement of ${median(write_ms).toFixed(2)} ms; ` +
    `processor time of all for each: ${median(all_us).toFixed(0)} µs`;

async function besidePgbench(figure, standby, { size, repeat, note }) {
    const time = size.burst;
    const pg = await Postgres.start();
    if (standby) await pg.addStandby();
    const site = new Site(figure, pg);
    const owner = await site.node('one');
    const told = { plain: {}, sold: {} };
    const pgbenchUs = [];
    note(`${figure}: ${repeat} rounds of ${time} s a side`);
    const seats = Math.ceil(RATE_MAX * time);
    const result = await alternate(repeat, {
        plain: (round) => bursts(site, owner, time, told.plain)(`plain-${round}`),
        pg: async () => {
            await pg.clear();
            const before = processorSeconds().seconds;
            const { rate, done } = await pg.bench('insert', { clients: CONNECTIONS, time, seats });
            pgbenchUs.push(((processorSeconds().seconds - before) * 1e6) / done);
            await pg.clear();
            return rate;
        },
        sold: (round) => bursts(site, owner, time, told.sold)(`sold-${round}`, SALES),
    });
    const judged = await site.value('SELECT count(*) FROM sold WHERE shard=this AND fence<>0');
    if (!judged) throw new Error('of the sales, none is in the table `sold`');
    await site.stop();
    await pg.stop();
    const where = standby ? ' with a synchronous standby' : '';
    const shared = { figure, unit: '/s', peer: result.pg, peerName: 'pgbench, INSERT … ON CONFLICT', asked: 2 };
    const beside = `, of pgbench ${median(pgbenchUs).toFixed(0)} µs`;
    return [
        row({ ...shared, name: `durable holds on PostgreSQL${where} ÷ pgbench`, ours: result.plain, note: inWords(told.plain) + beside, extra: { ...told.plain, pgbench_us: pgbenchUs } }),
        row({ ...shared, name: `the same, a tenth of them sold at once${where} ÷ pgbench`, ours: result.sold, note: inWords(told.sold) + beside, extra: { ...told.sold, pgbench_us: pgbenchUs } }),
    ];
}

export const clusterHolds = (context) => besidePgbench('cluster-holds', false, context);
export const clusterStandby = (context) => besidePgbench('cluster-standby', true, context);

// The program offers no way to sell unjudged. The other side is a build whose batches leave their sales out; both on one
// server, each with a site of its own.
export async function clusterSales({ size, repeat, note }) {
    const time = size.burst;
    note('cluster-sales: building a program whose sales are not checked');
    const patch = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), 'sales-not-judged.patch');
    const other = cluster.patched(patch, 'release');
    try {
        const pg = await Postgres.start();
        const sides = {};
        const told = {};
        for (const [name, program] of [['judged', binary], ['free', other.program]]) {
            const site = new Site('cluster-sales', pg);
            const owner = await site.node('one', program);
            told[name] = {};
            const run = bursts(site, owner, time, told[name]);
            sides[name] = { site, run: (round) => run(`sold-${round}`, SALES) };
        }
        note(`cluster-sales: ${repeat} rounds of ${time} s a side`);
        const result = await alternate(repeat, { judged: sides.judged.run, free: sides.free.run });
        const rows = await Promise.all(['judged', 'free'].map((name) => sides[name].site.value('SELECT count(*) FROM sold WHERE shard=this')));
        if (!rows[0] || rows[1]) throw new Error(`${rows[0]} sales were judged on one side and ${rows[1]} on the other`);
        for (const { site } of Object.values(sides)) await site.stop();
        await pg.stop();
        return [row({
            figure: 'cluster-sales', name: 'holds on PostgreSQL, a tenth of them sold at once, judged ÷ not judged', unit: '/s',
            ours: result.judged, peer: result.free, peerName: 'not judged', asked: 0.7, extra: told,
            note: `judged: ${inWords(told.judged)}; not judged: ${inWords(told.free)}`,
        })];
    } finally {
        other.close();
    }
}
