/* SPDX-License-Identifier: Apache-2.0 */
/* payment.js — one payment: its row of the ledger, and the provider's events about it. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { dateTime, money } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { resultName } from './payment_events.js';
import { AMOUNTS, discrepancyAdvice, discrepancyTag } from './payment_row.js';
import { View, to } from './view.js';

const STATUSES = { begun: 'ledger_status_begun', failed: 'ledger_status_failed', received: 'ledger_status_received' };
const SOURCES = { provider: 'ledger_source_provider', app: 'ledger_source_app', assumed: 'ledger_source_assumed' };

export class PaymentView extends View {
    async load() {
        this.payment = await this.client.get(`/v1/payments/${encodeURIComponent(this.parts[1] ?? '')}`, { headers: { 'Holdfast-Min-Seq': this.client.seq } });
    }

    #facts(p) {
        const fact = (name, value) => (value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : nothing);
        return html`<section class="card part"><div class="line"><h2 data-payment=${p.payment_ref}><bdi>${p.payment_ref}</bdi></h2>${discrepancyTag(p)}</div>
            ${discrepancyAdvice(p)}<dl class="facts">
            ${Object.entries(AMOUNTS).map(([name, label]) => fact(t(label), html`<span class="number" data-figure=${name}>${money(p[name], p.currency)}</span>`))}
            ${fact(t('ledger_status'), t(STATUSES[p.status]))}${fact(t('ledger_source'), SOURCES[p.received_by] ? t(SOURCES[p.received_by]) : null)}
            ${fact(t('ledger_first'), dateTime(p.first_at))}${fact(t('ledger_last'), dateTime(p.last_at))}
            ${fact(t('ledger_reservation'), p.reservation_id && this.#reservation(p))}
            </dl></section>`;
    }

    #reservation({ reservation_id: id, discrepancy }) {
        const code = html`<code>${id}</code>`;
        return discrepancy === 'unknown_reservation' ? code : html`<a href=${to('find', id)}>${code}</a>`;
    }

    template() {
        const { events } = this.payment;
        return html`<p><a href=${to('payments', 'all')}>${t('ledger_back')}</a></p>${this.#facts(this.payment)}
            <section class="card part past" aria-labelledby="events"><h2 id="events">${t('ledger_history')}</h2>
            ${events.length ? html`<ol>${events.map((event) => html`<li data-result=${event.result}><time datetime=${event.at}>${dateTime(event.at)}</time>
                <div><strong>${resultName(event.result)}</strong> <span>${event.type === 'hold' ? t('ledger_event_hold') : event.type}</span>
                ${event.id ? html`<p class="eyebrow"><code>${event.id}</code></p>` : nothing}</div></li>`)}</ol>`
                : html`<p class="eyebrow">${t('ledger_history_none')}</p>`}</section>`;
    }
}
