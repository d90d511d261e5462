/* SPDX-License-Identifier: Apache-2.0 */
/* problem.js — what can go wrong with a call.
 *
 * A refusal of the server is a Problem with its stable `code` ('taken', 'expired', …), the HTTP `status` and a sentence
 * in `message`; its other members (`items`, `rule`, `limit`, …) are in `body`, how long to wait (429, 503) in
 * `retryAfterMs`. A call that never got an answer is a Problem too, with code 'offline' and status 0. The class says what
 * kind it is: Conflict is a "no" of the rules, NotFound an unknown id, Unavailable something that passes.
 */
export class Problem extends Error {
    constructor(status, body) {
        super(body.detail ?? body.title ?? `HTTP ${status}`);
        this.name = this.constructor.name;
        this.status = status;
        this.code = body.code ?? 'unknown';
        this.pointer = body.pointer ?? null;
        this.retryAfterMs = null;
        this.body = body;
    }

    static offline(cause) {
        const problem = new Offline(0, { code: 'offline', detail: 'The server cannot be reached.' });
        problem.cause = cause;
        return problem;
    }

    /* From an answer; a proxy's error page is a problem too. */
    static async of(response) {
        const type = response.headers.get('content-type') ?? '';
        const body = /json/.test(type) ? await response.json().catch(() => ({})) : {};
        const problem = new (kindOf(response.status))(response.status, body);
        const seconds = Number(response.headers.get('retry-after'));
        problem.retryAfterMs = seconds > 0 ? seconds * 1000 : null;
        return problem;
    }

    /* Whether retrying later, unchanged, can help. */
    get passes() {
        return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503 ||
            this.status === 504;
    }
}

export class InvalidRequest extends Problem {} /* 400 and other 4xx: the request is wrong */
export class Unauthenticated extends Problem {} /* 401 */
export class Forbidden extends Problem {} /* 403 */
export class NotFound extends Problem {} /* 404 */
export class Conflict extends Problem {} /* 409, 410, 412: taken, expired, sold out, … */
export class RateLimited extends Problem {} /* 429 */
export class Unavailable extends Problem {} /* 5xx */
export class Offline extends Problem {} /* no answer */

const KINDS = { 401: Unauthenticated, 403: Forbidden, 404: NotFound, 409: Conflict, 410: Conflict, 412: Conflict, 429: RateLimited };
const kindOf = (status) => KINDS[status] ?? (status >= 500 ? Unavailable : status >= 400 ? InvalidRequest : Problem);
