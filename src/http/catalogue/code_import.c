/* SPDX-License-Identifier: Apache-2.0 */
#include "http/catalogue/code_import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/text/digits.h"
#include "base/frame.h"
#include "base/json/json_reader.h"
#include "base/memory/memory.h"
#include "http/api/csv.h"
#include "http/queue/queue_body.h"
#include "http/api/text_check.h"
#include "http/describe/about.h"

#define ARENA_BLOCK_SIZE (256 * 1024)
#define CAPACITY_FIRST 256

static uint64_t folded_hash(const struct code_import *s, struct text code)
{
    char folded[CODE_SIZE_MAX];
    ASSERT(code.size <= CODE_SIZE_MAX);
    for (size_t i = 0; i < code.size; i++)
        folded[i] = code_fold(code.at[i]);
    return hash_sip(s->key, folded, code.size); /* keyed: an import cannot be made to collide */
}

static uint64_t code_import_hash_of(void *owner, uint32_t handle)
{
    const struct code_import *s = owner;
    return folded_hash(s, s->codes[handle].code);
}

static bool code_import_same(void *owner, uint32_t handle, const void *key)
{
    const struct code_import *s = owner;
    return code_same(s->codes[handle].code, *(const struct text *)key);
}

void code_import_init(struct code_import *s, struct hash_key key)
{
    *s = (struct code_import){.key = key};
    arena_init(&s->arena, ARENA_BLOCK_SIZE);
    table_init(&s->table, code_import_hash_of, s);
}

void code_import_release(struct code_import *s)
{
    arena_release(&s->arena);
    table_release(&s->table);
    free(s->codes);
    s->codes = NULL;
}

size_t code_import_size(const struct code_import *s)
{
    return (size_t)s->capacity * (sizeof(*s->codes) + CODE_SIZE_MAX);
}

enum verdict { ADDED, DUPLICATE, TOO_MANY };
static enum verdict code_import_add(struct code_import *s, const struct code_image *code)
{
    uint64_t hash = folded_hash(s, code->code);
    if (table_find(&s->table, hash, code_import_same, &code->code) != TABLE_NONE)
        return DUPLICATE;
    if (s->count == CODES_MAX)
        return TOO_MANY;
    if (s->count == s->capacity) {
        s->capacity = s->capacity ? s->capacity * 2 : CAPACITY_FIRST;
        s->codes = memory_grow(s->codes, s->capacity, sizeof(*s->codes));
    }
    s->codes[s->count] = *code;
    table_insert(&s->table, hash, s->count++);
    return ADDED;
}

/* ---- CSV ---- */

enum column { COLUMN_CODE, COLUMN_UNITS, COLUMN_TIERS, COLUMN_ALLOTMENT, COLUMN_COUNT };
static const struct text headers[COLUMN_COUNT] = {TEXT("code"), TEXT("units"), TEXT("tiers"),
                                                  TEXT("allotment")};
static const char *const expected[COLUMN_COUNT] = {
    FIELD_CODE_FORM, "an integer from 0 to " JSON_STRINGIFY(CODE_UNITS_MAX),
    "at most 16 tiers, separated by semicolons or spaces", FIELD_ALLOTMENT_FORM};

static bool set_units(struct text field, uint32_t *units)
{
    uint64_t number;
    if (field.size > 10 || !digits_read(field.at, field.size, &number) || number > CODE_UNITS_MAX)
        return false;
    *units = (uint32_t)number;
    return true;
}

static bool set_tiers(struct code_import *s, struct text field, struct code_image *code)
{
    struct text tiers[TIERS_MAX];
    const char *at = field.at, *end = at + field.size;
    while (at < end) {
        const char *from = at;
        while (at < end && *at != ';' && *at != ' ')
            at++;
        struct text tier = {from, (size_t)(at - from)};
        at += at < end;
        if (tier.size == 0)
            continue;
        if (code->tier_count == TIERS_MAX || tier.size > LABEL_SIZE_MAX ||
            !text_check_label(tier.at, tier.size))
            return false;
        tier.at = arena_copy(&s->arena, tier.at, tier.size);
        tiers[code->tier_count++] = tier;
    }
    size_t size = code->tier_count * sizeof(*tiers);
    code->tiers = size ? memcpy(arena_take(&s->arena, size), tiers, size) : NULL;
    return true;
}

