/* SPDX-License-Identifier: Apache-2.0 */
/* tally.c — a blind spot hides bugs behind any number of seeds: every command must have had every outcome it can
 * have. */
#include <stdio.h>

#include "sim.h"

#define SET(...)                                                                                             \
    (const enum outcome_code[])                                                                              \
    {                                                                                                        \
        __VA_ARGS__, OUTCOME_COUNT                                                                           \
    }
#define LOOKED OUTCOME_OK, OUTCOME_NOT_OWNER, OUTCOME_NO_SUCH_RESERVATION
#define OWNED LOOKED, OUTCOME_FORBIDDEN
#define TAKEN_BACK OUTCOME_ALREADY_CANCELLED, OUTCOME_ALREADY_REFUNDED
#define ENDED OUTCOME_ALREADY_RELEASED, OUTCOME_EXPIRED, TAKEN_BACK
#define MISSING                                                                                              \
    OUTCOME_NO_SUCH_EVENT, OUTCOME_NO_SUCH_SEAT, OUTCOME_NO_SUCH_POOL, OUTCOME_NO_SUCH_CALENDAR,             \
        OUTCOME_NO_SUCH_GROUP
#define PASSED_AT_ALL OUTCOME_PASS_REQUIRED, OUTCOME_PASS_INVALID, OUTCOME_PASS_EXPIRED
#define PASSED PASSED_AT_ALL, OUTCOME_PASS_TIER
#define ENTERED OUTCOME_OK, OUTCOME_NOT_OWNER, OUTCOME_NO_SUCH_EVENT, OUTCOME_NO_SUCH_ENTRY
#define JOINED OUTCOME_GUESTS_REFUSED, OUTCOME_CODE_REQUIRED, OUTCOME_CODE_INVALID
#define ACCESS JOINED, OUTCOME_CODE_USED
#define CLAIMED                                                                                              \
    OUTCOME_INVALID, OUTCOME_NOT_ON_SALE, OUTCOME_LIMIT_EXCEEDED, OUTCOME_TAKEN, OUTCOME_SOLD_OUT,           \
        OUTCOME_NO_ADJACENT_SEATS, OUTCOME_CLOSED, OUTCOME_NOT_BOOKABLE, OUTCOME_LEAVES_SINGLE,              \
        OUTCOME_IDEMPOTENCY_KEY_REUSED

