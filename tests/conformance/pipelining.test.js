/* SPDX-License-Identifier: Apache-2.0 */
/* Pipelined requests are answered one after the other, as if each had its own connection.
 *
 * Every route is requested before and after every other one, in one packet. The expected answer is requested first, on
 * its own connection; except for ids, instants and the like, it must be the same when pipelined.
 */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const crypto = require('node:crypto');
const { shared, unique } = require('./lib/server.js');
const { pathsOf } = require('./lib/description.js');
const { makeEvent, items, hold, seats } = require('./lib/catalogue.js');
const { makeCalendar, midnight, iso, DAY } = require('./lib/calendars.js');
const { makeRoom, queue, waitingList, join, wish } = require('./lib/entries.js');
const { makeFleet, makeDriver, ridePath, askRide, offerOf, answerOffer } = require('./lib/fleets.js');
const { exchange, request } = require('./lib/http.js');

const hf = shared();
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const AT_ONCE = 8;
const SEATS = 4_000;
const place = (r, rest = '') => `/v1/reservations/${r.reservation_id}${rest}`;

/* ---- Requests ---- */

/* One request: `of` is its route in the description, `path` can be a promise of one, made again for every use. */
function ask(of, path, { who = hf.admin, body, type = 'application/json', lines = [], ...more } = {}) {
    const [method, route] = of.split(' ');
    const text = ['undefined', 'string', 'function'].includes(typeof body) ? body : JSON.stringify(body);
    return {
        name: `${of}${more.as ? ` (${more.as})` : ''}`, of: `${method} ${route}`, method, ...more,
        cheap: typeof path !== 'function' && typeof text !== 'function', /* it can be requested without creating anything first */
        async bytes() {
            const target = typeof path === 'function' ? await path() : path ?? route;
            const sent = typeof text === 'function' ? await text() : text;
            const head = [...(who.bearer ? [`Authorization: Bearer ${who.bearer}`] : []), ...(typeof lines === 'function' ? lines() : lines)];
            if (sent !== undefined) {
                head.push(`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(sent)}`);
            }
            return request(method, target, { lines: head, body: sent });
        },
    };
}

const EVENT = '/v1/events/{event}';
const CALENDAR = '/v1/calendars/{calendar}';
const GROUP = '/v1/groups/{group}';
const RESERVATION = '/v1/reservations/{id}';
const PROVIDER = { provider: 'stripe', secret: 'whsec_0123456789' };
const HOOK = { url: 'https://shop.invalid/', events: ['refund.due'], secret: `whsec_${'A'.repeat(32)}` };

