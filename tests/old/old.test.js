/* SPDX-License-Identifier: Apache-2.0 */
/* A folder that an earlier version wrote, or this one before a change, gives the same answers as then; see README.md. A folder of
 * a version that this program cannot read is refused with exit 64 and a sentence that names it, by every command, and nothing in
 * it changes: no name, no byte, no time. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { Server } = require('../conformance/lib/server.js');
const { makeEvent, hold, items } = require('../conformance/lib/catalogue.js');
const { run, rewrite, crc32c } = require('../crash/lib/fault.js');
const { scratch, sqlite } = require('../crash/lib/own.js');
const { SECRET, look, nameOf } = require('./story.js');

/* ---- Folders that are read ---- */

const FOLDERS = fs.readdirSync(__dirname).filter((name) => name.endsWith('.tar.gz')).map((name) => name.slice(0, -'.tar.gz'.length));

function unpack(t, name) {
    const data = path.join(scratch(t), 'data');
    fs.mkdirSync(data);
    execFileSync('tar', ['-C', data, '-xzf', path.join(__dirname, `${name}.tar.gz`)]);
    return data;
}

const recorded = (name) => JSON.parse(fs.readFileSync(path.join(__dirname, `${name}.json`), 'utf8'));

/* All that was answered is answered now; a later version may say more. */
function has(now, before, where) {
    if (before === null || typeof before !== 'object') {
        assert.equal(now, before, where);
        return;
    }
    assert.ok(now !== null && typeof now === 'object', where);
    if (Array.isArray(before)) {
        assert.equal(now.length, before.length, where);
    }
    for (const [member, value] of Object.entries(before)) {
        has(now[member], value, `${where}/${member}`);
    }
}

/* Opens it when it was packed, as its holds would expire, and closes it. */
async function opened(data, { opened_at }, body) {
    const hf = await new Server({ data, secret: SECRET, from: opened_at }).start();
    try {
        await body(hf);
    } finally {
        await hf.close();
    }
}

async function answersAsBefore(data, name) {
    const { answers, ...when } = recorded(name);
    await opened(data, when, async (hf) => has(await look(hf), answers, name));
}

/* The tables, indexes, triggers and views, without the comments and spaces that SQLite keeps with them. */
const schemaOf = (data) => execFileSync('sqlite3',
    [`file:${path.join(data, 'book.sqlite')}?immutable=1`, 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2'],
    { encoding: 'utf8' }).replace(/--.*/g, '').replace(/\s+/g, ' ');

for (const name of FOLDERS) {
    test(`${name} gives the answers that it gave when it was packed`, async (t) => {
        const data = unpack(t, name);
        const checked = await run(['check', data]);
        assert.equal(checked.code, 0, checked.stdout + checked.stderr);
        await answersAsBefore(data, name);
        await answersAsBefore(data, name); /* and once it is this program's own */
        await opened(data, recorded(name), async (hf) => {
            await makeEvent(hf, { id: 'new', seats: 'A1' });
            await hold(hf.user('ann'), items('new', 'A1'));
        });
    });

    test(`${name} has the tables of a new book once it was opened`, sqlite, async (t) => {
        const [old, fresh] = [unpack(t, name), path.join(scratch(t), 'data')];
        await opened(old, recorded(name), () => {});
        await opened(fresh, recorded(name), () => {});
        assert.equal(schemaOf(old), schemaOf(fresh), 'a change of the tables needs a migration: src/book/README.md');
    });
}

/* Every change that was ever made is in it. */
for (const name of FOLDERS.filter((one) => one.endsWith('-killed'))) {
    test(`the journal of ${name} alone gives the same answers`, async (t) => {
        const data = unpack(t, name);
        for (const file of ['book.sqlite', 'book.sqlite-wal']) {
            fs.rmSync(path.join(data, file));
        }
        await answersAsBefore(data, name);
    });
}

test('this version has folders', sqlite, async (t) => {
    const name = nameOf(await stopped(t));
    assert.ok(FOLDERS.includes(`${name}-stopped`) && FOLDERS.includes(`${name}-killed`), `run tests/old/make for ${name}`);
});

/* ---- Folders that are refused ---- */

/* Everything about a folder that a program could change. */
function picture(data) {
    return ['', ...fs.readdirSync(data, { recursive: true }).sort()].map((name) => {
        const file = path.join(data, name);
        const { mode, size, mtimeNs, ino } = fs.statSync(file, { bigint: true });
        const bytes = fs.statSync(file).isFile() ? crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex') : '';
        return [name, mode, size, mtimeNs, ino, bytes].join(' ');
    });
}

async function isRefused(t, data, why) {
    const before = picture(data);
    const place = scratch(t);
    const listen = ['--listen', '127.0.0.1:0'];
    const commands = [
        ['serve', '--data', data, ...listen],
        ['demo', '--data', data, ...listen],
        ['check', data],
        ['backup', data, path.join(place, 'backup')],
        ['restore', data, path.join(place, 'restored')],
        ['export', '--data', data, '--sql', path.join(place, 'export.sqlite')],
    ];
    for (const args of commands) {
        const told = await run(args);
        assert.equal(told.code, 64, `${args[0]}: ${told.stderr}`);
        assert.match(told.stderr, why, args[0]);
        assert.ok(told.stderr.includes(`${data} was written by`), `${args[0]} names the folder: ${told.stderr}`);
        assert.equal(told.stdout, '', args[0]);
        assert.deepEqual(picture(data), before, `${args[0]} changes nothing`);
    }
    assert.deepEqual(fs.readdirSync(place), [], 'nothing is made elsewhere');
}

/* A folder of this program. */
async function stopped(t) {
    const data = path.join(scratch(t), 'data');
    const hf = await new Server({ data, args: ['--segment-size', '1M'] }).start();
    await makeEvent(hf, { seats: 'A1-A9' });
    await hf.close();
    return data;
}

test('a folder whose book is newer is refused untouched', async (t) => {
    const data = await stopped(t);
    rewrite(path.join(data, 'book.sqlite'), 'PRAGMA user_version = 1000');
    fs.rmSync(path.join(data, 'lock')); /* and none is made */
    await isRefused(t, data, /another version of Holdfast \(book version 1000, supported up to \d+\)/);
});

test('a folder whose journal is of another version is refused untouched', async (t) => {
    const data = await stopped(t);
    const journal = path.join(data, 'journal');
    const segment = path.join(journal, fs.readdirSync(journal).filter((name) => name.endsWith('.segment')).sort().at(-1));
    const bytes = fs.readFileSync(segment);
    for (const version of [1000, 2, 3]) {
        bytes.writeUInt32LE(version, 8);
        bytes.writeUInt32LE(crc32c(bytes.subarray(0, 12), bytes.subarray(16, 84)), 12);
        fs.writeFileSync(segment, bytes);
        await isRefused(t, data, new RegExp(`another version of Holdfast \\(journal version ${version}, supported 1\\)`));
    }
});
