/* SPDX-License-Identifier: Apache-2.0 */
/* payments.js — the ledger: its totals, and the payments that do not add up, or all of them: #payments, #payments/all.
 *
 * #payments/one/{payment} is one payment with its events (payment.js), #payments/events/{result} what the provider sent
 * (payment_events.js).
 */
import { html } from '../../vendor/lit-html/lit-html.js';
import { money } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { Paged } from './paged.js';
import { nothingYet } from './parts.js';
import { PaymentView } from './payment.js';
import { PaymentEventsView } from './payment_events.js';
import { AMOUNTS, ledgerLists, paymentRow } from './payment_row.js';
import { View } from './view.js';

/* What each currency adds up to over all days: [{currency, received, kept, returned, owed}]. */
function totalsOf(days) {
    const totals = new Map();
    for (const { currency, ...day } of days) {
        const sum = totals.get(currency) ?? { currency };
        Object.keys(AMOUNTS).forEach((name) => { sum[name] = (sum[name] ?? 0) + day[name]; });
        totals.set(currency, sum);
    }
    return [...totals.values()].sort((a, b) => a.currency.localeCompare(b.currency));
}

class LedgerView extends View {
    async load() {
        this.all = this.parts[0] === 'all';
        const days = this.client.get('/v1/reports/money', { headers: { 'Holdfast-Min-Seq': this.client.seq } });
        this.list = await new Paged(this, '/v1/payments', { discrepancy: this.all ? undefined : true }).more();
        this.totals = totalsOf((await days).data);
    }

    #totals(sum) {
        return html`<section class="plain" aria-label=${t('ledger_totals', { currency: sum.currency })}><dl class="tiles" data-totals=${sum.currency}>
            ${Object.entries(AMOUNTS).map(([name, label]) => html`<div class="card tile"><dt>${t(label)}</dt>
                <dd><strong class="number" data-figure=${name}>${money(sum[name], sum.currency)}</strong></dd></div>`)}</dl></section>`;
    }

    template() {
        return html`${ledgerLists(this.all ? 'all' : 'wrong')}${this.totals.map((sum) => this.#totals(sum))}
            ${this.list.rows.length ? html`<ul class="rows card">${this.list.rows.map((payment) => paymentRow(payment, { alone: true }))}</ul>`
                : nothingYet(t(this.all ? 'admin_payments_none' : 'admin_payments_none_wrong'), t(this.all ? 'admin_payments_none_why' : 'admin_payments_none_wrong_why'))}
            ${this.list.button()}`;
    }
}

const PARTS = { one: PaymentView, events: PaymentEventsView };

export default class {
    constructor(options) {
        return new (PARTS[options.parts[0]] ?? LedgerView)(options);
    }
}
