/* SPDX-License-Identifier: Apache-2.0 */
/* The door: a ticket admits one person, however many scanners ask, and shows when and where that was. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique, ownProcess, ownClock } = require('./lib/server.js');
const { Client } = require('./lib/http.js');
const { makeEvent, items, whole } = require('./lib/catalogue.js');
const { makeCalendar, midnight, slot, iso, MINUTE, HOUR } = require('./lib/calendars.js');
const { refused, invalid, granted, instant } = require('./lib/expect.js');

const hf = shared();
const SCANNERS = 64;
let key;
const atDoor = async () => (key ??= await hf.key('door'));

const scan = (who, code, more = {}, options) => who.post('/v1/check-ins', { code, ...more }, options);

/* A sale; [code, …], one for each seat and unit. */
async function sell(wanted, user = 'ann') {
    const sold = granted(await hf.app.post('/v1/reservations', { items: wanted, user_id: user, commit: true }), 201);
    return { r: sold, codes: sold.tickets.map(({ code }) => code) };
}

function came(answer, result = 'ok') {
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.result, result, answer.text);
    return answer.json;
}

const list = async (event, since = '', least = undefined) =>
    whole(await atDoor(), `/v1/check-ins?event=${event}&limit=2${since && `&since=${since}`}`, hf.since(least ?? await hf.anyone.get('/healthz')));

test('a ticket admits one person; the second scan shows when and where it was used', async () => {
    const door = await atDoor();
    const event = await makeEvent(hf, { seats: 'A1-A9', pools: { floor: 5 } });
    const { r, codes } = await sell([...items(event, 'A1'), { event, pool: 'floor', quantity: 2 }]);
    const first = await scan(door, codes[0], { gate: 'north' });
    const { at, ...rest } = came(first);
    assert.ok(Math.abs(instant(at) - hf.now()) < MINUTE);
    assert.deepEqual(rest, {
        result: 'ok', code: codes[0], reservation_id: r.reservation_id, item_id: '1', unit: 0, event, seat: 'A1', gate: 'north',
    });
    for (const who of [door, hf.app, hf.admin]) {
        const again = refused(await scan(who, codes[0], { gate: 'south' }), 409, 'already_checked_in');
        assert.deepEqual([again.at, again.gate], [at, 'north']);
    }
    assert.equal(came(await scan(hf.app, codes[2])).unit, 1);
    const second = came(await scan(hf.admin, codes[1].toLowerCase()));
    assert.deepEqual([second.code, second.pool, second.unit, second.gate], [codes[1], 'floor', 0, null]);
    assert.equal(refused(await scan(door, codes[1]), 409, 'already_checked_in').gate, undefined);
});

test('a nonce makes a retry safe; an undo takes a check-in back, and a late retry of it admits nobody', async () => {
    const door = await atDoor();
    const event = await makeEvent(hf, { seats: 'A1' });
    const { r, codes: [code] } = await sell(items(event, 'A1'));
    const unused = came(await scan(door, code, { undo: true }), 'undone');
    assert.deepEqual([unused.at, unused.gate], [null, null]);
    const first = came(await scan(door, code, { gate: 'north', nonce: 'n1' }));
    assert.deepEqual(came(await scan(door, code, { gate: 'south', nonce: 'n1' })), first);
    refused(await scan(door, code, { nonce: 'n2' }), 409, 'already_checked_in');
    refused(await scan(door, code, { nonce: 'n2', undo: true }), 409, 'already_checked_in');
    assert.equal(came(await scan(door, code, { nonce: 'n1', undo: true, gate: 'desk' }), 'undone').gate, 'desk');
    const late = refused(await scan(door, code, { nonce: 'n1' }), 409, 'undone');
    assert.equal(late.gate, 'desk');
    const last = await scan(hf.app, code, { nonce: 'n3' });
    came(last);
    const { json: { data } } = await hf.app.get(`/v1/reservations/${r.reservation_id}/history`, hf.since(last));
    assert.deepEqual(data.slice(1).map(({ action, actor, ticket, what }) => [action, actor, ticket, what.items.length]), [
        ['checked_in', `door:${door.name}`, { item_id: '1', unit: 0, gate: 'north' }, 0],
        ['check_in_undone', `door:${door.name}`, { item_id: '1', unit: 0, gate: 'desk' }, 0],
        ['checked_in', `app:${hf.app.name}`, { item_id: '1', unit: 0, gate: null }, 0],
    ]);
    assert.equal(data[0].ticket, undefined);
});

