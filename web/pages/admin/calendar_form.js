/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_form.js — a calendar: hours, services, rules; created, edited, or made from another. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { dayText } from '../../lib/format.js';
import { t } from '../../lib/texts.js';
import { visitorZone, zoneOrUtc } from '../../lib/zone.js';
import { check, group, idOf, input, select, zoneInput } from './fields.js';
import { FormView } from './form_view.js';
import { termFields } from './term_fields.js';

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const WORKDAYS = DAYS.slice(0, 5);
const MONDAY = 5; /* of January 2026 */
const SHOWN_ONLY = ['id', 'created_at'];

export class CalendarForm extends FormView {
    kind = 'calendars';
    path = '/v1/calendars';

    blank() {
        return { name: null, timezone: visitorZone(), currency: 'EUR', price_per: 'slot', guests: true, payment: 'required', late_payment: 'accept_if_free',
            hours: [{ days: WORKDAYS, from: '09:00', to: '17:00' }], services: [], closed: [] };
    }

    opened(record) {
        return Object.fromEntries(Object.entries(record).filter(([name]) => !SHOWN_ONLY.includes(name)));
    }

    /* A service without a price has the calendar's. */
    sent({ id: _, ...draft }) {
        return { ...draft, services: (draft.services ?? []).map(({ price, ...service }) => (price === null || price === undefined ? service : { ...service, price })) };
    }

    change(path, patch) {
        return this.client.patch(path, patch);
    }

    words() {
        return { create: t('cal_create') };
    }

    next() {
        return html`<a class="button" href=${`/c/${encodeURIComponent(this.record.id)}`}>${t('cat_open_page')}</a>`;
    }

    get zone() {
        return zoneOrUtc(this.form.get('/timezone'));
    }

    get currency() {
        return this.form.get('/currency') ?? 'EUR';
    }

    fields() {
        return html`${group(t('cal_what'), null, this.what())} ${group(t('cal_hours'), t('cal_hours_lead'), this.hours())}
            ${group(t('cal_services'), t('cal_services_lead'), this.services())} ${group(t('cal_price'), null, this.price())}
            ${group(t('cal_rules'), t('cal_rules_lead'), this.rules())} ${group(t('cal_closed'), t('form_zone', { zone: this.zone }), this.closed())}
            ${group(t('cat_terms'), t('cat_terms_lead'), termFields(this.form, { ttl: '5', most: '15' }))}`;
    }

    what() {
        const { form } = this;
        return html`${input(form, '/name', { label: t('cat_name'), required: true, classes: 'broad' })}
            ${this.editing ? nothing : input(form, '/id', { label: t('cat_id'), hint: t('cat_id_hint'), placeholder: this.suggested })}
            ${zoneInput(form)}
            ${input(form, '/capacity', { label: t('cal_capacity'), kind: 'whole', hint: t('cal_capacity_hint'), placeholder: '1' })}
            ${input(form, '/size', { label: t('cal_size'), kind: 'whole', hint: t('cal_size_hint'), placeholder: '1' })}
            ${check(form, '/guests', { label: t('cat_guests'), hint: t('cat_guests_hint') })}`;
    }

    /* ---- Lists: a row for each, and a button for one more ---- */

    list(pointer, { row, fresh, add, remove }) {
        const { form } = this;
        return html`<div class="wide rows">${(form.get(pointer) ?? []).map((_, i) => html`<div class="row" role="group" aria-label=${remove(i)}>${row(`${pointer}/${i}`)}
            <button class="button icon quiet" type="button" aria-label=${t('cat_row_remove', { what: remove(i) })} @click=${() => form.remove(pointer, i)}>×</button></div>`)}
            ${form.faults.has(pointer) ? html`<p class="fault">${form.faults.get(pointer)}</p>` : nothing}
            <button class="button" type="button" id=${idOf(pointer)} @click=${() => form.add(pointer, fresh())}>${add}</button></div>`;
    }

