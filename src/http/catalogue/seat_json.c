/* SPDX-License-Identifier: Apache-2.0 */
#include "http/catalogue/seat_body.h"

#include <stdio.h>
#include <string.h>

#include "base/json/json_reader.h"
#include "core/change.h"
#include "http/catalogue/seat_import.h"
#include "http/api/text_check.h"
#include "http/describe/about.h"

#define ARENA_BLOCK_SIZE (1024 * 1024)

struct seat_fields {
    struct json_text_value id, section, row, number, tier, allotment;
    struct json_int_value x, y, price;
    struct json_bool_value accessible, blocked;
};

#define LABEL(member, about) FIELD_LABEL(struct seat_fields, member, 0, JSON_NULLABLE, about)

const struct json_field api_seat_fields[] = {
    FIELD_ID(struct seat_fields, id, JSON_REQUIRED, ABOUT_SEAT_ID),
    LABEL(section, ABOUT_SEAT_SECTION),
    LABEL(row, ABOUT_SEAT_ROW),
    LABEL(number, ABOUT_SEAT_NUMBER),
    JSON_MILLI(struct seat_fields, x, INT32_MIN, INT32_MAX, JSON_NULLABLE, .about = ABOUT_SEAT_X),
    JSON_MILLI(struct seat_fields, y, INT32_MIN, INT32_MAX, JSON_NULLABLE, .about = ABOUT_SEAT_Y),
    LABEL(tier, ABOUT_SEAT_TIER),
    JSON_INT(struct seat_fields, price, 0, PRICE_MAX, JSON_OPTIONAL, .about = ABOUT_SEAT_PRICE),
    JSON_BOOL(struct seat_fields, accessible, JSON_OPTIONAL, .about = ABOUT_SEAT_ACCESSIBLE),
    JSON_BOOL(struct seat_fields, blocked, JSON_OPTIONAL, .about = "Whether it is off sale."),
    FIELD_ALLOTMENT(struct seat_fields, allotment, JSON_NULLABLE, ABOUT_SEAT_ALLOTMENT),
    JSON_END,
};

static struct text label(struct json_text_value value, uint32_t bit, uint32_t *columns)
{
    if (!value.text)
        return (struct text){0};
    *columns |= bit;
    return value.size ? (struct text){value.text, value.size} : (struct text){0};
}

static int32_t milli(struct json_int_value value, uint32_t bit, uint32_t *columns, bool *has)
{
    *has = value.given && !value.is_null;
    if (!*has)
        return 0;
    *columns |= bit;
    return (int32_t)value.value;
}

static uint32_t seat_from_fields(const struct seat_fields *fields, struct seat_image *seat)
{
    uint32_t columns = 0;
    *seat = (struct seat_image){.id = {fields->id.text, fields->id.size}};
    seat->section = label(fields->section, SEAT_COLUMN_SECTION, &columns);
    seat->row = label(fields->row, SEAT_COLUMN_ROW, &columns);
    seat->number = label(fields->number, SEAT_COLUMN_NUMBER, &columns);
    seat->tier = label(fields->tier, SEAT_COLUMN_TIER, &columns);
    seat->allotment = label(fields->allotment, SEAT_COLUMN_ALLOTMENT, &columns);
    if (fields->allotment
            .is_null) /* a null label counts as not given; for an allotment null is the only way to clear it */
        columns |= SEAT_COLUMN_ALLOTMENT;
    seat->x_milli = milli(fields->x, SEAT_COLUMN_X, &columns, &seat->has_x);
    seat->y_milli = milli(fields->y, SEAT_COLUMN_Y, &columns, &seat->has_y);
    if (fields->price.given)
        columns |= SEAT_COLUMN_PRICE;
    if (fields->accessible.given)
        columns |= SEAT_COLUMN_ACCESSIBLE;
    if (fields->blocked.given)
        columns |= SEAT_COLUMN_BLOCKED;
    seat->price = fields->price.value;
    seat->accessible = fields->accessible.value;
    seat->blocked = fields->blocked.value;
    return columns;
}

static bool seats_refuse(struct import_fault *fault, enum import_fault_kind kind, const char *pointer,
                         const char *detail)
{
    fault->kind = kind;
    snprintf(fault->pointer, sizeof(fault->pointer), "%s", pointer);
    snprintf(fault->detail, sizeof(fault->detail), "%s", detail);
    return false;
}

static bool add_seats(struct seat_import *import, const struct seat_fields *entries, size_t count,
                      struct import_fault *fault)
{
    for (size_t i = 0; i < count; i++) {
        struct seat_image seat;
        char pointer[32];
        uint32_t columns = seat_from_fields(&entries[i], &seat);
        snprintf(pointer, sizeof(pointer), "/%zu/id", i);
        switch (seat_import_add(import, columns, &seat)) {
        case SEAT_IMPORT_ADDED:
            break;
        case SEAT_IMPORT_DUPLICATE:
            return seats_refuse(fault, IMPORT_UNREADABLE, pointer, "Duplicate seat.");
        case SEAT_IMPORT_TOO_MANY:
            return seats_refuse(fault, IMPORT_TOO_MANY, pointer, "Too many seats for one import.");
        }
    }
    return count > 0 || seats_refuse(fault, IMPORT_UNREADABLE, "", "Missing seats: the import is empty.");
}

bool seat_json_read(const char *body, size_t size, struct hash_key key, struct buf *rows, uint32_t *count,
                    struct import_fault *fault)
{
    struct arena arena;
    struct json_fault bad;
    void *entries;
    size_t entry_count;
    arena_init(&arena, ARENA_BLOCK_SIZE);
    bool ok = json_read_list(body, size, api_seat_fields, sizeof(struct seat_fields), SEATS_MAX, &entries,
                             &entry_count, &arena, &bad);
    if (!ok) {
        seats_refuse(fault, IMPORT_UNREADABLE, bad.pointer, bad.detail);
    } else {
        struct seat_import import;
        seat_import_init(&import, key, rows);
        ok = add_seats(&import, entries, entry_count, fault);
        *count = import.count;
        seat_import_release(&import);
    }
    arena_release(&arena);
    return ok;
}
