// SPDX-License-Identifier: Apache-2.0
// Durable single-seat holds in bursts, beside Redis with a synced append-only file, PostgreSQL, and our own server when it
// only answers a fixed body. Every hold is another user's, token checked, book on, seats in random order.
import { Holdfast } from '../holdfast.mjs';
import { Redis } from '../peers.mjs';
import { Postgres } from '../postgres.mjs';
import { alternate, median, row } from '../measure.mjs';

const RATE_MAX = 120000; // seats enough for a burst at this rate

export async function holds({ size, repeat, note }) {
    const rows = [];
    const aof = await Redis.start('always');
    const memory = await Redis.start('memory');
    const pg = await Postgres.start();
    const asked = { 64: { aof: 1.0, pg: 3, fixed: 0.5 }, 256: { aof: 0.8, pg: 4, fixed: 0.6 } };
    for (const connections of [64, 256]) {
        const time = size.burst;
        const seats = Math.ceil(RATE_MAX * time);
        const ours = await Holdfast.start('holds');
        const redis = async (server) => {
            await server.clear();
            return (await server.load('redis-set', { connections, time, seats, random: 7 })).rate;
        };
        const postgres = async (script) => {
            await pg.clear(script === 'for_update' ? seats : 0);
            const { rate } = await pg.bench(script, { clients: connections, time, seats });
            await pg.psql('CHECKPOINT;');
            return rate;
        };
        note(`holds at ${connections} connections: ${repeat} rounds of ${time} s a side`);
        const result = await alternate(repeat, {
            ours: async (round) => {
                await ours.event(`burst-${round}`, seats);
                await ours.settle();
                const report = await ours.load('hold', { connections, time, event: `burst-${round}`, seats, users: seats, random: 7 });
                await ours.settle();
                return report.rate;
            },
            aof: () => redis(aof),
            pg: () => postgres('insert'),
            fixed: async () => (await ours.load('fixed', { connections, time: time / 2 })).rate,
        });
        const others = await alternate(1, { memory: () => redis(memory), locked: () => postgres('for_update') });
        await ours.stop();
        const shared = { figure: 'holds', unit: '/s', ours: result.ours, aim: 1.5 };
        const at = `at ${connections} connections`;
        rows.push(
            row({ ...shared, name: `durable holds ${at} ÷ Redis appendfsync always`, peer: result.aof, peerName: 'Redis always', asked: asked[connections].aof }),
            row({ ...shared, name: `durable holds ${at} ÷ PostgreSQL INSERT … ON CONFLICT`, peer: result.pg, peerName: 'PostgreSQL', asked: asked[connections].pg, aim: 6 }),
            row({ ...shared, name: `durable holds ${at} ÷ own fixed body`, peer: result.fixed, peerName: 'GET /healthz, same head', asked: asked[connections].fixed, aim: 0.8 }),
            row({ ...shared, name: `durable holds ${at} ÷ PostgreSQL SELECT … FOR UPDATE`, peer: others.locked, peerName: 'PostgreSQL', aim: undefined }),
            row({ ...shared, name: `durable holds ${at} ÷ Redis without persistence`, peer: others.memory, peerName: 'Redis', aim: undefined }),
        );
    }
    await Promise.all([aof.stop(), memory.stop(), pg.stop()]);
    return rows;
}

// With everything that decides who may buy and for how much: a seat of an allotment, by a code that carries it and is counted,
// in a category whose price is the tier's. Plain holds beside it, on the same server.
export async function rules({ size, repeat, note }) {
    const connections = 64;
    const time = size.short;
    const seats = Math.ceil(RATE_MAX * time);
    const ours = await Holdfast.start('rules');
    const prices = { gold: { adult: 12000, child: 6000 } };
    note(`rules: ${repeat} rounds of ${time} s a side`);
    const spent = { ruled: [], plain: [] }; // processor time of the loop's thread a hold, in µs: a busy machine changes it less
    const burst = async (side, event, options) => {
        await ours.settle();
        const before = ours.processorSeconds().loop;
        const { rate, requests } = await ours.load('hold', { connections, time, event, seats, users: seats, random: 7, ...options });
        spent[side].push(((ours.processorSeconds().loop - before) * 1e6) / requests);
        await ours.settle();
        return rate;
    };
    const result = await alternate(repeat, {
        ruled: async (round) => {
            const event = `ruled-${round}`;
            await ours.event(event, seats, { access: 'code', categories: ['adult', 'child'], prices }, { tier: 'gold', allotment: 'friends' });
            await ours.need(201, 'POST', `/v1/events/${event}/codes`, {
                body: JSON.stringify([{ code: 'FRIENDS', units: seats, tiers: ['gold'], allotment: 'friends' }]),
            });
            return burst('ruled', event, { item: '"code":"friends","category":"child"' });
        },
        plain: async (round) => {
            await ours.event(`plain-${round}`, seats);
            return burst('plain', `plain-${round}`);
        },
    });
    await ours.stop();
    const [ruled, plain] = [median(spent.ruled), median(spent.plain)];
    return [row({
        figure: 'rules', name: 'holds with code, category and allotment ÷ plain holds', unit: '/s',
        ours: result.ruled, peer: result.plain, peerName: 'plain holds', asked: 0.85, aim: 0.95,
        note: `processor time of the loop a hold: ${ruled.toFixed(1)} µs, plain ${plain.toFixed(1)} µs, plain ÷ ruled ${(plain / ruled).toFixed(2)}`,
        extra: { loop_us: spent },
    })];
}

