/* SPDX-License-Identifier: Apache-2.0 */
/* python.js — api.py with a method for each operation, types.py with the records. For Python 3.9: no NotRequired and no
 * Unpack, so a record with optional members is two classes. */
import { pageOf, pascal, variants } from './description.js';

const NOTE = '# SPDX-License-Identifier: Apache-2.0\n# Made from the description of the API by clients/generate.\n';
const PLAIN = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };
const RESERVED = new Set(['from', 'class', 'global', 'import', 'not', 'pass', 'is', 'in', 'def']);

const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const safe = (name) => (RESERVED.has(name) ? `${name}_` : name);
const text = (it) => JSON.stringify(it ?? '');
const doc = (it, indent) => (it ? `${indent}"""${it.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"""\n` : '');

/* ---- Types ---- */

/* Keys that cannot be members of a class need the other form. */
const isReserved = ({ key }) => RESERVED.has(key) || !/^\w+$/.test(key);
const lines = (members) => members.map(({ key, type }) => `    ${key}: ${type}\n`).join('');
const part = ({ name, members, total }) => (members.some(isReserved)
    ? `${name} = TypedDict("${name}", {${members.map(({ key, type }) => `"${key}": ${type}`).join(', ')}}${total})\n`
    : `class ${name}(TypedDict${total}):\n${lines(members)}`);
const ownClass = (name, bases, { members, total }, description) =>
    `class ${name}(${bases.map((one) => one.name).join(', ') || 'TypedDict'}${total}):\n${`${doc(description, '    ')}${lines(members)}` || '    pass\n'}`;

/* Declares records, and those inside them, in the order in which they are needed; refers to each by its name. */
class Types {
    declared = new Map();

    union(types) {
        const some = [...new Set(types)];
        return some.length === 1 ? some[0] : `Union[${some.join(', ')}]`;
    }

    /* `name` is for a record without one of its own. */
    of(schema, name) {
        if (schema.$ref) {
            return `"${pascal(schema.$ref.split('/').at(-1))}"`;
        }
        if (schema.oneOf) {
            return this.union(schema.oneOf.map((one, i) => this.of(one, `${name}${i + 1}`)));
        }
        if (schema.enum) {
            const words = schema.enum.filter((one) => one !== null);
            const literal = `Literal[${words.map(text).join(', ')}]`;
            return words.length < schema.enum.length ? `Optional[${literal}]` : literal;
        }
        return this.union([schema.type ?? 'any'].flat().map((type) => {
            if (type === 'array') {
                return `List[${this.of(schema.items, `${name}Item`)}]`;
            }
            return type === 'object' ? this.object(schema, name) : PLAIN[type] ?? 'Any';
        }));
    }

    object(schema, name) {
        if (!schema.properties) {
            const { additionalProperties: more } = schema;
            return `Dict[str, ${more && more !== true ? this.of(more, `${name}Value`) : 'Any'}]`;
        }
        const page = pageOf(schema);
        const named = page?.$ref ? `${pascal(page.$ref.split('/').at(-1))}Page` : name;
        this.record(named, page?.$ref ? { ...schema, description: 'A page of a list.' } : schema);
        return `"${named}"`;
    }

    record(name, { properties, required = [], description }) {
        if (this.declared.has(name)) {
            return;
        }
        this.declared.set(name, '');
        const members = Object.entries(properties).map(([key, one]) => ({ key, type: this.of(one, name + pascal(key)), needed: required.includes(key) }));
        const parts = [true, false].map((needed) => ({ members: members.filter((one) => one.needed === needed), total: needed ? '' : ', total=False' }))
            .filter((part) => part.members.length);
        const own = parts.find((part) => !part.members.some(isReserved)) ?? { members: [], total: '' };
        const bases = parts.filter((part) => part !== own).map((part) => ({ ...part, name: `_${name}${part.total && 'Optional'}` }));
        this.declared.set(name, [...bases.map(part), ownClass(name, bases, own, description)].join('\n\n'));
    }

    declare(name, schema) {
        if (schema.properties && schema.type === 'object') {
            this.record(name, schema);
        } else {
            this.declared.set(name, `${name} = ${this.of(schema, name)}\n`);
        }
    }
}

