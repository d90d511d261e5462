/* SPDX-License-Identifier: Apache-2.0 */
/* saving.js — a drawn hall goes to the server, in slices: an import is at most 8 MiB, which is some 50,000 seats.
 *
 * Each slice is imported whole or not at all, and adds to what is there, so that a save that was cut short goes on behind the
 * last slice that the server took.
 */
export const SEATS_A_SLICE = 10_000; /* of at most 800 bytes each; of ids as many are below 1 MiB */

async function inSlices(list, from, send) {
    for (let at = from; at < list.length; at += SEATS_A_SLICE) {
        await send(list.slice(at, at + SEATS_A_SLICE), at);
    }
}

/* How far a save came that was cut short, if the event still has the `seats` up to there, and 0 if not: it may have been made
 * anew since. */
export function stillReached(seats, reached, known) {
    const ids = new Set(known.map(({ id }) => id));
    return seats.slice(0, reached).every(({ seat }) => ids.has(seat.id)) ? reached : 0;
}

/* Imports `seats`, as importOf() made them, from number `reached` on, then removes those with the ids `gone`. `taken(slice,
 * reached)` is called for each slice that the server has. A refusal has `item`, the one of `seats` that it is about, if any. */
export async function saveSeats(client, event, { seats, gone, reached, taken }) {
    const path = `/v1/events/${encodeURIComponent(event)}/seats`;
    await inSlices(seats, reached, async (slice, at) => {
        await client.post(path, slice.map(({ seat }) => seat)).catch((problem) => {
            const [, index] = /^\/(\d+)/.exec(problem.pointer ?? '') ?? [];
            throw Object.assign(problem, { item: index === undefined ? named(seats, problem) : seats[at + Number(index)] });
        });
        taken(slice, at + slice.length);
    });
    await inSlices(gone, 0, (ids) => client.delete(path, { body: { ids } }).catch((problem) => {
        throw Object.assign(problem, { item: named(seats, problem) });
    }));
}

const named = (seats, problem) => seats.find(({ seat }) => seat.id === problem.body?.items?.[0]?.seat);
