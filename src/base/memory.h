/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h — allocation that cannot fail: the process ends, with one line logged, in one place.
 *
 * Everything obtained here is returned with free().
 */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

void *memory_get(size_t size);                           /* uninitialised */
void *memory_zeroed(size_t count, size_t size);          /* large blocks cost nothing until touched */
void *memory_grow(void *old, size_t count, size_t size); /* like reallocarray; keeps the contents */
char *memory_copy(const void *bytes, size_t size);       /* a copy with a NUL after it */

#endif
