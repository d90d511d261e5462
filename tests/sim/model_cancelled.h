/* SPDX-License-Identifier: Apache-2.0 */
/* model_cancelled.h — the model's part for events that do not take place; model.h includes it.
 *
 * From the step on that cancels an event nothing of it is sold. When each claim of it goes back is core's to choose, so
 * the model follows what core writes down, holds each change against the contract, and asks at the end of all that
 * nothing is left.
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
    bool fresh;              /* the answer that says so is still to come */
    bool done;               /* and that is written down */
    uint32_t sold;           /* sales of that moment, and since */
    uint32_t refunded, told; /* of these; told: as last written down */
};

/* What is answered; left: between these. */
struct model_progress {
    enum cancel_state state;
    uint32_t refunded, left_least, left_most;
};

/* EVENT_CANCEL and EVENT_CANCEL_LOOK. */
void model_call_off(struct model *m, const struct ask *a, struct model_answer *out);
/* Core has written down that the event is cancelled, and has more to do before it answers. */
const char *model_called_off(struct model *m, const struct ask *a, int event);
bool model_called(const struct model *m, int event); /* off; false: of a name of nothing, too */
uint32_t model_items_of(const struct model_reservation *r, int event); /* how many */
/* It is confirmed. */
void model_sold_since(struct model *m, const struct model_reservation *r);

/* What core has written down by itself; NULL, or what is wrong. */
const char *model_taken_back(struct model *m, const struct change *c, int *event);
const char *model_sent_away(struct model *m, int event, const struct queue_move *move);
const char *model_list_over(struct model *m, int event, uint32_t number);
const char *model_cancelling(struct model *m, int event, const struct cancelling_image *image);
const char *model_cancelling_told(const struct model *m); /* all of it is, by now */

bool model_undoing(const struct model *m); /* something is left to take back, of any event */
/* Until when that may take: the last deadline of what is held. */
int64_t model_undone_by(const struct model *m);

#endif
