/* SPDX-License-Identifier: Apache-2.0 */
/* calendar.js — <holdfast-calendar calendar="dr"> or <holdfast-calendar group="doctors">: free times by week and month, in
 * the calendar's zone or the visitor's; hold one, fill in, confirm; move and cancel what is booked.
 *
 * Each free time is a button with `data-slot`, its start. "Book" holds it in the basket, which counts down. Where nothing
 * has to be paid, "Confirm" books at once; otherwise the basket leads on, with `checkout`, `order`, `demo` and `ask-email` as
 * it has them. `move` is the id of a reservation of which the booking is to be moved at once. Says 'hold', and 'confirmed' with the
 * reservation; the countdown says 'expired'.
 */
import { html, nothing } from '../vendor/lit-html/lit-html.js';
import css from '../style/calendar.css.js';
import { Agenda } from '../lib/agenda.js';
import { HoldfastElement } from '../lib/element.js';
import { dateTime, dayText, daysText } from '../lib/format.js';
import { failed, loading, note } from '../lib/states.js';
import { t } from '../lib/texts.js';
import { addDays, addMonths, cityOf, dayOf, firstWeekday, monthOf, startOf, visitorZone, weekOf } from '../lib/zone.js';
import { bookings, chosen, choices, confirmed, expired, held } from './booking.js';
import { month, week } from './calendar_views.js';

const CHANGED_MS = 200; /* what changes together is asked for once */
const GROUP_MS = 10_000; /* a group has no stream of its own */

export class HoldfastCalendar extends HoldfastElement {
    static styles = [css];

    state = 'loading';
    view = 'week';
    zone = null;
    day = null; /* that the view is about */
    choice = {};
    first = null; /* the first free time; null: there is none */
    slot = null; /* chosen, not yet held */
    moving = null; /* {reservation, item} */
    cancelling = null; /* a reservation's id, while we ask whether it is meant */
    booked = [];
    done = null; /* what has just been confirmed */
    message = nothing;
    busy = false;
    byDay = new Map();
    #turn = 0;
    #listed = [];
    #answered = new Map();
    #soon;

