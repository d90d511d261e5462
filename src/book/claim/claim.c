/* SPDX-License-Identifier: Apache-2.0 */
#include "book/claim/claim.h"

#include "base/assertion.h"

void book_claim_prepare(struct book_claim *b, struct sql *s)
{
    b->sql = s;
    for (enum item_kind kind = ITEM_KIND_FIRST; kind <= ITEM_KIND_LAST; kind++) {
        b->begin[kind] =
            book_item_prepare(s, kind, "INSERT INTO {claims} ({owner}, {word}, reservation) VALUES (?,?,?)");
        b->end[kind] = book_item_prepare(
            s, kind, "DELETE FROM {claims} WHERE {owner} = ? AND {word} = ? AND reservation = ?");
    }
    b->freed[ITEM_SEAT] = sql_prepare(s, "UPDATE seats SET version = ?3 WHERE event = ?1 AND position = ?2");
    b->begin[ITEM_POOL] = sql_prepare(
        s, "UPDATE pools SET held = held + ?3, sold = sold + ?4 WHERE event = ?1 AND position = ?2");
    /* A claim that contains very many steps is not counted: see the schema. */
    b->begin[ITEM_SLOT] = sql_prepare(
        s,
        "INSERT INTO calendar_claims (calendar, starts_at, reservation, item_id, until, claimed_at, counted) "
        "VALUES (?1,?2,?3,?4,?5,?6,(SELECT count(*) FROM (SELECT 1 FROM calendar_counts "
        "WHERE calendar = ?1 AND at > ?2 AND at < ?5 LIMIT 1001)) <= 1000)");
    b->end[ITEM_SLOT] = sql_prepare(s, "DELETE FROM calendar_claims WHERE calendar = ?1 AND starts_at = ?2 "
                                       "AND reservation = ?3 AND item_id = ?4 AND until = ?5");
}

struct claim {
    const struct change *change; /* that begins or ends it */
    uint64_t reservation;        /* its number */
    const struct item_image *item;
    enum reservation_status status;
};

/* ---- Seats, and other kinds whose claims take a whole part ---- */

static void whole_begin(struct book_claim *b, const struct claim *x)
{
    const struct item_image *i = x->item;
    ASSERT(i->quantity == 1); /* a seat is taken whole */
    /* The primary key of the claims is a backstop: core never claims a seat twice. */
    sql_bind_ints(b->begin[i->kind], i->resource, i->part, x->reservation);
    if (!sql_try(b->begin[i->kind]))
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu claims %s %u of event %llu, which is already claimed.",
                 (unsigned long long)x->change->seq, book_item_kinds[i->kind].word, i->part,
                 (unsigned long long)i->resource);
}

static void whole_end(struct book_claim *b, const struct claim *x)
{
    const struct item_image *i = x->item;
    struct sql_statement *freed = b->freed[i->kind];
    bool claimed = sql_do_ints(b->end[i->kind], i->resource, i->part, x->reservation) == 1;
    /* The seq is the version of the seat from now on: the fence of the claim ended with it. */
    if ((freed && sql_do_ints(freed, i->resource, i->part, x->change->seq) != 1) || !claimed)
        sql_fail(b->sql, STATUS_CORRUPT,
                 "Change %llu ends a claim on %s %u of event %llu that does not exist.",
                 (unsigned long long)x->change->seq, book_item_kinds[i->kind].word, i->part,
                 (unsigned long long)i->resource);
}

/* ---- Pools ---- */

static void pool_count(struct book_claim *b, const struct claim *x, int64_t units)
{
    const struct item_image *i = x->item;
    bool held = x->status == RESERVATION_HELD;
    /* CHECK (held + sold <= capacity) is a backstop. */
    sql_bind_ints(b->begin[i->kind], i->resource, i->part, held ? units : 0, held ? 0 : units);
    if (!sql_try(b->begin[i->kind]))
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu takes more of pool %u of event %llu than is left.",
                 (unsigned long long)x->change->seq, i->part, (unsigned long long)i->resource);
    else if (sql_changed(b->sql) != 1)
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu names pool %u of event %llu, which does not exist.",
                 (unsigned long long)x->change->seq, i->part, (unsigned long long)i->resource);
}

static void pool_begin(struct book_claim *b, const struct claim *x)
{
    ASSERT(x->item->quantity > 0);
    pool_count(b, x, x->item->quantity);
}

