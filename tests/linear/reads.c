/* SPDX-License-Identifier: Apache-2.0 */
#include "reads.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory/memory.h"

static int compare(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_client_and_call(const void *x, const void *y)
{
    const struct call *a = *(const struct call *const *)x, *b = *(const struct call *const *)y;
    return a->client != b->client ? compare(a->client, b->client) : compare(a->call_us, b->call_us);
}

static int by_client_and_answer(const void *x, const void *y)
{
    const struct call *a = *(const struct call *const *)x, *b = *(const struct call *const *)y;
    return a->client != b->client ? compare(a->client, b->client) : compare(a->answer_us, b->answer_us);
}

static int by_call(const void *x, const void *y)
{
    return compare((*(const struct call *const *)x)->call_us, (*(const struct call *const *)y)->call_us);
}

static int by_answer(const void *x, const void *y)
{
    return compare((*(const struct call *const *)x)->answer_us, (*(const struct call *const *)y)->answer_us);
}

static const struct call **sorted(const struct call *calls, uint32_t count,
                                  int (*order)(const void *, const void *))
{
    const struct call **list = memory_get((count + 1) * sizeof list[0]);
    for (uint32_t i = 0; i < count; i++)
        list[i] = &calls[i];
    qsort(list, count, sizeof list[0], order);
    return list;
}

static void check_min_seq(const struct call *c, struct report *r)
{
    bool judged =
        c->outcome == OUTCOME_DONE || (c->outcome == OUTCOME_REFUSED && c->refusal != REFUSAL_OTHER);
    if (judged && c->seq && c->seq < c->min_seq) {
        report_violation(r, "an answer is older than the Min-Seq %" PRIu64 " of client %s", c->min_seq,
                         names_text(&r->history->clients, c->client));
        report_call(r, "older", c);
    }
}

void reads_check_seqs(const struct history *h, struct report *r)
{
    const struct call **calls = sorted(h->lines, h->line_count, by_client_and_call);
    const struct call **answers = sorted(h->lines, h->line_count, by_client_and_answer);
    const struct call *seen = NULL; /* the answer with the greatest seq that this client had when it asked */
    for (uint32_t i = 0, a = 0; i < h->line_count; i++) {
        const struct call *c = calls[i];
        if (i && calls[i - 1]->client != c->client)
            seen = NULL;
        for (; a < h->line_count && answers[a]->client <= c->client; a++) {
            if (answers[a]->client == c->client && answers[a]->answer_us >= c->call_us)
                break;
            if (answers[a]->client == c->client && (!seen || answers[a]->seq > seen->seq))
                seen = answers[a];
        }
        check_min_seq(c, r);
        if (c->kind == CALL_READ && c->outcome == OUTCOME_DONE && c->seq && seen && c->seq < seen->seq) {
            report_violation(r, "client %s had seen seq %" PRIu64 " and then read an older state",
                             names_text(&h->clients, c->client), seen->seq);
            report_call(r, "seen", seen);
            report_call(r, "older", c);
        }
    }
    free(calls);
    free(answers);
}

static uint64_t number_shown(const struct call *c)
{
    return c->seq > c->fence ? c->seq : c->fence;
}

static bool grants_fence(const struct call *c)
{
    bool grant =
        c->kind == CALL_HOLD || c->kind == CALL_BUY || c->kind == CALL_MOVE || c->kind == CALL_TRANSFER;
    return grant && c->outcome == OUTCOME_DONE && c->fence;
}

static int by_fence(const void *x, const void *y)
{
    const struct call *a = *(const struct call *const *)x, *b = *(const struct call *const *)y;
    return a->fence != b->fence ? (a->fence < b->fence ? -1 : 1) : compare(a->line, b->line);
}

static void check_unique(const struct history *h, struct report *r)
{
    const struct call **calls = sorted(h->operations, h->operation_count, by_fence);
    const struct call *before = NULL;
    for (uint32_t i = 0; i < h->operation_count; i++) {
        const struct call *c = calls[i];
        if (!grants_fence(c))
            continue;
        if (before && before->fence == c->fence && before->reservation != c->reservation) {
            report_violation(r, "two reservations have the fence %" PRIu64, c->fence);
            report_call(r, "one", before);
            report_call(r, "other", c);
        }
        before = c;
    }
    free(calls);
}

void reads_check_fences(const struct history *h, struct report *r)
{
    const struct call **grants = sorted(h->operations, h->operation_count, by_call);
    const struct call **answers = sorted(h->lines, h->line_count, by_answer);
    const struct call *greatest = NULL;
    for (uint32_t i = 0, a = 0; i < h->operation_count; i++) {
        const struct call *c = grants[i];
        for (; a < h->line_count && answers[a]->answer_us < c->call_us; a++)
            if (!greatest || number_shown(answers[a]) > number_shown(greatest))
                greatest = answers[a];
        if (grants_fence(c) && greatest && c->fence <= number_shown(greatest)) {
            report_violation(r, "fence %" PRIu64 " was granted after %" PRIu64 " had been answered", c->fence,
                             number_shown(greatest));
            report_call(r, "answered", greatest);
            report_call(r, "later", c);
        }
    }
    free(grants);
    free(answers);
    check_unique(h, r);
}
