/* SPDX-License-Identifier: Apache-2.0 */
/* model_calendar.c — calendars, the slow way: every claim against every other, every day separately.
 *
 * A claim of [start, end) blocks [start, until), until being the end and the buffer as it was then. Only the time from
 * now on counts.
 */
#include <stdio.h>
#include <string.h>

#include "model.h"

#define MINUTE_MS 60000LL
#define DAY_MS (24LL * 3600 * 1000)
#define LENGTH_MAX_MS (366 * DAY_MS)
#define AHEAD_MAX_MS (3660 * DAY_MS)

/* ---- Claims ---- */

void model_claims_gather(struct model *m, int calendar, const struct model_item *but,
                         const struct model_reservation *own, const struct model_item *way,
                         struct model_claims *out)
{
    out->count = 0;
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        enum reservation_status status = model_status(m, r);
        if (!r->used || (status != RESERVATION_HELD && status != RESERVATION_CONFIRMED))
            continue;
        for (int k = 0; k < r->item_count; k++) {
            const struct model_item *item = &r->items[k];
            if (item->kind != ITEM_SLOT || item->event != calendar || item == but)
                continue;
            int64_t from_ms = item->from_ms, until_ms = item->until_ms;
            if (way && r == own && item->end_ms <= way->start_ms && way->start_ms < until_ms)
                until_ms = way->start_ms;
            int64_t done_ms = way && way->until_ms < item->start_ms ? way->until_ms : item->start_ms;
            if (way && r == own && way->end_ms <= item->start_ms && from_ms < done_ms)
                from_ms = done_ms;
            model_claims_add(out, from_ms, until_ms);
            out->list[out->count - 1].sold = status == RESERVATION_CONFIRMED;
        }
    }
}

void model_claims_add(struct model_claims *c, int64_t start_ms, int64_t until_ms)
{
    c->list[c->count].start_ms = start_ms;
    c->list[c->count].until_ms = until_ms;
    c->list[c->count++].sold = false;
}

static uint32_t claims_at(const struct model_claims *c, int64_t at_ms, bool sold_only)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        count +=
            c->list[i].start_ms <= at_ms && at_ms < c->list[i].until_ms && (!sold_only || c->list[i].sold);
    return count;
}

/* The number grows only where a claim begins, so these instants are enough. */
uint32_t model_claims_most(const struct model_claims *c, int64_t from_ms, int64_t until_ms, bool sold_only)
{
    uint32_t most = from_ms < until_ms ? claims_at(c, from_ms, sold_only) : 0;
    for (uint32_t i = 0; i < c->count; i++) {
        int64_t at_ms = c->list[i].start_ms;
        uint32_t here = from_ms < at_ms && at_ms < until_ms ? claims_at(c, at_ms, sold_only) : 0;
        most = here > most ? here : most;
    }
    return most;
}

enum outcome_code model_claims_judge(const struct model *m, int calendar, const struct model_claims *c,
                                     int64_t start_ms, int64_t until_ms, struct obstacle *o)
{
    uint32_t capacity = m->calendars[calendar].rules.capacity;
    int64_t from_ms = start_ms > m->now ? start_ms : m->now;
    o->kind = ITEM_SLOT;
    if (model_claims_most(c, from_ms, until_ms, false) < capacity)
        return OUTCOME_OK;
    o->status = model_claims_most(c, from_ms, until_ms, true) >= capacity ? UNIT_SOLD : UNIT_HELD;
    return OUTCOME_TAKEN;
}

bool model_past(const struct model *m, const struct model_reservation *r)
{
    bool past = r->status == RESERVATION_CONFIRMED;
    for (int i = 0; i < r->item_count; i++)
        past = past && r->items[i].kind == ITEM_SLOT && r->items[i].until_ms <= m->now;
    return past;
}

/* ---- What is asked for ---- */

static enum outcome_code invalid(struct model_answer *out, const char *within, const char *field)
{
    snprintf(out->pointer, sizeof(out->pointer), "%s/%s", within, field);
    return OUTCOME_INVALID;
}

