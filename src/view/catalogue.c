/* SPDX-License-Identifier: Apache-2.0 */
/* catalogue.c — reads events, seats, pools, codes, keys, the payment provider and the last erasure from memory. */
#include "core/catalogue/event_seats.h"
#include "core/key.h"
#include "view/answers.h"

static void event_view_make(const struct event *e, struct event_view *out)
{
    *out = (struct event_view){.image = e->image, .counts = event_counts_shown(e), .seq = e->seq};
}

bool view_event_find(struct view *v, struct text id, struct event_view *out)
{
    const struct event *e = event_find(v->state, id);
    if (e)
        event_view_make(e, out);
    return e != NULL;
}

bool view_event_after(struct view *v, uint64_t number, struct event_view *out)
{
    const struct event *e = event_after(v->state, number);
    if (e)
        event_view_make(e, out);
    return e != NULL;
}

enum outcome_code view_seat_find(struct view *v, struct text event, struct text seat, struct seat_view *out)
{
    const struct event *e = event_find(v->state, event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    uint32_t position = layout_find(e->layout, seat);
    if (position == LAYOUT_NONE)
        return OUTCOME_NO_SUCH_SEAT;
    layout_seat_image(e->layout, position, &out->image);
    out->image.allotment = allotment_of(e, position);
    out->status = seat_status(v->state, e, position);
    out->version = seat_at(e, position)->version;
    out->seq = e->seq;
    return OUTCOME_OK;
}

/* ---- Pools ---- */

static enum outcome_code pool_view_make(const struct event *e, const struct pool *p, struct pool_view *out)
{
    out->seq = e->seq;
    if (!p)
        return OUTCOME_NO_SUCH_POOL;
    out->image = p->image;
    out->image.available = pool_shown(e, p);
    return OUTCOME_OK;
}

enum outcome_code view_pool_find(struct view *v, struct text event, struct text pool, struct pool_view *out)
{
    struct event *e = event_find(v->state, event);
    return e ? pool_view_make(e, pool_find(e, pool), out) : OUTCOME_NO_SUCH_EVENT;
}

enum outcome_code view_pool_at(struct view *v, struct text event, uint64_t position, struct pool_view *out)
{
    const struct event *e = event_find(v->state, event);
    return e ? pool_view_make(e, position < e->pool_count ? &e->pools[position] : NULL, out)
             : OUTCOME_NO_SUCH_EVENT;
}

/* ---- Codes ---- */

bool view_code_after(struct view *v, struct text event, struct text code, struct code_view *out)
{
    const struct event *e = event_find(v->state, event);
    const struct code *before = e && code.size ? code_find(e, code) : NULL;
    if (!e || (code.size && !before))
        return false;
    uint32_t at = before ? code_view(before)->position + 1 : 0;
    while (at < codes_count(e) && code_view(code_at(e, at))->removed)
        at++;
    if (at == codes_count(e))
        return false;
    uint64_t seq = codes_seq(e);
    *out = (struct code_view){.image = *code_view(code_at(e, at)), .seq = seq > e->seq ? seq : e->seq};
    return true;
}

/* ---- Keys ---- */

static bool key_view_make(const struct key *key, struct key_view *out)
{
    if (key)
        *out = (struct key_view){.image = key->image, .seq = key->seq};
    return key != NULL;
}

bool view_key_find(struct view *v, const uint8_t hash[32], struct key_view *out)
{
    return key_view_make(state_key_find(v->state, hash, store_now(v->store)), out);
}

bool view_key_named(struct view *v, struct text name, struct key_view *out)
{
    return key_view_make(state_key_named(v->state, name), out);
}

bool view_key_after(struct view *v, struct text name, struct key_view *out)
{
    return key_view_make(state_key_after(v->state, name), out);
}

/* ---- The payment provider, erasures ---- */

const struct provider_image *view_provider(struct view *v)
{
    return state_provider(v->state);
}

uint64_t view_erased_seq(struct view *v)
{
    return state_erased(v->state);
}
