/* SPDX-License-Identifier: Apache-2.0 */
/* The Makefile: the caller's flags reach every compiler and linker, and no other processor gets flags of x86. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/* The commands that compile and link the program, into an empty folder, with these variables of make. */
function commands(t, ...variables) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-make-'));
    t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
    const env = { ...process.env, MAKEFLAGS: '', MAKELEVEL: '', CFLAGS: '', LDFLAGS: '' };
    const text = execFileSync('make', ['-n', `BUILD=${folder}`, ...variables, `${folder}/holdfast`, `${folder}/test/unit/base_buf`, `${folder}/load`],
        { cwd: path.join(__dirname, '../..'), env, encoding: 'utf8', maxBuffer: 1 << 26 });
    const lines = text.replaceAll('\\\n', '').split('\n').filter((line) => / -o /.test(line) && !/^\s*echo/.test(line));
    return { compiling: lines.filter((line) => / -c /.test(line)), linking: lines.filter((line) => / -pie /.test(line)) };
}

test('CFLAGS reach every compiler and linker, LDFLAGS every linker, after our own', (t) => {
    const { compiling, linking } = commands(t, 'CFLAGS=-DOF_CALLER', 'LDFLAGS=-Wl,--of-caller');
    assert.ok(compiling.length > 300 && linking.length === 3, `${compiling.length} ${linking.length}`);
    for (const line of compiling) {
        assert.match(line, / -O[12] .* -DOF_CALLER /);
        assert.doesNotMatch(line, /--of-caller/);
    }
    for (const line of linking) {
        assert.match(line, / -pie .* -DOF_CALLER -Wl,--of-caller /);
    }
});

test('control-flow protection is on for processors that have it', (t) => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-gcc-'));
    t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
    for (const [machine, protectedByIt] of [['x86_64-linux-gnu', true], ['i686-linux-gnu', true], ['aarch64-linux-gnu', false], ['riscv64-linux-gnu', false]]) {
        const compiler = path.join(folder, machine);
        fs.writeFileSync(compiler, `#!/bin/sh\necho ${machine}\n`, { mode: 0o755 });
        for (const line of commands(t, `CC=${compiler}`).compiling) {
            assert.equal(line.includes('-fcf-protection'), protectedByIt, machine);
        }
    }
});
