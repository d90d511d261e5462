/* SPDX-License-Identifier: Apache-2.0 */
#include "book_fixture.h"

#include <glob.h>

struct text text_of(const char *word)
{
    return (struct text){word, word ? strlen(word) : 0};
}

void fixture_reopen(struct fixture *f)
{
    assert_ok(book_writer_open(&f->writer, f->path));
}

int fixture_setup(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));
    scratch_make(f->folder);
    snprintf(f->path, sizeof(f->path), "%s/book.sqlite", f->folder);
    f->at_ms = FIXTURE_START_MS;
    buf_init(&f->rows, 1 << 24);
    fixture_reopen(f);
    *state = f;
    return 0;
}

void fixture_remove(struct fixture *f, const char *ending)
{
    char path[SCRATCH_FILE];
    snprintf(path, sizeof(path), "%s/book.sqlite%s", f->folder, ending);
    unlink(path);
}

int fixture_teardown(void **state)
{
    struct fixture *f = *state;
    book_writer_close(f->writer);
    scratch_remove(f->folder);
    buf_release(&f->rows);
    free(f);
    return 0;
}

/* ---- Writing ---- */

struct status fixture_try(struct fixture *f)
{
    if (!f->open)
        assert_ok(book_writer_begin(f->writer));
    f->open = true;
    f->change.seq = f->seq + 1;
    f->change.at_ms = f->at_ms;
    struct status status = book_writer_apply(f->writer, &f->change);
    if (status_ok(&status))
        f->seq++;
    return status;
}

void fixture_put(struct fixture *f)
{
    assert_ok(fixture_try(f));
}

void fixture_commit(struct fixture *f)
{
    if (f->open)
        assert_ok(book_writer_commit(f->writer, f->seq, f->at_ms, 0));
    f->open = false;
}

void fixture_rollback(struct fixture *f)
{
    book_writer_rollback(f->writer);
    f->open = false;
    f->seq = book_writer_seq(f->writer);
}

struct change *fixture_change(struct fixture *f, enum change_kind kind)
{
    f->change.kind = kind;
    f->change.actor = (struct actor){.role = ROLE_ADMIN};
    return &f->change;
}

uint64_t fixture_event(struct fixture *f, const char *id)
{
    fixture_change(f, CHANGE_EVENT)->event = (struct event_image){
        .number = f->seq + 1,
        .id = text_of(id),
        .name = TEXT("An evening"),
        .terms = {"EUR", 600, 900, 300, PAYMENT_REQUIRED, LATE_PAYMENT_ACCEPT_IF_FREE, 0},
        .created_at_ms = f->at_ms};
    fixture_put(f);
    return f->seq;
}

void fixture_event_remove(struct fixture *f, uint64_t number, const char *id)
{
    fixture_change(f, CHANGE_EVENT)->event =
        (struct event_image){.number = number,
                             .id = text_of(id),
                             .name = TEXT("An evening"),
                             .terms = {"EUR", 0, 0, 0, PAYMENT_REQUIRED, LATE_PAYMENT_REFUND, 0},
                             .created_at_ms = f->at_ms,
                             .removed = true};
    fixture_put(f);
}

void fixture_stage(struct fixture *f, uint64_t event, uint64_t import, uint32_t columns,
                   const struct seat_image *seats, uint32_t count)
{
    buf_clear(&f->rows);
    for (uint32_t i = 0; i < count; i++)
        seat_row_put(&f->rows, columns, &seats[i]);
    struct change *c = fixture_change(f, CHANGE_SEATS_STAGED);
    c->staged.event = event;
    c->staged.import = import;
    c->staged.count = count;
    c->staged.rows = bytes_reader_make(f->rows.data, f->rows.size);
    fixture_put(f);
}

void fixture_publish(struct fixture *f, uint64_t event, uint64_t import)
{
    struct change *c = fixture_change(f, CHANGE_SEATS_PUBLISHED);
    c->published.event = event;
    c->published.import = import;
    fixture_put(f);
}

void fixture_seats(struct fixture *f, uint64_t event, uint32_t count)
{
    char ids[64][16];
    struct seat_image seats[64];
    assert_true(count <= 64);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(ids[i], sizeof(ids[i]), "A%u", i + 1);
        seats[i] = (struct seat_image){.id = text_of(ids[i]), .section = TEXT("A"), .price = 1200};
    }
    fixture_stage(f, event, 1, SEAT_COLUMN_SECTION | SEAT_COLUMN_PRICE, seats, count);
    fixture_publish(f, event, 1);
}

void fixture_pool(struct fixture *f, uint64_t event, uint32_t position, const char *id, uint32_t capacity)
{
    fixture_change(f, CHANGE_POOL)->pool = (struct pool_image){.event = event,
                                                               .position = position,
                                                               .id = text_of(id),
                                                               .name = TEXT("A pool"),
                                                               .capacity = capacity,
                                                               .price = 500};
    fixture_put(f);
}

