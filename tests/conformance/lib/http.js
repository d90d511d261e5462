/* SPDX-License-Identifier: Apache-2.0 */
/* http.js — the client's half of HTTP/1.1, as plain as the tests need it.
 *
 * Client    keep-alive requests over a pool of connections, one answer object per request
 * exchange  bytes as they are over a socket of their own, for requests that no decent client would send
 * Stream    Server-Sent Events, with a wait for the next event that fits
 * Wire      one request and the bytes that come back, as they are on the wire
 */
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const net = require('node:net');
const zlib = require('node:zlib');

const { isDescribed, isDescribedProblem, isDescribedEvent } = require('./description.js');

const PATIENCE_MS = 60_000; /* only ends a test that hangs */

/* An answer: {status, headers, text, json, seq}; json is undefined if the body is not JSON. */
function answer(status, headers, bytes) {
    const plain = headers['content-encoding'] === 'gzip' ? zlib.gunzipSync(bytes) : bytes;
    const text = plain.toString('utf8');
    const type = headers['content-type'] || '';
    const json = /^application\/([a-z]+\+)?json/.test(type) && text ? JSON.parse(text) : undefined;
    assert.equal(headers['x-content-type-options'], status === 100 ? undefined : 'nosniff', 'of every answer');
    assert.ok(json === undefined || text.endsWith('}\n'), 'JSON ends with a newline');
    const seq = 'holdfast-seq' in headers ? Number(headers['holdfast-seq']) : undefined;
    return { status, headers, text, json, seq, size: bytes.length };
}

/* An object as body is sent as JSON; a string or a Buffer is sent as it is. */
function encode(body, headers) {
    if (body === undefined) {
        return undefined;
    }
    if (!('content-type' in headers)) {
        headers['content-type'] = 'application/json';
    }
    return typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.from(body) : Buffer.from(
        JSON.stringify(body)
    );
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
                        const got = answer(response.statusCode, response.headers, Buffer.concat(parts));
                        resolve(isDescribed(method, path, got));
                    } catch (error) {
                        reject(new Error(`${method} ${path}: ${error.message}`));
                    }
                });
            });
            request.end(bytes);
        });
    }

    /* Forgets idle connections: the server can close them when the clock jumps. */
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

/* Reads answers from a run of bytes as they come. `methods` says which requests were HEAD. */
class Reader {
    constructor(methods = []) {
        this.methods = methods;
        this.answers = [];
        this.rest = Buffer.alloc(0); /* not yet a whole answer */
        this.streams = false; /* the rest is the body of a stream */
    }

    push(part) {
        this.rest = this.rest.length ? Buffer.concat([this.rest, part]) : part;
        while (this.one()) {
            /* as many as there are */
        }
    }

    one() {
        const end = this.rest.indexOf('\r\n\r\n');
        if (end < 0 || this.streams) {
            return false;
        }
        const [first, ...lines] = this.rest.subarray(0, end).toString('latin1').split('\r\n');
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1]);
        assert.ok(status, `not a status line: ${first}`);
        const headers = {};
        for (const line of lines) {
            const colon = line.indexOf(':');
            headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
        }
        const head = this.methods[this.answers.length] === 'HEAD';
        const size = head || status < 200 || status === 204 || status === 304 ? 0 : Number(
            headers['content-length'] ?? 0
        );
        if (end + 4 + size > this.rest.length) {
            return false;
        }
        const got = answer(status, headers, this.rest.subarray(end + 4, end + 4 + size));
        this.answers.push(head ? got : isDescribedProblem(got));
        this.streams = !head && headers['transfer-encoding'] === 'chunked';
        this.rest = this.rest.subarray(end + 4 + size);
        return true;
    }
}

/* Sends `parts` one after the other (a function among them is awaited) and reads what comes back, until the server
 * closes, `enough(answers, rest)` is true (a number: that many) or the time is over. `end: true` closes our half after
 * the last part. Returns {answers, closed, text}: closed by the server; text is what belongs to no complete answer. */
