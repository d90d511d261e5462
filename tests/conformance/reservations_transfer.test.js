/* SPDX-License-Identifier: Apache-2.0 */
/* Transfer: a confirmed reservation gets another owner and other tickets, and nothing new ever reaches the old one. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, unique, ownProcess } = require('./lib/server.js');
const { makeEvent, seats, items, hold } = require('./lib/catalogue.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const transfer = (caller, r, to, more = {}, options = {}) =>
    caller.post(path(r, '/transfer'), { to_user_id: to, ...more }, options);
const codes = (r) => r.tickets.map((ticket) => ticket.code);
const key = (value) => ({ headers: { 'Idempotency-Key': value } });

async function buy(caller, event, names, body = {}) {
    const r = await hold(caller, items(event, names), body);
    return granted(await caller.post(path(r, '/commit'), {}), 200);
}

/* What the old owner gets: this and nothing else. */
function told(answer, r, to, version) {
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.json, { reservation_id: r.reservation_id, status: 'confirmed', user_id: to, version });
}

test('a new owner, fence and ticket codes; for the old one it does not exist', async () => {
    const [ann, bob] = [hf.user(unique('ann')), hf.user(unique('bob'))];
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const sold = await buy(ann, event, 'A1 A2', { attributes: { gift: true } });
    const answer = await transfer(ann, sold, bob.name);
    told(answer, sold, bob.name, sold.version + 1);
    for (const seen of [
        await ann.get(path(sold)), await ann.get(path(sold, '/history')), await ann.post(path(sold, '/commit'), {}),
        await ann.patch(path(sold), { attributes: {} }), await transfer(ann, sold, ann.name),
        await ann.delete(path(sold, '/manage-tokens'))
    ]) {
        refused(seen, 404, 'no_such_reservation');
    }
    const now = granted(await bob.get(path(sold)), 200, {
        user_id: bob.name, attributes: {}, items: sold.items, pnr: sold.pnr, order_id: sold.order_id,
    });
    assert.ok(now.fence > sold.fence);
    assert.ok(codes(now).every((code) => !codes(sold).includes(code)), 'old codes are gone');
    const list = async (caller) => (await caller.get('/v1/reservations', hf.since(answer))).json.data;
    assert.deepEqual(await list(ann), []);
    assert.deepEqual((await list(bob)).map(codes), [codes(now)]);
    assert.equal((await list(bob))[0].manage_token, undefined);
});

test('attributes are cleared; app and admin can keep them, others who ask for that get 403', async () => {
    const [ann, bob, cy] = ['ann', 'bob', 'cy'].map((name) => hf.user(unique(name)));
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const word = unique('word');
    const wanted = items(event, 'A1 A2');
    wanted[0].attributes = { name: word };
    const held = await hold(ann, wanted, { attributes: { note: word } });
    const sold = granted(await ann.post(path(held, '/commit'), {}), 200);
    const order = hf.bearer(sold.manage_token);
    for (const caller of [ann, order]) {
        refused(await transfer(caller, sold, bob.name, { keep_attributes: true }), 403, 'forbidden');
        invalid(await transfer(caller, sold, bob.name, { keep_attributes: 1 }), '/keep_attributes');
    }
    const kept = granted(await transfer(hf.app, sold, bob.name, { keep_attributes: true }), 200, { attributes: { note: word } });
    assert.deepEqual(kept.items, sold.items);
    const told_again = await transfer(bob, sold, cy.name, { keep_attributes: false });
    told(told_again, sold, cy.name, kept.version + 1);
    const cleared = granted(await cy.get(path(sold)), 200, { attributes: {} });
    assert.deepEqual(cleared.items, sold.items.map(({ attributes, ...item }) => item));
    /* Nor can they be found by their words. */
    const found = await hf.app.get(`/v1/reservations?q=${word}`, hf.since(told_again));
    assert.deepEqual(found.json.data, []);
    granted(await transfer(hf.admin, sold, ann.name), 200, { attributes: {} });
});

test('app and admin get the whole; a replay is answered in brief, by the current owner', async () => {
    const [ann, bob, cy] = ['ann', 'bob', 'cy'].map((name) => hf.user(unique(name)));
    const event = await makeEvent(hf, { seats: 'A1-A5' });
    const keys = ['hold', 'mine', 'apps'].map(unique);
    const body = { items: items(event, 'A1') };
    const held = granted(await ann.post('/v1/reservations', body, key(keys[0])), 201);
    const sold = granted(await ann.post(path(held, '/commit'), {}), 200);
    told(await transfer(ann, sold, bob.name, {}, key(keys[1])), sold, bob.name, 3);
    const again = await transfer(ann, sold, bob.name, {}, key(keys[1]));
    told(again, sold, bob.name, 3);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    refused(await transfer(ann, sold, cy.name, {}, key(keys[1])), 422, 'idempotency_key_reused');
    refused(await ann.post('/v1/reservations', body, key(keys[0])), 404, 'no_such_reservation');
    const whole = await transfer(hf.app, sold, cy.name, {}, key(keys[2]));
    granted(whole, 200, { user_id: cy.name, version: 4 });
    assert.equal(whole.json.manage_token, undefined);
    told(await transfer(hf.app, sold, cy.name, {}, key(keys[2])), sold, cy.name, 4);
    refused(await transfer(ann, sold, bob.name, {}, key(keys[1])), 404, 'no_such_reservation');
    granted(await transfer(hf.admin, sold, ann.name), 200, { user_id: ann.name, version: 5 });
    granted(await ann.post('/v1/reservations', body, key(keys[0])), 201, { user_id: ann.name });
});

