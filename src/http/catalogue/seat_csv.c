/* SPDX-License-Identifier: Apache-2.0 */
#include "http/catalogue/seat_body.h"

#include <string.h>

#include "base/assertion.h"
#include "base/frame.h"
#include "base/json/json_number.h"
#include "core/change.h"
#include "http/api/csv.h"
#include "http/catalogue/seat_import.h"
#include "http/api/text_check.h"

#define LABEL FIELD_LABEL_FORM(0)
#define COORDINATE "a number such as 7.5"
#define PRICE_FORM "an integer from 0 to " JSON_STRINGIFY(PRICE_MAX)
#define BOOLEAN "true or false"

/* name, header, bit in a row, what is expected */
/* clang-format off */
#define COLUMNS(X) \
    X(ID, "id", 0, FIELD_ID_FORM) \
    X(SECTION, "section", SEAT_COLUMN_SECTION, LABEL) \
    X(ROW, "row", SEAT_COLUMN_ROW, LABEL) \
    X(NUMBER, "number", SEAT_COLUMN_NUMBER, LABEL) \
    X(X, "x", SEAT_COLUMN_X, COORDINATE) \
    X(Y, "y", SEAT_COLUMN_Y, COORDINATE) \
    X(TIER, "tier", SEAT_COLUMN_TIER, LABEL) \
    X(PRICE, "price", SEAT_COLUMN_PRICE, PRICE_FORM) \
    X(ACCESSIBLE, "accessible", SEAT_COLUMN_ACCESSIBLE, BOOLEAN) \
    X(BLOCKED, "blocked", SEAT_COLUMN_BLOCKED, BOOLEAN) \
    X(ALLOTMENT, "allotment", SEAT_COLUMN_ALLOTMENT, FIELD_ALLOTMENT_FORM)
/* clang-format on */

enum column {
#define X(name, header, bit, expected) COLUMN_##name,
    COLUMNS(X)
#undef X
        COLUMN_COUNT
};

static const struct text headers[COLUMN_COUNT] = {
#define X(name, header, bit, expected) [COLUMN_##name] = {header, sizeof(header) - 1},
    COLUMNS(X)
#undef X
};

static const struct {
    uint32_t bit;
    const char *expected;
} column_facts[COLUMN_COUNT] = {
#define X(name, header, bit, expected) [COLUMN_##name] = {bit, expected},
    COLUMNS(X)
#undef X
};

static bool read_boolean(struct text field, bool *out)
{
    if (text_equal(field, TEXT("true")) || text_equal(field, TEXT("1")))
        *out = true;
    else if (text_equal(field, TEXT("false")) || text_equal(field, TEXT("0")))
        *out = false;
    else
        return false;
    return true;
}

static bool read_price(struct text field, int64_t *out)
{
    int64_t price = 0;
    for (size_t i = 0; i < field.size; i++) {
        if (field.at[i] < '0' || field.at[i] > '9')
            return false;
        price = price * 10 + (field.at[i] - '0');
        if (price > PRICE_MAX)
            return false;
    }
    *out = price;
    return field.size > 0;
}

/* A decimal number as thousandths, halves rounded away from zero. Unlike in JSON, "1." and ".5" are allowed. */
static bool read_milli(struct text field, int32_t *out)
{
    size_t digits = 0, points = 0;
    for (size_t i = field.size && field.at[0] == '-' ? 1 : 0; i < field.size; i++) {
        if (field.at[i] != '.' && (field.at[i] < '0' || field.at[i] > '9'))
            return false;
        points += field.at[i] == '.';
        digits += field.at[i] != '.';
    }
    int64_t milli = digits && points < 2 ? json_number_milli(field.at, field.size) : INT64_MAX;
    if (milli < -INT32_MAX || milli > INT32_MAX)
        return false;
    *out = (int32_t)milli;
    return true;
}

static bool set_label(struct text *label, struct text field)
{
    *label = field.size ? field : (struct text){0};
    return text_check_label(field.at, field.size);
}