/* Records that are only read have an event of their own, so that their answers stay the same. */
async function catalogue() {
    const still = await makeEvent(hf, { seats: seats(`A1-A${SEATS}`), pools: { floor: 7 } });
    const busy = await makeEvent(hf, { seats: 'A1-A9', pools: { floor: 1_000_000 }, waiting_list: true });
    const at = (event, rest = '') => `/v1/events/${event}${rest}`;
    const { headers: { etag } } = await hf.anyone.get(at(still, '/seats'));
    const anyone = { who: hf.anyone };
    const unchanged = { ...anyone, lines: [`If-None-Match: ${etag}`], as: '304' };
    const gzip = { ...anyone, lines: ['Accept-Encoding: gzip'], as: 'gzip' };
    const csv = 'id,row\nA1,A\nA2,A\n';
    const rows = [
        ask('GET /v1/events', '/v1/events?limit=2', { ...anyone, loose: true }),
        ask(`PUT ${EVENT}`, at(busy), { body: { name: 'A show', payment: 'none', waiting_list: true }, loose: true }),
        ask(`GET ${EVENT}`, at(still), anyone),
        ask(`DELETE ${EVENT}`, async () => at(await makeEvent(hf))),
        ask(`POST ${EVENT}/seats`, at(busy, '/seats'), { body: csv, type: 'text/csv' }),
        ask(`PATCH ${EVENT}/seats`, at(busy, '/seats'), { body: { ids: ['A9'], blocked: true } }),
        ask(`DELETE ${EVENT}/seats`, async () => at(await makeEvent(hf, { seats: 'A1-A2' }), '/seats'), {
            body: { ids: ['A1'] },
        }),
        ask(`GET ${EVENT}/seats`, at(still, '/seats'), anyone),
        ask(`GET ${EVENT}/seats/{seat}`, at(still, '/seats/A7'), anyone),
        ask(`PATCH ${EVENT}`, at(busy), { body: { per_user_limit: 0 }, loose: true }),
        ask(`PUT ${EVENT}/pools/{pool}`, at(busy, '/pools/other'), { body: { capacity: 5 } }),
        ask(`GET ${EVENT}/pools`, at(still, '/pools'), anyone),
        ask(`GET ${EVENT}/pools/{pool}`, at(still, '/pools/floor'), anyone),
        ask(`POST ${EVENT}/codes`, at(busy, '/codes'), { body: [{ code: 'PRESALE', units: 2 }], loose: true }),
        ask(`GET ${EVENT}/codes`, at(still, '/codes')),
        ask(`DELETE ${EVENT}/codes/{code}`, async () => {
            const event = await makeEvent(hf);
            await hf.admin.post(`/v1/events/${event}/codes`, [{ code: 'GONE' }]);
            return at(event, '/codes/GONE');
        }),
        ask(`GET ${EVENT}/availability`, at(still, '/availability'), anyone),
        ask(`GET ${EVENT}/stream`, at(still, '/stream'), { ...anyone, stream: true }),
    ];
    const more = [
        ask(`GET ${EVENT}/seats`, at(still, '/seats'), unchanged),
        ask(`GET ${EVENT}/seats`, at(still, '/seats'), gzip),
        ask(`GET ${EVENT}/availability`, at(still, '/availability?format=map'), { ...anyone, as: 'map' }),
        ask(`GET ${EVENT}/availability`, at(still, '/availability?since=1'), { ...anyone, as: 'since' }),
        ask(`GET ${EVENT}`, at(unique()), { ...anyone, as: 'refused' }),
        ask('HEAD /layout', at(still, '/seats'), anyone),
        ask('HEAD /availability', at(still, '/availability'), anyone),
        ask('HEAD /stream', at(still, '/stream'), { ...anyone, stream: true }),
        ask('GET /nothing', undefined, anyone),
        ask('PUT /healthz', undefined, anyone),
        ask('OPTIONS /v1/events', undefined, anyone),
        ask('GET /v1/events', '/v1/events?limit=0', { ...anyone, as: 'refused' }),
    ];
    return { still, busy, rows, more };
}

async function lines() {
    const open_at = iso(hf.now() + 30 * DAY);
    const room = await makeRoom(hf, { room: { open_at } });
    const list = await makeEvent(hf, { seats: 'A1', waiting_list: true });
    const [ann, bob] = [hf.user('ann'), hf.user('bob')];
    await hold(hf.user('first'), items(list, 'A1'), { ttl_seconds: 600 });
    const [first, second] = [await join(ann, room), await join(bob, room)];
    const [wanted, dropped] = [await wish(ann, list, { quantity: 1 }), await wish(bob, list, { quantity: 1 })];
    const eta = { loose: true };
    return [
        ask(`POST ${EVENT}/queue`, queue(room), { who: ann, body: {}, ...eta }),
        ask(`GET ${EVENT}/queue`, queue(room), { who: hf.anyone, ...eta }),
        ask(`PATCH ${EVENT}/queue`, queue(room), { body: { paused: true }, ...eta }),
        ask(`GET ${EVENT}/queue/{entry}`, queue(room, `/${first.entry_id}`), { who: ann, ...eta }),
        ask(`DELETE ${EVENT}/queue/{entry}`, queue(room, `/${second.entry_id}`), { who: bob }),
        ask(`GET ${EVENT}/queue/{entry}/stream`, queue(room, `/${first.entry_id}/stream`), { who: ann, stream: true }),
        ask(`POST ${EVENT}/waiting-list`, waitingList(list), { who: ann, body: { quantity: 1 } }),
        ask(`GET ${EVENT}/waiting-list`, waitingList(list), eta),
        ask(`GET ${EVENT}/waiting-list/{entry}`, waitingList(list, `/${wanted.entry_id}`), { who: ann }),
        ask(`DELETE ${EVENT}/waiting-list/{entry}`, waitingList(list, `/${dropped.entry_id}`), { who: bob }),
    ];
}

