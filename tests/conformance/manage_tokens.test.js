/* SPDX-License-Identifier: Apache-2.0 */
/* The manage token: it opens one confirmed reservation without a login, until it is void, and nothing else. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { Server, shared, unique, ownProcess } = require('./lib/server.js');
const { makeEvent, items, hold } = require('./lib/catalogue.js');
const { makeCalendar, HOUR, DAY } = require('./lib/calendars.js');
const { refused, granted, instant } = require('./lib/expect.js');
const { sign, claimsOf, signatureHolds } = require('./lib/token.js');

const hf = shared();
const path = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const FRESH = '?manage_token=1';

async function buy(caller, wanted) {
    return granted(await caller.post(path(await hold(caller, wanted), '/commit'), {}), 200);
}

async function sale(name = unique('ann'), settings = {}) {
    const caller = hf.user(name);
    const event = await makeEvent(hf, { seats: 'A1-A9', ...settings });
    return { caller, event, sold: await buy(caller, items(event, 'A1')) };
}

test('commit returns one, and so do a hold that buys and GET on request; only to the owner, app and admin', async () => {
    const { caller, event, sold } = await sale();
    const claims = claimsOf(sold.manage_token);
    assert.deepEqual(Object.keys(claims).sort(), ['aud', 'exp', 'gen', 'jti']);
    assert.deepEqual([claims.aud, claims.jti, claims.gen], ['holdfast-order', sold.reservation_id, 0]);
    assert.ok(signatureHolds(hf.secret, sold.manage_token));
    assert.equal(granted(await caller.get(path(sold)), 200).manage_token, undefined);
    for (const who of [caller, hf.app, hf.admin]) {
        const answer = await who.get(path(sold, FRESH));
        assert.equal(answer.headers['cache-control'], 'no-store');
        granted(await hf.bearer(granted(answer, 200).manage_token).get(path(sold)), 200);
    }
    assert.ok(granted(await caller.post(path(sold, '/commit'), {}), 200).manage_token);
    const bought = granted(
        await hf.app.post('/v1/reservations', { items: items(event, 'A2'), user_id: 'bob', commit: true }), 201
    );
    granted(await hf.bearer(bought.manage_token).get(path(bought)), 200, { user_id: 'bob' });
    const held = await hold(caller, items(event, 'A3'));
    assert.equal(held.manage_token, undefined);
    assert.equal(granted(await caller.get(path(held, FRESH)), 200).manage_token, undefined);
    refused(await caller.get(path(held, '?manage_token=2')), 400, 'invalid');
    refused(await hf.user('eve').get(path(sold, FRESH)), 404, 'no_such_reservation');
    const listed = await hf.admin.get(`/v1/reservations?user_id=${caller.name}`, hf.since(await caller.get(path(held))));
    assert.ok(listed.json.data.length >= 2 && !listed.text.includes('manage_token'));
});

test('it ends 30 days after the last start, or after a year', async () => {
    const caller = hf.user(unique('ann'));
    const starts_at = new Date(hf.now() + 90 * DAY).toISOString();
    const event = await makeEvent(hf, { seats: 'A1-A2', starts_at });
    const calendar = await makeCalendar(hf, { payment: 'none' });
    const exp = (r) => claimsOf(r.manage_token).exp;
    const one = await buy(caller, items(event, 'A1'));
    assert.equal(exp(one), Math.floor((instant(starts_at) + 30 * DAY) / 1000));
    const start = Math.floor(hf.now() / HOUR) * HOUR + 2 * DAY;
    const wanted = { calendar, start: new Date(start).toISOString(), end: new Date(start + HOUR / 2).toISOString() };
    const bought = granted(
        await hf.app.post('/v1/reservations', { items: [wanted], user_id: caller.name, commit: true }), 201
    );
    assert.equal(exp(bought), (start + 30 * DAY) / 1000);
    const plain = await makeEvent(hf, { seats: 'A1' });
    const left = exp(await buy(caller, items(plain, 'A1'))) - hf.now() / 1000;
    assert.ok(Math.abs(left - 365 * 86400) < 60, `${left} s`);
});

test('it opens its reservation, its history and its transfer', async () => {
    const { caller, sold } = await sale();
    const order = hf.bearer(sold.manage_token);
    granted(await order.get(path(sold)), 200, { tickets: sold.tickets, user_id: caller.name });
    granted(await order.get(path(sold, `?user_id=${caller.name}`)), 200);
    refused(await order.get(path(sold, '?user_id=eve')), 403, 'not_owner');
    refused(await order.get(path(sold, FRESH)), 403, 'forbidden');
    const history = await order.get(path(sold, '/history'), hf.since(await order.get(path(sold))));
    assert.deepEqual(history.json.data.map(({ action }) => action), ['held', 'confirmed']);
    const other = (await sale()).sold;
    for (const answer of [
        await order.get(path(other)), await order.get(path(other, '/history')),
        await order.post(path(other, '/transfer'), { to_user_id: 'eve' })
    ]) {
        refused(answer, 404, 'no_such_reservation');
    }
    const to = hf.user(unique('bob'));
    const once = { headers: { 'Idempotency-Key': unique('once') } };
    const given = await order.post(path(sold, '/transfer'), { to_user_id: to.name }, once);
    assert.deepEqual(given.json, {
        reservation_id: sold.reservation_id, status: 'confirmed', user_id: to.name, version: 3
    });
    assert.deepEqual((await order.post(path(sold, '/transfer'), { to_user_id: to.name }, once)).json, given.json);
    /* The transfer voids it; the receiver's token opens the history from there on. */
    refused(await order.get(path(sold)), 404, 'no_such_reservation');
    refused(await order.post(path(sold, '/transfer'), { to_user_id: caller.name }), 404, 'no_such_reservation');
    const next = hf.bearer(granted(await to.get(path(sold, FRESH)), 200).manage_token);
    const later = await next.get(path(sold, '/history'), hf.since(given));
    assert.deepEqual(later.json.data.map(({ action, actor }) => [action, actor]), [['transferred', 'order']]);
});

