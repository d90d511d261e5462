/* SPDX-License-Identifier: Apache-2.0 */
/* world.js — what the maker of requests knows: what it has put in, and what answers of the old server have told.
 *
 * Names that a server draws are kept as the old server calls them, and go out marked (ref, in pair.js).
 */
'use strict';

const { ref } = require('./pair.js');

const KEPT = 400; /* of each kind, the newest */
const RECENT = 30;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const iso = (ms) => new Date(Math.round(ms)).toISOString();

/* The newest things of a kind, each under its name. */
class Shelf {
    constructor() {
        this.all = new Map();
    }

    put(name, thing) {
        this.all.delete(name);
        this.all.set(name, thing);
        if (this.all.size > KEPT) {
            this.all.delete(this.all.keys().next().value);
        }
    }

    get(name) {
        return this.all.get(name);
    }

    remove(name) {
        this.all.delete(name);
    }

    list(fits = () => true) {
        return [...this.all.values()].filter(fits);
    }

    get size() {
        return this.all.size;
    }
}

class World {
    constructor(random, pair) {
        this.r = random;
        this.pair = pair;
        this.count = 0;
        this.plan = []; /* what follows from what was done: functions that make a request */
        for (const kind of ['events', 'calendars', 'groups', 'fleets', 'reservations', 'entries', 'wishes', 'rides', 'offers',
            'drivers', 'tickets', 'refunds', 'payments', 'orders', 'guests', 'hooks', 'cursors', 'keyed', 'etags', 'slots',
            'told', 'nonces', 'pnrs', 'polled']) {
            this[kind] = new Shelf();
        }
        this.apps = [];
        this.doors = [];
        this.provider = null;
        this.hooksSince = null;
        this.pair.onJump = () => this.dispatches();
        this.users = [...'abcdefghijklmnopqrstuvwx'].map((letter) => `user-${letter}`).concat('zoë müller', 'a/b?c', '=1+1');
    }

    get now() {
        return this.pair.now;
    }

    unique(stem) {
        return `${stem}${++this.count}`;
    }

    /* An instant `seconds` from now, in whole seconds. */
    at(seconds) {
        return iso(Math.floor(this.now / 1000) * 1000 + seconds * 1000);
    }

    pick(shelf, fits) {
        const list = shelf.list(fits);
        return this.r.pick(this.r.chance(0.75) ? list.slice(-RECENT) : list);
    }

    /* ---- Callers ---- */

    get admin() {
        return { admin: true };
    }

    get app() {
        return this.apps.length ? { bearer: ref(this.r.pick(this.apps.slice(-3)).key) } : this.admin;
    }

    get door() {
        return this.doors.length ? { bearer: ref(this.r.pick(this.doors.slice(-2)).key) } : this.app;
    }

    get staff() {
        return this.r.chance(0.6) ? this.app : this.admin;
    }

    get anyone() {
        const who = this.r.weighted({ admin: 2, app: 2, door: 1, user: 4, guest: 1, nobody: 4 });
        return { admin: this.admin, app: this.app, door: this.door, user: this.user(this.r.pick(this.users)),
            guest: this.guest ?? this.admin, nobody: undefined }[who];
    }

    /* The token of this user, if it can be made: a guest has the one it was given. */
    user(name) {
        if (!/^(guest|erased)_/.test(name)) {
            return { user: name };
        }
        const guest = this.guests.get(name);
        return guest ? { bearer: ref(guest.token) } : this.app;
    }

    get guest() {
        const guest = this.pick(this.guests, ({ expires_at }) => Date.parse(expires_at) > this.now || this.r.chance(0.05));
        return guest && { bearer: ref(guest.token) };
    }

    /* As it is sent: the names of guests and of erased users are random. */
    name(user) {
        return /^(guest|erased)_/.test(user) ? ref(user) : user;
    }

    /* A caller for what belongs to `user`, usually one that is allowed to. */
    caller(user) {
        const who = this.r.weighted({ owner: 50, app: 28, admin: 17, other: 4, door: 1 });
        return { owner: this.user(user), app: this.app, admin: this.admin, other: this.user(this.r.pick(this.users)),
            door: this.door }[who];
    }

    /* ---- What there is ---- */

    live(reservation) {
        return reservation.status === 'held' && Date.parse(reservation.expires_at) > this.now;
    }

    claimed(event, seat) {
        const owner = this.reservations.get(event.taken.get(seat));
        const mine = owner?.items.some((item) => item.event === event.id && item.seat === seat);
        return Boolean(mine && (this.live(owner) || owner.status === 'confirmed'));
    }

    free(event) {
        return [...event.seats.values()].filter((seat) => !seat.blocked && !seat.allotment && !this.claimed(event, seat.id));
    }

    onSale(event) {
        const { body } = event;
        return !event.gone && !event.cancelled && (!body.on_sale_at || Date.parse(body.on_sale_at) <= this.now) &&
            (!body.off_sale_at || Date.parse(body.off_sale_at) > this.now) &&
                (!body.starts_at || Date.parse(body.starts_at) > this.now);
    }

