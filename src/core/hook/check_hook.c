/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/reservation.h"
#include "core/state_check_parts.h"

/* Checks a line: the first is in the heap or taken, the others are not. */
static uint32_t check_line(struct check *c, const struct hook *h, uint32_t first)
{
    const struct hook_waiting *w = hook_waiting_at(c->st, first);
    uint32_t count = 1;
    check_expect(c, w->place == HEAP_NONE || check_in_heap(&h->due, w->place, first),
                 "A message is not at its place among the due ones.");
    for (; w->behind && count <= h->waiting; count++) {
        const struct hook_waiting *next = hook_waiting_at(c->st, w->behind - 1);
        check_expect(c, next->place == HEAP_NONE && !next->last,
                     "A message does not wait for the one before it.");
        check_expect(c, id_equal(next->message.reservation, w->message.reservation),
                     "A message waits for one of another reservation.");
        w = next;
    }
    return count;
}

void check_hooks(struct check *c)
{
    const struct state *st = c->st;
    uint64_t waiting = 0, lines = 0;
    for (uint32_t i = 0; i < st->hooks.count; i++) {
        const struct hook *h = st->hooks.all[i];
        uint32_t count = 0, in_lines = 0;
        for (uint32_t at = h->oldest; at && count <= h->waiting; at = hook_waiting_at(st, at - 1)->newer) {
            count++;
            if (!hook_waiting_at(st, at - 1)->last)
                continue;
            in_lines += check_line(c, h, at - 1);
            lines++;
        }
        check_expect(c, count == h->waiting && in_lines == count, "The list of a hook's messages is broken.");
        check_heap_order(c, &h->due, "due messages");
        waiting += count;
    }
    for (const struct hook *h = st->hooks.leaving; h; h = h->next) {
        for (uint32_t at = h->oldest; at; at = hook_waiting_at(st, at - 1)->newer)
            lines += hook_waiting_at(st, at - 1)->last != 0;
        waiting += h->waiting;
    }
    check_expect(c, waiting == st->hooks.messages.count && waiting == st->hooks.by_name.count,
                 "There are messages without a hook.");
    check_expect(c, lines == st->hooks.by_line.count, "There are lines without a message.");
    check_heap_order(c, &st->hooks.warnings, "warnings");
    for (uint32_t i = 0; i < st->hooks.warnings.count; i++) {
        uint32_t handle = (uint32_t)st->hooks.warnings.entries[i].handle;
        const struct reservation *r = reservation_at(st, handle);
        check_expect(c, r->status == RESERVATION_HELD && r->warning_place == i,
                     "A warning is for a reservation that is not due for one.");
    }
}
