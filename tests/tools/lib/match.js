/* SPDX-License-Identifier: Apache-2.0 */
/* match.js — whether two answers to the same request say the same.
 *
 * Equal means equal, but for
 *   sentences    title and detail of problems; descriptions and examples in /openapi.json
 *   names        random ids, codes, keys, cursors and tokens: what two answers have in the same place is a pair, and stays
 *                one in all later answers (class Names)
 *   seqs         fences, versions of views, seqs of history: pairs, too, and close to each other
 *   instants     less than a second apart: the two answers are not given at the same time
 * Names are recognized by their form or by the member that has them. Everything else must be equal.
 */
'use strict';

const INSTANT_MS = 900;
const SEQ_MOST = 8; /* apart: changes that time made while one side was asked */

const SENTENCES = new Set(['title', 'detail']);
const PROSE = new Set(['description', 'summary', 'example', 'examples', 'title']);
/* Members with random texts. */
const DRAWN = new Set([
    'pnr', 'key', 'next_cursor', 'cursor', 'token', 'kid', 'x', 'seed', 'commitment', 'layout', 'etag', 'code',
    'holdfast-next-cursor',
]);
const SEQS = new Set(['fence', 'seq', 'reissue', 'version']); /* but the version of a reservation is a count of its own */
/* Members that say how long something takes, and by how much they may be apart. */
const SPANS = {
    expires_in: 1, expires_in_ms: INSTANT_MS, eta_seconds: 1, score: INSTANT_MS, seconds_held_max: 1, median_seconds: 1,
    p50_seconds: 1, p95_seconds: 1, recommended_ttl_seconds: 2,
};
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
/* Names that say what they are, also inside of other texts. */
const NAMED = new RegExp([
    /\b(?:res|ord|ent|lst|rid|off)_[0-9A-Z]{26}\b/, /\brfd_\d+\b/, /\b(?:guest|erased|msg)_[0-9A-Za-z_.-]+/,
    /\b[0-9a-f]{64}\b/, /* the hash of a body with ids in it */
    /\b\d{8}T\d{6}Z\b/, /(?<=^DESCRIPTION:)[0-9A-Z]{6}(?=\\,)/, /* of iCalendar: instants, PNRs */
].map(({ source }) => source).join('|'), 'g');
const CALENDAR_INSTANT = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

class Names {
    constructor() {
        this.there = new Map(); /* of the old server → of the new one */
        this.here = new Map();
        this.versions = new Map(); /* of views, which are asked for what changed since */
    }

    /* Whether these two may go together; from now on they do. */
    same(a, b) {
        if (!this.there.has(a) && !this.here.has(b)) {
            this.there.set(a, b);
            this.here.set(b, a);
        }
        return this.there.get(a) === b && this.here.get(b) === a;
    }

    /* What the new server calls what the old one calls so. */
    translate(a) {
        return this.there.get(a) ?? this.versions.get(a) ?? a;
    }
}

/* Numbers of changes: the same ones, in the same order. */
class Seqs {
    constructor() {
        this.names = new Names();
        this.most = SEQ_MOST;
    }

    same(a, b) {
        return Math.abs(a - b) <= this.most && (a === b || this.names.same(a, b));
    }
}

class Matcher {
    constructor() {
        this.names = new Names();
        this.seqs = new Seqs();
        this.found = [];
    }

    /* What is different between two answers: [{at, old, new}]. */
    compare(request, a, b) {
        this.found = [];
        this.align(request, a, b);
        if (a.status !== b.status) {
            this.differs('status', a.status, b.status);
        }
        this.headers(request, a.headers, b.headers);
        if (request.method !== 'HEAD' && a.status === b.status) {
            this.body(request, a, b);
        }
        return this.found;
    }

    /* Puts into one order what has none. */
    align({ sorts }, a, b) {
        const { there, here } = this.names;
        if (sorts === 'payments') {
            sortByPayment(a);
            sortByPayment(b);
        } else if (sorts === 'codes') {
            sortByCode(a, (code) => there.has(code) && code);
            sortByCode(b, (code) => here.get(code));
        }
    }

    differs(at, old, now) {
        this.found.push({ at, old, new: now });
    }

    /* ---- Header fields ---- */

