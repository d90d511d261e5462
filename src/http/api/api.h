/* SPDX-License-Identifier: Apache-2.0 */
/* api.h — every handler and every body table that the routes name, grouped by what they are about.
 *
 * A handler is thin: decode by the table, fill in a command, store_submit, encode the outcome. It holds no
 * rule. See request.h and reply.h for what it may rely on.
 */
#ifndef HTTP_API_H
#define HTTP_API_H

#include "base/json_reader.h"

struct request;

/* api_events.c */
extern const struct json_field api_event_fields[];
extern const struct json_field api_pool_fields[];
void api_event_put(struct request *r);    /* PUT    /v1/events/{event} */
void api_event_get(struct request *r);    /* GET    /v1/events/{event} */
void api_event_list(struct request *r);   /* GET    /v1/events                      ?limit &cursor */
void api_event_remove(struct request *r); /* DELETE /v1/events/{event} */
void api_pool_put(struct request *r);     /* PUT    /v1/events/{event}/pools/{pool} */

/* api_seats.c */
extern const struct json_field api_seat_fields[];       /* one element of the array */
extern const struct json_field api_seat_block_fields[]; /* PATCH: ids, blocked */
void api_seats_import(
    struct request *r); /* POST   /v1/events/{event}/seats        r->body_is_csv says which */
void api_seats_block(struct request *r);      /* PATCH  /v1/events/{event}/seats */
void api_seats_layout(struct request *r);     /* GET    /v1/events/{event}/seats */
void api_seat_get(struct request *r);         /* GET    /v1/events/{event}/seats/{seat} */
void api_availability_get(struct request *r); /* GET   /v1/events/{event}/availability ?since &format */

/* api_queue.c, entry_stream.c */
extern const struct json_field api_queue_join_fields[];  /* user_id, tiers */
extern const struct json_field api_queue_patch_fields[]; /* rate_per_second, max_active, paused, open_at */
void api_queue_join(struct request *r);                  /* POST   /v1/events/{event}/queue */
void api_queue_get(struct request *r);                   /* GET    /v1/events/{event}/queue */
void api_queue_patch(struct request *r);                 /* PATCH  /v1/events/{event}/queue */
void api_queue_entry_get(struct request *r);             /* GET    /v1/events/{event}/queue/{entry} */
void api_queue_entry_leave(struct request *r);           /* DELETE /v1/events/{event}/queue/{entry} */
void api_queue_entry_stream(struct request *r);          /* GET    /v1/events/{event}/queue/{entry}/stream */

/* api_waiting_list.c */
extern const struct json_field api_list_join_fields[]; /* quantity, adjacent, tier, section, pool, user_id */
void api_list_join(struct request *r);                 /* POST   /v1/events/{event}/waiting-list */
void api_list_get(struct request *r); /* GET    /v1/events/{event}/waiting-list  ?status &limit &cursor */
void api_list_entry_get(struct request *r);   /* GET    /v1/events/{event}/waiting-list/{entry} */
void api_list_entry_leave(struct request *r); /* DELETE /v1/events/{event}/waiting-list/{entry} */

/* api_calendars.c, calendar_body.c */
extern const struct json_field api_calendar_fields[];
void api_calendar_put(struct request *r);  /* PUT    /v1/calendars/{calendar} */
void api_calendar_get(struct request *r);  /* GET    /v1/calendars/{calendar} */
void api_calendar_list(struct request *r); /* GET    /v1/calendars                   ?limit &cursor */

/* api_slots.c: GET /v1/calendars/{calendar}/slots  ?from &to &duration_minutes &service &limit &cursor */
void api_slot_list(struct request *r);
/* api_bookings.c: GET /v1/calendars/{calendar}.ics  ?from &to */
void api_booking_list(struct request *r);

/* api_reservations.c; each but the first also takes ?user_id */
extern const struct json_field api_hold_fields[];
extern const struct json_form api_hold_forms[], api_items_forms[], api_item_move_forms[];
extern const struct json_field api_items_fields[];      /* an item's own fields, or items; user_id */
extern const struct json_field api_item_move_fields[];  /* seat, or start and end; user_id */
extern const struct json_field api_attributes_fields[]; /* attributes, user_id */
extern const struct json_field api_extend_fields[];     /* ttl_seconds, user_id */
extern const struct json_field api_payment_fields[];    /* payment_ref, user_id */
extern const struct json_field api_commit_fields[];     /* payment_method, payment_ref, attributes, user_id */
extern const struct json_field api_owner_fields[];      /* user_id: release and drop */
void api_reservation_hold(struct request *r);           /* POST   /v1/reservations */
void api_reservation_list(
    struct request *r); /* GET    /v1/reservations  ?user_id &event &calendar &status &pnr &limit &cursor */
void api_reservation_get(struct request *r);        /* GET    /v1/reservations/{id} */
void api_reservation_attributes(struct request *r); /* PATCH  /v1/reservations/{id} */
void api_reservation_release(
    struct request *r); /* POST   /v1/reservations/{id}/release, DELETE /v1/reservations/{id} */
void api_reservation_extend(struct request *r);  /* POST   /v1/reservations/{id}/extend */
void api_reservation_payment(struct request *r); /* POST   /v1/reservations/{id}/payment */
void api_reservation_commit(struct request *r);  /* POST   /v1/reservations/{id}/commit */
void api_reservation_history(
    struct request *r);                /* GET    /v1/reservations/{id}/history  ?user_id &limit &cursor */
void api_items_add(struct request *r); /* POST   /v1/reservations/{id}/items */
void api_item_drop(struct request *r); /* DELETE /v1/reservations/{id}/items/{item_id} */
void api_item_move(struct request *r); /* PATCH  /v1/reservations/{id}/items/{item_id} */

/* api_keys.c */
extern const struct json_field api_key_fields[];        /* name, role */
extern const struct json_field api_key_rotate_fields[]; /* old_valid_seconds */
void api_key_create(struct request *r);                 /* POST   /v1/keys */
void api_key_list(struct request *r);                   /* GET    /v1/keys  ?limit &cursor */
void api_key_rotate(struct request *r);                 /* POST   /v1/keys/{name}/rotate */
void api_key_remove(struct request *r);                 /* DELETE /v1/keys/{name} */

/* api_operations.c */
void api_session_create(struct request *r); /* POST /v1/sessions */
void api_healthz(struct request *r);        /* GET  /healthz */
void api_readyz(struct request *r);         /* GET  /readyz */
void api_metrics(struct request *r);        /* GET  /metrics */
void api_openapi(struct request *r);        /* GET  /openapi.json */

/* stream.c */
void api_event_stream(struct request *r); /* GET  /v1/events/{event}/stream */

#endif