test('an app that bought for a user does not get the next owner\'s tickets by a replay', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const body = { items: items(event, 'A1'), user_id: 'ann', commit: true };
    const once = key(unique('once'));
    const sold = granted(await hf.app.post('/v1/reservations', body, once), 201);
    granted(await transfer(hf.app, sold, 'bob'), 200);
    refused(await hf.app.post('/v1/reservations', body, once), 403, 'not_owner');
});

test('refusals in order: caller, body, state, events, the limit of the receiver', async () => {
    const [ann, bob] = [hf.user(unique('ann')), hf.user(unique('bob'))];
    const event = await makeEvent(hf, { seats: 'A1-A9', per_user_limit: 2 });
    const held = await hold(ann, items(event, 'A1'));
    refused(await hf.anyone.post(path(held, '/transfer'), { to_user_id: 'x' }), 401, 'unauthenticated');
    invalid(await ann.post(path(held, '/transfer'), {}), '/to_user_id');
    invalid(await transfer(ann, held, ''), '/to_user_id');
    invalid(await transfer(ann, held, 'a\u0007'), '/to_user_id');
    invalid(await transfer(ann, held, 'x', { more: 1 }), '/more');
    refused(await transfer(ann, held, 'x', { user_id: 'y' }), 403, 'not_owner');
    refused(await transfer(hf.app, held, 'x', { user_id: 'y' }), 403, 'not_owner');
    refused(await transfer(bob, held, 'x'), 404, 'no_such_reservation');
    invalid(await transfer(ann, held, ann.name), '/to_user_id');
    refused(await transfer(ann, held, bob.name), 409, 'not_confirmed');
    refused(await ann.delete(path(held, '/manage-tokens')), 409, 'not_confirmed');
    await ann.post(path(held, '/commit'), {});
    await hold(bob, items(event, 'A2 A3'));
    const over = refused(await transfer(hf.admin, held, bob.name), 409, 'limit_exceeded');
    assert.deepEqual([over.limit, over.have], [2, 2]);
    const other = await makeEvent(hf, { seats: 'A1', transfer: 'off' });
    assert.equal((await hf.anyone.get(`/v1/events/${other}`)).json.transfer, 'off');
    assert.equal((await hf.anyone.get(`/v1/events/${event}`)).json.transfer, 'on');
    const mixed = granted(
        await ann.post(path(await hold(ann, [...items(event, 'A4'), ...items(other, 'A1')]), '/commit'), {}), 200
    );
    for (const caller of [ann, hf.app, hf.admin]) {
        refused(await transfer(caller, mixed, bob.name), 409, 'not_transferable');
    }
    invalid(await hf.admin.put(`/v1/events/${event}`, { name: 'x', transfer: 'maybe' }), '/transfer');
    const released = await hold(hf.user('dan'), items(event, 'A5'));
    await hf.app.post(path(released, '/release'), {});
    refused(await transfer(hf.app, released, bob.name), 409, 'already_released');
});

test('the receiver sees the history from the transfer on, app and admin all of it', async () => {
    const [ann, bob] = [hf.user(unique('ann')), hf.user(unique('bob'))];
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const sold = await buy(ann, event, 'A1');
    await transfer(ann, sold, bob.name);
    const last = await bob.patch(path(sold), { attributes: { a: 1 } });
    const history = async (caller, query = '') => {
        const answer = await caller.get(path(sold, `/history${query}`), hf.since(last));
        assert.equal(answer.status, 200, answer.text);
        return answer.json.data.map(({ action, actor, version }) => `${version} ${action} ${actor}`);
    };
    const later = [`3 transferred user:${ann.name}`, `4 attributes_changed user:${bob.name}`];
    assert.deepEqual(await history(bob), later);
    assert.deepEqual(await history(bob, '?limit=1'), later.slice(0, 1));
    const all = [`1 held user:${ann.name}`, `2 confirmed user:${ann.name}`, ...later];
    assert.deepEqual(await history(hf.app), all);
    assert.deepEqual(await history(hf.admin), all);
    const owners = async (caller) => (await caller.get(path(sold, '/history'), hf.since(last))).json.data
        .filter(({ what }) => what.user_id).map(({ action, what }) => [action, what.user_id]);
    const both = { before: ann.name, after: bob.name };
    assert.deepEqual(await owners(hf.app), [['transferred', both]]);
    assert.deepEqual(await owners(hf.admin), [['transferred', both]]);
    assert.deepEqual(await owners(bob), [['transferred', { before: null, after: bob.name }]]);
});

