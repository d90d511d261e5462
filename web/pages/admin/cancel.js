/* SPDX-License-Identifier: Apache-2.0 */
/* cancel.js — cancels an event: what that will do, then how far it is. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { count, money } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { CatalogueView } from './catalogue_view.js';
import { heading } from './fields.js';
import { to } from './view.js';

const EVERY_MS = 1_000;
const MOST = 1_000; /* entries of a waiting list that are counted */
const REASON_MOST = 256;

/* What is sold of it: [{currency, amount}]. */
function amountsOf(days) {
    const sums = new Map();
    days.forEach(({ currency, amount }) => sums.set(currency, (sums.get(currency) ?? 0) + amount));
    return [...sums].map(([currency, amount]) => ({ currency, amount })).filter(({ amount }) => amount > 0);
}

export class CancelView extends CatalogueView {
    fault = false; /* what was typed to confirm is not the id */

    async load() {
        const [, id] = this.parts;
        this.path = `/v1/events/${encodeURIComponent(id)}`;
        [this.event, this.progress] = await Promise.all([this.client.event(id), this.client.get(`${this.path}/cancel`)]);
        if (this.progress.state === 'none') {
            await this.#preview(id);
        }
        this.watch(EVERY_MS, () => (this.progress.state === 'running' ? this.#read() : null));
    }

    async #preview(id) {
        const headers = { 'Holdfast-Min-Seq': this.client.seq };
        const [sales, room, list] = await Promise.all([this.client.get('/v1/reports/sales', { headers, query: { event: id } }),
            this.event.waiting_room ? this.client.get(`${this.path}/queue`) : null,
            this.event.waiting_list ? this.client.get(`${this.path}/waiting-list`, { headers, query: { status: 'waiting', limit: MOST } }) : null]);
        this.amounts = amountsOf(sales.data);
        this.inRoom = room?.waiting ?? 0;
        this.onList = list?.data.length ?? 0;
        this.listIsLonger = Boolean(list?.next_cursor);
    }

    async #read() {
        this.progress = await this.client.get(`${this.path}/cancel`, { attempts: 1, signal: this.signal });
    }

    async #cancel(e) {
        e.preventDefault();
        const given = new FormData(e.target);
        this.fault = given.get('confirm').trim() !== this.event.id;
        if (this.fault) {
            this.update();
            e.target.elements.confirm.focus();
            return;
        }
        const reason = given.get('reason').trim();
        if (await this.act(async () => {
            this.progress = await this.client.post(`${this.path}/cancel`, reason ? { reason } : {});
        })) {
            this.root.querySelector('[data-cancel]').focus();
        }
    }

    /* ---- Before ---- */

    #will() {
        const { seats: _, held, sold, pools } = this.event.counts;
        const standing = pools.capacity - pools.available;
        const places = (key, n) => (n ? t(key, { n, places: count(n) }) : null);
        const people = (key, n) => (n ? t(key, { n, people: count(n) }) : null);
        return [t('cancel_will_end'), places('cancel_will_holds', held), places('cancel_will_sales', sold), places('cancel_will_pools', standing),
            ...this.amounts.map(({ amount, currency }) => t('cancel_will_money', { amount: money(amount, currency) })),
            held + sold + standing ? t('cancel_will_others') : t('cancel_will_nothing'), people('cancel_will_room', this.inRoom),
            this.listIsLonger ? t('cancel_will_list_many', { people: count(this.onList) }) : people('cancel_will_list', this.onList)].filter(Boolean);
    }

    #form() {
        const { id } = this.event;
        return html`<section class="card part" aria-labelledby="will"><header><h3 id="will">${t('cancel_will')}</h3></header>
                <ul class="listed" data-will>${this.#will().map((line) => html`<li>${line}</li>`)}</ul></section>
            <form class="card part" novalidate @submit=${(e) => this.#cancel(e)}>
                <div class="field"><label for="reason">${t('cancel_reason')}</label>
                    <input id="reason" name="reason" maxlength=${REASON_MOST} autocomplete="off" aria-describedby="reason-hint"><p class="fine" id="reason-hint">${t('cancel_reason_hint')}</p></div>
                <div class="field"><label for="confirm">${t('cancel_confirm', { id })}</label>
                    <input id="confirm" name="confirm" autocomplete="off" autocapitalize="none" spellcheck="false"
                        aria-invalid=${this.fault ? 'true' : nothing} aria-describedby=${this.fault ? 'confirm-fault' : nothing}>
                    ${this.fault ? html`<p class="fault" id="confirm-fault">${t('cancel_confirm_bad')}</p>` : nothing}</div>
                <div class="actions"><button class="button danger" type="submit" ?disabled=${this.busy}>${t('cancel_go')}</button>
                    <a class="button" href=${to('events', 'edit', id)}>${t('cancel_keep')}</a></div></form>`;
    }

    /* ---- Meanwhile and afterwards ---- */

    #progress() {
        const { state, refunded, left } = this.progress;
        const done = state === 'done';
        const counts = { n: refunded, done: count(refunded), left: count(left) };
        return html`<section class="card part" data-cancel=${state} tabindex="-1" aria-labelledby="state"><header><h3 id="state">${t(done ? 'cancel_done' : 'cancel_running')}</h3>
                <p class="eyebrow">${done ? t(refunded ? 'cancel_done_why' : 'cancel_done_none', counts) : t('cancel_running_why')}</p></header>
            ${done ? nothing : html`<progress aria-label=${t('cancel_progress')} max=${Math.max(1, refunded + left)} .value=${refunded}></progress>
                <p role="status">${t('cancel_refunded', counts)}</p>`}
            <div class="actions">${refunded ? html`<a class="button primary" href=${to('refunds')}>${t('admin_refunds')}</a>` : nothing}
                <a class="button" href=${to('orders', this.event.id)}>${t('orders')}</a>
                <a class="button" href=${`/e/${encodeURIComponent(this.event.id)}`}>${t('cat_open_page')}</a></div></section>`;
    }

    template() {
        return html`${heading(t('cancel_title', { name: this.event.name }), html`<a class="button" href=${to('events', 'edit', this.event.id)}>${t('cancel_back')}</a>`)}
            ${this.progress.state === 'none' ? this.#form() : this.#progress()}`;
    }
}
