/* SPDX-License-Identifier: Apache-2.0 */
/* soon.js — what is to be done once for all changes of this turn, however often it is asked for. */
export function soon(call) {
    let pending = false;
    return () => {
        if (!pending) {
            pending = true;
            queueMicrotask(() => {
                pending = false;
                call();
            });
        }
    };
}
