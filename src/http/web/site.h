/* SPDX-License-Identifier: Apache-2.0 */
/* site.h — what a server shows to browsers: the pages, the files they load, and errors as pages.
 *
 * Owns a document for each asset (assets.h) and the headers that go with them. Pages are the files named by the rows
 * of routes.c that have `page`; in them the server fills in what its options say, once, when it starts:
 *
 *     {{checkout}}   where "Pay" leads (--checkout), or nothing
 *     {{demo}}       "yes" under `holdfast demo`, which pays by itself, or nothing
 *
 * The policy lets nothing come from another origin but images of events, from where --image-origin says.
 */
#ifndef HTTP_SITE_H
#define HTTP_SITE_H

#include "base/memory/buf.h"
#include "view/document.h"

struct request;
struct problem;
struct server_options;

struct site {
    struct document *documents;  /* of assets[], in the same order; the site keeps a reference of each */
    struct buf headers;          /* of every page, as lines: the policy and what goes with it */
    struct document *error_page; /* with a place for the code's status, its title and a sentence */
};

void site_open(struct site *site, const struct server_options *options);
void site_release(struct site *site);

/* Whether an error is said as a page: to a browser that navigates, outside the API. */
bool site_says_errors(const struct request *r);
/* The page of an error, with a way back. */
void site_reply_error(struct request *r, const struct problem *problem);

#endif
