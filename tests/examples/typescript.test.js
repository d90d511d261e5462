/* SPDX-License-Identifier: Apache-2.0 */
/* examples/typescript: with the types that openapi-typescript makes from /openapi.json a program compiles under `tsc
 * --strict`, works against a server with the demo's data, and wrong uses do not compile. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync, spawn, spawnSync } = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { PROGRAM } = require('../conformance/lib/server.js');
const { learn } = require('../conformance/lib/description.js');

const EXAMPLE = path.join(__dirname, '../../examples/typescript');
const START_MS = 30_000;
const installed = execFileSync(path.join(__dirname, '../tools/install'), [EXAMPLE], { encoding: 'utf8' }).trim();
const adminKey = `admin-${crypto.randomBytes(24).toString('hex')}`;
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^HOLDFAST|^NODE_TEST/.test(name)));
const demo = {};

/* The demo on a free port, and a copy of the example beside the packages that it needs. */
test.before(async () => {
    demo.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-example-'));
    const args = ['demo', '--data', path.join(demo.folder, 'data'), '--listen', '127.0.0.1:0'];
    demo.child = spawn(PROGRAM, args, { env: { ...environment, HOLDFAST_ADMIN_KEY: adminKey }, stdio: ['ignore', 'pipe', 'ignore'] });
    demo.exit = new Promise((resolve) => demo.child.on('close', resolve));
    demo.url = await new Promise((resolve, reject) => {
        let text = '';
        const timer = setTimeout(() => reject(new Error(`does not listen: ${text}`)), START_MS);
        demo.child.stdout.setEncoding('utf8').on('data', (more) => {
            const [, url] = /^listening on (\S+)$/m.exec((text += more)) ?? [];
            if (url) {
                clearTimeout(timer);
                resolve(url);
            }
        });
    });
    demo.work = path.join(demo.folder, 'typescript');
    fs.cpSync(EXAMPLE, demo.work, { recursive: true });
    fs.copyFileSync(path.join(__dirname, 'types.ts'), path.join(demo.work, 'types.ts'));
    fs.symlinkSync(path.join(installed, 'node_modules'), path.join(demo.work, 'node_modules'));
});
test.after(async () => {
    demo.child.kill('SIGTERM');
    await demo.exit;
    fs.rmSync(demo.folder, { recursive: true });
});

function run(program, args, env = {}) {
    const { status, stdout, stderr } = spawnSync(
        program, args, { cwd: demo.work, env: { ...environment, ...env }, encoding: 'utf8', timeout: 600_000 }
    );
    assert.equal(status, 0, `${program} ${args.join(' ')}\n${stdout}${stderr}`);
    return stdout;
}

test('it compiles, and wrong uses do not', async () => {
    const { document } = await learn(demo.url);
    fs.writeFileSync(path.join(demo.work, 'openapi.json'), JSON.stringify(document));
    run('node_modules/.bin/openapi-typescript', ['openapi.json', '-o', 'holdfast.ts']);
    run('node_modules/.bin/tsc', ['--strict']);
});

test('it sells seats, books an appointment and goes through a waiting room', () => {
    const told = run('node', ['out/sell.js'], { HOLDFAST_URL: demo.url, HOLDFAST_ADMIN_KEY: adminKey });
    assert.match(told, /^seats: ord_\w+, tickets \w{20}, \w{20}\nappointment: ord_\w+, tickets \w{20}\npremiere: ord_\w+, tickets \w{20}\n$/);
});
