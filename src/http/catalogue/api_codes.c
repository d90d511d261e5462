/* SPDX-License-Identifier: Apache-2.0 */
/* api_codes.c — the codes of an event.
 *
 * An import is read on a worker. If all of it is valid it is applied in slices of CODES_STEP_MAX codes, each a command
 * of its own, with a turn of the loop in between. A worker also frees its memory, which takes milliseconds too. */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/crypto/random.h"
#include "http/api/call.h"
#include "http/catalogue/code_import.h"
#include "http/api/page.h"
#include "http/describe/about.h"
#include "http/record/record.h"
#include "http/wire/problem.h"
#include "http/wire/reply.h"

/* ---- Import ---- */

struct import {
    struct request *request;
    struct code_import read;
    bool good;
    struct import_result result;
    uint32_t done; /* codes applied so far */
};

/* clang-format off */
#define CODES_IMPORTED(F) \
    F(UINT, created, 480, "How many codes were created.", result->created) \
    F(UINT, updated, 20, "How many existing codes were updated.", result->updated)
RECORD(code_import_result, "The result of an import.", CODES_IMPORTED)

#define CODE(F) \
    F(TEXT, code, "PRESALE-7K2Q", ABOUT_CODE, code->code) \
    F(UINT, units, 2, ABOUT_CODE_UNITS, code->units) \
    F(UINT, used, 1, "How many seats and units are held and sold with it.", code->used) \
    F(TEXTS_OR_NULL, tiers, null, ABOUT_CODE_TIERS, code->tiers, code->tier_count) \
    F(TEXT_OR_NULL, allotment, null, ABOUT_CODE_ALLOTMENT, code->allotment)
RECORD(code, "A code of an event.", CODE)
/* clang-format on */

static void import_free(void *ctx)
{
    struct import *import = ctx;
    code_import_release(&import->read);
    free(import);
}

static void import_drop(struct import *import)
{
    store_reclaim(import->request->store, code_import_size(&import->read), import_free, import);
}

static void slice(void *ctx);

static void applied(struct call *call, const struct outcome *outcome)
{
    struct import *import = call->data;
    struct request *r = import->request;
    import->result.created += outcome->codes_created;
    import->result.updated += outcome->codes_updated;
    import->done += call->command.codes_put.count;
    if (import->done < import->read.count) {
        call_after_turn(r, slice, import);
        return;
    }
    const struct import_result copy = import->result, *result = &copy;
    import_drop(import);
    struct json_writer *w = reply_json(r, 201);
    WRITE_RECORD(CODES_IMPORTED);
    reply_finish(r);
}

/* If refused, the reply does not need the codes any more. */
static void ended(struct call *call, const struct outcome *outcome)
{
    struct import *import = call->data;
    if (outcome->code != OUTCOME_OK)
        import_drop(import);
}

static void slice(void *ctx)
{
    struct import *import = ctx;
    struct request *r = import->request;
    uint32_t left = import->read.count - import->done;
    struct call *call = call_make(r, COMMAND_CODES_PUT);
    call->data = import;
    call->ended = ended;
    call->command.codes_put.event = r->parameters[0];
    call->command.codes_put.codes = import->read.codes + import->done;
    call->command.codes_put.count = left < CODES_STEP_MAX ? left : CODES_STEP_MAX;
    call_submit(call, applied);
}

static void read_body(void *ctx)
{
    struct import *import = ctx;
    struct request *r = import->request;
    struct import_fault *fault = &import->result.fault;
    import->good = r->body_is_csv ? code_import_csv(&import->read, r->body.at, r->body.size, fault)
                                  : code_import_json(&import->read, r->body.at, r->body.size, fault);
    r->body = TEXT("");
    buf_release(&r->body_bytes);
}

static void body_read(void *ctx)
{
    struct import *import = ctx;
    if (import->good) {
        slice(import);
        return;
    }
    struct request *r = import->request;
    struct import_result result = import->result;
    result.code = OUTCOME_INVALID;
    import_drop(import);
    problem_reply_import(r, &result);
}

HANDLER(api_codes_import)
{
    struct event_view view;
    if (!view_event_find(r->view, r->parameters[0], &view)) {
        reply_outcome(r, OUTCOME_NO_SUCH_EVENT);
        return;
    }
    struct import *import = memory_zeroed(1, sizeof(*import));
    import->request = r;
    code_import_init(&import->read, (struct hash_key){random_u64(), random_u64()});
    store_work(r->store, read_body, body_read, import);
}

/* ---- List and remove ---- */

HANDLER(api_code_list)
{
    uint32_t limit;
    struct text after;
    struct event_view event;
    struct code_view view;
    if (!page_limit(r, 0, &limit) || !page_cursor_name(r, 1, &after))
        return;
    if (!view_event_find(r->view, r->parameters[0], &event)) {
        reply_outcome(r, OUTCOME_NO_SUCH_EVENT);
        return;
    }
    struct json_writer *w = reply_json(r, 200);
    page_begin(w);
    for (; limit && view_code_after(r->view, r->parameters[0], after, &view); limit--) {
        const struct code_image *code = &view.image;
        WRITE_RECORD(CODE);
        reply_wait(r, view.seq);
        after = view.image.code;
    }
    page_end_name(w, limit == 0 && view_code_after(r->view, r->parameters[0], after, &view), after);
    reply_finish(r);
}

HANDLER(api_code_remove)
{
    struct call *call = call_make(r, COMMAND_CODE_REMOVE);
    call->command.code_remove.event = r->parameters[0];
    call->command.code_remove.code = r->parameters[1];
    call_submit(call, call_reply_empty);
}
