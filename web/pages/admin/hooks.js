/* SPDX-License-Identifier: Apache-2.0 */
/* hooks.js — webhooks, and the messages that could not be delivered, to be sent again. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { dateTime } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { nothingYet } from './parts.js';
import { View, to } from './view.js';

const SHOWN = 50;
const path = (hook, rest = '') => `/v1/hooks/${encodeURIComponent(hook.id)}${rest}`;

export default class extends View {
    async load() {
        this.hooks = await this.client.all('/v1/hooks');
        this.dead = new Map(await Promise.all(this.hooks.map(async (hook) =>
            [hook.id, await this.client.get(path(hook, '/messages'), { query: { limit: SHOWN } })])));
    }

    #resend(hook, body) {
        return this.act(async () => {
            let sent = 0;
            for (let more = true; more;) {
                const answer = await this.client.post(path(hook, '/resend'), body);
                sent += answer.resent;
                more = answer.more && answer.resent > 0;
            }
            const { data } = this.dead.get(hook.id); /* the list comes from the book, which may be a moment behind */
            this.dead.set(hook.id, { data: body.id ? data.filter(({ id }) => id !== body.id) : [], next_cursor: null });
            this.hooks = await this.client.all('/v1/hooks');
            return sent;
        }, (n) => t('admin_hook_resent', { n }));
    }

    #message(hook, message) {
        return html`<li class="row" data-message=${message.id}><div><strong>${message.type}</strong>
            <p class="eyebrow">${dateTime(message.timestamp)} · ${t('admin_hook_gave_up', { when: dateTime(message.dead_at) })}${message.reservation_id
                ? html` · <a href=${to('find', message.reservation_id)}>${t('admin_refund_reservation')}</a>` : nothing}</p></div>
            <button class="button" type="button" ?disabled=${this.busy} aria-label=${t('admin_hook_resend_one', { type: message.type, when: dateTime(message.timestamp) })}
                @click=${() => this.#resend(hook, { id: message.id })}>${t('admin_hook_resend')}</button></li>`;
    }

    #hook(hook) {
        const { data: dead, next_cursor: more } = this.dead.get(hook.id);
        return html`<section class="card part" data-hook=${hook.id} aria-label=${hook.id}><div class="line"><h2>${hook.id}</h2><div class="actions">
                ${hook.waiting ? html`<span class="tag warn">${t('admin_hook_waiting', { n: hook.waiting })}</span>` : nothing}
                ${dead.length ? html`<span class="tag bad">${more ? t('admin_hook_dead_more', { n: dead.length }) : t('admin_hook_dead', { n: dead.length })}</span>`
                    : hook.waiting ? nothing : html`<span class="tag good">${t('admin_hook_good')}</span>`}</div></div>
            <div><code>${hook.url}</code><p class="eyebrow">${t('admin_hook_told', { events: hook.events.join(', ') })}</p></div>
            ${dead.length ? html`<div class="line"><h3>${t('admin_hook_failures')}</h3><button class="button primary" type="button" ?disabled=${this.busy}
                    @click=${() => this.#resend(hook, {})}>${t('admin_hook_resend_all')}</button></div>
                <ul class="rows">${dead.map((message) => this.#message(hook, message))}</ul>` : nothing}</section>`;
    }

    template() {
        return this.hooks.length ? this.hooks.map((hook) => this.#hook(hook)) : nothingYet(t('admin_hooks_none'), t('admin_hooks_none_why', { hook: '{hook}' }));
    }
}
