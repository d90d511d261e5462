/* SPDX-License-Identifier: Apache-2.0 */
/* Events: PUT replaces the whole record, settings apply to new holds only, and only an unclaimed event can be
 * removed. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownClock } = require('./lib/server.js');
const { makeEvent, items, hold, counts, whole, seatStatus } = require('./lib/catalogue.js');
const { instant, refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const path = (event) => `/v1/events/${event}`;

test('PUT creates an event with the documented defaults, 201 then 200', async () => {
    const event = unique();
    const made = await hf.admin.put(path(event), { name: 'Eras' });
    assert.equal(made.status, 201, made.text);
    const wanted = {
        id: event, name: 'Eras', currency: 'EUR', hold_ttl_seconds: 600, max_hold_seconds: 900,
        payment_ttl_seconds: 300, payment: 'required', per_user_limit: 0, timezone: 'UTC',
        counts: { seats: 0, available: 0, held: 0, sold: 0, blocked: 0, pools: { capacity: 0, available: 0 } },
    };
    for (const [field, value] of Object.entries(wanted)) {
        assert.deepEqual(made.json[field], value, field);
    }
    for (const field of ['starts_at', 'on_sale_at', 'off_sale_at', 'description', 'venue', 'image']) {
        assert.equal(made.json[field], null, field);
    }
    const again = await hf.admin.put(path(event), { name: 'Eras' });
    assert.equal(again.status, 200);
    assert.deepEqual(again.json, made.json);
    const read = await hf.anyone.get(path(event));
    assert.equal(read.status, 200);
    assert.deepEqual(read.json, made.json);
});

test('every setting is stored and returned', async () => {
    const settings = {
        name: 'Ein Abend mit Gästen — 夜', starts_at: '2031-12-03T20:00:00.000Z',
        on_sale_at: '2020-01-01T09:00:00.000Z',
        off_sale_at: '2031-12-03T19:00:00.000Z', currency: 'USD', hold_ttl_seconds: 120,
        max_hold_seconds: 240,
        payment_ttl_seconds: 60, payment: 'none', per_user_limit: 6,
        description: `Doors at 18:00.\n${'ü'.repeat(8184)}`, venue: 'Haus der Künste', image: 'https://example.org/a.jpg?x=1',
        timezone: 'America/Argentina/Buenos_Aires',
    };
    const event = unique();
    const made = await hf.admin.put(path(event), settings);
    assert.equal(made.status, 201, made.text);
    for (const [field, value] of Object.entries(settings)) {
        assert.deepEqual(made.json[field], value, field);
    }
});

test('PUT replaces: an omitted field takes its default again', async () => {
    const event = unique();
    await hf.admin.put(path(event), { name: 'A', hold_ttl_seconds: 60, currency: 'USD', per_user_limit: 3 });
    const replaced = await hf.admin.put(path(event), { name: 'B' });
    assert.equal(replaced.status, 200);
    assert.equal(replaced.json.name, 'B');
    assert.equal(replaced.json.hold_ttl_seconds, 600);
    assert.equal(replaced.json.max_hold_seconds, 900);
    assert.equal(replaced.json.currency, 'EUR');
    assert.equal(replaced.json.per_user_limit, 0);
});

test('PUT of an event keeps its seats and their claims', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    await hold(hf.user('ann'), items(event, 'A1'));
    const replaced = await hf.admin.put(path(event), { name: 'Renamed', payment: 'none' });
    assert.equal(replaced.status, 200);
    assert.deepEqual(replaced.json.counts, { seats: 3, available: 2, held: 1, sold: 0, blocked: 0, pools: { capacity: 0, available: 0 } });
    assert.equal(await seatStatus(hf, event, 'A1'), 'held');
});

test('presets set the TTL and the maximum; explicit values override them', async () => {
    const presets =
        { concert: [600, 900], airline: [1200, 1800], hotel: [1800, 2700], restaurant: [300, 600] };
    for (const [preset, [ttl, max]] of Object.entries(presets)) {
        const made = await hf.admin.put(path(unique()), { name: preset, preset });
        assert.equal(made.status, 201, made.text);
        assert.equal(made.json.hold_ttl_seconds, ttl, preset);
        assert.equal(made.json.max_hold_seconds, max, preset);
    }
    const both = { name: 'x', preset: 'airline', hold_ttl_seconds: 30, max_hold_seconds: 40 };
    const made = await hf.admin.put(path(unique()), both);
    assert.equal(made.json.hold_ttl_seconds, 30);
    assert.equal(made.json.max_hold_seconds, 40);
    const one = await hf.admin.put(path(unique()), { name: 'x', preset: 'airline', max_hold_seconds: 3600 });
    assert.equal(one.json.hold_ttl_seconds, 1200);
    assert.equal(one.json.max_hold_seconds, 3600);
});

test('without max_hold_seconds the maximum is one and a half times the TTL', async () => {
    const made = await hf.admin.put(path(unique()), { name: 'x', hold_ttl_seconds: 100 });
    assert.equal(made.json.max_hold_seconds, 150);
    const odd = await hf.admin.put(path(unique()), { name: 'x', hold_ttl_seconds: 601 });
    assert.ok(Number.isInteger(odd.json.max_hold_seconds), odd.text);
});

test('a TTL over the maximum is 400', async () => {
    const body = { name: 'x', hold_ttl_seconds: 100, max_hold_seconds: 99 };
    invalid(await hf.admin.put(path(unique()), body));
    const equal = await hf.admin.put(path(unique()), { ...body, max_hold_seconds: 100 });
    assert.equal(equal.status, 201);
});

test('times are read with any offset and returned in UTC with milliseconds', async () => {
    const body = { name: 'x', starts_at: '2031-06-01T20:00:00+02:00', on_sale_at: '2030-06-01T20:00:00.25Z' };
    const made = await hf.admin.put(path(unique()), body);
    assert.equal(made.status, 201, made.text);
    assert.equal(made.json.starts_at, '2031-06-01T18:00:00.000Z');
    assert.equal(made.json.on_sale_at, '2030-06-01T20:00:00.250Z');
});

test('a sale ends after it begins: at off_sale_at, or without one at starts_at', async () => {
    const [early, late] = ['2031-06-01T20:00:00Z', '2031-06-01T21:00:00Z'];
    const put = (body) => hf.admin.put(path(unique()), { name: 'x', ...body });
    for (const off_sale_at of [early, '2020-01-01T00:00:00Z']) {
        invalid(await put({ on_sale_at: early, off_sale_at, starts_at: late }), '/off_sale_at');
    }
    invalid(await put({ on_sale_at: early, starts_at: early }), '/on_sale_at');
    assert.equal((await put({ on_sale_at: early, off_sale_at: late, starts_at: early })).status, 201);
    assert.equal((await put({ on_sale_at: early, starts_at: late })).status, 201);
});

test('an invalid value is 400 and points at its field; nothing is created', async () => {
    const bad = {
        name: ['', 5, null, 'a\u0001b'],
        starts_at: [
            'tomorrow', '2031-13-01T00:00:00Z', '2031-02-30T00:00:00Z', '2031-01-01', '2031-01-01T00:00:00', 5
        ],
        on_sale_at: ['2031-01-01T24:61:00Z'],
        off_sale_at: [true],
        currency: ['euro', 'eur', '', 978],
        preset: ['opera', 1],
        hold_ttl_seconds: [0, -1, 1.5, '600', 1e30],
        max_hold_seconds: [0, 'x'],
        payment_ttl_seconds: [-1, 0.5, []],
        payment: ['maybe', true],
        per_user_limit: [-1, 1.5, '1'],
        description: ['', 'x'.repeat(16385), 'a\u0001b', 5],
        venue: ['', 'x'.repeat(257), 'a\nb'],
        timezone: ['', 'Mars/Olympus', 'Europe/../Europe/London', '/etc/passwd', 'localtime', 'CET ', 5],
        image: [
            '', 'a.jpg', '//example.org/a.jpg', 'http://example.org/a.jpg', 'https://', 'https:///a', 'javascript:alert(1)',
            '/a b.jpg', '/a"b', `/${'x'.repeat(2048)}`, 'https://[', 'https://[::1', 'https://:443/a', 'https://?a', 'https://#a', 'https://u:p@example.org/a',
            'https://example.org:0/a', 'https://example.org:99999/a', 'https://example.org:x/a', 'https://example.org%00/a'
        ],
    };
    for (const [field, values] of Object.entries(bad)) {
        for (const value of values) {
            const event = unique();
            const answer = await hf.admin.put(path(event), { name: 'x', [field]: value });
            assert.equal(answer.status, 400, `${field} ${JSON.stringify(value)}: ${answer.text}`);
            invalid(answer, `/${field}`);
            refused(await hf.anyone.get(path(event)), 404, 'no_such_event');
        }
    }
});

test('name is required', async () => {
    invalid(await hf.admin.put(path(unique()), {}), '/name');
});

test('an unknown field is 400, and so is the id of another', async () => {
    const fields = {
        colour: 'red', holdTtlSeconds: 5, waitingRoom: null,
        id: 'x',
    };
    for (const [field, value] of Object.entries(fields)) {
        const event = unique();
        invalid(await hf.admin.put(path(event), { name: 'x', [field]: value }), `/${field}`);
        refused(await hf.anyone.get(path(event)), 404, 'no_such_event');
    }
});

test('changed settings apply to new holds only', ownClock, async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2', hold_ttl_seconds: 600, max_hold_seconds: 900 });
    const ann = hf.user('ann');
    const before = await hold(ann, items(event, 'A1'));
    await makeEvent(hf, { id: event, hold_ttl_seconds: 60, max_hold_seconds: 60 });
    const after = await hold(ann, items(event, 'A2'));
    assert.equal(instant(after.expires_at) - instant(after.created_at), 60_000);
    hf.clock.advance(500_000);
    const extended = granted(await ann.post(`/v1/reservations/${before.reservation_id}/extend`, {}), 200);
    assert.equal(extended.max_expires_at, before.max_expires_at);
    assert.equal(extended.expires_at, before.max_expires_at);
});

test('counts follow hold, sale, release and blocking', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A5' });
    const ann = hf.user('ann');
    const held = await hold(ann, items(event, 'A1 A2'));
    const sold = await hold(ann, items(event, 'A3'));
    await ann.post(`/v1/reservations/${sold.reservation_id}/commit`, {});
    await hf.admin.patch(`${path(event)}/seats`, { ids: ['A4'], blocked: true });
    assert.deepEqual(await counts(hf, event), { seats: 5, available: 1, held: 2, sold: 1, blocked: 1 });
    await ann.post(`/v1/reservations/${held.reservation_id}/release`, {});
    assert.deepEqual(await counts(hf, event), { seats: 5, available: 3, held: 0, sold: 1, blocked: 1 });
});

test('GET of the events is a list, page by page', async () => {
    const made = new Set();
    for (let i = 0; i < 5; i++) {
        made.add(await makeEvent(hf, { seats: 'A1' }));
    }
    const first = await hf.anyone.get('/v1/events?limit=2');
    assert.equal(first.status, 200, first.text);
    assert.equal(first.json.data.length, 2);
    assert.equal(typeof first.json.next_cursor, 'string');
    const all = await whole(hf.anyone, '/v1/events?limit=2', hf.since(await hf.anyone.get('/healthz')));
    const names = all.map((event) => event.id);
    assert.equal(new Set(names).size, names.length, 'no event twice');
    for (const event of made) {
        const listed = all.find((one) => one.id === event);
        assert.deepEqual(listed, (await hf.anyone.get(path(event))).json);
    }
});

test('DELETE: 204, only without live claims', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A2', pools: { floor: 5 } });
    const ann = hf.user('ann');
    const held = await hold(ann, items(event, 'A1'));
    refused(await hf.admin.delete(path(event)), 409, 'in_use');
    await ann.delete(`/v1/reservations/${held.reservation_id}`);
    const inPool = await hold(ann, [{ event, pool: 'floor', quantity: 1 }]);
    refused(await hf.admin.delete(path(event)), 409, 'in_use');
    await ann.delete(`/v1/reservations/${inPool.reservation_id}`);
    const gone = await hf.admin.delete(path(event));
    assert.equal(gone.status, 204, gone.text);
    assert.equal(gone.text, '');
    refused(await hf.anyone.get(path(event)), 404, 'no_such_event');
    refused(await hf.admin.delete(path(event)), 404, 'no_such_event');
    refused(await ann.post('/v1/reservations', { items: items(event, 'A1') }), 404, 'no_such_event');
});

test('an event with a sold seat cannot be removed', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const sale = { user_id: 'ann', commit: true, items: items(event, 'A1') };
    granted(await hf.app.post('/v1/reservations', sale), 201);
    refused(await hf.admin.delete(path(event)), 409, 'in_use');
});

test('a new event with the name of a deleted one starts empty', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    assert.equal((await hf.admin.delete(path(event))).status, 204);
    const made = await hf.admin.put(path(event), { name: 'Again' });
    assert.equal(made.status, 201);
    assert.equal(made.json.counts.seats, 0);
    refused(await hf.anyone.get(`${path(event)}/seats/A1`), 404, 'no_such_seat');
});

test('copy_seats_from copies blocked seats as blocked, and the pools', async () => {
    const source = await makeEvent(hf, { seats: 'A1-A3', pools: { floor: 4 } });
    await hf.admin.patch(`${path(source)}/seats`, { ids: ['A2'], blocked: true });
    await hold(hf.user('ann'), [{ event: source, pool: 'floor', quantity: 3 }]);
    const event = unique();
    assert.equal((await hf.admin.put(path(event), { name: 'Copy', copy_seats_from: source })).status, 201);
    const { json } = await hf.anyone.get(`${path(event)}/availability`);
    assert.deepEqual(json.seats, { A1: 'available', A2: 'blocked', A3: 'available' });
    assert.deepEqual(json.pools, { floor: { capacity: 4, available: 4 } });
});

test('copy_seats_from copies the seats of another event, none of them claimed', async () => {
    const list = [
        {
            id: 'A1', section: 'S', row: 'A', number: '1', x: 1.5, y: 2, tier: 'gold', price: 500,
            accessible: true
        },
        {
            id: 'A2', section: 'S', row: 'A', number: '2', x: 2.5, y: 2, tier: 'gold', price: 700,
            accessible: false
        },
    ];
    const source = await makeEvent(hf, { seats: list });
    await hold(hf.user('ann'), items(source, 'A1'));
    const event = unique();
    const made = await hf.admin.put(path(event), { name: 'Copy', payment: 'none', copy_seats_from: source });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual(made.json.counts, { seats: 2, available: 2, held: 0, sold: 0, blocked: 0, pools: { capacity: 0, available: 0 } });
    const [copied, original] = await Promise.all([
        hf.anyone.get(`${path(event)}/seats`), hf.anyone.get(`${path(source)}/seats`),
    ]);
    assert.deepEqual(copied.json.seats, original.json.seats);
    await hold(hf.user('bob'), items(event, 'A1'));
    assert.equal(await seatStatus(hf, source, 'A2'), 'available');
    const nowhere = { name: 'Copy', copy_seats_from: unique() };
    invalid(await hf.admin.put(path(unique()), nowhere), '/copy_seats_from');
});

test('ids in paths: 64 characters of the alphabet are an id, anything else is not found, and not created', async () => {
    const longest = unique('Az0._~-').padEnd(64, '~');
    assert.equal(longest.length, 64);
    const made = await hf.admin.put(path(longest), { name: 'x' });
    assert.equal(made.status, 201, made.text);
    assert.equal((await hf.anyone.get(path(longest))).json.id, longest);
    for (const bad of [`${longest}x`, 'a%20b', 'a%00b', 'gr%C3%BCn', 'a+b', 'a:b', 'a@b']) {
        refused(await hf.anyone.get(path(bad)), 404, 'no_such_event');
        assert.match(refused(await hf.admin.put(path(bad), { name: 'x' }), 400, 'invalid').detail, /^Invalid event id: expected 1 to 64 /);
    }
});

test('every call below an unknown event is 404', async () => {
    const event = path(unique());
    refused(await hf.anyone.get(event), 404, 'no_such_event');
    refused(await hf.anyone.get(`${event}/seats`), 404, 'no_such_event');
    refused(await hf.anyone.get(`${event}/seats/A1`), 404, 'no_such_event');
    refused(await hf.anyone.get(`${event}/availability`), 404, 'no_such_event');
    refused(await hf.anyone.get(`${event}/availability?format=map`), 404, 'no_such_event');
    refused(await hf.anyone.get(`${event}/stream`), 404, 'no_such_event');
    refused(await hf.admin.post(`${event}/seats`, [{ id: 'A1' }]), 404, 'no_such_event');
    refused(await hf.admin.patch(`${event}/seats`, { ids: ['A1'], blocked: true }), 404, 'no_such_event');
    refused(await hf.admin.put(`${event}/pools/floor`, { capacity: 1 }), 404, 'no_such_event');
});

test('timezone is patched like any setting, and other patches keep it', async () => {
    const event = await makeEvent(hf, { timezone: 'Europe/Berlin', starts_at: '2031-12-03T20:00:00.000Z' });
    const told = async (body) => (await hf.admin.patch(path(event), body)).json.timezone;
    assert.equal(await told({ name: 'Another' }), 'Europe/Berlin');
    assert.equal(await told({ timezone: 'Asia/Tokyo' }), 'Asia/Tokyo');
    invalid(await hf.admin.patch(path(event), { timezone: 'Mars/Olympus' }), '/timezone');
    assert.equal((await hf.anyone.get(path(event))).json.timezone, 'Asia/Tokyo');
    assert.equal((await hf.anyone.get(path(event))).json.starts_at, '2031-12-03T20:00:00.000Z'); /* instants are returned in UTC */
    assert.equal(await told({ timezone: 'UTC' }), 'UTC');
    assert.equal((await hf.admin.put(path(event), { name: 'x', timezone: 'Asia/Tokyo' })).json.timezone, 'Asia/Tokyo');
    assert.equal((await hf.admin.put(path(event), { name: 'x' })).json.timezone, 'UTC');
});
