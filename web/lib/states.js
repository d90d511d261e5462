/* SPDX-License-Identifier: Apache-2.0 */
/* states.js — the states that every page has: loading, empty, failed, offline, ended. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { t } from './texts.js';

/* Shapes of what is coming; the element around it is aria-busy. */
export const loading = (shapes = 3) => html`<div class="skeletons" aria-hidden="true">
    ${Array.from({ length: shapes }, (_, i) => html`<div class=${`skeleton shape-${i}`}></div>`)}</div>
    <p class="visually-hidden" role="status">${t('loading')}</p>`;

export const note = (kind, title, text, actions = nothing) => html`<div class=${`note ${kind}`}
    role=${kind === 'bad' || kind === 'warn' ? 'alert' : 'status'}><strong>${title}</strong>
    ${text ? html`<p>${text}</p>` : nothing}
    ${actions === nothing ? nothing : html`<div class="actions">${actions}</div>`}</div>`;

/* An event that was cancelled, with the organiser's reason before the sentence. */
export const cancelled = ({ cancel_reason: reason }, title, sentence, actions) =>
    note('bad', title, reason ? `${t('event_cancel_reason', { reason })} ${sentence}` : sentence, actions);

/* What happened, and the way to try it again. */
export const failed = (problem, retry) => note('bad', t('failed'),
    problem.code === 'offline' ? t('failed_offline') : problem.message,
    html`<button class="button" type="button" @click=${retry}>${t('try_again')}</button>`);
