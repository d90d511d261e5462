/* SPDX-License-Identifier: Apache-2.0 */
/* A drawn hall: where seats are, how they are named, what is saved, and reading it back. */
'use strict';

const test = require('node:test');
const assert = require('node:assert/strict');
const path = require('node:path');

const load = (name) => import(path.join(__dirname, '../../web/lib', name));
const far = (a, b) => Math.hypot(a.x - b.x, a.y - b.y);
const near = (a, b, what) => assert.ok(Math.abs(a - b) < 0.005, `${what}: ${a} and ${b}`);

async function block(kind, more) {
    const { KINDS } = await load('drawing/block.js');
    return { ...KINDS[kind], id: 1, kind, name: 'Stalls', x: 0, y: 0, ...more };
}

test('numbers run from the left, the right or the middle; all, odd or even', async () => {
    const { numbersOf } = await load('drawing/numbering.js');
    const cases = [
        [{ run: 'left', step: 'all', first: 1 }, [1, 2, 3, 4, 5]], [{ run: 'right', step: 'all', first: 1 }, [5, 4, 3, 2, 1]],
        [{ run: 'left', step: 'odd', first: 1 }, [1, 3, 5, 7, 9]], [{ run: 'right', step: 'even', first: 1 }, [10, 8, 6, 4, 2]],
        [{ run: 'left', step: 'all', first: 101 }, [101, 102, 103, 104, 105]], [{ run: 'left', step: 'odd', first: 10 }, [11, 13, 15, 17, 19]],
        [{ run: 'middle', step: 'all', first: 1 }, [5, 3, 1, 2, 4]],
    ];
    for (const [how, expected] of cases) {
        assert.deepEqual(numbersOf(5, how), expected, JSON.stringify(how));
    }
    assert.deepEqual(numbersOf(4, { run: 'middle', step: 'all', first: 1 }), [3, 1, 2, 4]);
});

test('row names continue from the first one', async () => {
    const { rowName } = await load('drawing/numbering.js');
    const names = (first, ...at) => at.map((i) => rowName(first, i));
    assert.deepEqual(names('A', 0, 1, 25, 26, 52), ['A', 'B', 'Z', 'AA', 'BA']);
    assert.deepEqual(names('Z', 0, 1), ['Z', 'AA']);
    assert.deepEqual(names('9', 0, 1), ['9', '10']);
    assert.deepEqual(names('Box 7', 0, 1), ['Box 7', 'Box 8']);
});

test('straight rows: seats one unit apart, around the middle, turned about the front row', async () => {
    const { seatsOf } = await load('drawing/block.js');
    const seats = seatsOf(await block('rows', { rows: 2, seats: 3, gap: 1.5, x: 10, y: 4 }));
    assert.deepEqual(seats.map(({ id, x, y }) => [id, x, y]), [
        ['Stalls-A-1', 9, 4], ['Stalls-A-2', 10, 4], ['Stalls-A-3', 11, 4],
        ['Stalls-B-1', 9, 5.5], ['Stalls-B-2', 10, 5.5], ['Stalls-B-3', 11, 5.5]]);
    const turned = seatsOf(await block('rows', { rows: 1, seats: 2, turn: 90 }));
    assert.deepEqual(turned.map(({ x, y }) => [x, y]), [[0, -0.5], [0, 0.5]]);
    const wider = seatsOf(await block('rows', { rows: 2, seats: 2, more: 2 }));
    assert.deepEqual(wider.map((seat) => seat.row), ['A', 'A', 'B', 'B', 'B', 'B']);
});

test('curved rows are on circles around one centre, seats a unit apart, the ends towards the front', async () => {
    const { seatsOf } = await load('drawing/block.js');
    const seats = seatsOf(await block('rows', { rows: 3, seats: 9, curve: 90, gap: 1 }));
    const radius = 8 / (Math.PI / 2);
    const middle = { x: 0, y: -radius };
    seats.forEach((seat) => near(far(seat, middle), radius + 'ABC'.indexOf(seat.row), seat.id));
    near(seats[4].y, 0, 'the middle of the front row');
    assert.ok(seats[0].y < seats[4].y && seats[0].x < 0);
    for (const [row, first] of [[0, 0], [1, 9], [2, 18]]) {
        near(far(seats[first], seats[first + 1]), 2 * (radius + row) * Math.sin(0.5 / (radius + row)), `neighbours in row ${row}`);
    }
});

