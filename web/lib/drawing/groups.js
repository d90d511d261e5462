/* SPDX-License-Identifier: Apache-2.0 */
/* groups.js — the seats of an event as a plan shows them: a group for each section, one unit from seat to seat. */
import { Hall } from '../hall.js';

/* {groups: [{id, name, seats}], ranks: tier → number}. `statuses`: seat → how it stands, where that is known. */
export function groupsOf(layout, event, statuses = {}) {
    const hall = new Hall(layout, event);
    const { pitch } = hall;
    const shown = (seat) => ({ ...seat, key: seat.id, x: seat.x / pitch, y: seat.y / pitch, blocked: seat.blocked || statuses[seat.id] === 'blocked' });
    return {
        groups: hall.sections.map(({ name, number, seats }) => ({ id: number, name, still: true, seats: seats.map(shown) })),
        ranks: new Map(hall.tiers.map(({ name }, i) => [name, i])),
    };
}
