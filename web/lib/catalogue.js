/* SPDX-License-Identifier: Apache-2.0 */
/* catalogue.js — what components know about events, {event, hall, pools}, and about calendars, loaded once for all of them.
 * Says 'change' when there is more to know. */
import { Hall } from './hall.js';

export class Catalogue extends EventTarget {
    #known = new Map();
    #asked = new Map();
    #calendars = new Map();

    constructor(client) {
        super();
        this.client = client;
    }

    /* What is known by now; asks for it if it is unknown. */
    about(event) {
        if (!this.#known.has(event)) {
            this.load(event).catch(() => {});
        }
        return this.#known.get(event) ?? null;
    }

    /* A calendar, in the same way. */
    calendar(id) {
        if (!this.#calendars.has(id)) {
            this.#calendars.set(id, null);
            this.client.get(`/v1/calendars/${encodeURIComponent(id)}`).then((calendar) => {
                this.#calendars.set(id, calendar);
                this.dispatchEvent(new CustomEvent('change', { detail: id }));
            }, () => this.#calendars.delete(id));
        }
        return this.#calendars.get(id) ?? null;
    }

    /* What is known of what an item is about: {event, hall, pools}, {calendar}, or null. */
    aboutItem(item) {
        if (item.event) {
            return this.about(item.event);
        }
        const calendar = this.calendar(item.calendar);
        return calendar && { calendar };
    }

    /* Throws a Problem when it cannot be had; asking again tries again. */
    load(event, { fresh = false } = {}) {
        if (fresh || !this.#asked.has(event)) {
            const asked = this.#load(event);
            const last = () => this.#asked.get(event) === asked; /* and not overtaken by one that was asked later */
            this.#asked.set(event, asked);
            asked.then((about) => last() && this.#know(event, about), () => last() && this.#asked.delete(event));
        }
        return this.#asked.get(event);
    }

    async #load(id) {
        const [event, layout, pools] = await Promise.all([this.client.event(id), this.client.layout(id), this.client.pools(id)]);
        return { event, hall: new Hall(layout, event), pools, etag: layout.etag };
    }

    #know(id, about) {
        this.#known.set(id, about);
        this.dispatchEvent(new CustomEvent('change', { detail: id }));
    }
}
