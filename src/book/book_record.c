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

static const char *comma(int *written)
{
    return (*written)++ ? ", " : "";
}

static void put_names(struct buf *out, const struct book_record *r, int count)
{
    ASSERT(count > 0 && count <= r->count);
    for (int i = 0, written = 0; i < count; i++)
        buf_printf(out, "%s%s", comma(&written), r->columns[i].name);
}

static void put_insert(struct buf *out, const char *verb, const struct book_record *r)
{
    buf_init(out, TEXT_MAX);
    buf_printf(out, "%s INTO %s (", verb, r->table);
    for (int i = 0, written = 0; i < r->count; i++)
        if (!(r->columns[i].flags & COLUMN_LATER))
            buf_printf(out, "%s%s", comma(&written), r->columns[i].name);
    buf_append_text(out, ") VALUES (");
    for (int i = 0, written = 0; i < r->count; i++)
        if (!(r->columns[i].flags & COLUMN_LATER))
            buf_printf(out, "%s?%d", comma(&written), i + 1);
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
    int keys = 0, set = 0;
    put_insert(&text, "INSERT", r);
    buf_append_text(&text, " ON CONFLICT (");
    for (int i = 0; i < r->count; i++)
        if (r->columns[i].flags & COLUMN_KEY)
            buf_printf(&text, "%s%s", comma(&keys), r->columns[i].name);
    buf_append_text(&text, ") DO UPDATE SET ");
    for (int i = 0; i < r->count; i++) {
        const char *name = r->columns[i].name;
        if (!(r->columns[i].flags & (COLUMN_KEY | COLUMN_FIXED)))
            buf_printf(&text, "%s%s = excluded.%s", comma(&set), name, name);
    }
    ASSERT(keys > 0 && set > 0);
    return prepared(s, &text);
}

static void put_where(struct buf *out, const struct book_record *r)
{
    int keys = 0;
    for (int i = 0; i < r->count; i++)
        if (r->columns[i].flags & COLUMN_KEY)
            buf_printf(out, "%s %s = ?%d", keys++ ? " AND" : " WHERE", r->columns[i].name, i + 1);
    ASSERT(keys > 0); /* without a condition it would change every row */
}

struct sql_statement *book_record_update(struct sql *s, const struct book_record *r, unsigned without,
                                         const char *more)
{
    struct buf text;
    buf_init(&text, TEXT_MAX);
    buf_printf(&text, "UPDATE %s SET ", r->table);
    for (int i = 0, written = 0; i < r->count; i++)
        if (!(r->columns[i].flags & (COLUMN_KEY | COLUMN_FIXED | without)))
            buf_printf(&text, "%s%s = ?%d", comma(&written), r->columns[i].name, i + 1);
    put_where(&text, r);
    buf_append_text(&text, more);
    return prepared(s, &text);
}

struct sql_statement *book_record_update_given(struct sql *s, const struct book_record *r)
{
    struct buf text;
    buf_init(&text, TEXT_MAX);
    buf_printf(&text, "UPDATE %s SET ", r->table);
    for (int i = 0, written = 0; i < r->count; i++) {
        const struct column *c = &r->columns[i];
        if (c->given)
            buf_printf(&text, "%s%s = CASE WHEN ?%d & %d THEN ?%d ELSE %s END", comma(&written), c->name,
                       r->count + 1, c->given, i + 1, c->name);
    }
    put_where(&text, r);
    return prepared(s, &text);
}

struct sql_statement *book_record_copy(struct sql *s, const struct book_record *r, const char *owner)
{
    struct buf text;
    buf_init(&text, TEXT_MAX);
    buf_printf(&text, "INSERT INTO %s (", r->table);
    put_names(&text, r, r->count);
    buf_append_text(&text, ") SELECT ");
    for (int i = 0, written = 0; i < r->count; i++) {
        const struct column *c = &r->columns[i];
        const char *value = c->flags & COLUMN_FRESH ? "0" : strcmp(c->name, owner) == 0 ? "?1" : c->name;
        buf_printf(&text, "%s%s", comma(&written), value);
    }
    buf_printf(&text, " FROM %s WHERE %s = ?2", r->table, owner);
    return prepared(s, &text);
}

struct sql_statement *book_record_select(struct sql *s, const struct book_record *r, const char *also,
                                         const char *rest)
{
    struct buf text;
    buf_init(&text, TEXT_MAX);
    buf_append_text(&text, "SELECT ");
    put_names(&text, r, r->read);
    buf_printf(&text, "%s FROM %s %s", also, r->table, rest);
    return prepared(s, &text);
}