test('revoked ones are void, and new ones are not', async () => {
    const { caller, sold } = await sale();
    for (const who of [caller, hf.app, hf.admin]) {
        const fresh = granted(await who.get(path(sold, FRESH)), 200).manage_token;
        granted(await hf.bearer(fresh).get(path(sold)), 200);
        assert.equal((await who.delete(path(sold, '/manage-tokens'))).status, 204);
        refused(await hf.bearer(fresh).get(path(sold)), 404, 'no_such_reservation');
    }
    refused(await hf.user('eve').delete(path(sold, '/manage-tokens')), 404, 'no_such_reservation');
    const now = granted(await caller.get(path(sold, FRESH)), 200, { tickets: sold.tickets, fence: sold.fence });
    assert.equal(claimsOf(now.manage_token).gen, 3);
});

test('every other route is 403, including public ones', async () => {
    const { sold, event } = await sale();
    const order = hf.bearer(sold.manage_token);
    const { paths } = (await hf.anyone.get('/openapi.json')).json;
    const fill = (template) => template.replace('{id}', sold.reservation_id).replace('{event}', event)
        .replace(/\{[^}]+\}/g, 'x');
    const opened = [];
    for (const [template, operations] of Object.entries(paths)) {
        for (const method of Object.keys(operations).filter((name) => /^(get|post|put|patch|delete)$/.test(name))) {
            const body = ['get', 'delete'].includes(method) ? undefined : {};
            const answer = await order.call(method.toUpperCase(), fill(template), { body });
            if (answer.status === 403) {
                refused(answer, 403, 'forbidden');
            } else {
                opened.push(`${method} ${template.replace(/^\/v1/, '')} ${answer.status}`);
            }
        }
    }
    assert.deepEqual([...new Set(opened)].sort(), [
        'get /reservations/{id} 200', 'get /reservations/{id}/history 200', 'get /tickets/{ticket}.png 404',
        'get /tickets/{ticket}.svg 404', 'post /reservations/{id}/cancel 409', 'post /reservations/{id}/transfer 400',
    ]);
});

test('only what the server signs is one: no login, no pass, nothing forged, late or incomplete', async () => {
    const { caller, sold } = await sale();
    const good = claimsOf(sold.manage_token);
    const judged = (claims) => hf.bearer(sign(hf.secret, claims)).get(path(sold));
    granted(await judged(good), 200);
    const { jti, gen, exp, aud, ...none } = good;
    assert.deepEqual(none, {});
    for (const bad of [
        { ...good, exp: Math.floor(hf.now() / 1000) - 1 }, { gen, exp, aud }, { jti, exp, aud }, { jti, gen, aud },
        { ...good, gen: '0' }, { ...good, gen: -1 }, { ...good, gen: 0.5 }, { ...good, gen: 2 ** 32 },
        { ...good, jti: [jti] }, { ...good, jti: 'x' }, { ...good, jti: `ord_${jti.slice(4)}` },
        { ...good, aud: [aud] }, { ...good, aud: 'holdfast-pass' }, { ...good, sub: caller.name },
        { ...good, aud: 'holdfast' },
    ]) {
        refused(await judged(bad), 401, 'unauthenticated');
    }
    refused(await judged({ ...good, gen: 1 }), 404, 'no_such_reservation');
    refused(await hf.bearer(sign('x'.repeat(32), good)).get(path(sold)), 401, 'unauthenticated');
    /* A login with claims of a manage token is a login. */
    granted(await judged({ ...good, aud: 'holdfast', sub: caller.name }), 200);
    refused(await judged({ ...good, aud: ['holdfast', aud], sub: 'eve' }), 404, 'no_such_reservation');
});

test('one signed with the old secret is valid as long as that is configured', ownProcess, async (t) => {
    const own = await new Server().start();
    t.after(() => own.close());
    const event = await makeEvent(own, { seats: 'A1' });
    const sold = await buy(own.user('ann'), items(event, 'A1'));
    const before = own.secret;
    Object.assign(own, { secret: 'another secret of 32 bytes or more', env: { HOLDFAST_SECRET_OLD: before } });
    await own.restart();
    granted(await own.bearer(sold.manage_token).get(path(sold)), 200);
    const fresh = granted(await own.user('ann').get(path(sold, FRESH)), 200).manage_token;
    assert.ok(signatureHolds(own.secret, fresh));
    own.env = {};
    await own.restart();
    refused(await own.bearer(sold.manage_token).get(path(sold)), 401, 'unauthenticated');
    granted(await own.bearer(fresh).get(path(sold)), 200);
});