async function calendars() {
    const calendar = await makeCalendar(hf);
    await makeCalendar(hf); /* there is always a next page */
    const at = (rest = '') => `/v1/calendars/${calendar}${rest}`;
    const from = midnight(hf);
    const of = { name: 'Any room', calendars: [await makeCalendar(hf)] };
    const grouped = async () => {
        const { json } = await hf.admin.put(`/v1/groups/${unique('group')}`, { ...of, calendars: [await makeCalendar(hf)] });
        return json.id;
    };
    await grouped(); /* there is always another page */
    const group = unique('group');
    assert.equal((await hf.admin.put(`/v1/groups/${group}`, of)).status, 201);
    await grouped(); /* a second one, so that there always is a next page */
    const members = (rest = '') => `/v1/groups/${group}${rest}`;
    return [
        ask('GET /v1/calendars', '/v1/calendars?limit=1', { who: hf.anyone, loose: true }),
        ask(`PUT ${CALENDAR}`, at(), { body: { name: 'A room', payment: 'none' } }),
        ask(`PATCH ${CALENDAR}`, at(), { body: { price: 0 } }),
        ask(`GET ${CALENDAR}`, at(), { who: hf.anyone }),
        ask(`GET ${CALENDAR}/slots`, at(`/slots?from=${iso(from)}&to=${iso(from + DAY)}`), { who: hf.anyone }),
        ask(`GET ${CALENDAR}/stream`, at('/stream'), { who: hf.anyone, stream: true }),
        ask(`GET ${CALENDAR}.ics`, at('.ics'), { loose: true }),
        ask(`DELETE ${CALENDAR}`, async () => `/v1/calendars/${await makeCalendar(hf)}`),
        ask('GET /v1/groups', '/v1/groups?limit=1', { who: hf.anyone, loose: true }),
        ask(`PUT ${GROUP}`, members(), { body: of }),
        ask(`GET ${GROUP}`, members(), { who: hf.anyone }),
        ask(`GET ${GROUP}/slots`, members(`/slots?from=${iso(from)}&to=${iso(from + DAY)}`), { who: hf.anyone }),
        ask(`DELETE ${GROUP}`, async () => `/v1/groups/${await grouped()}`),
    ];
}

