/* SPDX-License-Identifier: Apache-2.0 */
#include "script_line.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/time/rfc3339.h"
#include "world.h"

#define DAY_MS (24LL * 3600 * 1000)

static _Noreturn void unreadable(const char *what, const char *word)
{
    fprintf(stderr, "script: %s: '%s'\n", what, word);
    exit(2);
}

bool script_line_read(struct script_line *l, const char *text, int number)
{
    *l = (struct script_line){.number = number};
    snprintf(l->text, sizeof(l->text), "%s", text);
    snprintf(l->words_text, sizeof(l->words_text), "%s", text);
    bool expecting = false;
    char *rest = l->words_text, *word;
    while ((word = strsep(&rest, " \t\r\n"))) {
        if (!*word)
            continue;
        if (*word == '#')
            break;
        if (l->count == SCRIPT_WORDS_MAX || l->expected_count == SCRIPT_WORDS_MAX)
            unreadable("too many words", text);
        if (strcmp(word, "->") == 0)
            expecting = true;
        else if (expecting)
            l->expected[l->expected_count++] = word;
        else
            l->words[l->count++] = word;
    }
    if (l->count >= 3 && strcmp(l->words[0], "at") == 0) {
        l->has_time = true;
        l->at_ms = script_time(l->words[1]);
        l->count -= 2;
        memmove(l->words, l->words + 2, (size_t)l->count * sizeof(*l->words));
    }
    return l->count > 0;
}

const char *script_option(const struct script_line *l, const char *name)
{
    for (int i = 1; i + 1 < l->count; i++)
        if (strcmp(l->words[i], name) == 0)
            return l->words[i + 1];
    return NULL;
}

bool script_flag(const struct script_line *l, const char *name)
{
    for (int i = 1; i < l->count; i++)
        if (strcmp(l->words[i], name) == 0)
            return true;
    return false;
}

const char *script_expected(const struct script_line *l, const char *name)
{
    size_t size = strlen(name);
    for (int i = 0; i < l->expected_count; i++)
        if (strncmp(l->expected[i], name, size) == 0 && l->expected[i][size] == '=')
            return l->expected[i] + size + 1;
    return NULL;
}

bool script_expects(const struct script_line *l, const char *flag)
{
    for (int i = 0; i < l->expected_count; i++)
        if (strcmp(l->expected[i], flag) == 0)
            return true;
    return false;
}

static int64_t unit_ms(const char *at, size_t size, const char *word)
{
    static const struct {
        const char *name;
        int64_t ms;
    } units[] = {{"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {"d", 86400000}};
    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (size == strlen(units[i].name) && memcmp(at, units[i].name, size) == 0)
            return units[i].ms;
    unreadable("not a time", word);
}

int64_t script_time(const char *word)
{
    int64_t total = 0, sign = 1, instant_ms;
    const char *at = word;
    if (rfc3339_read(word, strlen(word), &instant_ms))
        return instant_ms - WORLD_EPOCH_MS;
    while (*at) {
        if (*at == '+' || *at == '-')
            sign = *at++ == '+' ? 1 : -1;
        char *end;
        bool midnight = *at == 'D'; /* D1: the first midnight UTC after the start */
        at += midnight;
        int64_t v = strtoll(at, &end, 10);
        size_t size = strcspn(end, "+-");
        if (end == at)
            unreadable("not a time", word);
        total += midnight ? v * DAY_MS - WORLD_EPOCH_MS % DAY_MS : sign * v * unit_ms(end, size, word);
        at = end + size;
    }
    return total;
}

void script_time_write(struct buf *out, int64_t ms)
{
    if (ms && ms % 3600000 == 0)
        buf_printf(out, "%lldh", (long long)ms / 3600000);
    else if (ms && ms % 60000 == 0)
        buf_printf(out, "%lldm", (long long)ms / 60000);
    else if (ms && ms % 1000 == 0)
        buf_printf(out, "%llds", (long long)ms / 1000);
    else
        buf_printf(out, "%lldms", (long long)ms);
}

int64_t script_number(const char *word)
{
    char *end;
    int64_t v = strtoll(word, &end, 10);
    if (end == word || *end)
        unreadable("not a number", word);
    return v;
}

struct text script_text(const char *word)
{
    return (struct text){word, word ? strlen(word) : 0};
}

/* "A1..A12" */
static uint32_t ids_range(const char *word, const char *dots, char ids[SCRIPT_IDS_MAX][ID_SIZE_MAX + 1])
{
    size_t prefix = (size_t)(dots - word);
    while (prefix > 0 && word[prefix - 1] >= '0' && word[prefix - 1] <= '9')
        prefix--;
    int64_t first = strtoll(word + prefix, NULL, 10), last = script_number(dots + 2 + prefix);
    uint32_t count = 0;
    for (int64_t i = first; i <= last && count < SCRIPT_IDS_MAX; i++)
        snprintf(ids[count++], ID_SIZE_MAX + 1, "%.*s%lld", (int)prefix, word, (long long)i);
    return count;
}

uint32_t script_ids(const char *list, char ids[SCRIPT_IDS_MAX][ID_SIZE_MAX + 1])
{
    char copy[1024];
    uint32_t count = 0;
    snprintf(copy, sizeof(copy), "%s", list);
    char *rest = copy, *word;
    while ((word = strsep(&rest, ",")) && count < SCRIPT_IDS_MAX) {
        const char *dots = strstr(word, "..");
        if (dots)
            count += ids_range(word, dots, ids + count);
        else
            snprintf(ids[count++], ID_SIZE_MAX + 1, "%s", word);
    }
    return count;
}
