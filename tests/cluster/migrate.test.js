/* SPDX-License-Identifier: Apache-2.0 */
/* `holdfast migrate` moves a data folder into a site, with everything in it; a backup of a node is the way back. */
'use strict';

const { test, before, after } = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');

const { Postgres } = require('./lib/postgres.js');
const { Site } = require('./lib/site.js');
const provider = require('../conformance/lib/provider.js');
const { Server } = require('../conformance/lib/server.js');
const { makeEvent, items, seats, seatStatus } = require('../conformance/lib/catalogue.js');

let pg;
before(async () => (pg = await new Postgres().start()));
after(() => pg?.close());

function run(server, args, env = {}) {
    return spawnSync(server.program, args, { encoding: 'utf8', env: { ...process.env, ...env } });
}
const keys = (site) => ({ HOLDFAST_ADMIN_KEY: site.adminKey, HOLDFAST_SECRET: site.secret, HOLDFAST_TICKET_KEY: site.ticketKey });
const migrate = (site, server, env = {}) =>
    run(server, ['migrate', '--from', server.data, '--store', pg.url, '--site', site.name], { ...keys(site), ...env });
function migrated(site, server, env) {
    const { status, stdout, stderr } = migrate(site, server, env);
    assert.equal(status, 0, stdout + stderr);
    return stdout;
}
const sound = (site) => assert.match(site.tool('check').stdout, /^ok$/m);

/* An embedded server with the keys of the site, and the site. */
async function embedded(t, options = {}) {
    const site = new Site(pg);
    const server = new Server({ adminKey: site.adminKey, secret: site.secret, env: { HOLDFAST_TICKET_KEY: site.ticketKey }, ...options });
    t.after(async () => {
        await site.close();
        await server.close();
    });
    await server.start();
    return { site, server };
}

function ok(answer, wanted = 200) {
    assert.equal(answer.status, wanted, answer.text);
    return answer.json;
}
const hold = async (server, event, wanted, user) => ok(await server.acting(user).post('/v1/reservations', { items: items(event, wanted) }), 201);
const at = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const rows = (site) => site.sql('SELECT event, seat, fence FROM sold WHERE shard=this AND fence<>0 ORDER BY 1, 2').map((row) => row.map(Number));

const HOOK = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/* Some of everything that must move. */
async function fill(server) {
    const event = await makeEvent(server, { seats: 'A1-A9', pools: { floor: 9 } });
    const paid = await makeEvent(server, { seats: seats('A1-A9', { price: 500 }), payment: 'required', currency: 'EUR' });
    const sold = await hold(server, event, 'A1 A2', 'ann');
    ok(await server.admin.post(at(sold, '/commit'), {}));
    const refunded = await hold(server, event, 'A3', 'bob');
    ok(await server.admin.post(at(refunded, '/commit'), {}));
    ok(await server.admin.post(at(refunded, '/refund'), {}));
    const held = await hold(server, event, 'A4', 'cid');
    const key = `key-${event}`;
    const body = { items: items(event, 'A5'), user_id: 'dora' };
    const keyed = { headers: { 'Idempotency-Key': key } };
    const first = await server.admin.post('/v1/reservations', body, keyed);
    ok(first, 201);
    const hook = ok(await server.admin.put('/v1/hooks/shop', { url: 'https://shop.example/x', events: ['reservation.transferred'], secret: HOOK }), 201);
    ok(await provider.put(server));
    const ordered = await hold(server, paid, 'A1', 'gus');
    await provider.became(provider.tell(server, provider.success(ordered, 'pi_moved')), 'confirmed');
    const owed = await hold(server, paid, 'A2', 'hal');
    ok(await server.admin.delete(at(owed)));
    await provider.became(provider.tell(server, provider.success(owed, 'pi_late')), 'refund_due');
    ok(await server.admin.delete('/v1/users/zoe'), 202);
    const app = await server.key('app');
    return { event, paid, sold, held, body, keyed, first: first.json, hook, app };
}

