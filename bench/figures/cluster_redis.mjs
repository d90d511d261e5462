// SPDX-License-Identifier: Apache-2.0
// What the gate on Redis takes from the owner when a seat becomes available, and what it costs otherwise.
import { startLoad } from '../holdfast.mjs';
import { alternate, row, spread, thousands, until } from '../measure.mjs';
import { Redis } from '../peers.mjs';
import { Postgres } from '../postgres.mjs';
import { Site } from '../site.mjs';

const CONNECTIONS = 64;
const RATE_MAX = 60000; // seats enough for a burst at this rate
const HELD = 'holdfast_requests_total{method="POST",route="/v1/reservations"';

// Three nodes with this gate: { site, owner, followers }.
async function threeNodes(figure, pg, args) {
    const site = new Site(figure, pg, args);
    return { site, owner: await site.node('one'), followers: [await site.node('two'), await site.node('three')] };
}

// The same PostgreSQL with two sites, one that asks Redis and one that does not; run() gets them by name.
async function bothGates(figure, run) {
    const pg = await Postgres.start();
    const redis = await Redis.start('memory');
    const gates = {
        redis: await threeNodes(figure, pg, ['--gate', 'redis', '--redis', redis.url]),
        copy: await threeNodes(figure, pg, ['--gate', 'copy']),
    };
    const rows = await run(gates, redis);
    for (const { site } of Object.values(gates)) await site.stop();
    await redis.stop();
    await pg.stop();
    return rows;
}

// Intents that `nodes` took, were refused, and so on: by result.
async function intents(nodes) {
    const all = await Promise.all(nodes.map((node) => node.metrics()));
    const of = (result) => all.reduce((sum, metrics) => sum + metrics.get(`holdfast_gate_intents_total{result="${result}"}`), 0);
    return { taken: of('taken'), refused: of('refused'), timed_out: of('timed_out'), around: of('around') };
}

const inWords = ({ taken, refused, timed_out, around }) =>
    `intents: ${taken} taken, ${refused} refused, ${timed_out} timed out, ${around} around`;

// ---- The herd ----

const CROWD = 96;

// Holds that a node was asked for, whatever it answered.
async function holdsAt(node) {
    let sum = 0;
    for (const [name, value] of await node.metrics()) if (name.startsWith(HELD)) sum += value;
    return sum;
}

// The crowd asks for the seat again and again, half of it at each follower, while it is given back; ends when one has it. Returns
// how many holds the owner was asked for from then on.
async function freeOnce({ owner, followers }, event, reservation) {
    let winner = null;
    let refused = 0;
    const ask = async (i) => {
        while (!winner) {
            const answer = await followers[i % followers.length].hold(event, 's0', `crowd-${i}`, 3600);
            if (answer.status === 201) winner = JSON.parse(answer.text).reservation_id;
            else if (answer.status === 409) refused++;
            else throw new Error(`a hold of the crowd answered ${answer.status}: ${answer.text}`);
        }
    };
    const before = await holdsAt(owner);
    const crowd = Promise.all(Array.from({ length: CROWD }, (_, i) => ask(i)));
    crowd.catch(() => {});
    await until('all of the crowd to be refused', () => refused >= 2 * CROWD, { every: 1, within: 60 });
    const asked = await holdsAt(owner);
    if (asked !== before) throw new Error(`${asked - before} holds reached the owner while the seat was held`);
    await owner.need(200, 'POST', `/v1/reservations/${reservation}/release`, { body: '{}' });
    await crowd;
    return { reached: (await holdsAt(owner)) - asked, winner };
}

