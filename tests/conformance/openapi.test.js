/* SPDX-License-Identifier: Apache-2.0 */
/* The server describes itself, and it answers exactly what it describes: every path and method, and no other. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const { PROGRAM, shared, unique } = require('./lib/server.js');
const { makeEvent, items, hold } = require('./lib/catalogue.js');
const { makeCalendar } = require('./lib/calendars.js');
const { refused } = require('./lib/expect.js');
const { Schemas } = require('./lib/schema.js');
const { ALIAS, codesOf } = require('./lib/description.js');

const hf = shared();

/* The routes of the contract. */
const ROUTES = {
    '/v1/events': ['get'],
    '/v1/events/{event}': ['get', 'put', 'patch', 'delete'],
    '/v1/events/{event}/seats': ['get', 'post', 'patch', 'delete'],
    '/v1/events/{event}/seats/{seat}': ['get'],
    '/v1/events/{event}/pools': ['get'],
    '/v1/events/{event}/pools/{pool}': ['get', 'put'],
    '/v1/events/{event}/availability': ['get'],
    '/v1/events/{event}/stream': ['get'],
    '/v1/events/{event}/queue': ['get', 'post', 'patch'],
    '/v1/events/{event}/queue/{entry}': ['get', 'delete'],
    '/v1/events/{event}/queue/{entry}/stream': ['get'],
    '/v1/events/{event}/waiting-list': ['get', 'post'],
    '/v1/events/{event}/waiting-list/{entry}': ['get', 'delete'],
    '/v1/calendars': ['get'],
    '/v1/calendars/{calendar}': ['get', 'put', 'patch', 'delete'],
    '/v1/calendars/{calendar}/slots': ['get'],
    '/v1/calendars/{calendar}/stream': ['get'],
    '/v1/calendars/{calendar}.ics': ['get'],
    '/v1/groups': ['get'],
    '/v1/groups/{group}': ['get', 'put', 'delete'],
    '/v1/groups/{group}/slots': ['get'],
    '/v1/reservations': ['get', 'post'],
    '/v1/reservations/{id}': ['get', 'patch', 'delete'],
    '/v1/reservations/{id}/items': ['post'],
    '/v1/reservations/{id}/items/{item_id}': ['patch', 'delete'],
    '/v1/reservations/{id}/extend': ['post'],
    '/v1/reservations/{id}/payment': ['post'],
    '/v1/reservations/{id}/commit': ['post'],
    '/v1/reservations/{id}/release': ['post'],
    '/v1/reservations/{id}/history': ['get'],
    '/v1/reservations/{id}/refund': ['post'],
    '/v1/reservations/{id}/cancel': ['post'],
    '/v1/reservations/{id}/transfer': ['post'],
    '/v1/reservations/{id}/manage-tokens': ['delete'],
    '/v1/fleets': ['get'],
    '/v1/fleets/{fleet}': ['get', 'put', 'delete'],
    '/v1/fleets/{fleet}/overview': ['get'],
    '/v1/fleets/{fleet}/drivers': ['get'],
    '/v1/fleets/{fleet}/drivers/{driver}': ['get', 'put', 'delete'],
    '/v1/fleets/{fleet}/drivers/{driver}/offer': ['get'],
    '/v1/fleets/{fleet}/drivers/{driver}/stream': ['get'],
    '/v1/fleets/{fleet}/positions': ['post'],
    '/v1/fleets/{fleet}/rides': ['get', 'post'],
    '/v1/fleets/{fleet}/rides/{ride}': ['get'],
    '/v1/fleets/{fleet}/rides/{ride}/stream': ['get'],
    '/v1/fleets/{fleet}/rides/{ride}/cancel': ['post'],
    '/v1/fleets/{fleet}/rides/{ride}/complete': ['post'],
    '/v1/fleets/{fleet}/rides/{ride}/driver-cancel': ['post'],
    '/v1/fleets/{fleet}/offers/{offer}/accept': ['post'],
    '/v1/fleets/{fleet}/offers/{offer}/decline': ['post'],
    '/v1/payments/provider': ['put'],
    '/v1/webhooks/payments': ['post'],
    '/v1/payments': ['get'],
    '/v1/events/{event}/cancel': ['get', 'post'],
    '/v1/events/{event}/ttl-advice': ['get'],
    '/v1/audit': ['get'],
    '/v1/users/{user}/export': ['get'],
    '/v1/users/{user}': ['delete'],
    '/v1/users/{user}/erasure': ['get'],
    '/v1/reports/sales': ['get'],
    '/v1/reports/abandoned': ['get'],
    '/v1/reports/funnel': ['get'],
    '/v1/refunds-due': ['get'],
    '/v1/refunds-due/{refund}/done': ['post'],
    '/v1/check-ins': ['get', 'post'],
    '/v1/tickets/key': ['get'],
    '/v1/tickets/{ticket}.svg': ['get'],
    '/v1/tickets/{ticket}.png': ['get'],
    '/v1/hooks': ['get'],
    '/v1/hooks/{hook}': ['delete', 'get', 'put'],
    '/v1/hooks/{hook}/messages': ['get'],
    '/v1/hooks/{hook}/resend': ['post'],
    '/v1/keys': ['get', 'post'],
    '/v1/keys/{name}': ['delete'],
    '/v1/keys/{name}/rotate': ['post'],
    '/v1/sessions': ['post'],
    '/v1/nodes': ['get'],
    '/healthz': ['get'],
    '/readyz': ['get'],
    '/metrics': ['get'],
    '/openapi.json': ['get'],
};
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
/* One name for any parameter: names inside the braces do not matter here. */
const plain = (path) => path.replace(/\{[^}]+\}/g, '{}');

