/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/seat_csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/json_number.h"
#include "base/utf8.h"
#include "core/change.h"
#include "http/api/seat_import.h"
#include "http/api/text_check.h"

#define FIELD_SIZE_MAX (LABEL_SIZE_MAX + 1) /* of an unescaped copy: one more than any field may have */

#define LABEL FIELD_LABEL_FORM(0)
#define COORDINATE "a number such as 7.5"
#define PRICE_FORM "an integer from 0 to " JSON_TOLD(PRICE_MAX)
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
    X(BLOCKED, "blocked", SEAT_COLUMN_BLOCKED, BOOLEAN)
/* clang-format on */

enum column {
#define X(name, header, bit, expected) COLUMN_##name,
    COLUMNS(X)
#undef X
        COLUMN_COUNT
};

static const struct {
    struct text header;
    uint32_t bit;
    const char *expected;
} column_facts[COLUMN_COUNT] = {
#define X(name, header, bit, expected) [COLUMN_##name] = {{header, sizeof(header) - 1}, bit, expected},
    COLUMNS(X)
#undef X
};

struct csv {
    const char *at;
    const char *end;
    uint32_t line;        /* where `at` is */
    uint32_t record_line; /* where the record being read began */
    enum column columns[COLUMN_COUNT];
    size_t column_count;
    struct text fields[COLUMN_COUNT];
    char unescaped[COLUMN_COUNT][FIELD_SIZE_MAX]; /* fields that had doubled quotes */
    struct import_fault *fault;
};

static bool __attribute__((format(printf, 2, 3))) refuse(struct csv *csv, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(csv->fault->detail, sizeof(csv->fault->detail), format, arguments);
    va_end(arguments);
    csv->fault->line = csv->record_line;
    csv->fault->kind = IMPORT_UNREADABLE;
    return false;
}

static bool at_line_end(const struct csv *csv)
{
    return csv->at == csv->end || *csv->at == '\n' ||
           (*csv->at == '\r' && csv->end - csv->at >= 2 && csv->at[1] == '\n');
}

static void skip_line_end(struct csv *csv)
{
    if (csv->at == csv->end)
        return;
    csv->at += *csv->at == '\r' ? 2 : 1;
    csv->line++;
}

/* Cut to what fits: nothing that long is valid anyway. */
static struct text unescape(char out[FIELD_SIZE_MAX], const char *from, const char *end)
{
    size_t size = 0;
    for (const char *c = from; c < end && size < FIELD_SIZE_MAX; c++) {
        out[size++] = *c;
        if (*c == '"')
            c++;
    }
    return (struct text){out, size};
}

static bool read_quoted(struct csv *csv, char scratch[FIELD_SIZE_MAX], struct text *field)
{
    const char *from = ++csv->at;
    bool doubled = false;
    for (;; csv->at++) {
        if (csv->at == csv->end)
            return refuse(csv, "Invalid CSV: a quoted field is not closed.");
        if (*csv->at == '\n')
            csv->line++;
        if (*csv->at != '"')
            continue;
        if (csv->end - csv->at < 2 || csv->at[1] != '"')
            break;
        doubled = true;
        csv->at++;
    }
    *field = doubled ? unescape(scratch, from, csv->at) : (struct text){from, (size_t)(csv->at - from)};
    csv->at++;
    if (!at_line_end(csv) && *csv->at != ',')
        return refuse(csv, "Invalid CSV: unexpected text after a closing quote.");
    return true;
}

static bool read_plain(struct csv *csv, struct text *field)
{
    const char *from = csv->at;
    while (!at_line_end(csv) && *csv->at != ',') {
        if (*csv->at == '"')
            return refuse(csv, "Invalid CSV: a quote in an unquoted field.");
        if (*csv->at == '\r')
            return refuse(csv, "Invalid CSV: a carriage return without a line feed.");
        csv->at++;
    }
    *field = (struct text){from, (size_t)(csv->at - from)};
    return true;
}

/* One record into csv->fields; *count is how many fields it had. */
static bool read_record(struct csv *csv, size_t *count)
{
    *count = 0;
    csv->record_line = csv->line;
    for (;;) {
        if (*count == COLUMN_COUNT)
            return refuse(csv, "Invalid CSV: more fields than columns.");
        struct text *field = &csv->fields[*count];
        bool quoted = csv->at < csv->end && *csv->at == '"';
        if (!(quoted ? read_quoted(csv, csv->unescaped[*count], field) : read_plain(csv, field)))
            return false;
        (*count)++;
        if (at_line_end(csv))
            break;
        ASSERT(*csv->at == ',');
        csv->at++;
    }
    skip_line_end(csv);
    return true;
}

