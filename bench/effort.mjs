// SPDX-License-Identifier: Apache-2.0
// The processor time of this bench and of everything it has started, whatever else the machine does.
import fs from 'node:fs';
import os from 'node:os';

const TICKS_A_SECOND = 100; // of /proc, on every Linux

// Parent and ticks of a process; its ended children count with it. Null: it is gone.
function look(pid) {
    try {
        const fields = fs.readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ').map(Number);
        return { pid: Number(pid), parent: fields[1], ticks: fields[11] + fields[12] + fields[13] + fields[14] };
    } catch {
        return null;
    }
}

export function processorSeconds() {
    const all = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(look).filter(Boolean);
    const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
    const ours = (pid) => {
        for (; pid > 1; pid = parents.get(pid)) if (pid === process.pid) return true;
        return false;
    };
    const ticks = all.filter(({ pid }) => ours(pid)).reduce((sum, one) => sum + one.ticks, 0);
    return { seconds: ticks / TICKS_A_SECOND, processors: os.availableParallelism() };
}
