/* SPDX-License-Identifier: Apache-2.0 */
/* plot.js — lines over the last minutes, drawn by uPlot: in the colours of the design, each line with a dash of its own. */
import uPlot from '../../vendor/uplot/dist/uPlot.esm.js';
import { clock, timeWithSeconds } from '../../lib/format.js';

const HEIGHT = 180;
const SHOWN_S = [60, 300]; /* at least, at most */
const STEPS_S = [10, 15, 30, 60, 120, 300];
const DASHES = [[], [8, 4], [2, 4]];
const COLOURS = ['--hf-seat-1', '--hf-seat-4', '--hf-seat-3'];
const property = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/* From the first reading, but at least a minute and at most five. */
function shown(_, first, last) {
    const end = last ?? 0;
    return [Math.min(end - SHOWN_S[0], Math.max(first ?? end, end - SHOWN_S[1])), end];
}

/* With seconds where the steps are not whole minutes. */
const times = (_, at, __, ___, step) => at.map((s) => (step < 60 ? timeWithSeconds : clock)(s * 1000));

export class Plot {
    #plot = null;
    #width = 0;
    #resized;
    #dark = matchMedia('(prefers-color-scheme: dark)');

    /* `lines` are their names, `value` writes one of them at the axis, `signal` ends it. */
    constructor(root, { lines, value, signal }) {
        Object.assign(this, { root, lines, value });
        this.data = [[], ...lines.map(() => [])];
        this.#resized = new ResizeObserver(([{ contentRect }]) => this.#fit(Math.floor(contentRect.width)));
        this.#resized.observe(root);
        this.#dark.addEventListener('change', () => this.#make(), { signal });
        signal.addEventListener('abort', () => {
            this.#resized.disconnect();
            this.#plot?.destroy();
        });
    }

    #fit(width) {
        if (width > 0 && width !== this.#width) {
            this.#width = width;
            this.#plot ? this.#plot.setSize({ width, height: HEIGHT }) : this.#make();
        }
    }

    #make() {
        const [ink, line] = [property('--hf-ink-2'), property('--hf-line-colour')];
        const axis = { stroke: ink, font: `12px ${property('--hf-font')}`, grid: { stroke: line, width: 1 }, ticks: { show: false } };
        this.#plot?.destroy();
        this.#plot = new uPlot({
            width: this.#width, height: HEIGHT, legend: { show: false }, cursor: { show: false }, padding: [8, 8, 0, 0],
            scales: { x: { range: shown }, y: { range: (_, __, most) => [0, Math.max(most ?? 0, Number.EPSILON) * 1.15 || 1] } },
            axes: [
                { ...axis, grid: { show: false }, values: times, space: 80, incrs: STEPS_S, size: 28 },
                { ...axis, size: 52, space: 36, values: (_, at) => at.map((one) => this.value(one)) },
            ],
            series: [{}, ...this.lines.map((label, i) => ({ label, stroke: property(COLOURS[i]), width: 2, dash: DASHES[i], points: { show: false } }))],
        }, this.data, this.root);
    }

    /* [seconds of each reading, values of the first line, …]; null: nothing is known. */
    show(data) {
        this.data = data;
        this.#plot?.setData(data);
    }
}
