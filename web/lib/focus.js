/* SPDX-License-Identifier: Apache-2.0 */
/* focus.js — the focus of a keyboard stays near where it was when what had it is gone. */
const CAN_HAVE_IT = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';

/* What has the focus inside `root` now, and what that is in; null: nothing has. */
export function heldIn(root) {
    const chain = [];
    for (let at = document.activeElement; at && at !== root && root.contains(at); at = at.parentElement) {
        chain.push(at);
    }
    return chain.length ? chain : null;
}

/* Restores the focus if it was lost: to the same element, or to the last focusable one in the nearest ancestor that remains. */
export function giveBack(chain, root) {
    if (!chain || (document.activeElement && document.activeElement !== document.body)) {
        return;
    }
    const [same, ...around] = chain;
    if (same.isConnected && !same.disabled) {
        same.focus({ preventScroll: true });
        return;
    }
    for (const near of [...around.filter((one) => one.isConnected), root]) {
        const last = [...near.querySelectorAll(CAN_HAVE_IT)].at(-1);
        if (last) {
            last.focus();
            return;
        }
    }
}
