/* SPDX-License-Identifier: Apache-2.0 */
/* Folders taken apart and put together wrongly: whatever is in the data folder, the server either refuses it with exit
 * 65 or gives exactly the same answers as before. It does not touch a folder that is not its own: exit 64. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { Server, PROGRAM } = require('../conformance/lib/server.js');
const { makeEvent, items, hold } = require('../conformance/lib/catalogue.js');
const { granted } = require('../conformance/lib/expect.js');
const { BLOCK, run, overwrite, readOnly, whyNoStrace } = require('./lib/fault.js');

const SOLD = 60;
const LOG = 'book.sqlite-wal';
const OTHERS = /another|different folders/;
const SMALL = ['--segment-size', '1M']; /* quick to copy, and more than one */
const KEYS = { adminKey: 'a'.repeat(40), secret: 's'.repeat(40) };
const VOLATILE = new Set(['expires_in', 'expires_in_ms', 'version', 'eta_seconds', 'poll_after_seconds', 'serving']);

function scratch(t) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-'));
    t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
    return folder;
}

const stable = (key, value) => (VOLATILE.has(key) ? undefined : value);

/* ---- A folder with a past ---- */

async function serve(data) {
    fs.mkdirSync(data, { recursive: true });
    return new Server({ data, args: SMALL, ...KEYS }).start();
}

async function sell(hf, event, seat) {
    const user = hf.user(`u${seat}`);
    const r = await hold(user, items(event, seat), { attributes: { seat } });
    granted(await user.post(`/v1/reservations/${r.reservation_id}/commit`, {}), 200, { status: 'confirmed' });
}

/* Everything a folder can contain, and sixty sold seats. */
async function fill(hf, sold) {
    const event = await makeEvent(hf, {
        id: 'show', seats: `A1-A${SOLD + 40}`, pools: { floor: 50 }, waiting_room: { by_inventory: false }, waiting_list: true,
    });
    await hf.admin.put('/v1/calendars/doctor', { name: 'A doctor', payment: 'none', slot_minutes: 30 });
    await hf.key('app', 'shop');
    await hf.user('ann').post(`/v1/events/${event}/queue`, {});
    const plain = await makeEvent(hf, { id: 'plain', seats: `A1-A${SOLD + 40}`, pools: { floor: 50 }, waiting_list: true });
    const day = new Date(hf.now() + 86_400_000).toISOString().slice(0, 10);
    await hold(hf.user('ann'), [{ calendar: 'doctor', start: `${day}T09:00:00Z`, end: `${day}T09:30:00Z` }]);
    await hold(hf.user('bob'), [{ event: plain, pool: 'floor', quantity: 3 }]);
    const dropped = await hold(hf.user('bob'), items(plain, 'A99'));
    await hf.user('bob').post(`/v1/reservations/${dropped.reservation_id}/release`, {});
    for (let i = 1; i <= sold; i++) {
        await sell(hf, plain, `A${i}`);
    }
}

/* The server's answers about all of it. */
async function answers(hf) {
    const told = [];
    const ask = async (target) => {
        const { status, text } = await hf.admin.get(target);
        assert.equal(status, 200, `${target}: ${status} ${text}`);
        told.push([target, JSON.parse(text, stable)]);
        return JSON.parse(text);
    };
    for (const event of ['show', 'plain']) {
        await ask(`/v1/events/${event}`);
        await ask(`/v1/events/${event}/seats`);
        await ask(`/v1/events/${event}/availability`);
        await ask(`/v1/events/${event}/waiting-list`);
    }
    await ask('/v1/calendars/doctor');
    await ask('/v1/events/show/queue');
    await ask('/v1/keys');
    const { data } = await ask('/v1/reservations?limit=1000');
    for (const { reservation_id: id } of data) {
        await ask(`/v1/reservations/${id}`);
        await ask(`/v1/reservations/${id}/history`);
    }
    return told;
}

/* The book has everything that is in the journal, so that lists are complete. */
async function settled(hf) {
    const { seq } = await hf.admin.get('/v1/events/plain');
    await hf.admin.get('/v1/reservations?limit=1', { headers: { 'Holdfast-Min-Seq': String(seq) }, atLeast: seq });
}

