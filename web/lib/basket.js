/* SPDX-License-Identifier: Apache-2.0 */
/* basket.js — the one hold of a visitor: made by the first thing chosen, kept over a reload and shared by all tabs.
 *
 *     empty ──take──► held ──commit──► confirmed
 *       ▲              │  └──time is up──► expired
 *       └── clear ─────┴──last one dropped──► empty
 *
 * Changes are sent one after the other, so that the second click finds the hold that the first one made. The
 * reservation's id is in localStorage; a tab that writes it notifies the others. Says 'change' after each change,
 * 'expired' once when the time is up, 'confirmed' once when it is bought.
 *
 * While a payment is under way it asks now and then whether that has arrived. What was bought in a tab that is closed
 * by now is shown by the next one, until something new is chosen or the order is opened (forget). A payment that comes
 * after the deadline may still be accepted: for an hour it is looked for as well. `late` says that it was so, `refund` how
 * much of it goes back instead.
 */
import { goingBack } from './history.js';

const ENDED = ['expired', 'already_released', 'already_confirmed', 'already_cancelled', 'already_refunded',
    'no_such_reservation'];
const ACTIVE_MS = 45_000; /* a visitor active this recently is still choosing */
const PAYING_MS = 1_000; /* between two looks for a payment */
const PAYING_LATE_MS = 3_000; /* the same, once the time is up */
const LATE_MAX_MS = 3600_000; /* after the deadline, as long as a payment is looked for */
const LATE_MS = 400; /* after the deadline, before the server is asked whether it has passed */

export class Basket extends EventTarget {
    #last = Promise.resolve();
    #timer;
    #heard = -Infinity;
    #extending = null; /* the call under way */
    #watch;
    #unread = true; /* what is stored was not read yet, or could not be */
    #expecting = null; /* the reservation of which a payment was begun without a window of its own */

    constructor(client) {
        super();
        this.client = client;
        this.key = `holdfast:basket:${client.url}`;
        this.reservation = null;
        this.state = 'empty';
        this.late = false;
        this.refund = null; /* {amount, currency} */
        this.codes = new Map(); /* by event */
        this.loaded = this.load();
        globalThis.addEventListener?.('storage', ({ key }) => key === this.key && this.load().catch(() => {}));
        globalThis.document?.addEventListener('visibilitychange', () => !document.hidden && this.refresh());
        globalThis.addEventListener?.('online', () => this.refresh());
        for (const name of ['click', 'keydown', 'wheel', 'touchmove']) {
            globalThis.addEventListener?.(name, () => this.#active(), { passive: true, capture: true });
        }
    }

    get held() {
        return this.state === 'held';
    }

    get items() {
        return this.reservation && this.state !== 'expired' ? this.reservation.items : [];
    }

    /* Expired while it was being paid: the payment may still arrive, and be accepted. */
    get awaitsPayment() {
        return this.#lapsedPaying && !this.refund;
    }

    get #lapsedPaying() {
        const r = this.reservation;
        return this.state === 'expired' && this.#paying(r) && this.client.clock.now() - Date.parse(r.expires_at) < LATE_MAX_MS;
    }

