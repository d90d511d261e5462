/* SPDX-License-Identifier: Apache-2.0 */
/* allotment.h — seats that are set aside for a group: a sponsor, a club, another shop.
 *
 * Owns which seat of an event is in which allotment, by name. It is a mark, like a block, and not part of the layout:
 * it changes without a new layout, and a claimed seat keeps it until it is free again. A pool has the name in its
 * image. An event whose seats never were in an allotment has no allotments, and no cost.
 *
 * Who may claim: app and admin who name it, and everyone with a code that carries it. A blocked seat in an allotment
 * counts as blocked; admins claim blocked seats with the name "blocked", which no allotment can have.
 */
#ifndef CORE_ALLOTMENT_H
#define CORE_ALLOTMENT_H

#include "base/memory/bitset.h"
#include "core/types.h"

#define ALLOTMENTS_MAX 1000 /* of one event, with seats */
#define MARKS_STEP_MAX 2048 /* seats in allotments that one command looks at */

struct event;
struct outcome;
struct step;
struct target;
struct check;

struct allotment {
    struct text name;
    uint32_t seats; /* claimed or not; 0: the place can be reused for another name */
};

/* Of one event; created with the first mark. */
struct allotments {
    struct allotment *all;
    uint32_t count, capacity;
    struct bitset in;   /* seats in any allotment, by position */
    uint16_t *of;       /* by position: index + 1; 0: none */
    uint32_t positions; /* room in `of` */

    /* derived: seats in any allotment that are neither claimed nor blocked */
    uint32_t open;
    uint32_t *row_open; /* the same by row, like event.row_taken; NULL: not counted yet */
};

/* Whether it is "blocked", the name that admins use to claim blocked seats. */
bool allotment_is_house(struct text name);
/* Whether it can be the name of an allotment; none is fine. */
bool allotment_name_sound(struct text name);

/* The allotment that the seat is in. */
struct text allotment_of(const struct event *e, uint32_t position);
/* Index + 1 of the allotment with this name; 0: it has no seats. */
uint32_t allotment_find(const struct event *e, struct text name);
/* How many seats in allotments are neither claimed nor blocked. */
uint32_t allotments_open(const struct event *e);
/* Whether `fresh` more names fit. */
bool allotments_have_room(const struct event *e, uint32_t fresh);
/* Makes room for the event's seats. */
void allotments_grow(struct event *e);
/* The only writer of the mark; name none: removes it. Updates only the allotments; the other counts are up to
 * event_seats.h. False: too many names. */
bool allotment_put(struct event *e, uint32_t position, struct text name);
/* The same for many seats of one name, which is looked up once: *known is 0 for the first of them, and no seat may
 * leave the allotment until the last. */
bool allotment_put_known(struct event *e, uint32_t position, struct text name, uint16_t *known);
void allotments_copy(struct event *e, const struct event *from); /* the event has none */
void allotments_release(struct allotments *a);                   /* NULL is fine */

/* ---- Judging ---- */
/* PHASE_NAMED: whether the caller may name an allotment. */
enum outcome_code allotment_judge_named(struct step *step, struct target *t, struct outcome *out);
/* Sets what the target may be claimed from, once its code is known: the allotment it names, or that of the code; a move
 * by staff keeps the allotment of the item. */
void allotment_resolve(const struct step *step, struct target *t);
/* Whether the target may claim a unit that is blocked or not and in this allotment. */
bool allotment_allows(const struct target *t, bool blocked, struct text allotment);
/* The allotment of a new item for this seat, or "blocked": see struct item_extra. */
struct text allotment_of_item(const struct event *e, uint32_t position);

void check_allotments(struct check *c, struct event *e);

#endif
