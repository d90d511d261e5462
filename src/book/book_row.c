/* SPDX-License-Identifier: Apache-2.0 */
#include "book/book_row.h"

#include "base/assertion.h"

/* ---- Into the tables ---- */

void book_row_id_write(struct id id, char out[RESERVATION_ID_SIZE])
{
    memcpy(out, "res_", 4);
    id_write(id, out + 4);
}

void book_row_bind_id(struct sql_statement *t, int parameter, struct id id, char out[RESERVATION_ID_SIZE])
{
    book_row_id_write(id, out);
    sql_bind_text(t, parameter, (struct text){out, RESERVATION_ID_SIZE});
}

void book_row_bind_time(struct sql_statement *t, int parameter, int64_t at_ms)
{
    if (at_ms)
        sql_bind_int(t, parameter, at_ms);
    else
        sql_bind_null(t, parameter);
}

void book_row_pair_write(const uint64_t pair[2], uint8_t out[16])
{
    for (int i = 0; i < 16; i++)
        out[i] = (uint8_t)(pair[i / 8] >> (56 - 8 * (i % 8)));
}

static const char *kind_word(enum item_kind kind)
{
    return kind == ITEM_SEAT ? "seat" : kind == ITEM_POOL ? "pool" : "slot";
}

void book_row_bind_item(struct sql_statement *t, const struct item_image *i)
{
    bool slot = i->kind == ITEM_SLOT;
    ASSERT(slot || i->kind == ITEM_SEAT || i->kind == ITEM_POOL);
    sql_bind_int(t, 2, i->item_id);
    sql_bind_word(t, 3, kind_word(i->kind));
    for (int place = 4; place <= 12; place++)
        sql_bind_null(t, place);
    sql_bind_int(t, slot ? 5 : 4, (int64_t)i->event);
    if (!slot)
        sql_bind_int(t, 6, i->position);
    else if (i->position)
        sql_bind_int(t, 6, (int64_t)i->position - 1);
    sql_bind_int(t, 7, i->quantity);
    sql_bind_int(t, 8, i->price);
    sql_bind_int(t, 9, (int64_t)i->fence);
    if (!slot)
        return;
    sql_bind_int(t, 10, i->start_ms);
    sql_bind_int(t, 11, i->end_ms);
    sql_bind_int(t, 12, i->until_ms);
}

/* ---- Out of them ---- */

static void fail_word(struct sql *s, const char *what, struct text word)
{
    sql_fail(s, STATUS_CORRUPT, "The book has a %s that does not exist: '%.*s'.", what,
             (int)(word.size < 40 ? word.size : 40), word.at ? word.at : "");
}

static bool is_word(struct text text, const char *word)
{
    return text_equal(text, (struct text){word, strlen(word)});
}

struct id book_row_id(struct sql *s, struct sql_statement *t, int column)
{
    struct text text = sql_text(t, column);
    struct id id = {0};
    if (text.size != RESERVATION_ID_SIZE || memcmp(text.at, "res_", 4) != 0 ||
        !id_read(text.at + 4, text.size - 4, &id))
        fail_word(s, "reservation id", text);
    return id;
}

void book_row_pair(struct sql *s, struct sql_statement *t, int column, uint64_t out[2])
{
    out[0] = out[1] = 0;
    if (sql_null(t, column))
        return;
    const uint8_t *bytes = sql_blob(t, column, 16);
    if (!bytes) {
        sql_fail(s, STATUS_CORRUPT, "The book has a key that is not of 16 bytes.");
        return;
    }
    for (int i = 0; i < 16; i++)
        out[i / 8] = out[i / 8] << 8 | bytes[i];
}

enum reservation_status book_row_status(struct sql *s, struct sql_statement *t, int column)
{
    enum reservation_status status = RESERVATION_HELD;
    if (!reservation_status_read(sql_text(t, column), &status))
        fail_word(s, "status", sql_text(t, column));
    return status;
}

enum role book_row_role(struct sql *s, struct sql_statement *t, int column)
{
    struct text text = sql_text(t, column);
    for (int role = ROLE_USER; role <= ROLE_SERVER; role++)
        if (is_word(text, role_name((enum role)role)))
            return (enum role)role;
    fail_word(s, "role", text);
    return ROLE_SERVER;
}