export async function clusterRedisHerd({ size, repeat, note }) {
    note(`cluster-redis-herd: ${repeat} rounds, a seat becomes available ${size.freed} times a side`);
    return bothGates('cluster-redis-herd', async (gates) => {
        const run = async (gate, round) => {
            const event = `hot-${round}`;
            await gate.owner.event(event, 1);
            let reservation = JSON.parse((await gate.owner.hold(event, 's0', 'first', 3600)).text).reservation_id;
            const reached = [];
            for (let i = 0; i < size.freed; i++) {
                await gate.site.settle(); // the followers' copies have the hold
                const once = await freeOnce(gate, event, reservation);
                reached.push(once.reached);
                reservation = once.winner;
            }
            return reached.reduce((sum, n) => sum + n) / reached.length;
        };
        const result = await alternate(repeat, {
            redis: (round) => run(gates.redis, round),
            copy: (round) => run(gates.copy, round),
        });
        const found = await intents(gates.redis.followers);
        return [row({
            figure: 'cluster-redis-herd', name: `holds that reach the owner, ${CROWD} clients at two followers on a seat that becomes available, redis ÷ copy`,
            unit: 'holds', ours: result.redis, peer: result.copy, peerName: '--gate copy', asked: 0.1, most: true, note: inWords(found), extra: found,
        })];
    });
}

// ---- Holds of different seats ----

// A burst at both followers, each with an event of its own: { rate, us }, the nodes' processor time for each hold.
async function burst({ site, owner, followers }, name, time) {
    const seats = Math.ceil(RATE_MAX * time);
    for (let i = 0; i < followers.length; i++) await owner.event(`${name}-${i}`, seats);
    await site.settle();
    const used = () => site.nodes.reduce((sum, node) => sum + node.processorSeconds().all, 0);
    const before = used();
    const loads = followers.map((node, i) => startLoad('hold', node.port, {
        connections: CONNECTIONS / followers.length, time, event: `${name}-${i}`, seats, users: seats, random: 7 }));
    const reports = await Promise.all(loads.map(({ report }) => report));
    await site.settle();
    const sum = (of) => reports.reduce((all, report) => all + of(report), 0);
    return { rate: sum(({ rate }) => rate), us: ((used() - before) * 1e6) / sum(({ requests }) => requests) };
}

export async function clusterRedisHolds({ size, repeat, note }) {
    const time = size.burst;
    note(`cluster-redis-holds: ${repeat} rounds of ${time} s a side`);
    return bothGates('cluster-redis-holds', async (gates) => {
        const us = { redis: [], copy: [] };
        const run = async (name, round) => {
            const found = await burst(gates[name], `burst-${round}`, time);
            us[name].push(found.us);
            return found.rate;
        };
        const result = await alternate(repeat, {
            redis: (round) => run('redis', round),
            copy: (round) => run('copy', round),
        });
        const found = await intents(gates.redis.followers);
        const shared = { figure: 'cluster-redis-holds', peerName: '--gate copy', note: inWords(found), extra: found };
        return [
            row({ ...shared, name: 'holds of different seats at two followers, redis ÷ copy', unit: '/s', ours: result.redis, peer: result.copy, asked: 0.7 }),
            row({ ...shared, name: "processor time of the nodes for each, redis ÷ copy", unit: 'µs', ours: spread(us.redis), peer: spread(us.copy), asked: 1.15, most: true }),
        ];
    });
}

// ---- p99 while something is wrong with Redis ----

// Half of the most that a node takes.
async function halfRate(site, node, owner, time) {
    const seats = Math.ceil(RATE_MAX * time);
    await owner.event('probe', seats);
    await site.settle();
    const { rate } = await node.load('hold', { connections: CONNECTIONS, time, event: 'probe', seats, users: seats, random: 7 });
    await site.settle();
    return Math.floor(rate / 2);
}

// p99 in ms of an open loop, which has an event of its own.
async function latency(site, owner, node, { event, rate, time }) {
    const seats = Math.ceil(rate * time) + CONNECTIONS;
    await owner.event(event, seats);
    await site.settle();
    const { latency_us } = await node.load('hold', { connections: CONNECTIONS, time, rate, event, seats, users: seats, random: 7 });
    return latency_us.p99 / 1000;
}

