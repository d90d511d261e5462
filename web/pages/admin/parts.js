/* SPDX-License-Identifier: Apache-2.0 */
/* parts.js — what several views of /admin show: the choice of an event or of a list, an empty list, a file to keep. */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { live } from '../../vendor/lit-html/directives/live.js';
import { Problem } from '../../client/client.js';
import { t } from '../../lib/texts.js';
import { to } from './view.js';

/* Goes to `view` about the event that is chosen. `none`: the name of the choice of none. */
export const eventChoice = (view, events, chosen, none = null) => html`<label class="field choice"><span>${t('admin_event')}</span>
    <select .value=${live(chosen ?? '')} @change=${(e) => { location.hash = e.target.value ? to(view, e.target.value) : to(view); }}>
        ${none ? html`<option value="" ?selected=${!chosen}>${none}</option>` : nothing}
        ${events.map(({ id, name }) => html`<option value=${id} ?selected=${id === chosen}>${name}</option>`)}</select></label>`;

/* One of several lists: [address, text, whether it is shown]. */
export const listChoice = (label, lists) => html`<nav class="switch" aria-label=${label}>${lists.map(([address, text, shown]) =>
    html`<a href=${address} aria-current=${shown ? 'true' : nothing}>${text}</a>`)}</nav>`;

/* `way`: where to go to change that. */
export const nothingYet = (title, why, way = nothing) => html`<div class="card nothing" role="status"><h2>${title}</h2><p class="eyebrow">${why}</p>
    ${way === nothing ? nothing : html`<div class="actions">${way}</div>`}</div>`;

/* A download. */
export function keepFile(parts, type, name) {
    const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob(parts, { type })), download: name });
    link.click();
    URL.revokeObjectURL(link.href);
}

/* A list as CSV, every page of it: a link could not carry the key. */
export async function download(client, path, name, query = {}) {
    const parts = [];
    for (let cursor = null; ;) {
        const given = Object.entries({ ...query, cursor }).filter(([, value]) => value);
        const response = await client.reach(`${path}?${new URLSearchParams(given)}`,
            { headers: { ...client.headers(await client.bearer()), Accept: 'text/csv' } });
        if (!response.ok) {
            throw await Problem.of(response);
        }
        const text = await response.text();
        parts.push(cursor ? text.slice(text.indexOf('\n') + 1) : text); /* one line of names */
        cursor = response.headers.get('holdfast-next-cursor');
        if (!cursor) {
            break;
        }
    }
    keepFile(parts, 'text/csv', name);
}