/* What the server shows of it. Lists come from the book, which may lag. */
async function shown(server, made) {
    const now = server.since(await server.admin.get(`/v1/events/${made.event}`));
    const of = async (target, pick = (json) => json) => pick(ok(await server.admin.get(target, now)));
    const status = await Promise.all(['A1', 'A2', 'A3', 'A4', 'A5', 'A6'].map((seat) => of(`/v1/events/${made.event}/seats/${seat}`)));
    return {
        seats: status,
        ordered: await of(`/v1/events/${made.paid}/seats/A1`),
        sold: await of(at(made.sold)),
        held: await of(at(made.held), ({ expires_in: s, expires_in_ms: ms, ...rest }) => rest),
        event: await of(`/v1/events/${made.event}`),
        payments: await of('/v1/payments'),
        owed: await of('/v1/refunds-due'),
        hooks: await of('/v1/hooks'),
        key: await of('/v1/keys', (json) => Object.values(json).find(Array.isArray).find(({ name }) => name === made.app.name)),
        history: await of(at(made.sold, '/history')),
    };
}

test('everything moves, the seqs and fences go on, and a backup of the node moves it back', async (t) => {
    const { site, server } = await embedded(t);
    const made = await fill(server);
    const before = await shown(server, made);
    const { seq } = await server.admin.get(`/v1/events/${made.event}`);
    const greatest = Math.max(...before.seats.map(({ version }) => Number(version)));
    await server.stop();

    assert.match(migrated(site, server), /^migrate: everything up to seq \d+ is in the site/);
    const soldThere = rows(site);
    const fences = [...before.seats.slice(0, 2), before.ordered].map(({ version }) => Number(version));
    assert.deepEqual(soldThere.map(([, , fence]) => fence).sort(), fences.sort());
    sound(site);
    const node = await site.node();
    assert.deepEqual(await shown(node, made), before);
    const again = await node.admin.post('/v1/reservations', made.body, made.keyed);
    assert.equal(again.json.reservation_id, made.first.reservation_id);
    assert.equal(ok(await node.bearer(made.app.key).get(at(made.sold))).user_id, 'ann', 'keys of back ends are valid');
    assert.ok((await node.admin.get(`/v1/events/${made.event}`)).seq > seq);
    ok(await node.admin.post(at(made.held, '/commit'), {}));
    ok(await node.admin.post(at(made.sold, '/refund'), { items: [made.sold.items[0].item_id] }));
    const next = await hold(node, made.event, 'A1', 'eve');
    assert.ok(next.fence > greatest);
    ok(await node.admin.post(at(next, '/commit'), {}));
    assert.equal(await seatStatus(node, made.event, 'A2'), 'sold');
    sound(site);
    const there = await shown(node, made);
    const { seq: seqThere } = await node.admin.get(`/v1/events/${made.event}`);
    await node.stop();

    /* Back to one server with a journal of its own. */
    const back = new Server({ adminKey: site.adminKey, secret: site.secret, env: { HOLDFAST_TICKET_KEY: site.ticketKey } });
    back.prepare();
    t.after(() => back.close());
    const copied = run(node, ['backup', node.data, back.data]);
    assert.equal(copied.status, 0, copied.stderr);
    const checked = run(node, ['check', back.data]);
    assert.match(checked.stdout, /^ok$/m, checked.stderr);
    await back.launch();
    await back.stop();
    await back.start();
    assert.deepEqual(await shown(back, made), there);
    assert.ok((await back.admin.get(`/v1/events/${made.event}`)).seq >= seqThere);
    const last = await hold(back, made.event, 'A7', 'fay');
    assert.ok(last.fence > next.fence);
    await back.restart({ kill: true });
    assert.equal(await seatStatus(back, made.event, 'A7'), 'held');
    await back.stop();

    /* And once more into a site: its epoch is later than that of the first. */
    const second = new Site(pg);
    Object.assign(second, keysOf(site));
    t.after(() => second.close());
    migrated(second, back);
    const other = await second.node();
    assert.equal(await seatStatus(other, made.event, 'A7'), 'held');
    sound(second);
});

