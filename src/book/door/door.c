/* SPDX-License-Identifier: Apache-2.0 */
#include "book/door/door.h"

#include "base/assertion.h"
#include "book/record/columns.h"
#include "core/door/nonce.h"

/* ---- Writing ---- */

void book_door_prepare(struct book_door *d, struct sql *s)
{
    d->sql = s;
    d->scan = sql_prepare(s, "INSERT INTO check_ins (seq, reservation, item_id, unit, event, result, at, "
                             "recorded_at, gate, actor, actor_name, code, nonce) "
                             "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)");
    d->use = sql_prepare(
        s,
        "INSERT INTO ticket_marks (code, reservation, item_id, unit, kind, resource, part, event, reissue, "
        "is_void, moved, used, at, gate, nonce, changed_at, changed_seq) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0, 0, ?10, ?11, ?12, ?13, ?14, ?15) "
        "ON CONFLICT (code) DO UPDATE SET used = excluded.used, at = excluded.at, gate = excluded.gate, "
        "nonce = excluded.nonce, changed_at = excluded.changed_at, changed_seq = excluded.changed_seq");
    d->end = sql_prepare(
        s,
        "INSERT INTO ticket_marks (code, reservation, item_id, unit, kind, resource, part, event, reissue, "
        "is_void, moved, changed_at, changed_seq) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 1, ?11, ?12) "
        "ON CONFLICT (code) DO UPDATE SET part = excluded.part, reissue = excluded.reissue, moved = 1, "
        "is_void = excluded.is_void, changed_at = excluded.changed_at, changed_seq = excluded.changed_seq");
    book_aside_prepare(&d->aside, s);
    d->forget_scans = sql_prepare(s, "DELETE FROM check_ins WHERE reservation = ?");
    d->forget_marks = sql_prepare(s, "DELETE FROM ticket_marks WHERE reservation = ?");
}

static bool of_event(enum item_kind kind)
{
    ASSERT(kind >= ITEM_KIND_FIRST && kind <= ITEM_KIND_LAST && book_item_kinds[kind].word);
    return strcmp(book_item_kinds[kind].owner, "event") == 0;
}

static void bind_event(struct sql_statement *t, int parameter, enum item_kind kind, uint64_t resource)
{
    if (of_event(kind))
        sql_bind_int(t, parameter, (int64_t)resource);
    else
        sql_bind_null(t, parameter);
}

/* Binds ?1 to ?9 of both statements on ticket_marks. */
static void bind_ticket(struct sql_statement *t, uint64_t reservation, const struct check_in_image *ticket)
{
    ASSERT(reservation && ticket->code.size == TICKET_CODE_SIZE);
    sql_bind_text(t, 1, ticket->code);
    sql_bind_int(t, 2, (int64_t)reservation);
    sql_bind_int(t, 3, ticket->item_id);
    sql_bind_int(t, 4, ticket->unit);
    sql_bind_word(t, 5, item_kind_name(ticket->kind));
    sql_bind_int(t, 6, (int64_t)ticket->resource);
    sql_bind_int(t, 7, ticket->part);
    bind_event(t, 8, ticket->kind, ticket->resource);
    sql_bind_int(t, 9, (int64_t)ticket->reissue);
}

static void write_scan(struct book_door *d, const struct change *c, uint64_t reservation)
{
    const struct check_in_image *i = &c->check_in;
    struct sql_statement *t = d->scan;
    sql_bind_int(t, 1, (int64_t)c->seq);
    sql_bind_int(t, 2, (int64_t)reservation);
    sql_bind_int(t, 3, i->item_id);
    sql_bind_int(t, 4, i->unit);
    bind_event(t, 5, i->kind, i->resource);
    sql_bind_word(t, 6, check_in_result_name(i->result));
    sql_bind_int(t, 7, i->at_ms);
    sql_bind_int(t, 8, c->at_ms);
    sql_bind_text(t, 9, i->gate);
    sql_bind_word(t, 10, role_name(c->actor.role));
    sql_bind_text(t, 11, c->actor.name.size ? c->actor.name : (struct text){0});
    sql_bind_text(t, 12, i->code);
    book_row_bind_pair(t, 13, i->nonce, true);
    sql_do(t);
}

static void write_use(struct book_door *d, const struct change *c, uint64_t reservation)
{
    const struct check_in_image *i = &c->check_in;
    struct sql_statement *t = d->use;
    bind_ticket(t, reservation, i);
    sql_bind_word(t, 10, check_in_result_name(i->result));
    sql_bind_int(t, 11, i->at_ms);
    sql_bind_text(t, 12, i->gate);
    book_row_bind_pair(t, 13, i->nonce, true);
    sql_bind_int(t, 14, c->at_ms);
    sql_bind_int(t, 15, (int64_t)c->seq);
    sql_do(t);
}