static enum outcome_code judge_instants(const struct model *m, int64_t earliest_ms, int64_t start_ms,
                                        int64_t end_ms, const char *within, struct model_answer *out)
{
    if (end_ms <= start_ms || end_ms - start_ms > LENGTH_MAX_MS)
        return invalid(out, within, "end");
    if (start_ms < earliest_ms || start_ms > m->now + AHEAD_MAX_MS)
        return invalid(out, within, "start");
    return end_ms > m->now + AHEAD_MAX_MS ? invalid(out, within, "end") : OUTCOME_OK;
}

const struct ask_service *model_service(const struct model *m, int calendar, int service)
{
    const struct ask_calendar *rules = &m->calendars[calendar].rules;
    for (uint32_t i = 0; i < rules->service_count; i++)
        if (rules->services[i].service == service)
            return &rules->services[i];
    return NULL;
}

int64_t model_slot_end(const struct model *m, const struct ask_item *item)
{
    const struct ask_service *service =
        item->event < ASK_CALENDARS ? model_service(m, item->event, item->unit) : NULL;
    return service ? item->start_ms + service->minutes * MINUTE_MS : item->end_ms;
}

int64_t model_slot_until(const struct model *m, int calendar, int64_t end_ms)
{
    return end_ms + m->calendars[calendar].rules.buffer_minutes * MINUTE_MS;
}

enum outcome_code model_slot_instants(const struct model *m, const struct ask_item *item, uint32_t index,
                                      struct model_answer *out)
{
    char within[16];
    snprintf(within, sizeof(within), "/items/%u", index);
    return judge_instants(m, m->now, item->start_ms, item->unit < 0 ? item->end_ms : item->start_ms + 1,
                          within, out);
}

enum outcome_code model_slot_exists(const struct model *m, const struct ask_item *item, uint32_t index,
                                    struct model_answer *out)
{
    char within[16];
    snprintf(within, sizeof(within), "/items/%u", index);
    if (item->event >= ASK_CALENDARS || !m->calendars[item->event].exists)
        return OUTCOME_NO_SUCH_CALENDAR;
    if (item->unit >= 0 && !model_service(m, item->event, item->unit))
        return invalid(out, within, "service");
    return model_slot_end(m, item) > m->now + AHEAD_MAX_MS ? invalid(out, within, "start") : OUTCOME_OK;
}

static int64_t slot_from(const struct model *m, int calendar, int64_t start_ms)
{
    return start_ms - m->calendars[calendar].rules.before_minutes * MINUTE_MS;
}

/* Of a claim without a service: per slot begun, or for all. */
static int64_t price_of(const struct model *m, int calendar, int64_t length_ms)
{
    const struct ask_calendar *rules = &m->calendars[calendar].rules;
    int64_t slot_ms = rules->slot_minutes * MINUTE_MS;
    return rules->price * (rules->per_slot ? (length_ms + slot_ms - 1) / slot_ms : 1);
}

struct model_item model_slot_item(const struct model *m, const struct ask_item *item, uint32_t id)
{
    const struct ask_service *service = model_service(m, item->event, item->unit);
    int64_t end_ms = model_slot_end(m, item);
    return (struct model_item){.event = (int8_t)item->event,
                               .unit = (int8_t)item->unit,
                               .kind = ITEM_SLOT,
                               .unpaid = !m->calendars[item->event].settings.payment_required,
                               .id = id,
                               .quantity = 1,
                               .attributes = (int8_t)item->attributes,
                               .price = service ? service->price
                                                : price_of(m, item->event, end_ms - item->start_ms),
                               .start_ms = item->start_ms,
                               .end_ms = end_ms,
                               .until_ms = model_slot_until(m, item->event, end_ms),
                               .full_ms = model_slot_until(m, item->event, end_ms),
                               .from_ms = slot_from(m, item->event, item->start_ms),
                               .full_from_ms = slot_from(m, item->event, item->start_ms)};
}

/* ---- Hours ---- */

/* The range that opens on this day (counted from 1970-01-01, a Thursday); false: none. Without hours each day is a
 * range. */
