/* SPDX-License-Identifier: Apache-2.0 */
/* Histories written by hand: one function per op, times in milliseconds, seats without their event. */
'use strict';

const DONE = {
    hold: 'granted', buy: 'confirmed', commit: 'confirmed', release: 'released', extend: 'extended',
    transfer: 'transferred', refund: 'refunded', move: 'moved', read: 'shown',
};
const US_PER_MS = 1000;

/* 'A1' or 'floor:3' (units), as an item. */
function item(text) {
    const [object, units] = text.split(':');
    return { object: `hall/${object}`, ...(units ? { units: Number(units) } : {}) };
}

/* A call by `client` from one time to another: `more` are fields of the line, with `until` for its deadline. */
function line(op, client, from, to, objects, more = {}) {
    const { until, ...fields } = more;
    return {
        op,
        client,
        call_us: from * US_PER_MS,
        ...(to === undefined ? {} : { answer_us: to * US_PER_MS }),
        outcome: DONE[op],
        ...(until === undefined ? {} : { expires_us: until * US_PER_MS }),
        items: objects.split(' ').map(item),
        ...fields,
    };
}

/* hold('ann', 1, 2, 'A1', 'r1', 1000): granted until 1000 ms; without a reservation: refused as taken. */
function hold(client, from, to, objects, reservation, until, more = {}) {
    if (!reservation) return line('hold', client, from, to, objects, { outcome: 'refused:taken', ...more });
    return line('hold', client, from, to, objects, { reservation, until, ...more });
}

/* change('commit', 'ann', 3, 4, 'A1', 'r1') */
function change(op, client, from, to, objects, reservation, more = {}) {
    return line(op, client, from, to, objects, { reservation, ...more });
}

/* read('ann', 5, 6, { A1: 'held r1', A2: 'free', floor: 'available 3' }) */
function read(client, from, to, shown, more = {}) {
    const items = Object.entries(shown).map(([object, words]) => {
        const [status, rest] = words.split(' ');
        const detail = status === 'available' ? { units: Number(rest) } : rest ? { reservation: rest } : {};
        return { object: `hall/${object}`, status, ...detail };
    });
    return { op: 'read', client, call_us: from * US_PER_MS, answer_us: to * US_PER_MS, outcome: 'shown', items, ...more };
}

const pool = (object, units) => ({ op: 'pool', items: [{ object: `hall/${object}`, units }] });

const text = (lines) => lines.map((entry) => JSON.stringify(entry)).join('\n') + '\n';

module.exports = { hold, change, read, pool, text };
