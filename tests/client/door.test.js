/* SPDX-License-Identifier: Apache-2.0 */
/* What a door knows without a server: the signed form of a ticket, and how to answer it. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const load = (name) => import(path.join(__dirname, '../../web', name));

/* A ticket signed by hand, as docs/tickets.md says. */
function signed({ code = '9KQ2M7XW4T8Z1C5V3R6H', reissue = 7, unit = 0, kind = 1, of = 'arena', part = 'A15' } = {}) {
    const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
    const { x } = publicKey.export({ format: 'jwk' });
    const id = crypto.createHash('sha256').update(Buffer.from(x, 'base64url')).digest().subarray(0, 8);
    const number = Buffer.alloc(8);
    number.writeBigUInt64BE(BigInt(reissue));
    const payload = Buffer.concat([id, number, Buffer.from(code), Buffer.from([unit >> 8, unit & 255, kind, of.length]), Buffer.from(of),
        Buffer.from([part.length]), Buffer.from(part)]);
    const text = `HF1.${payload.toString('base64url')}`;
    return { text: `${text}.${crypto.sign(null, Buffer.from(text), privateKey).toString('base64url')}`, keys: [{ kid: id.toString('base64url'), x }] };
}

test('a signed ticket is read as it was made, and changed anywhere it is invalid', async () => {
    const { readForm, isGenuine, codeOf } = await load('lib/ticket_form.js');
    const { text, keys } = signed({ unit: 300 });
    const form = readForm(text);
    assert.deepEqual([form.code, form.reissue, form.unit, form.kind, form.of, form.part], ['9KQ2M7XW4T8Z1C5V3R6H', 7, 300, 1, 'arena', 'A15']);
    assert.ok(await isGenuine(form, keys));
    assert.ok(!await isGenuine(form, signed().keys) && !await isGenuine(form, [{ ...keys[0], x: 'AA' }]));
    assert.equal(codeOf('9kq2m7xw4t8z1c5v3r6h'), codeOf(text));
    for (let at = 0; at < text.length; at++) {
        const changed = readForm(text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1));
        assert.ok(changed === null || !await isGenuine(changed, keys), `character ${at}`);
    }
    const sameBits = text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + 1); /* base64 has four spare ones there */
    for (const bad of [sameBits, '', 'HF1', 'HF1.', 'HF1..', `${text}.`, `${text}=`, text.slice(0, -1), text.replace('HF1', 'HF2'), `HF1.${'é'}.AA`]) {
        assert.equal(readForm(bad), null, bad);
    }
});

test('an offline door refuses in the order of the server, and admits nobody by a code alone', async () => {
    const { judgeAlone, placeOfForm } = await load('lib/door_judge.js');
    const form = { kind: 1, of: 'arena', part: 'A15', reissue: 7 };
    const judge = (more) => {
        const { result, why } = judgeAlone({ form, genuine: true, event: 'arena', entry: undefined, own: undefined, ...more });
        return why ?? result;
    };
    const entry = (result, reissue = 7) => ({ result, reissue, at: '2030-06-07T18:42:07.000Z', gate: 'north' });
    const cases = [
        [{}, 'unchecked'], [{ event: null }, 'unchecked'], [{ genuine: false, event: 'other' }, 'no_such_ticket'],
        [{ event: 'other', entry: entry('void', 8) }, 'wrong_event'], [{ form: { ...form, kind: 4 } }, 'wrong_event'],
        [{ form: { ...form, kind: 2 } }, 'unchecked'], [{ form: { ...form, kind: 4 }, event: null }, 'unchecked'],
        [{ entry: entry('void', 8) }, 'void'], [{ entry: entry('void') }, 'unchecked'], [{ entry: entry('in', 8) }, 'void'],
        [{ entry: entry('in') }, 'already_checked_in'], [{ entry: entry('out') }, 'unchecked'], [{ own: { at: 5, gate: 'south' } }, 'already_checked_in'],
        [{ form: null, genuine: false }, 'needs_signature'], [{ form: null, genuine: false, entry: entry('in') }, 'already_checked_in'],
    ];
    for (const [more, result] of cases) {
        assert.equal(judge(more), result, JSON.stringify(more));
    }
    const { since, by } = judgeAlone({ form, genuine: true, event: 'arena', entry: entry('in') });
    assert.deepEqual([since, by], [Date.parse('2030-06-07T18:42:07.000Z'), 'north']);
    assert.deepEqual(placeOfForm({ kind: 4, of: 'dr', part: '' }), { calendar: 'dr', service: undefined });
});

