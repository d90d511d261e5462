/* SPDX-License-Identifier: Apache-2.0 */
/* examples/webhooks: a receiver with the third-party npm package `standardwebhooks` accepts what is sent, also while a
 * secret is replaced, and nothing that was changed on the way. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { shared } = require('../conformance/lib/server.js');
const { makeEvent, items, hold } = require('../conformance/lib/catalogue.js');
const { Receiver, SECRET } = require('../conformance/lib/receiver.js');

const EXAMPLE = path.join(__dirname, '../../examples/webhooks');
const PATIENCE_MS = 20_000;
const installed = execFileSync(path.join(__dirname, '../tools/install'), [EXAMPLE], { encoding: 'utf8' }).trim();
const { Webhook } = require(path.join(installed, 'node_modules/standardwebhooks'));
const hf = shared({ args: ['--hooks-private', 'on'] });
const put = (name, url, secret, events = ['reservation.held', 'reservation.released']) =>
    hf.admin.put(`/v1/hooks/${name}`, { url, events, secret });

test('a third-party verifier accepts a message, and none that was changed', async () => {
    const receiver = await new Receiver().start();
    try {
        await put('checked', receiver.url, SECRET);
        const event = await makeEvent(hf, { seats: 'A1-A9' });
        const r = await hold(hf.user('ann'), items(event, 'A1'));
        await receiver.count(1);
        const [{ headers, body }] = receiver.got;
        const message = new Webhook(SECRET).verify(body, headers);
        assert.equal(message.type, 'reservation.held');
        assert.equal(message.data.reservation_id, r.reservation_id);
        const other = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
        assert.throws(() => new Webhook(other).verify(body, headers));
        assert.throws(() => new Webhook(SECRET).verify(body.replace('held', 'hold'), headers));
        assert.throws(() => new Webhook(SECRET).verify(body, { ...headers, 'webhook-id': 'msg_other' }));
        const late = String(Number(headers['webhook-timestamp']) - 1);
        assert.throws(() => new Webhook(SECRET).verify(body, { ...headers, 'webhook-timestamp': late }));
        /* With both secrets while one is replaced. */
        await put('checked', receiver.url, other);
        await hf.user('ann').delete(`/v1/reservations/${r.reservation_id}`);
        await receiver.count(2);
        for (const secret of [SECRET, other]) {
            assert.equal(new Webhook(secret).verify(receiver.got[1].body, receiver.got[1].headers).type, 'reservation.released');
        }
    } finally {
        await hf.admin.delete('/v1/hooks/checked');
        await receiver.close();
    }
});

test('the example prints what happens', async () => {
    const work = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-webhooks-'));
    fs.copyFileSync(path.join(EXAMPLE, 'receive.js'), path.join(work, 'receive.js'));
    fs.symlinkSync(path.join(installed, 'node_modules'), path.join(work, 'node_modules'));
    const child = spawn(process.execPath, ['receive.js'], { cwd: work, env: { ...process.env, HOOK_SECRET: SECRET, PORT: '0' } });
    const exit = new Promise((resolve) => child.on('close', resolve));
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (more) => (text += more));
    const line = (form) => hf.eventually(() => form.exec(text), (found) => found, String(form), PATIENCE_MS);
    try {
        const [, port] = await line(/^listening on (\d+)$/m);
        await put('example', `http://127.0.0.1:${port}/`, SECRET);
        const event = await makeEvent(hf, { seats: 'A1-A9' });
        const r = await hold(hf.user('bob'), items(event, 'A1'));
        await line(new RegExp(`^reservation.held ${r.reservation_id} held$`, 'm'));
        await hf.user('bob').delete(`/v1/reservations/${r.reservation_id}`);
        await line(new RegExp(`^reservation.released ${r.reservation_id} released$`, 'm'));
        const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
        assert.equal(answer.status, 401);
    } finally {
        child.kill();
        await exit;
        fs.rmSync(work, { recursive: true });
    }
});
