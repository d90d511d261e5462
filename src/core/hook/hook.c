/* SPDX-License-Identifier: Apache-2.0 */
#include "core/hook/hook.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/codec.h"
#include "core/state.h"

/* ---- The records ---- */

/* The first hook not before this name; there are few. */
static uint32_t place_of(const struct state *st, struct text name)
{
    uint32_t place = 0;
    while (place < st->hooks.count && text_compare(st->hooks.all[place]->image.name, name) < 0)
        place++;
    return place;
}

static struct hook *hook_find(const struct state *st, struct text name)
{
    uint32_t place = place_of(st, name);
    bool found = place < st->hooks.count && text_equal(st->hooks.all[place]->image.name, name);
    return found ? st->hooks.all[place] : NULL;
}

static void image_free(struct hook_image *image)
{
    text_free(image->name);
    text_free(image->url);
    text_free(image->secret);
    text_free(image->old_secret);
}

static struct hook_image image_own(const struct hook_image *image)
{
    struct hook_image own = *image;
    own.name = text_own(image->name);
    own.url = text_own(image->url);
    own.secret = text_own(image->secret);
    own.old_secret = text_own(image->old_secret);
    return own;
}

/* The set of wanted events has changed: holds are watched from now on, or no longer. */
static void update_wanted(struct state *st)
{
    uint32_t before = st->hooks.wanted;
    st->hooks.wanted = 0;
    for (uint32_t i = 0; i < st->hooks.count; i++)
        st->hooks.wanted |= st->hooks.all[i]->image.events;
    bool warned = before & HOOK_BIT(HOOK_EXPIRING), warns = st->hooks.wanted & HOOK_BIT(HOOK_EXPIRING);
    if (warns && !warned)
        st->hooks.swept = 0; /* existing holds are found in slices, or dropped: state_warn */
}

/* A million messages would block the loop: they go in slices. Until then none is found, because lookups use the hook's
 * number, which is never reused. */
static void forget(struct state *st, uint32_t place)
{
    ASSERT(place < st->hooks.count);
    struct hook *h = st->hooks.all[place];
    image_free(&h->image);
    h->image = (struct hook_image){.number = h->image.number};
    h->next = st->hooks.leaving;
    st->hooks.leaving = h;
    st->hooks.count--;
    memmove(&st->hooks.all[place], &st->hooks.all[place + 1],
            (st->hooks.count - place) * sizeof(*st->hooks.all));
}

uint32_t hooks_forget(struct state *st, uint32_t most)
{
    uint32_t done = 0;
    while (st->hooks.leaving && done < most) {
        struct hook *h = st->hooks.leaving;
        done += hook_waiting_clear(st, h, most - done);
        if (h->waiting)
            break;
        st->hooks.leaving = h->next;
        free(h);
    }
    return done;
}

void hooks_release(struct state *st)
{
    while (st->hooks.count)
        forget(st, st->hooks.count - 1);
    hooks_forget(st, UINT32_MAX);
    free(st->hooks.all);
    hook_queue_release(st);
    heap_release(&st->hooks.warnings);
}

static bool hook_image_valid(const struct hook_image *i)
{
    return i->name.size >= 1 && i->name.size <= ID_SIZE_MAX && i->url.size >= 1 &&
           i->url.size <= HOOK_URL_SIZE_MAX && i->secret.size >= HOOK_SECRET_SIZE_MIN &&
           i->secret.size <= HOOK_SECRET_SIZE_MAX && i->events && !(i->events & ~HOOK_EVENTS_ALL);
}

/* Creates, replaces or removes it. False: it does not fit. */
static bool hook_restore(struct state *st, const struct hook_image *image, uint64_t seq)
{
    uint32_t place = place_of(st, image->name);
    struct hook *h = hook_find(st, image->name);
    if (!hook_image_valid(image) || (h ? h->image.number != image->number : image->removed) ||
        (!h && (st->hooks.count == HOOKS_MAX || hook_find_number(st, image->number))))
        return false;
    st->hooks.seq = seq;
    if (image->removed) {
        forget(st, place);
        update_wanted(st);
        return true;
    }
    if (!h) {
        st->hooks.all = memory_grow(st->hooks.all, st->hooks.count + 1u, sizeof(*st->hooks.all));
        memmove(&st->hooks.all[place + 1], &st->hooks.all[place],
                (st->hooks.count - place) * sizeof(*st->hooks.all));
        h = st->hooks.all[place] = memory_zeroed(1, sizeof(*h));
        st->hooks.count++;
    }
    /* Before the old texts are freed: the image can borrow them. */
    struct hook_image own = image_own(image);
    image_free(&h->image);
    h->image = own;
    h->seq = seq;
    update_wanted(st);
    ASSERT(hook_find(st, own.name) == h);
    return true;
}

/* ---- Commands ---- */

