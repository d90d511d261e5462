/* SPDX-License-Identifier: Apache-2.0 */
#include "attempts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

#define FIRST_CAPACITY 1024

static void emit(struct history *h, const struct call *c)
{
    h->operations =
        memory_room(h->operations, h->operation_count, &h->operation_capacity, FIRST_CAPACITY, sizeof *c);
    h->operations[h->operation_count++] = *c;
}

/* `open`: its first undecided attempt, or NULL. */
static void emit_refused(struct history *h, const struct call *c, const struct call *open)
{
    emit(h, c);
    if (open)
        h->operations[h->operation_count - 1].began_us = open->call_us;
}

/* Never decided: no end, and where no id is known it is named after its key or its line. */
static void emit_open(struct history *h, const struct call *first)
{
    struct call c = *first;
    c.answer_us = NO_END;
    if (c.reservation == NAME_NONE) {
        char name[NAME_SIZE_MAX + 32];
        int size = snprintf(name, sizeof name, "unknown of %s line %u",
                            c.key == NAME_NONE ? "no key," : names_text(&h->keys, c.key), c.line);
        c.reservation = names_add(&h->reservations, name, (size_t)size);
        c.ghost = true;
    }
    emit(h, &c);
}

static int by_key_and_call(const void *a, const void *b)
{
    const struct call *x = *(const struct call *const *)a, *y = *(const struct call *const *)b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->call_us != y->call_us)
        return x->call_us < y->call_us ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static bool same_result(const struct call *a, const struct call *b)
{
    return a->reservation == b->reservation && (!a->fence || !b->fence || a->fence == b->fence);
}

/* An attempt after `done`, which had succeeded. */
static void judge_repeat(struct report *r, struct call *done, const struct call *again)
{
    if (again->outcome == OUTCOME_DONE) {
        if (!same_result(done, again)) {
            report_violation(r, "key %s was answered with two results",
                             names_text(&r->history->keys, again->key));
            report_call(r, "first", done);
            report_call(r, "then", again);
        }
        if (again->answer_us < done->answer_us)
            done->answer_us = again->answer_us;
    } else if (again->refusal == REFUSAL_TAKEN && again->call_us > done->answer_us) {
        report_violation(r, "key %s was refused after it had succeeded",
                         names_text(&r->history->keys, again->key));
        report_call(r, "first", done);
        report_call(r, "then", again);
    }
}

/* The attempts of one key in the order of their calls. */
static struct status join(struct history *h, struct report *r, struct call **attempts, uint32_t count)
{
    const struct call *open = NULL; /* the first undecided attempt since the last decision */
    struct call done = {0};
    bool succeeded = false;
    for (uint32_t i = 0; i < count; i++) {
        struct call *c = attempts[i];
        if (c->kind != attempts[0]->kind)
            return status_make(STATUS_INVALID, "line %u: its key was used for another op in line %u", c->line,
                               attempts[0]->line);
        if (succeeded) {
            judge_repeat(r, &done, c);
        } else if (c->outcome == OUTCOME_UNDECIDED) {
            open = open ? open : c;
        } else if (c->outcome == OUTCOME_REFUSED) {
            if (c->refusal != REFUSAL_OTHER || !open) {
                emit_refused(h, c, open);
                open = NULL;
            }
        } else {
            done = *c;
            done.call_us = done.began_us = open ? open->call_us : c->call_us;
            succeeded = true;
        }
    }
    if (succeeded)
        emit(h, &done);
    else if (open && open->kind == CALL_MOVE)
        return status_make(STATUS_INVALID, "line %u: a move has to be repeated until it is decided",
                           open->line);
    else if (open)
        emit_open(h, open);
    return status_none();
}

struct status attempts_join(struct history *h, struct report *r)
{
    struct call **keyed = memory_get((h->line_count + 1) * sizeof keyed[0]);
    uint32_t count = 0;
    struct status s = status_none();
    for (uint32_t i = 0; i < h->line_count; i++) {
        struct call *c = &h->lines[i];
        if (c->kind == CALL_READ)
            continue;
        if (c->key != NAME_NONE)
            keyed[count++] = c;
        else if (c->outcome == OUTCOME_UNDECIDED)
            emit_open(h, c);
        else
            emit(h, c);
    }
    qsort(keyed, count, sizeof keyed[0], by_key_and_call);
    for (uint32_t i = 0, end; status_ok(&s) && i < count; i = end) {
        for (end = i + 1; end < count && keyed[end]->key == keyed[i]->key; end++)
            ;
        s = join(h, r, keyed + i, end - i);
    }
    free(keyed);
    return s;
}
