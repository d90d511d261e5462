/* SPDX-License-Identifier: Apache-2.0 */
#include "log/sales.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/buf.h"
#include "base/memory/memory.h"

static bool same_seat(const struct sale *a, const struct sale *b)
{
    return a->event == b->event && a->seat == b->seat;
}

/* By seat, and then in the order in which they happened: both are in one array. */
static int order(const void *left, const void *right)
{
    const struct sale *a = *(const struct sale *const *)left, *b = *(const struct sale *const *)right;
    if (a->event != b->event)
        return a->event < b->event ? -1 : 1;
    if (a->seat != b->seat)
        return a->seat < b->seat ? -1 : 1;
    return a < b ? -1 : a > b;
}

static struct status unfit(const struct sale *before, const struct sale *next)
{
    return status_make(STATUS_CORRUPT,
                       "a sale was refused: seat %u of event %llu has fence %llu, and not %llu, in the same batch",
                       next->seat, (unsigned long long)next->event, (unsigned long long)before->fence,
                       (unsigned long long)next->prev);
}

struct status sales_fold(struct sale *sales, uint32_t *count)
{
    uint32_t folded = 0;
    struct status fault = status_none();
    const struct sale **sorted = memory_get((*count + 1u) * sizeof(*sorted));
    struct sale *out = memory_get((*count + 1u) * sizeof(*out));
    for (uint32_t i = 0; i < *count; i++)
        sorted[i] = &sales[i];
    qsort(sorted, *count, sizeof(*sorted), order);
    for (uint32_t i = 0; status_ok(&fault) && i < *count; i++) {
        struct sale *last = folded ? &out[folded - 1] : NULL;
        if (!last || !same_seat(last, sorted[i]))
            out[folded++] = *sorted[i];
        else if (last->fence != sorted[i]->prev)
            fault = unfit(last, sorted[i]);
        else
            last->fence = sorted[i]->fence;
    }
    for (uint32_t i = 0; i < folded; i++)
        sales[i] = out[i];
    *count = folded;
    free(sorted);
    free(out);
    return fault;
}

static uint64_t value_of(const struct sale *sale, enum sales_column column)
{
    switch (column) {
    case SALES_EVENT:
        return sale->event;
    case SALES_SEAT:
        return sale->seat;
    case SALES_FENCE:
        return sale->fence;
    case SALES_PREV:
        return sale->prev;
    }
    ASSERT(false);
    return 0;
}

void sales_write_column(struct buf *out, const struct sale *sales, uint32_t count, enum sales_column column)
{
    char number[24];
    buf_append(out, "{", 1);
    for (uint32_t i = 0; i < count; i++) {
        int size = snprintf(number, sizeof(number), "%s%llu", i ? "," : "",
                            (unsigned long long)value_of(&sales[i], column));
        buf_append(out, number, (size_t)size);
    }
    buf_append(out, "}", 2);
}