    headers(request, a, b) {
        const skip = new Set(['date', 'content-length', 'keep-alive', 'last-modified']);
        for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
            if (skip.has(name) && (name in a) === (name in b)) {
                continue;
            }
            const at = `header ${name}`;
            if (!(name in a) || !(name in b)) {
                this.differs(at, a[name], b[name]);
            } else if (name === 'holdfast-seq') {
                this.headerSeq(request, at, a[name], b[name]);
            } else if (name === 'request-id') {
                this.value(at, '', a[name] === request.id, b[name] === request.id); /* the caller's, or made */
            } else if (name === 'retry-after' || (name === 'etag' && isFile(a))) {
                continue; /* that it is there is what counts; files may have changed */
            } else {
                this.text(at, name, a[name], b[name]);
            }
        }
    }

    /* What comes from the book says how far the book is. */
    headerSeq(request, at, a, b) {
        if (!request.book && Math.abs(Number(a) - Number(b)) > this.seqs.most) {
            this.differs(at, a, b);
        }
    }

    /* ---- Bodies ---- */

    body(request, a, b) {
        const type = (a.headers['content-type'] ?? '').split(';')[0];
        if (/json$/.test(type)) {
            const known = request.path.startsWith('/openapi.json') ? withoutProse : (it) => it;
            this.value('', '', known(a.json), known(b.json), request);
        } else if (type === 'text/csv') {
            this.table(a.text, b.text);
        } else if (type === 'text/calendar') {
            this.lines('line', a.text.split('\r\n'), b.text.split('\r\n'));
        } else if (type === 'text/plain' && request.path === '/metrics') {
            this.lines('metric', metricNames(a.text), metricNames(b.text));
        } else if (type === 'image/svg+xml' || type === 'image/png') {
            this.picture(type, a, b);
        } else if (!isFile(a.headers)) {
            this.text('body', '', a.text, b.text);
        }
    }

    lines(what, a, b) {
        if (a.length !== b.length) {
            this.differs(`${what}s`, a.length, b.length);
            const gone = a.find((line) => !b.includes(line));
            const come = b.find((line) => !a.includes(line));
            this.differs(`one ${what}`, gone, come);
            return;
        }
        a.forEach((line, i) => this.text(`${what} ${i + 1}`, '', line, b[i]));
    }

    table(a, b) {
        const [rows, others] = [cells(a), cells(b)];
        const [columns] = rows;
        if (rows.length !== others.length) {
            this.differs('rows', rows.length, others.length);
        }
        rows.slice(0, others.length).forEach((row, i) => {
            if (row.length !== others[i].length) {
                this.differs(`row ${i + 1}`, row.join(), others[i].join());
            }
            row.slice(0, others[i].length).forEach((cell, j) => {
                const [at, key, other] = [`row ${i + 1} ${columns[j]}`, i ? columns[j] : '', others[i][j]];
                const numbers = /^-?\d+$/.test(cell) && /^-?\d+$/.test(other);
                if (numbers) {
                    this.number(at, key, Number(cell), Number(other), Object.fromEntries(columns.map((c, k) => [c, row[k]])));
                } else {
                    this.text(at, key, cell, other);
                }
            });
        });
    }

    /* A QR code of a name that was drawn: of the same size. */
    picture(type, a, b) {
        const size = type === 'image/png' ? (text) => text.length > 100 : (text) => /viewBox="[^"]*"/.exec(text)?.[0];
        if (size(a.text) !== size(b.text)) {
            this.differs('picture', size(a.text), size(b.text));
        }
    }

    /* ---- Values ---- */

    value(at, key, a, b, within) {
        if (kind(a) !== kind(b)) {
            this.differs(at || 'body', a, b);
        } else if (Array.isArray(a)) {
            if (a.length !== b.length) {
                this.differs(`${at} length`, a.length, b.length);
            }
            a.slice(0, b.length).forEach((one, i) => this.value(`${at}/${i}`, key, one, b[i], a));
        } else if (kind(a) === 'object') {
            this.members(at, a, b);
        } else if (typeof a === 'number') {
            this.number(at, key, a, b, within);
        } else if (typeof a === 'string') {
            this.text(at, key, a, b, within);
        } else if (a !== b) {
            this.differs(at, a, b);
        }
    }

    members(at, a, b) {
        const [names, others] = [Object.keys(a).join(), Object.keys(b).join()];
        if (names !== others) {
            this.differs(`${at} members`, names, others);
            return;
        }
        Object.keys(a).forEach((name) => this.value(`${at}/${name}`, name, a[name], b[name], a));
    }

    number(at, key, a, b, within) {
        if (key === 'version') {
            this.names.versions.set(`${a}`, `${b}`);
        }
        if (a === b) {
            return;
        }
        const seq = SEQS.has(key) && !(key === 'version' && (within.reservation_id || within.action));
        const span = key === 'seconds_held' ? Number(within.checkouts) : SPANS[key] ?? 0;
        if (key === 'poll_after_seconds' && Math.min(a, b) >= 1 && Math.max(a, b) <= 3 + 2 * Math.min(a, b)) {
            return; /* spread by a hash */
        }
        if (!(seq ? this.seqs.same(a, b) : Math.abs(a - b) <= span)) {
            this.differs(at, a, b);
        }
    }

    text(at, key, a, b, within) {
        if (SENTENCES.has(key) && within?.code !== undefined ? a && b : a === b && !isDrawn(key, a)) {
            return;
        }
        if (INSTANT.test(a) && INSTANT.test(b)) {
            if (!close(Date.parse(a), Date.parse(b))) {
                this.differs(at, a, b);
            }
        } else if (JWT.test(a) && JWT.test(b) && claims(a) && claims(b)) {
            this.value(`${at} claims`, '', claims(a), claims(b), {});
            this.drawn(at, a, b);
        } else if (isDrawn(key, a)) {
            this.drawn(at, a, b);
        } else {
            this.mixed(at, a, b);
        }
    }

    drawn(at, a, b) {
        if (a.length !== b.length && !JWT.test(a) && a.length < 20) {
            this.differs(`${at} length`, a, b);
        } else if (!this.names.same(a, b)) {
            this.differs(`${at} (${a} has been ${this.names.there.get(a)}, ${b} has been ${this.names.here.get(b)})`, a, b);
        }
    }

    /* Texts with names in them. */
    mixed(at, a, b) {
        const [names, others] = [a.match(NAMED) ?? [], b.match(NAMED) ?? []];
        if (a.split(NAMED).join('\0') !== b.split(NAMED).join('\0') || names.length !== others.length) {
            this.differs(at, a, b);
            return;
        }
        names.forEach((name, i) => {
            const [t, u] = [calendarInstant(name), calendarInstant(others[i])];
            const same = t && u ? close(t, u) : this.names.same(name, others[i]);
            if (!same) {
                this.differs(at, a, b);
            }
        });
    }
}

