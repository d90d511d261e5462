/* SPDX-License-Identifier: Apache-2.0 */
#include "view/document.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "view/answers.h"

#define DOCUMENT_BYTES_MAX ((size_t)4 << 30)

struct document *document_make(struct view *v, uint64_t seq)
{
    struct document *d = memory_zeroed(1, sizeof(*d));
    d->references = 1;
    d->seq = seq;
    d->view = v;
    buf_init(&d->plain, DOCUMENT_BYTES_MAX);
    return d;
}

void document_count(struct document *d)
{
    ASSERT(!d->counted);
    d->counted = true;
    d->view->answer_bytes += d->plain.size;
}

void document_uncount(struct document *d)
{
    if (!d->counted)
        return;
    ASSERT(d->view->answer_bytes >= d->plain.size);
    d->view->answer_bytes -= d->plain.size;
    d->counted = false;
}

static void document_free(void *document)
{
    struct document *d = document;
    buf_release(&d->plain);
    buf_release(&d->gzip);
    free(d);
}

void document_release(struct document *d)
{
    if (!d)
        return;
    ASSERT(d->references > 0);
    if (--d->references)
        return;
    document_uncount(d);
    if (d->view)
        store_reclaim(d->view->store, d->plain.capacity + d->gzip.capacity, document_free, d);
    else
        document_free(d);
}
