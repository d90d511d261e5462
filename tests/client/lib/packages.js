/* SPDX-License-Identifier: Apache-2.0 */
/* packages.js — the clients as they are published: built from a copy of clients/, without a network. */
'use strict';

const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { PROGRAM } = require('../../conformance/lib/server.js');

const root = path.join(__dirname, '../../..');
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^HOLDFAST|^NODE_TEST/.test(name)));
/* No registry, no cache, no index: whatever asks for one fails. */
const OFFLINE = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false', PIP_NO_INDEX: '1' };

function run(program, args, { cwd, env = {}, fails = false } = {}) {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
        cwd, env: { ...environment, ...OFFLINE, HOLDFAST: path.resolve(PROGRAM), ...env }, encoding: 'utf8', timeout: 600_000,
    });
    assert.ok(!error, String(error));
    assert.equal(status !== 0, fails, `${program} ${args.join(' ')}\n${stdout}${stderr}`);
    return fails ? stderr : stdout;
}

/* The same without blocking: a server of this process can answer meanwhile. Ends with its exit code. */
function runBeside(program, args, { cwd, env = {} } = {}) {
    const child = spawn(program, args, { cwd, env: { ...environment, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    [child.stdout, child.stderr].forEach((stream) => stream.setEncoding('utf8').on('data', (more) => (text += more)));
    return new Promise((resolve, reject) => child.on('error', reject).on('close', (code) => resolve({ code, text })));
}

/* A folder with clients/ as it is in the repository, without what was made in it. */
function copyClients(t) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-clients-'));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const made = [/\/js\/api$/, /\/js\/LICENSE$/, /\.tgz$/, /\/holdfast\/(api|types)\.py$/, /__pycache__/];
    fs.cpSync(path.join(root, 'clients'), path.join(folder, 'clients'), { recursive: true, filter: (name) => !made.some((one) => one.test(name)) });
    fs.copyFileSync(path.join(root, 'LICENSE'), path.join(folder, 'LICENSE'));
    return folder;
}

/* The samples of a document in a language. */
const samples = (file, language) => [...fs.readFileSync(path.join(root, file), 'utf8')
    .matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, text]) => text);

module.exports = { root, run, runBeside, copyClients, samples };
