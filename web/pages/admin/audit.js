/* SPDX-License-Identifier: Apache-2.0 */
/* audit.js — who changed the catalogue, keys and settings, newest first: #audit/{first day}/{last day}. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { dateTime } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { addDays, startOf, visitorZone } from '../../lib/zone.js';
import { Paged } from './paged.js';
import { nothingYet } from './parts.js';
import { View, to } from './view.js';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const NONE = '-'; /* in the address: no first day */
const KINDS = ['event', 'seats', 'pool', 'codes', 'queue', 'calendar', 'group', 'key', 'hook', 'fleet', 'driver', 'provider', 'refund', 'user'];
const ACTIONS = ['put', 'removed', 'cancelled', 'imported', 'copied', 'blocked', 'unblocked', 'allotted', 'done', 'erased'];
const WHOLE = ['imported', 'copied']; /* of seats: they are not counted */
/* Where a record that still exists is edited. */
const PLACES = { event: ({ id }) => to('events', 'edit', id), seats: ({ event }) => to('events', 'seats', event), pool: ({ event }) => to('events', 'seats', event),
    codes: ({ event }) => to('codes', event), queue: ({ event }) => to('rooms', event), calendar: ({ id }) => to('calendars', 'edit', id),
    group: ({ id }) => to('groups', 'edit', id), key: () => to('keys'), hook: () => to('hooks'), refund: () => to('refunds', 'done') };

const dayOr = (text) => (DAY.test(text ?? '') && !Number.isNaN(Date.parse(text)) ? text : undefined);
const instant = (day) => new Date(startOf(day, visitorZone())).toISOString();

export default class extends View {
    async load() {
        this.days = this.parts.slice(0, 2).map(dayOr);
        const [from, until] = this.days;
        this.list = await new Paged(this, '/v1/audit', { from: from && instant(from), to: until && instant(addDays(until, 1)) }).more();
    }

    #go(form) {
        const given = new FormData(form);
        const [from, until] = [given.get('from'), given.get('until')];
        location.hash = until ? to('audit', from || NONE, until) : from ? to('audit', from) : to('audit');
    }

    #words({ kind, action, count }) {
        const whole = WHOLE.includes(action) && kind === 'seats';
        return t('audit_what', { kind: KINDS.includes(kind) ? t(`audit_kind_${kind}${whole ? '_all' : ''}`, { n: count }) : kind,
            action: ACTIONS.includes(action) ? t(`audit_action_${action}`) : action });
    }

    #entry(entry) {
        const { kind, action, id, event, fleet } = entry;
        const name = [...new Set([event ?? fleet, id].filter(Boolean))].join(' · ');
        const place = action === 'removed' && kind !== 'codes' && kind !== 'seats' ? null : PLACES[kind]?.(entry);
        return html`<li data-audit=${`${kind} ${action}`}><time datetime=${entry.at}>${dateTime(entry.at)}</time>
            <div><strong>${this.#words(entry)}</strong> ${name ? place ? html`<a href=${place}>${name}</a>` : html`<bdi>${name}</bdi>` : nothing}
                <p class="eyebrow">${t('audit_by', { actor: entry.actor })}</p></div></li>`;
    }

    template() {
        const [from, until] = this.days;
        const day = (name, label, value) => html`<label class="field"><span>${label}</span><input type="date" name=${name} .value=${value ?? ''}></label>`;
        return html`<form class="fields" @change=${(e) => this.#go(e.currentTarget)} @submit=${(e) => e.preventDefault()}>${day('from', t('audit_from'), from)}${day('until', t('audit_to'), until)}</form>
            ${this.list.rows.length ? html`<div class="card part past"><ol>${this.list.rows.map((entry) => this.#entry(entry))}</ol></div>`
                : from || until ? nothingYet(t('audit_none_then'), t('audit_none_then_why')) : nothingYet(t('audit_none'), t('audit_none_why'))}
            ${this.list.button()}`;
    }
}
