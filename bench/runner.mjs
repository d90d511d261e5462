// SPDX-License-Identifier: Apache-2.0
// `make bench`: the figures of Holdfast beside its peers, all in one run on one machine. See README.md.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeFolder, stopAll, cleanUp, version } from './children.mjs';
import { binary, fleetBinary, loadBinary, receiveBinary, loopTurns, TURN_MOST_MS } from './holdfast.mjs';
import { watchHost } from './host.mjs';
import { peerVersions } from './peers.mjs';
import { holds, rules, sustained, refusals } from './figures/holds.mjs';
import { large, memory } from './figures/size.mjs';
import { hooks } from './figures/hooks.mjs';
import { unreachable } from './figures/unreachable.mjs';
import { commits } from './figures/commits.mjs';
import { cancel } from './figures/cancel.mjs';
import { door } from './figures/door.mjs';
import { reads, expiry } from './figures/latency.mjs';
import { calendar } from './figures/calendar.mjs';
import { ready } from './figures/ready.mjs';
import { queue, polls } from './figures/queue.mjs';
import { admission, opening } from './figures/admission.mjs';
import { streams } from './figures/streams.mjs';
import { dispatch } from './figures/dispatch.mjs';
import { pages } from './figures/pages.mjs';
import { instructions } from './figures/instructions.mjs';
import { cluster } from './figures/cluster.mjs';
import { median, row, spread } from './measure.mjs';
import { printTable, writeResults } from './report.mjs';

const figures = { holds, rules, sustained, refusals, large, calendar, memory, expiry, reads, commits, hooks, unreachable, door, cancel, ready, queue, admission, polls, opening, streams, dispatch, pages, instructions, ...cluster };
const groups = { cluster: Object.keys(cluster), 'cluster-redis': Object.keys(cluster).filter((name) => name.startsWith('cluster-redis-')) };

// Seconds and counts. The quick ones only show that everything runs; their numbers mean little.
const full = {
    burst: 10, short: 5, sustained: 60, probe: 3, latency: 5, small: 10000, bursts: 10, large: 10000000, memory: 1000000,
    expirySmall: 100000, expiryLarge: 1000000, millionRounds: 3, ready: 1000000, bookings: 100000, line: 2000000,
    warmUp: 100000, longLine: 200000, admission: 10, streams: 10000, streamPace: 1000, cancelled: 50000,
    drivers: 1000000, positions: 100000, cityDrivers: 20000, ridesAMinute: 10000, rideSeconds: 180, replayed: 20000,
    claims: 1000000, takeOvers: 5, followed: 5000, followedSeconds: 20, layout: 1000000, freed: 20,
};
const quick = {
    burst: 1, short: 1, sustained: 2, probe: 1, latency: 1, small: 2000, bursts: 2, large: 100000, memory: 20000,
    expirySmall: 5000, expiryLarge: 20000, millionRounds: 1, ready: 20000, bookings: 5000, line: 40000,
    warmUp: 5000, longLine: 20000, admission: 2, streams: 500, streamPace: 500, cancelled: 1000,
    drivers: 100000, positions: 10000, cityDrivers: 2000, ridesAMinute: 600, rideSeconds: 10, replayed: 2000,
    claims: 20000, takeOvers: 1, followed: 1000, followedSeconds: 2, layout: 50000, freed: 3,
};

function options() {
    const { values, positionals } = parseArgs({
        allowPositionals: true,
        options: { quick: { type: 'boolean' }, repeat: { type: 'string' }, keep: { type: 'boolean' }, results: { type: 'string' }, help: { type: 'boolean' } },
    });
    const wanted = positionals.flatMap((name) => groups[name] ?? name);
    const unknown = wanted.filter((name) => !figures[name]);
    if (values.help || unknown.length) {
        const what = unknown.length ? `no figure is called ${unknown.join(', ')}\n` : '';
        console.error(`${what}usage: bench/run [--quick] [--repeat N] [--keep] [--results FOLDER] [figure ...]\nfigures: ${Object.keys({ ...figures, ...groups }).join(' ')}`);
        process.exit(values.help ? 0 : 2);
    }
    for (const [file, target] of [[binary, 'holdfast'], [loadBinary, 'load'], [receiveBinary, 'receive'], [fleetBinary, 'fleet']])
        if (!fs.existsSync(file)) {
            console.error(`bench: ${file} is not there; build it with: make build/${target}`);
            process.exit(1);
        }
    return {
        size: values.quick ? quick : full,
        quick: Boolean(values.quick),
        repeat: values.repeat ? Number(values.repeat) : values.quick ? 1 : 3,
        keep: Boolean(values.keep),
        results: path.resolve(values.results ?? path.join(os.tmpdir(), 'holdfast-bench')),
        chosen: wanted.length ? wanted : Object.keys(figures),
    };
}

