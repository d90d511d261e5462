/* SPDX-License-Identifier: Apache-2.0 */
/* hold_map.js — the seat map of an event with the age of each hold: an element of /admin, `.hall` and `.holds` are given.
 *
 * holds: Map of seat → {reservation_id, user_id, created_at, …}; `age(hold)` is in seconds. Says `open` with the hold that is clicked.
 */
import { html, nothing } from '../../vendor/lit-html/lit-html.js';
import { SeatMap } from '../../components/seat_map.js';
import seats from '../../style/seats.css.js';
import marks from '../../style/admin_marks.css.js';
import { HoldfastElement } from '../../lib/element.js';
import { minutes } from '../../lib/format.js';
import { placeOf } from '../../lib/places.js';
import { t } from '../../lib/texts.js';

const BOUNDS_S = [60, 300, 600];
export const AGES = [() => t('admin_ages_1'), () => t('admin_ages_2'), () => t('admin_ages_3'), () => t('admin_ages_4')];

/* 1 to 4: how old, from new to old. */
export const rankOf = (seconds) => 1 + BOUNDS_S.filter((bound) => seconds >= bound).length;

class HoldMap extends HoldfastElement {
    static styles = [seats, marks];

    connected(signal) {
        this.signal = signal;
    }

    /* A hall once, then its holds as often as they change. */
    set hall(hall) {
        if (hall !== this.shown) {
            this.shown = hall;
            this.map = null;
            this.update();
        }
    }

    set holds({ bySeat, age }) {
        Object.assign(this, { bySeat, age });
        this.map?.changedAll();
        this.update();
    }

    #make() {
        this.map = new SeatMap(this.shown, {
            mine: () => false, pending: () => false, usable: (seat) => this.bySeat.has(seat.id), price: (seat) => this.shown.price(seat),
            told: (seat) => this.#told(seat),
            look: (seat) => { this.looked = seat; this.update(); },
            choose: (seat) => this.bySeat.has(seat.id) && this.say('open', this.bySeat.get(seat.id)),
        });
        this.map.start(this.signal);
    }

    #told(seat) {
        const hold = this.bySeat.get(seat.id);
        if (!hold) {
            return null;
        }
        const seconds = Math.floor(this.age(hold)); /* minutes() rounds up: the sign and the words must agree */
        return { mark: rankOf(seconds), sign: t('admin_ages_sign', { n: Math.floor(seconds / 60) }), text: t('admin_ages_for', { time: minutes(seconds) }) };
    }

    template() {
        if (!this.map && this.shown) {
            this.#make();
        }
        const hold = this.looked && this.bySeat.get(this.looked.id);
        return html`<div class="map">${this.map?.root ?? nothing}<p class="looked">${hold
            ? t('admin_ages_looked', { place: placeOf(this.looked), user: hold.user_id, time: minutes(this.age(hold)) }) : t('admin_ages_look')}</p>
            <ul class="legend">${AGES.map((label, i) => html`<li><span class="seat sample" data-mark=${i + 1} aria-hidden="true"></span>${label()}</li>`)}</ul></div>`;
    }
}

customElements.define('holdfast-hold-map', HoldMap);
