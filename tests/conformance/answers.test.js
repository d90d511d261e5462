/* SPDX-License-Identifier: Apache-2.0 */
/* The server describes its answers: every answer of every route has a schema, occurs, and matches it.
 *
 * lib/description.js checks every answer that any test gets. Here everything in the description is made to occur at
 * least once, so that nothing in it is invented: each answer, each member, each null, each enum value.
 */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, seats } = require('./lib/catalogue.js');
const { makeCalendar, midnight, slot, iso, DAY, WEEKDAYS } = require('./lib/calendars.js');
const { makeRoom, queue, waitingList, join, look, becomes, wish, wishBecomes, sign } = require('./lib/entries.js');
const { makeFleet, makeDriver, driverPath, ridePath, askRide, offerOf, assigned } = require('./lib/fleets.js');
const { refused } = require('./lib/expect.js');
const { Schemas } = require('./lib/schema.js');
const { codesOf, pathsOf } = require('./lib/description.js');

const hf = shared();
const place = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;
const is = (status) => (answer) => {
    assert.equal(answer.status, status, answer.text);
    return answer;
};
const [done, made, gone, unchanged] = [is(200), is(201), is(204), is(304)];

/* ---- What is described ---- */

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const answersOf = (document) => pathsOf(document).flatMap(([path, operations]) =>
    METHODS.filter((method) => method in operations).flatMap((method) =>
        Object.entries(operations[method].responses).map(([status, response]) => ({ method, path, status, response }))));
const plain = ({ method, path, status }) => `${method} ${path} ${status}`;

const CSV = ['get /v1/reservations 200', 'get /v1/refunds-due 200', ...['sales', 'money', 'abandoned', 'funnel'].map((name) => `get /v1/reports/${name} 200`)];

test('every operation describes its answers, and every answer with a body has a schema', () => {
    const { document, schemas } = hf.description;
    const answers = answersOf(document);
    for (const [path, operations] of pathsOf(document)) {
        for (const [method, { responses }] of Object.entries(operations)) {
            const statuses = Object.keys(responses);
            assert.ok(statuses.some((status) => /^2\d\d$/.test(status)), `${method} ${path} has no answer`);
            assert.deepEqual(responses.default, { $ref: '#/components/responses/general' });
        }
    }
    const isRefusal = ({ status, response }) => status === 'default' || codesOf(hf.description.resolve(response)).length;
    for (const answer of answers.filter((one) => !isRefusal(one))) {
        assert.match(answer.status, /^(200|201|202|204|304|503)$/, plain(answer));
        const media = Object.entries(answer.response.content ?? {});
        const types = ['204', '304'].includes(answer.status) ? 0 : CSV.includes(plain(answer)) ? 2 : 1;
        assert.equal(media.length, types, plain(answer));
        for (const [type, { schema, 'x-events': events }] of media) {
            schemas.of(schema); /* throws if it cannot be parsed */
            assert.ok(type === 'application/json' || schema.type === 'string', plain(answer));
            assert.equal(type === 'text/event-stream', events !== undefined, plain(answer));
            Object.values(events ?? {}).forEach((one) => schemas.of(one));
        }
    }
    Object.values(document.components.schemas).forEach((schema) => schemas.of(schema));
});

test('the measure is strict', () => {
    const schemas = new Schemas({ components: { schemas: { part: { type: 'string', enum: ['a', 'b'] } } } });
    const record = {
        type: 'object', additionalProperties: false, required: ['id', 'at'],
        properties: {
            id: { type: 'integer' }, at: { type: ['string', 'null'], format: 'date-time' },
            parts: { type: 'array', items: { $ref: '#/components/schemas/part' } },
            of: { oneOf: [{ $ref: '#/components/schemas/part' }, { type: 'null' }] },
            by: { type: 'object', additionalProperties: { type: 'boolean' } },
        },
    };
    const fault = (value) => schemas.check(record, value) ?? 'none';
    const whole = { id: 1, at: '2026-12-03T14:00:00.000Z', parts: ['a', 'b'], of: 'a', by: { x: true } };
    assert.equal(fault(whole), 'none');
    assert.equal(fault({ id: 1, at: null, of: null }), 'none');
    for (const [wrong, told] of [
        [{ id: undefined }, /id is not integer/], [{ id: '1' }, /id is not integer/], [{ id: 1.5 }, /id is not integer/],
        [{ at: '2026-12-03' }, /at is no instant/], [{ at: '2026-12-03T14:00:00Z' }, /at is no instant/],
        [{ parts: ['a', 'c'] }, /parts\/1 is none of a,b/], [{ parts: {} }, /parts is not array/],
        [{ by: { x: 1 } }, /by\/x is not boolean/], [{ by: [] }, /by is not object/],
        [{ of: 'c' }, /of fits 0 of 2/], [{ more: 1 }, /more is not described/], [{ id: null }, /id is not integer/],
    ]) {
        assert.match(fault({ ...whole, ...wrong }), told, JSON.stringify(wrong));
    }
    assert.match(fault({ id: 1 }), /at is missing/);
    assert.match(fault([]), /is not object/);
    assert.throws(() => schemas.of({ type: 'string', pattern: 'x' }), /pattern is not understood/);
    assert.throws(() => schemas.of({ $ref: '#/components/schemas/none' }), /is not there/);
});

/* ---- Whatever there is, made to happen ---- */