static const struct reachable {
    enum command_kind kind;
    const char *name;
    const enum outcome_code *codes;
} reachable[] = {
    {COMMAND_EVENT_PUT, "event put", SET(OUTCOME_OK, OUTCOME_INVALID)},
    {COMMAND_EVENT_PATCH, "event patch", SET(OUTCOME_OK, OUTCOME_INVALID, OUTCOME_NO_SUCH_EVENT)},
    {COMMAND_CALENDAR_PATCH, "calendar patch",
     SET(OUTCOME_OK, OUTCOME_INVALID, OUTCOME_CAPACITY_IN_USE, OUTCOME_IN_USE, OUTCOME_NO_SUCH_CALENDAR)},
    {COMMAND_EVENT_REMOVE, "event remove", SET(OUTCOME_OK, OUTCOME_IN_USE, OUTCOME_NO_SUCH_EVENT)},
    {COMMAND_POOL_PUT, "pool put",
     SET(OUTCOME_OK, OUTCOME_INVALID, OUTCOME_CAPACITY_IN_USE, OUTCOME_NO_SUCH_EVENT)},
    {COMMAND_SEATS_PUBLISH, "seats import", SET(OUTCOME_OK, OUTCOME_TAKEN, OUTCOME_NO_SUCH_EVENT)},
    {COMMAND_SEATS_REMOVE, "seats remove", SET(OUTCOME_OK, OUTCOME_TAKEN, OUTCOME_NO_SUCH_EVENT)},
    {COMMAND_SEATS_BLOCK, "seats block",
     SET(OUTCOME_OK, OUTCOME_TAKEN, OUTCOME_NO_SUCH_EVENT, OUTCOME_NO_SUCH_SEAT)},
    {COMMAND_CODES_PUT, "codes import", SET(OUTCOME_OK, OUTCOME_NO_SUCH_EVENT)},
    {COMMAND_CODE_REMOVE, "code remove", SET(OUTCOME_OK, OUTCOME_NO_SUCH_EVENT, OUTCOME_NO_SUCH_CODE)},
    {COMMAND_HOLD, "hold",
     SET(LOOKED, OUTCOME_FORBIDDEN, OUTCOME_VERSION_MISMATCH, MISSING, PASSED, ACCESS, CLAIMED,
         OUTCOME_PAYMENT_REQUIRED, OUTCOME_PAYMENT_USED)},
    {COMMAND_LOOK, "look", SET(LOOKED)},
    {COMMAND_ITEMS_ADD, "add",
     SET(OWNED, ENDED, OUTCOME_ALREADY_CONFIRMED, OUTCOME_PAYING, MISSING, PASSED, ACCESS, CLAIMED)},
    {COMMAND_ITEM_DROP, "drop",
     SET(OWNED, ENDED, OUTCOME_ALREADY_CONFIRMED, OUTCOME_PAYING, OUTCOME_NO_SUCH_ITEM)},
    {COMMAND_ITEM_MOVE, "move",
     SET(OWNED, ENDED, OUTCOME_PAYING, OUTCOME_NO_SUCH_ITEM, OUTCOME_NO_SUCH_SEAT, OUTCOME_NO_SUCH_CALENDAR,
         OUTCOME_INVALID, OUTCOME_NOT_ON_SALE, OUTCOME_PAYMENT_REQUIRED, OUTCOME_CLOSED, OUTCOME_NOT_BOOKABLE,
         OUTCOME_TAKEN, OUTCOME_CODE_INVALID, OUTCOME_CHECKED_IN, OUTCOME_LEAVES_SINGLE, PASSED)},
    {COMMAND_ITEM_QUANTITY, "quantity",
     SET(OWNED, ENDED, OUTCOME_ALREADY_CONFIRMED, OUTCOME_PAYING, OUTCOME_NO_SUCH_ITEM, OUTCOME_INVALID,
         OUTCOME_NOT_ON_SALE, OUTCOME_LIMIT_EXCEEDED, OUTCOME_SOLD_OUT, PASSED_AT_ALL, ACCESS)},
    {COMMAND_ITEM_CATEGORY, "category",
     SET(OWNED, ENDED, OUTCOME_ALREADY_CONFIRMED, OUTCOME_PAYING, OUTCOME_NO_SUCH_ITEM, OUTCOME_INVALID)},
    {COMMAND_ITEM_ATTRIBUTES, "item attributes", SET(OWNED, ENDED, OUTCOME_NO_SUCH_ITEM)},
    {COMMAND_ATTRIBUTES, "attributes", SET(OWNED, ENDED)},
    {COMMAND_EXTEND, "extend", SET(OWNED, ENDED, OUTCOME_ALREADY_CONFIRMED, OUTCOME_PAYING)},
    {COMMAND_PAYMENT, "payment",
     SET(OWNED, ENDED, OUTCOME_ALREADY_CONFIRMED, OUTCOME_PAYMENT_WINDOW_OFF, OUTCOME_LEAVES_SINGLE,
         OUTCOME_PAYMENT_USED)},
    {COMMAND_COMMIT, "commit",
     SET(OWNED, ENDED, OUTCOME_PAYMENT_REQUIRED, OUTCOME_LEAVES_SINGLE, OUTCOME_PAYMENT_USED)},
    {COMMAND_RELEASE, "release", SET(OWNED, OUTCOME_EXPIRED, OUTCOME_ALREADY_CONFIRMED, TAKEN_BACK)},
    {COMMAND_TRANSFER, "transfer",
     SET(LOOKED, ENDED, OUTCOME_FORBIDDEN, OUTCOME_INVALID, OUTCOME_NOT_CONFIRMED, OUTCOME_NOT_TRANSFERABLE,
         OUTCOME_CHECKED_IN, OUTCOME_GUESTS_REFUSED, OUTCOME_LIMIT_EXCEEDED, OUTCOME_IDEMPOTENCY_KEY_REUSED)},
    {COMMAND_TOKENS_REVOKE, "tokens revoke", SET(OWNED, ENDED, OUTCOME_NOT_CONFIRMED)},
    {COMMAND_REFUND, "refund",
     SET(OWNED, OUTCOME_NOT_CONFIRMED, OUTCOME_NO_SUCH_ITEM, OUTCOME_CHECKED_IN, OUTCOME_EXPIRED,
         OUTCOME_ALREADY_RELEASED, OUTCOME_ALREADY_CANCELLED)},
    {COMMAND_CANCEL, "cancel",
     SET(OWNED, OUTCOME_NOT_CONFIRMED, OUTCOME_CHECKED_IN, OUTCOME_NOT_CANCELLABLE, OUTCOME_EXPIRED,
         OUTCOME_ALREADY_RELEASED, OUTCOME_ALREADY_REFUNDED)},
    {COMMAND_REFUND_DONE, "refund done",
     SET(OUTCOME_OK, OUTCOME_NO_SUCH_REFUND, OUTCOME_REFUND_CHANGED, OUTCOME_INVALID)},
    {COMMAND_PAYMENT_LOOK, "payment look", SET(OUTCOME_OK, OUTCOME_NO_SUCH_PAYMENT)},
    {COMMAND_REFUND_LOOK, "refund look", SET(OUTCOME_OK, OUTCOME_NO_SUCH_REFUND)},
    {COMMAND_ERASE, "erase", SET(OUTCOME_OK, OUTCOME_IN_USE)},
    {COMMAND_EVENT_CANCEL, "event cancel", SET(OUTCOME_OK, OUTCOME_NO_SUCH_EVENT)},
    {COMMAND_EVENT_CANCEL_LOOK, "event cancel look", SET(OUTCOME_OK, OUTCOME_NO_SUCH_EVENT)},
    {COMMAND_PAYMENT_EVENT, "payment event", SET(OUTCOME_OK)},
    {COMMAND_CHECK_IN, "check-in",
     SET(OUTCOME_OK, OUTCOME_INVALID, OUTCOME_NO_SUCH_TICKET, OUTCOME_WRONG_EVENT, OUTCOME_TICKET_VOID,
         OUTCOME_ALREADY_CHECKED_IN, OUTCOME_UNDONE)},
    {COMMAND_TICKET_LOOK, "ticket look", SET(OUTCOME_OK, OUTCOME_NO_SUCH_TICKET, OUTCOME_TICKET_GONE)},
    {COMMAND_KEY_CREATE, "key create", SET(OUTCOME_OK, OUTCOME_EXISTS)},
    {COMMAND_KEY_REMOVE, "key remove", SET(OUTCOME_OK, OUTCOME_NO_SUCH_KEY)},
    {COMMAND_KEY_ROTATE, "key rotate", SET(OUTCOME_OK, OUTCOME_NO_SUCH_KEY)},
    {COMMAND_CALENDAR_PUT, "calendar put",
     SET(OUTCOME_OK, OUTCOME_INVALID, OUTCOME_CAPACITY_IN_USE, OUTCOME_IN_USE)},
    {COMMAND_CALENDAR_REMOVE, "calendar remove", SET(OUTCOME_OK, OUTCOME_IN_USE, OUTCOME_NO_SUCH_CALENDAR)},
    {COMMAND_GROUP_PUT, "group put", SET(OUTCOME_OK, OUTCOME_INVALID)},
    {COMMAND_GROUP_REMOVE, "group remove", SET(OUTCOME_OK, OUTCOME_NO_SUCH_GROUP)},
    {COMMAND_QUEUE_JOIN, "queue join",
     SET(OUTCOME_OK, OUTCOME_NOT_OWNER, OUTCOME_FORBIDDEN, OUTCOME_INVALID, OUTCOME_NO_SUCH_EVENT,
         OUTCOME_NO_WAITING_ROOM, OUTCOME_NOT_ON_SALE, JOINED, OUTCOME_IDEMPOTENCY_KEY_REUSED)},
    {COMMAND_QUEUE_LOOK, "queue look", SET(ENTERED)},
    {COMMAND_QUEUE_LEAVE, "queue leave", SET(ENTERED)},
    {COMMAND_QUEUE_PATCH, "queue patch", SET(OUTCOME_OK, OUTCOME_NO_SUCH_EVENT, OUTCOME_NO_WAITING_ROOM)},
    {COMMAND_LIST_JOIN, "list join",
     SET(OUTCOME_OK, OUTCOME_NOT_OWNER, OUTCOME_INVALID, OUTCOME_NO_SUCH_EVENT, OUTCOME_NO_SUCH_POOL,
         OUTCOME_NO_WAITING_LIST, OUTCOME_NOT_ON_SALE, OUTCOME_NOT_SOLD_OUT, JOINED,
         OUTCOME_IDEMPOTENCY_KEY_REUSED)},
    {COMMAND_LIST_LOOK, "list look", SET(ENTERED)},
    {COMMAND_LIST_LEAVE, "list leave", SET(ENTERED)},
};

