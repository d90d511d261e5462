/* SPDX-License-Identifier: Apache-2.0 */
/* find.js — a reservation's whole history, found by any part of it: #find/{what}, #find/{what}/{reservation}. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { count, dateTime, price } from '../../lib/format.js';
import { history } from '../../lib/history.js';
import { aboutItems } from '../../lib/order.js';
import { t } from '../../lib/texts.js';
import { paymentRow } from './payment_row.js';
import { RefundForm } from './refund_form.js';
import { reservationRow, statusTag } from './reservation_row.js';
import { View, to } from './view.js';

const MOST = 100;
const KEYS = ['pnr', 'user_id', 'ticket', 'payment_ref', 'q'];
const path = (id) => `/v1/reservations/${encodeURIComponent(id)}`;
/* What cannot be such a thing is not there. */
const orNone = (asked, none) => asked.catch((problem) => {
    if (![400, 404].includes(problem.status)) {
        throw problem;
    }
    return none;
});

export default class extends View {
    async load() {
        const [what, id] = this.parts;
        this.what = what?.trim() ?? '';
        this.found = this.what ? await this.search(this.what) : [];
        const one = id ?? (this.found.length === 1 ? this.found[0].reservation_id : null);
        this.one = one && await this.whole(one);
        this.refund = new RefundForm(this);
    }

    /* After a change of the one that is shown. */
    async refresh() {
        this.one = await this.whole(this.one.reservation.reservation_id);
    }

    /* By all that it can be; each once, the newest first. */
    async search(what) {
        const lists = await Promise.all([
            orNone(this.client.get(path(what)).then((one) => [one]), []),
            ...KEYS.map((key) => orNone(this.client.get('/v1/reservations', { query: { [key]: key === 'pnr' ? what.toUpperCase() : what, limit: MOST } })
                .then(({ data }) => data), [])),
        ]);
        const each = new Map(lists.flat().map((one) => [one.reservation_id, one]));
        return [...each.values()].sort((a, b) => b.created_at.localeCompare(a.created_at)).slice(0, MOST);
    }

    async whole(id) {
        const headers = { 'Holdfast-Min-Seq': this.client.seq };
        const [reservation, changes] = await Promise.all([this.client.get(path(id)), this.client.all(`${path(id)}/history`, { headers })]);
        const once = changes.flatMap(({ what }) => (what?.items ?? []).flatMap(({ before, after }) => [before, after])).filter(Boolean);
        return { reservation, changes, about: await aboutItems(this.client, [...reservation.items, ...once]) };
    }

    #form() {
        return html`<form class="card part search" role="search" @submit=${(e) => {
            e.preventDefault();
            location.hash = to('find', new FormData(e.target).get('what').trim());
        }}><label class="field"><span>${t('admin_find_what')}</span>
            <input name="what" type="search" required maxlength="255" autocomplete="off" autocapitalize="none" spellcheck="false" .value=${this.what}></label>
            <button class="button primary" type="submit">${t('admin_find_go')}</button></form>`;
    }

    #results() {
        return html`<section class="plain" aria-labelledby="results"><h2 id="results">${t('admin_find_found', { n: this.found.length })}</h2>
            ${this.found.length === MOST ? html`<p class="eyebrow">${t('admin_find_most', { n: MOST })}</p>` : nothing}
            <ul class="rows card">${this.found.map((one) => reservationRow(one, to('find', this.what, one.reservation_id)))}</ul></section>`;
    }

    #facts(r) {
        const fact = (name, value) => (value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : nothing);
        return html`<section class="card part"><div class="line"><h2 class="pnr" data-pnr=${r.pnr}>${r.pnr}</h2>${statusTag(r)}</div><dl class="facts">
            ${fact(t('admin_find_user'), r.user_id)}${fact(t('admin_find_total'), price(r.total.amount, r.total.currency))}
            ${fact(t('admin_find_balance'), r.balance?.amount ? price(r.balance.amount, r.balance.currency) : null)}
            ${fact(t('admin_find_payment'), r.payment?.ref ?? r.payment?.method ?? t('admin_find_payment_none'))}
            ${fact(t('admin_find_made'), dateTime(r.created_at))}${fact(t('admin_find_until'), r.status === 'held' ? dateTime(r.expires_at) : null)}
            ${fact(t('admin_find_ended'), r.ended_at && dateTime(r.ended_at))}
            ${fact(t('admin_find_id'), html`<code>${r.reservation_id}</code>`)}
            ${fact(t('admin_find_details'), Object.keys(r.attributes ?? {}).length ? html`<code>${JSON.stringify(r.attributes)}</code>` : null)}</dl></section>`;
    }

    #items({ reservation, about }) {
        return html`<section class="card part"><h2>${t('admin_find_items')}</h2><ul class="rows">${reservation.items.map((item) => html`<li class="row">
            <strong>${item.quantity ? `${count(item.quantity)} × ` : nothing}<bdi>${about(item).place(item)}</bdi></strong><bdi class="who">${about(item).name}</bdi>
            <span class="number">${price(item.price, reservation.total.currency)}</span></li>`)}</ul></section>`;
    }

    #payments({ reservation }) {
        return reservation.payments?.length ? html`<section class="card part"><h2>${t('admin_payments')}</h2><ul class="rows">${reservation.payments.map((payment) => paymentRow(payment))}</ul></section>` : nothing;
    }

    #past({ reservation, changes, about }) {
        return html`<section class="card part past" aria-labelledby="past"><h2 id="past">${t('admin_find_history')}</h2><ol>
            ${history(changes, about, reservation.total.currency).map(({ at, what, change }) => html`<li data-action=${change.action}><time datetime=${at}>${dateTime(at)}</time>
                <div><strong><bdi>${what}</bdi></strong> <span>${t('admin_find_actor', { actor: change.actor })}</span>
                ${change.reason ? html`<p class="eyebrow">${t('admin_find_reason', { reason: change.reason })}</p>` : nothing}</div></li>`)}</ol></section>`;
    }

    template() {
        if (this.one) {
            return html`${this.#form()}${this.found.length > 1 ? html`<p><a href=${to('find', this.what)}>${t('admin_find_back')}</a></p>` : nothing}
                ${this.#facts(this.one.reservation)}${this.#items(this.one)}${this.#payments(this.one)}${this.refund.template(this.one.reservation)}${this.#past(this.one)}`;
        }
        return html`${this.#form()}${this.found.length ? this.#results() : this.what
            ? html`<div class="card nothing" role="status"><h2>${t('admin_find_none', { what: this.what })}</h2><p class="eyebrow">${t('admin_find_none_why')}</p></div>` : nothing}`;
    }
}
