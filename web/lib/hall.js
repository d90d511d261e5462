/* SPDX-License-Identifier: Apache-2.0 */
/* hall.js — an event's seats as a plan: where each is, what it costs, how it stands. No elements, no server.
 *
 * Lengths are in units of the layout, moved so that the plan begins at 0,0 with a margin around it; `pitch` is the usual
 * distance of neighbours. Seats without coordinates are put into rows, the sections one below the other. A seat is known by
 * its index in the layout.
 */
export const STATUSES = ['available', 'held', 'sold', 'blocked'];
const MARGIN = 1.5; /* of the plan, in seats: it has room for the names of rows */
const LETTERS = { a: 0, h: 1, s: 2, b: 3 };

const natural = new Intl.Collator('en', { numeric: true }).compare;

/* Rows below each other, sections too. */
function placed(seats) {
    const sections = Map.groupBy ? Map.groupBy(seats, (seat) => seat.section) : grouped(seats, (seat) => seat.section);
    let y = 0;
    const places = new Map();
    for (const name of [...sections.keys()].sort(natural)) {
        const rows = grouped(sections.get(name), (seat) => seat.row);
        for (const row of [...rows.keys()].sort(natural)) {
            const list = [...rows.get(row)].sort((a, b) => natural(a.number, b.number));
            list.forEach((seat, i) => places.set(seat, [i - list.length / 2, y]));
            y += 1.15;
        }
        y += 2;
    }
    return places;
}

function grouped(list, key) {
    const groups = new Map();
    for (const one of list) {
        const name = key(one);
        groups.has(name) ? groups.get(name).push(one) : groups.set(name, [one]);
    }
    return groups;
}

/* A row in the order side by side, as the server joins it: by number, where seats a smallest step apart are neighbours;
 * without numbers in the order of the layout. A list of the runs between its aisles. */
function runsOf(row) {
    const numbered = row.every(({ number }) => /^\d{1,9}$/.test(number));
    const at = (seat) => (numbered ? Number(seat.number) : seat.index);
    const ordered = [...row].sort((a, b) => at(a) - at(b) || a.index - b.index);
    const gap = (seat, i) => at(seat) - at(ordered[i - 1]);
    const step = ordered.reduce((least, seat, i) => (i > 0 && gap(seat, i) > 0 ? Math.min(least, gap(seat, i)) : least), Infinity);
    const runs = [];
    ordered.forEach((seat, i) => (i > 0 && (!numbered || gap(seat, i) === step) ? runs.at(-1).push(seat) : runs.push([seat])));
    return runs;
}

function median(values) {
    return values.length ? values.sort((a, b) => a - b)[values.length >> 1] : 1;
}

export class Hall {
    constructor(layout, event) {
        this.event = event;
        this.currency = event.currency;
        const all = layout.seats.map((seat) => ({ ...seat, section: seat.section ?? '', row: seat.row ?? '', number: seat.number ?? '' }));
        const places = all.some((seat) => typeof seat.x !== 'number' || typeof seat.y !== 'number') ? placed(all) : null;
        this.seats = all.map((seat, index) => {
            const [x, y] = places?.get(seat) ?? [seat.x, seat.y];
            return { ...seat, index, x, y };
        });
        this.index = new Map(this.seats.map((seat) => [seat.id, seat.index]));
        this.status = new Uint8Array(this.seats.length);
        this.runs = new Map(); /* by row, once asked for */
        this.#rows();
        this.#move();
        this.#sections();
        this.#tiers();
    }

    get size() {
        return this.seats.length;
    }

