/* SPDX-License-Identifier: Apache-2.0 */
/* encode_fixture.h — a buffer to encode records into, and its text. */
#ifndef TESTS_UNIT_ENCODE_FIXTURE_H
#define TESTS_UNIT_ENCODE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "http/record/encode.h"

static struct buf out;
static struct json_writer writer;

static inline int begin(void **state)
{
    (void)state;
    buf_init(&out, 1 << 20);
    writer = json_writer_make(&out);
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    buf_release(&out);
    return 0;
}

static inline const char *written(void)
{
    buf_append(&out, "", 1);
    return (const char *)out.data;
}

#endif
