/* SPDX-License-Identifier: Apache-2.0 */
/* docs_try.js — "Try it": a form for a call, and the answer. The key is kept in memory, for all calls of the page. */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { count } from '../lib/format.js';
import { note } from '../lib/states.js';
import { t } from '../lib/texts.js';
import { Trial } from '../lib/trial.js';

const access = { token: '', guest: false, problem: null };
const trials = new Map();
const HIDDEN = ['Request-Id']; /* headers that need no value from the reader */

/* ---- The key ---- */

export function keyCard(client, update) {
    const typed = (e) => {
        Object.assign(access, { token: e.target.value.trim(), guest: false, problem: null });
        update();
    };
    const guest = async () => {
        try {
            Object.assign(access, { token: (await client.post('/v1/sessions')).token, guest: true, problem: null });
        } catch (problem) {
            access.problem = problem;
        }
        update();
    };
    return html`<div class="card access"><label class="field"><span>${t('docs_token')}</span>
            <input type="password" name="token" autocomplete="off" spellcheck="false" .value=${access.token} @input=${typed}></label>
        <button class="button" type="button" @click=${guest}>${t('docs_guest')}</button>
        <p class="fine" role="status">${access.problem ? access.problem.message : access.guest ? t('docs_guest_there') : t('docs_token_why')}</p></div>`;
}

/* ---- One call ---- */

function field(trial, one, update) {
    const key = `${one.in}:${one.name}`;
    const typed = (e) => { trial.values[key] = e.target.value; update(); };
    const words = one.schema.enum;
    return html`<label class="field"><span>${one.name}${one.required ? html` <span class="fine">${t('docs_required')}</span>` : nothing}</span>
        ${words ? html`<select @change=${typed}><option value=""></option>${words.map((word) => html`<option ?selected=${trial.values[key] === word}>${word}</option>`)}</select>`
            : html`<input .value=${trial.values[key]} autocomplete="off" spellcheck="false" @input=${typed}>`}</label>`;
}

function answer({ answer: got, problem, running }) {
    if (problem) {
        return note('bad', t('docs_no_answer'), problem.message);
    }
    if (!got) {
        return running ? html`<p class="fine" role="status">${t('loading')}</p>` : nothing;
    }
    return html`<div class="answer" data-answer=${got.status}><p role="status"><span class=${`tag ${got.status < 300 ? 'good' : got.status < 500 ? 'warn' : 'bad'}`}>${got.status}</span>
            <span class="fine number">${t('docs_ms', { n: count(got.ms) })}</span></p>
        ${got.image ? html`<img src=${got.image} alt=${t('docs_picture')}>` : got.text ? html`<pre tabindex="0" aria-label=${t('docs_answer')}><code>${got.text}</code></pre>` : nothing}
        ${got.cut ? html`<p class="fine">${t('docs_cut')}</p>` : nothing}
        <details><summary>${t('docs_headers_got')}</summary><pre tabindex="0" aria-label=${t('docs_headers_got')}><code>${got.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</code></pre></details></div>`;
}

export function tryIt(one, update) {
    if (!trials.has(one.id)) {
        trials.set(one.id, new Trial(one, update));
    }
    const trial = trials.get(one.id);
    const fields = one.parameters.filter(({ name }) => !HIDDEN.includes(name));
    const send = (e) => { e.preventDefault(); trial.send(access.token); };
    const typed = (e) => { trial.body = e.target.value; update(); };
    return html`<form class="try" @submit=${send} aria-label=${`${t('docs_try')}: ${one.method} ${one.path}`}><h3>${t('docs_try')}</h3>
        ${fields.length ? html`<div class="fields">${fields.map((parameter) => field(trial, parameter, update))}</div>` : nothing}
        ${one.body ? html`<label class="field"><span>${t('docs_body')}</span><textarea rows=${Math.min(16, trial.body.split('\n').length + 1)} spellcheck="false" .value=${trial.body} @input=${typed}></textarea></label>` : nothing}
        <details><summary>${t('docs_curl')}</summary><pre tabindex="0" aria-label=${t('docs_curl')}><code>${trial.curl(location.origin, access.token)}</code></pre></details>
        <div class="actions"><button class="button primary" ?disabled=${trial.missing.length > 0}>${t('docs_send')}</button>
            ${trial.running ? html`<button class="button" type="button" @click=${() => { trial.stop(); update(); }}>${t('docs_stop')}</button>` : nothing}
            <span class="fine">${access.token ? t('docs_with_token') : t('docs_without_token')}</span></div>
        ${answer(trial)}</form>`;
}
