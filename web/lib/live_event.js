/* SPDX-License-Identifier: Apache-2.0 */
/* live_event.js — an event's places as they stand: loaded once, then kept up to date by the event's stream.
 *
 *     const live = new LiveEvent(client, catalogue, { seat, pools, all, outdated });
 *     if (await live.load('eras')) { … live.about … live.follow(); }
 *
 * Says what changed by calls: `seat(index, status)` one seat, `pools()` what is left of a pool, `all()` everything; `outdated()`: there is
 * something that the layout does not know, or the event is gone, and it must be loaded again. Of answers that overtake each other only the one
 * that was asked for last counts.
 */
export class LiveEvent {
    #turn = 0; /* of the last question */
    #version = 0;
    #stream = null;
    #followed = false; /* there is a listener */
    #renewal = null; /* the turn in which everything is asked for once more: the stream opens behind the answer */
    #stopped = false;

    about = undefined; /* {event, hall, pools} */

    constructor(client, catalogue, told) {
        Object.assign(this, { client, catalogue, told });
    }

    /* Whether this is what was asked for last, and is there. */
    async load(event, { fresh }) {
        const turn = ++this.#turn;
        this.unfollow();
        if (this.#stopped) {
            return false;
        }
        try {
            const about = await this.catalogue.load(event, { fresh });
            const version = await this.#availability(about, turn);
            if (turn === this.#turn) {
                Object.assign(this, { about });
                this.#version = version;
            }
        } catch (problem) {
            if (turn === this.#turn) {
                throw problem;
            }
        }
        return turn === this.#turn;
    }

    /* For good: nothing that is under way counts any more. */
    stop() {
        this.#turn++;
        this.#stopped = true;
        this.unfollow();
    }

    /* How everything stands now; the version of that. An answer that is overtaken is not written down. */
    async #availability(about, turn) {
        const { event: { id }, hall, etag } = about;
        const map = await this.client.availability(id, { format: 'map' });
        const whole = map.layout === etag && map.map.length === hall.size;
        const told = whole ? map : await this.client.availability(id); /* seats were added in between */
        const pools = await this.client.pools(id);
        if (turn === this.#turn) {
            about.pools = pools;
            whole ? hall.setMap(told.map) : hall.setAll(told.seats);
        }
        return told.version;
    }

    follow() {
        this.#followed = true;
        this.#stream || this.#renewal === this.#turn || this.#open();
    }

    unfollow() {
        this.#followed = false;
        this.#close();
    }

    #open() {
        const { signal } = this.#stream = new AbortController();
        this.client.follow(`/v1/events/${encodeURIComponent(this.about.event.id)}/stream`, {
            signal, lastEventId: String(this.#version),
            onEvent: (event) => !signal.aborted && this.#heard(event),
        }).catch((problem) => problem.code === 'no_such_event' && !signal.aborted && this.told.outdated());
    }

    #close() {
        this.#stream?.abort();
        this.#stream = null;
    }

    #heard({ id, event, data }) {
        this.#version = Number(id ?? this.#version);
        const { hall, pools } = this.about;
        if (event === 'seat') {
            const index = hall.index.get(data.id);
            if (index === undefined) {
                this.told.outdated();
            } else if (hall.set(index, data.status)) {
                this.told.seat(index, data.status);
            }
        } else if (event === 'pool') {
            const pool = pools.find((one) => one.id === data.id);
            pool ? Object.assign(pool, { available: data.available }) : this.told.outdated();
            this.told.pools();
        } else if (event === 'reset') {
            this.#again();
        }
    }

    /* The stream does not have what was missed. It starts again after the answer, which would overwrite what came meanwhile. */
    async #again() {
        const turn = this.#renewal = ++this.#turn;
        this.#close();
        try {
            const version = await this.#availability(this.about, turn);
            this.#version = turn === this.#turn ? version : this.#version;
        } catch (problem) { /* without an answer the stream says it once more */
            console.assert(problem.code, problem);
        }
        if (turn === this.#turn) {
            this.#renewal = null;
            this.told.all();
            this.#followed && this.follow();
        }
    }
}
