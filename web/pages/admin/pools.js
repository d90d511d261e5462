/* SPDX-License-Identifier: Apache-2.0 */
/* pools.js — the standing places of an event, part of its seats: each with a form of its own. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { Form } from '../../lib/form.js';
import { count, price } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { idOf, input } from './fields.js';
import { suggestedId } from './form_view.js';

export class PoolPanel {
    pools = [];
    form = null; /* of the pool that is edited, or of a new one */

    constructor(view) {
        this.view = view;
    }

    get unsaved() {
        return Boolean(this.form?.differs(this.before));
    }

    async load() {
        this.pools = await this.view.client.all(`${this.view.path ?? ''}/pools`);
    }

    open(pool) {
        const { id, name, capacity, price: cost, prices, allotment } = pool ?? {};
        this.known = pool ?? null;
        this.form = new Form({ id, name, capacity, price: cost ?? 0, prices, allotment }, () => this.view.update());
        this.before = structuredClone(this.form.draft);
        this.view.update();
        queueMicrotask(() => document.getElementById(idOf('/name'))?.focus());
    }

    async save(e) {
        e.preventDefault();
        const { form, view } = this;
        const { id, ...body } = form.draft;
        const chosen = this.known?.id ?? (id || suggestedId(body.name));
        if (!chosen) {
            form.refuse('/id', t('cat_id_bad'));
        }
        if (form.wrong) {
            return;
        }
        await view.act(async () => {
            try {
                await view.client.put(`${view.path}/pools/${encodeURIComponent(chosen)}`, Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined)));
            } catch (problem) {
                form.take(problem, (pointer) => document.getElementById(idOf(pointer)));
                throw problem;
            }
            this.form = null;
            await view.refresh();
        }, t('pool_saved'));
    }

    template() {
        const { currency } = this.view.event;
        return html`<section class="card part"><header><h3>${t('pool_title')}</h3><p class="eyebrow">${t('pool_lead')}</p></header>
            ${this.pools.length ? html`<ul class="rows">${this.pools.map((pool) => html`<li class="pool"><span class="grow"><strong>${pool.name ?? pool.id}</strong> <code>${pool.id}</code></span>
                <span class="number">${t('ev_pool_counts', { left: count(pool.available), all: count(pool.capacity) })}</span> <span>${price(pool.price, currency)}</span>
                ${pool.allotment ? html`<span class="tag">${pool.allotment}</span>` : nothing}
                <button class="button" type="button" aria-label=${t('cat_edit', { name: pool.name ?? pool.id })} @click=${() => this.open(pool)}>${t('cat_edit_short')}</button></li>`)}</ul>` : nothing}
            ${this.form ? this.fields(currency) : html`<div class="actions"><button class="button" type="button" @click=${() => this.open(null)}>${t('pool_new')}</button></div>`}</section>`;
    }

    fields(currency) {
        const { form } = this;
        return html`<form class="fields pool-form" novalidate @submit=${(e) => this.save(e)}>${input(form, '/name', { label: t('cat_name') })}
            ${this.known ? nothing : input(form, '/id', { label: t('cat_id'), placeholder: suggestedId(form.draft.name) })}
            ${input(form, '/capacity', { label: t('pool_capacity'), kind: 'whole' })} ${input(form, '/price', { label: t('hall_tier_price', { currency }), kind: 'money', currency })}
            ${input(form, '/allotment', { label: t('hall_allotment') })}
            <div class="wide actions"><button class="button primary" type="submit" ?disabled=${this.view.busy}>${t('pool_save')}</button>
                <button class="button" type="button" @click=${() => { this.form = null; this.view.update(); }}>${t('pool_cancel')}</button></div></form>`;
    }
}
