/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/refusal.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "core/calendar/calendar.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/codec.h"
#include "core/step.h"

#define DAY_MS 86400000LL
/* The rest of the rows is reserved: enough for every reason on two days, without event or calendar. */
#define COUNTS_MAX (REFUSAL_ROWS_MAX - 2 * OUTCOME_COUNT)
_Static_assert(COUNTS_MAX > 256, "most rows can name their event or calendar");

enum refused_part { PART_NONE, PART_TIER, PART_POOL, PART_SERVICE };

/* What is counted together. */
struct refused {
    uint64_t resource; /* number of the event or calendar; 0: none */
    int64_t day_ms;
    uint32_t code; /* enum outcome_code */
    enum refused_part part;
    struct text part_id;
};

struct count {
    struct refused of;           /* part_id is owned */
    struct text event, calendar; /* ids, owned */
    uint32_t count;
};

struct refusals {
    struct count counts[REFUSAL_ROWS_MAX];
    uint32_t used;
    uint32_t last;    /* index of the last one used: the next is often the same */
    int64_t since_ms; /* time of the first of them */
    struct table by_key;
    struct buf rows; /* scratch */
};

/* Clients cannot choose the keys, so no secret is needed, and every run is the same. */
static uint64_t refusal_hash_of(const struct refused *r)
{
    return hash_sip((struct hash_key){r->resource, (uint64_t)r->day_ms + r->code}, r->part_id.at,
                    r->part_id.size);
}

static uint64_t hash_at(void *owner, uint32_t index)
{
    return refusal_hash_of(&((struct refusals *)owner)->counts[index].of);
}

static bool refusal_same(const struct refused *a, const struct refused *b)
{
    return a->resource == b->resource && a->code == b->code && a->day_ms == b->day_ms && a->part == b->part &&
           text_equal(a->part_id, b->part_id);
}

static bool same_at(void *owner, uint32_t index, const void *key)
{
    return refusal_same(&((struct refusals *)owner)->counts[index].of, key);
}

struct refusals *refusals_make(void)
{
    struct refusals *f = memory_zeroed(1, sizeof(*f));
    table_init(&f->by_key, hash_at, f);
    _Static_assert(REFUSAL_ROWS_SIZE == REFUSAL_ROWS_MAX * 4 * ID_SIZE_MAX, "each has up to three names");
    buf_init(&f->rows, REFUSAL_ROWS_SIZE);
    return f;
}

static void clear(struct refusals *f)
{
    for (uint32_t i = 0; i < f->used; i++) {
        text_free(f->counts[i].of.part_id);
        text_free(f->counts[i].event);
        text_free(f->counts[i].calendar);
    }
    f->used = f->last = 0;
    table_release(&f->by_key);
}

void refusals_release(struct refusals *f)
{
    clear(f);
    buf_release(&f->rows);
    free(f);
}

/* ---- Counting ---- */

/* Whether the names in the request exist: arbitrary text from clients is not stored. */
static bool names_exist(enum outcome_code code)
{
    int status = outcome_http_status(code);
    return status != 400 && status != 404;
}

/* The target that was refused, or the first; NULL: there is none, or its event or calendar is unknown. */
static const struct target *refused_target(const struct step *step, const struct outcome *out)
{
    const struct target *t = step->targets, *end = t + step->target_count;
    while (t < end && t->index != out->refused_item)
        t++;
    if (t == end)
        t = step->target_count ? step->targets : NULL;
    return t && !t->group && (t->event || t->calendar) ? t : NULL;
}

/* The tier, pool or service of the target, if it exists. */
static void name_part(const struct target *t, enum outcome_code code, struct refused *r)
{
    if (!names_exist(code))
        return;
    ASSERT(t->event || t->calendar);
    r->part = t->kind->tier ? PART_TIER : t->event ? PART_POOL : PART_SERVICE;
    r->part_id = t->kind->tier ? t->kind->tier(t) : t->request->part;
    if (!r->part_id.size)
        r->part = PART_NONE;
}

/* Whose number the resource is; of none, both are NULL. */
struct refused_at {
    const struct event *event;
    const struct calendar *calendar;
};

