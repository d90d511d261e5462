// SPDX-License-Identifier: Apache-2.0
// An event is cancelled while others go on buying: how long it takes until every sale is refunded, and what holds feel meanwhile.
import { performance } from 'node:perf_hooks';
import { Holdfast } from '../holdfast.mjs';
import { alternate, row, spread, thousands, until } from '../measure.mjs';

const SELLERS = 32;

// Each seat is a sale of its own, with a payment on record.
async function sell(server, event, count) {
    let next = 0;
    await server.event(event, count, {}, { price: 500 });
    await Promise.all(Array.from({ length: SELLERS }, async () => {
        for (let i = next++; i < count; i = next++) {
            await server.need(201, 'POST', '/v1/reservations', { body: JSON.stringify({
                user_id: `u${i}`, commit: true, payment_ref: `pi_${event}_${i}`, items: [{ event, seat: `s${i}` }],
            }) });
        }
    }));
}

// Seconds until nothing is left of it.
async function cancelEvent(server, event, count) {
    const target = `/v1/events/${event}/cancel`;
    const began = performance.now();
    await server.need(202, 'POST', target, { body: '{}' });
    let last;
    await until('every sale to be refunded', async () => {
        last = JSON.parse((await server.need(200, 'GET', target)).text);
        return last.state === 'done';
    }, { every: 20, within: 300 });
    if (last.refunded !== count) throw new Error(`${last.refunded} sales were refunded, not ${count}`);
    return (performance.now() - began) / 1000;
}

export async function cancel({ size, repeat, note }) {
    const count = size.cancelled;
    const server = await Holdfast.start('cancel');
    const seats = size.probe * 120000;
    await server.event('probe', seats);
    const { rate: most } = await server.load('hold', { connections: 64, time: size.probe, event: 'probe', seats, random: 7 });
    await server.settle();
    const rate = Math.floor(most / 2), needed = Math.ceil(rate * size.latency * 1.1);
    note(`cancel: ${thousands(count)} sales; ${rate} holds/s for ${size.latency} s a run`);
    const took = [];
    const run = async (name, beside) => {
        await server.event(name, needed);
        await server.settle();
        const [report] = await Promise.all([
            server.load('hold', { connections: 64, time: size.latency, rate, event: name, seats: needed, users: needed, random: 7 }),
            beside?.(),
        ]);
        await server.settle();
        return report.latency_us.p99 / 1000;
    };
    const result = await alternate(Math.max(repeat, 1), {
        without: (round) => run(`quiet-${round}`),
        with: async (round) => {
            await sell(server, `off-${round}`, count);
            await server.settle();
            return run(`busy-${round}`, async () => took.push(await cancelEvent(server, `off-${round}`, count)));
        },
    });
    await server.stop();
    const seconds = spread(took);
    return [
        row({
            figure: 'cancel', name: `an event of ${thousands(count)} sales is cancelled and refunded, while others buy`, unit: 's',
            ours: seconds, value: seconds.median, asked: 30, aim: 10, most: true, note: `at ${rate} holds/s`,
        }),
        row({
            figure: 'cancel', name: 'p99 of holds meanwhile ÷ without', unit: 'ms', ours: result.with, peer: result.without,
            peerName: 'without', asked: 3, aim: 1.5, most: true, note: `at ${rate} holds/s`, extra: { rate, seconds: took },
        }),
    ];
}
