/* SPDX-License-Identifier: Apache-2.0 */
/* undo.js — the states that a drawing has been through. States are never changed, only replaced. */
const STEPS_MOST = 200;

export class Undo {
    #past = [];
    #next = [];
    #tag = null;

    constructor(state) {
        this.state = state;
    }

    get canUndo() {
        return this.#past.length > 0;
    }

    get canRedo() {
        return this.#next.length > 0;
    }

    /* Changes with the same tag in a row are one step: dragging a block, typing a number. */
    put(state, tag = null) {
        if (state === this.state) {
            return;
        }
        if (tag === null || tag !== this.#tag) {
            this.#past.push(this.state);
            this.#past.length > STEPS_MOST && this.#past.shift();
        }
        this.#next = [];
        this.#tag = tag;
        this.state = state;
    }

    /* What comes next is a step of its own. */
    settle() {
        this.#tag = null;
    }

    undo() {
        this.#move(this.#past, this.#next);
    }

    redo() {
        this.#move(this.#next, this.#past);
    }

    #move(from, to) {
        if (from.length) {
            to.push(this.state);
            this.state = from.pop();
        }
        this.#tag = null;
    }
}