    /* Whether the request may cause an admission to a waiting room, or an offer of a ride. */
    stirs({ event, reservation, fleet }) {
        return Boolean(fleet || event?.room || reservation?.items?.some((item) => this.events.get(item.event)?.room));
    }

    /* ---- Learning ---- */

    learn(request, answer, side) {
        if (answer.status >= 400 && request.method === 'POST') {
            this.pair.due(this.now + 60_000, 500); /* the counts of refusals are written a minute after the first */
        }
        if (answer.json && !request.path.startsWith('/openapi')) {
            this.walk(answer.json, side, request);
        }
        if (side === 0 && answer.status < 300 && request.done) {
            request.done(answer.json ?? {}, answer);
        }
    }

    walk(it, side, request) {
        if (Array.isArray(it)) {
            it.forEach((one) => this.walk(one, side, request));
        } else if (it && typeof it === 'object') {
            this.instantsOf(it);
            if (side === 0) {
                this.object(it, request);
            }
            Object.values(it).forEach((one) => typeof one === 'object' && this.walk(one, side, request));
        }
    }

    /* What will be due because of it. */
    instantsOf(it) {
        for (const [name, value] of Object.entries(it)) {
            if (typeof value === 'string' && INSTANT.test(value)) {
                const at = Date.parse(value);
                this.pair.due(at);
                if (name === 'expires_at') {
                    this.pair.due(at - 60_000); /* hooks are sent */
                }
            }
        }
    }

    /* When an entry must be polled again is spread by a hash, differently on each side. Absence counts from the opening on. */
    polls(a, b) {
        if (a?.poll_after_seconds && b?.poll_after_seconds) {
            const [least, most] = [a, b].map((it) => 2_000 * it.poll_after_seconds).sort((x, y) => x - y);
            this.polled.put(a.entry_id, { event: a.event, least, most });
            this.absences((it) => it === this.polled.get(a.entry_id));
        }
    }

    /* When those in line count as absent: from now on, to the next whole second, or from the opening on. */
    absences(fits) {
        const second = (at) => Math.floor(at / 1000 + 1) * 1000;
        for (const { event, least, most } of this.polled.list(fits)) {
            const opens = Date.parse(this.events.get(event)?.opens ?? '');
            this.pair.dueBetween(second(this.now - 100) + least, second(this.now + 200) + most, 350);
            if (opens >= this.now) {
                this.pair.dueBetween(opens + least, opens + most + 1_000, 350);
            }
        }
    }

    /* What may be due of the rides and drivers of fleets, after something was done to them or time has passed. */
    dispatches(heard = () => false) {
        for (const fleet of this.fleets.list()) {
            const { offer_seconds, search_seconds, presence_seconds, batch_ms } = fleet.body;
            const searching = this.rides.list((it) => it.fleet?.id === fleet.id &&
                (it.status === 'searching' || it.status === 'offered') &&
                Date.parse(it.created_at) > this.now - 2_000 * (search_seconds + offer_seconds));
            const seconds = searching.length ? [offer_seconds, search_seconds, batch_ms ? 10 : offer_seconds] : [];
            [...seconds, ...(heard(fleet) && presence_seconds < 10_000 ? [presence_seconds] : [])].forEach((one) =>
                this.pair.due(this.now + 1_000 * one, 400));
        }
    }

    object(it, request) {
        if (it.reservation_id && Array.isArray(it.items) && it.created_at && it.user_id !== 'tick') {
            this.reservation(it);
        }
        if (it.waiting_room && this.events.get(it.id)) {
            this.events.get(it.id).opens = it.waiting_room.open_at;
        }
        if (it.rate_per_second && request.event && 'paused' in it) {
            request.event.opens = it.open_at;
        }
        if (it.entry_id?.startsWith('ent_') && it.joined_at && it.number) {
            this.entries.put(it.entry_id, it);
        }
        if (it.entry_id?.startsWith('lst_') && it.event) {
            this.wishes.put(it.entry_id, it);
        }
        if (it.ride_id && it.rider_id) {
            this.rides.put(it.ride_id, { ...it, fleet: request.fleet });
        }
        if (it.offer_id && it.ride_id && request.driver) {
            this.offers.put(it.offer_id, { ...it, driver: request.driver, fleet: request.fleet });
        }
        if (typeof it.id === 'string' && it.id.startsWith('rfd_') && it.status) {
            this.refunds.put(it.id, it);
        }
        if (it.next_cursor && request.list) {
            this.cursors.put(it.next_cursor, { cursor: it.next_cursor, request });
        }
    }

    reservation(it) {
        this.reservations.put(it.reservation_id, it);
        this.pnrs.put(it.pnr, it);
        for (const item of it.items) {
            const event = this.events.get(item.event);
            if (event && item.seat && it.status !== 'released' && it.status !== 'expired') {
                event.taken.set(item.seat, it.reservation_id);
            }
        }
        for (const ticket of it.tickets ?? []) {
            this.tickets.put(ticket.code, { ...ticket, reservation: it.reservation_id });
        }
        if (it.manage_token) {
            this.orders.put(it.reservation_id, it.manage_token);
        }
    }
}

module.exports = { World, iso };
