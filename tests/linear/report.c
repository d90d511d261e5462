/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <inttypes.h>
#include <stdarg.h>

#define ITEMS_SHOWN 4
#define US_PER_SECOND 1000000

static bool printing(const struct report *r)
{
    return r->violations + r->faults <= REPORTS_MAX;
}

static void print(struct report *r, const char *before, const char *format, va_list arguments)
{
    if (!printing(r))
        return;
    fputs(before, r->out);
    vfprintf(r->out, format, arguments);
    fputc('\n', r->out);
}

void report_violation(struct report *r, const char *format, ...)
{
    va_list arguments;
    r->violations++;
    va_start(arguments, format);
    print(r, "violation: ", format, arguments);
    va_end(arguments);
}

void report_fault(struct report *r, const char *format, ...)
{
    va_list arguments;
    r->faults++;
    va_start(arguments, format);
    print(r, "not checked: ", format, arguments);
    va_end(arguments);
}

void report_note(struct report *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(r, "    ", format, arguments);
    va_end(arguments);
}

const char *report_time(const struct report *r, int64_t us, char out[REPORT_TIME_SIZE])
{
    if (us == NO_END) {
        snprintf(out, REPORT_TIME_SIZE, "never");
    } else {
        int64_t after = us - r->history->first_us;
        uint64_t size = after < 0 ? 0 - (uint64_t)after : (uint64_t)after;
        snprintf(out, REPORT_TIME_SIZE, "%s%" PRIu64 ".%06" PRIu64 " s", after < 0 ? "-" : "",
                 size / US_PER_SECOND, size % US_PER_SECOND);
    }
    return out;
}

static void print_items(struct report *r, const struct call *c)
{
    const struct history *h = r->history;
    for (uint32_t i = 0; i < c->item_count && i < ITEMS_SHOWN; i++) {
        const struct item *item = &h->items[c->first_item + i];
        fprintf(r->out, "%s%s%s", i ? ", " : " ",
                item->gives   ? "from "
                : item->asked ? "asked "
                              : "",
                names_text(&h->objects, item->object));
        if (item->units || item->shown == SHOWN_AVAILABLE)
            fprintf(r->out, " x%u", item->units);
        if (item->shown != SHOWN_NONE)
            fprintf(r->out, " %s", shown_word(item->shown));
        if (item->reservation != NAME_NONE)
            fprintf(r->out, " by %s", names_text(&h->reservations, item->reservation));
    }
    if (c->item_count > ITEMS_SHOWN)
        fprintf(r->out, " and %u more", c->item_count - ITEMS_SHOWN);
}

static void print_outcome(struct report *r, const struct call *c)
{
    const struct history *h = r->history;
    char time[REPORT_TIME_SIZE];
    if (c->outcome == OUTCOME_UNDECIDED)
        fputs(" -> undecided", r->out);
    else if (c->outcome == OUTCOME_REFUSED)
        fprintf(r->out, " -> refused:%s", names_text(&h->codes, c->code));
    else
        fprintf(r->out, " -> %s", call_done_word(c->kind));
    if (c->expires_us)
        fprintf(r->out, " until %s", report_time(r, c->expires_us, time));
    if (c->fence)
        fprintf(r->out, " fence %" PRIu64, c->fence);
    if (c->seq)
        fprintf(r->out, " seq %" PRIu64, c->seq);
    if (c->min_seq)
        fprintf(r->out, " min_seq %" PRIu64, c->min_seq);
}

void report_call(struct report *r, const char *role, const struct call *c)
{
    char from[REPORT_TIME_SIZE], to[REPORT_TIME_SIZE];
    const struct history *h = r->history;
    if (!printing(r))
        return;
    fprintf(r->out, "    %-14s line %u, client %s, %s .. %s: %s", role, c->line,
            names_text(&h->clients, c->client), report_time(r, c->call_us, from),
            report_time(r, c->answer_us, to), call_kind_word(c->kind));
    if (c->reservation != NAME_NONE)
        fprintf(r->out, " %s", names_text(&h->reservations, c->reservation));
    print_items(r, c);
    print_outcome(r, c);
    fputc('\n', r->out);
}
