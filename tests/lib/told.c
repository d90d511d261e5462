/* SPDX-License-Identifier: Apache-2.0 */
#include "told.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "core/calendar/calendar.h"
#include "core/catalogue/event.h"

void told_init(struct told *t)
{
    *t = (struct told){.copy = state_make()};
}

void told_release(struct told *t)
{
    state_release(t->copy);
    free(t->rows);
}

static void add(struct told *t, struct told_row row)
{
    t->rows = memory_room(t->rows, t->count, &t->capacity, 64, sizeof(*t->rows));
    t->rows[t->count++] = row;
}

static void add_all(struct told *t, const struct state *st)
{
    for (uint32_t i = 0; i < st->touch_count; i++) {
        const struct touch *touch = &st->touches[i];
        add(t, (struct told_row){"part of event",
                                 {st->events[touch->resource]->image.number, touch->part, touch->kind}});
    }
    for (uint32_t i = 0; i < st->span_count; i++) {
        const struct span_touch *span = &st->spans[i];
        add(t, (struct told_row){"time on calendar",
                                 {st->calendars[span->calendar]->image.number, (uint64_t)span->from_ms,
                                  (uint64_t)span->to_ms}});
    }
    for (uint32_t i = 0; i < st->moved_count; i++)
        add(t, (struct told_row){"queue entry",
                                 {st->events[st->moved[i].event]->image.number, st->moved[i].number}});
    for (uint32_t i = 0; i < st->ride_count; i++)
        add(t, (struct told_row){
                   "ride",
                   {st->rides[i].fleet, st->rides[i].ride.low, st->rides[i].offer, st->rides[i].driver}});
}

bool told_restore(struct told *t, const struct buf *changes, uint32_t count)
{
    struct bytes_reader in = bytes_reader_make(changes->data, changes->size);
    t->count = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool read = change_decode(&in, t->copy->seq + 1, &t->change);
        t->change.fetched = true; /* the copy forgets nothing */
        if (!read || state_restore(t->copy, &t->change) != RESTORE_OK)
            return false;
        add_all(t, t->copy);
    }
    return true;
}

/* The same, or a time range that covers the other. */
static bool covers(const struct told_row *a, const struct told_row *b)
{
    if (a->what[0] != b->what[0] || a->name[0] != b->name[0])
        return false;
    if (a->what[0] == 't')
        return a->name[1] <= b->name[1] && a->name[2] >= b->name[2];
    return memcmp(a->name, b->name, sizeof(a->name)) == 0;
}

bool told_check(const struct told *t, const struct state *st, char sentence[TOLD_SENTENCE])
{
    struct told step = {0};
    const struct told_row *missing = NULL;
    add_all(&step, st);
    for (uint32_t i = 0; i < step.count && !missing; i++) {
        bool found = false;
        for (uint32_t k = 0; k < t->count && !found; k++)
            found = covers(&t->rows[k], &step.rows[i]);
        missing = found ? NULL : &step.rows[i];
    }
    if (missing)
        snprintf(sentence, TOLD_SENTENCE, "Restoring does not announce a %s: %llu, %llu, %llu, %llu.",
                 missing->what, (unsigned long long)missing->name[0], (unsigned long long)missing->name[1],
                 (unsigned long long)missing->name[2], (unsigned long long)missing->name[3]);
    bool all = !missing;
    free(step.rows);
    return all;
}
