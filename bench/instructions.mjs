// SPDX-License-Identifier: Apache-2.0
// Instructions of the loop's thread for each request of a recording, of any build. See README.md.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeFolder, cleanUp } from './children.mjs';
import { binary, loadBinary } from './holdfast.mjs';
import { thousands } from './measure.mjs';
import { countInstructions, recordingNames } from './figures/instructions.mjs';

function options() {
    const text = { type: 'string' };
    const { values, positionals } = parseArgs({
        allowPositionals: true, options: { of: text, count: text, most: text, profile: text },
    });
    const program = path.resolve(positionals[0] ?? binary);
    for (const file of [program, loadBinary])
        if (!fs.existsSync(file)) throw new Error(`${file} is missing; build it with make`);
    const names = values.of?.split(',') ?? recordingNames;
    for (const name of names)
        if (!recordingNames.includes(name)) throw new Error(`no recording is called ${name}; there are ${recordingNames.join(', ')}`);
    const profile = values.profile && path.resolve(values.profile);
    return { program, names, requests: Number(values.count ?? 20000), most: Number(values.most ?? Infinity), profile };
}

let ok = false;
try {
    const asked = options();
    makeFolder(false);
    const counts = await countInstructions(asked);
    ok = true;
    for (const [name, each] of Object.entries(counts)) {
        const short = name === 'hold' && each > asked.most;
        ok &&= !short;
        console.log(`${thousands(each).padStart(8)} instructions of the loop a ${name}${short ? `, SHORT of ${thousands(asked.most)}` : ''}`);
    }
} catch (error) {
    console.error(`bench: ${error.message}`);
}
await cleanUp();
process.exit(ok ? 0 : 1);
