/* SPDX-License-Identifier: Apache-2.0 */
/* list_note.h — entries of waiting lists whose offers are over, and who are to be moved on.
 *
 * A reservation ends in the middle of a command, before its own change is emitted, and in recovery nothing is
 * emitted at all: so what follows for the entry is noted, and written down by the next service of the lists.
 * In recovery the entry's own change follows in the journal and the note goes; if the journal ends before it,
 * the note stays and the first service mends that.
 */
#ifndef CORE_LIST_NOTE_H
#define CORE_LIST_NOTE_H

#include "core/state.h"

struct list_note {
    uint32_t event; /* slot */
    uint32_t number;
    enum list_status
        status; /* FINISHED, LEFT: where it is to be moved; OFFERED: it is, and only that is to be written */
};

void list_note_add(struct state *st, uint32_t event, uint32_t number, enum list_status status);
/* Recovery: what was noted first has been written down. */
void list_note_written(struct state *st, uint32_t event, uint32_t number, enum list_status status);
/* Moves on all who are noted. Emits. */
void list_notes_write(struct state *st);
/* The event and its list are gone. */
void list_notes_drop(struct state *st, uint32_t event);
static inline bool list_notes_left(const struct state *st)
{
    return st->lists.notes_first < st->lists.notes_end || st->lists.loaded;
}

#endif
