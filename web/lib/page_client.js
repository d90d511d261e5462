/* SPDX-License-Identifier: Apache-2.0 */
/* page_client.js — the client of pages and components: what the server refuses is said in the language of the page.
 *
 * The sentences of the API are English. For the codes in the table a page has its own, which `message` of the Problem then is;
 * with another code it stays the server's.
 */
import { Holdfast } from '../client/client.js';
import { t } from './texts.js';

const SENTENCES = {
    offline: 'failed_offline',
    slow_down: 'problem_slow_down',
    unavailable: 'problem_unavailable',
    undecided: 'problem_undecided',
    storage_full: 'problem_unavailable',
    unauthenticated: 'problem_unauthenticated',
    forbidden: 'problem_forbidden',
    not_owner: 'problem_not_owner',
    guests_refused: 'problem_guests_refused',
    no_such_event: 'problem_no_such_event',
    no_such_calendar: 'problem_no_such_calendar',
    no_such_group: 'problem_no_such_group',
    no_such_fleet: 'problem_no_such_fleet',
    no_such_reservation: 'problem_no_such_reservation',
    no_such_seat: 'problem_no_such_seat',
    not_on_sale: 'problem_not_on_sale',
    pass_required: 'problem_pass_required',
    pass_invalid: 'problem_pass_expired',
    pass_expired: 'problem_pass_expired',
    pass_tier: 'problem_pass_tier',
    code_required: 'problem_code_required',
    code_invalid: 'problem_code_invalid',
    code_used: 'problem_code_used',
    limit_exceeded: 'problem_limit_exceeded',
    closed: 'problem_closed',
    not_bookable: 'problem_not_bookable',
    taken: 'problem_taken',
    sold_out: 'problem_sold_out',
    no_adjacent_seats: 'problem_no_adjacent_seats',
    leaves_single: 'problem_leaves_single',
    expired: 'problem_expired',
    paying: 'problem_paying',
    payment_required: 'problem_payment_required',
    not_transferable: 'problem_not_transferable',
    not_cancellable: 'problem_not_cancellable',
    already_confirmed: 'problem_already_confirmed',
    already_released: 'problem_already_released',
    already_cancelled: 'problem_already_cancelled',
    already_refunded: 'problem_already_refunded',
    checked_in: 'problem_checked_in',
    offer_expired: 'problem_offer_expired',
    no_driver: 'problem_no_driver',
    already_completed: 'problem_already_completed',
};

/* The page's own sentence for a code; undefined if it has none. */
export const sentenceOf = (code) => (Object.hasOwn(SENTENCES, code) ? t(SENTENCES[code]) : undefined);

export class PageClient extends Holdfast {
    async once(...call) {
        try {
            return await super.once(...call);
        } catch (problem) {
            const sentence = sentenceOf(problem.code);
            if (sentence) {
                problem.message = sentence;
            }
            throw problem;
        }
    }
}