/* A Door as it is served, next to the client, with a key and a store that has the given content and keeps nothing. */
async function doorWith(t, { settings = {}, scans = [], entry }) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-door-'));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const root = path.join(__dirname, '../..');
    for (const [from, to] of [['web/lib', 'lib'], ['clients/js/src', 'client'], ['web/package.json', 'package.json']]) {
        fs.cpSync(path.join(root, from), path.join(folder, to), { recursive: true });
    }
    globalThis.navigator ??= {};
    Object.assign(globalThis, { sessionStorage: { getItem: () => 'key' }, addEventListener: () => {} });
    const { Door } = await import(path.join(folder, 'lib/door.js'));
    const store = { setting: async (name) => settings[name], set: async () => {}, scans: async () => scans, entry: async () => entry, learn: async () => {}, keep: async () => {}, drop: async () => {} };
    const door = await new Door(store).load();
    door.client = { get: async () => ({ keys: [] }), all: async () => [], post: async () => ({ result: 'ok' }), clock: Date };
    door.reachable = true;
    return door;
}

test('a door whose key is refused does not poll more often because scans wait; one that has sent polls soon', async (t) => {
    const scans = [{ id: 1, code: 'X', at: 5, waiting: true }];
    const door = await doorWith(t, { settings: { setup: { event: { id: 'arena' }, gate: 'north' } }, scans });
    const timer = t.mock.method(globalThis, 'setTimeout', () => {});
    const waits = () => timer.mock.calls.map(({ arguments: [, ms] }) => ms).filter((ms) => [1_000, 5_000, 15_000].includes(ms));
    door.keyRefused = true;
    await door.sync();
    assert.deepEqual(waits(), [15_000]);
    door.keyRefused = false;
    await door.sync();
    assert.deepEqual(door.waiting, []);
    await door.sync();
    assert.deepEqual(waits(), [15_000, 1_000, 15_000]);
});

test('scans made during a sync are sent soon', async (t) => {
    const scans = [];
    const door = await doorWith(t, { settings: { setup: { event: { id: 'arena' }, gate: 'north' } }, scans });
    const timer = t.mock.method(globalThis, 'setTimeout', () => {});
    door.client.all = async () => {
        scans.push({ id: 1, code: 'X', at: 5, waiting: true });
        return [];
    };
    await door.sync();
    assert.equal(timer.mock.calls.at(-1).arguments[1], 1_000);
});

test('the earlier check-in is taken from the server, not from an older page\'s record of this scan', async (t) => {
    const at = Date.parse('2030-06-07T18:42:07.123Z');
    for (const [entry, since] of [
        [{ at: '2030-06-07T18:42:07.123Z', gate: 'north' }, undefined], [{ at: '2030-06-07T18:42:07.123Z', gate: 'north', guess: true }, undefined],
        [{ at: '2030-06-07T18:42:07.000Z', gate: 'south' }, at - 123], [{ at: '2030-06-07T18:42:07.000Z', gate: 'south', guess: false }, at - 123],
    ]) {
        const scans = [{ id: 1, code: 'X', at, event: 'arena', conflict: 'duplicate' }];
        const door = await doorWith(t, { settings: { setup: { event: { id: 'arena' }, gate: 'north' } }, scans, entry: { ...entry, result: 'in' } });
        t.mock.method(globalThis, 'setTimeout', () => {});
        await door.sync();
        t.mock.restoreAll();
        assert.equal(scans[0].since, since, JSON.stringify(entry));
    }
});
