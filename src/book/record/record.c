/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/record.h"

#include <string.h>

#include "base/assertion.h"
#include "base/memory/buf.h"
#include "base/memory/bytes.h"

#define TEXT_MAX 4096 /* of a statement */

/* ---- Statements ---- */

/* clang-format off */
static bool in_set(char set, const struct book_record *r, const struct column *c)
{
    switch (set) {
    case 'e': return true;
    case 'r': return c < r->columns + r->read;
    case 'k':
    case 'w': return c->flags & COLUMN_KEY;
    case 's': return !(c->flags & (COLUMN_KEY | COLUMN_FIXED | COLUMN_APART));
    case 'a': return c->flags & COLUMN_APART;
    case 'c': return !(c->flags & COLUMN_FRESH);
    case 'g': return c->given;
    default:  ASSERT(false); return false;
    }
}
/* clang-format on */

/* Writes the pattern for each column of the set. Returns the text after the closing brace. */
static const char *put_each(struct buf *out, const struct book_record *r, char set, const char *pattern)
{
    const char *between = "", *end = strchr(pattern, '}');
    ASSERT(end);
    for (const struct column *c = r->columns; c < r->columns + r->count; c++) {
        if (!in_set(set, r, c))
            continue;
        buf_append_text(out, between);
        between = set == 'w' ? " AND " : ", ";
        for (const char *at = pattern; at < end; at++)
            if (*at == '$')
                buf_append_text(out, c->name);
            else if (*at == '#' || *at == '%')
                buf_printf(out, "%d", *at == '#' ? (int)(c - r->columns) + 1 : c->given);
            else
                buf_append(out, at, 1);
    }
    ASSERT(*between); /* an empty set: an update without a condition would change every row */
    return end + 1;
}

static const char *kind_text(const struct book_item_kind *k, char name)
{
    ASSERT(k && (name == 'w' || name == 'o' || name == 'p' || name == 'c'));
    const char *text = name == 'w' ? k->word : name == 'o' ? k->owner : name == 'p' ? k->parts : k->claims;
    ASSERT(text); /* book_item_prepare refuses {claims} for a kind without claims */
    return text;
}

/* Expands the text up to its end, or to a closing bracket. Names are recognised by their first letter. */
static const char *expand(struct buf *out, const struct book_record *r, const struct book_item_kind *k,
                          const char *text)
{
    while (*text && *text != ']') {
        const char *after = text + strcspn(text, " }"), *next = text + 1;
        if (*text == '{' && *after == '}') {
            buf_append_text(out, kind_text(k, text[1]));
            next = after + 1;
        } else if (*text == '{') {
            next = put_each(out, r, text[1], after + 1);
        } else if (*text == '[') {
            for (k = book_item_kinds; k <= &book_item_kinds[ITEM_KIND_LAST]; k++)
                if (k->word)
                    next = expand(out, r, k, text + 1) + 1;
        } else {
            buf_append(out, *text == '@' ? r->table : text, *text == '@' ? strlen(r->table) : 1);
        }
        text = next;
    }
    return text;
}

static struct sql_statement *record_prepare(struct sql *s, const struct book_record *r,
                                            const struct book_item_kind *k, const char *text)
{
    struct buf out;
    buf_init(&out, TEXT_MAX);
    const char *rest = expand(&out, r, k, text);
    ASSERT(!*rest); /* an unmatched bracket */
    buf_append(&out, "", 1);
    struct sql_statement *t = sql_prepare(s, (const char *)out.data);
    buf_release(&out);
    return t;
}

/* Checks what COLUMN cannot check at compile time. */
static void check_columns(const struct book_record *r)
{
    ASSERT(r->count < 64 && r->read <= r->count); /* ?64 has another meaning */
    for (const struct column *c = r->columns; c < r->columns + r->count; c++) {
        bool is_word = c->kind == COLUMN_WORD || c->kind == COLUMN_WORD_OR_NULL;
        ASSERT(is_word == (c->words != NULL));
        ASSERT(c->beside || (c->kind != COLUMN_MILLI && c->kind != COLUMN_MADE && c->kind != COLUMN_TIERS));
        ASSERT(!c->only || r->kind_at);
    }
}

struct sql_statement *book_record_prepare(struct sql *s, const struct book_record *r, const char *text)
{
    check_columns(r);
    return record_prepare(s, r, NULL, text);
}

