/* SPDX-License-Identifier: Apache-2.0 */
#include "core/list_note.h"

#include "base/memory.h"
#include "core/list_line.h"
#include "core/offer.h"

void list_note_add(struct state *st, uint32_t event, uint32_t number, enum list_status status)
{
    struct waiting_lists *w = &st->lists;
    if (w->notes_first == w->notes_end)
        w->notes_first = w->notes_end = 0;
    if (w->notes_end == w->notes_capacity) {
        w->notes_capacity = w->notes_capacity ? w->notes_capacity * 2 : 64;
        w->notes = memory_grow(w->notes, w->notes_capacity, sizeof(*w->notes));
    }
    w->notes[w->notes_end++] = (struct list_note){event, number, status};
}

void list_note_written(struct state *st, uint32_t event, uint32_t number, enum list_status status)
{
    struct waiting_lists *w = &st->lists;
    if (w->notes_first == w->notes_end)
        return;
    const struct list_note *first = &w->notes[w->notes_first];
    if (first->event == event && first->number == number && first->status == status)
        w->notes_first++;
}

void list_notes_drop(struct state *st, uint32_t event)
{
    struct waiting_lists *w = &st->lists;
    uint32_t kept = w->notes_first;
    for (uint32_t i = w->notes_first; i < w->notes_end; i++)
        if (w->notes[i].event != event)
            w->notes[kept++] = w->notes[i];
    w->notes_end = kept;
}

void waiting_list_ended(struct state *st, uint32_t handle)
{
    const struct reservation *r = reservation_at(st, handle);
    const struct offer *offer = offer_find(st, r->id);
    if (offer)
        list_note_add(st, offer->event, offer->number,
                      r->status == RESERVATION_CONFIRMED ? LIST_FINISHED : LIST_LEFT);
}

/* The book may end between the change that ended a reservation and the one that moves its entry on. What
 * became of it is not in memory then; that the entry has left is the least that is true. */
static void note_loaded(struct state *st)
{
    st->lists.loaded = false;
    for (uint32_t i = 0; i < st->event_count; i++) {
        const struct waiting_list *l = st->events[i]->list;
        for (uint32_t number = 1; l && number <= l->entries.used; number++) {
            const struct list_entry *entry = list_entry_at(l, number);
            if (entry->status == LIST_OFFERED && reservation_find(st, entry->reservation) == TABLE_NONE)
                list_note_add(st, i, number, LIST_LEFT);
        }
    }
}

void list_notes_write(struct state *st)
{
    struct waiting_lists *w = &st->lists;
    if (w->loaded)
        note_loaded(st);
    for (; w->notes_first < w->notes_end; w->notes_first++) {
        struct list_note note = w->notes[w->notes_first];
        struct event *e = st->events[note.event];
        struct list_entry *entry = list_entry_at(e->list, note.number);
        if (entry->status != LIST_OFFERED)
            continue;
        if (note.status != LIST_OFFERED) {
            offer_forget(st, entry->reservation);
            list_entry_set_status(e->list, note.number, note.status);
            entry->changed_at_ms = st->now_ms;
        }
        offer_emit_entry(st, e, note.number);
    }
}