static void pool_end(struct book_claim *b, const struct claim *x)
{
    pool_count(b, x, -(int64_t)x->item->quantity);
}

/* ---- Slots ---- */

static void slot_bind(struct sql_statement *t, const struct claim *x)
{
    const struct item_image *i = x->item;
    sql_bind_ints(t, i->resource, i->start_ms - i->lead_ms, x->reservation, i->item_id, i->until_ms);
}

static void slot_begin(struct book_claim *b, const struct claim *x)
{
    const struct item_image *i = x->item;
    ASSERT(i->start_ms < i->end_ms && i->end_ms <= i->until_ms); /* the buffer comes after the end */
    slot_bind(b->begin[ITEM_SLOT], x);
    sql_bind_int(b->begin[ITEM_SLOT], 6, x->change->at_ms);
    if (!sql_try(b->begin[ITEM_SLOT]))
        sql_fail(b->sql, STATUS_CORRUPT,
                 "Change %llu claims calendar %llu from %lld to %lld, beyond its capacity.",
                 (unsigned long long)x->change->seq, (unsigned long long)i->resource, (long long)i->start_ms,
                 (long long)i->until_ms);
}

static void slot_end(struct book_claim *b, const struct claim *x)
{
    const struct item_image *i = x->item;
    slot_bind(b->end[ITEM_SLOT], x);
    if (sql_do(b->end[ITEM_SLOT]) != 1)
        sql_fail(b->sql, STATUS_CORRUPT,
                 "Change %llu ends a claim on calendar %llu from %lld to %lld that does not exist.",
                 (unsigned long long)x->change->seq, (unsigned long long)i->resource, (long long)i->start_ms,
                 (long long)i->until_ms);
}

/* ---- By kind ---- */

static const struct way {
    void (*begin)(struct book_claim *b, const struct claim *x);
    void (*end)(struct book_claim *b, const struct claim *x);
    bool sold_apart; /* a sale ends the claim of the hold and begins another; otherwise the claim stays */
} whole = {whole_begin, whole_end, false},
  ways[ITEM_KIND_LAST + 1] = {
      [ITEM_POOL] = {pool_begin, pool_end, true}, [ITEM_SLOT] = {slot_begin, slot_end, false}};

_Static_assert(sizeof(ways) / sizeof(ways[0]) ==
                   sizeof(((struct book_claim *)0)->begin) / sizeof(struct sql_statement *),
               "both are indexed by kind");

static const struct way *way_of(const struct item_image *i)
{
    /* `best` cannot be claimed: core has replaced it by seats. */
    ASSERT(i->kind <= ITEM_KIND_LAST && (ways[i->kind].begin || book_item_kinds[i->kind].claims));
    return ways[i->kind].begin ? &ways[i->kind] : &whole;
}

void book_claim_begin(struct book_claim *b, const struct change *c, uint64_t number,
                      const struct item_image *i, enum reservation_status status)
{
    ASSERT(book_claim_live(status));
    ASSERT(number <= c->seq && i->fence >= number && i->fence <= c->seq); /* granted by it, or before it */
    way_of(i)->begin(b, &(struct claim){c, number, i, status});
}

void book_claim_end(struct book_claim *b, const struct change *c, uint64_t number, const struct item_image *i,
                    enum reservation_status status)
{
    ASSERT(book_claim_live(status));
    ASSERT(number < c->seq); /* a change cannot end a claim that it created */
    way_of(i)->end(b, &(struct claim){c, number, i, status});
}

bool book_claim_same(const struct item_image *a, const struct item_image *b)
{
    return a->item_id == b->item_id && a->kind == b->kind && a->resource == b->resource &&
           a->part == b->part && a->quantity == b->quantity && a->fence == b->fence &&
           a->start_ms == b->start_ms && a->end_ms == b->end_ms && a->until_ms == b->until_ms &&
           a->lead_ms == b->lead_ms;
}

bool book_claim_stays(const struct item_image *i, enum reservation_status from, enum reservation_status to)
{
    return book_claim_live(from) && book_claim_live(to) && (from == to || !way_of(i)->sold_apart);
}

bool book_claim_live(enum reservation_status status)
{
    return status == RESERVATION_HELD || status == RESERVATION_CONFIRMED;
}
