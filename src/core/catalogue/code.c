/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/code.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "core/claim/expiry.h"
#include "core/claim/kind.h"
#include "core/codec.h"
#include "core/state_check_parts.h"
#include "core/step.h"
#include "core/waitlist/wish_group.h"

struct code {
    struct code_image image; /* texts are owned, the tiers in one allocation */
    uint64_t hash;           /* of the folded code: the table needs many of them while it grows */
};

struct codes {
    struct slab all;      /* by position; never freed one by one */
    struct table by_code; /* folded */
    uint64_t seq;
    uint32_t carrying; /* how many have an allotment and are not removed */
};

/* ---- The table ---- */

static const struct hash_key code_key = {0x636f646520666f6c, 0x686f6c6466617374};

char code_fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static uint64_t fold_hash(struct text code)
{
    char folded[CODE_SIZE_MAX];
    ASSERT(code.size <= CODE_SIZE_MAX);
    for (size_t i = 0; i < code.size; i++)
        folded[i] = code_fold(code.at[i]);
    return hash_sip(code_key, folded, code.size);
}

static struct code *code_entry(const struct codes *codes, uint32_t position)
{
    return slab_at(&codes->all, position);
}

static uint64_t code_hash_of(void *owner, uint32_t position)
{
    return code_entry(owner, position)->hash;
}

bool code_same(struct text a, struct text b)
{
    if (a.size != b.size)
        return false;
    for (size_t i = 0; i < a.size; i++)
        if (code_fold(a.at[i]) != code_fold(b.at[i]))
            return false;
    return true;
}

static bool code_equal(void *owner, uint32_t position, const void *key)
{
    return code_same(code_entry(owner, position)->image.code, *(const struct text *)key);
}

struct code *code_find(const struct event *e, struct text code)
{
    if (!e->codes || code.size > CODE_SIZE_MAX)
        return NULL;
    uint32_t position = table_find(&e->codes->by_code, fold_hash(code), code_equal, &code);
    return position == TABLE_NONE ? NULL : code_entry(e->codes, position);
}

struct code *code_at(const struct event *e, uint32_t position)
{
    ASSERT(position < codes_count(e));
    return code_entry(e->codes, position);
}

uint32_t codes_count(const struct event *e)
{
    return e->codes ? e->codes->all.used : 0;
}

/* Whether any of them has an allotment. */
static bool codes_carry(const struct event *e)
{
    return e->codes && e->codes->carrying > 0;
}

uint64_t codes_seq(const struct event *e)
{
    return e->codes ? e->codes->seq : 0;
}

const struct code_image *code_view(const struct code *code)
{
    return &code->image;
}

bool code_has_tier(const struct code *code, struct text tier)
{
    for (uint32_t i = 0; i < code->image.tier_count; i++)
        if (tier.at && text_equal(code->image.tiers[i], tier))
            return true;
    return code->image.tier_count == 0;
}

static void image_free(struct code_image *image)
{
    text_free(image->code);
    text_free(image->allotment);
    free((void *)(uintptr_t)image->tiers);
}

void codes_release(struct codes *codes)
{
    if (!codes)
        return;
    for (uint32_t i = 0; i < codes->all.used; i++)
        image_free(&code_entry(codes, i)->image);
    slab_release(&codes->all);
    table_release(&codes->by_code);
    free(codes);
}

/* ---- Counting ---- */

void code_count(struct event *e, struct text code, int64_t units)
{
    struct code *c = code_find(e, code);
    ASSERT(c && (units > 0 || c->image.used >= (uint64_t)-units));
    c->image.used += (uint64_t)units;
}

bool code_allows(const struct code *code, uint64_t units)
{
    const struct code_image *c = &code->image;
    ASSERT(units >= 1);
    return !c->removed && (c->units == 0 || c->used + units <= c->units);
}

/* ---- Judging ---- */

static bool carries(const struct code_image *image)
{
    return image->allotment.at && !image->removed;
}

