/* SPDX-License-Identifier: Apache-2.0 */
/* encode.h — images as JSON: a function for each record that several files write.
 *
 * Each writes one value and decides nothing. The members of a record come from its list in record_*.c, from
 * which its schema is made as well: see record.h. Missing values are null, so that all records of a kind have
 * the same fields, except for the optional ones.
 */
#ifndef HTTP_ENCODE_H
#define HTTP_ENCODE_H

#include "base/json/json_writer.h"
#include "core/command.h"
#include "core/outcome.h"
#include "http/describe/schema.h"
#include "view/view.h"

struct history_view; /* book/record/query.h */

struct problem; /* http/wire/reply.h */

/* Records that other files than their own refer to. */
extern const struct schema schema_waiting_room, schema_opening_hours, schema_closed_interval, schema_item,
    schema_refund_amount, schema_ticket, schema_obstacle, schema_problem, schema_reservation,
    schema_reservation_change, schema_refund_due, schema_payment_row, schema_payment_event, schema_ride;

/* The text form of an id: a prefix of four characters for the kind of record, and the id. */
#define ENCODE_RESERVATION "res_"
#define ENCODE_ORDER "ord_"
#define ENCODE_QUEUE_ENTRY "ent_"
#define ENCODE_LIST_ENTRY "lst_"
#define ENCODE_RIDE "rid_"
#define ENCODE_OFFER "off_"
#define ENCODE_ID_SIZE (4 + ID_TEXT_SIZE)
void encode_id(const char of[4], struct id id, char out[ENCODE_ID_SIZE]); /* no NUL */
bool encode_id_read(const char of[4], struct text text, struct id *out);  /* false: not such an id */
/* A member of the object being written; null if there is no id. */
void encode_id_member(struct json_writer *w, const char *key, const char of[4], struct id id);

/* The id of a refund due: "rfd_" and its number. */
#define ENCODE_REFUND_SIZE 25
void encode_refund_id(uint64_t number, char out[ENCODE_REFUND_SIZE]); /* with a NUL */
bool encode_refund_read(struct text text, uint64_t *number);          /* false: not such an id */
void encode_refund(struct json_writer *w, const struct refund_image *refund);
void encode_refund_amount(struct json_writer *w, const struct refund_image *refund);
void encode_payment(struct json_writer *w, const struct payment_image *payment);
/* The same with its events, one by one between begin and end. */
void encode_payment_begin(struct json_writer *w, const struct payment_image *payment);
void encode_payment_add_event(struct json_writer *w, const struct payment_event_image *event);
void encode_payment_end(struct json_writer *w);
void encode_payment_event(struct json_writer *w, const struct payment_event_image *event);

/* Whether this role may see fields that are only for app and admin keys. */
static inline bool encode_for_staff(enum role role)
{
    return role == ROLE_APP || role == ROLE_ADMIN;
}

void encode_event(struct json_writer *w, const struct event_image *event, const struct event_counts *counts);
/* A change of a seat or a pool; and the name of its event in a stream. */
void encode_touch(struct json_writer *w, const struct touch_view *touch);
const char *encode_touch_event(const struct touch_view *touch);
void encode_calendar(struct json_writer *w, const struct calendar_image *calendar);
void encode_group(struct json_writer *w, const struct group_image *group);
/* An array: the weekly hours as they were set. */
void encode_hours(struct json_writer *w, const struct calendar_image *calendar);
/* An array: the closed intervals that begin before end_ms and end after start_ms. */
void encode_closed(struct json_writer *w, const struct calendar_image *calendar, int64_t start_ms,
                   int64_t end_ms);
/* Its allotment is shown only to app and admin keys. */
void encode_seat(struct json_writer *w, enum role role, const struct seat_view *seat);
/* As this role may see it: codes and payments are for app and admin keys, the owner sees the amount kept.
 * now_ms: expires_in is counted from here; 0 unless it is held. */
void encode_reservation(struct json_writer *w, enum role role, const struct reservation_image *r,
                        int64_t now_ms);
/* The same with its manage token, which may be absent. */
void encode_managed_reservation(struct json_writer *w, enum role role, const struct reservation_image *r,
                                int64_t now_ms, struct text manage_token);
/* A transferred reservation, reduced to what its old owner may know. */
void encode_transferred(struct json_writer *w, const struct reservation_image *r);
/* An upper bound of the bytes that encode_reservation writes, for sizing a buffer. */
size_t encode_reservation_bound(const struct reservation_image *r);
/* An item; NULL: null. Its code and allotment are shown only to staff (app and admin keys). */
void encode_item(struct json_writer *w, const struct item_image *item, bool staff);
/* Arrays: its items; its tickets, one for each unit. */
void encode_items(struct json_writer *w, const struct reservation_image *r, bool staff);
void encode_tickets(struct json_writer *w, const struct reservation_image *r);
/* As this role may see it. */
void encode_history(struct json_writer *w, const struct history_view *history, enum role role);
/* The words of single_seats. */
const char *words_single_seats(unsigned index);

/* An entry of a waiting room. `tiers` are those that its pass is valid for; none: all. The pass may be absent. */
void encode_queue_entry(struct json_writer *w, const struct queue_entry_image *entry,
                        const struct text *tiers, uint32_t tier_count, struct text pass);
/* A waiting room as the public sees it; `all`: as an admin does. */
void encode_queue(struct json_writer *w, const struct queue_view *queue, bool all);
void encode_queue_settings(struct json_writer *w, const struct queue_settings *settings);
void encode_list_entry(struct json_writer *w, const struct list_entry_image *entry);
/* Dispatch. */
void encode_fleet(struct json_writer *w, const struct fleet_image *fleet);
void encode_fleet_cell(struct json_writer *w, const struct fleet_cell *cell);
/* Members: an overview without its cells. */
void encode_fleet_overview_rest(struct json_writer *w, const struct fleet_overview *o);
void encode_driver(struct json_writer *w, const struct driver_image *driver);
void encode_ride(struct json_writer *w, const struct ride_image *ride, bool as_rider);
/* A live offer and its end, for the driver; and the driver's position, for the rider. */
void encode_driver_offer(struct json_writer *w, const struct offer_image *offer,
                         const struct ride_image *ride, int64_t now_ms);
void encode_offer_ended(struct json_writer *w, const struct offer_image *offer);
void encode_driver_position(struct json_writer *w, const struct ride_image *ride);
/* An array: the requested items that are not available, each as it was requested. */
void encode_obstacles(struct json_writer *w, const struct outcome *outcome, const struct command *command);
/* An array: the claimed seats that prevent an import. */
void encode_seats_taken(struct json_writer *w, const struct import_result *result);
/* A refusal; and only its common members, for the caller to extend and to end. */
void encode_problem(struct json_writer *w, const struct problem *problem);
void encode_problem_begin(struct json_writer *w, const struct problem *problem);
/* A changed time span of a calendar. */
void encode_span(struct json_writer *w, const struct span_view *span);
/* The reset of a stream that cannot be resumed: the version from which it continues. */
void encode_stream_reset(struct json_writer *w, uint64_t version);

#endif
