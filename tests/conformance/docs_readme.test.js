/* SPDX-License-Identifier: Apache-2.0 */
/* The sessions of README.md, as written there, against the demo: each call gets the answer it should, twice in a row. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { ownProcess, PROGRAM } = require('./lib/server.js');

const TEXT = fs.readFileSync(path.join(__dirname, '../../README.md'), 'utf8');
const BLOCKS = [...TEXT.matchAll(/```sh\n([^]*?)```/g)].map(([, block]) => block).filter((block) => /curl/.test(block));

async function startDemo(t, folder, env) {
    const demo = spawn(path.resolve(PROGRAM), ['demo', '--listen', '127.0.0.1:0'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
    t.after(async () => {
        demo.kill('SIGKILL');
        await once(demo, 'close');
        fs.rmSync(folder, { recursive: true, force: true });
    });
    let url;
    for await (const line of readline.createInterface({ input: demo.stdout })) {
        url ??= /^listening on (.*)/.exec(line)?.[1];
        if (line.startsWith('or:')) { /* the demo's data is complete */
            break;
        }
    }
    return url;
}

test('the sessions of README.md work as written, and again', ownProcess, async (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-'));
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^HOLDFAST|^NODE_TEST/.test(name)));
    const url = await startDemo(t, folder, env);
    const script = `set -o pipefail\n${BLOCKS.join('')}`.replace(/^URL=\S+/m, `URL=${url}`);
    for (const codes of [['taken', 'taken'], ['taken', 'taken', 'already_confirmed']]) {
        const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8', timeout: 60_000 });
        assert.deepEqual([status, stderr], [0, ''], stdout);
        assert.deepEqual([...stdout.matchAll(/"code":"([a-z_]+)"/g)].map(([, code]) => code), codes, stdout);
        assert.ok(stdout.match(/"order_id"/g).length >= 4, stdout); /* each session sells */
        assert.match(stdout, /BEGIN:VEVENT/);
    }
});
