/* SPDX-License-Identifier: Apache-2.0 */
/* seats.js — <holdfast-seats event>: the map of an event, and the other ways to choose; live by the event's stream.
 *
 * Every choice is a real hold at once: the first makes the reservation, later ones add and drop items (lib/basket.js).
 * Says 'hold' with the reservation after each. What is refused is explained, and if another visitor took a seat the
 * nearest free one is offered.
 */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import css from '../style/seats.css.js';
import { HoldfastElement } from '../lib/element.js';
import { dateTime } from '../lib/format.js';
import { LiveEvent } from '../lib/live_event.js';
import { nameOf, placeOf } from '../lib/places.js';
import { nextTurn, saleOf } from '../lib/sale.js';
import { concernsSingles } from '../lib/single_seats.js';
import { cancelled, failed, loading, note } from '../lib/states.js';
import { t } from '../lib/texts.js';
import { best, categories, code, legend, pools } from './choose.js';
import { SeatMap } from './seat_map.js';
import './pass.js';

const AGAIN_MS = 2 ** 31 - 1;

export class HoldfastSeats extends HoldfastElement {
    static styles = [css];
    static observedAttributes = ['event'];

    #live = null;
    #drawn = null; /* ends what the present map listens to */
    #pending = new Set();
    #mine = new Set();
    #turning; /* the timer until the sale begins or ends */

    state = 'loading';
    busy = false;
    message = nothing;
    looked = null;
    quantities = {};
    form = { quantity: 2, tier: '', section: '', adjacent: true, accessible: 0 };

    attributeChangedCallback(name, before, now) {
        if (before !== null && before !== now && this.isConnected) {
            this.#load();
        }
    }

    get eventId() {
        return this.getAttribute('event');
    }

