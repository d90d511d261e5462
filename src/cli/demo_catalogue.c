/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/demo_catalogue.h"

#include <stdio.h>

#include "base/logging.h"
#include "cli/demo_time.h"
#include "http/server.h"

#define TEXT_SIZE_MAX (64u << 20) /* of a body or an answer, such as a page of events */
#define EMPTY_LIST "{\"data\":[]"

const struct demo_part demo_catalogue[] = {
#include "demo.inc"
};
_Static_assert(sizeof demo_catalogue / sizeof *demo_catalogue == DEMO_PARTS, "see enum");

static void demo_catalogue_run(struct demo_filling *filling);

static void next_part(struct demo_filling *filling)
{
    filling->part++;
    filling->call = 0;
}

static void note_refusal(struct demo_filling *filling, int status, struct text answer)
{
    char refusal[DEMO_REFUSAL_SIZE];
    bool line = answer.size && answer.at[answer.size - 1] == '\n';
    snprintf(refusal, sizeof refusal, "%s %s: %d %.*s", method_name(filling->local.method),
             filling->local.target, status, (int)(answer.size - line), answer.at);
    log_error("demo data refused", {"call", LOG_STR(refusal)});
    if (!filling->refusal[0])
        memcpy(filling->refusal, refusal, sizeof refusal);
}

/* Whether the part is to be put in, by the answer to its condition. */
static bool part_wanted(const struct demo_part *part, int status, struct text answer)
{
    size_t size = strlen(EMPTY_LIST);
    return status < 300 && (part->where || (answer.size > size && memcmp(answer.at, EMPTY_LIST, size) == 0));
}

static void on_answer(void *ctx, int status, struct text answer)
{
    struct demo_filling *filling = ctx;
    const struct demo_part *part = &filling->parts[filling->part];
    bool absent = filling->call == 0 && part->where && status == 404;
    bool go_on = filling->call ? status < 300 : part_wanted(part, status, answer);
    if (status >= 300 && !absent)
        note_refusal(filling, status, answer);
    if (go_on && filling->call < part->count)
        filling->call++;
    else
        next_part(filling);
    filling->waiting = false;
    if (!filling->asking)
        demo_catalogue_run(filling);
}

static void ask(struct demo_filling *filling)
{
    const struct demo_part *part = &filling->parts[filling->part];
    struct local_call *local = &filling->local;
    buf_clear(&filling->body);
    local->method = METHOD_GET;
    local->target = part->unless ? part->unless : part->where;
    local->body_type = NULL;
    if (filling->call) {
        const struct demo_call *call = &part->calls[filling->call - 1];
        local->method = call->method;
        local->target = call->path;
        local->body_type = call->type;
        demo_time_replace(call->body, store_now(filling->server->store), &filling->body);
    }
    local->body = (struct text){(const char *)filling->body.data, filling->body.size};
    local_call_make(filling->server, local);
}

/* A loop, since most answers come within `ask`. */
static void demo_catalogue_run(struct demo_filling *filling)
{
    filling->asking = true;
    while (!filling->waiting && !filling->server->stopping && filling->part < filling->count) {
        filling->waiting = true;
        ask(filling);
    }
    filling->asking = false;
    if (filling->waiting)
        return;
    buf_release(&filling->body);
    buf_release(&filling->local.reply);
    if (!filling->server->stopping)
        filling->done(filling->ctx);
}

void demo_catalogue_put(struct demo_filling *filling, struct server *server, const struct demo_part *parts,
                        size_t count, void (*done)(void *ctx), void *ctx)
{
    *filling =
        (struct demo_filling){.server = server, .parts = parts, .count = count, .done = done, .ctx = ctx};
    filling->local.answered = on_answer;
    filling->local.ctx = filling;
    buf_init(&filling->body, TEXT_SIZE_MAX);
    buf_init(&filling->local.reply, TEXT_SIZE_MAX);
    demo_catalogue_run(filling);
}
