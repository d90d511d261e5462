/* SPDX-License-Identifier: Apache-2.0 */
#include "base/crypto/random.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/assertion.h"

#define RANDOM_BUFFER_SIZE 1024

static _Thread_local uint8_t random_buffer[RANDOM_BUFFER_SIZE];
static _Thread_local size_t random_left;

static void random_from_kernel(uint8_t *out, size_t size)
{
    while (size > 0) {
        ssize_t got = getrandom(out, size, 0);
        if (got < 0 && errno == EINTR)
            continue;
        ASSERT(got > 0);
        out += got;
        size -= (size_t)got;
    }
}

void random_bytes(void *out, size_t size)
{
    if (size > RANDOM_BUFFER_SIZE / 2) {
        random_from_kernel(out, size);
        return;
    }
    if (random_left < size) {
        random_from_kernel(random_buffer, RANDOM_BUFFER_SIZE);
        random_left = RANDOM_BUFFER_SIZE;
    }
    /* Bytes are wiped once used: a later memory leak must not reveal earlier ids. */
    uint8_t *at = random_buffer + random_left - size;
    memcpy(out, at, size);
    explicit_bzero(at, size);
    random_left -= size;
}

uint64_t random_u64(void)
{
    uint64_t v;
    random_bytes(&v, sizeof v);
    return v;
}
