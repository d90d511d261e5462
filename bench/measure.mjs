// SPDX-License-Identifier: Apache-2.0
// Numbers out of runs: medians, spreads, ratios, and the rows of the report.

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// Waits for a condition, never for a time.
export async function until(what, condition, { every, within }) {
    const end = Date.now() + within * 1000;
    while (!(await condition())) {
        if (Date.now() > end) throw new Error(`waited ${within} s in vain for ${what}`);
        await sleep(every);
    }
}

export function median(values) {
    const sorted = [...values].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function spread(values) {
    return { median: median(values), min: Math.min(...values), max: Math.max(...values), runs: values };
}

// Runs each contender `times` times, one after the other and starting with another one each round, so that disturbances
// affect all of them. contenders: { name: async (round) => number }; returns { name: spread }.
export async function alternate(times, contenders) {
    const names = Object.keys(contenders);
    const values = Object.fromEntries(names.map((name) => [name, []]));
    for (let round = 0; round < times; round++)
        for (let i = 0; i < names.length; i++) {
            const name = names[(i + round) % names.length];
            values[name].push(await contenders[name](round));
        }
    return Object.fromEntries(names.map((name) => [name, spread(values[name])]));
}

// One line of the report. `asked` and `aim` are about `value`: at least, or with `most`, at most. A row without `asked`
// only informs. ours and peer are spreads in `unit`; value is ours ÷ peer unless given.
export function row({ figure, name, unit, ours, peer, peerName, value, asked, aim, most = false, note, extra }) {
    const measured = value ?? ours.median / peer.median;
    let range;
    if (value === undefined && peer && ours.runs.length === peer.runs.length) {
        const ratios = ours.runs.map((v, i) => v / peer.runs[i]);
        range = { min: Math.min(...ratios), max: Math.max(...ratios) };
    }
    const reached = most ? measured <= asked : measured >= asked;
    return {
        figure, name, unit, ours, peer, peer_name: peerName, value: measured, range, asked, aim, most,
        verdict: asked === undefined ? '' : reached ? 'PASS' : 'SHORT', note, extra,
    };
}

export const thousands = (n) => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ',');