static bool range_of(const struct ask_calendar *rules, int64_t day, int64_t *from_ms, int64_t *to_ms)
{
    const struct hours_range *h = &rules->hours;
    *from_ms = day * DAY_MS;
    *to_ms = *from_ms + DAY_MS;
    if (rules->always)
        return true;
    *to_ms = *from_ms + h->to_minute * MINUTE_MS + (h->to_minute <= h->from_minute ? DAY_MS : 0);
    *from_ms += h->from_minute * MINUTE_MS;
    return h->days >> (day + 3) % 7 & 1;
}

bool model_open(const struct model *m, int calendar, int64_t start_ms, int64_t end_ms)
{
    const struct ask_calendar *rules = &m->calendars[calendar].rules;
    for (uint32_t i = 0; i < rules->closed_count; i++)
        if (rules->closed[i].start_ms < end_ms && start_ms < rules->closed[i].end_ms)
            return false;
    while (start_ms < end_ms) {
        int64_t day = start_ms / DAY_MS, from_ms, to_ms;
        if (!(range_of(rules, day, &from_ms, &to_ms) && from_ms <= start_ms && start_ms < to_ms) &&
            !(range_of(rules, day - 1, &from_ms, &to_ms) && from_ms <= start_ms && start_ms < to_ms))
            return false;
        start_ms = to_ms;
    }
    return true;
}

int64_t model_grid(const struct model *m, int calendar, int64_t at_ms)
{
    const struct ask_calendar *rules = &m->calendars[calendar].rules;
    int64_t step_ms = rules->slot_minutes * MINUTE_MS, from_ms, to_ms;
    for (int64_t day = at_ms / DAY_MS - 1; day * DAY_MS < at_ms + 8 * DAY_MS; day++)
        if (range_of(rules, day, &from_ms, &to_ms))
            for (; from_ms < to_ms; from_ms += step_ms)
                if (from_ms >= at_ms)
                    return from_ms;
    return at_ms;
}

void model_lengths(const struct ask_calendar *rules, int64_t *least_ms, int64_t *most_ms)
{
    int64_t slot_ms = rules->slot_minutes * MINUTE_MS, min_ms = rules->min_minutes * MINUTE_MS;
    *least_ms = min_ms > slot_ms ? (min_ms + slot_ms - 1) / slot_ms * slot_ms : slot_ms;
    *most_ms = rules->max_minutes ? rules->max_minutes * MINUTE_MS : *least_ms;
}

static bool on_grid(const struct ask_calendar *rules, int64_t start_ms)
{
    int64_t from_ms, to_ms, step_ms = rules->slot_minutes * MINUTE_MS;
    for (int64_t day = start_ms / DAY_MS - 1; day <= start_ms / DAY_MS; day++)
        if (range_of(rules, day, &from_ms, &to_ms) && from_ms <= start_ms && start_ms < to_ms &&
            (start_ms - from_ms) % step_ms == 0)
            return true;
    return false;
}

enum outcome_code model_bookable(const struct model *m, int calendar, int unit, int64_t start_ms,
                                 int64_t end_ms, const struct model_item *from, struct model_answer *out)
{
    const struct ask_calendar *rules = &m->calendars[calendar].rules;
    const struct ask_service *service = model_service(m, calendar, unit);
    int64_t length_ms = end_ms - start_ms, least_ms, most_ms;
    model_lengths(rules, &least_ms, &most_ms);
    bool whole = length_ms % (rules->slot_minutes * MINUTE_MS) == 0;
    if (unit >= 0) {
        whole = true;
        least_ms = most_ms = service ? service->minutes * MINUTE_MS : from->end_ms - from->start_ms;
    }
    if (from && m->now >= from->start_ms - rules->change_minutes * MINUTE_MS)
        out->rule = BOOKING_CHANGE;
    else if (unit < 0 && rules->service_count)
        out->rule = BOOKING_SERVICE;
    else if (!on_grid(rules, start_ms))
        out->rule = BOOKING_GRID;
    else if (!whole || length_ms < least_ms || length_ms > most_ms)
        out->rule = BOOKING_LENGTH;
    else if (start_ms < m->now + rules->notice_minutes * MINUTE_MS)
        out->rule = BOOKING_NOTICE;
    else if (start_ms > m->now + rules->horizon_days * DAY_MS)
        out->rule = BOOKING_HORIZON;
    else
        return OUTCOME_OK;
    return OUTCOME_NOT_BOOKABLE;
}

