/* SPDX-License-Identifier: Apache-2.0 */
/* stream.js — Server-Sent Events by fetch, so that they can carry a token, and resume where they broke off.
 *
 * The server sends something every 15 s; if it is silent for much longer, the connection is dead and is opened again.
 */
import { Problem } from './problem.js';

const SILENCE_MS = 40_000;
const WAIT_MS = [250, 500, 1_000, 2_000, 5_000, 10_000];
const TOLD_MS_MAX = 60_000;

/* Text as it comes → events {id, event, data}. */
export function parser(take) {
    let rest = '';
    let event = { id: undefined, event: 'message', data: [] };
    const line = (text) => {
        if (text === '') {
            if (event.data.length) {
                take({ ...event, data: event.data.join('\n') });
            }
            event = { id: event.id, event: 'message', data: [] };
            return;
        }
        const colon = text.indexOf(':');
        const name = colon < 0 ? text : text.slice(0, colon);
        const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '');
        if (name === 'data') {
            event.data.push(value);
        } else if (name === 'event' || name === 'id') {
            event[name] = value;
        }
    };
    return (text) => {
        const lines = (rest + text).split(/\r\n|\n|\r/);
        rest = lines.pop();
        lines.forEach(line);
    };
}

export const pause = (ms, signal) => new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => { clearTimeout(timer); resolve(); }, { once: true });
});

/* One connection, until it ends. */
async function listen(open, state, { onEvent, onOpen, signal }) {
    const silence = new AbortController();
    const stop = () => silence.abort();
    signal?.addEventListener('abort', stop, { once: true });
    let timer = setTimeout(stop, SILENCE_MS);
    try {
        const response = await open(state.id, silence.signal);
        onOpen?.();
        const read = response.body.pipeThrough(new TextDecoderStream()).getReader();
        const push = parser((event) => {
            state.id = event.id ?? state.id;
            onEvent({ ...event, data: JSON.parse(event.data) });
        });
        for (;;) {
            const { done, value } = await read.read();
            clearTimeout(timer);
            if (done) {
                return;
            }
            state.failures = 0;
            timer = setTimeout(stop, SILENCE_MS);
            push(value);
        }
    } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
    }
}

/* Follows a stream until `signal` aborts it. `open(lastEventId, signal)` returns a response that is OK, or throws a
 * Problem. A refusal that waiting does not fix ends it and is thrown. onDown is called when the connection is lost. It
 * reconnects not before the server said (Retry-After), at most a minute later, and clients do so at different times. */
export async function follow(open, { onEvent, onOpen, onDown, signal, lastEventId }) {
    const state = { id: lastEventId, failures: 0 };
    while (!signal?.aborted) {
        let told = 0;
        try {
            await listen(open, state, { onEvent, onOpen, signal });
        } catch (error) {
            if (error instanceof Problem && !error.passes) {
                throw error;
            }
            told = Math.min(error.retryAfterMs ?? 0, TOLD_MS_MAX);
        }
        if (signal?.aborted) {
            return;
        }
        onDown?.();
        const wait = WAIT_MS[Math.min(state.failures++, WAIT_MS.length - 1)];
        await pause(told + wait * (0.5 + Math.random()), signal);
    }
}
