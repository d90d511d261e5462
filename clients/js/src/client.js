/* SPDX-License-Identifier: Apache-2.0 */
/* client.js — calls to a Holdfast server, for browsers and node.
 *
 *     const holdfast = new Holdfast({ url: 'https://tickets.example', guest: true });
 *     const hold = await holdfast.hold([{ event: 'eras', seat: 'A15' }]);
 *     holdfast.secondsLeft(hold);
 *
 * A call that gets no answer, or 429 and 503, is retried for a while; every POST has an Idempotency-Key, so that
 * nothing is done twice. Refusals of the server are thrown as a Problem (problem.js).
 *
 * This is what the pages use. The package adds a method for each operation of the API, made from its description by
 * clients/generate.
 */
import { Clock } from './clock.js';
import { Problem } from './problem.js';
import { Session } from './session.js';
import { follow, pause } from './stream.js';

export * from './problem.js';
export { Clock, Session };

const ATTEMPTS = 5;
const ATTEMPT_MS = 15_000;
export const UPLOAD_MS = 120_000;
const WAIT_MS = 300;
const segment = encodeURIComponent;

const queryOf = (query = {}) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    return given.length ? `?${new URLSearchParams(given)}` : '';
};

const newKey = () => globalThis.crypto.randomUUID?.() ?? [...globalThis.crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0')).join('');

function defaultStorage() {
    try {
        return globalThis.localStorage;
    } catch {
        return undefined;
    }
}

/* Of a body that is sent as it is; others are JSON. */
const typeOf = (body) => (body instanceof Blob ? body.type : typeof body === 'string' ? 'text/csv' : '');

/* Waits as the server says, or longer each time. */
function delay(problem, attempt) {
    return problem.retryAfterMs ? Math.min(problem.retryAfterMs, 10_000) : WAIT_MS * 2 ** attempt * (0.5 + Math.random());
}

const online = (signal) => new Promise((resolve) => {
    globalThis.addEventListener('online', resolve, { once: true });
    signal?.addEventListener('abort', resolve, { once: true });
});

export class Holdfast {
    /* url: of the server, without a path; optional in a page of the server. token: a user's, or a key. guest: without a
     * token, one is created when a call needs it. attempts: how often a call is tried. */
    constructor({ url = globalThis.location?.origin, token, guest = !token, storage = defaultStorage(), attempts = ATTEMPTS,
        fetch: send = globalThis.fetch.bind(globalThis) } = {}) {
        this.url = String(url).replace(/\/+$/, '');
        this.given = token;
        this.attempts = attempts;
        this.send = send;
        this.clock = new Clock();
        this.seq = 0; /* the newest change that any answer reflects; lists wait for it with Holdfast-Min-Seq */
        this.session = guest && !token ? new Session({
            key: `holdfast:guest:${this.url}`, storage, clock: this.clock,
            create: async (old) => (await this.call('POST', '/v1/sessions', { body: {}, token: old })).token,
        }) : null;
    }

    /* ---- Calls ---- */

    get(path, options) {
        return this.call('GET', path, options);
    }

    post(path, body = {}, options = {}) {
        return this.call('POST', path, { auth: true, body, ...options });
    }

    put(path, body, options = {}) {
        return this.call('PUT', path, { auth: true, body, ...options });
    }

    patch(path, body, options = {}) {
        return this.call('PATCH', path, { auth: true, body, ...options });
    }

    delete(path, options = {}) {
        return this.call('DELETE', path, { auth: true, ...options });
    }

    /* A file as it is, such as seats in CSV. */
    upload(path, file, type) {
        return this.post(path, new Blob([file], { type }), { attempts: 1, within: UPLOAD_MS });
    }

    /* The body of the answer. auth: the call needs a token; token: this one and no other. A body that is text is CSV. pass:
     * of a waiting room; minSeq: wait for this change; ifMatch: the ETag of the seat; accept: another type than JSON. */
    async call(method, path, { key = method === 'POST' ? newKey() : undefined, ...options } = {}) {
        for (let attempt = 0; ; attempt++) {
            try {
                return await this.once(method, path, { key, ...options });
            } catch (problem) {
                const last = attempt + 1 >= (options.attempts ?? this.attempts);
                if (!(problem instanceof Problem) || !problem.passes || last || options.signal?.aborted) {
                    throw problem;
                }
                if (problem.status === 0 && globalThis.navigator?.onLine === false) {
                    attempt--; /* waits for the network, however long that takes */
                    await online(options.signal);
                } else {
                    await pause(delay(problem, attempt), options.signal);
                }
            }
        }
    }

    async once(method, path, options) {
        const { query, body, auth = false, token, signal, tagged = false, within } = options;
        const bearer = token ?? await this.bearer(auth);
        const sent = performance.now();
        const response = await this.reach(path + queryOf(query), {
            method, signal, within, headers: this.headers(bearer, options), body: body && !typeOf(body) ? JSON.stringify(body) : body,
        });
        if (response.status === 401 && this.session && !token && bearer) {
            await this.session.token(bearer); /* this token has ended: the next attempt has another */
            return this.once(method, path, { ...options, token: this.session.stored() });
        }
        const answer = await this.read(response);
        this.clock.learn(response, answer, sent);
        this.seq = Math.max(this.seq, Number(response.headers.get('holdfast-seq') ?? 0));
        return tagged ? { ...answer, etag: response.headers.get('etag') } : answer;
    }

    async read(response) {
        if (!response.ok) {
            throw await Problem.of(response);
        }
        if (response.status === 204) {
            return null;
        }
        const type = response.headers.get('content-type') ?? '';
        return /json/.test(type) ? response.json() : /^text|svg/.test(type) ? response.text() : response.blob();
    }

    async reach(target, { signal, within = ATTEMPT_MS, ...options }) {
        const limit = AbortSignal.timeout(within);
        try {
            return await this.send(this.url + target, {
                ...options, signal: signal ? AbortSignal.any([signal, limit]) : limit, redirect: 'error',
            });
        } catch (error) {
            throw signal?.aborted ? error : Problem.offline(error);
        }
    }

    async bearer(needed) {
        return this.given ?? (needed ? await this.session?.token() : undefined);
    }

    headers(bearer, { key, pass, minSeq, ifMatch, accept, body, headers } = {}) {
        const known = {
            Authorization: bearer && `Bearer ${bearer}`, 'Idempotency-Key': key, 'Holdfast-Pass': pass, 'Holdfast-Min-Seq': minSeq,
            'If-Match': ifMatch, Accept: accept, 'Content-Type': body && (typeOf(body) || 'application/json'),
        };
        return { ...Object.fromEntries(Object.entries(known).filter(([, value]) => value)), ...headers };
    }

    /* Each entry of a list, page by page: list(query) gets a page. */
    async *each(list, query) {
        for (let cursor; cursor !== null;) {
            const page = await list({ ...query, ...(cursor ? { cursor } : {}) });
            yield* page.data;
            cursor = page.next_cursor;
        }
    }

    /* Every page of a list. */
    async all(path, { query, ...options } = {}) {
        const data = [];
        for await (const one of this.each((page) => this.get(path, { ...options, query: page }), query)) {
            data.push(one);
        }
        return data;
    }

    /* Follows a stream: onEvent({id, event, data}); resumes automatically. Ends with `signal`. */
    follow(path, { auth = false, ...options }) {
        const open = async (lastEventId, signal) => {
            const bearer = await this.bearer(auth);
            const resume = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
            let response;
            try {
                response = await this.send(this.url + path, { headers: { ...this.headers(bearer), ...resume }, signal });
            } catch (error) {
                throw Problem.offline(error);
            }
            if (!response.ok) {
                throw await Problem.of(response);
            }
            return response;
        };
        return follow(open, options);
    }

    /* ---- The catalogue ---- */

    event(event) {
        return this.get(`/v1/events/${segment(event)}`);
    }

    /* With its `etag`, which availability as a map refers to. */
    layout(event) {
        return this.get(`/v1/events/${segment(event)}/seats`, { tagged: true });
    }

    availability(event, query) {
        return this.get(`/v1/events/${segment(event)}/availability`, { query });
    }

    pools(event) {
        return this.all(`/v1/events/${segment(event)}/pools`);
    }

    /* ---- Reservations ---- */

    /* Items are as in the API; `pass` is of a waiting room. */
    hold(items, { pass, key, ...more } = {}) {
        return this.post('/v1/reservations', { items, ...more }, { key, pass });
    }

    reservation(id, query) {
        return this.call('GET', `/v1/reservations/${segment(id)}`, { auth: true, query });
    }

    add(id, items, { pass } = {}) {
        return this.post(`/v1/reservations/${segment(id)}/items`, { items }, { pass });
    }

    drop(id, item) {
        return this.delete(`/v1/reservations/${segment(id)}/items/${segment(item)}`);
    }

    change(id, item, change) {
        return this.patch(`/v1/reservations/${segment(id)}/items/${segment(item)}`, change);
    }

    extend(id, body) {
        return this.post(`/v1/reservations/${segment(id)}/extend`, body);
    }

    pay(id, body) {
        return this.post(`/v1/reservations/${segment(id)}/payment`, body);
    }

    commit(id, body) {
        return this.post(`/v1/reservations/${segment(id)}/commit`, body);
    }

    release(id) {
        return this.post(`/v1/reservations/${segment(id)}/release`);
    }

    /* Seconds until a hold ends, by the server's clock; never less than 0. */
    secondsLeft(reservation) {
        return Math.max(0, (Date.parse(reservation.expires_at) - this.clock.now()) / 1000);
    }
}
