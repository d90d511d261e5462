/* SPDX-License-Identifier: Apache-2.0 */
/* line.js — one visitor's place in the waiting room of an event.
 *
 *     joining ──► waiting ──► admitted ──► finished
 *        │           │└─► passed_over ─┘      │
 *        │           └──► left ◄──────────────┘ join() starts again, at the end of the line
 *        └─ refused (a code is needed, no guests), none (no waiting room)
 *
 * Two kinds of question, so that a million who wait cost the server little: all ask for the same public number, once
 * a second while the page is seen; each asks for the own entry only when the server said so (`poll_after_seconds`), when
 * the public number says that it is its turn, and when the page wakes up. Joining again gives the same entry, so a reload
 * keeps the place. Says 'change'.
 */
const PUBLIC_MS = 1_000;
const ASLEEP_MS = 5_000; /* a second that took so long: the machine slept */
const RETRY_S = 5;
/* All who wait ask again when the room opens or goes on: spread, so that the server can answer. */
const ASKING_PER_SECOND = 2_000;
const SPREAD_MAX_S = 30;
const ENDED = ['finished', 'left'];
const REFUSED = ['code_required', 'code_invalid', 'guests_refused', 'not_on_sale'];

export class Line extends EventTarget {
    #client;
    #signal;
    #poll;
    #ticks;
    #told = false; /* the public number has said that it is our turn, and we have asked */
    #asking = null;