static struct count *count_add(struct refusals *f, const struct refused *r, const struct refused_at *at)
{
    struct count *c = &f->counts[f->used];
    ASSERT(f->used < REFUSAL_ROWS_MAX);
    ASSERT(!r->resource || at->event || at->calendar); /* its id is stored, for people */
    *c = (struct count){.of = *r};
    c->of.part_id = text_own(r->part_id);
    if (r->resource && at->event)
        c->event = text_own(at->event->image.id);
    else if (r->resource)
        c->calendar = text_own(at->calendar->image.id);
    table_insert(&f->by_key, refusal_hash_of(r), f->used);
    f->last = f->used++;
    return c;
}

/* Its count, created if needed; NULL: no room. */
static struct count *count_of(struct refusals *f, struct refused *r, const struct refused_at *at)
{
    if (f->used && refusal_same(&f->counts[f->last].of, r))
        return &f->counts[f->last];
    uint32_t found = f->used ? table_find(&f->by_key, refusal_hash_of(r), same_at, r) : TABLE_NONE;
    if (found != TABLE_NONE) {
        f->last = found;
        return &f->counts[found];
    }
    if (f->used < (r->resource ? COUNTS_MAX : REFUSAL_ROWS_MAX))
        return count_add(f, r, at);
    if (!r->resource)
        return NULL; /* only if nothing was written for days */
    *r = (struct refused){.day_ms = r->day_ms, .code = r->code};
    return count_of(f, r, at);
}

static void count_more(struct state *st, struct refused *r, const struct refused_at *at, uint32_t more)
{
    struct refusals *f = st->refusals;
    ASSERT(r->code != OUTCOME_OK && r->code < OUTCOME_COUNT);
    if (f->used == 0)
        f->since_ms = st->now_ms;
    struct count *c = count_of(f, r, at);
    if (c)
        c->count = more < UINT32_MAX - c->count ? c->count + more : UINT32_MAX;
}

static void count_it(struct step *step, enum outcome_code code, const struct target *t)
{
    struct state *st = step->state;
    struct refused r = {.day_ms = st->now_ms - st->now_ms % DAY_MS, .code = code};
    struct refused_at at = {0};
    if (t) {
        at = (struct refused_at){t->event, t->calendar};
        r.resource = t->event ? t->event->image.number : t->calendar->image.number;
        if (t->event)
            r.day_ms = event_day_ms(t->event, st->now_ms);
        name_part(t, code, &r);
    }
    count_more(st, &r, &at, 1);
}

/* The command was refused before its items were resolved: resolves the first one now, on a copy, and ignores a
 * refusal of that. */
static void count_first(struct step *step, enum outcome_code code)
{
    const struct item_request *request = step->command->hold.items;
    struct target t = {.request = request, .kind = request_kind(request->kind)};
    bool found = t.kind->judge[PHASE_RESOLVE](step, &t, &step->trials[0]) == OUTCOME_OK && !t.group;
    count_it(step, code, found ? &t : NULL);
}

void refusal_note(struct step *step, const struct outcome *out)
{
    const struct command *c = step->command;
    if ((c->kind != COMMAND_HOLD && c->kind != COMMAND_ITEMS_ADD) || out->code == OUTCOME_RETRY ||
        out->code == OUTCOME_FETCH)
        return;
    ASSERT(out->code != OUTCOME_OK);
    const struct target *t = refused_target(step, out);
    bool of_group = step->target_count && step->targets[0].group;
    if (t || of_group || !c->hold.count || !names_exist(out->code))
        count_it(step, out->code, t);
    else
        count_first(step, out->code);
}

/* ---- Writing ---- */

int64_t state_next_refusals(const struct state *st)
{
    const struct refusals *f = st->refusals;
    if (!f->used)
        return INT64_MAX;
    /* Earlier when it is full. */
    return f->used >= COUNTS_MAX ? f->since_ms : f->since_ms + REFUSALS_EVERY_MS;
}

