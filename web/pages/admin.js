/* SPDX-License-Identifier: Apache-2.0 */
/* admin.js — the operator's page: signs in with the admin key, then shows one view at a time.
 *
 * The key is in the memory of this page and nowhere else: a reload asks for it again. Nothing is asked of the server before
 * there is one. Which view it is, and what it is about, is in the fragment: /admin#room/eras. The views are in admin/views.js.
 */
import { html, nothing, render } from '../vendor/lit-html/lit-html.js';
import { Holdfast, Problem } from '../client/client.js';
import { mayLeave } from '../lib/leaving.js';
import { loading, failed, note } from '../lib/states.js';
import { setting, show } from '../lib/shell.js';
import { t } from '../lib/texts.js';
import { VIEWS } from './admin/views.js';

const main = document.querySelector('main');
const page = { client: null, row: null, view: null, life: null, asking: false, busy: false };

/* ---- Signing in ---- */

const TROUBLES = {
    401: () => note('bad', t('admin_key_wrong'), t('admin_key_wrong_why')),
    403: () => note('bad', t('admin_key_other'), t('admin_key_other_why')),
};

/* {client}, with this key, if it is the admin key; or {trouble}: what is wrong with it, in words. */
async function tryKey(key) {
    const client = new Holdfast({ token: key, guest: false });
    try {
        await client.get('/v1/keys', { query: { limit: 1 }, attempts: 1 }); /* which only the admin key may */
        return { client };
    } catch (problem) {
        if (!problem.code) {
            throw problem;
        }
        return { trouble: TROUBLES[problem.status]?.() ?? note('bad', t('failed'), problem.code === 'offline' ? t('failed_offline') : problem.message) };
    }
}

/* Draws the form by `draw` until the key in it is good; the client then, or null. */
async function signInWith(key, draw) {
    page.busy = true;
    draw(nothing);
    const { client, trouble } = await tryKey(key);
    page.busy = false;
    if (trouble) {
        draw(trouble);
        document.getElementById('key').select();
    }
    return client ?? null;
}

async function signIn(key) {
    page.client = await signInWith(key, drawSignIn);
    if (page.client) {
        await open();
    }
}

/* The key was changed while a form is filled in: that stays, behind the question for the new one. */
function renewKey() {
    if (page.asking) {
        return;
    }
    page.asking = true;
    const dialog = Object.assign(document.createElement('dialog'), { className: 'renewal' });
    const draw = (trouble) => render(signInForm(trouble, submit), dialog);
    const submit = async (key) => {
        const client = await signInWith(key, draw);
        if (client) {
            page.client = page.view.client = client;
            dialog.close();
        }
    };
    dialog.setAttribute('aria-label', t('admin_key'));
    dialog.addEventListener('close', () => {
        page.asking = false;
        dialog.remove();
    });
    draw(note('warn', t('admin_key_changed'), t('admin_key_changed_why')));
    document.body.append(dialog);
    dialog.showModal();
    document.getElementById('key').focus();
}

function signOut(why = nothing) {
    page.life?.abort();
    page.client = page.view = null;
    document.title = `${t('admin_title')} · Holdfast`;
    drawSignIn(why);
    document.getElementById('key').focus();
}

const signInForm = (trouble, submit = signIn) => html`<form class="card sign-in" @submit=${(e) => {
        e.preventDefault();
        submit(new FormData(e.target).get('key').trim());
    }}>
    <div><h1>${t('admin_title')}</h1><p class="eyebrow">${t('admin_key_why')}</p></div>
    <div role="none">${trouble}</div>
    <label class="field"><span>${t('admin_key')}</span>
        <input id="key" name="key" type="password" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
    <button class="button primary wide" type="submit" ?disabled=${page.busy}>${t(page.busy ? 'admin_signing_in' : 'admin_sign_in')}</button>
    <details class="fine"><summary>${t('admin_key_where')}</summary><p>${setting('demo')
        ? html`${t('admin_key_where_demo')} <code>${setting('demo')}</code>` : t('admin_key_where_why')}</p></details></form>`;