async function reservations(event) {
    const [ann, reader] = [hf.user('buyer'), hf.user('reader')];
    const floor = [{ event, pool: 'floor', quantity: 1 }];
    const two = [...floor, ...floor.map((item) => ({ ...item, quantity: 2 }))];
    const fresh = (rest) => async () => place(await hold(ann, two), rest);
    const [read, seated, released, extended, paid, bought] =
        [await hold(reader, floor), await hold(ann, items(event, 'A5')), await hold(ann, floor), await hold(ann, floor),
            await hold(ann, floor), await hold(ann, floor)];
    const kind = await makeEvent(hf, { pools: { floor: 100_000 }, cancel_until_seconds: 0 });
    const sold = (rest) => async () => {
        const r = await hold(ann, [{ event: kind, pool: 'floor', quantity: 1 }]);
        assert.equal((await ann.post(place(r, '/commit'), {})).status, 200);
        return place(r, rest);
    };
    const given = await hold(ann, floor);
    assert.equal((await ann.post(place(given, '/commit'), {})).status, 200);
    const heir = { who: hf.admin, body: () => JSON.stringify({ to_user_id: unique('heir') }) };
    const who = { who: ann };
    const rows = [
        ask('POST /v1/reservations', undefined, { ...who, body: { items: floor } }),
        ask('GET /v1/reservations', undefined, { who: reader }),
        ask(`GET ${RESERVATION}`, place(read), { who: reader }),
        ask(`PATCH ${RESERVATION}`, place(extended), { ...who, body: { attributes: { a: 1 } }, loose: true }),
        ask(`DELETE ${RESERVATION}`, fresh(''), who),
        ask(`POST ${RESERVATION}/release`, place(released, '/release'), { ...who, body: {} }),
        ask(`POST ${RESERVATION}/items`, fresh('/items'), { ...who, body: { items: floor } }),
        ask(`DELETE ${RESERVATION}/items/{item_id}`, fresh('/items/1'), who),
        ask(`PATCH ${RESERVATION}/items/{item_id}`, place(seated, '/items/1'), { ...who, body: { seat: 'A5' } }),
        ask(`POST ${RESERVATION}/extend`, place(extended, '/extend'), { ...who, body: {}, loose: true }),
        ask(`POST ${RESERVATION}/payment`, place(paid, '/payment'), { ...who, body: {} }),
        ask(`POST ${RESERVATION}/commit`, place(bought, '/commit'), { ...who, body: {} }),
        ask(`POST ${RESERVATION}/transfer`, place(given, '/transfer'), heir),
        ask(`POST ${RESERVATION}/cancel`, sold('/cancel'), { ...who, body: {} }),
        ask(`POST ${RESERVATION}/refund`, sold('/refund'), { who: hf.admin, body: {} }),
        ask(`DELETE ${RESERVATION}/manage-tokens`, place(given, '/manage-tokens'), { who: hf.admin }),
        ask(`GET ${RESERVATION}/history`, place(read, '/history'), { who: reader }),
    ];
    const large = { items: floor, attributes: { note: 'x'.repeat(3_900) } };
    const more = [
        ask('POST /v1/reservations', undefined, { ...who, body: large, as: 'large' }),
        ask('POST /v1/reservations', '/reservations', { ...who, body: { resource_id: `${event}/A5` }, as: 'taken' }),
        ask('POST /v1/reservations', undefined, { ...who, body: '{"items":', as: 'no JSON' }),
        ask('POST /v1/reservations', undefined, { who: hf.anyone, body: { items: floor }, as: 'nobody' }),
        ask('POST /v1/reservations', undefined, { ...who, body: 'x', type: 'text/plain', as: 'text' }),
        ask('POST /v1/reservations', undefined, { who: hf.bearer('nonsense'), body: {}, as: 'bad token' }),
    ];
    return { rows, more };
}

/* Records that are only read have a fleet of their own. */
async function fleets() {
    const FLEET = '/v1/fleets/{fleet}';
    const settings = { offer_seconds: 3600, search_seconds: 3600, max_rings: 0, presence_seconds: 86_400, rides_per_rider: 0 };
    const [still, busy] = [await makeFleet(hf, settings), await makeFleet(hf, settings)];
    const driver = await makeDriver(hf, still);
    const far = { lat: 0, lng: 0 };
    const there = await askRide(hf.user('ann'), still, far);
    await makeDriver(hf, busy, 50, {}, 'dora');
    const asked = (rest) => async () => ridePath(busy, await askRide(hf.user('ann'), busy, far), rest);
    /* A ride that is offered to a driver, in a cell of its own. */
    let cells = 0;
    const offered = async () => {
        const at = { lat: 10 + ++cells * 0.01, lng: 20 };
        const name = await makeDriver(hf, busy, 0, at, `driver${cells}`);
        const r = await askRide(hf.user('ann'), busy, at);
        return { name, r, offer: await offerOf(hf, busy, name) };
    };
    const answered = (rest) => async () => `${busy}/offers/${(await offered()).offer.offer_id}/${rest}`;
    const taken = (rest) => async () => {
        const { name, r, offer } = await offered();
        assert.equal((await answerOffer(hf.user(name), busy, offer, 'accept')).status, 200);
        return ridePath(busy, r, rest);
    };
    const loose = { loose: true };
    return [
        ask('GET /v1/fleets', '/v1/fleets?limit=1', loose),
        ask(`PUT ${FLEET}`, busy, { body: settings }),
        ask(`GET ${FLEET}`, still),
        ask(`DELETE ${FLEET}`, () => makeFleet(hf)),
        ask(`GET ${FLEET}/overview`, `${still}/overview`),
        ask(`GET ${FLEET}/drivers`, `${still}/drivers`),
        ask(`PUT ${FLEET}/drivers/{driver}`, `${busy}/drivers/dora`, { body: { ...far, lat: 40, available: true }, loose: true }),
        ask(`GET ${FLEET}/drivers/{driver}`, `${still}/drivers/${driver}`),
        ask(`DELETE ${FLEET}/drivers/{driver}`, async () => `${busy}/drivers/${await makeDriver(hf, busy)}`),
        ask(`GET ${FLEET}/drivers/{driver}/offer`, `${still}/drivers/${driver}/offer`),
        ask(`GET ${FLEET}/drivers/{driver}/stream`, `${still}/drivers/${driver}/stream`, { stream: true }),
        ask(`POST ${FLEET}/positions`, `${busy}/positions`, { body: [{ driver: 'dora', lat: 40, lng: 0 }] }),
        ask(`POST ${FLEET}/rides`, `${busy}/rides`, { who: hf.user('ann'), body: far }),
        ask(`GET ${FLEET}/rides`, `${still}/rides`),
        ask(`GET ${FLEET}/rides/{ride}`, ridePath(still, there)),
        ask(`GET ${FLEET}/rides/{ride}/stream`, ridePath(still, there, '/stream'), { stream: true }),
        ask(`POST ${FLEET}/rides/{ride}/cancel`, asked('/cancel'), { body: {} }),
        ask(`POST ${FLEET}/rides/{ride}/complete`, taken('/complete'), { body: {}, loose: true }),
        ask(`POST ${FLEET}/rides/{ride}/driver-cancel`, taken('/driver-cancel'), { body: {}, loose: true }),
        ask(`POST ${FLEET}/offers/{offer}/accept`, answered('accept'), { body: {}, loose: true }),
        ask(`POST ${FLEET}/offers/{offer}/decline`, answered('decline'), { body: {}, loose: true }),
    ];
}

