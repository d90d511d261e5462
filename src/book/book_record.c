/* SPDX-License-Identifier: Apache-2.0 */
#include "book/book_record.h"

#include "base/assertion.h"
#include "base/buf.h"
#include "base/bytes.h"

#define TEXT_MAX 4096 /* of a statement */

/* ---- Statements ---- */

static struct sql_statement *prepared(struct sql *s, struct buf *text)
{
    buf_append(text, "", 1);
    struct sql_statement *t = sql_prepare(s, (const char *)text->data);
    buf_release(text);
    return t;
}

/* What a pattern stands for at one column: $ is its name, # its number, @ the bit of an import. */
static void put_pattern(struct buf *out, const char *pattern, const struct column *c, int number)
{
    for (; *pattern; pattern++)
        if (*pattern == '$')
            buf_append_text(out, c->name);
        else if (*pattern == '#' || *pattern == '@')
            buf_printf(out, "%d", *pattern == '#' ? number : c->given);
        else
            buf_append(out, pattern, 1);
}

/* The pattern for each of the first `count` columns that has a flag of `with` (0: any) and none of `without`. */
static void put_each(struct buf *out, const struct book_record *r, int count, unsigned with, unsigned without,
                     const char *between, const char *pattern)
{
    bool first = true;
    for (int i = 0; i < count; i++) {
        const struct column *c = &r->columns[i];
        unsigned flags = c->flags | (c->given ? COLUMN_GIVEN : 0u);
        if ((with && !(flags & with)) || flags & without)
            continue;
        buf_append_text(out, first ? "" : between);
        put_pattern(out, pattern, c, i + 1);
        first = false;
    }
    ASSERT(!first); /* without a condition, say, an update would change every row */
}

static void put_insert(struct buf *out, const char *verb, const struct book_record *r)
{
    buf_init(out, TEXT_MAX);
    buf_printf(out, "%s INTO %s (", verb, r->table);
    put_each(out, r, r->count, 0, COLUMN_LATER, ", ", "$");
    buf_append_text(out, ") VALUES (");
    put_each(out, r, r->count, 0, COLUMN_LATER, ", ", "?#");
    buf_append_text(out, ")");
}

struct sql_statement *book_record_insert(struct sql *s, const struct book_record *r)
{
    struct buf text;
    put_insert(&text, "INSERT", r);
    return prepared(s, &text);
}

struct sql_statement *book_record_replace(struct sql *s, const struct book_record *r)
{
    struct buf text;
    put_insert(&text, "REPLACE", r);
    return prepared(s, &text);
}

struct sql_statement *book_record_upsert(struct sql *s, const struct book_record *r)
{
    struct buf text;
    put_insert(&text, "INSERT", r);
    buf_append_text(&text, " ON CONFLICT (");
    put_each(&text, r, r->count, COLUMN_KEY, 0, ", ", "$");
    buf_append_text(&text, ") DO UPDATE SET ");
    put_each(&text, r, r->count, 0, COLUMN_KEY | COLUMN_FIXED, ", ", "$ = excluded.$");
    return prepared(s, &text);
}

static struct sql_statement *update(struct sql *s, const struct book_record *r, unsigned with,
                                    unsigned without, const char *set, const char *more)
{
    struct buf text;
    buf_init(&text, TEXT_MAX);
    buf_printf(&text, "UPDATE %s SET ", r->table);
    put_each(&text, r, r->count, with, COLUMN_KEY | COLUMN_FIXED | without, ", ", set);
    buf_append_text(&text, " WHERE ");
    put_each(&text, r, r->count, COLUMN_KEY, 0, " AND ", "$ = ?#");
    buf_append_text(&text, more);
    return prepared(s, &text);
}

struct sql_statement *book_record_update(struct sql *s, const struct book_record *r, unsigned without,
                                         const char *more)
{
    return update(s, r, 0, without, "$ = ?#", more);
}

struct sql_statement *book_record_update_given(struct sql *s, const struct book_record *r)
{
    return update(s, r, COLUMN_GIVEN, 0, "$ = CASE WHEN ?64 & @ THEN ?# ELSE $ END", "");
}

struct sql_statement *book_record_copy(struct sql *s, const struct book_record *r)
{
    struct buf text;
    buf_init(&text, TEXT_MAX);
    buf_printf(&text, "INSERT INTO %s (%s, ", r->table, r->columns[r->count - 1].name);
    put_each(&text, r, r->count - 1, 0, COLUMN_FRESH, ", ", "$");
    buf_append_text(&text, ", ");
    put_each(&text, r, r->count - 1, COLUMN_FRESH, 0, ", ", "$");
    buf_append_text(&text, ") SELECT ?1, ");
    put_each(&text, r, r->count - 1, 0, COLUMN_FRESH, ", ", "$");
    buf_append_text(&text, ", ");
    put_each(&text, r, r->count - 1, COLUMN_FRESH, 0, ", ", "0");
    buf_printf(&text, " FROM %s WHERE %s = ?2", r->table, r->columns[r->count - 1].name);
    return prepared(s, &text);
}

