/* SPDX-License-Identifier: Apache-2.0 */
/* audit.c — writes the audit log: who changed the catalogue, keys, hooks, the payment provider, fleets or drivers, and who
 * recorded a refund. Written in the same transaction as the change, so that there is no change without an entry. What the
 * server does automatically has no entry. */
#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/kept.h"
#include "book/record/query.h"

struct book_audit {
    struct sql *sql;
    struct sql_statement *insert, *more, *event, *calendar, *fleet;
    uint64_t last_seq, last_event; /* the last entry for codes: those of one import share it; 0: none */
    int64_t last_at_ms;
};

struct book_audit *book_audit_make(struct sql *s)
{
    struct book_audit *b = memory_zeroed(1, sizeof(*b));
    b->sql = s;
    b->insert = sql_prepare(
        s, "INSERT INTO audit (seq, at, actor, actor_name, kind, action, id, event, fleet, count) "
           "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    b->more = sql_prepare(s, "UPDATE audit SET count = count + 1 WHERE seq = ?1");
    b->event = sql_prepare(s, "SELECT id FROM events WHERE number = ?");
    b->calendar = sql_prepare(s, "SELECT id FROM calendars WHERE number = ?");
    b->fleet = sql_prepare(s, "SELECT id FROM fleets WHERE number = ?");
    return b;
}

void book_audit_forget(struct book_audit *b)
{
    b->last_seq = 0;
}

/* The entry of a change. `kind` is NULL: it has none. */
struct audited {
    const char *kind, *action;
    struct text id;
    uint64_t event; /* number; 0: none */
    uint32_t count;
};

static struct text word_of(const char *word)
{
    return (struct text){word, strlen(word)};
}

static const char *put_or_removed(bool removed)
{
    return removed ? "removed" : "put";
}

/* A later PUT of a cancelled event repeats that it is cancelled, but at another instant. */
static const char *of_event(const struct change *c)
{
    return c->event.cancelled.at_ms == c->at_ms ? "cancelled" : put_or_removed(c->event.removed);
}

static struct audited of_seats(const struct change *c)
{
    switch (c->kind) {
    case CHANGE_SEATS_PUBLISHED:
        return (struct audited){"seats", "imported", .event = c->published.event, .count = 1};
    case CHANGE_SEATS_COPIED:
        return (struct audited){"seats", "copied", .event = c->copied.event, .count = 1};
    case CHANGE_SEATS_BLOCKED:
        return (struct audited){"seats", c->blocked.blocked ? "blocked" : "unblocked",
                                .event = c->blocked.event, .count = c->blocked.count};
    case CHANGE_SEATS_ALLOTTED:
        return (struct audited){"seats", "allotted", c->allotted.allotment, c->allotted.event,
                                c->allotted.count};
    case CHANGE_SEATS_REMOVED:
        return (struct audited){"seats", "removed", .event = c->removed.event, .count = c->removed.count};
    default:
        return (struct audited){0};
    }
}

/* By its row of book_kept. */
static struct audited of_plain(const struct change *c, const struct book_kept *kept)
{
    const char *at = (const char *)c;
    struct audited a = {.kind = kept->audited, .action = "put", .count = 1};
    memcpy(&a.id, at + kept->audit_id, sizeof(a.id));
    memcpy(&a.event, at + kept->audit_event, sizeof(a.event));
    return a;
}

static struct audited audited(const struct change *c)
{
    switch (c->kind) {
    case CHANGE_EVENT:
        return (struct audited){"event", of_event(c), c->event.id, 0, 1};
    case CHANGE_CODE:
        /* Without the code, which is a credential. */
        return (struct audited){"codes", put_or_removed(c->code.removed), .event = c->code.event, .count = 1};
    case CHANGE_QUEUE:
        return (struct audited){"queue", "put", .event = c->queue.event, .count = 1};
    case CHANGE_CALENDAR:
        return (struct audited){"calendar", "put", c->calendar.id, 0, 1};
    case CHANGE_CALENDAR_REMOVED:
        return (struct audited){"calendar", "removed", .count = 1};
    case CHANGE_GROUP:
        return (struct audited){"group", put_or_removed(c->group.removed), c->group.id, 0, 1};
    case CHANGE_KEY:
        return (struct audited){"key", "put", c->key.name, 0, 1};
    case CHANGE_KEY_REMOVED:
        return (struct audited){"key", "removed", c->key.name, 0, 1};
    case CHANGE_PROVIDER: /* without its secret */
        return (struct audited){"provider", "put", word_of(payment_provider_name(c->provider.provider)), 0,
                                1};
    case CHANGE_HOOK:
        return (struct audited){"hook", put_or_removed(c->hook.removed), c->hook.name, 0, 1};
    case CHANGE_REFUND: /* only when it is done; the history of the reservation has when it became due */
        return c->refund.status == REFUND_DONE ? (struct audited){"refund", "done", .count = 1}
                                               : (struct audited){0};
    case CHANGE_ERASED:
        /* Without the name, which is erased. */
        return (struct audited){"user", "erased", .count = 1};
    case CHANGE_FLEET:
        return (struct audited){"fleet", put_or_removed(c->fleet.removed), c->fleet.id, 0, 1};
    case CHANGE_DRIVER:
        return (struct audited){"driver", put_or_removed(c->driver.removed), c->driver.id, 0, 1};
    default:
        return book_kept[c->kind].audited ? of_plain(c, &book_kept[c->kind]) : of_seats(c);
    }
}

/* The id by number; the text is valid until the statement is reset. */
static struct text id_of(struct sql_statement *t, uint64_t number)
{
    sql_bind_int(t, 1, (int64_t)number);
    return sql_next(t) ? sql_text(t, 0) : (struct text){0};
}

static void write_row(struct book_audit *b, const struct change *c, const struct audited *a)
{
    struct sql_statement *t = b->insert;
    struct text id =
        c->kind == CHANGE_CALENDAR_REMOVED ? id_of(b->calendar, c->calendar_removed.number) : a->id;
    char refund[32];
    if (c->kind == CHANGE_REFUND) {
        snprintf(refund, sizeof(refund), "rfd_%llu",
                 (unsigned long long)c->refund.number); /* as in the API */
        id = word_of(refund);
    }
    sql_bind_int(t, 1, (int64_t)c->seq);
    sql_bind_int(t, 2, c->at_ms);
    sql_bind_word(t, 3, role_name(c->actor.role));
    sql_bind_text(t, 4, c->actor.name.size ? c->actor.name : (struct text){0});
    sql_bind_word(t, 5, a->kind);
    sql_bind_word(t, 6, a->action);
    sql_bind_text(t, 7, id);
    sql_bind_text(t, 8, a->event ? id_of(b->event, a->event) : (struct text){0});
    sql_bind_text(t, 9, c->kind == CHANGE_DRIVER ? id_of(b->fleet, c->driver.fleet) : (struct text){0});
    sql_bind_int(t, 10, a->count);
    sql_do(t);
    sql_reset(b->event);
    sql_reset(b->fleet);
    sql_reset(b->calendar);
}

void book_audit_note(struct book_audit *b, const struct change *c)
{
    bool by_staff = c->actor.role == ROLE_ADMIN || c->actor.role == ROLE_APP;
    struct audited a = by_staff ? audited(c) : (struct audited){0};
    if (!a.kind)
        return;
    ASSERT(a.action && a.count);
    bool codes = c->kind == CHANGE_CODE && !c->code.removed;
    if (codes && b->last_seq && b->last_event == c->code.event && b->last_at_ms == c->at_ms) {
        ASSERT(b->last_seq < c->seq);
        sql_do_ints(b->more, b->last_seq);
        return;
    }
    write_row(b, c, &a);
    b->last_seq = codes ? c->seq : 0;
    b->last_event = a.event;
    b->last_at_ms = c->at_ms;
}
