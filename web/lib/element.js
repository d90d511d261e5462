/* SPDX-License-Identifier: Apache-2.0 */
/* element.js — what every component is made of: a shadow root that shares the design, and one rendering per change.
 *
 *     class Example extends HoldfastElement {
 *         static styles = [text of a .css.js module, …];
 *         connected(signal) { … }   every time it is put into a document; signal ends with it
 *         template() { return html`…`; }
 *     }
 *
 * Attributes of every component: `server`, the URL of the server (by default where this module came from), and `token`, a
 * user's token (by default a guest's, made when it is needed).
 */
import { nothing, render } from '../vendor/lit-html/lit-html.js';
import design from '../style/design.css.js';
import base from '../style/base.css.js';
import host from '../style/host.css.js';
import { giveBack, heldIn } from './focus.js';
import { server } from './server.js';
import { soon } from './soon.js';
import { note } from './states.js';
import { language, t } from './texts.js';

const sheets = new Map();

/* One sheet for each text, shared by all who adopt it. */
function sheet(text) {
    if (!sheets.has(text)) {
        const made = new CSSStyleSheet();
        made.replaceSync(text);
        sheets.set(text, made);
    }
    return sheets.get(text);
}

/* An embedding page has no design of ours. It goes below everything that page says, so that it can be themed. */
function provideDesign() {
    if (!getComputedStyle(document.documentElement).getPropertyValue('--hf-design')) {
        document.adoptedStyleSheets = [sheet(`@layer holdfast { ${design} }`), ...document.adoptedStyleSheets];
    }
}

export class HoldfastElement extends HTMLElement {
    static styles = [];

    #life = null;

    constructor() {
        super();
        this.attachShadow({ mode: 'open' });
        this.shadowRoot.adoptedStyleSheets = [base, host, ...this.constructor.styles].map(sheet);
    }

    /* What all components of the same server and token share: {client, basket}. */
    get shared() {
        return server(this.getAttribute('server') ?? new URL(import.meta.url).origin, this.getAttribute('token') ?? undefined);
    }

    connectedCallback() {
        provideDesign();
        if (document.documentElement.lang !== language) { /* in a page that is in another one */
            this.lang = language;
        }
        this.#life = new AbortController();
        this.connected(this.#life.signal);
        this.update();
    }

    disconnectedCallback() {
        this.#life.abort();
    }

    connected() {}

    /* Renders soon, once for all changes of this turn, and keeps the focus. */
    update = soon(() => {
        if (this.isConnected) {
            const held = heldIn(this.shadowRoot);
            render(this.template(), this.shadowRoot, { host: this });
            this.rendered();
            giveBack(held);
        }
    });

    rendered() {}

    /* Does what the server may refuse: `busy` meanwhile, and then `message` is nothing, or what became of it in words. */
    async attempt(call, explain = (problem) => note('bad', t('refused'), problem.message)) {
        const held = heldIn(this.shadowRoot);
        this.message = nothing;
        this.busy = true;
        this.update();
        try {
            await call();
        } catch (problem) {
            if (!problem.code) {
                throw problem;
            }
            this.message = await explain(problem);
        } finally {
            this.busy = false;
            this.update();
            queueMicrotask(() => giveBack(held)); /* after it is rendered */
        }
    }

    /* What a button does, unless something is under way: such buttons are aria-disabled, because `disabled` loses the focus. */
    press(act) {
        return (e) => (this.busy ? e.preventDefault() : act(e));
    }

    say(name, detail) {
        this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
    }
}
