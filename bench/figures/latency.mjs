// SPDX-License-Identifier: Apache-2.0
// What holds feel while something large goes on. Open loop at half the measured maximum; medians of alternating runs.
import { Holdfast, startLoad } from '../holdfast.mjs';
import { alternate, row, sleep, spread, thousands, until } from '../measure.mjs';

async function maximum(server, size, options) {
    const report = await server.load('hold', { connections: 64, time: size.probe, ...options });
    await server.settle();
    return report.rate;
}

const p99 = (report) => report.latency_us.p99 / 1000;

// 50 reads a second of the whole availability of an event of 60,000 seats, while a sale goes on in it and its neighbours.
export async function reads({ size, repeat, note }) {
    const seats = 60000;
    const server = await Holdfast.start('reads');
    await server.event('probe', size.probe * 120000);
    const rate = Math.floor((await maximum(server, size, { event: 'probe', seats: size.probe * 120000, random: 7 })) / 2);
    const needed = rate * size.latency;
    const events = Math.ceil(needed / seats) + 1;
    note(`reads: ${rate} holds/s for ${size.latency} s a run, with and without reads`);
    const run = async (workload, round, name) => {
        const event = `${name}${round}`;
        for (let i = 0; i < events; i++) await server.event(`${event}-${i}`, seats);
        await server.settle();
        const options = { connections: 64, time: size.latency, rate, event, events, seats, users: needed, random: 7 };
        if (workload === 'mixed') Object.assign(options, { path: `/v1/events/${event}-0/availability`, reads: 50 });
        const report = await server.load(workload, options);
        await server.settle();
        if (report.reads) readLatency.push(p99(report.reads));
        late.push(report.late_us.p99 / 1000);
        return p99(report);
    };
    const readLatency = [];
    const late = []; // the generator's own delay, run by run
    const result = await alternate(Math.max(repeat, 1), {
        without: (round) => run('hold', round, 'quiet'),
        with: (round) => run('mixed', round, 'busy'),
    });
    await server.stop();
    return [row({
        figure: 'reads', name: 'p99 of holds with 50 availability reads/s of 60,000 seats ÷ without', unit: 'ms',
        ours: result.with, peer: result.without, peerName: 'without', asked: 2, aim: 1.2, most: true,
        note: `at ${rate} holds/s; p99 of the reads ${spread(readLatency).median.toFixed(2)} ms`, extra: { rate, reads_p99_ms: readLatency, late_p99_ms: late },
    })];
}

// `load --ends-at` may end a hold this much before the second begins, so that none ends after it.
const ENDS_AT_GUARD_MS = 50;

// Probes in the same second, whose deadlines we know to the millisecond: each must be takeable from its deadline on.
async function placeProbes(server, event, firstSeat, endsAt, count) {
    const probes = [];
    for (let i = 0; i < count; i++) {
        const ttl = endsAt - Math.floor(Date.now() / 1000);
        const answer = await server.hold(event, `s${firstSeat + i}`, 'probe', ttl);
        if (answer.status !== 201) throw new Error(`a probe's hold answered ${answer.status}: ${answer.text}`);
        probes.push({ seat: `s${firstSeat + i}`, endsAt: Date.parse(JSON.parse(answer.text).expires_at) });
        await sleep(1000 / count);
    }
    return probes;
}

// Two milliseconds are for the difference between two processes' reading of one clock.
async function takeProbes(server, event, probes) {
    let refused = 0;
    await Promise.all(probes.map(async (probe) => {
        await sleep(Math.max(0, probe.endsAt + 2 - Date.now()));
        const answer = await server.hold(event, probe.seat, 'taker', 3600);
        if (answer.status !== 201) refused++;
    }));
    return refused;
}

