/* SPDX-License-Identifier: Apache-2.0 */
/* chosen.js — rows and numbers as typed by hand: 'A-C, F' of these names in their order; '' means all of them. */
function chosenOf(text, names) {
    const wanted = text.split(',').map((part) => part.trim()).filter(Boolean);
    if (!wanted.length) {
        return new Set(names);
    }
    const at = (name) => names.findIndex((one) => one.toUpperCase() === name.trim().toUpperCase());
    return new Set(wanted.flatMap((part) => {
        const alone = at(part);
        const [from, to] = alone >= 0 ? [alone, alone] : part.split(/[-–]/).map(at);
        return from >= 0 && to >= 0 ? names.slice(Math.min(from, to), Math.max(from, to) + 1) : [];
    }));
}

const natural = new Intl.Collator('en', { numeric: true }).compare;

/* The keys of those seats that are in these rows and have these numbers. */
export function chosenKeys(seats, rows, numbers) {
    const namesOf = (part) => [...new Set(seats.map((seat) => seat[part] ?? ''))];
    const inRows = chosenOf(rows, namesOf('row'));
    const inNumbers = chosenOf(numbers, namesOf('number').sort(natural));
    return seats.filter((seat) => inRows.has(seat.row ?? '') && inNumbers.has(seat.number ?? '')).map((seat) => seat.key);
}
