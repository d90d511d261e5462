/* SPDX-License-Identifier: Apache-2.0 */
/* erasure.c — removes a person from the rows.
 *
 * In one transaction with the change itself, so that a fetched record never has a mixture of the old and the new name.
 * 100,000 reservations of one person take the recorder 17 s on a busy two-core machine; no request waits for it, and the
 * journal keeps the changes that arrive meanwhile. book/file/scrub.c wipes what is left in unused bytes of the file.
 */
#include "base/assertion.h"
#include "base/frame.h"
#include "base/memory/memory.h"
#include "book/record/kept.h"
#include "book/claim/reservation.h"

#define CHAPTER_BITS 18 /* of the index reservations_by_user */
_Static_assert(CHAPTER_BITS == 18, "the statement of_user has the same number");
#define CHUNK 2048 /* numbers are collected first: updating rows would disturb the walk */
#define OF_FLEETS                                                                                            \
    "fleet IN (SELECT number FROM fleets)" /* so that indexes that start with the fleet are used */

struct book_erasure {
    struct sql *sql;
    struct sql_statement *insert, *segment, *least, *most, *of_user, *given, *given_forget, *queue, *list;
    struct sql_statement *drivers, *riders, *driven, *offers, *audit;
};

struct book_erasure *book_erasure_make(struct sql *s)
{
    struct book_erasure *b = memory_zeroed(1, sizeof(*b));
    b->sql = s;
    b->insert =
        sql_prepare(s, "INSERT INTO erasures (number, mark, at, segments, clean) VALUES (?1, ?2, ?3, 0, 0)");
    b->segment = sql_prepare(s, "UPDATE erasures SET segments = ?2 WHERE number = ?1");
    b->least = sql_prepare(s, "SELECT min(number) FROM reservations");
    b->most = sql_prepare(s, "SELECT max(number) FROM reservations");
    b->of_user = sql_prepare(s, "SELECT number FROM reservations INDEXED BY reservations_by_user "
                                "WHERE number >> 18 = ?1 AND user_id = ?2 ORDER BY number LIMIT ?3");
    b->given = sql_prepare(s, "SELECT reservation, max(seq) FROM history INDEXED BY history_by_giver "
                              "WHERE user_before = ?1 GROUP BY reservation LIMIT ?2");
    /* Attributes up to the transfer are the person's; later ones belong to the new owner. */
    b->given_forget = sql_prepare(s, "UPDATE history_items SET attributes = NULL "
                                     "WHERE reservation = ?1 AND seq <= ?2 AND attributes IS NOT NULL");
    b->queue = sql_prepare(s, "UPDATE queue SET user_id = ?2 WHERE user_id = ?1");
    b->list = sql_prepare(s, "UPDATE waiting_list SET user_id = ?2 WHERE user_id = ?1");
    /* Core has removed the person's drivers, but those of removed fleets stay until they are pruned. */
    b->drivers = sql_prepare(s, "DELETE FROM drivers WHERE " OF_FLEETS " AND id = ?1");
    b->riders = sql_prepare(s, "UPDATE rides SET rider_id = ?2 WHERE " OF_FLEETS " AND rider_id = ?1");
    b->driven = sql_prepare(s, "UPDATE rides SET driver_id = ?2 WHERE " OF_FLEETS " AND driver_id = ?1");
    b->offers =
        sql_prepare(s, "UPDATE offers INDEXED BY offers_by_driver SET driver_id = ?2 WHERE driver_id = ?1");
    b->audit = sql_prepare(
        s, "UPDATE audit INDEXED BY audit_of_drivers SET id = ?2 WHERE kind = 'driver' AND id = ?1");
    return b;
}

static int64_t erasure_number(struct sql_statement *t)
{
    int64_t number = sql_next(t) ? sql_int(t, 0) : 0;
    sql_reset(t);
    return number;
}

