/* SPDX-License-Identifier: Apache-2.0 */
/* table.js — the demo's data as a table in C.
 *
 *     node src/cli/demo/table.js src/cli/demo/catalogue.json > build/gen/demo.inc
 *
 * The data is a list of parts, each made of calls to the API, which the demo makes in their order when it starts:
 *
 *     {"unless": "/v1/events", "calls": […]}       if that list is empty
 *     {"where": "/v1/fleets/taxi", "calls": […]}   if that exists
 *     {"put" or "post": path, "body": …}           a call; times as in cli/demo_time.h
 *     {"post": path, "hall": {…}}                  an import of seats, as CSV:
 *
 *     rows, seats   how many rows a section has, and how many seats a row
 *     tiers         name and price of each, front to back. A tier is four sections side by side. Sections are A, B, C …,
 *                   their rows 1, 2, 3 …, the seats A-1-1 …
 *     price         without tiers: there are no sections, rows are A, B, C …, the seats A1 …
 *     front_row     the allotment of the first row
 *     arc           rows are arcs around the stage, the first one this far from it, in seats; without it they are straight
 */
'use strict';

const fs = require('node:fs');

const ABREAST = 4; /* sections of a tier */
const AISLE = 3; /* between sections, in seats */

const letter = (index) => String.fromCharCode('A'.charCodeAt(0) + index);
const range = (count) => [...Array(count).keys()];

/* Where a seat is: x from the middle of the hall, y from the first row. `place` counts sections from the middle. Neighbours in a
 * row are 1 apart, so on arcs the aisles widen towards the back. Arcs bring the outer sections closer to the front than the middle;
 * they are moved back, half a row behind it, so that `best`, which goes by y, starts in the middle. */
function seatAt({ rows, seats, arc }, { bank, place, row, seat }) {
    const half = (seats - 1) / 2, along = seat - half;
    const across = (section) => section * (seats + AISLE);
    if (!arc) {
        return [across(place) + along, bank * (rows + AISLE) + row];
    }
    const tilt = Math.sin(across((ABREAST - 1) / 2) / arc); /* of the outermost section: it reaches that far back */
    const depth = bank * (rows + AISLE + seats * tilt);
    const start = arc + depth;
    const outermost = (section) => Math.cos((across(Math.abs(section)) + half) / start);
    const back = Math.abs(place) > 0.5 ? (start * outermost(0.5) + 0.5) / outermost(place) - start : 0;
    const radius = start + back + row;
    const angle = across(place) / start + along / radius;
    return [radius * Math.sin(angle), radius * Math.cos(angle) - arc].map((length) => Math.round(length * 100) / 100);
}

function hallCsv(hall) {
    const { rows, seats, tiers = {}, price, front_row: frontRow = '' } = hall;
    const lines = ['id,section,row,number,x,y,tier,price,accessible,allotment'];
    const banks = price === undefined ? Object.entries(tiers) : [['', price]];
    banks.forEach(([tier, cost], bank) => range(tier ? ABREAST : 1).forEach((place, _, abreast) => range(rows).forEach((r) => range(seats).forEach((s) => {
        const section = tier ? letter(bank * ABREAST + place) : '';
        const row = tier ? r + 1 : letter(r);
        const id = tier ? `${section}-${row}-${s + 1}` : `${row}${s + 1}`;
        const allotment = bank + place + r === 0 ? frontRow : '';
        const at = seatAt(hall, { bank, place: place - (abreast.length - 1) / 2, row: r, seat: s });
        lines.push([id, section, row, s + 1, ...at, tier, cost, r === 0 && s < 2, allotment].join());
    }))));
    return `${lines.join('\n')}\n`;
}

/* A literal for each line. */
const literal = (text) => text.split(/(?<=\n)/).map((line) => JSON.stringify(line)).join('\n      ');

/* Which of the names the object has; it must be one, or the build ends here with the place. */
function one(object, names, place) {
    const found = names.filter((name) => name in object);
    if (found.length !== 1) {
        throw new Error(`${place}: expected ${names.join(' or ')}, got ${JSON.stringify(object).slice(0, 100)}`);
    }
    return found[0];
}

function callRow(call, place) {
    const method = one(call, ['put', 'post'], place);
    const csv = one(call, ['body', 'hall'], place) === 'hall';
    return `    {METHOD_${method.toUpperCase()}, "${call[method]}", "${csv ? 'text/csv' : 'application/json'}",
      ${literal(csv ? hallCsv(call.hall) : JSON.stringify(call.body))}},`;
}

function partRow(part, index) {
    const condition = one(part, ['unless', 'where'], `part ${index + 1}`);
    const rows = part.calls.map((call, i) => callRow(call, `part ${index + 1}, call ${i + 1}`));
    return `{.${condition} = "${part[condition]}", .count = ${rows.length}, .calls = (const struct demo_call[]){\n${rows.join('\n')}\n}},`;
}

const parts = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
process.stdout.write(`/* Made by src/cli/demo/table.js. */\n${parts.map(partRow).join('\n')}\n`);
