/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/room_sign.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"
#include "http/record/encode.h"
#include "http/wire/reply.h"
#include "http/server.h"

#define HEADERS_SIZE_MAX 160
#define BODY_SIZE_MAX 640
#define ETAG_SIZE 20 /* sixteen digits in quotes, and a NUL */

/* What is painted on it at one time. */
struct room_sign_face {
    int64_t made_ms; /* by the store's clock; 0: nothing is */
    uint64_t seq;    /* may be shown when this is durable */
    uint64_t shown_seq;
    char etag[ETAG_SIZE];
    char headers[HEADERS_SIZE_MAX], body[BODY_SIZE_MAX];
    size_t headers_size, body_size;
};

struct room_sign {
    char event[ID_SIZE_MAX];
    size_t event_size;
    struct room_sign_face front, next; /* the next one waits for the disk */
};

void room_signs_init(struct room_signs *signs)
{
    signs->key = (struct hash_key){random_u64(), random_u64()};
}

void room_signs_release(struct room_signs *signs)
{
    for (size_t i = 0; i < ROOM_SIGNS; i++) {
        free(signs->signs[i]);
        signs->signs[i] = NULL;
    }
}

static struct room_sign **sign_place(struct room_signs *signs, struct text event)
{
    return &signs->signs[hash_sip(signs->key, event.at, event.size) % ROOM_SIGNS];
}

static bool sign_is_of(const struct room_sign *sign, struct text event)
{
    return sign && text_equal((struct text){sign->event, sign->event_size}, event);
}

void room_signs_forget(struct server *server, struct text event)
{
    struct room_sign *sign = *sign_place(&server->signs, event);
    if (sign_is_of(sign, event))
        sign->front.made_ms = sign->next.made_ms = 0;
}

/* What is there of another event is painted over. */
static struct room_sign *sign_take(struct room_signs *signs, struct text event)
{
    struct room_sign **place = sign_place(signs, event);
    if (!*place)
        *place = memory_zeroed(1, sizeof **place);
    struct room_sign *sign = *place;
    if (!sign_is_of(sign, event)) {
        *sign = (struct room_sign){.event_size = event.size};
        memcpy(sign->event, event.at, event.size);
    }
    return sign;
}

bool room_sign_look(struct request *r, struct room_view *room)
{
    enum outcome_code code = store_room_find(r->store, r->parameters[0], room);
    if (code == OUTCOME_OK && room->has_room)
        return true;
    struct event_view event;
    if (store_event_find(r->store, r->parameters[0], &event))
        reply_wait(r, event.seq);
    reply_outcome(r, code == OUTCOME_OK ? OUTCOME_NO_WAITING_ROOM : code);
    return false;
}

static void paint(struct room_sign_face *face, const struct room_view *room, const struct request *r)
{
    struct buf body = {
        .data = (uint8_t *)face->body, .capacity = sizeof face->body, .limit = sizeof face->body};
    struct buf headers = {
        .data = (uint8_t *)face->headers, .capacity = sizeof face->headers, .limit = sizeof face->headers};
    struct json_writer w = json_writer_make(&body);
    uint64_t durable = store_durable_seq(r->store);
    encode_room(&w, room, false);
    uint64_t hash = hash_sip((struct hash_key){1, 2}, body.data, body.size);
    snprintf(face->etag, sizeof face->etag, "\"%016" PRIx64 "\"", hash);
    /* A cache between us and an admin must not take this for the admin's view. */
    buf_printf(&headers, "Cache-Control: public, max-age=1\r\nETag: %s\r\nVary: Authorization\r\n",
               face->etag);
    face->headers_size = headers.size;
    face->body_size = body.size;
    face->made_ms = r->now_ms;
    face->seq = room->seq;
    face->shown_seq = room->seq > durable ? room->seq : durable;
}

static bool younger(const struct room_sign_face *face, const struct request *r, int64_t age_ms)
{
    return face->made_ms && r->now_ms - face->made_ms < age_ms;
}

static void take_next(struct room_sign *sign, const struct request *r)
{
    if (!sign->next.made_ms || sign->next.seq > store_durable_seq(r->store))
        return;
    sign->front = sign->next;
    sign->next.made_ms = 0;
}

/* What may be shown now; NULL: it must be painted again. */
static const struct room_sign_face *sign_face(struct room_sign *sign, const struct request *r)
{
    take_next(sign, r);
    if (younger(&sign->front, r, ROOM_SIGN_FRESH_MS))
        return &sign->front;
    if (!younger(&sign->next, r, ROOM_SIGN_FRESH_MS))
        return NULL;
    return younger(&sign->front, r, ROOM_SIGN_OLD_MS) ? &sign->front : &sign->next;
}

void room_sign_reply(struct request *r)
{
    struct text event = r->parameters[0];
    struct room_sign *sign = *sign_place(&r->server->signs, event);
    const struct room_sign_face *face = sign_is_of(sign, event) ? sign_face(sign, r) : NULL;
    if (!face) {
        struct room_view room;
        if (!room_sign_look(r, &room))
            return;
        sign = sign_take(&r->server->signs, event);
        paint(&sign->next, &room, r);
        face = sign_face(sign, r);
    }
    reply_wait(r, face->seq);
    reply_seq(r, face->shown_seq);
    reply_made(r, face->etag, (struct text){face->headers, face->headers_size},
               (struct text){face->body, face->body_size});
}
