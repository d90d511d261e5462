/* SPDX-License-Identifier: Apache-2.0 */
#include "book/claim/reservation.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/door/door.h"
#include "book/record/kept.h"
#include "book/record/search.h"

/* A reservation as it is in the book before a change. */
struct book_before {
    enum reservation_status status;
    char user[USER_SIZE_MAX]; /* its owner */
    size_t user_size;
    uint64_t ticket_key[2]; /* 0,0: it was not sold */
    struct book_item items[ITEMS_MAX];
    uint32_t item_count;
    struct arena arena; /* the texts of its items */
};

struct book_reservation {
    struct sql *sql;
    struct book_claim claim;
    struct book_search search;
    struct book_door door;
    struct book_before before;         /* scratch: too large to clear on the stack for every change */
    struct book_item items[ITEMS_MAX]; /* scratch: the items of the image, as rows */
    struct sql_statement *insert, *find, *find_by_id, *update, *update_status, *give, *expire, *remove;
    struct sql_statement *item_insert, *item_extras, *item_remove, *items_find;
    struct sql_statement *history_item_insert, *history_items_remove;
    struct sql_statement *history_insert, *history_remove, *ticket_insert, *ticket_remove;
    struct sql_statement *erase, *erase_items, *erase_history, *erase_past, *erased_insert; /* its owner */
};

struct book_reservation *book_reservation_make(struct sql *s)
{
    struct book_reservation *b = memory_zeroed(1, sizeof(*b));
    b->sql = s;
    arena_init(&b->before.arena, ITEM_ATTRIBUTES_SIZE_MAX);
    book_claim_prepare(&b->claim, s);
    book_search_prepare(&b->search, s);
    book_door_prepare(&b->door, s);
    b->insert = book_record_prepare(s, &reservation_record, BOOK_INSERT);
    b->find =
        sql_prepare(s, "SELECT status, user_id, attributes, ticket_key FROM reservations WHERE number = ?");
    b->find_by_id =
        sql_prepare(s, "SELECT number, status, version, expires_at FROM reservations WHERE id = ?");
    b->update = book_record_prepare(s, &reservation_record, BOOK_UPDATE);
    b->update_status = book_record_prepare(s, &reservation_record, BOOK_UPDATE_APART);
    b->give = sql_prepare(s, "UPDATE reservations SET user_id = ?2 WHERE number = ?1");
    b->expire = sql_prepare(s, "UPDATE reservations SET status='expired', ended_at=expires_at, version=?2, "
                               "singles=NULL WHERE number=?1");
    b->remove = sql_prepare(s, "DELETE FROM reservations WHERE number = ?");
    b->item_insert = book_record_prepare(s, &item_record, BOOK_INSERT);
    b->item_extras = book_record_prepare(s, &item_record, BOOK_UPDATE_ONLY_APART);
    b->item_remove = book_record_prepare(s, &item_record, BOOK_DELETE);
    b->items_find = book_record_prepare(s, &item_record, BOOK_SELECT "WHERE reservation = ?");
    b->history_insert = book_record_prepare(s, &history_record, BOOK_INSERT);
    b->history_item_insert = book_record_prepare(s, &history_item_record, BOOK_INSERT);
    b->history_items_remove = sql_prepare(s, "DELETE FROM history_items WHERE reservation = ?");
    b->history_remove = sql_prepare(s, "DELETE FROM history WHERE reservation = ?");
    b->erase =
        sql_prepare(s, "UPDATE reservations SET user_id = ?2, attributes = NULL, version = version + 1, "
                       "manage_gen = manage_gen + 1 WHERE number = ?1");
    b->erase_items = sql_prepare(
        s, "UPDATE items SET attributes = NULL WHERE reservation = ?1 AND attributes IS NOT NULL");
    b->erase_past = sql_prepare(
        s, "UPDATE history_items SET attributes = NULL WHERE reservation = ?1 AND attributes IS NOT NULL");
    b->erase_history = sql_prepare(
        s, "UPDATE history SET actor_name = CASE WHEN actor = 'user' AND actor_name = ?2 THEN ?3 ELSE "
           "actor_name END, "
           "user_before = CASE WHEN user_before = ?2 THEN ?3 ELSE user_before END, "
           "user_after = CASE WHEN user_after = ?2 THEN ?3 ELSE user_after END WHERE reservation = ?1 "
           "AND ((actor = 'user' AND actor_name = ?2) OR user_before = ?2 OR user_after = ?2)");
    b->erased_insert = sql_prepare(s, "INSERT INTO history (reservation, seq, at, actor, actor_name, action, "
                                      "status, expires_at, version) "
                                      "SELECT number, ?2, ?3, ?4, ?5, ?6, status, expires_at, version "
                                      "FROM reservations WHERE number = ?1");
    b->ticket_insert = book_record_prepare(s, &ticket_record, BOOK_INSERT);
    b->ticket_remove = book_record_prepare(s, &ticket_record, BOOK_DELETE);
    return b;
}

