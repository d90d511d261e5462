/* SPDX-License-Identifier: Apache-2.0 */
/* choose.js — the ways to choose without the map: best available, pools, a code; templates of <holdfast-seats>. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { live } from '../vendor/lit-html/directives/live.js';
import { count, money, price } from '../lib/format.js';
import { isolated, t } from '../lib/texts.js';

/* A number with a button on each side, which keeps the focus at the last value as well. */
export const stepper = (label, value, { least = 1, most = 100, set, name }) => {
    const step = (text, sign, to) => html`<button class="button icon" type="button" aria-label=${text}
        aria-disabled=${to < least || to > most} @click=${() => to >= least && to <= most && set(to)}>${sign}</button>`;
    return html`<div class="stepper" role="group" aria-label=${label}>${step(t('less'), '−', value - 1)}
        <output class="number" name=${name}>${count(value)}</output>${step(t('more'), '+', value + 1)}</div>`;
};

const option = (value, text, chosen) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`;

export const categories = (event, chosen, set) => (event.categories?.length > 1 ? html`<fieldset class="segments">
    <legend class="visually-hidden">${t('choose_category')}</legend>
    ${event.categories.map((one) => html`<label><input type="radio" name="category" value=${one}
        .checked=${live(one === chosen)} @change=${() => set(one)}><span>${one}</span></label>`)}</fieldset>` : nothing);

const tierText = ({ name, least, most }, currency) => {
    const cost = least === most ? price(least, currency) : `${money(least, currency)} – ${money(most, currency)}`;
    return name ? `${isolated(name)} · ${cost}` : cost;
};

/* `form` is what the visitor has set: {quantity, tier, section, adjacent, accessible}. */
export function best(hall, form, { set, find, busy }) {
    const several = hall.sections.length > 1;
    const wheelchair = hall.seats.some((seat) => seat.accessible);
    return html`<form class="panel best" @submit=${(e) => { e.preventDefault(); find(); }}>
        <h2>${t('choose_title')}</h2>
        <div class="line"><span>${t('choose_quantity')}</span>
            ${stepper(t('choose_quantity'), form.quantity, { set: (quantity) => set({ quantity, accessible: Math.min(form.accessible, quantity) }), name: 'quantity' })}</div>
        ${hall.tiers.length > 1 ? html`<label class="field"><span>${t('choose_tier')}</span>
            <select name="tier" @change=${(e) => set({ tier: e.target.value })}>${option('', t('choose_any'), form.tier)}
                ${hall.tiers.map((tier) => option(tier.name, tierText(tier, hall.currency), form.tier))}</select></label>` : nothing}
        ${several ? html`<label class="field"><span>${t('choose_section')}</span>
            <select name="section" @change=${(e) => set({ section: e.target.value })}>${option('', t('choose_any'), form.section)}
                ${hall.sections.map(({ name }) => option(name, name || t('section_plain'), form.section))}</select></label>` : nothing}
        ${form.quantity > 1 ? html`<label class="check"><input type="checkbox" name="adjacent" .checked=${live(form.adjacent)}
            @change=${(e) => set({ adjacent: e.target.checked })}> ${t('choose_together')}</label>` : nothing}
        ${wheelchair ? html`<div class="line"><span>${t('choose_accessible')}</span>
            ${stepper(t('choose_accessible'), form.accessible, { least: 0, most: form.quantity, set: (accessible) => set({ accessible }), name: 'accessible' })}</div>` : nothing}
        <button class="button primary wide" aria-disabled=${busy}>${t('choose_button')}</button></form>`;
}

/* What units of a pool cost in a category. */
function poolPrice(pool, event, category = event.categories?.[0]) {
    return pool.prices?.[category] ?? (category === event.categories?.[0] ? pool.price : null);
}

export function pools(list, event, { quantities, category, set, add, busy }) {
    return list.length === 0 ? nothing : html`<section class="panel pools"><h2>${t('pools_title')}</h2>
        ${list.map((pool) => {
            const name = pool.name || pool.id;
            const n = Math.min(quantities[pool.id] ?? 1, Math.max(1, pool.available));
            const cost = poolPrice(pool, event, category);
            return html`<div class="pool" data-pool=${pool.id}>
                <div class="what"><strong>${name}</strong>
                    <span>${cost === null ? nothing : price(cost, event.currency)}</span>
                    <span class="eyebrow number" data-available=${pool.available}>${pool.available
                        ? t('left', { n: pool.available }).replace(pool.available, count(pool.available)) : t('sold_out')}</span></div>
                ${pool.available ? html`<div class="line">
                    ${stepper(name, n, { most: Math.min(100, pool.available), set: (value) => set(pool.id, value), name: pool.id })}
                    <button class="button" type="button" aria-disabled=${busy || cost === null} aria-label=${t('pool_add_label', { n, pool: name })}
                        @click=${() => cost !== null && add(pool.id, n)}>${t('pool_add')}</button></div>` : nothing}</div>`;
        })}</section>`;
}

/* Asked for at once where nothing is sold without one; otherwise behind a line. */
export function code(event, used, { use, remove }) {
    const submit = (e) => {
        e.preventDefault();
        const { value } = e.target.elements.code;
        value.trim() && use(value.trim());
    };
    if (used) {
        return html`<section class="panel"><p class="line"><span>${t('code_used', { code: used })}</span>
            <button class="button quiet" type="button" @click=${remove}>${t('code_remove')}</button></p></section>`;
    }
    const form = html`<form class="code" @submit=${submit}><label class="field"><span>${t('code_label')}</span>
        <input name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="64" required></label>
        <button class="button">${t('code_use')}</button></form>`;
    return event.access === 'code'
        ? html`<section class="panel"><h2>${t('code_needed')}</h2><p class="eyebrow">${t('code_needed_why')}</p>${form}</section>`
        : html`<details class="panel"><summary>${t('code_title')}</summary>${form}</details>`;
}

/* What the colours and signs of the map mean. */
export function legend(hall) {
    const sign = (status, text, mark) => html`<li><span class=${`seat sample ${status === 'available' ? 'shape-0' : ''}`} data-sign=${status} aria-hidden="true">${mark}</span>${text}</li>`;
    return html`<ul class="legend" aria-label=${t('legend')}>
        ${hall.tiers.map((tier, i) => html`<li><span class=${`seat sample shape-${i % 5}`} data-sign="available" aria-hidden="true"></span>${tierText(tier, hall.currency)}</li>`)}
        ${sign('mine', t('legend_mine'), '✓')}${sign('held', t('legend_held'), '–')}${sign('sold', t('legend_sold'), '×')}
        ${sign('blocked', t('legend_blocked'), '')}
        ${hall.seats.some((seat) => seat.accessible) ? sign('available', t('legend_accessible'), '♿\uFE0E') : nothing}</ul>`;
}
