/* SPDX-License-Identifier: Apache-2.0 */
/* row.h — values that have a format of their own in the tables: ids, names of enums, keys and hashes, lists of tiers, days
 * and times of day. Both directions.
 *
 * Bound values are copied. Readers set a fault on `s` if a value is not one that the schema allows, and then return a
 * harmless one.
 */
#ifndef BOOK_ROW_H
#define BOOK_ROW_H

#include "base/memory/arena.h"
#include "book/file/sql.h"
#include "core/types.h"

#define RESERVATION_ID_SIZE (4 + ID_TEXT_SIZE) /* "res_…"; other ids have another prefix of four letters */
#define BOOK_HASH_SIZE 32

/* The names of an enum. A value without a name is never stored. */
struct book_words {
    const char *what;
    int first, last;
    const char *(*name)(int value);
};

/* Sets a fault unless `accepted`: the row contradicts what was loaded before. */
void book_row_accept(struct sql *s, bool accepted, const char *what, uint64_t number);

void book_row_bind_id(struct sql_statement *t, int parameter, struct id id); /* no id: NULL */
/* The same for anything that a request creates: res_, ent_, lst_ or rid_. */
void book_row_bind_made(struct sql_statement *t, int parameter, enum made_kind kind, struct id id);
/* Names of tiers as a JSON array; no tiers: NULL. */
void book_row_bind_tiers(struct sql_statement *t, int parameter, const struct text *tiers, uint32_t count);
/* Two 64-bit numbers as 16 bytes, big-endian. */
void book_row_bind_pair(struct sql_statement *t, int parameter, const uint64_t pair[2], bool zero_is_null);
void book_row_bind_days(struct sql_statement *t, int parameter, uint8_t days);        /* "mon tue" */
void book_row_bind_minute(struct sql_statement *t, int parameter, uint16_t of_a_day); /* "HH:MM" */

struct id book_row_id(struct sql *s, struct sql_statement *t, int column); /* NULL: no id */
struct id book_row_ride(struct sql *s, struct sql_statement *t, int column);
struct id book_row_made(struct sql *s, struct sql_statement *t, int column, enum made_kind *kind);
/* The tiers, in the arena; NULL and *count 0 if there are none. */
const struct text *book_row_tiers(struct sql *s, struct sql_statement *t, int column, struct arena *arena,
                                  uint32_t *count);
void book_row_pair(struct sql *s, struct sql_statement *t, int column, uint64_t out[2]); /* NULL: 0, 0 */
void book_row_hash(struct sql *s, struct sql_statement *t, int column, uint8_t out[BOOK_HASH_SIZE]);
void book_row_currency(struct sql *s, struct sql_statement *t, int column, char out[4]);
int book_row_word(struct sql *s, struct sql_statement *t, int column, const struct book_words *words);
uint8_t book_row_days(struct sql *s, struct sql_statement *t, int column);
uint16_t book_row_minute(struct sql *s, struct sql_statement *t, int column);

#endif
