/* SPDX-License-Identifier: Apache-2.0 */
/* One line of a history: its fields by a table, then what each kind of call must have. */
#include <string.h>

#include "base/json/json_reader.h"
#include "base/memory/memory.h"
#include "history.h"

#define FIRST_CAPACITY 1024
#define SEQ_MAX (INT64_MAX - 1)
#define TTL_MS_MAX (INT64_C(1) << 40)

struct item_fields {
    struct json_text_value object, reservation, status;
    struct json_int_value units;
    struct json_bool_value gives;
};
struct line_fields {
    struct json_text_value op, client, reservation, key, outcome;
    struct json_int_value call_us, answer_us, expires_us, ttl_ms, fence, seq, min_seq;
    struct json_list_value items, asked;
};

/* clang-format off */
static const struct json_field ITEM[] = {
    JSON_TEXT(struct item_fields, object, 1, NAME_SIZE_MAX, JSON_REQUIRED),
    JSON_TEXT(struct item_fields, reservation, 1, NAME_SIZE_MAX, JSON_OPTIONAL),
    JSON_TEXT(struct item_fields, status, 1, NAME_SIZE_MAX, JSON_OPTIONAL),
    JSON_INT(struct item_fields, units, 0, UNITS_MAX, JSON_OPTIONAL),
    JSON_BOOL(struct item_fields, gives, JSON_OPTIONAL),
    JSON_END
};
static const struct json_field LINE[] = {
    JSON_TEXT(struct line_fields, op, 1, NAME_SIZE_MAX, JSON_REQUIRED),
    JSON_TEXT(struct line_fields, client, 1, NAME_SIZE_MAX, JSON_OPTIONAL),
    JSON_TEXT(struct line_fields, reservation, 1, NAME_SIZE_MAX, JSON_OPTIONAL),
    JSON_TEXT(struct line_fields, key, 1, NAME_SIZE_MAX, JSON_OPTIONAL),
    JSON_TEXT(struct line_fields, outcome, 1, NAME_SIZE_MAX, JSON_OPTIONAL),
    JSON_INT(struct line_fields, call_us, 0, TIME_US_MAX, JSON_OPTIONAL),
    JSON_INT(struct line_fields, answer_us, 0, TIME_US_MAX, JSON_OPTIONAL),
    JSON_INT(struct line_fields, expires_us, 1, TIME_US_MAX, JSON_OPTIONAL),
    JSON_INT(struct line_fields, ttl_ms, 1, TTL_MS_MAX, JSON_OPTIONAL),
    JSON_INT(struct line_fields, fence, 1, SEQ_MAX, JSON_OPTIONAL),
    JSON_INT(struct line_fields, seq, 1, SEQ_MAX, JSON_OPTIONAL),
    JSON_INT(struct line_fields, min_seq, 1, SEQ_MAX, JSON_OPTIONAL),
    JSON_LIST(struct line_fields, items, struct item_fields, ITEM, 1, ITEMS_MAX, JSON_REQUIRED),
    JSON_LIST(struct line_fields, asked, struct item_fields, ITEM, 1, ITEMS_MAX, JSON_OPTIONAL),
    JSON_END
};
/* clang-format on */

static struct status fault(uint32_t line, const char *sentence)
{
    return status_make(STATUS_INVALID, "line %u: %s", line, sentence);
}

static uint32_t named(struct names *names, const struct json_text_value *text)
{
    return text->text ? names_add(names, text->text, text->size) : NAME_NONE;
}

static enum refusal refusal_of(const char *code)
{
    static const struct {
        const char *code;
        enum refusal refusal;
    } CODES[] = {
        {"taken", REFUSAL_TAKEN},
        {"sold_out", REFUSAL_TAKEN},
        {"expired", REFUSAL_GONE},
        {"already_released", REFUSAL_GONE},
        {"already_refunded", REFUSAL_GONE},
        {"already_cancelled", REFUSAL_GONE},
        {"no_such_reservation", REFUSAL_GONE},
        {"already_confirmed", REFUSAL_SOLD},
    };
    for (size_t i = 0; i < sizeof CODES / sizeof CODES[0]; i++)
        if (strcmp(code, CODES[i].code) == 0)
            return CODES[i].refusal;
    return REFUSAL_OTHER;
}

