/* SPDX-License-Identifier: Apache-2.0 */
/* Types of the components that the server's /embed/holdfast.js defines: attributes, events, and what a script can read
 * from them.
 *
 *     import type {} from 'holdfast-client/components';
 *     document.querySelector('holdfast-basket')!.addEventListener('confirmed', (e) => e.detail.pnr);
 */
import type { Holdfast, Item, Reservation } from './client.js';
import type { QueueEntry } from '../api/types.js';

export type Confirmed = Extract<Reservation, { status: 'confirmed' }>;
export type { QueueEntry };

/* ---- Attributes, by element ---- */

export interface ServerAttributes {
    /** URL of the server; by default that of the script. */
    server?: string;
    /** A user's token; by default a guest's, created when it is needed. */
    token?: string;
}
export interface SeatsAttributes extends ServerAttributes { event: string }
export interface QueueAttributes extends ServerAttributes {
    event: string;
    /** Of the event: the opening is shown in it. */
    timezone?: string;
}
export interface CountdownAttributes extends ServerAttributes {}
/** What your site knows about a buyer who is signed in. */
export interface BuyerAttributes {
    'buyer-name'?: string;
    'buyer-email'?: string;
    /** "Check out" leads to `checkout` at once. */
    'skip-details'?: boolean;
}
export interface BasketAttributes extends ServerAttributes, BuyerAttributes {
    /** Where "Pay" leads; {reservation} in it is the id. */
    checkout?: string;
    /** The page of an order, with {reservation}: the buyer is taken there. */
    order?: string;
    /** Whether an e-mail address is asked for: "optional" by default. */
    'ask-email'?: 'optional' | 'required' | 'off';
    /** Payments are the demo's own. */
    demo?: boolean;
}
export type CalendarAttributes = ServerAttributes & Pick<BasketAttributes, 'checkout' | 'order' | 'ask-email' | 'demo'>
    & BuyerAttributes & { /** A reservation whose booking is to be moved at once. */ move?: string }
    & ({ calendar: string; group?: never } | { group: string; calendar?: never });
export interface TicketAttributes extends ServerAttributes {
    reservation: string;
    /** One ticket of it; by default all. */
    code?: string;
}

/** For the elements of a framework, such as `JSX.IntrinsicElements`. */
export interface HoldfastAttributes {
    'holdfast-seats': SeatsAttributes;
    'holdfast-basket': BasketAttributes;
    'holdfast-countdown': CountdownAttributes;
    'holdfast-queue': QueueAttributes;
    'holdfast-calendar': CalendarAttributes;
    'holdfast-ticket': TicketAttributes;
}

/* ---- Events: they bubble to the document ---- */

export interface HoldfastEventMap {
    hold: CustomEvent<Reservation>;
    expired: CustomEvent<Reservation>;
    /** null: the event no longer has a waiting room. */
    admitted: CustomEvent<QueueEntry | null>;
    confirmed: CustomEvent<Confirmed>;
}

/* ---- What a script may ask ---- */

/** The one hold of a visitor. Emits 'change', 'expired' and 'confirmed'. */
export interface Basket extends EventTarget {
    readonly state: 'empty' | 'held' | 'expired' | 'confirmed';
    readonly reservation: Reservation | null;
    readonly items: Reservation['items'];
    /** Settles once the earlier hold of this browser is known. */
    readonly loaded: Promise<unknown>;
    /** Whether the hold can be extended. */
    readonly extendable: boolean;
    secondsLeft(): number;
    take(items: Item[]): Promise<Reservation>;
    drop(item_id: string): Promise<Reservation>;
    extend(): Promise<Reservation>;
    release(): Promise<Reservation>;
    clear(): void;
}

export interface HoldfastElement extends HTMLElement {
    /** Shared by all components of the same server and token. */
    readonly shared: { readonly client: Holdfast; readonly basket: Basket };
}

declare global {
    interface HTMLElementTagNameMap extends Record<keyof HoldfastAttributes, HoldfastElement> {}
    interface GlobalEventHandlersEventMap extends HoldfastEventMap {}
}
