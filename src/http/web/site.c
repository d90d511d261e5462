/* SPDX-License-Identifier: Apache-2.0 */
#include "http/web/site.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/text/gzip.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "http/server.h"
#include "http/web/assets.h"
#include "http/wire/reply.h"

#define PAGE_SIZE_MAX (1u << 20)
#define ERROR_PAGE "/pages/error.html"
#define TYPE_HTML "text/html; charset=utf-8"

/* ---- What the server fills in ---- */

/* Copies the text; for each name in double braces `fill` appends the replacement. */
static void fill_in(struct buf *out, struct text text,
                    void (*fill)(struct buf *out, struct text name, const void *ctx), const void *ctx)
{
    const char *at = text.at, *end = text.at + text.size;
    while (at < end) {
        const char *open = memmem(at, (size_t)(end - at), "{{", 2);
        const char *close = open ? memmem(open, (size_t)(end - open), "}}", 2) : NULL;
        buf_append(out, at, (size_t)((close ? open : end) - at));
        if (!close)
            return;
        fill(out, (struct text){open + 2, (size_t)(close - open - 2)}, ctx);
        at = close + 2;
    }
}

static void append_escaped(struct buf *out, const char *text)
{
    for (; *text; text++)
        if (strchr("&<>\"'", *text))
            buf_printf(out, "&#%d;", *text);
        else
            buf_append(out, text, 1);
}

static void fill_option(struct buf *out, struct text name, const void *ctx)
{
    const struct server_options *options = ctx;
    if (text_equal(name, TEXT("checkout")))
        append_escaped(out, options->checkout ? options->checkout : "");
    else if (text_equal(name, TEXT("demo")))
        append_escaped(out, options->demo ? options->demo : "");
    else if (text_equal(name, TEXT("images")))
        for (size_t i = 0; i < options->image_origin_count; i++) {
            append_escaped(out, i ? " " : "");
            append_escaped(out, options->image_origins[i]);
        }
    else /* left for the error page */
        buf_printf(out, "{{%.*s}}", (int)name.size, name.at);
}

/* "no_such_event" is "No such event". */
static void append_title(struct buf *out, const char *code)
{
    if (strcmp(code, fault_facts[FAULT_NO_SUCH_ROUTE].name) == 0)
        code = "page_not_found";
    size_t from = out->size;
    for (const char *c = code; *c; c++)
        buf_append(out, *c == '_' ? " " : c, 1);
    out->data[from] = (uint8_t)toupper(out->data[from]);
}

/* A sentence that adds something to the title. */
static const char *detail_of(const struct problem *problem)
{
    if (strcmp(problem->code, fault_facts[FAULT_NO_SUCH_ROUTE].name) == 0)
        return "There is nothing at this address.";
    if (strncmp(problem->code, "no_such_", strlen("no_such_")) == 0)
        return "It may have been removed, or the address is misspelled.";
    return problem->detail;
}

static void fill_problem(struct buf *out, struct text name, const void *ctx)
{
    const struct problem *problem = ctx;
    if (text_equal(name, TEXT("status")))
        buf_printf(out, "%d", problem->status);
    else if (text_equal(name, TEXT("title")))
        append_title(out, problem->code);
    else if (text_equal(name, TEXT("code")))
        append_escaped(out, problem->code);
    else if (text_equal(name, TEXT("detail")))
        append_escaped(out, detail_of(problem));
    else
        ASSERT(false);
}

/* ---- Documents ---- */

/* The bytes of the table, which are never written or freed: the site keeps a reference. */
static struct buf borrowed(const char *bytes, size_t size)
{
    return (struct buf){.data = (uint8_t *)(uintptr_t)bytes, .size = size, .capacity = size, .limit = size};
}

static bool is_page(const struct asset *a)
{
    return a->cache == ASSET_REVALIDATED;
}

/* A page with these options filled in. */
static void document_fill(struct document *d, const struct asset *a, const struct server_options *options)
{
    uint8_t hash[32];
    buf_init(&d->plain, PAGE_SIZE_MAX);
    fill_in(&d->plain, (struct text){a->plain, a->plain_size}, fill_option, options);
    gzip_pack(&d->plain, &d->gzip);
    hash_sha256(d->plain.data, d->plain.size, hash);
    d->etag[0] = '"';
    for (unsigned i = 0; i < 10; i++)
        snprintf(d->etag + 1 + 2 * i, 3, "%02x", hash[i]);
    snprintf(d->etag + 21, 2, "\"");
}

static void document_borrow(struct document *d, const struct asset *a)
{
    size_t size = strlen(a->etag) + 1;
    ASSERT(size <= sizeof d->etag);
    memcpy(d->etag, a->etag, size);
    d->plain = borrowed(a->plain, a->plain_size);
    d->gzip = borrowed(a->gzip, a->gzip_size);
}