test('parts are on the same circles, are their own sections, and leave an aisle', async () => {
    const { seatsOf } = await load('drawing/block.js');
    for (const curve of [0, 60]) {
        const seats = seatsOf(await block('rows', { rows: 4, seats: 5, more: 1, parts: 3, aisle: 2, curve }));
        assert.deepEqual([...new Set(seats.map((seat) => seat.section))], ['Stalls 1', 'Stalls 2', 'Stalls 3']);
        assert.equal(new Set(seats.map((seat) => seat.id)).size, seats.length);
        const [first, second] = ['Stalls 1', 'Stalls 2'].map((name) => seats.filter((seat) => seat.section === name));
        const least = Math.min(...first.flatMap((a) => second.map((b) => far(a, b))));
        assert.ok(least > 1.9, `curve ${curve}: an aisle of ${least}`);
    }
});

test('a table is a ring of seats, numbered clockwise from the front or the other way round', async () => {
    const { seatsOf } = await load('drawing/block.js');
    const ring = seatsOf(await block('tables', { name: 'Gala', seats: 6, x: 3, y: 2 }));
    ring.forEach((seat) => near(far(seat, { x: 3, y: 2 }), 6 / (2 * Math.PI), seat.id));
    assert.deepEqual(ring.map((seat) => seat.id), [1, 2, 3, 4, 5, 6].map((n) => `Gala-1-${n}`));
    assert.ok(ring[0].y < 2 && ring[1].x > 3, 'the first is nearest to the front, the second to its right');
    assert.ok(seatsOf(await block('tables', { seats: 6, run: 'right' }))[1].x < 0);
    const grid = seatsOf(await block('tables', { seats: 4, across: 3, down: 2 }));
    assert.deepEqual([...new Set(grid.map((seat) => seat.row))], ['1', '2', '3', '4', '5', '6']);
    const apart = Math.min(...grid.slice(0, 4).flatMap((a) => grid.slice(4, 8).map((b) => far(a, b))));
    assert.ok(apart >= 2, `tables are ${apart} apart`);
});

test('ids have only valid characters, whatever a block is called', async () => {
    const { idOf } = await load('drawing/block.js');
    assert.equal(idOf('Übergang (links)', 'A', '7'), 'Ubergang-links-A-7');
    assert.equal(idOf('平土间', 'A', '7'), 'A-7');
    assert.match(idOf('x'.repeat(300), 'y'.repeat(300), '9999'), /^[A-Za-z0-9._~-]{1,64}$/);
});

test('seats are chosen by rows and numbers as they are typed', async () => {
    const { keysOf } = await load('drawing/block.js');
    const rows = await block('rows', { rows: 4, seats: 12 });
    assert.deepEqual(keysOf(rows, 'B', '1-3'), ['0.1.0', '0.1.1', '0.1.2']);
    assert.equal(keysOf(rows, 'a-c', '').length, 36);
    assert.deepEqual(keysOf(rows, 'A, D', '12'), ['0.0.11', '0.3.11']);
    assert.deepEqual(keysOf(rows, 'X', '1'), []);
});