struct status fixture_try_calendar(struct fixture *f, uint64_t number, const char *id, uint32_t capacity)
{
    static const struct hours_range hours[] = {{0x1f, 540, 1020}, {0x20, 1320, 120}};
    static const struct closed_interval closed[] = {
        {FIXTURE_START_MS + 86400000, FIXTURE_START_MS + 2 * 86400000LL}};
    static const struct service_image services[] = {{TEXT("check_up"), 30, 4000, false},
                                                    {TEXT("x_ray"), 45, 9000, false}};
    fixture_change(f, CHANGE_CALENDAR)->calendar =
        (struct calendar_image){.number = number,
                                .id = text_of(id),
                                .name = TEXT("A doctor"),
                                .timezone = TEXT("Europe/Berlin"),
                                .capacity = capacity,
                                .price = 2500,
                                .terms = {"EUR", 300, 900, 200, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
                                .slot_minutes = 30,
                                .buffer_minutes = 10,
                                .rules = {.buffer_before_minutes = 5,
                                          .min_minutes = 60,
                                          .max_minutes = 90,
                                          .price_per = PRICE_PER_SLOT,
                                          .notice_minutes = 120,
                                          .horizon_days = 90,
                                          .per_user_limit = 3,
                                          .change_until_minutes = 1440,
                                          .size = 4},
                                .hours = hours,
                                .hours_count = 2,
                                .closed = closed,
                                .closed_count = 1,
                                .services = services,
                                .service_count = 2,
                                .created_at_ms = FIXTURE_START_MS};
    return fixture_try(f);
}

uint64_t fixture_calendar(struct fixture *f, const char *id, uint32_t capacity)
{
    assert_ok(fixture_try_calendar(f, f->seq + 1, id, capacity));
    return f->seq;
}

void fixture_calendar_remove(struct fixture *f, uint64_t number)
{
    fixture_change(f, CHANGE_CALENDAR_REMOVED)->calendar_removed.number = number;
    fixture_put(f);
}

/* ---- Reservations ---- */

struct status fixture_try_write(struct fixture *f, struct booking *b, enum action action)
{
    struct change *c = fixture_change(f, CHANGE_RESERVATION);
    c->actor = (struct actor){.role = ROLE_USER, .name = b->image.user_id};
    c->reservation.action = action;
    c->reservation.before_count = 0;
    b->image.version++;
    b->image.items = b->items;
    c->reservation.image = b->image;
    return fixture_try(f);
}

void fixture_write(struct fixture *f, struct booking *b, enum action action)
{
    assert_ok(fixture_try_write(f, b, action));
}

void fixture_write_noted(struct fixture *f, struct booking *b, enum action action,
                         const struct item_image *was)
{
    struct buf before;
    buf_init(&before, 4096);
    item_before_put(&before, was);
    struct change *c = fixture_change(f, CHANGE_RESERVATION);
    b->image.version++;
    c->reservation.action = action;
    c->reservation.image = b->image;
    c->reservation.image.items = b->items;
    c->reservation.before = bytes_reader_make(before.data, before.size);
    c->reservation.before_count = 1;
    fixture_put(f);
    buf_release(&before);
}

void booking_add(struct fixture *f, struct booking *b, enum item_kind kind, uint64_t event, uint32_t position,
                 uint32_t quantity)
{
    b->items[b->image.item_count++] =
        (struct item_image){.item_id = b->image.next_item_id++,
                            .kind = kind,
                            .resource = event,
                            .part = position,
                            .quantity = quantity,
                            .price = kind == ITEM_SEAT ? 1200 : 500 * (int64_t)quantity,
                            .fence = f->seq + 1};
    b->image.fence = f->seq + 1;
}

void booking_slot(struct fixture *f, struct booking *b, uint64_t calendar, int64_t from, int64_t to,
                  int64_t until)
{
    booking_add(f, b, ITEM_SLOT, calendar, 0, 1);
    struct item_image *i = &b->items[b->image.item_count - 1];
    i->price = 2500;
    i->start_ms = FIXTURE_START_MS + from * MINUTE_MS;
    i->end_ms = FIXTURE_START_MS + to * MINUTE_MS;
    i->until_ms = FIXTURE_START_MS + until * MINUTE_MS;
}

void booking_begin(struct fixture *f, struct booking *b, const char *user)
{
    memset(b, 0, sizeof(*b));
    snprintf(b->user, sizeof(b->user), "%s", user);
    b->image =
        (struct reservation_image){.id = id_make(f->at_ms, f->seq + 1, (f->seq + 1) * 0x9e3779b97f4a7c15ULL),
                                   .number = f->seq + 1,
                                   .status = RESERVATION_HELD,
                                   .user_id = text_of(b->user),
                                   .created_at_ms = f->at_ms,
                                   .expires_at_ms = f->at_ms + 600000,
                                   .max_expires_at_ms = f->at_ms + 900000,
                                   .hold_ttl_s = 600,
                                   .payment_ttl_s = 300,
                                   .payment_required = true,
                                   .currency = "EUR",
                                   .next_item_id = 1};
}

void fixture_hold(struct fixture *f, struct booking *b, const char *user, uint64_t event, uint32_t seat)
{
    booking_begin(f, b, user);
    booking_add(f, b, ITEM_SEAT, event, seat, 1);
    fixture_write(f, b, ACTION_HELD);
}

struct status fixture_try_slot(struct fixture *f, struct booking *b, const char *user, uint64_t calendar,
                               int64_t from, int64_t to)
{
    booking_begin(f, b, user);
    booking_slot(f, b, calendar, from, to, to);
    return fixture_try_write(f, b, ACTION_HELD);
}

void fixture_slot(struct fixture *f, struct booking *b, const char *user, uint64_t calendar, int64_t from,
                  int64_t to)
{
    assert_ok(fixture_try_slot(f, b, user, calendar, from, to));
}

void fixture_confirm(struct fixture *f, struct booking *b)
{
    b->image.status = RESERVATION_CONFIRMED;
    b->image.confirmed_at_ms = f->at_ms;
    b->image.ticket_key[0] = f->seq + 77;
    b->image.ticket_key[1] = 99;
    b->image.payment_ref = TEXT("pay_1");
    fixture_write(f, b, ACTION_CONFIRMED);
}

void fixture_end(struct fixture *f, struct booking *b)
{
    b->image.status = RESERVATION_RELEASED;
    b->image.ended_at_ms = f->at_ms;
    fixture_write(f, b, ACTION_RELEASED);
}

struct status fixture_try_expire(struct fixture *f, struct booking **bookings, uint32_t count)
{
    buf_clear(&f->rows);
    for (uint32_t i = 0; i < count; i++) {
        bytes_put_u64(&f->rows, bookings[i]->image.id.high);
        bytes_put_u64(&f->rows, bookings[i]->image.id.low);
        bookings[i]->image.status = RESERVATION_EXPIRED;
        bookings[i]->image.ended_at_ms = f->at_ms;
        bookings[i]->image.version++;
    }
    struct change *c = fixture_change(f, CHANGE_EXPIRED);
    c->expired.ids = bytes_reader_make(f->rows.data, f->rows.size);
    c->expired.count = count;
    return fixture_try(f);
}

/* ---- Asking ---- */

int64_t fixture_ask(struct fixture *f, const char *question)
{
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_READ));
    int64_t answer = sql_number(s, question);
    assert_ok(sql_status(s));
    sql_close(s);
    return answer;
}