// The cost of a sync says more about durable figures than the processor's name.
function syncMicroseconds(folder) {
    const file = path.join(folder, 'sync-probe');
    const fd = fs.openSync(file, 'w');
    const page = Buffer.alloc(4096, 1);
    const times = [];
    for (let i = 0; i < 200; i++) {
        const began = process.hrtime.bigint();
        fs.writeSync(fd, page);
        fs.fdatasyncSync(fd);
        times.push(Number(process.hrtime.bigint() - began) / 1000);
    }
    fs.closeSync(fd);
    fs.rmSync(file);
    return Math.round(median(times));
}

function machine(folder) {
    return {
        cpu: os.cpus()[0]?.model.trim(), cores: os.cpus().length, memory_gib: Math.round(os.totalmem() / 2 ** 30),
        kernel: `${os.type()} ${os.release()}`, sync_4k_us: syncMicroseconds(folder),
    };
}

// By the wall clock, and by the processor time of the turn, which also grows on a host that does not report what it
// steals.
function loopRow(of, by) {
    const longest = loopTurns.reduce((a, b) => (b[of] > a[of] ? b : a));
    return row({
        figure: 'loop', name: `longest loop turn in all of the above, by ${by}`, unit: 'ms', ours: spread([longest[of]]), value: longest[of],
        asked: TURN_MOST_MS, aim: 2, most: true, note: `in figure ${longest.during}`, extra: { turns: loopTurns },
    });
}

// How many turns were too long, including other threads' share of two processors, and how often the host took one away
// for as long.
function overRow(host) {
    const over = loopTurns.reduce((sum, turn) => sum + turn.over, 0);
    return row({
        figure: 'loop', name: `loop turns over ${TURN_MOST_MS} ms in all of the above`, unit: 'turns', ours: spread([over]), value: over, extra: { host },
        note: `${host.often} times the host took a processor away for longer than that, ${host.longest_ms} ms at the longest, ` +
            `${(host.share * 100).toFixed(1)} % of their time in all`,
    });
}

async function main() {
    const chosen = options();
    const folder = makeFolder(chosen.keep);
    const versions = { holdfast: version(binary) ?? 'unknown', ...peerVersions(), node: process.version };
    const about = { date: new Date().toISOString(), quick: chosen.quick, repeat: chosen.repeat, machine: machine(folder), versions };
    for (const [name, text] of Object.entries({ ...versions, ...about.machine })) console.log(`${name.padEnd(12)} ${text}`);
    const context = { ...chosen, note: (text) => console.error(`bench: ${text}`) };
    const rows = [];
    const failures = [];
    const host = watchHost(TURN_MOST_MS);
    for (const name of chosen.chosen) {
        const began = Date.now();
        try {
            rows.push(...(await figures[name](context)));
        } catch (error) {
            failures.push({ figure: name, error: error.message });
            console.error(`bench: ${name} failed: ${error.message}`);
        }
        await stopAll();
        context.note(`${name} took ${((Date.now() - began) / 1000).toFixed(1)} s`);
    }
    const taken = host();
    if (loopTurns.length) rows.push(loopRow('wall_ms', 'the wall clock'), loopRow('worked_ms', 'processor time'), overRow(taken));
    printTable(rows);
    writeResults(chosen.results, { ...about, rows, failures });
    for (const { figure, error } of failures) console.log(`FAILED ${figure}: ${error.split('\n')[0]}`);
    await cleanUp();
    const most = Math.max(TURN_MOST_MS, taken.longest_ms);
    const slow = loopTurns.some((turn) => turn.worked_ms > most);
    if (slow) console.log(`FAILED loop: a turn of the loop took more than ${most} ms of processor time`);
    process.exitCode = failures.length || slow ? 1 : 0;
}

main().catch(async (error) => {
    console.error(`bench: ${error.stack}`);
    await cleanUp();
    process.exit(1);
});