static bool set_allotment(struct text *allotment, struct text field)
{
    *allotment = field.size ? field : (struct text){0};
    return field.size == 0 || text_check_allotment(field.at, field.size);
}

static bool set_coordinate(int32_t *milli, bool *has, struct text field)
{
    *has = field.size > 0;
    return field.size == 0 || read_milli(field, milli);
}

/* One field into the seat. False: the value is not valid. */
static bool set_column(struct seat_image *seat, enum column column, struct text field)
{
    /* clang-format off */
    switch (column) {
    case COLUMN_ID:         seat->id = field; return text_check_id(field.at, field.size);
    case COLUMN_SECTION:    return set_label(&seat->section, field);
    case COLUMN_ROW:        return set_label(&seat->row, field);
    case COLUMN_NUMBER:     return set_label(&seat->number, field);
    case COLUMN_TIER:       return set_label(&seat->tier, field);
    case COLUMN_X:          return set_coordinate(&seat->x_milli, &seat->has_x, field);
    case COLUMN_Y:          return set_coordinate(&seat->y_milli, &seat->has_y, field);
    case COLUMN_PRICE:      return read_price(field, &seat->price);
    case COLUMN_ACCESSIBLE: return read_boolean(field, &seat->accessible);
    case COLUMN_BLOCKED:    return read_boolean(field, &seat->blocked);
    case COLUMN_ALLOTMENT:  return set_allotment(&seat->allotment, field);
    case COLUMN_COUNT:      break;
    }
    /* clang-format on */
    ASSERT(false);
}

/* An empty price or flag is left as it is; other empty fields clear the value. */
static bool not_given(enum column column, struct text field)
{
    return field.size == 0 &&
           (column == COLUMN_PRICE || column == COLUMN_ACCESSIBLE || column == COLUMN_BLOCKED);
}

static bool read_seat(struct csv *csv, struct seat_image *seat, uint32_t *columns)
{
    char text[UTF8_SHOWN_SIZE];
    if (!csv_record(csv))
        return false;
    *columns = 0;
    *seat = (struct seat_image){0};
    for (size_t i = 0; i < csv->column_count; i++) {
        enum column column = (enum column)csv->columns[i];
        if (not_given(column, csv->fields[i]))
            continue;
        if (!set_column(seat, column, csv->fields[i]))
            return csv_refuse(csv, "Invalid %s: expected %s, got \"%s\".", headers[column].at,
                              column_facts[column].expected, csv_shown(csv->fields[i], text));
        *columns |= column_facts[column].bit;
    }
    return true;
}

static bool read_seats(struct csv *csv, struct seat_import *import)
{
    while (csv_more(csv)) {
        struct seat_image seat;
        uint32_t columns = 0;
        char text[UTF8_SHOWN_SIZE];
        if (!read_seat(csv, &seat, &columns))
            return false;
        switch (seat_import_add(import, columns, &seat)) {
        case SEAT_IMPORT_ADDED:
            break;
        case SEAT_IMPORT_DUPLICATE:
            return csv_refuse(csv, "Duplicate seat \"%s\".", csv_shown(seat.id, text));
        case SEAT_IMPORT_TOO_MANY:
            csv_refuse(csv, "Too many seats for one import.");
            csv->fault->kind = IMPORT_TOO_MANY;
            return false;
        }
    }
    return import->count > 0 || csv_refuse(csv, "Missing seats: the import is empty.");
}

LARGE_FRAME("on a worker, once per import, and not zeroed")
bool seat_csv_read(const char *body, size_t size, struct hash_key key, struct buf *rows, uint32_t *count,
                   struct import_fault *fault)
{
    struct csv csv __attribute__((uninitialized));
    struct seat_import import;
    seat_import_init(&import, key, rows);
    csv_begin(&csv, body, size, fault);
    bool ok = csv_header(&csv, headers, COLUMN_COUNT) && read_seats(&csv, &import);
    *count = import.count;
    seat_import_release(&import);
    return ok;
}
LARGE_FRAME_END
