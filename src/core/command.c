/* SPDX-License-Identifier: Apache-2.0 */
#include "core/command.h"

#include "base/assertion.h"
#include "core/claim/reservation_command.h"
#include "core/step.h"

static const uint8_t traits_of[COMMAND_COUNT] = {
#define X(name, gets, handler, traits) [COMMAND_##name] = traits,
    COMMANDS(X)
#undef X
};

bool command_is(enum command_kind kind, enum command_trait trait)
{
    ASSERT(kind < COMMAND_COUNT);
    return traits_of[kind] & trait;
}

bool actor_may_name(struct actor actor, struct text user_id)
{
    return actor.role != ROLE_USER || !user_id.at || text_equal(user_id, actor.name);
}

bool actor_is_guest(struct actor actor)
{
    const size_t size = sizeof(GUEST_PREFIX) - 1;
    return actor.role == ROLE_USER && actor.name.size >= size &&
           memcmp(actor.name.at, GUEST_PREFIX, size) == 0;
}

enum outcome_code command_judge_caller(const struct command *c)
{
    if (c->actor.role == ROLE_ORDER && !id_equal(c->order.reservation, c->reservation))
        return OUTCOME_NO_SUCH_RESERVATION;
    if (!actor_may_name(c->actor, c->user_id))
        return OUTCOME_NOT_OWNER;
    /* Owners cancel, staff refund: the history shows which of the two it was. */
    if (c->kind == COMMAND_CANCEL && (c->actor.role == ROLE_APP || c->actor.role == ROLE_ADMIN))
        return OUTCOME_FORBIDDEN;
    /* The old owner's attributes are cleared, unless a back end asks to keep them. */
    bool keeps = c->kind == COMMAND_TRANSFER && c->transfer.keep_attributes;
    if (keeps && c->actor.role != ROLE_APP && c->actor.role != ROLE_ADMIN)
        return OUTCOME_FORBIDDEN;
    bool confirms = c->kind == COMMAND_HOLD && c->hold.commit;
    return confirms && c->actor.role == ROLE_USER ? OUTCOME_FORBIDDEN : OUTCOME_OK;
}

enum outcome_code command_apply(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    /* A manage token is not a login: it allows the commands marked COMMAND_BY_ORDER and nothing else. */
    if (c->actor.role == ROLE_ORDER && !command_is(c->kind, COMMAND_BY_ORDER))
        return OUTCOME_FORBIDDEN;
    switch (c->kind) {
#define APPLY_STATE(handler) handler(st, c, out)
#define APPLY_STEP(handler) handler(step, out)
#define APPLY_RESERVATION(handler) reservation_command_apply(step, handler, out)
#define X(name, gets, handler, traits)                                                                       \
    case COMMAND_##name:                                                                                     \
        return APPLY_##gets(handler);
        COMMANDS(X)
#undef X
    case COMMAND_COUNT:
        break;
    }
    ASSERT(false);
    return OUTCOME_INVALID;
}
