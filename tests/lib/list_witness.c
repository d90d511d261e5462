/* SPDX-License-Identifier: Apache-2.0 */
#include "list_witness.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "core/catalogue/event.h"

__attribute__((format(printf, 2, 3))) static void wronged(struct list_witness *w, const char *format, ...)
{
    va_list arguments;
    if (w->fault[0])
        return;
    va_start(arguments, format);
    vsnprintf(w->fault, sizeof(w->fault), format, arguments);
    va_end(arguments);
}

static void keep(char *to, size_t size, struct text t)
{
    ASSERT(t.size < size);
    snprintf(to, size, "%.*s", (int)t.size, t.at ? t.at : "");
}

static void settings(struct list_witness *w, const struct event_image *e)
{
    w->limit = e->per_user_limit;
    w->has_list = e->has_list;
    w->starts_at_ms = e->starts_at_ms;
    w->on_sale_at_ms = e->on_sale_at_ms;
    w->off_sale_at_ms = e->off_sale_at_ms;
}

void list_witness_init(struct list_witness *w, const struct event *e)
{
    /* Not assigned from a literal: without optimization that is a temporary of many megabytes on the
     * stack. */
    memset(w, 0, sizeof(*w));
    w->event = e->image.number;
    w->layout = layout_share(e->layout);
    ASSERT(e->layout->count <= WITNESS_SEATS && e->pool_count <= WITNESS_POOLS);
    settings(w, &e->image);
    for (uint32_t i = 0; i < e->pool_count; i++) {
        keep(w->pools[i].id, sizeof(w->pools[i].id), e->pools[i].image.id);
        w->pools[i].capacity = e->pools[i].image.capacity;
    }
}

void list_witness_release(struct list_witness *w)
{
    layout_release(w->layout);
}

/* ---- What fits ---- */

static bool label_is(const char *wanted, struct text label)
{
    return !wanted[0] || (label.size == strlen(wanted) && memcmp(label.at, wanted, label.size) == 0);
}

static bool matches(const struct list_witness *w, const struct witness_entry *n, uint32_t position)
{
    const struct layout_seat *seat = layout_seat(w->layout, position);
    return !layout_accessible(w->layout, position) &&
           label_is(n->section, layout_text(w->layout, seat->section)) &&
           label_is(n->tier, layout_text(w->layout, seat->tier));
}

static bool fits(const struct list_witness *w, const struct witness_entry *n)
{
    for (uint32_t i = 0; n->pool[0] && i < WITNESS_POOLS; i++)
        if (strcmp(n->pool, w->pools[i].id) == 0)
            return n->quantity <= w->pools[i].capacity - w->pools[i].taken;
    uint32_t count = 0, run = 0, longest = 0;
    for (uint32_t row = 0; row < w->layout->row_count; row++)
        for (uint32_t i = 0; i < w->layout->rows[row].count; i++) {
            uint32_t seat = w->layout->rows[row].seats[i], position = seat & ~LAYOUT_BESIDE;
            bool fit = !w->taken[position] && !w->blocked[position] && matches(w, n, position);
            run = !fit ? 0 : seat & LAYOUT_BESIDE ? run + 1 : 1;
            count += fit;
            longest = run > longest ? run : longest;
        }
    return n->quantity <= (n->adjacent ? longest : count);
}

static uint32_t has(const struct list_witness *w, const char *user)
{
    uint32_t units = 0;
    for (uint32_t i = 0; i < w->hold_count; i++)
        for (uint32_t k = 0; w->holds[i].live && strcmp(w->holds[i].user, user) == 0 && k < w->holds[i].count;
             k++)
            units += w->holds[i].items[k].resource == w->event ? w->holds[i].items[k].quantity : 0;
    return units;
}

static bool offering(const struct list_witness *w, int64_t now_ms)
{
    int64_t end_ms = w->off_sale_at_ms ? w->off_sale_at_ms : w->starts_at_ms;
    return w->has_list && now_ms >= w->on_sale_at_ms && (!end_ms || now_ms < end_ms);
}

/* The number of the first entry that could be offered something, or 0. */
static uint32_t next(const struct list_witness *w, int64_t now_ms)
{
    for (uint32_t i = 0; offering(w, now_ms) && i < w->entry_count; i++) {
        const struct witness_entry *n = &w->entries[i];
        if (n->status == LIST_WAITING && fits(w, n) &&
            (!w->limit || has(w, n->user) + n->quantity <= w->limit))
            return i + 1;
    }
    return 0;
}

/* ---- What happens ---- */

static void claim(struct list_witness *w, struct witness_hold *h, bool taken)
{
    for (uint32_t i = 0; i < h->count; i++) {
        const struct item_image *item = &h->items[i];
        if (item->resource != w->event)
            continue;
        if (item->kind == ITEM_SEAT)
            w->taken[item->part] = taken;
        else
            w->pools[item->part].taken += taken ? item->quantity : 0 - item->quantity;
    }
    h->live = taken;
}

static struct witness_hold *hold_of(struct list_witness *w, struct id id)
{
    for (uint32_t i = 0; i < w->hold_count; i++)
        if (id_equal(w->holds[i].id, id))
            return &w->holds[i];
    ASSERT(w->hold_count < WITNESS_HOLDS);
    w->holds[w->hold_count] = (struct witness_hold){.id = id};
    return &w->holds[w->hold_count++];
}

static bool anybody_waits(const struct list_witness *w)
{
    for (uint32_t i = 0; i < w->entry_count; i++)
        if (w->entries[i].status == LIST_WAITING)
            return true;
    return false;
}

