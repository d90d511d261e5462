/* SPDX-License-Identifier: Apache-2.0 */
/* Malformed JSON, or JSON of the wrong form: 400 invalid each time, and nothing is held. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const { shared, unique } = require('./lib/server.js');
const { makeEvent, items, counts } = require('./lib/catalogue.js');
const { refused, invalid, granted } = require('./lib/expect.js');

const hf = shared();
const create = (body, headers) => hf.app.post('/v1/reservations', body, { headers });

/* Sends each text and checks that it is refused; `@` is replaced by the event. */
async function allInvalid(texts) {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    for (const text of texts) {
        const body = Buffer.isBuffer(text) ? text : text.replaceAll('@', event);
        const answer = await create(body);
        assert.equal(
            answer.status, 400,
            `${body.toString().slice(0, 200)}: ${answer.status} ${answer.text.slice(0, 300)}`
        );
        invalid(answer);
    }
    assert.equal((await counts(hf, event)).held, 0);
}

const GOOD = '{"user_id":"ann","items":[{"event":"@","seat":"A1"}]}';

test('a valid body is accepted, with any white space', async () => {
    const event = await makeEvent(hf, { seats: 'A1-A3' });
    granted(await create(`\r\n\t ${GOOD.replace('@', event)}\n `), 201);
    const type = { 'Content-Type': 'Application/JSON; charset=UTF-8' };
    granted(await create(GOOD.replace('@', event).replace('A1', 'A2'), type), 201);
});

test('malformed JSON', async () => {
    await allInvalid([
        '', ' ', '{', '}', '[', '{"user_id"', GOOD.slice(0, -1), `${GOOD}}`, `${GOOD}{}`, `${GOOD}x`,
        `\ufeff${GOOD}`,
        GOOD.replaceAll('"', '\''), GOOD.replace('}', ',}'), GOOD.replace('"user_id"', 'user_id'),
        `/* a */${GOOD}`,
        GOOD.replace('"A1"', 'NaN'), GOOD.replace('"A1"', 'Infinity'), GOOD.replace('"A1"', 'undefined'),
        GOOD.replace('"A1"', '01'), GOOD.replace('"A1"', '1.'), GOOD.replace('"A1"', '.5'),
        GOOD.replace('"A1"', '+1'),
        GOOD.replace('A1', 'A\n1'), GOOD.replace('A1', 'A\t1'), GOOD.replace('A1', 'A\\x1'),
        GOOD.replace('A1', '\\u12'),
        `${GOOD}\u0000`,
    ]);
});

test('the wrong type at the top level', async () => {
    await allInvalid(['[]', 'null', 'true', '5', '"text"', `[${GOOD}]`]);
});

test('duplicate fields, at every depth', async () => {
    await allInvalid([
        '{"user_id":"ann","user_id":"bob","items":[{"event":"@","seat":"A1"}]}',
        '{"user_id":"ann","user_id":"ann","items":[{"event":"@","seat":"A1"}]}',
        '{"user_id":"ann","items":[{"event":"@","seat":"A1","seat":"A2"}]}',
        '{"user_id":"ann","items":[{"event":"@","best":{"quantity":1,"quantity":2}}]}',
        '{"user_id":"ann","items":[{"event":"@","seat":"A1"}],"attributes":{"a":1,"a":2}}',
        '{"user_id":"ann","items":[{"event":"@","seat":"A1"}],"user\\u005fid":"bob"}',
    ]);
});

test('wrong types and unknown fields point at the field', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const cases = [
        [{ user_id: 5 }, '/user_id'], [{ user_id: ['ann'] }, '/user_id'], [{ items: {} }, '/items'],
        [{ items: [[]] }, '/items/0'], [{ items: [{ event, seat: ['A1'] }] }, '/items/0/seat'],
        [{ items: [{ event, seat: 'A1' }, { event, seat: true }] }, '/items/1/seat'],
        [{ items: [{ event, seat: 'A1', 'a/b~c': 1 }] }, '/items/0/a~1b~0c'],
        [{ ttl_seconds: '60' }, '/ttl_seconds'], [{ attributes: [] }, '/attributes'],
        [{ Items: [] }, '/Items'],
        [{ itmes: [] }, '/itmes'], [{ '': 1 }, '/'], [{ commit: 1 }, '/commit'],
    ];
    for (const [fields, pointer] of cases) {
        invalid(await create({ user_id: 'ann', items: items(event, 'A1'), ...fields }), pointer);
    }
    assert.equal((await counts(hf, event)).held, 0);
});

