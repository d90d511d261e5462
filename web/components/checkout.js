/* SPDX-License-Identifier: Apache-2.0 */
/* checkout.js — <holdfast-checkout>: who buys, the names on the tickets, and the payment. Part of the basket.
 *
 *     filling in ──Confirm──► bought                      nothing to pay
 *               ├──Pay──► `checkout`, a page of the shop's
 *               └──Pay──► waiting ──► bought              `demo`: the server's own payments
 *                           └──► declined ──Pay──► …
 *
 * `ask-email` says whether an e-mail address is asked for (email_field.js). Says 'buy' before it buys or waits for a payment,
 * 'back' when the visitor wants to see the basket again. The basket itself notices what comes of a payment.
 */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import css from '../style/checkout.css.js';
import { HoldfastElement } from '../lib/element.js';
import { price, timeOfDay } from '../lib/format.js';
import { itemName, placeAmong } from '../lib/places.js';
import { note } from '../lib/states.js';
import { t } from '../lib/texts.js';
import { emailField } from './email_field.js';
import { refusal, singles } from './singles.js';

const OUTCOMES = [['succeeds', 'checkout_succeeds'], ['declined', 'checkout_declined'], ['slow', 'checkout_slow']];

export class HoldfastCheckout extends HoldfastElement {
    static styles = [css];

    unpaid = true;
    busy = false;
    waiting = false;
    refused = false; /* because it leaves single seats */
    message = nothing;

    connected(signal) {
        const { basket, catalogue } = this.shared;
        basket.addEventListener('change', () => this.update(), { signal });
        catalogue.addEventListener('change', () => this.update(), { signal });
    }

    async #submit(e) {
        e.preventDefault();
        const form = new FormData(e.target);
        if (!this.busy) {
            await this.#do(() => this.#save(form).then(() => this.#buy(form)));
        }
    }

    #do(call) {
        this.refused = false;
        return this.attempt(call, (problem) => {
            this.waiting = false;
            return refusal(this, problem);
        });
    }

    /* Once the payment has begun nothing changes any more. */
    async #save(form) {
        const { basket } = this.shared;
        if (!basket.reservation.payment_started_at) {
            const { email } = basket.reservation.attributes;
            await basket.describe({ name: form.get('name').trim(), email: form.has('email') ? form.get('email').trim() || undefined : email },
                new Map(basket.items.map(({ item_id }) => [item_id, form.get(`ticket-${item_id}`).trim()])));
        }
    }

    async #buy(form) {
        const { basket } = this.shared;
        if (!this.unpaid) {
            this.dispatchEvent(new Event('buy'));
            await basket.commit();
            return;
        }
        if (this.hasAttribute('demo')) {
            await basket.beginPayment();
            await this.#demo(form.get('outcome'));
        } else {
            await basket.payAt(this.getAttribute('checkout'));
        }
    }

    async #demo(outcome) {
        const { basket, client } = this.shared;
        this.dispatchEvent(new Event('buy'));
        this.waiting = outcome !== 'declined';
        await client.post('/demo/payments', { reservation_id: basket.reservation.reservation_id, outcome });
        if (this.waiting) {
            basket.expectPayment();
        } else {
            this.message = note('bad', t('checkout_was_declined'), t('checkout_was_declined_why', { time: timeOfDay(basket.reservation.expires_at) }));
        }
    }

    /* ---- Templates ---- */

    #who(fixed) {
        const { name = '', email } = this.shared.basket.reservation.attributes;
        return html`<fieldset><legend>${t('checkout_who')}</legend><div class="fields">
            <label class="field"><span>${t('checkout_name')}</span>
                <input name="name" autocomplete="name" maxlength="200" required ?readonly=${fixed} .value=${name}></label>
            ${emailField(this, email, fixed)}</div></fieldset>`;
    }

    #names(fixed) {
        const { basket, catalogue } = this.shared;
        return html`<fieldset><legend>${t('checkout_names')}</legend>
            <p class="fine">${t('checkout_names_why')}</p>
            <div class="fields">${basket.items.map((item) => [item, catalogue.aboutItem(item)]).map(([item, about]) => html`<label class="field">
                <span>${placeAmong(basket.items, itemName(item, about), about)}${item.quantity > 1 ? ` × ${item.quantity}` : ''}</span>
                <input name=${`ticket-${item.item_id}`} autocomplete="off" maxlength="200" ?readonly=${fixed} .value=${item.attributes?.name ?? ''}></label>`)}</div></fieldset>`;
    }

    #outcomes() {
        return html`<fieldset><legend>${t('checkout_demo')}</legend><p class="fine">${t('checkout_demo_why')}</p>
            <div class="choices">${OUTCOMES.map(([value, key], i) => html`<label class="choice">
                <input type="radio" name="outcome" value=${value} ?checked=${i === 0}><span>${t(key)}</span></label>`)}</div></fieldset>`;
    }

    #form() {
        const { reservation } = this.shared.basket;
        const fixed = Boolean(reservation.payment_started_at);
        return html`<form @submit=${(e) => this.#submit(e)}>
            ${this.#who(fixed)}${this.#names(fixed)}
            ${this.unpaid && this.hasAttribute('demo') ? this.#outcomes() : nothing}
            <p class="total"><span>${t('basket_total')}</span><strong class="number">${price(reservation.total.amount, reservation.total.currency)}</strong></p>
            <div aria-live="polite">${singles(this, (call) => this.#do(call))}${this.message}</div>
            <div class="way"><button class="button primary wide" type="submit" aria-disabled=${this.busy}>${this.unpaid ? t('checkout_pay') : t('basket_confirm')}</button>
            <button class="button quiet wide" type="button" aria-disabled=${this.busy} @click=${this.press(() => this.dispatchEvent(new Event('back')))}>${t('checkout_back')}</button></div></form>`;
    }

    template() {
        const { basket } = this.shared;
        if (!basket.held) {
            return nothing;
        }
        return this.waiting ? html`<div class="waiting"><span class="turning" aria-hidden="true"></span>
            ${note('', t('checkout_waiting'), t('checkout_waiting_why'))}</div>` : this.#form();
    }
}

customElements.define('holdfast-checkout', HoldfastCheckout);
