/* SPDX-License-Identifier: Apache-2.0 */
/* codes.js — the codes of an event, and how much of each is used: #codes/{event}. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { CODE, codesCsv, randomCodes } from '../../lib/code_batch.js';
import { count } from '../../lib/format.js';
import { note } from '../../lib/states.js';
import { t } from '../../lib/texts.js';
import { CatalogueView } from './catalogue_view.js';
import { Paged } from './paged.js';
import { eventChoice, keepFile, nothingYet } from './parts.js';
import { to } from './view.js';

const RANDOM_MOST = 1_000;
const words = (text) => text.split(',').map((word) => word.trim()).filter(Boolean);
const whole = (text, most) => Math.min(most, Math.max(0, Math.floor(Number(text) || 0)));

export default class extends CatalogueView {
    fault = null; /* what is wrong with the code that was typed */
    sure = null; /* the code about to be deleted */

    async load() {
        this.events = await this.client.all('/v1/events');
        this.event = this.events.find(({ id }) => id === this.parts[0]) ?? this.events[0];
        if (this.event) {
            this.path = `/v1/events/${encodeURIComponent(this.event.id)}/codes`;
            await this.#read();
        }
    }

    async #read() {
        this.list = await new Paged(this, this.path).more();
    }

    /* ---- What is done ---- */

    async #create(e) {
        e.preventDefault();
        const form = e.target;
        const given = new FormData(form);
        const code = given.get('code').trim();
        this.fault = !code || CODE.test(code) ? null : t('codes_code_bad');
        if (this.fault) {
            this.update();
            form.elements.code.focus();
            return;
        }
        const tiers = words(given.get('tiers')), allotment = given.get('allotment').trim();
        const terms = { units: whole(given.get('units'), Number.MAX_SAFE_INTEGER), ...(tiers.length ? { tiers } : {}), ...(allotment ? { allotment } : {}) };
        const made = (code ? [code] : randomCodes(Math.max(1, whole(given.get('count'), RANDOM_MOST)))).map((one) => ({ code: one, ...terms }));
        if (await this.act(async () => {
            await this.client.post(this.path, made);
            await this.#read();
        })) {
            form.reset();
            this.message = note('good', t('codes_created', { n: made.length }), null, html`<button class="button" type="button"
                @click=${() => keepFile([codesCsv(made)], 'text/csv', `codes-${this.event.id}.csv`)}>${t('codes_keep_file')}</button>`);
            this.show();
        }
    }

    async #import(input) {
        const [file] = input.files;
        if (!file) {
            return;
        }
        await this.act(async () => {
            const { created, updated } = await this.client.upload(this.path, file, 'text/csv').catch((problem) => {
                const { line } = problem.body ?? {};
                throw line ? Object.assign(problem, { message: t('codes_import_line', { line, problem: problem.message }) }) : problem;
            });
            await this.#read();
            return { created: count(created), updated: count(updated) };
        }, (done) => t('codes_imported', done));
        input.value = '';
        this.show();
    }

    async #remove(code) {
        if (this.sure !== code.code) {
            this.sure = code.code;
            this.update();
            return;
        }
        this.sure = null;
        await this.act(async () => {
            await this.client.delete(`${this.path}/${encodeURIComponent(code.code)}`);
            this.list.drop(code);
        }, t('codes_removed', { code: code.code }));
    }

    #export() {
        return this.act(async () => keepFile([codesCsv(await this.client.all(this.path, { query: { limit: 1000 } }))], 'text/csv', `codes-${this.event.id}.csv`));
    }

    /* Brings what was said into view. */
    show() {
        this.update();
        queueMicrotask(() => this.root.querySelector('.told').scrollIntoView({ block: 'nearest' }));
    }

    /* ---- What is shown ---- */

    #code(code) {
        const { code: name, units, used, tiers, allotment } = code;
        const use = units ? t('codes_used_of', { used: count(used), units: count(units) }) : `${t('codes_used', { n: used, used: count(used) })} · ${t('codes_unlimited')}`;
        return html`<li class="row" data-code=${name}><strong class="pnr">${name}</strong>
            <div><span class="number">${use}</span> ${tiers?.length ? html`<span class="eyebrow">${t('codes_tiers', { tiers: tiers.join(', ') })}</span>` : nothing}
                ${allotment ? html`<span class="eyebrow">${t('codes_allotment', { allotment })}</span>` : nothing}</div>
            ${units && used >= units ? html`<span class="tag warn">${t('codes_full')}</span>` : nothing}
            <button class="button quiet danger" type="button" aria-label=${this.sure === name ? nothing : t('codes_remove_of', { code: name })} ?disabled=${this.busy}
                @click=${() => this.#remove(code)}>${t(this.sure === name ? 'codes_remove_sure' : 'codes_remove')}</button></li>`;
    }

    #list() {
        const { rows } = this.list;
        return rows.length ? html`<section class="plain" aria-labelledby="list"><div class="line"><h2 id="list">${t('codes_list', { name: this.event.name })}</h2>
                <button class="button" type="button" ?disabled=${this.busy} @click=${() => this.#export()}>${t('codes_export')}</button></div>
            <ul class="rows card">${rows.map((code) => this.#code(code))}</ul>${this.list.button()}</section>` : nothingYet(t('codes_none'), t('codes_none_why'));
    }

    #form() {
        const field = (name, label, hint, more = nothing, attributes = {}) => html`<div class="field"><label for=${`codes-${name}`}>${label}</label>
            <input id=${`codes-${name}`} name=${name} type=${attributes.type ?? 'text'} min=${attributes.min ?? nothing} max=${attributes.max ?? nothing} value=${attributes.value ?? ''}
                autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby=${`codes-${name}-hint`} aria-invalid=${more === nothing ? nothing : 'true'}>
            <p class="fine" id=${`codes-${name}-hint`}>${hint}</p>${more}</div>`;
        return html`<form class="card part" novalidate @submit=${(e) => this.#create(e)}><header><h2>${t('codes_new')}</h2><p class="eyebrow">${t('codes_new_lead')}</p></header><div class="fields">
            ${field('code', t('codes_code'), t('codes_code_hint'), this.fault ? html`<p class="fault">${this.fault}</p>` : nothing)}
            ${field('count', t('codes_count'), t('codes_count_hint'), nothing, { type: 'number', min: 1, max: RANDOM_MOST, value: 1 })}
            ${field('units', t('codes_units'), t('codes_units_hint'), nothing, { type: 'number', min: 0, value: 1 })}
            ${field('tiers', t('codes_tiers_label'), t('codes_tiers_hint'))}${field('allotment', t('codes_allotment_label'), t('codes_allotment_hint'))}</div>
            <div class="actions"><button class="button primary" type="submit" ?disabled=${this.busy}>${t('codes_create')}</button></div></form>`;
    }

    #file() {
        return html`<section class="card part"><header><h2>${t('codes_import')}</h2><p class="eyebrow">${t('codes_import_lead')}</p></header>
            <label class="field"><span>${t('codes_import_file')}</span><input type="file" accept=".csv,text/csv" ?disabled=${this.busy} @change=${(e) => this.#import(e.target)}></label></section>`;
    }

    template() {
        if (!this.event) {
            return nothingYet(t('codes_events_none'), t('admin_ages_none_why'), html`<a class="button" href=${to('events')}>${t('cat_events')}</a>`);
        }
        return html`${this.events.length > 1 ? eventChoice('codes', this.events, this.event.id) : nothing}
            ${this.event.access === 'code' ? nothing : note('info', t('codes_open'), null, html`<a class="button" href=${to('events', 'edit', this.event.id)}>${t('codes_open_change')}</a>`)}
            ${this.#list()}${this.#form()}${this.#file()}`;
    }
}