async function asked(data) {
    const hf = await serve(data);
    await settled(hf);
    const told = await answers(hf);
    await hf.stop();
    return told;
}

/* Serves the folder: 'refused' (65, at the start or when the damage is found), 'same', or what differs. */
async function judge(data, expected) {
    const hf = new Server({ data, args: SMALL, ...KEYS });
    try {
        await hf.start();
        await settled(hf);
        const told = await answers(hf);
        await hf.stop();
        assert.deepEqual(told, expected);
        return 'same';
    } catch (error) {
        hf.child?.kill('SIGTERM');
        const { code } = await hf.exit;
        if (code === 65) {
            assert.match(hf.stderr, /"fault":|"error":/);
            return 'refused';
        }
        throw error;
    } finally {
        hf.client?.close();
        hf.clock?.close();
    }
}

async function refuses(data, sentence) {
    const told = await run(['serve', '--data', data, '--listen', '127.0.0.1:0']);
    assert.equal(told.code, 65, `${data}: ${told.stdout}${told.stderr}`);
    assert.equal(told.stdout, '');
    assert.match(told.stderr, sentence);
    const checked = await run(['check', data]);
    assert.equal(checked.code, 65, checked.stdout + checked.stderr);
    assert.match(checked.stdout, /^FAULT /m);
    assert.match(checked.stdout, sentence);
}

/* ---- Putting together ---- */

const copy = (from, to) => {
    fs.cpSync(from, to, { recursive: true });
    return to;
};
const segments = (data) => fs.readdirSync(path.join(data, 'journal')).filter((name) => name.endsWith('.segment')).sort();

function takeBook(from, to) {
    for (const ending of ['', '-wal', '-shm']) {
        fs.rmSync(path.join(to, `book.sqlite${ending}`), { force: true });
        if (fs.existsSync(path.join(from, `book.sqlite${ending}`))) {
            fs.copyFileSync(path.join(from, `book.sqlite${ending}`), path.join(to, `book.sqlite${ending}`));
        }
    }
}

/* The book of one folder with the journal of another. */
function blend(book, journal, to) {
    copy(journal, to);
    takeBook(book, to);
    return to;
}

async function end(hf, kill) {
    await (kill ? hf.kill9() : hf.stop());
    hf.clock.close();
}

/* A folder with this many sold seats. */
async function made(data, sold, kill = false) {
    const hf = await serve(data);
    await fill(hf, sold);
    await end(hf, kill);
    return data;
}

/* The same folder, served again to sell these as well. */
async function goOn(data, seats, kill = false) {
    const hf = await serve(data);
    for (const seat of seats) {
        await sell(hf, 'plain', seat);
    }
    await end(hf, kill);
}

/* The same, and then killed, once the book has everything in its log. */
async function goOnAndDie(data, seats) {
    const hf = await serve(data);
    for (const seat of seats) {
        await sell(hf, 'plain', seat);
    }
    await settled(hf);
    await end(hf, true);
    assert.ok(fs.statSync(path.join(data, LOG)).size > 0);
}