function drawSignIn(trouble) {
    render(signInForm(trouble), main.querySelector('.content'));
}

/* ---- One view ---- */

/* "#room/eras" is the view `room` about ["eras"]. */
function wanted() {
    const [id, ...parts] = location.hash.slice(1).split('/').map((part) => {
        try {
            return decodeURIComponent(part);
        } catch {
            return part; /* as typed */
        }
    });
    return { row: VIEWS.find((one) => one.id === id) ?? VIEWS[0], parts };
}

/* `root` is where the view renders itself: of its own for each, so that none draws over another. */
const frame = (row, root) => html`<div class="admin"><nav class="views" aria-label=${t('admin_views')}><ul>
        ${VIEWS.map((one) => html`<li><a href=${`#${one.id}`} aria-current=${one === row ? 'page' : nothing}>${one.title()}</a></li>`)}</ul>
        <button class="button quiet" type="button" @click=${async () => await leaves() && signOut()}>${t('admin_sign_out')}</button></nav>
    <section class="view" aria-labelledby="view-title"><header><h1 id="view-title" tabindex="-1">${row.title()}</h1>
        <p class="lead">${row.lead()}</p></header>${root}</section></div>`;

async function open() {
    page.life?.abort();
    const { signal } = page.life = new AbortController();
    const { row, parts } = wanted();
    page.view = null;
    const moved = page.row && page.row !== row;
    page.row = row;
    const root = document.createElement('div');
    root.className = 'body';
    root.setAttribute('aria-busy', 'true');
    render(loading(), root);
    render(frame(row, root), main.querySelector('.content'));
    document.title = `${row.title()} · ${t('admin_title')} · Holdfast`;
    if (moved) {
        document.getElementById('view-title').focus();
    }
    main.querySelector('.views [aria-current]').scrollIntoView({ block: 'nearest', inline: 'center' });
    try {
        await start(row, { client: page.client, root, parts, signal, lost });
    } catch (problem) {
        if (signal.aborted) {
            return;
        }
        if (problem.status === 401) {
            lost();
            return;
        }
        console.assert(problem.code, problem);
        render(failed(problem, open), root);
        root.setAttribute('aria-busy', 'false');
    }
}

const lost = () => (page.view?.unsaved ? renewKey() : signOut(note('warn', t('admin_key_gone'), t('admin_key_gone_why'))));

async function start(row, given) {
    const { default: View } = await row.load().catch((error) => {
        throw Problem.offline(error);
    });
    const view = new View(given);
    await view.load();
    view.update();
    if (!given.signal.aborted) {
        page.view = view;
    }
}

/* ---- Leaving ---- */

/* Whether the view may go: it has nothing unsaved, or the user agrees. One question at a time. */
async function leaves() {
    if (!page.view?.unsaved) {
        return true;
    }
    if (page.asking) {
        return false;
    }
    page.asking = true;
    const gone = await mayLeave();
    page.asking = false;
    return gone;
}

/* To another view: the address has changed already, and goes back if the user stays. */
async function moveOn({ oldURL }) {
    if (!page.client) {
        return;
    }
    if (page.asking) { /* for a key, or about leaving: the view stays until that is answered */
        history.replaceState(null, '', oldURL);
        return;
    }
    if (await leaves()) {
        open();
    } else {
        history.replaceState(null, '', oldURL);
        page.view?.update();
    }
}

document.querySelector('.skip').addEventListener('click', (e) => { /* without a fragment: that names the view */
    e.preventDefault();
    main.tabIndex = -1;
    main.focus();
});
addEventListener('hashchange', moveOn);
addEventListener('beforeunload', (e) => page.view?.unsaved && e.preventDefault()); /* the browser asks in its own words */
await show(async () => signInForm(nothing));
document.getElementById('key').focus();
