/* SPDX-License-Identifier: Apache-2.0 */
#include "core/calendar/calendar.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "core/calendar/calendar_index.h"
#include "core/calendar/group.h"
#include "core/catalogue/event.h"
#include "core/claim/expiry.h"
#include "core/state.h"

#define MINUTE_MS 60000LL
#define STARTS_END (INT64_MAX - 1) /* never: a start always counts */

/* ---- Finding ---- */

uint64_t calendar_id_hash(struct text id)
{
    return event_id_hash(id);
}

static bool same_id(void *owner, uint32_t index, const void *key)
{
    struct state *st = owner;
    return text_equal(st->calendars[index]->image.id, *(const struct text *)key);
}

static bool same_number(void *owner, uint32_t index, const void *key)
{
    struct state *st = owner;
    return st->calendars[index]->image.number == *(const uint64_t *)key;
}

struct calendar *calendar_find(const struct state *st, struct text id)
{
    uint32_t index = table_find(&st->calendars_by_id, calendar_id_hash(id), same_id, &id);
    return index == TABLE_NONE ? NULL : st->calendars[index];
}

struct calendar *calendar_find_number(const struct state *st, uint64_t number)
{
    uint32_t index = table_find(&st->calendars_by_number, event_number_hash(number), same_number, &number);
    return index == TABLE_NONE ? NULL : st->calendars[index];
}

static uint32_t service_position(const struct service_image *services, uint32_t count, struct text id)
{
    for (uint32_t i = 0; i < count; i++)
        if (text_equal(services[i].id, id))
            return i;
    return SERVICE_NONE;
}

uint32_t calendar_service_find(const struct calendar *c, struct text id)
{
    uint32_t position = service_position(c->image.services, c->image.service_count, id);
    return position != SERVICE_NONE && c->image.services[position].removed ? SERVICE_NONE : position;
}

/* ---- The record ---- */

static void *list_own(const void *list, size_t count, size_t size)
{
    return count ? memory_copy(list, count * size) : NULL;
}

static struct calendar_image image_own(const struct calendar_image *image)
{
    struct calendar_image own = *image;
    own.id = text_own(image->id);
    own.name = text_own(image->name);
    own.timezone = text_own(image->timezone);
    own.terms_before = text_own(image->terms_before);
    own.hours = list_own(image->hours, image->hours_count, sizeof(*image->hours));
    own.closed = list_own(image->closed, image->closed_count, sizeof(*image->closed));
    struct service_image *services = list_own(image->services, image->service_count, sizeof(*services));
    for (uint32_t i = 0; i < image->service_count; i++)
        services[i].id = text_own(image->services[i].id);
    own.services = services;
    return own;
}

static void image_release(struct calendar_image *image)
{
    text_free(image->id);
    text_free(image->name);
    text_free(image->timezone);
    text_free(image->terms_before);
    free((void *)(uintptr_t)image->hours);
    free((void *)(uintptr_t)image->closed);
    for (uint32_t i = 0; i < image->service_count; i++)
        text_free(image->services[i].id);
    free((void *)(uintptr_t)image->services);
}

void calendar_clear(struct calendar *c)
{
    image_release(&c->image);
    zone_release(c->zone);
    hours_release(&c->hours);
    timeline_release(&c->timeline);
    timeline_release(&c->starts);
    heap_release(&c->lapses);
}

void calendar_release(struct calendar *c)
{
    if (!c->gone)
        calendar_clear(c);
    free(c);
}

void calendar_set_zone(struct calendar *c, struct zone *zone)
{
    struct zone *before = c->zone; /* released last: it can be the same one */
    c->zone = zone ? zone_retain(zone) : NULL;
    c->hours.zone = c->zone;
    zone_release(before);
}

static bool lists_sound(const struct calendar_image *image)
{
    if (image->hours_count > HOURS_MAX || image->closed_count > CLOSED_MAX ||
        image->service_count > SERVICES_EVER_MAX)
        return false;
    for (uint32_t i = 0; i < image->hours_count; i++) {
        const struct hours_range *r = &image->hours[i];
        if (r->days == 0 || r->days > 0x7f || r->from_minute >= HOURS_DAY_MINUTES ||
            r->to_minute >= HOURS_DAY_MINUTES)
            return false;
    }
    for (uint32_t i = 0; i < image->closed_count; i++)
        if (image->closed[i].start_ms >= image->closed[i].end_ms)
            return false;
    for (uint32_t i = 0; i < image->service_count; i++) {
        const struct service_image *s = &image->services[i];
        if (s->id.size < 1 || s->id.size > ID_SIZE_MAX || s->duration_minutes < 1 ||
            s->duration_minutes > SLOT_LENGTH_MAX_MS / MINUTE_MS ||
            service_position(image->services, i, s->id) != SERVICE_NONE)
            return false;
    }
    return hours_check(image->hours, image->hours_count) == HOURS_NO_OVERLAP;
}

