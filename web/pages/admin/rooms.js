/* SPDX-License-Identifier: Apache-2.0 */
/* rooms.js — waiting rooms: how the line of an event moves, pause, pace and opening; #rooms/{event}. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { count, dateTime } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { eventChoice, nothingYet } from './parts.js';
import { View, to } from './view.js';

const EVERY_MS = 1_000;
const FIGURES = [
    ['waiting', () => t('admin_room_waiting')], ['admitted_per_second', () => t('admin_room_rate_now')],
    ['active', () => t('admin_room_active')], ['serving', () => t('admin_room_serving')], ['joined', () => t('admin_room_joined')],
    ['passed_over', () => t('admin_room_passed_over')], ['finished', () => t('admin_room_finished')], ['left', () => t('admin_room_left')],
];

export default class extends View {
    async load() {
        this.events = (await this.client.all('/v1/events')).filter((event) => event.waiting_room);
        this.event = this.events.find(({ id }) => id === this.parts[0]) ?? this.events[0];
        if (this.event) {
            this.path = `/v1/events/${encodeURIComponent(this.event.id)}/queue`;
            await this.read();
            this.watch(EVERY_MS, () => this.read());
        }
    }

    get unsaved() {
        return [...this.root.querySelectorAll('form input')].some((input) => input.value !== input.defaultValue);
    }

    async read() {
        this.room = await this.client.get(this.path, { attempts: 1, signal: this.signal });
    }

    #patch(body, told) {
        return this.act(async () => {
            this.room = await this.client.patch(this.path, body);
        }, told);
    }

    #state() {
        const { paused, opened_at: opened, open_at: opens } = this.room;
        const early = !opened && opens && Date.parse(opens) > this.client.clock.now();
        const [kind, text] = paused ? ['warn', t('admin_room_paused')] : early ? ['', t('admin_room_early', { when: dateTime(opens, this.event.timezone) })] : ['good', t('admin_room_open')];
        return html`<section class="card part"><div class="line"><h2>${this.event.name}</h2><span class=${`tag ${kind}`} data-room=${paused ? 'paused' : early ? 'early' : 'open'}>${text}</span></div>
            <p class="eyebrow">${t('admin_room_pause_why')}</p><div class="actions">
            ${paused ? html`<button class="button primary" type="button" ?disabled=${this.busy} @click=${() => this.#patch({ paused: false }, t('admin_room_is_resumed'))}>${t('admin_room_resume')}</button>`
                : html`<button class="button primary" type="button" ?disabled=${this.busy} @click=${() => this.#patch({ paused: true }, t('admin_room_is_paused'))}>${t('admin_room_pause')}</button>`}
            ${early ? html`<button class="button" type="button" ?disabled=${this.busy} @click=${() => this.#patch({ open_at: new Date(this.client.clock.now()).toISOString() }, t('admin_room_is_open'))}>${t('admin_room_open_now')}</button>` : nothing}
            </div></section>`;
    }

    #pace() {
        const field = (name, label, value, least) => html`<label class="field"><span>${label}</span>
            <input name=${name} type="number" inputmode="numeric" required min=${least} step="1" value=${value}></label>`;
        return html`<form class="card part" @submit=${(e) => {
            e.preventDefault();
            const given = new FormData(e.target);
            this.#patch({ rate_per_second: Number(given.get('rate')), max_active: Number(given.get('most')) }, t('admin_room_was_set'));
        }}><h2>${t('admin_room_pace')}</h2><div class="fields">${field('rate', t('admin_room_rate'), this.room.rate_per_second, 1)}${field('most', t('admin_room_most'), this.room.max_active, 0)}</div>
            <button class="button" type="submit" ?disabled=${this.busy}>${t('admin_room_set')}</button></form>`;
    }

    template() {
        if (!this.event) {
            return nothingYet(t('admin_rooms_none'), t('admin_rooms_none_why'), html`<a class="button" href=${to('events')}>${t('cat_events')}</a>`);
        }
        return html`${this.events.length > 1 ? eventChoice('rooms', this.events, this.event.id) : nothing}${this.#state()}
            <dl class="tiles">${FIGURES.map(([name, label]) => html`<div class="card tile"><dt>${label()}</dt>
                <dd><strong class="number" data-figure=${name}>${count(this.room[name])}</strong></dd></div>`)}</dl>${this.#pace()}`;
    }
}
