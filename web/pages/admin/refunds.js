/* SPDX-License-Identifier: Apache-2.0 */
/* refunds.js — what has to be paid back, and what was: #refunds, #refunds/done. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { dateTime, price } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { download, nothingYet } from './parts.js';
import { View, to } from './view.js';

const PAGE = 50;
const REASONS = { expired: 'admin_reason_expired', released: 'admin_reason_released', cancelled: 'admin_reason_cancelled', refunded: 'admin_reason_refunded',
    paid_twice: 'admin_reason_paid_twice', replaced: 'admin_reason_replaced', amount_mismatch: 'admin_reason_amount_mismatch',
    currency_mismatch: 'admin_reason_currency_mismatch', overpaid: 'admin_reason_overpaid', event_cancelled: 'admin_reason_event_cancelled' };

export default class extends View {
    async load() {
        this.status = this.parts[0] === 'done' ? 'done' : 'open';
        this.list = [];
        this.cursor = undefined;
        await this.more();
    }

    async more() {
        const { data, next_cursor: next } = await this.client.get('/v1/refunds-due', { query: { status: this.status, limit: PAGE, cursor: this.cursor } });
        this.list.push(...data);
        this.cursor = next;
    }

    #done(refund) {
        return this.act(async () => {
            await this.client.post(`/v1/refunds-due/${encodeURIComponent(refund.id)}/done`);
            this.list = this.list.filter((one) => one !== refund);
        }, t('admin_refund_marked'));
    }

    #refund(refund) {
        const { amount, currency } = refund.amount;
        return html`<li class="row refund" data-refund=${refund.id}><strong class="number">${price(amount, currency)}</strong>
            <div><span>${REASONS[refund.reason] ? t(REASONS[refund.reason]) : refund.reason}</span>
                <p class="eyebrow">${t('admin_refund_payment', { ref: refund.payment_ref })} · ${refund.done_at ? t('admin_refund_done_at', { when: dateTime(refund.done_at) })
                    : t('admin_refund_since', { when: dateTime(refund.created_at) })} · <a href=${to('find', refund.reservation_id)}>${t('admin_refund_reservation')}</a></p></div>
            ${refund.done_at ? nothing : html`<button class="button" type="button" ?disabled=${this.busy}
                aria-label=${t('admin_refund_mark', { amount: price(amount, currency), ref: refund.payment_ref })} @click=${() => this.#done(refund)}>${t('admin_refund_mark_short')}</button>`}</li>`;
    }

    template() {
        const which = (status, label) => html`<a href=${status === 'open' ? to('refunds') : to('refunds', status)} aria-current=${this.status === status ? 'true' : nothing}>${label}</a>`;
        return html`<div class="line"><nav class="switch" aria-label=${t('admin_refunds_which')}>${which('open', t('admin_refunds_open'))}${which('done', t('admin_refunds_done'))}</nav>
            <button class="button" type="button" ?disabled=${this.busy} @click=${() => this.act(() => download(this.client, '/v1/refunds-due', `refunds-${this.status}.csv`, { status: this.status }))}>${t('admin_refunds_export')}</button></div>
            ${this.list.length ? html`<ul class="rows card">${this.list.map((refund) => this.#refund(refund))}</ul>`
                : nothingYet(t(this.status === 'open' ? 'admin_refunds_none' : 'admin_refunds_none_done'), t('admin_refunds_none_why'))}
            ${this.cursor ? html`<div class="actions"><button class="button" type="button" ?disabled=${this.busy} @click=${() => this.act(() => this.more())}>${t('admin_refund_more')}</button></div>` : nothing}`;
    }
}