/* Whether it is the whole wish and nothing else. */
static bool granted(const struct list_witness *w, const struct witness_entry *n,
                    const struct reservation_image *r)
{
    uint32_t units = 0;
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item_image *item = &r->items[i];
        units += item->quantity;
        if (n->pool[0] ? item->kind != ITEM_POOL || strcmp(w->pools[item->part].id, n->pool) != 0
                       : item->kind != ITEM_SEAT || !matches(w, n, item->part))
            return false;
        if (!n->adjacent || i == 0)
            continue;
        const struct layout_row *row = &w->layout->rows[layout_row_of(w->layout, item->part)];
        for (uint32_t at = 0; at < row->count; at++)
            if ((row->seats[at] & ~LAYOUT_BESIDE) == item->part &&
                (!(row->seats[at] & LAYOUT_BESIDE) ||
                 (row->seats[at - 1] & ~LAYOUT_BESIDE) != r->items[i - 1].part))
                return false;
    }
    return units == n->quantity;
}

static void see_offer(struct list_witness *w, const struct change *c)
{
    const struct reservation_image *r = &c->reservation.image;
    uint32_t first = next(w, c->at_ms);
    w->offers++;
    if (!first || !label_is(w->entries[first - 1].user, r->user_id))
        wronged(w, "Seq %llu: %.*s gets the offer that %s should get.", (unsigned long long)c->seq,
                (int)r->user_id.size, r->user_id.at, first ? w->entries[first - 1].user : "nobody");
    else if (!granted(w, &w->entries[first - 1], r))
        wronged(w, "Seq %llu: %.*s is offered something else than wished for.", (unsigned long long)c->seq,
                (int)r->user_id.size, r->user_id.at);
}

/* Another user gets more of the event. */
static void see_claim(struct list_witness *w, const struct change *c)
{
    uint32_t first = next(w, c->at_ms);
    if (first)
        wronged(w, "Seq %llu: a claimant came before %s.", (unsigned long long)c->seq,
                w->entries[first - 1].user);
    for (uint32_t i = 0; offering(w, c->at_ms) && anybody_waits(w) && i < w->hold_count; i++)
        if (w->holds[i].live && w->holds[i].held && w->holds[i].expires_at_ms <= c->at_ms)
            wronged(w, "Seq %llu: a claimant was judged before a hold was settled.",
                    (unsigned long long)c->seq);
}

static uint32_t units_of(const struct list_witness *w, const struct item_image *items, uint32_t count)
{
    uint32_t units = 0;
    for (uint32_t i = 0; i < count; i++)
        units += items[i].resource == w->event ? items[i].quantity : 0;
    return units;
}

static bool moves(const struct change *c)
{
    return c->reservation.action == ACTION_ITEM_MOVED;
}

static void see_reservation(struct list_witness *w, const struct change *c)
{
    const struct reservation_image *r = &c->reservation.image;
    struct witness_hold *h = hold_of(w, r->id);
    uint32_t had = h->live ? units_of(w, h->items, h->count) : 0;
    bool live = r->status == RESERVATION_HELD || r->status == RESERVATION_CONFIRMED;
    if (r->from_list && r->version == 1)
        see_offer(w, c);
    else if (live && (moves(c) || units_of(w, r->items, r->item_count) > had))
        see_claim(w, c);
    if (h->live)
        claim(w, h, false);
    keep(h->user, sizeof(h->user), r->user_id);
    memcpy(h->items, r->items, r->item_count * sizeof(*r->items));
    h->count = r->item_count;
    h->held = r->status == RESERVATION_HELD;
    h->expires_at_ms = r->expires_at_ms;
    if (live)
        claim(w, h, true);
}

static void see_entry(struct list_witness *w, const struct list_entry_image *image)
{
    if (image->number == w->entry_count + 1) {
        ASSERT(w->entry_count < WITNESS_ENTRIES);
        struct witness_entry *n = &w->entries[w->entry_count++];
        *n = (struct witness_entry){.quantity = image->wish.quantity, .adjacent = image->wish.adjacent};
        keep(n->user, sizeof(n->user), image->user_id);
        keep(n->section, sizeof(n->section), image->wish.section);
        keep(n->tier, sizeof(n->tier), image->wish.tier);
        keep(n->pool, sizeof(n->pool), image->wish.pool);
    }
    if (image->number > w->entry_count)
        wronged(w, "Entry %u came out of turn.", image->number);
    else
        w->entries[image->number - 1].status = image->status;
}

void list_witness_see(struct list_witness *w, const struct change *c)
{
    struct bytes_reader in;
    switch (c->kind) {
    case CHANGE_EVENT:
        if (c->event.number == w->event)
            settings(w, &c->event);
        break;
    case CHANGE_POOL:
        if (c->pool.event == w->event)
            w->pools[c->pool.position].capacity = c->pool.capacity;
        break;
    case CHANGE_SEATS_BLOCKED:
        in = c->blocked.positions;
        for (uint32_t i = 0; c->blocked.event == w->event && i < c->blocked.count; i++)
            w->blocked[bytes_get_varint(&in)] = c->blocked.blocked;
        break;
    case CHANGE_RESERVATION:
        see_reservation(w, c);
        break;
    case CHANGE_EXPIRED:
        in = c->expired.ids;
        for (uint32_t i = 0; i < c->expired.count; i++)
            claim(w, hold_of(w, expired_id_get(&in)), false);
        break;
    case CHANGE_LIST_ENTRY:
        if (c->list_entry.event == w->event)
            see_entry(w, &c->list_entry);
        break;
    default:
        break;
    }
}

void list_witness_step(struct list_witness *w, int64_t now_ms)
{
    uint32_t first = next(w, now_ms);
    if (first)
        wronged(w, "At the end of the step %s still waits for free stock.", w->entries[first - 1].user);
}
