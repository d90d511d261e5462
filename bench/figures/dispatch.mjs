// SPDX-License-Identifier: Apache-2.0
// Drivers and rides: what a large fleet costs, positions and searches beside Redis, and a city under load.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild, subfolder } from '../children.mjs';
import { Holdfast, adminKey, fleetBinary } from '../holdfast.mjs';
import { Redis } from '../peers.mjs';
import { alternate, row, spread, thousands } from '../measure.mjs';
import { drive } from './dispatch_load.mjs';

const FEW = 10000;
const POINTS = 65536;
const FLEET = { offer_seconds: 15, resolution: 9, max_rings: 6, presence_seconds: 3600 };

async function fleet(...args) {
    const { code, out, err } = await runChild(fleetBinary, args.map(String));
    if (code !== 0) throw new Error(`fleet ${args[0]} ended with ${code}: ${err.trim()}`);
    return JSON.parse(out);
}

// The core alone, by processor time: searches among many drivers and among few, each ride at another place.
async function large({ size, repeat, note }) {
    note(`dispatch: searches among ${thousands(size.drivers)} and ${thousands(FEW)} drivers`);
    const bytes = [];
    const result = await alternate(repeat, {
        many: async () => {
            const report = await fleet('core', size.drivers, size.probe);
            bytes.push(report.bytes);
            return 1e6 / report.searches;
        },
        few: async () => 1e6 / (await fleet('core', FEW, size.probe)).searches,
    });
    const memory = spread(bytes);
    return [
        row({
            figure: 'dispatch', name: `search with ${thousands(size.drivers)} drivers ÷ with ${thousands(FEW)}, same density`, unit: 'µs', ours: result.many,
            peer: result.few, peerName: `${thousands(FEW)} drivers`, asked: 1.5, aim: 1.2, most: true,
        }),
        row({ figure: 'dispatch', name: 'bytes per driver', unit: 'B', ours: memory, value: memory.median, asked: 128, aim: 112, most: true }),
    ];
}

// Points anywhere on earth, the same for both, by the processor's time of each.
async function besideH3({ size, repeat, note }) {
    note('dispatch: cells of points beside h3-js');
    const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
    const packages = execFileSync(path.join(root, 'tests/tools/install'), [path.join(root, 'tests/h3')], { encoding: 'utf8' }).trim();
    const { latLngToCell } = createRequire(import.meta.url)(path.join(packages, 'node_modules/h3-js'));
    const file = path.join(subfolder('cells'), 'points');
    const points = Float64Array.from({ length: 2 * POINTS }, (_, i) => (Math.random() - 0.5) * (i % 2 ? 360 : 178));
    fs.writeFileSync(file, points);
    const theirs = () => {
        let [count, spent] = [0, 0];
        const began = process.cpuUsage();
        for (; spent < size.probe * 1e6; count += POINTS) {
            for (let i = 0; i < POINTS; i++) latLngToCell(points[2 * i], points[2 * i + 1], FLEET.resolution);
            const { user, system } = process.cpuUsage(began);
            spent = user + system;
        }
        return (count * 1e6) / spent;
    };
    const cells = await alternate(repeat, { ours: async () => (await fleet('cells', file, size.probe)).cells, theirs: async () => theirs() });
    return [row({ figure: 'dispatch', name: 'cells of points ÷ h3-js', unit: '/s', ours: cells.ours, peer: cells.theirs, peerName: 'h3-js', asked: 1.5, aim: 3 })];
}

// A server with these drivers, all where `fleet` puts them first.
async function serverWithDrivers(count) {
    const server = await Holdfast.start('dispatch');
    await server.need(201, 'PUT', '/v1/fleets/bench', { body: JSON.stringify(FLEET) });
    const put = (i) => server.need(201, 'PUT', `/v1/fleets/bench/drivers/driver-${String(i).padStart(8, '0')}`, {
        body: JSON.stringify({ lat: 40, lng: -5, available: true }),
    });
    for (let i = 0; i < count; i += 64) await Promise.all(Array.from({ length: Math.min(64, count - i) }, (_, k) => put(i + k)));
    await server.settle();
    return server;
}

async function besideRedis({ size, repeat, note }) {
    const count = size.positions;
    note(`dispatch: positions of ${thousands(count)} drivers, 1,000 to a request, and searches, beside Redis`);
    const server = await serverWithDrivers(count);
    const redis = await Redis.start('memory');
    const reports = { ours: [], redis: [] };
    const keep = (side, report) => reports[side].push(report) && report;
    const positions = await alternate(repeat, {
        ours: async () => keep('ours', await fleet('http', server.port, server.child.pid, adminKey, 'bench', count, size.probe)).positions,
        redis: async () => keep('redis', await fleet('redis', redis.port, redis.child.pid, count, size.probe)).positions,
    });
    await Promise.all([server.stop(), redis.stop()]);
    const core = [];
    for (let i = 0; i < repeat; i++) core.push((await fleet('core', count, size.probe)).searches);
    const worked = (side, of) => spread(reports[side].map((report) => report[`${of}_worked`])).median;
    return [
        row({
            figure: 'dispatch', name: 'bulk positions over HTTP ÷ pipelined Redis GEOADD', unit: '/s', ours: positions.ours, peer: positions.redis,
            peerName: 'Redis', asked: 3, aim: 5, extra: { reports },
            note: `for each second of the server's processor ${thousands(worked('ours', 'positions'))} and ${thousands(worked('redis', 'positions'))}`,
        }),
        row({
            figure: 'dispatch', name: 'candidate searches of core ÷ pipelined Redis GEOSEARCH of 16 within 800 m', unit: '/s', ours: spread(core),
            peer: spread(reports.redis.map((report) => report.searches)), peerName: 'Redis', asked: 3, aim: 5,
            note: `Redis for each second of its processor ${thousands(worked('redis', 'searches'))}`,
        }),
    ];
}

// Rides, accepts and timeouts against a city of drivers that move.
async function city({ size, note }) {
    note(`dispatch: ${thousands(size.ridesAMinute)} rides a minute for ${size.rideSeconds} s against ${thousands(size.cityDrivers)} drivers`);
    const server = await Holdfast.start('dispatch');
    const report = await drive(server, { drivers: size.cityDrivers, ridesAMinute: size.ridesAMinute, seconds: size.rideSeconds });
    const turns = await server.loopTurns();
    await server.stop();
    const line = (name, unit, value, asked, aim, more) =>
        row({ figure: 'dispatch', name, unit, ours: spread([value]), value, asked, aim, most: true, ...more });
    const counts = `${thousands(report.rides)} rides, ${thousands(report.assigned)} assigned, ${thousands(report.lapsed)} offers lapsed, up to ${thousands(report.streamsMost)} streams`;
    return [
        line("p99 from an offer's deadline to the next offer, as its stream shows it", 'ms', report.next_ms.p99, 100, 50, { note: counts, extra: { report } }),
        line('accepts sent 200 ms or more before the deadline and answered offer_expired', '', report.expiredEarly, 0, 0, { note: `of ${thousands(report.accepts)}` }),
        line('longest loop turn meanwhile', 'ms', turns.wall_ms, 10, 5, { note: `${turns.worked_ms.toFixed(1)} ms of the processor, ${turns.over} over 10 ms` }),
    ];
}

export async function dispatch(context) {
    return [...(await large(context)), ...(await besideH3(context)), ...(await besideRedis(context)), ...(await city(context))];
}
