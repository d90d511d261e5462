/* SPDX-License-Identifier: Apache-2.0 */
/* list_view.js — a view that lists records of the catalogue, found by name or id, each with what can be done with it. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { t } from '../../lib/texts.js';
import { CatalogueView } from './catalogue_view.js';
import { to } from './view.js';

const FILTER_FROM = 8; /* fewer need no filter */

export class ListView extends CatalogueView {
    kind = '';
    path = '';
    wanted = '';

    async load() {
        this.records = await this.client.all(this.path);
    }

    /* For each kind: a line about a record, more ways than edit and copy, and the words for none. */
    about() {
        return nothing;
    }

    ways() {
        return nothing;
    }

    words() {
        return {};
    }

    get found() {
        const wanted = this.wanted.trim().toLowerCase();
        return this.records.filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(wanted));
    }

    item(record) {
        return html`<li class="card item"><div class="grow"><h2><a href=${to(this.kind, 'edit', record.id)}>${record.name}</a></h2>
                <p class="eyebrow"><code>${record.id}</code> ${this.about(record)}</p></div>
            <div class="actions">${this.ways(record)}<a class="button" href=${to(this.kind, 'edit', record.id)} aria-label=${t('cat_edit', { name: record.name })}>${t('cat_edit_short')}</a>
                <a class="button" href=${to(this.kind, 'copy', record.id)} aria-label=${t('cat_copy_of', { name: record.name })}>${t('cat_copy')}</a></div></li>`;
    }

    template() {
        const { empty, next, create } = this.words();
        const add = html`<a class="button primary" href=${to(this.kind, 'new')}>${create}</a>`;
        if (!this.records.length) {
            return html`<div class="card nothing"><h2>${empty}</h2><p class="lead">${next}</p><div class="actions">${add}</div></div>`;
        }
        return html`<div class="search">${this.records.length >= FILTER_FROM ? html`<label class="field grow"><span class="visually-hidden">${t('cat_find')}</span>
                <input type="search" placeholder=${t('cat_find')} @input=${(e) => { this.wanted = e.target.value; this.update(); }}></label>` : nothing}${add}</div>
            <ul class="items">${this.found.map((record) => this.item(record))}</ul>
            ${this.found.length ? nothing : html`<p class="fine" role="status">${t('cat_none_found')}</p>`}`;
    }
}
