/* SPDX-License-Identifier: Apache-2.0 */
/* payment_events.js — the signed events of the payment provider and the result of each: #payments/events/{result}. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { dateTime, money } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { Paged } from './paged.js';
import { nothingYet } from './parts.js';
import { ledgerLists } from './payment_row.js';
import { View, to } from './view.js';

/* Each with the look of its tag. */
const RESULTS = { confirmed: 'good', recorded: 'good', returned: '', failed: '', refund_due: 'warn', amount_mismatch: 'warn', currency_mismatch: 'warn',
    unknown_reservation: 'bad', payment_used: 'warn', rejected: 'bad', repeated: '', ignored: '' };

const WITHOUT_ROW = ['rejected', 'ignored']; /* no payment of the ledger */

export const resultName = (result) => (result in RESULTS ? t(`ledger_result_${result}`) : result);

export class PaymentEventsView extends View {
    async load() {
        this.result = this.parts[1] in RESULTS ? this.parts[1] : undefined;
        this.list = await new Paged(this, '/v1/payment-events', { result: this.result }).more();
    }

    #choice() {
        return html`<label class="field choice"><span>${t('ledger_result')}</span>
            <select @change=${(e) => { location.hash = e.target.value ? to('payments', 'events', e.target.value) : to('payments', 'events'); }}>
            <option value="" ?selected=${!this.result}>${t('ledger_result_all')}</option>
            ${Object.keys(RESULTS).map((name) => html`<option value=${name} ?selected=${name === this.result}>${resultName(name)}</option>`)}</select></label>`;
    }

    #event(event) {
        const { amount, payment_ref: ref } = event;
        return html`<li class="row refund" data-event=${event.event_id ?? nothing}><strong class="number">${amount ? money(amount.amount, amount.currency) : '–'}</strong>
            <div>${WITHOUT_ROW.includes(event.result) || !ref ? html`<bdi>${ref ?? ''}</bdi>` : html`<a href=${to('payments', 'one', ref)}><bdi>${ref}</bdi></a>`}
                <p class="eyebrow">${event.type === 'hold' ? t('ledger_event_hold') : event.type} · ${dateTime(event.received_at)}${event.reservation_id && event.result !== 'unknown_reservation'
                    ? html` · <a href=${to('find', event.reservation_id)}>${t('admin_refund_reservation')}</a>` : nothing}</p>
                ${event.result === 'rejected' ? html`<p class="advice"><strong>${t('ledger_what_to_do')}:</strong> ${t('ledger_do_rejected')}</p>` : nothing}</div>
            <span class=${`tag ${RESULTS[event.result] ?? ''}`}>${resultName(event.result)}</span></li>`;
    }

    template() {
        return html`${ledgerLists('events')}${this.#choice()}
            ${this.list.rows.length ? html`<ul class="rows card">${this.list.rows.map((event) => this.#event(event))}</ul>`
                : nothingYet(t('ledger_events_none'), t('ledger_events_none_why'))}
            ${this.list.button()}`;
    }
}
