/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting lists: joining, reading, leaving, and the whole list for admins. */
#include "base/assertion.h"
#include "core/entry_id.h"
#include "http/catalogue/code_call.h"
#include "http/queue/entry_call.h"
#include "http/api/listing.h"
#include "http/api/page.h"
#include "http/api/text_check.h"
#include "http/record/encode.h"
#include "http/wire/reply.h"

/* ---- One entry ---- */

struct wish_body {
    struct json_text_value user_id, tier, section, pool, code;
    struct json_int_value quantity;
    struct json_bool_value adjacent;
};

const struct json_field api_list_join_fields[] = {
    FIELD_USER_ID(struct wish_body, user_id, "The user who joins. Required with an app or admin key."),
    JSON_INT(struct wish_body, quantity, 1, QUANTITY_MAX, JSON_REQUIRED, .about = ABOUT_WISH_QUANTITY),
    JSON_BOOL_OR(struct wish_body, adjacent, false, .about = ABOUT_WISH_ADJACENT),
    FIELD_LABEL(struct wish_body, tier, 1, JSON_NULLABLE, ABOUT_WISH_TIER),
    FIELD_LABEL(struct wish_body, section, 1, JSON_NULLABLE, ABOUT_WISH_SECTION),
    FIELD_ID(struct wish_body, pool, JSON_NULLABLE, ABOUT_WISH_POOL),
    FIELD_CODE(struct wish_body, code, JSON_OPTIONAL, ABOUT_CODE_GIVEN),
    JSON_END,
};

HANDLER(api_list_join)
{
    struct wish_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = entry_call_join(r, COMMAND_LIST_JOIN, body.user_id);
    call->command.list.wish = (struct list_wish){
        .quantity = (uint32_t)body.quantity.value,
        .adjacent = body.adjacent.value,
        .tier = text_given(body.tier),
        .section = text_given(body.section),
        .pool = text_given(body.pool),
    };
    call->command.list.code = text_given(body.code);
    if (code_call_may_try(r, &call->command))
        call_submit(call, entry_call_joined);
}

HANDLER(api_list_entry_get)
{
    entry_call_entry(r, COMMAND_LIST_LOOK, entry_call_shown);
}

HANDLER(api_list_entry_leave)
{
    entry_call_entry(r, COMMAND_LIST_LEAVE, entry_call_shown);
}

/* ---- The whole list ---- */

enum { QUERY_STATUS, QUERY_LIMIT, QUERY_CURSOR };

static bool read_status(struct request *r, struct query *query)
{
    struct text name = r->query[QUERY_STATUS];
    query->has_list_status = name.at != NULL;
    if (!name.at || list_status_read(name, &query->list_status))
        return true;
    return request_refuse_query(r, QUERY_STATUS, NULL);
}

/* The entries from the book; their positions come from memory, when the query is done. */
struct list_page {
    struct text event_id;
    uint64_t entry_key[2];
    struct list_entry_image *entries;
    uint32_t count;
};

/* On the reader thread. */
static void gather_entry(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    struct request *r = listing->request;
    struct list_page *page = listing->data;
    ASSERT(page->count < listing->query.limit);
    struct list_entry_image *entry = &page->entries[page->count++];
    *entry = *row->list_entry;
    entry->user_id = request_keep(r, entry->user_id);
    entry->wish.tier = request_keep(r, entry->wish.tier);
    entry->wish.section = request_keep(r, entry->wish.section);
    entry->wish.pool = request_keep(r, entry->wish.pool);
    listing->last = (struct id){0, entry->number};
}

static void write_entries(struct listing *listing)
{
    struct list_page *page = listing->data;
    struct request *r = listing->request;
    uint64_t seq = 0;
    for (uint32_t i = 0; i < page->count; i++) {
        struct list_entry_image *entry = &page->entries[i];
        entry->id = entry_id(page->entry_key, ENTRY_LIST, entry->number);
        entry->event_id = page->event_id;
        if (entry->status == LIST_WAITING)
            entry->position = view_list_position(r->view, listing->query.event_number, entry->number, &seq);
        encode_list_entry(&listing->writer, entry);
    }
    reply_wait(r, seq);
}

HANDLER(api_list_get)
{
    struct event_view view;
    struct id after; /* the number of an entry, in the form of an id */
    struct listing *listing = listing_make(r);
    struct query *query = &listing->query;
    if (!view_event_find(r->view, r->parameters[0], &view)) {
        reply_outcome(r, OUTCOME_NO_SUCH_EVENT);
        return;
    }
    if (!read_status(r, query) || !page_limit(r, QUERY_LIMIT, &query->limit) ||
        !page_cursor(r, QUERY_CURSOR, &after))
        return;
    struct list_page *page = arena_zeroed(&r->arena, sizeof(*page));
    page->event_id = r->parameters[0];
    memcpy(page->entry_key, view.image.entry_key, sizeof(page->entry_key));
    page->entries = arena_take(&r->arena, query->limit * sizeof(*page->entries));
    listing->data = page;
    listing->write = write_entries;
    query->kind = QUERY_WAITING_LIST;
    query->event_number = view.image.number;
    query->after_number = after.low > UINT32_MAX ? UINT32_MAX : (uint32_t)after.low;
    listing_submit(listing, gather_entry);
}
