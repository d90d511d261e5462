// SPDX-License-Identifier: Apache-2.0
// What followers take from the owner: the refusals of those who come too late. Without forwarding and without a gate a
// follower answers otherwise, and then nothing is reported: every unexpected answer is an error.
import { processorSeconds } from '../effort.mjs';
import { startLoad } from '../holdfast.mjs';
import { alternate, row, sleep, spread, thousands } from '../measure.mjs';
import { Postgres } from '../postgres.mjs';
import { Site } from '../site.mjs';

const SALES_A_SECOND = 100;
const REFUSED = 'holdfast_requests_total{method="POST",route="/v1/reservations",status="4xx"}';

async function hotSeat(owner) {
    await owner.event('hot', 1000);
    const first = await owner.hold('hot', 's0', 'first', 3600);
    if (first.status !== 201) throw new Error(`the first hold of the hot seat answered ${first.status}: ${first.text}`);
}

const refused = async (node) => (await node.metrics()).get(REFUSED) ?? 0;

// As many as a closed loop of 64 connections gets, at the owner and at a follower, each alone, while the owner sells.
export async function clusterRefusals({ size, repeat, note }) {
    const time = size.short;
    const pg = await Postgres.start();
    const site = new Site('cluster-refusals', pg);
    const owner = await site.node('one');
    const follower = await site.node('two');
    await hotSeat(owner);
    note(`cluster-refusals: ${repeat} rounds of ${time} s a side`);
    let forwarded = 0;
    const burst = async (node, event) => {
        const seats = SALES_A_SECOND * (time + 60);
        await owner.event(event, seats);
        await site.settle();
        const before = await refused(owner);
        const sales = startLoad('hold', owner.port, { connections: 8, time: time + 50, rate: SALES_A_SECOND, event, seats, users: seats, admin: true, commit: true });
        const { rate } = await node.load('refuse', { connections: 64, time, event: 'hot', seats: 1000, users: 1000 });
        sales.stop();
        await sales.report;
        if (node !== owner) forwarded += (await refused(owner)) - before;
        return rate;
    };
    const result = await alternate(repeat, {
        follower: (round) => burst(follower, `sales-follower-${round}`),
        owner: (round) => burst(owner, `sales-owner-${round}`),
    });
    await site.stop();
    await pg.stop();
    const found = row({
        figure: 'cluster-refusals', name: `refusals at a follower ÷ at the owner, ${SALES_A_SECOND} sales/s going on`, unit: '/s',
        ours: result.follower, peer: result.owner, peerName: 'at the owner', asked: 0.8,
        note: `the owner's count of refusals grew by ${forwarded} meanwhile`, extra: { forwarded },
    });
    if (forwarded) found.verdict = 'SHORT';
    return [found];
}

const WINNERS = 200;
const LOSERS = 2000;
const MACHINE_MOST = 0.7;
const SHARE_LEAST = 1 / 64;

// The share of the processors that everything here uses while `work` goes on.
async function machineShare(work) {
    const before = processorSeconds();
    const began = performance.now();
    await work();
    const { seconds, processors } = processorSeconds();
    return (seconds - before.seconds) / ((performance.now() - began) / 1000) / processors;
}

// Open loop: winners at the owner, who each get a seat of their own, with and without losers at two followers.
export async function clusterWinners({ size, repeat, note }) {
    const pg = await Postgres.start();
    const site = new Site('cluster-winners', pg);
    const owner = await site.node('one');
    const followers = [await site.node('two'), await site.node('three')];
    await hotSeat(owner);
    let events = 0;
    const run = async (time, share, losers) => {
        const event = `winners-${events++}`;
        const seats = Math.ceil(WINNERS * share * time) + 64;
        await owner.event(event, seats);
        await site.settle();
        const crowds = (losers ? followers : []).map((node) => startLoad('refuse', node.port, {
            connections: 32, time: time + 1, rate: (LOSERS * share) / followers.length, event: 'hot', seats: 1000, users: 1000 }));
        if (losers) await sleep(500);
        const report = await owner.load('hold', { connections: 64, time, rate: WINNERS * share, event, seats, users: seats, random: 7 });
        for (const { report: crowd } of crowds) await crowd;
        return report.latency_us.p99 / 1000;
    };
    let share = 1;
    let used;
    while ((used = await machineShare(() => run(size.latency, share, true))) > MACHINE_MOST) {
        note(`cluster-winners: at ${thousands(WINNERS * share)} winners/s ${Math.round(100 * used)} % of the machine are used; halving`);
        share /= 2;
        if (share < SHARE_LEAST) throw new Error(`at ${WINNERS * share} winners/s more than ${100 * MACHINE_MOST} % of the machine are used`);
    }
    const time = 2 * size.latency / share; // so that a p99 is of enough requests
    note(`cluster-winners: ${repeat} rounds of ${time} s a side`);
    const before = await refused(owner);
    const result = await alternate(repeat, {
        with: () => run(time, share, true),
        without: () => run(time, share, false),
    });
    const forwarded = (await refused(owner)) - before;
    await site.stop();
    await pg.stop();
    const found = row({
        figure: 'cluster-winners',
        name: `p99 of ${WINNERS * share} winners/s with ${thousands(LOSERS * share)} losers/s at followers ÷ without`, unit: 'ms',
        ours: result.with, peer: result.without, peerName: 'without', asked: 2, most: true,
        note: `${Math.round(100 * used)} % of the machine used; the owner's count of refusals grew by ${forwarded}`, extra: { share, used, forwarded },
    });
    return [found];
}
