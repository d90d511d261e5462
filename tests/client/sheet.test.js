/* SPDX-License-Identifier: Apache-2.0 */
/* A file of seats before it is imported, and how forms become calls: the browser judges as the server does. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');
const { Server } = require('../conformance/lib/server.js');
const { makeEvent } = require('../conformance/lib/catalogue.js');

const load = (name) => import(path.join(__dirname, '../../web/lib', name));
const sheet = async (text) => new (await load('seat_sheet.js')).SeatSheet(text);
const lines = ({ faults, rows }) => [...(faults.length ? [1] : []), ...rows.filter((row) => row.faults.length).map((row) => row.line)];

const BAD = [
    ['id,colour\nA1,red\n', [1]], ['section\nNord\n', [1]], ['id,id\nA1,A1\n', [1]], ['', [1]], ['id\n', [1]],
    ['id\nA1\nA2\nA1\n', [4]], ['id,price\nA1,5\nA2,cheap\nA3,-1\n', [3, 4]], ['id,price\nA1,1.5\n', [2]],
    ['id,accessible\nA1,yes\n', [2]], ['id,x\nA1,left\n', [2]], ['id,x\nA1,9999999\n', [2]], ['id,price\nA1,5,6\n', [2]], ['id,price\nA1,5\nA2\n', [3]],
    ['id\nA1\nno spaces\n', [3]], [`id\n${'a'.repeat(65)}\n`, [2]], ['id,section\n,Nord\n', [2]],
    ['id,price\nA1,99999999999999999999999\n', [2]], ['id,allotment\nA1,blocked\n', [2]], [`id,row\nA1,${'ä'.repeat(33)}\n`, [2]],
    ['id\n"A1\n', [2]], ['id\n"A1"x\n', [2]], ['id\nA"1\n', [2]],
    ['id,section\nA1,"two\nlines"\nA1,\n', [4]],
];
const GOOD = [
    'price,id,accessible,section,number,row,y,x,tier\n12000,A1,true,Nord,1,A,-3.25,10.5,gold\n5,A2,0,,,,,,\n',
    'id,section\r\n"A1","Upper, ""left""\r\nbalcony"\r\nA2,плац\r\n', '\ufeffid\n\nA1\n\n', 'id,x,y\nA1,.5,1.\n', 'id,blocked\nA1,\n',
];

test('every invalid line is found, and no valid one is reported', async () => {
    for (const [text, expected] of BAD) {
        assert.deepEqual(lines(await sheet(text)), expected, JSON.stringify(text));
    }
    for (const text of GOOD) {
        assert.deepEqual(lines(await sheet(text)), [], JSON.stringify(text));
    }
});

test('the server agrees about each of them', async (t) => {
    const hf = await new Server().start();
    t.after(() => hf.close());
    for (const [text, expected] of [...BAD, ...GOOD.map((one) => [one, []])]) {
        const event = await makeEvent(hf);
        const answer = await hf.admin.post(`/v1/events/${event}/seats`, text, { headers: { 'Content-Type': 'text/csv' } });
        assert.equal(answer.status, expected.length ? 400 : 201, `${JSON.stringify(text)}: ${answer.text}`);
        expected.length && text && assert.equal(answer.json.line, expected[0], JSON.stringify(text));
    }
});

test('seats of a sheet are as the layout would have them; after a mistake reading goes on', async () => {
    const read = await sheet('id,x,price,accessible\nA1,1.5,200,1\n"A2"!,1,1,0\nA3,,,\n');
    assert.deepEqual(read.seats, [{ id: 'A1', x: 1.5, price: 200, accessible: true }, { id: 'A3', price: 0, accessible: false }]);
    assert.deepEqual(read.wrong.map((row) => [row.line, row.faults[0].key]), [[3, 'csv_quote_followed']]);
});

test('the server\'s error is shown on its line, or on the seats it names', async () => {
    const read = await sheet('id,blocked\nA1,true\nA2,true\n');
    assert.ok(read.good);
    read.mark({ items: [{ seat: 'A2' }] }, 'Taken.');
    assert.deepEqual(lines(read), [3]);
    read.mark({ line: 2 }, 'No.');
    assert.deepEqual(lines(read), [2, 3]);
});

test('a form sends what has changed: nested members too, and removed ones as null', async () => {
    const { mergePatch } = await load('merge_patch.js');
    const before = { name: 'A', venue: 'Hall', list: [1, 2], prices: { gold: { adult: 5 }, plain: { adult: 3 } } };
    assert.deepEqual(mergePatch(before, structuredClone(before)), {});
    assert.deepEqual(mergePatch(before, { ...before, venue: null, list: [1], prices: { gold: { adult: 6, child: 2 } } }),
        { venue: null, list: [1], prices: { gold: { adult: 6, child: 2 }, plain: null } });
    assert.deepEqual(mergePatch({ room: null }, { room: { rate: 5 } }), { room: { rate: 5 } });
});

test('money as it is typed: the currency says how many digits', async () => {
    const { minor, typed } = await load('amount.js');
    assert.deepEqual([minor('45', 'EUR'), minor('45,5', 'EUR'), minor('45', 'JPY'), minor('1.234', 'KWD')], [4500, 4550, 45, 1234]);
    assert.deepEqual([minor('45.505', 'EUR'), minor('45.5', 'JPY'), minor('-1', 'EUR'), minor('', 'EUR'), minor('x', 'EUR')], [null, null, null, null, null]);
    assert.deepEqual([typed(4550, 'EUR'), typed(45, 'JPY'), typed(null, 'EUR')], ['45.50', '45', '']);
});

test('a form: values by pointer, errors at their field or the nearest one around it', async () => {
    const { Form, pointerTo } = await load('form.js');
    const form = new Form({ hours: [{ from: '09:00' }, { from: '10:00' }], prices: null }, () => {});
    form.set(pointerTo('prices', 'a/b', 'adult'), 5);
    assert.deepEqual(form.draft.prices, { 'a/b': { adult: 5 } });
    assert.equal(form.get('/prices/a~1b/adult'), 5);
    const known = (pointer) => ['/hours', '/hours/1/from'].includes(pointer);
    assert.ok(form.take({ pointer: '/hours/1/from', message: 'Bad.' }, known) && form.take({ pointer: '/hours/0/days/2', message: 'Twice.' }, known));
    assert.deepEqual([...form.faults], [['/hours/1/from', 'Bad.'], ['/hours', 'Twice.']]);
    assert.ok(!form.take({ pointer: '/name', message: 'No.' }, known) && !form.take({ message: 'No.' }, known));
    form.remove('/hours', 1);
    assert.ok(!form.wrong && form.draft.hours.length === 1);
});
