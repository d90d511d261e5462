/* SPDX-License-Identifier: Apache-2.0 */
/* http.js — the client's half of HTTP/1.1, as plain as the tests need it.
 *
 * Client    keep-alive requests over a pool of connections, one answer object per request
 * exchange  bytes as they are over a socket of their own, for requests that no decent client would send
 * Stream    Server-Sent Events, with a wait for the next event that fits
 */
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const net = require('node:net');
const zlib = require('node:zlib');

const PATIENCE_MS = 20_000;

/* An answer: {status, headers, text, json, seq}; json is undefined when the body is none. */
function answer(status, headers, bytes) {
    const plain = headers['content-encoding'] === 'gzip' ? zlib.gunzipSync(bytes) : bytes;
    const text = plain.toString('utf8');
    const type = headers['content-type'] || '';
    const json = /^application\/([a-z]+\+)?json/.test(type) && text ? JSON.parse(text) : undefined;
    const seq = 'holdfast-seq' in headers ? Number(headers['holdfast-seq']) : undefined;
    return { status, headers, text, json, seq, size: bytes.length };
}

/* A body that is an object goes out as JSON; a string or a Buffer goes out as it is. */
function encode(body, headers) {
    if (body === undefined) {
        return undefined;
    }
    if (!('content-type' in headers)) {
        headers['content-type'] = 'application/json';
    }
    return typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
}

class Client {
    constructor(url, { connections = 64, localAddress } = {}) {
        const { hostname, port } = new URL(url);
        this.host = hostname;
        this.port = Number(port);
        this.localAddress = localAddress;
        this.agent = new http.Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
    }

    call(method, path, { bearer, body, headers = {}, patience = PATIENCE_MS } = {}) {
        const sent = {};
        for (const [name, value] of Object.entries(headers)) {
            sent[name.toLowerCase()] = value;
        }
        const bytes = encode(body, sent);
        if (bytes) {
            sent['content-length'] = bytes.length;
        } else if (method !== 'GET' && method !== 'HEAD') {
            sent['content-length'] = 0;
        }
        if (bearer) {
            sent.authorization = `Bearer ${bearer}`;
        }
        const { host, port, agent, localAddress } = this;
        return new Promise((resolve, reject) => {
            const request = http.request({ host, port, agent, localAddress, method, path, headers: sent });
            request.setTimeout(patience, () => request.destroy(new Error(`${method} ${path}: no answer`)));
            request.on('error', reject);
            request.on('response', (response) => {
                const parts = [];
                response.on('data', (part) => parts.push(part));
                response.on('error', reject);
                response.on('end', () => {
                    try {
                        resolve(answer(response.statusCode, response.headers, Buffer.concat(parts)));
                    } catch (error) {
                        reject(new Error(`${method} ${path}: ${error.message}`));
                    }
                });
            });
            request.end(bytes);
        });
    }

    /* Forgets idle connections: the server may close them when the clock jumps. */
    rest() {
        for (const sockets of Object.values(this.agent.freeSockets)) {
            for (const socket of [...sockets]) {
                socket.destroy();
            }
        }
    }

    close() {
        this.agent.destroy();
    }
}

/* What came over a raw connection until the server closed it, the patience ran out or `enough` said so. */
class Exchange {
    constructor(bytes, closed, ms) {
        this.bytes = bytes;
        this.closed = closed; /* by the server */
        this.ms = ms;
        this.answers = split(bytes);
    }
}

/* The answers in a run of bytes; an incomplete last one is left out. `methods` tells which had no body. */
function split(bytes, methods = []) {
    const answers = [];
    let at = 0;
    for (;;) {
        const end = bytes.indexOf('\r\n\r\n', at);
        if (end < 0) {
            return answers;
        }
        const [first, ...lines] = bytes.subarray(at, end).toString('latin1').split('\r\n');
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
        assert.ok(status, `not a status line: ${first}`);
        const headers = {};
        for (const line of lines) {
            const colon = line.indexOf(':');
            headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
        }
        const bare = status < 200 || status === 204 || status === 304 || methods[answers.length] === 'HEAD';
        const size = bare ? 0 : Number(headers['content-length'] ?? 0);
        if (end + 4 + size > bytes.length) {
            return answers;
        }
        answers.push(answer(status, headers, bytes.subarray(end + 4, end + 4 + size)));
        at = end + 4 + size;
    }
}

/* Sends `parts` one after the other (a function among them is awaited) and collects what comes back.
 * `end: true` closes our half after the last. `enough(bytes)` ends the wait early. */
