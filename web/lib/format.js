/* SPDX-License-Identifier: Apache-2.0 */
/* format.js — money, counts and times as the language of the texts writes them. */
import { locale, t } from './texts.js';

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

/* "Sat, 7 June 2030, 19:00 CEST": an instant, with its zone named. */
export function dateTime(instant, timeZone) {
    return formatter(Intl.DateTimeFormat, {
        weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit',
        timeZoneName: 'short', ...(timeZone ? { timeZone } : {}),
    }).format(new Date(instant));
}

/* "19:00 CEST" */
export function timeOfDay(instant, timeZone) {
    return formatter(Intl.DateTimeFormat, {
        hour: '2-digit', minute: '2-digit', timeZoneName: 'short', ...(timeZone ? { timeZone } : {}),
    }).format(new Date(instant));
}

/* "19:00" */
export function clock(instant, timeZone) {
    return formatter(Intl.DateTimeFormat, { hour: '2-digit', minute: '2-digit', timeZone }).format(new Date(instant));
}

/* "19:00:05" */
export function timeWithSeconds(instant) {
    return formatter(Intl.DateTimeFormat, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(new Date(instant));
}

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