void book_reservation_release(struct book_reservation *b)
{
    if (!b)
        return;
    arena_release(&b->before.arena);
    book_search_release(&b->search);
}

/* ---- Items, tickets, history ---- */

/* Runs the statement for each unit of the item. */
static void tickets_each(struct sql_statement *t, const uint64_t key[2], const struct book_item *i)
{
    char code[TICKET_CODE_SIZE];
    struct book_ticket ticket = {{code, sizeof(code)}, i->reservation, i->image.item_id, 0};
    ASSERT(key[0] || key[1]); /* the codes of key 0,0 would be the same for all reservations */
    for (; ticket.unit < i->image.quantity; ticket.unit++) {
        ticket_code_write(key, ticket.item_id, ticket.unit, code);
        book_record_put(t, &ticket_record, &ticket);
    }
}

/* Reads the items into b->before. */
static void items_read(struct book_reservation *b, uint64_t number)
{
    struct book_before *before = &b->before;
    before->item_count = 0;
    arena_reset(&before->arena);
    sql_bind_int(b->items_find, 1, (int64_t)number);
    while (sql_next(b->items_find)) {
        if (before->item_count == ITEMS_MAX) {
            sql_fail(b->sql, STATUS_CORRUPT, "Reservation %llu has too many items in the book.",
                     (unsigned long long)number);
            sql_reset(b->items_find);
            return;
        }
        struct book_item *item = &before->items[before->item_count++];
        book_record_read(b->sql, b->items_find, &item_record, &item->image, NULL);
        book_record_keep(&item_record, &item->image, &before->arena);
        item->reservation = number;
    }
}

/* ---- A new image ---- */

/* The same item, ignoring its extras; NULL: there is none. */
static const struct book_item *item_in(const struct book_item *i, const struct book_item *in, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        if (book_record_same(&item_record, i, &in[k]))
            return &in[k];
    return NULL;
}

/* Whether one of the others continues the claim of this item: a change of its price, say, does not touch the claim. If it
 * ended and began in one change, the seat would seem to be freed after it was claimed. */
static bool claim_goes_on(const struct book_item *i, const struct book_item *in, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        if (book_claim_same(&i->image, &in[k].image))
            return true;
    return false;
}

/* An unchanged item keeps its tickets and their codes, even after the reservation has ended, unless the key has changed. */
static bool keeps_tickets(const struct book_before *old, const struct reservation_image *r, bool kept)
{
    return kept && old->status == RESERVATION_CONFIRMED &&
           memcmp(old->ticket_key, r->ticket_key, sizeof(r->ticket_key)) == 0;
}

/* Marks the tickets of a sold item for the door, if they are void or the item has moved. */
static void mark_tickets(struct book_reservation *b, const struct change *c, const struct book_item *i)
{
    const struct reservation_image *r = &c->reservation.image;
    const struct item_image *to = NULL;
    for (uint32_t k = 0; keeps_tickets(&b->before, r, true) && k < r->item_count && !to; k++)
        to = b->items[k].image.item_id == i->image.item_id ? &b->items[k].image : NULL;
    if (r->status != RESERVATION_CONFIRMED)
        to = NULL;
    if (!to || to->fence != i->image.fence)
        book_door_mark(&b->door, c, b->before.ticket_key, &i->image, to);
}

