/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_codec.c — a calendar's change: its bytes, and how it is restored. What change_codec.c says about
 * changing a kind holds here too. */
#include "base/assertion.h"
#include "core/calendar/calendar.h"
#include "core/codec.h"
#include "core/state.h"

/* clang-format off */
#define CALENDAR_FIELDS(X) \
    X(number, number) X(text, id) X(text, name) X(text, timezone) \
    X(u32, capacity, CALENDAR_CAPACITY_MAX) X(signed, price) X(terms, terms) \
    X(u32, slot_minutes, SLOT_MINUTES_MAX) X(u32, buffer_minutes, BUFFER_MINUTES_MAX)
/* Section 1. Not there: CALENDAR_RULES_PLAIN. */
#define SECTION_RULES 1
#define RULES_FIELDS(X) \
    X(u32, buffer_before_minutes, BUFFER_MINUTES_MAX) \
    X(u32, min_minutes, LENGTH_MINUTES_MAX) X(u32, max_minutes, LENGTH_MINUTES_MAX) \
    X(word, price_per, PRICE_PER_FIRST, PRICE_PER_LAST) \
    X(u32, notice_minutes, NOTICE_MINUTES_MAX) X(u32, horizon_days, HORIZON_DAYS_MAX) \
    X(u32, per_user_limit, CALENDAR_LIMIT_MAX) X(u32, change_until_minutes, NOTICE_MINUTES_MAX) \
    X(u32, size, CALENDAR_SIZE_MAX) X(flag, guests)
/* Section 3. Not there: nothing can be cancelled. */
#define SECTION_CANCEL 3
#define CANCEL_FIELDS(X) X(flag, cancels) X(u32, cancel_until_minutes, NOTICE_MINUTES_MAX)
/* Section 4. Not there: its terms were never others. */
#define SECTION_TERMS_BEFORE 4
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
}

static void fields_get(struct bytes_reader *in, struct calendar_image *r)
{
    CALENDAR_FIELDS(CODEC_GET)
}

static const struct calendar_rules rules_plain = CALENDAR_RULES_PLAIN;

/* clang-format off */
#define RULE_SAME(form, field, ...) && r->field == rules_plain.field
/* clang-format on */
static void rules_put(struct buf *out, const struct calendar_rules *r)
{
    if (true RULES_FIELDS(RULE_SAME))
        return;
    size_t begun = codec_section_begin(out, SECTION_RULES);
    RULES_FIELDS(CODEC_PUT)
    codec_section_end(out, begun);
}

static void cancel_put(struct buf *out, const struct calendar_rules *r)
{
    if (!r->cancels)
        return;
    size_t begun = codec_section_begin(out, SECTION_CANCEL);
    CANCEL_FIELDS(CODEC_PUT)
    codec_section_end(out, begun);
}

static void terms_before_put(struct buf *out, const struct calendar_image *r)
{
    SECTION_PUT(SECTION_TERMS_BEFORE, r->terms_before.at, text, terms_before)
}

static void cancel_get(struct bytes_reader *in, struct calendar_rules *r)
{
    CANCEL_FIELDS(CODEC_GET)
}

static void rules_get(struct bytes_reader *in, struct calendar_rules *r)
{
    RULES_FIELDS(CODEC_GET)
}

static void sections_get(struct bytes_reader *in, struct calendar_image *r)
{
    uint8_t tag;
    struct bytes_reader section;
    r->rules = rules_plain;
    r->terms_before = (struct text){0};
    while (codec_section_next(in, &tag, &section)) {
        if (tag == SECTION_RULES)
            rules_get(&section, &r->rules);
        if (tag == SECTION_CANCEL)
            cancel_get(&section, &r->rules);
        if (tag == SECTION_TERMS_BEFORE)
            r->terms_before = codec_get_text(&section);
        in->bad = in->bad || section.bad;
    }
}

void calendar_change_put(struct buf *out, const struct change *c)
{
    fields_put(out, &c->calendar);
    CALENDAR_LISTS(LIST_PUT)
    bytes_put_signed(out, c->calendar.created_at_ms);
    rules_put(out, &c->calendar.rules);
    cancel_put(out, &c->calendar.rules);
    terms_before_put(out, &c->calendar);
}

void calendar_change_get(struct bytes_reader *in, struct change *c)
{
    fields_get(in, &c->calendar);
    CALENDAR_LISTS(LIST_GET)
    c->calendar.created_at_ms = bytes_get_signed(in);
    c->calendar.removed = false;
    sections_get(in, &c->calendar);
}

bool calendar_change_restore(struct state *st, const struct change *c)
{
    bool known = calendar_find_number(st, c->calendar.number) != NULL;
    return (known || c->calendar.number == c->seq) && calendar_restore(st, &c->calendar, NULL, c->seq);
}
