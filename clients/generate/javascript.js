/* SPDX-License-Identifier: Apache-2.0 */
/* javascript.js — index.js with a method for each operation, index.d.ts with its types, types.d.ts with the records. */
import { pageOf, pascal, variants } from './description.js';

const NOTE = '/* SPDX-License-Identifier: Apache-2.0 */\n/* Made from the description of the API by clients/generate. */\n';

/* ---- Types ---- */

const known = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
const comment = (text, before = '') => (text ? `${before}/** ${text.replaceAll('*/', '* /')} */\n` : '');
const PLAIN = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' };

function objectType({ properties, required = [], additionalProperties: more }, indent) {
    if (!properties) {
        return `Record<string, ${more && more !== true ? typeOf(more, indent) : 'unknown'}>`;
    }
    const inner = `${indent}    `;
    const members = Object.entries(properties).map(([name, one]) =>
        `${comment(one.description, inner)}${inner}${known(name)}${required.includes(name) ? '' : '?'}: ${typeOf(one, inner)};\n`);
    return `{\n${members.join('')}${indent}}`;
}

function typeOf(schema, indent = '') {
    if (schema.$ref) {
        return pascal(schema.$ref.split('/').at(-1));
    }
    if (schema.oneOf) {
        return schema.oneOf.map((one) => typeOf(one, indent)).join(' | ');
    }
    if (schema.enum) {
        return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
    }
    const page = pageOf(schema);
    return page ? `Page<${typeOf(page, indent)}>` : [schema.type ?? 'any'].flat().map((type) => {
        if (type === 'array') {
            const item = typeOf(schema.items, indent);
            return / /.test(item) ? `Array<${item}>` : `${item}[]`;
        }
        return type === 'object' ? objectType(schema, indent) : PLAIN[type] ?? 'unknown';
    }).join(' | ');
}

const declare = (name, schema) => comment(schema.description) + (schema.properties && schema.type === 'object'
    ? `export interface ${name} ${objectType(schema, '')}\n` : `export type ${name} = ${typeOf(schema)};\n`);

function typesFile({ records, messages, codes, operations }) {
    const bodies = operations.filter(({ body }) => body).map(({ id, body }) => [`${pascal(id)}Body`, body.schema]);
    const queries = operations.filter(({ query }) => query.length).map(({ id, query }) => [`${pascal(id)}Query`, {
        type: 'object', required: query.filter((one) => one.required).map(({ name }) => name),
        properties: Object.fromEntries(query.map(({ name, description, schema }) => [name, { ...schema, description }])),
    }]);
    return [
        `${NOTE}\n/** A page of a list. */\nexport interface Page<T> {\n    data: T[];\n    next_cursor: string | null;\n}\n`,
        declare('ProblemCode', { description: 'The stable codes of refusals.', enum: codes }),
        ...[...records, ...messages, ...bodies, ...queries].map(([name, schema]) => declare(name, schema)),
        declare('HookMessage', { description: 'A message to a hook.', oneOf: messages.map(([name]) => ({ $ref: `#/${name}` })) }),
    ].join('\n');
}

/* ---- Methods ---- */

function answerType({ kind, schemas, empty, events }) {
    if (kind === 'stream') {
        return Object.entries(events).map(([name, schema]) => `StreamEvent<${typeOf(schema)}, ${JSON.stringify(name)}>`).join(' | ');
    }
    return kind === 'json' ? [...schemas.map((one) => typeOf(one, '    ')), ...(empty ? ['null'] : [])].join(' | ')
        : { text: 'string', bytes: 'Blob', none: 'null' }[kind];
}

/* [name, type] of the arguments. */
function argumentsOf({ id, queryOf = id, segments, query, body, answer }) {
    const paths = segments.map((name) => [name, 'string']);
    if (answer.kind === 'stream') {
        return [...paths, ['options', `FollowOptions<${answerType(answer)}>`]];
    }
    const sent = body ? [[body.required ? 'body' : 'body?', `${pascal(id)}Body${body.csv ? ' | string' : ''}`]] : [];
    const asked = !body && query.length ? [[query.some((one) => one.required) ? 'query' : 'query?', `${pascal(queryOf)}Query`]] : [];
    return [...paths, ...sent, ...asked, ['options?', 'CallOptions']];
}

const declaration = (one) => `${comment(`${one.summary} ${one.about}`, '    ')}    ${one.id}(${argumentsOf(one)
    .map(([name, type]) => `${name}: ${type}`).join(', ')}): Promise<${one.answer.kind === 'stream' ? 'void' : answerType(one.answer)}>;\n`;

function method(one) {
    const given = argumentsOf(one).map(([name]) => name.replace('?', ''));
    const parameters = given.map((name) => (name === 'body' && !one.body.required ? 'body = {}' : name));
    const target = one.segments.length ? `\`${one.path.replace(/\{(\w+)\}/g, (_, name) => `\${segment(${name})}`)}\`` : `'${one.path}'`;
    const options = [
        one.auth && 'auth: true', given.includes('body') && 'body', given.includes('query') && 'query',
        one.body?.csv && 'within: UPLOAD_MS', one.accept && `accept: '${one.accept}'`, '...options',
    ].filter(Boolean);
    const sent = options.length > 1 ? `{ ${options.join(', ')} }` : 'options';
    const call = one.answer.kind === 'stream' ? `this.follow(${target}, ${sent})`
        : `this.call('${one.method}', ${target}, ${sent})`;
    return `    ${one.id}(${parameters.join(', ')}) {\n        return ${call};\n    }\n`;
}

export function javascript(api) {
    const calls = api.operations.flatMap(variants);
    const types = typesFile(api);
    const names = [...types.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    return {
        'index.js': `${NOTE}import { Holdfast as Client, UPLOAD_MS } from '../src/client.js';

export { Clock } from '../src/client.js';
export * from '../src/problem.js';

const segment = encodeURIComponent;

export class Holdfast extends Client {
${calls.map(method).join('\n')}}
`,
        'index.d.ts': `${NOTE}import { Holdfast as Client, type CallOptions, type FollowOptions, type StreamEvent } from '../src/client.js';
import type { ${names.join(', ')} } from './types.js';

export * from './types.js';
export { Clock, type CallOptions, type FollowOptions, type HoldfastOptions, type Item, type StreamEvent } from '../src/client.js';
export * from '../src/problem.js';

export class Holdfast extends Client {
${calls.map(declaration).join('')}}
`,
        'types.d.ts': types,
    };
}
