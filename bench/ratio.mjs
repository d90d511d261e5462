// SPDX-License-Identifier: Apache-2.0
// Two builds of the server side by side: durable holds a second, new ÷ old, in alternating rounds. See README.md.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeFolder, cleanUp } from './children.mjs';
import { Holdfast, loadBinary } from './holdfast.mjs';
import { spread, thousands } from './measure.mjs';

const RATE_MAX = 120000; // enough seats for a round at this rate
const SPARE_S = 60; // for starting, importing, writing the book and stopping; a round that takes longer is an error

function wrong(sentence) {
    if (sentence) console.error(`bench: ${sentence}`);
    console.error('usage: bench/ratio [--rounds 5] [--time 5] [--connections 64,256] [--least RATIO] OLD NEW');
    process.exit(sentence ? 2 : 0);
}

function options() {
    const text = { type: 'string' };
    const { values, positionals } = parseArgs({
        allowPositionals: true, options: { rounds: text, time: text, connections: text, least: text, help: { type: 'boolean' } },
    });
    if (values.help) wrong();
    if (positionals.length !== 2) wrong('two programs are needed');
    const number = (value, otherwise) => {
        const n = Number(value ?? otherwise);
        if (!(n > 0)) wrong(`${value} is not a number over 0`);
        return n;
    };
    const [old, now] = positionals.map((file) => path.resolve(file));
    for (const file of [old, now]) if (!fs.existsSync(file)) wrong(`${file} is not there`);
    if (!fs.existsSync(loadBinary)) wrong(`${loadBinary} is not there; build it with: make build/load`);
    return {
        programs: { old, new: now }, rounds: Math.round(number(values.rounds, 5)), time: number(values.time, 5),
        connections: (values.connections ?? '64,256').split(',').map((n) => number(n)),
        least: values.least === undefined ? 0 : number(values.least),
    };
}

// On its own server with an empty folder: holds per second, and the processor time of the loop's thread for each in µs.
async function measure(program, connections, time) {
    const seats = Math.ceil(RATE_MAX * time);
    const server = await Holdfast.start('ratio', program);
    await server.event('burst', seats);
    await server.settle();
    const before = server.processorSeconds().loop;
    const { rate, requests } = await server.load('hold', { connections, time, event: 'burst', seats, users: seats, random: 7 });
    const spent = server.processorSeconds().loop - before;
    await server.settle();
    await server.stop();
    return { rate, spent: (spent * 1e6) / requests };
}

function bounded(work, seconds) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`a round took more than ${seconds} s`)), seconds * 1000);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

// New ÷ old in each round.
const ratios = (of, runs) => spread(runs.new.map((run, i) => run[of] / runs.old[i][of]));
const shown = ({ median, min, max }) => `${median.toFixed(3)} (${min.toFixed(3)}..${max.toFixed(3)})`;

// The first of one round is second in the next, so that disturbances affect both.
async function compare({ programs, rounds, time }, connections) {
    const runs = { old: [], new: [] };
    const told = (name, { rate, spent }) => `${name} ${thousands(rate)}/s ${spent.toFixed(1)} µs`;
    for (let round = 0; round < rounds; round++) {
        for (const name of round % 2 ? ['new', 'old'] : ['old', 'new'])
            runs[name].push(await bounded(measure(programs[name], connections, time), time + SPARE_S));
        const [before, after] = [runs.old[round], runs.new[round]];
        console.log(`${connections} connections, round ${round + 1}: ${told('old', before)}, ${told('new', after)}, ` +
            `new ÷ old ${(after.rate / before.rate).toFixed(3)}`);
    }
    const [before, after] = ['old', 'new'].map((name) => thousands(spread(runs[name].map((run) => run.rate)).median));
    const rate = ratios('rate', runs);
    console.log(`${connections} connections, median of ${rounds} rounds: old ${before}/s, new ${after}/s, new ÷ old ${shown(rate)}; ` +
        `processor time of the loop a hold, new ÷ old ${shown(ratios('spent', runs))}`);
    return rate.median;
}

const asked = options();
makeFolder(false);
let ok = true;
try {
    for (const connections of asked.connections) ok = (await compare(asked, connections)) >= asked.least && ok;
    if (!ok) console.log(`SHORT of ${asked.least}`);
} catch (error) {
    console.error(`bench: ${error.message}`);
    ok = false;
}
await cleanUp();
process.exit(ok ? 0 : 1);
