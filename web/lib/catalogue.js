/* SPDX-License-Identifier: Apache-2.0 */
/* catalogue.js — what components know about events, loaded once for all of them: {event, hall, pools}. Says 'change' when
 * there is more to know. */
import { Hall } from './hall.js';

export class Catalogue extends EventTarget {
    #known = new Map();
    #asked = new Map();

    constructor(client) {
        super();
        this.client = client;
    }

    /* What is known by now; asks for it if nobody has. */
    about(event) {
        if (!this.#known.has(event)) {
            this.load(event).catch(() => {});
        }
        return this.#known.get(event) ?? null;
    }

    /* Throws a Problem when it cannot be had; asking again tries again. */
    load(event, { fresh = false } = {}) {
        if (fresh || !this.#asked.has(event)) {
            const asked = this.#load(event);
            this.#asked.set(event, asked);
            asked.catch(() => this.#asked.get(event) === asked && this.#asked.delete(event));
        }
        return this.#asked.get(event);
    }

    async #load(id) {
        const [event, layout, pools] = await Promise.all([this.client.event(id), this.client.layout(id), this.client.pools(id)]);
        const about = { event, hall: new Hall(layout, event), pools, etag: layout.etag };
        this.#known.set(id, about);
        this.dispatchEvent(new CustomEvent('change', { detail: id }));
        return about;
    }
}
