/* SPDX-License-Identifier: Apache-2.0 */
/* places.js — seats, pools and slots in words. */
import { dateTime, price } from './format.js';
import { isolated, t } from './texts.js';

/* "Section A, row 4, seat 12", or the id of a seat that has none of these. */
export function placeOf(seat) {
    const parts = [
        seat.section && t('place_section', { section: seat.section }),
        seat.row && t('place_row', { row: seat.row }),
        seat.number && t('place_seat', { seat: seat.number }),
    ].filter(Boolean).join(', ');
    return parts ? parts[0].toUpperCase() + parts.slice(1) : t('seat', { seat: seat.id });
}

/* "Section A, row 4, seat 12, gold, €120.00, available" */
export function nameOf(seat, cost, currency, status) {
    const facts = [placeOf(seat), isolated(seat.tier), cost === null ? null : price(cost, currency),
        seat.accessible ? t('accessible') : null, t(`status_${status}`)];
    return facts.filter(Boolean).join(', ');
}

/* The name of its event; null for a time of a calendar, whose name has it. */
export const eventName = (about) => (about?.event ? about.event.name ?? about.event.id : null);

/* A place, with its event's name if the items are of several events. */
export function placeAmong(items, place, about) {
    const event = new Set(items.map((item) => item.event)).size > 1 ? eventName(about) : null;
    return event ? `${isolated(event)}, ${place}` : place;
}

/* An item of a reservation; `about` is what the catalogue knows of it. */
export function itemName(item, about) {
    if (item.seat) {
        const hall = about?.hall;
        const index = hall?.index.get(item.seat);
        return index === undefined ? t('seat', { seat: item.seat }) : placeOf(hall.seats[index]);
    }
    if (item.pool) {
        return about?.pools?.find(({ id }) => id === item.pool)?.name ?? item.pool;
    }
    const calendar = about?.calendar;
    return calendar ? `${isolated(calendar.name)}, ${dateTime(item.start, calendar.timezone)}` : dateTime(item.start);
}