/* A payment that is owed: its reference, and the path of its refund due. */
async function owed() {
    const event = await makeEvent(hf, { pools: { floor: { capacity: 1, price: 100 } } });
    const ref = unique('pi');
    const r = await hold(hf.user('payer'), [{ event, pool: 'floor', quantity: 1 }]);
    await hf.admin.delete(place(r));
    const answer = await hf.admin.post(place(r, '/commit'), { payment_ref: ref });
    await hf.admin.get('/v1/payments?limit=1', hf.since(answer)); /* the book has it */
    return { ref, due: `/v1/refunds-due/${answer.json.refund_due}/done` };
}

/* An event of the payment provider, signed when it is sent: a signature is valid for five minutes. */
function signedEvent() {
    const lines = () => {
        const t = Math.floor(hf.now() / 1000);
        const v1 = crypto.createHmac('sha256', PROVIDER.secret).update(`${t}.{}`).digest('hex');
        return [`Stripe-Signature: t=${t},v1=${v1}`];
    };
    return { who: hf.anyone, body: '{}', lines };
}

/* The code of a ticket. */
async function ticket() {
    const event = await makeEvent(hf, { pools: { floor: 1 } });
    const { json } = await hf.admin.post('/v1/reservations', { items: [{ event, pool: 'floor', quantity: 1 }], user_id: 'ann', commit: true });
    return json.tickets[0].code;
}

