/* SPDX-License-Identifier: Apache-2.0 */
/* focus.js — keeps the focus of a keyboard near where it was when its element is removed or disabled. */
const CAN_HAVE_IT = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [role="group"][tabindex]';
const PLACES = ':is(h1, h2, [aria-busy="true"])[tabindex]';

/* Where the focus is in `root`, an element or a shadow root, and what is around it there and in the roots that contain it;
 * null: the focus is elsewhere. */
export function heldIn(root) {
    const levels = [];
    for (let within = root; within; within = hostRoot(within)) {
        const has = within.getRootNode().activeElement;
        if (!has || has === within || !within.contains(has)) {
            break;
        }
        levels.push(around(has, within));
    }
    return levels.length ? levels : null;
}

/* The shadow root around a shadow root; undefined: there is none. */
const hostRoot = (root) => [root.host?.getRootNode()].find((one) => one instanceof ShadowRoot);

function around(has, root) {
    const parents = [];
    for (let at = has.parentElement; at && at !== root; at = at.parentElement) {
        parents.push(at);
    }
    const all = [...root.querySelectorAll(CAN_HAVE_IT)];
    const side = (where) => all.filter((one) => has.compareDocumentPosition(one) & where);
    return { root, has, parents, near: [...side(Node.DOCUMENT_POSITION_FOLLOWING), ...side(Node.DOCUMENT_POSITION_PRECEDING).reverse()] };
}

/* Restores the focus if it was lost: to the same element; else in the nearest parent that remains to what is new there, to the
 * next one, to the one before, or to a heading or a skeleton that can have it. */
export function giveBack(levels) {
    const lost = !document.activeElement || document.activeElement === document.body;
    if (!levels || !lost) {
        return;
    }
    for (const { root, has, parents, near } of levels) {
        const remaining = [...parents.filter((one) => one.isConnected), root];
        const choices = remaining.flatMap((parent) => [...[...parent.querySelectorAll(CAN_HAVE_IT)].filter((one) => !near.includes(one)),
            ...near.filter((one) => parent.contains(one)), ...parent.querySelectorAll(PLACES)]);
        if (takes(has, { preventScroll: true }) || choices.some((one) => takes(one))) {
            return;
        }
    }
}

/* Whether it could be focused. */
function takes(element, how) {
    element.isConnected && !element.disabled && element.focus(how);
    return element.isConnected && element.getRootNode().activeElement === element;
}
