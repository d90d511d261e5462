/* SPDX-License-Identifier: Apache-2.0 */
/* Types of client.js. Those of requests and answers are made from the description of the API (clients/generate). */
import type {
    Availability, CommitReservationBody, Event, ExtendReservationBody, Layout, Pool, Reservation, StartPaymentBody, UpdateItemBody,
} from '../api/types.js';

export * from './problem.js';
export type { Availability, Event, Layout, Pool, Reservation };

/** One requested item of a hold. */
export interface Item {
    event?: string; seat?: string; pool?: string; quantity?: number;
    best?: { quantity: number; section?: string; tier?: string; adjacent?: boolean; accessible?: number };
    calendar?: string; group?: string; start?: string; end?: string; service?: string; party?: number;
    category?: string; code?: string; allotment?: string; attributes?: Record<string, unknown>;
}

export interface CallOptions {
    query?: Record<string, string | number | boolean | null | undefined>;
    headers?: Record<string, string>;
    /** The Idempotency-Key; every POST has one. */
    key?: string;
    /** The pass of a waiting room. */
    pass?: string;
    /** Wait until the answer reflects this change: the `seq` of a client. */
    minSeq?: number;
    /** The ETag that a seat must still have. */
    ifMatch?: string;
    accept?: string;
    auth?: boolean;
    token?: string;
    attempts?: number;
    signal?: AbortSignal;
}

export interface StreamEvent<T = unknown, N extends string = string> { id?: string; event: N; data: T }
export interface FollowOptions<E = StreamEvent> {
    onEvent(event: E): void;
    onOpen?(): void;
    onDown?(): void;
    signal?: AbortSignal;
    lastEventId?: string;
    auth?: boolean;
}

export class Clock {
    readonly known: boolean;
    now(): number;
}

export interface HoldfastOptions {
    url?: string;
    token?: string;
    guest?: boolean;
    storage?: Pick<Storage, 'getItem' | 'setItem'>;
    attempts?: number;
    fetch?: typeof fetch;
}

export class Holdfast {
    constructor(options?: HoldfastOptions);
    readonly url: string;
    readonly clock: Clock;
    /** The newest change that any answer reflects: send it as Holdfast-Min-Seq to read your own writes in lists. */
    readonly seq: number;
    get<T = unknown>(path: string, options?: CallOptions): Promise<T>;
    post<T = unknown>(path: string, body?: object, options?: CallOptions): Promise<T>;
    put<T = unknown>(path: string, body: object, options?: CallOptions): Promise<T>;
    patch<T = unknown>(path: string, body: object, options?: CallOptions): Promise<T>;
    delete<T = unknown>(path: string, options?: CallOptions): Promise<T>;
    upload<T = unknown>(path: string, file: Blob | string, type: string): Promise<T>;
    all<T = unknown>(path: string, options?: CallOptions): Promise<T[]>;
    /** Each entry of a list, page by page: `each((page) => holdfast.listSlots('dr_smith', page), { from })`. */
    each<T, Q extends object = object>(list: (query: Q & { cursor?: string }) => Promise<{ data: T[]; next_cursor: string | null }>, query?: Q): AsyncGenerator<T>;
    follow<E = StreamEvent>(path: string, options: FollowOptions<E>): Promise<void>;
    event(event: string): Promise<Event>;
    layout(event: string): Promise<Layout>;
    availability(event: string, query?: CallOptions['query']): Promise<Availability>;
    pools(event: string): Promise<Pool[]>;
    hold(items: Item[], more?: { pass?: string; key?: string; code?: string; attributes?: object; ttl_seconds?: number; user_id?: string }): Promise<Reservation>;
    reservation(id: string, query?: CallOptions['query']): Promise<Reservation>;
    add(id: string, items: Item[], more?: { pass?: string }): Promise<Reservation>;
    drop(id: string, item: string): Promise<Reservation>;
    change(id: string, item: string, change: UpdateItemBody): Promise<Reservation>;
    extend(id: string, body?: ExtendReservationBody): Promise<Reservation>;
    pay(id: string, body?: StartPaymentBody): Promise<Reservation>;
    commit(id: string, body?: CommitReservationBody): Promise<Reservation>;
    release(id: string): Promise<Reservation>;
    secondsLeft(reservation: Reservation): number;
}
