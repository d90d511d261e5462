/* SPDX-License-Identifier: Apache-2.0 */
/* box.js — the corners of what seats take up: {left, top, right, bottom}; null without seats. */
export function boxOf(seats) {
    const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const { x, y } of seats) {
        box.left = Math.min(box.left, x);
        box.right = Math.max(box.right, x);
        box.top = Math.min(box.top, y);
        box.bottom = Math.max(box.bottom, y);
    }
    return box.left <= box.right ? box : null;
}