    constructor(client, event, signal) {
        super();
        this.#client = client;
        this.#signal = signal;
        this.event = event;
        this.path = `/v1/events/${encodeURIComponent(event)}/queue`;
        this.key = `holdfast:queue:${client.url}:${event}`;
        this.status = 'joining';
        this.entry = null;
        this.room = null; /* the public number */
        this.problem = null;
        this.kept = this.#read(); /* {entry_id, ahead, commitment}: what a reload needs */
        const wake = () => document.hidden || this.#wake();
        for (const [target, name] of [[document, 'visibilitychange'], [globalThis, 'pageshow'], [globalThis, 'online']]) {
            target.addEventListener(name, wake, { signal });
        }
        signal.addEventListener('abort', () => this.#stop());
    }

    /* Back to the place of before the reload, or to the end of the line. */
    async start() {
        this.#tick();
        if (!this.kept.entry_id) {
            return this.join();
        }
        return this.#ask(() => this.#own(this.kept.entry_id).catch((problem) => {
            if (problem.code !== 'no_such_entry') {
                throw problem;
            }
            return this.#post();
        }));
    }

    join(code) {
        this.status = 'joining';
        this.problem = null;
        this.#change();
        return this.#ask(() => this.#post(code));
    }

    async leave() {
        await this.#asking;
        await this.#ask(() => this.#client.delete(`${this.path}/${this.entry.entry_id}`));
    }

    /* How many are before us: exact when we asked, and never more than the public number leaves. */
    get ahead() {
        const { ahead, position } = this.entry ?? {};
        if (ahead === null || ahead === undefined) {
            return null;
        }
        const serving = this.room?.serving ?? 0;
        return Math.max(0, Math.min(ahead, position - serving - 1));
    }

    /* From 0 to 1: how much of the line that was there at first is gone. */
    get progress() {
        const { ahead } = this;
        return ahead === null ? null : this.kept.ahead > 0 ? 1 - ahead / this.kept.ahead : 1;
    }

    /* Seconds until our turn, or null: what the server said when we asked, less the time since then. */
    get estimate() {
        const seconds = this.entry?.eta_seconds ?? null;
        return seconds === null ? null : Math.max(0, seconds - (performance.now() - this.asked) / 1000);
    }

    /* ---- Inside ---- */

    #own(id) {
        return this.#client.call('GET', `${this.path}/${id}`, { auth: true, signal: this.#signal });
    }

    #post(code) {
        return this.#client.post(this.path, code ? { code } : {}, { signal: this.#signal });
    }

    /* One question about the own entry at a time. */
    #ask(call) {
        this.#asking ??= this.#answer(call).finally(() => { this.#asking = null; });
        return this.#asking;
    }

    async #answer(call) {
        clearTimeout(this.#poll);
        try {
            this.#take(await call());
        } catch (problem) {
            if (this.#signal.aborted) {
                return;
            }
            if (!problem.code) {
                throw problem;
            }
            this.#failed(problem);
        }
        this.#change();
    }

    #take(entry) {
        this.entry = entry;
        this.status = entry.status;
        this.problem = null;
        this.asked = performance.now();
        if (this.kept.entry_id !== entry.entry_id) {
            this.kept = { entry_id: entry.entry_id, ahead: null, commitment: this.kept.commitment };
        }
        this.kept.ahead ??= entry.ahead;
        this.#write();
        if (ENDED.includes(entry.status) || entry.status === 'admitted') {
            this.#stop();
        } else {
            this.#tick();
            this.#schedule(entry.poll_after_seconds);
        }
    }

    #failed(problem) {
        if (problem.code === 'no_waiting_room') {
            this.status = 'none';
            this.#stop();
            return;
        }
        this.problem = problem;
        if (this.entry && problem.status !== 404) {
            this.#schedule(RETRY_S); /* we keep our place and go on asking */
            return;
        }
        this.status = REFUSED.includes(problem.code) ? 'refused' : 'failed';
        this.#stop();
    }

    #schedule(seconds) {
        clearTimeout(this.#poll);
        this.#poll = setTimeout(() => this.#ask(() => this.#own(this.entry.entry_id)), seconds * 1000);
    }

    #wake() {
        if (this.status === 'waiting' || this.status === 'passed_over') {
            this.#ask(() => this.#own(this.entry.entry_id));
            this.#tick();
        }
    }

    /* The public number, once a second while the page is visible. */
    #tick() {
        clearTimeout(this.#ticks);
        const since = performance.now();
        const slept = Date.now();
        this.#ticks = setTimeout(() => {
            if (Date.now() - slept > ASLEEP_MS || performance.now() - since > ASLEEP_MS) {
                this.#wake();
            } else {
                this.#tick();
            }
        }, PUBLIC_MS);
        if (!document.hidden && navigator.onLine) {
            this.#look();
        }
    }

    async #look() {
        const before = this.room;
        try {
            this.room = await this.#client.get(this.path, { signal: this.#signal, attempts: 1 });
        } catch (problem) {
            if (problem.code === 'no_waiting_room' && this.entry) {
                this.status = 'none'; /* the room was turned off while we waited */
                this.#stop();
                this.#change();
            }
            return; /* the next second asks again */
        }
        if (this.room.draw && !this.room.draw.seed) {
            this.kept.commitment ??= this.room.draw.commitment;
            this.#write();
        }
        const turn = this.entry?.position && this.room.serving >= this.entry.position;
        const drawn = this.entry && this.entry.position === null && this.room.opened_at;
        if (this.status === 'waiting' && before && ((before.paused && !this.room.paused) || (!before.opened_at && this.room.opened_at))) {
            this.#schedule(Math.random() * Math.min(SPREAD_MAX_S, 1 + this.room.waiting / ASKING_PER_SECOND)); /* only now there is an estimate */
        }
        if ((turn || drawn) && !this.#told && this.status === 'waiting') {
            this.#told = true;
            this.#ask(() => this.#own(this.entry.entry_id));
        } else if (!turn && !drawn) {
            this.#told = false;
        }
        this.#change();
    }

    #stop() {
        clearTimeout(this.#poll);
        clearTimeout(this.#ticks);
    }

    #change() {
        this.dispatchEvent(new Event('change'));
    }

    #read() {
        try {
            return JSON.parse(sessionStorage.getItem(this.key)) ?? {};
        } catch {
            return {};
        }
    }

    #write() {
        try {
            sessionStorage.setItem(this.key, JSON.stringify(this.kept));
        } catch { /* private mode: joining again gives the same entry */ }
    }
}