static bool skip_empty_lines(struct csv *csv) /* false: nothing is left */
{
    while (csv->at < csv->end && at_line_end(csv))
        skip_line_end(csv);
    return csv->at < csv->end;
}

static void skip_byte_order_mark(struct csv *csv)
{
    if (csv->end - csv->at >= 3 && memcmp(csv->at, "\xEF\xBB\xBF", 3) == 0)
        csv->at += 3;
}

static const char *shown(struct text text, char out[UTF8_SHOWN_SIZE])
{
    return utf8_shown(text.at, text.size, out, UTF8_SHOWN_SIZE);
}

static bool column_find(struct text name, enum column *out)
{
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (text_equal(name, column_facts[i].header)) {
            *out = (enum column)i;
            return true;
        }
    }
    return false;
}

static bool refuse_column(struct csv *csv, struct text name)
{
    char text[UTF8_SHOWN_SIZE];
    if (!utf8_valid(name.at, name.size))
        return refuse(csv, "Invalid CSV: not UTF-8.");
#define X(constant, column, mark, form) ", " column
    return refuse(csv, "Unknown column \"%s\": expected some of %s.", shown(name, text), &COLUMNS(X)[2]);
#undef X
}

static bool read_header(struct csv *csv)
{
    bool seen[COLUMN_COUNT] = {false};
    char text[UTF8_SHOWN_SIZE];
    csv->record_line = csv->line;
    if (csv->at == csv->end)
        return refuse(csv, "Missing seats: the CSV is empty.");
    if (!read_record(csv, &csv->column_count))
        return false;
    for (size_t i = 0; i < csv->column_count; i++) {
        if (!column_find(csv->fields[i], &csv->columns[i]))
            return refuse_column(csv, csv->fields[i]);
        if (seen[csv->columns[i]])
            return refuse(csv, "Duplicate column \"%s\".", shown(csv->fields[i], text));
        seen[csv->columns[i]] = true;
    }
    return seen[COLUMN_ID] || refuse(csv, "Missing column \"id\".");
}

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

/* A decimal number as thousandths, half away from zero beyond them. Unlike JSON, "1." and ".5" will do. */
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
    case COLUMN_COUNT:      break;
    }
    /* clang-format on */
    ASSERT(false);
}

/* Price and the two marks have no "none". */
static bool not_given(enum column column, struct text field)
{
    return field.size == 0 &&
           (column == COLUMN_PRICE || column == COLUMN_ACCESSIBLE || column == COLUMN_BLOCKED);
}

static bool read_seat(struct csv *csv, struct seat_image *seat, uint32_t *columns)
{
    size_t count;
    char text[UTF8_SHOWN_SIZE];
    if (!read_record(csv, &count))
        return false;
    if (count != csv->column_count)
        return refuse(csv, "Invalid CSV: expected %zu fields, got %zu.", csv->column_count, count);
    *columns = 0;
    *seat = (struct seat_image){0};
    for (size_t i = 0; i < count; i++) {
        enum column column = csv->columns[i];
        if (not_given(column, csv->fields[i]))
            continue;
        if (!set_column(seat, column, csv->fields[i]))
            return refuse(csv, "Invalid %s: expected %s, got \"%s\".", column_facts[column].header.at,
                          column_facts[column].expected, shown(csv->fields[i], text));
        *columns |= column_facts[column].bit;
    }
    return true;
}

static bool read_seats(struct csv *csv, struct seat_import *import)
{
    while (skip_empty_lines(csv)) {
        struct seat_image seat;
        uint32_t columns = 0;
        char text[UTF8_SHOWN_SIZE];
        if (!read_seat(csv, &seat, &columns))
            return false;
        switch (seat_import_add(import, columns, &seat)) {
        case SEAT_IMPORT_ADDED:
            break;
        case SEAT_IMPORT_TWICE:
            return refuse(csv, "Duplicate seat \"%s\".", shown(seat.id, text));
        case SEAT_IMPORT_TOO_MANY:
            refuse(csv, "Too many seats for one import.");
            csv->fault->kind = IMPORT_TOO_MANY;
            return false;
        }
    }
    return import->count > 0 || refuse(csv, "Missing seats: the import is empty.");
}

bool seat_csv_read(const char *body, size_t size, struct hash_key key, struct buf *rows, uint32_t *count,
                   struct import_fault *fault)
{
    struct csv csv = {.at = body, .end = body + size, .line = 1, .record_line = 1, .fault = fault};
    struct seat_import import;
    seat_import_init(&import, key, rows);
    skip_byte_order_mark(&csv);
    bool ok = read_header(&csv) && read_seats(&csv, &import);
    *count = import.count;
    seat_import_release(&import);
    return ok;
}