function exchange(url, parts, { end = false, enough, patience = PATIENCE_MS, localAddress } = {}) {
    const { hostname: host, port } = new URL(url);
    const began = Date.now();
    return new Promise((resolve, reject) => {
        const socket = net.connect({ host, port: Number(port), localAddress, allowHalfOpen: true, noDelay: true });
        let bytes = Buffer.alloc(0);
        let finished = false;
        const finish = (closed) => {
            if (!finished) {
                finished = true;
                clearTimeout(timer);
                socket.destroy();
                try {
                    resolve(new Exchange(bytes, closed, Date.now() - began));
                } catch (error) {
                    reject(error);
                }
            }
        };
        const timer = setTimeout(() => finish(false), patience);
        socket.on('data', (part) => {
            bytes = Buffer.concat([bytes, part]);
            if (enough && enough(bytes)) {
                finish(false);
            }
        });
        socket.on('end', () => finish(true));
        socket.on('close', () => finish(true));
        socket.on('error', (error) => (error.code === 'ECONNREFUSED' ? reject(error) : finish(true)));
        socket.on('connect', async () => {
            for (const part of [].concat(parts)) {
                if (finished) {
                    return;
                }
                if (typeof part === 'function') {
                    await part(socket);
                } else {
                    await new Promise((written) => socket.write(part, written));
                }
            }
            if (end && !finished) {
                socket.end();
            }
        });
    });
}

/* One request as text. `lines` are header lines without their ends; Host is added unless told not to. */
function request(method, path, { lines = [], body = '', host = 'Host: test' } = {}) {
    return [`${method} ${path} HTTP/1.1`, ...(host ? [host] : []), ...lines, '', ''].join('\r\n') + body;
}

class Stream {
    constructor(response, socket) {
        this.status = response.statusCode;
        this.headers = response.headers;
        this.response = response;
        this.socket = socket;
        this.events = []; /* not yet taken by next() */
        this.comments = 0;
        this.ended = false;
        this.waiting = new Set();
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => {
            text += part;
            const blocks = text.split(/\r?\n\r?\n/);
            text = blocks.pop();
            blocks.forEach((block) => this.take(block));
            this.wake();
        });
        const over = () => {
            this.ended = true;
            this.wake();
        };
        response.on('end', over);
        response.on('close', over);
        response.on('error', over);
    }

    take(block) {
        const event = { name: 'message', id: undefined, data: '' };
        let named = false;
        for (const line of block.split(/\r?\n/)) {
            if (line.startsWith(':')) {
                this.comments++;
                continue;
            }
            const [, field, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
            if (field === 'event') {
                event.name = value;
                named = true;
            } else if (field === 'id') {
                event.id = value;
            } else if (field === 'data') {
                event.data += value;
                named = true;
            }
        }
        if (named) {
            event.json = event.data ? JSON.parse(event.data) : undefined;
            this.events.push(event);
        }
    }

    wake() {
        for (const wake of [...this.waiting]) {
            wake();
        }
    }

    /* Waits until `ready()` is true; fails with `what` when the patience is over. */
    until(ready, what, patience = PATIENCE_MS) {
        return new Promise((resolve, reject) => {
            const check = () => {
                if (ready()) {
                    done(resolve);
                } else if (this.ended) {
                    done(() => reject(new Error(`the stream ended, waiting for ${what}`)));
                }
            };
            const done = (how) => {
                clearTimeout(timer);
                this.waiting.delete(check);
                how();
            };
            const seen = () => JSON.stringify(this.events.map((e) => [e.name, e.data]));
            const timer = setTimeout(() => done(() => reject(new Error(`no ${what}; seen: ${seen()}`))), patience);
            this.waiting.add(check);
            check();
        });
    }

    /* The next event that fits; those before it are dropped. */
    async next(fits = () => true, what = 'event', patience = PATIENCE_MS) {
        await this.until(() => this.events.some(fits), what, patience);
        const at = this.events.findIndex(fits);
        return this.events.splice(0, at + 1)[at];
    }

    close() {
        this.socket.destroy();
    }
}

function stream(url, path, { bearer, lastEventId } = {}) {
    const { hostname: host, port } = new URL(url);
    const headers = { accept: 'text/event-stream' };
    if (bearer) {
        headers.authorization = `Bearer ${bearer}`;
    }
    if (lastEventId !== undefined) {
        headers['last-event-id'] = String(lastEventId);
    }
    return new Promise((resolve, reject) => {
        const asked = http.request({ host, port, path, headers, agent: false });
        asked.on('error', reject);
        asked.on('response', (response) => {
            asked.on('error', () => {});
            resolve(new Stream(response, response.socket));
        });
        asked.end();
    });
}

/* Asks again until `fits(value)`; the value that did. Between two tries there is a turn of the server's loop. */
async function eventually(ask, fits, what, patience = PATIENCE_MS) {
    const until = Date.now() + patience;
    for (;;) {
        const value = await ask();
        if (fits(value)) {
            return value;
        }
        assert.ok(Date.now() < until, `never came true: ${what}; last: ${JSON.stringify(value)?.slice(0, 400)}`);
        await new Promise((next) => setTimeout(next, 10));
    }
}

module.exports = { Client, exchange, request, split, stream, eventually };
