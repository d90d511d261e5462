/* SPDX-License-Identifier: Apache-2.0 */
#include "core/state_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "core/calendar/booked.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/key.h"
#include "core/state_check_parts.h"

void check_expect(struct check *c, bool holds, const char *format, ...)
{
    if (holds)
        return;
    c->ok = false;
    char sentence[512];
    int size = snprintf(sentence, sizeof(sentence), "%s", c->subject);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence + size, sizeof(sentence) - (size_t)size, format, arguments);
    va_end(arguments);
    if (c->report)
        c->report(c->ctx, sentence);
}

static struct sums sums_make(uint64_t most)
{
    uint64_t size = 16;
    while (size < most * 2)
        size *= 2;
    return (struct sums){.buckets = memory_zeroed(size, sizeof(struct sum)), .mask = size - 1};
}

struct sum *check_sum(const struct sums *s, uint64_t name)
{
    uint64_t hash = name * 0x9e3779b97f4a7c15ULL;
    uint64_t at = (hash ^ hash >> 32) & s->mask;
    while (s->buckets[at].name && s->buckets[at].name != name)
        at = (at + 1) & s->mask;
    return &s->buckets[at];
}

uint64_t *check_sums_at(struct sums *s, uint64_t name)
{
    struct sum *sum = check_sum(s, name);
    sum->name = name;
    return &sum->value;
}

uint64_t check_pair_name(uint32_t user, uint32_t event)
{
    return (uint64_t)event << 32 | (user + 1u);
}

const char *check_id_text(struct check *c, struct id id)
{
    memcpy(c->name, "res_", 4);
    id_write(id, c->name + 4);
    return c->name;
}

void check_heap_order(struct check *c, const struct heap *h, const char *what)
{
    for (uint32_t i = 1; i < h->count; i++) {
        struct heap_entry parent = h->entries[(i - 1) / 4], child = h->entries[i];
        check_expect(
            c, parent.at_ms < child.at_ms || (parent.at_ms == child.at_ms && parent.handle < child.handle),
            "The heap of %s is out of order.", what);
    }
}

bool check_in_heap(const struct heap *h, uint32_t place, uint64_t handle)
{
    return place < h->count && h->entries[place].handle == handle;
}

/* ---- Users ---- */

static void check_counts(struct check *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->st->user_counts.used; i++) {
        const struct user_count *n = slab_at(&c->st->user_counts, i);
        if (n->count == 0) /* not in use */
            continue;
        count++;
        bool known = n->user < c->st->users.used && n->event < c->st->event_count;
        check_expect(c, known, "A count has no user.");
        if (!known)
            continue;
        c->references[n->user]++;
        c->events[n->event].counted += n->count;
        uint64_t *have = check_sums_at(&c->have, check_pair_name(n->user, n->event));
        check_expect(c, n->count >= *have, "A user has %llu units of an event, but the count says %u.",
                     (unsigned long long)*have, n->count);
        *have = 0; /* accounted for */
        check_expect(c, user_count_get(c->st, n->user, n->event) == n->count,
                     "A user's count cannot be found.");
    }
    check_expect(c, count == c->st->user_counts.count && count == c->st->user_counts_by_pair.count,
                 "The index of counts has the wrong size.");
    for (uint64_t i = 0; i <= c->have.mask; i++)
        check_expect(c, c->have.buckets[i].value == 0, "A user has units of an event without a count.");
}

/* Reservations in memory have at most what is counted: some sold ones can be forgotten, and claims that are over can
 * still be counted or not. */
static void check_booked(struct check *c)
{
    struct state *st = c->st;
    uint32_t count = 0;
    for (uint32_t i = 0; i < st->booked.used; i++) {
        const struct booked *b = slab_at(&st->booked, i);
        if (!b->count)
            continue;
        count++;
        if (b->end_ms == BOOKED_HEAD)
            c->references[b->user]++;
        uint64_t sum = 0;
        for (uint32_t next = b->end_ms == BOOKED_HEAD ? b->next : 0; next && sum <= b->count;) {
            const struct booked *one = slab_at(&st->booked, next - 1);
            sum += one->count;
            next = one->next;
        }
        check_expect(c, b->end_ms != BOOKED_HEAD || sum == b->count,
                     "What a user has booked does not add up.");
    }
    check_expect(c, count == st->booked.count && count == st->booked_by_key.count,
                 "The index of what is booked has the wrong size.");
    for (uint32_t i = 0; i < st->reservations.used; i++) {
        struct reservation *r = reservation_at(st, i);
        for (uint32_t k = 0; r->status && reservation_live(r) && k < r->item_count; k++) {
            const struct item *item = &reservation_items(r)[k];
            if (claim_kind(item->kind)->timed && item->end_ms > st->now_ms)
                check_expect(c, booked_count(st, r->user, item->resource) > 0, "A claim of %s is not booked.",
                             check_id_text(c, r->id));
        }
    }
}

