/* SPDX-License-Identifier: Apache-2.0 */
/* description.js — /openapi.json as the generators need it: operations by their ids, records by their names. */
/* The record of a refusal is called otherwise than the error that carries it. */
export const pascal = (name) => (name === 'problem' ? 'ProblemBody' : name).split(/[_.\s]+/).map((part) => part[0].toUpperCase() + part.slice(1)).join('');

/* What headers are called in the options of a method. */
export const HEADERS = {
    'Idempotency-Key': 'key', 'Holdfast-Pass': 'pass', 'Holdfast-Min-Seq': 'min_seq', 'If-Match': 'if_match',
};

/* The record in a page of a list; null: it is no page. */
export function pageOf(schema) {
    const names = Object.keys(schema.properties ?? {});
    return names.join() === 'data,next_cursor' ? schema.properties.data.items : null;
}

function bodyOf({ required, content } = {}) {
    const { schema } = content?.['application/json'] ?? {};
    return schema ? { schema, required, csv: 'text/csv' in content } : null;
}

/* What a method returns: json of any of `schemas` (or nothing, if `empty`), text, bytes, a stream, or none. */
function answerOf(responses) {
    const good = Object.entries(responses).filter(([status]) => status.startsWith('2')).map(([, response]) => response);
    const contents = good.map(({ content }) => content).filter(Boolean);
    const types = new Set(contents.flatMap((content) => Object.keys(content)));
    const csv = types.delete('text/csv');
    if (types.has('text/event-stream')) {
        return { kind: 'stream', events: contents[0]['text/event-stream']['x-events'] };
    }
    if (types.has('application/json')) {
        const schemas = new Map(contents.map((content) => content['application/json'].schema).map((one) => [JSON.stringify(one), one]));
        return { kind: 'json', schemas: [...schemas.values()], empty: contents.length < good.length, csv };
    }
    const [type] = types;
    return { kind: type === undefined ? 'none' : type === 'image/png' ? 'bytes' : 'text' };
}

function operationOf(document, path, method, call) {
    const parameters = call.parameters.map((one) => (one.$ref ? document.components.parameters[one.$ref.split('/').at(-1)] : one));
    const within = (place) => parameters.filter((one) => one.in === place);
    return {
        id: call.operationId, method: method.toUpperCase(), path, summary: call.summary, about: call.description,
        auth: !call.security.some((one) => Object.keys(one).length === 0),
        segments: within('path').map(({ name }) => name), query: within('query'),
        options: within('header').map(({ name }) => HEADERS[name]).filter(Boolean),
        body: bodyOf(call.requestBody), answer: answerOf(call.responses),
    };
}

/* The ways to call an operation: where an answer has a CSV form, that has a method of its own. */
export const variants = (one) => (one.answer.csv ? [one,
    { ...one, id: `${one.id}Csv`, queryOf: one.id, answer: { kind: 'text' }, accept: 'text/csv' }] : [one]);

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

export function describe(document) {
    const paths = Object.entries(document.paths).filter(([, item]) => !item['x-alias-of']);
    return {
        version: document.info.version,
        operations: paths.flatMap(([path, item]) => METHODS.filter((method) => item[method])
            .map((method) => operationOf(document, path, method, item[method]))),
        records: Object.entries(document.components.schemas).map(([name, schema]) => [pascal(name), schema]),
        messages: Object.values(document.webhooks).map(({ post }) => [`${pascal(post.operationId)}Message`, {
            description: post.summary, ...post.requestBody.content['application/json'].schema,
        }]),
        codes: document.components.schemas.problem.properties.code.enum,
    };
}
