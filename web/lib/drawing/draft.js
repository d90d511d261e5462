/* SPDX-License-Identifier: Apache-2.0 */
/* draft.js — drawings as this browser keeps them, by event, and as files: the server keeps the seats that were made from them.
 *
 *     plan      the drawing
 *     saved     the ids of the seats that were saved from it
 *     reached   of a save that was cut short, how many seats of this very plan the server has
 */
import { KINDS } from './block.js';
import { emptyPlan, fits, limited } from './plan.js';

const FORMAT = 'holdfast-hall';
const NAME_MOST = 1000; /* a block may be mirrored again and again */
const keyOf = (event) => `holdfast:hall:${event}`;

const isText = (value) => typeof value === 'string' && value.length <= NAME_MOST;
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const isMark = (mark) => isObject(mark) && Object.values(mark).every((value) => isText(value) || typeof value === 'boolean');
const isTier = (tier) => isObject(tier) && isText(tier.name) && Number.isSafeInteger(tier.price) && tier.price >= 0;
const isIds = (ids) => Array.isArray(ids) && ids.every(isText);

/* Numbers where its kind has numbers, within their limits; names where it has names. It may have been dragged anywhere. */
function isBlock(block) {
    if (!isObject(block) || !Object.hasOwn(KINDS, block.kind) || !isText(block.name) || !Number.isSafeInteger(block.id) || !isObject(block.marks)) {
        return false;
    }
    const good = ([name, value]) => name === 'marks' || (typeof value === 'number'
        ? typeof block[name] === 'number' && limited(name, String(block[name])) !== null : isText(block[name]));
    return Object.entries(KINDS[block.kind]).every(good) && Number.isFinite(block.x) && Number.isFinite(block.y) && Object.values(block.marks).every(isMark) && fits(block, {});
}

const isPlan = (plan) => isObject(plan) && Array.isArray(plan.blocks) && plan.blocks.every(isBlock)
    && new Set(plan.blocks.map(({ id }) => id)).size === plan.blocks.length && Array.isArray(plan.tiers) && plan.tiers.every(isTier);

/* A new one if there is none that can be read. */
export function storedDraft(event) {
    try {
        const { plan, saved, reached = 0 } = JSON.parse(localStorage.getItem(keyOf(event)));
        if (plan.blocks.every(({ kind }) => kind in KINDS) && Array.isArray(plan.tiers) && Array.isArray(saved)) {
            return { plan, saved, reached };
        }
    } catch {
        /* none, or another program's */
    }
    return { plan: emptyPlan(), saved: [], reached: 0 };
}

/* Whether this browser keeps it. */
export function storeDraft(event, draft) {
    try {
        localStorage.setItem(keyOf(event), JSON.stringify(draft));
        return true;
    } catch {
        return false;
    }
}

/* Another tab draws the same hall. */
export function whenStoredElsewhere(event, signal, call) {
    addEventListener('storage', ({ key }) => key === keyOf(event) && call(), { signal });
}

export const draftFile = (event, { plan, saved }) => JSON.stringify({ format: FORMAT, event, plan, saved });

/* A file of a drawing, for the same event or another: seats that were saved for another are not this one's. Anybody may have
 * written it; null: it is no drawing. */
export function draftOfFile(event, text) {
    let file;
    try {
        file = JSON.parse(text);
    } catch {
        return null;
    }
    return file?.format === FORMAT && isPlan(file.plan) && isIds(file.saved) ? { plan: file.plan, saved: file.event === event ? file.saved : [] } : null;
}
