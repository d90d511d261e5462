// SPDX-License-Identifier: Apache-2.0
// What the host takes: a virtual machine is kept from a processor now and then, and whatever ran on it seems slow by every
// clock it has. The kernel counts that time as stolen, where the host says so.
import fs from 'node:fs';

const EVERY_MS = 10;
const TICK_MS = 10; // the unit of /proc/stat

function stolenTicks() {
    const processors = fs.readFileSync('/proc/stat', 'latin1').match(/^cpu\d+ .*$/gm) ?? [];
    return processors.map((line) => Number(line.split(/\s+/)[8] ?? 0));
}

// Samples every few milliseconds. The function it returns reports what was stolen so far: the share of all processors'
// time, the longest time one of them was gone, and how often one was gone for more than overMs.
export function watchHost(overMs) {
    const began = performance.now();
    const first = stolenTicks();
    let last = first;
    let longestMs = 0;
    let often = 0;
    const look = () => {
        const now = stolenTicks();
        for (const [i, ticks] of now.entries()) {
            const goneMs = (ticks - last[i]) * TICK_MS;
            longestMs = Math.max(longestMs, goneMs);
            if (goneMs > overMs) often++;
        }
        last = now;
    };
    setInterval(look, EVERY_MS).unref();
    return () => {
        look();
        const taken = last.reduce((sum, ticks, i) => sum + ticks - first[i], 0) * TICK_MS;
        return { share: taken / (performance.now() - began) / last.length, longest_ms: longestMs, often };
    };
}
