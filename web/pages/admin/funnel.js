/* SPDX-License-Identifier: Apache-2.0 */
/* funnel.js — how far buyers get: from hold to sale, why they were refused, what they abandoned, and how long a hold should
 * live; #funnel/{event}/{days}. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { ref } from '../../vendor/lit-html/directives/ref.js';
import { count, minutes, money, percent } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { download, eventChoice, nothingYet } from './parts.js';
import { View, to } from './view.js';

const DAYS = [1, 7, 30, 365];
const DAY_MS = 86_400_000;
const FEW = 100;
const ALL = '-'; /* in the address: no one event */
const ENDS = { expired: () => t('admin_abandoned_expired'), released: () => t('admin_abandoned_released') };
const REACHED = { held: () => t('admin_abandoned_held'), paying: () => t('admin_abandoned_paying') };
const sum = (rows, name) => rows.reduce((all, row) => all + row[name], 0);
const share = (n, of) => (of ? percent(n / of) : '–');

/* A bar as long as its share: by script, as no attribute may style. */
const long = (part) => ref((bar) => bar?.style.setProperty('inline-size', `${Math.max(0.5, 100 * part)}%`));

/* Sums by a key of the rows, the largest first. */
function grouped(rows, key, add) {
    const groups = new Map();
    for (const row of rows) {
        groups.set(key(row), add(groups.get(key(row)), row));
    }
    return [...groups];
}

export default class extends View {
    async load() {
        const [event, days] = this.parts;
        this.eventId = event && event !== ALL ? event : undefined;
        this.days = DAYS.find((one) => String(one) === days) ?? 30;
        this.query = { event: this.eventId, from: new Date(Math.floor(this.client.clock.now() / DAY_MS) * DAY_MS - (this.days - 1) * DAY_MS).toISOString() };
        const advice = this.eventId && this.client.get(`/v1/events/${encodeURIComponent(this.eventId)}/ttl-advice`);
        [this.events, this.funnel, this.abandoned, this.advice] = await Promise.all([this.client.all('/v1/events'),
            ...['funnel', 'abandoned'].map((name) => this.client.get(`/v1/reports/${name}`, { query: this.query }).then(({ data }) => data)), advice]);
    }

    #choice() {
        return html`<div class="fields">${eventChoice('funnel', this.events, this.eventId, t('admin_funnel_all'))}
            <label class="field choice"><span>${t('admin_funnel_days')}</span><select @change=${(e) => { location.hash = to('funnel', this.eventId ?? ALL, e.target.value); }}>
                ${DAYS.map((n) => html`<option value=${n} ?selected=${n === this.days}>${t('admin_funnel_last', { n })}</option>`)}</select></label></div>`;
    }

    #bar(name, label, n, all, text = count(n)) {
        return html`<li data-bar=${name}><span>${label}</span><strong class="number">${text}</strong><i aria-hidden="true"><b ${long(all ? n / all : 0)}></b></i></li>`;
    }

    #file(name, what) {
        return html`<button class="button quiet" type="button" aria-label=${t('admin_export', { what })} ?disabled=${this.busy} @click=${() => this.act(() => download(this.client, `/v1/reports/${name}`, `${name}.csv`, this.query))}>${t('admin_csv')}</button>`;
    }

    #steps() {
        const [held, paying, confirmed, late, refunded] = ['held', 'paying', 'confirmed', 'late', 'refunded'].map((name) => sum(this.funnel, name));
        const of = (n) => t('admin_funnel_of', { n: count(n), share: share(n, held) });
        const notes = [late && t('admin_funnel_late', { n: late }), refunded && t('admin_funnel_refunded', { n: refunded })].filter(Boolean);
        return html`<section class="card part" aria-labelledby="steps"><div class="line"><h2 id="steps">${t('admin_funnel_steps')}</h2>${this.#file('funnel', t('admin_funnel_steps'))}</div>
            <ul class="bars">${this.#bar('held', t('admin_funnel_held'), held, held)}${this.#bar('paying', t('admin_funnel_paying'), paying, held, of(paying))}
                ${this.#bar('confirmed', t('admin_funnel_confirmed'), confirmed, held, of(confirmed))}</ul>
            ${notes.length ? html`<p class="eyebrow">${notes.join(' · ')}</p>` : nothing}</section>`;
    }

    #refusals() {
        const reasons = grouped(this.funnel.flatMap(({ refusals }) => refusals), ({ reason }) => reason, (n = 0, { count: more }) => n + more).sort(([, a], [, b]) => b - a);
        return html`<section class="card part" aria-labelledby="refusals"><h2 id="refusals">${t('admin_funnel_refusals')}</h2>
            ${reasons.length ? html`<ul class="bars">${reasons.map(([reason, n]) => this.#bar(reason, html`<code>${reason}</code>`, n, reasons[0][1]))}</ul>` : html`<p>${t('admin_funnel_refusals_none')}</p>`}
            <p class="eyebrow">${t('admin_funnel_refusals_why')}</p></section>`;
    }

    #abandoned() {
        const rows = grouped(this.abandoned, ({ how, reached, currency }) => `${how} ${reached} ${currency}`, (all, row) => ({ ...row,
            checkouts: (all?.checkouts ?? 0) + row.checkouts, amount: (all?.amount ?? 0) + row.amount,
            seconds: (all?.seconds ?? 0) + row.seconds_held * row.checkouts })).sort(([, a], [, b]) => b.checkouts - a.checkouts);
        return html`<section class="card part" aria-labelledby="abandoned"><div class="line"><h2 id="abandoned">${t('admin_abandoned')}</h2>${this.#file('abandoned', t('admin_abandoned'))}</div>
            ${rows.length ? html`<ul class="rows">${rows.map(([key, row]) => html`<li class="row" data-abandoned=${key}><div><strong>${ENDS[row.how]()}</strong> ${REACHED[row.reached]()}
                <p class="eyebrow">${t('admin_abandoned_time', { time: minutes(row.seconds / row.checkouts) })}${row.amount ? ` · ${t('admin_abandoned_worth', { amount: money(row.amount, row.currency) })}` : nothing}</p></div>
                <strong class="number">${t('admin_abandoned_what', { n: row.checkouts })}</strong></li>`)}</ul>` : html`<p>${t('admin_abandoned_none')}</p>`}</section>`;
    }

    #ttl() {
        const { advice } = this;
        const event = this.events.find(({ id }) => id === this.eventId);
        const told = !advice || !event ? t('admin_ttl_choose') : advice.samples === 0 ? t('admin_ttl_none')
            : t('admin_ttl_is', { p50: minutes(advice.p50_seconds), p95: minutes(advice.p95_seconds), now: minutes(event.hold_ttl_seconds), advice: minutes(advice.recommended_ttl_seconds) });
        return html`<section class="card part" data-ttl=${advice?.recommended_ttl_seconds ?? nothing} aria-labelledby="ttl"><h2 id="ttl">${t('admin_ttl')}</h2><p>${told}</p>
            ${advice?.samples ? html`<p class="eyebrow">${t(advice.samples < FEW ? 'admin_ttl_few' : 'admin_ttl_samples', { n: advice.samples, count: count(advice.samples) })}</p>` : nothing}</section>`;
    }

    template() {
        const none = sum(this.funnel, 'held') === 0 && this.funnel.every(({ refusals }) => refusals.length === 0) && this.abandoned.length === 0;
        return html`${this.#choice()}${none ? nothingYet(t('admin_funnel_none'), t('admin_funnel_none_why')) : html`${this.#steps()}<div class="pair">${this.#refusals()}${this.#abandoned()}</div>`}${this.#ttl()}`;
    }
}
