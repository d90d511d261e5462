/* SPDX-License-Identifier: Apache-2.0 */
/* patched.js — the program with a bug that was planted in its sources: built in a copy of them, from the objects that are
 * there. */
'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const ROOT = path.join(__dirname, '../../..');

/* variant: as the Makefile calls it; `release` takes half a minute. Returns {program, close}. */
function patched(patch, variant = 'test') {
    const program = variant === 'release' ? 'build/holdfast' : `build/${variant}/holdfast`;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-patched-'));
    const run = (...command) => execFileSync(command[0], command.slice(1), { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const part of ['Makefile', 'LICENSE', 'src', 'web', 'clients', 'docs', 'bench']) {
        run('cp', '-a', path.join(ROOT, part), folder);
    }
    fs.mkdirSync(path.join(folder, 'build', variant), { recursive: true });
    for (const part of ['gen', `${variant}/src`]) {
        if (fs.existsSync(path.join(ROOT, 'build', part))) {
            run('cp', '-a', path.join(ROOT, 'build', part), path.join(folder, 'build', part));
        }
    }
    run('patch', '-p1', '-f', '-s', '-i', patch);
    run('make', '-s', '-j2', 'BUILD=build', program);
    return { program: path.join(folder, program), close: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

module.exports = { patched };
