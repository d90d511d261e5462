/* SPDX-License-Identifier: Apache-2.0 */
/* src/base/geo/h3_tables.c and web/lib/h3_tables.js are the output of src/base/geo/h3_tables.py. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const GEO = path.join(__dirname, '../../src/base/geo');

const WEB = path.join(__dirname, '../../web/lib');

for (const [file, ...words] of [[path.join(GEO, 'h3_tables.c')], [path.join(WEB, 'h3_tables.js'), '--js']]) {
    test(`the tables of ${path.basename(file)} are those that their script derives`, () => {
        const made = execFileSync('python3', ['-B', path.join(GEO, 'h3_tables.py'), ...words], { encoding: 'utf8' });
        assert.equal(fs.readFileSync(file, 'utf8'), made);
    });
}
