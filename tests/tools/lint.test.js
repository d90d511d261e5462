/* SPDX-License-Identifier: Apache-2.0 */
/* Two linters find no error and no warning in /openapi.json: redocly (recommended) and spectral (oas). */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { shared } = require('../conformance/lib/server.js');

const hf = shared();
const tools = execFileSync(path.join(__dirname, 'install'), [__dirname], { encoding: 'utf8' }).trim();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-lint-'));
test.after(() => fs.rmSync(folder, { recursive: true }));

/* They read the document only, and send no telemetry. */
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };

function run(tool, ...args) {
    const program = path.join(tools, 'node_modules/.bin', tool);
    const { stdout, stderr, error } = spawnSync(program, args, { env, cwd: folder, encoding: 'utf8', timeout: 600_000 });
    assert.ok(!error, String(error));
    const at = stdout.search(/^[[{]/m);
    assert.ok(at >= 0, `${tool} says nothing: ${stdout}${stderr}`);
    return JSON.parse(stdout.slice(at));
}

/* Each returns its findings: [rule, where and what]. */
const LINTERS = {
    redocly: (file) => run('redocly', 'lint', '--extends=recommended', '--format=json', '--max-problems=1000', file)
        .problems.map(({ ruleId, message, location }) => [ruleId, `${location[0]?.pointer}: ${message}`]),
    spectral: (file) => {
        const rules = path.join(folder, 'rules.json');
        fs.writeFileSync(rules, '{"extends": ["spectral:oas"]}');
        return run('spectral', 'lint', '--quiet', '--ruleset', rules, '--format=json', file)
            .map(({ code, message, path: at }) => [code, `${at.join('/')}: ${message}`]);
    },
};

for (const [name, lint] of Object.entries(LINTERS)) {
    test(`${name} finds nothing`, () => {
        const file = path.join(folder, `${name}.json`);
        const { document } = hf.description;
        assert.match(document.openapi, /^3/);
        fs.writeFileSync(file, JSON.stringify(document));
        assert.deepEqual(lint(file), []);
    });

    test(`${name} would find something`, () => {
        const file = path.join(folder, `${name}-bad.json`);
        const get = { responses: { 200: { description: 'Done.' } } };
        fs.writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: { '/x': { get } } }));
        const found = new Set(lint(file).map(([rule]) => rule));
        ['operation-operationId'].forEach((rule) => assert.ok(found.has(rule), [...found].join(' ')));
    });
}