    hours() {
        return this.list('/hours', {
            add: t('cal_hours_add'), remove: (i) => t('cal_hours_row', { n: i + 1 }), fresh: () => ({ days: WORKDAYS, from: '09:00', to: '17:00' }),
            row: (at) => html`${this.days(`${at}/days`)} ${input(this.form, `${at}/from`, { label: t('cal_from'), kind: 'clock' })}
                ${input(this.form, `${at}/to`, { label: t('cal_to'), kind: 'clock' })}`,
        });
    }

    days(pointer) {
        const { form } = this;
        const chosen = form.get(pointer) ?? [];
        const turn = (day, on) => form.set(pointer, DAYS.filter((one) => (one === day ? on : chosen.includes(one))));
        const name = (i, weekday) => dayText(`2026-01-${String(MONDAY + i).padStart(2, '0')}`, { weekday });
        return html`<fieldset class="days"><legend>${t('cal_days')}</legend>${DAYS.map((day, i) => html`<label><input type="checkbox" aria-label=${name(i, 'long')}
            .checked=${chosen.includes(day)} @change=${(e) => turn(day, e.target.checked)}><span aria-hidden="true">${name(i, 'short')}</span></label>`)}
            ${form.faults.has(pointer) ? html`<p class="fault">${form.faults.get(pointer)}</p>` : nothing}<i id=${idOf(pointer)} hidden></i></fieldset>`;
    }

    services() {
        return this.list('/services', {
            add: t('cal_service_add'), remove: (i) => t('cal_service_row', { n: i + 1 }), fresh: () => ({ id: null, duration_minutes: 30, price: null }),
            row: (at) => html`${input(this.form, `${at}/id`, { label: t('cal_service_id'), placeholder: 'check_up' })}
                ${input(this.form, `${at}/duration_minutes`, { label: t('cal_service_minutes'), kind: 'whole' })}
                ${input(this.form, `${at}/price`, { label: t('cal_service_price', { currency: this.currency }), kind: 'money', currency: this.currency, placeholder: t('cal_service_price_same') })}`,
        });
    }

    closed() {
        const instant = (pointer, label) => input(this.form, pointer, { label, kind: 'instant', zone: this.zone });
        return this.list('/closed', {
            add: t('cal_closed_add'), remove: (i) => t('cal_closed_row', { n: i + 1 }), fresh: () => ({ start: null, end: null }),
            row: (at) => html`${instant(`${at}/start`, t('cal_closed_start'))} ${instant(`${at}/end`, t('cal_closed_end'))}`,
        });
    }

    /* ---- Numbers ---- */

    price() {
        const { form, currency } = this;
        return html`${input(form, '/price', { label: t('cal_price_amount'), kind: 'money', currency, placeholder: '0' })}
            ${input(form, '/currency', { label: t('cat_currency'), hint: t('cat_currency_hint') })}
            ${select(form, '/price_per', { label: t('cal_price_per'), choices: [['slot', t('cal_per_slot')], ['claim', t('cal_per_claim')]] })}`;
    }

    rules() {
        const number = (name, label, placeholder, hint) => input(this.form, `/${name}`, { label, kind: 'whole', placeholder, hint });
        return html`${number('slot_minutes', t('cal_slot'), '30')} ${number('min_minutes', t('cal_least'), t('cal_one_slot'))}
            ${number('max_minutes', t('cal_most'), t('cal_one_slot'))} ${number('buffer_before_minutes', t('cal_buffer_before'), '0')}
            ${number('buffer_minutes', t('cal_buffer'), '0')} ${number('notice_minutes', t('cal_notice'), '0')}
            ${number('horizon_days', t('cal_horizon'), '366')} ${number('per_user_limit', t('cat_limit'), '0', t('cat_limit_hint'))}
            ${number('change_until_minutes', t('cal_until_change'), '0')} ${number('cancel_until_minutes', t('cal_until_cancel'), '', t('cat_cancel_hint'))}`;
    }
}
