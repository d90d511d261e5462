/* SPDX-License-Identifier: Apache-2.0 */
/* spoil.js — makes a request wrong in one of the ways in which clients are. */
'use strict';

const WRONG = [null, -1, 0, 1.5, 1e15, 18446744073709551616, '', 'x', 'x'.repeat(300), '\u0000', [], {}, true, [[]],
    '2026-13-45T99:00:00Z', 'ä'.repeat(70)];

const isObject = (it) => it && typeof it === 'object' && !Array.isArray(it);
const copy = (it) => JSON.parse(JSON.stringify(it));

/* Every object of a body that has members. */
function objects(it, found = []) {
    if (Array.isArray(it)) {
        it.slice(0, 5).forEach((one) => objects(one, found));
    } else if (isObject(it)) {
        found.push(it);
        Object.values(it).forEach((one) => objects(one, found));
    }
    return found;
}

/* Of a body that is a value: wrong in one member. */
const MEMBERS = {
    value: (w, at, name) => (at[name] = w.r.pick(WRONG)), missing: (w, at, name) => delete at[name],
    unknown: (w, at) => (at.surprise = 1),
    renamed: (w, at, name) => { at[`${name}s`] = at[name]; delete at[name]; },
};
function member(w, request, how) {
    const body = copy(request.body);
    const at = w.r.pick(objects(body).filter((it) => Object.keys(it).length || how === 'unknown'));
    if (!at) {
        return undefined;
    }
    MEMBERS[how](w, at, w.r.pick(Object.keys(at)));
    return { ...request, body };
}

/* Of any body: wrong as a text. */
const TEXTS = {
    cut: (text) => text.slice(0, Math.max(1, text.length - 3)), more: (text) => `${text}}`,
    twice: (text) => text.replace(/^\{("[^"]+":)/, '{$1null,$1'), empty: () => '', list: (text) => `[${text}]`,
    word: () => 'nonsense', bytes: () => Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    nul: (text) => text.replace('"', '"\\u0000'), deep: () => '['.repeat(200) + ']'.repeat(200),
    large: () => `{"name":"${'x'.repeat(1_100_000)}"}`,
};

const WAYS = {
    value: 6, missing: 2, unknown: 2, renamed: 1, cut: 1, more: 0.5, twice: 1, empty: 1, list: 0.7, word: 0.5, bytes: 0.5,
    nul: 0.3, deep: 0.2, large: 0.05,
    type: 1, caller: 4, nowhere: 3, query: 2, method: 0.7, token: 1, key: 0.7, headers: 0.2,
};

const OF_REQUEST = {
    type: (w, it) => it.body !== undefined && { ...it, headers: { ...it.headers,
        'content-type': w.r.pick(['text/plain', 'application/xml', 'text/csv', 'application/json; charset=latin1']) } },
    caller: (w, it) => ({ ...it, as: w.anyone }), token: (w, it) =>
        ({ ...it, as: { bearer: w.r.pick(['nonsense', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.', 'x'.repeat(500)]) } }),
    nowhere: (w, it) => ({ ...it, path: it.path.replace(/(\/v1\/[a-z-]+\/)([^/?]+)/,
        (_, start) => start + w.r.pick(['nosuchthing', 'res_0123456789ABCDEFGHJKMNPQRS', 'a%20b', 'x'.repeat(70), '%',
        '..'])) }),
    query: (w, it) => ({ ...it, path: it.path + (it.path.includes('?') ? '&'
        : '?') + w.r.pick(['limit=0', 'limit=1001', 'limit=x', 'surprise=1', 'cursor=zzz', 'user_id=', 'from=yesterday',
        'limit=5&limit=6']) }),
    method: (w, it) => ({ ...it, method: w.r.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'LOCK']) }),
    headers: (w, it) => ({ ...it, headers: { ...it.headers, 'x-long': 'x'.repeat(17_000) } }),
    key: (w, it) => ({ ...it, headers: { ...it.headers, 'Idempotency-Key': w.r.pick(['x'.repeat(256), ' ', 'ok', 'a\tb']) } }),
};

/* The request made wrong; as it was, if it cannot be made so. */
function spoil(w, request) {
    const how = w.r.weighted(WAYS);
    let made;
    if (MEMBERS[how]) {
        made = request.body && typeof request.body === 'object' && member(w, request, how);
    } else if (TEXTS[how]) {
        const text = typeof request.body === 'string' ? request.body : request.body && JSON.stringify(request.body);
        made = text && { ...request, body: TEXTS[how](text) };
    } else {
        made = OF_REQUEST[how](w, request);
    }
    return made ? { ...made, done: undefined, spoiled: how, cancels: undefined, erases: undefined } : request;
}

module.exports = { spoil };
