/* SPDX-License-Identifier: Apache-2.0 */
/* model_hook.h — the model's part for outgoing webhooks; model.h includes it. A message waits until it is delivered, in
 * order for each reservation, whatever dies in between. */
#ifndef TESTS_SIM_MODEL_HOOK_H
#define TESTS_SIM_MODEL_HOOK_H

#include "core/change.h"

#define MODEL_HOOKS 2
#define MODEL_MESSAGES 512
#define MODEL_MESSAGES_MANY 120 /* then they are sent at once */

struct model;

struct model_message {
    uint64_t seq; /* of the change it reports */
    struct id reservation;
    int64_t since, soonest, latest; /* when it happened; when it is sent next, between these */
    uint32_t ordinal;               /* as reported by core when it was taken */
    uint8_t event, attempts;
    bool under_way;
};

struct model_hook {
    uint64_t number; /* 0: there is none */
    uint32_t wants;
    uint32_t count;
    struct model_message waiting[MODEL_MESSAGES]; /* in the order of their changes */
};

/* A change was made, which could make messages. */
void model_hooks_note(struct model *m, const struct change *c);
/* The next process starts trying again. */
void model_hooks_restart(struct model *m);
/* The message if it is the next of its reservation that can be sent, or NULL. */
struct model_message *model_message_next(struct model *m, int hook, const struct hook_message *c);
/* One that should have been sent by now, or NULL. */
const struct model_message *model_message_due(const struct model *m, int hook, uint64_t durable_seq);
/* The result of an attempt. */
void model_message_over(struct model *m, int hook, uint32_t index, enum hook_result result);
bool model_message_old(const struct model *m, int hook); /* the first has waited for a day */
/* Hooks are warned that a hold is about to expire; NULL, or what is wrong. */
const char *model_warned(struct model *m, const struct hook_warning_image *image);
const char *model_unwarned(const struct model *m); /* a hold that should have been warned of; NULL: none */

#endif