/* Called first, so that new claims find their place free: an item may move to a seat that another one left. */
static void end_items(struct book_reservation *b, struct book_touched *touched, const struct change *c)
{
    const struct reservation_image *r = &c->reservation.image;
    const struct book_before *old = &b->before;
    for (uint32_t k = 0; k < old->item_count; k++) {
        const struct book_item *i = &old->items[k];
        bool kept = item_in(i, b->items, r->item_count) != NULL;
        bool goes_on = (kept || claim_goes_on(i, b->items, r->item_count)) &&
                       book_claim_stays(&i->image, old->status, r->status);
        if (book_claim_live(old->status) && !goes_on)
            book_claim_end(&b->claim, c, r->number, &i->image, old->status);
        if (book_claim_live(old->status) && (!goes_on || old->status != r->status))
            book_touched_set(touched, i->image.resource, c->seq);
        if (old->status == RESERVATION_CONFIRMED)
            mark_tickets(b, c, i);
        if (old->status == RESERVATION_CONFIRMED && !keeps_tickets(old, r, kept))
            tickets_each(b->ticket_remove, old->ticket_key, i);
        if (!kept)
            book_record_put(b->item_remove, &item_record, i);
    }
}

static void begin_items(struct book_reservation *b, struct book_touched *touched, const struct change *c)
{
    const struct reservation_image *r = &c->reservation.image;
    const struct book_before *old = &b->before;
    for (uint32_t k = 0; k < r->item_count; k++) {
        const struct book_item *i = &b->items[k];
        const struct book_item *kept = item_in(i, old->items, old->item_count);
        if (!kept)
            book_record_put(b->item_insert, &item_record, i);
        else if (!book_record_same_apart(&item_record, i, kept))
            book_record_put(b->item_extras, &item_record, i);
        bool goes_on = (kept || claim_goes_on(i, old->items, old->item_count)) &&
                       book_claim_stays(&i->image, old->status, r->status);
        if (book_claim_live(r->status) && !goes_on)
            book_claim_begin(&b->claim, c, r->number, &i->image, r->status);
        if (book_claim_live(r->status) && !goes_on)
            book_touched_set(touched, i->image.resource, c->seq);
        if (r->status == RESERVATION_CONFIRMED && !keeps_tickets(old, r, kept))
            tickets_each(b->ticket_insert, r->ticket_key, i);
    }
}

/* The texts in the book: `b->find` is at its row, and they are valid until its next step. */
static struct book_search_words words_before(const struct book_reservation *b)
{
    return (struct book_search_words){sql_text(b->find, 1), sql_text(b->find, 2), b->before.items,
                                      b->before.item_count};
}

static struct book_search_words words_after(const struct book_reservation *b,
                                            const struct reservation_image *r)
{
    return (struct book_search_words){r->user_id, r->attributes, b->items, r->item_count};
}

/* Updates the search index, if the image has other words. */
static void search_update(struct book_reservation *b, const struct reservation_image *r)
{
    struct book_search_words before = words_before(b), after = words_after(b, r);
    if (book_search_same(&before, &after))
        return;
    book_search_remove(&b->search, r->number, &before);
    book_search_add(&b->search, r->number, &after);
}

/* Reads it into b->before. A reservation that is not new must be in the book. */
static void before_read(struct book_reservation *b, const struct change *c, uint64_t number)
{
    items_read(b, number);
    sql_bind_int(b->find, 1, (int64_t)number);
    if (sql_next(b->find)) {
        b->before.status =
            (enum reservation_status)book_row_word(b->sql, b->find, 0, &reservation_status_words);
        struct text user_id = sql_text(b->find, 1);
        bool fits = user_id.size <= sizeof(b->before.user);
        if (!fits)
            sql_fail(b->sql, STATUS_CORRUPT, "Reservation %llu has a user id of %zu bytes.",
                     (unsigned long long)number, user_id.size);
        b->before.user_size = fits ? user_id.size : 0;
        memcpy(b->before.user, user_id.at, b->before.user_size);
        search_update(b, &c->reservation.image);
        book_row_pair(b->sql, b->find, 3, b->before.ticket_key);
    } else {
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu changes a reservation that the book does not have.",
                 (unsigned long long)c->seq);
    }
    sql_reset(b->find);
}