uint32_t model_booked(struct model *m, int user, int calendar)
{
    uint32_t count = 0;
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        for (int k = 0; r->user == user && k < r->item_count; k++)
            count += r->items[k].kind == ITEM_SLOT && r->items[k].event == calendar &&
                     r->items[k].end_ms > m->now && model_live(m, r);
    }
    return count;
}

uint32_t model_slots(struct model *m, int calendar, const struct slots_query *q, struct slot *out,
                     uint32_t most)
{
    static struct model_claims claims;
    const struct ask_calendar *rules = &m->calendars[calendar].rules;
    int64_t step_ms = rules->slot_minutes * MINUTE_MS, length_ms = q->length_ms ? q->length_ms : step_ms;
    uint32_t count = 0;
    model_claims_gather(m, calendar, NULL, NULL, NULL, &claims);
    for (int64_t day = q->from_ms / DAY_MS - 1; day * DAY_MS < q->to_ms; day++) {
        int64_t at_ms, to_ms;
        bool opens = range_of(rules, day, &at_ms, &to_ms);
        for (; opens && at_ms < to_ms && count < most; at_ms += step_ms) {
            int64_t end_ms = at_ms + length_ms;
            if (q->ruled && (at_ms < m->now + rules->notice_minutes * MINUTE_MS ||
                             at_ms > m->now + rules->horizon_days * DAY_MS))
                continue;
            if (at_ms < q->from_ms || at_ms < m->now || at_ms >= q->to_ms ||
                !model_open(m, calendar, at_ms, end_ms))
                continue;
            int64_t begin_ms = slot_from(m, calendar, at_ms);
            begin_ms = begin_ms > m->now ? begin_ms : m->now;
            uint32_t taken =
                model_claims_most(&claims, begin_ms, model_slot_until(m, calendar, end_ms), false);
            if (taken < rules->capacity)
                out[count++] = (struct slot){at_ms, end_ms, rules->capacity - taken};
        }
    }
    return count;
}

/* ---- Commands ---- */

