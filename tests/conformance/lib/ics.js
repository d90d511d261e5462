/* SPDX-License-Identifier: Apache-2.0 */
/* ics.js — a strict reader of iCalendar (RFC 5545), as far as a calendar of bookings goes.
 *
 * Refuses what a lenient program would forgive: a bare LF, a line of 76 octets, a fold inside a character, an unknown
 * escape, a duplicate property, an object without a component.
 */
'use strict';

const assert = require('node:assert/strict');

const LINE_MAX = 75;
const decoder = new TextDecoder('utf-8', { fatal: true });

/* The physical lines: CRLF after each, no other CR or LF, at most 75 octets, complete characters only. */
function physical(bytes) {
    const lines = [];
    for (let at = 0; at < bytes.length;) {
        const end = bytes.indexOf('\r\n', at, 'latin1');
        assert.ok(end >= 0, 'the last line has no CRLF');
        const line = bytes.subarray(at, end);
        assert.ok(line.length <= LINE_MAX, `a line of ${line.length} octets`);
        assert.ok(line.length > 0, 'an empty line');
        const text = decoder.decode(line);
        assert.doesNotMatch(text, /[\x00-\x08\x0a-\x1f\x7f]/, 'a control character');
        lines.push(text);
        at = end + 2;
    }
    return lines;
}

function unfold(lines) {
    const whole = [];
    for (const line of lines) {
        if (/^[ \t]/.test(line)) {
            assert.ok(whole.length > 0, 'the first line is folded');
            whole[whole.length - 1] += line.slice(1);
        } else {
            whole.push(line);
        }
    }
    return whole;
}

/* name *(";" param) ":" value */
function contentLine(text) {
    const form = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:,]*))*):(.*)$/s;
    const [, name, parameters, value] = form.exec(text) ?? [];
    assert.ok(name, `not a content line: ${text}`);
    return { name: name.toUpperCase(), parameters, value };
}

/* Components as a tree: {name, properties: [{name, value}], components: []}. */
function tree(lines) {
    const root = { name: null, properties: [], components: [] };
    const open = [root];
    for (const text of lines) {
        const line = contentLine(text);
        const top = open.at(-1);
        if (line.name === 'BEGIN') {
            const component = { name: line.value, properties: [], components: [] };
            top.components.push(component);
            open.push(component);
        } else if (line.name === 'END') {
            assert.equal(line.value, top.name, 'END of another component');
            open.pop();
            assert.ok(open.length > 0, 'END without BEGIN');
        } else {
            assert.notEqual(top, root, `${line.name} outside of a component`);
            top.properties.push(line);
        }
    }
    assert.equal(open.length, 1, `${open.at(-1).name} is not ended`);
    return root.components;
}

/* A value of type TEXT, without its escapes. */
function unescape(value) {
    assert.match(value, /^(?:[^\\;,]|\\[\\;,nN])*$/s, `not a TEXT: ${value}`);
    return value.replace(/\\(.)/gs, (_, c) => (c === 'n' || c === 'N' ? '\n' : c));
}

/* A DATE-TIME, in UTC or, if `offsets` has its TZID, in that zone, as milliseconds. */
function instant(value, parameters = '', offsets = new Map()) {
    const [, zone] = /^;TZID=(.+)$/.exec(parameters) ?? [];
    assert.ok(zone ? offsets.has(zone) : parameters === '', `unknown parameters: ${parameters}`);
    if (zone) {
        assert.doesNotMatch(value, /Z$/, 'a TZID for a time in UTC');
        const local = instant(`${value}Z`);
        const [{ offset }] = offsets.get(zone).filter(({ from }) => from <= local).slice(-1);
        return local - offset;
    }
    const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(value) ?? [];
    assert.ok(y, `not a DATE-TIME in UTC: ${value}`);
    const text = `${y}-${mo}-${d}T${h}:${mi}:${s}.000Z`;
    assert.equal(new Date(text).toISOString(), text, value);
    return Date.parse(text);
}

