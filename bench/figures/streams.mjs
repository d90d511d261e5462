// SPDX-License-Identifier: Apache-2.0
// How soon those who follow their entry hear that they were let in.
import { Holdfast } from '../holdfast.mjs';
import { row, spread, thousands } from '../measure.mjs';

const WITHIN_S = 1;
const AT_ONCE = 100000; // the greatest rate there is: all within a tenth of a second

// All are let in at once, then, in another room, at a pace. At once the time counts from the sending of the PATCH that
// resumes the room, so it holds the admission itself; at a pace it counts from each one's turn.
export async function streams({ size, repeat, note }) {
    const count = size.streams;
    const pace = size.streamPace;
    note(`streams: ${repeat} rounds of ${thousands(count)} followers, at once and ${thousands(pace)} a second`);
    const runs = { atOnce: [], paced: [] };
    const follow = async (server, name, rate) => {
        await server.room(name, { rate_per_second: rate, open_at: undefined });
        await server.runRoom(name, { paused: true });
        const report = await server.load('stream', { connections: count, event: name, rate, time: count / rate + 30 });
        await server.settle();
        return report;
    };
    for (let round = 0; round < repeat; round++) {
        const server = await Holdfast.start('streams');
        runs.atOnce.push(await follow(server, 'at-once', AT_ONCE));
        runs.paced.push(await follow(server, 'paced', pace));
        await server.stop();
    }
    const told = (of, share) => spread(runs[of[0]].map((report) => report[of[1]][share] / 1e6));
    const times = (of) => `p50 ${told(of, 'p50').median.toFixed(3)} s, p99 ${told(of, 'p99').median.toFixed(3)} s`;
    const line = (name, of) => {
        const last = told(of, 'max');
        return row({
            figure: 'streams', name: `${thousands(count)} streams told of their admission, the last one ${name}`, unit: 's', ours: last, value: last.max,
            asked: WITHIN_S, aim: 0.25, most: true, note: times(of), extra: { reports: runs[of[0]] },
        });
    };
    return [
        line('after the PATCH that admits all', ['atOnce', 'told_us']),
        line(`after its turn at ${thousands(pace)} a second`, ['paced', 'behind_us']),
    ];
}