static bool expected_of(const struct reachable *r, enum outcome_code code)
{
    for (const enum outcome_code *c = r->codes; *c != OUTCOME_COUNT; c++)
        if (*c == code)
            return true;
    return false;
}

static bool happened(const char *what, uint64_t count)
{
    if (count == 0)
        printf("# never: %s\n", what);
    return count > 0;
}

static void print_calendars(const struct tally_calendars *c)
{
    printf("# calendars: %llu operations; slots taken by held ones %llu, by sold ones %llu, granted with "
           "seats or pools "
           "%llu; moved "
           "held %llu, confirmed %llu, across their own old time %llu, begun %llu; %llu pages of %llu slots, "
           "%llu "
           "reads exact\n",
           (unsigned long long)c->operations, (unsigned long long)c->taken_held,
           (unsigned long long)c->taken_sold, (unsigned long long)c->mixed, (unsigned long long)c->moved_held,
           (unsigned long long)c->moved_confirmed, (unsigned long long)c->moved_across_itself,
           (unsigned long long)c->moved_begun, (unsigned long long)c->pages, (unsigned long long)c->slots,
           (unsigned long long)c->reads_exact);
    printf("# groups: given %llu, not by the first calendar %llu, beside another %llu; taken %llu\n",
           (unsigned long long)c->given, (unsigned long long)c->given_other,
           (unsigned long long)c->given_beside, (unsigned long long)c->taken_group);
}

