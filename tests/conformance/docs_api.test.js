/* SPDX-License-Identifier: Apache-2.0 */
/* The table of routes at the start of docs/api.md is what /openapi.json says, route by route. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { shared } = require('./lib/server.js');
const { pathsOf } = require('./lib/description.js');

const hf = shared();

/* In the words of the page's table of callers. */
function who(security) {
    const names = security.map((entry) => Object.keys(entry)[0] ?? 'anyone');
    return names.includes('anyone') ? 'anyone' : names.join(', ');
}

test('docs/api.md lists every route: method, path, who may call it, and what it does', async () => {
    const { json } = await hf.admin.get('/openapi.json');
    const rows = pathsOf(json).flatMap(([route, methods]) => Object.entries(methods).map(
        ([method, call]) => `| \`${method.toUpperCase()} ${route}\` | ${who(call.security)} | ${call.summary.replace(/\.$/, '')} |`));
    const text = fs.readFileSync(path.join(__dirname, '../../docs/api.md'), 'utf8');
    const [, table] = /^## Routes\n[^]*?^\|---.*\n((?:\|.*\n)+)/m.exec(text);
    assert.equal(table, `${rows.join('\n')}\n`, `the table of routes should be:\n\n${rows.join('\n')}\n`);
});