    /* Neighbours in each row, from left to right, and the usual distance between them. */
    #rows() {
        const rows = grouped(this.seats, (seat) => `${seat.section}\n${seat.row}`);
        const gaps = [];
        this.rows = [...rows.values()].map((row) => row.sort((a, b) => a.x - b.x || a.y - b.y));
        for (const row of this.rows) {
            row.forEach((seat, i) => {
                seat.line = row;
                seat.place = i;
                const next = row[i + 1];
                if (next && gaps.length < 5_000) {
                    gaps.push(Math.hypot(next.x - seat.x, next.y - seat.y));
                }
            });
        }
        this.pitch = median(gaps.filter((gap) => gap > 0));
    }

    #move() {
        const xs = this.seats.map((seat) => seat.x);
        const ys = this.seats.map((seat) => seat.y);
        const least = (list) => list.reduce((a, b) => Math.min(a, b), Infinity);
        const most = (list) => list.reduce((a, b) => Math.max(a, b), -Infinity);
        const [left, top] = this.size ? [least(xs), least(ys)] : [0, 0];
        const margin = this.pitch * MARGIN;
        this.seats.forEach((seat) => {
            seat.x += margin - left;
            seat.y += margin - top;
        });
        this.width = this.size ? most(xs) - left + 2 * margin : 0;
        this.height = this.size ? most(ys) - top + 2 * margin : 0;
    }

    #sections() {
        const groups = grouped(this.seats, (seat) => seat.section);
        this.sections = [...groups].map(([name, seats], number) => {
            const edge = this.pitch * 0.75;
            const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
            for (const seat of seats) {
                seat.area = number;
                box.left = Math.min(box.left, seat.x - edge);
                box.right = Math.max(box.right, seat.x + edge);
                box.top = Math.min(box.top, seat.y - edge);
                box.bottom = Math.max(box.bottom, seat.y + edge);
            }
            return { name, number, seats, free: seats.length, ...box };
        });
    }

    /* The dearest first: each has a colour and a shape. */
    #tiers() {
        const prices = new Map();
        for (const seat of this.seats) {
            const cost = this.price(seat) ?? seat.price;
            const known = prices.get(seat.tier ?? '');
            prices.set(seat.tier ?? '', known ? [Math.min(known[0], cost), Math.max(known[1], cost)] : [cost, cost]);
        }
        this.tiers = [...prices].map(([name, [least, most]]) => ({ name, least, most }))
            .sort((a, b) => b.most - a.most || natural(a.name, b.name));
        const number = new Map(this.tiers.map(({ name }, i) => [name, i]));
        this.seats.forEach((seat) => { seat.rank = number.get(seat.tier ?? ''); });
    }

    /* What a seat costs in a category (by default the first one); null: it is not sold in that. */
    price(seat, category = this.event.categories?.[0]) {
        const own = this.event.prices?.[seat.tier ?? '']?.[category];
        if (own !== undefined) {
            return own;
        }
        return category === this.event.categories?.[0] ? seat.price ?? 0 : null;
    }

    /* ---- How they stand ---- */

    /* A letter for each seat, in the order of the layout. */
    setMap(letters) {
        for (let i = 0; i < this.size; i++) {
            this.status[i] = LETTERS[letters[i]];
        }
        this.count();
    }

    setAll(statuses) {
        for (const seat of this.seats) {
            this.status[seat.index] = STATUSES.indexOf(statuses[seat.id] ?? 'blocked');
        }
        this.count();
    }

    count() {
        for (const section of this.sections) {
            section.free = section.seats.reduce((n, seat) => n + (this.status[seat.index] === 0), 0);
        }
    }

    /* Whether it is another than before. */
    set(index, status) {
        const code = STATUSES.indexOf(status);
        const before = this.status[index];
        if (code === before) {
            return false;
        }
        this.status[index] = code;
        this.sections[this.seats[index].area].free += (code === 0) - (before === 0);
        return true;
    }

    get free() {
        return this.sections.reduce((n, section) => n + section.free, 0);
    }

    statusOf(index) {
        return STATUSES[this.status[index]];
    }

    /* The free seat nearest to this one, rather in its row, of the same tier if there is one; null: none. */
    nearest(index) {
        const from = this.seats[index];
        let best = null;
        let least = Infinity;
        for (const seat of this.seats) {
            if (this.status[seat.index] !== 0 || seat.index === index) {
                continue;
            }
            const far = Math.hypot(seat.x - from.x, seat.y - from.y) / this.pitch + (seat.rank === from.rank ? 0 : 1_000) +
                (seat.line === from.line ? 0 : 0.5) +
                (seat.accessible === from.accessible ? 0 : 50);
            if (far < least) {
                [best, least] = [seat, far];
            }
        }
        return best;
    }

    /* The seats side by side with this one, up to an aisle or the end of the row, and its place among them. */
    runOf(index) {
        const { line } = this.seats[index];
        this.runs.has(line) || this.runs.set(line, runsOf(line));
        const run = this.runs.get(line).find((one) => one.some((seat) => seat.index === index));
        return { run, place: run.findIndex((seat) => seat.index === index) };
    }

    /* The seat that a key leads to: along the row, to its ends, or to the next row. */
    beside(index, key) {
        const seat = this.seats[index];
        switch (key) {
        case 'ArrowLeft': return seat.line[seat.place - 1] ?? null;
        case 'ArrowRight': return seat.line[seat.place + 1] ?? null;
        case 'Home': return seat.line[0];
        case 'End': return seat.line.at(-1);
        case 'ArrowUp': return this.#across(seat, -1);
        case 'ArrowDown': return this.#across(seat, 1);
        default: return null;
        }
    }

    #across(from, way) {
        let best = null;
        let least = Infinity;
        for (const seat of this.seats) {
            const along = (seat.y - from.y) * way;
            if (seat.line === from.line || along < this.pitch * 0.3) {
                continue;
            }
            const far = along + Math.abs(seat.x - from.x) * 2;
            if (far < least) {
                [best, least] = [seat, far];
            }
        }
        return best;
    }
}
