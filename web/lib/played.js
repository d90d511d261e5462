/* SPDX-License-Identifier: Apache-2.0 */
/* played.js — a driver or a rider of a fleet, played by hand. Both say 'change'.
 *
 * A driver on duty is heard of every few seconds, as an app in a car would see to it, and follows its offers; a rider
 * follows its ride. `client` has that person's token, or a key that acts for anyone.
 */
const HEARD_MS = 5_000;
const segment = encodeURIComponent;
export const LIVE = ['searching', 'offered', 'assigned'];

class Played extends EventTarget {
    constructor(client, path, id) {
        super();
        Object.assign(this, { client, path, id, ride: null, problem: null, busy: false });
        this.following = null; /* ends the stream of the ride */
    }

    changed() {
        this.dispatchEvent(new Event('change'));
    }

    /* One thing at a time; what is refused is shown until the next one. */
    async act(work) {
        if (this.busy) {
            return;
        }
        Object.assign(this, { busy: true, problem: null });
        this.changed();
        try {
            await work();
        } catch (problem) {
            console.assert(problem.code, problem);
            this.problem = problem;
        }
        this.busy = false;
        this.changed();
    }

    /* The ride, and every change of it until it is over. */
    follow(ride) {
        this.ride = ride;
        this.following?.abort();
        const following = this.following = new AbortController();
        this.client.follow(`${this.path}/rides/${segment(ride.ride_id)}/stream`, {
            auth: true, signal: following.signal,
            onEvent: ({ event, data }) => {
                if (event === 'ride') {
                    this.ride = data;
                    LIVE.includes(data.status) || following.abort();
                    this.rideChanged?.();
                } else if (event === 'driver' && this.ride.driver) {
                    Object.assign(this.ride.driver, data);
                }
                this.changed();
            },
        }).catch((problem) => { /* it is no longer this one's business */
            this.ride = problem.status === 404 ? null : this.ride;
            this.changed();
        });
    }

    post(rest, body = {}) {
        return this.client.post(`${this.path}${rest}`, body);
    }

    ridePost(what, body) {
        return this.post(`/rides/${segment(this.ride.ride_id)}/${what}`, body);
    }
}

export class PlayedRider extends Played {
    ask(pickup, to) {
        return this.act(async () => this.follow(await this.post('/rides', { rider_id: this.id, ...pickup, ...(to ? { to } : {}) })));
    }

    cancel() {
        return this.act(async () => { this.ride = await this.ridePost('cancel', { rider_id: this.id }); });
    }

    /* The one that is under way, after a reload. */
    async resume() {
        const { data } = await this.client.call('GET', `${this.path}/rides`, { auth: true, query: { rider_id: this.id, limit: 1 } });
        data.filter(({ status }) => LIVE.includes(status)).forEach((ride) => this.follow(ride));
    }
}

export class PlayedDriver extends Played {
    constructor(client, path, id, place) {
        super(client, path, id);
        Object.assign(this, { place, onDuty: false, offer: null, lastEnd: null });
        this.listening = null;
    }

    get #own() {
        return `${this.path}/drivers/${segment(this.id)}`;
    }

    duty(on) {
        return this.act(async () => {
            await this.#tell(on);
            this.onDuty = on;
            on ? this.#listen() : this.#leave();
        });
    }

    move(place) {
        this.place = place;
        return this.act(() => this.#tell(this.onDuty));
    }

    async #tell(available) {
        await this.client.put(this.#own, { ...this.place, available });
    }

    #leave() {
        clearInterval(this.timer);
        this.listening?.abort();
        this.listening = this.offer = null;
    }

    #listen() {
        this.#leave();
        this.listening = new AbortController();
        this.timer = setInterval(() => this.#tell(true).catch((problem) => { this.problem = problem; this.changed(); }), HEARD_MS);
        this.client.follow(`${this.#own}/stream`, {
            auth: true, signal: this.listening.signal, onEvent: (e) => this.#heard(e),
        }).catch((problem) => { this.problem = problem; this.changed(); });
    }

    #heard({ event, data }) {
        if (event === 'reset') {
            this.offer = null;
        } else if (event === 'offer') {
            const told = Date.parse(data.expires_at) - data.expires_in_ms; /* the server's clock when it said so */
            this.client.clock.observe(told, told, -Infinity, performance.now());
            Object.assign(this, { offer: data, lastEnd: null, problem: null });
        } else if (event === 'offer_ended' && this.offer?.offer_id === data.offer_id) {
            Object.assign(this, { offer: null, lastEnd: data.end });
        }
        this.changed();
    }

    /* Seconds that are left to answer, by the server's clock. */
    get secondsLeft() {
        return this.offer ? Math.max(0, (Date.parse(this.offer.expires_at) - this.client.clock.now()) / 1000) : 0;
    }

    #answer(word) {
        return this.post(`/offers/${segment(this.offer.offer_id)}/${word}`, { driver_id: this.id });
    }

    accept() {
        return this.act(async () => {
            const ride = await this.#answer('accept');
            Object.assign(this, { offer: null, lastEnd: null });
            this.follow(ride);
        });
    }

    decline() {
        return this.act(async () => {
            await this.#answer('decline');
            Object.assign(this, { offer: null, lastEnd: 'declined' });
        });
    }

    complete() {
        return this.act(async () => { this.ride = await this.ridePost('complete', { driver_id: this.id }); });
    }

    giveBack() {
        return this.act(async () => {
            await this.ridePost('driver-cancel', { driver_id: this.id });
            this.following.abort();
            this.ride = null;
        });
    }

    /* It was given back, and goes to another. */
    rideChanged() {
        if (LIVE.includes(this.ride.status) && this.ride.driver_id !== this.id) {
            this.following.abort();
            this.ride = null;
        }
    }
}