const keysOf = ({ adminKey, secret, ticketKey }) => ({ adminKey, secret, ticketKey });

test('a folder whose server was killed moves with what only its journal has', async (t) => {
    const { site, server } = await embedded(t);
    const event = await makeEvent(server, { seats: 'A1-A9' });
    await hold(server, event, 'A1', 'ann');
    await server.kill9();
    migrated(site, server);
    const node = await site.node();
    assert.equal(await seatStatus(node, event, 'A1'), 'held');
});

test('migrate refuses a site that exists, a folder in use, one without a journal, and other keys', async (t) => {
    const { site, server } = await embedded(t);
    await makeEvent(server, { seats: 'A1' });
    const refused = (status, text, env) => {
        const answer = migrate(site, server, env);
        assert.equal(answer.status, status, answer.stdout + answer.stderr);
        assert.match(answer.stderr, text);
    };
    refused(75, /another process is using the data folder/);
    await server.stop();
    refused(64, /set HOLDFAST_SECRET/, { HOLDFAST_SECRET: undefined });
    fs.writeFileSync(`${server.data}/secret`, `${'another-'.repeat(8)}\n`, { mode: 0o600 });
    refused(64, /HOLDFAST_SECRET differs from/);
    fs.rmSync(`${server.data}/secret`);
    assert.equal(site.number('SELECT count(*) FROM site WHERE shard=this'), 0, 'nothing was created');
    migrated(site, server);
    refused(64, /has a site "site-\d+" already/);
    const node = await site.node();
    await node.stop();
    const again = run(node, ['migrate', '--from', node.data, '--store', pg.url, '--site', 'another'], keys(site));
    assert.equal(again.status, 64, again.stderr);
    assert.match(again.stderr, /has no journal/);
});

test('no node can use a site whose migration was interrupted, and it can be run again', async (t) => {
    const { site, server } = await embedded(t);
    const made = await fill(server);
    await server.stop();
    /* The last statement is refused: the site remains as an interruption leaves it. */
    pg.sql(`CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$;
        CREATE TRIGGER no BEFORE INSERT ON snapshot_done EXECUTE FUNCTION no()`);
    const answer = migrate(site, server);
    assert.equal(answer.status, 74, answer.stdout + answer.stderr);
    pg.sql('DROP TRIGGER no ON snapshot_done; DROP FUNCTION no()');
    await assert.rejects(site.node(), /ended with 65[^]*holdfast migrate has begun and not finished/);
    site.nodes[0].child = null;
    site.sql('UPDATE sold SET fence=fence+1 WHERE shard=this; INSERT INTO snapshot VALUES (this, 5, 0, \'\\x00\')');
    migrated(site, server);
    assert.equal(site.number('SELECT count(*) FROM snapshot WHERE shard=this AND seq=5'), 0);
    sound(site);
    const node = await site.node('two');
    ok(await node.admin.post(at(made.sold, '/refund'), {}));
    assert.equal(rows(site).length, 1, 'the paid seat');
});

test('a backup of a folder that lost its journal is refused', async (t) => {
    const { server } = await embedded(t);
    await makeEvent(server, { seats: 'A1' });
    await server.stop();
    fs.renameSync(`${server.data}/journal`, `${server.data}.journal`);
    const copied = run(server, ['backup', server.data, `${server.data}.copy`]);
    fs.rmSync(`${server.data}.journal`, { recursive: true });
    fs.rmSync(`${server.data}.copy`, { recursive: true, force: true });
    assert.equal(copied.status, 65, copied.stderr);
    assert.match(copied.stderr, /has lost its journal/);
});
