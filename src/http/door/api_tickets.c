/* SPDX-License-Identifier: Apache-2.0 */
/* api_tickets.c — a ticket as a picture, and the public keys with which a door verifies signed tickets.
 *
 * A worker makes the signature and the picture for each request; they are not stored. */
#include <stdlib.h>

#include "base/crypto/base64.h"
#include "base/memory/memory.h"
#include "http/api/call.h"
#include "http/record/record.h"
#include "http/server.h"
#include "http/door/qr.h"
#include "http/door/ticket_form.h"
#include "http/wire/reply.h"

/* clang-format off */
#define JWK(F) \
    F(STRING, kty, "OKP", "The kind of key: `OKP` (RFC 8037).", "OKP") \
    F(STRING, crv, "Ed25519", "The curve: `Ed25519`.", "Ed25519") \
    F(STRING, alg, "EdDSA", "The signature algorithm: `EdDSA`.", "EdDSA") \
    F(STRING, use, "sig", "The use of the key: `sig`.", "sig") \
    F(STRING, kid, "3q2-7wAAAAE", "Its id: the first 8 bytes of the payload, as base64url.", id) \
    F(STRING, x, "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "The public key, as base64url.", public)
RECORD(jwk, "A public key (RFC 7517, RFC 8037).", JWK)

#define JWK_SET(F) \
    F(LIST, keys, , "The first key signs; the others signed earlier tickets, which are still valid.", jwk, write_keys(w, keys))
RECORD(jwk_set, "The public keys that verify signed tickets (RFC 7517).", JWK_SET)
/* clang-format on */

static void write_keys(struct json_writer *w, const struct ticket_keys *keys)
{
    json_array_begin(w);
    for (unsigned i = 0; i < keys->count; i++) {
        char id[BASE64URL_SIZE(TICKET_KEY_ID_SIZE) + 1] = "",
                                                     public[BASE64URL_SIZE(ED25519_KEY_SIZE) + 1] = "";
        base64url_write(keys->keys[i].id, TICKET_KEY_ID_SIZE, id);
        base64url_write(keys->keys[i].public, ED25519_KEY_SIZE, public);
        WRITE_RECORD(JWK);
    }
    json_array_end(w);
}

HANDLER(api_ticket_keys)
{
    const struct ticket_keys *keys = &r->server->ticket_keys;
    struct json_writer *w = reply_json(r, 200);
    WRITE_RECORD(JWK_SET);
    reply_finish(r);
}

/* ---- Pictures ---- */

struct picture {
    struct request *request;
    struct check_in_image ticket; /* texts are in the request's arena */
    const char *type;
    void (*write)(const struct qr *qr, struct buf *out);
};

static void draw(void *ctx)
{
    struct picture *picture = ctx;
    char text[TICKET_FORM_SIZE_MAX];
    struct qr *qr = memory_get(sizeof(*qr));
    size_t size = ticket_form_write(&picture->request->server->ticket_keys, &picture->ticket, text);
    qr_make(qr, text, size);
    picture->write(qr, &picture->request->scratch);
    free(qr);
}

static void drawn(void *ctx)
{
    struct picture *picture = ctx;
    struct request *r = picture->request;
    reply_header(r, "Cache-Control", "private, no-store");
    reply_take(r, picture->type, &r->scratch);
}

static void found(struct call *call, const struct outcome *outcome)
{
    struct picture *picture = call->data;
    struct request *r = call->request;
    picture->ticket = outcome->check_in;
    picture->ticket.code = request_keep(r, outcome->check_in.code);
    picture->ticket.resource_id = request_keep(r, outcome->check_in.resource_id);
    picture->ticket.part_id = request_keep(r, outcome->check_in.part_id);
    picture->ticket.gate = (struct text){0};
    store_work(r->store, draw, drawn, picture);
}

static void picture_reply(struct request *r, const char *type, void (*write)(const struct qr *, struct buf *))
{
    struct picture *picture = arena_zeroed(&r->arena, sizeof(*picture));
    struct call *call = call_make(r, COMMAND_TICKET_LOOK);
    *picture = (struct picture){.request = r, .type = type, .write = write};
    call->data = picture;
    /* The code is the only credential: other credentials, such as a manage token, make no difference. */
    call->command.actor = (struct actor){.role = ROLE_NONE};
    call->command.check_in.code = r->parameters[0];
    call_submit(call, found);
}

HANDLER(api_ticket_svg)
{
    picture_reply(r, "image/svg+xml", qr_write_svg);
}

HANDLER(api_ticket_png)
{
    picture_reply(r, "image/png", qr_write_png);
}
