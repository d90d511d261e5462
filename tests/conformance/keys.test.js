/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of trusted back ends and doors: shown once, listed without their secret, gone when deleted. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { makeEvent, items, whole } = require('./lib/catalogue.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();

test('POST: 201 {name, role, key}, and the key works', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const name = unique('shop');
    const made = await hf.admin.post('/v1/keys', { name, role: 'app' });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(Object.keys(made.json).sort(), ['key', 'name', 'role']);
    assert.deepEqual([made.json.name, made.json.role], [name, 'app']);
    assert.ok(made.json.key.length >= 32, 'not to be guessed');
    const app = hf.bearer(made.json.key);
    granted(await app.post('/v1/reservations', { items: items(event, 'A1'), user_id: 'ann' }), 201, {
        user_id: 'ann'
    });
});

test('the same name again is 409 exists, also with another role', async () => {
    const name = unique('shop');
    const first = await hf.admin.post('/v1/keys', { name, role: 'app' });
    refused(await hf.admin.post('/v1/keys', { name, role: 'app' }), 409, 'exists');
    refused(await hf.admin.post('/v1/keys', { name, role: 'door' }), 409, 'exists');
    assert.equal((await hf.bearer(first.json.key).get('/v1/reservations')).status, 200);
});

test('GET lists names and roles, never keys', async () => {
    const made = [];
    for (const role of ['app', 'door', 'app']) {
        made.push((await hf.admin.post('/v1/keys', { name: unique('k'), role })).json);
    }
    const data = await whole(hf.admin, '/v1/keys?limit=2', hf.since(await hf.anyone.get('/healthz')));
    for (const { name, role, key } of made) {
        assert.equal(data.find((one) => one.name === name)?.role, role);
        assert.ok(!JSON.stringify(data).includes(key));
    }
    assert.ok(data.every((one) => !('key' in one)));
    assert.equal(new Set(data.map((one) => one.name)).size, data.length);
});

test('DELETE: 204, and the key is nobody from then on', async () => {
    const name = unique('shop');
    const { key } = (await hf.admin.post('/v1/keys', { name, role: 'app' })).json;
    const app = hf.bearer(key);
    assert.equal((await app.get('/v1/reservations')).status, 200);
    const gone = await hf.admin.delete(`/v1/keys/${name}`);
    assert.equal(gone.status, 204);
    assert.equal(gone.text, '');
    refused(await app.get('/v1/reservations'), 401, 'unauthenticated');
    refused(await hf.admin.delete(`/v1/keys/${name}`), 404, 'no_such_key');
    const again = await hf.admin.post('/v1/keys', { name, role: 'app' });
    assert.equal(again.status, 201);
    assert.notEqual(again.json.key, key);
    refused(await app.get('/v1/reservations'), 401, 'unauthenticated');
});

test('bad names, roles and fields are 400', async () => {
    for (const name of ['', 'no spaces', 'x'.repeat(65), 5, null, 'gr\u00fcn']) {
        invalid(await hf.admin.post('/v1/keys', { name, role: 'app' }), '/name');
    }
    for (const role of ['admin', 'user', '', 5, null]) {
        invalid(await hf.admin.post('/v1/keys', { name: unique('k'), role }), '/role');
    }
    invalid(await hf.admin.post('/v1/keys', { role: 'app' }), '/name');
    invalid(await hf.admin.post('/v1/keys', { name: unique('k') }), '/role');
    invalid(await hf.admin.post('/v1/keys', { name: unique('k'), role: 'app', key: 'mine' }), '/key');
    refused(await hf.admin.delete(`/v1/keys/${unique('k')}`), 404, 'no_such_key');
});