async function catalogue() {
    const event = unique('event');
    const at = (ms) => iso(hf.now() + ms);
    const whole = { name: 'All', starts_at: at(DAY), on_sale_at: at(-DAY), off_sale_at: at(DAY), late_payment: 'refund', description: 'D', venue: 'V', image: '/i' };
    made(await hf.admin.put(`/v1/events/${event}`, whole));
    const categories = ['adult', 'child'];
    done(await hf.admin.put(`/v1/events/${event}`, { name: 'Now', categories, prices: { gold: { child: 1 } } }));
    made(await hf.admin.put(`/v1/events/${event}/pools/priced`, { capacity: 1, prices: { adult: 1 } }));
    done(await hf.admin.put(`/v1/events/${event}`, { name: 'Now', payment: 'none' }));
    done(await hf.admin.patch(`/v1/events/${event}`, { per_user_limit: null }));
    done(await hf.anyone.get('/v1/events?limit=1'));
    const facts = { section: 'S', row: 'A', number: '1', x: 1.5, y: 2, tier: 'gold', price: 100, accessible: true };
    made(await hf.admin.post(`/v1/events/${event}/seats`, [{ id: 'A1', ...facts }, ...seats('A2-A4'), { id: 'B' }]));
    const { headers: { etag } } = done(await hf.anyone.get(`/v1/events/${event}/seats`));
    unchanged(await hf.anyone.get(`/v1/events/${event}/seats`, { headers: { 'If-None-Match': etag } }));
    made(await hf.admin.put(`/v1/events/${event}/pools/floor`, { capacity: 5 }));
    done(await hf.admin.put(`/v1/events/${event}/pools/floor`, { capacity: 6, name: 'The floor' }));
    made(await hf.admin.put(`/v1/events/${event}/pools/house`, { capacity: 5, allotment: 'press' }));
    made(await hf.admin.post(`/v1/events/${event}/seats`, [{ id: 'Z1', allotment: 'press' }]));
    for (const [caller, seat] of [[hf.admin, 'Z1'], [hf.admin, 'B'], [hf.anyone, 'B']]) {
        done(await caller.get(`/v1/events/${event}/seats/${seat}`));
    }
    done(await hf.admin.call('DELETE', `/v1/events/${event}/seats`, { body: { ids: ['Z1'] } }));
    done(await hf.anyone.get(`/v1/events/${event}/pools/floor`));
    done(await hf.anyone.get(`/v1/events/${event}/pools`));
    const stream = await hf.anyone.stream(`/v1/events/${event}/stream`);
    const { json: { version } } = await stream.next((e) => e.name === 'reset', 'reset');
    const ann = hf.user('ann');
    const first = await hold(ann, [{ event, seat: 'A1' }, { event, pool: 'floor', quantity: 2 }]);
    const second = await hold(ann, items(event, 'A2'));
    const third = await hold(ann, items(event, 'A3'));
    done(await ann.post(place(second, '/commit'), { payment_method: 'card' }));
    done(await hf.app.get(place(second)));
    done(await ann.delete(place(third)));
    done(await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A4'], blocked: true }));
    for (const fits of [
        ({ name }) => name === 'pool',
        ...['sold', 'available', 'blocked'].map((status) => (e) => e.name === 'seat' && e.json.status === status),
    ]) {
        await stream.next(fits, fits.toString());
    }
    stream.close();
    for (const seat of ['A1', 'A2', 'A3', 'A4', 'B']) {
        done(await hf.anyone.get(`/v1/events/${event}/seats/${seat}`));
    }
    for (const query of ['', `?since=${version}`, '?format=map']) {
        done(await hf.anyone.get(`/v1/events/${event}/availability${query}`));
    }
    done(await hf.anyone.get(`/v1/events/${event}`));
    gone(await hf.admin.delete(`/v1/events/${await makeEvent(hf)}`));
    return { event, first };
}

async function calendars() {
    const calendar = unique('calendar');
    const at = midnight(hf);
    const body = {
        name: 'Dr Smith', payment: 'none', hours: [{ days: WEEKDAYS, from: '09:00', to: '17:00' }],
        closed: [{ start: iso(at), end: iso(at + DAY) }],
        services: [{ id: 'check-up', duration_minutes: 30, price: 4000 }],
    };
    made(await hf.admin.put(`/v1/calendars/${calendar}`, {
        name: 'Open', late_payment: 'refund', min_minutes: 30, max_minutes: 60, price_per: 'claim',
    }));
    done(await hf.admin.put(`/v1/calendars/${calendar}`, body));
    done(await hf.admin.patch(`/v1/calendars/${calendar}`, { name: body.name }));
    done(await hf.anyone.get('/v1/calendars?limit=1'));
    done(await hf.anyone.get(`/v1/calendars/${calendar}`));
    done(await hf.anyone.get(`/v1/calendars/${calendar}/slots`));
    done(await hf.admin.get(`/v1/calendars/${calendar}.ics`));
    const shut = await hf.user('ann').post('/v1/reservations', { items: [slot(calendar, at)] });
    refused(shut, 409, 'closed');
    const free = await makeCalendar(hf);
    const stream = await hf.anyone.stream(`/v1/calendars/${free}/stream`);
    await stream.next((e) => e.name === 'reset', 'reset');
    await hold(hf.user('ann'), [slot(free, at)]);
    await stream.next((e) => e.name === 'changed', 'changed');
    stream.close();
    gone(await hf.admin.delete(`/v1/calendars/${await makeCalendar(hf)}`));
}

async function groups() {
    const [group, at, ann] = [unique('group'), midnight(hf), hf.user('ann')];
    const members = [await makeCalendar(hf), await makeCalendar(hf)];
    made(await hf.admin.put(`/v1/groups/${group}`, { name: 'Doctors', calendars: members }));
    done(await hf.admin.put(`/v1/groups/${group}`, { name: 'Doctors', calendars: members, pick: 'in_order' }));
    done(await hf.anyone.get('/v1/groups'));
    done(await hf.anyone.get(`/v1/groups/${group}`));
    done(await hf.anyone.get(`/v1/groups/${group}/slots`));
    const { calendar, ...time } = slot(members[0], at);
    for (const member of members) {
        const r = await hold(ann, [{ group, ...time }]);
        assert.equal(r.items[0].calendar, member);
        done(await ann.post(place(r, '/commit'), {}));
    }
    refused(await ann.post('/v1/reservations', { items: [{ group, ...time }] }), 409, 'taken');
    gone(await hf.admin.delete(`/v1/groups/${group}`));
}

/* Groups of calendars, and a calendar's stream and end. */
async function groups() {
    const [one, other, group] = [await makeCalendar(hf, { size: 4 }), await makeCalendar(hf, { size: 4 }), `/v1/groups/${unique('group')}`];
    made(await hf.admin.put(group, { name: 'Any', calendars: [one, other] }));
    for (const pick of ['in_order', 'least_busy']) {
        done(await hf.admin.put(group, { name: 'Any', calendars: [one, other], pick }));
    }
    for (const target of ['/v1/groups', '/v1/groups?limit=1', group, `${group}/slots?limit=1`]) {
        done(await hf.anyone.get(target));
    }
    const stream = await hf.anyone.stream(`/v1/calendars/${one}/stream`);
    await stream.next((e) => e.name === 'reset', 'reset');
    const asked = { group: group.split('/').at(-1), start: iso(midnight(hf)), end: iso(midnight(hf) + 1_800_000) };
    const body = { items: [asked], user_id: 'ann', commit: true };
    made(await hf.app.post('/v1/reservations', body));
    made(await hf.app.post('/v1/reservations', body));
    await stream.next((e) => e.name === 'changed', 'changed');
    stream.close();
    refused(await hf.app.post('/v1/reservations', body), 409, 'taken');
    refused(await hf.app.post('/v1/reservations', { ...body, items: [{ ...asked, party: 2 }] }), 409, 'taken');
    gone(await hf.admin.delete(group));
    gone(await hf.admin.delete(`/v1/calendars/${await makeCalendar(hf)}`));
}

async function priced() {
    const event = await makeEvent(hf, { seats: 'A1', pools: { floor: 5 }, categories: ['adult'] });
    const wanted = [{ event, seat: 'A1', category: 'adult' }, { event, pool: 'floor' }];
    await hold(hf.user('ann'), wanted);
    refused(await hf.user('bob').post('/v1/reservations', { items: wanted }), 409, 'taken');
    const rows = await makeEvent(hf, { seats: 'A1-A9', single_seats: 'refuse' });
    refused(await hf.user('bob').post('/v1/reservations', { items: items(rows, 'A2 A3') }), 409, 'leaves_single');
}

async function reservations() {
    const event = await makeEvent(hf, { seats: 'A1-A9', pools: { floor: 5 }, hold_ttl_seconds: 60 });
    const calendar = await makeCalendar(hf, { services: [{ id: 'cut', duration_minutes: 30, price: 0 }] });
    const at = midnight(hf);
    const open = await makeCalendar(hf);
    const [ann, wanted] = [hf.user('ann'), [
        { event, seat: 'A1', attributes: { name: 'Ann' } },
        { event, pool: 'floor', quantity: 2, attributes: { wrist: 'red' } },
        { ...slot(open, at), attributes: { dog: true } },
        { calendar, start: iso(at + DAY), service: 'cut' },
    ]];
    const r = await hold(ann, wanted, { attributes: { reason: 'fun' } });
    done(await ann.get(place(r)));
    done(await ann.patch(place(r), { attributes: {} }));
    made(await ann.post(place(r, '/items'), { event, seat: 'A2' }));
    const again = done(await ann.post(place(r, '/items'), { event, seat: 'A2' }));
    const added = again.json.items.at(-1).item_id;
    done(await ann.patch(place(r, `/items/${added}`), { seat: 'A3' }));
    done(await ann.patch(place(r, `/items/${r.items[1].item_id}`), { quantity: 3 }));
    done(await ann.delete(place(r, `/items/${added}`)));
    done(await ann.post(place(r, '/extend'), {}));
    done(await ann.post(place(r, '/payment'), {}));
    done(await ann.post(place(r, '/commit'), {}));
    done(await ann.post(place(r, '/transfer'), { to_user_id: 'bob' }));
    const back = await hf.admin.post(place(r, '/transfer'), { to_user_id: 'ann' });
    done(back);
    for (const caller of [ann, hf.admin]) {
        done(await caller.get(place(r, '/history'), hf.since(back)));
    }
    gone(await ann.delete(place(r, '/manage-tokens')));
    const last = done(await ann.get(place(r, '?manage_token=1')));
    done(await hf.anyone.get(`/v1/events/${await makeEvent(hf, { transfer: 'off' })}`));
    const released = await hold(ann, items(event, 'A4'));
    done(await ann.post(place(released, '/payment'), {}));
    done(await hf.app.post(place(released, '/payment'), { payment_ref: unique('pi') }));
    done(await ann.post(place(released, '/release'), {}));
    done(await hf.app.get(place(released)));
    const expired = await hold(ann, items(event, 'A5'));
    hf.clock.goto(expired.expires_at);
    const late = await hf.eventually(() => ann.get(place(expired)), ({ json }) => json.status === 'expired', 'expiry');
    done(await hf.app.get(place(expired)));
    for (const [one, since] of [[r, last], [released, last], [expired, late]]) {
        const told = done(await hf.admin.get(place(one, '/history'), hf.since(since)));
        assert.ok(told.json.data.length > 0);
    }
    done(await ann.get('/v1/reservations?limit=1', hf.since(late)));
}

/* Every status of rides and drivers, every end of an offer, and both streams. */
async function dispatch() {
    const fleet = await makeFleet(hf, { offer_seconds: 60, search_seconds: 50 });
    done(await hf.admin.put(fleet, { presence_seconds: 86_400, offer_seconds: 60, search_seconds: 50 }));
    for (const target of ['/v1/fleets', '/v1/fleets?limit=1', fleet, `${fleet}/overview`]) {
        done(await hf.app.get(target));
    }
    await makeFleet(hf);
    done(await hf.app.get('/v1/fleets?limit=1'));
    const driver = await makeDriver(hf, fleet, 100, { types: ['van'] });
    const [at, ann, dora] = [driverPath(fleet, driver), hf.user('ann'), hf.user(driver)];
    const look = async () => done(await dora.get(at));
    const act = async (who, r, what) => done(await who.post(ridePath(fleet, r, `/${what}`), {}));
    await look();
    gone(await dora.get(`${at}/offer`));
    const stream = await dora.stream(`${at}/stream`);
    await stream.next((e) => e.name === 'reset');
    const asked = { lat: 52.52, lng: 13.405 };
    const first = made(await ann.post(`${fleet}/rides`, { ...asked, to: asked, type: 'van' })).json;
    const told = await ann.stream(ridePath(fleet, first, '/stream'));
    await told.next((e) => e.name === 'reset');
    const offer = await offerOf(hf, fleet, driver);
    await look();
    await told.next((e) => e.name === 'ride');
    await stream.next((e) => e.name === 'offer');
    done(await dora.get(`${at}/offer`));
    done(await dora.post(`${fleet}/offers/${offer.offer_id}/accept`, {}));
    await stream.next((e) => e.name === 'offer_ended');
    await look();
    done(await hf.app.post(`${fleet}/positions`, [{ driver, ...asked }, { driver: 'nobody', ...asked }]));
    await told.next((e) => e.name === 'driver');
    done(await hf.app.get(`${fleet}/overview`));
    await act(dora, first, 'driver-cancel');
    await act(ann, first, 'cancel');
    const second = await assigned(hf, fleet, driver, 'ann');
    await act(dora, second, 'complete');
    const third = await askRide(ann, fleet);
    const withdrawn = await offerOf(hf, fleet, driver);
    await act(ann, third, 'cancel');
    await stream.next((e) => e.name === 'offer_ended' && e.json.offer_id === withdrawn.offer_id);
    const fourth = await askRide(ann, fleet);
    done(await dora.post(`${fleet}/offers/${(await offerOf(hf, fleet, driver)).offer_id}/decline`, {}));
    await stream.next((e) => e.json.end === 'declined');
    const other = await makeDriver(hf, fleet, 100);
    await offerOf(hf, fleet, other);
    done(await hf.admin.get(`/v1/users/${other}/export`, hf.since(await hf.admin.get('/v1/keys')))); /* a live offer */
    const theirs = await hf.app.stream(driverPath(fleet, other, '/stream'));
    hf.clock.advance(61_000);
    await theirs.next((e) => e.json.end === 'timed_out');
    const over = await hf.eventually(() => ann.get(ridePath(fleet, fourth)), ({ json }) => json.status === 'no_driver', 'no driver');
    done(await hf.app.get(ridePath(fleet, fourth)));
    for (const one of [driver, other]) {
        done(await hf.admin.get(`/v1/users/${one}/export`, hf.since(over)));
    }
    done(await hf.app.get(`${fleet}/drivers`));
    done(await hf.app.get(`${fleet}/drivers?limit=1`));
    done(await hf.app.get(`${fleet}/rides`, hf.since(over)));
    done(await hf.app.get(`${fleet}/rides?limit=1`, hf.since(over)));
    done(await hf.app.put(driverPath(fleet, other), { ...asked, available: false }));
    gone(await hf.app.delete(driverPath(fleet, other)));
    gone(await hf.admin.delete(fleet));
    [stream, told, theirs].forEach((one) => one.close());
}

/* A hook to an address that is refused: its messages are dead after a day. */
async function hooks() {
    const at = `/v1/hooks/${unique('hook')}`;
    const words = hf.description.document.components.schemas.hook.properties.events.items.enum;
    const body = { url: 'http://127.0.0.1:9/', events: words, secret: `whsec_${'A'.repeat(32)}` };
    made(await hf.admin.put(at, body));
    done(await hf.admin.put(at, { ...body, secret: `whsec_${'B'.repeat(32)}` }));
    await hold(hf.user('ann'), items(await makeEvent(hf, { seats: 'A1-A2' }), 'A1'));
    const fleet = await makeFleet(hf);
    await assigned(hf, fleet, await makeDriver(hf, fleet));
    hf.clock.advance(DAY + 1_000);
    const dead = ({ json }) => ['reservation.held', 'ride.assigned'].every((word) => json.data.some(({ type }) => type === word));
    await hf.eventually(async () => done(await hf.admin.get(`${at}/messages`)), dead, 'it is dead');
    done(await hf.admin.get(at));
    done(await hf.admin.get('/v1/hooks'));
    done(await hf.admin.post(`${at}/resend`, {}));
    gone(await hf.admin.delete(at));
}

/* The payment provider reports everything that can happen. */
async function provider() {
    const [secret, event] = ['whsec_0123456789', await makeEvent(hf, { pools: { floor: { capacity: 9, price: 500 } } })];
    done(await hf.admin.put('/v1/payments/provider', { provider: 'stripe', secret: `${secret}0` }));
    done(await hf.admin.put('/v1/payments/provider', { provider: 'standard', secret: `whsec_${'A'.repeat(32)}` }));
    done(await hf.admin.put('/v1/payments/provider', { provider: 'stripe', secret }));
    const one = () => hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 1 }]);
    const [r, s] = [await one(), await one()];
    const tell = async (type, object) => {
        const body = JSON.stringify({ id: unique('evt'), type, data: { object: { currency: 'eur', ...object } } });
        const t = Math.floor(hf.now() / 1000);
        const v1 = crypto.createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
        return done(await hf.anyone.post('/v1/webhooks/payments', body, { headers: { 'Stripe-Signature': `t=${t},v1=${v1}` } }));
    };
    const paid = (id, amount, more = {}, type = 'succeeded') => tell(`payment_intent.${type}`, { id, amount, metadata: { reservation_id: r.reservation_id }, ...more });
    done(await hf.app.post(place(r, '/payment'), { payment_ref: 'pi_0' }));
    await paid('pi_0', 500, {}, 'payment_failed');
    done(await hf.app.get(place(r, '/history'), hf.since(await hf.app.get(place(r)))));
    await paid('pi_l', 499);
    await paid('pi_m', 500, { currency: 'chf' });
    await paid('pi_c');
    await paid('pi_d', 500);
    await paid('pi_d', 500);
    await paid('pi_d', 500, { metadata: { reservation_id: s.reservation_id } });
    await paid('pi_e', 500);
    await paid('pi_u', 500, { metadata: { reservation_id: 'order-1' } });
    await paid(undefined, 500, { metadata: {} });
    await rows(s, event, tell);
    await moved();
    refused(await hf.app.post('/v1/reservations', { user_id: 'bob', items: [{ event, pool: 'floor', quantity: 99 }], commit: true, payment_ref: 'pi_f' }), 409, 'sold_out');
    const now = hf.since(await hf.admin.get('/v1/keys'));
    for (const target of ['/v1/payments', '/v1/payments?limit=1', '/v1/payments/pi_d', '/v1/payments/pi_u', '/v1/payment-events', '/v1/reports/money',
        '/v1/payment-events?limit=1', '/v1/refunds-due?status=all', '/v1/refunds-due?limit=1']) {
        done(await hf.admin.get(target, now));
    }
}