test('another event\'s ticket, a void ticket, a code with one character changed', async () => {
    const door = await atDoor();
    const [event, other] = [await makeEvent(hf, { seats: 'A1-A3' }), await makeEvent(hf, { seats: 'A1' })];
    const { r, codes: [code] } = await sell(items(event, 'A1'));
    const { codes: [elsewhere] } = await sell(items(other, 'A1'));
    refused(await scan(door, elsewhere, { event }), 409, 'wrong_event');
    refused(await scan(door, elsewhere, { event: 'no-such-event' }), 409, 'wrong_event');
    came(await scan(door, elsewhere, { event: other }));
    const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    for (let i = 0; i < code.length; i++) {
        const changed = code.slice(0, i) + digits[(digits.indexOf(code[i]) + 1) % 32] + code.slice(i + 1);
        refused(await scan(door, changed), 404, 'no_such_ticket');
    }
    for (const nothing of ['x', `${code}0`, code.slice(1), 'U'.repeat(20), 'é', 'HF1.', 'HF1.A.A', '.'.repeat(512)]) {
        refused(await scan(door, nothing), 404, 'no_such_ticket');
    }
    const moved = granted(await hf.app.post(`/v1/reservations/${r.reservation_id}/transfer`, { to_user_id: 'bob' }), 200);
    refused(await scan(door, code), 409, 'void');
    refused(await scan(door, code, { undo: true }), 409, 'void');
    const { code: now } = moved.tickets[0];
    came(await scan(door, now, { event }));
    /* A used ticket cannot be moved or transferred. */
    refused(await hf.app.post(`/v1/reservations/${r.reservation_id}/transfer`, { to_user_id: 'carl' }), 409, 'checked_in');
    refused(await hf.app.patch(`/v1/reservations/${r.reservation_id}/items/1`, { seat: 'A2' }), 409, 'checked_in');
    granted(await hf.app.post(`/v1/reservations/${r.reservation_id}/refund`, {}), 200);
    refused(await scan(door, now), 409, 'void');
});

test('a used ticket prevents cancelling and refunds by item, but not of the whole; an undo makes them possible again', async () => {
    const door = await atDoor();
    const event = await makeEvent(hf, { seats: 'A1-A4', cancel_until_seconds: 0 });
    const { r, codes: [code] } = await sell(items(event, 'A1 A2'));
    const back = (how, who, body) => who.post(`/v1/reservations/${r.reservation_id}/${how}`, body);
    came(await scan(door, code));
    refused(await back('cancel', hf.user('ann'), {}), 409, 'checked_in');
    refused(await back('refund', hf.app, { items: ['1'] }), 409, 'checked_in');
    granted(await back('refund', hf.app, { items: ['2'] }), 200, { status: 'confirmed' });
    came(await scan(door, code, { undo: true }), 'undone');
    granted(await back('cancel', hf.user('ann'), {}), 200, { status: 'cancelled' });
});

test('a slot has a ticket too', async () => {
    const door = await atDoor();
    const calendar = await makeCalendar(hf, { services: [{ id: 'cut', duration_minutes: 30, price: 0 }] });
    const open = await makeCalendar(hf);
    const { codes } = await sell([{ calendar, start: iso(midnight(hf)), service: 'cut' }, slot(open, midnight(hf))]);
    const { calendar: of, service, event } = came(await scan(door, codes[0], { gate: 'desk' }));
    assert.deepEqual([of, service, event], [calendar, 'cut', undefined]);
    const plain = came(await scan(door, codes[1]));
    assert.deepEqual([plain.calendar, plain.service], [open, undefined]);
    refused(await scan(door, codes[0]), 409, 'already_checked_in');
    refused(await scan(door, codes[1], { event: 'arena' }), 409, 'wrong_event');
});

