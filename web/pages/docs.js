/* SPDX-License-Identifier: Apache-2.0 */
/* docs.js — the API from /openapi.json, which is English: groups of operations, found by words, each opened for its fields. */
import { html, nothing, render } from '../vendor/lit-html/lit-html.js';
import { ref } from '../vendor/lit-html/directives/ref.js';
import { Holdfast } from '../client/client.js';
import { Description } from '../lib/openapi.js';
import { show } from '../lib/shell.js';
import { note } from '../lib/states.js';
import { t } from '../lib/texts.js';
import { operationBody } from './docs_operation.js';
import { keyCard } from './docs_try.js';
import { marked } from './docs_words.js';

const state = { description: null, words: '', opened: new Set() };
const client = new Holdfast({ guest: false });

/* ---- Templates ---- */

function operation(one) {
    const toggle = (e) => {
        state.opened[e.target.open ? 'add' : 'delete'](one.id);
        update();
    };
    const open = state.opened.has(one.id);
    return html`<li><details class="operation card" id=${one.id} ?open=${open} @toggle=${toggle}>
        <summary><span class=${`method ${one.method.toLowerCase()}`}>${one.method}</span><code class="path">${one.path}</code>
            <span class="says" lang="en">${one.summary}</span></summary>
        ${open ? operationBody(state.description, one, update) : nothing}</details></li>`;
}

const group = ({ id, name, description, operations }) => html`<section class="group" id=${id} aria-labelledby=${`${id}-name`}>
    <h2 id=${`${id}-name`} lang="en">${name[0].toUpperCase() + name.slice(1)}</h2><p class="eyebrow" lang="en">${description}</p>
    <ul class="operations">${operations.map(operation)}</ul></section>`;

function found() {
    const groups = state.description.search(state.words);
    const n = groups.reduce((sum, { operations }) => sum + operations.length, 0);
    return html`<p class="fine" role="status">${t('docs_found', { n })}</p>
        ${n ? groups.map(group) : note('', t('docs_nothing'), t('docs_nothing_why'))}`;
}

function page() {
    const { info } = state.description.document;
    const type = (e) => { state.words = e.target.value; update(); };
    return html`<div><p class="eyebrow">${t('docs_version', { version: info.version })}</p><h1>${t('docs_title')}</h1>
            <p class="lead" lang="en">${marked(info.description)}</p></div>
        <label class="field search"><span>${t('docs_search')}</span>
            <input type="search" name="search" autocomplete="off" spellcheck="false" placeholder=${t('docs_search_hint')} @input=${type}></label>
        <div class="key-card"></div>
        <div class="found" ${ref((root) => root && queueMicrotask(begin))}></div>`;
}

/* ---- The side ---- */

const tags = () => html`${state.description.groups.map(({ id, name }) => html`<li lang="en"><a href=${`#${id}`}>${name[0].toUpperCase() + name.slice(1)}</a></li>`)}`;

function update() {
    render(keyCard(client, update), document.querySelector('.key-card'));
    render(found(), document.querySelector('.found'));
}

/* A link to an operation opens it; one that the words do not find is shown all the same. */
function follow() {
    const id = decodeURIComponent(location.hash.slice(1));
    const { description } = state;
    if (description.operations.some((one) => one.id === id)) {
        state.opened.add(id);
    }
    if (!document.getElementById(id)) {
        state.words = document.querySelector('input[name=search]').value = '';
    }
    update();
    document.getElementById(id)?.scrollIntoView();
}

/* The operator may have closed it: then the admin key opens it. */
function closed(problem, again) {
    const send = (e) => {
        e.preventDefault();
        client.given = e.target.elements.key.value.trim();
        again();
    };
    return html`<h1>${t('docs_title')}</h1><form class="key card" @submit=${send}>
        ${note(client.given ? 'bad' : '', t('docs_closed'), client.given ? problem.message : t('docs_closed_why'))}
        <label class="field"><span>${t('docs_admin_key')}</span><input name="key" type="password" autocomplete="off" required></label>
        <button class="button primary">${t('docs_open')}</button></form>`;
}

async function load() {
    try {
        state.description = new Description(await client.get('/openapi.json'));
    } catch (problem) {
        if (problem.status !== 401 && problem.status !== 403) {
            throw problem;
        }
        return closed(problem, () => show(load));
    }
    return page();
}

/* Once it is in the document. */
function begin() {
    render(tags(), document.getElementById('tags'));
    addEventListener('hashchange', follow);
    follow();
}

document.getElementById('tags').replaceChildren();
show(load);
