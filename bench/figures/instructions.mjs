// SPDX-License-Identifier: Apache-2.0
// Instructions of the loop's thread for each hold, refusal, join and commit, counted by callgrind while a fixed recording is replayed.
// Unlike a time they do not depend on what else the machine does.
import fs from 'node:fs';
import path from 'node:path';
import { runChild, subfolder } from '../children.mjs';
import { Holdfast, loadDigest } from '../holdfast.mjs';
import { row, spread } from '../measure.mjs';
import { hold } from './commits.mjs';

const CONNECTIONS = 64;
const REQUESTS = 50000;   // in each recording; a replay takes the first of them
const WARM_UP = 4000;     // replayed before counting begins
const USERS_AGAIN = 1000; // of refusals, who take turns: the server knows their tokens by the time they are counted
const TOKENS_END = 4102444800; // the year 2100: the same tokens in every run

// A recording is what the load generator sends with these options: the same bytes in every run, as the digest shows. Commits name
// reservations, whose ids a server draws at random, so theirs differ in these ids. `from(n)` gives the options to begin at
// request n, `prepare` sets the server up and gives the other options.
const recordings = {
    hold: {
        each: 'each of another seat in random order, by another user', most: 40000,
        workload: 'hold', options: { event: 'sale', seats: REQUESTS, users: REQUESTS, random: 7 }, from: (n) => ({ first: n }),
        digest: '2406b55f9f20e5555f6a9783fe5ce275c228137edcfec3652840d75c2cd63fee',
        prepare: (server) => server.event('sale', REQUESTS),
    },
    refusal: {
        each: 'all of one seat that is held, by 1,000 users taking turns',
        workload: 'refuse', options: { event: 'hot', users: USERS_AGAIN }, from: () => ({}),
        digest: '0acb67e3211da3c207627adb435b382de66cb073ce57ef5774d4f4e0fbffb15c',
        prepare: async (server) => {
            await server.event('hot', 1);
            const { status, text } = await server.hold('hot', 's0', 'first', 3600);
            if (status !== 201) throw new Error(`the first hold of the hot seat answered ${status}: ${text}`);
        },
    },
    join: {
        each: 'each by another user, into one waiting room',
        workload: 'join', options: { event: 'line' }, // other users than those of the holds, whose tokens it has seen
        from: (n) => ({ first: REQUESTS + n, users: REQUESTS - n }),
        digest: '6a1159ac83ceb208372cf5cde91414a7bdb33f45c6b231744e85c8ce4a23c659',
        prepare: (server) => server.room('line'),
    },
    commit: {
        each: 'each of another reservation, with a payment and a ticket, by the admin key',
        workload: 'commit', options: { admin: true }, from: (n) => ({ first: n }),
        prepare: async (server, count) => ({ codes: await hold(server, 'paid', count) }),
    },
};
export const recordingNames = Object.keys(recordings);

async function control(server, ...args) {
    const { code, out, err } = await runChild('callgrind_control', [...args, String(server.child.pid)]);
    if (code !== 0) throw new Error(`callgrind_control ${args.join(' ')} ended with ${code}: ${out}${err}`);
}

async function checkRecording(name) {
    const { workload, options, from, digest } = recordings[name];
    if (!digest) return;
    const found = await loadDigest(workload, { ...options, ...from(0), 'tokens-end': TOKENS_END, count: REQUESTS });
    if (found !== digest) throw new Error(`the recording ${name} is not the one that earlier counts were taken with: its digest is ${found}`);
}

// Of the dump that callgrind made last, the part of the first thread, which is the loop's.
function loopDump(folder) {
    const dumps = fs.readdirSync(folder).filter((name) => /^out\.\d+-01$/.test(name));
    dumps.sort((a, b) => parseInt(b.slice(4), 10) - parseInt(a.slice(4), 10));
    if (!dumps.length) throw new Error('callgrind made no dump of the first thread');
    return path.join(folder, dumps[0]);
}

// Replays the part of a recording after the warm-up; the instructions of the loop for each request. callgrind's dump is copied to
// `profile` if given.
async function count(server, dumps, name, requests, profile) {
    const { workload, options, from, prepare } = recordings[name];
    const replay = { connections: CONNECTIONS, ...options, 'tokens-end': TOKENS_END, ...(await prepare(server, WARM_UP + requests)) };
    await server.load(workload, { ...replay, ...from(0), count: WARM_UP });
    await server.settle();
    await control(server, '--instr=on');
    await server.load(workload, { ...replay, ...from(WARM_UP), count: requests });
    await control(server, '--instr=off');
    await control(server, '--dump');
    const dump = loopDump(dumps);
    if (profile) fs.copyFileSync(dump, profile);
    return Number(fs.readFileSync(dump, 'utf8').match(/^totals: (\d+)$/m)[1]) / requests;
}

// { name: instructions a request }, of a build of the program.
export async function countInstructions({ program, names = recordingNames, requests, profile }) {
    if (!(requests >= 1 && requests <= REQUESTS - WARM_UP)) throw new Error(`1 to ${REQUESTS - WARM_UP} requests can be counted`);
    const dumps = subfolder('callgrind');
    const server = new Holdfast('instructions', program, [
        'valgrind', '--tool=callgrind', '--separate-threads=yes', '--instr-atstart=no', `--callgrind-out-file=${path.join(dumps, 'out')}`,
    ]);
    const counts = {};
    await Promise.all(names.map(checkRecording));
    await server.start();
    for (const name of names) counts[name] = await count(server, dumps, name, requests, profile && `${profile}.${name}`);
    await server.stop();
    return counts;
}

export async function instructions({ size, note }) {
    const requests = size.replayed;
    note(`instructions: ${recordingNames.join(', ')}; ${requests} of each`);
    const counts = await countInstructions({ requests });
    return recordingNames.map((name) => row({
        figure: 'instructions', name: `instructions of the loop a ${name}`, unit: 'instructions', ours: spread([counts[name]]),
        value: counts[name], asked: recordings[name].most, most: true, note: recordings[name].each,
    }));
}
