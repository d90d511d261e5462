/* SPDX-License-Identifier: Apache-2.0 */
/* attempts.h — the attempts with one key as one operation.
 *
 *   undecided, undecided, granted     one grant, from the first call to the answer that decided it
 *   undecided, refused                a refusal, from the last call; the earlier attempts did nothing
 *   undecided                         an operation without an end: it may have taken effect at any time, or never
 *   granted, granted                  the same grant, shown again: it has to be the same reservation and fence
 *   refused, granted                  two operations: a refused request is judged again
 */
#ifndef LINEAR_ATTEMPTS_H
#define LINEAR_ATTEMPTS_H

#include "report.h"

/* Makes h->operations of h->lines, reads left out. Reports a key that was answered in two ways. */
struct status attempts_join(struct history *h, struct report *r);

#endif
