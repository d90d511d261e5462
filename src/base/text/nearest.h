/* SPDX-License-Identifier: Apache-2.0 */
/* nearest.h — finds the word that a misspelt one probably meant, for suggestions in errors. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>

/* The number of letters to add, remove, change or swap with a neighbour to turn one into the other; words
 * longer than 31 bytes are far from everything. */
unsigned nearest_distance(const char *a, const char *b);
/* The nearest of `words`, at most two steps away and fewer steps than it has letters; NULL: none is that near. */
const char *nearest_word(const char *word, const char *const *words, size_t count);

#endif
