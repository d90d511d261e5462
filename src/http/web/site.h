/* SPDX-License-Identifier: Apache-2.0 */
/* site.h — the site for browsers: pages, the files they load, and errors as pages.
 *
 * Owns a document for each asset (assets.h) and the headers of pages. Pages are the files named by the rows of
 * routes.c that have `page`; the server fills in its options once, when it starts:
 *
 *     {{checkout}}   the target of "Pay" (--checkout), or empty
 *     {{demo}}       under `holdfast demo`: where its admin key is; or empty
 *     {{images}}     the origins of --image-origin, separated by spaces
 *
 * The content security policy allows other origins only for event images, from --image-origin.
 */
#ifndef HTTP_SITE_H
#define HTTP_SITE_H

#include "base/memory/buf.h"
#include "view/document.h"

struct request;
struct problem;
struct server_options;

struct site {
    struct document *documents;  /* of assets[], in the same order; the site keeps a reference to each */
    struct buf headers;          /* of every page, as lines: the content security policy and others */
    struct document *error_page; /* with placeholders for status, code, title and detail */
};

void site_open(struct site *site, const struct server_options *options);
void site_release(struct site *site);

/* Whether an error should be a page: outside the API, for clients that accept HTML. */
bool site_wants_error_page(const struct request *r);
/* The error as a page, with a link back. */
void site_reply_error(struct request *r, const struct problem *problem);

#endif