async function description() {
    const answer = await hf.anyone.get('/openapi.json');
    assert.equal(answer.status, 200);
    assert.match(answer.headers['content-type'], /^application\/json\b/);
    return answer.json;
}

const operations = (paths) => Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => [path, method, item[method], item]));

test('it is OpenAPI 3.1 with a title, a version and answers for every operation', async () => {
    const api = await description();
    assert.match(api.openapi, /^3\.1\.\d+$/);
    assert.equal(typeof api.info.title, 'string');
    assert.equal(typeof api.info.version, 'string');
    for (const [path, method, operation, item] of operations(api.paths)) {
        const told = `${method} ${path}`;
        assert.ok(path.startsWith('/'), told);
        assert.ok(Object.keys(operation.responses).length > 0, told);
        for (const [status, response] of Object.entries(operation.responses)) {
            assert.match(status, /^([1-5]\d\d|[1-5]XX|default)$/, told);
            assert.ok('$ref' in response || typeof response.description === 'string', `${told} ${status}`);
        }
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
        for (const [, name] of path.matchAll(/\{([^}]+)\}/g)) {
            const found = parameters.find((one) => one.in === 'path' && one.name === name);
            assert.ok(
                found?.required || parameters.some((one) => '$ref' in one), `${told}: parameter ${name}`
            );
        }
    }
    const ids = [...operations(api.paths), ...operations(api.webhooks)].map(([, , operation]) => operation.operationId).filter(Boolean);
    assert.equal(new Set(ids).size, ids.length, 'each operationId once');
    ids.forEach((id) => assert.match(id, /^[a-z]+([A-Z][a-z0-9]+)*$/, 'a name for a method'));
});

test('what shows the state can be 503, as at servers that share a log', async () => {
    const api = await description();
    const resolve = (it) => it?.$ref ? it.$ref.split('/').slice(1).reduce((at, part) => at[part], api) : it;
    for (const [path, method, { responses }] of operations(api.paths).filter(([each]) => each.startsWith('/v1/'))) {
        const codes = codesOf(resolve(responses[503]));
        assert.deepEqual(['unavailable', 'undecided'].filter((code) => codes.includes(code)), ['unavailable', 'undecided'], `${method} ${path}`);
    }
});

