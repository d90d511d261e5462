/* SPDX-License-Identifier: Apache-2.0 */
/* amount.js — money as people type it, and as minor units: '45.50' EUR is 4550, '45' JPY is 45. */
function digitsOf(currency) {
    try {
        return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
    } catch {
        return 2; /* no currency yet: it is being typed */
    }
}

export function typed(amount, currency) {
    const digits = digitsOf(currency);
    return amount === null || amount === undefined ? '' : (amount / 10 ** digits).toFixed(digits);
}

/* null: it is no amount in that currency. A comma will do for the point. */
export function minor(text, currency) {
    const digits = digitsOf(currency);
    const [, whole, part = ''] = /^(\d{1,13})(?:[.,](\d*))?$/.exec(String(text).trim()) ?? [];
    return whole === undefined || part.length > digits ? null : Number(whole + part.padEnd(digits, '0'));
}
