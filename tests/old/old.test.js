/* SPDX-License-Identifier: Apache-2.0 */
/* A data folder that an older program wrote is sound for this one, tells the very same, and goes on; and not a byte that
 * was in its journal changes. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { refused, granted } = require('../conformance/lib/expect.js');
const { items } = require('../conformance/lib/catalogue.js');
const { withPass } = require('../conformance/lib/entries.js');
const { run } = require('../crash/lib/fault.js');
const { NAMES, atRead, unpack, settle, ask, readAnswers } = require('./folder.js');

function scratch(t) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-old-'));
    t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
    return path.join(folder, 'data');
}

/* Segment → its bytes up to the zeros at its end. */
function journal(data) {
    const found = new Map();
    for (const name of fs.readdirSync(path.join(data, 'journal')).filter((one) => one.endsWith('.segment'))) {
        const bytes = fs.readFileSync(path.join(data, 'journal', name));
        let end = bytes.length;
        while (end > 0 && bytes[end - 1] === 0) {
            end--;
        }
        found.set(name, bytes.subarray(0, end));
    }
    return found;
}

/* All of it is there, and what is new stands behind it. */
function journalKept(before, data) {
    const now = journal(data);
    for (const [name, bytes] of before) {
        assert.ok(now.get(name)?.subarray(0, bytes.length).equals(bytes), `${name} is not as it was`);
    }
    return now;
}

async function served(t, data) {
    const hf = await atRead(data);
    t.after(() => hf.child?.kill('SIGKILL'));
    return hf;
}

async function ended(hf) {
    await hf.stop();
    hf.clock.close();
}

/* What answers have gained since the folders were written, as it is where nobody has set it. */
const GAINED = [
    [/,"description":null,"venue":null,"image":null/g, ''],
    [/,"transfer":"on","cancel_until_seconds":null/g, ''],
    [/,"cancelled_at":null/g, ''],
    [/,"allotment":null/g, ''], /* of seats and pools, to the admin */
    [/,"guests":true,"access":"open"/g, ''],
    [/,"single_seats":"allow","categories":null,"prices":null/g, ''],
    [/("payment_started_at":(?:null|"[^"]*")),"payment":(?:null|\{"method":(?:null|"[^"]*"),"ref":(?:null|"[^"]*"),"recorded_at":null\})/g, '$1'],
    [/("payment_started_at":(?:null|"[^"]*")),"paid":(?:true|false)/g, '$1'],
    [/("blocked":\d+),"pools":\{"capacity":\d+,"available":\d+\}/g, '$1'],
    [/"buffer_before_minutes":0,"min_minutes":null,"max_minutes":null,"price_per":"claim","notice_minutes":0,"horizon_days":366,"per_user_limit":0,"change_until_minutes":0,"cancel_until_minutes":null,"size":1,"guests":true,/g, ''],
];
const asThen = (body) => GAINED.reduce((text, [what, instead]) => text.replace(what, instead), body);

/* Members that must agree with others in an old folder. */
const AGREES = {
    staff_hold_seconds: (of) => of.staff_hold_seconds === of.max_hold_seconds,
    what: ({ what }) => what === null || Array.isArray(what.items), /* null: but for what the journal had beyond the book */
};

/* The answer as it was before it had these. */
function asBefore(text) {
    if (!Object.keys(AGREES).some((name) => text.includes(`"${name}":`))) {
        return text; /* byte by byte */
    }
    return JSON.stringify(JSON.parse(text, function before(name, value) {
        if (!(name in AGREES) || Array.isArray(this)) {
            return value;
        }
        assert.ok(AGREES[name](this), `${name} of ${JSON.stringify(this)}`);
        return undefined;
    }));
}

/* Since then a booking also says when it last changed, and is stamped with that: older programs told when it was
 * confirmed, so it is at least as late. */
function stampedAsThen(now, then) {
    const stamps = (text) => [...text.matchAll(/^DTSTAMP:(\S+)/gm)].map(([, at]) => at);
    const before = stamps(then);
    stamps(now).forEach((at, i) => assert.ok(at >= before[i], `stamped ${at}, then ${before[i]}`));
    let i = 0;
    return now.replace(/^LAST-MODIFIED:.*\r\n/gm, '').replace(/^DTSTAMP:\S+/gm, () => `DTSTAMP:${before[i++]}`);
}

async function sameAnswers(hf, answers) {
    const targets = Object.keys(answers);
    assert.ok(targets.length > 250, `${targets.length} targets`);
    for (const target of targets) {
        const now = asBefore(asThen(await ask(hf, target)));
        assert.equal(target.includes('.ics') ? stampedAsThen(now, answers[target]) : now, answers[target], target);
    }
}

async function goesOn(hf, { good, answers }) {
    for (const [name, key] of Object.entries(good)) {
        assert.equal((await hf.bearer(key).get('/v1/reservations?limit=1')).status, 200, name);
    }
    const ann = hf.user('ann'), zoe = hf.user('zoe');
    const taken = refused(await zoe.post('/v1/reservations', { items: items('hall-b', 'A1') }), 409, 'taken');
    assert.equal(taken.items[0].status, 'held');
    const [held] = (await hf.admin.get('/v1/reservations?user_id=ann&event=hall-b&status=held')).json.data;
    granted(await hf.admin.post(`/v1/reservations/${held.reservation_id}/commit`, { payment_ref: 'pi_9' }), 200, { status: 'confirmed' });
    const sold = refused(await zoe.post('/v1/reservations', { items: items('hall-b', 'A1') }), 409, 'taken');
    assert.equal(sold.items[0].status, 'sold');
    const again = await hf.user('bob').post('/v1/reservations', { items: items('hall-b', 'A5') }, { headers: { 'Idempotency-Key': 'cart-b' } });
    assert.equal(again.headers['idempotent-replayed'], 'true');
    granted(again, 201, { status: 'confirmed', attributes: { changed: 'b' } });
    const admitted = Object.values(answers).find((body) => /"event":"fifo-b","user_id":"keeper"/.test(body) && /"pass"/.test(body));
    const { pass } = JSON.parse(admitted);
    refused(await zoe.post('/v1/reservations', { items: items('fifo-b', 'A3') }, withPass(pass)), 403, 'pass_invalid');
    refused(await hf.user('keeper').post('/v1/reservations', { items: items('fifo-b', 'A3') }, withPass(pass)), 403, 'pass_tier');
    const fresh = granted(await ann.post('/v1/reservations', { items: items('copy-a', 'A5') }), 201);
    assert.ok(fresh.fence > held.fence);
}

for (const name of NAMES) {
    test(`the folder of a server that was ${name} is sound, tells the same and goes on`, async (t) => {
        const data = scratch(t);
        const told = readAnswers(name);
        unpack(name, data);
        const before = journal(data);
        const checked = await run(['check', data]);
        assert.equal(checked.code, 0, checked.stdout + checked.stderr);
        assert.deepEqual(journal(data), before, 'a check changes nothing');
        const hf = await served(t, data);
        await settle(hf);
        await sameAnswers(hf, told.answers);
        journalKept(before, data);
        await goesOn(hf, told);
        await ended(hf);
        const after = journalKept(before, data);
        assert.ok([...after.values()].some((bytes, i) => bytes.length > [...before.values()][i]?.length), 'it went on in the journal');
        const left = await run(['check', data]);
        assert.equal(left.code, 0, left.stdout + left.stderr);
    });
}
