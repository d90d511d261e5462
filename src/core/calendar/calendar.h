/* SPDX-License-Identifier: Apache-2.0 */
/* calendar.h — time that can be claimed: half-open intervals, at most `capacity` of them at any instant.
 *
 * Owns the settings, the opening hours (hours.h), the count of claims at each instant (timeline.h) and the
 * order in which its holds lapse. Who has a claim is up to the reservation. A claim of [start, end)
 * also blocks its buffers, as they were at the time of the claim (buffers.h); later settings apply to new claims only.
 *
 * Judged in this order: the instants (400), the calendar (404), its service (400), guests and the limit, the hours
 * (409 closed), the rules for user tokens (booking.h), the capacity left (409 taken). Only the time from now on is
 * judged: the past can be folded at any moment, without an effect on answers. slot.c has the kind of request and claim.
 *
 * Calendars and events are separate name spaces. For removal see calendar_removal.h.
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
    uint64_t items;     /* of reservations in memory that refer to it */
    bool recalled;      /* removed, and recreated from the items of reservations: only names are valid */
    bool gone;          /* its index is free */
    uint64_t gone_seq;  /* if gone: when it was freed */
    uint32_t next_free; /* if gone: the next free index + 1 */
    uint64_t seq;       /* of the last change of it or of a claim on it */
    struct zone *zone;  /* its own reference; NULL in recovery, until calendar_set_zone */
    struct hours hours; /* from the image's lists; usable once there is a zone */
    struct timeline timeline;
    /* The starts of claims: each counts from its own start, forever. Starts before any day that is not over are folded,
     * and no longer count: see STARTS_KEPT_MS. */
    struct timeline starts;
    uint32_t groups[CALENDAR_GROUPS_MAX]; /* indexes of its groups */
    uint32_t group_count;
    struct heap lapses; /* held items by deadline; a handle is (reservation << 8 | index of the item) */
};

struct calendar *calendar_find(const struct state *st, struct text id); /* or NULL */
/* Finds removed ones, too, while something in memory refers to them; or NULL. */
struct calendar *calendar_find_number(const struct state *st, uint64_t number);
/* Of existing calendars: the one with the next greater number, or NULL; the one at this place of the list, from 0. */
struct calendar *calendar_after(const struct state *st, uint64_t number);
struct calendar *calendar_listed(const struct state *st, uint32_t place);
/* The position of an offered service, or SERVICE_NONE. */
#define SERVICE_NONE UINT32_MAX
uint32_t calendar_service_find(const struct calendar *c, struct text id);
int64_t calendar_service_ms(const struct calendar *c, uint32_t position); /* its duration */

/* The minimum and maximum length of a user's claim without a service: whole slots. */
void calendar_length_bounds(const struct calendar_image *image, int64_t *least_ms, int64_t *most_ms);

/* Recovery: core cannot load zones. Takes its own reference to the zone of image.timezone. */
void calendar_set_zone(struct calendar *c, struct zone *zone);

/* ---- Available slots ---- */

/* Fills `out` (room for query->limit) with available slots, in order: inside the hours, with capacity left, and less
 * than ten years ahead. The work is bounded: a page can be short or empty even if there are more. */
struct slots_page calendar_slots(const struct calendar *c, const struct slots_query *query, struct slot *out);

/* ---- Commands and recovery ---- */

/* Creates or replaces the calendar; NULL: it does not fit. zone NULL: unknown, or unchanged. */
struct calendar *calendar_restore(struct state *st, const struct calendar_image *image, struct zone *zone,
                                  uint64_t seq);
void calendar_clear(struct calendar *c);   /* frees all that it owns */
void calendar_release(struct calendar *c); /* and itself */
uint64_t calendar_id_hash(struct text id);

/* ---- Judging, for slot.c ---- */

/* Whether these instants are possible at all: not before earliest_ms, at most ten years from now. `within` is
 * the place in the request, such as "/items/0" or "". */
enum outcome_code calendar_judge_instants(int64_t now_ms, int64_t earliest_ms, int64_t start_ms,
                                          int64_t end_ms, const char *within, struct outcome *out);
/* OK, or CLOSED with the outcome filled. */
enum outcome_code calendar_judge_hours(const struct calendar *c, uint32_t item, int64_t start_ms,
                                       int64_t end_ms, struct outcome *out);
/* Settles lapsed holds if there is no room. OK, or TAKEN with the status of the obstacle. */
enum outcome_code calendar_judge_room(struct state *st, struct calendar *c, int64_t start_ms,
                                      int64_t until_ms, enum unit_status *status, struct outcome *out);
/* The terms of a hold made by the change with this seq. */
struct kept_terms calendar_terms_of(const struct calendar *c, uint64_t hold);
/* Whether there is capacity for one more claim of [start, until), from now on. */
bool calendar_has_room(const struct calendar *c, int64_t start_ms, int64_t until_ms, int64_t now_ms);
int64_t calendar_until(const struct calendar *c, int64_t end_ms); /* with the current buffer */

/* ---- Claims ---- */

/* The availability of [from, to) has changed. Buffers extend the range of slots that are affected. */
void calendar_touch(struct state *st, const struct calendar *c, int64_t from_ms, int64_t to_ms);
/* Counts the starts of claims. calendar_starts: how many begin after one instant and before another, neither further
 * back than STARTS_KEPT_MS. */
void calendar_start_add(struct calendar *c, int64_t start_ms);
void calendar_start_remove(struct calendar *c, int64_t start_ms);
uint32_t calendar_starts(const struct calendar *c, int64_t after_ms, int64_t before_ms);
/* Recovery: times before this will not be needed. */
void calendar_forget_past(struct calendar *c, int64_t past_ms);
/* Adds a claim; there must be room. Also folds some of the past. To end or sell a claim, use the timeline. */
void calendar_claim(struct calendar *c, int64_t start_ms, int64_t until_ms, bool sold, int64_t now_ms);

#endif
