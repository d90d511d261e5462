/* SPDX-License-Identifier: Apache-2.0 */
/* The options of the gate on Redis: what is refused at the start, and with which sentence; and what is never logged. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { GatedSite, hold } = require('./lib/gated.js');
const { Postgres } = require('./lib/postgres.js');
const { makeEvent } = require('../conformance/lib/catalogue.js');
const { eventually } = require('../conformance/lib/http.js');
const { PROGRAM } = require('../conformance/lib/server.js');

const STORE = ['--store', 'postgres://nobody@127.0.0.1:1/none', '--advertise', 'http://127.0.0.1:0'];
const REFUSED = {
    '--gate redis without --redis': [...STORE, '--gate', 'redis'],
    '--gate redis without --store': ['--gate', 'redis', '--redis', 'redis://127.0.0.1'],
    '--redis without --store': ['--redis', 'redis://127.0.0.1'],
    'an unknown gate': [...STORE, '--gate', 'paper'],
    'no address': [...STORE, '--redis', ''],
    'an empty address among others': [...STORE, '--redis', 'redis://a,,redis://b'],
    'another scheme': [...STORE, '--redis', 'http://127.0.0.1:6379'],
    'TLS, which a proxy does': [...STORE, '--redis', 'rediss://127.0.0.1:6379'],
    'no host': [...STORE, '--redis', 'redis://:6379'],
    'a port that is none': [...STORE, '--redis', 'redis://127.0.0.1:70000'],
    'a database that is no number': [...STORE, '--redis', 'redis://127.0.0.1/main'],
    'more than 16 addresses': [...STORE, '--redis', Array.from({ length: 17 }, (_, i) => `redis://127.0.0.1:${7000 + i}`).join()],
    'the same address twice': [...STORE, '--redis', 'redis://127.0.0.1:7000,redis://127.0.0.1:7000'],
};

for (const [what, args] of Object.entries(REFUSED)) {
    test(`refused at the start: ${what}`, (t) => {
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-options-'));
        t.after(() => fs.rmSync(folder, { recursive: true }));
        const { status, stderr } = spawnSync(PROGRAM, ['serve', '--data', path.join(folder, 'data'), '--listen', '127.0.0.1:0', ...args],
            { encoding: 'utf8', timeout: 30_000 });
        assert.equal(status, 64, stderr);
        assert.match(stderr, /--(redis|gate|store)\b/);
    });
}

let pg;
before(async () => (pg = await new Postgres().start()));
after(() => pg?.close());

const PASSWORD = 'a-password-that-nobody-sees';

test('user, password and database of an address are used, and the password is never logged', async () => {
    const site = await new GatedSite(pg, { settings: { requirepass: PASSWORD } }).start();
    try {
        await site.redis.call('SELECT', '3');
        const url = `redis://default:${PASSWORD}@127.0.0.1:${site.redis.port}/3`;
        const [owner, asker] = [await site.node('one', { env: { HOLDFAST_REDIS: url }, args: ['--gate', 'redis'] }),
            await site.gated('two', { url })];
        await site.up(owner, asker);
        const event = await makeEvent(owner, { seats: 'A1-A9' });
        await site.copied(asker, await owner.admin.get(`/v1/events/${event}`));
        const held = await hold(asker, 'ann', event, 'A1');
        assert.equal(held.status, 201, held.text);
        await site.keyIs(event, 'A1', `ann\n${held.json.fence}`);
        await site.redis.stop();
        assert.equal((await hold(asker, 'ann', event, 'A2')).status, 201);
        for (const node of [owner, asker]) {
            assert.ok(!(node.stdout + node.stderr).includes(PASSWORD));
            assert.ok(!(await node.admin.get('/metrics')).text.includes(PASSWORD));
        }
    } finally {
        await site.close();
    }
});

test('a wrong password: the gate is away, and the log says why without it', async () => {
    const site = await new GatedSite(pg, { settings: { requirepass: PASSWORD } }).start();
    try {
        const owner = await site.gated('one', { url: `redis://default:wrong-${PASSWORD}@127.0.0.1:${site.redis.port}` });
        await eventually(() => owner.anyone.get('/readyz'), ({ status, json }) => status === 200 && json.degraded?.includes('gate_away'), 'gate_away');
        await eventually(async () => owner.stderr, (text) => /WRONGPASS|password/i.test(text), 'the reason in the log');
        assert.ok(!owner.stderr.includes(PASSWORD));
    } finally {
        await site.close();
    }
});