/* Some instants are rounded to the next second. */
const close = (a, b) => Math.abs(a - b) <= (a % 1000 || b % 1000 ? INSTANT_MS : 1_000);
const kind = (value) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const isFile = (headers) => /^(text\/(html|css|javascript)|font|application\/javascript)/.test(headers['content-type'] ?? '');
/* Of codes only those of tickets: the others were imported. */
const isDrawn = (key, text) => DRAWN.has(key) && (key !== 'code' || /^[0-9A-Z]{20}$/.test(text)) &&
    (key !== 'x' || text.length > 20);

function calendarInstant(text) {
    const parts = CALENDAR_INSTANT.exec(text);
    return parts && Date.UTC(parts[1], parts[2] - 1, parts[3], parts[4], parts[5], parts[6]);
}

/* What a token says, but for when it ends, which is an instant; undefined: it is none. */
function claims(token) {
    try {
        const { exp, iat, nbf, ...rest } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString('utf8'));
        return { ...rest, exp: new Date(exp * 1000).toISOString(), iat: typeof iat, nbf: typeof nbf };
    } catch {
        return undefined;
    }
}

function withoutProse(it) {
    if (Array.isArray(it)) {
        return it.map(withoutProse);
    }
    if (kind(it) !== 'object') {
        return it;
    }
    /* A property may have the name of a keyword. */
    return Object.fromEntries(Object.entries(it).filter(([name, value]) => !PROSE.has(name) ||
        (kind(value) === 'object' && value.type))
        .map(([name, value]) => [name, withoutProse(value)]));
}

const metricNames = (text) => text.split('\n').filter((line) => line.startsWith('# TYPE')).sort();

/* Tickets that became void in one change are sorted by code. Codes that were never shown before cannot be matched. */
function sortByCode(answer, known) {
    const order = ({ reissue, code }) => `${String(reissue).padStart(12)} ${known(code) || ''}`;
    const data = answer.status === 200 ? answer.json.data : [];
    data.sort((a, b) => (order(a) < order(b) ? -1 : 1));
    data.forEach((one) => (one.code = known(one.code) ? one.code : '?'));
}

/* The sales of a cancelled event go back in the order in which they lie in memory. */
function sortByPayment(answer) {
    const byRef = (of) => (a, b) => (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0);
    if (answer.status === 200 && answer.json) {
        answer.json.data.sort(byRef((due) => due.payment_ref));
    } else if (answer.status === 200) {
        const [head, ...rows] = answer.text.trimEnd().split(/\r?\n/);
        answer.text = [head, ...rows.sort(byRef((row) => row.split(',')[2]))].join('\n');
    }
}

/* RFC 4180, without line feeds inside of cells. */
function cells(text) {
    return text.split(/\r?\n/).map((line) => (line.match(/"(?:[^"]|"")*"|[^,]+|(?<=,|^)(?=,|$)/g) ?? []));
}

module.exports = { Matcher };
