/* SPDX-License-Identifier: Apache-2.0 */
/* Runs build/linear, or the program that LINEAR names, on a history. */
'use strict';

const path = require('node:path');
const { spawnSync } = require('node:child_process');

const program = process.env.LINEAR ?? path.join(__dirname, '../../../', process.env.BUILD ?? 'build', 'linear');

function linear(input, ...options) {
    const { status, signal, stdout, stderr, error } = spawnSync(program, [...options, '-'], { input, encoding: 'utf8', maxBuffer: 1 << 26 });
    if (error && error.code !== 'EPIPE') throw error;
    return { code: status ?? signal, output: stdout + stderr };
}

module.exports = { linear, program };