test('operation ids are good names of methods, and do not change', async () => {
    const { paths } = await description();
    for (const [id, method, path] of [
        ['createReservation', 'post', '/v1/reservations'], ['getReservation', 'get', '/v1/reservations/{id}'],
        ['commitReservation', 'post', '/v1/reservations/{id}/commit'], ['releaseReservation', 'post', '/v1/reservations/{id}/release'],
        ['addItems', 'post', '/v1/reservations/{id}/items'], ['putEvent', 'put', '/v1/events/{event}'],
        ['listSlots', 'get', '/v1/calendars/{calendar}/slots'], ['joinQueue', 'post', '/v1/events/{event}/queue'],
        ['listRefundsDue', 'get', '/v1/refunds-due'], ['checkIn', 'post', '/v1/check-ins'], ['createRide', 'post', '/v1/fleets/{fleet}/rides'],
    ]) {
        assert.equal(paths[path][method].operationId, id);
    }
    for (const [path, method, { operationId }, item] of operations(paths)) {
        assert.equal(operationId.endsWith('WithoutV1'), ALIAS in item, `${method} ${path}`);
    }
});

test('every type of message to hooks is in it, with its signature', async () => {
    const { paths, webhooks } = await description();
    const { events } = paths['/v1/hooks/{hook}'].put.requestBody.content['application/json'].schema.properties;
    assert.deepEqual(Object.keys(webhooks).sort(), [...events.items.enum].sort());
    for (const [type, { post }] of Object.entries(webhooks)) {
        const { schema } = post.requestBody.content['application/json'];
        assert.deepEqual(schema.properties.type.enum, [type]);
        assert.deepEqual(schema.required, ['type', 'timestamp', 'data']);
        assert.deepEqual(post.parameters.map(({ name }) => name), ['webhook-id', 'webhook-timestamp', 'webhook-signature']);
        assert.match(post.summary, SENTENCE);
    }
});

test('`holdfast openapi` prints it', async () => {
    const { status, stdout } = spawnSync(PROGRAM, ['openapi'], { encoding: 'utf8', maxBuffer: 1 << 24 });
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout), await description());
    assert.equal(spawnSync(PROGRAM, ['openapi', 'x']).status, 64);
});

test('every route of the contract is in it', async () => {
    const { paths } = await description();
    const told = new Set(operations(paths).map(([path, method]) => `${method} ${plain(path)}`));
    for (const [path, methods] of Object.entries(ROUTES)) {
        methods.forEach(
            (method) => assert.ok(told.has(`${method} ${plain(path)}`), `${method} ${path} is missing`)
        );
    }
});

test('the paths of reservations without /v1 are in it, each the same as the one with', async () => {
    const { paths } = await description();
    const aliases = Object.keys(paths).filter((path) => paths[path][ALIAS]);
    ['', '/{id}', '/{id}/commit', '/{id}/release'].forEach((rest) => assert.ok(aliases.includes(`/reservations${rest}`), rest));
    const same = ({ operationId, ...rest }) => rest;
    for (const alias of aliases) {
        assert.equal(paths[alias][ALIAS], `/v1${alias}`);
        const of = (path) => METHODS.filter((one) => paths[path][one]).map((one) => [one, same(paths[path][one])]);
        assert.deepEqual(of(alias), of(`/v1${alias}`));
    }
    const fill = await filler();
    for (const [path, item] of Object.entries(paths).filter(([one]) => one.startsWith('/v1/'))) {
        const alias = path.slice('/v1'.length);
        for (const method of METHODS) {
            const there = await hf.anyone.call(method.toUpperCase(), fill(alias));
            const code = !aliases.includes(alias) ? 'no_such_route' : item[method] ? 'unauthenticated' : 'method_not_allowed';
            assert.equal(there.json?.code, code, `${method} ${alias}`);
        }
    }
});

/* A path with existing ids, so that 404 can only mean that there is no route. */
async function filler() {
    const event = await makeEvent(hf, { seats: 'A1-A9', pools: { floor: 5 } });
    const r = await hold(hf.user('ann'), items(event, 'A1'));
    const calendar = await makeCalendar(hf);
    const hook = unique('hook');
    await hf.admin.put(`/v1/hooks/${hook}`, { url: 'https://x.invalid/', events: ['refund.due'], secret: `whsec_${'A'.repeat(32)}` });
    const group = unique('group');
    for (const id of ['dr_smith', 'dr_jones']) { /* those of the example */
        await makeCalendar(hf, { id });
    }
    assert.equal((await hf.admin.put(`/v1/groups/${group}`, { name: 'Any', calendars: [calendar] })).status, 201);
    const fleet = unique('fleet');
    assert.equal((await hf.admin.put(`/v1/fleets/${fleet}`, {})).status, 201);
    const values = { event, calendar, group, hook, fleet, seat: 'A1', pool: 'floor', item_id: r.items[0].item_id, name: hf.app.name };
    return (path) => path.replace(/\{([^}]+)\}/g, (_, name) => values[name] ?? r.reservation_id);
}

