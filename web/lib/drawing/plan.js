/* SPDX-License-Identifier: Apache-2.0 */
/* plan.js — a drawn hall: tiers with their prices, and blocks. A plan is never changed; each of these returns another.
 *
 *     {tiers: [{name, price}], blocks: [{id, kind, …}]}
 */
import { boxOf } from './box.js';
import { KINDS, LIMITS, SEATS_MOST, seatsOf, sizeOf } from './block.js';
import { rowName } from './numbering.js';

const ROOM = 3; /* between a new block and the lowest */

export const emptyPlan = () => ({ tiers: [{ name: 'standard', price: 0 }], blocks: [] });

const nextId = (plan) => plan.blocks.reduce((most, { id }) => Math.max(most, id), 0) + 1;

const roomOf = (blocks) => boxOf(blocks.flatMap(seatsOf));

/* A new block, below what is there. */
export function addBlock(plan, kind, name) {
    const block = { ...KINDS[kind], id: nextId(plan), kind, name, x: 0, y: 0, tier: plan.tiers[0]?.name ?? '' };
    const room = roomOf(plan.blocks);
    const own = roomOf([block]);
    const y = room ? Math.ceil(room.bottom + ROOM - own.top) : -Math.floor(own.top);
    return { ...plan, blocks: [...plan.blocks, { ...block, y }] };
}

export const blockOf = (plan, id) => plan.blocks.find((block) => block.id === id) ?? null;

export function changeBlock(plan, id, change) {
    return { ...plan, blocks: plan.blocks.map((block) => (block.id === id ? { ...block, ...change } : block)) };
}

export const removeBlock = (plan, id) => ({ ...plan, blocks: plan.blocks.filter((block) => block.id !== id) });

/* Where the rows of a copy begin, so that no seat is there twice. */
const following = (block) => rowName(block.first_row, block.kind === 'tables' ? block.across * block.down : block.rows);

/* The same once more: below it with the names that follow, or across the middle with the numbers the other way round. */
export function copyBlock(plan, id, { mirrored = false, name }) {
    const block = blockOf(plan, id);
    const { top, bottom } = roomOf([block]);
    const turned = { left: 'right', right: 'left', middle: 'middle' };
    const copy = mirrored
        ? { ...block, id: nextId(plan), name, x: -block.x, turn: -block.turn, run: turned[block.run], marks: {} }
        : { ...block, id: nextId(plan), first_row: following(block), y: Math.ceil(block.y + bottom - top + ROOM), marks: {} };
    return { ...plan, blocks: [...plan.blocks, copy] };
}

/* Says something about single seats of a block; what is the block's own is no mark. */
export function markSeats(plan, id, keys, change) {
    const block = blockOf(plan, id);
    const marks = { ...block.marks };
    const usual = { tier: block.tier, accessible: false, blocked: false, allotment: '' };
    for (const key of keys) {
        const mark = Object.fromEntries(Object.entries({ ...marks[key], ...change }).filter(([name, value]) => value !== usual[name]));
        Object.keys(mark).length ? (marks[key] = mark) : delete marks[key];
    }
    return changeBlock(plan, id, { marks });
}

/* ---- Tiers ---- */

export const addTier = (plan, name) => ({ ...plan, tiers: [...plan.tiers, { name, price: 0 }] });

/* A new name goes to the blocks and seats that have it. */
export function changeTier(plan, at, change) {
    const old = plan.tiers[at].name;
    const tiers = plan.tiers.map((tier, i) => (i === at ? { ...tier, ...change } : tier));
    const name = tiers[at].name;
    const renamed = (marks) => Object.fromEntries(Object.entries(marks).map(([key, mark]) => [key, mark.tier === old ? { ...mark, tier: name } : mark]));
    const blocks = name === old ? plan.blocks
        : plan.blocks.map((block) => ({ ...block, tier: block.tier === old ? name : block.tier, marks: renamed(block.marks) }));
    return { ...plan, tiers, blocks };
}

/* Only one that nothing has. */
export const tierUsed = (plan, name) => plan.blocks.some((block) => block.tier === name || Object.values(block.marks).some((mark) => mark.tier === name));
export const removeTier = (plan, at) => ({ ...plan, tiers: plan.tiers.filter((_, i) => i !== at) });

/* ---- What is saved ---- */

/* Every seat in the form of the import, each with the `block` it is of. */
export function importOf(plan) {
    const prices = new Map(plan.tiers.map(({ name, price }) => [name, price]));
    return plan.blocks.flatMap((block) => seatsOf(block).map(({ key: _, ...seat }) => ({
        block: block.id, seat: { ...seat, tier: seat.tier || null, allotment: seat.allotment || null, price: prices.get(seat.tier) ?? 0 },
    })));
}

/* What is wrong with it: [{block, key, …values}]. */
export function faultsOf(plan) {
    const faults = [];
    const owner = new Map();
    for (const block of plan.blocks) {
        const twice = seatsOf(block).find((seat) => owner.has(seat.id) || !owner.set(seat.id, block.id));
        if (twice) {
            faults.push({ block: block.id, key: 'hall_twice', id: twice.id });
        }
    }
    return faults;
}

const idsOf = (plan) => new Set(plan.blocks.flatMap(seatsOf).map((seat) => seat.id));

/* Of the seats that were `saved` from an earlier form of it, those that are drawn no more. */
export function goneOf(plan, saved) {
    const now = idsOf(plan);
    return saved.filter((id) => !now.has(id));
}

/* Of the seats that the event has: those that are `others`, not from this drawing, and those of them that it would `change`. */
export function besideOf(plan, saved, seats) {
    const [now, before] = [idsOf(plan), new Set(saved)];
    const foreign = seats.filter(({ id }) => !before.has(id));
    return { others: foreign.filter(({ id }) => !now.has(id)), changed: foreign.filter(({ id }) => now.has(id)).length };
}

export const countOf = (plan) => plan.blocks.reduce((sum, block) => sum + sizeOf(block), 0);

/* A block may not become too large to be drawn. */
export const fits = (block, change) => sizeOf({ ...block, ...change }) <= SEATS_MOST;

/* A number as a field of a block may have it; null: it may not. */
export function limited(name, text) {
    const [least, most, step] = LIMITS[name];
    const value = text === '' ? NaN : Number(text);
    return value >= least && value <= most && (step < 1 || name === 'turn' || name === 'curve' || Number.isInteger(value)) ? value : null;
}
