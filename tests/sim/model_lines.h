/* SPDX-License-Identifier: Apache-2.0 */
/* model_lines.h — the model's part for waiting rooms and waiting lists; model.h includes it. */
#ifndef TESTS_SIM_MODEL_LINES_H
#define TESTS_SIM_MODEL_LINES_H

#include "model.h"

/* ---- waiting rooms: model_queue.c, model_admit.c ---- */
void model_queue(struct model *m, const struct ask *a, struct model_answer *out);
/* After an event was put. */
void model_queue_put(struct model *m, const struct ask *a);
/* Whether the claims of the request can be judged at all. Sets the allowed tiers of each best. */
enum outcome_code model_pass(struct model *m, const struct ask *a, struct model_wanted *w, int owner,
                             struct model_answer *out);
/* The user has bought something of the event. */
void model_bought(struct model *m, int event, int user);

/* From 1; 0: not drawn yet. */
int model_position(const struct model_event *e, int number);
bool model_in_line(const struct model_entry *entry);
uint32_t model_ahead(const struct model_event *e, int number);
/* The newest entry of the user, or 0. */
int model_entry_of(const struct model_event *e, int user);
/* Whether people are admitted now, if there is room and credit. */
bool model_running(const struct model *m, const struct model_event *e);
/* Settings or state of the queue have changed, or the line is no longer empty: it earns at another rate from now on. */
void model_rate_changed(struct model *m, struct model_event *e);
bool model_gone(const struct model *m, const struct model_entry *entry);

/* Core's changes, in order; NULL, or a sentence that says what is wrong. */
const char *model_opened(struct model *m, int event, const struct queue_image *image);
/* The drawn positions of the entries 1 .. drawn. */
const char *model_drawn(struct model *m, int event, const uint32_t *positions);
const char *model_moved(struct model *m, int event, const struct queue_move *move, bool admitting);
/* A step of admission, from its first change to its last; done: core says that nothing is left to do now. */
void model_admit_begin(struct model *m);
const char *model_admit_end(struct model *m, bool done, int64_t next_ms);
/* Another process begins: presence and credit are forgotten. */
void model_restart(struct model *m);

/* ---- waiting lists: model_list.c ---- */
void model_list(struct model *m, const struct ask *a, struct model_answer *out);
uint32_t model_waiting(const struct model *m);              /* on all lists */
int model_list_live(const struct model_event *e, int user); /* the number of the user's live entry; 0: none */
/* Position among the waiting entries; 0: it does not wait. */
uint32_t model_rank(const struct model_event *e, int number);
/* The reservation is no longer held: its entry moves on. */
void model_list_ended(struct model *m, const struct model_reservation *r);
/* Whether anything of the event can be offered. */
bool model_offering(const struct model *m, int event);
/* The first entry whose whole wish fits, below the number `below`; 0: none. */
int model_list_first(struct model *m, int event, int below);
/* Core has made an offer: judged, and taken over. NULL, or what is wrong. */
const char *model_offered(struct model *m, int event, const struct list_entry_image *entry,
                          const struct reservation_image *image);
const char *model_expired(struct model *m, struct id id);

#endif