enum action book_row_action(struct sql *s, struct sql_statement *t, int column)
{
    struct text text = sql_text(t, column);
    for (int action = ACTION_HELD; action <= ACTION_EXPIRED; action++)
        if (is_word(text, action_name((enum action)action)))
            return (enum action)action;
    fail_word(s, "action", text);
    return ACTION_HELD;
}

enum item_kind book_row_kind(struct sql *s, struct sql_statement *t, int column)
{
    static const enum item_kind kinds[] = {ITEM_SEAT, ITEM_POOL, ITEM_SLOT};
    struct text text = sql_text(t, column);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (is_word(text, kind_word(kinds[i])))
            return kinds[i];
    fail_word(s, "kind of item", text);
    return ITEM_POOL;
}

enum payment_rule book_row_payment(struct sql *s, struct sql_statement *t, int column)
{
    struct text text = sql_text(t, column);
    if (is_word(text, "none"))
        return PAYMENT_NONE;
    if (!is_word(text, "required"))
        fail_word(s, "rule of payment", text);
    return PAYMENT_REQUIRED;
}

enum late_payment_rule book_row_late_payment(struct sql *s, struct sql_statement *t, int column)
{
    struct text text = sql_text(t, column);
    if (is_word(text, "refund"))
        return LATE_PAYMENT_REFUND;
    if (!is_word(text, "accept_if_free"))
        fail_word(s, "rule of late payment", text);
    return LATE_PAYMENT_ACCEPT_IF_FREE;
}

void book_row_currency(struct sql *s, struct sql_statement *t, int column, char out[4])
{
    struct text text = sql_text(t, column);
    memset(out, 0, 4);
    if (text.size > 3)
        fail_word(s, "currency", text);
    else if (text.size)
        memcpy(out, text.at, text.size);
}

void book_row_held(struct sql *s, struct sql_statement *t, struct reservation_image *r)
{
    *r = (struct reservation_image){
        .number = (uint64_t)sql_int(t, 0),
        .id = book_row_id(s, t, 1),
        .status = RESERVATION_HELD,
        .user_id = sql_text(t, 2),
        .fence = (uint64_t)sql_int(t, 3),
        .version = (uint32_t)sql_int(t, 4),
        .created_at_ms = sql_int(t, 5),
        .expires_at_ms = sql_int(t, 6),
        .max_expires_at_ms = sql_int(t, 7),
        .payment_started_at_ms = sql_int(t, 8),
        .hold_ttl_s = (uint32_t)sql_int(t, 9),
        .payment_ttl_s = (uint32_t)sql_int(t, 10),
        .payment_required = sql_int(t, 11) != 0,
        .next_item_id = (uint32_t)sql_int(t, 13),
        .attributes = sql_text(t, 14),
        .payment_method = sql_text(t, 15),
        .payment_ref = sql_text(t, 16),
    };
    book_row_currency(s, t, 12, r->currency);
}

void book_row_reservation(struct sql *s, struct sql_statement *t, struct reservation_image *r)
{
    book_row_held(s, t, r);
    r->status = book_row_status(s, t, 17);
    r->confirmed_at_ms = sql_int(t, 18);
    r->ended_at_ms = sql_int(t, 19);
    book_row_pair(s, t, 20, r->ticket_key);
}

void book_row_item(struct sql *s, struct sql_statement *t, struct item_image *i)
{
    *i = (struct item_image){
        .item_id = (uint32_t)sql_int(t, 1),
        .kind = book_row_kind(s, t, 2),
        .event = (uint64_t)sql_int(t, 3),
        .position = (uint32_t)sql_int(t, 5),
        .quantity = (uint32_t)sql_int(t, 6),
        .price = sql_int(t, 7),
        .fence = (uint64_t)sql_int(t, 8),
    };
    if (i->kind != ITEM_SLOT)
        return;
    i->event = (uint64_t)sql_int(t, 4);
    i->position = sql_null(t, 5) ? 0 : i->position + 1;
    i->start_ms = sql_int(t, 9);
    i->end_ms = sql_int(t, 10);
    i->until_ms = sql_int(t, 11);
}
