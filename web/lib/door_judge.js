/* SPDX-License-Identifier: Apache-2.0 */
/* door_judge.js — what a door says to a ticket while it cannot ask the server.
 *
 * The order is the server's: is it a ticket, is it for this event, is this print of it valid, is it not checked in
 * already. What is left has a valid signature and no answer of the server, which alone knows the other gates.
 */
const refused = (why, more = {}) => ({ result: 'refused', why, ...more });
const SEAT = 1, POOL = 2; /* the kinds that belong to an event */

/* form: what the ticket says, null if it is only a code; genuine: whether the signature is good; event: of this gate, null
 * for any; entry: what the last list says of the code; own: the scan of this door that waits to be sent. */
export function judgeAlone({ form, genuine, event, entry, own }) {
    if (form && !genuine) {
        return refused('no_such_ticket');
    }
    if (form && event && !([SEAT, POOL].includes(form.kind) && form.of === event)) {
        return refused('wrong_event');
    }
    if (form && form.reissue < (entry?.reissue ?? 0)) {
        return refused('void');
    }
    if (own) {
        return refused('already_checked_in', { since: own.at, by: own.gate });
    }
    if (entry?.result === 'in') {
        return refused('already_checked_in', { since: Date.parse(entry.at), by: entry.gate });
    }
    return form ? { result: 'unchecked', why: null } : refused('needs_signature');
}

/* Where it leads, in the words of the API. */
export function placeOfForm({ kind, of, part }) {
    switch (kind) {
    case SEAT: return { event: of, seat: part };
    case POOL: return { event: of, pool: part };
    default: return { calendar: of, service: part || undefined };
    }
}
