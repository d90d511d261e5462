/* SPDX-License-Identifier: Apache-2.0 */
/* Receives webhooks, verifies them and prints what happened, once for each message.
 *
 *   HOOK_SECRET=whsec_… PORT=3000 node receive.js */
'use strict';

const http = require('node:http');
const { Webhook } = require('standardwebhooks');

const webhook = new Webhook(process.env.HOOK_SECRET);
const handled = new Set(); /* a shop would keep this in its database, together with the effect of the message */

const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part) => (body += part));
    request.on('end', () => {
        let message;
        try {
            message = webhook.verify(body, request.headers);
        } catch {
            response.writeHead(401).end();
            return;
        }
        const id = request.headers['webhook-id'];
        if (!handled.has(id)) {
            handled.add(id);
            const { reservation_id, status, reason } = message.data;
            console.log(message.type, reservation_id, reason ?? status); /* a refund due has a reason */
        }
        response.writeHead(204).end();
    });
});
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
