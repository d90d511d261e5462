/* SPDX-License-Identifier: Apache-2.0 */
/* allotment.h — seats that are set aside for somebody: a sponsor, a club, another shop.
 *
 * Owns which seat of an event is in which allotment, by name. It is a mark like that of a blocked seat, and no fact of
 * the layout: it moves without a new one, and a claimed seat keeps it for the day when it is free again. A pool
 * has the name in its image. An event in which no seat ever had the mark has nothing of this, and pays nothing for it.
 *
 * Who may claim: app and admin that name it, and anybody with a code that carries it. Blocked beats an allotment; admins claim
 * blocked seats by the name "blocked", which no allotment has.
 */
#ifndef CORE_ALLOTMENT_H
#define CORE_ALLOTMENT_H

#include "base/memory/bitset.h"
#include "core/types.h"

#define ALLOTMENTS_MAX 1000 /* of one event, that have seats */
#define MARKS_STEP_MAX 2048 /* seats in allotments that one command looks at */

struct event;
struct outcome;
struct step;
struct target;
struct check;

struct allotment {
    struct text name;
    uint32_t seats; /* that are in it, claimed or not; 0: the place is free for another name */
};

/* Of one event; made with the first mark. */
struct allotments {
    struct allotment *all;
    uint32_t count, capacity;
    struct bitset in;   /* seats that are in any, by position */
    uint16_t *of;       /* by position: index + 1; 0: none */
    uint32_t positions; /* that `of` has room for */

    /* derived: of the seats in any, those that are neither claimed nor blocked */
    uint32_t open;
    uint32_t *row_open; /* the same by row, as event.row_taken; NULL: not counted yet */
};

/* The name of what admins claim blocked seats by. */
bool allotment_is_house(struct text name);
/* Whether it can be the name of one; at == NULL: there is none, which is fine. */
bool allotment_name_sound(struct text name);

/* The allotment that the seat is in; at == NULL: none. */
struct text allotment_of(const struct event *e, uint32_t position);
/* Index + 1 of the one with this name, or 0: no seat is in it. */
uint32_t allotment_find(const struct event *e, struct text name);
/* How many seats in allotments are neither claimed nor blocked. */
uint32_t allotments_open(const struct event *e);
/* Whether so many more names would fit. */
bool allotments_have_room(const struct event *e, uint32_t fresh);
/* Makes room for the event's seats. */
void allotments_grow(struct event *e);
/* The one writer of the mark; at == NULL: none. Counts nothing but the names: event_seats.h does. False: there are
 * too many names. */
bool allotment_put(struct event *e, uint32_t position, struct text name);
/* The same for many of one name, which is searched for once: *known is 0 for the first of them, and no seat may leave the
 * allotment before the last. */
bool allotment_put_known(struct event *e, uint32_t position, struct text name, uint16_t *known);
void allotments_copy(struct event *e, const struct event *from); /* the event has none */
void allotments_release(struct allotments *a);                   /* NULL is fine */

/* ---- Judging ---- */
/* PHASE_NAMED: who may name one at all. */
enum outcome_code allotment_judge_named(struct step *step, struct target *t, struct outcome *out);
/* What the target may be claimed from, once its code is known: what it names, or what the code carries; a move of
 * staff goes on with what the item is from. */
void allotment_open(const struct step *step, struct target *t);
/* Whether the target may claim what is blocked or not and in this allotment (at == NULL: none). */
bool allotment_opens(const struct target *t, bool blocked, struct text allotment);
/* What an item is from that claims this seat: see struct item_extra. */
struct text allotment_of_item(const struct event *e, uint32_t position);

void check_allotments(struct check *c, struct event *e);

#endif
