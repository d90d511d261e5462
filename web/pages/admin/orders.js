/* SPDX-License-Identifier: Apache-2.0 */
/* orders.js — the newest reservations: #orders/{event}/{status}. Newer ones are counted as they come, and shown when asked for. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { t } from '../../lib/texts.js';
import { Paged } from './paged.js';
import { download, nothingYet } from './parts.js';
import { STATUSES, reservationRow } from './reservation_row.js';
import { View, to } from './view.js';

const EVERY_MS = 5_000;
const LOOKED = 50; /* newer ones that are counted */
const ALL = '-'; /* in the address: no one event */
const unitsOf = ({ items }) => items.reduce((sum, { quantity = 1 }) => sum + quantity, 0);

export default class extends View {
    newer = 0;

    async load() {
        const [event, status] = this.parts;
        this.eventId = event && event !== ALL ? event : undefined;
        this.status = status in STATUSES ? status : undefined;
        this.query = { event: this.eventId, status: this.status };
        this.events = await this.client.all('/v1/events');
        await this.#read();
        this.watch(EVERY_MS, () => this.#look());
    }

    async #read() {
        this.list = await new Paged(this, '/v1/reservations', this.query).more();
        this.newest = this.list.rows[0]?.created_at ?? null;
        this.newer = 0;
    }

    async #look() {
        const { data } = await this.client.get('/v1/reservations', { query: { ...this.query, limit: LOOKED }, attempts: 1, signal: this.signal });
        const known = new Set(this.list.rows.map((one) => one.reservation_id));
        this.newer = data.filter((one) => !known.has(one.reservation_id) && (!this.newest || one.created_at >= this.newest)).length;
    }

    #go({ event = this.eventId, status = this.status }) {
        location.hash = status ? to('orders', event || ALL, status) : event ? to('orders', event) : to('orders');
    }

    #choice() {
        const { events, eventId, status } = this;
        const known = !eventId || events.some(({ id }) => id === eventId);
        return html`<div class="fields"><label class="field choice"><span>${t('admin_event')}</span><select @change=${(e) => this.#go({ event: e.target.value })}>
                <option value="" ?selected=${!eventId}>${t('orders_event')}</option>${known ? nothing : html`<option value=${eventId} selected>${eventId}</option>`}
                ${events.map(({ id, name }) => html`<option value=${id} ?selected=${id === eventId}>${name}</option>`)}</select></label>
            <label class="field choice"><span>${t('orders_status')}</span><select @change=${(e) => this.#go({ status: e.target.value })}>
                <option value="" ?selected=${!status}>${t('orders_status_all')}</option>
                ${Object.entries(STATUSES).map(([name, [, text]]) => html`<option value=${name} ?selected=${name === status}>${text()}</option>`)}</select></label></div>`;
    }

    #what(reservation) {
        const names = new Set(reservation.items.map(({ event, calendar }) => this.events.find(({ id }) => id === event)?.name ?? event ?? calendar));
        const n = unitsOf(reservation);
        return html`<bdi>${[...names].join(', ')}</bdi> · <span>${t('orders_items', { n })}</span> ·`;
    }

    template() {
        const chosen = this.eventId || this.status;
        return html`${this.#choice()}<div class="line"><p role="status">${this.newer ? html`${t('orders_new', { n: this.newer })}
                <button class="button" type="button" ?disabled=${this.busy} @click=${() => this.act(() => this.#read())}>${t('orders_show_new')}</button>` : nothing}</p>
                <button class="button" type="button" ?disabled=${this.busy} @click=${() => this.act(() => download(this.client, '/v1/reservations', 'orders.csv', this.query))}>${t('orders_export')}</button></div>
            ${this.list.rows.length ? html`<ul class="rows card">${this.list.rows.map((one) => reservationRow(one, to('find', one.reservation_id), this.#what(one)))}</ul>`
                : chosen ? nothingYet(t('orders_none_such'), t('orders_none_such_why')) : nothingYet(t('orders_none'), t('orders_none_why'))}
            ${this.list.button()}`;
    }
}
