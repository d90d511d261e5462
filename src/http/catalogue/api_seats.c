/* SPDX-License-Identifier: Apache-2.0 */
#include "base/crypto/random.h"
#include "http/api/call.h"
#include "http/catalogue/seat_body.h"
#include "http/api/text_check.h"
#include "http/record/record.h"
#include "http/wire/problem.h"
#include "http/wire/reply.h"

#define BLOCK_IDS_MAX 10000

/* ---- Import: read on a worker, staged by the store, then all seats become visible at once or none ---- */

struct import {
    struct request *request;
    struct hash_key key; /* drawn on the loop, before the worker starts */
};

static bool read_body(void *ctx, struct buf *rows, uint32_t *count, struct import_fault *fault)
{
    const struct import *import = ctx;
    struct request *r = import->request;
    bool fine = r->body_is_csv ? seat_csv_read(r->body.at, r->body.size, import->key, rows, count, fault)
                               : seat_json_read(r->body.at, r->body.size, import->key, rows, count, fault);
    /* Freed here and not with the request: it takes milliseconds, which must not be the loop's. */
    r->body = TEXT("");
    buf_release(&r->body_bytes);
    return fine;
}

/* clang-format off */
#define SEATS_IMPORTED(F) \
    F(UINT, created, 480, "How many seats were created.", result->created) \
    F(UINT, updated, 20, "How many existing seats were updated.", result->updated)
RECORD(seat_import_result, "The result of an import.", SEATS_IMPORTED)
/* clang-format on */

static void imported(void *ctx, const struct import_result *result)
{
    struct import *import = ctx;
    struct request *r = import->request;
    if (result->code != OUTCOME_OK) {
        problem_reply_import(r, result);
        return;
    }
    struct json_writer *w = reply_json(r, 201);
    WRITE_RECORD(SEATS_IMPORTED);
    reply_wait(r, result->seq);
    reply_finish(r);
}

HANDLER(api_seats_import)
{
    struct import *import = arena_zeroed(&r->arena, sizeof(*import));
    import->request = r;
    import->key = (struct hash_key){random_u64(), random_u64()};
    store_import(r->store, &r->actor, r->parameters[0], read_body, imported, import);
}

/* ---- Off sale and back, and between allotments ---- */

struct block_body {
    struct json_list_value ids;
    struct json_text_value allotment, set_allotment;
    struct json_bool_value blocked;
};

const struct json_field api_seat_block_fields[] = {
    JSON_TEXTS(struct block_body, ids, 1, BLOCK_IDS_MAX, JSON_OPTIONAL, .check = text_check_id,
               .form = FIELD_ID_FORM, .about = "The seats: all or nothing, and none of them may be claimed."),
    FIELD_ALLOTMENT(
        struct block_body, allotment, JSON_OPTIONAL,
        "Instead of ids: all seats of this allotment; claimed ones follow when they become available."),
    JSON_BOOL(struct block_body, blocked, JSON_OPTIONAL, .about = "Whether to take them off sale."),
    FIELD_ALLOTMENT(struct block_body, set_allotment, JSON_NULLABLE,
                    "The allotment to move them to; null: none."),
    JSON_END,
};

/* clang-format off */
const struct json_form api_seat_block_forms[] = {
    {"mark_seats", "Seats, by id.", "ids", "blocked set_allotment",
     JSON_EXAMPLE({"ids": ["A1", "A2"], "blocked": true})},
    {"mark_allotment", "All seats of an allotment.", "allotment", "blocked set_allotment",
     JSON_EXAMPLE({"allotment": "sponsors", "set_allotment": null})},
    {0},
};

#define SEATS_BLOCKED(F) \
    F(UINT, changed, 2, "How many seats were changed.", result->changed) \
    F(UINT, skipped, 0, "How many are claimed; they follow when they become available.", result->skipped) \
    F(UINT, updated, 2, "The same as changed.", result->changed)
RECORD(seat_block_result, "The result of blocking seats, or of moving them between allotments.", SEATS_BLOCKED)
/* clang-format on */

/* The results of the steps of one request so far. */
struct block_result {
    uint32_t changed, skipped;
};

static void block_continue(void *ctx);

static void blocked(struct call *call, const struct outcome *outcome)
{
    struct block_result *result = call->data;
    result->changed += outcome->seats_changed;
    result->skipped += outcome->seats_skipped;
    call->command.seats_block.from = outcome->seats_next;
    if (outcome->seats_next) {
        call_after_turn(call->request, block_continue, call);
        return;
    }
    struct json_writer *w = reply_json(call->request, 200);
    WRITE_RECORD(SEATS_BLOCKED);
    reply_finish(call->request);
}

static void block_continue(void *ctx)
{
    call_submit(ctx, blocked);
}