static void write_before(struct book_reservation *b, const struct change *c)
{
    struct bytes_reader in = c->reservation.before;
    struct book_history_item row = {.reservation = c->reservation.image.number, .seq = c->seq};
    ASSERT(c->reservation.before_count <= ITEMS_MAX);
    for (uint32_t i = 0; i < c->reservation.before_count; i++) {
        ASSERT(item_before_get(&in, &row.image)); /* already read once, by decoding */
        book_record_put(b->history_item_insert, &history_item_record, &row);
    }
}

static void update_owner(struct book_reservation *b, const struct reservation_image *r)
{
    ASSERT(r->transferred == r->fence && r->manage_gen);
    sql_bind_int(b->give, 1, (int64_t)r->number);
    sql_bind_text(b->give, 2, r->user_id);
    sql_do(b->give);
}

void book_reservation_write(struct book_parts *parts, const struct change *c)
{
    struct book_reservation *b = parts->reservation;
    const struct reservation_image *r = &c->reservation.image;
    ASSERT(c->kind == CHANGE_RESERVATION);
    ASSERT(r->item_count >= 1 && r->item_count <= ITEMS_MAX);
    ASSERT(r->number <= c->seq); /* its number is the seq of the change that created it */
    ASSERT(r->fence >= r->number && r->fence <= c->seq); /* the seq of one of its grants */
    bool is_new = r->number == c->seq;
    ASSERT(!is_new || r->version == 1);
    b->before.status = r->status;
    b->before.item_count = 0;
    for (uint32_t k = 0; k < r->item_count; k++)
        b->items[k] = (struct book_item){r->items[k], r->number};
    struct book_search_words words = words_after(b, r);
    ASSERT(!is_new ||
           (book_claim_live(r->status) && !c->reservation.before_count)); /* it begins with a claim */
    if (!is_new)
        before_read(b, c, r->number);
    else
        book_search_add(&b->search, r->number, &words);
    /* An UPDATE that names `status` rewrites its index, so only one that changes it does. */
    struct sql_statement *t = is_new                          ? b->insert
                              : b->before.status == r->status ? b->update
                                                              : b->update_status;
    if (book_record_put(t, &reservation_record, r) != 1)
        sql_fail(b->sql, STATUS_CORRUPT, "The book has no reservation %llu.", (unsigned long long)r->number);
    if (c->reservation.action == ACTION_TRANSFERRED)
        update_owner(b, r); /* separately, because it rewrites the index by user */
    /* After the record: items, claims and tickets refer to it. */
    end_items(b, parts->touched, c);
    begin_items(b, parts->touched, c);
    write_before(b, c);
    const char *word = action_reason(c->reservation.action, c->actor.role);
    struct text reason = word ? (struct text){word, strlen(word)} : c->reservation.reason;
    bool given = c->reservation.action == ACTION_TRANSFERRED;
    struct text nobody = {0}, giver = {b->before.user, b->before.user_size};
    book_record_put(b->history_insert, &history_record,
                    &(struct book_history){{.seq = c->seq,
                                            .at_ms = c->at_ms,
                                            .expires_at_ms = r->expires_at_ms,
                                            .actor = c->actor,
                                            .action = c->reservation.action,
                                            .status = r->status,
                                            .version = r->version,
                                            .user_before = given ? giver : nobody,
                                            .user_after = given ? r->user_id : nobody},
                                           .reservation = r->number,
                                           .reason = reason});
}

/* ---- Many that end at one instant ---- */

static void expire_one(struct book_reservation *b, struct book_touched *touched, const struct change *c,
                       struct id id)
{
    /* Without an image: thousands may expire at once, and the change has only their ids. */
    struct sql_statement *t = b->find_by_id;
    book_row_bind_id(t, 1, id);
    if (!sql_next(t) || book_row_word(b->sql, t, 1, &reservation_status_words) != RESERVATION_HELD) {
        char text[ID_TEXT_SIZE];
        id_write(id, text);
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu expires res_%.*s, which is not held.",
                 (unsigned long long)c->seq, ID_TEXT_SIZE, text);
        sql_reset(t);
        return;
    }
    uint64_t number = (uint64_t)sql_int(t, 0);
    uint32_t version = (uint32_t)sql_int(t, 2) + 1;
    int64_t expires_at_ms = sql_int(t, 3);
    sql_reset(t);
    items_read(b, number);
    for (uint32_t k = 0; k < b->before.item_count; k++) {
        book_claim_end(&b->claim, c, number, &b->before.items[k].image, RESERVATION_HELD);
        book_touched_set(touched, b->before.items[k].image.resource, c->seq);
    }
    sql_do_ints(b->expire, number, version);
    book_record_put(b->history_insert, &history_record,
                    &(struct book_history){{.seq = c->seq,
                                            .at_ms = c->at_ms,
                                            .expires_at_ms = expires_at_ms,
                                            .actor = {.role = ROLE_SERVER},
                                            .action = ACTION_EXPIRED,
                                            .status = RESERVATION_EXPIRED,
                                            .version = version},
                                           .reservation = number}); /* the action is its reason */
}

