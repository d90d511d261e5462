/* SPDX-License-Identifier: Apache-2.0 */
/* encode.h — images as the JSON of the contract, one function per kind of record.
 *
 * Each writes one value and decides nothing. What an image does not have is null, so that every record of a
 * kind has the same fields; only order_id and tickets come with the commit, `reason` with a reservation that
 * was offered, and a queue entry has what goes with its status.
 */
#ifndef HTTP_ENCODE_H
#define HTTP_ENCODE_H

#include "base/json_writer.h"
#include "core/command.h"
#include "core/outcome.h"
#include "view/view.h"

struct history_view; /* book/query.h */

/* The text form of an id: what it is of, in four characters, and the id. */
#define ENCODE_RESERVATION "res_"
#define ENCODE_ORDER "ord_"
#define ENCODE_QUEUE_ENTRY "ent_"
#define ENCODE_LIST_ENTRY "lst_"
#define ENCODE_ID_SIZE (4 + ID_TEXT_SIZE)
void encode_id(const char of[4], struct id id, char out[ENCODE_ID_SIZE]); /* no NUL */
bool encode_id_read(const char of[4], struct text text, struct id *out); /* false: not the text form of one */
/* A member of the object that is being written; null when there is no id. */
void encode_id_member(struct json_writer *w, const char *key, const char of[4], struct id id);

void encode_event(struct json_writer *w, const struct event_image *event, const struct event_counts *counts);
void encode_pool(struct json_writer *w, const struct pool_image *pool);
void encode_calendar(struct json_writer *w, const struct calendar_image *calendar);
/* An array: the weekly hours as they were put. */
void encode_hours(struct json_writer *w, const struct calendar_image *calendar);
/* An array: the closed intervals that begin before end_ms and end after start_ms. */
void encode_closed(struct json_writer *w, const struct calendar_image *calendar, int64_t start_ms,
                   int64_t end_ms);
void encode_slot(struct json_writer *w, const struct slot *slot);
void encode_seat(struct json_writer *w, const struct seat_view *seat);
/* now_ms: expires_in is told from here; 0 unless it is held. */
void encode_reservation(struct json_writer *w, const struct reservation_image *r, int64_t now_ms);
/* A safe upper bound of what encode_reservation writes, to be asked before there is a buffer for it. */
size_t encode_reservation_bound(const struct reservation_image *r);
void encode_history(struct json_writer *w, const struct history_view *history);
/* Somebody in a waiting room. `tiers` is what its pass is for, none: everything; pass.at == NULL: none is
 * shown. */
void encode_queue_entry(struct json_writer *w, const struct queue_entry_image *entry,
                        const struct text *tiers, uint32_t tier_count, struct text pass);
/* A waiting room as anybody may see it; `all`: as its admin does. */
void encode_queue(struct json_writer *w, const struct queue_view *queue, bool all);
/* Members of the object that is being written: the settings that an event's waiting_room has. */
void encode_queue_settings(struct json_writer *w, const struct queue_settings *settings);
void encode_list_entry(struct json_writer *w, const struct list_entry_image *entry);
/* The roles that a key may have: a list of words, as core/types.h has them. */
const char *encode_key_role(unsigned index);
void encode_key(struct json_writer *w, const struct key_image *key, int64_t now_ms);
/* null when there is no earlier value that is still good. */
void encode_old_valid_until(struct json_writer *w, const struct key_image *key, int64_t now_ms);
/* An array: the request items that were in the way, each as it was asked for. */
void encode_obstacles(struct json_writer *w, const struct outcome *outcome, const struct command *command);

#endif