struct sql_statement *book_record_select(struct sql *s, const struct book_record *r, const char *also,
                                         const char *rest)
{
    struct buf text;
    buf_init(&text, TEXT_MAX);
    buf_append_text(&text, "SELECT ");
    put_each(&text, r, r->read, 0, 0, ", ", "$");
    buf_printf(&text, "%s FROM %s %s", also, r->table, rest);
    return prepared(s, &text);
}

/* ---- Into a statement ---- */

static int enum_at(const void *field)
{
    int value;
    memcpy(&value, field, sizeof(value));
    return value;
}

/* Whether rows of this kind have the column. */
static bool has_column(const struct book_record *r, const struct column *c, const void *row)
{
    return !c->only || c->only & 1u << enum_at((const char *)row + r->kind_at);
}

static int64_t number_at(enum column_kind kind, const void *field)
{
    switch (kind) {
    case COLUMN_U16:
        return *(const uint16_t *)field;
    case COLUMN_U32:
    case COLUMN_PART:
        return *(const uint32_t *)field;
    case COLUMN_BOOL:
        return *(const bool *)field;
    case COLUMN_MILLI:
        return *(const int32_t *)field;
    default:
        return *(const int64_t *)field;
    }
}

/* A number, or NULL where the kind of column or the kind of row has none. */
static void bind_number(struct sql_statement *t, int parameter, const struct book_record *r,
                        const struct column *c, const void *row)
{
    int64_t value = number_at((enum column_kind)c->kind, (const char *)row + c->offset);
    bool there = has_column(r, c, row);
    if (c->kind == COLUMN_PART && !there) {
        there = value != 0;
        value--;
    } else if (c->kind == COLUMN_TIME) {
        there = value != 0;
    } else if (c->kind == COLUMN_MILLI) {
        there = *((const bool *)row + c->beside);
    }
    if (there)
        sql_bind_int(t, parameter, value);
    else
        sql_bind_null(t, parameter);
}

static struct text text_at(enum column_kind kind, const void *field)
{
    const struct text *text = field;
    if (kind == COLUMN_CURRENCY)
        return (struct text){field, strnlen(field, 3)};
    if (kind == COLUMN_LABEL && !text->size)
        return (struct text){0};
    return kind == COLUMN_NAME && !text->at ? TEXT("") : *text;
}

static void bind_value(struct sql_statement *t, int parameter, const struct book_record *r,
                       const struct column *c, const void *row)
{
    const void *field = (const char *)row + c->offset, *beside = (const char *)row + c->beside;
    const struct bytes_reader *rows = field;
    switch ((enum column_kind)c->kind) {
    case COLUMN_TEXT:
    case COLUMN_LABEL:
    case COLUMN_NAME:
    case COLUMN_CURRENCY:
        sql_bind_text(t, parameter, text_at((enum column_kind)c->kind, field));
        return;
    case COLUMN_WORD:
        sql_bind_word(t, parameter, c->words->name(enum_at(field)));
        return;
    case COLUMN_ID:
        book_row_bind_id(t, parameter, *(const struct id *)field);
        return;
    case COLUMN_MADE:
        book_row_bind_made(t, parameter, (enum made_kind)enum_at(beside), *(const struct id *)field);
        return;
    case COLUMN_HASH:
        sql_bind_blob(t, parameter, !c->beside || *(const int64_t *)beside ? field : NULL, BOOK_HASH_SIZE);
        return;
    case COLUMN_PAIR:
    case COLUMN_PAIR_OR_NULL:
        book_row_bind_pair(t, parameter, field, c->kind == COLUMN_PAIR_OR_NULL);
        return;
    case COLUMN_TIERS:
        book_row_bind_tiers(t, parameter, *(const struct text *const *)field, *(const uint32_t *)beside);
        return;
    case COLUMN_ROWS:
        sql_bind_blob(t, parameter, rows->at, bytes_left(rows));
        return;
    case COLUMN_DAYS:
        book_row_bind_days(t, parameter, *(const uint8_t *)field);
        return;
    case COLUMN_MINUTE:
        book_row_bind_minute(t, parameter, *(const uint16_t *)field);
        return;
    default:
        bind_number(t, parameter, r, c, row);
    }
}

void book_record_bind(struct sql_statement *t, const struct book_record *r, const void *row)
{
    uint64_t used = sql_parameters(t); /* an update has few of the columns */
    ASSERT(r->count < 64);             /* ?64 is book_record_update_given's */
    for (int i = 0; i < r->count; i++)
        if (used >> i & 1)
            bind_value(t, i + 1, r, &r->columns[i], row);
}

int64_t book_record_put(struct sql_statement *t, const struct book_record *r, const void *row)
{
    book_record_bind(t, r, row);
    return sql_do(t);
}

bool book_record_try(struct sql_statement *t, const struct book_record *r, const void *row)
{
    book_record_bind(t, r, row);
    return sql_try(t);
}