/* A payment from its beginning to its dispute, and where the provider contradicts the app: another currency, less, more
 * returned. */
async function rows(r, event, tell) {
    const wanted = (quantity = 1) => [{ event, pool: 'floor', quantity }];
    const now = async () => hf.since(await hf.admin.get('/v1/keys'));
    const look = async (ref, of) => {
        done(await hf.app.get(`/v1/payments/${ref}`, await now()));
        done(await hf.app.get(`/v1/payments?reservation_id=${of.reservation_id}`, await now()));
    };
    const told = async (type, object, of) => {
        await tell(type, { metadata: { reservation_id: of.reservation_id }, ...object });
        await look(object.payment_intent ?? object.id, of);
    };
    refused(await hf.app.post('/v1/reservations', { user_id: 'bob', items: wanted(99), commit: true, payment_ref: 'pi_x' }), 409, 'sold_out');
    done(await hf.app.post(place(r, '/payment'), { payment_ref: 'pi_x' }));
    await look('pi_x', r);
    await told('payment_intent.succeeded', { id: 'pi_x' }, r);
    await told('payment_intent.payment_failed', { id: 'pi_x' }, r);
    done(await hf.app.post(place(r, '/commit'), { payment_ref: 'pi_y' }));
    await look('pi_y', r);
    refused(await hf.app.post('/v1/reservations', { user_id: 'bob', items: wanted(), commit: true, payment_ref: 'pi_y' }), 409, 'payment_used');
    await told('payment_intent.succeeded', { id: 'pi_y', amount: 500 }, r);
    await told('charge.refunded', { payment_intent: 'pi_y', amount_refunded: 50 }, r);
    await told('payment_intent.succeeded', { id: 'pi_x', amount: 500 }, r);
    const back = done(await hf.app.post(place(r, '/refund'), {}));
    done(await hf.app.get(place(r, '/history'), hf.since(back)));
    await told('charge.dispute.created', { id: 'dp_1', payment_intent: 'pi_y', amount: 450 }, r);
    await told('charge.refunded', { payment_intent: 'pi_y', amount_refunded: 900 }, r);
    const buy = (quantity, payment_ref, amount) => hf.app.post('/v1/reservations', { user_id: 'bob', items: wanted(quantity), commit: true, payment_ref, amount });
    const short = made(await buy(1, 'pi_s', { amount: 500, currency: 'EUR' })).json;
    await look('pi_s', short);
    await told('payment_intent.succeeded', { id: 'pi_s', amount: 100 }, short);
    const foreign = made(await buy(1, 'pi_t')).json;
    await told('payment_intent.succeeded', { id: 'pi_t', amount: 500, currency: 'chf' }, foreign);
}

