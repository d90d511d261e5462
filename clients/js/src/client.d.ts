/* SPDX-License-Identifier: Apache-2.0 */
/* Types of client.js. Requests and answers of the server are in openapi.d.ts, made from /openapi.json by `npm run
 * types`. */
import type { components } from './openapi.js';

type Schemas = components['schemas'];
export type Reservation = Schemas['reservation'];
export type Event = Schemas['event'];
export type Pool = Schemas['pool'];
export type Layout = Schemas['layout'];
export type Availability = Schemas['availability'];

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
    key?: string;
    auth?: boolean;
    token?: string;
    attempts?: number;
    signal?: AbortSignal;
}

export interface StreamEvent<T = unknown> { id?: string; event: string; data: T }
export interface FollowOptions<T = unknown> {
    onEvent(event: StreamEvent<T>): void;
    onOpen?(): void;
    onDown?(): void;
    signal?: AbortSignal;
    lastEventId?: string;
    auth?: boolean;
}

export class Problem extends Error {
    readonly status: number;
    readonly code: string;
    readonly pointer: string | null;
    readonly retryAfterMs: number | null;
    readonly body: Record<string, unknown>;
    readonly passes: boolean;
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
    follow<T = unknown>(path: string, options: FollowOptions<T>): Promise<void>;
    event(event: string): Promise<Event>;
    layout(event: string): Promise<Layout>;
    availability(event: string, query?: CallOptions['query']): Promise<Availability>;
    pools(event: string): Promise<Pool[]>;
    hold(items: Item[], more?: { pass?: string; key?: string; code?: string; attributes?: object; ttl_seconds?: number; user_id?: string }): Promise<Reservation>;
    reservation(id: string, query?: CallOptions['query']): Promise<Reservation>;
    add(id: string, items: Item[], more?: { pass?: string }): Promise<Reservation>;
    drop(id: string, item: string): Promise<Reservation>;
    change(id: string, item: string, change: object): Promise<Reservation>;
    extend(id: string, body?: { ttl_seconds?: number }): Promise<Reservation>;
    pay(id: string, body?: { payment_ref?: string }): Promise<Reservation>;
    commit(id: string, body?: { attributes?: object }): Promise<Reservation>;
    release(id: string): Promise<Reservation>;
    secondsLeft(reservation: Reservation): number;
}