/* ---- Out of a row ---- */

static void read_odd(struct sql *s, struct sql_statement *t, int at, const struct column *c, void *field,
                     void *beside, struct arena *arena)
{
    switch ((enum column_kind)c->kind) {
    case COLUMN_U16:
        *(uint16_t *)field = (uint16_t)sql_int(t, at);
        return;
    case COLUMN_MADE: {
        enum made_kind kind;
        *(struct id *)field = book_row_made(s, t, at, &kind);
        memcpy(beside, &kind, sizeof(kind));
        return;
    }
    case COLUMN_HASH:
        if (!c->beside || *(const int64_t *)beside)
            book_row_hash(s, t, at, field);
        return;
    case COLUMN_PAIR:
    case COLUMN_PAIR_OR_NULL:
        book_row_pair(s, t, at, field);
        return;
    case COLUMN_MILLI:
        *(int32_t *)field = (int32_t)sql_int(t, at);
        *(bool *)beside = !sql_null(t, at);
        return;
    case COLUMN_TIERS:
        *(const struct text **)field = book_row_tiers(s, t, at, arena, beside);
        return;
    case COLUMN_ROWS: {
        size_t size = sql_size(t, at);
        *(struct bytes_reader *)field = bytes_reader_make(sql_blob(t, at, size), size);
        return;
    }
    case COLUMN_DAYS:
        *(uint8_t *)field = book_row_days(s, t, at);
        return;
    case COLUMN_MINUTE:
        *(uint16_t *)field = book_row_minute(s, t, at);
        return;
    default:
        ASSERT(!"a kind of column that nobody reads");
    }
}

/* A million held reservations are read at start: what they have is here, the rest is read_odd's. */
static inline void read_value(struct sql *s, struct sql_statement *t, int at, const struct book_record *r,
                              const struct column *c, void *row, struct arena *arena)
{
    void *field = (char *)row + c->offset;
    switch ((enum column_kind)c->kind) {
    case COLUMN_U32:
        *(uint32_t *)field = (uint32_t)sql_int(t, at);
        return;
    case COLUMN_U64:
    case COLUMN_I64:
        if (has_column(r, c, row))
            *(int64_t *)field = sql_int(t, at);
        return;
    case COLUMN_TIME:
        *(int64_t *)field = sql_int(t, at);
        return;
    case COLUMN_BOOL:
        *(bool *)field = sql_int(t, at) != 0;
        return;
    case COLUMN_TEXT:
    case COLUMN_LABEL:
    case COLUMN_NAME:
        *(struct text *)field = sql_text(t, at);
        return;
    case COLUMN_WORD: {
        int value = book_row_word(s, t, at, c->words);
        memcpy(field, &value, sizeof(value));
        return;
    }
    case COLUMN_ID:
        *(struct id *)field = book_row_id(s, t, at);
        return;
    case COLUMN_CURRENCY:
        book_row_currency(s, t, at, field);
        return;
    case COLUMN_PART:
        if (has_column(r, c, row))
            *(uint32_t *)field = (uint32_t)sql_int(t, at);
        else
            *(uint32_t *)field = sql_null(t, at) ? 0 : (uint32_t)sql_int(t, at) + 1;
        return;
    default:
        read_odd(s, t, at, c, field, (char *)row + c->beside, arena);
    }
}

void book_record_read(struct sql *s, struct sql_statement *t, const struct book_record *r, void *row,
                      struct arena *arena)
{
    memset(row, 0, r->size);
    for (int i = 0; i < r->read; i++)
        read_value(s, t, i, r, &r->columns[i], row, arena);
}

static bool is_text(const struct column *c)
{
    return c->kind == COLUMN_TEXT || c->kind == COLUMN_LABEL || c->kind == COLUMN_NAME;
}

void book_record_keep(const struct book_record *r, void *row, struct arena *arena)
{
    for (int i = 0; i < r->read; i++) {
        struct text *text = (struct text *)(void *)((char *)row + r->columns[i].offset);
        if (is_text(&r->columns[i]) && text->at)
            text->at = arena_copy(arena, text->at, text->size);
    }
}

bool book_record_same(const struct book_record *r, const void *a, const void *b)
{
    static const uint8_t sizes[] = {
        [COLUMN_U16] = 2,  [COLUMN_U32] = 4,  [COLUMN_U64] = 8,  [COLUMN_I64] = 8,
        [COLUMN_BOOL] = 1, [COLUMN_TIME] = 8, [COLUMN_WORD] = 4, [COLUMN_PART] = 4,
    };
    for (int i = 0; i < r->count; i++) {
        const struct column *c = &r->columns[i];
        ASSERT(c->kind < sizeof(sizes) && sizes[c->kind]); /* nothing else is compared byte by byte */
        if (memcmp((const char *)a + c->offset, (const char *)b + c->offset, sizes[c->kind]) != 0)
            return false;
    }
    return true;
}