/* Staff moves a sale to a cheaper seat and back: what is owed is withdrawn. */
async function moved() {
    const event = await makeEvent(hf, { seats: [...seats('A1', { price: 500 }), ...seats('B1', { price: 100 })] });
    const r = made(await hf.app.post('/v1/reservations', { user_id: 'ann', items: items(event, 'A1'), commit: true, payment_ref: unique('pi') })).json;
    done(await hf.app.patch(place(r, '/items/1'), { seat: 'B1' }));
    const back = await hf.app.patch(place(r, '/items/1'), { seat: 'A1' });
    done(await hf.app.get(place(r, '/history'), hf.since(back)));
    done(await hf.app.get('/v1/refunds-due?status=all', hf.since(back)));
}

async function codes() {
    const event = await makeEvent(hf, { seats: 'A1-A2', pools: { floor: 5 }, access: 'code' });
    made(await hf.admin.post(`/v1/events/${event}/codes`, [
        { code: 'first', units: 2, tiers: ['gold'], allotment: 'friends' }, { code: 'second' },
    ]));
    const wanted = [{ event, seat: 'A1' }, { event, pool: 'floor', quantity: 2 }];
    made(await hf.app.post('/v1/reservations', { user_id: 'ann', items: wanted, code: 'second' }));
    await hf.admin.patch(`/v1/events/${event}/seats`, { ids: ['A2'], set_allotment: 'friends' });
    await hf.admin.put(`/v1/events/${event}/pools/club`, { capacity: 2, allotment: 'friends' });
    const named = [{ event, seat: 'A2', allotment: 'friends' }, { event, pool: 'club', allotment: 'friends' }];
    made(await hf.app.post('/v1/reservations', { user_id: 'ann', items: named }));
    done(await hf.admin.get(`/v1/events/${event}/codes?limit=1`));
    done(await hf.admin.get(`/v1/events/${event}/codes`));
    assert.equal((await hf.admin.delete(`/v1/events/${event}/codes/first`)).status, 204);
}