/* Name and count of everything that must have happened in waiting rooms and lists. */
#define LINES(X)                                                                                             \
    X("steps of admission", admissions)                                                                      \
    X("rooms opened", opened)                                                                                \
    X("entries drawn by lot", drawn)                                                                         \
    X("joined again", rejoined)                                                                              \
    X("with others ahead", ahead)                                                                            \
    X("kept present by a stream", streams)                                                                   \
    X("admitted", admitted)                                                                                  \
    X("passed over", passed_over)                                                                            \
    X("returned and admitted", returned)                                                                     \
    X("left for not returning in time", left_late)                                                           \
    X("left when admitted", left_admitted)                                                                   \
    X("finished by buying", finished_bought)                                                                 \
    X("finished by lapse", finished_lapsed)                                                                  \
    X("granted with a pass", passes)                                                                         \
    X("offers", offered)                                                                                     \
    X("offers of seats side by side", offered_adjacent)                                                      \
    X("offers with a code", offered_code)                                                                    \
    X("offers of pools", offered_pool)                                                                       \
    X("offers bought", offers_bought)                                                                        \
    X("offers declined", offers_declined)                                                                    \
    X("offers lapsed", offers_lapsed)                                                                        \
    X("lists left while waiting", list_left)                                                                 \
    X("commands retried", again)                                                                             \
    X("steps with offers left to make", busy)                                                                \
    X("steps that could record no offers", unrecorded)

