/* SPDX-License-Identifier: Apache-2.0 */
/* Who may include what, through other headers too: the edge does not know core's state, and only its owners know a
 * library. Calls between layers are checked by linking the unit tests of each layer. And no static
 * function shares its name with five others: a backtrace with it would say little. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

/* Header: the files that may reach it. A name is a file without its ending, or a folder. */
const OWNERS = [
    [/^core\/state\.h$/, ['core/', 'engine/', 'store/', 'view/', 'cli/simulate_fleet']],
    [/^journal\//, ['journal/', 'log/', 'store/backup']],
    [/^sqlite3\.h$/, ['book/file/sql', 'book/file/sql_vfs', 'book/file/sql_zone']],
    [/^curl\//, ['http/hook/hook_client', 'http/wire/url_check']],
    [/^qrencode\.h$/, ['http/door/qr']],
    [/^zlib\.h$/, ['base/text/gzip', 'http/door/qr']],
    [/^openssl\//, ['base/crypto/hash', 'base/crypto/ed25519']],
    [/libpq-fe\.h$/, ['log/pg']],
    [/^uv\.h$/, ['http/', 'store/', 'cli/']],
];
/* The same for function calls. */
const CALLERS = [[/\bstore_state\s*\(/, ['store/', 'view/']]];

const owns = (owners, file) => owners.some((owner) => (owner.endsWith('/') ? file.startsWith(owner) : file.replace(/\.[^.]*$/, '') === owner));

/* The sources below src/ without their comments, by their path from there. */
const root = path.join(__dirname, '../../src');
const sources = new Map(fs.readdirSync(root, { recursive: true }).filter((file) => /\.(c|h|inc)$/.test(file))
    .map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8').replace(/\/\*[^]*?\*\/|\/\/.*/g, ' ')]));

/* Every header that the file reaches: its name, and the path there. */
function reached(files, file, way = [file], all = new Map()) {
    for (const [, header] of (files.get(file) ?? '').matchAll(/^\s*#\s*include\s*["<]([^">]+)[">]/gm)) {
        if (!all.has(header)) {
            all.set(header, [...way, header]);
            reached(files, header, all.get(header), all);
        }
    }
    return all;
}

/* A line for each violation in these files. */
function findings(files, looked = files.keys()) {
    const found = [];
    for (const file of looked) {
        const text = files.get(file);
        for (const [header, way] of reached(files, file)) {
            found.push(...OWNERS.filter(([name, owners]) => name.test(header) && !owns(owners, file)).map(() => way.join(' -> ')));
        }
        found.push(...CALLERS.filter(([call, owners]) => call.test(text) && !owns(owners, file)).map(([call]) => `${file} calls ${text.match(call)[0]}`));
    }
    return found;
}

test('only owners include a library or the state', () => {
    assert.ok(sources.size > 500, `${sources.size} files`);
    assert.deepEqual(findings(sources), []);
});

test('every named owner exists, and uses what it owns', () => {
    for (const [name, owners] of OWNERS) {
        for (const owner of owners) {
            const using = [...sources.keys()].filter((file) => owns([owner], file) && [...reached(sources, file).keys()].some((header) => name.test(header)));
            assert.ok(using.length > 0, `${owner} does not include ${name}`);
        }
    }
});

const PLANTED = {
    'the state, included': ['http/access/api_keys.c', '#include "core/state.h"', 'http/access/api_keys.c -> core/state.h'],
    'the state, through another header': ['http/access/api_keys.c', '#include "view/answers.h"', 'http/access/api_keys.c -> view/answers.h -> core/state.h'],
    'the state, asked for': ['http/server.c', 'st = store_state(s->store);', 'http/server.c calls store_state('],
    'the journal in the store': ['store/turn.c', '#include "journal/disk.h"', 'store/turn.c -> journal/disk.h'],
    'SQLite in the store': ['store/local.c', '#include <sqlite3.h>', 'store/local.c -> sqlite3.h'],
    'SQLite in the book, through another header': ['book/record/check.c', '#include "book/file/sql_zone.h"', 'book/record/check.c -> book/file/sql_zone.h -> sqlite3.h'],
    'libpq': ['cluster/lease.c', '#include <postgresql/libpq-fe.h>', 'cluster/lease.c -> postgresql/libpq-fe.h'],
    'libcurl': ['http/hook/hook_sender.c', '# include <curl/multi.h>', 'http/hook/hook_sender.c -> curl/multi.h'],
    'libqrencode': ['http/door/api_tickets.c', '#include <qrencode.h>', 'http/door/api_tickets.c -> qrencode.h'],
    'zlib': ['view/document.c', '#include <zlib.h>', 'view/document.c -> zlib.h'],
    'OpenSSL': ['http/access/pass.c', '#include <openssl/hmac.h>', 'http/access/pass.c -> openssl/hmac.h'],
    'libuv in core': ['core/key.c', '#include <uv.h>', 'core/key.c -> uv.h'],
    'libuv in the view': ['view/view.c', '#include "store/bell.h"', 'view/view.c -> store/bell.h -> uv.h'],
};

for (const [what, [file, line, finding]] of Object.entries(PLANTED)) {
    test(`would find ${what}`, () => {
        const planted = new Map(sources).set(file, `${line}\n${sources.get(file) ?? assert.fail(file)}`);
        assert.deepEqual(findings(planted, [file]), [finding]);
    });
}

test('no name of a static function is in six files or more', () => {
    const counts = execFileSync(path.join(root, '../scripts/count'), { encoding: 'utf8' }).trimEnd().split('\n');
    assert.equal(counts.at(-1), 'static names in six files or more: none');
});