async function rooms() {
    const drawn = { open_at: iso(hf.now() + 60_000), shuffle_before_open: true, tiers: ['gold'] };
    const event = await makeRoom(hf, { room: { ...drawn, rate_per_second: 1000, max_active: 1 } });
    const people = ['p0', 'p1', 'p2'].map((name) => hf.user(name));
    const entries = [];
    for (const [i, user] of people.entries()) {
        made(await user.post(queue(event), {}));
        entries[i] = done(await user.post(queue(event), {})).json;
    }
    await sign(hf, event, (one) => one.waiting === 3);
    done(await hf.admin.get(queue(event)));
    hf.clock.advance(60_000);
    const everybody = () => Promise.all(people.map((user, i) => look(user, entries[i])));
    const now = await hf.eventually(everybody, (all) => all.some((e) => e.status === 'admitted'), 'admission');
    const [first, second, third] = [1, 2, 3].map((position) => now.findIndex((e) => e.position === position));
    const stream = await people[second].stream(queue(event, `/${entries[second].entry_id}/stream`));
    await stream.next((e) => e.json.status === 'waiting', 'waiting');
    stream.close();
    /* The second goes away, the first leaves, the third gets its turn. */
    hf.clock.advance(300_000);
    await look(people[third], entries[third]);
    done(await people[first].delete(queue(event, `/${entries[first].entry_id}`)));
    await becomes(hf, people[third], entries[third], 'admitted');
    done(await hf.admin.get(queue(event, `/${entries[second].entry_id}`)));
    await look(people[second], entries[second]);
    hf.clock.advance(900_000);
    await becomes(hf, people[third], entries[third], 'finished');
    done(await hf.admin.patch(queue(event), { paused: true, open_at: null }));
    const simple = await makeRoom(hf);
    await join(hf.user('q'), simple);
    await join(hf.app, simple, { user_id: 'r', tiers: ['gold'] });
    done(await hf.admin.get(queue(simple)));
    done(await hf.anyone.get(`/v1/events/${simple}`));
    /* It can be rendered again in between. */
    const again = async () => {
        const { headers: { etag } } = done(await hf.anyone.get(queue(simple)));
        return hf.anyone.get(queue(simple), { headers: { 'If-None-Match': etag } });
    };
    await hf.eventually(again, ({ status }) => status === 304, 'unchanged');
}

