// SPDX-License-Identifier: Apache-2.0
// A stampede into a waiting room: what an entry costs in time and memory, and what it costs to look at the line from outside.
import { Holdfast, instant } from '../holdfast.mjs';
import { alternate, row, spread, thousands } from '../measure.mjs';

const USER_BYTES = 9; // of the generator's user ids, u00000000
const RATE = 1000;    // admissions a second

// Joins on one server, as many holds on another, in turns; in the end all entries are in one line, and nothing else is on
// that server. The warm-up joins another room, so that what a busy server needs anyway does not count as the entries'.
export async function queue({ size, repeat, note }) {
    const levels = [64, 256];
    const each = Math.floor(size.line / (levels.length * repeat));
    const total = each * levels.length * repeat;
    const line = await Holdfast.start('queue, joins');
    const sale = await Holdfast.start('queue, holds');
    await line.room('warm-up');
    await line.room('line');
    await line.join('warm-up', size.warmUp);
    await sale.event('sale', total);
    await sale.settle();
    note(`queue: ${thousands(total)} entries and as many holds, ${thousands(each)} at a time`);
    const before = await line.resident();
    const results = {};
    let done = 0;
    for (const connections of levels) {
        const first = done;
        results[connections] = await alternate(repeat, {
            joins: async (round) => {
                const report = await line.load('join', { connections, event: 'line', first: first + round * each, users: each, count: each });
                await line.settle();
                return report.rate;
            },
            holds: async (round) => {
                const report = await sale.load('hold', { connections, event: 'sale', seats: total, first: first + round * each, users: each, count: each, random: 7 });
                await sale.settle();
                return report.rate;
            },
        });
        done += repeat * each;
    }
    const { waiting } = await line.queue('line');
    if (waiting !== total) throw new Error(`${total} have joined, ${waiting} wait`);
    const after = await line.resident();
    await Promise.all([line.stop(), sale.stop()]);
    const bytes = (after - before) / total;
    return [
        ...levels.map((connections) => row({
            figure: 'queue', name: `durable joins at ${connections} connections ÷ durable holds`, unit: '/s',
            ours: results[connections].joins, peer: results[connections].holds, peerName: 'holds', asked: 1, aim: 1.3,
        })),
        row({
            figure: 'queue', name: `bytes per entry in a line of ${thousands(total)}`, unit: 'B', ours: spread([bytes]), value: bytes, asked: 120,
            aim: 80, most: true, note: `with user ids of ${USER_BYTES} bytes`, extra: { resident: { before, after }, user_bytes: USER_BYTES },
        }),
    ];
}

// Everybody looks at the public number while people are let in. Beside: a fixed body, asked for with the same head.
export async function polls({ size, repeat, note }) {
    const connections = 64;
    const time = size.short;
    const people = RATE * (2 * time * repeat + 20);
    const server = await Holdfast.start('polls');
    await server.room('line', { rate_per_second: RATE });
    await server.join('line', people);
    note(`polls: ${repeat} rounds of ${time} s a side, while ${thousands(RATE)} a second are admitted`);
    await server.runRoom('line', { open_at: instant(0) });
    const began = Date.now();
    const get = async (path) => (await server.load('get', { connections, time, path })).rate;
    const result = await alternate(repeat, { polls: () => get('/v1/events/line/queue'), fixed: () => get('/healthz') });
    const seconds = (Date.now() - began) / 1000;
    const { serving, waiting } = await server.queue('line');
    if (!waiting || serving < 0.8 * RATE * seconds)
        throw new Error(`${serving} were admitted in ${seconds.toFixed(1)} s and ${waiting} wait: the admission did not go on`);
    await server.stop();
    return [row({
        figure: 'polls', name: 'public polls of a waiting room ÷ own fixed body', unit: '/s', ours: result.polls, peer: result.fixed,
        peerName: 'GET /healthz, same head', asked: 0.7, aim: 0.9, note: `${thousands(serving / seconds)} a second were admitted meanwhile`,
    })];
}
