/* SPDX-License-Identifier: Apache-2.0 */
#include "core/entry.h"

#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/claim/allowance.h"
#include "core/queue/queue_line.h"
#include "core/waitlist/wish_group.h"

static bool is_user(const struct state *st)
{
    return st->actor.role == ROLE_USER;
}

static enum outcome_code judge_owner(const struct command *c, struct text owner, struct outcome *out)
{
    if (!c->user_id.at || text_equal(c->user_id, owner))
        return OUTCOME_OK;
    out->detail = "This entry belongs to another user.";
    return OUTCOME_NOT_OWNER;
}

static uint32_t joined(const struct event *e, enum entry_kind kind)
{
    if (kind == ENTRY_QUEUE)
        return e->queue ? queue_joined(e->queue) : 0;
    return e->list ? e->list->entries.used : 0;
}

static struct text owner_of(const struct event *e, enum entry_kind kind, uint32_t number)
{
    ASSERT(number >= 1 && number <= joined(e, kind));
    return kind == ENTRY_QUEUE ? queue_user(e->queue, number)
                               : list_entry_user(list_entry_at(e->list, number));
}

enum outcome_code entry_joiner(const struct state *st, const struct command *c, struct text *user,
                               struct outcome *out)
{
    *user = is_user(st) ? st->actor.name : c->user_id;
    if (!user->at)
        return state_invalid(out, "Missing user_id.", "/user_id");
    return judge_owner(c, *user, out);
}

enum outcome_code entry_judge_joiner(const struct state *st, const struct event *e, struct text given,
                                     struct code **code, struct outcome *out)
{
    ASSERT(!e->image.removed);
    *code = NULL;
    enum outcome_code judged = allowance_judge_guest(e, NULL, st->actor, out);
    return judged == OUTCOME_OK ? code_judge_joiner(st, e, given, code, out) : judged;
}

uint32_t entry_number(const struct event *e, enum entry_kind kind, struct id id)
{
    ASSERT(kind == ENTRY_QUEUE || kind == ENTRY_LIST);
    uint32_t last = joined(e, kind); /* 0: the event might not have a key to read ids with */
    uint64_t number = last ? entry_id_number(e->image.entry_key, kind, id) : 0;
    return number <= last ? (uint32_t)number : 0;
}

enum outcome_code entry_find(struct state *st, const struct command *c, enum entry_kind kind,
                             struct event **e, uint32_t *number, struct outcome *out)
{
    /* The user named is checked before any lookup, so that the refusal reveals nothing about the entry. */
    enum outcome_code code = is_user(st) ? judge_owner(c, st->actor.name, out) : OUTCOME_OK;
    if (code != OUTCOME_OK)
        return code;
    *e = event_find(st, kind == ENTRY_QUEUE ? c->queue.event : c->list.event);
    if (!*e)
        return OUTCOME_NO_SUCH_EVENT;
    *number = entry_number(*e, kind, kind == ENTRY_QUEUE ? c->queue.entry : c->list.entry);
    if (!*number)
        return OUTCOME_NO_SUCH_ENTRY;
    struct text owner = owner_of(*e, kind, *number);
    if (is_user(st) && !text_equal(owner, st->actor.name))
        return OUTCOME_NO_SUCH_ENTRY;
    return judge_owner(c, owner, out);
}

enum outcome_code entry_made(const struct event *e, enum entry_kind kind, struct id made, uint32_t *number,
                             struct outcome *out)
{
    ASSERT(out->replayed);
    *number = entry_number(e, kind, made);
    if (*number)
        return OUTCOME_OK;
    out->replayed = false; /* not the answer of the first time */
    return OUTCOME_NO_SUCH_ENTRY;
}
