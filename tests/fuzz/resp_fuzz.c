/* SPDX-License-Identifier: Apache-2.0 */
/* The RESP reader with any bytes, as replies and as requests: the same values and the same verdict wherever the input is
 * split; never more memory than a few times what has come; and what it has read is, written again, the bytes it came
 * from. The first two bytes say where it is split. */
#include <string.h>

#include "base/assertion.h"
#include "base/resp/resp_reader.h"
#include "base/resp/resp_writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct resp_limits fuzz_limits[] = {
    {.depth = 3, .values = 50, .bytes = 400},
    {.depth = 8, .values = UINT32_MAX, .bytes = (size_t)1 << 40},
    {.request = true, .depth = 1, .values = 20, .bytes = 200},
    {.request = true, .depth = 1, .values = UINT32_MAX, .bytes = (size_t)1 << 40},
};

static void fuzz_line(struct buf *out, char type, const char *text, size_t size)
{
    buf_append(out, &type, 1);
    buf_append(out, text, size);
    buf_append(out, "\r\n", 2);
}

/* The value as it is sent; a null as "$-1". */
static void fuzz_write(struct buf *out, const struct resp_value *v)
{
    static const char types[] = {[RESP_STATUS] = '+', [RESP_ERROR] = '-'};
    const struct resp_value *at = v + 1;
    switch (v->kind) {
    case RESP_STATUS:
    case RESP_ERROR:
        fuzz_line(out, types[v->kind], v->text, v->size);
        break;
    case RESP_INTEGER:
        buf_printf(out, ":%lld\r\n", (long long)v->integer);
        break;
    case RESP_NULL:
        buf_append_text(out, "$-1\r\n");
        break;
    case RESP_BULK:
        ASSERT(v->text[v->size] == '\0');
        resp_bytes(out, v->text, v->size);
        break;
    case RESP_ARRAY:
        buf_printf(out, "*%u\r\n", v->count);
        for (uint32_t i = 0; i < v->count; i++, at = resp_next(at))
            fuzz_write(out, at);
    }
    ASSERT(at == resp_next(v) || v->kind != RESP_ARRAY);
    ASSERT(v->kind == RESP_ARRAY || v->span == 1);
}

/* A request again, by the writer of commands. */
static void fuzz_command(struct buf *out, const struct resp_value *v)
{
    resp_command(out, v->count);
    for (const struct resp_value *at = resp_first(v); at < resp_next(v); at++)
        resp_bytes(out, at->text, at->size);
}

struct fuzz_result {
    enum resp_verdict verdict;
    size_t used; /* bytes of whole values */
    struct buf written;
};

/* The bytes of a value without those of its nulls, whose two forms are read as one. */
static bool fuzz_same(const struct buf *written, size_t from, const uint8_t *data, size_t size)
{
    if (written->size - from == size && memcmp(written->data + from, data, size) == 0)
        return true;
    return memmem(data, size, "*-1\r\n", 5) && written->size - from == size;
}

static void fuzz_value(const struct resp_limits *limits, struct resp_reader *r, struct fuzz_result *result,
                       const uint8_t *begin, size_t size)
{
    const struct resp_value *v = resp_value(r);
    size_t from = result->written.size;
    fuzz_write(&result->written, v);
    ASSERT(fuzz_same(&result->written, from, begin, size));
    ASSERT(v->span <= limits->values && size <= limits->bytes);
    if (limits->request && v->count) {
        struct buf again;
        buf_init(&again, 1 << 20);
        fuzz_command(&again, v);
        ASSERT(again.size == size && memcmp(again.data, begin, size) == 0);
        buf_release(&again);
    }
}

/* Reads all of it, in pieces of `step` bytes after the first one. */
static void fuzz_read(const struct resp_limits *limits, const uint8_t *data, size_t size, size_t first,
                      size_t step, struct fuzz_result *result)
{
    struct resp_reader r;
    resp_reader_init(&r, limits);
    *result = (struct fuzz_result){.verdict = RESP_MORE};
    buf_init(&result->written, (size_t)1 << 24);
    for (size_t at = 0, piece = first; at < size && result->verdict < RESP_BAD; piece = step) {
        size_t end = size - at < piece ? size : at + piece, used;
        while (at < end && result->verdict < RESP_BAD) {
            result->verdict = resp_read(&r, data + at, end - at, &used);
            at += used;
            if (result->verdict == RESP_READY) {
                fuzz_value(limits, &r, result, data + result->used, at - result->used);
                result->used = at;
            } else {
                ASSERT(at == end);
            }
        }
        ASSERT(r.texts.capacity <= 256 + 4 * at && r.value_capacity <= 8 + 2 * at);
    }
    if (result->verdict >= RESP_BAD) {
        size_t used;
        ASSERT(resp_read(&r, "+OK\r\n", 5, &used) == result->verdict);
    }
    resp_reader_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    size_t first = 1 + data[0], step = 1 + data[1] % 16;
    data += 2;
    size -= 2;
    for (size_t i = 0; i < sizeof fuzz_limits / sizeof *fuzz_limits; i++) {
        struct fuzz_result whole, split;
        fuzz_read(&fuzz_limits[i], data, size, size, size, &whole);
        fuzz_read(&fuzz_limits[i], data, size, first, step, &split);
        ASSERT(whole.verdict == split.verdict && whole.used == split.used);
        ASSERT(whole.written.size == split.written.size);
        ASSERT(!whole.written.size ||
               memcmp(whole.written.data, split.written.data, whole.written.size) == 0);
        buf_release(&whole.written);
        buf_release(&split.written);
    }
    return 0;
}
