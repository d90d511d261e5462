/* SPDX-License-Identifier: Apache-2.0 */
#include "http/access/rate_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "base/crypto/random.h"

#define SETS 8192
#define WAYS 8
#define TOKEN 1000 /* tokens are counted in thousandths, so that a rate per second adds whole numbers per millisecond */

const struct rate_limits_rate rate_limits_of_address[LANE_COUNT] = {
    [LANE_READ] = {5000, 20000},  [LANE_HOLD] = {1000, 5000}, [LANE_COMMIT] = {1000, 5000},
    [LANE_SESSION] = {20, 500},   [LANE_JOIN] = {50, 2000}, /* a whole campus may come from one address */
    [LANE_POLL] = {10000, 40000}, [LANE_PICTURE] = {50, 500}, [LANE_UNSIGNED] = {10, 100},
};
const struct rate_limits_rate rate_limits_of_user[LANE_COUNT] = {
    [LANE_READ] = {200, 2000},
    [LANE_HOLD] = {50, 500},
    [LANE_COMMIT] = {100, 1000},
    [LANE_JOIN] = {1, 100},
};

/* An address or a user, as 64 bits of a keyed hash. */
struct rate_limits_entry {
    uint64_t hash; /* 0: empty */
    int64_t used_ms;
    int64_t filled_ms;           /* when `tokens` was last brought up to date */
    uint32_t tokens[LANE_COUNT]; /* thousandths */
    uint32_t releases;           /* in the window; of an entry for guesses: wrong codes */
    int64_t window_ms;           /* its beginning */
    int64_t cool_until_ms;
};

static const char *const names[LANE_COUNT][2] = {[LANE_NONE] = {"", ""},
#define X(name, word) [LANE_##name] = {word "-address", word "-user"},
                                                 LANES(X)
#undef X
};

const char *rate_limits_policy_name(enum lane lane, enum rate_limits_scope scope)
{
    return names[lane][scope];
}

/* ---- Life ---- */

static size_t write_policy(char out[RATE_LIMITS_POLICY_SIZE], size_t at, const char *name,
                           struct rate_limits_rate rate)
{
    if (rate.burst == 0)
        return at;
    int size = snprintf(out + at, RATE_LIMITS_POLICY_SIZE - at, "%s\"%s\";q=%u;w=%u", at ? ", " : "", name,
                        rate.burst, (rate.burst + rate.per_second - 1) / rate.per_second);
    ASSERT(size > 0 && at + (size_t)size < RATE_LIMITS_POLICY_SIZE);
    return at + (size_t)size;
}

void rate_limits_init(struct rate_limits *l, bool on)
{
    *l = (struct rate_limits){.on = on, .key = {random_u64(), random_u64()}};
    if (!on)
        return;
    l->entries = memory_zeroed((size_t)SETS * WAYS, sizeof *l->entries);
    for (unsigned lane = LANE_NONE + 1; lane < LANE_COUNT; lane++) {
        const char *const *name = names[lane];
        write_policy(l->policies[lane][RATE_LIMITS_ADDRESS], 0, name[RATE_LIMITS_ADDRESS],
                     rate_limits_of_address[lane]);
        char *both = l->policies[lane][RATE_LIMITS_USER];
        size_t size = write_policy(both, 0, name[RATE_LIMITS_USER], rate_limits_of_user[lane]);
        write_policy(both, size, name[RATE_LIMITS_ADDRESS], rate_limits_of_address[lane]);
    }
}

void rate_limits_release(struct rate_limits *l)
{
    free(l->entries);
    l->entries = NULL;
}

static uint64_t rate_limits_hash_of(const struct rate_limits *l, char kind, const void *bytes, size_t size)
{
    struct hash_key key = {l->key.a ^ (uint64_t)kind, l->key.b};
    uint64_t hash = hash_sip(key, bytes, size);
    return hash ? hash : 1;
}

static struct rate_limits_entry *entry_of(struct rate_limits *l, uint64_t hash,
                                          const struct rate_limits_rate *rates, int64_t now_ms)
{
    struct rate_limits_entry *set = &l->entries[(hash % SETS) * WAYS], *oldest = set;
    for (unsigned i = 0; i < WAYS; i++) {
        if (set[i].hash == hash) {
            set[i].used_ms = now_ms;
            return &set[i];
        }
        if (set[i].used_ms < oldest->used_ms)
            oldest = &set[i];
    }
    *oldest =
        (struct rate_limits_entry){.hash = hash, .used_ms = now_ms, .filled_ms = now_ms, .window_ms = now_ms};
    for (unsigned lane = 0; lane < LANE_COUNT; lane++)
        oldest->tokens[lane] = rates[lane].burst * TOKEN;
    return oldest;
}

static void entry_fill(struct rate_limits_entry *e, const struct rate_limits_rate *rates, int64_t now_ms)
{
    uint64_t passed_ms = now_ms > e->filled_ms ? (uint64_t)(now_ms - e->filled_ms) : 0;
    if (passed_ms == 0)
        return;
    for (unsigned lane = 0; lane < LANE_COUNT; lane++) {
        uint64_t full = (uint64_t)rates[lane].burst * TOKEN;
        uint64_t tokens = e->tokens[lane] + passed_ms * rates[lane].per_second;
        e->tokens[lane] = (uint32_t)(tokens < full ? tokens : full);
    }
    e->filled_ms = now_ms;
}

static unsigned divide_up(uint64_t value, unsigned by)
{
    return (unsigned)((value + by - 1) / by);
}