    connected(signal) {
        const { basket, client, catalogue } = this.shared;
        this.#live = new LiveEvent(client, catalogue, {
            seat: (index, status) => this.#seatChanged(index, status), pools: () => this.update(),
            all: () => { this.map?.changedAll(); this.update(); }, outdated: () => this.#load(),
        });
        basket.addEventListener('change', () => this.#basketChanged(), { signal });
        document.addEventListener('visibilitychange', () => this.#follow(), { signal });
        addEventListener('online', () => this.state === 'failed' && this.#load(), { signal });
        signal.addEventListener('abort', () => { this.#live.stop(); this.#drawn?.abort(); clearTimeout(this.#turning); });
        this.#load();
    }

    /* ---- Loading and following ---- */

    async #load() {
        const live = this.#live;
        this.state = this.about?.event.id === this.eventId ? this.state : 'loading'; /* a map that is there stays until the new one is */
        this.update();
        try {
            await this.shared.basket.loaded.catch(() => {});
            if (!await live.load(this.eventId, { fresh: this.about !== undefined })) {
                return;
            }
        } catch (problem) {
            if (!problem.code) {
                throw problem;
            }
            this.problem = problem;
            this.state = 'failed';
            this.update();
            return;
        }
        this.about = live.about;
        this.state = 'ready';
        this.category = this.about.event.categories?.[0];
        this.#makeMap();
        this.#basketChanged();
        this.#follow();
        this.#awaitTurn();
        this.update();
    }

    #makeMap() {
        const { hall } = this.about;
        this.#drawn?.abort();
        this.#drawn = new AbortController();
        this.map = hall.size === 0 ? null : new SeatMap(hall, {
            mine: (seat) => this.#mine.has(seat.id),
            pending: (seat) => this.#pending.has(seat.id),
            usable: (seat, status) => status === 'blocked' && this.shared.basket.codes.has(this.eventId),
            price: (seat) => hall.price(seat, this.category) ?? hall.price(seat),
            choose: (seat) => this.#choose(seat),
            look: (seat) => { this.looked = seat; this.update(); },
        });
        this.map?.start(this.#drawn.signal);
    }

    /* Only while the page is visible: a tab in the background costs the server nothing. */
    #follow() {
        document.hidden || this.state !== 'ready' ? this.#live.unfollow() : this.#live.follow();
    }

    #seatChanged(index, status) {
        this.map.changed(index);
        this.#countChanged();
        const { basket } = this.shared;
        const seat = this.about.hall.seats[index];
        if ((this.#mine.has(seat.id) && status !== 'held') || concernsSingles(basket.reservation, this.about.hall, seat)) {
            basket.refresh()?.then(() => basket.held || this.#checkSale()); /* ended elsewhere; or what it left alone is alone no more */
        }
    }

    /* The settings of an event do not come by its stream: cancelled, or on sale at another time. */
    async #checkSale() {
        const before = this.sale.state;
        const event = await this.shared.client.event(this.eventId).catch(() => this.about.event);
        if (event.id === this.about.event.id && saleOf(event, this.shared.client.clock.now()).state !== before) {
            await this.#load();
        }
    }

    /* Only what depends on how many are left is rendered again. */
    #countChanged() {
        if ((this.about.hall.free === 0) !== this.soldOut) {
            this.update();
        }
    }

    /* Opens and closes automatically when the sale begins and ends, by the server's clock. */
    #awaitTurn() {
        const now = this.shared.client.clock.now();
        const turn = nextTurn(this.about.event, now);
        clearTimeout(this.#turning);
        if (turn) {
            this.#turning = setTimeout(() => { this.update(); this.#awaitTurn(); }, Math.min(turn - now + 50, AGAIN_MS));
        }
    }

    /* ---- The basket ---- */

    #basketChanged() {
        const { basket } = this.shared;
        const mine = new Set(basket.held ? basket.items.filter((item) => item.event === this.eventId && item.seat).map((item) => item.seat) : []);
        const changed = [...mine].filter((id) => !this.#mine.has(id)).concat([...this.#mine].filter((id) => !mine.has(id)));
        this.#mine = mine;
        changed.forEach((id) => this.about && this.map?.changed(this.about.hall.index.get(id)));
        this.update();
    }

    #choose(seat) {
        const { basket } = this.shared;
        const item = basket.itemOf(this.eventId, seat.id);
        const status = this.about.hall.statusOf(seat.index);
        if (this.#pending.has(seat.id)) {
            return;
        }
        if (item) {
            this.#do([seat], () => basket.drop(item.item_id));
        } else if (this.open && (status === 'available' || (status === 'blocked' && basket.codes.has(this.eventId)))) {
            this.#do([seat], () => basket.take([this.#item({ seat: seat.id })]));
        } else {
            this.looked = seat;
            this.update();
        }
    }

    #item(what) {
        return { event: this.eventId, ...what, ...(this.category && this.about.event.categories ? { category: this.category } : {}) };
    }

    /* Does it with these seats marked, and explains what is refused. */
    async #do(seats, call) {
        const mark = (on) => seats.forEach((seat) => {
            on ? this.#pending.add(seat.id) : this.#pending.delete(seat.id);
            this.map.changed(seat.index);
        });
        mark(true);
        try {
            await this.attempt(async () => this.say('hold', await call()), (problem) => this.#explain(problem));
        } finally {
            mark(false);
        }
    }

    #findBest() {
        const { quantity, tier, section, adjacent, accessible } = this.form;
        const wish = { quantity, ...(tier ? { tier } : {}), ...(section ? { section } : {}),
            ...(quantity > 1 ? { adjacent } : {}), ...(accessible ? { accessible } : {}) };
        const before = new Set(this.#mine);
        this.#do([], () => this.shared.basket.take([this.#item({ best: wish })])).then(() => {
            const got = [...this.#mine].find((id) => !before.has(id));
            got && this.map.show(this.about.hall.index.get(got));
        });
    }

    #addPool(pool, quantity) {
        const item = this.shared.basket.items.find((one) => one.event === this.eventId && one.pool === pool &&
            (one.category ?? undefined) === (this.about.event.categories ? this.category : undefined));
        this.#do([], () => (item && this.shared.basket.held
            ? this.shared.basket.change(item.item_id, { quantity: item.quantity + quantity })
            : this.shared.basket.take([this.#item({ pool, quantity })])));
    }

    /* ---- What happened ---- */

    #explain(problem) {
        const { hall } = this.about;
        const lost = problem.body.items?.find((item) => item.seat);
        if (problem.code === 'taken' && lost) {
            return this.#explainLost(hall.seats[hall.index.get(lost.seat)], lost.status);
        }
        if (problem.code === 'limit_exceeded') {
            return note('warn', t('refused'), t('limit', problem.body));
        }
        if (['pass_required', 'pass_invalid', 'pass_expired'].includes(problem.code)) {
            this.shared.basket.keepPass(this.eventId, null);
            return note('warn', t('refused'), t(problem.code === 'pass_required' ? 'queue_needed' : 'queue_over'), this.#toQueue());
        }
        if (problem.code === 'not_on_sale') {
            this.#checkSale();
        }
        if (problem.code === 'code_invalid' || problem.code === 'code_used') {
            this.#removeCode();
        }
        return note(problem.code === 'offline' ? 'warn' : 'bad', t('refused'), problem.message);
    }

    /* The time left to choose, or the way to the waiting room. */
    #room(event) {
        return this.shared.basket.passOf(event.id)
            ? html`<holdfast-pass event=${event.id} server=${this.getAttribute('server') ?? nothing} token=${this.getAttribute('token') ?? nothing}>${this.#toQueue()}</holdfast-pass>`
            : note('', t('queue_title'), t('queue_needed'), this.#toQueue());
    }

    /* On a page of the server's own; another site has its own way to <holdfast-queue>. */
    #toQueue() {
        return this.shared.client.url === location.origin
            ? html`<a class="button primary" href=${`/q/${encodeURIComponent(this.eventId)}`}>${t('queue_go')}</a>` : nothing;
    }

    #explainLost(seat, status) {
        const { hall } = this.about;
        hall.set(seat.index, status ?? 'held');
        this.map.changed(seat.index);
        const next = hall.nearest(seat.index);
        const take = next && html`<button class="button" type="button" data-take=${next.id} @click=${() => {
            this.map.show(next.index)?.focus();
            this.#choose(next);
        }}>${t('taken_take', { place: placeOf(next) })}</button>`;
        return note('warn', t('taken', { place: placeOf(seat) }), next ? t('taken_nearest', { place: placeOf(next) }) : t('taken_none'), take ?? nothing);
    }

    #useCode(text) {
        this.shared.basket.codes.set(this.eventId, text);
        this.message = nothing;
        this.map?.changedAll();
        this.update();
    }

    #removeCode() {
        this.shared.basket.codes.delete(this.eventId);
        this.map?.changedAll();
        this.update();
    }

    #setCategory(category) {
        this.category = category;
        this.map?.changedAll();
        this.update();
    }

    /* ---- Templates ---- */

    /* How the sale stands, from what the stream says. */
    get sale() {
        const { event, hall, pools: list } = this.about;
        const left = list.reduce((n, pool) => n + pool.available, 0);
        const counts = { ...event.counts, available: hall.free, pools: { ...event.counts.pools, available: left } };
        return saleOf({ ...event, counts }, this.shared.client.clock.now());
    }

    get open() {
        return this.sale.state === 'open' || this.sale.state === 'sold_out';
    }

    #banner(state) {
        const { event } = this.about;
        const when = event.on_sale_at ? dateTime(event.on_sale_at, event.timezone) : '';
        const others = html`<a class="button" href="/">${t('other_events')}</a>`;
        switch (state) {
        case 'early': return note('', t('event_not_yet'), t('event_not_yet_why', { when }));
        case 'over': return note('', t('event_over'), t('event_over_why'), others);
        case 'cancelled': return cancelled(event, t('event_cancelled'), t('event_cancelled_why'), others);
        case 'empty': return note('', t('event_empty'), t('event_empty_why'), others);
        case 'sold_out': return note('', t('event_sold_out'), t('event_sold_out_why'));
        default: return nothing;
        }
    }

    #toolbar() {
        const tool = (label, sign, act) => html`<button class="button icon" type="button" aria-label=${label} title=${label} @click=${act}>${sign}</button>`;
        return html`<div class="tools">${tool(t('map_zoom_out'), '−', () => this.map.zoomBy(1 / 1.5))}
            ${tool(t('map_zoom_in'), '+', () => this.map.zoomBy(1.5))}
            <button class="button" type="button" @click=${() => this.map.fit()}>${t('map_fit')}</button></div>`;
    }

    /* What is pointed at, in words, below the map. */
    #looked() {
        const { hall } = this.about;
        const seat = this.looked;
        return html`<p class="looked">${seat
            ? nameOf(seat, hall.price(seat, this.category) ?? hall.price(seat), hall.currency, this.#mine.has(seat.id) ? 'mine' : hall.statusOf(seat.index))
            : t(matchMedia('(pointer: coarse)').matches ? 'map_hint_touch' : 'map_hint')}</p>`;
    }

    #code() {
        const { event } = this.about;
        return code(event, this.shared.basket.codes.get(event.id), { use: (text) => this.#useCode(text), remove: () => this.#removeCode() });
    }

    template() {
        if (this.state === 'loading') {
            return html`<div aria-busy="true" tabindex="-1">${loading(2)}</div>`;
        }
        if (this.state === 'failed') {
            return failed(this.problem, () => { this.state = 'loading'; this.#load(); });
        }
        const { event, hall, pools: list } = this.about;
        const { state } = this.sale;
        this.soldOut = hall.free === 0;
        if (state === 'cancelled') {
            return this.#banner(state);
        }
        const selling = state === 'open' || state === 'sold_out';
        const locked = selling && event.access === 'code' && !this.shared.basket.codes.has(event.id); /* the code comes first */
        return html`${this.#banner(state)}
            ${event.waiting_room ? this.#room(event) : nothing}
            ${locked ? this.#code() : nothing}
            <div class="layout">
                ${this.map ? html`<div class="map"><div class="head">${categories(event, this.category, (c) => this.#setCategory(c))}
                    ${this.#toolbar()}</div>${this.map.root}${this.#looked()}${legend(hall)}</div>` : nothing}
                <div class="message" aria-live="polite">${this.message}</div>
                ${selling ? html`<div class="ways">
                    ${this.map ? best(hall, this.form, { busy: this.busy, find: () => this.busy || this.#findBest(),
                        set: (change) => { Object.assign(this.form, change); this.update(); } }) : nothing}
                    ${this.map ? nothing : categories(event, this.category, (c) => this.#setCategory(c))}
                    ${pools(list, event, { quantities: this.quantities, category: this.category, busy: this.busy,
                        set: (id, n) => { this.quantities[id] = n; this.update(); }, add: (id, n) => this.busy || this.#addPool(id, n) })}
                    ${locked ? nothing : this.#code()}
                </div>` : nothing}</div>`;
    }
}

customElements.define('holdfast-seats', HoldfastSeats);
