/* SPDX-License-Identifier: Apache-2.0 */
/* after.h — a book that ends with this seq and knows nothing else about its journal. */
#ifndef TESTS_AFTER_H
#define TESTS_AFTER_H

#include "journal/journal.h"

#define AFTER(last_seq) (&(struct journal_anchor){.seq = (last_seq)})

#endif
