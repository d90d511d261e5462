/* SPDX-License-Identifier: Apache-2.0 */
/* record_refund.c — part of encode.h: refunds due, as JSON and as CSV. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "http/record/csv_cell.h"
#include "http/record/record.h"
#include "http/money/refund_csv.h"

#define PREFIX "rfd_"
#define PREFIX_SIZE 4

void encode_refund_id(uint64_t number, char out[ENCODE_REFUND_SIZE])
{
    int size = snprintf(out, ENCODE_REFUND_SIZE, PREFIX "%" PRIu64, number);
    ASSERT(size > PREFIX_SIZE && size < ENCODE_REFUND_SIZE);
}

bool encode_refund_read(struct text text, uint64_t *number)
{
    char own[ENCODE_REFUND_SIZE];
    *number = 0;
    if (text.size <= PREFIX_SIZE || text.size >= sizeof(own) || memcmp(text.at, PREFIX, PREFIX_SIZE) != 0)
        return false;
    for (size_t i = PREFIX_SIZE; i < text.size && *number <= UINT64_MAX / 10 - 9; i++)
        *number = *number * 10 + (uint64_t)(text.at[i] - '0');
    /* Only what encode_refund_id writes: no other characters, no leading zeros, no overflow. */
    encode_refund_id(*number, own);
    return *number && text_equal(text, (struct text){own, strlen(own)});
}

/* clang-format off */
#define AMOUNT(F) \
    F(INT, amount, 4500, "The amount in minor units, such as cents.", refund->amount) \
    F(STRING, currency, "EUR", "The currency (ISO 4217).", refund->currency)
RECORD(refund_amount, "An amount to pay back.", AMOUNT)

#define REFUND(F) \
    F(STRING, id, "rfd_184470", "The id of the refund due.", id) \
    F(ID_OR_NULL, reservation_id, "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The reservation that was paid for; null: unknown.", \
      ENCODE_RESERVATION, refund->reservation) \
    F(TEXT, payment_ref, "pi_123", "The payment provider's reference of the payment.", refund->payment_ref) \
    F(ONE, amount, , "The amount to pay back; once done, the amount paid back.", refund_amount, encode_refund_amount(w, refund)) \
    F(TEXT, reason, "expired", "The reason: a word, or the reason given for the refund.", refund->reason) \
    F(WORD, status, "open", "`open`, `done` (paid back; a remainder is another refund due), or `withdrawn` (no longer owed).", \
      refund_status_word, refund_status_name(refund->status)) \
    F(WORD, received_by, "provider", "The source of the amount.", payment_source_word, \
      payment_source_name(refund->received_by)) \
    F(BOOL, disputed, false, "Whether the payment is disputed: then do not pay it back.", refund->disputed) \
    F(INSTANT, created_at, "2030-06-03T08:02:11.000Z", "When it became due.", refund->created_at_ms) \
    F(TIME_OR_NULL, done_at, null, "When it was marked as done; null: it is open.", refund->done_at_ms)
RECORD(refund_due, "Money received for a reservation that has to be paid back. Holdfast moves no money.", REFUND)
/* clang-format on */

void encode_refund_amount(struct json_writer *w, const struct refund_image *refund)
{
    WRITE_RECORD(AMOUNT);
}

void encode_refund(struct json_writer *w, const struct refund_image *refund)
{
    char id[ENCODE_REFUND_SIZE];
    encode_refund_id(refund->number, id);
    WRITE_RECORD(REFUND);
}

/* ---- CSV ---- */

#define NAMES "id,reservation_id,payment_ref,amount,currency,reason,created_at,done_at,status,received_by,disputed\r\n"
const char refund_csv_example[] = NAMES "rfd_184470,res_01JX5M0Q6H8Z3V7T2R9K4C1W0E,pi_123,4500,EUR,expired,"
                                        "2030-06-03T08:02:11.000Z,,open,provider,false\r\n";

void refund_csv_begin(struct buf *out)
{
    buf_append(out, NAMES, sizeof(NAMES) - 1);
}

void refund_csv_write(struct buf *out, const struct refund_image *refund)
{
    char id[ENCODE_REFUND_SIZE], reservation[ENCODE_ID_SIZE];
    encode_refund_id(refund->number, id);
    encode_id(ENCODE_RESERVATION, refund->reservation, reservation);
    buf_append_text(out, id);
    csv_cell_text(out, id_none(refund->reservation) ? (struct text){0}
                                                    : (struct text){reservation, sizeof(reservation)});
    csv_cell_text(out, refund->payment_ref);
    csv_cell_number(out, refund->amount);
    csv_cell_text(out, (struct text){refund->currency, 3});
    csv_cell_text(out, refund->reason);
    csv_cell_time(out, refund->created_at_ms);
    csv_cell_time(out, refund->done_at_ms);
    csv_cell_word(out, refund_status_name(refund->status));
    csv_cell_word(out, payment_source_name(refund->received_by));
    csv_cell_word(out, refund->disputed ? "true" : "false");
    buf_append(out, "\r\n", 2);
}