static void hook_save(struct state *st, const struct hook_image *image, struct outcome *out)
{
    st->change.kind = CHANGE_HOOK;
    st->change.hook = *image;
    state_saw(out, state_commit(st));
}

enum outcome_code hook_put(struct state *st, const struct command *c, struct outcome *out)
{
    struct hook *h = hook_find(st, c->hook.name);
    struct hook_image image = c->hook;
    ASSERT(!image.removed && image.name.size >= 1 && image.name.size <= ID_SIZE_MAX);
    if (!h && st->hooks.count == HOOKS_MAX)
        return state_invalid(out, "Too many hooks: at most 64.", "%s", "");
    image.number = h ? h->image.number : state_next_seq(st);
    image.created_at_ms = h ? h->image.created_at_ms : st->now_ms;
    image.old_secret = h ? h->image.old_secret : (struct text){0};
    image.old_until_ms = h ? h->image.old_until_ms : 0;
    bool same_secret = h && text_equal(h->image.secret, image.secret);
    if (h && !same_secret) {
        /* Of two old secrets only the newer stays: at most one besides the current secret signs. */
        image.old_secret = h->image.secret;
        image.old_until_ms = st->now_ms + HOOK_OLD_SECRET_MS;
    }
    if (!h || !same_secret || h->image.events != image.events || !text_equal(h->image.url, image.url))
        hook_save(st, &image, out);
    out->created = !h;
    h = hook_find(st, c->hook.name);
    state_saw(out, h->seq);
    out->hook = &h->image;
    return OUTCOME_OK;
}

enum outcome_code hook_remove(struct state *st, const struct command *c, struct outcome *out)
{
    const struct hook *h = hook_find(st, c->hook.name);
    if (!h)
        return OUTCOME_NO_SUCH_HOOK;
    struct hook_image image = h->image;
    image.removed = true;
    hook_save(st, &image, out);
    ASSERT(!hook_find(st, c->hook.name));
    return OUTCOME_OK;
}

enum outcome_code hook_take(struct state *st, const struct command *c, struct outcome *out)
{
    struct hook *h = hook_find_number(st, c->hook_take.hook);
    ASSERT(c->hook_take.most <= HOOK_TAKE_MAX);
    if (!h)
        return OUTCOME_NO_SUCH_HOOK;
    const struct heap_entry *first;
    while (out->message_count < c->hook_take.most && (first = heap_first(&h->due)) &&
           first->at_ms <= st->now_ms) {
        const struct hook_waiting *w = hook_waiting_at(st, (uint32_t)first->handle);
        if (w->message.seq > c->hook_take.durable_seq)
            break;                                     /* the next one, once it is due */
        ASSERT(w->last && w->hook == h->image.number); /* the first of its line: the others wait for it */
        st->hooks.taken[out->message_count++] = w->message;
        heap_remove(&h->due, 0);
    }
    out->messages = st->hooks.taken;
    out->hook = &h->image;
    return OUTCOME_OK;
}

int64_t hook_pause_ms(uint32_t failures, uint64_t random, int64_t most_ms)
{
    ASSERT(failures >= 1);
    int64_t pause = failures > 12 ? most_ms : HOOK_RETRY_FIRST_MS << (failures - 1);
    if (pause > most_ms)
        pause = most_ms;
    /* Up to a quarter earlier, so that messages that failed together do not come back together. */
    return pause - (int64_t)(random % (uint64_t)(pause / 4 + 1));
}

static void move(struct state *st, struct hook *h, uint32_t handle, enum hook_fate to, uint32_t *count)
{
    struct hook_move m = {.to = to, .message = hook_waiting_at(st, handle)->message};
    ASSERT(*count < HOOK_MOVES_MAX && to != HOOK_WAITING);
    hook_move_put(&st->scratch, &m);
    ++*count;
    *(to == HOOK_DEAD ? &st->hooks.dead : &st->hooks.delivered) += 1;
    hook_waiting_remove(st, h, handle);
}

static bool overdue(const struct state *st, const struct hook_message *m)
{
    return st->now_ms - m->since_ms >= HOOK_TRY_MS;
}

static void report(struct state *st, struct hook *h, const struct hook_report *r, uint32_t *count)
{
    uint32_t handle = hook_waiting_find(st, h->image.number, r->seq, r->ordinal);
    if (handle == TABLE_NONE) /* dead by now, because too many were waiting */
        return;
    struct hook_waiting *w = hook_waiting_at(st, handle);
    if (r->result == HOOK_RESULT_DELIVERED || r->result == HOOK_RESULT_GONE) {
        move(st, h, handle, r->result == HOOK_RESULT_GONE ? HOOK_DEAD : HOOK_DELIVERED, count);
        return;
    }
    w->attempts++;
    st->hooks.failed++;
    if (overdue(st, &w->message))
        move(st, h, handle, HOOK_DEAD, count);
    else
        hook_waiting_again(st, h, handle,
                           st->now_ms + hook_pause_ms(w->attempts, r->random, HOOK_RETRY_MOST_MS));
}