bool code_carries(const struct code *code, struct text allotment)
{
    const struct code_image *c = &code->image;
    return carries(c) && (!allotment.at || text_equal(c->allotment, allotment));
}

/* The given code, which must exist. */
static enum outcome_code find_valid(const struct event *e, struct text given, struct code **code,
                                    struct outcome *out)
{
    *code = code_find(e, given);
    if (*code && !(*code)->image.removed)
        return OUTCOME_OK;
    out->guessed_at = e->image.id;
    return OUTCOME_CODE_INVALID;
}

/* Admins do not need a code, but can use one. */
static enum outcome_code judge_missing(const struct state *st, const struct event *e)
{
    return e->image.access == ACCESS_CODE && st->actor.role != ROLE_ADMIN ? OUTCOME_CODE_REQUIRED
                                                                          : OUTCOME_OK;
}

/* A move keeps the code of the item, even if that was removed since; only its tiers still apply. */
static void keep_code(const struct state *st, struct target *t)
{
    const struct event *e = t->event;
    bool bound = t->from->extra && t->from->extra->code.at && st->actor.role != ROLE_ADMIN &&
                 (e->image.access == ACCESS_CODE || t->from->extra->allotment.at);
    t->code = bound ? code_find(e, t->from->extra->code) : NULL;
    ASSERT(!bound || t->code); /* it has a claim */
}

/* Staff who name the right allotment need no code; naming another one does not help. */
static bool names_its_own(const struct target *t, struct text allotment)
{
    struct text name = t->request->allotment;
    return name.at && (t->kind->choice || (allotment.at && text_equal(name, allotment)));
}

enum outcome_code code_judge(struct step *step, struct target *t, struct text allotment, struct outcome *out)
{
    const struct event *e = t->event;
    struct text given = t->request->code;
    if (!given.at && !t->grows) /* the command for more units has no code */
        given = step->command->hold.code;
    enum outcome_code code = OUTCOME_OK;
    ASSERT(!e->image.removed);
    bool restricted = e->image.access == ACCESS_CODE;
    if (t->from)
        keep_code(step->state, t);
    else if (!given.at)
        code = names_its_own(t, allotment) ? OUTCOME_OK : judge_missing(step->state, e);
    /* With open access a code matters only for allotments, and `best` can pick from one. */
    else if (restricted || allotment.at || (t->kind->choice && codes_carry(e)))
        code = find_valid(e, given, &t->code, out);
    if (!restricted && !t->from && t->code && !code_carries(t->code, allotment))
        t->code = NULL;
    ASSERT(code != OUTCOME_OK || !t->code || t->from || !t->code->image.removed);
    allotment_resolve(step, t);
    return code;
}

enum outcome_code code_judge_joiner(const struct state *st, const struct event *e, struct text given,
                                    struct code **code, struct outcome *out)
{
    enum outcome_code judged = OUTCOME_OK;
    bool restricted = e->image.access == ACCESS_CODE;
    ASSERT(!e->image.removed && !*code);
    if (!given.at)
        return judge_missing(st, e);
    if (restricted || codes_carry(e))
        judged = find_valid(e, given, code, out);
    if (!restricted && *code && !code_carries(*code, (struct text){0}))
        *code = NULL;
    return judged;
}

static uint64_t wanted_with(const struct step *step, const struct code *code)
{
    uint64_t wanted = 0;
    for (uint32_t i = 0; i < step->target_count; i++)
        if (step->targets[i].code == code)
            wanted += step->targets[i].request->quantity;
    return wanted;
}

