/* SPDX-License-Identifier: Apache-2.0 */
/* block.js — a block of a drawn hall, and where its seats are. No elements, no server.
 *
 * One unit is the distance of two seats. x grows to the right, y away from the front. A block lies at (x, y), turned by
 * `turn` degrees: of rows that is the middle of the front row, of tables the middle of all of them.
 *
 * rows      `rows` of `seats` each, `more` seats in each further row, `gap` apart. `curve`: degrees of a circle
 *           are taken by the front row, the rows behind it lie on circles around the same middle; 0: straight.
 *           `parts` such blocks lie beside each other, on the same circles, with an aisle of `aisle` seats between.
 * tables    `across` × `down` rings of `seats`, with `gap` free between them.
 *
 * `marks` says what is different about single seats: {"part.row.place": {tier, allotment, accessible, blocked}}.
 */
import { chosenKeys } from './chosen.js';
import { numbersOf, rowName } from './numbering.js';

/* name → [least, most, step of the field] */
export const LIMITS = {
    x: [-500, 500, 0.5], y: [-500, 500, 0.5], turn: [-180, 180, 5],
    rows: [1, 200, 1], seats: [1, 300, 1], more: [-20, 20, 1], curve: [0, 180, 5], gap: [0.5, 20, 0.1],
    parts: [1, 12, 1], aisle: [0, 40, 0.5], across: [1, 60, 1], down: [1, 60, 1], first_number: [1, 9999, 1],
};
export const SEATS_MOST = 20_000; /* of one block */

const SHARED = { turn: 0, first_number: 1, run: 'left', step: 'all', tier: '', marks: {} };
export const KINDS = {
    rows: { ...SHARED, rows: 8, seats: 12, more: 0, curve: 0, gap: 1.2, parts: 1, aisle: 2, first_row: 'A' },
    tables: { ...SHARED, seats: 8, across: 1, down: 1, gap: 2, first_row: '1' },
};

const rad = (degrees) => (degrees * Math.PI) / 180;
const round = (value) => Math.round(value * 1000) / 1000 + 0;

/* How many seats it has in each row of a part. */
const lengthOf = (block, row) => Math.max(1, block.seats + row * block.more);

export function sizeOf(block) {
    if (block.kind === 'tables') {
        return block.seats * block.across * block.down;
    }
    let sum = 0;
    for (let row = 0; row < block.rows; row++) {
        sum += lengthOf(block, row);
    }
    return sum * block.parts;
}

/* Parts in a line: each as wide as its widest row. */
function straight(block) {
    const widest = Math.max(block.seats, lengthOf(block, block.rows - 1));
    return ({ part, row, offset }) => [(part - (block.parts - 1) / 2) * (widest + block.aisle) + offset, row * block.gap];
}

/* Parts on one circle: each takes the angle that its rows need, so that the aisles run towards the middle. */
function curved(block) {
    const front = block.parts * block.seats + (block.parts - 1) * block.aisle - 1;
    const radius = Math.max(front, 1) / rad(block.curve);
    const around = (row) => radius + row * block.gap;
    const needs = Math.max(block.seats / radius, lengthOf(block, block.rows - 1) / around(block.rows - 1));
    const each = needs + block.aisle / radius;
    return ({ part, row, offset }) => {
        const angle = (part - (block.parts - 1) / 2) * each + offset / around(row);
        return [around(row) * Math.sin(angle), around(row) * Math.cos(angle) - radius];
    };
}

function rowPlaces(block) {
    const at = block.curve > 0 ? curved(block) : straight(block);
    const places = [];
    for (let part = 0; part < block.parts; part++) {
        for (let row = 0; row < block.rows; row++) {
            const count = lengthOf(block, row);
            const numbers = numbersOf(count, { run: block.run, step: block.step, first: block.first_number });
            for (let place = 0; place < count; place++) {
                places.push({
                    key: `${part}.${row}.${place}`, at: at({ part, row, offset: place - (count - 1) / 2 }),
                    section: block.parts > 1 ? `${block.name} ${part + 1}`.trim() : block.name,
                    row: rowName(block.first_row, row), number: String(numbers[place]),
                });
            }
        }
    }
    return places;
}

const ringRadius = (block) => Math.max(0.9, block.seats / (2 * Math.PI));

/* The middles of its tables, before it is turned. */
function tableMiddles(block) {
    const each = 2 * ringRadius(block) + 1 + block.gap;
    return Array.from({ length: block.across * block.down }, (_, table) => [
        ((table % block.across) - (block.across - 1) / 2) * each, (Math.floor(table / block.across) - (block.down - 1) / 2) * each]);
}

/* Numbers run clockwise from the seat nearest to the front, or the other way round. */
function tablePlaces(block) {
    const radius = ringRadius(block);
    const run = block.run === 'middle' ? 'left' : block.run;
    const numbers = numbersOf(block.seats, { run: 'left', step: block.step, first: block.first_number });
    return tableMiddles(block).flatMap(([left, top], table) => numbers.map((number, place) => {
        const angle = (2 * Math.PI * place) / block.seats * (run === 'left' ? 1 : -1);
        return {
            key: `${table}.0.${place}`, at: [left + radius * Math.sin(angle), top - radius * Math.cos(angle)],
            section: block.name, row: rowName(block.first_row, table), number: String(number),
        };
    }));
}

/* What an id may have in it. */
const slug = (text) => text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '').replace(/[^A-Za-z0-9._~]+/g, '-').replace(/^-+|-+$/g, '');

export function idOf(section, row, number) {
    return [slug(section).slice(0, 40), slug(row).slice(0, 12), slug(number)].filter(Boolean).join('-');
}

/* Turned about the block's own point, and put where it is. */
function outward(block) {
    const [cos, sin] = [Math.cos(rad(block.turn)), Math.sin(rad(block.turn))];
    return ([x, y]) => [block.x + x * cos - y * sin, block.y + x * sin + y * cos];
}

const made = new WeakMap(); /* blocks are never changed */

/* Its seats: {key, id, x, y, section, row, number, tier, accessible, blocked, allotment}. */
export function seatsOf(block) {
    if (!made.has(block)) {
        const place = outward(block);
        made.set(block, (block.kind === 'tables' ? tablePlaces(block) : rowPlaces(block)).map(({ key, at, section, row, number }) => {
            const [x, y] = place(at);
            return {
                key, id: idOf(section, row, number), x: round(x), y: round(y), section, row, number,
                tier: block.tier, accessible: false, blocked: false, allotment: '', ...block.marks[key],
            };
        }));
    }
    return made.get(block);
}

/* The keys of the seats in these rows with these numbers, as typed by hand. */
export const keysOf = (block, rows, numbers) => chosenKeys(seatsOf(block), rows, numbers);