    connected(signal) {
        const { basket } = this.shared;
        this.signal = signal;
        basket.addEventListener('change', () => this.update(), { signal });
        basket.addEventListener('expired', () => this.#refresh(), { signal });
        basket.addEventListener('confirmed', (e) => this.#confirmed(e.detail), { signal });
        document.addEventListener('visibilitychange', () => document.hidden || this.#refresh(), { signal });
        addEventListener('online', () => this.#refresh(), { signal });
        this.#load();
    }

    /* ---- What is shown ---- */

    async #load() {
        const { signal } = this;
        this.state = 'loading';
        this.update();
        try {
            const { client } = this.shared;
            this.agenda = await Agenda.load(client, { calendar: this.getAttribute('calendar'), group: this.getAttribute('group') });
            const { services, lengths } = this.agenda;
            this.zone ??= this.agenda.zone;
            this.choice = { service: services[0]?.id, minutes: services.length ? undefined : lengths[0], party: 1 };
            this.first = await this.agenda.next(client.clock.now(), this.choice);
            this.day ??= dayOf(this.first ? Date.parse(this.first.start) : client.clock.now(), this.zone);
            this.state = 'ready';
            await Promise.all([this.#slots(), this.#bookings()]);
            if (signal.aborted) { /* taken out of the page meanwhile: nothing would end its timer */
                return;
            }
            this.#follow();
            this.#moveAtOnce();
        } catch (problem) {
            this.#fail(problem);
        }
        this.update();
    }

    #fail(problem) {
        if (!problem.code) {
            throw problem;
        }
        this.problem = problem;
        this.state = 'failed';
    }

    get days() {
        return this.view === 'week' ? weekOf(this.day, firstWeekday()) : monthOf(this.day, firstWeekday()).flat();
    }

    get today() {
        return dayOf(this.shared.client.clock.now(), this.zone);
    }

    /* What a move may choose from is its calendar's, with its length. */
    get wanted() {
        const item = this.moving?.item;
        return item ? { calendar: item.calendar, service: item.service, minutes: (Date.parse(item.end) - Date.parse(item.start)) / 60_000 } : this.choice;
    }

    async #slots() {
        const turn = ++this.#turn;
        const { days, zone } = this;
        const from = startOf(days[0], zone);
        const to = startOf(addDays(days.at(-1), 1), zone);
        const slots = await this.agenda.slots(from, to, this.wanted);
        if (turn !== this.#turn) {
            return; /* the page was turned meanwhile */
        }
        this.byDay = grouped(slots, zone);
        this.update();
    }

    /* Asks again for what is shown, without a word. */
    #refresh() {
        clearTimeout(this.#soon);
        this.#soon = setTimeout(() => this.state === 'ready' && this.#slots().catch(() => {}), CHANGED_MS);
    }

    #follow() {
        const { agenda, signal } = this;
        if (agenda.group) {
            const timer = setInterval(() => document.hidden || this.#refresh(), GROUP_MS);
            signal.addEventListener('abort', () => clearInterval(timer));
            return;
        }
        const changed = () => this.#refresh();
        this.shared.client.follow(`${agenda.path}/stream`, { onEvent: changed, onOpen: changed, signal }).catch(() => {});
    }

    /* What this visitor has booked here; looking alone creates no guest. */
    async #bookings() {
        const { client } = this.shared;
        if (!client.given && !client.session?.stored()) {
            return;
        }
        this.#listed = await client.all('/v1/reservations', { auth: true, query: { status: 'confirmed' } });
        this.#know();
    }

    /* Lists come a moment after what they list: what we were answered ourselves and is newer counts. */
    #know(answer) {
        answer && this.#answered.set(answer.reservation_id, answer);
        const all = new Map(this.#listed.map((one) => [one.reservation_id, one]));
        for (const [id, one] of this.#answered) {
            all.has(id) && all.get(id).version >= one.version ? null : all.set(id, one);
        }
        const now = this.shared.client.clock.now();
        this.booked = [...all.values()].filter(({ status, items }) => status === 'confirmed' &&
            items.some((item) => this.agenda.has(item) && Date.parse(item.end) > now));
        this.update();
    }

    async #show(change) {
        Object.assign(this, change);
        this.message = nothing;
        this.update();
        try {
            await this.#slots();
        } catch (problem) {
            this.#fail(problem);
            this.update();
        }
    }

    #go(steps) {
        this.#show({ day: this.view === 'week' ? addDays(this.day, 7 * steps) : addMonths(this.day, steps) });
    }