static void print_lines(const struct tally_lines *l)
{
    printf("# waiting rooms and lists: %llu operations", (unsigned long long)l->operations);
#define X(name, field) printf(", " name " %llu", (unsigned long long)l->field);
    LINES(X)
#undef X
    printf("\n");
}

static bool allotments_complete(const struct tally_allotments *a)
{
    bool complete = happened("claimed from an allotment by name", a->named);
    complete = happened("claimed from an allotment with a code", a->coded) && complete;
    complete = happened("claimed blocked seats", a->house) && complete;
    complete = happened("moved within an allotment", a->moved) && complete;
    complete = happened("claimed seats marked for later", a->followed) && complete;
    return happened("offered from an allotment", a->offered) && complete;
}

static void print_money(const struct tally_money *m)
{
    printf("# money: refunds due made %llu, changed %llu, done %llu, withdrawn %llu, paid outside %llu, at "
           "once %llu; late "
           "sales %llu; payments rejected %llu;",
           (unsigned long long)m->refunds[REFUND_OPEN], (unsigned long long)m->changed,
           (unsigned long long)m->refunds[REFUND_DONE], (unsigned long long)m->refunds[REFUND_WITHDRAWN],
           (unsigned long long)m->outside, (unsigned long long)m->paid_back, (unsigned long long)m->late,
           (unsigned long long)m->rejected);
    for (enum payment_result r = PAYMENT_RESULT_FIRST; r <= PAYMENT_RESULT_LAST; r++)
        printf(" %s %llu", payment_result_name(r), (unsigned long long)m->told[r]);
    printf("; owed:");
    for (enum refund_cause c = REFUND_CAUSE_FIRST; c <= REFUND_CAUSE_LAST; c++)
        printf(" %s %llu", refund_cause_name(c), (unsigned long long)m->causes[c]);
    printf("; rows:");
    for (enum payment_source r = PAYMENT_SOURCE_FIRST; r <= PAYMENT_SOURCE_LAST; r++)
        printf(" %s %llu", payment_source_name(r), (unsigned long long)m->sources[r]);
    for (enum discrepancy r = DISCREPANCY_UNKNOWN; r <= DISCREPANCY_LAST; r++)
        printf(" %s %llu", discrepancy_name(r), (unsigned long long)m->discrepancies[r]);
    printf(", again %llu; scans:", (unsigned long long)m->again);
    for (enum check_in_result r = CHECK_IN_RESULT_FIRST; r <= CHECK_IN_RESULT_LAST; r++)
        printf(" %s %llu", check_in_result_name(r), (unsigned long long)m->scans[r]);
    printf("\n");
}

static bool money_complete(const struct tally_money *m)
{
    bool complete = happened("a refund due", m->refunds[REFUND_OPEN]);
    complete = happened("a refund due that is done", m->refunds[REFUND_DONE]) && complete;
    complete = happened("a refund due that is withdrawn", m->refunds[REFUND_WITHDRAWN]) && complete;
    complete = happened("a refund due of another amount", m->changed) && complete;
    complete = happened("paid back outside the provider", m->outside) && complete;
    complete = happened("paid back at once", m->paid_back) && complete;
    complete = happened("paid back though it was withdrawn", m->done_withdrawn) && complete;
    for (enum refund_cause c = REFUND_CAUSE_FIRST; c <= REFUND_CAUSE_LAST; c++)
        complete = happened(refund_cause_name(c), m->causes[c]) && complete;
    for (enum payment_source r = PAYMENT_SOURCE_FIRST; r <= PAYMENT_SOURCE_LAST; r++)
        complete = happened(payment_source_name(r), m->sources[r]) && complete;
    for (enum discrepancy r = DISCREPANCY_UNKNOWN; r <= DISCREPANCY_LAST; r++)
        complete = happened(discrepancy_name(r), m->discrepancies[r]) && complete;
    complete = happened("sold after it had expired", m->late) && complete;
    complete = happened("a payment rejected", m->rejected) && complete;
    complete = happened("an event of the provider that comes again", m->again) && complete;
    for (enum payment_result r = PAYMENT_RESULT_FIRST; r <= PAYMENT_RESULT_LAST; r++)
        complete = (r == PAYMENT_REJECTED || happened(payment_result_name(r), m->told[r])) && complete;
    for (enum check_in_result r = CHECK_IN_RESULT_FIRST; r <= CHECK_IN_RESULT_LAST; r++)
        complete = happened(check_in_result_name(r), m->scans[r]) && complete;
    return complete;
}

