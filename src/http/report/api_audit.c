/* SPDX-License-Identifier: Apache-2.0 */
/* The audit log: who changed the catalogue, keys and hooks. */
#include <stdio.h>

#include "base/assertion.h"
#include "http/api/listing.h"
#include "http/api/page.h"
#include "http/record/record.h"
#include "http/wire/reply.h"

#define ACTOR_SIZE_MAX (8 + USER_SIZE_MAX + 1)

enum { QUERY_FROM, QUERY_TO, QUERY_LIMIT, QUERY_CURSOR };

/* clang-format off */
#define AUDIT(F) \
    F(UINT, seq, 184470, "The number of the change.", audit->seq) \
    F(INSTANT, at, "2030-06-03T08:02:11.000Z", "When it was made.", audit->at_ms) \
    F(TEXT, actor, "admin", "Who made it: `admin`, or `app:` and the name of the key.", actor) \
    F(TEXT, kind, "pool", "The kind of record: `event`, `seats`, `pool`, `codes`, `queue`, `calendar`, `group`, `key`, " \
      "`hook`, `fleet`, `driver`, `provider`, `refund` or `user`.", audit->kind) \
    F(TEXT, action, "put", "The action: `put`, `removed`; for an event `cancelled`; for seats `imported`, `copied`, `blocked`, `unblocked`, " \
      "`allotted`, `removed`; for a refund due `done`; for a user `erased`.", audit->action) \
    F(TEXT_OR_NULL, id, "floor", "Its id or name; for allotted seats the allotment. Null: identified by `event` and `kind`.", \
      audit->id) \
    F(TEXT_OR_NULL, event, "arena", "The event it belongs to; null: none.", audit->event) \
    F(TEXT_OR_NULL, fleet, null, "The fleet it belongs to; null: none.", audit->fleet) \
    F(UINT, count, 1, "How many seats or codes; 1 for everything else, including imports of seats.", audit->count)
RECORD(audit_entry, "A change of the catalogue, a key, a hook, a fleet or a driver: what, when and by whom.", AUDIT)
/* clang-format on */

/* On the reader thread. */
static void audit_row(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    struct json_writer *w = &listing->writer;
    const struct audit_row *audit = row->audit;
    char text[ACTOR_SIZE_MAX];
    struct text actor = audit->role;
    if (audit->name.size) {
        int size = snprintf(text, sizeof(text), "%.*s:%.*s", (int)audit->role.size, audit->role.at,
                            (int)audit->name.size, audit->name.at);
        ASSERT(size > 0 && (size_t)size < sizeof(text));
        actor = (struct text){text, (size_t)size};
    }
    WRITE_RECORD(AUDIT);
    listing->last = (struct id){0, audit->seq}; /* a seq, in the form of an id */
}

HANDLER(api_audit_list)
{
    struct listing *listing = listing_make(r);
    struct query *query = &listing->query;
    query->kind = QUERY_AUDIT;
    if (page_times(r, QUERY_FROM, QUERY_TO, query) && page_limit(r, QUERY_LIMIT, &query->limit) &&
        page_cursor(r, QUERY_CURSOR, &query->after))
        listing_submit(listing, audit_row);
}
