/* SPDX-License-Identifier: Apache-2.0 */
/* merge_patch.js — what a form has changed, as a JSON merge patch (RFC 7396): what somebody else changes meanwhile stays. */
const plain = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/* {} when nothing has changed. A member that is gone, or undefined, becomes null. */
export function mergePatch(before, after) {
    const patch = {};
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const [old, now] = [before[name] ?? null, after[name] ?? null];
        if (plain(old) && plain(now)) {
            const inside = mergePatch(old, now);
            Object.keys(inside).length && (patch[name] = inside);
        } else if (!same(old, now)) {
            patch[name] = now;
        }
    }
    return patch;
}
