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
const PACES = 120; /* of the last two minutes */
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
        this.paces = [];
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

    /* Seconds until our turn, {least, likely, most}, or null. Once people are let in, their pace says it; before that, what
     * the server said when we asked. */
    get estimate() {
        const { room, ahead } = this;
        const pace = room?.opened_at ? room.admitted_per_second : 0;
        if (ahead !== null && pace > 0) {
            return estimate(ahead / pace, this.paces);
        }
        const eta = this.entry?.eta_seconds;
        if (eta === null || eta === undefined) {
            return null;
        }
        const now = this.#client.clock.now();
        const opens = room && !room.opened_at && room.open_at ? Math.max(0, (Date.parse(room.open_at) - now) / 1000) : 0;
        return estimate(Math.max(0, eta - (performance.now() - this.asked) / 1000), this.paces, opens);
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
        if (this.room.opened_at && !this.room.paused) {
            this.paces = [...this.paces, this.room.admitted_per_second].slice(-PACES);
        }
        if (this.room.draw && !this.room.draw.seed) {
            this.kept.commitment ??= this.room.draw.commitment;
            this.#write();
        }
        const turn = this.entry?.position && this.room.serving >= this.entry.position;
        const drawn = this.entry && this.entry.position === null && this.room.opened_at;
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

/* How far the pace of the last minutes went up and down says how far the estimate may be off; never less than 15 %, and
 * few admissions say little. The time until the opening is certain. */
export function estimate(eta, paces, opens = 0) {
    const mean = paces.reduce((sum, pace) => sum + pace, 0) / (paces.length || 1);
    const deviation = Math.sqrt(paces.reduce((sum, pace) => sum + (pace - mean) ** 2, 0) / (paces.length || 1));
    const few = mean > 0 ? 1 / Math.sqrt(mean * 10) : 0.3;
    const off = Math.min(1, Math.max(0.15, few, mean > 0 ? deviation / mean : 0));
    const rest = Math.max(0, eta - opens);
    return { least: opens + rest / (1 + off), likely: opens + rest, most: opens + rest * (1 + off) };
}
