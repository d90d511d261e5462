/* SPDX-License-Identifier: Apache-2.0 */
/* refunds.js — what has to be paid back, and what was: #refunds, #refunds/done, #refunds/withdrawn.
 *
 * The amount of a refund due follows the ledger until some of it went back. Of one that has changed the server wants to
 * hear how much was paid back: the row asks for that then.
 */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { minor, typed } from '../../lib/amount.js';
import { dateTime, price } from '../../lib/format.js';
import { note } from '../../lib/states.js';
import { t } from '../../lib/texts.js';
import { Paged } from './paged.js';
import { download, listChoice, nothingYet } from './parts.js';
import { receivedBy } from './payment_row.js';
import { View, to } from './view.js';

const STATUSES = { open: 'admin_refunds_open', done: 'admin_refunds_done', withdrawn: 'admin_refunds_withdrawn' };
const NONE = { open: 'admin_refunds_none', done: 'admin_refunds_none_done', withdrawn: 'admin_refunds_none_withdrawn' };
const REASONS = { expired: 'admin_reason_expired', released: 'admin_reason_released', cancelled: 'admin_reason_cancelled', refunded: 'admin_reason_refunded',
    paid_twice: 'admin_reason_paid_twice', replaced: 'admin_reason_replaced', amount_mismatch: 'admin_reason_amount_mismatch',
    currency_mismatch: 'admin_reason_currency_mismatch', overpaid: 'admin_reason_overpaid', event_cancelled: 'admin_reason_event_cancelled',
    moved: 'admin_reason_moved', unknown_reservation: 'admin_wrong_unknown' };

export default class extends View {
    async load() {
        this.status = STATUSES[this.parts[0]] ? this.parts[0] : 'open';
        this.asked = null; /* the id of the one whose amount is asked for */
        this.list = await new Paged(this, '/v1/refunds-due', { status: this.status }).more();
    }

    #done(refund, body = {}) {
        return this.act(async () => {
            try {
                await this.client.post(`/v1/refunds-due/${encodeURIComponent(refund.id)}/done`, body);
            } catch (problem) {
                problem.code === 'refund_changed' && await this.#ask(refund.id);
                throw problem;
            }
            this.list.drop(refund);
            this.asked = null;
        }, t('admin_refund_marked'));
    }

    /* With its amount as it is now. */
    async #ask(id) {
        await this.load();
        while (this.list.cursor && !this.list.rows.some((one) => one.id === id)) {
            await this.list.more();
        }
        this.asked = id;
    }

    #submit(e, refund) {
        e.preventDefault();
        const { currency } = refund.amount;
        const given = new FormData(e.target);
        const amount = minor(given.get('amount'), currency);
        if (!amount) {
            this.message = note('bad', t('form_money'));
            this.update();
            return undefined;
        }
        return this.#done(refund, { amount: { amount, currency }, outside: given.has('outside') });
    }

    #form(refund) {
        const { amount, currency } = refund.amount;
        return html`<form class="part" @submit=${(e) => this.#submit(e, refund)}>
            <label class="field"><span>${t('admin_refund_amount', { currency })}</span><input name="amount" inputmode="decimal" required autocomplete="off" .value=${typed(amount, currency)}></label>
            <div class="field tick"><label><input type="checkbox" name="outside"> ${t('admin_refund_outside')}</label></div>
            <button class="button primary" type="submit" ?disabled=${this.busy}>${t('admin_refund_mark_short')}</button></form>`;
    }

    #buttons(refund) {
        const named = { amount: price(refund.amount.amount, refund.amount.currency), ref: refund.payment_ref };
        return html`<div class="actions"><button class="button" type="button" ?disabled=${this.busy}
                aria-label=${t('admin_refund_mark', named)} @click=${() => this.#done(refund)}>${t('admin_refund_mark_short')}</button>
            <button class="button" type="button" ?disabled=${this.busy} aria-label=${t('admin_refund_other', named)}
                @click=${() => { this.asked = refund.id; this.update(); }}>${t('admin_refund_other_short')}</button></div>`;
    }

    #refund(refund) {
        const { amount, currency } = refund.amount;
        const said = [receivedBy(refund.received_by), refund.done_at ? t('admin_refund_done_at', { when: dateTime(refund.done_at) })
            : t('admin_refund_since', { when: dateTime(refund.created_at) })];
        const open = refund.status === 'open';
        const advice = !open ? null : refund.disputed ? 'ledger_refund_disputed' : refund.received_by === 'assumed' ? 'ledger_refund_assumed' : null;
        return html`<li class="row refund" data-refund=${refund.id}><strong class="number">${price(amount, currency)}</strong>
            <div><span>${REASONS[refund.reason] ? t(REASONS[refund.reason]) : refund.reason}</span>
                <p class="eyebrow"><a href=${to('payments', 'one', refund.payment_ref)}>${t('admin_refund_payment', { ref: refund.payment_ref })}</a> · ${said.filter(Boolean).join(' · ')}${refund.reservation_id && refund.reason !== 'unknown_reservation' ? html` · <a href=${to('find', refund.reservation_id)}>${t('admin_refund_reservation')}</a>` : nothing}</p>
                ${open ? html`<p class="fine">${t('ledger_refund_id')} <code>${refund.id}</code></p>` : nothing}
                ${advice ? html`<p class="advice">${t(advice)}</p>` : nothing}</div>
            ${refund.disputed ? html`<span class="tag bad">${t('admin_wrong_disputed')}</span>` : nothing}
            ${refund.status === 'done' ? nothing : this.asked === refund.id ? this.#form(refund) : this.#buttons(refund)}</li>`;
    }

    template() {
        const address = (status) => (status === 'open' ? to('refunds') : to('refunds', status));
        return html`<div class="line">${listChoice(t('admin_refunds_which'), Object.keys(STATUSES).map((status) => [address(status), t(STATUSES[status]), this.status === status]))}
            <button class="button" type="button" ?disabled=${this.busy} @click=${() => this.act(() => download(this.client, '/v1/refunds-due', `refunds-${this.status}.csv`, { status: this.status }))}>${t('admin_refunds_export')}</button></div>
            ${this.list.rows.length ? html`<ul class="rows card">${this.list.rows.map((refund) => this.#refund(refund))}</ul>`
                : nothingYet(t(NONE[this.status]), t('admin_refunds_none_why'))}
            ${this.list.button()}`;
    }
}
