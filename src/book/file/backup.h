/* SPDX-License-Identifier: Apache-2.0 */
/* backup.h — a consistent copy of a book, also while another process writes it. */
#ifndef BOOK_BACKUP_H
#define BOOK_BACKUP_H

#include <stdint.h>

#include "base/status.h"

/* Copies the book into a new file, synced with its folder. The copy shows one instant; *last_seq is how far
 * it goes: with the journal from there on it is complete. A book of an older version stays one. An existing
 * destination is refused, and nothing is left behind by a fault. */
struct status book_backup_copy(const char *source, const char *destination, uint64_t *last_seq);

#endif