static bool rules_sound(const struct calendar_rules *rules)
{
    return rules->buffer_before_minutes <= BUFFER_MINUTES_MAX && rules->min_minutes <= LENGTH_MINUTES_MAX &&
           rules->max_minutes <= LENGTH_MINUTES_MAX && rules->price_per >= PRICE_PER_FIRST &&
           rules->price_per <= PRICE_PER_LAST && rules->notice_minutes <= NOTICE_MINUTES_MAX &&
           rules->horizon_days >= 1 && rules->horizon_days <= HORIZON_DAYS_MAX &&
           rules->per_user_limit <= CALENDAR_LIMIT_MAX && rules->change_until_minutes <= NOTICE_MINUTES_MAX &&
           rules->size >= 1 && rules->size <= CALENDAR_SIZE_MAX &&
           rules->cancel_until_minutes <= NOTICE_MINUTES_MAX &&
           (rules->cancels || !rules->cancel_until_minutes);
}

/* Whether the image is possible in an undamaged journal or book. */
static bool calendar_image_sound(const struct calendar_image *image)
{
    return image->number >= 1 && image->id.size >= 1 && image->id.size <= ID_SIZE_MAX &&
           zone_name_valid(image->timezone.at, image->timezone.size) && image->capacity >= 1 &&
           image->capacity <= CALENDAR_CAPACITY_MAX && image->slot_minutes >= 1 &&
           image->slot_minutes <= SLOT_MINUTES_MAX && image->buffer_minutes <= BUFFER_MINUTES_MAX &&
           rules_sound(&image->rules) && lists_sound(image) && kept_terms_sound(image->terms_before);
}

/* Whether this can replace the current image of the calendar. */
static bool image_follows(const struct calendar *c, const struct calendar_image *image, int64_t now_ms)
{
    /* Items refer to services by position, for years: the list can grow, but its order never changes. */
    if (c->image.removed || image->removed || !text_equal(c->image.id, image->id) ||
        image->service_count < c->image.service_count ||
        timeline_most(&c->timeline, now_ms, INT64_MAX) > image->capacity)
        return false;
    for (uint32_t i = 0; i < c->image.service_count; i++)
        if (!text_equal(c->image.services[i].id, image->services[i].id))
            return false;
    return true;
}

static struct calendar *calendar_make(struct state *st, const struct calendar_image *image)
{
    struct calendar *c = calendar_index_take(st);
    c->image = image_own(image);
    table_insert(&st->calendars_by_number, event_number_hash(image->number), c->index);
    if (image->removed) /* another calendar can have the id by now */
        return c;
    table_insert(&st->calendars_by_id, calendar_id_hash(image->id), c->index);
    calendar_list_add(st, c);
    return c;
}

struct calendar *calendar_restore(struct state *st, const struct calendar_image *image, struct zone *zone,
                                  uint64_t seq)
{
    struct calendar *c = calendar_find_number(st, image->number);
    if (!calendar_image_sound(image) ||
        (c ? !image_follows(c, image, st->now_ms) : !image->removed && calendar_find(st, image->id)))
        return NULL;
    bool same_zone = c && text_equal(c->image.timezone, image->timezone);
    if (!c) {
        c = calendar_make(st, image);
    } else {
        struct calendar_image before = c->image;
        c->image = image_own(image); /* the new image can borrow texts from the old one */
        image_release(&before);
    }
    hours_release(&c->hours);
    hours_init(&c->hours, c->image.hours, c->image.hours_count, c->image.closed, c->image.closed_count);
    /* Recovery gives no zone. The old one is kept, unless the image names another. */
    calendar_set_zone(c, zone || !same_zone ? zone : c->zone);
    c->seq = seq;
    return c;
}

/* ---- The command ---- */