void book_door_write(struct book_door *d, const struct change *c)
{
    struct book_history entry;
    bool undone = c->check_in.result != CHECK_IN_OK;
    if (!book_aside_begin(&d->aside, c, c->check_in.reservation,
                          undone ? ACTION_CHECK_IN_UNDONE : ACTION_CHECKED_IN, &entry)) {
        sql_fail(d->sql, STATUS_CORRUPT,
                 "Change %llu uses a ticket of a reservation that the book does not have.",
                 (unsigned long long)c->seq);
        return;
    }
    write_scan(d, c, entry.reservation);
    _Static_assert(CHECK_IN_OK < CHECK_IN_UNDONE && CHECK_IN_UNDONE + 1 == CHECK_IN_DUPLICATE,
                   "the results that change a ticket come first");
    if (c->check_in.result > CHECK_IN_UNDONE)
        return; /* an uploaded scan that changed no ticket */
    write_use(d, c, entry.reservation);
    book_aside_put(&d->aside, &entry);
}

void book_door_mark(struct book_door *d, const struct change *c, const uint64_t key[2],
                    const struct item_image *item, const struct item_image *to)
{
    char code[TICKET_CODE_SIZE];
    const struct item_image *now = to ? to : item;
    struct check_in_image ticket = {.code = {code, sizeof(code)},
                                    .kind = item->kind,
                                    .resource = item->resource,
                                    .part = now->part,
                                    .item_id = item->item_id,
                                    /* void: no print is valid, whatever its number */
                                    .reissue = now->fence + !to};
    ASSERT(c->kind == CHANGE_RESERVATION && (key[0] || key[1]));
    ASSERT(!to || to->item_id == item->item_id);
    for (; ticket.unit < item->quantity; ticket.unit++) {
        ticket_code_write(key, item->item_id, ticket.unit, code);
        bind_ticket(d->end, c->reservation.image.number, &ticket);
        sql_bind_int(d->end, 10, !to);
        sql_bind_int(d->end, 11, c->at_ms);
        sql_bind_int(d->end, 12, (int64_t)c->seq);
        sql_do(d->end);
    }
}

void book_door_forget(struct book_door *d, uint64_t reservation)
{
    sql_do_ints(d->forget_scans, reservation);
    sql_do_ints(d->forget_marks, reservation);
}

/* ---- Reading ---- */

/* Marks with the id of the reservation; read_mark reads the columns by number. */
#define MARKS                                                                                                \
    "SELECT m.code, r.id, m.kind, m.resource, m.part, m.item_id, m.unit, m.reissue, m.is_void, m.used, "     \
    "m.at, m.gate, m.nonce, m.changed_at, m.changed_seq FROM ticket_marks m "                                \
    "JOIN reservations r ON r.number = m.reservation "

/* Texts are valid until the next step. */
static void read_mark(struct sql *s, struct sql_statement *t, struct check_in_image *out)
{
    struct text kind = sql_text(t, 2), used = sql_text(t, 9);
    ASSERT(sql_columns(t) == 15); /* MARKS */
    *out = (struct check_in_image){.code = sql_text(t, 0),
                                   .reservation = book_row_id(s, t, 1),
                                   .resource = (uint64_t)sql_int(t, 3),
                                   .part = (uint32_t)sql_int(t, 4),
                                   .item_id = (uint32_t)sql_int(t, 5),
                                   .unit = (uint32_t)sql_int(t, 6),
                                   .reissue = (uint64_t)sql_int(t, 7),
                                   .is_void = sql_int(t, 8) != 0,
                                   .at_ms = sql_int(t, 10),
                                   .gate = sql_text(t, 11)};
    if (!sql_null(t, 12))
        book_row_pair(s, t, 12, out->nonce);
    if (!item_kind_read(kind, &out->kind) || (used.at && !check_in_result_read(used, &out->result)))
        sql_fail(s, STATUS_CORRUPT, "A ticket has an unknown kind or use in the book.");
}

/* Scans whose upload may still be repeated; core would forget older ones at once. */
static void each_scan(struct sql *s, const struct book_load_sink *sink, struct change *c)
{
    struct sql_statement *t =
        sql_prepare(s, "SELECT code, nonce, result, at, gate, recorded_at FROM check_ins "
                       "INDEXED BY check_ins_with_nonce WHERE nonce IS NOT NULL AND recorded_at > "
                       "(SELECT last_at FROM meta) - ?1 ORDER BY recorded_at, seq");
    sql_bind_int(t, 1, NONCE_KEPT_MS);
    while (sql_next(t)) {
        c->check_in = (struct check_in_image){.code = sql_text(t, 0),
                                              .at_ms = sql_int(t, 3),
                                              .gate = sql_text(t, 4),
                                              .recorded_at_ms = sql_int(t, 5)};
        book_row_pair(s, t, 1, c->check_in.nonce);
        c->seq = 0;
        if (!check_in_result_read(sql_text(t, 2), &c->check_in.result) ||
            (sql_sound(s) && !sink->record(sink->owner, c)))
            sql_fail(s, STATUS_CORRUPT, "The book contradicts itself about a scan.");
    }
}

