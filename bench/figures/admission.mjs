// SPDX-License-Identifier: Apache-2.0
// Letting people in: what it costs the loop, how even it is, and what the opening of a room with a draw does to the loop.
import { performance } from 'node:perf_hooks';
import { Holdfast, TURN_MOST_MS, instant, startLoad } from '../holdfast.mjs';
import { alternate, row, sleep, spread, thousands, until } from '../measure.mjs';

const RATE = 1000;      // admissions a second
const WINDOW_MS = 100;

// The share of the time that the loop's thread is busy without requests, in %; and that of all threads.
async function idle(server, seconds) {
    const began = performance.now();
    const before = server.processorSeconds();
    await sleep(seconds * 1000);
    const after = server.processorSeconds();
    const passed = (performance.now() - began) / 1000;
    return { loop: ((after.loop - before.loop) / passed) * 100, all: ((after.all - before.all) / passed) * 100, passed };
}

// How many were admitted in each tenth of a second, from looks at the line every few milliseconds. An admission has happened
// between two looks; the boundary of a window is put in proportion.
async function watch(server, room, seconds) {
    const looks = [];
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
        const before = performance.now();
        const { serving } = await server.queue(room);
        looks.push({ at: (before + performance.now()) / 2, serving });
        await sleep(4);
    }
    const windows = [];
    let i = 1;
    let last;
    for (let at = looks[0].at; at <= looks.at(-1).at; at += WINDOW_MS) {
        while (looks[i].at < at && i < looks.length - 1) i++;
        const [a, b] = [looks[i - 1], looks[i]];
        const serving = a.serving + ((b.serving - a.serving) * (at - a.at)) / (b.at - a.at);
        if (last !== undefined) windows.push(serving - last);
        last = serving;
    }
    return windows;
}

// Everybody counts as present for the first two minutes of a room, so each round has a room of its own; all but one are at
// rest, and their lines are there in both cases.
export async function admission({ size, repeat, note }) {
    const seconds = size.admission;
    const people = Math.max(size.longLine, RATE * (2 * seconds + 10));
    const server = await Holdfast.start('admission');
    note(`admission: ${repeat} rounds of ${seconds} s with and without, ${thousands(RATE)} a second from a line of ${thousands(people)}`);
    for (let round = 0; round < repeat; round++) {
        await server.room(`line-${round}`, { rate_per_second: RATE });
        await server.join(`line-${round}`, people);
    }
    const admitted = [];
    const allThreads = [];
    let windows = [];
    const result = await alternate(repeat, {
        with: async (round) => {
            const room = `line-${round}`;
            await server.runRoom(room, { open_at: instant(0) });
            await sleep(1000);
            const before = (await server.queue(room)).serving;
            const share = await idle(server, seconds);
            admitted.push(((await server.queue(room)).serving - before) / share.passed);
            allThreads.push(share.all);
            if (round === repeat - 1) windows = await watch(server, room, seconds);
            await server.runRoom(room, { paused: true });
            await server.settle();
            return share.loop;
        },
        without: async () => (await idle(server, seconds)).loop,
    });
    await server.stop();
    const cost = spread(result.with.runs.map((share, i) => share - result.without.runs[i]));
    const rate = spread(admitted);
    const busy = row({
        figure: 'admission', name: `admission of ${thousands(RATE)} a second: share of the loop's time`, unit: '%', ours: cost, value: cost.median,
        asked: 5, aim: 2, most: true,
        note: `${result.with.median.toFixed(2)} % with, ${result.without.median.toFixed(2)} % without; ${spread(allThreads).median.toFixed(1)} % of a core in all threads; ` +
            `${thousands(rate.median)} a second were admitted`,
        extra: { with: result.with, without: result.without, all_threads: allThreads, admitted_per_second: admitted },
    });
    if (rate.min < 0.95 * RATE || rate.max > 1.05 * RATE) busy.verdict = 'SHORT';
    const even = spread(windows);
    return [busy, row({
        figure: 'admission', name: `admissions in each ${WINDOW_MS} ms at ${thousands(RATE)} a second`, unit: '', ours: even, value: even.median,
        note: `of ${windows.length} windows the emptiest has ${even.min.toFixed(0)}, the fullest ${even.max.toFixed(0)}`,
    })];
}

// A room with a draw opens with all entries in it. The server is killed and started again before, so that its longest turn is
// of the opening and not of the joins. Looks from outside go on, a few hundred a second: how long they wait is what a client feels.
export async function opening({ size, note }) {
    const people = size.line;
    const server = await Holdfast.start('opening');
    await server.room('draw', { rate_per_second: RATE, shuffle_before_open: true });
    note(`opening: ${thousands(people)} join a room with a draw`);
    await server.join('draw', people);
    await server.kill();
    const ready = (await server.start()) / 1000;
    const { waiting } = await server.queue('draw');
    if (waiting !== people) throw new Error(`of ${people} entries ${waiting} came back after kill -9`);
    await server.settle();
    const before = await server.loopTurns();
    const openAt = Date.now() + 1000;
    await server.runRoom('draw', { open_at: new Date(openAt).toISOString() });
    const looks = startLoad('get', server.port, { connections: 4, rate: 200, time: 60, path: '/v1/events/draw/queue' });
    let first;
    await until('the first admission', async () => {
        if ((await server.queue('draw')).serving > 0) first = Date.now() - openAt;
        return first !== undefined;
    }, { every: 2, within: 50 });
    await sleep(2000);
    const after = await server.loopTurns();
    looks.stop();
    const felt = await looks.report;
    await server.stop();
    const turn = (name, ms) => row({
        figure: 'opening', name: `opening with a draw of ${thousands(people)}: longest turn of the loop by ${name}`, unit: 'ms', ours: spread([ms]),
        value: ms, asked: TURN_MOST_MS, aim: 2, most: true,
    });
    const wall = turn('the wall clock', after.wall_ms);
    wall.note = `${after.over - before.over} turns over ${TURN_MOST_MS} ms; the longest before the opening was ${before.wall_ms.toFixed(2)} ms; ` +
        `looks from outside took ${(felt.latency_us.max / 1000).toFixed(1)} ms at most`;
    wall.extra = { before, after, looks: felt, ready_s: ready };
    return [wall, turn('processor time', after.worked_ms), row({
        figure: 'opening', name: `opening with a draw of ${thousands(people)}: until the first admission`, unit: 's', ours: spread([first / 1000]),
        value: first / 1000, aim: 1, most: true, note: `ready ${ready.toFixed(2)} s after kill -9`,
    })];
}
