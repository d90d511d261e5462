/* SPDX-License-Identifier: Apache-2.0 */
/* receiver.js — a receiver of webhooks: keeps what arrives, and answers as the test wants. */
'use strict';

const crypto = require('node:crypto');
const http = require('node:http');
const { isDescribedMessage } = require('./description.js');
const { eventually } = require('./http.js');

const SECRET = `whsec_${crypto.createHash('sha256').update('hook').digest('base64')}`;

/* The signature of Standard Webhooks, computed independently. */
function signature(secret, { headers, body }) {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    return `v1,${crypto.createHmac('sha256', key).update(text).digest('base64')}`;
}

class Receiver {
    /* `answer` gets the response and the request; by default everything is accepted. */
    constructor(answer = (response) => response.writeHead(204).end()) {
        this.answer = answer;
        this.got = [];
        this.server = http.createServer((request, response) => {
            const parts = [];
            request.on('error', () => {});
            request.on('data', (part) => parts.push(part));
            request.on('end', () => {
                const body = Buffer.concat(parts).toString();
                const message = { method: request.method, path: request.url, headers: request.headers, body };
                this.got.push(message);
                this.answer(response, message, request);
            });
        });
    }

    async start() {
        await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
        this.url = `http://127.0.0.1:${this.server.address().port}/hook`;
        return this;
    }

    close() {
        this.server.closeAllConnections();
        return new Promise((resolve) => this.server.close(resolve));
    }

    /* The messages received, as JSON with their headers. */
    messages() {
        return this.got.map((one) => ({ ...JSON.parse(one.body), id: one.headers['webhook-id'] }));
    }

    /* Waits until n messages have arrived, and returns the first n. */
    async count(n, patience) {
        await eventually(() => this.got.length, (now) => now >= n, `${n} messages`, patience);
        return this.messages().slice(0, n).map(isDescribedMessage);
    }
}

module.exports = { Receiver, SECRET, signature };
