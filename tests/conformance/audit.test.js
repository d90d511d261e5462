/* SPDX-License-Identifier: Apache-2.0 */
/* The audit log shows every change of the catalogue, keys and hooks: what, when and by whom. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock, ownProcess } = require('./lib/server.js');
const { makeEvent, items, hold, seats, whole } = require('./lib/catalogue.js');
const { makeCalendar, DAY } = require('./lib/calendars.js');
const { refused, invalid, instant } = require('./lib/expect.js');

const hf = shared();
const HOOK = { url: 'https://shop.invalid/', events: ['refund.due'], secret: `whsec_${'A'.repeat(32)}` };
const now = async () => hf.since(await hf.admin.get('/v1/keys'));
const log = async (query = '') => whole(hf.admin, `/v1/audit?limit=1000${query}`, await now());
const said = (rows, ...names) => rows.map((row) => names.map((name) => row[name]).join(' ')).reverse();

async function did(answer) {
    const { status, text } = await answer;
    assert.ok(status >= 200 && status < 300, text);
}

test('each change of an event and its parts, oldest last, with count and allotment', ownProcess, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A5', pools: { floor: 3 } });
    const path = `/v1/events/${event}`;
    await did(hf.admin.patch(path, { name: 'Another' }));
    await did(hf.admin.patch(`${path}/seats`, { ids: ['A1', 'A2'], blocked: true }));
    await did(hf.admin.patch(`${path}/seats`, { ids: ['A1'], blocked: false }));
    await did(hf.admin.patch(`${path}/seats`, { ids: ['A3', 'A4', 'A5'], set_allotment: 'press' }));
    await did(hf.admin.call('DELETE', `${path}/seats`, { body: { ids: ['A2'] } }));
    await did(hf.admin.post(`${path}/codes`, [{ code: 'FIRST' }, { code: 'SECOND' }]));
    await did(hf.admin.delete(`${path}/codes/FIRST`));
    refused(await hf.admin.patch(`${path}/seats`, { ids: ['Z9'], blocked: true }), 404, 'no_such_seat');
    const held = await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 1 }]);
    await did(hf.user('ann').delete(`/v1/reservations/${held.reservation_id}`));
    await did(hf.admin.delete(path));
    const rows = (await log()).filter((row) => row.event === event || row.id === event);
    assert.deepEqual(said(rows, 'kind', 'action', 'count'), [
        'event put 1', 'seats imported 1', 'pool put 1', 'event put 1', 'seats blocked 2', 'seats unblocked 1', 'seats allotted 3',
        'seats removed 1', 'codes put 2', 'codes removed 1', 'event removed 1'
    ]);
    assert.equal(rows.find((row) => row.kind === 'pool').id, 'floor');
    assert.equal(rows.find((row) => row.action === 'allotted').id, 'press');
    for (const row of rows) {
        assert.equal(row.actor, 'admin');
        assert.ok(Math.abs(instant(row.at) - hf.now()) < 60_000);
        assert.ok(!JSON.stringify(row).includes('FIRST'));
    }
    assert.deepEqual(rows.map((row) => row.seq), rows.map((row) => row.seq).sort((a, b) => b - a));
});

test('who set the payment provider, copied seats and paid back; no secret is shown', ownProcess, async () => {
    const from = await makeEvent(hf, { seats: seats('A1', { price: 500 }) });
    const copy = unique('event');
    await did(hf.admin.put(`/v1/events/${copy}`, { name: 'Copy', copy_seats_from: from }));
    const secret = `whsec_${'B'.repeat(32)}`;
    await did(hf.admin.put('/v1/payments/provider', { provider: 'stripe', secret }));
    const held = await hold(hf.user('ann'), items(from, 'A1'));
    await did(hf.app.post(`/v1/reservations/${held.reservation_id}/commit`, { payment_ref: 'pi_1' }));
    await did(hf.app.post(`/v1/reservations/${held.reservation_id}/refund`, {}));
    const { json } = await hf.app.get('/v1/refunds-due', await now());
    const due = json.data.find((row) => row.payment_ref === 'pi_1').id;
    await did(hf.app.post(`/v1/refunds-due/${due}/done`, {}));
    await did(hf.app.post(`/v1/refunds-due/${due}/done`, {}));
    const rows = await log();
    assert.deepEqual(said(rows.filter(({ kind }) => kind === 'provider'), 'action', 'id', 'actor'), ['put stripe admin']);
    assert.deepEqual(said(rows.filter(({ kind }) => kind === 'refund'), 'action', 'id').slice(-1), [`done ${due}`]);
    assert.equal(rows.filter(({ id }) => id === due).length, 1);
    assert.match(rows.find(({ id }) => id === due).actor, /^app:/);
    assert.deepEqual(said(rows.filter(({ event }) => event === copy), 'kind', 'action'), ['seats copied']);
    assert.ok(!JSON.stringify(rows).includes(secret));
});

test('calendars, groups, keys and hooks, put and removed; after a crash too', ownProcess, async () => {
    const [calendar, group, hook, key] = [await makeCalendar(hf), unique('group'), unique('hook'), unique('key')];
    await did(hf.admin.put(`/v1/groups/${group}`, { name: 'All', calendars: [calendar] }));
    await did(hf.admin.put(`/v1/hooks/${hook}`, HOOK));
    await did(hf.admin.post('/v1/keys', { name: key, role: 'door' }));
    await did(hf.admin.post(`/v1/keys/${key}/rotate`, {}));
    await did(hf.admin.delete(`/v1/keys/${key}`));
    await did(hf.admin.delete(`/v1/hooks/${hook}`));
    await did(hf.admin.delete(`/v1/groups/${group}`));
    await did(hf.admin.delete(`/v1/calendars/${calendar}`));
    const expected = [
        `calendar put ${calendar}`, `group put ${group}`, `hook put ${hook}`, `key put ${key}`, `key put ${key}`, `key removed ${key}`,
        `hook removed ${hook}`, `group removed ${group}`, `calendar removed ${calendar}`
    ];
    const mine = async () => said((await log()).filter((row) => [calendar, group, hook, key].includes(row.id)), 'kind', 'action', 'id');
    assert.deepEqual(await mine(), expected);
    await hf.restart({ kill: true });
    assert.deepEqual(await mine(), expected);
    const { text } = await hf.admin.get('/v1/audit?limit=1000', await now());
    assert.ok(!text.includes(HOOK.secret));
});

test('pages and times; for admins only', ownClock, async () => {
    const first = await makeEvent(hf);
    hf.clock.advance(DAY);
    const at = new Date(hf.now()).toISOString();
    const [second, third] = [await makeEvent(hf), await makeEvent(hf)];
    assert.deepEqual((await log(`&from=${at}`)).map((row) => row.id), [third, second]);
    const before = (await log(`&to=${at}`)).map((row) => row.id);
    assert.equal(before[0], first);
    assert.deepEqual((await whole(hf.admin, '/v1/audit?limit=2', await now())).map((row) => row.id), [third, second, ...before]);
    invalid(await hf.admin.get('/v1/audit?cursor=nonsense'), '?cursor');
    invalid(await hf.admin.get('/v1/audit?from=yesterday'), '?from');
    refused(await hf.app.get('/v1/audit'), 403, 'forbidden');
    refused(await hf.user('ann').get('/v1/audit'), 403, 'forbidden');
});
