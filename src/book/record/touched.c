/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/touched.h"

#include "base/assertion.h"
#include "base/memory/memory.h"

#define PLACES 1024 /* a power of two */

struct book_touched {
    struct sql_statement *put;
    struct {
        uint64_t number; /* 0: none */
        uint64_t seq;
    } waiting[PLACES]; /* by number; another number with the same place is written before it is replaced */
};

struct book_touched *book_touched_make(struct sql *s)
{
    struct book_touched *t = memory_zeroed(1, sizeof(*t));
    t->put = sql_prepare(s, "INSERT INTO touched (number, seq) VALUES (?1, ?2) "
                            "ON CONFLICT (number) DO UPDATE SET seq = excluded.seq");
    return t;
}

static void write_place(struct book_touched *t, uint32_t place)
{
    if (t->waiting[place].number)
        sql_do_ints(t->put, t->waiting[place].number, t->waiting[place].seq);
    t->waiting[place].number = 0;
}

void book_touched_set(struct book_touched *t, uint64_t number, uint64_t seq)
{
    uint32_t place = (uint32_t)(number & (PLACES - 1));
    ASSERT(number && number <= seq);
    if (t->waiting[place].number != number)
        write_place(t, place);
    t->waiting[place].number = number;
    t->waiting[place].seq = seq;
}

void book_touched_write(struct book_touched *t)
{
    for (uint32_t i = 0; i < PLACES; i++)
        write_place(t, i);
}

void book_touched_forget(struct book_touched *t)
{
    for (uint32_t i = 0; i < PLACES; i++)
        t->waiting[i].number = 0;
}
