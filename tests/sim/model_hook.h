/* SPDX-License-Identifier: Apache-2.0 */
/* model_hook.h — the model's part for outgoing webhooks; model.h includes it. What is to be told waits until it has
 * arrived, in order for each reservation, whatever dies in between. */
#ifndef TESTS_SIM_MODEL_HOOK_H
#define TESTS_SIM_MODEL_HOOK_H

#include "core/change.h"

#define MODEL_HOOKS 2
#define MODEL_MESSAGES 512
#define MODEL_MESSAGES_MANY 120 /* then they are sent at once */

struct model;

struct model_message {
    uint64_t seq; /* of the change that it tells of */
    struct id reservation;
    int64_t since, soonest, latest; /* when it happened; when it is sent next, between these */
    uint32_t ordinal;               /* as core has said when it was taken */
    uint8_t event, attempts;
    bool under_way;
};

struct model_hook {
    uint64_t number; /* 0: there is none */
    uint32_t wants;
    uint32_t count;
    struct model_message waiting[MODEL_MESSAGES]; /* in the order of what they tell of */
};

/* A change was made, which hooks may have to be told of. */
void model_hooks_note(struct model *m, const struct change *c);
/* The next process tries anew. */
void model_hooks_restart(struct model *m);
/* The message is the next that may be sent of its reservation, or NULL: it is none, or it is not. */
struct model_message *model_message_next(struct model *m, int hook, const struct hook_message *c);
/* One that should have been sent by now, or NULL. */
const struct model_message *model_message_due(const struct model *m, int hook, uint64_t durable_seq);
/* What became of an attempt. */
void model_message_over(struct model *m, int hook, uint32_t index, enum hook_result result);
bool model_message_old(const struct model *m, int hook); /* the first has waited for a day */
/* A hold is about to expire, and hooks are told; NULL, or what is wrong. */
const char *model_warned(struct model *m, const struct hook_warning_image *image);
const char *model_unwarned(const struct model *m); /* of one that should have been; NULL: there is none */

#endif
