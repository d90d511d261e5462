/* SPDX-License-Identifier: Apache-2.0 */
/* draft.js — drawings as this browser keeps them, by event: the server keeps the seats that were made from them. */
import { KINDS } from './block.js';
import { emptyPlan } from './plan.js';

const keyOf = (event) => `holdfast:hall:${event}`;

/* {plan, saved}: the drawing, and the ids of the seats that were saved from it. A new one if there is none that can be read. */
export function storedDraft(event) {
    try {
        const { plan, saved } = JSON.parse(localStorage.getItem(keyOf(event)));
        if (plan.blocks.every(({ kind }) => kind in KINDS) && Array.isArray(plan.tiers) && Array.isArray(saved)) {
            return { plan, saved };
        }
    } catch {
        /* none, or another program's */
    }
    return { plan: emptyPlan(), saved: [] };
}

export function storeDraft(event, draft) {
    try {
        localStorage.setItem(keyOf(event), JSON.stringify(draft));
    } catch {
        /* a browser that stores nothing keeps it in memory only */
    }
}
