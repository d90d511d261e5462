/* SPDX-License-Identifier: Apache-2.0 */
/* A second judge of one seat, as simple as possible: it tries every order, with a model of its own. For a few calls. */
'use strict';

const FREE = { by: null, sold: false, until: 0, released: [] };

/* The seat after a call with its answer, or undefined if that answer is wrong here. */
const AFTER = {
    'hold granted': (seat, { who, until }) => (seat.by ? undefined : { ...seat, by: who, sold: false, until }),
    'hold refused:taken': (seat) => (seat.by ? seat : undefined),
    'commit confirmed': (seat, { who }) => (seat.by === who ? { ...seat, sold: true, until: 0 } : undefined),
    'commit refused:expired': (seat, { who }) => (seat.by === who ? undefined : seat),
    'release released': (seat, { who }) => {
        if (seat.by === who && !seat.sold) return { ...FREE, released: [...seat.released, who] };
        return seat.by !== who && seat.released.includes(who) ? seat : undefined;
    },
    'release refused:already_confirmed': (seat, { who }) => (seat.by === who && seat.sold ? seat : undefined),
    'read free': (seat) => (seat.by ? undefined : seat),
    'read held': (seat, { who }) => (seat.by === who && !seat.sold ? seat : undefined),
    'read sold': (seat, { who }) => (seat.by === who && seat.sold ? seat : undefined),
    expire: (seat, { who, until }) => (seat.by === who && !seat.sold && seat.until === until ? { ...seat, by: null } : seat),
};

function explain(seat, left) {
    const must = left.filter((call) => !call.open);
    if (!must.length) return true;
    const first = Math.min(...must.map(({ to }) => to));
    return left.some((call) => {
        if (call.from > first || (call.after && left.includes(call.after))) return false;
        const next = AFTER[call.what](seat, call);
        return next !== undefined && explain(next, left.filter((other) => other !== call));
    });
}

/* Calls are {what, who, from, to, until, open}; an open one may never have happened. A hold expires at `until`. */
function everyOrder(calls) {
    const expiries = calls.filter(({ what }) => what === 'hold granted')
        .map((hold) => ({ what: 'expire', who: hold.who, until: hold.until, from: hold.until, to: hold.until, after: hold }));
    return explain(FREE, [...calls, ...expiries]);
}

module.exports = { everyOrder, WHATS: Object.keys(AFTER).filter((what) => what !== 'expire') };