static enum outcome_code lists_judge(const struct calendar_image *image, struct outcome *out)
{
    uint32_t openings = 0;
    for (uint32_t i = 0; i < image->hours_count; i++)
        openings += (uint32_t)__builtin_popcount(image->hours[i].days);
    if (openings > OPENINGS_MAX)
        return state_invalid(out, "Too many hours: at most 336 ranges a week.", "/hours");
    size_t overlaps = hours_check(image->hours, image->hours_count);
    if (overlaps != HOURS_NO_OVERLAP)
        return state_invalid(out, "Invalid hours: overlaps another range.", "/hours/%zu", overlaps);
    for (uint32_t i = 0; i < image->closed_count; i++)
        if (image->closed[i].start_ms >= image->closed[i].end_ms)
            return state_invalid(out, "Invalid end: must be after start.", "/closed/%u/end", i);
    if (image->service_count > SERVICES_MAX)
        return state_invalid(out, "Too many services: at most 100 per calendar.", "/services");
    for (uint32_t i = 0; i < image->service_count; i++)
        if (service_position(image->services, i, image->services[i].id) != SERVICE_NONE)
            return state_invalid(out, "Duplicate service.", "/services/%u/id", i);
    return OUTCOME_OK;
}

void calendar_length_bounds(const struct calendar_image *image, int64_t *least_ms, int64_t *most_ms)
{
    uint32_t slot = image->slot_minutes, least = image->rules.min_minutes, most = image->rules.max_minutes;
    ASSERT(slot >= 1);
    /* Rounded to whole slots; the default maximum is the minimum. */
    least = least ? (least + slot - 1) / slot * slot : slot;
    most = most ? most / slot * slot : least;
    *least_ms = least * MINUTE_MS;
    *most_ms = most * MINUTE_MS;
}

static enum outcome_code rules_judge(const struct calendar_image *image, struct outcome *out)
{
    int64_t least_ms, most_ms;
    calendar_length_bounds(image, &least_ms, &most_ms);
    if (image->rules.max_minutes && image->rules.max_minutes < image->rules.min_minutes)
        return state_invalid(out, "Invalid max_minutes: less than min_minutes.", "/max_minutes");
    if (most_ms < least_ms)
        return state_invalid(out, "Invalid max_minutes: no whole number of slots fits.", "/max_minutes");
    return OUTCOME_OK;
}

/* A service without a price has the price of the calendar. */
static void price_fill(struct service_image *service, const struct calendar_image *image)
{
    if (service->price == SERVICE_PRICE_OPEN)
        service->price = image->price;
    ASSERT(service->price >= 0);
}

/* The new list of services: each keeps its position forever, even when it is no longer offered. */
static enum outcome_code services_place(struct state *st, const struct calendar *c,
                                        struct calendar_image *image, struct outcome *out)
{
    struct service_image *placed = st->change.services;
    uint32_t count = c ? c->image.service_count : 0;
    ASSERT(image->service_count <= SERVICES_MAX && count <= SERVICES_EVER_MAX);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t asked = service_position(image->services, image->service_count, c->image.services[i].id);
        /* If no longer offered, it stays unchanged: items that refer to it keep its name and length. */
        placed[i] = asked == SERVICE_NONE ? c->image.services[i] : image->services[asked];
        placed[i].removed = asked == SERVICE_NONE;
        price_fill(&placed[i], image);
    }
    uint32_t before = count; /* ids in the request are distinct: only the old ones have to be checked */
    for (uint32_t i = 0; i < image->service_count; i++) {
        if (service_position(placed, before, image->services[i].id) != SERVICE_NONE)
            continue;
        if (count == SERVICES_EVER_MAX)
            return state_invalid(out, "Too many services: at most 1000 ids over the life of a calendar.",
                                 "/services");
        placed[count] = image->services[i];
        placed[count].removed = false;
        price_fill(&placed[count++], image);
    }
    image->services = placed;
    image->service_count = count;
    return OUTCOME_OK;
}

/* Whether this capacity is enough for the claims from now on. */
static bool capacity_enough(struct state *st, struct calendar *c, uint32_t capacity)
{
    if (timeline_most(&c->timeline, st->now_ms, INT64_MAX) <= capacity)
        return true;
    settle_calendar(st, c); /* lapsed holds do not count */
    return timeline_most(&c->timeline, st->now_ms, INT64_MAX) <= capacity;
}

