/* SPDX-License-Identifier: Apache-2.0 */
/* problem.js — what can go wrong with a call.
 *
 * A refusal of the server is a Problem with its stable `code` ('taken', 'expired', …), the HTTP `status` and a sentence
 * in `message`; its other members (`items`, `rule`, `limit`, …) are in `body`, how long to wait (429, 503) in
 * `retryAfterMs`. A call that never got an answer is a Problem too, with code 'offline' and status 0.
 */
export class Problem extends Error {
    constructor(status, body) {
        super(body.detail ?? body.title ?? `HTTP ${status}`);
        this.name = 'Problem';
        this.status = status;
        this.code = body.code ?? 'unknown';
        this.pointer = body.pointer ?? null;
        this.retryAfterMs = null;
        this.body = body;
    }

    static offline(cause) {
        const problem = new Problem(0, { code: 'offline', detail: 'The server cannot be reached.' });
        problem.cause = cause;
        return problem;
    }

    /* From an answer; a proxy's error page is a problem too. */
    static async of(response) {
        const type = response.headers.get('content-type') ?? '';
        const body = /json/.test(type) ? await response.json().catch(() => ({})) : {};
        const problem = new Problem(response.status, body);
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
