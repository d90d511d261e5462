/* SPDX-License-Identifier: Apache-2.0 */
/* merge_patch.js — what a form has changed, as a JSON merge patch (RFC 7396): what others change meanwhile stays. */
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

/* What the patch makes of a record; the record stays as it is. */
export function applyPatch(record, patch) {
    const made = plain(record) ? { ...record } : {};
    for (const [name, value] of Object.entries(patch)) {
        if (plain(value)) {
            made[name] = applyPatch(made[name], value);
        } else if (value === null) {
            delete made[name];
        } else {
            made[name] = value;
        }
    }
    return made;
}

/* Where two patches of the same record contradict each other, as the names that lead there: [['venue'], ['prices', 'gold']]. */
export function contradictions(mine, theirs) {
    return Object.keys(mine).filter((name) => Object.hasOwn(theirs, name)).flatMap((name) => {
        const [one, other] = [mine[name], theirs[name]];
        if (plain(one) && plain(other)) {
            return contradictions(one, other).map((inside) => [name, ...inside]);
        }
        return same(one, other) ? [] : [[name]];
    });
}
