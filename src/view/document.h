/* SPDX-License-Identifier: Apache-2.0 */
/* document.h — an answer that is built once and shared by all requests: a layout per version, availability per
 * change. */
#ifndef VIEW_DOCUMENT_H
#define VIEW_DOCUMENT_H

#include "base/memory/buf.h"

struct view;

struct document {
    char etag[32]; /* with its quotes; "": none */
    struct buf plain;
    struct buf gzip; /* empty: no compressed form */
    uint64_t seq;    /* the last change it shows: sent once that is durable */
    uint32_t references;
    struct view *view; /* NULL: none */
    bool counted;      /* in the view's answer_bytes */
};

/* Drops one reference; the last one frees it. NULL is fine. */
void document_release(struct document *d);

/* ---- For the files of view/ ---- */
/* Empty, with one reference. */
struct document *document_make(struct view *v, uint64_t seq);
/* It is complete: its bytes count towards the view's limit. */
void document_count(struct document *d);
/* It is being changed again, or freed: its bytes no longer count. */
void document_uncount(struct document *d);

#endif
