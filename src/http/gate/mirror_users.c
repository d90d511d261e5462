/* SPDX-License-Identifier: Apache-2.0 */
#include "http/gate/mirror_users.h"

#include "base/assertion.h"

void mirror_users_init(struct mirror_users *u, void (*ready)(void *ctx), void *ctx)
{
    *u = (struct mirror_users){.ready = ready, .ctx = ctx};
    buf_init(&u->names, MIRROR_BATCH_MAX * USER_SIZE_MAX);
}

void mirror_users_release(struct mirror_users *u)
{
    buf_release(&u->names);
}

void mirror_users_forget(struct mirror_users *u)
{
    u->missing_count = 0;
    if (!u->asking)
        u->row_count = u->row_next = 0;
}

void mirror_users_miss(struct mirror_users *u, const struct mirror_batch *b, const struct resp_value *reply)
{
    const struct resp_value *index = resp_first(reply);
    for (uint32_t i = 0; i < reply->count; i++, index = resp_next(index)) {
        bool sound = index->kind == RESP_INTEGER && index->integer >= 0 && index->integer < b->count;
        if (!sound || u->missing_count == MIRROR_MISSING_MAX)
            return; /* the next pass finds them again */
        u->missing[u->missing_count++] =
            (struct mirror_seat){b->seats[index->integer].event, b->seats[index->integer].position};
    }
}

bool mirror_users_busy(const struct mirror_users *u)
{
    return u->missing_count || u->asking || u->row_next < u->row_count;
}

/* On a thread of the store. */
static void on_claim(void *ctx, const struct query_row *row)
{
    struct mirror_users *u = ctx;
    const struct claim_row *c = row->claim;
    ASSERT(u->row_count < MIRROR_BATCH_MAX && c->user_id.size <= USER_SIZE_MAX);
    u->rows[u->row_count++] = (struct mirror_user_row){.fence = c->fence,
                                                       .position = c->position,
                                                       .user_at = (uint32_t)u->names.size,
                                                       .user_size = (uint32_t)c->user_id.size};
    buf_append(&u->names, c->user_id.at, c->user_id.size);
}

/* Whatever the book did not have, it will not have now either. */
static void on_page(void *ctx, const struct query_result *result)
{
    struct mirror_users *u = ctx;
    uint32_t kept = 0;
    ASSERT(u->asking && u->row_next == 0);
    u->asking = false;
    if (!result->ok)
        u->row_count = 0;
    for (uint32_t i = 0; i < u->missing_count && result->ok; i++) {
        struct mirror_seat seat = u->missing[i];
        bool looked =
            seat.event == u->query.event_number && (!result->more || seat.position <= result->last_position);
        if (!looked)
            u->missing[kept++] = seat;
    }
    u->missing_count = kept;
    u->ready(u->ctx);
}

void mirror_users_look_up(struct mirror_users *u, struct store *s)
{
    if (u->asking || !u->missing_count || u->row_next < u->row_count)
        return;
    struct mirror_seat first = u->missing[0];
    for (uint32_t i = 1; i < u->missing_count; i++)
        if (u->missing[i].event == first.event && u->missing[i].position < first.position)
            first = u->missing[i];
    u->asking = true;
    u->row_count = u->row_next = 0;
    buf_clear(&u->names);
    u->query = (struct query){.kind = QUERY_CLAIMS,
                              .event_number = first.event,
                              .from_position = first.position,
                              .limit = MIRROR_BATCH_MAX};
    store_query(s, &u->query, on_claim, on_page, u);
}

void mirror_users_fill(struct mirror_users *u, struct view *v, struct mirror_batch *b)
{
    while (!u->asking && u->row_next < u->row_count && b->count < MIRROR_BATCH_MAX) {
        const struct mirror_user_row *row = &u->rows[u->row_next++];
        struct claim_view c;
        if (view_claim_find(v, u->query.event_number, row->position, &c) && c.live && c.version == row->fence)
            mirror_batch_put(b, 's', &c,
                             c.user.at
                                 ? c.user
                                 : (struct text){(const char *)u->names.data + row->user_at, row->user_size});
    }
}