test('everything in it is implemented', async () => {
    const { paths } = await description();
    const fill = await filler();
    for (const [path, method] of operations(paths)) {
        if (path.endsWith('/stream')) {
            continue;
        }
        const target = fill(path.replace(/\{(reservation_id|reservation|id)\}/, '{id}'));
        const answer = await hf.anyone.call(method.toUpperCase(), target);
        assert.notEqual(answer.status, 405, `${method} ${target}`);
        assert.notEqual(answer.json?.code, 'no_such_route', `${method} ${target}`);
        assert.ok(answer.status < 500, `${method} ${target}: ${answer.status}`);
    }
});

/* ---- What it tells people ---- */

/* Everything in it under the key, with its path. Values of examples are not included. */
function* under(key, it, at = '') {
    for (const [name, one] of Object.entries(it)) {
        if (name === key) {
            yield [one, at];
        }
        if (one !== null && typeof one === 'object' && !['example', 'examples', 'value', 'default'].includes(name)) {
            yield* under(key, one, `${at}/${name}`);
        }
    }
}
const SENTENCE = /^[A-Z`].*\.$/s;

test('everything in it is described: properties, parameters, headers, answers, schemas, groups', async () => {
    const api = await description();
    let told = 0;
    const isTold = ({ description: about }, at) => {
        assert.match(about ?? 'none', SENTENCE, at);
        told++;
    };
    for (const [properties, at] of under('properties', api)) {
        Object.entries(properties).forEach(([name, one]) => isTold(one, `${at}/${name}`));
    }
    assert.ok(told > 500, `only ${told}`);
    for (const [parameters, at] of under('parameters', api)) {
        Object.values(parameters).filter((one) => !one.$ref).forEach((one) => isTold(one, `${at} ${one.name}`));
    }
    for (const kind of ['schemas', 'headers', 'responses', 'securitySchemes']) {
        Object.entries(api.components[kind]).forEach(([name, one]) => isTold(one, `${kind} ${name}`));
    }
    for (const one of [...Object.values(api.components.headers), ...Object.values(api.components.parameters)]) {
        assert.equal(typeof one.example, one.schema.type === 'integer' ? 'number' : 'string', one.description);
    }
    api.tags.forEach((tag) => isTold(tag, tag.name));
    for (const [path, method, operation] of operations(api.paths)) {
        isTold(operation, `${method} ${path}`);
        assert.match(operation.summary, SENTENCE);
        assert.ok(operation.operationId, `${method} ${path}`);
        assert.ok(api.tags.some(({ name }) => name === operation.tags[0]), `${method} ${path}`);
    }
    assert.deepEqual(api.servers.map(({ url }) => url), ['/']);
});

/* RFC 3339, as it can be sent. */
const SENT_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

test('every body has an example that matches its description', async () => {
    const api = await description();
    const schemas = new Schemas(api, { instant: SENT_INSTANT });
    const resolve = (it) => (it.$ref ? api.components.examples[it.$ref.split('/').at(-1)] : it);
    let checked = 0;
    for (const [content, at] of under('content', api)) {
        for (const [type, { schema, example, examples = {} }] of Object.entries(content)) {
            const values = [...Object.values(examples).map((one) => resolve(one).value), example];
            const given = values.filter((one) => one !== undefined);
            assert.ok(given.length > 0, `${at} ${type}: no example`);
            for (const value of given) {
                assert.equal(schemas.check(schema, value), undefined, `${at} ${type}: ${JSON.stringify(value)}`);
                checked++;
            }
        }
    }
    assert.ok(checked > 200, `only ${checked}`);
});

test('the example of a body is accepted', async () => {
    const { paths } = await description();
    const fill = await filler();
    for (const [path, method, { requestBody }] of operations(paths).filter(([, , one]) => one.requestBody)) {
        for (const [type, { example, examples = {} }] of Object.entries(requestBody.content)) {
            for (const body of example === undefined ? Object.values(examples).map(({ value }) => value) : [example]) {
                const options = { body, headers: { 'content-type': type } };
                const { status, json } = await hf.admin.call(method.toUpperCase(), fill(path), options);
                assert.ok(![400, 415, 422].includes(status), `${method} ${path}: ${JSON.stringify(json)}`);
            }
        }
    }
});

test('combinations in a body are described: an item is one of five, a hold long or short', async () => {
    const api = await description();
    const schemas = new Schemas(api, { instant: SENT_INSTANT });
    const hold = api.paths['/v1/reservations'].post.requestBody.content['application/json'].schema;
    const [event, at] = [{ event: 'e' }, { calendar: 'c', start: '2030-01-01T00:00:00Z' }];
    for (const item of [
        { ...event, seat: 'A1' }, { ...event, pool: 'p' }, { ...event, pool: 'p', quantity: 2 },
        { ...event, best: { quantity: 2 } }, { ...at, end: '2030-01-01T01:00:00Z' }, { ...at, service: 's' },
    ]) {
        assert.equal(schemas.check(hold, { items: [item] }), undefined, JSON.stringify(item));
    }
    for (const item of [{}, event, { seat: 'A1' }, at, { ...event, seat: 'A1', pool: 'p' }, { ...event, seat: 'A1', quantity: 1 }]) {
        assert.ok(schemas.check(hold, { items: [item] }), JSON.stringify(item));
        assert.equal((await hf.user('ann').post('/v1/reservations', { items: [item] })).status, 400);
    }
    assert.equal(schemas.check(hold, { resource_id: 'e/A1', attributes: { any: ['thing'] } }), undefined);
    for (const body of [{}, { resource_id: 'e/A1', items: [{ ...event, seat: 'A1' }] }, { items: [] }, { itms: [] }]) {
        assert.ok(schemas.check(hold, body), JSON.stringify(body));
        assert.equal((await hf.user('ann').post('/v1/reservations', body)).status, 400);
    }
});

test('a confirmed reservation has an order and tickets; attributes are anything', async () => {
    const { components: { schemas } } = await description();
    const { oneOf } = schemas.reservation;
    const kinds = oneOf.map(({ $ref: place }) => schemas[place.split('/').at(-1)]);
    const words = kinds.flatMap(({ properties }) => properties.status.enum);
    assert.deepEqual(words.sort(), ['cancelled', 'confirmed', 'expired', 'held', 'refunded', 'released']);
    for (const { properties, required } of kinds) {
        const sold = properties.status.enum.some((word) => ['confirmed', 'cancelled', 'refunded'].includes(word));
        assert.deepEqual(['order_id', 'tickets'].map((name) => required.includes(name)), [sold, sold]);
        assert.equal('order_id' in properties, sold);
        assert.equal(properties.attributes.additionalProperties, true);
    }
});

test('a route refuses with its own codes and the four that come before routing', async () => {
    const api = await description();
    const general = ['no_such_route', 'method_not_allowed', 'too_large', 'headers_too_large'];
    assert.deepEqual(codesOf(api.components.responses.general).sort(), [...general].sort());
    for (const [path, method, { responses }] of operations(api.paths)) {
        assert.deepEqual(responses.default, { $ref: '#/components/responses/general' }, `${method} ${path}`);
    }
});

/* ---- What it says about requests ---- */

const parametersOf = (api, operation) => operation.parameters.map(
    (one) => (one.$ref ? api.components.parameters[one.$ref.split('/').at(-1)] : one)
);

test('words and bounds of query parameters are the actual ones', async () => {
    const api = await description();
    const fill = await filler();
    let judged = 0;
    for (const [path, method, operation] of operations(api.paths)) {
        for (const { name, schema } of operation.parameters.filter((one) => one.in === 'query')) {
            const needed = operation.parameters.filter((one) => one.in === 'query' && one.required && one.name !== name);
            const others = needed.map((one) => `&${one.name}=${fill(`{${one.name}}`)}`).join('');
            const ask = (value) => hf.admin.call(method.toUpperCase(), `${fill(path)}?${name}=${value}${others}`);
            const { enum: words = [], minimum, maximum } = schema;
            const good = [...words, minimum, maximum].filter((one) => one !== undefined);
            const bad = words.length ? ['nonsense'] : schema.type === 'integer' ? [minimum - 1, 'x'] : [];
            for (const value of maximum === undefined ? bad : [...bad, maximum + 1]) {
                assert.equal(refused(await ask(value), 400, 'invalid').pointer, `?${name}`, `${path} ${value}`);
                judged++;
            }
            for (const value of good) {
                assert.equal((await ask(value)).status, 200, `${path} ${name}=${value}`);
            }
        }
    }
    assert.ok(judged > 20, `only ${judged}`);
    const limit = api.paths['/v1/events'].get.parameters.find((one) => one.name === 'limit').schema;
    assert.deepEqual(limit, { type: 'integer', minimum: 1, maximum: 1000, default: 100 });
});

test('a body is required if the call needs one', async () => {
    const { paths } = await description();
    const fill = await filler();
    for (const [path, method, { requestBody }] of operations(paths).filter(([, , one]) => one.requestBody)) {
        /* Users have entries of their own; the owner of a reservation is checked after the body. */
        const caller = /queue$|waiting-list$|reservations/.test(path) && method !== 'patch' ? hf.user('ann') : hf.admin;
        const { status, text } = await caller.call(method.toUpperCase(), fill(path));
        assert.equal(status === 400, requestBody.required, `${method} ${path}: ${text}`);
    }
});

/* [where to put it, its schema, a body with only the required fields] */
async function settings() {
    const { paths } = await description();
    const of = (path) => paths[path].put.requestBody.content['application/json'].schema;
    const event = `/v1/events/${await makeEvent(hf)}`;
    return [
        [event, of('/v1/events/{event}'), { name: 'E' }],
        [`/v1/calendars/${await makeCalendar(hf)}`, of('/v1/calendars/{calendar}'), { name: 'C' }],
        [`${event}/pools/floor`, of('/v1/events/{event}/pools/{pool}'), { capacity: 1 }],
    ];
}

test('an omitted field has the described default', async () => {
    let told = 0;
    const holds = (schema, shown) => Object.entries(schema.properties).forEach(([name, { default: value }]) => {
        if (value !== undefined) {
            assert.deepEqual(shown[name], value, name);
            told++;
        }
    });
    for (const [target, schema, body] of await settings()) {
        holds(schema, (await hf.admin.put(target, body)).json);
        if (schema.properties.waiting_room) {
            const { json } = await hf.admin.put(target, { ...body, waiting_room: {} });
            holds(schema.properties.waiting_room, json.waiting_room);
        }
    }
    assert.ok(told >= 18, `only ${told}`);
});

test('the words and bounds of a body are the actual ones', async () => {
    for (const [target, schema, body] of await settings()) {
        for (const [name, { enum: words, type, minimum, maximum }] of Object.entries(schema.properties)) {
            const bad = words ? ['nonsense'] : type === 'integer' ? [minimum - 1, maximum + 1] : [];
            for (const value of bad) {
                const answer = await hf.admin.put(target, { ...body, [name]: value });
                assert.equal(refused(answer, 400, 'invalid').pointer, `/${name}`);
            }
            const most = name === 'hold_ttl_seconds' ? { max_hold_seconds: maximum }
                : name === 'staff_hold_seconds' ? { hold_ttl_seconds: minimum, max_hold_seconds: minimum } : {};
            const good = words ?? (type === 'integer' && name !== 'max_hold_seconds' ? [minimum, maximum] : []);
            for (const value of good) {
                const { status, text } = await hf.admin.put(target, { ...body, ...most, [name]: value });
                assert.equal(status === 200 || status === 201, true, `${name} ${value}: ${text}`);
            }
        }
    }
    const { paths } = await description();
    const body = (path, method) => paths[path][method].requestBody.content['application/json'].schema.properties;
    assert.deepEqual(body('/v1/events/{event}', 'put').preset.enum, ['concert', 'airline', 'hotel', 'restaurant']);
    assert.deepEqual(body('/v1/keys', 'post').role.enum, ['app', 'door']);
    refused(await hf.admin.post('/v1/keys', { name: unique(), role: 'admin' }), 400, 'invalid');
});

test('the headers of requests are described where they are read', async () => {
    const api = await description();
    const read = {};
    const own = operations(api.paths).filter(([, , , item]) => !item[ALIAS]);
    for (const [path, method, operation] of own) {
        parametersOf(api, operation).filter((one) => one.in === 'header').forEach(
            ({ name }) => (read[name] ??= []).push(`${method} ${path}`)
        );
    }
    const [event, one] = ['/v1/events/{event}', '/v1/reservations/{id}'];
    assert.deepEqual(read, {
        'Request-Id': own.map(([path, method]) => `${method} ${path}`),
        'Idempotency-Key': [
            `post ${event}/queue`, `post ${event}/waiting-list`, 'post /v1/reservations', `post ${one}/items`,
            `post ${one}/transfer`, 'post /v1/fleets/{fleet}/rides',
        ],
        'Holdfast-Pass': ['post /v1/reservations', `post ${one}/items`, `patch ${one}/items/{item_id}`],
        'Holdfast-Min-Seq': [
            `get ${event}/waiting-list`, 'get /v1/calendars/{calendar}.ics', 'get /v1/reservations', `get ${one}/history`,
            'get /v1/fleets/{fleet}/rides', 'get /v1/payments', 'get /v1/payments/{payment_ref}', 'get /v1/payment-events',
            'get /v1/refunds-due', 'get /v1/check-ins',
            ...['sales', 'money', 'abandoned', 'funnel'].map((name) => `get /v1/reports/${name}`),
            `get ${event}/ttl-advice`, 'get /v1/audit', 'get /v1/users/{user}/export', 'get /v1/users/{user}/erasure',
        ],
        'If-Match': ['post /v1/reservations'],
        'If-None-Match': [`get ${event}/seats`, `get ${event}/queue`],
        'Last-Event-ID': [`get ${event}/stream`, 'get /v1/calendars/{calendar}/stream',
            'get /v1/fleets/{fleet}/drivers/{driver}/stream', 'get /v1/fleets/{fleet}/rides/{ride}/stream'],
    });
});

test('a known path under another method is 405 with Allow', async () => {
    const fill = await filler();
    for (const [path, methods] of Object.entries(ROUTES)) {
        for (const method of METHODS.filter((one) => !methods.includes(one))) {
            const answer = await hf.admin.call(method.toUpperCase(), fill(path), {
                body: method === 'get' ? undefined : {}
            });
            assert.equal(answer.status, 405, `${method} ${path}: ${answer.text}`);
            assert.equal(answer.json.status, 405);
            const allow = (answer.headers.allow ?? '').split(/\s*,\s*/);
            methods.forEach(
                (one) => assert.ok(allow.includes(one.toUpperCase()), `${path}: Allow is ${allow}`)
            );
            assert.ok(!allow.includes(method.toUpperCase()));
        }
    }
});

test('an unknown path is 404 no_such_route, with and without credentials', async () => {
    const event = await makeEvent(hf);
    const nowhere = [
        '/nowhere', '/v1', '/v1/', '/v2/events', '/v1/event', `/v1/events/${event}/chairs`,
        `/v1/events/${event}/seats/A1/x`,
        '/v1/reservations/x/y', '/V1/events', '//v1/events', '/healthz/', '/v1/events/../keys',
        `/v1/${unique()}`, '/v1/calendars/a/b', '/v1/calendars/a.ics/slots', `/v1/events/${event}/queue/a/b`,
        '/v1/fleets/f/x',
        '/v1/payments/x/y',
    ];
    for (const path of nowhere) {
        for (const caller of [hf.anyone, hf.admin]) {
            refused(await caller.get(path), 404, 'no_such_route');
        }
    }
    refused(await hf.admin.post('/nowhere', {}), 404, 'no_such_route');
});

test('HEAD answers like GET, without a body', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    const targets = ['', '/seats', '/seats/A1', '/availability'].map((rest) => `/v1/events/${event}${rest}`);
    targets.push('/v1/calendars', `/v1/calendars/${await makeCalendar(hf)}`);
    for (const target of [...targets, '/healthz', '/openapi.json', '/nowhere', `/v1/events/${unique()}`]) {
        const [get, head] = [await hf.anyone.get(target), await hf.anyone.head(target)];
        assert.equal(head.status, get.status, target);
        assert.equal(head.size, 0, target);
        for (const name of ['content-type', 'etag', 'content-length']) {
            assert.equal(head.headers[name], get.headers[name], `${target}: ${name}`);
        }
    }
});
