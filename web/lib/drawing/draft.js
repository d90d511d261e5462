/* SPDX-License-Identifier: Apache-2.0 */
/* draft.js — drawings as this browser keeps them, by event: the server keeps the seats that were made from them. */
import { KINDS } from './block.js';
import { emptyPlan } from './plan.js';

const keyOf = (event) => `holdfast:hall:${event}`;

/* null: there is none, or it is not readable. */
export function storedPlan(event) {
    try {
        const plan = JSON.parse(localStorage.getItem(keyOf(event)));
        return plan && plan.blocks.every(({ kind }) => kind in KINDS) && plan.tiers.length >= 0 && plan.saved.length >= 0 ? plan : null;
    } catch {
        return null;
    }
}

export function storePlan(event, plan) {
    try {
        plan.blocks.length || plan.saved.length ? localStorage.setItem(keyOf(event), JSON.stringify(plan)) : localStorage.removeItem(keyOf(event));
    } catch {
        /* a browser that stores nothing keeps it in memory only */
    }
}

export const planFor = (event) => storedPlan(event) ?? emptyPlan();
