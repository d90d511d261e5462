/* SPDX-License-Identifier: Apache-2.0 */
/* book_record.h — a record of the book as a table of its columns, and what follows from the table: the
 * statements that write and read it, the binding of its values, the reading of its rows.
 *
 * A column is a name, a kind of value, and the place of the value in the row's struct. The n-th column is the
 * parameter ?n of every statement made here, and the n-th result of a select as far as it is read. The tables themselves are in
 * book_columns.c; how a value of an odd kind looks is book_row.c's business.
 *
 * To add a kind of value: a line in COLUMN_KINDS, a case in bind_value and one in read_value or read_odd.
 */
#ifndef BOOK_BOOK_RECORD_H
#define BOOK_BOOK_RECORD_H

#include "base/arena.h"
#include "book/book_row.h"
#include "book/sql.h"

/* The kinds of values, and the type of the field each of them has. */
#define COLUMN_KINDS(X)                                                                                      \
    X(U16, uint16_t)                                                                                         \
    X(U32, uint32_t)                                                                                         \
    X(U64, uint64_t)                                                                                         \
    X(I64, int64_t)                                                                                          \
    X(BOOL, bool)                                                                                            \
    X(TIME, int64_t)              /* 0 is NULL */                                                            \
    X(TEXT, struct text)          /* not given is NULL */                                                    \
    X(LABEL, struct text)         /* empty is NULL, too */                                                   \
    X(NAME, struct text)          /* not given is empty */                                                   \
    X(CURRENCY, char[4])          /* three letters */                                                        \
    X(WORD, int)                  /* an enum, by the names in `words` */                                     \
    X(ID, struct id)              /* of a reservation; none is NULL */                                       \
    X(MADE, struct id)            /* of what the enum made_kind `beside` says */                             \
    X(HASH, uint8_t[32])          /* NULL when there is an int64_t `beside` and it is 0 */                   \
    X(PAIR, uint64_t[2])          /* as 16 bytes */                                                          \
    X(PAIR_OR_NULL, uint64_t[2])  /* the same; 0, 0 is NULL */                                               \
    X(MILLI, int32_t)             /* NULL unless the bool `beside` is set */                                 \
    X(PART, uint32_t)             /* of kinds not in `only` it counts from 1, and 0 is NULL */               \
    X(TIERS, const struct text *) /* as many as the uint32_t `beside` says, as JSON */                       \
    X(ROWS, struct bytes_reader)  /* encoded seats */                                                        \
    X(DAYS, uint8_t)              /* a bit for each: "mon tue" */                                            \
    X(MINUTE, uint16_t)           /* of the day: "HH:MM" */
#define COLUMN_ENUM(kind, type) COLUMN_##kind,
enum column_kind { COLUMN_KINDS(COLUMN_ENUM) };

enum column_flag {
    COLUMN_KEY = 1,     /* says which row: in WHERE, never in SET */
    COLUMN_FIXED = 2,   /* written with a new row only, or by statements of its own */
    COLUMN_INDEXED = 4, /* naming it in SET rewrites an index even when it stays the same */
    COLUMN_ONCE = 8,    /* set by one of several updates only */
    COLUMN_LATER = 16,  /* not written with a new row: NULL until an update */
    COLUMN_FRESH = 32,  /* not copied with the row: 0 there */
    COLUMN_GIVEN = 64,  /* has a bit in `given`; not for tables */
};

struct column {
    const char *name;
    const struct book_words *words;
    uint16_t offset, beside; /* into the row's struct; beside 0: none */
    uint16_t given;          /* the bit of enum seat_column that says that an import has it */
    uint8_t only;            /* a bit for each enum item_kind whose rows have it, others have NULL; 0: all */
    uint8_t kind, flags;
};

struct book_record {
    const char *table;
    const struct column *columns;
    uint16_t count;   /* of columns */
    uint16_t read;    /* of them, the first so many: what follows is only written */
    uint16_t size;    /* of what is cleared before it is read; 0: a part of something that stands already */
    uint16_t kind_at; /* where the enum item_kind is, for `only` */
};

/* Statements of all columns; they belong to the connection. */
struct sql_statement *book_record_insert(struct sql *s, const struct book_record *r);
struct sql_statement *book_record_replace(struct sql *s, const struct book_record *r);
/* An insert that updates the row with the same key instead, without its fixed columns. */
struct sql_statement *book_record_upsert(struct sql *s, const struct book_record *r);
/* Sets all columns by their key but fixed ones and those with a flag of `without`. `more` follows the
 * condition: "" or " AND …". */
struct sql_statement *book_record_update(struct sql *s, const struct book_record *r, unsigned without,
                                         const char *more);
/* The same for seats: only columns whose `given` bit is in ?64. */
struct sql_statement *book_record_update_given(struct sql *s, const struct book_record *r);
/* Copies the rows whose last column is ?2, with ?1 there. */
struct sql_statement *book_record_copy(struct sql *s, const struct book_record *r);
/* `also`: further results, "" or ", …", from column r->read on. `rest` follows the table's name. */
struct sql_statement *book_record_select(struct sql *s, const struct book_record *r, const char *also,
                                         const char *rest);

/* Binds what the statement has parameters for, from the row's struct at `row`. Texts and hashes are borrowed
 * until it has run. */
void book_record_bind(struct sql_statement *t, const struct book_record *r, const void *row);
int64_t book_record_put(struct sql_statement *t, const struct book_record *r,
                        const void *row);                                                    /* and sql_do */
bool book_record_try(struct sql_statement *t, const struct book_record *r, const void *row); /* and sql_try */

/* Reads the row that a select stands on. Texts belong to it and are gone with the next step; tiers are in the
 * arena, which may be NULL when there are none. What the schema does not allow is a fault on `s`. */
void book_record_read(struct sql *s, struct sql_statement *t, const struct book_record *r, void *row,
                      struct arena *arena);
/* Moves the texts of a row that was read into the arena. */
void book_record_keep(const struct book_record *r, void *row, struct arena *arena);
/* Whether two rows are the same in every column; for records of numbers and words. */
bool book_record_same(const struct book_record *r, const void *a, const void *b);

#endif