/* ---- Methods ---- */

const OPTIONS = {
    key: 'key: Optional[str] = None', pass: 'waiting_room_pass: Optional[str] = None',
    min_seq: 'min_seq: Optional[int] = None', if_match: 'if_match: Optional[str] = None',
};
const SENT = { key: 'key=key', pass: 'waiting_room_pass=waiting_room_pass', min_seq: 'min_seq=min_seq', if_match: 'if_match=if_match' };

function answerType(types, { id, answer: { kind, schemas, empty } }) {
    if (kind === 'json') {
        return types.union([...schemas.map((one) => types.of(one, `${pascal(id)}Answer`)), ...(empty ? ['None'] : [])]);
    }
    return { text: 'str', bytes: 'bytes', none: 'None', stream: 'Iterator[StreamEvent]' }[kind];
}

function method(types, one) {
    const { id, method: verb, path, segments, query, body, answer, options, accept } = one;
    const asked = body ? [] : query;
    const bodyType = body && `${pascal(id)}Body`;
    const stream = answer.kind === 'stream';
    const arguments_ = [
        'self', ...segments.map((name) => `${safe(name)}: str`),
        ...(body ? [`body: ${body.required ? '' : 'Optional['}${body.csv ? `Union["${bodyType}", str]` : `"${bodyType}"`}${body.required ? '' : '] = None'}`] : []),
    ];
    const named = [
        ...asked.filter(({ required }) => required).map(({ name, schema }) => `${safe(name)}: ${types.of(schema)}`),
        ...asked.filter(({ required }) => !required).map(({ name, schema }) => `${safe(name)}: Optional[${types.of(schema)}] = None`),
        ...options.map((name) => OPTIONS[name]), ...(stream ? ['last_event_id: Optional[str] = None'] : []),
    ];
    const signature = [...arguments_, ...(named.length ? ['*', ...named] : [])].join(', ');
    const target = segments.length ? `f"${path.replace(/\{(\w+)\}/g, (_, name) => `{segment(${safe(name)})}`)}"` : `"${path}"`;
    const sent = [
        ...(asked.length ? [`query={${asked.map(({ name }) => `"${name}": ${safe(name)}`).join(', ')}}`] : []),
        ...(body ? [`body=${body.required ? 'body' : 'body or {}'}`] : []), ...(body?.csv ? ['within=UPLOAD_SECONDS'] : []),
        ...(accept ? [`accept="${accept}"`] : []), ...options.map((name) => SENT[name]),
        ...(stream ? ['last_event_id=last_event_id'] : []),
    ];
    const call = stream ? `self.follow(${[target, ...sent].join(', ')})` : `self.call(${[`"${verb}"`, target, ...sent].join(', ')})`;
    const type = answerType(types, one);
    return `    def ${snake(id)}(${signature}) -> ${type}:\n${doc(`${one.summary}\n\n        ${one.about}`, '        ')}` +
        `        return ${stream || type === 'None' ? call : `cast(${JSON.stringify(type.replaceAll('"', ''))}, ${call})`}\n`;
}

export function python(api) {
    const types = new Types();
    [...api.records, ...api.messages].forEach(([name, schema]) => types.declare(name, schema));
    api.operations.filter(({ body }) => body).forEach(({ id, body }) => types.declare(`${pascal(id)}Body`, body.schema));
    const methods = api.operations.flatMap(variants).map((one) => method(types, one));
    types.declared.set('HookMessage', `HookMessage = Union[${api.messages.map(([name]) => `"${name}"`).join(', ')}]\n`);
    const names = [...types.declared.keys()];
    const imported = names.map((name) => `    ${name},\n`).join('');
    return {
        'types.py': `${NOTE}"""The records of the API."""
from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

${[...types.declared.values()].map((one) => `\n${one}`).join('\n')}`,
        'api.py': `${NOTE}"""A method for each operation of the API."""
from typing import Any, Dict, Iterator, List, Literal, Optional, Union, cast

from .client import UPLOAD_SECONDS, Client, StreamEvent, segment
from .types import (
${imported})


class Holdfast(Client):
    """A Holdfast server. Refusals are raised as holdfast.Problem."""

${methods.join('\n')}`,
    };
}
