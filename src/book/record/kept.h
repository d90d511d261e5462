/* SPDX-License-Identifier: Apache-2.0 */
/* kept.h — what the book does with each kind of change: how it is written, when it is loaded, when it is pruned.
 *
 * The writer, the loader and pruning all use this list, so a plain record needs only its columns and one row, both in
 * book/record/columns.c. A record that needs more has a function in its part of the book.
 */
#ifndef BOOK_KEPT_H
#define BOOK_KEPT_H

#include "book/record/load.h"
#include "book/record/record.h"
#include "book/record/touched.h"

/* The parts of the writer, each with its own statements. The caller frees what book_*_make returns. */
#define BOOK_PARTS(X)                                                                                        \
    X(catalogue)                                                                                             \
    X(calendar)                                                                                              \
    X(group)                                                                                                 \
    X(touched)                                                                                               \
    X(reservation) X(queue) X(waiting_list) X(hook) X(audit) X(refusal) X(erasure) X(ledger) X(dispatch)
#define BOOK_PART(part) struct book_##part *part;
struct book_parts {
    BOOK_PARTS(BOOK_PART)
};

/* Whether a record is loaded before the held reservations, which may refer to it, or after them. */
enum book_loaded { BOOK_NOT_LOADED, BOOK_BEFORE_HOLDS, BOOK_AFTER_HOLDS };

#define BOOK_LOAD_ALL BOOK_SELECT "ORDER BY {key $}"
#define BOOK_LOAD_OF_EVENTS                                                                                  \
    BOOK_SELECT "WHERE event IN (SELECT number FROM events WHERE removed_at IS NULL) ORDER BY {key $}"

struct book_kept {
    /* A plain record: the image in the change is a row of it, and `put` writes it. */
    const struct book_record *record;
    uint16_t at;     /* offset of the image in struct change */
    const char *put; /* the text of the statement; ?64 is the seq of the change */
    bool of_event;   /* the record has a column `event`: its rows are pruned with the event */
    uint16_t
        touches; /* offset in struct change of the number of the event, calendar or group it touches; 0: none */
    /* Otherwise one of the parts applies the change. */
    void (*apply)(struct book_parts *parts, const struct change *c);

    /* A plain record of the catalogue: its kind in the audit log, and the offsets of its id and of its event's number in
     * struct change. NULL: see book/report/audit.c. */
    const char *audited;
    uint16_t audit_id, audit_event;

    /* Loading passes each row on as a change, see book/record/load.h; within one stage, in the order of kinds. */
    enum book_loaded loaded;
    const char *load; /* the text of the statement; ?1 is since_ms, a column after the record's is the seq */
    void (*each)(struct sql *s, const struct book_load_sink *sink, struct change *c); /* instead of `load` */
};

extern const struct book_kept book_kept[]; /* by enum change_kind */
extern const int book_kept_count;          /* one more than the last kind */

/* The parts, but for book/claim/reservation.h. */
struct book_catalogue *book_catalogue_make(struct sql *s);
void book_catalogue_put_event(struct book_parts *parts, const struct change *c);
void book_catalogue_stage(struct book_parts *parts, const struct change *c);
void book_catalogue_publish(struct book_parts *parts, const struct change *c);
void book_catalogue_copy(struct book_parts *parts, const struct change *c);
void book_catalogue_remove_seats(struct book_parts *parts, const struct change *c);
void book_catalogue_block(struct book_parts *parts, const struct change *c);
void book_catalogue_allot(struct book_parts *parts, const struct change *c);

struct book_calendar *book_calendar_make(struct sql *s);
void book_calendar_put(struct book_parts *parts, const struct change *c);
void book_calendar_remove(struct book_parts *parts, const struct change *c);
/* By number, including removed ones: a hold may refer to them. */
void book_calendar_each(struct sql *s, const struct book_load_sink *sink, struct change *c);

struct book_group *book_group_make(struct sql *s);
void book_group_put(struct book_parts *parts, const struct change *c);
/* By number. */
void book_group_each(struct sql *s, const struct book_load_sink *sink, struct change *c);

struct book_queue *book_queue_make(struct sql *s);
void book_queue_join(struct book_parts *parts, const struct change *c);
void book_queue_move(struct book_parts *parts, const struct change *c);
/* Passes each queue to the sink, by event, followed by its entries, by number. */
void book_queue_each(struct sql *s, const struct book_load_sink *sink);

struct book_waiting_list *book_waiting_list_make(struct sql *s);
void book_waiting_list_put(struct book_parts *parts, const struct change *c);
/* By event and number. */
void book_waiting_list_each(struct sql *s, const struct book_load_sink *sink, struct change *c);

struct book_hook *book_hook_make(struct sql *s);
void book_hook_put(struct book_parts *parts, const struct change *c);
void book_hook_move(struct book_parts *parts, const struct change *c);
/* Called for every change that was applied: queues the messages that hooks want. */
void book_hook_note(struct book_hook *b, const struct change *c);
void book_hook_forget(struct book_hook *b); /* the transaction was rolled back */
/* Pending messages, each as a CHANGE_HOOK_MOVED of one message, by hook and seq. */
void book_hook_each_message(struct sql *s, const struct book_load_sink *sink, struct change *c);

struct book_erasure *book_erasure_make(struct sql *s);
void book_erasure_apply(struct book_parts *parts, const struct change *c);
struct book_dispatch *book_dispatch_make(struct sql *s);
void book_dispatch_put_fleet(struct book_parts *parts, const struct change *c);
void book_dispatch_put_driver(struct book_parts *parts, const struct change *c);

struct book_ledger *book_ledger_make(struct sql *s);
void book_ledger_put_payment(struct book_parts *parts, const struct change *c);
void book_ledger_put_refund(struct book_parts *parts, const struct change *c);

struct book_audit *book_audit_make(struct sql *s);
/* Called for every change that was applied: records who made it, if it belongs into the audit log. */
void book_audit_note(struct book_audit *b, const struct change *c);
void book_audit_forget(struct book_audit *b); /* the transaction was rolled back */

struct book_refusal *book_refusal_make(struct sql *s);
void book_refusal_add(struct book_parts *parts, const struct change *c);

#endif
