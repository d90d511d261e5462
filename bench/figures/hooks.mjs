// SPDX-License-Identifier: Apache-2.0
// What holds feel while thousands of messages wait for a receiver that takes connections and never answers.
import net from 'node:net';
import { Holdfast } from '../holdfast.mjs';
import { alternate, median, row, thousands } from '../measure.mjs';

const WAITING = 10000;
const HOOK = '/v1/hooks/dead';

export async function hooks({ size, repeat, note }) {
    const receiver = net.createServer(() => {});
    await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const seats = size.probe * 120000;
    const quiet = await Holdfast.start('hooks');
    const busy = await Holdfast.start('hooks');
    const url = `http://127.0.0.1:${receiver.address().port}/`;
    const put = (events) => busy.need([200, 201], 'PUT', HOOK, {
        body: JSON.stringify({ url, events, secret: `whsec_${'A'.repeat(32)}` }),
    });
    let rate;
    for (const server of [busy, quiet]) {
        await server.event('probe', seats);
        const report = await server.load('hold', { connections: 64, time: size.probe, event: 'probe', seats, random: 7 });
        await server.settle();
        // At half of it the book's thread and the load share the processors with the loop, and the scheduler makes the p99.
        rate = Math.floor(report.rate / 4);
    }
    await busy.event('told', WAITING);
    await put(['reservation.held']);
    await busy.load('hold', { connections: 64, event: 'told', seats: WAITING, users: WAITING, random: 7, count: WAITING });
    await busy.settle();
    // What waits stays; new holds make no more of it.
    await put(['refund.due']);
    const { waiting } = JSON.parse((await busy.need(200, 'GET', HOOK)).text);
    if (waiting !== WAITING) throw new Error(`${waiting} messages wait`);
    note(`hooks: ${thousands(waiting)} messages wait; ${rate} holds/s for ${size.latency} s a run`);
    const needed = Math.ceil(rate * size.latency * 1.1);
    const spent = { with: [], without: [] }; // processor time of the loop's thread a hold, in µs: a busy machine changes it less
    const run = async (side, server, round) => {
        await server.event(`sale-${round}`, needed);
        await server.settle();
        const before = server.processorSeconds().loop;
        const report = await server.load('hold', {
            connections: 64, time: size.latency, rate, event: `sale-${round}`, seats: needed, users: needed, random: 7,
        });
        spent[side].push(((server.processorSeconds().loop - before) * 1e6) / report.requests);
        await server.settle();
        return report.latency_us.p99 / 1000;
    };
    const result = await alternate(Math.max(repeat, 1), {
        without: (round) => run('without', quiet, round),
        with: (round) => run('with', busy, round),
    });
    await busy.stop();
    await quiet.stop();
    receiver.close();
    return [row({
        figure: 'hooks', name: 'p99 of holds with 10,000 messages for a dead receiver ÷ without', unit: 'ms',
        ours: result.with, peer: result.without, peerName: 'without', asked: 1.2, aim: 1.1, most: true,
        note: `at ${rate} holds/s; processor time of the loop a hold: ${median(spent.with).toFixed(1)} µs, without ${median(spent.without).toFixed(1)} µs`,
        extra: { waiting, rate, loop_us: spent },
    })];
}