/* All members of a group have the same zone and currency. */
static bool group_allows(const struct state *st, const struct calendar *c, const struct calendar_image *image,
                         struct outcome *out)
{
    bool same = text_equal(c->image.timezone, image->timezone) &&
                memcmp(c->image.terms.currency, image->terms.currency, sizeof(image->terms.currency)) == 0;
    if (same || !calendar_shares_group(st, c))
        return true;
    for (uint32_t i = 0; i < c->group_count; i++)
        state_saw(out, st->groups[c->groups[i]]->seq);
    out->detail = "This calendar shares a group with others: its time zone and currency cannot change.";
    return false;
}

static struct kept_terms kept_of(const struct calendar_image *image)
{
    return (struct kept_terms){kept_late(&image->terms), image->rules.cancels,
                               image->rules.cancel_until_minutes};
}

struct kept_terms calendar_terms_of(const struct calendar *c, uint64_t hold)
{
    return kept_terms_of(c->image.terms_before, kept_of(&c->image), hold);
}

enum outcome_code calendar_put(struct state *st, const struct command *command, struct outcome *out)
{
    static const struct terms_defaults usual = {CALENDAR_HOLD_TTL_S, CALENDAR_MAX_HOLD_S,
                                                CALENDAR_MAX_HOLD_S};
    struct calendar_image image = command->calendar_put.image;
    struct calendar *c = calendar_find(st, image.id);
    ASSERT(command->calendar_put.zone);
    ASSERT(image.capacity >= 1 && image.capacity <= CALENDAR_CAPACITY_MAX && image.slot_minutes >= 1);
    enum outcome_code code = terms_complete(&image.terms, &usual, out);
    if (code == OUTCOME_OK)
        code = lists_judge(&image, out);
    if (code == OUTCOME_OK)
        code = rules_judge(&image, out);
    if (code == OUTCOME_OK && c && !capacity_enough(st, c, image.capacity)) {
        state_saw(out, c->seq);
        code = OUTCOME_CAPACITY_IN_USE;
    }
    if (code == OUTCOME_OK && c && !group_allows(st, c, &image, out))
        code = OUTCOME_IN_USE;
    if (code == OUTCOME_OK)
        code = services_place(st, c, &image, out);
    if (code != OUTCOME_OK)
        return code;
    /* No more refusals from here on. */
    image.number = c ? c->image.number : state_next_seq(st);
    image.created_at_ms = c ? c->image.created_at_ms : st->now_ms;
    image.removed = false;
    /* Existing holds and sales keep their terms. */
    image.terms_before = c ? kept_terms_replace(c->image.terms_before, kept_of(&c->image), kept_of(&image),
                                                state_next_seq(st), &st->scratch)
                           : (struct text){0};
    out->created = !c;
    st->change.kind = CHANGE_CALENDAR;
    st->change.calendar = image;
    st->change.made.zone = command->calendar_put.zone;
    out->seq = state_commit(st);
    c = calendar_find(st, image.id);
    ASSERT(c && c->zone && out->created == (c->image.number == out->seq));
    out->calendar = c->image;
    return OUTCOME_OK;
}

/* ---- Judging ---- */

enum outcome_code calendar_judge_instants(int64_t now_ms, int64_t earliest_ms, int64_t start_ms,
                                          int64_t end_ms, const char *within, struct outcome *out)
{
    if (start_ms >= end_ms)
        return state_invalid(out, "Invalid end: must be after start.", "%s/end", within);
    /* Unsigned: the instants come from outside, and their difference might not fit. */
    if ((uint64_t)end_ms - (uint64_t)start_ms > SLOT_LENGTH_MAX_MS)
        return state_invalid(out, "Invalid end: at most 366 days after start.", "%s/end", within);
    if (start_ms < earliest_ms)
        return state_invalid(out, "Invalid start: in the past.", "%s/start", within);
    if (start_ms > now_ms + SLOT_AHEAD_MAX_MS)
        return state_invalid(out, "Invalid start: more than ten years ahead.", "%s/start", within);
    if (end_ms > now_ms + SLOT_AHEAD_MAX_MS)
        return state_invalid(out, "Invalid end: more than ten years ahead.", "%s/end", within);
    return OUTCOME_OK;
}

