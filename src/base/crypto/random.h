/* SPDX-License-Identifier: Apache-2.0 */
/* random.h — unguessable bytes from the kernel, buffered so that a request does not cost a system call. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

void random_bytes(void *out, size_t size); /* ends the process if the kernel has none; any thread */
uint64_t random_u64(void);

#endif
