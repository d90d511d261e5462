/* SPDX-License-Identifier: Apache-2.0 */
/* basket.js — <holdfast-basket checkout="https://shop.example/pay?order={reservation}">: what is held, what it costs, how long.
 *
 * Says 'expired' and 'confirmed' with the reservation. Where nothing has to be paid, "Confirm" buys at once. Otherwise
 * "Check out" asks for names, and "Pay" leads to `checkout`, with the reservation's id in place of {reservation}; without
 * it the organiser takes payment. `demo`: the payment is the demo's own. `order`: the page of an order, again with
 * {reservation}, to which the buyer is taken; without it there is a link. While the buyer is at the check-out, `step` is
 * "checkout". `ask-email`: whether the check-out asks for an e-mail address, "optional" by default, "required" or "off".
 * `buyer-name`, `buyer-email`, `skip-details`: what the site knows about the buyer (buyer.js).
 */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { repeat } from '../vendor/lit-html/directives/repeat.js';
import css from '../style/basket.css.js';
import { buyerOf, skipsDetails } from '../lib/buyer.js';
import { HoldfastElement } from '../lib/element.js';
import { price, timeOfDay } from '../lib/format.js';
import { eventName, itemName } from '../lib/places.js';
import { failed, note } from '../lib/states.js';
import { t } from '../lib/texts.js';
import { stepper } from './choose.js';
import { refusal, singles } from './singles.js';
import './checkout.js';
import './countdown.js';

export class HoldfastBasket extends HoldfastElement {
    static styles = [css];

    message = nothing;
    busy = false;
    refused = false; /* because it leaves single seats */

    connected(signal) {
        const { basket, catalogue } = this.shared;
        basket.addEventListener('change', () => { this.problem = null; this.update(); }, { signal });
        basket.addEventListener('confirmed', (e) => this.#confirmed(e.detail), { signal });
        catalogue.addEventListener('change', () => this.update(), { signal });
        basket.loaded.catch((problem) => this.#failed(problem));
    }

    #failed(problem) {
        this.problem = problem;
        this.update();
    }

    #do(call) {
        this.refused = false;
        return this.attempt(call, (problem) => refusal(this, problem));
    }

    /* Whether anything in it has to be paid before it can be confirmed. */
    get unpaid() {
        const { basket, catalogue } = this.shared;
        const { reservation } = basket;
        const terms = (item) => { const about = catalogue.aboutItem(item); return about?.event ?? about?.calendar; };
        return reservation.total.amount > 0 && basket.items.some((item) => terms(item)?.payment !== 'none');
    }