static struct status outcome_read(struct history *h, struct call *c, const char *word)
{
    static const char REFUSED[] = "refused:";
    if (strcmp(word, "undecided") == 0) {
        c->outcome = OUTCOME_UNDECIDED;
    } else if (strcmp(word, call_done_word(c->kind)) == 0) {
        c->outcome = OUTCOME_DONE;
    } else if (strncmp(word, REFUSED, strlen(REFUSED)) == 0 && word[strlen(REFUSED)]) {
        const char *code = word + strlen(REFUSED);
        c->outcome = OUTCOME_REFUSED;
        c->refusal = refusal_of(code);
        c->code = names_add(&h->codes, code, strlen(code));
        bool claims = c->kind == CALL_HOLD || c->kind == CALL_BUY || c->kind == CALL_MOVE;
        /* A hold that is refused as expired says nothing about the seat. */
        if (claims != (c->refusal == REFUSAL_TAKEN))
            c->refusal = REFUSAL_OTHER;
    } else {
        return status_make(STATUS_INVALID, "line %u: the outcome of %s is %s, refused:CODE or undecided",
                           c->line, call_kind_word(c->kind), call_done_word(c->kind));
    }
    return status_none();
}

static struct status item_read(struct history *h, const struct call *c, const struct item_fields *f)
{
    struct item item = {
        .object = names_add(&h->objects, f->object.text, f->object.size),
        .reservation = named(&h->reservations, &f->reservation),
        .units = (uint32_t)f->units.value,
        .gives = f->gives.value,
    };
    if (f->gives.given && c->kind != CALL_MOVE)
        return fault(c->line, "only an item of a move gives");
    if (c->kind == CALL_READ && c->outcome == OUTCOME_DONE) {
        const char *word = f->status.text ? f->status.text : "";
        while (item.shown < SHOWN_COUNT && strcmp(shown_word(item.shown), word) != 0)
            item.shown++;
        if (item.shown == SHOWN_NONE || item.shown == SHOWN_COUNT)
            return fault(c->line, "a read shows free, held, sold, gone or available");
        if (item.shown == SHOWN_GONE && item.reservation == NAME_NONE)
            return fault(c->line, "gone needs the reservation that does not have the item");
        if ((item.shown == SHOWN_AVAILABLE) != f->units.given)
            return fault(c->line, "available has units, the others have none");
    } else if (f->status.text || f->reservation.text) {
        return fault(c->line, "only the items of a read have a status and a reservation");
    } else if (f->units.given && f->units.value == 0) {
        return fault(c->line, "units is at least 1");
    }
    h->items = memory_room(h->items, h->item_count, &h->item_capacity, FIRST_CAPACITY, sizeof item);
    h->items[h->item_count++] = item;
    return status_none();
}

/* What a refused request asked for besides the items that the refusal names. */
static struct status asked_read(struct history *h, struct call *c, const struct json_list_value *asked)
{
    const struct item_fields *items = asked->entries;
    struct status s = status_none();
    if (asked->count && (c->outcome != OUTCOME_REFUSED || (c->kind != CALL_HOLD && c->kind != CALL_BUY)))
        return fault(c->line, "only a hold or buy that is refused has `asked`");
    for (size_t i = 0; status_ok(&s) && i < asked->count; i++) {
        s = item_read(h, c, &items[i]);
        h->items[h->item_count - 1].asked = true;
    }
    c->item_count += (uint32_t)asked->count;
    return s;
}

