/* SPDX-License-Identifier: Apache-2.0 */
/* encode.h — images as the JSON of the contract: a function for each record that several files write.
 *
 * Each writes one value and decides nothing. Which members a record has is said by its list in record_*.c,
 * from which its schema is made as well: see record.h. What an image does not have is null, so that every
 * record of a kind has the same fields, but for those that say when they are there.
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

/* Records that are named by others than the file that has them. */
extern const struct schema schema_waiting_room, schema_opening_hours, schema_closed_interval, schema_item,
    schema_refund_amount, schema_ticket, schema_obstacle, schema_problem, schema_reservation,
    schema_reservation_change, schema_refund_due, schema_payment_row, schema_payment_event, schema_ride;

/* The text form of an id: what it is of, in four characters, and the id. */
#define ENCODE_RESERVATION "res_"
#define ENCODE_ORDER "ord_"
#define ENCODE_QUEUE_ENTRY "ent_"
#define ENCODE_LIST_ENTRY "lst_"
#define ENCODE_RIDE "rid_"
#define ENCODE_OFFER "off_"
#define ENCODE_ID_SIZE (4 + ID_TEXT_SIZE)
void encode_id(const char of[4], struct id id, char out[ENCODE_ID_SIZE]); /* no NUL */
bool encode_id_read(const char of[4], struct text text, struct id *out); /* false: not the text form of one */
/* A member of the object that is being written; null when there is no id. */
void encode_id_member(struct json_writer *w, const char *key, const char of[4], struct id id);

/* The id of a refund due: "rfd_" and its number. */
#define ENCODE_REFUND_SIZE 25
void encode_refund_id(uint64_t number, char out[ENCODE_REFUND_SIZE]); /* with a NUL */
bool encode_refund_read(struct text text, uint64_t *number);          /* false: not the id of one */
void encode_refund(struct json_writer *w, const struct refund_image *refund);
void encode_refund_amount(struct json_writer *w, const struct refund_image *refund);
void encode_payment(struct json_writer *w, const struct payment_image *payment);
/* The same with its events, one by one between begin and end. */
void encode_payment_begin(struct json_writer *w, const struct payment_image *payment);
void encode_payment_told(struct json_writer *w, const struct payment_event_image *event);
void encode_payment_end(struct json_writer *w);
void encode_payment_event(struct json_writer *w, const struct payment_event_image *event);

/* Whether this role may see what is for app and admin alone. */
static inline bool encode_for_staff(enum role role)
{
    return role == ROLE_APP || role == ROLE_ADMIN;
}

void encode_event(struct json_writer *w, const struct event_image *event, const struct event_counts *counts);
/* What has happened to a seat or a pool; and the name of this event in a stream. */
void encode_touch(struct json_writer *w, const struct touch_view *touch);
const char *encode_touch_event(const struct touch_view *touch);
void encode_calendar(struct json_writer *w, const struct calendar_image *calendar);
void encode_group(struct json_writer *w, const struct group_image *group);
/* An array: the weekly hours as they were put. */
void encode_hours(struct json_writer *w, const struct calendar_image *calendar);
/* An array: the closed intervals that begin before end_ms and end after start_ms. */
void encode_closed(struct json_writer *w, const struct calendar_image *calendar, int64_t start_ms,
                   int64_t end_ms);
/* Its allotment is for app and admin. */
void encode_seat(struct json_writer *w, enum role role, const struct seat_view *seat);
/* As this role may see it: codes and the payments are for app and admin, the owner is told what is kept.
 * now_ms: expires_in is told from here; 0 unless it is held. */
void encode_reservation(struct json_writer *w, enum role role, const struct reservation_image *r,
                        int64_t now_ms);
/* The same with its manage token, if it is confirmed; at == NULL: without. */
void encode_managed_reservation(struct json_writer *w, enum role role, const struct reservation_image *r,
                                int64_t now_ms, struct text manage_token);
/* Of one that was transferred only what its old owner may know. */
void encode_transferred(struct json_writer *w, const struct reservation_image *r);
/* A safe upper bound of what encode_reservation writes, to be asked before there is a buffer for it. */
size_t encode_reservation_bound(const struct reservation_image *r);
/* An item, NULL: null. Its code and allotment are for staff: app and admin. */
void encode_item(struct json_writer *w, const struct item_image *item, bool staff);
/* Arrays: its items; its tickets, one for each unit. */
void encode_items(struct json_writer *w, const struct reservation_image *r, bool staff);
void encode_tickets(struct json_writer *w, const struct reservation_image *r);
/* As somebody in this role may see it. */
void encode_history(struct json_writer *w, const struct history_view *history, enum role role);
/* Whether single seats may be left alone. */
const char *words_single_seats(unsigned index);

/* Somebody in a waiting room. `tiers` is what its pass is for, none: everything; pass.at == NULL: none is
 * shown. */
void encode_queue_entry(struct json_writer *w, const struct queue_entry_image *entry,
                        const struct text *tiers, uint32_t tier_count, struct text pass);
/* A waiting room as anybody may see it; `all`: as its admin does. */
void encode_queue(struct json_writer *w, const struct queue_view *queue, bool all);
void encode_queue_settings(struct json_writer *w, const struct queue_settings *settings);
void encode_list_entry(struct json_writer *w, const struct list_entry_image *entry);
/* Dispatch. */
void encode_fleet(struct json_writer *w, const struct fleet_image *fleet);
void encode_fleet_cell(struct json_writer *w, const struct fleet_cell *cell);
/* Members: all of an overview but its cells. */
void encode_fleet_overview_rest(struct json_writer *w, const struct fleet_overview *o);
void encode_driver(struct json_writer *w, const struct driver_image *driver);
void encode_ride(struct json_writer *w, const struct ride_image *ride, bool as_rider);
/* What a driver is told of a live offer; of its end; and a rider of where the driver is. */
void encode_driver_offer(struct json_writer *w, const struct offer_image *offer,
                         const struct ride_image *ride, int64_t now_ms);
void encode_offer_ended(struct json_writer *w, const struct offer_image *offer);
void encode_driver_place(struct json_writer *w, const struct ride_image *ride);
/* An array: the request items that were in the way, each as it was asked for. */
void encode_obstacles(struct json_writer *w, const struct outcome *outcome, const struct command *command);
/* An array: the seats that were in the way of an import. */
void encode_seats_taken(struct json_writer *w, const struct import_result *result);
/* A refusal; and of it the members that every one has, for the caller to add to and to end. */
void encode_problem(struct json_writer *w, const struct problem *problem);
void encode_problem_begin(struct json_writer *w, const struct problem *problem);
/* What has happened to the time of a calendar. */
void encode_span(struct json_writer *w, const struct span_view *span);
/* Where a stream that cannot be resumed goes on. */
void encode_stream_reset(struct json_writer *w, uint64_t version);

#endif
