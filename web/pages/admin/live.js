/* SPDX-License-Identifier: Apache-2.0 */
/* live.js — sales, holds, expiries, refusals and latency as plots, from /metrics, which is read once a second. */
import { html } from '../../vendor/lit-html/lit-html.js';
import { ref } from '../../vendor/lit-html/directives/ref.js';
import { count } from '../../lib/format.js';
import { quantile, rate } from '../../lib/metrics.js';
import { t } from '../../lib/texts.js';
import { Plot } from './plot.js';
import { readMetrics } from './readings.js';
import { View } from './view.js';

const EVERY_MS = 1_000;
const KEPT = 300; /* readings: five minutes */
const api = ({ route, status }) => route.startsWith('/v1/') && status === '4xx';
const buying = ({ kind }) => kind === 'hold' || kind === 'commit';
const written = (n) => count(n < 10 ? Math.round(n * 10) / 10 : Math.round(n));

/* What is counted: its rate is plotted, its sum told. */
const COUNTED = {
    sales: ['holdfast_commits_total'], holds: ['holdfast_holds_total'], expiries: ['holdfast_expiries_total'],
    refusals: ['holdfast_requests_total', api], slowed: ['holdfast_requests_slowed_total'],
};
const perSecond = (n) => (n === null ? '–' : t('admin_live_rate', { n: written(n) }));
const millis = (s) => (s === null ? t('admin_live_unknown') : t('admin_live_ms', { n: written(s * 1000) }));
const PLOTS = [
    { id: 'pace', title: () => t('admin_live_pace'), say: perSecond, axis: written,
        lines: { sales: () => t('admin_live_sales'), holds: () => t('admin_live_holds'), expiries: () => t('admin_live_expiries') } },
    { id: 'refused', title: () => t('admin_live_refused'), say: perSecond, axis: written,
        lines: { refusals: () => t('admin_live_refusals'), slowed: () => t('admin_live_slowed') } },
    { id: 'latency', title: () => t('admin_live_latency'), say: millis, axis: (s) => t('admin_live_ms', { n: written(s * 1000) }),
        lines: { p50: () => t('admin_live_p50'), p99: () => t('admin_live_p99') } },
];

export default class extends View {
    #plots = new Map();

    async load() {
        this.first = this.last = await readMetrics(this.client, this.signal);
        this.points = [];
        this.now = { sales: null, holds: null, expiries: null, refusals: null, slowed: null, p50: null, p99: null };
        this.watch(EVERY_MS, async () => this.take(await readMetrics(this.client, this.signal)));
    }

    take(reading) {
        const rates = Object.entries(COUNTED).map(([name, [family, match]]) => [name, rate(this.last, reading, family, match)]);
        if (rates.some(([, value]) => value === null)) {
            this.first = reading; /* the server began again */
        }
        this.now = { at: this.client.clock.now() / 1000, ...Object.fromEntries(rates),
            p50: quantile(this.last, reading, 'holdfast_request_seconds', 0.5, buying),
            p99: quantile(this.last, reading, 'holdfast_request_seconds', 0.99, buying) };
        this.points = [...this.points, this.now].slice(-KEPT);
        this.last = reading;
    }

    rendered() {
        for (const { id, lines } of PLOTS) {
            this.#plots.get(id)?.show(['at', ...Object.keys(lines)].map((name) => this.points.map((point) => point[name])));
        }
    }

    #draws(plot) {
        return ref((root) => {
            if (root && !this.#plots.has(plot.id)) {
                this.#plots.set(plot.id, new Plot(root, { lines: Object.values(plot.lines).map((name) => name()), value: plot.axis, signal: this.signal }));
            }
        });
    }

    #plot(plot) {
        const now = Object.entries(plot.lines).map(([name, label]) => `${label()} ${plot.say(this.now[name])}`).join(', ');
        return html`<section class="card part plot" data-plot=${plot.id} aria-label=${plot.title()}><h2>${plot.title()}</h2>
            <ul class="legend">${Object.entries(plot.lines).map(([name, label], i) => html`<li class=${`line-${i}`}><span>${label()}</span>
                <strong class="number" data-rate=${name}>${plot.say(this.now[name])}</strong></li>`)}</ul>
            <div class="lines" role="img" aria-label=${t('admin_plot_label', { title: plot.title(), now })} ${this.#draws(plot)}></div></section>`;
    }

    #tile(name, value, label) {
        return html`<div class="card tile"><dt>${label}</dt><dd><strong class="number" data-figure=${name}>${value}</strong></dd></div>`;
    }

    #sum(name, label) {
        const [family, match] = COUNTED[name];
        const n = this.last.sum(family, match) - this.first.sum(family, match);
        return this.#tile(name, count(n), label);
    }

    template() {
        const gauge = (name, match) => count(this.last.sum(name, match));
        const [pace, ...others] = PLOTS;
        return html`${this.#plot(pace)}
            <section class="plain" aria-labelledby="since"><h2 id="since">${t('admin_live_since')}</h2><dl class="tiles">
                ${this.#sum('sales', t('admin_live_sales'))}${this.#sum('holds', t('admin_live_holds'))}
                ${this.#sum('expiries', t('admin_live_expiries'))}${this.#sum('refusals', t('admin_live_refusals'))}</dl></section>
            <div class="pair">${others.map((plot) => this.#plot(plot))}</div>
            <section class="plain" aria-labelledby="now"><h2 id="now">${t('admin_live_now')}</h2><dl class="tiles three">
                ${this.#tile('held', gauge('holdfast_reservations', ({ status }) => status === 'held'), t('admin_live_held'))}
                ${this.#tile('waiting', gauge('holdfast_queue_waiting'), t('admin_live_waiting'))}
                ${this.#tile('streams', gauge('holdfast_streams'), t('admin_live_streams'))}</dl></section>`;
    }
}
