/* SPDX-License-Identifier: Apache-2.0 */
/* zone.js — the days of a time zone. A day is 'YYYY-MM-DD'; it has 23 or 25 hours when the clocks change. */
import { locale } from './texts.js';

const DAY_MS = 86_400_000;
const known = new Map();

function parts(instant, zone) {
    if (!known.has(zone)) {
        known.set(zone, new Intl.DateTimeFormat('en-US', { timeZone: zone, calendar: 'gregory', hourCycle: 'h23', year: 'numeric',
            month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' }));
    }
    return Object.fromEntries(known.get(zone).formatToParts(instant).map(({ type, value }) => [type, value]));
}

const utc = (day) => Date.parse(`${day}T00:00:00Z`);
const iso = (ms) => new Date(ms).toISOString().slice(0, 10);

export const visitorZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/* The zone if there is one of this name, otherwise UTC. */
export function zoneOrUtc(name) {
    try {
        return new Intl.DateTimeFormat('en', { timeZone: name || 'UTC' }).resolvedOptions().timeZone;
    } catch {
        return 'UTC';
    }
}

/* The day that an instant belongs to. */
export function dayOf(instant, zone) {
    const { year, month, day } = parts(instant, zone);
    return `${year}-${month}-${day}`;
}

/* How far the zone's clocks are ahead of UTC at an instant, in ms. */
export function offsetAt(instant, zone) {
    const { year, month, day, hour, minute, second } = parts(instant, zone);
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

/* The first instant of a day: midnight; the first one where it occurs twice, the end of the gap where there is none. */
export function startOf(day, zone) {
    const midnight = utc(day);
    const offsets = [midnight - DAY_MS, midnight, midnight + DAY_MS].map((near) => offsetAt(near, zone));
    return Math.min(...offsets.map((offset) => midnight - offset).filter((instant) => dayOf(instant, zone) === day));
}

export const addDays = (day, n) => iso(utc(day) + n * DAY_MS);
/* 1 Monday … 7 Sunday */
const weekdayOf = (day) => new Date(utc(day)).getUTCDay() || 7;
export const hoursOf = (day, zone) => (startOf(addDays(day, 1), zone) - startOf(day, zone)) / 3_600_000;

/* On which day a week begins where the language is spoken. */
export function firstWeekday(tag = locale) {
    const spoken = new Intl.Locale(tag);
    return (spoken.getWeekInfo?.() ?? spoken.weekInfo)?.firstDay ?? 1;
}

/* The seven days around a day. */
export function weekOf(day, first) {
    const start = addDays(day, -((weekdayOf(day) - first + 7) % 7));
    return Array.from({ length: 7 }, (_, i) => addDays(start, i));
}

/* The weeks that a day's month touches. */
export function monthOf(day, first) {
    const month = day.slice(0, 7);
    const weeks = [];
    for (let week = weekOf(`${month}-01`, first); week[0] <= `${month}-31` && week.some((one) => one.startsWith(month));) {
        weeks.push(week);
        week = weekOf(addDays(week[0], 7), first);
    }
    return weeks;
}

/* The first day of the month that is `n` months after that of `day`. */
export function addMonths(day, n) {
    const [year, month] = day.split('-').map(Number);
    return iso(Date.UTC(year, month - 1 + n, 1));
}

/* "Europe/Lisbon" → "Lisbon" */
export const cityOf = (zone) => zone.split('/').pop().replaceAll('_', ' ');

/* An instant as clocks there show it, 'YYYY-MM-DDTHH:MM': what a field of date and time has. */
export function localOf(instant, zone) {
    const { year, month, day, hour, minute } = parts(Date.parse(instant), zone);
    return `${year}-${month}-${day}T${hour}:${minute}`;
}

/* The instant at which clocks there show it: the first one where it occurs twice, as long after the gap as it is in it where
 * there is none. */
export function instantOf(local, zone) {
    const wall = Date.parse(`${local}Z`);
    const offsets = [offsetAt(wall - DAY_MS, zone), offsetAt(wall + DAY_MS, zone)];
    const exact = offsets.map((offset) => wall - offset).filter((instant) => offsetAt(instant, zone) === wall - instant);
    return new Date(exact.length ? Math.min(...exact) : wall - offsets[0]).toISOString();
}
