/* SPDX-License-Identifier: Apache-2.0 */
/* sale.js — how an event's sale stands: {state, left}.
 *
 * open      places can be chosen
 * early     the sale has not begun
 * sold_out  everything is held or sold
 * over      the sale has ended
 * cancelled the event does not take place
 * empty     it has no places yet
 */
const endOf = (event) => event.off_sale_at ?? event.starts_at;

export function saleOf(event, now) {
    const { counts } = event;
    const left = counts.available + counts.pools.available;
    const end = endOf(event);
    if (event.cancelled_at) {
        return { state: 'cancelled', left };
    }
    if (end && now >= Date.parse(end)) {
        return { state: 'over', left };
    }
    if (event.on_sale_at && now < Date.parse(event.on_sale_at)) {
        return { state: 'early', left };
    }
    if (counts.seats + counts.pools.capacity === 0) {
        return { state: 'empty', left };
    }
    return { state: left > 0 ? 'open' : 'sold_out', left };
}

/* When it next begins or ends on schedule, in ms; undefined: it stays as it is. */
export function nextTurn(event, now) {
    const turns = [event.on_sale_at, endOf(event)].filter(Boolean).map((instant) => Date.parse(instant));
    return turns.filter((turn) => turn > now).sort((a, b) => a - b)[0];
}
