/* SPDX-License-Identifier: Apache-2.0 */
#include "http/catalogue/code_call.h"

#include "http/server.h"
#include "http/wire/reply.h"

/* Users of an app share its address, so for an app key only the user counts. */
static const struct address *address_to_count(const struct request *r)
{
    return r->actor.role == ROLE_USER ? &r->address : NULL;
}

static struct text user_of(const struct command *command)
{
    return command->user_id.at ? command->user_id : command->actor.name;
}

/* Admin keys are never limited; a request of an app key without a user cannot be counted for one. */
static bool is_limited(const struct request *r, const struct command *command)
{
    return r->actor.role == ROLE_USER || (r->actor.role == ROLE_APP && command->user_id.at);
}

static bool may_try(struct request *r, const struct command *command, struct text event)
{
    unsigned retry_after_s;
    if (rate_limits_may_guess(&r->server->rate_limits, address_to_count(r), user_of(command), event,
                              r->now_ms, &retry_after_s))
        return true;
    struct fault fault;
    fault_set(&fault, FAULT_SLOW_DOWN, "Too many wrong codes. Please try again in a moment.");
    fault.retry_after_s = retry_after_s;
    r->server->metrics.slowed_down++;
    reply_fault(r, &fault);
    return false;
}

bool code_call_may_try(struct request *r, const struct command *command)
{
    if (!is_limited(r, command))
        return true;
    if (command->kind == COMMAND_QUEUE_JOIN)
        return !command->queue.code.at || may_try(r, command, command->queue.event);
    if (command->kind == COMMAND_LIST_JOIN)
        return !command->list.code.at || may_try(r, command, command->list.event);
    struct text last = {0}; /* items of one event mostly come together */
    for (uint32_t i = 0; i < command->hold.count; i++) {
        const struct item_request *item = &command->hold.items[i];
        bool coded = item->code.at || command->hold.code.at;
        if (!coded || item_kind_timed(item->kind) || text_equal(last, item->resource))
            continue;
        if (!may_try(r, command, item->resource))
            return false;
        last = item->resource;
    }
    return true;
}

void code_call_judged(struct request *r, const struct command *command, const struct outcome *outcome)
{
    if (outcome->code == OUTCOME_CODE_INVALID && outcome->guessed_at.at && is_limited(r, command))
        rate_limits_note_guess(&r->server->rate_limits, address_to_count(r), user_of(command),
                               outcome->guessed_at, r->now_ms);
}
