/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.js — what /metrics says, in Prometheus text, and what two readings of it say about the time between them. */
const LINE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"/g;
const number = (text) => ({ '+Inf': Infinity, '-Inf': -Infinity }[text] ?? Number(text));

/* One reading. */
export class Reading {
    constructor(text, at) {
        this.at = at;
        this.families = new Map();
        for (const line of text.split('\n')) {
            const found = line.startsWith('#') ? null : LINE.exec(line);
            if (found) {
                const [, name, labels = '', value] = found;
                const sample = { labels: Object.fromEntries([...labels.matchAll(LABEL)].map(([, key, text_]) => [key, text_])), value: number(value) };
                this.families.has(name) ? this.families.get(name).push(sample) : this.families.set(name, [sample]);
            }
        }
    }

    samples(name, match = () => true) {
        return (this.families.get(name) ?? []).filter(({ labels }) => match(labels));
    }

    /* Of all its samples that match; 0 if there are none. */
    sum(name, match) {
        return this.samples(name, match).reduce((sum, { value }) => sum + value, 0);
    }

    /* How many took at most how long: Map of seconds → count, over all histograms of that name that match. */
    buckets(name, match) {
        const sums = new Map();
        for (const { labels, value } of this.samples(`${name}_bucket`, match)) {
            const most = number(labels.le);
            sums.set(most, (sums.get(most) ?? 0) + value);
        }
        return sums;
    }
}

/* How much a counter grew each second between two readings; null: it began again, as after a restart. */
export function rate(before, after, name, match) {
    const grown = after.sum(name, match) - before.sum(name, match);
    const seconds = (after.at - before.at) / 1000;
    return grown < 0 || seconds <= 0 ? null : grown / seconds;
}

/* The time that the share `q` of what happened between two readings stayed within, in seconds; null: nothing happened. In a
 * bucket the times are taken to lie evenly; beyond the last bound nothing is known but that bound. */
export function quantile(before, after, name, q, match) {
    const old = before.buckets(name, match);
    const grown = [...after.buckets(name, match)].map(([most, count]) => [most, count - (old.get(most) ?? 0)]).sort(([a], [b]) => a - b);
    const all = grown.at(-1)?.[1] ?? 0;
    if (all <= 0) {
        return null;
    }
    const wanted = q * all;
    const at = grown.findIndex(([, count]) => count >= wanted);
    const [least, below] = at > 0 ? grown[at - 1] : [0, 0];
    const [most, count] = grown[at];
    return Number.isFinite(most) ? least + (most - least) * ((wanted - below) / (count - below)) : least;
}
