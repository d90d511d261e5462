/* SPDX-License-Identifier: Apache-2.0 */
/* model_cancelled.h — the model's part for cancelled events; model.h includes it.
 *
 * From the step that cancels an event on nothing of it is sold. Core chooses when each claim is taken back, so the
 * model follows core's changes, checks each against the contract, and checks at the end that nothing is left.
 */
#ifndef TESTS_SIM_MODEL_CANCELLED_H
#define TESTS_SIM_MODEL_CANCELLED_H

#include "ask.h"
#include "core/change.h"

struct model;
struct model_event;
struct model_reservation;
struct model_answer;

struct model_cancelled {
    int64_t at;              /* 0: it takes place */
    uint8_t reason;          /* 0: none was given */
    bool fresh;              /* the answer to that is still to come */
    bool done;               /* and that is recorded */
    uint32_t sold;           /* sales at that moment, and since */
    uint32_t refunded, told; /* of these; told: as last recorded */
};

/* The expected answer; left: between these. */
struct model_progress {
    enum cancel_state state;
    uint32_t refunded, left_least, left_most;
};

/* EVENT_CANCEL and EVENT_CANCEL_LOOK. */
void model_call_off(struct model *m, const struct ask *a, struct model_answer *out);
/* Core has recorded that the event is cancelled, and has more to do before it answers. */
const char *model_called_off(struct model *m, const struct ask *a, int event);
bool model_called(const struct model *m, int event);                   /* false for an unknown name too */
uint32_t model_items_of(const struct model_reservation *r, int event); /* how many */
/* It was confirmed. */
void model_sold_since(struct model *m, const struct model_reservation *r);

/* A change that core made without a request; NULL, or what is wrong. */
const char *model_taken_back(struct model *m, const struct change *c, int *event);
const char *model_sent_away(struct model *m, int event, const struct queue_move *move);
const char *model_list_over(struct model *m, int event, uint32_t number);
const char *model_cancelling(struct model *m, int event, const struct cancelling_image *image);
const char *model_cancelling_told(const struct model *m); /* all of it is recorded by now */

bool model_undoing(const struct model *m); /* something is left to take back, of any event */
/* How long that can take: the last deadline of a hold. */
int64_t model_undone_by(const struct model *m);

#endif