enum outcome_code calendar_judge_hours(const struct calendar *c, uint32_t item, int64_t start_ms,
                                       int64_t end_ms, struct outcome *out)
{
    ASSERT(c->zone);
    if (hours_contain(&c->hours, start_ms, end_ms))
        return OUTCOME_OK;
    state_saw(out, c->seq);
    out->calendar = c->image;
    out->closed_item = item;
    out->asked = (struct closed_interval){start_ms, end_ms};
    out->zone = c->zone;
    return OUTCOME_CLOSED;
}

bool calendar_has_room(const struct calendar *c, int64_t start_ms, int64_t until_ms, int64_t now_ms)
{
    return timeline_most(&c->timeline, start_ms > now_ms ? start_ms : now_ms, until_ms) < c->image.capacity;
}

enum outcome_code calendar_judge_room(struct state *st, struct calendar *c, int64_t start_ms,
                                      int64_t until_ms, enum unit_status *status, struct outcome *out)
{
    ASSERT(start_ms < until_ms);
    if (calendar_has_room(c, start_ms, until_ms, st->now_ms))
        return OUTCOME_OK;
    /* Settle all lapsed holds, not only those that overlap: the result must not depend on which was in the way. */
    settle_calendar(st, c);
    if (calendar_has_room(c, start_ms, until_ms, st->now_ms))
        return OUTCOME_OK;
    int64_t from_ms = start_ms > st->now_ms ? start_ms : st->now_ms;
    *status =
        timeline_most_sold(&c->timeline, from_ms, until_ms) >= c->image.capacity ? UNIT_SOLD : UNIT_HELD;
    state_saw(out, c->seq);
    return OUTCOME_TAKEN;
}

int64_t calendar_until(const struct calendar *c, int64_t end_ms)
{
    return end_ms + c->image.buffer_minutes * MINUTE_MS;
}

int64_t calendar_service_ms(const struct calendar *c, uint32_t position)
{
    ASSERT(position < c->image.service_count);
    return c->image.services[position].duration_minutes * MINUTE_MS;
}

/* ---- Claims ---- */

void calendar_touch(struct state *st, const struct calendar *c, int64_t from_ms, int64_t to_ms)
{
    from_ms -= c->image.buffer_minutes * MINUTE_MS;
    to_ms += c->image.rules.buffer_before_minutes * MINUTE_MS;
    if (!c->image.removed && to_ms > st->now_ms) /* the past is not shown */
        state_touch_span(st, c->index, from_ms, to_ms);
}

void calendar_claim(struct calendar *c, int64_t start_ms, int64_t until_ms, bool sold, int64_t now_ms)
{
    ASSERT(calendar_has_room(c, start_ms, until_ms, now_ms));
    /* Fold a few points with each claim: the past does not pile up, and no single claim is slow. */
    timeline_fold(&c->timeline, now_ms, FOLD_MAX);
    timeline_fold(&c->starts, now_ms - STARTS_KEPT_MS, FOLD_MAX);
    ASSERT(c->timeline.folded_ms <= now_ms); /* only the time from now on is judged */
    timeline_add(&c->timeline, start_ms, until_ms, sold);
}

void calendar_start_add(struct calendar *c, int64_t start_ms)
{
    if (start_ms > c->starts.folded_ms)
        timeline_add(&c->starts, start_ms, STARTS_END, false);
}

void calendar_start_remove(struct calendar *c, int64_t start_ms)
{
    if (start_ms > c->starts.folded_ms)
        timeline_remove(&c->starts, start_ms, STARTS_END, false);
}

uint32_t calendar_starts(const struct calendar *c, int64_t after_ms, int64_t before_ms)
{
    ASSERT(after_ms >= c->starts.folded_ms);
    if (before_ms <= after_ms + 1)
        return 0;
    uint32_t begun = timeline_most(&c->starts, after_ms, after_ms + 1);
    uint32_t then = timeline_most(&c->starts, before_ms - 1, before_ms);
    ASSERT(then >= begun); /* starts never end */
    return then - begun;
}

void calendar_forget_past(struct calendar *c, int64_t past_ms)
{
    ASSERT(c->timeline.folded_ms <= past_ms); /* it never moves back */
    timeline_fold(&c->timeline, past_ms, 0);
    timeline_fold(&c->starts, past_ms - STARTS_KEPT_MS, 0);
}
