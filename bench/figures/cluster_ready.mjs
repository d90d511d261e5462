// SPDX-License-Identifier: Apache-2.0
// How long a node with an empty folder needs until it is ready, when it takes the snapshot of a site with many live claims.
import { row, spread, thousands, until } from '../measure.mjs';
import { Postgres } from '../postgres.mjs';
import { Site } from '../site.mjs';

export async function clusterReady({ size, repeat, note }) {
    const n = size.claims;
    const pg = await Postgres.start();
    const site = new Site('cluster-ready', pg);
    const owner = await site.node('one');
    note(`cluster-ready: making ${thousands(n)} holds and their snapshot`);
    await owner.event('claims', n);
    await owner.load('hold', { connections: 256, count: n, event: 'claims', seats: n, users: Math.min(n, 200000), random: 7 });
    await site.settle();
    // Nobody is called so; but to erase a person there must be a snapshot that does not have the name.
    await owner.need(202, 'DELETE', '/v1/users/nobody');
    await until('a snapshot', async () => (await site.value('SELECT count(*) FROM snapshot_done WHERE shard=this')) > 0, { every: 50, within: 300 });
    const bytes = await site.value('SELECT sum(length(bytes)) FROM snapshot WHERE shard=this');
    const seconds = [];
    for (let round = 0; round < repeat; round++) {
        const began = performance.now();
        const node = await site.node(`empty-${round}`);
        seconds.push((performance.now() - began) / 1000);
        const { held } = await node.progress();
        if (!node.told().includes('took the snapshot')) throw new Error('the node has not taken the snapshot');
        if (held !== n) throw new Error(`of ${thousands(n)} holds the new node has ${thousands(held)}`);
        site.nodes.pop();
        await node.stop();
    }
    await site.stop();
    await pg.stop();
    return [row({
        figure: 'cluster-ready', name: `an empty node until ready, ${thousands(n)} live claims in the snapshot`, unit: 's',
        ours: spread(seconds), value: Math.max(...seconds), asked: 60, most: true, note: `a snapshot of ${thousands(bytes / 2 ** 20)} MiB`,
    })];
}
