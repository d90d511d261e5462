/* SPDX-License-Identifier: Apache-2.0 */
#include "http/hook/hook_targets.h"

#include <ctype.h>
#include <string.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"

#define HOST_SIZE_MAX 300 /* longer than any host name with its port */
#define TARGETS_MAX (sizeof((struct hook_targets *)0)->all / sizeof((struct hook_targets *)0)->all[0])

/* A hash of host and port. The URL was accepted by url_check: scheme://host[:port][/…][?…]; the host may be [::1]. */
static uint64_t host_of(struct text url)
{
    char name[HOST_SIZE_MAX + sizeof ":443"];
    size_t size = 0;
    const char *end = url.at + url.size, *at = memchr(url.at, ':', url.size);
    bool bracket = false, port = false;
    ASSERT(at);
    bool tls = at - url.at == 5; /* https */
    for (at += 3; at < end && *at != '/' && *at != '?' && size < HOST_SIZE_MAX; at++) {
        bracket = *at == '[' || (bracket && *at != ']');
        port = port || (*at == ':' && !bracket);
        name[size++] = (char)tolower((unsigned char)*at);
    }
    const char *usual = port ? "" : tls ? ":443" : ":80";
    memcpy(name + size, usual, strlen(usual));
    return hash_sip((struct hash_key){0}, name, size + strlen(usual));
}

/* The index of a hook; TARGETS_MAX: not found. For hook 0: a free place. */
static size_t place_of(const struct hook_targets *t, uint64_t hook)
{
    size_t i = 0;
    while (i < TARGETS_MAX && t->all[i].hook != hook)
        i++;
    return i;
}

static const struct hook_target *get(const struct hook_targets *t, uint64_t hook)
{
    size_t place = place_of(t, hook);
    ASSERT(hook && place < TARGETS_MAX);
    return &t->all[place];
}

/* ---- The hooks ---- */

/* Hooks that are not kept are freed at the next change: a message may still be in flight. */
void hook_targets_clear(struct hook_targets *t)
{
    for (size_t i = 0; i < TARGETS_MAX; i++) {
        if (!t->all[i].kept && !t->all[i].in_flight)
            t->all[i] = (struct hook_target){0};
        t->all[i].kept = false;
    }
}

void hook_targets_keep(struct hook_targets *t, uint64_t hook, struct text url)
{
    uint64_t host = host_of(url);
    size_t place = place_of(t, hook);
    if (place == TARGETS_MAX)
        place = place_of(t, 0);
    ASSERT(place < TARGETS_MAX);
    struct hook_target *one = &t->all[place];
    one->hook = hook;
    one->kept = true;
    if (one->host == host)
        return;
    /* A new receiver: only the state of its host is known, if other hooks use the same host. */
    one->host = host;
    one->own = one->shared = (struct hook_rest){0};
    for (size_t i = 0; i < TARGETS_MAX; i++)
        if (t->all[i].host == host && &t->all[i] != one)
            one->shared = t->all[i].shared;
}

/* ---- Messages ---- */

static bool host_busy(const struct hook_targets *t, uint64_t host)
{
    for (size_t i = 0; i < TARGETS_MAX; i++)
        if (t->all[i].host == host && t->all[i].in_flight)
            return true;
    return false;
}

uint32_t hook_targets_room(const struct hook_targets *t, uint64_t hook, int64_t now_ms, uint32_t share)
{
    const struct hook_target *one = get(t, hook);
    uint32_t left = HOOK_IN_FLIGHT_MAX - t->in_flight;
    if (!left || now_ms < one->own.until_ms || now_ms < one->shared.until_ms)
        return 0;
    if (one->shared.until_ms)
        return !host_busy(t, one->host);
    if (one->own.until_ms)
        return !one->in_flight;
    uint32_t room = one->in_flight < share ? share - one->in_flight : 0;
    return room < left ? room : left;
}

bool hook_targets_failing(const struct hook_targets *t, uint64_t hook)
{
    const struct hook_target *one = get(t, hook);
    return one->own.until_ms || one->shared.until_ms;
}

void hook_targets_begun(struct hook_targets *t, uint64_t hook, uint32_t count)
{
    size_t place = place_of(t, hook);
    ASSERT(hook && place < TARGETS_MAX);
    t->all[place].in_flight += count;
    t->in_flight += count;
    ASSERT(t->in_flight <= HOOK_IN_FLIGHT_MAX);
}

/* Counts a failure. Messages that were in flight when the pause began are not counted: they add no information. */
static void rest(struct hook_rest *r, uint32_t tolerated, int64_t now_ms, uint64_t random)
{
    if (now_ms < r->until_ms)
        return;
    if (++r->failures > tolerated)
        r->until_ms = now_ms + hook_pause_ms(r->failures - tolerated, random, HOOK_REST_MAX_MS);
}

static void host_ended(struct hook_targets *t, uint64_t host, bool reached, int64_t now_ms, uint64_t random)
{
    for (size_t i = 0; i < TARGETS_MAX; i++) {
        if (t->all[i].host != host)
            continue;
        if (reached)
            t->all[i].shared = (struct hook_rest){0};
        else
            rest(&t->all[i].shared, 0, now_ms, random);
    }
}

void hook_targets_ended(struct hook_targets *t, uint64_t hook, enum hook_attempt how, int64_t now_ms,
                        uint64_t random)
{
    size_t place = place_of(t, hook);
    ASSERT(hook && place < TARGETS_MAX);
    struct hook_target *one = &t->all[place];
    ASSERT(one->in_flight);
    one->in_flight--;
    t->in_flight--;
    if (how == HOOK_ATTEMPT_NONE)
        return;
    host_ended(t, one->host, how != HOOK_ATTEMPT_UNREACHABLE, now_ms, random);
    if (how == HOOK_ATTEMPT_DELIVERED)
        one->own = (struct hook_rest){0};
    else if (how == HOOK_ATTEMPT_FAILED)
        rest(&one->own, HOOK_FAILURES_TOLERATED, now_ms, random);
}