// Plain holds for a minute: can the book follow? Its lag is sampled all the time; how long it needs afterwards is reported.
export async function sustained({ size, note }) {
    const time = size.sustained;
    const connections = 64;
    const seats = Math.ceil(RATE_MAX * time / 2);
    const events = Math.max(1, Math.round(seats / 1000000));
    const pg = await Postgres.start();
    const ours = await Holdfast.start('sustained');
    for (let i = 0; i < events; i++) await ours.event(events > 1 ? `long-${i}` : 'long', Math.ceil(seats / events));
    await ours.settle();
    note(`sustained: ${time} s a side`);
    const lags = [];
    let running = true;
    const sampler = (async () => {
        while (running) {
            const now = await ours.progress();
            lags.push(now.seq - now.book);
            await new Promise((resolve) => setTimeout(resolve, 250));
        }
    })();
    const report = await ours.load('hold', { connections, time, event: 'long', events, seats: Math.ceil(seats / events), users: Math.min(seats, 1000000), random: 7 })
        .finally(() => (running = false));
    await sampler;
    const catchUp = await ours.settle();
    await ours.stop();
    await pg.clear();
    const { rate } = await pg.bench('insert', { clients: connections, time, seats });
    await pg.stop();
    const one = (v) => ({ median: v, min: v, max: v, runs: [v] });
    const half = Math.max(...lags.slice(0, Math.ceil(lags.length / 2)));
    const end = Math.max(...lags.slice(Math.ceil(lags.length / 2)));
    const bounded = end <= Math.max(2 * half, 50000) || catchUp < 1;
    const result = row({
        figure: 'sustained', name: `durable holds for ${time} s ÷ PostgreSQL INSERT … ON CONFLICT`, unit: '/s',
        ours: one(report.rate), peer: one(rate), peerName: 'PostgreSQL', asked: 2, aim: 4,
        note: `book lag at most ${half} changes in the first half, ${end} in the second (${bounded ? 'bounded' : 'GROWING'}); caught up ${catchUp.toFixed(2)} s after the end`,
        extra: { lags, catch_up_s: catchUp, bounded, per_second: report.per_second },
    });
    if (!bounded) result.verdict = 'SHORT';
    return [result];
}

// Everybody wants one seat. Nothing is written; tokens are remembered by the server.
export async function refusals({ size, repeat, note }) {
    const connections = 64;
    const time = size.short;
    const ours = await Holdfast.start('refusals');
    const redis = await Redis.start('memory');
    await ours.event('hot', 1000);
    const first = await ours.hold('hot', 's0', 'first', 3600);
    if (first.status !== 201) throw new Error(`the first hold of the hot seat answered ${first.status}: ${first.text}`);
    await redis.command(`SET seat:${'0'.repeat(10)} first NX EX 3600`);
    note(`refusals: ${repeat} rounds of ${time} s a side`);
    const result = await alternate(repeat, {
        ours: async () => (await ours.load('refuse', { connections, time, event: 'hot', seats: 1000, users: 1000 })).rate,
        redis: async () => (await redis.load('redis-hot', { connections, time })).rate,
    });
    await Promise.all([ours.stop(), redis.stop()]);
    return [row({
        figure: 'refusals', name: 'refusals on one hot seat ÷ Redis without persistence, one hot key', unit: '/s',
        ours: result.ours, peer: result.redis, peerName: 'Redis', asked: 1.1, aim: 1.5,
    })];
}