    /* In the tab in which it was bought, on to the tickets. */
    async #confirmed(reservation) {
        const here = this.bought;
        this.bought = false;
        this.say('confirmed', reservation);
        const page = this.getAttribute('order');
        if (page && here && !this.shared.basket.late) {
            location.assign(await this.shared.basket.orderLink(page));
        }
    }

    /* Enters what the page knows about the buyer. False: nothing is left to ask, and the payment has begun; or it was refused. */
    async #introduce() {
        const [{ basket }, page] = [this.shared, this.getAttribute('checkout')];
        const skips = page && this.unpaid && skipsDetails(this);
        let asks = false;
        await this.#do(async () => {
            await basket.introduce(buyerOf(this));
            skips ? await basket.payAt(page) : (asks = true);
        });
        return asks;
    }

    async #step(step) {
        if (step && !await this.#introduce()) {
            return;
        }
        step ? this.setAttribute('step', step) : this.removeAttribute('step');
        this.update();
        queueMicrotask(() => {
            this.scrollIntoView({ block: 'start' });
            this.shadowRoot.getElementById('title').focus();
        });
    }

    /* The link is asked for once per order. */
    #order() {
        const { basket } = this.shared;
        const id = basket.reservation.reservation_id;
        if (this.linked !== id) {
            this.linked = id;
            this.link = null;
            basket.orderLink(this.getAttribute('order') ?? undefined).then((link) => { this.link = link; this.update(); }, () => { this.linked = null; });
        }
        return this.link ? html`<a class="button primary" href=${this.link}>${t('basket_tickets')}</a>` : nothing;
    }

    /* ---- Templates ---- */

    #category(item, about) {
        const names = about?.event?.categories;
        if (!names || names.length < 2) {
            return item.category ? html`<span class="eyebrow">${item.category}</span>` : nothing;
        }
        return html`<select aria-label=${t('choose_category')} @change=${(e) =>
            this.#do(() => this.shared.basket.change(item.item_id, { category: e.target.value }))}>
            ${names.map((name) => html`<option value=${name} ?selected=${name === item.category}>${name}</option>`)}</select>`;
    }

    /* Its event is named above the first of the items of that event: the page may be about another one. */
    #item(item, index) {
        const { basket, catalogue } = this.shared;
        const { currency } = basket.reservation.total;
        const about = catalogue.aboutItem(item);
        const name = itemName(item, about);
        const seat = about?.hall?.seats[about.hall.index.get(item.seat)];
        const event = basket.items[index - 1]?.event === item.event ? null : eventName(about);
        return html`<li data-item=${item.item_id} data-seat-of=${item.seat ?? nothing}>
            <div class="what">${event ? html`<span class="of eyebrow">${event}</span>` : nothing}<strong>${name}</strong>${seat?.tier ? html`<span class="eyebrow">${seat.tier}</span>` : nothing}
                ${this.#category(item, about)}</div>
            <span class="cost number">${price(item.price, currency)}</span>
            ${item.quantity ? stepper(t('basket_quantity', { place: name }), item.quantity, { name: item.item_id, most: 100,
                set: (quantity) => this.#do(() => basket.change(item.item_id, { quantity })) }) : nothing}
            <button class="button quiet icon drop" type="button" aria-label=${t('basket_drop', { place: name })} title=${t('basket_drop', { place: name })}
                aria-disabled=${this.busy} @click=${this.press(() => this.#do(() => basket.drop(item.item_id)))}>×</button></li>`;
    }

    /* Whether it can be paid here. */
    get payable() {
        return this.hasAttribute('demo') || Boolean(this.getAttribute('checkout'));
    }

    #checkout() {
        const own = (name) => this.getAttribute(name) ?? nothing;
        return html`<holdfast-countdown server=${own('server')} token=${own('token')}></holdfast-countdown>
            <holdfast-checkout server=${own('server')} token=${own('token')} checkout=${own('checkout')} ask-email=${own('ask-email')} ?demo=${this.hasAttribute('demo')}
                .unpaid=${this.unpaid} @buy=${() => { this.bought = true; }} @back=${() => this.#step(null)}></holdfast-checkout>`;
    }

    /* The way on from here. */
    finish() {
        const { basket } = this.shared;
        const out = this.press(() => this.#step('checkout'));
        if (!this.unpaid) {
            return html`<button class="button primary wide" type="button" aria-disabled=${this.busy}
                @click=${this.press(() => this.#do(() => { this.bought = true; return basket.commit(); }))}>${t('basket_confirm')}</button>
                <button class="button wide" type="button" aria-disabled=${this.busy} @click=${out}>${t('basket_names')}</button>`;
        }
        if (this.payable) {
            return html`<button class="button primary wide" type="button" aria-disabled=${this.busy} @click=${out}>${t('basket_check_out')}</button>`;
        }
        return html`<p class="note"><span>${t('basket_organiser', { time: timeOfDay(basket.reservation.expires_at) })}</span></p>`;
    }

    #held() {
        const { basket } = this.shared;
        const { reservation } = basket;
        if (this.checkingOut) {
            return this.#checkout();
        }
        return html`<holdfast-countdown server=${this.getAttribute('server') ?? nothing} token=${this.getAttribute('token') ?? nothing}></holdfast-countdown>
            <ul class="items">${repeat(basket.items, (item) => item.item_id, (item, index) => this.#item(item, index))}</ul>
            <p class="total"><span>${t('basket_total')}</span><strong class="number">${price(reservation.total.amount, reservation.total.currency)}</strong></p>
            <div aria-live="polite">${singles(this, (call) => this.#do(call))}</div>
            ${reservation.payment_started_at ? note('', t('basket_paying'), '') : nothing}
            ${this.finish()}
            <button class="button quiet wide" type="button" aria-disabled=${this.busy} @click=${this.press(() => this.#do(() => basket.release()))}>${t('basket_clear')}</button>`;
    }

    #expired(basket) {
        const again = html`<button class="button" type="button" @click=${() => basket.clear()}>${t('basket_again')}</button>`;
        return basket.refund ? note('warn', t('basket_refund'), t('basket_refund_why', { amount: price(basket.refund.amount, basket.refund.currency) }), again)
            : note('warn', t('basket_expired'), t(basket.awaitsPayment ? 'basket_expired_paying' : 'basket_expired_why'), again);
    }

    #body(basket) {
        if (this.problem && !basket.held) {
            return failed(this.problem, () => { this.problem = null; this.update(); basket.load().catch((problem) => this.#failed(problem)); });
        }
        switch (basket.state) {
        case 'held': return this.#held();
        case 'expired': return this.#expired(basket);
        case 'confirmed': return note('good', t(basket.late ? 'basket_late' : 'basket_confirmed'),
            t(basket.late ? 'basket_late_why' : 'basket_confirmed_why', { pnr: basket.reservation.pnr }),
            html`${this.#order()}<button class="button" type="button" @click=${() => basket.clear()}>${t('basket_more')}</button>`);
        default: return html`<div class="empty"><strong>${t('basket_empty')}</strong><p class="eyebrow">${t('basket_empty_why')}</p></div>`;
        }
    }

    get checkingOut() {
        return this.shared.basket.held && this.getAttribute('step') === 'checkout';
    }

    template() {
        const { basket } = this.shared;
        if (!basket.held) {
            this.removeAttribute('step');
        }
        return html`<section class="basket card" data-basket=${basket.items.length} data-state=${basket.state} aria-labelledby="title">
            <h2 id="title" tabindex="-1">${this.checkingOut ? t('checkout_title') : t('basket_title')}</h2>
            ${this.#body(basket)}<div aria-live="polite">${this.message}</div></section>`;
    }
}

customElements.define('holdfast-basket', HoldfastBasket);