test('an offline scan is always recorded when it is uploaded, with the result it should have had', ownClock, async () => {
    const door = await atDoor();
    const [event, other] = [await makeEvent(hf, { seats: 'A1-A3' }), await makeEvent(hf, { seats: 'A1' })];
    const { codes } = await sell(items(event, 'A1 A2'));
    hf.clock.advance(HOUR);
    const [early, late] = [iso(hf.now() - 50 * MINUTE), iso(hf.now() - 40 * MINUTE)];
    const up = (code, scanned_at, more) => scan(door, code, { scanned_at, ...more });
    const first = came(await up(codes[0], late, { gate: 'north', nonce: 'u1' }));
    assert.deepEqual([first.at, first.gate], [late, 'north']);
    assert.deepEqual(came(await up(codes[0], late, { gate: 'north', nonce: 'u1' })), first);
    assert.equal(came(await up(codes[0], early, { gate: 'south' }), 'duplicate').at, early);
    assert.equal(refused(await scan(door, codes[0]), 409, 'already_checked_in').at, late);
    came(await up(codes[1], early, { event: other }), 'void');
    came(await scan(door, codes[1]));
    refused(await up('0'.repeat(20), early), 404, 'no_such_ticket');
    for (const bad of [iso(hf.now() - 49 * HOUR), iso(hf.now() + HOUR), '1970-01-01T00:00:00Z', 'yesterday', 7]) {
        invalid(await up(codes[1], bad), '/scanned_at');
    }
    invalid(await up(codes[1], early, { undo: true }), '/scanned_at');
    came(await scan(door, codes[1], { scanned_at: null, undo: true }), 'undone');
});

test('an upload is recorded once per nonce, whatever the result, and repeats get the same answer', ownClock, async () => {
    const door = await atDoor();
    const [event, other] = [await makeEvent(hf, { seats: 'A1-A3' }), await makeEvent(hf, { seats: 'A1' })];
    const { codes } = await sell(items(event, 'A1 A2'));
    hf.clock.advance(HOUR);
    const [early, late] = [iso(hf.now() - 50 * MINUTE), iso(hf.now() - 40 * MINUTE)];
    const up = (code, scanned_at, more) => scan(door, code, { scanned_at, ...more });
    came(await scan(door, codes[0], { nonce: 'in' }));
    const duplicate = came(await up(codes[0], early, { gate: 'south', nonce: 'd' }), 'duplicate');
    const off = came(await up(codes[1], early, { gate: 'west', event: other, nonce: 'd' }), 'void');
    for (const again of [early, late]) { /* another time under the same nonce is not recorded either */
        assert.deepEqual(came(await up(codes[0], again, { gate: 'north', nonce: 'd' }), 'duplicate'), duplicate);
        assert.deepEqual(came(await up(codes[1], again, { gate: 'west', nonce: 'd' }), 'void'), off);
    }
    /* At the door it admits nobody. */
    refused(await scan(door, codes[1], { nonce: 'd' }), 409, 'void');
    came(await scan(door, codes[1], { nonce: 'e' }));
    came(await scan(door, codes[0], { undo: true }), 'undone');
    assert.deepEqual(came(await up(codes[0], early, { nonce: 'd' }), 'duplicate'), duplicate);
    refused(await scan(door, codes[0], { nonce: 'd' }), 409, 'already_checked_in');
    came(await scan(door, codes[0], { nonce: 'f' }));
    refused(await up(codes[0], early, { nonce: 'in' }), 409, 'undone');
});

test('bad input', async () => {
    const door = await atDoor();
    const ask = (body) => door.post('/v1/check-ins', body);
    invalid(await ask({}), '/code');
    for (const [field, values] of Object.entries({
        code: ['', 7, null, 'x'.repeat(513)], event: ['', 'a b', 7, 'x'.repeat(65)], gate: ['', 'x'.repeat(65), 'a\nb', []],
        nonce: ['', 'x'.repeat(65), 1], undo: ['yes', 1, null], scanned_at: ['2030-01-01'], colour: ['red'],
    })) {
        for (const value of values) {
            invalid(await ask({ code: '0'.repeat(20), [field]: value }), `/${field}`);
        }
    }
    const event = await makeEvent(hf, { seats: 'A1' });
    const { codes: [code] } = await sell(items(event, 'A1'));
    came(await scan(door, code, { gate: 'x'.repeat(64), nonce: 'é'.repeat(32), event }));
});

