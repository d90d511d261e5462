/* SPDX-License-Identifier: Apache-2.0 */
/* random.js — numbers from a seed: the same seed, the same requests. */
'use strict';

class Random {
    constructor(seed) {
        this.state = (seed * 2654435761) >>> 0;
    }

    /* mulberry32: in [0, 1). */
    next() {
        this.state = (this.state + 0x6d2b79f5) >>> 0;
        let t = this.state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    }

    /* Both ends included. */
    int(least, most) {
        return least + Math.floor(this.next() * (most - least + 1));
    }

    chance(p) {
        return this.next() < p;
    }

    /* Members that an object has now and then. */
    maybe(p, members) {
        return this.chance(p) ? members : {};
    }

    /* undefined: the list is empty. */
    pick(list) {
        return list[Math.floor(this.next() * list.length)];
    }

    /* Up to `count` different ones, in their order. */
    some(list, count) {
        const left = [...list];
        while (left.length > count) {
            left.splice(this.int(0, left.length - 1), 1);
        }
        return left;
    }

    /* One key of {key: weight}. */
    weighted(weights) {
        const entries = Object.entries(weights);
        let at = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
        return entries.find(([, weight]) => (at -= weight) < 0)?.[0] ?? entries[0][0];
    }
}

module.exports = { Random };
