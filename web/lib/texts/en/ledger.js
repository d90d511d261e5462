/* SPDX-License-Identifier: Apache-2.0 */
/* ledger.js — the texts of the ledger in /admin, in English: totals, discrepancies, one payment, the provider's events; part of en.js. */
export default {
    ledger_totals: 'Totals in {currency}',
    ledger_received: 'Received',
    ledger_kept: 'Kept for sales',
    ledger_returned: 'Returned',
    ledger_owed: 'Owed to buyers',
    ledger_events: 'Provider events',
    ledger_what_to_do: 'What to do',
    ledger_to_refunds: 'Refunds due',

    /* What to do about a discrepancy */
    ledger_do_unknown_reservation: 'Someone paid for a reservation that does not exist. Refund the payment at the provider, then mark its refund due as paid back.',
    ledger_do_over_returned: 'Check the refunds of this payment at the provider. If one was made twice, ask the buyer to return it. Nothing more is owed.',
    ledger_do_disputed: 'Answer the dispute at the payment provider. Do not refund this payment: the buyer’s bank decides.',
    ledger_do_currency: 'The sale is confirmed, but the payment is in another currency than its price. Leave it as it is, or refund the sale and sell it again.',
    ledger_do_short: 'The provider received less than the shop reported. Collect the missing amount with another payment, or refund the sale.',
    ledger_do_gone_back: 'The money went back, but the places are still sold. Collect it again with another payment, or refund the sale to free its places.',

    /* One payment */
    ledger_back: 'All payments',
    ledger_status: 'Status',
    ledger_status_begun: 'Started, nothing received',
    ledger_status_failed: 'Failed',
    ledger_status_received: 'Received',
    ledger_source: 'Amount reported by',
    ledger_source_provider: 'The payment provider',
    ledger_source_app: 'Your shop',
    ledger_source_assumed: 'No one yet: assumed from the price',
    ledger_first: 'First recorded',
    ledger_last: 'Last change',
    ledger_reservation: 'Reservation',
    ledger_history: 'Events of this payment',
    ledger_history_none: 'The payment provider has sent no event about this payment.',

    /* What the provider sent */
    ledger_result: 'Result',
    ledger_result_all: 'All results',
    ledger_result_confirmed: 'Sale confirmed',
    ledger_result_refund_due: 'Refund due',
    ledger_result_repeated: 'Already known',
    ledger_result_ignored: 'Ignored',
    ledger_result_unknown_reservation: 'Unknown reservation',
    ledger_result_amount_mismatch: 'Wrong amount',
    ledger_result_currency_mismatch: 'Wrong currency',
    ledger_result_rejected: 'Sale refused',
    ledger_result_recorded: 'Recorded',
    ledger_result_failed: 'Payment failed',
    ledger_result_returned: 'Money returned',
    ledger_result_payment_used: 'Belongs to another sale',
    ledger_do_rejected: 'Your shop reported this payment with a sale that was refused. Use it for another sale, or refund it at the provider.',
    ledger_event_hold: 'Payment of a refused sale',
    ledger_events_none: 'No provider events',
    ledger_events_none_why: 'Signed events of the payment provider appear here, with the result of each.',

    /* Refunds due */
    ledger_refund_id: 'Use this id as the idempotency key at the provider:',
    ledger_refund_disputed: 'Do not pay this back: the buyer’s bank decides the dispute.',
    ledger_refund_assumed: 'The amount is assumed. Look up the payment at the provider before you refund it.',
};
