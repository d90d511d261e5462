/* SPDX-License-Identifier: Apache-2.0 */
/* fleet.js — a fleet as its operator sees it, kept up to date: cells, drivers, live rides, and where the drivers' time went.
 *
 *     const fleet = new Fleet(client, '/v1/fleets/taxi');    or, in the demo, '/demo/fleets/taxi'
 *     await fleet.start(signal);                             throws what the first look is refused with
 *
 * Says 'change' after each look, and when one failed: then `problem` says why, and what is shown is old.
 */
const EVERY_MS = 2_000;
const SEARCHING_MS = 700; /* an offer is live for seconds only */
const KEPT_MS = 10 * 60_000;
const LIVE = ['searching', 'offered', 'assigned'];
export const STATUSES = ['free', 'offered', 'busy', 'away'];

export class Fleet extends EventTarget {
    constructor(client, path) {
        super();
        Object.assign(this, { client, path, settings: null, cells: [], drivers: [], rides: [], overview: null, problem: null, complete: true });
        this.samples = []; /* [{ at, free, offered, busy, away }], of KEPT_MS */
    }

    async start(signal) {
        this.settings = await this.client.get(this.path);
        await this.#look();
        const again = async () => {
            if (!document.hidden) {
                await this.#look().catch((problem) => { this.problem = problem; });
                this.dispatchEvent(new Event('change'));
            }
            if (!signal.aborted && this.problem?.code !== 'no_such_fleet') {
                timer = setTimeout(again, this.#pause);
            }
        };
        let timer = setTimeout(again, EVERY_MS);
        signal.addEventListener('abort', () => clearTimeout(timer));
        document.addEventListener('visibilitychange', () => { /* what was seen before is old */
            clearTimeout(timer);
            document.hidden || again();
        }, { signal });
    }

    get #pause() {
        return this.rides.some(({ status }) => status !== 'assigned') ? SEARCHING_MS : EVERY_MS;
    }

    async #look() {
        const get = (rest, query) => this.client.get(`${this.path}${rest}`, { query, attempts: 1 });
        const [overview, drivers, ...rides] = await Promise.all([get('/overview'), get('/drivers', { limit: 1000 }),
            ...LIVE.map((status) => get('/rides', { status, limit: 200 }))]);
        this.overview = overview;
        this.cells = overview.cells;
        this.drivers = drivers.data;
        this.complete = drivers.next_cursor === null;
        this.rides = [...new Map(rides.flatMap(({ data }) => data).map((ride) => [ride.ride_id, ride])).values()];
        this.problem = null;
        this.#sample();
    }

    /* The overview counts all of them; those who are away only the list has, when it is all of it. */
    get counts() {
        const sum = (status) => this.cells.reduce((total, cell) => total + cell[status], 0);
        const away = this.drivers.filter(({ status }) => status === 'away').length;
        return { free: sum('free'), offered: sum('offered'), busy: sum('busy'), away };
    }

    #sample() {
        const at = this.client.clock.now();
        this.samples.push({ at, ...this.counts });
        while (this.samples[0].at < at - KEPT_MS) {
            this.samples.shift();
        }
    }

    driver(id) {
        return this.drivers.find((one) => one.driver_id === id) ?? null;
    }

    /* How much of the drivers' time each status had: parts of 1. */
    get shares() {
        const spent = sharesOf(this.samples);
        return Object.fromEntries(STATUSES.map((status) => [status, spent[status]]));
    }
}

/* Each sample counts until the next one. */
export function sharesOf(samples) {
    const spent = Object.fromEntries(STATUSES.map((status) => [status, 0]));
    samples.forEach((sample, i) => {
        const time = i + 1 < samples.length ? samples[i + 1].at - sample.at : samples.length === 1 ? 1 : 0;
        STATUSES.forEach((status) => { spent[status] += sample[status] * time; });
    });
    const all = STATUSES.reduce((sum, status) => sum + spent[status], 0) || 1;
    STATUSES.forEach((status) => { spent[status] /= all; });
    return spent;
}
