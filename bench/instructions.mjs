// SPDX-License-Identifier: Apache-2.0
// Instructions of the loop's thread for each hold, counted by callgrind. See README.md.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeFolder, cleanUp, runChild, subfolder } from './children.mjs';
import { Holdfast, binary, loadBinary } from './holdfast.mjs';
import { thousands } from './measure.mjs';

const WARM_UP = 4000; // holds before counting begins

function options() {
    const text = { type: 'string' };
    const { values, positionals } = parseArgs({
        allowPositionals: true, options: { count: text, connections: text, most: text, profile: text },
    });
    const program = path.resolve(positionals[0] ?? binary);
    for (const file of [program, loadBinary])
        if (!fs.existsSync(file)) throw new Error(`${file} is missing; build it with make`);
    return {
        program, count: Number(values.count ?? 20000), connections: Number(values.connections ?? 64),
        most: Number(values.most ?? Infinity), profile: values.profile,
    };
}

async function control(server, ...args) {
    const { code, out, err } = await runChild('callgrind_control', [...args, String(server.child.pid)]);
    if (code !== 0) throw new Error(`callgrind_control ${args.join(' ')} ended with ${code}: ${out}${err}`);
}

// Of the dump that callgrind made last, the part of the first thread, which is the loop's.
function loopDump(folder) {
    const dumps = fs.readdirSync(folder).filter((name) => /^out\.\d+-01$/.test(name));
    dumps.sort((a, b) => parseInt(b.slice(4), 10) - parseInt(a.slice(4), 10));
    if (!dumps.length) throw new Error('callgrind made no dump of the first thread');
    return path.join(folder, dumps[0]);
}

async function measure({ program, count, connections, profile }) {
    const folder = subfolder('callgrind');
    const callgrind = ['valgrind', '--tool=callgrind', '--separate-threads=yes', `--callgrind-out-file=${path.join(folder, 'out')}`];
    const server = new Holdfast('instructions', program, callgrind);
    await server.start();
    const seats = WARM_UP + count;
    await server.event('burst', seats);
    const burst = { connections, event: 'burst', seats, users: seats, random: 7 };
    await server.load('hold', { ...burst, count: WARM_UP });
    await server.settle();
    await control(server, '--zero');
    await server.load('hold', { ...burst, first: WARM_UP, count });
    await control(server, '--dump');
    const dump = loopDump(folder);
    if (profile) fs.copyFileSync(dump, profile);
    const total = Number(fs.readFileSync(dump, 'utf8').match(/^(?:summary|totals): (\d+)$/m)[1]);
    await server.stop();
    return total / count;
}

let ok = false;
try {
    const asked = options();
    makeFolder(false);
    const each = await measure(asked);
    ok = each <= asked.most;
    console.log(`${thousands(each)} instructions of the loop a hold${ok ? '' : `, SHORT of ${thousands(asked.most)}`}`);
} catch (error) {
    console.error(`bench: ${error.message}`);
}
await cleanUp();
process.exit(ok ? 0 : 1);