// Empties Redis again and again while `work` goes on, each time as soon as all keys are back; returns the seconds of each.
async function refills(redis, claims, work) {
    const seconds = [];
    let working = true;
    const worked = work.finally(() => (working = false));
    worked.catch(() => {}); // the caller awaits it
    while (working) {
        const began = performance.now();
        await redis.clear();
        await until(`${claims} keys`, async () => (await redis.keys()) >= claims, { every: 5, within: 600 });
        seconds.push((performance.now() - began) / 1000);
    }
    return seconds;
}

export async function clusterRedisRefill({ size, repeat, note }) {
    const claims = size.claims;
    const time = size.latency;
    const pg = await Postgres.start();
    const redis = await Redis.start('memory');
    const { site, owner } = await threeNodes('cluster-redis-refill', pg, ['--gate', 'redis', '--redis', redis.url]);
    note(`cluster-redis-refill: making ${thousands(claims)} holds`);
    await owner.event('claims', claims);
    await owner.load('hold', { connections: 256, count: claims, event: 'claims', seats: claims, users: Math.min(claims, 200000), random: 7 });
    await site.settle();
    await until('the mirror', async () => (await redis.keys()) >= claims, { every: 50, within: 600 });
    const rate = await halfRate(site, owner, owner, size.probe);
    note(`cluster-redis-refill: ${repeat} rounds of ${time} s at ${thousands(rate)} holds/s, with refills and without`);
    const seconds = [];
    const result = await alternate(repeat, {
        with: async (round) => {
            const work = latency(site, owner, owner, { event: `with-${round}`, rate, time });
            seconds.push(...(await refills(redis, claims, work)));
            return work;
        },
        without: (round) => latency(site, owner, owner, { event: `without-${round}`, rate, time }),
    });
    await site.stop();
    await redis.stop();
    await pg.stop();
    return [
        row({
            figure: 'cluster-redis-refill', name: `from emptying Redis to ${thousands(claims)} live claims in it, maximum of ${seconds.length}`,
            unit: 's', ours: spread(seconds), value: Math.max(...seconds), asked: 60, most: true, note: `while ${thousands(rate)} holds/s are made`,
        }),
        row({
            figure: 'cluster-redis-refill', name: 'p99 of holds at the owner during that ÷ without', unit: 'ms',
            ours: result.with, peer: result.without, peerName: 'without', asked: 2, most: true, extra: { rate },
        }),
    ];
}

export async function clusterRedisStopped({ size, repeat, note }) {
    const time = size.latency;
    return bothGates('cluster-redis-stopped', async (gates, redis) => {
        const rates = [];
        for (const { site, owner, followers } of Object.values(gates)) rates.push(await halfRate(site, followers[0], owner, size.probe));
        const rate = Math.min(...rates);
        note(`cluster-redis-stopped: ${repeat} rounds of ${time} s a side at ${thousands(rate)} holds/s`);
        const run = ({ site, owner, followers }, event) => latency(site, owner, followers[0], { event, rate, time });
        const before = await intents(gates.redis.followers);
        const result = await alternate(repeat, {
            stopped: async (round) => {
                redis.pause();
                await run(gates.redis, `first-${round}`); // a second or more, which the figure leaves out
                const p99 = await run(gates.redis, `stopped-${round}`);
                redis.resume();
                return p99;
            },
            without: (round) => run(gates.copy, `without-${round}`),
        });
        const after = await intents(gates.redis.followers);
        const found = Object.fromEntries(Object.keys(after).map((name) => [name, after[name] - before[name]]));
        if (!found.around) throw new Error('no request went around Redis while it was stopped');
        return [row({
            figure: 'cluster-redis-stopped', name: 'p99 of holds at a follower with Redis stopped, after the first second ÷ --gate copy', unit: 'ms',
            ours: result.stopped, peer: result.without, peerName: '--gate copy', asked: 1.5, most: true,
            note: `at ${thousands(rate)} holds/s; ${inWords(found)}`, extra: { rate, ...found },
        })];
    });
}