void book_door_each(struct sql *s, const struct book_load_sink *sink, struct change *c)
{
    struct sql_statement *t =
        sql_prepare(s, MARKS "WHERE m.used IS NOT NULL AND m.is_void = 0 "
                             "AND m.event IN (SELECT number FROM events WHERE removed_at IS NULL) "
                             "ORDER BY m.code");
    while (sql_next(t)) {
        read_mark(s, t, &c->check_in);
        c->seq = 0;
        if (sql_sound(s) && !sink->record(sink->owner, c))
            sql_fail(s, STATUS_CORRUPT, "The book contradicts itself about a ticket that was used.");
    }
    each_scan(s, sink, c);
}

void book_door_reader_prepare(struct book_door_reader *d, struct sql *s)
{
    d->sql = s;
    d->mark = sql_prepare(s, MARKS "WHERE m.code = ?");
    d->ticket = sql_prepare(s, "SELECT t.reservation, t.item_id, t.unit, r.id, r.status FROM tickets t "
                               "JOIN reservations r ON r.number = t.reservation WHERE t.code = ?");
    d->item = book_record_prepare(s, &item_record, BOOK_SELECT "WHERE reservation = ?1 AND item_id = ?2");
    d->list =
        sql_prepare(s, MARKS "WHERE m.event = ?1 AND (m.changed_at, m.changed_seq, m.code) > (?2, ?3, ?4) "
                             "ORDER BY m.changed_at, m.changed_seq, m.code LIMIT ?5");
}

static struct text door_keep(struct arena *arena, struct text t)
{
    return t.at ? (struct text){arena_copy(arena, t.at, t.size), t.size} : t;
}

/* The item that the ticket is for, as it is now. False: there is no such ticket, or no longer. */
static bool read_sold(struct book_door_reader *d, struct text code, struct check_in_image *out)
{
    struct item_image item;
    sql_bind_text(d->ticket, 1, code);
    bool found = sql_next(d->ticket);
    if (found) {
        out->item_id = (uint32_t)sql_int(d->ticket, 1);
        out->unit = (uint32_t)sql_int(d->ticket, 2);
        out->reservation = book_row_id(d->sql, d->ticket, 3);
        out->is_void = !text_equal(sql_text(d->ticket, 4), TEXT("confirmed"));
        sql_bind_ints(d->item, (uint64_t)sql_int(d->ticket, 0), out->item_id);
        found = sql_next(d->item);
        if (found)
            book_record_read(d->sql, d->item, &item_record, &item, NULL);
        sql_reset(d->item);
    }
    sql_reset(d->ticket);
    if (!found)
        return false;
    out->kind = item.kind;
    out->resource = item.resource;
    out->part = item.part;
    out->reissue = item.fence;
    return true;
}

bool book_door_find(struct book_door_reader *d, struct text code, struct arena *arena,
                    struct check_in_image *out)
{
    *out = (struct check_in_image){0};
    sql_bind_text(d->mark, 1, code);
    bool marked = sql_next(d->mark);
    if (marked) {
        read_mark(d->sql, d->mark, out);
        out->gate = door_keep(arena, out->gate);
    }
    sql_reset(d->mark);
    bool sold = sql_sound(d->sql) && read_sold(d, code, out);
    out->code = door_keep(arena, code);
    if (marked && !sold && !out->is_void)
        sql_fail(d->sql, STATUS_CORRUPT, "A ticket that was used is not in the book.");
    return (marked || sold) && sql_sound(d->sql);
}

void book_door_list(struct book_door_reader *d, const struct query *q, query_row_fn row, void *ctx,
                    struct query_result *result)
{
    struct sql_statement *t = d->list;
    ASSERT(q->kind == QUERY_TICKETS && q->event_number);
    sql_bind_int(t, 1, (int64_t)q->event_number);
    sql_bind_int(t, 2, q->after_ticket.at_ms);
    sql_bind_int(t, 3, (int64_t)q->after_ticket.seq);
    sql_bind_text(t, 4, (struct text){q->after_ticket.code, q->after_ticket.code[0] ? TICKET_CODE_SIZE : 0});
    sql_bind_int(t, 5, (int64_t)q->limit + 1);
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct check_in_image ticket;
        read_mark(d->sql, t, &ticket);
        if (!sql_sound(d->sql) || ticket.code.size != TICKET_CODE_SIZE)
            break;
        result->last_ticket.at_ms = sql_int(t, 13);
        result->last_ticket.seq = (uint64_t)sql_int(t, 14);
        memcpy(result->last_ticket.code, ticket.code.at, TICKET_CODE_SIZE);
        row(ctx, &(struct query_row){.ticket = &ticket, .changed_at_ms = sql_int(t, 13)});
    }
    sql_reset(t);
}
