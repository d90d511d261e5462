/* SPDX-License-Identifier: Apache-2.0 */
/* A small shop on its own origin: plain pages with Holdfast's components, and a back end that takes payments.
 *
 *   HOLDFAST=http://127.0.0.1:8080 HOLDFAST_KEY=hf_app_… PORT=3000 node server.js
 *
 * The browser talks to Holdfast directly: it chooses, holds and counts down. It comes here to pay:
 *
 *   GET  /pay?order=res_…    the form; this is where the basket's "Pay" leads
 *   POST /pay                charges the card, informs Holdfast, leads to the tickets or back to the form
 *   POST /pay-back           pays back what is owed according to Holdfast
 *
 * `charge` and `payBack` are where a real shop calls its payment provider. See README.md.
 */
'use strict';

const crypto = require('node:crypto');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');

const PAGES = path.join(__dirname, 'public');
const TYPES = { '.html': 'text/html; charset=utf-8', '.css': 'text/css; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.svg': 'image/svg+xml' };
const IN_PAGES = 'http://127.0.0.1:8080'; /* the address of Holdfast in the pages, as written */
const DECLINED = '4000000000000002';
const BODY_MAX = 4096;

/* ---- Holdfast, with the app key: it never leaves this process ---- */

function holdfastAt(url, key) {
    return async (method, path, body) => {
        const answer = await fetch(`${url}${path}`, {
            method,
            headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
            body: body && JSON.stringify(body),
        });
        const json = await answer.json();
        if (!answer.ok) {
            throw Object.assign(new Error(json.detail), { status: answer.status, ...json });
        }
        return json;
    };
}

/* ---- The payment: no money moves in this example ---- */

async function charge(card, amount) {
    if (card.replaceAll(' ', '') === DECLINED) {
        return { declined: true };
    }
    return { ref: `card_${crypto.randomUUID()}`, amount };
}

/* With its own key for each: a repeated request pays once. */
async function payBack(key, ref, amount) {
    console.log(`${key}: paid back ${amount.amount} ${amount.currency} of ${ref}`);
}

/* ---- What the shop does ---- */

/* Charged only while it is held: a late buyer pays nothing. If something still goes wrong after the charge, Holdfast
 * reports a refund due. */
async function pay(holdfast, order, card) {
    const at = `/v1/reservations/${encodeURIComponent(order)}`;
    const { status } = await holdfast('GET', at);
    if (status === 'confirmed') {
        return 'paid';
    }
    if (status !== 'held') {
        return 'too_late';
    }
    const { total } = await holdfast('POST', `${at}/payment`); /* time to pay; nothing in it changes from here on */
    const payment = await charge(card, total);
    if (payment.declined) {
        return 'declined';
    }
    try {
        await holdfast('POST', `${at}/commit`, { payment_method: 'card', payment_ref: payment.ref, amount: payment.amount });
        return 'paid';
    } catch (problem) {
        if (!problem.refund_due) {
            throw problem;
        }
        await settle(holdfast);
        return 'too_late';
    }
}

async function settle(holdfast) {
    const { data } = await holdfast('GET', '/v1/refunds-due');
    const due = data.filter(({ disputed }) => !disputed); /* the bank decides about disputed ones */
    for (const { id, payment_ref: ref, amount } of due) {
        await payBack(id, ref, amount);
        await holdfast('POST', `/v1/refunds-due/${id}/done`, { amount });
    }
    return due.length;
}

/* ---- The web ---- */

/* What a page with the components has to allow: modules, calls and ticket pictures from Holdfast. Nothing inline. */
const policy = (holdfast) => `default-src 'self'; script-src 'self' ${holdfast}; connect-src 'self' ${holdfast}; ` +
    `img-src 'self' data: ${holdfast}; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; ` +
    "require-trusted-types-for 'script'";

function sendPage(response, url, holdfast) {
    const name = url.pathname === '/' ? 'index.html' : path.extname(url.pathname) ? url.pathname.slice(1) : `${url.pathname.slice(1)}.html`;
    if (!/^[a-z]+\.[a-z]+$/.test(name) || !fs.existsSync(path.join(PAGES, name))) {
        response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('No such page.\n');
        return;
    }
    const text = fs.readFileSync(path.join(PAGES, name), 'utf8').replaceAll(IN_PAGES, holdfast);
    response.writeHead(200, { 'Content-Type': TYPES[path.extname(name)], 'Content-Security-Policy': policy(holdfast),
        'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache' }).end(text);
}

async function formOf(request) {
    let body = '';
    for await (const part of request.setEncoding('utf8')) {
        body += part;
        if (body.length > BODY_MAX) {
            throw Object.assign(new Error('Too long.'), { status: 413 });
        }
    }
    return new URLSearchParams(body);
}

async function answer(request, response, { holdfast, call }) {
    const asked = new URL(request.url, 'http://shop');
    const to = (where) => response.writeHead(303, { Location: where }).end();
    if (request.method === 'POST' && asked.pathname === '/pay') {
        const form = await formOf(request);
        const order = form.get('order') ?? '';
        const came = await pay(call, order, form.get('card') ?? '');
        const query = `order=${encodeURIComponent(order)}`;
        to(came === 'paid' ? `/thanks?${query}` : `/pay?${query}&${came}`);
    } else if (request.method === 'POST' && asked.pathname === '/pay-back') {
        response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ paid_back: await settle(call) }));
    } else if (request.method === 'GET' || request.method === 'HEAD') {
        sendPage(response, asked, holdfast);
    } else {
        response.writeHead(405, { Allow: 'GET, HEAD, POST' }).end();
    }
}

/* A handler for http.createServer. */
function shop({ holdfast, key }) {
    const call = holdfastAt(holdfast, key);
    return async (request, response) => {
        try {
            await answer(request, response, { holdfast, call });
        } catch (problem) {
            response.writeHead(problem.status ?? 502, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${problem.message}\n`);
        }
    };
}

module.exports = { shop };

if (require.main === module) {
    const { HOLDFAST = IN_PAGES, HOLDFAST_KEY, PORT = '3000' } = process.env;
    if (!HOLDFAST_KEY) {
        console.error('HOLDFAST_KEY: expected an app key');
        process.exit(64);
    }
    const server = http.createServer(shop({ holdfast: HOLDFAST, key: HOLDFAST_KEY }));
    server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
}