struct sql_statement *book_item_prepare(struct sql *s, enum item_kind kind, const char *text)
{
    ASSERT(kind <= ITEM_KIND_LAST);
    const struct book_item_kind *k = &book_item_kinds[kind];
    return k->word && (k->claims || !strstr(text, "{claims}")) ? record_prepare(s, NULL, k, text) : NULL;
}

/* ---- Into a statement ---- */

/* Whether rows of this kind have the column. */
static inline bool has_column(const struct book_record *r, const struct column *c, const void *row)
{
    const void *kind = (const char *)row + r->kind_at;
    ASSERT(!c->only || *(const unsigned *)kind < 8 * sizeof(c->only));
    return !c->only || c->only & 1u << *(const int *)kind;
}

static void bind_number(struct sql_statement *t, int parameter, bool there, int64_t number)
{
    if (there)
        sql_bind_int(t, parameter, number);
    else
        sql_bind_null(t, parameter);
}

/* clang-format off */
static void bind_value(struct sql_statement *t, int n, const struct book_record *r, const struct column *c,
                       const void *row)
{
    const void *field = (const char *)row + c->offset, *beside = (const char *)row + c->beside;
    const struct id *id = field;
    const int64_t *since = beside;
    const struct text *const *tiers = field;
    const struct bytes_reader *rows = field;
    const struct text *text = field;
    const uint32_t *part = field;
    int64_t number = 0;
    int word;
    bool there;
    switch ((enum column_kind)c->kind) {
    case COLUMN_U16:      number = *(const uint16_t *)field; break;
    case COLUMN_U32:      number = *(const uint32_t *)field; break;
    case COLUMN_U64:
    case COLUMN_I64:      number = *(const int64_t *)field; break;
    case COLUMN_I32:      number = *(const int32_t *)field; break;
    case COLUMN_BOOL:     number = *(const bool *)field; break;
    case COLUMN_TIME:     number = *(const int64_t *)field; bind_number(t, n, number != 0, number); return;
    case COLUMN_NUMBER:   number = (int64_t)*(const uint64_t *)field; bind_number(t, n, number != 0, number); return;
    case COLUMN_PART:     there = has_column(r, c, row); bind_number(t, n, there || *part, *part - !there); return;
    case COLUMN_MILLI:    bind_number(t, n, *(const bool *)beside, *(const int32_t *)field); return;
    case COLUMN_TEXT:     sql_bind_text(t, n, *text); return;
    case COLUMN_LABEL:    sql_bind_text(t, n, text->size ? *text : (struct text){0}); return;
    case COLUMN_NAME:     sql_bind_text(t, n, text->at ? *text : TEXT("")); return;
    case COLUMN_CURRENCY: sql_bind_text(t, n, (struct text){field, strnlen(field, 3)}); return;
    case COLUMN_WORD:     sql_bind_word(t, n, c->words->name(*(const int *)field)); return;
    case COLUMN_WORD_OR_NULL: word = *(const int *)field; sql_bind_word(t, n, word ? c->words->name(word) : NULL); return;
    case COLUMN_ID:       book_row_bind_id(t, n, *id); return;
    case COLUMN_RIDE:     book_row_bind_made(t, n, MADE_RIDE, *id); return;
    case COLUMN_MADE:     book_row_bind_made(t, n, *(const enum made_kind *)beside, *id); return;
    case COLUMN_HASH:     sql_bind_blob(t, n, c->beside && !*since ? NULL : field, BOOK_HASH_SIZE); return;
    case COLUMN_PAIR:
    case COLUMN_PAIR_OR_NULL: book_row_bind_pair(t, n, field, c->kind == COLUMN_PAIR_OR_NULL); return;
    case COLUMN_TIERS:    book_row_bind_tiers(t, n, *tiers, *(const uint32_t *)beside); return;
    case COLUMN_ROWS:     sql_bind_blob(t, n, rows->at, bytes_left(rows)); return;
    case COLUMN_DAYS:     book_row_bind_days(t, n, *(const uint8_t *)field); return;
    case COLUMN_MINUTE:   book_row_bind_minute(t, n, *(const uint16_t *)field); return;
    }
    bind_number(t, n, has_column(r, c, row), number);
}
/* clang-format on */