// From the second's end until `expired` reservations have expired, durably. Other holds go on meanwhile, so the number that
// is held says less than the number that has expired.
async function watchEnd(server, endsAt, expired) {
    await until('the deadline', () => Date.now() >= endsAt * 1000, { every: 1, within: 3600 });
    let seq = 0;
    await until('the mass expiry', async () => {
        const now = await server.progress();
        seq = now.seq;
        return now.expired >= expired;
    }, { every: 20, within: 120 });
    await until('its journal', async () => (await server.progress()).durable >= seq, { every: 5, within: 60 });
    return Date.now() / 1000 - endsAt - 1;
}

async function expireOnce(server, { event, n, rate, size, lead, otherFirst, otherSeats }) {
    const began = Date.now();
    const endsAt = Math.ceil(began / 1000 + lead);
    await server.load('hold', { connections: 64, count: n, event, seats: n, 'ends-at': endsAt, admin: true });
    const probes = await placeProbes(server, event, n, endsAt, 20);
    await server.settle();
    const prepared = (Date.now() - began) / 1000;
    if (Date.now() / 1000 + size.latency + 1.5 > endsAt)
        throw new Error(`making ${n} holds took ${prepared.toFixed(1)} s, too long for the lead of ${lead.toFixed(1)} s`);
    const other = { connections: 64, rate, event: 'other', seats: otherSeats, users: 200000, random: 7 };
    const before = await server.load('hold', { ...other, time: size.latency, first: otherFirst });
    const expired = (await server.progress()).expired + n + probes.length;
    const during = startLoad('hold', server.port, { ...other, time: 120, first: otherFirst + before.requests, 'start-at': endsAt * 1000 - ENDS_AT_GUARD_MS });
    const taken = takeProbes(server, event, probes);
    const seconds = await watchEnd(server, endsAt, expired);
    during.stop();
    const report = await during.report;
    return { seconds, refused: await taken, before: p99(before), during: p99(report), used: before.requests + report.requests, prepared };
}

// n holds that end within one second.
async function expiryOf(n, within, { size, repeat, note }) {
    const server = await Holdfast.start('expiry');
    const rounds = n > 200000 ? Math.min(repeat, size.millionRounds) : repeat;
    await server.event('probe', size.probe * 120000);
    const top = await maximum(server, size, { event: 'probe', seats: size.probe * 120000, random: 7 });
    const rate = Math.floor(top / 2);
    const otherSeats = Math.ceil(rate * (size.latency + within + 12) * rounds);
    await server.event('other', otherSeats);
    note(`expiry: ${rounds} rounds of ${thousands(n)} holds that end in one second, ${rate} other holds/s`);
    let lead = n / top * 3 + size.latency + 5;
    let otherFirst = 0;
    const all = [];
    for (let round = 0; round < rounds; round++) {
        const event = `ending-${round}`;
        await server.event(event, n + 20);
        await server.settle();
        const one = await expireOnce(server, { event, n, rate, size, lead, otherFirst, otherSeats });
        all.push(one);
        otherFirst += one.used;
        lead = one.prepared * 1.3 + size.latency + 4;
        await server.settle();
    }
    await server.stop();
    const refused = all.reduce((sum, one) => sum + one.refused, 0);
    const time = spread(all.map((one) => one.seconds));
    const label = `${thousands(n)} holds that end in the same second`;
    const done = row({
        figure: 'expiry', name: `${label}: durable as expired after the last deadline`, unit: 's', ours: time, value: time.median,
        asked: within, most: true, note: `${20 * rounds - refused} of ${20 * rounds} probes taken at their deadline`, extra: { refused },
    });
    if (refused) done.verdict = 'SHORT';
    return [done, row({
        figure: 'expiry', name: `${label}: p99 of other holds meanwhile ÷ before`, unit: 'ms',
        ours: spread(all.map((one) => one.during)), peer: spread(all.map((one) => one.before)), peerName: 'before',
        asked: 3, aim: 1.5, most: true, note: `at ${rate} holds/s`,
    })];
}

export async function expiry(context) {
    const rows = await expiryOf(context.size.expirySmall, 1, context);
    return rows.concat(await expiryOf(context.size.expiryLarge, 3, context));
}