/* Takes one token from the bucket, and reports how many are left unless another bucket has fewer. */
static bool entry_take(struct rate_limits_entry *e, enum rate_limits_scope scope, int64_t now_ms,
                       struct rate_limits_left *left)
{
    const struct rate_limits_rate *rates =
        scope == RATE_LIMITS_USER ? rate_limits_of_user : rate_limits_of_address;
    struct rate_limits_rate rate = rates[left->lane];
    uint32_t *tokens = &e->tokens[left->lane];
    if (rate.burst == 0)
        return true;
    entry_fill(e, rates, now_ms);
    bool good = *tokens >= TOKEN;
    if (good)
        *tokens -= TOKEN;
    if (scope == RATE_LIMITS_USER && good && *tokens / TOKEN > left->requests)
        return true;
    left->scope = scope;
    left->requests = *tokens / TOKEN;
    left->full_s = divide_up((uint64_t)rate.burst * TOKEN - *tokens, rate.per_second * 1000);
    if (!good)
        left->retry_after_s = divide_up(divide_up(TOKEN - *tokens, rate.per_second), 1000);
    return good;
}

static struct rate_limits_entry *user_entry(struct rate_limits *l, struct text user, int64_t now_ms)
{
    return entry_of(l, rate_limits_hash_of(l, 'u', user.at, user.size), rate_limits_of_user, now_ms);
}

bool rate_limits_take(struct rate_limits *l, struct address address, struct text user, enum lane lane,
                      int64_t now_ms, struct rate_limits_left *left)
{
    ASSERT(lane < LANE_COUNT);
    *left = (struct rate_limits_left){.lane = LANE_NONE};
    if (!l->on || lane == LANE_NONE)
        return true;
    *left = (struct rate_limits_left){.lane = lane, .is_user = user.size > 0};
    struct address place = address_neighbourhood(address);
    struct rate_limits_entry *e =
        entry_of(l, rate_limits_hash_of(l, 'a', place.bytes, sizeof place.bytes), rate_limits_of_address, now_ms);
    if (!entry_take(e, RATE_LIMITS_ADDRESS, now_ms, left))
        return false;
    if (user.size == 0)
        return true;
    e = user_entry(l, user, now_ms);
    if (lane == LANE_HOLD && now_ms < e->cool_until_ms) {
        unsigned cool_s = divide_up((uint64_t)(e->cool_until_ms - now_ms), 1000);
        left->scope = RATE_LIMITS_USER;
        left->requests = 0;
        left->full_s = left->retry_after_s = cool_s;
        return false;
    }
    return entry_take(e, RATE_LIMITS_USER, now_ms, left);
}

void rate_limits_note_release(struct rate_limits *l, struct text user, int64_t now_ms)
{
    if (!l->on || user.size == 0)
        return;
    struct rate_limits_entry *e = user_entry(l, user, now_ms);
    if (now_ms - e->window_ms >= RATE_LIMITS_WINDOW_MS) {
        e->window_ms = now_ms;
        e->releases = 0;
    }
    if (++e->releases > RATE_LIMITS_RELEASES)
        e->cool_until_ms = now_ms + RATE_LIMITS_COOL_DOWN_MS;
}

/* ---- Guesses ---- */

/* The guesses of one user, or one neighbourhood, at one event: an entry used for nothing else. */
static struct rate_limits_entry *guesses_of(struct rate_limits *l, char kind, const void *who, size_t size,
                                            struct text event, int64_t now_ms)
{
    char name[ID_SIZE_MAX + 1 + USER_SIZE_MAX];
    ASSERT(size <= USER_SIZE_MAX && event.size <= ID_SIZE_MAX);
    memcpy(name, event.at, event.size);
    name[event.size] = '\0'; /* no id contains it, so two pairs of event and name never look the same */
    memcpy(name + event.size + 1, who, size);
    uint64_t hash = rate_limits_hash_of(l, kind, name, event.size + 1 + size);
    struct rate_limits_entry *e = entry_of(l, hash, rate_limits_of_user, now_ms);
    if (now_ms - e->window_ms >= RATE_LIMITS_WINDOW_MS) {
        e->window_ms = now_ms;
        e->releases = 0;
    }
    return e;
}

static bool may_guess(const struct rate_limits_entry *e, int64_t now_ms, unsigned *retry_after_s)
{
    if (e->releases < RATE_LIMITS_GUESSES)
        return true;
    *retry_after_s = divide_up((uint64_t)(e->window_ms + RATE_LIMITS_WINDOW_MS - now_ms), 1000);
    return false;
}

bool rate_limits_may_guess(struct rate_limits *l, const struct address *address, struct text user,
                           struct text event, int64_t now_ms, unsigned *retry_after_s)
{
    if (!l->on)
        return true;
    if (!may_guess(guesses_of(l, 'g', user.at, user.size, event, now_ms), now_ms, retry_after_s))
        return false;
    if (!address)
        return true;
    struct address place = address_neighbourhood(*address);
    return may_guess(guesses_of(l, 'p', place.bytes, sizeof place.bytes, event, now_ms), now_ms,
                     retry_after_s);
}

void rate_limits_note_guess(struct rate_limits *l, const struct address *address, struct text user,
                            struct text event, int64_t now_ms)
{
    if (!l->on)
        return;
    guesses_of(l, 'g', user.at, user.size, event, now_ms)->releases++;
    if (!address)
        return;
    struct address place = address_neighbourhood(*address);
    guesses_of(l, 'p', place.bytes, sizeof place.bytes, event, now_ms)->releases++;
}
