/* SPDX-License-Identifier: Apache-2.0 */
/* seats.js — what an event has to sell: its seats on a plan, to be set aside, taken off sale or removed; its standing places;
 * and the ways to more of them, a file or a drawing. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { HallSurface } from '../../components/hall_surface.js';
import { chosenKeys } from '../../lib/drawing/chosen.js';
import { groupsOf } from '../../lib/drawing/groups.js';
import { count } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { CatalogueView } from './catalogue_view.js';
import { heading } from './fields.js';
import { togglePicks } from './draw_seats.js';
import { PoolPanel } from './pools.js';
import { to } from './view.js';

export class SeatsView extends CatalogueView {
    picks = new Map(); /* section → ids of chosen seats */
    tool = 'select';

    async load() {
        const [, id] = this.parts;
        this.path = `/v1/events/${encodeURIComponent(id)}`;
        this.pools = new PoolPanel(this);
        this.surface = new HallSurface({ label: t('seats_plan'), shrinks: true, drag: () => {}, open: () => {}, choose: (picks, adds) => this.choose(picks, adds) });
        this.surface.start(this.signal);
        await this.refresh();
    }

    async refresh() {
        const [, id] = this.parts;
        const [event, layout, availability] = await Promise.all([this.client.event(id), this.client.layout(id), this.client.availability(id), this.pools.load()]);
        this.event = event;
        Object.assign(this, groupsOf(layout, event, availability.seats));
        this.picks = new Map();
    }

    get unsaved() {
        return this.pools.unsaved || (this.typing && Boolean(this.pools.form));
    }

    choose(picks, adds) {
        this.picks = togglePicks(this.picks, picks, adds);
        this.update();
    }

    get chosen() {
        return [...this.picks.values()].flatMap((keys) => [...keys]);
    }

    /* Does it to the chosen seats; all or none of them. */
    async change(call, told) {
        const ids = this.chosen;
        if (await this.act(async () => {
            await call(ids);
            await this.refresh();
        }, told(ids.length))) {
            this.root.querySelector('.told').scrollIntoView({ block: 'nearest' });
        }
    }

    setAside(form) {
        const name = form.querySelector('input').value.trim();
        if (name) {
            this.change((ids) => this.client.patch(`${this.path}/seats`, { ids, set_allotment: name }), (n) => t('seats_aside_done', { n, name }));
        }
    }

    release() {
        this.change((ids) => this.client.patch(`${this.path}/seats`, { ids, set_allotment: null, blocked: false }), (n) => t('seats_on_sale_done', { n }));
    }

    block() {
        this.change((ids) => this.client.patch(`${this.path}/seats`, { ids, blocked: true }), (n) => t('seats_blocked_done', { n }));
    }

    removeSeats() {
        this.change((ids) => this.client.delete(`${this.path}/seats`, { body: { ids } }), (n) => t('seats_removed_done', { n }));
    }

    /* Of one section, or all. */
    find(form) {
        const { section, rows, numbers } = Object.fromEntries(new FormData(form));
        const groups = this.groups.filter(({ id }) => section === '' || String(id) === section);
        const picks = groups.map((group) => [group.id, new Set(chosenKeys(group.seats, rows, numbers))]);
        this.choose(new Map(picks.filter(([, keys]) => keys.size)), false);
    }

    rendered() {
        this.groups.length && this.surface.show({ groups: this.groups, tool: this.tool, picks: this.picks, ranks: this.ranks });
    }

    template() {
        const { id, name, counts } = this.event;
        return html`${heading(name, html`<a class="button" href=${to('events', 'import', id)}>${t('seats_import')}</a>
                <a class="button" href=${to('events', 'draw', id)}>${t('seats_draw')}</a><a class="button" href=${to('events', 'edit', id)}>${t('cat_edit_short')}</a>
                <a class="button" href=${`/e/${encodeURIComponent(id)}`}>${t('cat_open_page')}</a>`)}
            ${counts.seats ? html`<section class="card board" aria-labelledby="seats-plan"><header class="tools"><h3 id="seats-plan">${t('seats_title')}</h3><p class="eyebrow grow">${t('seats_counts',
                    { n: counts.seats, seats: count(counts.seats), available: count(counts.available), held: count(counts.held), sold: count(counts.sold), blocked: count(counts.blocked) })}</p>${this.zoom()}</header>
                ${this.surface.root}<p class="fine hint">${t('hall_hint_select')} ${t('seats_hint')}</p></section>${this.panel()}`
                : html`<div class="card nothing"><h3>${t('seats_none')}</h3><p class="lead">${t('seats_none_next')}</p></div>`}
            ${this.pools.template()}`;
    }

    zoom() {
        return html`<button class="button icon" type="button" aria-label=${t('map_zoom_out')} @click=${() => this.surface.zoomBy(1 / 1.4)}>−</button>
            <button class="button icon" type="button" aria-label=${t('map_zoom_in')} @click=${() => this.surface.zoomBy(1.4)}>+</button>
            <button class="button" type="button" @click=${() => this.surface.fit()}>${t('map_fit')}</button>`;
    }

    panel() {
        const n = this.chosen.length;
        return html`<section class="card part" aria-labelledby="seats-chosen"><h3 id="seats-chosen">${t('seats_choose')}</h3>
            <form class="adding" @submit=${(e) => { e.preventDefault(); this.find(e.target); }}>
                <label class="field"><span>${t('hall_section')}</span><select name="section"><option value="">${t('seats_any_section')}</option>
                    ${this.groups.map(({ id, name }) => html`<option value=${id}>${name || t('section_plain')}</option>`)}</select></label>
                <label class="field"><span>${t('hall_find_rows')}</span><input name="rows" placeholder=${t('hall_find_all')} autocomplete="off"></label>
                <label class="field"><span>${t('hall_find_numbers')}</span><input name="numbers" placeholder=${t('hall_find_all')} autocomplete="off"></label>
                <button class="button" type="submit">${t('seats_find')}</button></form>
            <p role="status"><strong>${t('hall_chosen', { n, seats: count(n) })}</strong></p>
            ${n ? html`<form class="adding" @submit=${(e) => { e.preventDefault(); this.setAside(e.target); }}><label class="field"><span>${t('hall_allotment')}</span>
                    <input name="allotment" maxlength="64" autocomplete="off"></label><button class="button primary" type="submit" ?disabled=${this.busy}>${t('hall_set_aside')}</button></form>
                <div class="actions"><button class="button" type="button" ?disabled=${this.busy} @click=${() => this.release()}>${t('seats_on_sale')}</button>
                    <button class="button" type="button" ?disabled=${this.busy} @click=${() => this.block()}>${t('hall_blocked')}</button>
                    <button class="button quiet danger" type="button" ?disabled=${this.busy} @click=${() => this.removeSeats()}>${t('seats_remove')}</button></div>`
                : nothing}</section>`;
    }
}
