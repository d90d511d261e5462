/* SPDX-License-Identifier: Apache-2.0 */
/* draw_tiers.js — the tiers of a drawn hall: a name, a price, and the shape and colour that seats have for it. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { live } from '../../vendor/lit-html/directives/live.js';
import { minor, typed } from '../../lib/amount.js';
import { addTier, changeTier, removeTier, tierUsed } from '../../lib/drawing/plan.js';
import { t } from '../../lib/texts.js';

const SHAPES = 5;

function rename(view, at, input) {
    const name = input.value.trim();
    const free = name && !view.plan.tiers.some((tier, i) => i !== at && tier.name === name);
    if (free) {
        view.put(changeTier(view.plan, at, { name }));
    } else {
        view.update(); /* as it was */
    }
}

function reprice(view, at, input) {
    const price = minor(input.value, view.event.currency);
    input.setAttribute('aria-invalid', String(price === null));
    if (price !== null) {
        view.put(changeTier(view.plan, at, { price }));
    }
}

function fresh(view) {
    const names = new Set(view.plan.tiers.map(({ name }) => name));
    let n = view.plan.tiers.length + 1;
    while (names.has(t('hall_tier_name', { n }))) {
        n++;
    }
    view.put(addTier(view.plan, t('hall_tier_name', { n })));
}

export function tierPanel(view) {
    const { plan, event } = view;
    return html`<section class="card part"><header><h3>${t('hall_tiers')}</h3><p class="eyebrow">${t(event.categories ? 'hall_tiers_categories' : 'hall_tiers_lead')}</p></header>
        <div class="rows">${plan.tiers.map((tier, i) => html`<div class="row tier" role="group" aria-label=${tier.name}><span class=${`sample shape-${i % SHAPES}`} aria-hidden="true"></span>
            <label class="field"><span>${t('cat_tier')}</span><input .value=${live(tier.name)} maxlength="64" autocomplete="off" @change=${(e) => rename(view, i, e.target)}></label>
            <label class="field"><span>${t('hall_tier_price', { currency: event.currency })}</span><input inputmode="decimal" .value=${live(typed(tier.price, event.currency))}
                autocomplete="off" @change=${(e) => reprice(view, i, e.target)}></label>
            ${tierUsed(plan, tier.name) ? nothing : html`<button class="button icon quiet" type="button" aria-label=${t('ev_tier_remove', { tier: tier.name })}
                @click=${() => view.put(removeTier(plan, i))}>×</button>`}</div>`)}</div>
        <button class="button" type="button" @click=${() => fresh(view)}>${t('ev_tier_add')}</button></section>`;
}
