/* SPDX-License-Identifier: Apache-2.0 */
#include "book/book_reservation.h"

#include "base/assertion.h"
#include "book/book_row.h"

void book_reservation_prepare(struct book_reservation *b, struct sql *s)
{
    b->sql = s;
    book_claim_prepare(&b->claim, s);
    b->insert =
        sql_prepare(s, "INSERT INTO reservations (" BOOK_RESERVATION ") VALUES "
                       "(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22)");
    b->find = sql_prepare(s, "SELECT status FROM reservations WHERE number = ?");
    b->find_by_id =
        sql_prepare(s, "SELECT number, status, version, expires_at FROM reservations WHERE id = ?");
    /* Naming status in SET would rewrite its index even when it stays the same. */
#define FIELDS                                                                                               \
    "fence=?4, version=?5, expires_at=?7, max_expires_at=?8, payment_started_at=?9, hold_ttl_seconds=?10, "  \
    "payment_ttl_seconds=?11, payment_required=?12, currency=?13, next_item_id=?14, attributes=?15, "        \
    "payment_method=?16, payment_ref=?17, confirmed_at=?20, ended_at=?21, ticket_key=?22"
    b->update = sql_prepare(s, "UPDATE reservations SET " FIELDS " WHERE number=?1");
    b->update_status = sql_prepare(s, "UPDATE reservations SET status=?19, " FIELDS " WHERE number=?1");
#undef FIELDS
    b->expire = sql_prepare(
        s, "UPDATE reservations SET status='expired', ended_at=expires_at, version=?2 WHERE number=?1");
    b->remove = sql_prepare(s, "DELETE FROM reservations WHERE number = ?");
    b->item_insert =
        sql_prepare(s, "INSERT INTO items (reservation, " BOOK_ITEM ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
    b->item_remove = sql_prepare(s, "DELETE FROM items WHERE reservation = ? AND item_id = ?");
    b->items_find = sql_prepare(s, "SELECT reservation, " BOOK_ITEM " FROM items WHERE reservation = ?");
    b->history_insert =
        sql_prepare(s, "INSERT INTO history (reservation, seq, at, actor, actor_name, action, status, "
                       "expires_at, version, reason) VALUES (?,?,?,?,?,?,?,?,?,?)");
    b->history_remove = sql_prepare(s, "DELETE FROM history WHERE reservation = ?");
    b->ticket_insert =
        sql_prepare(s, "INSERT INTO tickets (code, reservation, item_id, unit) VALUES (?,?,?,?)");
    b->ticket_remove = sql_prepare(s, "DELETE FROM tickets WHERE code = ?");
}

/* ---- Items, tickets, history ---- */

static void item_add(struct book_reservation *b, uint64_t number, const struct item_image *i)
{
    sql_bind_int(b->item_insert, 1, (int64_t)number);
    book_row_bind_item(b->item_insert, i);
    sql_do(b->item_insert);
}

static void item_remove(struct book_reservation *b, uint64_t number, const struct item_image *i)
{
    sql_bind_int(b->item_remove, 1, (int64_t)number);
    sql_bind_int(b->item_remove, 2, i->item_id);
    sql_do(b->item_remove);
}

static void tickets_add(struct book_reservation *b, uint64_t number, const uint64_t key[2],
                        const struct item_image *i)
{
    char code[TICKET_CODE_SIZE];
    for (uint32_t unit = 0; unit < i->quantity; unit++) {
        ticket_code_write(key, i->item_id, unit, code);
        sql_bind_text(b->ticket_insert, 1, (struct text){code, sizeof(code)});
        sql_bind_int(b->ticket_insert, 2, (int64_t)number);
        sql_bind_int(b->ticket_insert, 3, i->item_id);
        sql_bind_int(b->ticket_insert, 4, unit);
        sql_do(b->ticket_insert);
    }
}

static void tickets_remove(struct book_reservation *b, const uint64_t key[2], const struct item_image *i)
{
    char code[TICKET_CODE_SIZE];
    for (uint32_t unit = 0; unit < i->quantity; unit++) {
        ticket_code_write(key, i->item_id, unit, code);
        sql_bind_text(b->ticket_remove, 1, (struct text){code, sizeof(code)});
        sql_do(b->ticket_remove);
    }
}

struct entry { /* of the history */
    uint64_t seq;
    int64_t at_ms, expires_at_ms;
    struct actor actor;
    enum action action;
    enum reservation_status status;
    uint32_t version;
    const char *reason; /* NULL: none */
};

static void history_add(struct book_reservation *b, uint64_t number, const struct entry *e)
{
    struct sql_statement *t = b->history_insert;
    sql_bind_int(t, 1, (int64_t)number);
    sql_bind_int(t, 2, (int64_t)e->seq);
    sql_bind_int(t, 3, e->at_ms);
    sql_bind_word(t, 4, role_name(e->actor.role));
    sql_bind_text(t, 5, e->actor.name.size ? e->actor.name : (struct text){0});
    sql_bind_word(t, 6, action_name(e->action));
    sql_bind_word(t, 7, reservation_status_name(e->status));
    sql_bind_int(t, 8, e->expires_at_ms);
    sql_bind_int(t, 9, e->version);
    sql_bind_word(t, 10, e->reason);
    sql_do(t);
}

/* Reads the items into b->before. */
static void items_read(struct book_reservation *b, uint64_t number)
{
    struct book_before *before = &b->before;
    before->item_count = 0;
    sql_bind_int(b->items_find, 1, (int64_t)number);
    while (sql_next(b->items_find)) {
        if (before->item_count == ITEMS_MAX) {
            sql_fail(b->sql, STATUS_CORRUPT, "Reservation %llu has too many items in the book.",
                     (unsigned long long)number);
            sql_reset(b->items_find);
            return;
        }
        book_row_item(b->sql, b->items_find, &before->items[before->item_count++]);
    }
}

/* ---- A new image ---- */

static void record_write(struct book_reservation *b, struct sql_statement *t,
                         const struct reservation_image *r)
{
    sql_bind_int(t, 1, (int64_t)r->number);
    book_row_bind_id(t, 2, r->id);
    sql_bind_text(t, 3, r->user_id);
    sql_bind_int(t, 4, (int64_t)r->fence);
    sql_bind_int(t, 5, r->version);
    sql_bind_int(t, 6, r->created_at_ms);
    sql_bind_int(t, 7, r->expires_at_ms);
    sql_bind_int(t, 8, r->max_expires_at_ms);
    book_row_bind_time(t, 9, r->payment_started_at_ms);
    sql_bind_int(t, 10, r->hold_ttl_s);
    sql_bind_int(t, 11, r->payment_ttl_s);
    sql_bind_int(t, 12, r->payment_required);
    sql_bind_text(t, 13, (struct text){r->currency, strnlen(r->currency, 3)});
    sql_bind_int(t, 14, r->next_item_id);
    sql_bind_text(t, 15, r->attributes);
    sql_bind_text(t, 16, r->payment_method);
    sql_bind_text(t, 17, r->payment_ref);
    sql_bind_int(t, 18, r->from_list);
    sql_bind_word(t, 19, reservation_status_name(r->status));
    book_row_bind_time(t, 20, r->confirmed_at_ms);
    book_row_bind_time(t, 21, r->ended_at_ms);
    book_row_bind_pair(t, 22, r->ticket_key, true);
    if (sql_do(t) != 1)
        sql_fail(b->sql, STATUS_CORRUPT, "The book has no reservation %llu.", (unsigned long long)r->number);
}

static const struct item_image *same_item(const struct item_image *i, const struct item_image *in,
                                          uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        if (in[k].item_id == i->item_id && in[k].kind == i->kind && in[k].event == i->event &&
            in[k].position == i->position && in[k].quantity == i->quantity && in[k].price == i->price &&
            in[k].fence == i->fence && in[k].start_ms == i->start_ms && in[k].end_ms == i->end_ms &&
            in[k].until_ms == i->until_ms)
            return &in[k];
    return NULL;
}

static void reconcile(struct book_reservation *b, const struct change *c)
{
    const struct reservation_image *r = &c->reservation.image;
    const struct book_before *old = &b->before;
    for (uint32_t k = 0; k < old->item_count; k++) {
        const struct item_image *i = &old->items[k];
        bool kept = same_item(i, r->items, r->item_count);
        if (book_claim_live(old->status) && !(kept && book_claim_stays(i, old->status, r->status)))
            book_claim_end(&b->claim, c, r->number, i, old->status);
        if (!kept && old->status == RESERVATION_CONFIRMED)
            tickets_remove(b, r->ticket_key, i);
        if (!kept)
            item_remove(b, r->number, i);
    }
    for (uint32_t k = 0; k < r->item_count; k++) {
        const struct item_image *i = &r->items[k];
        bool kept = same_item(i, old->items, old->item_count);
        if (!kept)
            item_add(b, r->number, i);
        if (book_claim_live(r->status) && !(kept && book_claim_stays(i, old->status, r->status)))
            book_claim_begin(&b->claim, c, r->number, i, r->status);
        if (r->status == RESERVATION_CONFIRMED && !(kept && old->status == RESERVATION_CONFIRMED))
            tickets_add(b, r->number, r->ticket_key, i);
    }
}

/* NULL: none needs to be said. */
static const char *reason_of(const struct change *c)
{
    bool offered = c->reservation.action == ACTION_HELD && c->actor.role == ROLE_SERVER;
    return offered && c->reservation.image.from_list ? "list" : NULL;
}

void book_reservation_write(struct book_reservation *b, const struct change *c)
{
    const struct reservation_image *r = &c->reservation.image;
    ASSERT(r->item_count <= ITEMS_MAX);
    bool is_new = r->number == c->seq; /* its number is the seq of the change that made it */
    b->before.status = r->status;
    b->before.item_count = 0;
    if (!is_new) {
        sql_bind_int(b->find, 1, (int64_t)r->number);
        if (sql_next(b->find))
            b->before.status = book_row_status(b->sql, b->find, 0);
        else
            sql_fail(b->sql, STATUS_CORRUPT, "Change %llu changes a reservation that the book does not have.",
                     (unsigned long long)c->seq);
        sql_reset(b->find);
        items_read(b, r->number);
    }
    record_write(b, is_new ? b->insert : b->before.status == r->status ? b->update : b->update_status, r);
    reconcile(b, c);
    history_add(b, r->number,
                &(struct entry){.seq = c->seq,
                                .at_ms = c->at_ms,
                                .expires_at_ms = r->expires_at_ms,
                                .actor = c->actor,
                                .action = c->reservation.action,
                                .status = r->status,
                                .version = r->version,
                                .reason = reason_of(c)});
}

/* ---- Many that end at one instant ---- */

static void expire_one(struct book_reservation *b, const struct change *c, struct id id)
{
    book_row_bind_id(b->find_by_id, 1, id);
    if (!sql_next(b->find_by_id) || book_row_status(b->sql, b->find_by_id, 1) != RESERVATION_HELD) {
        char text[ID_TEXT_SIZE];
        id_write(id, text);
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu expires res_%.*s, which is not held.",
                 (unsigned long long)c->seq, ID_TEXT_SIZE, text);
        sql_reset(b->find_by_id);
        return;
    }
    uint64_t number = (uint64_t)sql_int(b->find_by_id, 0);
    uint32_t version = (uint32_t)sql_int(b->find_by_id, 2) + 1;
    int64_t expires_at_ms = sql_int(b->find_by_id, 3);
    sql_reset(b->find_by_id);
    items_read(b, number);
    for (uint32_t k = 0; k < b->before.item_count; k++)
        book_claim_end(&b->claim, c, number, &b->before.items[k], RESERVATION_HELD);
    sql_bind_int(b->expire, 1, (int64_t)number);
    sql_bind_int(b->expire, 2, version);
    sql_do(b->expire);
    history_add(b, number,
                &(struct entry){.seq = c->seq,
                                .at_ms = c->at_ms,
                                .expires_at_ms = expires_at_ms,
                                .actor = {.role = ROLE_SERVER},
                                .action = ACTION_EXPIRED,
                                .status = RESERVATION_EXPIRED,
                                .version = version});
}

void book_reservation_expire(struct book_reservation *b, const struct change *c)
{
    struct bytes_reader ids = c->expired.ids;
    for (uint32_t i = 0; i < c->expired.count && sql_sound(b->sql); i++) {
        struct id id = expired_id_get(&ids);
        if (ids.bad)
            sql_fail(b->sql, STATUS_CORRUPT, "Change %llu names fewer reservations than it says.",
                     (unsigned long long)c->seq);
        else
            expire_one(b, c, id);
    }
}

void book_reservation_forget(struct book_reservation *b, uint64_t number, const uint64_t ticket_key[2])
{
    items_read(b, number);
    for (uint32_t k = 0; k < b->before.item_count; k++) {
        if (ticket_key[0] || ticket_key[1])
            tickets_remove(b, ticket_key, &b->before.items[k]);
        item_remove(b, number, &b->before.items[k]);
    }
    sql_bind_int(b->history_remove, 1, (int64_t)number);
    sql_do(b->history_remove);
    sql_bind_int(b->remove, 1, (int64_t)number);
    sql_do(b->remove);
}
