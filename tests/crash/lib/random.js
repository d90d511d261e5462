/* SPDX-License-Identifier: Apache-2.0 */
/* random.js — random numbers from a seed, so that a run can be repeated. */
'use strict';

class Random {
    constructor(seed) {
        this.seed = seed >>> 0;
        this.state = this.seed;
    }

    /* 0 <= n < 1 */
    next() {
        this.state = (this.state + 0x6d2b79f5) >>> 0;
        let t = this.state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 0x1_0000_0000;
    }

    /* A whole number, both ends included. */
    between(least, most) {
        return least + Math.floor(this.next() * (most - least + 1));
    }

    chance(p) {
        return this.next() < p;
    }

    of(list) {
        return list[this.between(0, list.length - 1)];
    }

    /* `count` different ones. */
    some(list, count) {
        const rest = [...list];
        const chosen = [];
        while (chosen.length < count && rest.length > 0) {
            chosen.push(...rest.splice(this.between(0, rest.length - 1), 1));
        }
        return chosen;
    }
}

module.exports = { Random };
