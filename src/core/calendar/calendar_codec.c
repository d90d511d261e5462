/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_codec.c — a calendar's change: its bytes, and how it is restored. What change_codec.c says about
 * changing a kind holds here too. */
#include "base/assertion.h"
#include "core/calendar/calendar.h"
#include "core/codec.h"
#include "core/state.h"

/* clang-format off */
#define CALENDAR_FIELDS(X) /* then CALENDAR_RULES, and CALENDAR_MORE */ \
    X(number, number) X(text, id) X(text, name) X(text, timezone) \
    X(u32, capacity, CALENDAR_CAPACITY_MAX) X(signed, price) X(terms, terms) \
    X(u32, slot_minutes, SLOT_MINUTES_MAX) X(u32, buffer_minutes, BUFFER_MINUTES_MAX)
#define RULE_PUT(form, name, plain, ...) CODEC_PUT_ROW(SETTING_BYTES_##form(rules.name, __VA_ARGS__))
#define RULE_GET(form, name, plain, ...) CODEC_GET_ROW(SETTING_BYTES_##form(rules.name, __VA_ARGS__))
#define CALENDAR_MORE(X) \
    X(flag, rules.cancels) X(u32, rules.cancel_until_minutes, NOTICE_MINUTES_MAX) \
    X(optional, terms_before) X(signed, created_at_ms)
#define HOURS_FIELDS(X) \
    X(word, days, 0, UINT8_MAX) X(u32, from_minute, HOURS_DAY_MINUTES - 1) X(u32, to_minute, HOURS_DAY_MINUTES - 1)
#define CLOSED_FIELDS(X)  X(signed, start_ms) X(signed, end_ms)
#define SERVICE_FIELDS(X) X(text, id) X(u32, duration_minutes, UINT32_MAX) X(signed, price) X(flag, removed)
/* Each list, with how many it may have. */
#define CALENDAR_LISTS(X) \
    X(hours, hours_count, HOURS_MAX, HOURS_FIELDS) \
    X(closed, closed_count, CLOSED_MAX, CLOSED_FIELDS) \
    X(services, service_count, SERVICES_EVER_MAX, SERVICE_FIELDS)
#define LIST_PUT(list, list_count, most, FIELDS) \
    codec_put_u32(out, c->calendar.list_count, most); \
    for (uint32_t i = 0; i < c->calendar.list_count; i++) { \
        const __typeof__(c->list[0]) *r = &c->calendar.list[i]; \
        FIELDS(CODEC_PUT) \
    }
#define LIST_GET(list, list_count, most, FIELDS) \
    c->calendar.list = c->list; \
    c->calendar.list_count = codec_get_u32(in, most); \
    for (uint32_t i = 0; i < c->calendar.list_count; i++) { \
        __typeof__(c->list[0]) *r = &c->list[i]; \
        FIELDS(CODEC_GET) \
    }
/* clang-format on */

static void fields_put(struct buf *out, const struct calendar_image *r)
{
    ASSERT(r->number >= 1);
    CALENDAR_FIELDS(CODEC_PUT)
    CALENDAR_RULES(RULE_PUT)
    CALENDAR_MORE(CODEC_PUT)
}

static void fields_get(struct bytes_reader *in, struct calendar_image *r)
{
    CALENDAR_FIELDS(CODEC_GET)
    CALENDAR_RULES(RULE_GET)
    CALENDAR_MORE(CODEC_GET)
}

void calendar_change_put(struct buf *out, const struct change *c)
{
    fields_put(out, &c->calendar);
    CALENDAR_LISTS(LIST_PUT)
}

void calendar_change_get(struct bytes_reader *in, struct change *c)
{
    fields_get(in, &c->calendar);
    c->calendar.removed = false;
    CALENDAR_LISTS(LIST_GET)
}

bool calendar_change_restore(struct state *st, const struct change *c)
{
    bool known = calendar_find_number(st, c->calendar.number) != NULL;
    if (!known && c->calendar.number != c->seq)
        return false;
    const struct calendar *restored = calendar_restore(st, &c->calendar, c->made.zone, c->seq);
    /* All that slots are ever shown of may look different now. */
    if (restored)
        state_touch_span(st, restored->index, st->now_ms, st->now_ms + SLOT_AHEAD_MAX_MS);
    return restored != NULL;
}
