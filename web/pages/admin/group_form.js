/* SPDX-License-Identifier: Apache-2.0 */
/* group_form.js — a group of calendars: which ones, in which order. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { t } from '../../lib/texts.js';
import { group, idOf, input, select } from './fields.js';
import { FormView } from './form_view.js';

export class GroupForm extends FormView {
    kind = 'groups';
    path = '/v1/groups';

    async load() {
        this.calendars = await this.client.all('/v1/calendars');
        await super.load();
    }

    blank() {
        return { name: null, pick: 'least_busy', calendars: [] };
    }

    opened({ name, pick, calendars }) {
        return { name, pick, calendars };
    }

    sent({ id: _, ...draft }) {
        return draft;
    }

    words() {
        return { create: t('gr_create') };
    }

    next() {
        return html`<a class="button" href=${`/c/group/${encodeURIComponent(this.record.id)}`}>${t('cat_open_page')}</a>`;
    }

    fields() {
        const { form } = this;
        return html`${group(t('gr_what'), null, html`${input(form, '/name', { label: t('cat_name'), required: true, classes: 'broad' })}
                ${this.editing ? nothing : input(form, '/id', { label: t('cat_id'), hint: t('cat_id_hint'), placeholder: this.suggested })}
                ${select(form, '/pick', { label: t('gr_pick'), choices: [['least_busy', t('gr_least_busy')], ['in_order', t('gr_in_order')]] })}`)}
            ${group(t('gr_calendars'), t('gr_calendars_lead'), this.members())}`;
    }

    members() {
        const chosen = this.form.get('/calendars');
        const rest = this.calendars.filter(({ id }) => !chosen.includes(id));
        const fault = this.form.faults.get('/calendars');
        const name = (id) => this.calendars.find((one) => one.id === id)?.name ?? id;
        return html`<div class="wide rows"><ol class="members">${chosen.map((id, i) => html`<li><span class="number">${i + 1}</span><span class="grow"><bdi>${name(id)}</bdi> <small class="fine">${id}</small></span>
                <button class="button icon quiet" type="button" ?disabled=${i === 0} aria-label=${t('gr_up', { name: name(id) })} @click=${() => this.up(i)}>↑</button>
                <button class="button icon quiet" type="button" aria-label=${t('cat_row_remove', { what: name(id) })} @click=${() => this.form.remove('/calendars', i)}>×</button></li>`)}</ol>
            ${chosen.length ? nothing : html`<p class="fine">${t(this.calendars.length ? 'gr_none' : 'gr_no_calendars')}</p>`}
            ${fault ? html`<p class="fault">${fault}</p>` : nothing}
            ${rest.length ? html`<div class="actions" role="group" aria-label=${t('gr_add')}>${rest.map(({ id, name: title }) => html`<button class="button" type="button"
                @click=${() => this.form.add('/calendars', id)}>+ <bdi>${title}</bdi></button>`)}</div>` : nothing}<i id=${idOf('/calendars')} hidden></i></div>`;
    }

    up(at) {
        const list = [...this.form.get('/calendars')];
        [list[at - 1], list[at]] = [list[at], list[at - 1]];
        this.form.set('/calendars', list);
    }
}