enum outcome_code code_judge_used(struct step *step, struct target *t, struct outcome *out)
{
    struct state *st = step->state;
    if (!t->code || t->from) /* a move does not change the number */
        return OUTCOME_OK;
    uint64_t wanted = wanted_with(step, t->code);
    ASSERT(wanted >= t->request->quantity);
    if (code_allows(t->code, wanted))
        return OUTCOME_OK;
    /* Lapsed holds no longer count. Holds are not indexed by code, so all lapsed ones are settled. */
    if (state_next_deadline(st) <= st->now_ms) {
        struct actor caller = st->actor;
        st->actor = (struct actor){.role = ROLE_SERVER};
        settle_lapsed(st);
        st->actor = caller;
    }
    if (code_allows(t->code, wanted))
        return OUTCOME_OK;
    if (state_next_deadline(st) <= st->now_ms)
        return OUTCOME_RETRY;
    state_saw(out, t->event->seq);
    state_saw(out, codes_seq(t->event));
    if (code_allows(t->code, 1))
        out->detail = "This code does not have that many units left.";
    return OUTCOME_CODE_USED;
}

/* ---- Commands ---- */

struct code *code_restore(struct state *st, const struct code_image *image, uint64_t seq)
{
    struct event *e = event_find_number(st, image->event);
    if (!e || e->image.removed || image->position > codes_count(e) || image->position >= CODES_MAX ||
        image->code.size < CODE_SIZE_MIN || image->code.size > CODE_SIZE_MAX)
        return NULL;
    struct code *c = code_find(e, image->code);
    /* A code always has the same position. */
    if (c ? c->image.position != image->position : image->position != codes_count(e))
        return NULL;
    if (!e->codes) {
        e->codes = memory_zeroed(1, sizeof(*e->codes));
        slab_init(&e->codes->all, sizeof(struct code));
        table_init(&e->codes->by_code, code_hash_of, e->codes);
    }
    bool fresh = !c;
    if (fresh)
        c = code_entry(e->codes, slab_take(&e->codes->all));
    /* Copy before freeing the old ones: the image can borrow them. */
    struct code_image own = *image;
    own.code = text_own(image->code);
    own.allotment = text_own(image->allotment);
    own.tiers = texts_own(image->tiers, image->tier_count);
    own.used = c->image.used;
    e->codes->carrying += carries(&own);
    e->codes->carrying -= carries(&c->image);
    image_free(&c->image);
    c->image = own;
    if (fresh) {
        c->hash = fold_hash(own.code);
        table_insert(&e->codes->by_code, c->hash, image->position);
    }
    e->codes->seq = seq;
    ASSERT(c == code_entry(e->codes, image->position) && codes_count(e) <= CODES_MAX);
    return c;
}

static void code_save(struct state *st, const struct code_image *image)
{
    st->change.kind = CHANGE_CODE;
    st->change.code = *image;
    state_commit(st);
}

static bool tiers_same(const struct code_image *a, const struct code_image *b)
{
    bool same = a->tier_count == b->tier_count;
    for (uint32_t i = 0; same && i < a->tier_count; i++)
        same = text_equal(a->tiers[i], b->tiers[i]);
    return same;
}

/* Whether it would change nothing, so that repeating an import writes nothing. */
static bool unchanged(const struct code_image *a, const struct code_image *b)
{
    return !a->removed && text_equal(a->code, b->code) && a->units == b->units && tiers_same(a, b) &&
           (a->allotment.at == NULL) == (b->allotment.at == NULL) && text_equal(a->allotment, b->allotment);
}

static void code_put(struct state *st, struct event *e, const struct code_image *given, struct outcome *out)
{
    const struct code *c = code_find(e, given->code);
    struct code_image image = *given;
    ASSERT(given->tier_count <= TIERS_MAX && given->units <= CODE_UNITS_MAX);
    image.event = e->image.number;
    image.position = c ? c->image.position : codes_count(e);
    image.removed = false;
    /* A removed code counts as created again; its used units still count. */
    *(c && !c->image.removed ? &out->codes_updated : &out->codes_created) += 1;
    if (!c || !unchanged(&c->image, &image))
        code_save(st, &image);
}

static bool has_room(const struct event *e, const struct code_image *codes, uint32_t count)
{
    uint32_t fresh = 0;
    if (codes_count(e) + count <= CODES_MAX)
        return true;
    for (uint32_t i = 0; i < count; i++)
        fresh += !code_find(e, codes[i].code);
    return codes_count(e) + fresh <= CODES_MAX;
}

