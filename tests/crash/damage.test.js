/* SPDX-License-Identifier: Apache-2.0 */
/* Damage to the journal or the book is found and named, and never served; what was never acknowledged can be cut
 * off. */
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { makeEvent, items, hold, seatStatus } = require('../conformance/lib/catalogue.js');
const { granted } = require('../conformance/lib/expect.js');
const { BLOCK, run, segments, inject, batches, overwrite, rewrite, whyNoStrace } = require('./lib/fault.js');
const { own, doesNotStart, at, sqlite } = require('./lib/own.js');

const strace = { skip: whyNoStrace() };

/* A stopped folder with some history in one segment. */
async function history(hf) {
    const event = await makeEvent(hf, { seats: 'A1-A40' });
    const ann = hf.user('ann');
    const made = [];
    for (let i = 1; i <= 20; i++) {
        made.push(await hold(ann, items(event, `A${i}`), { attributes: { note: 'x'.repeat(1500) } }));
    }
    return { event, made };
}

own('a byte flipped in the middle of the journal: exit 65, naming file, offset and seq; check says the same', async (hf) => {
    const { made } = await history(hf);
    await hf.stop();
    const good = await run(['check', hf.data]);
    assert.equal(good.code, 0, good.stdout + good.stderr);
    const files = segments(hf);
    assert.equal(files.length, 1);
    const found = batches(files[0]).filter(({ count }) => count > 0);
    const { offset } = found[Math.floor(found.length / 2)];
    for (const place of [offset + 100, offset + 20]) {
        overwrite(files[0], place, (byte) => byte ^ 0x10);
        const named = new RegExp(`${path.basename(files[0])}.*offset ${offset}\\b.*seq \\d+`);
        await doesNotStart(hf, 65, named);
        const bad = await run(['check', hf.data]);
        assert.equal(bad.code, 65, bad.stdout + bad.stderr);
        assert.match(bad.stdout + bad.stderr, named);
        overwrite(files[0], place, (byte) => byte ^ 0x10);
    }
    assert.ok(!fs.readdirSync(path.dirname(files[0])).some((name) => name.includes('.torn')), 'nothing may be cut');
    await hf.launch();
    for (const r of made) {
        granted(await hf.user('ann').get(at(r)), 200, { status: 'held' });
    }
});

own('a missing segment, a short one and one of another journal are refused', async (hf) => {
    await history(hf);
    await hf.stop();
    const [file] = segments(hf);
    const bytes = fs.readFileSync(file);
    fs.writeFileSync(file, bytes.subarray(0, bytes.length - BLOCK));
    await doesNotStart(hf, 65, new RegExp(path.basename(file)));
    fs.writeFileSync(file, bytes);
    overwrite(file, 32, (byte) => byte ^ 1);
    await doesNotStart(hf, 65, new RegExp(path.basename(file)));
    overwrite(file, 32, (byte) => byte ^ 1);
    await hf.launch();
});

own('a torn last batch that was never acknowledged is cut off and kept', async (hf) => {
    const { event, made } = await history(hf);
    await inject(hf, 'fdatasync:signal=SIGKILL:when=1');
    const body = { items: items(event, 'A30'), attributes: { note: 'y'.repeat(3900) } };
    await assert.rejects(hf.user('ann').post('/v1/reservations', body));
    await hf.exit;
    hf.client.close();
    hf.child = null;
    const [file] = segments(hf);
    const last = batches(file).at(-1);
    assert.ok(last.count > 0 && last.size > 3900, JSON.stringify(last));
    overwrite(file, last.offset + 2048, Buffer.alloc(6144));
    const looked = await run(['check', hf.data]);
    assert.equal(looked.code, 0, looked.stdout + looked.stderr);
    await hf.launch();
    const kept = fs.readdirSync(path.dirname(file)).filter((name) => name.includes('.torn'));
    assert.equal(kept.length, 1, kept.join());
    assert.equal(await seatStatus(hf, event, 'A30'), 'available');
    for (const r of made) {
        granted(await hf.user('ann').get(at(r)), 200, { status: 'held' });
    }
    const next = await hold(hf.user('bob'), items(event, 'A30'));
    assert.ok(next.fence > made.at(-1).fence);
    await hf.restart({ kill: true });
    granted(await hf.user('bob').get(at(next)), 200, { status: 'held' });
}, strace);

own('a book with more drawn than ever joined, or a room that admits nobody, does not start: exit 65, with the reason', async (hf) => {
    const event = await makeEvent(hf, { seats: 'A1', waiting_room: { by_inventory: false } });
    assert.equal((await hf.user('ann').post(`/v1/events/${event}/queue`, {})).status, 201);
    await hf.stop();
    const book = path.join(hf.data, 'book.sqlite');
    const copy = path.join(hf.folder, 'copy.sqlite');
    fs.copyFileSync(book, copy);
    for (const [sql, sentence] of [
        ['UPDATE rooms SET drawn = 2', /2 were drawn, but only 1 joined/],
        ['UPDATE room_settings SET rate_per_second = 0', /invalid rate: 0 per second/],
    ]) {
        rewrite(book, sql);
        await doesNotStart(hf, 65, sentence);
        fs.copyFileSync(copy, book);
    }
}, sqlite);

own('check finds a book that is inconsistent or contradicts the journal', async (hf) => {
    await history(hf);
    await hf.stop();
    const book = path.join(hf.data, 'book.sqlite');
    const copy = path.join(hf.folder, 'copy.sqlite');
    fs.copyFileSync(book, copy);
    const damage = [
        'DELETE FROM claims WHERE seat = 4', 'UPDATE claims SET reservation = reservation + 1 WHERE seat = 5', 'UPDATE seats SET position = 99 WHERE position = 39',
        "UPDATE reservations SET status = 'released' WHERE number = (SELECT max(number) FROM reservations)", 'UPDATE meta SET last_seq = last_seq + 5',
    ];
    for (const sql of damage) {
        rewrite(book, sql);
        const bad = await run(['check', hf.data]);
        assert.equal(bad.code, 65, `${sql}: ${bad.stdout}${bad.stderr}`);
        assert.match(bad.stdout, /^FAULT /m, sql);
        fs.copyFileSync(copy, book);
    }
    const good = await run(['check', hf.data]);
    assert.equal(good.code, 0, good.stdout + good.stderr);
}, sqlite);
