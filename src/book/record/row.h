/* SPDX-License-Identifier: Apache-2.0 */
/* row.h — single values that the tables have in a form of their own, both ways: ids, words of enums,
 * keys and hashes, lists of tiers, days and times of day.
 *
 * What is bound is copied. Readers report a fault on `s` when a word or a size is not what the schema allows,
 * and then return a harmless value.
 */
#ifndef BOOK_ROW_H
#define BOOK_ROW_H

#include "base/memory/arena.h"
#include "book/file/sql.h"
#include "core/types.h"

#define RESERVATION_ID_SIZE (4 + ID_TEXT_SIZE) /* "res_…"; other ids have four letters of their own */
#define BOOK_HASH_SIZE 32

/* The names of an enum. A value in between that has no name is not for the book. */
struct book_words {
    const char *what;
    int first, last;
    const char *(*name)(int value);
};

/* A fault unless `accepted`: the rows contradict what was loaded before. */
void book_row_accept(struct sql *s, bool accepted, const char *what, uint64_t number);

void book_row_bind_id(struct sql_statement *t, int parameter, struct id id); /* none is NULL */
/* The same for anything that a request creates: res_, ent_, lst_ or rid_. */
void book_row_bind_made(struct sql_statement *t, int parameter, enum made_kind kind, struct id id);
/* Names of tiers as a JSON array; none is NULL. */
void book_row_bind_tiers(struct sql_statement *t, int parameter, const struct text *tiers, uint32_t count);
/* Two 64-bit numbers as 16 bytes, the greater end first. */
void book_row_bind_pair(struct sql_statement *t, int parameter, const uint64_t pair[2], bool zero_is_null);
void book_row_bind_days(struct sql_statement *t, int parameter, uint8_t days);        /* "mon tue" */
void book_row_bind_minute(struct sql_statement *t, int parameter, uint16_t of_a_day); /* "HH:MM" */

struct id book_row_id(struct sql *s, struct sql_statement *t, int column); /* NULL is none */
struct id book_row_ride(struct sql *s, struct sql_statement *t, int column);
struct id book_row_made(struct sql *s, struct sql_statement *t, int column, enum made_kind *kind);
/* The tiers, in the arena; NULL and *count 0 when there are none. */
const struct text *book_row_tiers(struct sql *s, struct sql_statement *t, int column, struct arena *arena,
                                  uint32_t *count);
void book_row_pair(struct sql *s, struct sql_statement *t, int column, uint64_t out[2]); /* NULL is 0, 0 */
void book_row_hash(struct sql *s, struct sql_statement *t, int column, uint8_t out[BOOK_HASH_SIZE]);
void book_row_currency(struct sql *s, struct sql_statement *t, int column, char out[4]);
int book_row_word(struct sql *s, struct sql_statement *t, int column, const struct book_words *words);
uint8_t book_row_days(struct sql *s, struct sql_statement *t, int column);
uint16_t book_row_minute(struct sql *s, struct sql_statement *t, int column);

#endif
