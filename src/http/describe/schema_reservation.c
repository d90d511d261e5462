/* SPDX-License-Identifier: Apache-2.0 */
/* schema_reservation.c — of schema.h: reservations, what is in them and what became of them. */
#include "core/types.h"
#include "http/describe/schema_table.h"

/* clang-format off */
/* Nothing is cancelled or refunded yet. */
WORDS_OF_ENUM(statuses, reservation_status, RESERVATION_HELD, RESERVATION_CONFIRMED, RESERVATION_RELEASED, RESERVATION_EXPIRED)
WORDS_OF_ENUM(held, reservation_status, RESERVATION_HELD)
WORDS_OF_ENUM(confirmed, reservation_status, RESERVATION_CONFIRMED)
WORDS_OF_ENUM(over, reservation_status, RESERVATION_RELEASED, RESERVATION_EXPIRED)
WORD_LIST(origins, "list")
WORD_LIST(reasons, "deadline", "list")

ONE_OF(reservation, "What somebody has claimed, until when, and what became of it: by its status.",
    &schema_reservation_held, &schema_reservation_confirmed, &schema_reservation_over)

/* What every one has, before and behind what its status says. */
#define WHOSE \
    MEMBER(reservation_id, TEXT, "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id, as in the path; ids sort by time."), \
    MEMBER(pnr, TEXT, "K7QX2M", "Six characters for people.")
#define UNTIL(in_s_, in_ms_) \
    MAYBE_WORD(reason, origins, "`list`: a waiting list has offered it."), \
    MEMBER(user_id, TEXT, "ann", "The owner."), \
    MEMBER(created_at, TIME, "2030-06-03T08:00:00.000Z", "When it was made."), \
    MEMBER(expires_at, TIME, "2030-06-03T08:10:00.000Z", "The deadline of the hold."), \
    MEMBER(expires_in, INT, in_s_, "Seconds until then, rounded up; 0 when it is no longer held."), \
    MEMBER(expires_in_ms, INT, in_ms_, "Milliseconds until then; 0 when it is no longer held."), \
    MEMBER(max_expires_at, TIME, "2030-06-03T08:15:00.000Z", "How far the deadline can be moved."), \
    MEMBER(payment_started_at, TIME, null, "When the buyer went to pay.", NULLABLE)
#define WHAT \
    MEMBER(fence, INT, 1042, "Greater than that of any grant before."), \
    MEMBER(version, INT, 1042, "Grows with every change."), \
    ONE(total, money, "The price of all items."), \
    MEMBER(attributes, OBJECT, {"channel": "web"}, "Of your own, as you gave them."), \
    LIST(items, item, "What is in it.")

RECORD(reservation_held, "A hold: to be confirmed before its deadline.",
    WHOSE,
    WORD(status, held, "held", "It is held."),
    UNTIL(600, 600000),
    MEMBER(confirmed_at, NOTHING, null, "Not confirmed."),
    MEMBER(ended_at, NOTHING, null, "Not over."),
    WHAT)

RECORD(reservation_confirmed, "A sale: it has an order and tickets.",
    WHOSE,
    WORD(status, confirmed, "confirmed", "It is sold."),
    UNTIL(0, 0),
    MEMBER(confirmed_at, TIME, "2030-06-03T08:04:30.000Z", "When it was confirmed."),
    MEMBER(ended_at, NOTHING, null, "Not over."),
    WHAT,
    MEMBER(order_id, TEXT, "ord_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The order."),
    LIST(tickets, ticket, "One for each seat, each slot and each unit of a pool."))

RECORD(reservation_over, "A hold that was released or has expired: what was in it is free again.",
    WHOSE,
    WORD(status, over, "released", "How it ended."),
    UNTIL(0, 0),
    MEMBER(confirmed_at, NOTHING, null, "Never confirmed."),
    MEMBER(ended_at, TIME, "2030-06-03T08:04:30.000Z", "When it ended."),
    WHAT)

RECORD(money, "An amount in minor units of a currency.",
    MEMBER(amount, INT, 4500, "In minor units: cents, pence."),
    MEMBER(currency, TEXT, "EUR", "ISO 4217."))

RECORD(change, "What was done to a reservation, when and by whom.",
    MEMBER(seq, INT, 1042, "Grows from change to change."),
    MEMBER(at, TIME, "2030-06-03T08:00:00.000Z", "When."),
    MEMBER(actor, TEXT, "user:ann", "By whom: `user:…`, `app:…`, `admin` or `server`."),
    WORD(action, action_word, "held", "What was done."),
    WORD(reason, reasons, null, "Why, where there is something to say.", NULLABLE),
    WORD(status, statuses, "held", "The status after it."),
    MEMBER(expires_at, TIME, "2030-06-03T08:10:00.000Z", "The deadline after it."),
    MEMBER(version, INT, 1042, "The version after it."))

/* ---- Items and tickets ---- */

#define OF_SEAT MEMBER(event, TEXT, "arena", "The event."), MEMBER(seat, TEXT, "A15", "The seat.")
#define OF_POOL MEMBER(event, TEXT, "arena", "The event."), MEMBER(pool, TEXT, "floor", "The pool.")
#define OF_SLOT \
    MEMBER(calendar, TEXT, "dr_smith", "The calendar."), \
    MEMBER(start, TIME, "2030-06-03T08:00:00.000Z", "When it begins."), \
    MEMBER(end, TIME, "2030-06-03T08:30:00.000Z", "When it ends."), \
    MAYBE(service, TEXT, "The service, if it was asked for by one.")
#define ITEM_ID MEMBER(item_id, TEXT, "1", "The id within the reservation, as in the path.")
#define PRICE(price_) MEMBER(price, INT, price_, "The price of the whole item, in minor units.")
#define TICKET MEMBER(code, TEXT, "9KQ2M7XW4T8Z1C5V3R6H", "What is on the ticket; cannot be guessed."), \
    MEMBER(item_id, TEXT, "1", "The item that it is for.")

ONE_OF(item, "One thing in a reservation; the price is of the whole item.",
    &schema_item_of_seat, &schema_item_of_pool, &schema_item_of_slot)
RECORD(item_of_seat, "A seat.", ITEM_ID, OF_SEAT, PRICE(4500))
RECORD(item_of_pool, "Units of a pool.",
    ITEM_ID, OF_POOL, MEMBER(quantity, INT, 2, "How many units."), PRICE(5000))
RECORD(item_of_slot, "A time of a calendar.", ITEM_ID, OF_SLOT, PRICE(4000))

ONE_OF(ticket, "The right to one seat, one unit or one slot.",
    &schema_ticket_of_seat, &schema_ticket_of_pool, &schema_ticket_of_slot)
RECORD(ticket_of_seat, "For a seat.", TICKET, OF_SEAT)
RECORD(ticket_of_pool, "For a unit of a pool.", TICKET, OF_POOL)
RECORD(ticket_of_slot, "For a time of a calendar.", TICKET, OF_SLOT)
/* clang-format on */