enum outcome_code codes_put(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e = event_find(st, c->codes_put.event);
    ASSERT(c->codes_put.count <= CODES_STEP_MAX);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    if (!has_room(e, c->codes_put.codes, c->codes_put.count))
        return state_invalid(out, "Too many codes: at most 1000000 per event.", "%s", "");
    for (uint32_t i = 0; i < c->codes_put.count; i++)
        code_put(st, e, &c->codes_put.codes[i], out);
    /* Entries of the waiting list can have a code that now allows more units or other tiers. */
    if (st->change_count)
        waiting_list_freed(st, e);
    state_saw(out, codes_seq(e));
    return OUTCOME_OK;
}

enum outcome_code code_remove(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e = event_find(st, c->code_remove.event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    const struct code *found = code_find(e, c->code_remove.code);
    if (!found || found->image.removed)
        return OUTCOME_NO_SUCH_CODE;
    struct code_image image = found->image;
    image.removed = true;
    code_save(st, &image);
    ASSERT(found->image.removed && found->image.used == image.used); /* live claims still count */
    state_saw(out, codes_seq(e));
    return OUTCOME_OK;
}

/* ---- The change: read change_codec.c before touching its bytes ---- */

/* clang-format off */
#define CODE_FIELDS(X) \
    X(number, event) X(u32, position, CODES_MAX) X(text, code) X(u32, units, CODE_UNITS_MAX) \
    X(optional, allotment) X(flag, removed)
/* clang-format on */

void code_change_put(struct buf *out, const struct change *c)
{
    const struct code_image *r = &c->code;
    ASSERT(r->code.size >= CODE_SIZE_MIN && r->code.size <= CODE_SIZE_MAX);
    CODE_FIELDS(CODEC_PUT)
    codec_put_tiers(out, r->tiers, r->tier_count);
}

void code_change_get(struct bytes_reader *in, struct change *c)
{
    struct code_image *r = &c->code;
    *r = (struct code_image){0};
    CODE_FIELDS(CODEC_GET)
    r->tier_count = codec_get_tiers(in, c->tiers);
    r->tiers = c->tiers;
    in->bad = in->bad || r->code.size < CODE_SIZE_MIN || r->code.size > CODE_SIZE_MAX ||
              r->allotment.size > ID_SIZE_MAX;
}

CHANGE_RESTORE(code, code_restore(st, &c->code, c->seq) != NULL)

/* ---- For state_check ---- */

void check_codes(struct check *c, struct event *e)
{
    uint64_t used = 0;
    uint32_t carrying = 0;
    for (uint32_t i = 0; i < codes_count(e); i++) {
        const struct code_image *code = &code_entry(e->codes, i)->image;
        /* Forgotten sales count, too, and are not in memory: so this is only a lower bound. */
        uint64_t have = check_sum(&c->codes, check_pair_name(i, e->index))->value;
        check_expect(c, code->position == i && code->event == e->image.number,
                     "has a code that is out of place: %.*s.", TEXT_ARGS(code->code));
        check_expect(c, code_find(e, code->code) == code_entry(e->codes, i), "cannot find its code %.*s.",
                     TEXT_ARGS(code->code));
        check_expect(c, code->used >= have, "counts %llu units with code %.*s, its reservations have %llu.",
                     (unsigned long long)code->used, TEXT_ARGS(code->code), (unsigned long long)have);
        used += code->used;
        carrying += carries(code);
    }
    check_expect(c, !e->codes || e->codes->carrying == carrying, "has %u codes with an allotment, not %u.",
                 carrying, e->codes ? e->codes->carrying : 0);
    check_expect(c, used <= e->live_units, "counts %llu units with codes, but has %llu.",
                 (unsigned long long)used, (unsigned long long)e->live_units);
    check_expect(c, !e->image.removed || !e->codes, "is removed but has codes.");
}
