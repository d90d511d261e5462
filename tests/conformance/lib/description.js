/* SPDX-License-Identifier: Apache-2.0 */
/* description.js — checks every answer against /openapi.json.
 *
 * The first server that a test file starts is asked for its description. From then on every answer, every event of a
 * stream and every refusal that comes through lib/http.js must match it.
 */
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { Schemas } = require('./schema.js');

/* Marks a path as an alias of another. */
const ALIAS = 'x-alias-of';
/* [path, operations] without the aliases. */
const pathsOf = (document) => Object.entries(document.paths).filter(([, operations]) => !operations[ALIAS]);

const INTERNAL = 'misdirected'; /* only between nodes that share a log, so it is not described */

class Description {
    constructor(document) {
        this.document = document;
        this.schemas = new Schemas(document);
        this.general = codesOf(document.components.responses.general); /* returned before a route is known */
        this.problem = {
            content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/problem' } } },
        };
        this.seen = new Set(); /* 'get /v1/events 200' */
        /* What is seen at an alias counts for its path. */
        this.routes = Object.entries(document.paths).map(
            ([path, operations]) => ({ path: operations[ALIAS] ?? path, operations, fits: pattern(path) })
        );
        /* A literal path comes before one with parameters, and '{calendar}.ics' before '{calendar}'. */
        this.routes.sort((a, b) => a.path.includes('{') - b.path.includes('{') || b.path.length - a.path.length);
    }

    route(target) {
        const path = target.split('?')[0];
        return this.routes.find((one) => one.fits.test(path));
    }

    /* The object itself, or the one it refers to. */
    resolve(it) {
        return it?.$ref ? it.$ref.split('/').slice(1).reduce((at, part) => at[part], this.document) : it;
    }

    /* The description of the answer to a request; refusals before routing are described for all. */
    response(method, target, { status, json }) {
        const called = method === 'HEAD' ? 'get' : method.toLowerCase();
        const route = this.route(target);
        const found = this.resolve(route?.operations[called]?.responses[status]);
        const code = status >= 400 ? json?.code : undefined;
        if (found && (code === undefined || codesOf(found).includes(code))) {
            this.seen.add(`${called} ${route.path} ${status}`);
            this.seen.add(`${called} ${route.path} ${status} ${code}`);
            return found;
        }
        const open = !route?.operations[called] || this.general.includes(code);
        return status >= 400 && (open || method === 'HEAD') ? this.problem : undefined;
    }

    /* What is wrong with an answer, or undefined. */
    fault(method, target, answer) {
        if (target.startsWith('/demo/')) {
            return undefined; /* only in `holdfast demo`, not part of the contract */
        }
        if (answer.status >= 400 && answer.json?.code === INTERNAL) {
            return undefined;
        }
        const response = this.response(method, target, answer);
        if (!response) {
            return 'this status, or its code here, is not described';
        }
        /* Given up with its connection: in place of the answer, with its headers, that must not be sent. */
        const bare = answer.json?.code === 'undecided' && answer.headers.connection === 'close';
        const wrong = response === this.problem || bare ? undefined : this.headerFault(response, answer);
        if (wrong || !response.content) {
            return wrong ?? (answer.size === 0 ? undefined : 'has a body, but none is described');
        }
        const type = (answer.headers['content-type'] ?? '').split(';')[0];
        const media = response.content[type];
        if (!media) {
            return `the type ${type} is not described`;
        }
        return method === 'HEAD' ? undefined : this.schemas.check(media.schema, answer.json ?? answer.text);
    }

    /* Of the described headers exactly the expected ones are present. */
    headerFault({ headers: told = {} }, { headers }) {
        for (const [name, described] of Object.entries(this.document.components.headers)) {
            const [sent, here] = [headers[name.toLowerCase()], told[name]];
            if (sent !== undefined ? !here : here && described.required) {
                return `${name} is ${sent === undefined ? 'missing' : 'not described'}`;
            }
            const fault = sent !== undefined && this.schemas.check(
                described.schema, described.schema.type === 'integer' ? Number(sent) : sent
            );
            if (fault) {
                return `${name} ${fault}`;
            }
        }
        return undefined;
    }

    eventFault(target, { name, json }) {
        const { content } = this.response('GET', target, { status: 200 });
        const schema = content['text/event-stream']['x-events'][name];
        return schema ? this.schemas.check(schema, json) : 'is not described';
    }
}

/* The codes of a described refusal. */
function codesOf({ content = {} }) {
    const [, narrowed] = content['application/problem+json']?.schema.allOf ?? [];
    return narrowed?.properties.code.enum ?? [];
}

/* A path of the description as an expression: a parameter is a segment or the beginning of one. */
function pattern(path) {
    const parts = path.split(/\{[^}]+\}/).map((part) => part.replace(/[.]/g, '\\.'));
    return new RegExp(`^${parts.join('[^/]+')}$`);
}

function fetchDocument(url) {
    return new Promise((resolve, reject) => {
        http.get(`${url}/openapi.json`, { agent: false }, (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (part) => (text += part));
            response.on('error', reject).on('end', () => resolve(JSON.parse(text)));
        }).on('error', reject);
    });
}

let known; /* all servers of a run are the same program */

async function learn(url) {
    known ??= new Description(await fetchDocument(url));
    return known;
}

function isDescribed(method, target, answer) {
    const fault = method === 'OPTIONS' ? undefined : known?.fault(method, target, answer);
    assert.ok(!fault, `${answer.status}, but ${fault}\n${answer.text.slice(0, 1000)}`);
    return answer;
}

/* An answer to an unknown request: if it is a refusal, it looks like one. */
function isDescribedProblem(answer) {
    const refusal = /^application\/problem\+json/.test(answer.headers['content-type']);
    return refusal ? isDescribed('GET', '*', answer) : answer;
}

function isDescribedEvent(target, event) {
    const fault = known?.eventFault(target, event);
    assert.ok(!fault, `${target} sends ${event.name}: ${fault}\n${event.data.slice(0, 1000)}`);
}

/* A message to a hook, with the id of its header. */
function isDescribedMessage(message) {
    const { id, ...body } = message;
    const operation = known?.document.webhooks[body.type]?.post;
    const fault = known && (operation ? known.schemas.check(operation.requestBody.content['application/json'].schema, body) : 'is not described');
    assert.ok(!fault, `${id}: ${fault}\n${JSON.stringify(body).slice(0, 1000)}`);
    return message;
}

module.exports = { ALIAS, pathsOf, codesOf, learn, isDescribed, isDescribedProblem, isDescribedEvent, isDescribedMessage };