test('the list has used, void and moved tickets, in order and by page', ownClock, async () => {
    const door = await atDoor();
    const event = await makeEvent(hf, { seats: 'A1-A9' });
    const [ann, bob] = [await sell(items(event, 'A1 A2 A3')), await sell(items(event, 'A5'), 'bob')];
    assert.deepEqual(await list(event), []);
    const used = [];
    for (const code of ann.codes.slice(0, 2)) {
        hf.clock.advance(1000);
        used.push(came(await scan(door, code, code === ann.codes[0] ? { gate: 'north' } : {})));
    }
    hf.clock.advance(1000);
    const moved = await hf.app.patch(`/v1/reservations/${ann.r.reservation_id}/items/3`, { seat: 'A4' });
    granted(moved, 200);
    const { fence } = moved.json;
    hf.clock.advance(1000);
    const before = iso(hf.now());
    const given = await hf.app.post(`/v1/reservations/${bob.r.reservation_id}/transfer`, { to_user_id: 'carl' });
    granted(given, 200);
    const whole_ = await list(event, '', given);
    assert.deepEqual(whole_.map(({ code, result, gate }) => [code, result, gate]), [
        [ann.codes[0], 'in', 'north'], [ann.codes[1], 'in', null], [ann.codes[2], 'void', null], [bob.codes[0], 'void', null],
    ]);
    assert.deepEqual(whole_.slice(0, 2).map(({ at }) => at), used.map(({ at }) => at));
    assert.equal(whole_[2].reissue, fence, 'prints of before the move are void, the new one is not');
    assert.ok(whole_[3].reissue > bob.r.fence, 'no print of it is good');
    assert.deepEqual(await list(event, before, given), whole_.slice(3));
    assert.deepEqual(await list(event, whole_[1].at, given), whole_.slice(1));
    const undone = await scan(door, ann.codes[0], { undo: true });
    /* A door that has it as `in` learns that it is good again, and what happened since. */
    const latest = async (least) => (await list(event, undone.json.at, least)).map(({ code, result, reissue }) => [code, result, reissue]);
    assert.deepEqual(await latest(undone), [[ann.codes[0], 'out', whole_[0].reissue]]);
    assert.deepEqual((await list(event, '', undone)).map(({ code }) => code), [...whole_.slice(1).map(({ code }) => code), ann.codes[0]]);
    hf.clock.advance(1000);
    const again = await hf.app.patch(`/v1/reservations/${ann.r.reservation_id}/items/1`, { seat: 'A6' });
    assert.deepEqual(await latest(again), [[ann.codes[0], 'out', again.json.fence]], 'and only in its new print');
    hf.clock.advance(1000);
    assert.deepEqual(await latest(await scan(door, ann.codes[0])), [[ann.codes[0], 'in', again.json.fence]]);
    hf.clock.advance(1000);
    const back = await hf.app.post(`/v1/reservations/${ann.r.reservation_id}/refund`, {});
    assert.deepEqual((await latest(back)).map(([code, result]) => [code, result]).sort(), ann.codes.map((code) => [code, 'void']).sort());
});

test('the list refuses invalid queries', async () => {
    const door = await atDoor();
    const event = await makeEvent(hf, { seats: 'A1' });
    invalid(await door.get('/v1/check-ins'), '?event');
    refused(await door.get('/v1/check-ins?event=no-such-event'), 404, 'no_such_event');
    for (const [query, at] of [['since=soon', 'since'], ['limit=0', 'limit'], ['cursor=x', 'cursor'], [`cursor=${'Z'.repeat(46)}`, 'cursor'], [`cursor=${'0'.repeat(45)}U`, 'cursor']]) {
        invalid(await door.get(`/v1/check-ins?event=${event}&${query}`), `?${at}`);
    }
});

