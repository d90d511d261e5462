/* SPDX-License-Identifier: Apache-2.0 */
#include "core/waitlist/list_note.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "core/waitlist/wish_group.h"
#include "core/waitlist/list_offer.h"

void list_note_add(struct state *st, uint32_t event, uint32_t number, enum list_status status)
{
    struct waiting_lists *w = &st->lists;
    ASSERT(status == LIST_FINISHED || status == LIST_LEFT);
    if (w->note_count == w->note_capacity) {
        w->note_capacity = w->note_capacity ? w->note_capacity * 2 : 64;
        w->notes = memory_grow(w->notes, w->note_capacity, sizeof(*w->notes));
    }
    w->notes[w->note_count++] = (struct list_note){event, number, status};
}

void list_notes_drop(struct state *st, uint32_t event)
{
    struct waiting_lists *w = &st->lists;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->note_count; i++)
        if (w->notes[i].event != event)
            w->notes[kept++] = w->notes[i];
    w->note_count = kept;
}

void list_notes_write(struct state *st)
{
    struct waiting_lists *w = &st->lists;
    for (uint32_t i = 0; i < w->note_count; i++) {
        struct list_note note = w->notes[i];
        struct event *e = st->events[note.event];
        ASSERT(e->list && note.number >= 1 && note.number <= e->list->entries.used);
        struct list_entry *entry = list_entry_at(e->list, note.number);
        ASSERT(entry->status == LIST_OFFERED);
        list_offer_forget(st, entry->reservation); /* the entry keeps the id: the last that was offered */
        list_entry_set_status(e->list, note.number, note.status);
        entry->changed_at_ms = st->now_ms;
        list_offer_emit_entry(st, e, note.number);
    }
    w->note_count = 0;
}