async function lists() {
    const facts = { tier: 'gold', section: 'S' };
    const event = await makeEvent(hf, { seats: seats('A1-A3', facts), pools: { floor: 1 }, waiting_list: true });
    const seller = hf.user('seller');
    const sold = await hold(seller, [...items(event, 'A1 A2 A3'), { event, pool: 'floor', quantity: 1 }]);
    const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => hf.user(name));
    const e = await wish(ann, event);
    done(await ann.post(waitingList(event), { quantity: 1 }));
    const left = await wish(bob, event, { quantity: 1, ...facts });
    await wish(eve, event, { quantity: 1, pool: 'floor' });
    done(await bob.delete(waitingList(event, `/${left.entry_id}`)));
    done(await seller.delete(place(sold, `/items/${sold.items[0].item_id}`)));
    const offer = await wishBecomes(hf, ann, e, 'offered');
    done(await ann.get(place(offer)));
    const bought = done(await ann.post(place(offer, '/commit'), {}));
    await wishBecomes(hf, ann, e, 'finished');
    /* And one who no longer wants it. */
    const second = await wish(bob, event);
    done(await seller.delete(place(sold, `/items/${sold.items[1].item_id}`)));
    const declined = await wishBecomes(hf, bob, second, 'offered');
    done(await bob.delete(place(declined)));
    done(await hf.admin.get(waitingList(event), hf.since(bought)));
    done(await ann.get(place(offer, '/history'), hf.since(bought)));
    done(await hf.app.post(place(offer, '/refund'), {}));
}

async function operations() {
    for (const role of ['app', 'door']) {
        const { name } = await hf.key(role);
        for (const old_valid_seconds of [0, 60]) {
            made(await hf.admin.post(`/v1/keys/${name}/rotate`, { old_valid_seconds }));
            done(await hf.admin.get('/v1/keys'));
            done(await hf.admin.get('/v1/nodes'));
        }
        gone(await hf.admin.delete(`/v1/keys/${name}`));
    }
    made(await hf.anyone.post('/v1/sessions', {}));
    for (const target of ['/healthz', '/readyz', '/metrics', '/openapi.json']) {
        done(await hf.anyone.get(target));
    }
}

/* A payment that cannot be kept, and one that comes after the sale. */
async function money() {
    const event = await makeEvent(hf, { pools: { floor: { capacity: 9, price: 500 } } });
    const [released, sold] = [await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 1 }]), await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 1 }])];
    done(await hf.app.delete(place(released)));
    const { refund_due: due } = refused(await hf.app.post(place(released, '/commit'), { payment_ref: 'pi_1' }), 409, 'already_released');
    done(await hf.app.post(place(sold, '/commit'), {}));
    const paid = await hf.app.post(place(sold, '/commit'), { payment_ref: 'pi_2' });
    done(await hf.app.get('/v1/refunds-due?status=all', hf.since(paid)));
    done(await hf.app.get(place(sold, '/history'), hf.since(paid)));
    const back = await hf.app.post(`/v1/refunds-due/${due}/done`, {});
    done(back);
    done(await hf.user('ann').get(place(released, '/history'), hf.since(back)));
    const twice = await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 1 }]);
    for (const payment_ref of ['pi_a', 'pi_b']) {
        done(await hf.app.post(place(twice, '/commit'), { payment_ref, amount: { amount: 500, currency: 'EUR' } }));
    }
    const first = await hf.app.post(place(twice, '/commit'), { payment_ref: 'pi_a' });
    done(await hf.app.get(place(twice, '/history'), hf.since(first)));
    const part = await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 1 }, { event, pool: 'floor', quantity: 2 }]);
    done(await hf.app.post(place(part, '/payment'), {}));
    done(await hf.app.post(place(part, '/commit'), { payment_ref: 'pi_3' }));
    done(await hf.app.post(place(part, '/refund'), { items: ['1'] }));
    const refunded = await hf.app.post(place(part, '/refund'), { reason: 'rained off' });
    done(refunded);
    done(await hf.app.get('/v1/reservations?status=refunded', hf.since(refunded)));
    done(await hf.app.get(place(part, '/history'), hf.since(refunded)));
    refused(await hf.user('ann').post(place(sold, '/cancel'), {}), 409, 'not_cancellable');
    done(await hf.admin.patch(`/v1/events/${event}`, { cancel_until_seconds: 60, starts_at: iso(hf.now() + 30_000) }));
    const changed = await hold(hf.user('ann'), [{ event, pool: 'floor', quantity: 1 }]);
    done(await hf.app.post(place(changed, '/commit'), { payment_ref: 'pi_4' }));
    refused(await hf.user('ann').post(place(changed, '/cancel'), {}), 409, 'not_cancellable');
    done(await hf.admin.patch(`/v1/events/${event}`, { starts_at: null }));
    const cancelled = await hf.user('ann').post(place(changed, '/cancel'), {});
    done(cancelled);
    done(await hf.app.get(place(changed), hf.since(cancelled)));
    done(await hf.app.get(place(changed, '/history'), hf.since(cancelled)));
    const calendar = await makeCalendar(hf, { cancel_until_minutes: 527_040 });
    const visit = await hold(hf.user('ann'), [slot(calendar, midnight(hf) + DAY)]);
    done(await hf.app.post(place(visit, '/commit'), {}));
    refused(await hf.user('ann').post(place(visit, '/cancel'), {}), 409, 'not_cancellable');
    done(await hf.anyone.get(`/v1/calendars/${calendar}`));
}

