/* SPDX-License-Identifier: Apache-2.0 */
/* schema.js — whether a value matches a JSON schema: the part of JSON Schema that /openapi.json uses for bodies.
 *
 * An unknown keyword is an error, so that nothing in a description goes unchecked.
 */
'use strict';

const assert = require('node:assert/strict');
const { INSTANT } = require('./expect.js');

const KEYWORDS = [
    'type', 'enum', 'required', 'properties', 'additionalProperties', 'items', 'oneOf', 'allOf', 'format', '$ref',
    'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'maxProperties',
    /* These say nothing about the value. */
    'description', 'default', 'examples', 'readOnly', 'contentMediaType', 'contentSchema',
];
/* Lengths of texts are bytes. */
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const sizeOf = (value) => (Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length
    : typeof value === 'string' ? Buffer.byteLength(value) : value);
const TYPES = {
    string: (value) => typeof value === 'string',
    integer: (value) => Number.isSafeInteger(value),
    number: (value) => Number.isFinite(value),
    boolean: (value) => typeof value === 'boolean',
    null: (value) => value === null,
    array: Array.isArray,
    object: isObject,
};
const brief = (value) => JSON.stringify(value)?.slice(0, 200);

/* The schemas of one document. `check` returns what is wrong with a value, or undefined. Instants have the form of
 * answers, unless another form is given. */
class Schemas {
    constructor(document, { instant = INSTANT } = {}) {
        this.document = document;
        this.form = instant;
        this.made = new Map(); /* schema → its check */
        this.onRecord = undefined; /* called with the name and the value of each record that matches */
    }

    check(schema, value) {
        return this.of(schema)(value);
    }

    of(schema) {
        let check = this.made.get(schema);
        if (!check) {
            /* Entered before it is made: a schema can contain itself. */
            this.made.set(schema, (value) => check(value));
            check = this.make(schema);
            this.made.set(schema, check);
        }
        return check;
    }

    make(schema) {
        for (const keyword of Object.keys(schema)) {
            assert.ok(KEYWORDS.includes(keyword), `${keyword} is not understood: ${brief(schema)}`);
        }
        if ('$ref' in schema) {
            return this.reference(schema);
        }
        if ('oneOf' in schema) {
            return this.choice(schema.oneOf);
        }
        if ('allOf' in schema) {
            return this.every(schema.allOf.map((one) => this.of(one)));
        }
        if (schema.readOnly && !schema.type) {
            return () => undefined; /* ignored, whatever it is */
        }
        assert.ok(schema.type, `no type: ${brief(schema)}`);
        return this.every(['type', 'word', 'instant', 'bounds', 'members', 'items'].map((kind) => this[kind](schema)).filter(Boolean));
    }

    every(checks) {
        return (value) => {
            for (const check of checks) {
                const fault = check(value);
                if (fault) {
                    return fault;
                }
            }
            return undefined;
        };
    }

    reference({ $ref: place }) {
        const parts = place.split('/');
        assert.equal(parts.shift(), '#', place);
        const schema = parts.reduce((at, part) => at?.[part], this.document);
        assert.ok(schema, `${place} is not there`);
        const check = this.of(schema);
        const name = parts.at(-1);
        return (value) => {
            const fault = check(value);
            if (fault) {
                return `${fault} (${name})`;
            }
            this.onRecord?.(name, value);
            return undefined;
        };
    }

    choice(schemas) {
        const checks = schemas.map((one) => this.of(one));
        return (value) => {
            const faults = checks.map((check) => check(value)).filter(Boolean);
            const fits = checks.length - faults.length;
            return fits === 1 ? undefined : `fits ${fits} of ${checks.length}, not one: ${faults.join('; ')}`;
        };
    }

    type({ type }) {
        const wanted = [].concat(type);
        wanted.forEach((one) => assert.ok(TYPES[one], `no such type: ${one}`));
        return (value) => (wanted.some((one) => TYPES[one](value)) ? undefined : `is not ${wanted}: ${brief(value)}`);
    }

    word({ enum: words }) {
        const known = words && new Set(words);
        return known && ((value) => (known.has(value) ? undefined : `is none of ${words}: ${brief(value)}`));
    }

    instant({ format }) {
        if (format === undefined) {
            return undefined;
        }
        assert.equal(format, 'date-time');
        return (value) => (value === null || this.form.test(value) ? undefined : `is no instant: ${brief(value)}`);
    }

    bounds(schema) {
        const least = schema.minimum ?? schema.minLength ?? schema.minItems ?? -Infinity;
        const most = schema.maximum ?? schema.maxLength ?? schema.maxItems ?? schema.maxProperties ?? Infinity;
        return (value) => {
            const size = value === null ? least : sizeOf(value);
            return size < least || size > most ? `is not within ${least} and ${most}: ${brief(value)}` : undefined;
        };
    }

    items({ items }) {
        const check = items && this.of(items);
        return check && ((value) => {
            for (let i = 0; value !== null && i < value.length; i++) {
                const fault = check(value[i]);
                if (fault) {
                    return `/${i}${fault[0] === '/' ? '' : ' '}${fault}`;
                }
            }
            return undefined;
        });
    }

    members({ properties = {}, required = [], additionalProperties = true }) {
        const checks = new Map(Object.entries(properties).map(([name, one]) => [name, this.of(one)]));
        const other = isObject(additionalProperties) ? this.of(additionalProperties) : undefined;
        required.forEach((name) => assert.ok(checks.has(name), `${name} is required, but not described`));
        return (value) => {
            if (!isObject(value)) {
                return undefined;
            }
            const missing = required.find((name) => !Object.hasOwn(value, name));
            if (missing) {
                return `/${missing} is missing`;
            }
            for (const name of Object.keys(value)) {
                const check = checks.get(name) ?? other;
                const fault = check ? check(value[name]) : additionalProperties ? undefined : 'is not described';
                if (fault) {
                    return `/${name}${fault[0] === '/' ? '' : ' '}${fault}`;
                }
            }
            return undefined;
        };
    }
}

module.exports = { Schemas };
