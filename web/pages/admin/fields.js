/* SPDX-License-Identifier: Apache-2.0 */
/* fields.js — the fields of forms: a label, what is typed, a hint, and what is wrong, at the field itself.
 *
 * All are of a Form (lib/form.js) and read when they are left. Kinds say how a value is shown, and what was typed is read.
 */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { live } from '../../vendor/lit-html/directives/live.js';
import { minor, typed } from '../../lib/amount.js';
import { t } from '../../lib/texts.js';
import { instantOf, localOf } from '../../lib/zone.js';

export const idOf = (pointer) => `f${pointer.replace(/[^A-Za-z0-9]/g, '-')}`;

const whole = (text) => (/^-?\d+$/.test(text) ? Number(text) : undefined);
const decimal = (text) => (Number.isFinite(Number(text)) ? Number(text) : undefined);

/* A kind: its attributes; a value as text; a text as value, undefined: it is none, with the key of what is expected then. */
const KINDS = {
    text: { show: (value) => value, read: (text) => text },
    whole: { type: 'number', inputmode: 'numeric', show: String, read: whole, expects: 'form_whole' },
    minutes: { /* of a number of seconds */
        type: 'number', inputmode: 'decimal', show: (value) => String(value / 60), expects: 'form_number',
        read: (text) => (decimal(text) === undefined ? undefined : Math.round(decimal(text) * 60)),
    },
    hours: {
        type: 'number', inputmode: 'decimal', show: (value) => String(value / 3600), expects: 'form_number',
        read: (text) => (decimal(text) === undefined ? undefined : Math.round(decimal(text) * 3600)),
    },
    money: { inputmode: 'decimal', show: (value, { currency }) => typed(value, currency), read: (text, { currency }) => minor(text, currency) ?? undefined, expects: 'form_money' },
    instant: { type: 'datetime-local', show: (value, { zone }) => localOf(value, zone), read: (text, { zone }) => instantOf(text, zone), expects: 'form_instant' },
    words: { show: (value) => value.join(', '), read: (text) => text.split(',').map((word) => word.trim()).filter(Boolean) },
    clock: { type: 'time', show: (value) => value, read: (text) => text },
};

/* undefined and null are an empty field, and the other way round. */
function read(form, pointer, { kind, ...options }, input) {
    const { read: reads, expects } = KINDS[kind];
    const text = input.value.trim();
    const value = text === '' && !input.validity.badInput ? null : reads(text, options);
    if (value === undefined || input.validity.badInput) {
        form.refuse(pointer, t(expects));
    } else {
        form.set(pointer, value);
    }
}

/* The frame of a field: `control(attributes)` is what is typed into. */
function framed(form, pointer, { label, hint, quiet = false, classes = '' }, control) {
    const [id, fault] = [idOf(pointer), form.faults.get(pointer)];
    const told = [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ');
    return html`<div class=${`field ${classes}`}><label class=${quiet ? 'visually-hidden' : ''} for=${id}>${label}</label>
        ${control({ id, told: told || nothing, invalid: fault ? 'true' : nothing })}
        ${hint ? html`<p class="fine" id=${`${id}-hint`}>${hint}</p>` : nothing}
        ${fault ? html`<p class="fault" id=${`${id}-fault`}>${fault}</p>` : nothing}</div>`;
}

export function input(form, pointer, { kind = 'text', required = false, placeholder = '', list, locked = false, ...options }) {
    const { show, type = 'text', inputmode } = KINDS[kind];
    const value = form.get(pointer);
    const text = value === null || value === undefined ? '' : show(value, options);
    const reading = (e) => read(form, pointer, { kind, ...options }, e.target);
    return framed(form, pointer, options, ({ id, told, invalid }) => html`<input id=${id} type=${type} .value=${text} placeholder=${placeholder}
        inputmode=${inputmode ?? nothing} step=${type === 'number' ? 'any' : nothing} list=${list ?? nothing} ?required=${required} ?readonly=${locked}
        autocomplete="off" aria-describedby=${told} aria-invalid=${invalid} @change=${reading}>`);
}

export function lines(form, pointer, options) {
    return framed(form, pointer, options, ({ id, told, invalid }) => html`<textarea id=${id} rows="4" .value=${form.get(pointer) ?? ''}
        aria-describedby=${told} aria-invalid=${invalid} @change=${(e) => form.set(pointer, e.target.value.trim() || null)}></textarea>`);
}

export const zoneInput = (form) => html`${input(form, '/timezone', { label: t('cal_timezone'), hint: t('cal_timezone_hint'), list: 'zones' })}
    <datalist id="zones">${Intl.supportedValuesOf('timeZone').map((zone) => html`<option value=${zone}></option>`)}</datalist>`;

/* `choices` are [value, text]. */
export function select(form, pointer, { choices, ...options }) {
    const value = form.get(pointer) ?? '';
    return framed(form, pointer, options, ({ id, told, invalid }) => html`<select id=${id} aria-describedby=${told} aria-invalid=${invalid}
        .value=${live(value)} @change=${(e) => form.set(pointer, e.target.value || null)}>
        ${choices.map(([name, text]) => html`<option value=${name} ?selected=${name === value}>${text}</option>`)}</select>`);
}

/* A box to tick, with its text beside it; `on` and `off` are the values that it stands for. */
export function check(form, pointer, { label, hint, on = true, off = false }) {
    const [id, fault] = [idOf(pointer), form.faults.get(pointer)];
    return html`<div class="field tick"><label><input id=${id} type="checkbox" .checked=${live((form.get(pointer) ?? off) === on)}
        aria-describedby=${hint ? `${id}-hint` : nothing} @change=${(e) => form.set(pointer, e.target.checked ? on : off)}><span>${label}</span></label>
        ${hint ? html`<p class="fine" id=${`${id}-hint`}>${hint}</p>` : nothing}
        ${fault ? html`<p class="fault">${fault}</p>` : nothing}</div>`;
}

/* What belongs together: a heading, a sentence, the fields. */
export const group = (title, lead, content) => html`<section class="card part"><header><h3>${title}</h3>
    ${lead ? html`<p class="eyebrow">${lead}</p>` : nothing}</header><div class="fields">${content}</div></section>`;

/* What a view is about, and where else one can go with it. */
export const heading = (name, ways) => html`<header class="heading"><h2>${name}</h2><nav class="ways" aria-label=${t('cat_ways')}>${ways}</nav></header>`;
