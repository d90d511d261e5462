/* SPDX-License-Identifier: Apache-2.0 */
/* openapi.js — /openapi.json as a page shows it: operations in groups, and the fields of what they take and answer. */
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const DEPTH_MAX = 3; /* of fields within fields */

const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

export class Description {
    constructor(document) {
        this.document = document;
        const paths = Object.entries(document.paths).filter(([, calls]) => !calls['x-alias-of']); /* the same, at a shorter path */
        this.operations = paths.flatMap(([path, calls]) => METHODS.filter((method) => calls[method])
            .map((method) => this.#operation(path, method, calls[method])));
        this.groups = document.tags.map((tag) => ({ ...tag, id: `tag-${tag.name.replace(/\W+/g, '-')}`,
            operations: this.operations.filter((one) => one.tag === tag.name) })).filter(({ operations }) => operations.length);
    }

    /* What a reference stands for. */
    resolve(node) {
        let at = node;
        while (at?.$ref) {
            at = at.$ref.slice(2).split('/').reduce((into, key) => into?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], this.document);
        }
        return at;
    }

    #operation(path, method, call) {
        const parameters = (call.parameters ?? []).map((one) => this.resolve(one));
        const answers = Object.entries(call.responses).map(([status, response]) => this.#answer(status, this.resolve(response)));
        const operation = {
            id: call.operationId, method: method.toUpperCase(), path, tag: call.tags[0], summary: call.summary, about: call.description ?? '',
            who: (call.security ?? []).map((one) => Object.keys(one)[0] ?? 'anyone'),
            parameters, body: this.#body(call.requestBody), answers,
        };
        const names = [...parameters.map(({ name }) => name), ...answers.flatMap(({ codes }) => codes)];
        operation.text = [operation.method, path, operation.tag, operation.summary, operation.about, ...names].join(' ').toLowerCase();
        return operation;
    }

    /* The first type that it comes in, with every example. */
    #content(content = {}) {
        const [type, { schema, example, examples = {} } = {}] = Object.entries(content)[0] ?? [];
        const all = example === undefined ? Object.entries(examples).map(([name, one]) => ({ name, ...this.resolve(one) })) : [{ name: '', value: example }];
        return type ? { type, types: Object.keys(content), schema, examples: all } : null;
    }

    #body(body) {
        const found = this.resolve(body);
        return found ? { required: Boolean(found.required), ...this.#content(found.content) } : null;
    }

    #answer(status, response) {
        const content = this.#content(response.content);
        const problem = content?.type === 'application/problem+json';
        return { status, about: response.description, content: problem ? null : content, codes: problem ? this.#codes(content.schema) : [] };
    }

    /* Every problem has a code; what this answer adds to that names its own few. */
    #codes(schema) {
        const found = this.resolve(schema);
        const own = this.resolve(found?.properties?.code);
        const lists = [own?.enum ?? (own?.const ? [own.const] : []), ...(found?.allOf ?? []).map((one) => this.#codes(one))];
        return lists.filter((list) => list.length).sort((x, y) => x.length - y.length)[0] ?? [];
    }

    /* ---- Schemas ---- */

    /* In a few words: "integer 1…1000", "string[]", "free | busy". */
    typeOf(schema) {
        const at = this.resolve(schema) ?? {};
        if (at.enum) {
            return at.enum.map((one) => JSON.stringify(one)).join(' | ');
        }
        const kinds = [at.type ?? (at.properties ? 'object' : 'any')].flat();
        const range = at.minimum !== undefined || at.maximum !== undefined ? ` ${at.minimum ?? ''}…${at.maximum ?? ''}` : '';
        const many = (at.oneOf ?? at.anyOf)?.map((one) => this.typeOf(one));
        return many ? [...new Set(many)].join(' | ') : kinds.map((kind) => (kind === 'array' ? `${this.typeOf(at.items)}[]` : kind)).join(' | ') + range;
    }

    /* The ways in which a body may come: [{ name, fields }]. */
    forms(schema) {
        const at = this.resolve(schema) ?? {};
        const inner = at.type === 'array' ? this.resolve(at.items) : at;
        const list = inner.oneOf ?? inner.anyOf;
        return list ? list.map((one) => ({ name: this.#name(one), fields: this.fields(one) })) : [{ name: '', fields: this.fields(inner) }];
    }

    #name(schema) {
        return (schema.$ref?.split('/').pop() ?? this.resolve(schema).title ?? '').replaceAll('_', ' ');
    }

    /* Every field, those of objects inside by their whole name: "weights.eta", "items[].seat". */
    fields(schema, before = '', depth = 0) {
        const at = this.resolve(schema) ?? {};
        const own = Object.entries(at.properties ?? {}).flatMap(([name, property]) => {
            const field = this.resolve(property);
            const row = { name: before + name, type: this.typeOf(property), required: (at.required ?? []).includes(name),
                about: property.description ?? field.description ?? '', otherwise: field.default };
            const inner = field.items ? this.fields(field.items, `${before}${name}[].`, depth + 1) : this.fields(field, `${before}${name}.`, depth + 1);
            return depth + 1 < DEPTH_MAX ? [row, ...inner] : [row];
        });
        const some = depth && (at.oneOf ?? at.anyOf) ? this.#any(at.oneOf ?? at.anyOf, before, depth) : [];
        return [...own, ...(at.allOf ?? []).flatMap((one) => this.fields(one, before, depth)), ...some];
    }

    /* Of what comes in several forms: each field once, required if it is in all of them. */
    #any(forms, before, depth) {
        const lists = forms.map((one) => this.fields(one, before, depth));
        const names = [...new Set(lists.flat().map(({ name }) => name))];
        return names.map((name) => {
            const rows = lists.map((list) => list.find((one) => one.name === name));
            return { ...rows.find(Boolean), required: rows.every((one) => one?.required) };
        });
    }

    /* The groups with what has all these words in it. */
    search(text) {
        const words = wordsOf(text);
        return this.groups.map((group) => ({ ...group, operations: group.operations.filter((one) => words.every((word) => one.text.includes(word))) }))
            .filter(({ operations }) => operations.length);
    }
}
