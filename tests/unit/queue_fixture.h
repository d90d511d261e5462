/* SPDX-License-Identifier: Apache-2.0 */
/* queue_fixture.h — one event with a waiting room, its users u1, u2, …, and a journal of everything that happened, for
 * unit tests. */
#ifndef TESTS_UNIT_QUEUE_FIXTURE_H
#define TESTS_UNIT_QUEUE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>

#include "../lib/core_fixture.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "core/entry_id.h"
#include "core/queue/queue.h"
#include "core/queue/queue_time.h"

#define LINE_KEY 0x6b6579206f662061ULL, 0x206c696e65206f66ULL

/* Everything recorded since the start. */
static struct {
    struct buf journal;
    uint64_t journalled;
} f;

static void fixture_journal(void)
{
    buf_append(&f.journal, core.changes.data, core.changes.size);
    f.journalled += core.st->change_count;
    assert_true(f.journalled == core.st->seq);
}

static void fixture_begin(void)
{
    core_set_up(NULL);
    core.after_step = fixture_journal;
    buf_init(&f.journal, (size_t)1 << 32);
    f.journalled = 0;
}

static void fixture_end(void)
{
    core_tear_down(NULL);
    buf_release(&f.journal);
}

static enum outcome_code fixture_apply(const struct command *c)
{
    enum outcome_code code;
    do
        code = core_apply(*c);
    while (code == OUTCOME_RETRY);
    return code;
}

static struct event *fixture_event(void)
{
    struct event *e = event_find(core.st, TEXT("E"));
    assert_non_null(e);
    return e;
}

static inline struct queue *fixture_queue(void)
{
    return fixture_event()->queue;
}

/* Puts the event with this room; `seed` is the first byte of its seed. */
static void fixture_put(const struct queue_settings *settings, uint8_t seed)
{
    struct command c = event_put_command(TEXT("E"));
    struct event_image *e = &c.event_put.image;
    e->has_queue = settings != NULL;
    if (settings)
        e->queue = *settings;
    memcpy(e->entry_key, (uint64_t[2]){LINE_KEY}, sizeof(e->entry_key));
    memset(c.event_put.seed, seed, sizeof(c.event_put.seed));
    assert_int_equal(fixture_apply(&c), OUTCOME_OK);
}

static struct text fixture_user(uint32_t user, char name[32])
{
    return (struct text){name, (size_t)snprintf(name, 32, "u%u", user)};
}

/* Joins, and returns the entry's number. */
static inline uint32_t fixture_join(uint32_t user)
{
    char name[32];
    struct command c = {.kind = COMMAND_QUEUE_JOIN,
                        .actor = {.role = ROLE_USER, .name = fixture_user(user, name)}};
    c.queue.event = TEXT("E");
    assert_int_equal(fixture_apply(&c), OUTCOME_OK);
    return core.out.entry.number;
}

/* The owner reads an entry, or leaves. */
static inline void fixture_entry(enum command_kind kind, uint32_t number)
{
    struct command c = {.kind = kind,
                        .actor = {.role = ROLE_USER, .name = queue_user(fixture_queue(), number)}};
    c.queue.event = TEXT("E");
    c.queue.entry = entry_id((uint64_t[2]){LINE_KEY}, ENTRY_QUEUE, number);
    assert_int_equal(fixture_apply(&c), OUTCOME_OK);
}

/* One step; true: there is more to do at this instant. */
static inline bool fixture_admit(uint32_t most)
{
    buf_clear(&core.changes);
    bool more = state_admit(core.st, core.now_ms, most, &core.changes);
    fixture_journal();
    return more;
}

/* A new process, from the first `count` changes of the journal; later ones are lost. */
static inline void fixture_restart(uint64_t count)
{
    static struct change change;
    struct bytes_reader in = bytes_reader_make(f.journal.data, f.journal.size);
    struct state *st = state_make();
    for (uint64_t i = 0; i < count; i++) {
        assert_true(change_decode(&in, i + 1, &change));
        assert_int_equal(state_restore(st, &change), RESTORE_OK);
    }
    state_restore_end(st);
    f.journal.size -= bytes_left(&in);
    f.journalled = count;
    state_release(core.st);
    core.st = st;
}

static inline uint64_t fixture_dice(void)
{
    static uint64_t state = 88172645463325252ULL;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return state >> 33;
}

#endif