/* One field into the code. False: the value is not valid. */
static bool set_column(struct code_import *s, enum column column, struct text field, struct code_image *code)
{
    struct text kept = {arena_copy(&s->arena, field.at, field.size), field.size};
    switch (column) {
    case COLUMN_CODE:
        code->code = kept;
        return field.size >= CODE_SIZE_MIN && text_check_id(field.at, field.size);
    case COLUMN_UNITS:
        return field.size == 0 || set_units(field, &code->units);
    case COLUMN_TIERS:
        return set_tiers(s, field, code);
    case COLUMN_ALLOTMENT:
        code->allotment = field.size ? kept : (struct text){0};
        return field.size == 0 || text_check_allotment(field.at, field.size);
    case COLUMN_COUNT:
        break;
    }
    ASSERT(false);
}

static bool read_line(struct csv *csv, struct code_import *s, struct code_image *code)
{
    char text[UTF8_SHOWN_SIZE];
    *code = (struct code_image){0};
    if (!csv_record(csv))
        return false;
    for (size_t i = 0; i < csv->column_count; i++) {
        enum column column = (enum column)csv->columns[i];
        if (!set_column(s, column, csv->fields[i], code))
            return csv_refuse(csv, "Invalid %s: expected %s, got \"%s\".", headers[column].at,
                              expected[column], csv_shown(csv->fields[i], text));
    }
    return true;
}

LARGE_FRAME("once per import, and not zeroed")
bool code_import_csv(struct code_import *s, const char *body, size_t size, struct import_fault *fault)
{
    struct csv csv __attribute__((uninitialized));
    struct code_image code;
    csv_begin(&csv, body, size, fault);
    if (!csv_header(&csv, headers, COLUMN_COUNT))
        return false;
    while (csv_more(&csv)) {
        if (!read_line(&csv, s, &code))
            return false;
        enum verdict verdict = code_import_add(s, &code);
        if (verdict == DUPLICATE)
            return csv_refuse(&csv, "Duplicate code.");
        if (verdict == TOO_MANY)
            return csv_refuse(&csv, "Too many codes: at most 1000000 per event.");
    }
    return s->count > 0 || csv_refuse(&csv, "Missing codes: the import is empty.");
}
LARGE_FRAME_END

/* ---- JSON ---- */

struct code_fields {
    struct json_text_value code, allotment;
    struct json_int_value units;
    struct json_list_value tiers;
};

const struct json_field api_code_fields[] = {
    FIELD_CODE(struct code_fields, code, JSON_REQUIRED, ABOUT_CODE),
    JSON_INT_OR(struct code_fields, units, 0, CODE_UNITS_MAX, 0, .about = ABOUT_CODE_UNITS),
    QUEUE_BODY_TIERS(struct code_fields, tiers, ABOUT_CODE_TIERS),
    FIELD_ALLOTMENT(struct code_fields, allotment, JSON_NULLABLE, ABOUT_CODE_ALLOTMENT),
    JSON_END,
};

static struct code_image from_fields(struct code_import *s, const struct code_fields *f)
{
    const struct json_text_value *given = f->tiers.entries;
    struct text *tiers = f->tiers.count ? arena_take(&s->arena, f->tiers.count * sizeof(*tiers)) : NULL;
    for (size_t i = 0; i < f->tiers.count; i++)
        tiers[i] = text_given(given[i]);
    return (struct code_image){.code = text_given(f->code),
                               .units = (uint32_t)f->units.value,
                               .tiers = tiers,
                               .tier_count = (uint32_t)f->tiers.count,
                               .allotment = text_given(f->allotment)};
}

static bool codes_refuse(struct import_fault *fault, const char *pointer, const char *detail)
{
    fault->kind = IMPORT_UNREADABLE;
    snprintf(fault->pointer, sizeof(fault->pointer), "%s", pointer);
    snprintf(fault->detail, sizeof(fault->detail), "%s", detail);
    return false;
}

bool code_import_json(struct code_import *s, const char *body, size_t size, struct import_fault *fault)
{
    struct json_fault bad;
    void *entries;
    size_t count;
    if (!json_read_list(body, size, api_code_fields, sizeof(struct code_fields), CODES_MAX, &entries, &count,
                        &s->arena, &bad))
        return codes_refuse(fault, bad.pointer, bad.detail);
    const struct code_fields *fields = entries;
    for (size_t i = 0; i < count; i++) {
        char pointer[32];
        struct code_image code = from_fields(s, &fields[i]);
        snprintf(pointer, sizeof(pointer), "/%zu/code", i);
        if (code_import_add(s, &code) != ADDED)
            return codes_refuse(fault, pointer, "Duplicate code.");
    }
    return count > 0 || codes_refuse(fault, "", "Missing codes: the import is empty.");
}