void book_record_bind(struct sql_statement *t, const struct book_record *r, const void *row)
{
    uint64_t used = sql_parameters(t); /* an update has only some of the columns */
    const struct column *c = r->columns;
    ASSERT(r->count < 64); /* ?64 says which are given */
    for (int n = 1; used && n <= r->count; n++, c++, used >>= 1)
        if (used & 1)
            bind_value(t, n, r, c, row);
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

static struct bytes_reader rows_in(struct sql_statement *t, int at)
{
    size_t size = sql_size(t, at);
    return bytes_reader_make(sql_blob(t, at, size), size);
}

/* clang-format off */
static inline void read_value(struct sql *s, struct sql_statement *t, int at, const struct book_record *r,
                       const struct column *c, void *row, struct arena *arena)
{
    void *field = (char *)row + c->offset, *beside = (char *)row + c->beside;
    uint32_t *part = field;
    int32_t *milli = field;
    switch ((enum column_kind)c->kind) {
    case COLUMN_U16:      *(uint16_t *)field = (uint16_t)sql_int(t, at); return;
    case COLUMN_U32:      *(uint32_t *)field = (uint32_t)sql_int(t, at); return;
    case COLUMN_U64:
    case COLUMN_I64:      if (has_column(r, c, row)) *(int64_t *)field = sql_int(t, at); return;
    case COLUMN_TIME:     *(int64_t *)field = sql_int(t, at); return;
    case COLUMN_I32:      *(int32_t *)field = (int32_t)sql_int(t, at); return;
    case COLUMN_BOOL:     *(bool *)field = sql_int(t, at) != 0; return;
    case COLUMN_TEXT:
    case COLUMN_LABEL:
    case COLUMN_NAME:     *(struct text *)field = sql_text(t, at); return;
    case COLUMN_CURRENCY: book_row_currency(s, t, at, field); return;
    case COLUMN_WORD:     *(int *)field = book_row_word(s, t, at, c->words); return;
    case COLUMN_WORD_OR_NULL: *(int *)field = sql_null(t, at) ? 0 : book_row_word(s, t, at, c->words); return;
    case COLUMN_ID:       *(struct id *)field = book_row_id(s, t, at); return;
    case COLUMN_RIDE:     *(struct id *)field = book_row_ride(s, t, at); return;
    case COLUMN_MADE:     *(struct id *)field = book_row_made(s, t, at, beside); return;
    case COLUMN_HASH:     if (!c->beside || *(const int64_t *)beside) book_row_hash(s, t, at, field); return;
    case COLUMN_PAIR:
    case COLUMN_PAIR_OR_NULL: book_row_pair(s, t, at, field); return;
    case COLUMN_MILLI:    *milli = (int32_t)sql_int(t, at); *(bool *)beside = !sql_null(t, at); return;
    case COLUMN_NUMBER:   *(uint64_t *)field = (uint64_t)sql_int(t, at); return;
    case COLUMN_PART:     *part = (uint32_t)sql_int(t, at);
                          *part += !has_column(r, c, row) && !sql_null(t, at); return;
    case COLUMN_TIERS:    *(const struct text **)field = book_row_tiers(s, t, at, arena, beside); return;
    case COLUMN_ROWS:     *(struct bytes_reader *)field = rows_in(t, at); return;
    case COLUMN_DAYS:     *(uint8_t *)field = book_row_days(s, t, at); return;
    case COLUMN_MINUTE:   *(uint16_t *)field = book_row_minute(s, t, at); return;
    }
}
/* clang-format on */

void book_record_read(struct sql *s, struct sql_statement *t, const struct book_record *r, void *row,
                      struct arena *arena)
{
    ASSERT(sql_columns(t) >= r->read); /* the statement was made for this record */
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

#define COLUMN_SIZE(kind, type) [COLUMN_##kind] = sizeof(type),
static const uint8_t sizes[] = {COLUMN_KINDS(COLUMN_SIZE)};

static bool column_same(const struct column *c, const void *a, const void *b)
{
    const void *x = (const char *)a + c->offset, *y = (const char *)b + c->offset;
    const struct text *text = x, *other = y;
    if (is_text(c))
        return (text->at == NULL) == (other->at == NULL) && text_equal(*text, *other);
    ASSERT(c->kind <= COLUMN_WORD); /* other kinds cannot be compared byte by byte */
    return memcmp(x, y, sizes[c->kind]) == 0;
}

static bool columns_same(const struct book_record *r, const void *a, const void *b, bool apart)
{
    for (const struct column *c = r->columns; c < r->columns + r->count; c++)
        if (!(c->flags & COLUMN_APART) == !apart && !column_same(c, a, b))
            return false;
    return true;
}

bool book_record_same(const struct book_record *r, const void *a, const void *b)
{
    return columns_same(r, a, b, false);
}

bool book_record_same_apart(const struct book_record *r, const void *a, const void *b)
{
    return columns_same(r, a, b, true);
}
