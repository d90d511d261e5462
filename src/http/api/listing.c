/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/listing.h"

#include "http/api/page.h"
#include "http/wire/reply.h"

struct listing *listing_make(struct request *r)
{
    struct listing *listing = arena_zeroed(&r->arena, sizeof(*listing));
    listing->request = r;
    listing->query.min_seq = r->min_seq;
    return listing;
}

static void listed(void *ctx, const struct query_result *result)
{
    struct listing *listing = ctx;
    struct request *r = listing->request;
    if (!result->ok) {
        reply_unavailable(r, NULL);
        return;
    }
    if (listing->refuse_more && result->more) {
        listing->refuse_more(r);
        return;
    }
    if (listing->type) {
        char cursor[ID_TEXT_SIZE + 1] = "";
        id_write(listing->last, cursor);
        if (listing->cut || result->more)
            reply_header(r, "Holdfast-Next-Cursor", "%s", cursor);
        reply_seq(r, result->seq);
        reply_take(r, listing->type, &r->scratch);
        return;
    }
    if (listing->write)
        listing->write(listing);
    page_end(&listing->writer, listing->cut || result->more, listing->last);
    reply_seq(r, result->seq);
    reply_copy(r, 200, r->scratch.data, r->scratch.size);
}

void listing_submit(struct listing *listing, store_row_fn row)
{
    if (!listing->type) {
        listing->writer = json_writer_make(&listing->request->scratch);
        page_begin(&listing->writer);
    }
    store_query(listing->request->store, &listing->query, row, listed, listing);
}
