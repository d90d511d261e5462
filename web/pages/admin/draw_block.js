/* SPDX-License-Identifier: Apache-2.0 */
/* draw_block.js — the form of one block of a drawn hall: everything that can be done on the plan, and by keyboard. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { live } from '../../vendor/lit-html/directives/live.js';
import { LIMITS } from '../../lib/drawing/block.js';
import { changeBlock, fits, limited } from '../../lib/drawing/plan.js';
import { t } from '../../lib/texts.js';

const ROWS_RUNS = [['left', 'hall_run_left'], ['right', 'hall_run_right'], ['middle', 'hall_run_middle']];
const TABLE_RUNS = [['left', 'hall_run_clockwise'], ['right', 'hall_run_against']];
const STEPS = [['all', 'hall_step_all'], ['odd', 'hall_step_odd'], ['even', 'hall_step_even']];

/* A number of the block; the browser reports one out of its limits, which changes nothing. */
function number(view, name, label) {
    const [least, most, step] = LIMITS[name];
    const read = (input) => {
        const value = limited(name, input.value);
        const good = value !== null && fits(view.block, { [name]: value });
        input.setAttribute('aria-invalid', String(!good));
        if (good) {
            view.change({ [name]: value }, name);
        }
    };
    return html`<label class="field"><span>${label}</span><input type="number" name=${name} min=${least} max=${most} step=${step} .value=${live(String(view.block[name]))}
        @input=${(e) => read(e.target)} @blur=${(e) => { view.undo.settle(); e.target.removeAttribute('aria-invalid'); view.update(); }}></label>`;
}

function text(view, name, label) {
    return html`<label class="field"><span>${label}</span><input name=${name} maxlength="40" autocomplete="off" .value=${live(view.block[name])}
        @input=${(e) => view.change({ [name]: e.target.value }, name)} @blur=${() => view.undo.settle()}></label>`;
}

const choice = (view, name, label, choices) => html`<label class="field"><span>${label}</span><select name=${name} .value=${live(view.block[name])}
    @change=${(e) => view.put(changeBlock(view.plan, view.opened, { [name]: e.target.value }))}>
    ${choices.map(([value, title]) => html`<option value=${value} ?selected=${value === view.block[name]}>${title}</option>`)}</select></label>`;

const part = (title, content) => html`<fieldset><legend>${title}</legend><div class="fields">${content}</div></fieldset>`;

const rowsShape = (view) => html`${number(view, 'rows', t('hall_rows'))} ${number(view, 'seats', t('hall_seats'))} ${number(view, 'more', t('hall_more'))}
    ${number(view, 'gap', t('hall_gap'))} ${number(view, 'curve', t('hall_curve'))} ${number(view, 'parts', t('hall_parts'))}
    ${view.block.parts > 1 ? number(view, 'aisle', t('hall_aisle')) : nothing}`;

const tablesShape = (view) => html`${number(view, 'seats', t('hall_table_seats'))} ${number(view, 'across', t('hall_across'))}
    ${number(view, 'down', t('hall_down'))} ${number(view, 'gap', t('hall_table_gap'))}`;

function numbering(view) {
    const { kind, run } = view.block;
    const rows = kind === 'rows';
    return html`${text(view, 'first_row', t(rows ? 'hall_first_row' : 'hall_first_table'))}
        ${choice(view, 'run', t('hall_run'), (rows ? ROWS_RUNS : TABLE_RUNS).map(([value, key]) => [value, t(key)]))}
        ${run === 'middle' ? nothing : html`${choice(view, 'step', t('hall_step'), STEPS.map(([value, key]) => [value, t(key)]))}
            ${number(view, 'first_number', t('hall_first_number'))}`}`;
}

export function blockForm(view) {
    const { block, plan } = view;
    return html`<form class="card part block-form" aria-label=${t('hall_block_of', { name: block.name })} @submit=${(e) => e.preventDefault()}>
        <h3>${t(block.kind === 'rows' ? 'hall_is_rows' : 'hall_is_tables')}</h3>
        <div class="fields">${text(view, 'name', t('hall_section'))}
            ${choice(view, 'tier', t('cat_tier'), [['', t('hall_no_tier')], ...plan.tiers.map(({ name }) => [name, name])])}</div>
        ${part(t('hall_shape'), block.kind === 'rows' ? rowsShape(view) : tablesShape(view))}
        ${part(t('hall_numbers'), numbering(view))}
        ${part(t('hall_place'), html`${number(view, 'x', t('hall_x'))} ${number(view, 'y', t('hall_y'))} ${number(view, 'turn', t('hall_turn'))}`)}
        <div class="actions"><button class="button" type="button" @click=${() => view.copy(false)}>${t('hall_copy')}</button>
            <button class="button" type="button" @click=${() => view.copy(true)}>${t('hall_mirror')}</button>
            <button class="button quiet danger" type="button" @click=${() => view.remove()}>${t('hall_remove')}</button></div></form>`;
}
