/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of trusted back ends and doors: shown once, listed without their secret, rotated without interruption, invalid
 * when deleted. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, unique, ownClock, ownProcess } = require('./lib/server.js');
const { makeEvent, items, whole } = require('./lib/catalogue.js');
const { instant, refused, invalid, granted } = require('./lib/expect.js');

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

test('DELETE: 204, and the key is invalid from then on', async () => {
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

const listed = async (server, name) => {
    const data = await whole(server.admin, '/v1/keys', server.since(await server.anyone.get('/healthz')));
    return data.find((one) => one.name === name);
};
const rotate = async (server, name, body) => {
    const answer = await server.admin.post(`/v1/keys/${name}/rotate`, body);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
};
const works = async (server, key) => assert.equal((await server.bearer(key).get('/v1/reservations')).status, 200);
const over = async (server, key) => refused(await server.bearer(key).get('/v1/reservations'), 401, 'unauthenticated');

test('rotate: both values are valid until old_valid_until, exclusive', ownClock, async () => {
    for (const role of ['app', 'door']) {
        const { name, key } = await hf.key(role);
        assert.equal((await listed(hf, name)).old_valid_until, null);
        const before = Date.now() + hf.clock.offset_ms;
        const next = await rotate(hf, name, { old_valid_seconds: 60 });
        assert.deepEqual(Object.keys(next).sort(), ['key', 'name', 'old_valid_until', 'role']);
        assert.deepEqual([next.name, next.role], [name, role]);
        assert.notEqual(next.key, key);
        assert.ok(next.key.startsWith(`hf_${role}_`));
        const until = instant(next.old_valid_until);
        assert.ok(until >= before + 59_000 && until <= Date.now() + hf.clock.offset_ms + 61_000, next.old_valid_until);
        const row = await listed(hf, name);
        assert.equal(row.old_valid_until, next.old_valid_until);
        assert.ok(!JSON.stringify(row).includes(next.key));
        hf.clock.goto(until - 5_000);
        if (role === 'app') {
            await works(hf, key);
            await works(hf, next.key);
        }
        hf.clock.goto(until);
        await over(hf, key);
        assert.notEqual((await hf.bearer(next.key).get('/v1/reservations')).status, 401);
        assert.equal((await listed(hf, name)).old_valid_until, null);
    }
});

test('rotate: a day by default, 0 ends the old value at once, a third value ends the first', ownClock, async () => {
    const { name, key } = await hf.key('app');
    const second = await rotate(hf, name, {});
    const left = instant(second.old_valid_until) - (Date.now() + hf.clock.offset_ms);
    assert.ok(left > 86_300_000 && left <= 86_401_000, `${left} ms`);
    const third = await rotate(hf, name, { old_valid_seconds: 2_592_000 });
    await over(hf, key);
    await works(hf, second.key);
    await works(hf, third.key);
    const fourth = await rotate(hf, name, { old_valid_seconds: 0 });
    assert.equal(fourth.old_valid_until, null);
    await over(hf, second.key);
    await over(hf, third.key);
    await works(hf, fourth.key);
    const fifth = await rotate(hf, name); /* no body at all */
    assert.equal((await hf.admin.delete(`/v1/keys/${name}`)).status, 204);
    await over(hf, fourth.key);
    await over(hf, fifth.key);
});

test('rotate: unknown names, invalid bodies, and only the admin', async () => {
    refused(await hf.admin.post(`/v1/keys/${unique('k')}/rotate`, {}), 404, 'no_such_key');
    const { name, key } = await hf.key('app');
    const target = `/v1/keys/${name}/rotate`;
    for (const value of [-1, 2_592_001, 1.5, '60', true, {}]) {
        invalid(await hf.admin.post(target, { old_valid_seconds: value }), '/old_valid_seconds');
    }
    invalid(await hf.admin.post(target, { key: 'mine' }), '/key');
    refused(await hf.bearer(key).post(target, {}), 403, 'forbidden');
    refused(await hf.user('ann').post(target, {}), 403, 'forbidden');
    refused(await hf.anyone.post(target, {}), 401, 'unauthenticated');
    await works(hf, key);
    assert.equal((await listed(hf, name)).old_valid_until, null);
});

for (const kill of [false, true]) {
    test(`rotate: both values survive ${kill ? 'kill -9' : 'SIGTERM'}`, ownProcess, async () => {
        const own = await new Server().start();
        try {
            const { name, key } = await own.key('app');
            const next = await rotate(own, name, { old_valid_seconds: 600 });
            await own.restart({ kill });
            await works(own, key);
            await works(own, next.key);
            assert.equal((await listed(own, name)).old_valid_until, next.old_valid_until);
            own.clock.advance(600_000);
            await over(own, key);
            await works(own, next.key);
            await own.restart({ kill: !kill });
            await over(own, key);
            await works(own, next.key);
        } finally {
            await own.close();
        }
    });
}
