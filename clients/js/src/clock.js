/* SPDX-License-Identifier: Apache-2.0 */
/* clock.js — the server's time, independent of the local clock.
 *
 * Every answer bounds the difference between the server's clock and this machine's monotonic one: the server's instant
 * lies between sending and receiving. The bounds of several answers are intersected, so the estimate gets better; if
 * they contradict each other (the machine slept), only the newest answer counts.
 */
const monotonic = () => performance.now();

export class Clock {
    constructor() {
        this.least = -Infinity; /* server time minus monotonic time, in ms */
        this.most = Infinity;
    }

    /* The server's clock showed from…to (ms since the epoch) at an instant between sent and received (monotonic ms). */
    observe(from, to, sent, received) {
        const least = from - received;
        const most = to - sent;
        if (least > this.most || most < this.least) {
            this.least = least;
            this.most = most;
        } else {
            this.least = Math.max(this.least, least);
            this.most = Math.min(this.most, most);
        }
    }

    /* Learns from an answer: a hold has milliseconds, the Date header seconds. */
    learn(response, body, sent, received = monotonic()) {
        if (body && typeof body.expires_in_ms === 'number' && body.status === 'held' && body.expires_in_ms > 0) {
            const at = Date.parse(body.expires_at) - body.expires_in_ms;
            this.observe(at, at, sent, received);
            return;
        }
        const date = Date.parse(response.headers.get('date') ?? '');
        if (!Number.isNaN(date)) {
            this.observe(date, date + 999, sent, received);
        }
    }

    get known() {
        return Number.isFinite(this.least);
    }

    /* The server's time in ms since the epoch; until it is known, the local time. */
    now() {
        return this.known ? monotonic() + (this.least + this.most) / 2 : Date.now();
    }
}
