/* SPDX-License-Identifier: Apache-2.0 */
/* trial.js — one call of the API, filled in by hand, sent as it is, and what came back.
 *
 * `values` are the parameters by place and name, as text; what is empty is not sent. A stream is read until stop() or its
 * end. `onChange` is called when there is more to show.
 */
const SHOWN_MAX = 200_000; /* characters of an answer */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

export class Trial {
    constructor(operation, onChange) {
        Object.assign(this, { operation, onChange, answer: null, problem: null, running: null });
        this.values = Object.fromEntries(operation.parameters.map((one) => [`${one.in}:${one.name}`, one.in === 'path' ? String(one.example ?? '') : '']));
        const first = operation.body?.examples[0]?.value;
        this.body = first === undefined ? '' : typeof first === 'string' ? first : JSON.stringify(first, null, 2);
    }

    #of(place) {
        return this.operation.parameters.filter((one) => one.in === place).map(({ name }) => [name, this.values[`${place}:${name}`].trim()]).filter(([, value]) => value);
    }

    /* The path with its parameters in place, and the query. */
    get target() {
        const path = this.operation.path.replace(/\{(\w+)\}/g, (whole, name) => encodeURIComponent(this.values[`path:${name}`]?.trim() ?? '') || whole);
        const query = new URLSearchParams(this.#of('query')).toString();
        return query ? `${path}?${query}` : path;
    }

    get missing() {
        return this.operation.parameters.filter((one) => one.required && !this.values[`${one.in}:${one.name}`].trim()).map(({ name }) => name);
    }

    #headers(token) {
        return { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...(this.body ? { 'Content-Type': this.operation.body.type } : {}),
            ...Object.fromEntries(this.#of('header')) };
    }

    /* The same from a shell. The token is not shown. */
    curl(origin, token) {
        const { method } = this.operation;
        const headers = Object.entries(this.#headers(token && '$TOKEN')).map(([name, value]) => ` \\\n  -H "${name}: ${value.replaceAll('"', '\\"')}"`);
        return `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(origin + this.target)}${headers.join('')}${this.body ? ` \\\n  -d ${quoted(this.body)}` : ''}`;
    }

    async send(token) {
        this.stop();
        const running = this.running = new AbortController();
        Object.assign(this, { answer: null, problem: null });
        this.onChange();
        const began = performance.now();
        try {
            const response = await fetch(this.target, {
                method: this.operation.method, headers: this.#headers(token), body: this.body || undefined, signal: running.signal, cache: 'no-store' });
            this.answer = { status: response.status, ms: Math.round(performance.now() - began), headers: [...response.headers], text: '', image: null, cut: false };
            await this.#read(response);
        } catch (error) {
            this.problem = running.signal.aborted ? null : error;
        }
        this.running = this.running === running ? null : this.running;
        this.onChange();
    }

    stop() {
        this.running?.abort();
        this.running = null;
    }

    async #read(response) {
        const type = response.headers.get('content-type') ?? '';
        if (type.startsWith('image/')) {
            this.answer.image = URL.createObjectURL(await response.blob());
        } else if (type.startsWith('text/event-stream')) {
            await this.#listen(response);
        } else {
            const text = await response.text();
            this.#show(/json/.test(type) && text ? JSON.stringify(JSON.parse(text), null, 2) : text);
        }
    }

    #show(text) {
        this.answer.cut = text.length > SHOWN_MAX;
        this.answer.text = text.slice(0, SHOWN_MAX);
    }

    async #listen(response) {
        const read = response.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let whole = ''; !this.answer.cut;) {
            const { done, value } = await read.read();
            if (done) {
                return;
            }
            whole += value;
            this.#show(whole);
            this.onChange();
        }
        await read.cancel();
    }
}
