// SPDX-License-Identifier: Apache-2.0
// What many bookings cost the next one: finding a conflict is O(log n) in the claims on a calendar.
import { Holdfast } from '../holdfast.mjs';
import { alternate, row, thousands } from '../measure.mjs';

const FEW = 400;    // bookings on each quiet calendar
const CLAIMED = 500; // and claims on it at a time, so that it stays under 1,000
const DAY_S = 86400;
const GAP_S = 900; // a booking takes the first ten minutes of a half hour, a claim ten minutes of the rest: none touch

// One quiet calendar would be full of claims long before a burst is over, so there are as many as keep each of them quiet.
export async function calendar({ size, note }) {
    const claims = size.small;
    const calendars = Math.ceil(claims / CLAIMED);
    const from = Math.ceil(Date.now() / 1000 / DAY_S + 30) * DAY_S;
    const busy = await Holdfast.start('calendar');
    const quiet = await Holdfast.start('calendar');
    await busy.calendar('busy');
    for (let i = 0; i < calendars; i++) await quiet.calendar(`quiet-${i}`);
    const book = async (server, options) => {
        const count = options.seats * (options.events ?? 1);
        await server.load('slot', { connections: 64, count, admin: true, commit: true, 'slots-from': from, users: claims, random: 3, ...options });
        await server.settle();
    };
    note(`calendar: ${thousands(size.bookings)} bookings, then bursts of ${thousands(claims)} claims between them`);
    await book(busy, { event: 'busy', seats: size.bookings });
    await book(quiet, { event: 'quiet', events: calendars, seats: FEW });
    const burst = async (server, options) => {
        const report = await server.load('slot', { connections: 64, count: claims, users: claims, ttl: 2, 'slots-from': from + GAP_S, ...options });
        await server.drainHolds();
        return report.rate;
    };
    const rounds = Math.min(size.bursts, Math.floor(size.bookings / claims));
    const result = await alternate(rounds, {
        busy: (round) => burst(busy, { event: 'busy', seats: size.bookings, random: 7, first: round * claims }),
        quiet: (round) => burst(quiet, { event: 'quiet', events: calendars, seats: CLAIMED, random: round }),
    });
    await Promise.all([busy.stop(), quiet.stop()]);
    return [row({
        figure: 'calendar', name: `holds on a calendar with ${thousands(size.bookings)} bookings ÷ on one with under 1,000`, unit: '/s',
        ours: result.busy, peer: result.quiet, peerName: 'under 1,000', asked: 0.8, aim: 0.95,
    })];
}
