/* SPDX-License-Identifier: Apache-2.0 */
/* assertion.h — checks that stay on in every build.
 *
 * An assertion states what must be true if our own code is right. Refusals and faults are never assertions.
 */
#ifndef BASE_ASSERTION_H
#define BASE_ASSERTION_H

#define ASSERT(condition)                                                                                    \
    do {                                                                                                     \
        if (__builtin_expect(!(condition), 0))                                                               \
            assertion_failed(__FILE__, __LINE__, __func__, #condition);                                      \
    } while (0)

/* Writes one line to standard error and aborts. */
_Noreturn void assertion_failed(const char *file, int line, const char *function, const char *condition);

#endif