static void emit_moves(struct state *st, const struct hook *h, uint32_t count, struct outcome *out)
{
    ASSERT(count <= HOOK_MOVES_MAX);
    if (!count)
        return;
    st->change.kind = CHANGE_HOOK_MOVED;
    st->change.hook_moved.hook = h->image.number;
    st->change.hook_moved.moves = bytes_reader_make(st->scratch.data, st->scratch.size);
    st->change.hook_moved.count = count;
    state_saw(out, state_emit(st));
}

enum outcome_code hook_report(struct state *st, const struct command *c, struct outcome *out)
{
    struct hook *h = hook_find_number(st, c->hook_report.hook);
    uint32_t count = 0;
    ASSERT(c->hook_report.count <= HOOK_MOVES_MAX / 2);
    if (!h) /* removed while they were sent */
        return OUTCOME_NO_SUCH_HOOK;
    buf_clear(&st->scratch);
    for (uint32_t i = 0; i < c->hook_report.count; i++)
        report(st, h, &c->hook_report.reports[i], &count);
    /* A receiver that is away for days must not fill the memory. */
    while (h->oldest && count < HOOK_MOVES_MAX &&
           (h->waiting > HOOK_WAITING_MAX ||
            (c->hook_report.failing && overdue(st, &hook_waiting_at(st, h->oldest - 1)->message))))
        move(st, h, h->oldest - 1, HOOK_DEAD, &count);
    emit_moves(st, h, count, out);
    return OUTCOME_OK;
}

enum outcome_code hook_resend(struct state *st, const struct command *c, struct outcome *out)
{
    struct hook *h = hook_find(st, c->hook_resend.name);
    ASSERT(c->hook_resend.count <= HOOK_MOVES_MAX);
    if (!h)
        return OUTCOME_NO_SUCH_HOOK;
    buf_clear(&st->scratch);
    for (uint32_t i = 0; i < c->hook_resend.count; i++) {
        struct hook_move m = {.to = HOOK_WAITING, .message = c->hook_resend.messages[i]};
        if (hook_waiting_find(st, h->image.number, m.message.seq, m.message.ordinal) != TABLE_NONE)
            continue; /* resent by another request */
        m.message.since_ms = st->now_ms;
        hook_move_put(&st->scratch, &m);
        hook_waiting_add(st, h, &m.message);
        out->message_count++;
    }
    emit_moves(st, h, out->message_count, out);
    state_saw(out, h->seq);
    return OUTCOME_OK;
}

/* ---- Reading ---- */

uint32_t state_hook_count(const struct state *st)
{
    return st->hooks.count;
}

const struct hook_image *state_hook_at(const struct state *st, uint32_t index)
{
    ASSERT(index < st->hooks.count);
    return &st->hooks.all[index]->image;
}

uint32_t state_hook_after(const struct state *st, struct text name)
{
    uint32_t place = place_of(st, name) + (hook_find(st, name) != NULL);
    ASSERT(place <= st->hooks.count);
    return place;
}

const struct hook_image *state_hook_named(const struct state *st, struct text name)
{
    const struct hook *h = hook_find(st, name);
    return h ? &h->image : NULL;
}

int64_t state_hook_due(const struct state *st, uint32_t index)
{
    ASSERT(index < st->hooks.count);
    const struct heap_entry *first = heap_first(&st->hooks.all[index]->due);
    return first ? first->at_ms : INT64_MAX;
}

uint32_t state_hook_waiting(const struct state *st, uint32_t index)
{
    ASSERT(index < st->hooks.count);
    return st->hooks.all[index]->waiting;
}

int64_t state_hook_oldest(const struct state *st, uint32_t index)
{
    ASSERT(index < st->hooks.count);
    uint32_t oldest = st->hooks.all[index]->oldest;
    return oldest ? hook_waiting_at(st, oldest - 1)->message.since_ms : INT64_MAX;
}

struct hook_stats state_hook_stats(const struct state *st)
{
    struct hook_stats stats = {0, st->hooks.delivered, st->hooks.dead, st->hooks.failed};
    for (uint32_t i = 0; i < st->hooks.count; i++)
        stats.waiting += st->hooks.all[i]->waiting;
    return stats;
}

uint64_t state_hooks_seq(const struct state *st)
{
    return st->hooks.seq;
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

/* clang-format off */
#define HOOK_FIELDS(X) \
    X(number, number) X(text, name) X(text, url) X(u32, events, UINT32_MAX) X(text, secret) \
    X(optional, old_secret) X(signed, old_until_ms) X(signed, created_at_ms) X(flag, removed)
/* clang-format on */
CHANGE_CODEC(hook, hook, HOOK_FIELDS)
CHANGE_RESTORE(hook, hook_restore(st, &c->hook, c->seq))