test('transfers race replays of the commit and reads of the old owner: none of them sees a new code', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A40' });
    for (let round = 0; round < 20; round++) {
        const [ann, bob] = [hf.user(unique('ann')), hf.user(unique('bob'))];
        const held = granted(
            await ann.post('/v1/reservations', { items: items(event, `A${round + 1}`) }, key(`race-${ann.name}`)), 201
        );
        const sold = granted(await ann.post(path(held, '/commit'), {}), 200);
        const asks = [
            () => ann.get(path(sold)), () => ann.post(path(sold, '/commit'), {}),
            () => ann.post('/v1/reservations', { items: items(event, `A${round + 1}`) }, key(`race-${ann.name}`)),
            () => ann.get('/v1/reservations'), () => ann.get(path(sold, '?manage_token=1')),
        ];
        const seen = [...asks, ...asks].map((ask) => ask());
        const given = transfer(round % 2 ? ann : hf.app, sold, bob.name);
        seen.push(...[...asks, ...asks].map((ask) => ask()));
        assert.equal((await given).status, 200);
        const now = codes(granted(await bob.get(path(sold)), 200));
        seen.push(...asks.map((ask) => ask()));
        for (const answer of await Promise.all(seen)) {
            assert.ok([200, 201, 404].includes(answer.status), answer.text);
            assert.ok(!now.some((code) => answer.text.includes(code)), 'a new code reached the old owner');
        }
    }
});

for (const kill of [false, true]) {
    test(`${kill ? 'kill -9' : 'SIGTERM'} after a transfer: the new owner, its codes and tokens, and no others`, ownProcess,
        async (t) => {
            const own = await new Server().start();
            t.after(() => own.close());
            const [ann, bob] = [own.user('ann'), own.user('bob')];
            const event = await makeEvent(own, { seats: seats('A1-A3'), per_user_limit: 2, transfer: 'on' });
            const off = await makeEvent(own, { seats: 'A1', transfer: 'off' });
            const sold = await buy(ann, event, 'A1 A2');
            const fixed = await buy(ann, off, 'A1');
            const once = key('once');
            told(await transfer(ann, sold, 'bob', {}, once), sold, 'bob', 3);
            const fresh = granted(await bob.get(path(sold, '?manage_token=1')), 200);
            await own.restart({ kill });
            refused(await ann.get(path(sold)), 404, 'no_such_reservation');
            const now = granted(await bob.get(path(sold)), 200, { version: 3, fence: fresh.fence, user_id: 'bob' });
            assert.deepEqual(codes(now), codes(fresh));
            refused(await own.bearer(sold.manage_token).get(path(sold)), 404, 'no_such_reservation');
            granted(await own.bearer(fresh.manage_token).get(path(sold)), 200);
            told(await transfer(ann, sold, 'bob', {}, once), sold, 'bob', 3);
            refused(await transfer(ann, fixed, 'bob'), 409, 'not_transferable');
            const list = await own.admin.get('/v1/reservations?user_id=bob', own.since(await bob.get(path(sold))));
            assert.deepEqual(list.json.data.map(codes), [codes(fresh)]);
            /* Counts follow the owner. */
            refused(await bob.post('/v1/reservations', { items: items(event, 'A3') }), 409, 'limit_exceeded');
            granted(await ann.post('/v1/reservations', { items: items(event, 'A3') }), 201);
        });
}

/* The book is read after the caller was judged, and waits for the seq that the caller names: so a transfer comes in
 * between. Judged too late it is 404, and retried. */
test('a history that waits for the book shows the old owner nothing of what came after', async () => {
    for (let tries = 0; tries < 20; tries++) {
        const [ann, bob] = [hf.user(unique('ann')), hf.user(unique('bob'))];
        const sold = await buy(ann, await makeEvent(hf, { seats: 'A1' }), 'A1');
        const { seq } = await ann.get(path(sold));
        const asked = ann.get(path(sold, '/history'), { headers: { 'Holdfast-Min-Seq': String(seq + 2) } });
        await hf.anyone.get('/healthz');
        await hf.anyone.get('/healthz');
        assert.equal((await transfer(hf.app, sold, bob.name)).status, 200);
        granted(await bob.patch(path(sold), { attributes: { secret: 'of bob' } }), 200);
        const answer = await asked;
        if (answer.status === 200) {
            assert.deepEqual(answer.json.data.map((one) => one.action), ['held', 'confirmed']);
            assert.doesNotMatch(answer.text, new RegExp(bob.name));
            assert.equal(answer.json.next_cursor, null);
            return;
        }
        refused(answer, 404, 'no_such_reservation');
    }
    assert.fail('the transfer never came in between');
});
