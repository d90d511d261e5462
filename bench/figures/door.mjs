// SPDX-License-Identifier: Apache-2.0
// Check-ins beside holds: a door must be as quick as a sale. Every check-in is another ticket's, and durable before its answer.
import fs from 'node:fs';
import path from 'node:path';
import { Holdfast } from '../holdfast.mjs';
import { alternate, median, row, thousands } from '../measure.mjs';

const RATE_MAX = 120000; // seats enough for a burst at this rate
const UNITS = 1000; // of one reservation, each with a ticket

// So many tickets are sold; the file of their codes.
async function sell(server, event, count) {
    const file = path.join(server.folder, `${event}.codes`);
    await server.need(201, 'PUT', `/v1/events/${event}`, { body: JSON.stringify({ name: event, payment: 'none' }) });
    await server.need(201, 'PUT', `/v1/events/${event}/pools/floor`, { body: JSON.stringify({ capacity: count }) });
    const body = JSON.stringify({ user_id: 'box-office', commit: true, items: [{ event, pool: 'floor', quantity: UNITS }] });
    const codes = [];
    while (codes.length < count) {
        const { text } = await server.need(201, 'POST', '/v1/reservations', { body });
        codes.push(...JSON.parse(text).tickets.map(({ code }) => code));
    }
    fs.writeFileSync(file, `${codes.join('\n')}\n`);
    return file;
}

export async function door({ size, repeat, note }) {
    const connections = 64;
    const time = size.short;
    const seats = Math.ceil(RATE_MAX * time);
    const ours = await Holdfast.start('door');
    note(`door: ${repeat} rounds of ${time} s a side`);
    let rate = 0;
    const spent = { holds: [], checkIns: [] }; // processor time of the loop's thread, in µs: a busy machine changes it less
    const burst = async (side, kind, options) => {
        await ours.settle();
        const before = ours.processorSeconds().loop;
        const report = await ours.load(kind, { connections, time, ...options });
        spent[side].push(((ours.processorSeconds().loop - before) * 1e6) / report.requests);
        await ours.settle();
        return report.rate;
    };
    const result = await alternate(repeat, {
        holds: async (round) => {
            await ours.event(`sale-${round}`, seats);
            const held = await burst('holds', 'hold', { event: `sale-${round}`, seats, users: seats, random: 7 });
            rate = Math.max(rate, held);
            return held;
        },
        checkIns: async (round) => {
            // Enough for twice the rate of holds; if that is not enough it stops early, and the rate is right all the same.
            const tickets = Math.ceil((2 * (rate || RATE_MAX / 2) * time) / UNITS) * UNITS;
            const codes = await sell(ours, `door-${round}`, tickets);
            return burst('checkIns', 'check-in', { codes, admin: true });
        },
    });
    await ours.stop();
    return [row({
        figure: 'door', name: 'check-ins ÷ holds, at 64 connections', unit: '/s', ours: result.checkIns, peer: result.holds,
        peerName: 'holds', asked: 0.9, aim: 1.1,
        note: `processor time of the loop: ${median(spent.checkIns).toFixed(1)} µs, of a hold ${median(spent.holds).toFixed(1)} µs; ` +
            `up to ${thousands(Math.round(2 * rate * time))} tickets`,
        extra: { loop_us: spent },
    })];
}