function operations() {
    let shown; /* one for all pictures: each ticket has another one */
    const hook = async (name = 'pipelined') => {
        await hf.admin.put(`/v1/hooks/${name}`, HOOK);
        return `/v1/hooks/${name}`;
    };
    return [
        ...['sales', 'abandoned', 'funnel'].map((name) => ask(`GET /v1/reports/${name}`, `/v1/reports/${name}?event=none`)),
        ask('GET /v1/reports/money', '/v1/reports/money?to=2020-01-01T00:00:00Z'),
        ask('GET /v1/nodes', '/v1/nodes', { loose: true }),
        ask('GET /v1/audit', '/v1/audit?to=1970-01-02T00:00:00Z'),
        ask('GET /v1/users/{user}/export', '/v1/users/nobody%20at%20all/export'),
        ask('DELETE /v1/users/{user}', '/v1/users/nobody%20at%20all', { loose: true }),
        ask('GET /v1/users/{user}/erasure', '/v1/users/nobody%20ever/erasure'),
        ask('GET /v1/events/{event}/ttl-advice', async () => `/v1/events/${await makeEvent(hf)}/ttl-advice`),
        ask('GET /v1/events/{event}/cancel', async () => `/v1/events/${await makeEvent(hf)}/cancel`),
        ask('POST /v1/events/{event}/cancel', async () => `/v1/events/${await makeEvent(hf)}/cancel`, { body: {} }),
        ask('GET /v1/refunds-due', '/v1/refunds-due?cursor=00000000000007ZZZZZZZZZZZZ'),
        ask('POST /v1/refunds-due/{refund}/done', async () => (await owed()).due, { body: {} }),
        ask('PUT /v1/payments/provider', undefined, { body: PROVIDER, loose: true }),
        ask('POST /v1/webhooks/payments', undefined, signedEvent()),
        ask('GET /v1/payments', '/v1/payments?limit=1', { loose: true }),
        ask('GET /v1/payments/{payment_ref}', async () => `/v1/payments/${(await owed()).ref}`, { loose: true }),
        ask('GET /v1/payment-events', '/v1/payment-events?limit=1', { loose: true }),
        ask('POST /v1/check-ins', undefined, { body: async () => JSON.stringify({ code: await ticket() }) }),
        ask('GET /v1/check-ins', async () => `/v1/check-ins?event=${await makeEvent(hf)}`),
        ask('GET /v1/tickets/key', undefined, { who: hf.anyone }),
        ...['svg', 'png'].map((ending) =>
            ask(`GET /v1/tickets/{ticket}.${ending}`, async () => `/v1/tickets/${await (shown ??= ticket())}.${ending}`, { who: hf.anyone })),
        ask('GET /v1/hooks', '/v1/hooks?cursor=~~~~'),
        ask('PUT /v1/hooks/{hook}', hook, { body: HOOK, loose: true }),
        ask('GET /v1/hooks/{hook}', hook, { loose: true }),
        ask('GET /v1/hooks/{hook}/messages', async () => `${await hook()}/messages`, { loose: true }),
        ask('POST /v1/hooks/{hook}/resend', async () => `${await hook()}/resend`, { body: {} }),
        ask('DELETE /v1/hooks/{hook}', () => hook(unique('hook'))),
        ask('POST /v1/keys', undefined, { body: () => JSON.stringify({ name: unique('key'), role: 'door' }) }),
        ask('GET /v1/keys', '/v1/keys?limit=1', { loose: true }),
        ask('DELETE /v1/keys/{name}', async () => `/v1/keys/${(await hf.key('door')).name}`),
        ask('POST /v1/keys/{name}/rotate', async () => `/v1/keys/${(await hf.key('door')).name}/rotate`, { body: {} }),
        ask('POST /v1/sessions', undefined, { who: hf.anyone, body: {} }),
        ...['/healthz', '/readyz', '/metrics', '/openapi.json'].map((path) =>
            ask(`GET ${path}`, undefined, { who: hf.anyone, loose: path === '/metrics' })),
    ];
}

/* ---- Answers ---- */

const VOLATILE = ['date', 'request-id', 'holdfast-seq'];
const WORDS = [
    [/\b[a-z]{2,5}_[0-9A-Za-z]{20,}\b|\brfd_\d+\b/g, 'ID'], [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'TOKEN'],
    [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'INSTANT'], [/\b[a-z]+-[0-9a-f]{12}\b/g, 'NAME'],
    [/"(pnr|next_cursor|key)":"[^"]*"/g, '"$1":"X"'], [/"code":"[0-9A-Z]{20}"/g, '"code":"TICKET"'],
    [/"(version|fence|expires_in|expires_in_ms)":\s?\d+/g, '"$1":N'],
];

/* An answer without the parts that differ each time. */
function plain({ status, headers, text }, { loose, stream }) {
    const blank = (it) => WORDS.reduce((at, [pattern, word]) => at.replace(pattern, word), it);
    const numbers = (it) => (loose ? it.replace(/-?\d+(\.\d+)?(e[-+]?\d+)?/g, 'N') : it);
    const kept = Object.entries(headers).filter(([name]) =>
        !VOLATILE.includes(name) && !(loose && ['etag', 'content-length'].includes(name)));
    const shown = kept.map(([name, value]) => {
        const varies = name === 'content-length' && blank(text) !== text;
        return `${name}: ${varies ? 'SIZE' : blank(value)}`;
    });
    return [status, ...shown.sort(), stream ? '' : numbers(blank(text))].join('\n');
}

