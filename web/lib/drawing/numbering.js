/* SPDX-License-Identifier: Apache-2.0 */
/* numbering.js — the names of rows and the numbers of seats in them. */
export const STEPS = ['all', 'odd', 'even'];

const letters = (n) => (n < 26 ? '' : letters(Math.floor(n / 26) - 1)) + String.fromCharCode(65 + (n % 26));
const ordinal = (text) => [...text].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/* The name of the row `i` behind the first: A, B, … Z, AA; 1, 2; R1, R2. */
export function rowName(first, i) {
    const [, stem, digits] = /^(.*?)(\d*)$/.exec(first);
    if (digits) {
        return `${stem}${Number(digits) + i}`;
    }
    if (/^[A-Z]{1,3}$/.test(first)) {
        return letters(ordinal(first) + i);
    }
    return i === 0 ? first : `${first} ${i + 1}`.trim();
}

/* Numbers of `count` seats beside each other, from left to right on the plan.
 *
 * run: from the left, from the right, or 'middle': odd numbers to the left of it, even ones to the right.
 * step: all numbers, odd ones, even ones, the least being `first` or the next above it. */
export function numbersOf(count, { run, step, first }) {
    if (run === 'middle') {
        const half = Math.ceil(count / 2);
        return Array.from({ length: count }, (_, i) => (i < half ? 2 * (half - i) - 1 : 2 * (i - half) + 2));
    }
    const parity = step === 'odd' ? 1 : 0;
    const least = step === 'all' || first % 2 === parity ? first : first + 1;
    const stride = step === 'all' ? 1 : 2;
    return Array.from({ length: count }, (_, i) => least + stride * (run === 'left' ? i : count - 1 - i));
}
