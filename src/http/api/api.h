/* SPDX-License-Identifier: Apache-2.0 */
/* api.h — what the routes name: every handler and every body table, by the file they are in; and every record.
 *
 * A handler is thin: decode by the table, fill in a command, submit it, encode the outcome. It holds no rule.
 * See request.h and reply.h for what it may rely on. Path and query of each are in its row of routes.c.
 */
#ifndef HTTP_API_H
#define HTTP_API_H

#include "base/json_reader.h"
#include "http/describe/schema.h"

struct request;

/* clang-format off */

/* ---- Handlers ---- */

/* api_events.c */
extern const struct json_field api_event_fields[], api_pool_fields[];
void api_event_list(struct request *r);             /* GET    /v1/events */
void api_event_put(struct request *r);              /* PUT    /v1/events/{event} */
void api_event_get(struct request *r);              /* GET    /v1/events/{event} */
void api_event_remove(struct request *r);           /* DELETE /v1/events/{event} */
void api_pool_put(struct request *r);               /* PUT    /v1/events/{event}/pools/{pool} */

/* api_seats.c; the table of an import in seat_json.c */
extern const struct json_field api_seat_fields[], api_seat_block_fields[];
void api_seats_import(struct request *r);           /* POST   /v1/events/{event}/seats: JSON or CSV */
void api_seats_block(struct request *r);            /* PATCH  /v1/events/{event}/seats */
void api_seats_layout(struct request *r);           /* GET    /v1/events/{event}/seats */
void api_seat_get(struct request *r);               /* GET    /v1/events/{event}/seats/{seat} */
void api_availability_get(struct request *r);       /* GET    /v1/events/{event}/availability */

/* live/stream.c */
void api_event_stream(struct request *r);           /* GET    /v1/events/{event}/stream */

/* api_queue.c */
extern const struct json_field api_queue_join_fields[], api_queue_patch_fields[];
void api_queue_join(struct request *r);             /* POST   /v1/events/{event}/queue */
void api_queue_get(struct request *r);              /* GET    /v1/events/{event}/queue */
void api_queue_patch(struct request *r);            /* PATCH  /v1/events/{event}/queue */
void api_queue_entry_get(struct request *r);        /* GET    /v1/events/{event}/queue/{entry} */
void api_queue_entry_leave(struct request *r);      /* DELETE /v1/events/{event}/queue/{entry} */

/* live/entry_stream.c */
void api_queue_entry_stream(struct request *r);     /* GET    /v1/events/{event}/queue/{entry}/stream */

/* api_waiting_list.c */
extern const struct json_field api_list_join_fields[];
void api_list_join(struct request *r);              /* POST   /v1/events/{event}/waiting-list */
void api_list_get(struct request *r);               /* GET    /v1/events/{event}/waiting-list */
void api_list_entry_get(struct request *r);         /* GET    /v1/events/{event}/waiting-list/{entry} */
void api_list_entry_leave(struct request *r);       /* DELETE /v1/events/{event}/waiting-list/{entry} */

/* api_calendars.c; the table in calendar_body.c */
extern const struct json_field api_calendar_fields[];
void api_calendar_list(struct request *r);          /* GET    /v1/calendars */
void api_calendar_put(struct request *r);           /* PUT    /v1/calendars/{calendar} */
void api_calendar_get(struct request *r);           /* GET    /v1/calendars/{calendar} */

/* api_slots.c, api_bookings.c */
void api_slot_list(struct request *r);              /* GET    /v1/calendars/{calendar}/slots */
void api_booking_list(struct request *r);           /* GET    /v1/calendars/{calendar}.ics */

/* api_holds.c */
extern const struct json_field api_hold_fields[];
extern const struct json_form api_hold_forms[];
void api_reservation_hold(struct request *r);       /* POST   /v1/reservations */

/* api_lists.c */
void api_reservation_list(struct request *r);       /* GET    /v1/reservations */
void api_reservation_history(struct request *r);    /* GET    /v1/reservations/{id}/history */

/* api_reservations.c; api_owner_fields, of release and drop, in reservation_call.c */
extern const struct json_field api_owner_fields[], api_attributes_fields[], api_extend_fields[];
extern const struct json_field api_payment_fields[], api_commit_fields[];
void api_reservation_get(struct request *r);        /* GET    /v1/reservations/{id} */
void api_reservation_attributes(struct request *r); /* PATCH  /v1/reservations/{id} */
void api_reservation_release(struct request *r);    /* DELETE /v1/reservations/{id}, POST …/release */
void api_reservation_extend(struct request *r);     /* POST   /v1/reservations/{id}/extend */
void api_reservation_payment(struct request *r);    /* POST   /v1/reservations/{id}/payment */
void api_reservation_commit(struct request *r);     /* POST   /v1/reservations/{id}/commit */

/* api_items.c */
extern const struct json_field api_items_fields[], api_item_move_fields[];
extern const struct json_form api_items_forms[], api_item_move_forms[];
void api_items_add(struct request *r);              /* POST   /v1/reservations/{id}/items */
void api_item_drop(struct request *r);              /* DELETE /v1/reservations/{id}/items/{item_id} */
void api_item_move(struct request *r);              /* PATCH  /v1/reservations/{id}/items/{item_id} */

/* api_keys.c */
extern const struct json_field api_key_fields[], api_key_rotate_fields[];
void api_key_create(struct request *r);             /* POST   /v1/keys */
void api_key_list(struct request *r);               /* GET    /v1/keys */
void api_key_rotate(struct request *r);             /* POST   /v1/keys/{name}/rotate */
void api_key_remove(struct request *r);             /* DELETE /v1/keys/{name} */

/* api_operations.c */
void api_session_create(struct request *r);         /* POST   /v1/sessions */
void api_healthz(struct request *r);                /* GET    /healthz */
void api_readyz(struct request *r);                 /* GET    /readyz */
void api_metrics(struct request *r);                /* GET    /metrics */
void api_openapi(struct request *r);                /* GET    /openapi.json */

/* ---- Records: components of /openapi.json, by name; each beside its handlers or in record/ ---- */

#define API_RECORDS(X) \
    X(availability) X(availability_map) X(availability_pool) X(availability_seats) X(best_seats) \
    X(calendar) X(closed_interval) X(confirmed_reservation) X(draw) X(ended_reservation) X(event) \
    X(event_counts) X(health) X(held_reservation) X(item) X(key) X(layout) X(layout_seat) X(list_entry) \
    X(money) X(new_key) X(obstacle) X(openapi_document) X(opening_hours) X(pool) X(pool_changed) \
    X(pool_item) X(pool_ticket) X(problem) X(queue) X(queue_admin) X(queue_entry) X(queue_public) \
    X(readiness) X(reservation) X(reservation_change) X(rotated_key) X(seat) X(seat_block_result) \
    X(seat_changed) X(seat_import_result) X(seat_item) X(seat_ticket) X(service) X(session) X(slot) \
    X(slot_item) X(slot_ticket) X(stream_reset) X(ticket) X(waiting_room)
/* clang-format on */

#define X(name) extern const struct schema schema_##name;
API_RECORDS(X)
#undef X

/* Not records themselves: the events of a stream by their names, each with the record that is its data. */
extern const struct schema schema_event_stream, schema_entry_stream;

#endif
