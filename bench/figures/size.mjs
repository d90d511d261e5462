// SPDX-License-Identifier: Apache-2.0
// What size costs: time with very many seats, and bytes a seat and a hold.
import { Holdfast } from '../holdfast.mjs';
import { alternate, row, spread, thousands } from '../measure.mjs';

// A server with few seats can only be claimed empty once, so both sides take the same small bursts of claims that end two
// seconds later, again and again; the rate is over the bursts alone.
export async function large({ size, note }) {
    const claims = size.small;
    const events = 10;
    const few = await Holdfast.start('large');
    const many = await Holdfast.start('large');
    await few.event('few', claims);
    note(`large: importing ${thousands(size.large)} seats`);
    for (let i = 0; i < events; i++) await many.event(`many-${i}`, size.large / events);
    const imported = (await many.progress()).seq;
    note(`large: bursts of ${thousands(claims)} claims in random order`);
    const burst = async (server, options) => {
        const report = await server.load('hold', { connections: 64, count: claims, users: claims, ttl: 2, ...options });
        await server.drainHolds();
        return report.rate;
    };
    const result = await alternate(size.bursts, {
        many: (round) => burst(many, { event: 'many', events, seats: size.large / events, random: 7, first: round * claims }),
        few: (round) => burst(few, { event: 'few', seats: claims, random: round }),
    });
    await Promise.all([few.stop(), many.stop()]);
    return [row({
        figure: 'large', name: `holds with ${thousands(size.large)} seats, random order ÷ with ${thousands(claims)}`, unit: '/s',
        ours: result.many, peer: result.few, peerName: `${thousands(claims)} seats`, asked: 0.8, aim: 0.95, extra: { imported_seq: imported },
    })];
}

// The slope of resident memory between N and 2N, so that what a server needs anyway does not count.
export async function memory({ size, note }) {
    const n = size.memory;
    const server = await Holdfast.start('memory');
    note(`memory: ${thousands(n)} and ${thousands(2 * n)} seats, then as many holds`);
    await server.event('memory', n);
    const seatsOnce = await server.resident();
    await server.seats('memory', n, 2 * n);
    const seatsTwice = await server.resident();
    const take = (first) => server.load('hold', { connections: 64, count: n, event: 'memory', seats: 2 * n, first, users: n });
    await take(0);
    const holdsOnce = await server.resident();
    await take(n);
    const holdsTwice = await server.resident();
    await server.stop();
    const bytes = (name, value, asked, aim) => row({ figure: 'memory', name, unit: 'B', ours: spread([value]), value, asked, aim, most: true,
        extra: { resident: { seatsOnce, seatsTwice, holdsOnce, holdsTwice } } });
    return [
        bytes('bytes per idle seat', (seatsTwice - seatsOnce) / n, 160, 96),
        bytes('bytes per live hold', (holdsTwice - holdsOnce) / n, 400, 256),
    ];
}