char *fixture_text(struct fixture *f, const char *question)
{
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_READ));
    struct sql_statement *t = sql_prepare(s, question);
    bool row = sql_next(t);
    assert_ok(sql_status(s));
    struct text answer = row ? sql_text(t, 0) : (struct text){0};
    char *text = strdup(answer.at ? answer.at : "nothing");
    sql_close(s);
    return text;
}

void fixture_says(struct fixture *f, const char *question, const char *expected)
{
    char *answer = fixture_text(f, question);
    assert_string_equal(answer, expected);
    free(answer);
}

char *fixture_dump(struct fixture *f)
{
    static const char *const tables[] = {"events",
                                         "seats",
                                         "seats_staged",
                                         "pools",
                                         "calendars",
                                         "calendar_hours",
                                         "calendar_closed",
                                         "services",
                                         "claims",
                                         "items",
                                         "reservations",
                                         "history",
                                         "idempotency",
                                         "calendar_claims",
                                         "calendar_counts",
                                         "tickets",
                                         "keys",
                                         "(SELECT one, last_seq, last_at, folder, chain FROM meta)",
                                         "room_settings",
                                         "rooms",
                                         "queue",
                                         "waiting_list"};
    struct sql *s;
    struct buf out;
    buf_init(&out, 1 << 26);
    assert_ok(sql_open(&s, f->path, SQL_READ));
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        char question[128];
        snprintf(question, sizeof(question), "SELECT * FROM %s ORDER BY 1, 2", tables[i]);
        struct sql_statement *t = sql_prepare(s, question);
        buf_printf(&out, "%s\n", tables[i]);
        while (sql_next(t)) {
            for (int column = 0; column < sql_columns(t); column++) {
                struct text value = sql_text(t, column);
                buf_append(&out, value.at ? value.at : "NULL", value.at ? value.size : 4);
                buf_append(&out, "|", 1);
            }
            buf_append(&out, "\n", 1);
        }
    }
    assert_ok(sql_status(s));
    sql_close(s);
    buf_append(&out, "", 1);
    return (char *)out.data;
}

void finding_print(void *ctx, const char *sentence)
{
    (*(int *)ctx)++;
    print_message("%s\n", sentence);
}

void fixture_check(struct fixture *f)
{
    int findings = 0;
    assert_ok(book_check(f->path, finding_print, &findings));
    assert_int_equal(findings, 0);
}

int fixture_newest_version(void)
{
    glob_t files;
    assert_int_equal(glob("src/book/schema/*.sql", 0, NULL, &files), 0);
    int number = atoi(strrchr(files.gl_pathv[files.gl_pathc - 1], '/') + 1);
    globfree(&files);
    return number;
}