test('64 scanners on one ticket: exactly one admits', async () => {
    const door = await atDoor();
    const clients = Array.from({ length: SCANNERS }, () => new Client(hf.url, { connections: 1 }));
    for (let round = 0; round < 5; round++) {
        const event = await makeEvent(hf, { seats: 'A1' });
        const { codes: [code] } = await sell(items(event, 'A1'));
        const answers = await Promise.all(clients.map((client, i) =>
            scan(door, code, { gate: `gate ${i}`, nonce: `${round}/${i}` }, { client })));
        const won = answers.filter(({ status }) => status === 200);
        assert.equal(won.length, 1, `${won.length} came in`);
        const { at, gate } = came(won[0]);
        for (const answer of answers.filter((one) => one !== won[0])) {
            const told = refused(answer, 409, 'already_checked_in');
            assert.deepEqual([told.at, told.gate], [at, gate]);
        }
    }
    clients.forEach((client) => client.close());
});

test('a used ticket stays used after a restart and after kill -9, and a retry is still safe', ownProcess, async () => {
    const door = await atDoor();
    const event = await makeEvent(hf, { seats: 'A1-A9', pools: { floor: 5 } });
    const { codes } = await sell([...items(event, 'A1 A2'), { event, pool: 'floor', quantity: 1 }]);
    const first = came(await scan(door, codes[0], { gate: 'north', nonce: 'n1' }));
    came(await scan(door, codes[1], { nonce: 'n2' }));
    came(await scan(door, codes[1], { nonce: 'n2', undo: true }), 'undone');
    const upload = { scanned_at: iso(hf.now() - MINUTE), nonce: 'n3', gate: 'south' };
    const second = came(await scan(door, codes[0], upload), 'duplicate');
    for (const kill of [true, false, true]) {
        await hf.restart({ kill });
        const told = refused(await scan(door, codes[0]), 409, 'already_checked_in');
        assert.deepEqual([told.at, told.gate], [first.at, 'north']);
        assert.deepEqual(came(await scan(door, codes[0], { nonce: 'n1' })), first);
        refused(await scan(door, codes[1], { nonce: 'n2' }), 409, 'undone');
        assert.deepEqual(came(await scan(door, codes[0], { ...upload, gate: 'east' }), 'duplicate'), second);
    }
    came(await scan(door, codes[2]));
    await hf.restart({ kill: true });
    refused(await scan(door, codes[2]), 409, 'already_checked_in');
});

test('a door key can check in, list check-ins, and read public data; nothing else', async () => {
    const door = await atDoor();
    const { document } = hf.description;
    const DOORS = ['post /v1/check-ins', 'get /v1/check-ins'];
    const name = unique('x');
    let refusals = 0;
    for (const [path, operations] of Object.entries(document.paths)) {
        for (const method of ['get', 'put', 'post', 'patch', 'delete'].filter((one) => one in operations)) {
            const { security } = operations[method];
            const call = `${method} ${path}`;
            const may = security.some((one) => 'door' in one);
            const open = security.some((one) => Object.keys(one).length === 0)
                && (method === 'get' || path === '/v1/webhooks/payments');
            assert.equal(may, DOORS.includes(call) || open, call);
            const target = path.replace(/\{[^}]+\}/g, name);
            if (!may) {
                refused(await door.call(method.toUpperCase(), target), 403, 'forbidden');
                refusals++;
            } else if (!path.endsWith('/stream') && path !== '/v1/webhooks/payments' /* needs a signature */) {
                const { status } = await door.call(method.toUpperCase(), target);
                assert.ok(status !== 401 && status !== 403, `${call} ${status}`);
            }
        }
    }
    assert.ok(refusals > 40, `${refusals} refused`);
    const event = await makeEvent(hf, { seats: 'A1' });
    const { codes: [code] } = await sell(items(event, 'A1'));
    for (const who of [hf.user('ann'), hf.bearer('nonsense'), hf.anyone]) {
        const status = who.name === 'ann' ? 403 : 401;
        assert.equal((await scan(who, code)).status, status);
        assert.equal((await who.get(`/v1/check-ins?event=${event}`)).status, status);
    }
    came(await scan(door, code));
});