/* The properties by name: each must be known; those in `once` occur exactly once, those in `may` at most once. */
function properties(component, once, may, times = {}) {
    const found = {};
    for (const { name, parameters, value } of component.properties) {
        assert.ok(once.includes(name) || may.includes(name) || name.startsWith('X-'),
            `${component.name} has ${name}`);
        assert.ok(!(name in found), `${name} stands twice`);
        assert.ok(parameters === '' || name in times, `${name} has parameters`);
        found[name] = value;
        name in times && (times[name] = parameters);
    }
    once.forEach((name) => assert.ok(name in found, `${component.name} has no ${name}`));
    return found;
}

function event(component, offsets) {
    const times = { DTSTART: '', DTEND: '' };
    const p = properties(
        component, ['UID', 'DTSTAMP', 'DTSTART', 'DTEND'], ['SUMMARY', 'DESCRIPTION', 'STATUS', 'SEQUENCE', 'LAST-MODIFIED'], times
    );
    assert.deepEqual(component.components, []);
    const found = {
        uid: unescape(p.UID), stamp: instant(p.DTSTAMP), start: instant(p.DTSTART, times.DTSTART, offsets), end: instant(p.DTEND, times.DTEND, offsets),
        summary: unescape(p.SUMMARY ?? ''), description: unescape(p.DESCRIPTION ?? ''),
    };
    assert.ok(found.uid.length > 0);
    assert.ok(found.end > found.start, 'DTEND must be later than DTSTART');
    assert.match(p.SEQUENCE ?? '0', /^\d+$/);
    assert.equal(p['LAST-MODIFIED'] ?? p.DTSTAMP, p.DTSTAMP); /* without a METHOD both are the last change (3.8.7.2) */
    assert.match(p.STATUS ?? 'CONFIRMED', /^(TENTATIVE|CONFIRMED|CANCELLED)$/);
    return found;
}

/* Its offsets, each with the local time from which on it applies. */
function zone(component) {
    const { TZID: id } = properties(component, ['TZID'], []);
    const milliseconds = (text) => (text[0] === '-' ? -1 : 1) * (Number(text.slice(1, 3)) * 60 + Number(text.slice(3))) * 60_000;
    const offsets = [];
    assert.ok(component.components.length > 0, 'VTIMEZONE without STANDARD');
    for (const part of component.components) {
        assert.match(part.name, /^(STANDARD|DAYLIGHT)$/);
        const p = properties(part, ['DTSTART', 'TZOFFSETFROM', 'TZOFFSETTO'], []);
        assert.match(p.DTSTART, /^\d{8}T\d{6}$/);
        assert.match(p.TZOFFSETFROM, /^[+-]\d{4}$/);
        assert.match(p.TZOFFSETTO, /^[+-]\d{4}$/);
        const offset = milliseconds(p.TZOFFSETTO);
        offsets.push({ from: instant(`${p.DTSTART}Z`) + Math.max(0, offset - milliseconds(p.TZOFFSETFROM)), offset });
    }
    return [id, offsets.sort((a, b) => a.from - b.from)];
}

/* Reads the octets of one iCalendar object; {name, events}. Throws at the first fault. */
function read(bytes) {
    const [calendar, ...others] = tree(unfold(physical(Buffer.from(bytes))));
    assert.deepEqual(others, [], 'one object only');
    assert.equal(calendar?.name, 'VCALENDAR');
    const p = properties(calendar, ['PRODID', 'VERSION'], ['CALSCALE']);
    assert.equal(p.VERSION, '2.0');
    assert.equal(p.CALSCALE ?? 'GREGORIAN', 'GREGORIAN');
    assert.ok(unescape(p.PRODID).length > 0);
    assert.ok(calendar.components.length > 0, 'an object has at least one component');
    const offsets = new Map(calendar.components.filter(({ name }) => name === 'VTIMEZONE').map(zone));
    const events = calendar.components.filter(({ name }) => name !== 'VTIMEZONE').map((component) => {
        assert.equal(component.name, 'VEVENT');
        return event(component, offsets);
    });
    assert.equal(new Set(events.map((one) => one.uid)).size, events.length, 'each UID once');
    return { name: unescape(p['X-WR-CALNAME'] ?? ''), events };
}

module.exports = { read };