/* Until all have been answered and, for a stream, the first event has arrived. */
function send(parts, asked) {
    const follows = asked.at(-1).stream && asked.at(-1).method !== 'HEAD';
    const enough = (answers, rest) =>
        answers.length >= asked.length && (!follows || rest.includes('\n\n'));
    return exchange(hf.url, parts, { enough, methods: asked.map(({ method }) => method), patience: 30_000 });
}

/* The answers to these, sent in one packet. */
async function together(asked) {
    const bytes = [];
    for (const one of asked) {
        bytes.push(await one.bytes());
    }
    return send([bytes.join('')], asked);
}

function compare(asked, { answers }, how) {
    const names = asked.map(({ name }) => name).join(', then ');
    assert.equal(answers.length, asked.length, `${names}: ${answers.length} answered, ${how}`);
    asked.forEach((one, i) => {
        const got = plain(answers[i], one);
        const at = [...got].findIndex((letter, k) => letter !== one.alone[k]);
        const excerpt = (text) => text.slice(Math.max(0, at - 100), at + 100);
        assert.ok(
            got === one.alone, `${one.name} of ${names}, ${how}: ${excerpt(got)}\ninstead of ${excerpt(one.alone)}`
        );
    });
}

/* Runs `work` on each, a few at a time; stops at the first that fails. */
async function each(list, work) {
    let next = 0;
    let failed = false;
    const worker = async () => {
        while (next < list.length && !failed) {
            try {
                await work(list[next++]);
            } catch (error) {
                failed = true;
                throw error;
            }
        }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/* ---- Tests ---- */

let rows, more, still;
const find = (name) => [...rows, ...more].find((one) => one.name === name);

async function prepare() {
    const events = await catalogue();
    const held = await reservations(events.busy);
    still = events.still;
    rows = [...events.rows, ...(await lines()), ...(await calendars()), ...(await fleets()), ...held.rows, ...operations()];
    more = [...events.more, ...held.more];
    for (let round = 0; round < 2; round++) { /* the first time some of them change something */
        for (const one of [...rows, ...more]) {
            const { answers: [answer] } = await together([one]);
            assert.ok(answer, `${one.name} is not answered`);
            Object.assign(one, { status: answer.status, alone: plain(answer, one) });
        }
    }
}

let prepared;
const check = (claim, body) => test(claim, async () => {
    await (prepared ??= prepare());
    await body();
});

check('every route is asked for here, and those that should succeed do', () => {
    const described = pathsOf(hf.description.document).flatMap(([path, found]) =>
        METHODS.filter((method) => method in found).map((method) => `${method.toUpperCase()} ${path}`));
    assert.deepEqual(rows.map((one) => one.of).sort(), described.sort());
    const refused = rows.filter(({ status }) => status >= 300);
    assert.deepEqual(refused.map((one) => `${one.name} ${one.alone}`), []);
    assert.equal(find(`GET ${EVENT}/seats (304)`).status, 304);
    assert.equal(find('POST /v1/reservations (taken)').status, 409);
});

/* What one request can do to the next depends on how it is framed and how its answer is made and sent: one of each
 * sort. */
function sorts() {
    const sort = ({ of, alone, stream }) => [of.split(' ')[0], stream, alone.split('\n')[0], /content-type: .*/.exec(alone)?.[0]].join(' ');
    const cheapLast = rows.toSorted((a, b) => a.cheap - b.cheap);
    return [...new Map(cheapLast.map((one) => [sort(one), one])).values()];
}

check('every route before and behind one of each sort, in one packet, is answered as on connections of their own', async () => {
    const follows = sorts().filter((one) => one.stream);
    const company = sorts().filter((one) => !one.stream);
    const packets = rows.flatMap((one) => (one.stream
        ? company.map((other) => [other, one])
        : [[...company.flatMap((other) => [other, one]), company[0]], ...follows.map((last) => [one, last])]));
    assert.ok(company.length > 10 && follows.length > 0, `${company.length} sorts`);
    await each(packets, async (packet) => compare(packet, await together(packet), 'in one packet'));
});

check('all routes in one packet, in any order', async () => {
    const orders = Array.from({ length: 4 }, () => rows.filter((one) => !one.stream)
        .map((one) => [Math.random(), one]).sort(([a], [b]) => a - b).map(([, one]) => one));
    await each(orders, async (all) => compare(all, await together(all), 'in one packet'));
});

check('refusals, 304, HEAD, gzip and large bodies beside large and small answers', async () => {
    const company = [
        `GET ${EVENT}/seats`, `GET ${EVENT}/availability`, 'GET /healthz', 'POST /v1/reservations', 'GET /openapi.json',
    ].map(find);
    const pairs = company.flatMap((one) => more.flatMap((other) => [[one, other], ...(other.stream ? [] : [[other, one]])]));
    await each(pairs, async (pair) => compare(pair, await together(pair), 'in one packet'));
});

check('a long run of all that is large, and of everything', async () => {
    const large = ['GET /openapi.json', `GET ${EVENT}/seats`, `GET ${EVENT}/availability`, `GET ${EVENT}/availability (map)`];
    const twelve = Array.from({ length: 12 }, (_, i) => find(large[i % large.length]));
    compare(twelve, await together(twelve), 'in one packet');
    const all = [...rows.filter((one) => !one.stream), ...more.filter((one) => !one.stream)];
    compare(all, await together(all), 'in one packet');
});

/* Where a request can be split: around its line ends, in its body, between the two. */
function cuts(first, second) {
    const whole = first + second;
    const ends = [...whole.matchAll(/\r\n/g)].flatMap(({ index }) => [index, index + 1, index + 2]);
    const about = [1, first.length - 1, first.length, first.length + 1, whole.length - 1];
    return [...new Set([...ends, ...about])].filter((at) => at > 0 && at < whole.length);
}

check('cut in two anywhere, the answers are the same', async () => {
    const seen = () => hf.anyone.get('/healthz'); /* a turn of the loop */
    for (const names of [
        [`GET ${EVENT}/seats`, 'POST /v1/reservations'], ['POST /v1/reservations', `GET ${EVENT}/availability`],
        [`GET ${EVENT}/availability (map)`, 'HEAD /layout'], ['POST /v1/reservations (no JSON)', `GET ${EVENT}/stream`],
    ]) {
        const pair = names.map(find);
        const [first, second] = [await pair[0].bytes(), await pair[1].bytes()];
        await each(cuts(first, second), async (at) => {
            const whole = first + second;
            compare(pair, await send([whole.slice(0, at), seen, whole.slice(at)], pair), `cut at ${at}`);
        });
    }
});

check('a reader who takes his time gets the same', async () => {
    const wide = await makeEvent(hf, { seats: seats('B1-B50000') });
    const layout = ask(`GET ${EVENT}/seats`, `/v1/events/${wide}/seats`, { who: hf.anyone });
    const { answers: [alone] } = await together([layout]);
    layout.alone = plain(alone, layout);
    const small = find('POST /v1/reservations');
    const asked = [small, layout, small, layout, layout, layout, small, find(`GET ${EVENT}/stream`)];
    const bytes = [];
    for (const one of asked) {
        bytes.push(await one.bytes());
    }
    const rest = async (socket) => {
        socket.pause();
        for (let i = 0; i < 20; i++) {
            await hf.anyone.get(`/v1/events/${still}/seats/A1`);
        }
        socket.resume();
    };
    compare(asked, await send([(socket) => socket.pause(), bytes.join(''), rest], asked), 'read late');
});

check('64 holds with 4 KiB of attributes each are all granted', async () => {
    const large = find('POST /v1/reservations (large)');
    const asked = Array.from({ length: 64 }, () => large);
    compare(asked, await together(asked), 'in one packet');
});

check('a client that closes its half after the last request gets every answer', async () => {
    const asked = [`GET ${EVENT}/seats`, `GET ${EVENT}/availability`, 'POST /v1/reservations', 'GET /healthz'].map(find);
    const bytes = [];
    for (const one of asked) {
        bytes.push(await one.bytes());
    }
    const { answers, closed } = await exchange(hf.url, [bytes.join('')], { end: true });
    assert.equal(closed, true);
    assert.deepEqual(answers.map(({ status }) => status), asked.map((one) => one.status));
});