/* Name and count of everything that must have happened to cancelled events. */
#define CANCELLED(X)                                                                                         \
    X("events cancelled", called_off)                                                                        \
    X("done", done)                                                                                          \
    X("removed before they were", removed)                                                                   \
    X("slices", slices)                                                                                      \
    X("resumed by another process", resumed)                                                                 \
    X("holds released", released)                                                                            \
    X("released with a payment", released_paid)                                                              \
    X("released that were offers", released_offers)                                                          \
    X("holds that lost items", dropped)                                                                      \
    X("sales refunded", refunded)                                                                            \
    X("sales that lost items", refunded_items)                                                               \
    X("of them paid", owed)                                                                                  \
    X("sold since", sold_since)                                                                              \
    X("left alone until they were sold", left_alone)                                                         \
    X("could not be read at first", unread)                                                                  \
    X("taken back already", in_vain)                                                                         \
    X("entries of rooms that ended", sent_away)                                                              \
    X("entries of lists that ended", lists_ended)

static void print_cancelled(const struct tally_cancelled *c)
{
    printf("# cancelled events:");
#define X(name, field) printf(" " name " %llu,", (unsigned long long)c->field);
    CANCELLED(X)
#undef X
    printf(" in all\n");
}

static bool cancelled_complete(const struct tally_cancelled *c)
{
    bool complete = true;
#define X(name, field) complete = happened("cancelled events: " name, c->field) && complete;
    CANCELLED(X)
#undef X
    return complete;
}

static bool hooks_complete(const struct tally_hooks *h)
{
    bool complete = happened("a message delivered", h->reported[HOOK_RESULT_DELIVERED]);
    complete = happened("a message that failed", h->reported[HOOK_RESULT_FAILED]) && complete;
    complete =
        happened("a message of which there is nothing to tell", h->reported[HOOK_RESULT_GONE]) && complete;
    complete = happened("a message dead after a day", h->dead) && complete;
    return happened("a hold about to expire", h->warned) && complete;
}

static bool lines_complete(const struct tally *t)
{
    const struct tally_lines *l = &t->lines;
    bool complete =
        happened("a fifth of the operations on waiting rooms and lists", l->operations * 5 / t->operations);
#define X(name, field) complete = happened(name, l->field) && complete;
    LINES(X)
#undef X
    return complete;
}

static bool calendars_complete(const struct tally *t)
{
    const struct tally_calendars *c = &t->calendars;
    bool complete = happened("a tenth of the operations on calendars", c->operations * 10 / t->operations);
    for (enum booking_rule rule = BOOKING_RULE_FIRST; rule <= BOOKING_RULE_LAST; rule++)
        complete = happened(booking_rule_name(rule), c->rules[rule]) && complete;
    complete = happened("over a calendar's limit", c->limited) && complete;
    complete = happened("slots of a group", c->group_slots) && complete;
    complete = happened("given by a group", c->given) && complete;
    complete = happened("given by a group beside another of its calendars", c->given_beside) && complete;
    complete = happened("given by another calendar than the first", c->given_other) && complete;
    complete = happened("taken on all calendars of a group", c->taken_group) && complete;
    complete = happened("a slot in the way of one held", c->taken_held) && complete;
    complete = happened("a slot in the way of one sold", c->taken_sold) && complete;
    complete = happened("slots granted with seats or pools", c->mixed) && complete;
    complete = happened("a held slot moved", c->moved_held) && complete;
    complete = happened("a confirmed slot moved", c->moved_confirmed) && complete;
    complete = happened("a slot moved across its own old time", c->moved_across_itself) && complete;
    complete = happened("a slot moved that had begun", c->moved_begun) && complete;
    return happened("slots read when nothing had lapsed", c->reads_exact) && complete;
}

