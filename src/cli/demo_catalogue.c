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

static void demo_catalogue_run(struct demo_loader *loader);

static void next_part(struct demo_loader *loader)
{
    loader->part++;
    loader->call = 0;
}

static void note_refusal(struct demo_loader *loader, int status, struct text answer)
{
    char refusal[DEMO_REFUSAL_SIZE];
    bool line = answer.size && answer.at[answer.size - 1] == '\n';
    snprintf(refusal, sizeof refusal, "%s %s: %d %.*s", method_name(loader->local.method),
             loader->local.target, status, (int)(answer.size - line), answer.at);
    log_error("demo data refused", {"call", LOG_STR(refusal)});
    if (!loader->refusal[0])
        memcpy(loader->refusal, refusal, sizeof refusal);
}

/* Whether to load the part, by the answer to the request for its condition. */
static bool part_wanted(const struct demo_part *part, int status, struct text answer)
{
    size_t size = strlen(EMPTY_LIST);
    return status < 300 && (part->where || (answer.size > size && memcmp(answer.at, EMPTY_LIST, size) == 0));
}

static void on_answer(void *ctx, int status, struct text answer)
{
    struct demo_loader *loader = ctx;
    const struct demo_part *part = &loader->parts[loader->part];
    bool absent = loader->call == 0 && part->where && status == 404;
    bool go_on = loader->call ? status < 300 : part_wanted(part, status, answer);
    if (status >= 300 && !absent)
        note_refusal(loader, status, answer);
    if (go_on && loader->call < part->count)
        loader->call++;
    else
        next_part(loader);
    loader->waiting = false;
    if (!loader->calling)
        demo_catalogue_run(loader);
}

static void make_call(struct demo_loader *loader)
{
    const struct demo_part *part = &loader->parts[loader->part];
    struct local_call *local = &loader->local;
    buf_clear(&loader->body);
    local->method = METHOD_GET;
    local->target = part->unless ? part->unless : part->where;
    local->body_type = NULL;
    if (loader->call) {
        const struct demo_call *call = &part->calls[loader->call - 1];
        local->method = call->method;
        local->target = call->path;
        local->body_type = call->type;
        demo_time_replace(call->body, store_now(loader->server->store), &loader->body);
    }
    local->body = (struct text){(const char *)loader->body.data, loader->body.size};
    local_call_make(loader->server, local);
}

/* A loop and not a recursion, because most answers come before make_call returns. */
static void demo_catalogue_run(struct demo_loader *loader)
{
    loader->calling = true;
    while (!loader->waiting && !loader->server->stopping && loader->part < loader->count) {
        loader->waiting = true;
        make_call(loader);
    }
    loader->calling = false;
    if (loader->waiting)
        return;
    buf_release(&loader->body);
    buf_release(&loader->local.reply);
    if (!loader->server->stopping)
        loader->done(loader->ctx);
}

void demo_catalogue_put(struct demo_loader *loader, struct server *server, const struct demo_part *parts,
                        size_t count, void (*done)(void *ctx), void *ctx)
{
    *loader =
        (struct demo_loader){.server = server, .parts = parts, .count = count, .done = done, .ctx = ctx};
    loader->local.answered = on_answer;
    loader->local.ctx = loader;
    buf_init(&loader->body, TEXT_SIZE_MAX);
    buf_init(&loader->local.reply, TEXT_SIZE_MAX);
    demo_catalogue_run(loader);
}
