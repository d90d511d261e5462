/* SPDX-License-Identifier: Apache-2.0 */
/* code.h — a word without which an event of restricted access cannot be claimed: a presale, a voucher, an invitation.
 *
 * Owns an event's codes and how many units are held and sold with each (`used`), which is counted where claims begin
 * and end (reservation.c). A code stays where it is for ever: one that is removed is good for no new claim, but what was
 * claimed with it goes on counting, and the same code imported again goes on from there. Compared without regard to
 * ASCII case. Bounds and image are everybody's: changes and outcomes include this.
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
    uint32_t units;    /* held and sold with it at once; 0: any number */
    const struct text *tiers;
    uint32_t tier_count;   /* 0: any */
    struct text allotment; /* at == NULL: none */
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

/* Or NULL; those that are removed, too. */
struct code *code_find(const struct event *e, struct text code);
struct code *code_at(const struct event *e, uint32_t position);
uint32_t codes_count(const struct event *e); /* removed ones included */
uint64_t codes_seq(const struct event *e);   /* of the last change of one */
const struct code_image *code_view(const struct code *code);
/* True without tiers; a seat without one, or a pool, is outside of any. */
bool code_has_tier(const struct code *code, struct text tier);
void codes_release(struct codes *codes); /* NULL is fine; from any thread */

/* A claim of so many units begins (or, less than 0, ends) with this code, which must exist. */
void code_count(struct event *e, struct text code, int64_t units);

/* ---- Judging ---- */
/* PHASE_CODE, but for tiers: finds the target's code, if its event needs one or what it is on is in this allotment
 * (at == NULL: none), and what it may be claimed from. A move keeps what it has. */
enum outcome_code code_judge(struct step *step, struct target *t, struct text allotment, struct outcome *out);
/* PHASE_CODE_USED: all items of the request on one code together. */
enum outcome_code code_judge_used(struct step *step, struct target *t, struct outcome *out);
/* Whether the code carries this allotment; at == NULL: any. Not if it is removed. */
bool code_carries(const struct code *code, struct text allotment);
/* The same for who waits; uses none. *code stays NULL where none is needed. */
enum outcome_code code_judge_joiner(const struct state *st, const struct event *e, struct text given,
                                    struct code **code, struct outcome *out);
/* Whether so many units more can be claimed with it now. */
bool code_allows(const struct code *code, uint64_t units);

/* Makes or replaces the code; NULL: it does not fit. */
struct code *code_restore(struct state *st, const struct code_image *image, uint64_t seq);
void check_codes(struct check *c, struct event *e);

#endif