test('marks: an allotment, a tier, an accessible seat; defaults are no mark; the import has them', async () => {
    const plan = await load('drawing/plan.js');
    let hall = plan.addBlock(plan.emptyPlan(), 'rows', 'Stalls');
    hall = plan.changeTier(hall, 0, { name: 'gold', price: 4500 });
    hall = plan.addTier(hall, 'plain');
    hall = plan.changeTier(hall, 1, { price: 2000 });
    hall = plan.markSeats(hall, 1, ['0.0.0', '0.0.1'], { allotment: 'club', tier: 'plain' });
    hall = plan.markSeats(hall, 1, ['0.0.1'], { allotment: '' });
    hall = plan.markSeats(hall, 1, ['0.0.2'], { tier: 'gold', blocked: false });
    assert.deepEqual(hall.blocks[0].marks, { '0.0.0': { allotment: 'club', tier: 'plain' }, '0.0.1': { tier: 'plain' } });
    const [first, second, third] = plan.importOf(hall).map(({ seat }) => seat);
    assert.deepEqual([first.allotment, first.tier, first.price], ['club', 'plain', 2000]);
    assert.deepEqual([second.allotment, second.tier], [null, 'plain']);
    assert.deepEqual([third.tier, third.price, 'key' in third], ['gold', 4500, false]);
    assert.equal(plan.changeTier(hall, 1, { name: 'silver' }).blocks[0].marks['0.0.0'].tier, 'silver');
    assert.ok(plan.tierUsed(hall, 'plain') && !plan.tierUsed(hall, 'bronze'));
});

test('a new block lies below the others; a copy has the rows that follow; a mirrored one the numbers the other way', async () => {
    const plan = await load('drawing/plan.js');
    let hall = plan.addBlock(plan.emptyPlan(), 'rows', 'Left');
    hall = plan.addBlock(hall, 'tables', 'Tables');
    const [rows, tables] = hall.blocks;
    const { seatsOf } = await load('drawing/block.js');
    const { boxOf } = await load('drawing/box.js');
    assert.ok(boxOf(seatsOf(tables)).top > boxOf(seatsOf(rows)).bottom + 1);
    const copied = plan.copyBlock(hall, 1, {});
    assert.equal(copied.blocks[2].first_row, 'I');
    assert.deepEqual(plan.faultsOf(copied), []);
    hall = plan.changeBlock(hall, 1, { x: -9, turn: 20 });
    const mirrored = plan.copyBlock(hall, 1, { mirrored: true, name: 'Right' });
    assert.deepEqual([mirrored.blocks[2].x, mirrored.blocks[2].turn, mirrored.blocks[2].run, mirrored.blocks[2].name], [9, -20, 'right', 'Right']);
    assert.deepEqual(plan.faultsOf(plan.copyBlock(hall, 1, { mirrored: true, name: 'Left' })), [{ block: 3, key: 'hall_twice', id: 'Left-A-12' }]);
});

test('saved seats that are no longer drawn are known, and so are other seats of the event', async () => {
    const plan = await load('drawing/plan.js');
    let hall = plan.addBlock(plan.emptyPlan(), 'rows', 'S');
    hall = plan.changeBlock(hall, 1, { rows: 1, seats: 3 });
    const saved = plan.importOf(hall).map(({ seat }) => seat.id);
    assert.deepEqual(plan.goneOf(hall, saved), []);
    const smaller = plan.changeBlock(hall, 1, { seats: 2 });
    assert.deepEqual(plan.goneOf(smaller, saved), ['S-A-3']);
    const seats = ['S-A-1', 'S-A-3', 'X1'].map((id) => ({ id }));
    assert.deepEqual(plan.besideOf(smaller, saved, seats), { others: [{ id: 'X1' }], changed: 0 });
    assert.deepEqual(plan.besideOf(smaller, [], seats), { others: [{ id: 'S-A-3' }, { id: 'X1' }], changed: 1 });
});

test('a field accepts only numbers within its limits, and no block becomes too large to draw', async () => {
    const plan = await load('drawing/plan.js');
    assert.deepEqual(['0', '1', '1.5', '201', '', 'x'].map((text) => plan.limited('rows', text)), [null, 1, null, null, null, null]);
    assert.equal(plan.limited('x', '-3.25'), -3.25);
    const { blocks: [rows] } = plan.addBlock(plan.emptyPlan(), 'rows', 'S');
    assert.ok(plan.fits(rows, { seats: 300 }) && !plan.fits(rows, { seats: 300, rows: 200 }));
});

