/* SPDX-License-Identifier: Apache-2.0 */
/* keys.js — the keys of apps and doors: created, rotated and revoked. A new value is shown once. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { dateTime } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { CatalogueView } from './catalogue_view.js';
import { nothingYet } from './parts.js';

const NAME = /^[A-Za-z0-9._~-]{1,64}$/;
const ROLES = { app: ['keys_app', 'keys_role_app'], door: ['keys_door', 'keys_role_door'] };
const OLD_VALID_S = [0, 3600, 86400, 604800];
const OLD_VALID_DEFAULT_S = 86400;
const path = (name, rest = '') => `/v1/keys/${encodeURIComponent(name)}${rest}`;

export default class extends CatalogueView {
    shown = null; /* {name, key}: a new value, until the user says that it is saved */
    asked = null; /* {name, what}: what is to be done with a key, about to be confirmed */
    fault = null; /* what is wrong with the name of a new one */

    async load() {
        this.keys = await this.client.all('/v1/keys');
    }

    /* A value that is shown is lost by leaving. */
    get unsaved() {
        return Boolean(this.shown);
    }

    async #show(call, focus = '[data-shown]') {
        if (await this.act(async () => {
            this.shown = await call() ?? null;
            this.asked = null;
            await this.load();
        })) {
            queueMicrotask(() => this.root.querySelector(focus)?.focus()); /* after it is rendered */
        }
    }

    #create(e) {
        e.preventDefault();
        const given = new FormData(e.target);
        const name = given.get('name').trim();
        this.fault = NAME.test(name) ? null : t('keys_name_bad');
        if (this.fault) {
            this.update();
            e.target.elements.name.focus();
            return;
        }
        const form = e.target;
        this.#show(async () => {
            const made = await this.client.post('/v1/keys', { name, role: given.get('role') });
            form.reset();
            return made;
        });
    }

    #rotate(e, { name }) {
        e.preventDefault();
        const seconds = Number(new FormData(e.target).get('seconds'));
        this.#show(() => this.client.post(path(name, '/rotate'), { old_valid_seconds: seconds }));
    }

    async #revoke({ name }) {
        await this.act(async () => {
            await this.client.delete(path(name));
            this.asked = null;
            await this.load();
        }, t('keys_revoked', { name }));
    }

    #ask(name, what) {
        this.asked = what && { name, what };
        this.update();
        queueMicrotask(() => this.root.querySelector('[data-asked] select, [data-asked] button')?.focus());
    }

    async #copy() {
        await navigator.clipboard.writeText(this.shown.key);
        this.copied = true;
        this.update();
    }

    #saved() {
        this.shown = null;
        this.copied = false;
        this.update();
        queueMicrotask(() => this.root.querySelector('[name=name]').focus());
    }

    /* ---- What is shown ---- */

    #value() {
        const { name, key } = this.shown;
        return html`<section class="card part shown" data-shown=${name} tabindex="-1" aria-labelledby="shown"><header><h2 id="shown">${t('keys_shown', { name })}</h2>
                <p class="eyebrow">${t('keys_shown_why')}</p></header><code class="secret">${key}</code>
            <div class="actions">${navigator.clipboard ? html`<button class="button" type="button" @click=${() => this.#copy()}>${t('keys_copy')}</button>` : nothing}
                <button class="button primary" type="button" @click=${() => this.#saved()}>${t('keys_saved')}</button>
                <span role="status">${this.copied ? t('keys_copied') : nothing}</span></div></section>`;
    }

    #question(key) {
        const keep = html`<button class="button" type="button" @click=${() => this.#ask(key.name, null)}>${t('keys_keep')}</button>`;
        if (this.asked.what === 'revoke') {
            return html`<div class="question" data-asked=${key.name}><p>${t('keys_revoke_lead')}</p><div class="actions">
                <button class="button danger" type="button" ?disabled=${this.busy} @click=${() => this.#revoke(key)}>${t('keys_revoke_go')}</button>${keep}</div></div>`;
        }
        return html`<form class="question" data-asked=${key.name} @submit=${(e) => this.#rotate(e, key)}><p>${t('keys_rotate_lead')}</p>
            <label class="field choice"><span>${t('keys_old_valid')}</span><select name="seconds">
                ${OLD_VALID_S.map((s) => html`<option value=${s} ?selected=${s === OLD_VALID_DEFAULT_S}>${t(`keys_old_${s}`)}</option>`)}</select></label>
            <div class="actions"><button class="button primary" type="submit" ?disabled=${this.busy}>${t('keys_rotate_go')}</button>${keep}</div></form>`;
    }

    #key(key) {
        const { name, role, created_at: created, old_valid_until: until } = key;
        const way = (what, label, text) => html`<button class="button" type="button" aria-label=${t(label, { name })} ?disabled=${this.busy || Boolean(this.shown)}
            @click=${() => this.#ask(name, what)}>${t(text)}</button>`;
        return html`<li class="card item" data-key=${name}><div class="grow"><h2>${name}</h2><p class="eyebrow"><span class="tag">${t(ROLES[role][0])}</span>
                <span>${t('keys_created', { when: dateTime(created) })}</span>${until ? html`<span class="tag warn">${t('keys_old_until', { when: dateTime(until) })}</span>` : nothing}</p></div>
            ${this.asked?.name === name ? this.#question(key) : html`<div class="actions">${way('rotate', 'keys_rotate_of', 'keys_rotate')}${way('revoke', 'keys_revoke_of', 'keys_revoke')}</div>`}</li>`;
    }

    #form() {
        return html`<form class="card part" novalidate @submit=${(e) => this.#create(e)}><header><h2>${t('keys_new')}</h2></header><div class="fields">
                <div class="field"><label for="name">${t('keys_name')}</label><input id="name" name="name" autocomplete="off" autocapitalize="none" spellcheck="false"
                    aria-describedby=${this.fault ? 'name-hint name-fault' : 'name-hint'} aria-invalid=${this.fault ? 'true' : nothing}>
                    <p class="fine" id="name-hint">${t('keys_name_hint')}</p>${this.fault ? html`<p class="fault" id="name-fault">${this.fault}</p>` : nothing}</div>
                <label class="field broad"><span>${t('keys_role')}</span><select name="role">${Object.entries(ROLES).map(([role, [, label]]) => html`<option value=${role}>${t(label)}</option>`)}</select></label></div>
            <div class="actions"><button class="button primary" type="submit" ?disabled=${this.busy || Boolean(this.shown)}>${t('keys_create')}</button></div></form>`;
    }

    template() {
        return html`${this.shown ? this.#value() : nothing}
            ${this.keys.length ? html`<ul class="items">${this.keys.map((key) => this.#key(key))}</ul>` : nothingYet(t('keys_none'), t('keys_none_why'))}
            ${this.#form()}`;
    }
}
