/* SPDX-License-Identifier: Apache-2.0 */
/* ages.js — what is held of an event and for how long: on its seat map, and the oldest holds as a list; #ages/{event}. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { dateTime, minutes } from '../../lib/format.js';
import { Hall } from '../../lib/hall.js';
import { t } from '../../lib/texts.js';
import { AGES, rankOf } from './hold_map.js';
import { eventChoice, nothingYet } from './parts.js';
import { View, to } from './view.js';

const EVERY_MS = 3_000;
const OLDEST = 20;

export default class extends View {
    async load() {
        this.events = await this.client.all('/v1/events');
        this.event = this.events.find(({ id }) => id === this.parts[0]) ?? this.events[0];
        if (this.event) {
            const layout = await this.client.layout(this.event.id);
            this.hall = layout.seats.length ? new Hall(layout, this.event) : null;
            await this.read();
            this.watch(EVERY_MS, () => this.read());
        }
    }

    async read() {
        const [{ seats }, holds] = await Promise.all([this.client.availability(this.event.id),
            this.client.all('/v1/reservations', { query: { event: this.event.id, status: 'held', limit: 1000 }, signal: this.signal })]);
        const own = (hold) => hold.items.filter((item) => item.event === this.event.id);
        this.list = holds.map((hold) => ({ ...hold, places: own(hold).reduce((n, item) => n + (item.quantity ?? 1), 0) }))
            .sort((a, b) => a.created_at.localeCompare(b.created_at));
        this.hall?.setAll(seats);
        this.holds = { age: (hold) => this.#age(hold), bySeat: new Map(this.list.flatMap((hold) => own(hold).filter((item) => item.seat).map((item) => [item.seat, hold]))) };
    }

    #age(hold) {
        return Math.max(0, (this.client.clock.now() - Date.parse(hold.created_at)) / 1000);
    }

    #tiles() {
        const ranks = this.list.map((hold) => rankOf(this.#age(hold)));
        return html`<dl class="tiles worded">${AGES.map((label, i) => html`<div class="card tile"><dt>${label()}</dt>
            <dd><strong class="number" data-figure=${`age-${i + 1}`}>${t('admin_ages_held', { n: ranks.filter((rank) => rank === i + 1).length })}</strong></dd></div>`)}</dl>`;
    }

    #oldest() {
        return html`<section class="card part" aria-labelledby="oldest"><h2 id="oldest">${t('admin_ages_oldest')}</h2><ul class="rows">
            ${this.list.slice(0, OLDEST).map((hold) => html`<li data-hold=${hold.reservation_id}><a class="row" href=${to('find', hold.reservation_id)}><strong class="pnr">${hold.pnr}</strong>
                <bdi class="who">${hold.user_id}</bdi><span>${t('admin_ages_places', { n: hold.places })}</span><span class="number">${t('admin_ages_for', { time: minutes(this.#age(hold)) })}</span>
                <span>${t('admin_ages_until', { when: dateTime(hold.expires_at) })}</span>${hold.payment_started_at ? html`<span class="tag warn">${t('admin_ages_paying')}</span>` : nothing}</a></li>`)}</ul></section>`;
    }

    template() {
        if (!this.event) {
            return nothingYet(t('admin_ages_none'), t('admin_ages_none_why'), html`<a class="button" href=${to('events', 'new')}>${t('ev_create')}</a>`);
        }
        return html`${eventChoice('ages', this.events, this.event.id)}${this.#tiles()}
            ${this.hall ? html`<holdfast-hold-map .hall=${this.hall} .holds=${this.holds} @open=${(e) => { location.hash = to('find', e.detail.reservation_id); }}></holdfast-hold-map>` : nothing}
            ${this.list.length ? this.#oldest() : nothingYet(t('admin_ages_nothing'), t('admin_ages_nothing_why'))}`;
    }
}