function exchange(url, parts, { end = false, enough, patience = PATIENCE_MS, localAddress, methods } = {}) {
    const { hostname: host, port } = new URL(url);
    const satisfied = typeof enough === 'number' ? (answers) => answers.length >= enough : enough;
    return new Promise((resolve, reject) => {
        const socket = net.connect({
            host, port: Number(port), localAddress, allowHalfOpen: true, noDelay: true
        });
        const reader = new Reader(methods);
        let finished = false;
        const finish = (closed) => {
            if (!finished) {
                finished = true;
                clearTimeout(timer);
                socket.destroy();
                resolve({
                    answers: reader.answers, closed, text: reader.rest.toString('latin1').slice(0, 500)
                });
            }
        };
        const timer = setTimeout(() => finish(false), patience);
        socket.on('data', (part) => {
            try {
                reader.push(part);
            } catch (error) {
                finished = true;
                clearTimeout(timer);
                socket.destroy();
                reject(error);
                return;
            }
            if (satisfied && satisfied(reader.answers, reader.rest)) {
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

/* One request as text. `lines` are header lines without their ends; Host is added by default. */
function request(method, path, { lines = [], body = '', host = 'Host: test' } = {}) {
    return [`${method} ${path} HTTP/1.1`, ...(host ? [host] : []), ...lines, '', ''].join('\r\n') + body;
}

class Stream {
    constructor(path, response, socket) {
        this.path = path;
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
            isDescribedEvent(this.path, event);
            this.events.push(event);
        }
    }

    wake() {
        for (const wake of [...this.waiting]) {
            wake();
        }
    }

    /* Waits until `ready()` is true; fails with `what` when the time is over. */
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
            const timer =
                setTimeout(() => done(() => reject(new Error(`no ${what}; seen: ${seen()}`))), patience);
            this.waiting.add(check);
            check();
        });
    }

    /* The next event that fits; earlier ones are dropped. */
    async next(fits = () => true, what = 'event', patience = PATIENCE_MS) {
        await this.until(() => this.events.some(fits), what, patience);
        const at = this.events.findIndex(fits);
        return this.events.splice(0, at + 1)[at];
    }

    close() {
        this.socket.destroy();
    }
}

function stream(url, path, { bearer, lastEventId, headers: more = {} } = {}) {
    const { hostname: host, port } = new URL(url);
    const headers = { accept: 'text/event-stream', ...more };
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
            resolve(new Stream(path, response, response.socket));
        });
        asked.end();
    });
}

/* One request on its own connection. `text` is everything received, `closed` whether the server closed. */
class Wire {
    constructor(url, bytes, { localAddress } = {}) {
        const { hostname: host, port } = new URL(url);
        this.text = '';
        this.closed = false;
        this.waiting = new Set();
        this.socket = net.connect({ host, port: Number(port), localAddress, noDelay: true });
        const wake = () => [...this.waiting].forEach((check) => check());
        const over = () => {
            this.closed = true;
            wake();
        };
        this.socket.setEncoding('latin1');
        this.socket.on('data', (part) => {
            this.text += part;
            wake();
        });
        this.socket.on('end', over);
        this.socket.on('close', over);
        this.socket.on('error', over);
        this.socket.write(bytes);
    }

    get head() {
        return this.text.slice(0, this.text.indexOf('\r\n\r\n') + 4);
    }

    get body() {
        return this.text.slice(this.head.length);
    }

    /* Reads the body as chunks, strictly: {data: [one string each], last, rest}. */
    get chunks() {
        const data = [];
        let rest = this.body;
        for (;;) {
            const [line, digits] = /^([0-9a-f]{1,8})\r\n/.exec(rest) ?? [];
            const size = parseInt(digits, 16);
            if (!line || rest.length < line.length + size + 2) {
                return { data, last: false, rest };
            }
            const end = line.length + size;
            assert.equal(rest.slice(end, end + 2), '\r\n', 'the end of a chunk');
            if (size === 0) {
                return { data, last: true, rest: rest.slice(end + 2) };
            }
            data.push(rest.slice(line.length, end));
            rest = rest.slice(end + 2);
        }
    }

    until(ready, what, patience = PATIENCE_MS) {
        return new Promise((resolve, reject) => {
            const done = (how) => {
                clearTimeout(timer);
                this.waiting.delete(check);
                how();
            };
            const check = () => {
                if (ready(this)) {
                    done(resolve);
                } else if (this.closed) {
                    done(() => reject(new Error(`closed, waiting for ${what}: ${this.text.slice(-400)}`)));
                }
            };
            const timer =
                setTimeout(() => done(() => reject(new Error(`no ${what}: ${this.text.slice(-400)}`))), patience);
            this.waiting.add(check);
            check();
        });
    }

    close() {
        this.socket.destroy();
    }
}

/* Asks again until `fits(value)`; returns that value. Between two tries there is a turn of the server's loop. */
async function eventually(ask, fits, what, patience = PATIENCE_MS) {
    const until = Date.now() + patience;
    for (;;) {
        const value = await ask();
        if (fits(value)) {
            return value;
        }
        assert.ok(
            Date.now() < until, `never came true: ${what}; last: ${JSON.stringify(value)?.slice(0, 400)}`
        );
        await new Promise((next) => setTimeout(next, 10));
    }
}

module.exports = { Client, Wire, exchange, request, stream, eventually };
