/* SPDX-License-Identifier: Apache-2.0 */
/* fleet_time.js — where the drivers' time goes: how many were free, offered, busy and away, one above the other, over the
 * last minutes; and what part of the time each had. */
import { html, svg } from '../vendor/lit-html/lit-html.js';
import { STATUSES } from '../lib/fleet.js';
import { clock, percent } from '../lib/format.js';
import { t } from '../lib/texts.js';
import { sign } from './fleet_map.js';

const [WIDTH, HEIGHT] = [600, 150];
const SPAN_LEAST_MS = 60_000;
const STACK = ['busy', 'offered', 'free', 'away']; /* from the ground up */
const NAMES = {
    free: () => t('fleet_free'), offered: () => t('fleet_offered'), busy: () => t('fleet_busy'), away: () => t('fleet_away'),
};
export const statusName = (status) => NAMES[status]();

/* The outline of one layer: along its lower edge and back along its upper one. */
function layers(samples) {
    const last = samples.at(-1).at;
    const first = Math.min(samples[0].at, last - SPAN_LEAST_MS);
    const most = Math.max(1, ...samples.map((one) => STATUSES.reduce((sum, status) => sum + one[status], 0)));
    const x = (at) => (((at - first) / (last - first)) * WIDTH).toFixed(1);
    const y = (n) => (HEIGHT - (n / most) * HEIGHT).toFixed(1);
    let below = samples.map(() => 0);
    return STACK.map((status) => {
        const above = samples.map((one, i) => below[i] + one[status]);
        const path = [...samples.map((one, i) => `${x(one.at)},${y(below[i])}`), ...samples.map((one, i) => `${x(one.at)},${y(above[i])}`).reverse()];
        below = above;
        return { status, points: path.join(' ') };
    });
}

export function timePlot(fleet) {
    const { samples, shares } = fleet;
    return html`<section class="card time" aria-labelledby="time-title"><div><h2 id="time-title">${t('fleet_time')}</h2>
            <p class="eyebrow">${t('fleet_time_why')}</p></div>
        <div class="plot"><svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            ${layers(samples).map(({ status, points }) => svg`<polygon class=${status} points=${points}></polygon>`)}</svg>
            <p class="axis fine" aria-hidden="true"><span>${clock(Math.min(samples[0].at, samples.at(-1).at - SPAN_LEAST_MS))}</span><span>${t('fleet_now')}</span></p></div>
        <dl class="shares">${STATUSES.map((status) => html`<div><dt>${sign(status)}${NAMES[status]()}</dt>
            <dd class="number" data-share=${status}>${percent(shares[status])}</dd></div>`)}</dl></section>`;
}
