/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/csv.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assertion.h"

bool csv_refuse(struct csv *csv, const char *format, ...)
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

/* Cut to fit: a longer value is not valid anyway. */
static struct text unescape(char out[CSV_FIELD_SIZE_MAX], const char *from, const char *end)
{
    size_t size = 0;
    for (const char *c = from; c < end && size < CSV_FIELD_SIZE_MAX; c++) {
        out[size++] = *c;
        if (*c == '"')
            c++;
    }
    return (struct text){out, size};
}

static bool read_quoted(struct csv *csv, char scratch[CSV_FIELD_SIZE_MAX], struct text *field)
{
    const char *from = ++csv->at;
    bool doubled = false;
    for (;; csv->at++) {
        if (csv->at == csv->end)
            return csv_refuse(csv, "Invalid CSV: a quoted field is not closed.");
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
        return csv_refuse(csv, "Invalid CSV: unexpected text after a closing quote.");
    return true;
}

static bool read_plain(struct csv *csv, struct text *field)
{
    const char *from = csv->at;
    while (!at_line_end(csv) && *csv->at != ',') {
        if (*csv->at == '"')
            return csv_refuse(csv, "Invalid CSV: a quote in an unquoted field.");
        if (*csv->at == '\r')
            return csv_refuse(csv, "Invalid CSV: a carriage return without a line feed.");
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
        if (*count == csv->most)
            return csv_refuse(csv, "Invalid CSV: more fields than columns.");
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

bool csv_more(struct csv *csv)
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

const char *csv_shown(struct text text, char out[UTF8_SHOWN_SIZE])
{
    return utf8_shown(text.at, text.size, out, UTF8_SHOWN_SIZE);
}

void csv_begin(struct csv *csv, const char *body, size_t size, struct import_fault *fault)
{
    csv->at = body;
    csv->end = body + size;
    csv->line = csv->record_line = 1;
    csv->column_count = 0;
    csv->fault = fault;
    skip_byte_order_mark(csv);
}

static bool column_find(const struct text *names, unsigned count, struct text name, unsigned *out)
{
    for (*out = 0; *out < count; ++*out)
        if (text_equal(name, names[*out]))
            return true;
    return false;
}

static bool refuse_column(struct csv *csv, const struct text *names, unsigned count, struct text column)
{
    char text[UTF8_SHOWN_SIZE], known[256];
    size_t size = 0;
    if (!utf8_valid(column.at, column.size))
        return csv_refuse(csv, "Invalid CSV: not UTF-8.");
    for (unsigned i = 0; i < count && size < sizeof(known); i++)
        size += (size_t)snprintf(known + size, sizeof(known) - size, "%s%.*s", i ? ", " : "",
                                 (int)names[i].size, names[i].at);
    return csv_refuse(csv, "Unknown column \"%s\": expected some of %s.", csv_shown(column, text), known);
}

bool csv_header(struct csv *csv, const struct text *names, unsigned count)
{
    bool seen[CSV_COLUMNS_MAX] = {false};
    char text[UTF8_SHOWN_SIZE];
    ASSERT(count <= CSV_COLUMNS_MAX);
    csv->record_line = csv->line;
    csv->most = count;
    if (csv->at == csv->end)
        return csv_refuse(csv, "Missing header line: the CSV is empty.");
    if (!read_record(csv, &csv->column_count))
        return false;
    for (size_t i = 0; i < csv->column_count; i++) {
        if (!column_find(names, count, csv->fields[i], &csv->columns[i]))
            return refuse_column(csv, names, count, csv->fields[i]);
        if (seen[csv->columns[i]])
            return csv_refuse(csv, "Duplicate column \"%s\".", csv_shown(csv->fields[i], text));
        seen[csv->columns[i]] = true;
    }
    return seen[0] || csv_refuse(csv, "Missing column \"%s\".", names[0].at);
}

bool csv_record(struct csv *csv)
{
    size_t count;
    if (!read_record(csv, &count))
        return false;
    return count == csv->column_count ||
           csv_refuse(csv, "Invalid CSV: expected %zu fields, got %zu.", csv->column_count, count);
}