/* Tickets at the door: of each kind, with each result. */
async function doors() {
    const event = await makeEvent(hf, { seats: 'A1-A2', pools: { floor: 3 } });
    const calendar = await makeCalendar(hf, { services: [{ id: 'cut', duration_minutes: 30, price: 0 }] });
    const wanted = [...items(event, 'A1'), { event, pool: 'floor', quantity: 2 }, { calendar, start: iso(midnight(hf)), service: 'cut' }];
    const { json: r } = made(await hf.app.post('/v1/reservations', { items: wanted, user_id: 'ann', commit: true }));
    const door = await hf.key('door');
    const scan = (i, more) => door.post('/v1/check-ins', { code: r.tickets[i].code, ...more });
    done(await hf.anyone.get('/v1/tickets/key'));
    for (const ending of ['svg', 'png']) {
        done(await hf.anyone.get(`/v1/tickets/${r.tickets[0].code}.${ending}`));
    }
    done(await scan(0, { undo: true }));
    for (let i = 0; i < r.tickets.length; i++) {
        done(await scan(i, i ? {} : { gate: 'north' }));
        refused(await scan(i), 409, 'already_checked_in');
    }
    done(await scan(1, { scanned_at: iso(hf.now()) }));
    done(await scan(1, { scanned_at: iso(hf.now()), event: 'other' }));
    const { json: gone } = made(await hf.app.post('/v1/reservations', { items: items(event, 'A2'), user_id: 'ann', commit: true }));
    const last = await hf.app.post(place(gone, '/transfer'), { to_user_id: 'bob' });
    done(await door.get(`/v1/check-ins?event=${event}`, hf.since(last)));
    done(await door.get(`/v1/check-ins?event=${event}&limit=1`, hf.since(last)));
    const undone = await scan(0, { undo: true });
    done(undone);
    done(await door.get(`/v1/check-ins?event=${event}`, hf.since(undone)));
    done(await hf.app.get(place(r, '/history'), hf.since(undone)));
}

/* Each rule of a calendar once. */
async function notBookable(ann, at) {
    const services = await makeCalendar(hf, { services: [{ id: 'cut', duration_minutes: 30, price: 0 }] });
    const strict = await makeCalendar(hf, {
        notice_minutes: 60, horizon_days: 60, per_user_limit: 1, change_until_minutes: 527_040, guests: false,
    });
    const rules = {
        service: slot(services, at), grid: slot(strict, at + 1), length: slot(strict, at, 60),
        notice: slot(strict, Math.ceil(hf.now() / 1_800_000) * 1_800_000), horizon: slot(strict, at + 60 * DAY),
    };
    for (const [rule, item] of Object.entries(rules)) {
        const answer = refused(await ann.post('/v1/reservations', { items: [item] }), 409, 'not_bookable');
        assert.equal(answer.rule, rule);
    }
    const r = await hold(ann, [slot(strict, at)]);
    const { start, end } = slot(strict, at + DAY);
    const late = refused(await ann.patch(place(r, '/items/1'), { start, end }), 409, 'not_bookable');
    assert.equal(late.rule, 'change');
    const more = await ann.post('/v1/reservations', { items: [slot(strict, at + DAY)] });
    assert.equal(refused(more, 409, 'limit_exceeded').calendar, strict);
    const guest = await hf.user('guest_x').post('/v1/reservations', { items: [slot(strict, at + DAY)] });
    refused(guest, 403, 'guests_refused');
}

async function refusals({ event, first }) {
    const ann = hf.user('ann');
    const ask = (...wanted) => ann.post('/v1/reservations', { items: wanted });
    refused(await ask(...items(event, 'A1 A2 A4'), { event, pool: 'floor', quantity: 6 }), 409, 'taken');
    refused(await ask({ event, best: { quantity: 9 } }), 409, 'sold_out');
    refused(await ask({ event, best: { quantity: 9, section: 'S', tier: 'gold', adjacent: true } }), 409, 'sold_out');
    refused(await ask({ event, best: { quantity: 9, accessible: 9 } }), 409, 'sold_out');
    const named = { event, best: { quantity: 99, allotment: 'press' } };
    refused(await hf.app.post('/v1/reservations', { user_id: 'ann', items: [named] }), 409, 'sold_out');
    const calendar = await makeCalendar(hf, { services: [{ id: 'cut', duration_minutes: 30, price: 0 }] });
    const at = midnight(hf);
    const open = await makeCalendar(hf);
    await hold(ann, [slot(open, at), { calendar, start: iso(at), service: 'cut' }]);
    refused(await ask(slot(open, at), { calendar, start: iso(at), service: 'cut' }), 409, 'taken');
    await notBookable(ann, at);
    refused(await ann.patch(place(first, '/items/1'), { seat: 'A2' }), 409, 'taken');
    refused(await ask({ event, seat: 'A1', colour: 'red' }), 400, 'invalid');
    const csv = { headers: { 'content-type': 'text/csv' } };
    refused(await hf.admin.post(`/v1/events/${event}/seats`, 'id,price\nA1,much\n', csv), 400, 'invalid');
    refused(await hf.admin.post(`/v1/events/${event}/seats`, 'id,blocked\nA1,true\n', csv), 409, 'taken');
    const few = await makeEvent(hf, { seats: 'A1-A2', per_user_limit: 1 });
    refused(await ask(...items(few, 'A1 A2')), 409, 'limit_exceeded');
}

/* ---- What of the description came true ---- */

/* Every code has its own test elsewhere, and so has a full disk. */
const ELSEWHERE = ['problem.code', 'readiness.status', 'readiness.degraded'];
const listOf = (value) => (value !== null && typeof value === 'object' ? Object.values(value) : [value]);
const mayBeNull = ({ type, oneOf = [] }) => [].concat(type, oneOf.map((one) => one.type)).includes('null');
const wordsOf = (schema) => (schema.enum ?? schema.items?.enum ?? schema.additionalProperties?.enum ?? []);

/* The names of the schemas that `it` refers to, directly or indirectly. */
function named(document, it, found = new Set()) {
    const { $ref: place } = it ?? {};
    const name = /^#\/components\/schemas\/(.+)$/.exec(place ?? '')?.[1];
    if (name && !found.has(name)) {
        found.add(name);
        named(document, document.components.schemas[name], found);
    }
    Object.values(it ?? {}).filter((one) => typeof one === 'object').forEach((one) => named(document, one, found));
    return found;
}
/* Those of request bodies. */
const sent = (document) => pathsOf(document).flatMap(([, operations]) => Object.values(operations)).reduce(
    (found, { requestBody }) => named(document, requestBody, found), new Set()
);

class Witness {
    constructor() {
        this.facts = new Set();
    }

