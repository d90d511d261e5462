/* SPDX-License-Identifier: Apache-2.0 */
/* countdown.js — <holdfast-countdown>: how long the basket is held, by the server's clock.
 *
 * `data-countdown` has the whole seconds left. Spoken at five minutes, one minute and thirty seconds; from a minute on it
 * says so in words as well. "More time" extends the hold as far as the event allows. Says 'expired' when the time is up.
 */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import css from '../style/countdown.css.js';
import { HoldfastElement } from '../lib/element.js';
import { minutes } from '../lib/format.js';
import { t } from '../lib/texts.js';

const SPOKEN_S = [300, 60, 30];
const SOON_S = 60;

export class HoldfastCountdown extends HoldfastElement {
    static styles = [css];

    #timer;
    #before = Infinity;
    spoken = '';

    connected(signal) {
        const { basket } = this.shared;
        basket.addEventListener('change', () => this.#tick(), { signal });
        basket.addEventListener('expired', (e) => this.say('expired', e.detail), { signal });
        signal.addEventListener('abort', () => clearTimeout(this.#timer));
        this.#tick();
    }

    get seconds() {
        return Math.ceil(this.shared.basket.secondsLeft());
    }

    /* At every whole second of the deadline, not of this machine's clock. */
    #tick() {
        clearTimeout(this.#timer);
        const { basket } = this.shared;
        const left = basket.secondsLeft();
        if (basket.held) {
            this.#speak(Math.ceil(left));
            if (left > 0) {
                this.#timer = setTimeout(() => this.#tick(), (left % 1) * 1000 + 20);
            }
        } else {
            this.#before = Infinity;
            this.spoken = basket.state === 'expired' ? t('countdown_over') : '';
        }
        this.update();
    }

    #speak(left) {
        const due = SPOKEN_S.find((at) => left <= at && this.#before > at && left > at - 5);
        if (due) {
            this.spoken = due >= 60 ? t('countdown_spoken', { n: due / 60 }) : t('countdown_spoken_s', { n: due });
        } else if (left > this.#before) {
            this.spoken = '';
        }
        this.#before = left;
    }

    template() {
        const { basket } = this.shared;
        const left = this.seconds;
        const soon = left <= SOON_S;
        return html`<div class=${`countdown ${soon ? 'soon' : ''}`} ?hidden=${!basket.held} data-countdown=${basket.held ? left : nothing}>
            <span class="what">${soon ? t('countdown_soon') : t('countdown_held')}</span>
            <span class="time number" role="timer">${minutes(left)}</span>
            ${basket.extendable ? html`<button class="button" type="button" @click=${() => basket.extend().catch(() => {})}>${t('countdown_more')}</button>`
                : soon ? html`<span class="fine">${t('countdown_last')}</span>` : nothing}</div>
            <p class="visually-hidden" role="status">${this.spoken}</p>`;
    }
}

customElements.define('holdfast-countdown', HoldfastCountdown);