    #paying(reservation) {
        return Boolean(reservation.payment_started_at) || this.#expecting === reservation.reservation_id;
    }

    /* The item that has this seat, or undefined. */
    itemOf(event, seat) {
        return this.held ? this.items.find((item) => item.event === event && item.seat === seat) : undefined;
    }

    /* The pass of a waiting room, which its page leaves in this tab. */
    passOf(event) {
        try {
            return sessionStorage.getItem(`holdfast:pass:${event}`) ?? undefined;
        } catch {
            return undefined;
        }
    }

    /* Keeps it, or forgets one that is over. */
    keepPass(event, pass) {
        try {
            pass ? sessionStorage.setItem(`holdfast:pass:${event}`, pass) : sessionStorage.removeItem(`holdfast:pass:${event}`);
        } catch { /* private mode: it is asked for again */ }
        this.dispatchEvent(new Event('change'));
    }

    secondsLeft() {
        return this.held ? this.client.secondsLeft(this.reservation) : 0;
    }

    /* Whether more time can be had. */
    get extendable() {
        const r = this.reservation;
        return this.held && !r.payment_started_at && Date.parse(r.max_expires_at) - Date.parse(r.expires_at) > 1_000;
    }

    /* ---- Changes: each gives the reservation or throws a Problem ---- */

    take(items) {
        return this.#enqueue(async () => {
            this.#unread && await this.#load(); /* or there would be two holds, one of them out of sight */
            const asked = items.map((item) => this.#withCode(item));
            const pass = this.passOf(items[0].event);
            if (!this.held) {
                return this.#set(await this.client.hold(asked, { pass }));
            }
            try {
                return this.#set(await this.client.add(this.reservation.reservation_id, asked, { pass }));
            } catch (problem) {
                if (!ENDED.includes(problem.code)) {
                    throw problem;
                }
                return this.#set(await this.client.hold(asked, { pass })); /* the old hold is over: a new one */
            }
        });
    }

    drop(item) {
        return this.#change((id) => this.client.drop(id, item));
    }

    change(item, change) {
        return this.#change((id) => this.client.change(id, item, change));
    }

    /* Asked again before it is answered, as when a click on "More time" is a sign of life as well, it is one call. */
    extend() {
        this.#extending ??= this.#change((id) => this.client.extend(id)).finally(() => {
            this.#extending = null;
        });
        return this.#extending;
    }

    commit(body) {
        return this.#change((id) => this.client.commit(id, body));
    }

    pay(body) {
        return this.#change((id) => this.client.pay(id, body));
    }

    release() {
        return this.#change((id) => this.client.release(id));
    }

    /* Who buys, and the names on the tickets: {name, email}, Map of item id to name. */
    describe(buyer, names) {
        return this.#change(async (id) => {
            const { attributes, items } = this.reservation;
            let latest = await this.client.patch(`/v1/reservations/${encodeURIComponent(id)}`, { attributes: { ...attributes, ...buyer } });
            for (const item of items) {
                const name = names.get(item.item_id) ?? '';
                if (name !== (item.attributes?.name ?? '')) {
                    latest = await this.client.change(id, item.item_id, { attributes: { ...item.attributes, name } });
                }
            }
            return latest;
        });
    }

    /* Enters what is known about the buyer, {name, email}, where the order has nothing yet. */
    async introduce(buyer) {
        const { attributes, payment_started_at: begun } = this.reservation;
        if (!begun && Object.keys(buyer).some((name) => !attributes[name])) {
            await this.describe({ ...buyer, ...attributes }, new Map(this.items.map((item) => [item.item_id, item.attributes?.name ?? ''])));
        }
    }

    /* Begins the time for payment, if there is one, and goes to where it is paid. */
    async payAt(page) {
        await this.beginPayment();
        location.assign(page.replace('{reservation}', encodeURIComponent(this.reservation.reservation_id)));
    }

    beginPayment() {
        return this.pay().catch((problem) => {
            if (problem.code !== 'payment_window_off') {
                throw problem;
            }
        });
    }

    /* A payment is on its way: looks for it until it is there or the time is up. */
    expectPayment() {
        this.#expecting = this.reservation?.reservation_id ?? null;
        this.#schedule();
    }

    /* The address of the order, with the token that opens it in the fragment, which no server sees. `page` is where
     * orders are shown, with {reservation} in it. */
    async orderLink(page = `${this.client.url}/o/{reservation}`) {
        const { reservation } = this;
        const token = reservation.manage_token ?? (await this.client.reservation(reservation.reservation_id, { manage_token: 1 })).manage_token;
        return `${page.replace('{reservation}', encodeURIComponent(reservation.reservation_id))}#t=${token}`;
    }

    /* The order is open: there is nothing more to show of it. */
    forget(id) {
        if (this.#read()?.id === id) {
            this.#write(null);
        }
    }

    /* Forgets a hold that is over. */
    clear() {
        this.#write(null);
        this.#show(null);
    }

    /* Asks the server how things stand. Throws if it does not say. */
    load() {
        return this.#enqueue(() => this.#load());
    }

    /* The same, if anything can have changed. */
    refresh() {
        return this.#unread || this.held || this.awaitsPayment ? this.load().catch(() => {}) : undefined;
    }

    /* ---- Inside ---- */

    #enqueue(work) {
        const done = this.#last.then(work);
        this.#last = done.catch(() => {});
        return done;
    }

    #change(call) {
        return this.#enqueue(async () => {
            try {
                return this.#set(await call(this.reservation.reservation_id));
            } catch (problem) {
                if (ENDED.includes(problem.code)) {
                    await this.#load();
                }
                throw problem;
            }
        });
    }

    #withCode(item) {
        const code = this.codes.get(item.event);
        return code ? { ...item, code } : item;
    }

    #read() {
        try {
            return JSON.parse(localStorage.getItem(this.key));
        } catch {
            return null;
        }
    }

    #write(reservation) {
        try {
            if (reservation) {
                localStorage.setItem(this.key, JSON.stringify({ id: reservation.reservation_id, version: reservation.version,
                    until: reservation.expires_at }));
            } else {
                localStorage.removeItem(this.key);
            }
        } catch { /* private mode: this tab only */ }
    }

    async #load() {
        const id = this.#read()?.id ?? this.reservation?.reservation_id;
        if (!id) {
            this.#unread = false;
            this.#show(null);
            return;
        }
        try {
            const found = await this.client.reservation(id);
            this.#unread = false;
            this.#show(found);
            this.awaitsPayment && await this.#findRefund();
        } catch (problem) {
            if (problem.code === 'no_such_reservation' || problem.status === 401) {
                this.#unread = false;
                this.clear();
            } else {
                throw problem;
            }
        }
    }

    /* What came too late and goes back is in the history. */
    async #findRefund() {
        this.refund = goingBack(await this.client.all(`/v1/reservations/${encodeURIComponent(this.reservation.reservation_id)}/history`, { auth: true }));
        this.refund && this.dispatchEvent(new Event('change'));
    }

    #set(reservation) {
        this.#write(reservation.status === 'held' || reservation.status === 'confirmed' ? reservation : null);
        this.#show(reservation);
        return reservation;
    }

    #show(reservation) {
        const before = this.state;
        const again = this.reservation?.reservation_id === reservation?.reservation_id;
        const state = { held: 'held', expired: 'expired', confirmed: 'confirmed' }[reservation?.status] ?? 'empty';
        if (before !== 'held' && !again && state === 'expired' && !this.#paying(reservation)) {
            this.#write(null); /* over since the last visit */
            return;
        }
        this.refund = again ? this.refund : null;
        this.late = state === 'confirmed' && ((before === 'expired' && again) || this.late);
        this.reservation = state === 'empty' ? null : reservation;
        this.state = state;
        this.#schedule();
        this.dispatchEvent(new Event('change'));
        if (state === 'expired' && !this.#lapsedPaying) {
            this.#write(null);
        }
        if (state !== before && (state === 'expired' || state === 'confirmed')) {
            this.dispatchEvent(new CustomEvent(state, { detail: reservation }));
        }
    }

    #schedule() {
        clearTimeout(this.#timer);
        clearTimeout(this.#watch);
        if ((this.held && this.#paying(this.reservation)) || this.awaitsPayment) {
            this.#watch = setTimeout(() => Promise.resolve(this.refresh()).finally(() => this.#schedule()), this.held ? PAYING_MS : PAYING_LATE_MS);
        }
        if (this.held) {
            this.#timer = setTimeout(() => this.#timeIsUp(), Math.min(this.secondsLeft() * 1000 + LATE_MS, 2 ** 31 - 1));
        }
    }

    /* The server's word counts; without a connection, its clock. */
    #timeIsUp() {
        this.#enqueue(async () => {
            if (this.secondsLeft() > 0) {
                this.#schedule();
                return;
            }
            try {
                await this.#load();
            } catch {
                this.#show({ ...this.reservation, status: 'expired' });
            }
            this.#schedule();
        });
    }

    /* A heartbeat: a visitor who is still choosing when half of the time is gone gets more of it, up to the maximum. */
    #active() {
        const now = performance.now();
        if (!this.extendable || now - this.#heard < ACTIVE_MS) {
            return;
        }
        const whole = (Date.parse(this.reservation.expires_at) - Date.parse(this.reservation.created_at)) / 1000;
        if (this.secondsLeft() < whole / 2 && this.secondsLeft() > 1) {
            this.#heard = now;
            this.extend().catch(() => {});
        }
    }
}