void book_reservation_expire(struct book_parts *parts, const struct change *c)
{
    struct book_reservation *b = parts->reservation;
    struct bytes_reader ids = c->expired.ids;
    ASSERT(c->kind == CHANGE_EXPIRED && c->expired.count >= 1);
    for (uint32_t i = 0; i < c->expired.count && sql_sound(b->sql); i++) {
        struct id id = expired_id_get(&ids);
        if (ids.bad)
            sql_fail(b->sql, STATUS_CORRUPT, "Change %llu names fewer reservations than it says.",
                     (unsigned long long)c->seq);
        else
            expire_one(b, parts->touched, c, id);
    }
}

void book_reservation_check_in(struct book_parts *parts, const struct change *c)
{
    ASSERT(c->kind == CHANGE_CHECK_IN);
    book_door_write(&parts->reservation->door, c);
}

void book_reservation_forget(struct book_reservation *b, uint64_t number, const uint64_t ticket_key[2])
{
    items_read(b, number);
    for (uint32_t k = 0; k < b->before.item_count; k++) {
        /* Codes are derived from the key, so tickets need no index by reservation. */
        if (ticket_key[0] || ticket_key[1])
            tickets_each(b->ticket_remove, ticket_key, &b->before.items[k]);
        book_record_put(b->item_remove, &item_record, &b->before.items[k]);
    }
    sql_bind_int(b->find, 1, (int64_t)number);
    if (sql_next(b->find)) {
        struct book_search_words words = words_before(b);
        book_search_remove(&b->search, number, &words);
    }
    sql_reset(b->find);
    sql_do_ints(b->history_remove, number);
    sql_do_ints(b->history_items_remove, number);
    book_door_forget(&b->door, number);
    sql_do_ints(b->remove, number);
}

/* ---- Its owner is erased ---- */

void book_reservation_rename(struct book_reservation *b, const struct change *c, uint64_t number)
{
    ASSERT(c->kind == CHANGE_ERASED && number < c->seq);
    sql_bind_int(b->erase_history, 1, (int64_t)number);
    sql_bind_text(b->erase_history, 2, c->erased.from);
    sql_bind_text(b->erase_history, 3, c->erased.to);
    sql_do(b->erase_history);
}

void book_reservation_forget_words(struct book_reservation *b, uint64_t number)
{
    items_read(b, number);
    sql_bind_int(b->find, 1, (int64_t)number);
    if (sql_next(b->find)) {
        struct book_search_words words = words_before(b);
        book_search_remove(&b->search, number, &words);
    }
    sql_reset(b->find);
}

void book_reservation_erase(struct book_reservation *b, const struct change *c, uint64_t number)
{
    struct book_search_words after = {.user_id = c->erased.to};
    book_search_add(&b->search, number, &after);
    sql_bind_int(b->erase, 1, (int64_t)number);
    sql_bind_text(b->erase, 2, c->erased.to);
    sql_do(b->erase);
    sql_do_ints(b->erase_items, number);
    sql_do_ints(b->erase_past, number);
    book_reservation_rename(b, c, number);
    struct sql_statement *t = b->erased_insert;
    sql_bind_ints(t, number, c->seq, c->at_ms);
    sql_bind_word(t, 4, role_name(c->actor.role));
    sql_bind_text(t, 5, c->actor.name.size ? c->actor.name : (struct text){0});
    sql_bind_word(t, 6, action_name(ACTION_ERASED));
    sql_do(t);
}
