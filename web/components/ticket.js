/* SPDX-License-Identifier: Apache-2.0 */
/* ticket.js — <holdfast-ticket reservation="res_…" token="…" code="…">: the tickets of an order, to show and to print.
 *
 * `token` is the manage token of the order, or its owner's; `code` names one of its tickets, otherwise all are shown. A page
 * that has loaded the order sets `order` to {reservation, about} (lib/order.js) instead.
 */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import css from '../style/ticket.css.js';
import { HoldfastElement } from '../lib/element.js';
import { dateTime, price } from '../lib/format.js';
import { aboutItems } from '../lib/order.js';
import { server } from '../lib/server.js';
import { failed, loading } from '../lib/states.js';
import { t } from '../lib/texts.js';

const VALID = 'confirmed';

export class HoldfastTicket extends HoldfastElement {
    static styles = [css];
    static observedAttributes = ['reservation', 'code'];

    #order = null;
    problem = null;

    set order(order) {
        this.#order = order;
        this.update();
    }

    attributeChangedCallback() {
        this.isConnected && this.connected();
    }

    connected() {
        if (this.getAttribute('reservation') && this.#order?.reservation.reservation_id !== this.getAttribute('reservation')) {
            this.#load();
        }
        this.update();
    }

    async #load() {
        try {
            const reservation = await this.shared.client.reservation(this.getAttribute('reservation'));
            const { client } = server(this.shared.client.url); /* without the token */
            this.order = { reservation, about: await aboutItems(client, reservation.items) };
        } catch (problem) {
            this.problem = problem;
            this.update();
        }
    }

    #ticket(ticket, index, all) {
        const { reservation, about } = this.#order;
        const item = reservation.items.find(({ item_id }) => item_id === ticket.item_id) ?? ticket;
        const what = about(item);
        const place = what.place(item);
        const start = item.event ? what.start(item) : null; /* a booking's place is its time */
        const name = item.attributes?.name || reservation.attributes?.name;
        const each = item.quantity ? Math.round(item.price / item.quantity) : item.price;
        const kind = [what.tier(item), item.category].filter(Boolean).join(', ');
        const good = reservation.status === VALID;
        return html`<article class=${`ticket ${good ? '' : 'void'}`} data-ticket=${ticket.code}>
            <div class="words">
                <p class="eyebrow when">${[start && dateTime(start, what.zone), what.venue].filter(Boolean).map((fact) => html`<span>${fact}</span>`)}</p>
                <h2>${what.name}</h2>
                <p class="place">${place}</p>
                <dl>
                    ${name ? html`<div><dt>${t('ticket_name')}</dt><dd>${name}</dd></div>` : nothing}
                    ${kind ? html`<div><dt>${t('choose_category')}</dt><dd>${kind}</dd></div>` : nothing}
                    <div><dt>${t('choose_tier')}</dt><dd class="number">${item.price === undefined ? '' : price(each, reservation.total.currency)}</dd></div>
                    <div><dt>${t('ticket_reference')}</dt><dd class="code">${reservation.pnr}</dd></div>
                </dl></div>
            <div class="stub">${good ? html`<img src=${`${this.shared.client.url}/v1/tickets/${ticket.code}.svg`} width="160" height="160"
                    alt=${t('ticket_alt', { place })} @error=${(e) => { e.target.replaceWith(t('ticket_none')); }}>`
                : html`<strong class="stamp">${t('ticket_void')}</strong>`}
                <p class="code">${ticket.code.replace(/(.{5})(?=.)/g, '$1 ')}</p>
                ${all > 1 ? html`<p class="fine">${t('ticket_one_of', { n: index + 1, all })}</p>` : nothing}</div></article>`;
    }

    template() {
        if (this.problem) {
            return failed(this.problem, () => { this.problem = null; this.connected(); });
        }
        if (!this.#order) {
            return html`<div aria-busy="true">${loading(1)}</div>`;
        }
        const code = this.getAttribute('code');
        const { tickets = [] } = this.#order.reservation;
        return html`<div class="tickets">${tickets.map((ticket, i) => (code && code !== ticket.code ? nothing : this.#ticket(ticket, i, tickets.length)))}</div>`;
    }
}

customElements.define('holdfast-ticket', HoldfastTicket);
