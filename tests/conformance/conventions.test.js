/* SPDX-License-Identifier: Apache-2.0 */
/* What every answer has in common: Holdfast-Seq, problem details, keep-alive, and nothing open by default. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { Client } = require('./lib/http.js');
const { makeEvent, items, hold } = require('./lib/catalogue.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();

test('every answer has Holdfast-Seq, refusals too, and it never goes back', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const ann = hf.user('ann');
    const r = await hold(ann, items(event, 'A1'));
    const asks = [
        () => hf.anyone.get('/healthz'), () => hf.anyone.get(`/v1/events/${event}`),
        () => hf.anyone.get(`/v1/events/${event}/seats`),
        () => hf.anyone.get(`/v1/events/${event}/availability`),
        () => hf.anyone.get('/nowhere'), () => hf.anyone.get('/v1/keys'),
        () => hf.anyone.post('/v1/sessions', {}),
        () => hf.anyone.delete('/healthz'), () => ann.post('/v1/reservations', '{'),
        () => ann.post('/v1/reservations', { items: items(event, 'A1') }),
        () => ann.get(`/v1/reservations/${r.reservation_id}`),
        () => ann.post('/v1/reservations', { items: items(event, 'A2') }),
        () => hf.anyone.head(`/v1/events/${event}`),
        () => hf.admin.put(`/v1/events/${event}`, { name: 'x' }),
        () => ann.delete(`/v1/reservations/${r.reservation_id}`),
    ];
    let last = 0;
    for (const ask of asks) {
        const answer = await ask();
        assert.match(answer.headers['holdfast-seq'] ?? '', /^\d+$/, `${ask}: ${answer.status}`);
        assert.ok(answer.seq >= last, `${ask}: ${answer.seq} after ${last}`);
        last = answer.seq;
    }
    for (const target of ['/v1/events', '/v1/keys', '/v1/reservations']) {
        assert.match((await hf.admin.get(target)).headers['holdfast-seq'] ?? '', /^\d+$/, target);
    }
});

test('it shows at least everything acknowledged with a smaller one, over any connection', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A30' });
    const other = new Client(hf.url);
    for (let i = 1; i <= 30; i++) {
        const answer = await hf.user('ann').post('/v1/reservations', { items: items(event, `A${i}`) });
        const seen = await hf.anyone.get(`/v1/events/${event}/seats/A${i}`, { client: other });
        assert.equal(seen.json.status, 'held');
        assert.ok(seen.seq >= answer.seq);
    }
    other.close();
});

test('a list with Holdfast-Min-Seq has everything acknowledged up to it', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A20' });
    for (let i = 1; i <= 20; i++) {
        const made = await hf.user('ann').post('/v1/reservations', { items: items(event, `A${i}`) });
        const list = await hf.app.get(`/v1/reservations?event=${event}`, hf.since(made));
        assert.equal(list.status, 200, list.text);
        assert.equal(list.json.data.length, i);
        assert.ok(list.seq >= made.seq, `${list.seq} for ${made.seq}`);
    }
});

test('a problem has type, title, status, detail and code; detail is a sentence for people', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    await hold(hf.user('bob'), items(event, 'A1'));
    const ann = hf.user('ann');
    const problems = [
        refused(await ann.post('/v1/reservations', { items: items(event, 'A1') }), 409, 'taken'),
        refused(await hf.anyone.get('/nowhere'), 404, 'no_such_route'),
        refused(await hf.anyone.get('/v1/keys'), 401, 'unauthenticated'),
        refused(await ann.get('/v1/keys'), 403, 'forbidden'),
        invalid(await ann.post('/v1/reservations', { items: [] }), '/items'),
    ];
    for (const problem of problems) {
        assert.match(problem.detail, /^\S.* .*[.!?]$/s, problem.detail);
        assert.match(problem.code, /^[a-z]+(_[a-z]+)*$/);
    }
});

test('a detail says what was expected and what was received, truncated and without control characters', async () => {
    const detail = async (path) => (await hf.admin.get(path)).json.detail;
    assert.equal(await detail('/v1/evnts?a=b'), 'No such route: GET "/v1/evnts".');
    assert.match(await detail(`/${'x'.repeat(5000)}`), /^No such route: GET "\/x{90,100}…"\.$/);
    assert.equal(await detail('/v1/events?limit=many'),
        'Invalid limit: expected an integer from 1 to 1000, got "many".');
    assert.equal(await detail('/v1/reservations?status=gone'),
        'Invalid status: expected one of held, confirmed, released, expired, cancelled, refunded, got "gone".');
    assert.equal(await detail('/v1/calendars/none/slots?from=tomorrow'),
        'Invalid from: expected a time such as 2026-12-03T14:00:00Z, got "tomorrow".');
    assert.match(await detail(`/v1/reservations?pnr=${'%C3%BC'.repeat(100)}`), /, got "ü{16}…"\.$/);
    assert.equal(await detail('/v1/events?li%07mit=1'), 'Unknown query parameter "li?mit".');
    const { json } = await hf.admin.put('/v1/events/e', { name: 'E', starts_at: 'soon' });
    assert.equal(json.detail,
        'Invalid starts_at: expected a time with its offset, such as "2026-12-03T14:00:00Z", got "soon".');
});

test('a connection is kept, also after a refusal', async () => {
    const client = new Client(hf.url, { connections: 1 });
    let opened = 0;
    const create = client.agent.createConnection.bind(client.agent);
    client.agent.createConnection = (...given) => {
        opened++;
        return create(...given);
    };
    for (let i = 0; i < 20; i++) {
        assert.equal((await client.call('GET', i % 2 ? '/nowhere' : '/healthz')).status, i % 2 ? 404 : 200);
    }
    assert.equal((await client.call('POST', '/v1/reservations', { body: '{' })).status, 401);
    assert.equal((await client.call('GET', '/healthz')).status, 200);
    assert.equal(opened, 1);
    client.close();
});

test('CORS is off by default', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const headers = { Origin: 'https://example.org' };
    const answer = await hf.anyone.get(`/v1/events/${event}`, { headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['access-control-allow-origin'], undefined);
});

test('JSON is UTF-8, unchanged', async () => {
    const name = 'Ärger — 夜 😀 "quoted" \\ / \u2028';
    const event = await makeEvent(hf, { name, seats: [{ id: 'A1', section: 'Großer Saal', row: 'Ω' }] });
    assert.equal((await hf.anyone.get(`/v1/events/${event}`)).json.name, name);
    const seat = (await hf.anyone.get(`/v1/events/${event}/seats/A1`)).json;
    assert.deepEqual([seat.section, seat.row], ['Großer Saal', 'Ω']);
});

test('a query that is escaped is read, an unreadable one is refused or ignored, never a 5xx', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const user = unique('user');
    await hold(hf.user(user), items(event, 'A1'));
    const escaped = [...event].map((letter) => (letter === 'e' ? '%65' : letter)).join('');
    const list = await hf.app.get(
        `/v1/reservations?event=${escaped}&status=h%65ld`, hf.since(await hf.anyone.get('/healthz'))
    );
    assert.equal(list.status, 200, list.text);
    assert.equal(list.json.data.length, 1);
    for (const query of [
        '?%', '?event=%zz', '?event=%ff', '?=', '?&&&', '?event', '?limit=1&limit=2', '?event=%00'
    ]) {
        const answer = await hf.app.get(`/v1/reservations${query}`);
        assert.ok(answer.status === 200 || answer.status === 400, `${query}: ${answer.status}`);
    }
    granted(await hf.app.get(`/v1/reservations/${list.json.data[0].reservation_id}?user_id=${user}`), 200);
});
