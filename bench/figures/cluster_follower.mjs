// SPDX-License-Identifier: Apache-2.0
// A node that follows: how long until it shows what the owner has acknowledged, and how long it keeps its loop busy while it
// applies a steady load, and while a large layout is published.
import { startLoad } from '../holdfast.mjs';
import { row, sleep, spread, thousands } from '../measure.mjs';
import { Postgres } from '../postgres.mjs';
import { Site } from '../site.mjs';

const PROBE_EVERY_MS = 10;
const WARM_UP_S = 1; // a page that is touched for the first time costs more than one in use

const percentile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

// Asks the follower again and again which change it shows, and keeps what it said and when; stop() ends that.
function watchApplied(follower) {
    const seen = []; // { at, seq }, one for each change of seq
    const own = []; // what it says about its own lag, in ms
    let running = true;
    const done = (async () => {
        for (let i = 0; running; i++) {
            const { seq } = await follower.need(200, 'GET', '/v1/events/probes');
            if (seq !== seen.at(-1)?.seq) seen.push({ at: performance.now(), seq });
            if (i % 8 === 0) own.push((await follower.readiness()).lag_ms);
            await sleep(1);
        }
    })();
    done.catch(() => {}); // the caller that awaits it sees the error
    return { seen, own, stop: () => ((running = false), done) };
}

// Holds at the owner, one after the other: when each was acknowledged, and its change.
async function probe(owner, round, until) {
    const probes = [];
    for (let i = 0; performance.now() < until; i++) {
        const answer = await owner.hold('probes', `s${round * 10000 + i}`, 'probe', 3600);
        if (answer.status !== 201) throw new Error(`a probe's hold answered ${answer.status}: ${answer.text}`);
        probes.push({ at: performance.now(), seq: answer.seq });
        await sleep(PROBE_EVERY_MS);
    }
    return probes;
}

// How long after its acknowledgement each was shown by the follower, in ms.
function lags(probes, seen) {
    let i = 0;
    return probes.map(({ at, seq }) => {
        while (i < seen.length && seen[i].seq < seq) i++;
        if (i === seen.length) throw new Error(`the follower has never shown change ${seq}`);
        return Math.max(0, seen[i].at - at);
    });
}

// Starts the follower anew, so that its longest turn is not that of an earlier load.
async function restart(site, follower) {
    await site.settle();
    await follower.kill();
    await follower.start();
    await follower.untilRole('follower');
    return follower.loopTurns();
}

async function turns(follower, before) {
    const after = await follower.loopTurns();
    if (before.wall_ms >= after.wall_ms || before.worked_ms >= after.worked_ms)
        console.error('bench: the longest turn of the follower was one at its start; the figure is an upper bound');
    return after;
}

const turnRows = (name, runs, most, extra) => [['wall_ms', 'by the wall clock'], ['worked_ms', 'by processor time']].map(([of, by]) => {
    const all = spread(runs.map((run) => run[of]));
    return row({ figure: 'cluster-follower', name: `longest turn of a follower ${name}, ${by}`, unit: 'ms', ours: all, value: all.max, asked: most, most: true, extra });
});

export async function clusterFollower({ size, repeat, note }) {
    const rate = size.followed;
    const time = size.followedSeconds;
    const pg = await Postgres.start();
    const site = new Site('cluster-follower', pg);
    const owner = await site.node('one');
    const follower = await site.node('two');
    const seats = rate * (time + WARM_UP_S + 5);
    const found = { p99: [], own: [], late: [], rate: [], load: [], layout: [] };
    await owner.event('probes', 10000 * repeat);
    note(`cluster-follower: ${repeat} rounds of ${thousands(rate)} holds/s for ${time} s`);
    for (let round = 0; round < repeat; round++) {
        const event = `load-${round}`;
        await owner.event(event, seats);
        const before = await restart(site, follower);
        const load = startLoad('hold', owner.port, { connections: 64, time: time + WARM_UP_S, rate, event, seats, users: seats, random: 7 });
        await sleep(1000 * WARM_UP_S);
        const watch = watchApplied(follower);
        const probes = await probe(owner, round, performance.now() + 1000 * time);
        const report = await load.report;
        await site.settle();
        await watch.stop();
        found.p99.push(percentile(lags(probes, watch.seen), 0.99));
        found.own.push(percentile(watch.own, 0.99));
        found.rate.push(report.rate);
        found.late.push(report.latency_us.p99 / 1000);
        found.load.push(await turns(follower, before));
    }
    note(`cluster-follower: publishing ${thousands(size.layout)} seats, ${repeat} times`);
    for (let round = 0; round < repeat; round++) {
        const before = await restart(site, follower);
        follower.timed = false; // its turns have a row of their own
        await owner.event(`layout-${round}`, size.layout);
        await site.settle();
        found.layout.push(await turns(follower, before));
        follower.timed = true;
    }
    await site.stop();
    await pg.stop();
    const held = spread(found.rate).median;
    if (held < rate * 0.98) throw new Error(`the owner took ${thousands(held)} holds/s of ${thousands(rate)}: too slow for this figure`);
    return [
        row({
            figure: 'cluster-follower', name: `p99 of a follower's lag at ${thousands(rate)} holds/s`, unit: 'ms', ours: spread(found.p99),
            value: spread(found.p99).median, asked: 100, most: true, extra: found,
            note: `from the acknowledgement to the first answer of the follower that has it; by its own word ${spread(found.own).median.toFixed(0)} ms; ` +
                `p99 of the holds ${spread(found.late).median.toFixed(1)} ms`,
        }),
        ...turnRows(`that applies ${thousands(rate)} holds/s`, found.load, 5),
        ...turnRows(`while a layout of ${thousands(size.layout)} seats is published`, found.layout, 20),
    ];
}
