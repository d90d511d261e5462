/* SPDX-License-Identifier: Apache-2.0 */
/* pools.js — the standing places of an event, part of its seats: each with a form of its own. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { Form } from '../../lib/form.js';
import { count, price } from '../../lib/format.js';
import { applyPatch, contradictions, mergePatch } from '../../lib/merge_patch.js';
import { t } from '../../lib/texts.js';
import { idOf, input } from './fields.js';
import { suggestedId } from './form_view.js';

const draftOf = ({ id, name, capacity, price: cost, prices, allotment }) => ({ id, name, capacity, price: cost ?? 0, prices, allotment });

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
        this.known = pool ?? null;
        this.form = new Form(draftOf(pool ?? {}), () => this.view.update());
        this.before = structuredClone(this.form.draft);
        this.view.update();
        queueMicrotask(() => document.getElementById(idOf('/name'))?.focus());
    }

    async save(e) {
        e.preventDefault();
        const { form, view } = this;
        const chosen = this.known?.id ?? (form.draft.id || suggestedId(form.draft.name));
        if (!chosen) {
            form.refuse('/id', t('cat_id_bad'));
        }
        if (form.wrong) {
            return;
        }
        await view.act(async () => {
            try {
                const path = `${view.path}/pools/${encodeURIComponent(chosen)}`;
                const { id: _, ...body } = this.known ? await this.merged(path, form, this.before) : form.draft;
                await view.client.put(path, Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined)));
            } catch (problem) {
                form.take(problem, (pointer) => document.getElementById(idOf(pointer)));
                throw problem;
            }
            this.form = this.form === form ? null : this.form;
            await view.refresh();
        }, t('pool_saved'));
    }

    /* What was changed in `form` since it was `before`, in what the server has: another user may have changed it since. By the
     * time of the answer another form may be open. */
    async merged(path, form, before) {
        const now = draftOf(await this.view.client.get(path));
        const mine = mergePatch(before, form.draft);
        const disputed = contradictions(mine, mergePatch(before, now));
        form.draft = applyPatch(now, mine);
        this.before = this.form === form ? now : this.before;
        if (disputed.length) {
            throw Object.assign(new Error(t('cat_disputed_again')), { code: 'disputed' });
        }
        return form.draft;
    }

    template() {
        const { currency } = this.view.event;
        return html`<section class="card part"><header><h3>${t('pool_title')}</h3><p class="eyebrow">${t('pool_lead')}</p></header>
            ${this.pools.length ? html`<ul class="rows">${this.pools.map((pool) => html`<li class="pool"><span class="grow"><strong><bdi>${pool.name ?? pool.id}</bdi></strong> <code>${pool.id}</code></span>
                <span class="number">${t('ev_pool_counts', { left: count(pool.available), all: count(pool.capacity) })}</span> <span>${price(pool.price, currency)}</span>
                ${pool.allotment ? html`<span class="tag">${pool.allotment}</span>` : nothing}
                <button class="button" type="button" aria-label=${t('cat_edit', { name: pool.name ?? pool.id })} ?disabled=${this.view.busy} @click=${() => this.open(pool)}>${t('cat_edit_short')}</button></li>`)}</ul>` : nothing}
            ${this.form ? this.fields(currency) : html`<div class="actions"><button class="button" type="button" @click=${() => this.open(null)}>${t('pool_new')}</button></div>`}</section>`;
    }

    fields(currency) {
        const { form } = this;
        return html`<form class="fields pool-form" novalidate @submit=${(e) => this.save(e)}>${input(form, '/name', { label: t('cat_name') })}
            ${this.known ? nothing : input(form, '/id', { label: t('cat_id'), placeholder: suggestedId(form.draft.name) })}
            ${input(form, '/capacity', { label: t('pool_capacity'), kind: 'whole' })} ${input(form, '/price', { label: t('hall_tier_price', { currency }), kind: 'money', currency })}
            ${input(form, '/allotment', { label: t('hall_allotment') })}
            <div class="wide actions"><button class="button primary" type="submit" ?disabled=${this.view.busy}>${t('pool_save')}</button>
                <button class="button" type="button" ?disabled=${this.view.busy} @click=${() => { this.form = null; this.view.update(); }}>${t('pool_cancel')}</button></div></form>`;
    }
}