    see(name, value, schema) {
        this.facts.add(name);
        for (const [member, described] of Object.entries(schema.properties ?? {})) {
            const it = `${name}.${member}`;
            this.facts.add(member in value ? it : `${it} absent`);
            this.facts.add(value[member] === null ? `${it} null` : `${it} given`);
            if (wordsOf(described).length) {
                listOf(value[member]).forEach((word) => this.facts.add(`${it} ${word}`));
            }
        }
    }

    static wanted(schemas) {
        return Object.entries(schemas).flatMap(([name, schema]) => [
            name,
            ...Object.entries(schema.properties ?? {}).flatMap(([member, described]) => {
                const it = `${name}.${member}`;
                return [
                    it, ...(described.type === 'null' ? [] : [`${it} given`]), ...(schema.required.includes(member) ? [] : [`${it} absent`]),
                    ...(mayBeNull(described) ? [`${it} null`] : []),
                    ...(ELSEWHERE.includes(it) ? [] : wordsOf(described).map((word) => `${it} ${word}`)),
                ];
            }),
        ]);
    }
}

/* Sums over all of the above, and over one sale and one release of each kind. */
async function reports() {
    const event = await makeEvent(hf, { seats: [{ id: 'A1', tier: 'gold' }], pools: { floor: 3 } });
    const calendar = await makeCalendar(hf, { services: [{ id: 'cut', duration_minutes: 30, price: 0 }] });
    const start = Date.parse(iso(hf.now()).slice(0, 10)) + 9 * DAY;
    const each = [items(event, 'A1'), [{ event, pool: 'floor', quantity: 1 }], [{ calendar, start: iso(start), service: 'cut' }]];
    for (const wanted of each) {
        done(await hf.app.delete(place(await hold(hf.user('ann'), wanted))));
        done(await hf.app.post(place(await hold(hf.user('ann'), wanted), '/commit'), {}));
    }
    const now = hf.since(await hf.admin.get('/v1/keys'));
    done(await hf.admin.get('/v1/audit?limit=1000', now));
    done(await hf.admin.get(`/v1/events/${event}/ttl-advice`, now));
    done(await hf.admin.get(`/v1/events/${await makeEvent(hf)}/ttl-advice`, now));
    const cancelled = `/v1/events/${event}/cancel`;
    done(await hf.admin.get(cancelled));
    assert.equal((await hf.admin.post(cancelled, { reason: 'flooded' })).status, 202);
    await hf.eventually(() => hf.admin.get(cancelled), ({ json }) => json.state === 'done', 'nothing is left');
    done(await hf.anyone.get(`/v1/events/${event}`));
    for (const name of ['sales', 'abandoned', 'funnel']) {
        done(await hf.admin.get(`/v1/reports/${name}`, now));
    }
}

/* A user who waited in line, transferred something, paid twice and was erased. */
async function people() {
    const user = unique('person');
    const event = await makeEvent(hf, { seats: seats('A1-A3', { price: 5 }), waiting_list: true });
    const room = await makeEvent(hf, { waiting_room: { open_at: iso(hf.now() + DAY) } });
    is(201)(await hf.user(user).post(`/v1/events/${room}/queue`, {}));
    const buy = async (seat, more) => (await hf.app.post('/v1/reservations', { user_id: user, commit: true, items: items(event, seat), ...more })).json;
    const sold = await buy('A1', { payment_ref: unique('pi') });
    done(await hf.app.post(place(sold, '/refund'), {}));
    done(await hf.app.post(place(await buy('A2'), '/transfer'), { to_user_id: 'other' }));
    await buy('A1');
    await buy('A3');
    is(201)(await hf.user(user).post(`/v1/events/${event}/waiting-list`, { quantity: 1 }));
    const fleet = await makeFleet(hf);
    const asked = await askRide(hf.user(user), fleet);
    done(await hf.user(user).post(ridePath(fleet, asked, '/cancel'), {}));
    const now = hf.since(await hf.admin.get('/v1/keys'));
    done(await hf.admin.get(`/v1/users/${user}/export`, now));
    done(await hf.admin.get(`/v1/users/${user}/export?limit=1`, now));
    done(await hf.admin.get(`/v1/users/${user}/erasure`, now));
    is(202)(await hf.admin.delete(`/v1/users/${user}`));
    done(await hf.admin.get(`/v1/users/${user}/erasure`));
    await hf.eventually(() => hf.admin.get(`/v1/users/${user}/erasure`), (answer) => answer.json?.state === 'done', 'the erasure', 30_000);
    done(await hf.admin.get(`${place(sold)}/history`, hf.since(await hf.admin.get('/v1/keys'))));
    done(await hf.admin.get('/v1/audit', hf.since(await hf.admin.get('/v1/keys'))));
}

/* Seen only where several servers share a log: tests/cluster. */
const SHARED = /^(readiness\.(role|epoch|lag_ms)|node\.(role follower|lag_ms absent))/;
/* Only for a driver who has not reported since a restart: see dispatch_restart.test.js. */
const RESTARTED = ['cell', 'lat', 'lng', 'heard_at'].map((field) => `driver.${field} null`);

test('everything described occurs: each answer, each member, each null, each enum value', ownClock, async () => {
    const { document, schemas, seen } = hf.description;
    const requests = sent(document);
    const described = Object.fromEntries(
        Object.entries(document.components.schemas).filter(([name]) => !requests.has(name))
    );
    const witness = new Witness();
    schemas.onRecord = (name, value) => witness.see(name, value, described[name]);
    seen.clear();
    const known = await catalogue();
    await refusals(known);
    await calendars();
    await groups();
    await operations();
    await money();
    await doors();
    await lists();
    await priced();
    await reservations();
    await codes();
    await rooms();
    await provider();
    await hooks();
    await dispatch();
    await reports();
    await people();
    schemas.onRecord = undefined;
    const answers = answersOf(document).filter(({ status }) => /^[23]/.test(status)).map(plain);
    assert.deepEqual(answers.filter((one) => !seen.has(one)), [], 'described, but not answered');
    const wanted = Witness.wanted(described).filter((one) => !RESTARTED.includes(one) && !SHARED.test(one));
    assert.deepEqual(wanted.filter((one) => !witness.facts.has(one)), [], 'described, but not seen');
});