static void encode(const struct refusals *f, struct buf *out)
{
    ASSERT(f->used <= REFUSAL_ROWS_MAX);
    for (uint32_t i = 0; i < f->used; i++) {
        const struct count *c = &f->counts[i];
        struct text part = c->of.part_id;
        const char *reason = outcome_name((enum outcome_code)c->of.code);
        ASSERT(c->count > 0);
        refusal_put(out,
                    &(struct refusal_image){.day_ms = c->of.day_ms,
                                            .event = c->event,
                                            .calendar = c->calendar,
                                            .tier = c->of.part == PART_TIER ? part : (struct text){0},
                                            .pool = c->of.part == PART_POOL ? part : (struct text){0},
                                            .service = c->of.part == PART_SERVICE ? part : (struct text){0},
                                            .reason = {reason, strlen(reason)},
                                            .count = c->count});
    }
}

void state_write_refusals(struct state *st, int64_t now_ms, struct buf *changes)
{
    struct refusals *f = st->refusals;
    state_begin(st, now_ms, (struct actor){.role = ROLE_SERVER}, changes);
    if (!f->used)
        return;
    buf_clear(&f->rows);
    encode(f, &f->rows);
    st->change.kind = CHANGE_REFUSALS;
    st->change.refusals.rows = bytes_reader_make(f->rows.data, f->rows.size);
    st->change.refusals.count = f->used;
    state_emit(st);
    clear(f);
}

/* ---- Between processes ---- */

uint32_t state_take_refusals(struct state *st, struct buf *rows)
{
    struct refusals *f = st->refusals;
    uint32_t count = f->used;
    encode(f, rows);
    clear(f);
    return count;
}

/* The outcome with this name, if it is a refusal. False: there is none. */
static bool code_named(struct text reason, uint32_t *code)
{
    for (uint32_t i = OUTCOME_OK + 1; i < OUTCOME_COUNT; i++) {
        const char *name = outcome_name((enum outcome_code)i);
        if (text_equal(reason, (struct text){name, strlen(name)})) {
            *code = i;
            return true;
        }
    }
    return false;
}

/* Its event or calendar may be gone by now. */
static void count_image(struct state *st, const struct refusal_image *image, struct refused r)
{
    struct refused_at at = {.event = image->event.at ? event_find(st, image->event) : NULL,
                            .calendar = image->calendar.at ? calendar_find(st, image->calendar) : NULL};
    r.day_ms = image->day_ms;
    if (at.event || at.calendar) {
        r.resource = at.event ? at.event->image.number : at.calendar->image.number;
        r.part_id = image->tier.at ? image->tier : image->pool.at ? image->pool : image->service;
        r.part = image->tier.at      ? PART_TIER
                 : image->pool.at    ? PART_POOL
                 : image->service.at ? PART_SERVICE
                                     : PART_NONE;
    }
    count_more(st, &r, &at, image->count);
}

bool state_add_refusals(struct state *st, int64_t now_ms, struct bytes_reader rows)
{
    state_set_now(st, now_ms);
    while (bytes_left(&rows)) {
        struct refusal_image image;
        struct refused r = {0};
        if (!refusal_get(&rows, &image) || !code_named(image.reason, &r.code))
            return false;
        count_image(st, &image, r);
    }
    return true;
}

/* ---- The change: read change_codec.c before touching its bytes ---- */

/* clang-format off */
#define REFUSAL_FIELDS(X) \
    X(signed, day_ms) X(optional, event) X(optional, calendar) X(optional, tier) X(optional, pool) X(optional, service) \
    X(text, reason) X(u32, count, UINT32_MAX)
/* clang-format on */
#define REFUSALS_FIELDS(X) X(list, rows, REFUSAL_ROWS_MAX, 0)
CHANGE_CODEC(refusals, refusals, REFUSALS_FIELDS)
/* Core never reads them again. */
CHANGE_RESTORE(refusals, st && c->refusals.count > 0)

void refusal_put(struct buf *out, const struct refusal_image *r)
{
    REFUSAL_FIELDS(CODEC_PUT)
}

bool refusal_get(struct bytes_reader *in, struct refusal_image *r)
{
    REFUSAL_FIELDS(CODEC_GET)
    return !in->bad && r->count > 0 && r->reason.size > 0;
}
