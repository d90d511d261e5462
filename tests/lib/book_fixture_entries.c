/* SPDX-License-Identifier: Apache-2.0 */
/* The part of book_fixture.h about waiting rooms and waiting lists. */
#include "book_fixture.h"

struct event_image fixture_entries_image(struct fixture *f, const char *id)
{
    static const struct text tiers[] = {TEXT("gold"), TEXT("sil\"ver")};
    return (struct event_image){
        .number = f->seq + 1,
        .id = text_of(id),
        .name = TEXT("An evening"),
        .terms = {"EUR", 600, 900, 300, PAYMENT_REQUIRED, LATE_PAYMENT_ACCEPT_IF_FREE, 0},
        .created_at_ms = f->at_ms,
        .has_queue = true,
        .queue = {.open_at_ms = f->at_ms + 60000,
                  .rate_per_second = 50,
                  .max_active = 1000,
                  .pass_ttl_s = 900,
                  .shuffle_before_open = true,
                  .tiers = tiers,
                  .tier_count = 2},
        .has_list = true,
        .entry_key = FIXTURE_LINE_KEY};
}

void fixture_queue(struct fixture *f, uint64_t event, int64_t opened_at_ms, uint32_t drawn)
{
    fixture_change(f, CHANGE_QUEUE)->queue = (struct queue_image){
        .event = event, .seed = {1, 2, [31] = 32}, .opened_at_ms = opened_at_ms, .drawn = drawn};
    fixture_put(f);
}

uint64_t fixture_event_with_lines(struct fixture *f, const char *id)
{
    fixture_change(f, CHANGE_EVENT)->event = fixture_entries_image(f, id);
    fixture_put(f);
    uint64_t event = f->seq;
    fixture_queue(f, event, 0, 0);
    return event;
}

void fixture_remove_with_lines(struct fixture *f, uint64_t event, const char *id)
{
    struct change *c = fixture_change(f, CHANGE_EVENT);
    c->event = fixture_entries_image(f, id);
    c->event.number = event;
    c->event.removed = true;
    fixture_put(f);
}

struct status fixture_try_join(struct fixture *f, uint64_t event, uint32_t number, const char *user)
{
    struct change *c = fixture_change(f, CHANGE_QUEUE_JOINED);
    c->joined.event = event;
    c->joined.number = number;
    c->joined.user_id = text_of(user);
    c->joined.tiers = NULL;
    c->joined.tier_count = 0;
    return fixture_try(f);
}

void fixture_join(struct fixture *f, uint64_t event, uint32_t number, const char *user)
{
    assert_ok(fixture_try_join(f, event, number, user));
}

struct status fixture_try_move(struct fixture *f, uint64_t event, const struct queue_move *moves,
                               uint32_t count)
{
    buf_clear(&f->rows);
    for (uint32_t i = 0; i < count; i++)
        queue_move_put(&f->rows, &moves[i]);
    struct change *c = fixture_change(f, CHANGE_QUEUE_MOVED);
    c->moved.event = event;
    c->moved.count = count;
    c->moved.moves = bytes_reader_make(f->rows.data, f->rows.size);
    return fixture_try(f);
}

void fixture_move(struct fixture *f, uint64_t event, uint32_t number, enum queue_status status,
                  int64_t until_ms)
{
    assert_ok(fixture_try_move(f, event, &(struct queue_move){number, status, until_ms}, 1));
}

struct list_entry_image fixture_wish(struct fixture *f, uint64_t event, uint32_t number, const char *user)
{
    return (struct list_entry_image){.event = event,
                                     .number = number,
                                     .user_id = text_of(user),
                                     .wish = {.quantity = 2, .adjacent = true, .section = TEXT("A")},
                                     .status = LIST_WAITING,
                                     .joined_at_ms = f->at_ms,
                                     .changed_at_ms = f->at_ms};
}

struct status fixture_try_list(struct fixture *f, const struct list_entry_image *entry)
{
    fixture_change(f, CHANGE_LIST_ENTRY)->list_entry = *entry;
    return fixture_try(f);
}

void fixture_list(struct fixture *f, const struct list_entry_image *entry)
{
    assert_ok(fixture_try_list(f, entry));
}

void fixture_offer(struct fixture *f, struct booking *b, struct list_entry_image *entry, uint32_t seat)
{
    char user[32];
    snprintf(user, sizeof(user), "%.*s", (int)entry->user_id.size, entry->user_id.at);
    booking_begin(f, b, user);
    booking_add(f, b, ITEM_SEAT, entry->event, seat, 1);
    booking_add(f, b, ITEM_SEAT, entry->event, seat + 1, 1);
    b->image.from_list = true;
    b->image.version = 1;
    b->image.items = b->items;
    struct change *c = fixture_change(f, CHANGE_RESERVATION);
    c->actor = (struct actor){.role = ROLE_SERVER};
    c->reservation.action = ACTION_HELD;
    c->reservation.image = b->image;
    fixture_put(f);
    entry->status = LIST_OFFERED;
    entry->reservation = b->image.id;
    entry->changed_at_ms = f->at_ms;
    fixture_list(f, entry);
}