test('undo and redo go step by step; changes of one kind in a row are one step', async () => {
    const { Undo } = await load('undo.js');
    const undo = new Undo('a');
    undo.put('b');
    undo.put('c1', 'move');
    undo.put('c2', 'move');
    undo.settle();
    undo.put('d1', 'move');
    const seen = [];
    while (undo.canUndo) {
        undo.undo();
        seen.push(undo.state);
    }
    assert.deepEqual(seen, ['c2', 'b', 'a']);
    undo.redo();
    undo.redo();
    assert.equal(undo.state, 'c2');
    undo.put('e', 'move');
    assert.ok(!undo.canRedo);
    undo.undo();
    assert.equal(undo.state, 'c2', 'going back ends a row of changes');
});

test('a drawing is the same from its file, for another event without the saved state; other files are refused', async () => {
    const plan = await load('drawing/plan.js');
    const { draftFile, draftOfFile } = await load('drawing/draft.js');
    let hall = plan.addBlock(plan.addBlock(plan.emptyPlan(), 'rows', 'Left'), 'tables', 'Tables');
    hall = plan.copyBlock(plan.markSeats(plan.changeBlock(hall, 1, { x: -731.5 }), 1, ['0.0.0'], { allotment: 'club', blocked: true }), 1, { mirrored: true, name: 'Left mirrored '.repeat(5) });
    const text = draftFile('eras', { plan: hall, saved: ['A-1'] });
    hall = JSON.parse(JSON.stringify(hall)); /* where -0 is 0 */
    assert.deepEqual(draftOfFile('eras', text), { plan: hall, saved: ['A-1'] });
    assert.deepEqual(draftOfFile('other', text), { plan: hall, saved: [] });
    const changed = (change) => draftOfFile('eras', JSON.stringify(change(JSON.parse(text))));
    const block = (more) => changed((file) => ({ ...file, plan: { ...file.plan, blocks: [{ ...file.plan.blocks[0], ...more }] } }));
    assert.ok(block({ rows: 9 }));
    const wrong = [block({ kind: 'toString' }), block({ rows: 1e9 }), block({ rows: '9' }), block({ seats: 300, rows: 200 }), block({ marks: null }), block({ marks: { a: 1 } }),
        block({ x: null }), block({ name: 7 }), block({ first_row: {} }), changed((file) => ({ ...file, format: 'other' })), changed((file) => ({ ...file, saved: [1] })),
        changed((file) => ({ ...file, plan: { ...file.plan, tiers: [{ name: 'gold', price: -1 }] } })), changed(({ plan: drawn, ...file }) => ({ ...file, plan: { ...drawn, blocks: [drawn.blocks[0], drawn.blocks[0]] } })),
        draftOfFile('eras', 'id,row\n'), draftOfFile('eras', 'null'), draftOfFile('eras', '[]')];
    assert.deepEqual(wrong.filter(Boolean), []);
});

test('a large hall is saved in slices, and resumes where it was interrupted', async () => {
    const { SEATS_A_SLICE, saveSeats } = await load('drawing/saving.js');
    const all = 2 * SEATS_A_SLICE + 3;
    const seats = Array.from({ length: all }, (_, i) => ({ block: i < SEATS_A_SLICE ? 1 : 2, seat: { id: `s${i}` } }));
    const [posted, deleted, had] = [[], [], []];
    let refusals = 1;
    const client = {
        post: async (path, body) => {
            if (posted.length === 1 && refusals-- > 0) {
                throw Object.assign(new Error('Invalid.'), { code: 'invalid', pointer: '/5/price' });
            }
            posted.push(body.length);
        },
        delete: async (path, { body }) => deleted.push(body.ids.length),
    };
    const gone = Array.from({ length: SEATS_A_SLICE + 1 }, (_, i) => `g${i}`);
    const save = (reached) => saveSeats(client, 'eras', { seats, gone, reached, taken: (slice, now) => had.push(now) });
    await assert.rejects(save(0), ({ item }) => item.seat.id === `s${SEATS_A_SLICE + 5}` && item.block === 2);
    assert.deepEqual([had, deleted], [[SEATS_A_SLICE], []], 'nothing is removed before everything is there');
    await save(had.at(-1));
    assert.deepEqual([posted, had.at(-1), deleted], [[SEATS_A_SLICE, SEATS_A_SLICE, 3], all, [SEATS_A_SLICE, 1]]);
});
