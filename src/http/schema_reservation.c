/* SPDX-License-Identifier: Apache-2.0 */
/* schema_reservation.c — of schema.h: reservations, what is in them and what became of them. */
#include "core/types.h"
#include "http/schema_table.h"

/* clang-format off */
/* Nothing is cancelled or refunded yet. */
static WORDS_OF_ENUM(statuses, enum reservation_status, RESERVATION_HELD, RESERVATION_EXPIRED,
              reservation_status_name)
static WORDS_OF_ENUM(actions, enum action, ACTION_HELD, ACTION_EXPIRED, action_name)
static WORDS_OF_OURS(origins, "list")
static WORDS_OF_OURS(reasons, "deadline", "list")

RECORD(reservation, "What somebody has claimed, until when, and what became of it.",
    MEMBER(reservation_id, TEXT),
    MEMBER(pnr, TEXT),
    WORD(status, statuses),
    WORD(reason, origins, OPTIONAL),
    MEMBER(user_id, TEXT),
    MEMBER(created_at, TIME),
    MEMBER(expires_at, TIME),
    MEMBER(expires_in, INT),
    MEMBER(expires_in_ms, INT),
    MEMBER(max_expires_at, TIME),
    MEMBER(payment_started_at, TIME, NULLABLE),
    MEMBER(confirmed_at, TIME, NULLABLE),
    MEMBER(ended_at, TIME, NULLABLE),
    MEMBER(fence, INT),
    MEMBER(version, INT),
    ONE(total, money),
    MEMBER(attributes, OBJECT),
    LIST(items, item),
    MEMBER(order_id, TEXT, OPTIONAL),
    LIST(tickets, ticket, OPTIONAL))

RECORD(money, "An amount in minor units of a currency.",
    MEMBER(amount, INT), MEMBER(currency, TEXT))

RECORD(change, "What was done to a reservation, when and by whom.",
    MEMBER(seq, INT),
    MEMBER(at, TIME),
    MEMBER(actor, TEXT),
    WORD(action, actions),
    WORD(reason, reasons, NULLABLE),
    WORD(status, statuses),
    MEMBER(expires_at, TIME),
    MEMBER(version, INT))

/* ---- Items and tickets ---- */

#define OF_SEAT MEMBER(event, TEXT), MEMBER(seat, TEXT)
#define OF_POOL MEMBER(event, TEXT), MEMBER(pool, TEXT)
#define OF_SLOT \
    MEMBER(calendar, TEXT), MEMBER(start, TIME), MEMBER(end, TIME), MEMBER(service, TEXT, OPTIONAL)

ONE_OF(item, "One thing in a reservation; the price is of the whole item.",
    &schema_item_of_seat, &schema_item_of_pool, &schema_item_of_slot)
RECORD(item_of_seat, "A seat.",
    MEMBER(item_id, TEXT), OF_SEAT, MEMBER(price, INT))
RECORD(item_of_pool, "Units of a pool.",
    MEMBER(item_id, TEXT), OF_POOL, MEMBER(quantity, INT), MEMBER(price, INT))
RECORD(item_of_slot, "A time of a calendar.",
    MEMBER(item_id, TEXT), OF_SLOT, MEMBER(price, INT))

ONE_OF(ticket, "The right to one seat, one unit or one slot.",
    &schema_ticket_of_seat, &schema_ticket_of_pool, &schema_ticket_of_slot)
RECORD(ticket_of_seat, "For a seat.",
    MEMBER(code, TEXT), MEMBER(item_id, TEXT), OF_SEAT)
RECORD(ticket_of_pool, "For a unit of a pool.",
    MEMBER(code, TEXT), MEMBER(item_id, TEXT), OF_POOL)
RECORD(ticket_of_slot, "For a time of a calendar.",
    MEMBER(code, TEXT), MEMBER(item_id, TEXT), OF_SLOT)
    /* clang-format on */
