/* SPDX-License-Identifier: Apache-2.0 */
/* session.js — a guest's token: created when first needed, kept in `storage`, renewed before it ends.
 *
 * All tabs of a browser share one, so that they share the basket as well.
 */
const RENEW_MS = 6 * 3600_000;

const claims = (token) => {
    try {
        const part = token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/');
        return JSON.parse(atob(part));
    } catch {
        return {};
    }
};

const alone = (name, work) =>
    (globalThis.navigator?.locks ? navigator.locks.request(name, work) : work());

export class Session {
    /* `create(token)` requests a token from the server, with the old one if there is one, and returns it or throws. */
    constructor({ key, storage, clock, create }) {
        Object.assign(this, { key, storage, clock, create });
        this.memory = null; /* if storage refuses */
        this.pending = null;
    }

    stored() {
        try {
            return this.storage?.getItem(this.key) ?? this.memory;
        } catch {
            return this.memory;
        }
    }

    keep(token) {
        this.memory = token;
        try {
            this.storage?.setItem(this.key, token);
        } catch { /* private mode: this page only */ }
        return token;
    }

    /* Until the server's time is known a token counts as valid: if it is not, the server refuses it. */
    left(token) {
        if (!token || !this.clock.known) {
            return token ? Infinity : 0;
        }
        return (claims(token).exp ?? 0) * 1000 - this.clock.now();
    }

    get userId() {
        return claims(this.stored() ?? '').sub ?? null;
    }

    /* A token that is valid for a while. `refused` is one that the server did not accept. */
    async token(refused) {
        const token = this.stored();
        if (token && token !== refused && this.left(token) > RENEW_MS) {
            return token;
        }
        this.pending ??= alone(this.key, () => this.renew(refused)).finally(() => (this.pending = null));
        return this.pending;
    }

    async renew(refused) {
        const token = this.stored(); /* another tab could have been faster */
        if (token && token !== refused && this.left(token) > RENEW_MS) {
            return token;
        }
        const old = token !== refused && this.left(token) > 0 ? token : null;
        return this.keep(await this.create(old));
    }
}
