// SPDX-License-Identifier: Apache-2.0
// What buyers feel while many hooks go to receivers that refuse connections: every sale is sent to all of them, in vain.
import { freePort } from '../children.mjs';
import { Holdfast } from '../holdfast.mjs';
import { alternate, median, row } from '../measure.mjs';

const HOOKS = 56;
const BUYERS = 8;

// One sale after the other: a hold, and its commit.
async function buy(server, event, first, until) {
    let sold = 0;
    for (; Date.now() < until; sold++) {
        const answer = await server.hold(event, `s${first + sold * BUYERS}`, `u${first}`);
        if (answer.status !== 201) throw new Error(`a hold was answered ${answer.status}: ${answer.text}`);
        const { reservation_id } = JSON.parse(answer.text);
        await server.need(200, 'POST', `/v1/reservations/${reservation_id}/commit`, { body: '{}' });
    }
    return sold;
}

export async function unreachable({ size, repeat, note }) {
    const quiet = await Holdfast.start('unreachable');
    const busy = await Holdfast.start('unreachable');
    for (let i = 0; i < HOOKS; i++) {
        const body = { url: `http://127.0.0.1:${await freePort()}/`, events: ['reservation.confirmed'], secret: `whsec_${'A'.repeat(32)}` };
        await busy.need(201, 'PUT', `/v1/hooks/h${i}`, { body: JSON.stringify(body) });
    }
    note(`unreachable: ${repeat} rounds of ${size.short} s a side`);
    const spent = { with: [], without: [] }; // processor time of the loop's thread a sale, in µs
    const sell = async (side, server, round) => {
        await server.event(`sale-${round}`, size.short * 20000);
        await server.settle();
        const before = server.processorSeconds().loop;
        const until = Date.now() + size.short * 1000;
        const sold = await Promise.all(Array.from({ length: BUYERS }, (_, i) => buy(server, `sale-${round}`, i, until)));
        const count = sold.reduce((sum, n) => sum + n, 0);
        spent[side].push(((server.processorSeconds().loop - before) * 1e6) / count);
        await server.settle();
        return count / size.short;
    };
    const result = await alternate(repeat, {
        without: (round) => sell('without', quiet, round),
        with: (round) => sell('with', busy, round),
    });
    const { worked_ms } = await busy.loopTurns();
    await busy.stop();
    await quiet.stop();
    return [row({
        figure: 'unreachable', name: `sales with ${HOOKS} hooks whose receivers refuse connections ÷ without`, unit: '/s',
        ours: result.with, peer: result.without, peerName: 'without', asked: 0.9, aim: 0.97,
        note: `processor time of the loop a sale: ${median(spent.with).toFixed(1)} µs, without ${median(spent.without).toFixed(1)} µs; ` +
            `busiest turn ${worked_ms.toFixed(1)} ms`,
        extra: { loop_us: spent, busiest_ms: worked_ms },
    })];
}
