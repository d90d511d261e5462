/* SPDX-License-Identifier: Apache-2.0 */
/* form.js — a record while it is filled in, and what is wrong with it, field by field.
 *
 * A field is known by the JSON pointer that the server would name it by: /hours/0/from. `draft` is the record as it would be
 * sent. What cannot be read stays as it was typed, is a fault of its field, and is not sent.
 */
import { mergePatch } from './merge_patch.js';

const steps = (pointer) => pointer.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
export const pointerTo = (...parts) => parts.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export class Form {
    constructor(draft, changed) {
        this.draft = structuredClone(draft);
        this.changed = changed;
        this.faults = new Map(); /* pointer → a sentence */
    }

    get(pointer) {
        return steps(pointer).reduce((value, step) => value?.[step], this.draft);
    }

    set(pointer, value) {
        const path = steps(pointer);
        const last = path.pop();
        const owner = path.reduce((inside, step) => (inside[step] ??= {}), this.draft);
        owner[last] = value;
        this.faults.delete(pointer);
        this.changed();
    }

    add(pointer, entry) {
        this.set(pointer, [...(this.get(pointer) ?? []), entry]);
    }

    remove(pointer, at) {
        for (const known of [...this.faults.keys()]) { /* those behind it have moved */
            known.startsWith(`${pointer}/`) && this.faults.delete(known);
        }
        this.set(pointer, this.get(pointer).filter((_, i) => i !== at));
    }

    refuse(pointer, sentence) {
        this.faults.set(pointer, sentence);
        this.changed();
    }

    get wrong() {
        return this.faults.size > 0;
    }

    /* Whether something was changed since it was `before`, or was typed that cannot be read. */
    differs(before) {
        return this.wrong || Object.keys(mergePatch(before, this.draft)).length > 0;
    }

    /* What a call said about a field, at that field or the nearest around it that there is; false: at none. */
    take(problem, known) {
        for (let at = problem.pointer ?? ''; at; at = at.slice(0, at.lastIndexOf('/'))) {
            if (known(at)) {
                this.refuse(at, problem.message);
                return true;
            }
        }
        return false;
    }
}
