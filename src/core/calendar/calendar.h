/* SPDX-License-Identifier: Apache-2.0 */
/* calendar.h — time that can be claimed: half-open intervals, at most `capacity` of them at any instant.
 *
 * Owns the settings, the opening hours (hours.h), the count of claims at each instant (timeline.h) and the
 * order in which its holds lapse. Who has a claim is the reservation's business. A claim of [start, end)
 * blocks what is kept free around it, too, with the buffers as they were when claimed (buffers.h); settings that
 * change later touch new claims only.
 *
 * Judged in this order: the instants (400), the calendar (404), its service (400), guests and the limit, the hours (409 closed), the
 * rules for user tokens (booking.h), the capacity left (409 taken). Every judgement looks from now on only: the past is folded whenever it
 * suits, and no answer shows when. slot.c is the kind of thing that is claimed here.
 *
 * Calendars and events are separate name spaces. How a calendar goes: calendar_removal.h.
 */
#ifndef CORE_CALENDAR_H
#define CORE_CALENDAR_H

#include "base/memory/heap.h"
#include "core/calendar/calendar_image.h"
#include "core/calendar/group_image.h"
#include "core/calendar/hours.h"
#include "core/calendar/timeline.h"
#include "core/kept_terms.h"
#include "core/outcome.h"

struct state;
struct zone;

struct calendar {
    struct calendar_image image; /* texts and lists are owned */

    /* derived */
    uint32_t index;
    uint64_t items;     /* of reservations in memory that name it */
    bool recalled;      /* removed, and known again from what reservations say of it: only names are true */
    bool gone;          /* its index is free */
    uint32_t next_free; /* of a free one: the next free index + 1 */
    uint64_t seq;       /* the last change that touched it or a claim on it */
    struct zone *zone;  /* a reference of its own; NULL in recovery, until calendar_set_zone */
    struct hours hours; /* of the image's lists; to be asked when there is a zone */
    struct timeline timeline;
    /* The starts of claims: each counts from its own start on, for ever. What is folded of it counts no more: that is what
     * began before any day that is not over, see STARTS_KEPT_MS. */
    struct timeline starts;
    uint32_t groups[CALENDAR_GROUPS_MAX]; /* indexes of those that have it */
    uint32_t group_count;
    struct heap lapses; /* held items by deadline; a handle is (reservation << 8 | index of the item) */
};

struct calendar *calendar_find(const struct state *st, struct text id); /* or NULL */
/* Removed ones too, while something in memory names them; or NULL. */
struct calendar *calendar_find_number(const struct state *st, uint64_t number);
/* Of those that exist: the one with the next greater number, or NULL; the one at this place of the list, from 0 on. */
struct calendar *calendar_after(const struct state *st, uint64_t number);
struct calendar *calendar_listed(const struct state *st, uint32_t place);
/* The position of a service that is offered, or SERVICE_NONE. */
#define SERVICE_NONE UINT32_MAX
uint32_t calendar_service_find(const struct calendar *c, struct text id);
int64_t calendar_service_ms(const struct calendar *c, uint32_t position); /* how long it takes */

/* How long a claim of a user without a service may be: whole slots, from and to. */
void calendar_length_bounds(const struct calendar_image *image, int64_t *least_ms, int64_t *most_ms);

/* Recovery: core cannot load zones. Takes a reference of its own to the zone of image.timezone. */
void calendar_set_zone(struct calendar *c, struct zone *zone);

/* ---- The slots that could be claimed ---- */

/* Fills `out` (room for query->limit) with the slots that could be claimed, in order: inside the hours,
 * with capacity left, and not ten years away. Bounded work: a page may be short or empty although there
 * are more. */
struct slots_page calendar_slots(const struct calendar *c, const struct slots_query *query, struct slot *out);

/* ---- Commands and recovery ---- */

/* Makes or replaces the calendar; NULL: it does not fit. zone NULL: not known, or as it was. */
struct calendar *calendar_restore(struct state *st, const struct calendar_image *image, struct zone *zone,
                                  uint64_t seq);
void calendar_clear(struct calendar *c);   /* frees what it owns */
void calendar_release(struct calendar *c); /* and itself */
uint64_t calendar_id_hash(struct text id);

/* ---- Judging, for slot.c ---- */

/* Whether these instants can be asked for at all: not before earliest_ms, not ten years from now. `within` is
 * the place in the request, such as "/items/0" or "". */
enum outcome_code calendar_judge_instants(int64_t now_ms, int64_t earliest_ms, int64_t start_ms,
                                          int64_t end_ms, const char *within, struct outcome *out);
/* OK, or CLOSED with the outcome filled. */
enum outcome_code calendar_judge_hours(const struct calendar *c, uint32_t item, int64_t start_ms,
                                       int64_t end_ms, struct outcome *out);
/* Settles what has lapsed if it is in the way. OK, or TAKEN with the status that the obstacle has. */
enum outcome_code calendar_judge_room(struct state *st, struct calendar *c, int64_t start_ms,
                                      int64_t until_ms, enum unit_status *status, struct outcome *out);
/* True when one more claim of [start, until) keeps within capacity, as far as it lies ahead of now. */
/* The terms of what was held by the change of this seq. */
struct kept_terms calendar_terms_of(const struct calendar *c, uint64_t hold);
bool calendar_has_room(const struct calendar *c, int64_t start_ms, int64_t until_ms, int64_t now_ms);
int64_t calendar_until(const struct calendar *c, int64_t end_ms); /* with the buffer as it is now */

/* ---- Claims ---- */

/* There is more or less of [from, to) than before. Slots that keep time free around them are concerned from further
 * away. */
void calendar_touch(struct state *st, const struct calendar *c, int64_t from_ms, int64_t to_ms);
/* Every claim on it that begins after an instant, and how many of them begin before another; neither lies further back
 * than STARTS_KEPT_MS. */
void calendar_start_add(struct calendar *c, int64_t start_ms);
void calendar_start_remove(struct calendar *c, int64_t start_ms);
uint32_t calendar_starts(const struct calendar *c, int64_t after_ms, int64_t before_ms);
/* Recovery: no question will come about what is before this. */
void calendar_forget_past(struct calendar *c, int64_t past_ms);
/* There must be room. Folds some of the past on the way. What ends or sells a claim asks the timeline. */
void calendar_claim(struct calendar *c, int64_t start_ms, int64_t until_ms, bool sold, int64_t now_ms);

#endif
