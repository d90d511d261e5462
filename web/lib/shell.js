/* SPDX-License-Identifier: Apache-2.0 */
/* shell.js — what every page does: puts its frame into the visitor's language, shows its main part, and says when it is offline.
 *
 *     show(async () => html`…`)    loads and renders <main>; when it fails, says why and offers to try again
 */
import { html, render } from '../vendor/lit-html/lit-html.js';
import { failed } from './states.js';
import { language, t } from './texts.js';

const main = document.querySelector('main');

/* What the HTML says in English, `data-text` with the key of its text. */
function translateFrame() {
    document.documentElement.lang = language;
    for (const element of document.querySelectorAll('[data-text]')) {
        element.textContent = t(element.dataset.text);
    }
}

/* The banner while there is no network. */
const banner = document.createElement('div');
let offline = main.dataset.staff === undefined ? 'offline' : 'offline_staff';

function tell() {
    banner.hidden = navigator.onLine;
    banner.textContent = navigator.onLine ? '' : t(offline);
}

function watchNetwork() {
    banner.className = 'offline';
    banner.setAttribute('role', 'status');
    main.before(banner);
    addEventListener('online', tell);
    addEventListener('offline', tell);
    tell();
}

/* Another text for it, by its key. */
export function sayOffline(key) {
    offline = key;
    tell();
}

/* In place of what is there: the skeleton, or what failed. */
function put(content) {
    const root = document.createElement('div');
    root.className = 'content';
    render(content, root);
    main.replaceChildren(root);
    main.setAttribute('aria-busy', 'false');
}

export async function show(load) {
    try {
        put(await load());
    } catch (problem) {
        console.assert(problem.code, problem);
        put(html`<h1 class="visually-hidden">${document.title}</h1>${failed(problem, () => show(load))}`);
    }
}

/* What the operator says about this server, from the head of the page. */
export const setting = (name) => document.querySelector(`meta[name="holdfast-${name}"]`)?.content || null;

/* An image of an event, if pages may show it: from here, or from where the operator says (--image-origin). */
export function imageOf({ image }) {
    const allowed = [location.origin, ...(setting('images') ?? '').split(' ')];
    return image && URL.canParse(image, location.href) && allowed.includes(new URL(image, location.href).origin) ? image : null;
}

/* The part of the path behind the page's own: /e/{event} gives the event. */
export const subject = () => decodeURIComponent(location.pathname.split('/').pop());

translateFrame();
watchNetwork();