test('deep nesting', async () => {
    const nest = (depth, open, close) => open.repeat(depth) + close.repeat(depth);
    const within = (inner) =>
        `{"user_id":"ann","items":[{"event":"@","seat":"A1"}],"attributes":{"a":${inner}}}`;
    await allInvalid([
        within(nest(17, '[', ']')), within(nest(1000, '[', ']')), nest(100_000, '[', ']'),
        '['.repeat(100_000),
        '{"a":'.repeat(10_000), within(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`),
    ]);
    const event = await makeEvent(hf, { seats: 'A1' });
    granted(await create(within(nest(8, '[', ']')).replace('@', event)), 201);
});

test('huge numbers', async () => {
    const ttl = (number) => `{"user_id":"ann","ttl_seconds":${number},"items":[{"event":"@","seat":"A1"}]}`;
    await allInvalid([
        ttl('1e400'), ttl('-1e400'), ttl('9223372036854775808'), ttl('18446744073709551617'),
        ttl('4294967297'),
        ttl(`1${'0'.repeat(5000)}`), ttl(`0.${'1'.repeat(5000)}`), ttl('1e-400'), ttl('-0.0'),
        ttl('6e99999999999'),
    ]);
});

test('text that is not UTF-8', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const parts = ['{"items":[{"event":"', event, '","seat":"A1"}],"user_id":"ann', '"}'];
    const bad = [
        [0xff], [0xc0, 0x80], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc3],
        [0x80], [0xf4, 0x90, 0x80, 0x80]
    ];
    for (const bytes of bad) {
        const body = Buffer.concat([
            Buffer.from(parts.slice(0, 3).join('')), Buffer.from(bytes), Buffer.from(parts[3])
        ]);
        const answer = await create(body);
        assert.equal(answer.status, 400, `${bytes}: ${answer.text}`);
    }
    assert.equal((await counts(hf, event)).held, 0);
});

test('escapes for invalid or forbidden characters', async () => {
    await allInvalid([
        GOOD.replace('ann', 'a\\ud800b'), GOOD.replace('ann', 'a\\udc00b'),
        GOOD.replace('ann', 'a\\ud800\\u0041'),
        GOOD.replace('ann', 'a\\u0000b'), GOOD.replace('ann', 'a\\u001fb'), GOOD.replace('A1', 'A1\\u0000'),
    ]);
});

test('an escaped character is that character', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const user = 'gr\\u00fcn \\ud83d\\ude00 \\"\\/\\\\';
    const body = GOOD.replace('@', event).replace('ann', user).replace('"A1"', '"\\u00411"');
    granted(await create(body), 201, { user_id: 'grün 😀 "/\\' });
});

test('many keys and long keys', async () => {
    const keys = Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join(',');
    await allInvalid([`{${keys}}`, `{"${'k'.repeat(100_000)}":1}`]);
});

test('a body of another type is 415, for every call with a body', async () => {
    const event = await makeEvent(hf, { seats: 'A1' });
    const body = JSON.stringify({ items: items(event, 'A1'), user_id: 'ann' });
    for (const type of [
        'text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'text/csv',
        'multipart/form-data'
    ]) {
        refused(await create(body, { 'Content-Type': type }), 415, 'unsupported_type');
        const put = await hf.admin.put(`/v1/events/${unique()}`, '{"name":"x"}', {
            headers: { 'Content-Type': type }
        });
        refused(put, 415, 'unsupported_type');
    }
    assert.equal((await counts(hf, event)).held, 0);
});
