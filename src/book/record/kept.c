/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/kept.h"

#include "book/record/columns.h"
#include "book/door/door.h"
#include "book/claim/reservation.h"

/* Payments of held reservations. A payment is never older than its hold, so only recent ones are examined: there may be a
 * million holds, and even more old payments. */
#define OF_HOLDS                                                                                             \
    "WHERE last_at >= (SELECT created_at FROM reservations WHERE number = (SELECT min(number) FROM "         \
    "reservations "                                                                                          \
    "WHERE status = 'held')) AND EXISTS (SELECT 1 FROM reservations r WHERE r.id = payments.reservation "    \
    "AND r.status = 'held') "
#define IMAGE(field) .at = offsetof(struct change, field)

const struct book_kept book_kept[] = {
    [CHANGE_EVENT] = {&queue_settings_record, .of_event = true, .apply = book_catalogue_put_event},
    [CHANGE_POOL] = {&pool_record, IMAGE(pool), .of_event = true,
                     .put = "INSERT INTO @ ({every $}, held, sold) VALUES ({every ?#}, 0, 0) "
                            "ON CONFLICT ({key $}) DO UPDATE SET {set $ = excluded.$}"},
    [CHANGE_SEATS_STAGED] = {&staged_record, .of_event = true, .apply = book_catalogue_stage},
    [CHANGE_SEATS_PUBLISHED] = {.apply = book_catalogue_publish},
    [CHANGE_SEATS_COPIED] = {.apply = book_catalogue_copy},
    [CHANGE_SEATS_REMOVED] = {.apply = book_catalogue_remove_seats},
    [CHANGE_SEATS_BLOCKED] = {.apply = book_catalogue_block},
    [CHANGE_SEATS_ALLOTTED] = {.apply = book_catalogue_allot},
    [CHANGE_RESERVATION] = {.apply = book_reservation_write},
    [CHANGE_EXPIRED] = {.apply = book_reservation_expire},
    /* A key that is used again after it has expired replaces the old row. */
    [CHANGE_IDEMPOTENCY] = {&idempotency_record, IMAGE(idempotency),
                            .put = "REPLACE INTO @ (seq, {every $}) VALUES (?64, {every ?#})",
                            .loaded = BOOK_AFTER_HOLDS,
                            .load = "SELECT {read $}, seq FROM @ WHERE at >= ?1 ORDER BY seq"},
    [CHANGE_KEY] = {&key_record, IMAGE(key), .put = BOOK_REPLACE, .loaded = BOOK_BEFORE_HOLDS,
                    .load = BOOK_LOAD_ALL},
    [CHANGE_KEY_REMOVED] = {&key_record, IMAGE(key), .put = BOOK_DELETE},
    [CHANGE_CALENDAR] = {.apply = book_calendar_put, .loaded = BOOK_BEFORE_HOLDS, .each = book_calendar_each},
    [CHANGE_CALENDAR_REMOVED] = {.apply = book_calendar_remove},
    [CHANGE_GROUP] = {.apply = book_group_put, .loaded = BOOK_BEFORE_HOLDS, .each = book_group_each},
    [CHANGE_QUEUE] = {&queues_record, IMAGE(queue), .put = BOOK_UPSERT, .of_event = true},
    [CHANGE_QUEUE_JOINED] = {.apply = book_queue_join},
    [CHANGE_QUEUE_MOVED] = {.apply = book_queue_move},
    [CHANGE_CODE] = {&code_record, IMAGE(code), .put = BOOK_UPSERT, .of_event = true,
                     .loaded = BOOK_BEFORE_HOLDS, .load = BOOK_LOAD_OF_EVENTS},
    /* Core has those of holds in memory, ordered by when money first arrived: core/money/payment.h. */
    [CHANGE_PAYMENT] = {&payment_record, IMAGE(payment), .apply = book_ledger_put_payment,
                        .loaded = BOOK_AFTER_HOLDS,
                        .load = BOOK_SELECT OF_HOLDS "ORDER BY money_seq, number"},
    [CHANGE_REFUND] = {&refund_record, IMAGE(refund), .apply = book_ledger_put_refund,
                       .loaded = BOOK_AFTER_HOLDS,
                       .load = BOOK_SELECT "WHERE payment_ref IN (SELECT payment_ref FROM payments " OF_HOLDS
                                           ") ORDER BY number"},
    [CHANGE_PAYMENT_EVENT] = {&payment_event_record, IMAGE(payment_event), .put = BOOK_INSERT},
    [CHANGE_PROVIDER] = {&provider_record, IMAGE(provider), .put = BOOK_UPSERT, .loaded = BOOK_BEFORE_HOLDS,
                         .load = BOOK_LOAD_ALL},
    [CHANGE_CANCELLING] = {&cancelling_record, IMAGE(cancelling), .put = BOOK_UPDATE},
    /* Core has those in memory for which the journal must still start a new segment: core/person/erasure.h. */
    [CHANGE_ERASED] = {&erasure_record, .apply = book_erasure_apply, IMAGE(erased),
                       .loaded = BOOK_BEFORE_HOLDS, .load = BOOK_SELECT "WHERE segments < 2 ORDER BY number"},
    [CHANGE_CHECK_IN] = {.apply = book_reservation_check_in,
                         .loaded = BOOK_AFTER_HOLDS,
                         .each = book_door_each},
    [CHANGE_LIST_ENTRY] = {.apply = book_waiting_list_put,
                           .loaded = BOOK_AFTER_HOLDS,
                           .each = book_waiting_list_each},
    [CHANGE_HOOK] = {&hook_record, .apply = book_hook_put, IMAGE(hook), .loaded = BOOK_BEFORE_HOLDS,
                     .load = BOOK_LOAD_ALL},
    [CHANGE_HOOK_MOVED] = {.apply = book_hook_move,
                           .loaded = BOOK_AFTER_HOLDS,
                           .each = book_hook_each_message},
    [CHANGE_HOOK_WARNING] = {&warning_record, IMAGE(hook_warning), .put = BOOK_UPSERT,
                             .loaded = BOOK_AFTER_HOLDS, .load = BOOK_LOAD_ALL},
    [CHANGE_REFUSALS] = {.apply = book_refusal_add},
    /* Rides that have ended, with their offers, are not loaded: core/dispatch/ride.h. */
    [CHANGE_FLEET] = {&fleet_record, .apply = book_dispatch_put_fleet, IMAGE(fleet),
                      .loaded = BOOK_AFTER_HOLDS,
                      .load = BOOK_SELECT "WHERE removed_at IS NULL ORDER BY number"},
    [CHANGE_DRIVER] = {&driver_record, .apply = book_dispatch_put_driver, IMAGE(driver),
                       .loaded = BOOK_AFTER_HOLDS,
                       .load =
                           BOOK_SELECT "WHERE fleet IN (SELECT number FROM fleets WHERE removed_at IS NULL) "
                                       "ORDER BY fleet, id"},
    [CHANGE_RIDE] = {&ride_record, IMAGE(ride), .put = BOOK_UPSERT, .loaded = BOOK_AFTER_HOLDS,
                     .load = BOOK_SELECT "WHERE ended_at IS NULL ORDER BY number"},
    [CHANGE_OFFER] = {&offer_record, IMAGE(offer), .put = BOOK_UPSERT, .loaded = BOOK_AFTER_HOLDS,
                      .load = BOOK_SELECT "WHERE ride IN (SELECT id FROM rides WHERE ended_at IS NULL) "
                                          "ORDER BY number"},
};
const int book_kept_count = sizeof(book_kept) / sizeof(book_kept[0]);
_Static_assert(sizeof(book_kept) / sizeof(book_kept[0]) == CHANGE_LAST + 1, "a row for each kind of change");
