/* SPDX-License-Identifier: Apache-2.0 */
/* seat_sheet.js — a file of seats before it is imported: its columns, its seats, and what is wrong on which line.
 *
 * Judges as the import does (src/http/catalogue/seat_csv.c), but all lines: the server names the first. A fault is {key, …values}
 * of a text, with the `column` that it is about, if any. What the server then says is added by `mark`.
 */
import { readCsv } from './csv.js';

export const COLUMNS = ['id', 'section', 'row', 'number', 'x', 'y', 'tier', 'price', 'accessible', 'blocked', 'allotment'];
const LABEL_BYTES = 64;
const PRICE_MOST = 1_000_000_000_000;
const THOUSANDTHS_MOST = 2_147_483_647;
const ID = /^[A-Za-z0-9._~-]{1,64}$/;
const BOOLEANS = { true: true, 1: true, false: false, 0: false };

const bytes = new TextEncoder();
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const label = (value) => bytes.encode(value).length <= LABEL_BYTES && !CONTROL.test(value);
const coordinate = (value) => value === '' || (/^-?(\d+\.?\d*|\.\d+)$/.test(value) && Math.abs(Number(value)) * 1000 <= THOUSANDTHS_MOST);
const truth = (value) => value === '' || value in BOOLEANS;

/* column → [whether a value will do, what to say otherwise] */
const RULES = {
    id: [(value) => ID.test(value), 'sheet_bad_id'],
    section: [label, 'sheet_bad_label'],
    row: [label, 'sheet_bad_label'],
    number: [label, 'sheet_bad_label'],
    tier: [label, 'sheet_bad_label'],
    x: [coordinate, 'sheet_bad_coordinate'],
    y: [coordinate, 'sheet_bad_coordinate'],
    price: [(value) => value === '' || (/^\d+$/.test(value) && Number(value) <= PRICE_MOST), 'sheet_bad_price'],
    accessible: [truth, 'sheet_bad_boolean'],
    blocked: [truth, 'sheet_bad_boolean'],
    allotment: [(value) => value === '' || (ID.test(value) && value !== 'blocked'), 'sheet_bad_allotment'],
};

function headerFaults(record) {
    if (!record) {
        return [{ key: 'sheet_empty' }];
    }
    const faults = record.fault ? [{ key: record.fault }] : [];
    record.fields.forEach((name, i) => {
        if (!COLUMNS.includes(name)) {
            faults.push({ key: 'sheet_unknown_column', name, column: name });
        } else if (record.fields.indexOf(name) < i) {
            faults.push({ key: 'sheet_column_twice', name, column: name });
        }
    });
    return record.fields.includes('id') ? faults : [...faults, { key: 'sheet_no_id' }];
}

function rowFaults(record, columns, lineOf) {
    if (record.fault) {
        return [{ key: record.fault }];
    }
    if (record.fields.length !== columns.length) {
        return [{ key: 'sheet_fields', expected: columns.length, got: record.fields.length }];
    }
    const faults = [];
    columns.forEach((column, i) => {
        const rule = RULES[column];
        if (rule && !rule[0](record.fields[i])) {
            faults.push({ key: rule[1], column, value: record.fields[i] });
        }
    });
    const id = record.fields[columns.indexOf('id')];
    if (id && lineOf.has(id)) {
        faults.push({ key: 'sheet_seat_twice', column: 'id', value: id, line: lineOf.get(id) });
    } else if (id) {
        lineOf.set(id, record.line);
    }
    return faults;
}

const SHAPES = {
    x: Number, y: Number, price: Number, accessible: (value) => BOOLEANS[value], blocked: (value) => BOOLEANS[value],
};

/* A record as a seat, for a plan of it. */
function seatOf(record, columns) {
    const seat = {};
    columns.forEach((column, i) => {
        if (record.fields[i] !== '') {
            seat[column] = (SHAPES[column] ?? String)(record.fields[i]);
        }
    });
    return { price: 0, accessible: false, ...seat };
}

export class SeatSheet {
    constructor(text) {
        const [header, ...records] = readCsv(text);
        const lineOf = new Map();
        this.text = text;
        this.columns = header?.fields ?? [];
        this.faults = headerFaults(header); /* of the header */
        this.rows = records.map((record) => ({ ...record, faults: rowFaults(record, this.columns, lineOf) }));
        if (!this.faults.length && !this.rows.length) {
            this.faults.push({ key: 'sheet_no_seats' });
        }
    }

    get wrong() {
        return this.rows.filter((row) => row.faults.length);
    }

    get good() {
        return this.faults.length === 0 && this.rows.every((row) => !row.faults.length);
    }

    get seats() {
        return this.rows.filter((row) => !row.faults.length).map((row) => seatOf(row, this.columns));
    }

    /* What the server found wrong: `line` as in its answer, or the seats that it names. */
    mark({ line, items = [] }, said) {
        const id = this.columns.indexOf('id');
        const named = new Set(items.map(({ seat }) => seat));
        for (const row of this.rows) {
            if (row.line === line || named.has(row.fields[id])) {
                row.faults.push({ key: 'sheet_said', said });
            }
        }
        if (line === 1) {
            this.faults.push({ key: 'sheet_said', said });
        }
    }
}
