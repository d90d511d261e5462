/* SPDX-License-Identifier: Apache-2.0 */
#include "core/command.h"

#include "base/assertion.h"
#include "core/claim/reservation_command.h"
#include "core/claim/hold.h"
#include "core/key.h"
#include "core/step.h"

static const uint8_t traits_of[COMMAND_COUNT] = {
#define X(name, handler, traits) [COMMAND_##name] = traits,
    COMMANDS(X)
#undef X
};

bool command_is(enum command_kind kind, enum command_trait trait)
{
    ASSERT(kind < COMMAND_COUNT);
    return traits_of[kind] & trait;
}

enum outcome_code command_apply(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    switch (c->kind) {
#define X(name, handler, traits)                                                                             \
    case COMMAND_##name:                                                                                     \
        return handler;
        COMMANDS(X)
#undef X
    case COMMAND_COUNT:
        break;
    }
    ASSERT(false && "a command of unknown kind");
    return OUTCOME_INVALID;
}

void step_begin(struct step *step, struct state *st, const struct command *c)
{
    step->state = st;
    step->command = c;
    step->target_count = step->plan_count = 0;
}

void step_answer(struct step *step, uint32_t handle, struct outcome *out)
{
    struct reservation *r = reservation_at(step->state, handle);
    out->has_reservation = true;
    state_saw(out, r->seq);
    reservation_image_make(step->state, r, &out->reservation, step->view);
}
