/* SPDX-License-Identifier: Apache-2.0 */
/* code_batch.js — codes of an event as the server takes them: random ones, and a list of them as CSV. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ'; /* none that look alike */
const GROUPS = 2, GROUP_SIZE = 4; /* 39 bits */

export const CODE = /^[A-Za-z0-9._~-]{4,64}$/;

/* A letter, each as likely as the others: bytes beyond the last whole set are drawn again. */
function letter() {
    const limit = 256 - 256 % LETTERS.length;
    for (;;) {
        const [byte] = crypto.getRandomValues(new Uint8Array(1));
        if (byte < limit) {
            return LETTERS[byte % LETTERS.length];
        }
    }
}

const randomCode = () => Array.from({ length: GROUPS }, () => Array.from({ length: GROUP_SIZE }, letter).join('')).join('-');

/* As many different codes. */
export function randomCodes(count) {
    const codes = new Set();
    while (codes.size < count) {
        codes.add(randomCode());
    }
    return [...codes];
}

const cell = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/* With the columns that an import reads; `used` is left out, as an import refuses it. */
export const codesCsv = (codes) => ['code,units,tiers,allotment',
    ...codes.map(({ code, units, tiers, allotment }) => [code, units ?? 0, (tiers ?? []).join(';'), allotment ?? ''].map((value) => cell(String(value))).join(','))].join('\n') + '\n';
