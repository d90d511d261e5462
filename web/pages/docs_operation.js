/* SPDX-License-Identifier: Apache-2.0 */
/* docs_operation.js — one operation, opened: what it takes, what it answers, and who may call it. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { t } from '../lib/texts.js';
import { tryIt } from './docs_try.js';
import { marked } from './docs_words.js';

const json = (value) => JSON.stringify(value, null, 2);
export const example = (value) => html`<pre tabindex="0"><code>${typeof value === 'string' ? value : json(value)}</code></pre>`;

const WHO = {
    anyone: () => t('docs_who_anyone'), user: () => t('docs_who_user'), app: () => t('docs_who_app'), admin: () => t('docs_who_admin'),
    door: () => t('docs_who_door'), order: () => t('docs_who_order'),
};

const row = ({ name, type, required, about, otherwise }) => html`<tr><td><code>${name}</code>${required ? html` <span class="tag">${t('docs_required')}</span>` : nothing}
    <span class="fine kind">${type}${otherwise === undefined ? nothing : ` = ${json(otherwise)}`}</span></td><td>${marked(about)}</td></tr>`;

const rows = (title, list) => (list.length ? html`<h3>${title}</h3><div class="wide" tabindex="0"><table><thead><tr><th scope="col">${t('docs_name')}</th>
    <th scope="col">${t('docs_about')}</th></tr></thead><tbody>${list.map(row)}</tbody></table></div>` : nothing);

/* Parameters of one place in the shape of fields. */
const parameters = (description, one, place) => one.parameters.filter((p) => p.in === place).map((p) => ({
    name: p.name, type: description.typeOf(p.schema), required: p.required, about: p.description ?? '', otherwise: p.schema.default }));

function body(description, one) {
    return one.body ? html`${description.forms(one.body.schema).map(({ name, fields }) =>
        rows(name ? t('docs_body_form', { name }) : t('docs_body'), fields))}` : nothing;
}

function answers(one) {
    return html`<h3>${t('docs_answers')}</h3><dl class="answers">${one.answers.map(({ status, about, codes }) => html`<div><dt>
        <span class=${`tag ${status[0] === '2' ? 'good' : ''}`}>${status === 'default' ? t('docs_other') : status}</span></dt>
        <dd>${codes.length ? codes.map((code) => html`<code>${code}</code> `) : about}</dd></div>`)}</dl>`;
}

function answered(one) {
    const value = one.answers.find(({ status, content }) => status[0] === '2' && content?.examples.length)?.content.examples[0].value;
    return value === undefined ? nothing : html`<h3>${t('docs_example')}</h3>${example(value)}`;
}

export const operationBody = (description, one, update) => html`<div class="inside">
    <p>${marked(one.about)}</p>
    <p class="who"><span class="fine">${t('docs_who')}</span> ${one.who.map((who) => html`<span class="tag">${WHO[who]()}</span> `)}</p>
    ${tryIt(one, update)}
    ${rows(t('docs_in_path'), parameters(description, one, 'path'))}
    ${rows(t('docs_in_query'), parameters(description, one, 'query'))}
    ${rows(t('docs_in_header'), parameters(description, one, 'header'))}
    ${body(description, one)}${answers(one)}${answered(one)}</div>`;
