/* SPDX-License-Identifier: Apache-2.0 */
/* names.h — texts as small numbers: each distinct text gets the next one, from 0. */
#ifndef LINEAR_NAMES_H
#define LINEAR_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory/arena.h"
#include "base/memory/table.h"

#define NAME_NONE UINT32_MAX

struct names {
    char **texts; /* in the arena */
    uint32_t count, capacity;
    struct table index;
    struct arena arena;
};

/* The struct must stay where it is until names_release. */
void names_init(struct names *n);
void names_release(struct names *n);
uint32_t names_add(struct names *n, const char *text, size_t size); /* the number it has, or a new one */
const char *names_text(const struct names *n, uint32_t number);     /* "-" for NAME_NONE */

#endif