void model_calendar_put(struct model *m, const struct ask *a, struct model_answer *out)
{
    static struct model_claims claims;
    struct model_calendar *c = &m->calendars[a->event];
    const struct ask_calendar *rules = &a->calendar;
    model_claims_gather(m, a->event, NULL, NULL, NULL, &claims);
    if (c->exists && model_claims_most(&claims, m->now, INT64_MAX, false) > rules->capacity)
        out->code = OUTCOME_CAPACITY_IN_USE;
    int64_t least_ms, most_ms;
    model_lengths(rules, &least_ms, &most_ms);
    if (a->settings.hold_ttl_s > a->settings.max_hold_s)
        out->code = OUTCOME_INVALID;
    if (most_ms < least_ms) /* there is no whole number of slots between them */
        out->code = OUTCOME_INVALID;
    for (uint32_t i = 0; i < rules->closed_count; i++)
        if (rules->closed[i].end_ms <= rules->closed[i].start_ms)
            out->code = OUTCOME_INVALID;
    for (uint32_t i = 0; i < rules->service_count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (rules->services[i].service == rules->services[k].service)
                out->code = OUTCOME_INVALID;
    if (out->code == OUTCOME_OK && c->exists && model_shares_group(m, a->event) &&
        c->settings.currency != a->settings.currency)
        out->code = OUTCOME_IN_USE;
    if (out->code != OUTCOME_OK)
        return;
    out->created = !c->exists;
    c->exists = true;
    c->settings = a->settings;
    c->rules = *rules;
    if (out->created)
        model_terms_calendar_made(m, a->event);
}

/* Only if all claims are over, and in no group. Existing items stay. */
void model_calendar_remove(struct model *m, const struct ask *a, struct model_answer *out)
{
    if (a->event >= ASK_CALENDARS || !m->calendars[a->event].exists) {
        out->code = OUTCOME_NO_SUCH_CALENDAR;
        return;
    }
    if (model_group_of(m, a->event, 0) >= 0)
        out->code = OUTCOME_IN_USE;
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        for (int k = 0; k < m->reservations[i].item_count; k++) {
            const struct model_item *item = &m->reservations[i].items[k];
            if (item->kind == ITEM_SLOT && item->event == a->event && item->until_ms > m->now &&
                model_live(m, &m->reservations[i]))
                out->code = OUTCOME_IN_USE;
        }
    if (out->code != OUTCOME_OK)
        return;
    m->calendars[a->event] = (struct model_calendar){0};
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        for (int k = 0; k < m->reservations[i].item_count; k++) {
            struct model_item *item = &m->reservations[i].items[k];
            if (item->kind == ITEM_SLOT && item->event == a->event)
                item->event += MODEL_GONE;
        }
}

/* A sold item keeps its price per unit. */
static int64_t sold_price(const struct model *m, const struct model_item *item, int64_t length_ms)
{
    const struct ask_calendar *rules = &m->calendars[item->event].rules;
    int64_t slot_ms = rules->slot_minutes * MINUTE_MS;
    if (item->unit >= 0 || !rules->per_slot)
        return item->price;
    return item->price * ((length_ms + slot_ms - 1) / slot_ms) /
           ((item->end_ms - item->start_ms + slot_ms - 1) / slot_ms);
}

enum outcome_code model_slot_move(struct model *m, const struct ask *a, const struct model_reservation *r,
                                  const struct model_item *item, struct model_item *moved,
                                  struct model_answer *out)
{
    static struct model_claims claims;
    if (item->event >= MODEL_GONE)
        return OUTCOME_NO_SUCH_CALENDAR;
    const struct ask_service *service = model_service(m, item->event, item->unit);
    int64_t start_ms = a->start_ms, end_ms = a->end_ms;
    *moved = *item;
    if (!a->has_end && item->unit < 0)
        return invalid(out, "", "end");
    if (!a->has_end)
        end_ms = start_ms + (service ? service->minutes * MINUTE_MS : item->end_ms - item->start_ms);
    if (start_ms == item->start_ms && end_ms == item->end_ms)
        return OUTCOME_OK;
    /* A claim that has begun and is not over can keep its start. */
    bool goes_on = start_ms == item->start_ms && item->until_ms > m->now;
    enum outcome_code code =
        judge_instants(m, goes_on && start_ms < m->now ? start_ms : m->now, start_ms, end_ms, "", out);
    if (code != OUTCOME_OK)
        return code;
    if (r->status == RESERVATION_HELD && m->calendars[item->event].settings.currency != r->currency)
        return invalid(out, "", "start"); /* it would get the current price */
    if (!model_open(m, item->event, start_ms, end_ms))
        return OUTCOME_CLOSED;
    int64_t price = service           ? service->price
                    : item->unit >= 0 ? item->price
                                      : price_of(m, item->event, end_ms - start_ms);
    if (r->status == RESERVATION_CONFIRMED) {
        price = sold_price(m, item, end_ms - start_ms);
        if (!model_moved_price(m, a, r, item, &price))
            return OUTCOME_PAYMENT_REQUIRED;
    }
    if (a->role == ROLE_USER &&
        (code = model_bookable(m, item->event, item->unit, start_ms, end_ms, item, out)))
        return code;
    moved->price = price;
    moved->start_ms = start_ms;
    moved->end_ms = end_ms;
    moved->full_ms = model_slot_until(m, item->event, end_ms);
    moved->full_from_ms = slot_from(m, item->event, start_ms);
    model_slot_settle(r, item, moved);
    model_claims_gather(m, item->event, item, r, moved, &claims);
    code = model_claims_judge(m, item->event, &claims, moved->from_ms, moved->until_ms, &out->obstacles[0]);
    out->obstacle_count = code != OUTCOME_OK;
    return code;
}
