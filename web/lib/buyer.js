/* SPDX-License-Identifier: Apache-2.0 */
/* buyer.js — what a shop knows about the person who is signed in: `buyer-name` and `buyer-email` of a component, or of the one
 * that it is part of; `skip-details`: nothing is asked before the payment. */
const own = (element, name) => element.getAttribute(name) ?? element.getRootNode().host?.getAttribute(name);

/* {name, email}, what is known of it. */
export function buyerOf(element) {
    const known = { name: own(element, 'buyer-name'), email: own(element, 'buyer-email') };
    return Object.fromEntries(Object.entries(known).filter(([, value]) => value));
}

export const skipsDetails = (element) => typeof own(element, 'skip-details') === 'string';

/* The reservation as a form shows it: what is known, where the buyer has entered nothing. */
export const introduced = (element, reservation) => ({ ...reservation, attributes: { ...buyerOf(element), ...reservation.attributes } });
