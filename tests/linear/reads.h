/* SPDX-License-Identifier: Apache-2.0 */
/* reads.h — what one object alone does not show: seqs seen by a client, fences of all objects, items that belong together. */
#ifndef LINEAR_READS_H
#define LINEAR_READS_H

#include "report.h"

/* A read is not older than the greatest Holdfast-Seq that its client had seen before it asked; no answer is older than
 * the Holdfast-Min-Seq sent. */
void reads_check_seqs(const struct history *h, struct report *r);
/* Every grant has a greater fence than any fence or seq that had been answered before it was asked, and no two
 * reservations have the same fence. */
void reads_check_fences(const struct history *h, struct report *r);
/* wholes.c: items that a reservation got, sold and gave back only together are shown together. */
void reads_check_wholes(const struct history *h, struct report *r);

#endif
