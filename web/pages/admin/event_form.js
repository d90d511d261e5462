/* SPDX-License-Identifier: Apache-2.0 */
/* event_form.js — an event: created, edited, or made from another with its seats. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { pointerTo } from '../../lib/form.js';
import { t } from '../../lib/texts.js';
import { visitorZone, zoneOrUtc } from '../../lib/zone.js';
import { check, group, input, lines, select, zoneInput } from './fields.js';
import { FormView } from './form_view.js';
import { termFields } from './term_fields.js';
import { to } from './view.js';

const SHOWN_ONLY = ['id', 'created_at', 'cancelled_at', 'cancel_reason', 'counts'];
const PRESETS = [['', 'ev_preset_none'], ['concert', 'ev_preset_concert'], ['airline', 'ev_preset_airline'], ['hotel', 'ev_preset_hotel'],
    ['restaurant', 'ev_preset_restaurant']];

export class EventForm extends FormView {
    kind = 'events';
    path = '/v1/events';

    blank() {
        return { name: null, timezone: visitorZone(), currency: 'EUR', access: 'open', guests: true, single_seats: 'allow', transfer: 'on', payment: 'required', late_payment: 'accept_if_free' };
    }

    opened(record) {
        const draft = Object.fromEntries(Object.entries(record).filter(([name]) => !SHOWN_ONLY.includes(name)));
        return this.editing ? draft : { ...draft, copy_seats_from: record.id };
    }

    /* Prices of categories that there are no more go with them. */
    sent({ id: _, prices, ...draft }) {
        const named = (amounts) => Object.fromEntries(Object.entries(amounts).filter(([category, amount]) => draft.categories?.includes(category) && amount !== null));
        const tiers = Object.entries(prices ?? {}).map(([tier, amounts]) => [tier, named(amounts)]).filter(([, amounts]) => Object.keys(amounts).length);
        return { ...draft, prices: tiers.length ? Object.fromEntries(tiers) : null };
    }

    change(path, patch) {
        return this.client.patch(path, patch);
    }

    words() {
        return { create: t('ev_create') };
    }

    ways() {
        return html`${super.ways()}<a class="button" href=${to('codes', this.record.id)}>${t('codes')}</a>
            <a class="button quiet danger" href=${to('events', 'cancel', this.record.id)}>${t('cancel_open')}</a>`;
    }

    next() {
        return html`<a class="button" href=${to('events', 'seats', this.record.id)}>${t('cat_to_seats')}</a>
            <a class="button" href=${`/e/${encodeURIComponent(this.record.id)}`}>${t('cat_open_page')}</a>`;
    }

    get zone() {
        return zoneOrUtc(this.form.get('/timezone'));
    }

    fields() {
        return html`${group(t('ev_what'), null, this.what())} ${group(t('ev_when'), t('ev_when_lead'), this.when())}
            ${group(t('ev_who'), null, this.who())} ${group(t('ev_prices'), t('ev_prices_lead'), this.prices())}
            ${group(t('ev_room'), t('ev_room_lead'), this.room())}
            ${group(t('cat_terms'), t('cat_terms_lead'), this.terms())} ${group(t('ev_after'), null, this.after())}`;
    }

    what() {
        const { form } = this;
        return html`${input(form, '/name', { label: t('cat_name'), required: true, classes: 'broad' })}
            ${this.editing ? nothing : input(form, '/id', { label: t('cat_id'), hint: t('cat_id_hint'), placeholder: this.suggested })}
            ${input(form, '/venue', { label: t('ev_venue') })}
            ${lines(form, '/description', { label: t('ev_description'), classes: 'wide' })}
            ${input(form, '/image', { label: t('ev_image'), hint: t('ev_image_hint'), classes: 'wide' })}
            ${this.record && !this.editing ? check(form, '/copy_seats_from', { label: t('ev_copy_seats', { name: this.record.name }), on: this.record.id, off: null }) : nothing}`;
    }

    when() {
        const instant = (pointer, label, hint) => input(this.form, pointer, { label, hint, kind: 'instant', zone: this.zone });
        return html`${zoneInput(this.form)} ${instant('/starts_at', t('ev_starts'))} ${instant('/on_sale_at', t('ev_on_sale'), t('ev_on_sale_hint'))}
            ${instant('/off_sale_at', t('ev_off_sale'), t('ev_off_sale_hint'))}`;
    }

    who() {
        const { form } = this;
        return html`${select(form, '/access', { label: t('ev_access'), choices: [['open', t('ev_access_open')], ['code', t('ev_access_code')]] })}
            ${input(form, '/per_user_limit', { label: t('cat_limit'), kind: 'whole', hint: t('cat_limit_hint'), placeholder: '0' })}
            ${check(form, '/guests', { label: t('cat_guests'), hint: t('cat_guests_hint') })}
            ${check(form, '/single_seats', { label: t('ev_singles'), hint: t('ev_singles_hint'), on: 'refuse', off: 'allow' })}
            ${check(form, '/waiting_list', { label: t('ev_list'), hint: t('ev_list_hint') })}`;
    }

    /* ---- Prices: a row for each tier, a column for each category ---- */

    prices() {
        const { form } = this;
        const categories = form.get('/categories') ?? [];
        return html`${input(form, '/currency', { label: t('cat_currency'), hint: t('cat_currency_hint') })}
            ${input(form, '/categories', { label: t('ev_categories'), kind: 'words', hint: t('ev_categories_hint'), placeholder: t('ev_categories_sample') })}
            ${categories.length ? html`<div class="wide">${this.priceTable(categories)}</div>` : nothing}`;
    }

    priceTable(categories) {
        const { form } = this;
        const currency = form.get('/currency') ?? 'EUR';
        const tiers = Object.keys(form.get('/prices') ?? {});
        const amount = (tier, category) => input(form, pointerTo('prices', tier, category),
            { kind: 'money', currency, label: t('ev_price_of', { tier, category }), quiet: true });
        return html`<div class="sideways" tabindex="0" role="group" aria-label=${t('ev_prices')}><table class="grid"><thead><tr><th scope="col">${t('cat_tier')}</th>
            ${categories.map((category) => html`<th scope="col">${category}</th>`)}<td></td></tr></thead><tbody>
            ${tiers.map((tier) => html`<tr><th scope="row">${tier}</th>${categories.map((category) => html`<td>${amount(tier, category)}</td>`)}
                <td><button class="button icon quiet" type="button" aria-label=${t('ev_tier_remove', { tier })} @click=${() => this.dropTier(tier)}>×</button></td></tr>`)}
            </tbody></table></div>
            <div class="adding"><label class="field"><span>${t('ev_tier_new')}</span><input class="tier" autocomplete="off"></label>
                <button class="button" type="button" @click=${(e) => this.addTier(e.target.closest('.adding').querySelector('input'))}>${t('ev_tier_add')}</button></div>`;
    }

    addTier(field) {
        const name = field.value.trim();
        if (name) {
            field.value = '';
            this.form.set('/prices', { ...this.form.get('/prices'), [name]: this.form.get('/prices')?.[name] ?? {} });
        }
    }

    dropTier(tier) {
        const { [tier]: _, ...rest } = this.form.get('/prices');
        this.form.set('/prices', Object.keys(rest).length ? rest : null);
    }

    /* ---- The waiting room, holds, afterwards ---- */

    room() {
        const { form } = this;
        const on = Boolean(form.get('/waiting_room'));
        return html`<div class="field tick wide"><label><input id="f-waiting_room" type="checkbox" .checked=${on}
                @change=${(e) => form.set('/waiting_room', e.target.checked ? { by_inventory: true } : null)}><span>${t('ev_room_on')}</span></label></div>
            ${on ? html`${input(form, '/waiting_room/open_at', { label: t('ev_room_open'), kind: 'instant', zone: this.zone, hint: t('ev_room_open_hint') })}
                ${input(form, '/waiting_room/rate_per_second', { label: t('ev_room_rate'), kind: 'whole', placeholder: '50' })}
                ${input(form, '/waiting_room/max_active', { label: t('ev_room_active'), kind: 'whole', hint: t('cat_limit_hint'), placeholder: '0' })}
                ${input(form, '/waiting_room/pass_ttl_seconds', { label: t('ev_room_pass'), kind: 'minutes', placeholder: '15' })}
                ${input(form, '/waiting_room/tiers', { label: t('ev_room_tiers'), kind: 'words', hint: t('ev_room_tiers_hint') })}
                ${check(form, '/waiting_room/shuffle_before_open', { label: t('ev_room_shuffle') })}
                ${check(form, '/waiting_room/by_inventory', { label: t('ev_room_inventory') })}` : nothing}`;
    }

    terms() {
        const { form } = this;
        return html`${this.editing || this.record ? nothing : select(form, '/preset', { label: t('ev_preset'), hint: t('ev_preset_hint'),
            choices: PRESETS.map(([name, key]) => [name, t(key)]) })}
            ${termFields(form, { ttl: '10', most: '15' })}
            ${input(form, '/staff_hold_seconds', { label: t('ev_staff'), kind: 'minutes', hint: t('ev_staff_hint') })}`;
    }

    after() {
        return html`${check(this.form, '/transfer', { label: t('ev_transfer'), on: 'on', off: 'off' })}
            ${input(this.form, '/cancel_until_seconds', { label: t('ev_cancel'), kind: 'hours', hint: t('cat_cancel_hint') })}`;
    }
}
