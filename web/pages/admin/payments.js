/* SPDX-License-Identifier: Apache-2.0 */
/* payments.js — the rows of the ledger that do not add up, or all of them: #payments, #payments/all. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { t } from '../../lib/texts.js';
import { nothingYet } from './parts.js';
import { paymentRow } from './payment_row.js';
import { View, to } from './view.js';

const PAGE = 50;

export default class extends View {
    async load() {
        this.all = this.parts[0] === 'all';
        this.list = [];
        this.cursor = undefined;
        await this.more();
    }

    async more() {
        const { data, next_cursor: next } = await this.client.get('/v1/payments', { query: { discrepancy: this.all ? undefined : true, limit: PAGE, cursor: this.cursor } });
        this.list.push(...data);
        this.cursor = next;
    }

    template() {
        const which = (all, address, label) => html`<a href=${address} aria-current=${this.all === all ? 'true' : nothing}>${label}</a>`;
        return html`<nav class="switch" aria-label=${t('admin_payments_which')}>${which(false, to('payments'), t('admin_payments_wrong'))}${which(true, to('payments', 'all'), t('admin_payments_all'))}</nav>
            ${this.list.length ? html`<ul class="rows card">${this.list.map((payment) => paymentRow(payment, { alone: true }))}</ul>`
                : nothingYet(t(this.all ? 'admin_payments_none' : 'admin_payments_none_wrong'), t(this.all ? 'admin_payments_none_why' : 'admin_payments_none_wrong_why'))}
            ${this.cursor ? html`<div class="actions"><button class="button" type="button" ?disabled=${this.busy} @click=${() => this.act(() => this.more())}>${t('admin_refund_more')}</button></div>` : nothing}`;
    }
}
