/* SPDX-License-Identifier: Apache-2.0 */
/* search.h — is there an order of these tasks that the model allows and that keeps to the times?
 *
 * The search of Wing and Gong with Lowe's memory: tasks that were called before the first answer that is still missing
 * are tried one after the other; a pair of (tasks done, state) is never tried twice. Pairs are kept as prints of 128
 * bits. A task that changes nothing is done as soon as it is legal, without coming back to it: if an order exists in
 * which it comes later, one exists in which it comes now.
 */
#ifndef LINEAR_SEARCH_H
#define LINEAR_SEARCH_H

#include <stddef.h>

#include "place.h"

#define SEARCH_PAIRS_MAX 20000000u /* per object; then the search is given up */
#define SEARCH_LAST_MAX 4

enum search_result { SEARCH_LEGAL, SEARCH_ILLEGAL, SEARCH_GIVEN_UP };

/* The furthest point that any order reached. */
struct search_stop {
    uint32_t blocked;                           /* the task whose answer fits no order */
    uint32_t last[SEARCH_LAST_MAX], last_count; /* the changes before it, latest first */
    uint32_t taken;
    uint32_t holder; /* one that has something, or HOLDER_ANY */
    struct holder has;
};

struct search; /* memory that is used again for the next object */
struct search *search_create(void);
void search_destroy(struct search *s);
/* `place` is as place_init left it, and unspecified after. *stop is set if the result is ILLEGAL. */
enum search_result search_run(struct search *s, struct place *place, const struct task *tasks, uint32_t count,
                              struct search_stop *stop);

#endif
