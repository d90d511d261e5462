/* SPDX-License-Identifier: Apache-2.0 */
/* ics.js — what an order is about, as an iCalendar file (RFC 5545) for the visitor's calendar program.
 *
 * Times are in the time zone of the place.
 */
import { localOf, offsetAt } from './zone.js';

const LINE_MAX = 75; /* octets */
const octets = (text) => new TextEncoder().encode(text).length;
const escaped = (text) => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n').replace(/[\0-\x08\x0b-\x1f\x7f]/g, '');
const compact = (iso) => iso.replace(/[-:]|\.\d+/g, '');
const stamp = (instant, zone) => `${compact(localOf(instant, zone))}00`;

/* At most 75 octets a line, folded between characters. */
function folded(line) {
    let size = 0;
    return [...line].reduce((out, letter) => {
        const fits = size + octets(letter) <= LINE_MAX;
        size = fits ? size + octets(letter) : 1 + octets(letter);
        return fits ? out + letter : `${out}\r\n ${letter}`;
    }, '');
}

function offsetText(minutes) {
    const size = Math.abs(minutes);
    return `${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}${String(size % 60).padStart(2, '0')}`;
}

/* Only the offsets that are needed, each from the first time on that it is needed for. */
function zoneLines(zone, instants) {
    const offsets = instants.sort().map((instant) => ({ from: stamp(instant, zone), offset: offsetText(Math.round(offsetAt(Date.parse(instant), zone) / 60_000)) }));
    return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...offsets.filter(({ offset }, i) => offset !== offsets[i - 1]?.offset).flatMap(({ from, offset }) =>
        ['BEGIN:STANDARD', `DTSTART:${from}`, `TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`, 'END:STANDARD']), 'END:VTIMEZONE'];
}

function entryLines({ uid, name, place, note, start, end, zone }, changed) {
    const at = (property, instant) => (zone === 'UTC' ? `${property}:${stamp(instant, zone)}Z` : `${property};TZID=${zone}:${stamp(instant, zone)}`);
    return ['BEGIN:VEVENT', `UID:${uid}`, `DTSTAMP:${compact(new Date(changed).toISOString())}`, at('DTSTART', start), ...(end ? [at('DTEND', end)] : []),
        `SUMMARY:${escaped(name)}`, ...(place ? [`LOCATION:${escaped(place)}`] : []), ...(note ? [`DESCRIPTION:${escaped(note)}`] : []), 'END:VEVENT'];
}

/* Entries are {uid, name, place, note, start, end, zone}, without place, note and end where there are none; `changed` is when
 * the order was last changed. */
export function calendarFile(entries, changed) {
    const zones = new Set(entries.map(({ zone }) => zone).filter((zone) => zone !== 'UTC'));
    const instants = (wanted) => entries.filter(({ zone }) => zone === wanted).flatMap(({ start, end }) => [start, end]).filter(Boolean);
    const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Holdfast//Holdfast//EN',
        ...[...zones].flatMap((zone) => zoneLines(zone, instants(zone))),
        ...entries.flatMap((entry) => entryLines(entry, changed)), 'END:VCALENDAR'];
    return lines.map((line) => `${folded(line)}\r\n`).join('');
}