static void write_headers(struct buf *out, const struct server_options *options)
{
    buf_init(out, 16384);
    buf_append_text(out, "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
                         "img-src 'self' data: blob:");
    for (size_t i = 0; i < options->image_origin_count; i++)
        buf_printf(out, " %s", options->image_origins[i]);
    buf_append_text(out, "; font-src 'self'; connect-src 'self'; media-src 'self' blob:; worker-src 'self'; "
                         "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
                         "require-trusted-types-for 'script'\r\n"
                         "Referrer-Policy: no-referrer\r\n");
}

void site_open(struct site *site, const struct server_options *options)
{
    site->documents = memory_zeroed(assets_count, sizeof *site->documents);
    for (unsigned i = 0; i < assets_count; i++) {
        struct document *d = &site->documents[i];
        d->references = 1;
        if (is_page(&assets[i]))
            document_fill(d, &assets[i], options);
        else
            document_borrow(d, &assets[i]);
        if (strcmp(assets[i].path, ERROR_PAGE) == 0)
            site->error_page = d;
    }
    ASSERT(site->error_page);
    write_headers(&site->headers, options);
}

void site_release(struct site *site)
{
    for (unsigned i = 0; i < assets_count; i++) {
        ASSERT(site->documents[i].references == 1); /* no connection still sends it */
        if (!is_page(&assets[i]))
            continue;
        buf_release(&site->documents[i].plain);
        buf_release(&site->documents[i].gzip);
    }
    free(site->documents);
    buf_release(&site->headers);
}

/* ---- Answers ---- */

static void add_page_headers(struct request *r)
{
    buf_append(&r->extra_headers, r->server->site.headers.data, r->server->site.headers.size);
    reply_header(r, "Permissions-Policy", r->route && r->route->camera ? "camera=(self)" : "camera=()");
}

static void reply_asset(struct request *r, const struct asset *a)
{
    static const char *const caches[] = {
        [ASSET_IMMUTABLE] = "public, max-age=31536000, immutable",
        [ASSET_REVALIDATED] = "no-cache",
        [ASSET_BRIEF] = "public, max-age=300",
    };
    struct document *d = &r->server->site.documents[a - assets];
    if (is_page(a))
        add_page_headers(r);
    reply_header(r, "Cache-Control", "%s", caches[a->cache]);
    d->references++;
    reply_file(r, a->type, d);
}

/* A file by its path, or a document (a page). The paths of other pages' files are not matched by any route. */
HANDLER(site_file_get)
{
    const struct asset *a = asset_find(r->path);
    if (a)
        reply_asset(r, a);
    else
        reply_problem(r, &(struct problem){.status = 404,
                                           .code = fault_facts[FAULT_NO_SUCH_ROUTE].name,
                                           .detail = fault_facts[FAULT_NO_SUCH_ROUTE].sentence});
}

/* Whether the subject of the page exists; a reservation's page checks that itself, with its token. */
static bool subject_exists(struct request *r, enum outcome_code *refusal)
{
    const struct route_parameter *subject = route_parameter(r->route, 0);
    struct text id = r->parameters[0];
    *refusal = subject ? subject->refusal : OUTCOME_OK;
    switch (*refusal) {
    case OUTCOME_NO_SUCH_EVENT:
        return view_event_find(r->view, id, &(struct event_view){0});
    case OUTCOME_NO_SUCH_CALENDAR:
        return view_calendar_find(r->view, id, &(struct calendar_view){0});
    case OUTCOME_NO_SUCH_GROUP:
        return view_group_find(r->view, id, &(struct group_view){0});
    case OUTCOME_NO_SUCH_FLEET:
        return view_fleet_find(r->view, id, &(struct fleet_view){0});
    default:
        return true;
    }
}

/* The page that the row names. */
HANDLER(site_page_get)
{
    enum outcome_code refusal;
    if (!subject_exists(r, &refusal)) {
        reply_outcome(r, refusal);
        return;
    }
    const struct asset *a = asset_find((struct text){r->route->page, strlen(r->route->page)});
    ASSERT(a);
    reply_asset(r, a);
}

/* ---- Errors ---- */

bool site_wants_error_page(const struct request *r)
{
    struct text path = r->path;
    bool api = path.size >= 3 && memcmp(path.at, "/v1", 3) == 0 && (path.size == 3 || path.at[3] == '/');
    return !api && request_accepts(r->headers.accept, "text/html");
}

void site_reply_error(struct request *r, const struct problem *problem)
{
    const struct document *page = r->server->site.error_page;
    add_page_headers(r);
    reply_header(r, "Cache-Control", "no-store");
    struct buf *out = reply_begin(r, problem->status, TYPE_HTML);
    fill_in(out, (struct text){(const char *)page->plain.data, page->plain.size}, fill_problem, problem);
    reply_finish(r);
}
