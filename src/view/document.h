/* SPDX-License-Identifier: Apache-2.0 */
/* document.h — an answer that is made once and shared by all who ask: a layout per version, availability per
 * change. */
#ifndef VIEW_DOCUMENT_H
#define VIEW_DOCUMENT_H

#include "base/memory/buf.h"

struct view;

struct document {
    char etag[32]; /* with its quotes; "": none */
    struct buf plain;
    struct buf gzip; /* empty: there is none */
    uint64_t seq;    /* it shows this, and so waits for it */
    uint32_t references;
    struct view *view; /* NULL: of none */
    bool counted;      /* among the view's answers that somebody still reads */
};

/* One reference less; with the last one it is gone. NULL is fine. */
void document_release(struct document *d);

/* ---- For the files of view/ ---- */
/* Empty, with one reference. */
struct document *document_make(struct view *v, uint64_t seq);
/* It is ready to be read: its bytes count. */
void document_count(struct document *d);
/* It goes back to its maker. */
void document_uncount(struct document *d);

#endif
