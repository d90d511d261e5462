/* SPDX-License-Identifier: Apache-2.0 */
/* pass.js — <holdfast-pass event="arena">: that it is this visitor's turn, and how long the pass of the waiting room lasts, by
 * the server's clock. Part of <holdfast-seats>, with what leads back to the waiting room in its slot.
 *
 * `data-pass` has the whole seconds left. Spoken at five minutes and at one. After a purchase the turn is over, and the pass is
 * forgotten.
 */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import { HoldfastElement } from '../lib/element.js';
import { minutes } from '../lib/format.js';
import { note } from '../lib/states.js';
import { t } from '../lib/texts.js';

const SPOKEN_S = [300, 60];
const SOON_S = 60;

/* When a pass ends, in ms: it is a JSON Web Token. */
const endOf = (pass) => JSON.parse(atob(pass.split('.')[1].replaceAll('-', '+').replaceAll('_', '/'))).exp * 1000;

export class HoldfastPass extends HoldfastElement {
    spoken = '';
    #before = Infinity;
    #timer;

    connected(signal) {
        const { basket } = this.shared;
        const event = this.getAttribute('event');
        basket.addEventListener('confirmed', ({ detail }) => detail.items.some((item) => item.event === event) && basket.keepPass(event, null), { signal });
        signal.addEventListener('abort', () => clearTimeout(this.#timer));
        this.#tick();
    }

    /* Seconds left; null: there is no pass. */
    get left() {
        const { basket, client } = this.shared;
        const pass = basket.passOf(this.getAttribute('event'));
        return pass ? Math.max(0, (endOf(pass) - client.clock.now()) / 1000) : null;
    }

    /* At every whole second of its end. */
    #tick() {
        const { left } = this;
        if (left) {
            const due = SPOKEN_S.find((at) => left <= at && this.#before > at && this.#before < Infinity);
            this.spoken = due ? t('countdown_spoken', { n: due / 60 }) : this.spoken;
            this.#before = left;
            this.#timer = setTimeout(() => this.#tick(), (left % 1) * 1000 + 20);
        }
        this.update();
    }

    template() {
        const { left } = this;
        if (left === null) {
            return nothing;
        }
        if (left === 0) {
            return note('warn', t('queue_finished'), t('queue_pass_over_why'), html`<slot></slot>`);
        }
        const [before, after] = t('queue_pass_left').split('{time}');
        return html`<div class=${`note ${left <= SOON_S ? 'warn' : 'good'}`} data-pass=${Math.ceil(left)}><strong>${t('queue_admitted')}</strong>
            <p>${before}<span class="number" role="timer">${minutes(left)}</span>${after}</p></div>
            <p class="visually-hidden" role="status">${this.spoken}</p>`;
    }
}

customElements.define('holdfast-pass', HoldfastPass);