/* ---- Into a statement ---- */

static int number_at(const void *field) /* an enum's */
{
    int value;
    memcpy(&value, field, sizeof(value));
    return value;
}

/* Whether rows of this kind have the column. */
static bool has_column(const struct book_record *r, const struct column *c, const void *row)
{
    return !c->only || c->only & 1u << number_at((const char *)row + r->kind_at);
}

static void bind_optional(struct sql_statement *t, int parameter, bool there, int64_t value)
{
    if (there)
        sql_bind_int(t, parameter, value);
    else
        sql_bind_null(t, parameter);
}

/* Values that are written otherwise than they are kept in memory. */
static void bind_odd(struct sql_statement *t, int parameter, const struct column *c, const void *field,
                     const void *beside)
{
    switch ((enum column_kind)c->kind) {
    case COLUMN_CURRENCY:
        sql_bind_text(t, parameter, (struct text){field, strnlen(field, 3)});
        return;
    case COLUMN_WORD:
        sql_bind_word(t, parameter, c->words->name(number_at(field)));
        return;
    case COLUMN_ID:
        book_row_bind_id(t, parameter, *(const struct id *)field);
        return;
    case COLUMN_MADE:
        book_row_bind_made(t, parameter, (enum made_kind)number_at(beside), *(const struct id *)field);
        return;
    case COLUMN_HASH:
        sql_bind_blob(t, parameter, !c->beside || *(const int64_t *)beside ? field : NULL, BOOK_HASH_SIZE);
        return;
    case COLUMN_PAIR:
    case COLUMN_PAIR_OR_NULL:
        book_row_bind_pair(t, parameter, field, c->kind == COLUMN_PAIR_OR_NULL);
        return;
    case COLUMN_MILLI:
        bind_optional(t, parameter, *(const bool *)beside, *(const int32_t *)field);
        return;
    case COLUMN_TIERS:
        book_row_bind_tiers(t, parameter, *(const struct text *const *)field, *(const uint32_t *)beside);
        return;
    case COLUMN_ROWS: {
        const struct bytes_reader *rows = field;
        sql_bind_blob(t, parameter, rows->at, bytes_left(rows));
        return;
    }
    case COLUMN_DAYS:
        book_row_bind_days(t, parameter, *(const uint8_t *)field);
        return;
    case COLUMN_MINUTE:
        book_row_bind_minute(t, parameter, *(const uint16_t *)field);
        return;
    default:
        ASSERT(!"a kind of column that nobody binds");
    }
}

static void bind_value(struct sql_statement *t, int parameter, const struct book_record *r,
                       const struct column *c, const void *row)
{
    const void *field = (const char *)row + c->offset;
    const struct text *text = field;
    switch ((enum column_kind)c->kind) {
    case COLUMN_U16:
        sql_bind_int(t, parameter, *(const uint16_t *)field);
        return;
    case COLUMN_U32:
        sql_bind_int(t, parameter, *(const uint32_t *)field);
        return;
    case COLUMN_U64:
        bind_optional(t, parameter, has_column(r, c, row), (int64_t) * (const uint64_t *)field);
        return;
    case COLUMN_I64:
        bind_optional(t, parameter, has_column(r, c, row), *(const int64_t *)field);
        return;
    case COLUMN_BOOL:
        sql_bind_int(t, parameter, *(const bool *)field);
        return;
    case COLUMN_TIME:
        bind_optional(t, parameter, *(const int64_t *)field != 0, *(const int64_t *)field);
        return;
    case COLUMN_TEXT:
        sql_bind_text(t, parameter, *text);
        return;
    case COLUMN_LABEL:
        sql_bind_text(t, parameter, text->size ? *text : (struct text){0});
        return;
    case COLUMN_NAME:
        sql_bind_text(t, parameter, text->at ? *text : TEXT(""));
        return;
    case COLUMN_PART: {
        uint32_t part = *(const uint32_t *)field;
        bool from_0 = has_column(r, c, row);
        bind_optional(t, parameter, from_0 || part, (int64_t)part - !from_0);
        return;
    }
    default:
        bind_odd(t, parameter, c, field, (const char *)row + c->beside);
    }
}

void book_record_bind(struct sql_statement *t, const struct book_record *r, const void *row)
{
    uint64_t used = sql_parameters(t); /* an update has few of the columns */
    ASSERT(r->count < 64);             /* one more for book_record_update_given */
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
