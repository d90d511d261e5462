/* SPDX-License-Identifier: Apache-2.0 */
/* src/base/h3_tables.c is what src/base/h3_tables.py makes. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const BASE = path.join(__dirname, '../../src/base');

test('the tables are those that their script derives', () => {
    const made = execFileSync('python3', ['-B', path.join(BASE, 'h3_tables.py')], { encoding: 'utf8' });
    assert.equal(fs.readFileSync(path.join(BASE, 'h3_tables.c'), 'utf8'), made);
});
