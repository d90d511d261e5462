/* SPDX-License-Identifier: Apache-2.0 */
/* Types of problem.js. */
import type { ProblemBody, ProblemCode } from '../api/types.js';

export class Problem extends Error {
    readonly status: number;
    /** The stable code; 'offline': there was no answer; 'unknown': the answer is not the server's. */
    readonly code: ProblemCode | 'offline' | 'unknown';
    readonly pointer: string | null;
    readonly retryAfterMs: number | null;
    readonly body: Partial<ProblemBody>;
    /** Whether retrying later, unchanged, can help. */
    readonly passes: boolean;
}
/** 400 and other 4xx: the request is wrong. */
export class InvalidRequest extends Problem {}
/** 401 */
export class Unauthenticated extends Problem {}
/** 403 */
export class Forbidden extends Problem {}
/** 404 */
export class NotFound extends Problem {}
/** 409, 410, 412: taken, expired, sold out, … */
export class Conflict extends Problem {}
/** 429 */
export class RateLimited extends Problem {}
/** 5xx */
export class Unavailable extends Problem {}
/** No answer. */
export class Offline extends Problem {}