    #next() {
        return this.#do(async () => {
            const now = this.shared.client.clock.now();
            const after = Math.max(startOf(this.days[0], this.zone), now);
            this.first = await this.agenda.next(after, this.wanted) ?? await this.agenda.next(now, this.wanted);
            this.day = dayOf(this.first ? Date.parse(this.first.start) : now, this.zone);
            await this.#slots();
        });
    }

    /* Another service, length or party: what is free for it, from here on. */
    async #choose(change) {
        this.choice = { ...this.choice, ...change };
        this.slot = null;
        this.first ??= true; /* there may be something for this one */
        await this.#show({});
        if (this.state === 'ready' && !this.days.some((day) => this.byDay.get(day)?.length)) {
            await this.#next();
        }
    }

    /* ---- What is done ---- */

    #do(call) {
        return this.attempt(call, (problem) => (problem.code === 'taken' ? this.#lost() : note('bad', t('refused'), problem.message)));
    }

    /* Somebody was faster: what is free next to it. */
    async #lost() {
        const lost = this.slot;
        this.slot = null;
        await this.#slots();
        const at = Date.parse(lost.start);
        const near = [...this.byDay.values()].flat().sort((a, b) => Math.abs(Date.parse(a.start) - at) - Math.abs(Date.parse(b.start) - at))[0];
        return note('warn', t('cal_taken', { when: dateTime(lost.start, this.zone) }), near ? t('cal_taken_nearest', { when: dateTime(near.start, this.zone) }) : '',
            near ? html`<button class="button" type="button" @click=${() => this.#pick(near)}>${t('cal_take', { when: dateTime(near.start, this.zone) })}</button>` : nothing);
    }

    #pick(slot) {
        this.slot = slot;
        this.done = null;
        this.message = nothing;
        this.update();
        this.updated = () => this.shadowRoot.querySelector('.panel')?.scrollIntoView({ block: 'nearest' });
    }

    rendered() {
        this.updated?.();
        this.updated = null;
    }

    book() {
        return this.#do(async () => {
            const reservation = await this.shared.basket.take([this.agenda.item(this.slot, this.choice)]);
            this.slot = null;
            this.say('hold', reservation);
            this.updated = () => this.shadowRoot.querySelector('#panel')?.focus();
            this.#refresh();
        });
    }

    confirm(form) {
        const entered = Object.fromEntries([...new FormData(form)].filter(([, value]) => value.trim()));
        return this.#do(() => this.shared.basket.commit({ attributes: { ...this.shared.basket.reservation.attributes, ...entered } }));
    }

    giveBack() {
        return this.#do(async () => {
            await this.shared.basket.release();
            this.#refresh();
        });
    }

    #confirmed(reservation) {
        this.say('confirmed', reservation);
        if (!this.agenda) {
            return;
        }
        this.done = reservation.items.some((item) => this.agenda.has(item)) ? reservation : null;
        this.#know(reservation);
        this.#refresh();
        this.updated = () => this.shadowRoot.querySelector('#panel')?.focus();
    }

    startMove(reservation, item) {
        this.#show({ moving: { reservation, item }, slot: null, done: null, cancelling: null, day: dayOf(Date.parse(item.start), this.zone) });
        this.updated = () => this.shadowRoot.querySelector('#panel')?.focus();
    }

    #moveAtOnce() {
        const reservation = this.booked.find(({ reservation_id: id }) => id === this.getAttribute('move'));
        this.removeAttribute('move');
        reservation && this.startMove(reservation, reservation.items.find((item) => this.agenda.has(item)));
    }

    endMove() {
        return this.#show({ moving: null, slot: null });
    }

    move() {
        return this.#do(async () => {
            const { reservation, item } = this.moving;
            const to = { start: this.slot.start, ...(item.service ? {} : { end: this.slot.end }) };
            if (reservation.status === 'held') {
                await this.shared.basket.change(item.item_id, to);
            } else {
                this.#know(await this.shared.client.change(reservation.reservation_id, item.item_id, to));
            }
            const when = dateTime(this.slot.start, this.zone);
            Object.assign(this, { moving: null, slot: null });
            await this.#slots();
            this.message = note('good', t('cal_moved'), when);
        });
    }

    cancel(reservation) {
        return this.#do(async () => {
            this.#know(await this.shared.client.post(`/v1/reservations/${encodeURIComponent(reservation.reservation_id)}/cancel`));
            Object.assign(this, { cancelling: null, done: null });
            await this.#slots();
            this.message = note('good', t('cal_cancelled'), t('cal_cancelled_why'));
        });
    }

    /* Whether the basket can be confirmed here: it has nothing but bookings of this calendar, and nothing has to be paid. */
    get simple() {
        const { basket } = this.shared;
        const { total } = basket.reservation;
        return basket.items.every((item) => this.agenda.has(item)) &&
            (total.amount === 0 || basket.items.every((item) => this.agenda.byId.get(item.calendar)?.payment === 'none'));
    }

    /* ---- Templates ---- */

    #toolbar() {
        const { days, view } = this;
        const title = view === 'month' ? dayText(this.day, { month: 'long', year: 'numeric' })
            : daysText(days[0], days[6]);
        const turn = (label, sign, act, off) => html`<button class="button icon" type="button" aria-label=${label} title=${label} aria-disabled=${off}
            @click=${() => off || act()}>${sign}</button>`;
        const [before, after] = view === 'week' ? [t('cal_week_before'), t('cal_week_after')] : [t('cal_month_before'), t('cal_month_after')];
        const past = (view === 'week' ? days[0] : `${this.day.slice(0, 7)}-01`) <= this.today;
        return html`<div class="toolbar"><div class="turn">${turn(before, '‹', () => this.#go(-1), past)}
                <h2 aria-live="polite">${title}</h2>${turn(after, '›', () => this.#go(1), false)}</div>
            ${this.#segments('view', t('cal_view'), [['week', t('cal_week')], ['month', t('cal_month')]], view, (one) => this.#show({ view: one }))}</div>`;
    }

    #segments(name, label, options, value, set) {
        return html`<fieldset class="segments"><legend class="visually-hidden">${label}</legend>
            ${options.map(([key, text]) => html`<label><input type="radio" name=${name} value=${key} .checked=${key === value}
                @change=${() => set(key)}><span>${text}</span></label>`)}</fieldset>`;
    }

    /* In whose time, when there are two. */
    #zones() {
        const own = visitorZone();
        return own === this.agenda.zone ? html`<p class="fine zone">${t('cal_zone', { zone: this.agenda.zone })}</p>`
            : html`<div class="zone"><span class="fine">${t('cal_zones')}</span>${this.#segments('zone', t('cal_zones'),
                [[this.agenda.zone, t('cal_zone_calendar', { zone: cityOf(this.agenda.zone) })], [own, t('cal_zone_own', { zone: cityOf(own) })]], this.zone,
                (zone) => this.#show({ zone, day: dayOf(startOf(this.day, this.zone) + 43_200_000, zone) }))}</div>`;
    }

    #free() {
        const { view, byDay, agenda } = this;
        const look = { zone: this.zone, today: this.today, day: this.day, chosen: this.slot,
            several: !this.moving && (agenda.group || agenda.first.capacity > 1),
            choose: (slot) => this.#pick(slot), pick: (day) => this.#show({ day }) };
        const any = this.days.some((day) => byDay.get(day)?.length);
        const none = () => (this.first ? note('', view === 'week' ? t('cal_none_week') : t('cal_none_month'), '',
            html`<button class="button" type="button" @click=${() => this.#next()}>${t('cal_next')}</button>`)
            : note('', t('cal_empty'), t('cal_empty_why'),
                html`<button class="button" type="button" @click=${() => this.#load()}>${t('cal_look_again')}</button>`));
        return html`${any ? nothing : none()}
            ${!any && !this.first ? nothing : view === 'week' ? week(this.days, byDay, look) : month(monthOf(this.day, firstWeekday()), byDay, look)}`;
    }

    #panel() {
        const { basket } = this.shared;
        const mine = basket.held && basket.items.some((item) => this.agenda.has(item));
        if (this.moving || this.slot) {
            return chosen(this);
        }
        if (mine) {
            return held(this);
        }
        if (basket.state === 'expired') {
            return expired(this);
        }
        return this.done ? confirmed(this) : html`<div class="hint"><strong>${t('cal_hint')}</strong><p class="eyebrow">${t('cal_hint_why')}</p></div>`;
    }

    template() {
        if (this.state === 'loading') {
            return html`<div aria-busy="true">${loading(2)}</div>`;
        }
        if (this.state === 'failed') {
            return failed(this.problem, () => this.#load());
        }
        return html`<div class="booking"><div class="free">${this.moving ? nothing : choices(this.agenda, this.choice, (change) => this.#choose(change))}
                ${this.#toolbar()}${this.#zones()}${this.#free()}</div>
            <div class="side"><section class="panel card" id="panel" tabindex="-1" aria-label=${t('cal_panel')}>${this.#panel()}
                <div aria-live="polite">${this.message}</div></section>
                ${bookings(this)}</div></div>`;
    }
}

function grouped(slots, zone) {
    const found = new Map();
    for (const slot of slots) {
        const day = dayOf(Date.parse(slot.start), zone);
        found.get(day)?.push(slot) ?? found.set(day, [slot]);
    }
    return found;
}

customElements.define('holdfast-calendar', HoldfastCalendar);
