/* SPDX-License-Identifier: Apache-2.0 */
#include "core/kept_terms.h"

#include <string.h>

#include "base/assertion.h"

/* Reads digits up to `end`; false: none, or too many. */
static bool read_number(const char **at, const char *end, uint64_t *out)
{
    const char *from = *at;
    *out = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        *out = *out * 10 + (uint64_t)(**at - '0');
    return *at > from && *at - from < 20;
}

static bool skip(const char **at, const char *end, char wanted)
{
    bool there = *at < end && **at == wanted;
    *at += there;
    return there;
}

/* One entry, and the separator after it. */
static bool read_entry(const char **at, const char *end, struct kept_terms *terms, uint64_t *ended_by)
{
    uint64_t until = 0;
    if (!read_number(at, end, ended_by) || !skip(at, end, ' '))
        return false;
    const char *space = memchr(*at, ' ', (size_t)(end - *at));
    if (!space || !late_payment_rule_read((struct text){*at, (size_t)(space - *at)}, &terms->late_payment))
        return false;
    *at = space + 1;
    terms->cancels = !skip(at, end, '-');
    if (terms->cancels && (!read_number(at, end, &until) || until > UINT32_MAX))
        return false;
    terms->cancel_until = (uint32_t)until;
    return *at == end || skip(at, end, ';');
}

bool kept_terms_sound(struct text before)
{
    const char *at = before.at, *end = before.at + before.size;
    struct kept_terms terms;
    uint64_t ended_by = 0, last = 0;
    uint32_t count = 0;
    if (before.size > KEPT_TERMS_SIZE_MAX || (before.at && !before.size))
        return false;
    for (; at < end; last = ended_by)
        if (++count > KEPT_TERMS_MAX || !read_entry(&at, end, &terms, &ended_by) || ended_by <= last)
            return false;
    return true;
}

struct kept_terms kept_terms_of(struct text before, struct kept_terms now, uint64_t seq)
{
    const char *at = before.at, *end = before.at + before.size;
    while (at < end) {
        struct kept_terms terms;
        uint64_t ended_by;
        bool sound = read_entry(&at, end, &terms, &ended_by);
        ASSERT(sound);
        if (seq < ended_by)
            return terms;
    }
    return now;
}

/* Without the oldest entry, if it is full. */
static struct text with_room(struct text before)
{
    uint32_t count = before.size > 0;
    for (size_t i = 0; i < before.size; i++)
        count += before.at[i] == ';';
    if (count < KEPT_TERMS_MAX)
        return before;
    ASSERT(count == KEPT_TERMS_MAX && count > 1);
    const char *second = (const char *)memchr(before.at, ';', before.size) + 1;
    return (struct text){second, (size_t)(before.at + before.size - second)};
}

struct text kept_terms_replace(struct text before, struct kept_terms old, struct kept_terms replaced_by,
                               uint64_t seq, struct buf *out)
{
    enum late_payment_rule rule = old.late_payment;
    if (rule == replaced_by.late_payment && old.cancels == replaced_by.cancels &&
        old.cancel_until == replaced_by.cancel_until)
        return before;
    struct text kept = with_room(before);
    buf_clear(out);
    buf_append(out, kept.at, kept.size);
    buf_printf(out, "%s%llu %s ", kept.size ? ";" : "", (unsigned long long)seq,
               late_payment_rule_name(rule));
    if (old.cancels)
        buf_printf(out, "%u", old.cancel_until);
    else
        buf_append_text(out, "-");
    struct text text = {(const char *)out->data, out->size};
    ASSERT(kept_terms_sound(text));
    return text;
}