/* Whether it names the seats and a change. */
static bool block_is_complete(struct request *r, const struct block_body *body)
{
    bool by_ids = body->ids.count > 0, sets = body->set_allotment.text || body->set_allotment.is_null;
    if (by_ids && body->allotment.text)
        reply_invalid(r, "/allotment", "allotment is not allowed with ids.");
    else if (!by_ids && !body->allotment.text)
        reply_invalid(r, "/ids", "Missing ids or allotment.");
    else if (!body->blocked.given && !sets)
        reply_invalid(r, "/blocked", "Missing blocked or set_allotment.");
    else
        return true;
    return false;
}

HANDLER(api_seats_block)
{
    struct block_body body;
    if (!request_decode(r, &body, sizeof(body)) || !block_is_complete(r, &body))
        return;
    const struct json_text_value *given = body.ids.entries;
    struct text *ids = body.ids.count ? arena_take(&r->arena, body.ids.count * sizeof(*ids)) : NULL;
    for (size_t i = 0; i < body.ids.count; i++)
        ids[i] = text_given(given[i]);
    struct call *call = call_make(r, COMMAND_SEATS_BLOCK);
    call->data = arena_zeroed(&r->arena, sizeof(struct block_result));
    call->command.seats_block.event = r->parameters[0];
    call->command.seats_block.ids = ids;
    call->command.seats_block.count = (uint32_t)body.ids.count;
    call->command.seats_block.in = text_given(body.allotment);
    call->command.seats_block.blocked = body.blocked.value;
    call->command.seats_block.keeps_blocked = !body.blocked.given;
    call->command.seats_block.allots = body.set_allotment.text || body.set_allotment.is_null;
    call->command.seats_block.allotment = text_given(body.set_allotment);
    call_submit(call, blocked);
}

/* ---- Removal ---- */

struct remove_body {
    struct json_list_value ids;
};

const struct json_field api_seat_remove_fields[] = {
    JSON_TEXTS(struct remove_body, ids, 1, BLOCK_IDS_MAX, JSON_REQUIRED, .check = text_check_id,
               .form = FIELD_ID_FORM, .about = "The seats: all or nothing."),
    JSON_END,
};

#define SEATS_REMOVED(F) F(UINT, removed, 2, "How many seats were removed.", result->removed)
RECORD(seat_remove_result, "The result of removing seats.", SEATS_REMOVED)

static void removed(void *ctx, const struct import_result *result)
{
    struct request *r = ctx;
    if (result->code != OUTCOME_OK) {
        problem_reply_import(r, result);
        return;
    }
    struct json_writer *w = reply_json(r, 200);
    WRITE_RECORD(SEATS_REMOVED);
    reply_wait(r, result->seq);
    reply_finish(r);
}

HANDLER(api_seats_remove)
{
    struct remove_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    const struct json_text_value *given = body.ids.entries;
    struct text *ids = arena_take(&r->arena, body.ids.count * sizeof(*ids));
    for (size_t i = 0; i < body.ids.count; i++)
        ids[i] = text_given(given[i]);
    store_remove_seats(r->store, &r->actor, r->parameters[0], ids, (uint32_t)body.ids.count, removed, r);
}

/* ---- Reads ---- */

static void layout_ready(void *ctx, struct document *document)
{
    struct request *r = ctx;
    if (document)
        reply_document(r, document);
    else
        reply_outcome(r, OUTCOME_NO_SUCH_EVENT);
}

HANDLER(api_seats_layout)
{
    view_layout(r->view, r->parameters[0], layout_ready, r);
}

HANDLER(api_seat_get)
{
    struct seat_view seat;
    enum outcome_code code = view_seat_find(r->view, r->parameters[0], r->parameters[1], &seat);
    if (code != OUTCOME_OK) {
        reply_outcome(r, code);
        return;
    }
    reply_header(r, "ETag", "\"%llu\"", (unsigned long long)seat.version);
    encode_seat(reply_json(r, 200), r->actor.role, &seat);
    reply_wait(r, seat.seq);
    reply_finish(r);
}

static void availability_ready(void *ctx, enum outcome_code code, struct document *answer)
{
    struct request *r = ctx;
    if (code != OUTCOME_OK) {
        reply_outcome(r, code);
        return;
    }
    reply_seq(r, answer->seq);
    reply_document(r, answer);
}

HANDLER(api_availability_get)
{
    struct text format = r->query[1];
    bool map = format.at && text_equal(format, TEXT("map"));
    uint64_t since;
    if (!request_query_number(r, 0, &since))
        return;
    if (format.at && !map && !text_equal(format, TEXT("json"))) {
        request_refuse_query(r, 1, NULL);
        return;
    }
    view_availability(r->view, r->parameters[0], map ? AVAILABILITY_MAP : AVAILABILITY_JSON, since,
                      availability_ready, r);
}
