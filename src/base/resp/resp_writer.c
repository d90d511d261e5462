/* SPDX-License-Identifier: Apache-2.0 */
#include "base/resp/resp_writer.h"

#include "base/assertion.h"
#include "base/text/digits.h"

/* The line of a type and a number: "*3", "$5". */
static void append_line(struct buf *out, char type, uint64_t number)
{
    char line[1 + DIGITS_U64_MAX + 2], *end = line + sizeof line - 2;
    memcpy(end, "\r\n", 2);
    char *at = digits_write(end, number);
    *--at = type;
    buf_append(out, at, (size_t)(line + sizeof line - at));
}

void resp_command(struct buf *out, uint32_t arguments)
{
    ASSERT(arguments > 0);
    append_line(out, '*', arguments);
}

void resp_bytes(struct buf *out, const void *bytes, size_t size)
{
    append_line(out, '$', size);
    buf_append(out, bytes, size);
    buf_append(out, "\r\n", 2);
}

void resp_text(struct buf *out, const char *text)
{
    resp_bytes(out, text, strlen(text));
}

void resp_number(struct buf *out, uint64_t number)
{
    char digits[DIGITS_U64_MAX], *end = digits + sizeof digits, *at = digits_write(end, number);
    resp_bytes(out, at, (size_t)(end - at));
}
