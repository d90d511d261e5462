/* SPDX-License-Identifier: Apache-2.0 */
/* record.h — describes a record of the book as a table of columns, and derives from it the statements that write and read
 * it, the binding of its values, and the reading of its rows.
 *
 * A column has a name, a kind of value, and the offset of the value in the row's struct. The n-th column is the parameter ?n
 * of a statement and, if it is read, the n-th result of a select. The tables are in book/record/columns.c; values with a
 * format of their own are in book/record/row.c.
 *
 * To add a kind of value: a line in COLUMN_KINDS, and one each in bind_value and read_value.
 */
#ifndef BOOK_RECORD_H
#define BOOK_RECORD_H

#include "base/memory/arena.h"
#include "book/record/row.h"
#include "book/file/sql.h"

/* The kinds of values, and the type of their fields. */
/* clang-format off */
#define COLUMN_KINDS(X)                                                                        \
    X(U16, uint16_t)                                                                           \
    X(U32, uint32_t)                                                                           \
    X(U64, uint64_t)                                                                           \
    X(I64, int64_t)                                                                            \
    X(I32, int32_t)                                                                            \
    X(BOOL, bool)                                                                              \
    X(TIME, int64_t)              /* 0 is NULL */                                              \
    X(NUMBER, uint64_t)           /* of a record; 0 is NULL */                                 \
    X(PART, uint32_t)             /* of kinds not in `only` it counts from 1, and 0 is NULL */ \
    X(WORD, int)                  /* an enum, by the names in `words`; the last of numbers */  \
    X(WORD_OR_NULL, int)          /* the same; 0 is NULL */                                    \
    X(MILLI, int32_t)             /* NULL unless the bool `beside` is set */                   \
    X(TEXT, struct text)          /* not given is NULL */                                      \
    X(LABEL, struct text)         /* empty is NULL, too */                                     \
    X(NAME, struct text)          /* not given is empty */                                     \
    X(CURRENCY, char[4])          /* three letters */                                          \
    X(ID, struct id)              /* of a reservation; none is NULL */                         \
    X(RIDE, struct id)            /* the id of a ride */                                       \
    X(MADE, struct id)            /* of what the enum made_kind `beside` says */               \
    X(HASH, uint8_t[32])          /* NULL when there is an int64_t `beside` and it is 0 */     \
    X(PAIR, uint64_t[2])          /* as 16 bytes */                                            \
    X(PAIR_OR_NULL, uint64_t[2])  /* the same; 0, 0 is NULL */                                 \
    X(TIERS, const struct text *) /* as many as the uint32_t `beside` says, as JSON */         \
    X(ROWS, struct bytes_reader)  /* encoded seats */                                          \
    X(DAYS, uint8_t)              /* a bit for each: "mon tue" */                              \
    X(MINUTE, uint16_t)           /* of the day: "HH:MM" */
/* clang-format on */
#define COLUMN_ENUM(kind, type) COLUMN_##kind,
enum column_kind { COLUMN_KINDS(COLUMN_ENUM) };

enum column_flag {
    COLUMN_KEY = 1,   /* says which row: in WHERE, never in SET */
    COLUMN_FIXED = 2, /* written with a new row only, or by statements of its own */
    COLUMN_APART = 4, /* set by some updates only: naming it rewrites an index, or it is written once */
    COLUMN_FRESH = 8, /* not copied with the row */
};

struct column {
    const char *name;
    const struct book_words *words;
    uint16_t offset, beside; /* into the row's struct; beside 0: none */
    uint16_t given;          /* the bit of enum seat_column: whether an import has it */
    uint8_t only; /* a bit for each enum item_kind whose rows have it; others have NULL; 0: all have it */
    uint8_t kind, flags;
};

struct book_record {
    const char *table;
    const struct column *columns;
    uint16_t count;   /* number of columns */
    uint16_t read;    /* number of columns that are read: the first ones */
    uint16_t size;    /* bytes that are zeroed before a row is read; 0: it is read into an existing image */
    uint16_t kind_at; /* offset of the enum item_kind, for `only` */
};

/* The text of a statement: @ is the table, and { } has a set of columns and a pattern that is repeated for each of them,
 * separated by commas: $ is the name, # the number, % the bit in `given`. The sets:
 *   every · read · key · where: the key, with AND between · set: by updates · apart: by some of them
 *   copied: from another event · given: what an import may give */
#define BOOK_INSERT "INSERT INTO @ ({every $}) VALUES ({every ?#})"
#define BOOK_REPLACE "REPLACE INTO @ ({every $}) VALUES ({every ?#})"
#define BOOK_UPSERT BOOK_INSERT " ON CONFLICT ({key $}) DO UPDATE SET {set $ = excluded.$}"
#define BOOK_UPDATE "UPDATE @ SET {set $ = ?#} WHERE {where $ = ?#}"
#define BOOK_UPDATE_APART "UPDATE @ SET {set $ = ?#}, {apart $ = ?#} WHERE {where $ = ?#}"
#define BOOK_UPDATE_ONLY_APART "UPDATE @ SET {apart $ = ?#} WHERE {where $ = ?#}"
#define BOOK_DELETE "DELETE FROM @ WHERE {where $ = ?#}"
#define BOOK_SELECT "SELECT {read $} FROM @ "
/* The statement belongs to the connection. */
struct sql_statement *book_record_prepare(struct sql *s, const struct book_record *r, const char *text);

/* How items of each kind are stored; the list is in book/record/columns.c. */
struct book_item_kind {
    const char *word;  /* in items.kind; NULL: not stored */
    const char *owner; /* the column of items, `event` or `calendar`; with an s, its table */
    const char *parts; /* the table of its parts, by `owner` and position */
    const char *
        claims; /* the table of its claims, by `owner` and `word`, if a claim takes a whole part; else NULL */
};
extern const struct book_item_kind book_item_kinds[ITEM_KIND_LAST + 1];
/* A statement for one kind: {word}, {owner}, {parts} and {claims} in its text are replaced by the kind's. NULL: the kind is
 * not stored, or the text names {claims} and it has none. In the text of a record, [ ] is repeated for every kind. */
struct sql_statement *book_item_prepare(struct sql *s, enum item_kind kind, const char *text);

/* Binds the parameters of the statement from the row's struct at `row`. Texts and hashes must stay valid until it has
 * run. */
void book_record_bind(struct sql_statement *t, const struct book_record *r, const void *row);
int64_t book_record_put(struct sql_statement *t, const struct book_record *r,
                        const void *row);                                                    /* and sql_do */
bool book_record_try(struct sql_statement *t, const struct book_record *r, const void *row); /* and sql_try */

/* Reads the current row of a select. Texts are valid until its next step; tiers are in the arena, which may be NULL if the
 * record has none. A value that the schema does not allow is a fault on `s`. */
void book_record_read(struct sql *s, struct sql_statement *t, const struct book_record *r, void *row,
                      struct arena *arena);
/* Copies the texts of a row that was read into the arena. */
void book_record_keep(const struct book_record *r, void *row, struct arena *arena);
/* Whether two rows are equal in all columns that are not APART, or in those that are. For records of numbers, words and
 * texts. */
bool book_record_same(const struct book_record *r, const void *a, const void *b);
bool book_record_same_apart(const struct book_record *r, const void *a, const void *b);

#endif