void tally_print(const struct tally *t)
{
    print_calendars(&t->calendars);
    print_lines(&t->lines);
    print_money(&t->money);
    print_cancelled(&t->cancelled);
    printf("# hooks: messages sent %llu, delivered %llu, failed %llu, dead after a day %llu; warnings %llu\n",
           (unsigned long long)t->hooks.taken, (unsigned long long)t->hooks.reported[HOOK_RESULT_DELIVERED],
           (unsigned long long)t->hooks.reported[HOOK_RESULT_FAILED], (unsigned long long)t->hooks.dead,
           (unsigned long long)t->hooks.warned);
    printf("# allotments: claimed by name %llu, with a code %llu, blocked %llu; moved %llu, marked for later "
           "%llu, "
           "offered %llu\n",
           (unsigned long long)t->allotments.named, (unsigned long long)t->allotments.coded,
           (unsigned long long)t->allotments.house, (unsigned long long)t->allotments.moved,
           (unsigned long long)t->allotments.followed, (unsigned long long)t->allotments.offered);
    for (size_t i = 0; i < sizeof(reachable) / sizeof(*reachable); i++) {
        printf("# %s:", reachable[i].name);
        for (int code = 0; code < OUTCOME_COUNT; code++)
            if (t->cells[reachable[i].kind][code])
                printf(" %s %llu", outcome_name((enum outcome_code)code),
                       (unsigned long long)t->cells[reachable[i].kind][code]);
        printf("\n");
    }
}

bool tally_complete(const struct tally *t)
{
    bool complete = true;
    for (size_t i = 0; i < sizeof(reachable) / sizeof(*reachable); i++)
        for (int code = 0; code < OUTCOME_COUNT; code++) {
            uint64_t count = t->cells[reachable[i].kind][code];
            bool expected = expected_of(&reachable[i], (enum outcome_code)code);
            if (expected == (count > 0))
                continue;
            printf("# %s: %s %s\n", expected ? "never" : "not foreseen", reachable[i].name,
                   outcome_name((enum outcome_code)code));
            complete = false;
        }
    complete = happened("power lost, unsynced lost", t->crashes[FAKE_CRASH_LOST]) && complete;
    complete = happened("power lost, unsynced kept", t->crashes[FAKE_CRASH_KEPT]) && complete;
    complete = happened("power lost, a prefix kept", t->crashes[FAKE_CRASH_PREFIX]) && complete;
    complete = happened("power lost, some sectors kept", t->crashes[FAKE_CRASH_SECTORS]) && complete;
    complete = happened("power lost, a write torn", t->crashes[FAKE_CRASH_TORN]) && complete;
    complete = happened("killed", t->kills) && complete;
    complete = happened("recovered from the book", t->from_book) && complete;
    complete = happened("a batch in flight kept", t->in_flight_kept) && complete;
    complete = happened("a batch in flight lost", t->in_flight_lost) && complete;
    complete = happened("a torn batch cut", t->torn) && complete;
    complete = happened("a recovery cut short", t->recoveries_cut) && complete;
    complete = happened("expired by the timer", t->expired) && complete;
    complete = happened("forgotten", t->forgotten) && complete;
    complete = happened("fetched", t->fetched) && complete;
    complete = happened("replayed", t->replayed) && complete;
    complete = happened("a best proven best", t->best_exact) && complete;
    complete = happened("a clock leap", t->leaps) && complete;
    complete = happened("a request at the very deadline", t->at_deadline) && complete;
    complete = calendars_complete(t) && complete;
    complete = allotments_complete(&t->allotments) && complete;
    complete = money_complete(&t->money) && complete;
    complete = hooks_complete(&t->hooks) && complete;
    complete = cancelled_complete(&t->cancelled) && complete;
    return lines_complete(t) && complete;
}