/* Erases a chunk, which is then no longer found by the name. False: nothing is left in the chapter. */
LARGE_FRAME("the recorder's, once for a chunk")
static bool erase_chunk(struct book_parts *parts, const struct change *c, int64_t chapter)
{
    struct book_erasure *b = parts->erasure;
    uint64_t numbers[CHUNK];
    uint32_t count = 0;
    sql_bind_int(b->of_user, 1, chapter);
    sql_bind_text(b->of_user, 2, c->erased.from);
    sql_bind_int(b->of_user, 3, CHUNK);
    while (count < CHUNK && sql_next(b->of_user))
        numbers[count++] = (uint64_t)sql_int(b->of_user, 0);
    sql_reset(b->of_user);
    for (uint32_t i = 0; i < count; i++)
        book_reservation_forget_words(parts->reservation, numbers[i]);
    for (uint32_t i = 0; i < count; i++)
        book_reservation_erase(parts->reservation, c, numbers[i]);
    return count == CHUNK && sql_sound(b->sql);
}
LARGE_FRAME_END

/* Reservations that the person transferred name them in their histories. */
LARGE_FRAME("the recorder's, once for a chunk")
static bool erase_given(struct book_parts *parts, const struct change *c)
{
    struct book_erasure *b = parts->erasure;
    struct {
        int64_t number, seq;
    } given[CHUNK];
    uint32_t count = 0;
    sql_bind_text(b->given, 1, c->erased.from);
    sql_bind_int(b->given, 2, CHUNK);
    while (count < CHUNK && sql_next(b->given)) {
        given[count].number = sql_int(b->given, 0);
        given[count++].seq = sql_int(b->given, 1);
    }
    sql_reset(b->given);
    for (uint32_t i = 0; i < count; i++) {
        sql_do_ints(b->given_forget, given[i].number, given[i].seq);
        book_reservation_rename(parts->reservation, c, (uint64_t)given[i].number);
    }
    return count == CHUNK && sql_sound(b->sql);
}
LARGE_FRAME_END

static void rename_all(struct sql_statement *t, const struct change *c)
{
    sql_bind_text(t, 1, c->erased.from);
    sql_bind_text(t, 2, c->erased.to);
    sql_do(t);
}

static void erase_rides(struct book_erasure *b, const struct change *c)
{
    sql_bind_text(b->drivers, 1, c->erased.from);
    sql_do(b->drivers);
    rename_all(b->riders, c);
    rename_all(b->driven, c);
    rename_all(b->offers, c);
    rename_all(b->audit, c);
}

void book_erasure_apply(struct book_parts *parts, const struct change *c)
{
    struct book_erasure *b = parts->erasure;
    ASSERT(c->kind == CHANGE_ERASED && c->erased.number <= c->seq);
    if (c->erased.segments) {
        if (sql_do_ints(b->segment, c->erased.number, c->erased.segments) != 1)
            sql_fail(b->sql, STATUS_CORRUPT, "The book has no erasure %llu.",
                     (unsigned long long)c->erased.number);
        return;
    }
    ASSERT(c->erased.number == c->seq && c->erased.from.size && c->erased.to.size);
    ASSERT(
        !text_equal(c->erased.from, c->erased.to)); /* otherwise each chunk would find the same rows again */
    int64_t least = erasure_number(b->least) >> CHAPTER_BITS, most = erasure_number(b->most) >> CHAPTER_BITS;
    for (int64_t chapter = least; chapter <= most; chapter++)
        while (erase_chunk(parts, c, chapter)) {
        }
    while (erase_given(parts, c)) {
    }
    /* Without an index, which would slow down every join and every offer: half a second for two million entries. */
    rename_all(b->queue, c);
    rename_all(b->list, c);
    erase_rides(b, c);
    sql_bind_int(b->insert, 1, (int64_t)c->seq);
    sql_bind_blob(b->insert, 2, c->erased.mark, sizeof(c->erased.mark));
    sql_bind_int(b->insert, 3, c->at_ms);
    sql_do(b->insert);
}
