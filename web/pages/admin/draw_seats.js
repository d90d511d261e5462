/* SPDX-License-Identifier: Apache-2.0 */
/* draw_seats.js — single seats of a drawn hall: chosen on the plan or by row and number, then set aside, blocked, marked as
 * accessible or put into another tier. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { keysOf } from '../../lib/drawing/block.js';
import { blockOf, markSeats } from '../../lib/drawing/plan.js';
import { count } from '../../lib/format.js';
import { t } from '../../lib/texts.js';

/* Chosen seats and newly chosen ones: one that is chosen again is not chosen any more; without `adds` only the new ones. */
export function togglePicks(old, picked, adds) {
    if (!adds) {
        return picked;
    }
    const picks = new Map([...old].map(([id, keys]) => [id, new Set(keys)]));
    for (const [id, keys] of picked) {
        const known = picks.get(id) ?? new Set();
        keys.forEach((key) => known.delete(key) || known.add(key));
        known.size ? picks.set(id, known) : picks.delete(id);
    }
    return picks;
}

const sizeOf = (picks) => [...picks.values()].reduce((sum, keys) => sum + keys.size, 0);

/* Of blocks only: other seats of the event are not drawn here. */
function mark(view, change) {
    let { plan } = view;
    for (const [id, keys] of view.picks) {
        plan = blockOf(plan, id) ? markSeats(plan, id, keys, change) : plan;
    }
    view.put(plan);
}

function find(view) {
    const keys = keysOf(view.block, view.sought.rows, view.sought.numbers);
    view.choose(keys.length ? new Map([[view.opened, new Set(keys)]]) : new Map(), false);
}

const setAside = (view, form) => mark(view, { allotment: form.querySelector('input').value.trim() });

function marking(view) {
    const names = [...new Set(view.plan.blocks.flatMap(({ marks }) => Object.values(marks).map(({ allotment }) => allotment)).filter(Boolean))];
    const { tiers } = view.plan;
    return html`<form class="adding" @submit=${(e) => { e.preventDefault(); setAside(view, e.target); }}><label class="field"><span>${t('hall_allotment')}</span>
                <input name="allotment" list="allotments" maxlength="64" pattern="[A-Za-z0-9._~\\-]+" autocomplete="off"></label>
            <datalist id="allotments">${names.map((name) => html`<option value=${name}></option>`)}</datalist>
            <button class="button" type="submit">${t('hall_set_aside')}</button></form>
        <p class="fine">${t('hall_allotment_hint')}</p>
        <label class="field"><span>${t('hall_tier_of_seats')}</span><select @change=${(e) => { mark(view, { tier: e.target.value }); e.target.value = ''; }}>
            <option value="">${t('hall_keep')}</option>${tiers.map(({ name }) => html`<option value=${name}>${name}</option>`)}</select></label>
        <div class="actions"><button class="button" type="button" @click=${() => mark(view, { accessible: true })}>${t('hall_accessible')}</button>
            <button class="button" type="button" @click=${() => mark(view, { blocked: true })}>${t('hall_blocked')}</button>
            <button class="button quiet" type="button" @click=${() => view.put(plainer(view))}>${t('hall_plain')}</button></div>`;
}

/* Without any mark. */
function plainer(view) {
    let { plan } = view;
    for (const [id, keys] of view.picks) {
        const block = blockOf(plan, id);
        plan = block ? markSeats(plan, id, keys, { allotment: '', accessible: false, blocked: false, tier: block.tier }) : plan;
    }
    return plan;
}

export function seatPanel(view) {
    const { sought } = view;
    const chosen = sizeOf(view.picks);
    const typed = (name) => (e) => { sought[name] = e.target.value; };
    return html`<section class="card part seats-panel" aria-labelledby="seats-panel"><h3 id="seats-panel">${t('hall_single')}</h3>
        ${view.block ? html`<form class="adding" @submit=${(e) => { e.preventDefault(); find(view); }}>
            <label class="field"><span>${t('hall_find_rows')}</span><input name="rows" placeholder=${t('hall_find_all')} autocomplete="off" @input=${typed('rows')}></label>
            <label class="field"><span>${t('hall_find_numbers')}</span><input name="numbers" placeholder=${t('hall_find_all')} autocomplete="off" @input=${typed('numbers')}></label>
            <button class="button" type="submit">${t('hall_find', { name: view.block.name })}</button></form>` : nothing}
        <p role="status"><strong>${t('hall_chosen', { n: chosen, seats: count(chosen) })}</strong>
            ${chosen ? html`<button class="button quiet" type="button" @click=${() => view.choose(new Map(), false)}>${t('hall_choose_none')}</button>` : nothing}</p>
        ${chosen ? marking(view) : nothing}</section>`;
}