static void check_user_list(struct check *c, uint32_t user)
{
    uint32_t before = 0, next = ((const struct user *)slab_at(&c->st->users, user))->first;
    uint64_t listed = 0;
    /* Stops at the expected length: a list with a cycle must not hang the check. */
    while (next && listed <= c->listed[user]) {
        const struct reservation *r = reservation_at(c->st, next - 1);
        check_expect(c, r->user == user && r->status == RESERVATION_HELD && r->previous == before,
                     "A user's list of held reservations is broken at %s.", check_id_text(c, r->id));
        before = next;
        next = r->next;
        listed++;
    }
    check_expect(c, listed == c->listed[user], "A user has %llu held reservations, not the %llu of the list.",
                 (unsigned long long)c->listed[user], (unsigned long long)listed);
}

static void check_users(struct check *c)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->st->users.used; i++) {
        const struct user *u = slab_at(&c->st->users, i);
        check_expect(c, u->references == c->references[i], "A user has %llu references, not %u.",
                     (unsigned long long)c->references[i], u->references);
        if (!u->references)
            continue;
        count++;
        check_expect(c, user_find(c->st, user_id(c->st, i)) == i, "User %.*s cannot be found.",
                     TEXT_ARGS(user_id(c->st, i)));
        check_user_list(c, i);
    }
    check_expect(c, count == c->st->users.count && count == c->st->users_by_id.count,
                 "The index of users has the wrong size.");
}

/* ---- The rest ---- */

static void check_rest(struct check *c)
{
    const struct idempotency *i = &c->st->idempotency;
    check_expect(c, i->queue_count == i->entries.count && i->queue_count == i->by_key.count,
                 "The idempotency keys do not agree with their queue.");
    for (uint32_t k = 0; k < c->st->key_count; k++) {
        const struct key *next = state_key_after(c->st, c->st->keys[k].image.name);
        check_expect(c, next == (k + 1 < c->st->key_count ? &c->st->keys[k + 1] : NULL),
                     "The keys are out of order.");
    }
}

bool state_check(struct state *st, void (*report)(void *ctx, const char *sentence), void *ctx)
{
    struct check c = {.st = st, .report = report, .ctx = ctx, .ok = true};
    /* Sized for the maximum: the parts only add. */
    uint64_t claims = 0;
    for (uint32_t i = 0; i < st->reservations.used; i++)
        claims += reservation_at(st, i)->item_count;
    c.events = memory_zeroed(st->event_count + 1u, sizeof(*c.events));
    c.calendar_items = memory_zeroed(st->calendar_count + 1u, sizeof(*c.calendar_items));
    c.edges = memory_get((claims * 2 + 1) * sizeof(*c.edges));
    c.references = memory_zeroed(st->users.used + 1u, sizeof(*c.references));
    c.listed = memory_zeroed(st->users.used + 1u, sizeof(*c.listed));
    c.stub_seats = memory_zeroed(st->stubs.used + 1u, sizeof(*c.stub_seats));
    c.forgettable = memory_zeroed(st->reservations.used + 1u, 1);
    c.have = sums_make(claims + st->user_counts.used);
    c.claims = sums_make(claims);
    c.codes = sums_make(claims);
    c.lapses = sums_make(claims);
    c.fences = sums_make(st->reservations.used);

    check_reservations(&c);
    check_heap_order(&c, &st->deadlines, "deadlines");
    check_counts(&c);
    check_booked(&c);
    check_events(&c);
    for (enum item_kind kind = ITEM_KIND_FIRST; kind <= ITEM_KIND_LAST; kind++)
        if (claim_kind(kind)->check_all)
            claim_kind(kind)->check_all(&c);
    check_queues(&c);
    check_lists(&c);
    check_hooks(&c);
    check_fleets(&c);
    check_users(&c);
    check_rest(&c);
    check_payments(&c);
    check_payment_events(&c);

    free(c.events);
    free(c.calendar_items);
    free(c.edges);
    free(c.references);
    free(c.listed);
    free(c.stub_seats);
    free(c.forgettable);
    free(c.have.buckets);
    free(c.claims.buckets);
    free(c.codes.buckets);
    free(c.lapses.buckets);
    free(c.fences.buckets);
    return c.ok;
}
