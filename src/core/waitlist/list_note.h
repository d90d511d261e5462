/* SPDX-License-Identifier: Apache-2.0 */
/* list_note.h — entries of waiting lists whose offers are over, to be moved on before the step ends.
 *
 * A reservation ends in the middle of a command, before its own change is emitted: so what follows for the
 * entry is noted, and written down at the next service of the lists, which is at the end of the step at the
 * latest. No note outlives its step.
 *
 * Recovery notes nothing, and relies on this: the changes of one step are in one batch of the journal, which
 * is there whole or not at all, and the book takes whole batches. So neither ever has the end of an offer
 * without the move of its entry, or the hold without the entry that it is offered to. list_offers_held is the
 * proof of that when all is restored.
 */
#ifndef CORE_LIST_NOTE_H
#define CORE_LIST_NOTE_H

#include "core/state.h"

struct list_note {
    uint32_t event; /* index */
    uint32_t number;
    enum list_status status; /* FINISHED or LEFT: what becomes of it */
};

void list_note_add(struct state *st, uint32_t event, uint32_t number, enum list_status status);
/* Moves on all who are noted. Emits. */
void list_notes_write(struct state *st);
/* The event and its list are gone. */
void list_notes_drop(struct state *st, uint32_t event);

#endif
