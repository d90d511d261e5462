/* SPDX-License-Identifier: Apache-2.0 */
/* A data folder of a version that this program cannot read, older or newer, is refused with exit 64 and a sentence that names
 * it, by every command; and nothing in it changes: no name, no byte, no time. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { Server } = require('../conformance/lib/server.js');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { run, rewrite, crc32c } = require('../crash/lib/fault.js');
const { scratch } = require('../crash/lib/own.js');

const FOLDERS = fs.readdirSync(__dirname).filter((name) => name.endsWith('.tar.gz'));

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

for (const name of FOLDERS) {
    const version = Number.parseInt(name, 10);
    const why = new RegExp(`older Holdfast \\(book version ${version}, supported from \\d+\\).*version that wrote it`);
    test(`a folder of an older program is refused untouched: ${name}`, async (t) => {
        const data = path.join(scratch(t), 'data');
        fs.mkdirSync(data);
        execFileSync('tar', ['-C', data, '-xzf', path.join(__dirname, name)]);
        await isRefused(t, data, why);
        /* As a backup of it is: without locks, and without what only a server leaves. */
        for (const file of ['lock', 'backup.lock', 'book.sqlite-shm']) {
            fs.rmSync(path.join(data, file), { force: true });
        }
        await isRefused(t, data, why);
    });
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
    await isRefused(t, data, /newer Holdfast \(book version 1000, supported up to \d+\)/);
});

test('a folder whose journal is newer, or older, is refused untouched', async (t) => {
    const data = await stopped(t);
    const journal = path.join(data, 'journal');
    const segment = path.join(journal, fs.readdirSync(journal).filter((name) => name.endsWith('.segment')).sort().at(-1));
    const bytes = fs.readFileSync(segment);
    for (const [version, why] of [[1000, /newer Holdfast \(journal version 1000, supported \d+\)/], [2, /older Holdfast \(journal version 2,/]]) {
        bytes.writeUInt32LE(version, 8);
        bytes.writeUInt32LE(crc32c(bytes.subarray(0, 12), bytes.subarray(16, 84)), 12);
        fs.writeFileSync(segment, bytes);
        await isRefused(t, data, why);
    }
});
