/* SPDX-License-Identifier: Apache-2.0 */
/* hooks.c — reads outgoing webhooks, and how many of their messages are still to be sent, from memory. */
#include "view/answers.h"

uint32_t view_hook_count(struct view *v)
{
    return state_hook_count(v->state);
}

bool view_hook_at(struct view *v, uint32_t index, struct hook_view *out)
{
    if (index >= state_hook_count(v->state))
        return false;
    *out = (struct hook_view){.image = state_hook_at(v->state, index),
                              .waiting = state_hook_waiting(v->state, index),
                              .due_ms = state_hook_due(v->state, index),
                              .oldest_ms = state_hook_oldest(v->state, index)};
    return true;
}

bool view_hook_after(struct view *v, struct text name, struct hook_view *out)
{
    return view_hook_at(v, state_hook_after(v->state, name), out);
}

/* There are at most HOOKS_MAX. */
bool view_hook_find(struct view *v, struct text name, struct hook_view *out)
{
    for (uint32_t i = 0; view_hook_at(v, i, out); i++)
        if (text_equal(out->image->name, name))
            return true;
    return false;
}

bool view_hook_numbered(struct view *v, uint64_t number, struct hook_view *out)
{
    for (uint32_t i = 0; view_hook_at(v, i, out); i++)
        if (out->image->number == number)
            return true;
    return false;
}

uint64_t view_hooks_seq(struct view *v)
{
    return state_hooks_seq(v->state);
}

struct hook_stats view_hook_stats(struct view *v)
{
    return state_hook_stats(v->state);
}
