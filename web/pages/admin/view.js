/* SPDX-License-Identifier: Apache-2.0 */
/* view.js — what every view of /admin is made of.
 *
 *     export default class extends View {
 *         async load() { … }        before it is shown; what it throws is shown, with a way to try again
 *         template() { return html`…`; }
 *     }
 *
 * It has `client` (with the admin key), `parts` (what is behind its name in the address: #room/eras gives ["eras"]) and
 * `signal`, which ends when the user goes elsewhere. Going to another address, also of the same view, makes a new one.
 */
import { html, nothing, render } from '../../vendor/lit-html/lit-html.js';
import { giveBack, heldIn } from '../../lib/focus.js';
import { soon } from '../../lib/soon.js';
import { note } from '../../lib/states.js';
import { t } from '../../lib/texts.js';

export class View {
    constructor({ client, root, parts, signal, lost }) {
        Object.assign(this, { client, root, parts, signal, lost, busy: false, message: nothing });
    }

    async load() {}

    /* Whether leaving would lose what was filled in: asks first then. */
    get unsaved() {
        return false;
    }

    /* Renders soon, once for all changes of this turn; nothing once the user went elsewhere. */
    update = soon(() => {
        if (!this.signal.aborted) {
            const held = heldIn(this.root);
            render(html`<div class="told" aria-live="polite">${this.message}</div>${this.template()}`, this.root);
            this.root.setAttribute('aria-busy', 'false');
            giveBack(held);
            this.rendered();
        }
    });

    rendered() {}

    /* What a button does: while it lasts `busy` is true; then `told` is said (it may be made from what the call gave), or why
     * it was refused. Whether it was done. */
    async act(call, told = null) {
        const held = heldIn(this.root); /* a button that is disabled loses the focus */
        this.busy = true;
        this.message = nothing;
        this.update();
        try {
            const given = await call();
            this.message = told ? note('good', typeof told === 'function' ? told(given) : told) : nothing;
            return true;
        } catch (problem) {
            if (!problem.code) {
                throw problem;
            }
            if (!this.keyIsGone(problem)) {
                this.message = note('bad', t('refused'), problem.code === 'offline' ? t('failed_offline') : problem.message);
            }
            return false;
        } finally {
            this.busy = false;
            this.update();
            queueMicrotask(() => giveBack(held)); /* after it is rendered */
        }
    }

    /* Calls again and again, `ms` after the last one has ended, for as long as the view is there and visible. */
    async every(ms, call) {
        while (!this.signal.aborted) {
            await new Promise((resolve) => {
                setTimeout(resolve, ms);
            });
            if (!this.signal.aborted && !document.hidden) {
                await call();
            }
        }
    }

    /* The same with what is read from the server: a server that does not answer is reported, and asked again. */
    watch(ms, read) {
        return this.every(ms, async () => {
            try {
                await read();
                this.message = this.silent ? nothing : this.message;
                this.silent = false;
            } catch (problem) {
                if (this.signal.aborted || this.keyIsGone(problem)) {
                    return;
                }
                console.assert(problem.code, problem);
                this.message = note('warn', t('admin_silent'), t('admin_silent_why'));
                this.silent = true;
            }
            this.update();
        });
    }

    /* The key was changed meanwhile: back to the beginning. */
    keyIsGone(problem) {
        if (problem.status === 401 && !this.signal.aborted) {
            this.lost();
        }
        return problem.status === 401;
    }
}

/* The address of a view: to('room', 'eras') is "#room/eras". */
export const to = (...parts) => `#${parts.map(encodeURIComponent).join('/')}`;