/* Until the journal has this many segments; as during a backup, none is freed in between. */
async function grow(data, count, kill = false) {
    const hf = await serve(data);
    const backup = spawn('flock', ['-s', path.join(data, 'backup.lock'), 'sh', '-c', 'echo held; cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(backup.stdout, 'data');
    while (segments(data).length < count) {
        const r = await hold(hf.user('eve'), [{ event: 'plain', pool: 'floor', quantity: 1 }]);
        await hf.user('eve').post(`/v1/reservations/${r.reservation_id}/release`, {});
    }
    await sell(hf, 'plain', `A${SOLD + 1}`);
    await end(hf, kill);
    backup.stdin.end();
    await once(backup, 'close');
}

/* ---- The tests ---- */

for (const kill of [true, false]) {
    const how = kill ? 'killed' : 'stopped';
    test(`without its journal or its segments a ${how} folder is refused`, async (t) => {
        const folder = await made(path.join(scratch(t), 'data'), SOLD, kill);
        fs.rmSync(path.join(folder, 'journal'), { recursive: true });
        await refuses(folder, /there is no journal/);
        assert.equal(fs.existsSync(path.join(folder, 'journal')), false, 'refusing must make nothing');
        fs.mkdirSync(path.join(folder, 'journal'));
        await refuses(folder, /there is no journal/);
    });

    test(`the book of one folder with the journal of another is refused (${how})`, async (t) => {
        const place = scratch(t);
        const one = await made(path.join(place, 'one'), 5, kill);
        const two = await made(path.join(place, 'two'), 5, kill);
        await refuses(blend(one, two, path.join(place, 'a')), OTHERS);
        await refuses(blend(two, one, path.join(place, 'b')), OTHERS);
    });

    test(`a folder and its restored copy, both used since, do not fit together (${how})`, async (t) => {
        const place = scratch(t);
        const one = await made(path.join(place, 'one'), 5);
        const two = path.join(place, 'two');
        assert.equal((await run(['backup', one, path.join(place, 'backup')])).code, 0);
        const restored = await run(['restore', path.join(place, 'backup'), two]);
        assert.equal(restored.code, 0, restored.stderr);
        await goOn(one, ['A50'], kill);
        await goOn(two, ['A51'], kill);
        await refuses(blend(one, two, path.join(place, 'a')), OTHERS);
        await refuses(blend(two, one, path.join(place, 'b')), OTHERS);
        for (const data of [one, two]) {
            const checked = await run(['check', data]);
            assert.equal(checked.code, 0, checked.stdout);
        }
    });

    test(`a folder and a copy made with cp, both used since, are never mixed (${how})`, async (t) => {
        const place = scratch(t);
        const one = await made(path.join(place, 'one'), 5);
        const two = copy(one, path.join(place, 'two'));
        await goOn(one, ['A50'], kill);
        await goOn(two, ['A51'], kill);
        for (const [book, journal] of [[one, two], [two, one]]) {
            const folder = blend(book, journal, path.join(place, `with-journal-of-${path.basename(journal)}`));
            const expected = await asked(copy(journal, `${folder}-alone`));
            const verdict = await judge(folder, expected); /* a book that is behind both belongs to either */
            assert.ok(kill || verdict === 'refused', verdict);
        }
    });
}

function found(data, files, folders) {
    [data, ...folders.map((name) => path.join(data, name))].forEach((name) => fs.mkdirSync(name));
    files.forEach((name) => fs.writeFileSync(path.join(data, name), 'x', { mode: 0o600 }));
    return data;
}

test('a folder with other files in it is refused, and nothing is written into it', async (t) => {
    const place = scratch(t);
    const foreign = {
        etc: { files: ['passwd'] },
        var: { folders: ['lock', 'lib'] },
        log: { files: ['syslog'], folders: ['journal'] },
        provisioned: { files: ['admin.key', 'secret', 'notes'] },
        mount: { files: ['notes'], folders: ['lost+found'] },
        home: { files: ['.profile'] },
    };
    for (const [name, { files = [], folders = [] }] of Object.entries(foreign)) {
        const data = found(path.join(place, name), files, folders);
        for (const command of ['serve', 'demo']) {
            const told = await run([command, '--data', data, '--listen', '127.0.0.1:0']);
            assert.equal(told.code, 64, `${name}: ${told.stdout}${told.stderr}`);
            assert.equal(told.stdout, '');
            assert.match(told.stderr, /is not a Holdfast data folder: it contains (passwd|lib|syslog|notes|\.profile)/);
        }
        assert.deepEqual(fs.readdirSync(data).sort(), [...files, ...folders].sort());
    }
});

test('an empty folder, a fresh mount and what a killed first start leaves are served', async (t) => {
    const place = scratch(t);
    const begun = {
        empty: {},
        mount: { folders: ['lost+found'] },
        locked: { files: ['lock'] },
        provisioned: { folders: ['lost+found'], files: ['lock', 'admin.key', 'secret.new'] },
        locks: { files: ['lock', 'backup.lock', 'notes'] }, /* ours, with something added */
    };
    for (const [name, { files = [], folders = [] }] of Object.entries(begun)) {
        const data = found(path.join(place, name), files, folders);
        await end(await serve(data), false);
    }
});

test('with a gap in its journal, or between book and journal, a folder is refused', async (t) => {
    const place = scratch(t);
    const data = await made(path.join(place, 'data'), 3);
    const early = copy(data, path.join(place, 'early'));
    await grow(data, 3);
    const expected = await asked(copy(data, path.join(place, 'whole')));
    const all = segments(data);
    for (const name of all) {
        const folder = copy(data, path.join(place, `without-${name}`));
        fs.rmSync(path.join(folder, 'journal', name));
        if (name === all[0]) {
            assert.equal(await judge(copy(folder, `${folder}-2`), expected), 'same'); /* the book has all of it */
            takeBook(early, folder);
        }
        await refuses(folder, /missing|does not start where|ends before/);
    }
});

test('without its newest segment a folder is refused, however little its book has', async (t) => {
    const place = scratch(t);
    const data = await made(path.join(place, 'data'), 3);
    const early = copy(data, path.join(place, 'early'));
    await grow(data, 2, true);
    const folder = blend(early, data, path.join(place, 'folder'));
    fs.rmSync(path.join(folder, 'journal', segments(data).at(-1)));
    await refuses(folder, /the segment after this one is missing/);
});

test('a restored folder can be backed up and restored repeatedly, with or without changes in between', async (t) => {
    const place = scratch(t);
    let data = await made(path.join(place, '0'), 3);
    for (const [i, seats] of [[], [], ['A50'], [], ['A51'], []].entries()) {
        const next = path.join(place, `${i + 1}`);
        assert.equal((await run(['backup', data, `${next}-backup`])).code, 0);
        const restored = await run(['restore', `${next}-backup`, next]);
        assert.equal(restored.code, 0, restored.stderr);
        const checked = await run(['check', next]);
        assert.equal(checked.code, 0, checked.stdout);
        await goOn(next, seats);
        data = next;
    }
    await grow(data, 3);
    const last = path.join(place, 'last');
    assert.equal((await run(['restore', data, last])).code, 0);
    assert.deepEqual(await asked(last), await asked(data));
});

test('what an interrupted backup or restore leaves is neither served nor checked nor restored', { skip: whyNoStrace() }, async (t) => {
    const place = scratch(t);
    const data = await made(path.join(place, 'data'), 3);
    for (const doing of ['backup', 'restore']) {
        let interrupted = 0;
        for (let when = 1; when <= 40; when += 3) {
            const to = path.join(place, `${doing}-${when}`);
            const traced = ['-f', '-o', '/dev/null', '-e', 'trace=pwrite64', '-e', `inject=pwrite64:signal=SIGKILL:when=${when}`];
            const { signal, status } = spawnSync('strace', [...traced, PROGRAM, doing, data, to]);
            if (status === 0 && !signal) {
                assert.equal((await run(['check', to])).code, 0);
                break;
            }
            interrupted++;
            const told = await run(['serve', '--data', to, '--listen', '127.0.0.1:0']);
            assert.equal(told.code, 65, `${doing} killed at write ${when}: ${told.stdout}${told.stderr}`);
            assert.match(told.stderr, /interrupted/);
            assert.notEqual((await run(['check', to])).code, 0);
            assert.notEqual((await run(['restore', to, `${to}-again`])).code, 0);
        }
        assert.ok(interrupted > 3, `${doing}: ${interrupted}`);
    }
});

test('a folder that is served is not copied through a read-only view of it', async (t) => {
    const hf = await serve(path.join(scratch(t), 'data'));
    const { view, undo, why } = readOnly(hf.data);
    try {
        if (why) {
            t.skip(why);
            return;
        }
        const told = await run(['backup', view, `${hf.data}-backup`]);
        assert.equal(told.code, 75, told.stdout + told.stderr);
    } finally {
        undo?.();
        await end(hf, false);
    }
});

test('an older book under a newer log is refused', async (t) => {
    const data = await made(path.join(scratch(t), 'data'), SOLD);
    const early = fs.readFileSync(path.join(data, 'book.sqlite'));
    await goOn(data, ['A90']);
    await goOnAndDie(data, ['A91']);
    fs.writeFileSync(path.join(data, 'book.sqlite'), early);
    await refuses(data, /older than its log/);
});

test('an older log beside a newer book is refused, and the book stays as it is', async (t) => {
    const data = await made(path.join(scratch(t), 'data'), SOLD);
    await goOnAndDie(data, ['A89']);
    const log = fs.readFileSync(path.join(data, LOG));
    await goOn(data, ['A90']);
    await goOn(data, ['A91']);
    assert.equal(fs.existsSync(path.join(data, LOG)), false);
    const book = fs.readFileSync(path.join(data, 'book.sqlite'));
    fs.writeFileSync(path.join(data, LOG), log);
    await refuses(data, /damaged or outdated/);
    assert.ok(fs.readFileSync(path.join(data, 'book.sqlite')).equals(book));
    fs.rmSync(path.join(data, LOG));
    fs.rmSync(path.join(data, 'book.sqlite-shm'), { force: true });
    await goOn(data, ['A92']);
});

test('the folder of a killed server without the log of its book is refused or gives the same answers', async (t) => {
    const place = scratch(t);
    const data = await made(path.join(place, 'data'), SOLD);
    await goOnAndDie(data, ['A89']);
    const folder = copy(data, path.join(place, 'without'));
    const expected = await asked(data);
    fs.rmSync(path.join(folder, LOG));
    fs.rmSync(path.join(folder, 'book.sqlite-shm'), { force: true });
    assert.ok(['same', 'refused'].includes(await judge(folder, expected)));
});

test('an older book with a newer journal gives the same answers', async (t) => {
    const place = scratch(t);
    const data = await made(path.join(place, 'data'), 5);
    const early = copy(data, path.join(place, 'early'));
    await goOn(data, ['A50', 'A51', 'A52']);
    const expected = await asked(copy(data, path.join(place, 'whole')));
    assert.equal(await judge(blend(early, data, path.join(place, 'old-book')), expected), 'same');
});

test('one bit flipped in each page of the book: exit 65, naming the page, or the very same answers', async (t) => {
    const place = scratch(t);
    const data = await made(path.join(place, 'data'), SOLD);
    const expected = await asked(data);
    const book = path.join(data, 'book.sqlite');
    const pages = fs.statSync(book).size / BLOCK;
    const verdicts = { refused: 0, same: 0 };
    for (let page = 0; page < pages; page++) {
        const offset = page * BLOCK + ((page * 997) % BLOCK);
        const folder = copy(data, path.join(place, 'flipped'));
        overwrite(path.join(folder, 'book.sqlite'), offset, (byte) => byte ^ (1 << page % 8));
        const checked = await run(['check', folder]);
        assert.equal(checked.code, 65, `page ${page + 1}: ${checked.stdout}`);
        verdicts[await judge(folder, expected)]++;
        fs.rmSync(folder, { recursive: true });
    }
    assert.ok(verdicts.refused > pages / 2, JSON.stringify(verdicts));
});

test('check and restore work on a read-only folder and change nothing', async (t) => {
    for (const kill of [true, false]) {
        const place = scratch(t);
        const data = await made(path.join(place, 'data'), 5, kill);
        const listed = () => fs.readdirSync(data, { recursive: true }).sort().map((name) => {
            const { size, mtimeMs } = fs.statSync(path.join(data, name));
            return [name, size, mtimeMs];
        });
        const before = listed();
        const { view, undo, why } = readOnly(data);
        if (why) {
            t.skip(why);
            return;
        }
        try {
            const checked = await run(['check', view]);
            assert.equal(checked.code, 0, checked.stdout + checked.stderr);
            const restored = await run(['restore', view, path.join(place, 'restored')]);
            assert.equal(restored.code, 0, restored.stderr);
        } finally {
            undo();
        }
        assert.deepEqual(listed(), before);
        assert.equal((await run(['check', data])).code, 0);
        assert.deepEqual(listed(), before, 'where it could be written, too');
        const told = await asked(path.join(place, 'restored'));
        assert.deepEqual(told, await asked(data));
    }
});
