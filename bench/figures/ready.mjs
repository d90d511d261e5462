// SPDX-License-Identifier: Apache-2.0
// How long after a crash until it serves again: from starting the process to the first answer, with as many live holds here
// as keys there.
import { Holdfast } from '../holdfast.mjs';
import { Redis } from '../peers.mjs';
import { alternate, row, thousands } from '../measure.mjs';

export async function ready({ size, repeat, note }) {
    const n = size.ready;
    const ours = await Holdfast.start('ready');
    const redis = await Redis.start('plain');
    note(`ready: making ${thousands(n)} holds and as many keys`);
    await redis.load('redis-set', { connections: 64, count: n, seats: n, random: 7, ttl: 3600 });
    // Ours last: the first kill then finds the book as far behind as it gets.
    await ours.event('ready', n);
    await ours.load('hold', { connections: 64, count: n, event: 'ready', seats: n, users: Math.min(n, 200000), random: 7 });
    const restart = async (server) => {
        await server.kill();
        return (await server.start()) / 1000;
    };
    const result = await alternate(repeat, { ours: () => restart(ours), redis: () => restart(redis) });
    const { held } = await ours.progress();
    const keys = Number((await redis.command('DBSIZE')).slice(1));
    if (held !== n || keys !== n) throw new Error(`of ${n} holds ${held} and of as many keys ${keys} came back`);
    await Promise.all([ours.stop(), redis.stop()]);
    return [row({
        figure: 'ready', name: `ready after kill -9 with ${thousands(n)} live holds ÷ Redis loading as many keys`, unit: 's',
        ours: result.ours, peer: result.redis, peerName: 'Redis plain AOF', asked: 2, aim: 0.5, most: true,
    })];
}
