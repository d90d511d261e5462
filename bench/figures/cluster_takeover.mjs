// SPDX-License-Identifier: Apache-2.0
// How long a site with many live claims acknowledges nothing when its owner is killed, and when it hands over.
import { performance } from 'node:perf_hooks';
import { row, sleep, spread, thousands } from '../measure.mjs';
import { Postgres } from '../postgres.mjs';
import { Site } from '../site.mjs';

const PROBE_EVERY_MS = 10;
const GO_ON_MS = 500; // after the new owner's first acknowledgement: another gap would be a fault, too
const PATIENCE_MS = 60000;
const NOT_NOW = [421, 503]; // no node decides, or it is not known which

let seat = 0; // each probe asks for another one

// The longest time from `act` on in which no hold was acknowledged by anyone, in seconds. Probes leave at a fixed pace, each
// on a connection of its own if need be, and all go to the node that is to take over.
async function outage(next, act) {
    const acknowledged = [];
    const wrong = [];
    const under_way = new Set();
    const ask = () => {
        const asked = next.hold('probes', `s${seat++}`, 'probe', 3600).then(({ status, text }) => {
            if (status === 201) acknowledged.push(performance.now());
            else if (!NOT_NOW.includes(status)) wrong.push(`${status}: ${text.slice(0, 200)}`);
        }, (error) => wrong.push(error.message)).finally(() => under_way.delete(asked));
        under_way.add(asked);
    };
    const began = performance.now();
    const acted = act();
    let decides;
    for (let role = ''; !decides || performance.now() < decides + GO_ON_MS; await sleep(PROBE_EVERY_MS)) {
        ask();
        if (wrong.length) throw new Error(`a probe's hold answered ${wrong[0]}`);
        if (performance.now() > began + PATIENCE_MS) throw new Error(`no hold was acknowledged within ${PATIENCE_MS / 1000} s`);
        if (role !== 'owner') role = (await next.readiness()).role;
        else if (!decides && acknowledged.length) decides = acknowledged.at(-1);
    }
    await Promise.all([...under_way, acted]);
    if (wrong.length) throw new Error(`a probe's hold answered ${wrong[0]}`);
    const instants = [began, ...acknowledged.sort((a, b) => a - b)];
    return Math.max(...instants.slice(1).map((at, i) => at - instants[i])) / 1000;
}

// The nodes take turns: who was the owner starts again and follows.
async function changeOwner(site, nodes, turn, act) {
    const [owner, next] = turn % 2 ? [nodes[1], nodes[0]] : nodes;
    await site.settle(owner);
    await owner.noteLoopTurn();
    const seconds = await outage(next, () => act(owner));
    await owner.start();
    await owner.untilRole('follower');
    return seconds;
}

export async function clusterTakeOver({ size, note }) {
    const n = size.claims;
    const pg = await Postgres.start();
    const site = new Site('cluster-takeover', pg);
    const nodes = [await site.node('one'), await site.node('two')];
    note(`cluster-takeover: making ${thousands(n)} holds`);
    await nodes[0].event('claims', n);
    await nodes[0].event('probes', 100000);
    await nodes[0].load('hold', { connections: 256, count: n, event: 'claims', seats: n, users: Math.min(n, 200000), random: 7 });
    const killed = [];
    const handed = [];
    note(`cluster-takeover: ${size.takeOvers} times kill -9, and as many times SIGTERM`);
    for (let turn = 0; turn < 2 * size.takeOvers; turn++) {
        if (turn < size.takeOvers) killed.push(await changeOwner(site, nodes, turn, (owner) => owner.end('SIGKILL')));
        else handed.push(await changeOwner(site, nodes, turn, (owner) => owner.end('SIGTERM')));
    }
    const { held } = await nodes[0].progress();
    if (held < n) throw new Error(`of ${thousands(n)} holds ${thousands(held)} are left`);
    await site.stop();
    await pg.stop();
    const longest = (name, values, asked) => row({
        figure: 'cluster-takeover', name: `${name} to the next acknowledged hold, ${thousands(n)} live claims, maximum of ${values.length}`,
        unit: 's', ours: spread(values), value: Math.max(...values), asked, most: true,
    });
    return [longest('from kill -9 of the owner', killed, 8), longest('from SIGTERM of the owner', handed, 1)];
}