static struct status call_check(const struct call *c)
{
    bool done = c->outcome == OUTCOME_DONE;
    bool claims = c->kind == CALL_HOLD || c->kind == CALL_BUY || c->kind == CALL_MOVE;
    if (c->client == NAME_NONE)
        return fault(c->line, "a call has a client");
    if (c->outcome != OUTCOME_UNDECIDED && c->answer_us == NO_END)
        return fault(c->line, "an answer that decided the call has answer_us");
    if (c->outcome == OUTCOME_UNDECIDED && (c->expires_us || c->fence))
        return fault(c->line, "an undecided call has no expires_us and no fence");
    if (c->answer_us < c->call_us)
        return fault(c->line, "answer_us is before call_us");
    if (c->kind != CALL_READ && c->reservation == NAME_NONE && (done || !claims))
        return fault(c->line, "the reservation is missing");
    if (done && (c->kind == CALL_HOLD || c->kind == CALL_EXTEND) && !c->expires_us)
        return fault(c->line, "a hold that was granted or extended has expires_us");
    if (c->kind == CALL_MOVE && c->outcome == OUTCOME_UNDECIDED && c->key == NAME_NONE)
        return fault(c->line, "an undecided move has a key, and is decided later");
    return status_none();
}

/* The line that says how many units a pool has. */
static struct status pool_set(struct history *h, const struct line_fields *f, uint32_t line)
{
    const struct item_fields *items = f->items.entries;
    for (size_t i = 0; i < f->items.count; i++) {
        if (items[i].units.value < 1)
            return fault(line, "a pool has at least one unit");
        uint32_t object = names_add(&h->objects, items[i].object.text, items[i].object.size);
        if (object >= h->capacities_count) {
            uint32_t count = (object + 1) * 2;
            h->capacities = memory_grow(h->capacities, count, sizeof h->capacities[0]);
            memset(h->capacities + h->capacities_count, 0,
                   (count - h->capacities_count) * sizeof h->capacities[0]);
            h->capacities_count = count;
        }
        if (h->capacities[object])
            return fault(line, "this pool was declared before");
        h->capacities[object] = (uint32_t)items[i].units.value;
    }
    return status_none();
}

static bool kind_read(const char *word, enum call_kind *kind)
{
    for (*kind = 0; *kind < CALL_KIND_COUNT; (*kind)++)
        if (strcmp(word, call_kind_word(*kind)) == 0)
            return true;
    return false;
}

struct status history_add(struct history *h, const char *text, size_t size, uint32_t line,
                          struct arena *arena)
{
    struct line_fields f = {0};
    struct json_fault wrong = {0};
    if (!json_read(text, size, LINE, &f, arena, &wrong))
        return status_make(STATUS_INVALID, "line %u: %.60s: %.160s", line, wrong.pointer, wrong.detail);
    struct call c = {
        .line = line,
        .call_us = f.call_us.value,
        .began_us = f.call_us.value,
        .answer_us = f.answer_us.given ? f.answer_us.value : NO_END,
        .expires_us = f.expires_us.value,
        .ttl_us = f.ttl_ms.value * 1000,
        .fence = (uint64_t)f.fence.value,
        .seq = (uint64_t)f.seq.value,
        .min_seq = (uint64_t)f.min_seq.value,
        .client = named(&h->clients, &f.client),
        .reservation = named(&h->reservations, &f.reservation),
        .key = named(&h->keys, &f.key),
        .code = NAME_NONE,
        .first_item = h->item_count,
        .item_count = (uint32_t)f.items.count,
    };
    if (!kind_read(f.op.text, &c.kind))
        return fault(line, "unknown op");
    if (c.kind == CALL_POOL)
        return pool_set(h, &f, line);
    if (!f.call_us.given || !f.outcome.text)
        return fault(line, "a call has call_us and outcome");
    struct status s = outcome_read(h, &c, f.outcome.text);
    const struct item_fields *items = f.items.entries;
    for (size_t i = 0; status_ok(&s) && i < f.items.count; i++)
        s = item_read(h, &c, &items[i]);
    if (status_ok(&s))
        s = asked_read(h, &c, &f.asked);
    if (status_ok(&s))
        s = call_check(&c);
    if (!status_ok(&s))
        return s;
    if (c.call_us < h->first_us)
        h->first_us = c.call_us;
    h->lines = memory_room(h->lines, h->line_count, &h->line_capacity, FIRST_CAPACITY, sizeof c);
    h->lines[h->line_count++] = c;
    return status_none();
}
