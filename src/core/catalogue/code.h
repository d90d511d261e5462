/* SPDX-License-Identifier: Apache-2.0 */
/* code.h — a code required to claim from an event with restricted access: a presale, a voucher, an invitation.
 *
 * Owns an event's codes and how many units are held and sold with each (`used`), which is counted where claims begin
 * and end (reservation.c). A code keeps its position forever: a removed one is not valid for new claims, but existing
 * claims still count, and if the same code is imported again, it continues with that count. Compared without regard to
 * ASCII case. Changes and outcomes include this header for its limits and image.
 */
#ifndef CORE_CODE_H
#define CORE_CODE_H

#include "core/types.h"

#define CODE_SIZE_MIN 4
#define CODE_SIZE_MAX 64
#define CODE_UNITS_MAX 1000000000
#define CODES_MAX 1000000  /* of one event, removed ones included */
#define CODES_STEP_MAX 250 /* of one CODES_PUT */

struct code_image {
    uint64_t event;    /* number */
    uint32_t position; /* among the event's codes */
    struct text code;  /* as it was written */
    uint32_t units;    /* maximum held and sold with it at one time; 0: no limit */
    const struct text *tiers;
    uint32_t tier_count;   /* 0: any */
    struct text allotment; /* that it gives access to */
    bool removed;
    uint64_t used; /* units held and sold with it; derived, not encoded */
};

struct state;
struct event;
struct code;  /* one of them */
struct codes; /* all of one event */
struct step;
struct target;
struct outcome;
struct list_wish;
struct check;

/* Codes are compared without regard to ASCII case. */
char code_fold(char c);
bool code_same(struct text a, struct text b);

/* Or NULL; finds removed ones, too. */
struct code *code_find(const struct event *e, struct text code);
struct code *code_at(const struct event *e, uint32_t position);
uint32_t codes_count(const struct event *e); /* removed ones included */
uint64_t codes_seq(const struct event *e);   /* of the last change of a code */
const struct code_image *code_view(const struct code *code);
/* True if the code has no tiers; otherwise false for a seat without a tier, or a pool. */
bool code_has_tier(const struct code *code, struct text tier);
void codes_release(struct codes *codes); /* NULL is fine; from any thread */

/* Adds the units of a claim that begins (negative: ends) with this code, which must exist. */
void code_count(struct event *e, struct text code, int64_t units);

/* ---- Judging ---- */
/* PHASE_CODE, without tiers: finds the target's code, if its event requires one or its seat or pool is in this
 * allotment, and sets what it may be claimed from. A move keeps its code. */
enum outcome_code code_judge(struct step *step, struct target *t, struct text allotment, struct outcome *out);
/* PHASE_CODE_USED: all items of the request on one code together. */
enum outcome_code code_judge_used(struct step *step, struct target *t, struct outcome *out);
/* Whether the code gives access to this allotment; none: to any. False if it is removed. */
bool code_carries(const struct code *code, struct text allotment);
/* The same for a new entry of a waiting room or list, which uses no units. *code stays NULL where none is needed. */
enum outcome_code code_judge_joiner(const struct state *st, const struct event *e, struct text given,
                                    struct code **code, struct outcome *out);
/* Whether `units` more can be claimed with it now. */
bool code_allows(const struct code *code, uint64_t units);

/* Creates or replaces the code; NULL: it does not fit. */
struct code *code_restore(struct state *st, const struct code_image *image, uint64_t seq);
void check_codes(struct check *c, struct event *e);

#endif
