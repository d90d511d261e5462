/* SPDX-License-Identifier: Apache-2.0 */
/* order.js — what a reservation is about, in words: its events and calendars, with no more of a hall than its own seats.
 *
 * These are open to all, so they are asked for without the order's token: that opens nothing else.
 */
import { dateTime } from './format.js';
import { placeOf } from './places.js';
import { t } from './texts.js';

const at = (...parts) => `/v1/${parts.map(encodeURIComponent).join('/')}`;
const orNull = (asked) => asked.catch((problem) => {
    if (problem.status !== 404) {
        throw problem;
    }
    return null; /* removed since */
});

async function aboutEvent(client, id, items) {
    const seats = new Map();
    const [event, pools] = await Promise.all([
        orNull(client.event(id)),
        items.some((item) => item.pool) ? orNull(client.pools(id)) : null,
        ...[...new Set(items.map((item) => item.seat).filter(Boolean))].map(async (seat) => seats.set(seat, await orNull(client.get(at('events', id, 'seats', seat))))),
    ]);
    return { record: event, name: event?.name ?? id, venue: event?.venue, start: () => event?.starts_at, zone: event?.timezone,
        place: (item) => (item.seat ? (seats.get(item.seat) ? placeOf(seats.get(item.seat)) : t('seat', { seat: item.seat }))
            : pools?.find((pool) => pool.id === item.pool)?.name ?? item.pool),
        tier: (item) => seats.get(item.seat)?.tier };
}

async function aboutCalendar(client, id) {
    const calendar = await orNull(client.get(at('calendars', id)));
    return { record: calendar, name: calendar?.name ?? id, venue: null, start: (item) => item.start, zone: calendar?.timezone,
        place: (item) => dateTime(item.start, calendar?.timezone), tier: () => null };
}

/* A function from an item to {record, name, venue, zone, start(item), place(item), tier(item)}. */
export async function aboutItems(client, items) {
    const known = new Map();
    await Promise.all([...new Set(items.map((item) => item.event ?? item.calendar))].map(async (id) => {
        const own = items.filter((item) => (item.event ?? item.calendar) === id);
        known.set(id, own[0].event ? await aboutEvent(client, id, own) : await aboutCalendar(client, id));
    }));
    return (item) => known.get(item.event ?? item.calendar);
}

/* The time zone of all of it; undefined, the visitor's: there is more than one. */
export function zoneOf(items, about) {
    const zones = new Set(items.map((item) => about(item).zone));
    return zones.size === 1 ? [...zones][0] : undefined;
}

/* Until when a booking on a calendar may be moved: an instant, or null: never. */
export function moveUntil(item, about) {
    const minutes = item.calendar ? about(item).record?.change_until_minutes ?? null : null;
    return minutes === null ? null : new Date(Date.parse(item.start) - minutes * 60_000).toISOString();
}

/* Until when its owner may cancel all of it: an instant, or null: never. */
export function cancelUntil(items, about) {
    const ends = items.map((item) => {
        const { record, start } = about(item);
        const begins = start(item);
        const seconds = item.event ? record?.cancel_until_seconds : record?.cancel_until_minutes * 60;
        return begins && record && Number.isFinite(seconds) && (record.cancel_until_seconds ?? record.cancel_until_minutes) !== null
            ? Date.parse(begins) - seconds * 1000 : -Infinity;
    });
    const end = Math.min(...ends);
    return Number.isFinite(end) ? new Date(end).toISOString() : null;
}
