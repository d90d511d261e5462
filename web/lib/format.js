/* SPDX-License-Identifier: Apache-2.0 */
/* format.js — money, counts and times as the language of the texts writes them. */
import { locale, t } from './texts.js';
import { localOf } from './zone.js';

export { locale };

const cached = new Map();

function formatter(kind, options) {
    const key = `${kind.name}${JSON.stringify(options)}`;
    if (!cached.has(key)) {
        cached.set(key, new kind(locale, options));
    }
    return cached.get(key);
}

/* An amount of minor units: the currency itself says how many digits those are (JPY 0, EUR 2, KWD 3). */
export function money(amount, currency) {
    const format = formatter(Intl.NumberFormat, { style: 'currency', currency });
    const digits = format.resolvedOptions().maximumFractionDigits;
    return format.format(amount / 10 ** digits);
}

/* The same, with a word for nothing. */
export const price = (amount, currency) => (amount === 0 ? t('free') : money(amount, currency));

export const count = (n) => formatter(Intl.NumberFormat, {}).format(n);

/* 0.33 → "33%" */
export const percent = (part) => formatter(Intl.NumberFormat, { style: 'percent' }).format(part);

/* "A, B and C" */
export const listed = (texts) => formatter(Intl.ListFormat, {}).format(texts);

/* ---- Instants: in the visitor's time zone, or in that of a place ---- */

const DATE = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' };
/* 8:05 PM, but 08:05 where days have 24 hours. */
const time = () => ({ hour: formatter(Intl.DateTimeFormat, { hour: 'numeric' }).resolvedOptions().hour12 ? 'numeric' : '2-digit', minute: '2-digit' });

/* AM and PM stay on the line of their time. */
const text = (instant, timeZone, options) => formatter(Intl.DateTimeFormat, { ...options, timeZone }).format(new Date(instant)).replace(/\s(?=[AP]M\b)/, '\u00a0');

/* With the name of the zone, if the visitor's clocks show another time then. UTC has only a short one. */
function there(instant, timeZone, options) {
    const plain = text(instant, timeZone, options);
    return plain === text(instant, undefined, options) ? plain
        : text(instant, timeZone, { ...options, timeZoneName: /^(Etc\/|UTC$|GMT)/.test(timeZone) ? 'short' : 'longGeneric' });
}

/* "Sat, 7 June 2030 at 20:00", for a reader elsewhere "Sat, June 7, 2030 at 8:00 PM Central European Time" */
export const dateTime = (instant, timeZone) => there(instant, timeZone, { ...DATE, ...time() });

/* "20:00", for a reader elsewhere "8:00 PM Central European Time" */
export const timeOfDay = (instant, timeZone) => there(instant, timeZone, time());

/* "20:00" */
export const clock = (instant, timeZone) => text(instant, timeZone, time());

/* "02:30 CEST", for a time that occurs twice when the clocks change */
export const clockWithOffset = (instant, timeZone) => text(instant, timeZone, { ...time(), timeZoneName: 'short' });

/* "19:00:05" */
export const timeWithSeconds = (instant) => text(instant, undefined, { ...time(), second: '2-digit' });

/* ---- Days, 'YYYY-MM-DD' as in zone.js ---- */

export const dayText = (day, options) => text(day, 'UTC', options);

/* "14–20 Dec 2026" */
export const daysText = (from, to) => formatter(Intl.DateTimeFormat, { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
    .formatRange(new Date(from), new Date(to));

/* ---- Lengths of time ---- */

/* 581 → "9:41" */
export function minutes(seconds) {
    const whole = Math.max(0, Math.ceil(seconds));
    return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/* 4,000 → "1 h 7 min": a length of time as people say it. */
export function span(seconds) {
    const whole = Math.ceil(seconds / 60);
    if (whole <= 1) {
        return t('span_minute');
    }
    return whole < 60 ? t('span_minutes', { n: whole })
        : t(whole % 60 ? 'span_hours_minutes' : 'span_hours', { hours: Math.floor(whole / 60), minutes: whole % 60 });
}

const DAY_MINUTES = 1440;
const NOON = DAY_MINUTES / 2;

/* The length of a stay that begins so many minutes after midnight: from the afternoon past midnight it is nights. */
function stay(minutes, from) {
    const nights = Math.floor((from + minutes - 1) / DAY_MINUTES);
    if (minutes >= NOON && from >= NOON && nights) {
        return t('span_nights', { n: nights });
    }
    return minutes % DAY_MINUTES ? span(minutes * 60) : t('span_days', { n: minutes / DAY_MINUTES });
}

/* By the clocks of the place: a night in which they change is a night. */
export function stayText(start, end, timeZone) {
    const [from, until] = [start, end].map((instant) => Date.parse(`${localOf(instant, timeZone)}Z`) / 60_000);
    return until - from < NOON ? span((Date.parse(end) - Date.parse(start)) / 1000) : stay(until - from, from % DAY_MINUTES);
}

/* Of any stay of this length on a calendar: it begins when the calendar opens, without hours at midnight. */
export function stayLength(minutes, { hours }) {
    const [h, m] = (hours?.[0]?.from ?? '0:0').split(':').map(Number);
    return stay(minutes, h * 60 + m);
}
