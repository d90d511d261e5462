/* SPDX-License-Identifier: Apache-2.0 */
/* sim.h — the simulator: engine, core, change codec, journal and recovery on a fake disk and clock, against the model.
 *
 * A run is one life of a server with one seed: people send requests, wait in lines, are admitted and get offers,
 * batches are written and synced, the book follows, reservations are forgotten and fetched, and occasionally the
 * process or the machine dies in the middle of a write. Every answer is compared with the model's. After a crash
 * everything that was acknowledged must be there, and the rest is there in whole batches or not at all.
 */
#ifndef TESTS_SIM_SIM_H
#define TESTS_SIM_SIM_H

#include "../lib/fake_book.h"
#include "../lib/follower.h"
#include "../lib/fake_disk.h"
#include "../lib/sold.h"
#include "engine/due.h"
#include "generate.h"
#include "journal/journal.h"
#include "translate.h"

#define SIM_OPERATIONS_A_RUN 2500
#define SIM_SLOTS 4096 /* read at once */
#define SIM_UNDOING 6  /* sales of cancelled events under way at once */
#define SIM_FOLDER "/data/journal"

struct tally_calendars {
    uint64_t operations; /* that concern a calendar or a slot, including reads of slots */
    uint64_t pages, slots, reads_exact, mixed, taken_held, taken_sold;
    uint64_t rules[BOOKING_RULE_LAST + 1], limited; /* refusals by each, and by the limit of a user */
    uint64_t group_slots;
    uint64_t given, given_other, given_beside,
        taken_group; /* by groups; not by the first member, to several items */
    uint64_t moved_held, moved_confirmed, moved_across_itself, moved_begun;
};

struct tally_lines {
    uint64_t operations; /* on waiting rooms and waiting lists, including claims where there is one */
    uint64_t admissions, streams, opened, drawn; /* steps; entries */
    uint64_t admitted, passed_over, returned, left_late, left_admitted, finished_bought, finished_lapsed;
    uint64_t rejoined, ahead, offered, offered_adjacent, offered_pool, offered_code, offers_bought,
        offers_declined, offers_lapsed;
    uint64_t list_left, again, busy, unrecorded, passes;
};

/* Allotments. */
struct tally_allotments {
    uint64_t named, coded, house;      /* items granted: by name, with a code, of blocked seats */
    uint64_t moved, followed, offered; /* items moved within; seats marked while they were claimed; offers */
};

/* Payments and tickets. */
struct tally_money {
    uint64_t rejected, again, late;
    uint64_t refunds[REFUND_STATUS_LAST + 1], changed; /* created, how they ended, and changed */
    uint64_t discrepancies[DISCREPANCY_LAST + 1], sources[PAYMENT_SOURCE_LAST + 1];
    uint64_t causes[REFUND_CAUSE_LAST + 1]; /* of new or increased debts */
    uint64_t outside, paid_back, done_withdrawn;
    uint64_t told[PAYMENT_RESULT_LAST + 1], scans[CHECK_IN_RESULT_LAST + 1];
};

/* Cancelled events. */
struct tally_cancelled {
    uint64_t called_off, done, removed;                         /* events; removed: before they were done */
    uint64_t slices, resumed;                                   /* resumed: by another process */
    uint64_t released, released_paid, released_offers, dropped; /* holds */
    uint64_t refunded, refunded_items, owed;                    /* sales; owed: with a payment on record */
    uint64_t sold_since, left_alone; /* of these, sold after it was cancelled; left alone until then */
    uint64_t unread, in_vain;        /* could not be read; already taken back by another request */
    uint64_t sent_away, lists_ended; /* entries */
};

/* Outgoing webhooks. */
struct tally_hooks {
    uint64_t taken, reported[HOOK_RESULT_GONE + 1], dead, warned;
};

/* Over all runs. */
struct tally {
    uint64_t operations, runs;
    uint64_t cells[COMMAND_COUNT][OUTCOME_COUNT]; /* command by outcome */
    struct tally_calendars calendars;
    struct tally_lines lines;
    struct tally_allotments allotments;
    struct tally_money money;
    struct tally_hooks hooks;
    struct tally_cancelled cancelled;
    uint64_t crashes[5]; /* by enum fake_crash */
    uint64_t kills, restarts, from_book, in_flight_kept, in_flight_lost, torn, recoveries_cut;
    uint64_t sales;                                 /* judged, and given back */
    uint64_t followed, followed_checks, taken_over; /* by a second node: changes, comparisons, takeovers */
    uint64_t gate_judged, gate_refused;             /* by it, as the process that decides does */
    uint64_t expired, forgotten, fetched, replayed, best_exact, batches, checks, at_deadline, leaps;
};

struct sim_step;

struct sim {
    uint64_t seed, operation;
    struct dice dice;
    struct generator generator;
    struct model model;   /* as of the last request */
    struct model durable; /* as of the last acknowledged batch */
    uint64_t durable_seq;

    struct model_settled paid; /* by the request of this step */
    const struct ask *scan;    /* of this step: it must be recorded; NULL: nothing, or it is */

    struct state *state;
    struct engine engine;
    struct log log;   /* only asked for its room */
    struct buf batch; /* changes that are not written yet */
    uint32_t batch_count;
    struct sale *sales; /* of that batch */
    uint32_t sale_count, sale_capacity;
    struct sold sold; /* by what is durable */
    size_t followed; /* bytes of the batch that the model knows, */
    uint32_t fresh_count,
        fresh_moved;            /* and of the step that it does not know: changes, entries that moved */
    uint64_t steps;             /* followed by the model */
    const struct sim_step *own; /* the kind of a step without a request */

    struct fetch *reads[SIM_UNDOING]; /* of the book, for sales of cancelled events */
    uint32_t read_count;
    bool reads_wait;   /* current reads are answered later */
    bool selling_back; /* such sales are being taken back */
    bool missing;      /* the book did not have a reservation */

    struct fake_book book;
    struct buf unrecorded; /* changes that are durable and not in the book */
    uint32_t unrecorded_count;

    struct follower node;  /* follows what is durable */
    struct dice node_dice; /* its own, so that it does not change the run */

    struct fake_disk *disk;
    struct journal *journal;
    bool journal_cut; /* its beginning was dropped: only the book has it */
    struct buf replay;
    uint32_t replay_count;
    struct tally *tally;
};

/* Prints the sentence, the seed and how to reproduce it; ends the program. */
_Noreturn void sim_fail(const struct sim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

void sim_init(struct sim *s, uint64_t seed, struct tally *tally);
void sim_release(struct sim *s);
void sim_run(struct sim *s, uint64_t operations);
void sim_expire(struct sim *s, uint32_t most); /* the timer ends lapsed holds */

/* ---- the engine's host: sim_host.c ---- */
void sim_drive(struct sim *s); /* starts a process with this state */
void sim_die(struct sim *s);   /* and ends it: commands that waited for the book are lost */
/* A request, followed step by step until it is answered. The log has this room for its first step; later there is
 * enough. */
void sim_submit(struct sim *s, const struct command *c, struct sim_step *step, enum log_room room);
/* A slice of a row of DUE, followed. True: there is more at this instant. */
bool sim_due(struct sim *s, enum due due, const struct sim_step *step);
/* The same for cancelled events; forgotten sales are read from the book, which answers later. */
bool sim_sell_back(struct sim *s);
void sim_read(struct sim *s, bool fails); /* it answers one of them */

/* ---- a second node: sim_node.c ---- */
/* A batch is durable. */
void sim_node_take(struct sim *s, const struct buf *batch, uint32_t count);
void sim_node_lost(struct sim *s);  /* it is not, and never will be */
/* Lets the node judge a request first. False: it is not one that a copy judges. */
bool sim_node_judge(struct sim *s, const struct command *c);
void sim_node_judged(struct sim *s, const struct outcome *out); /* what the node refused is refused */
void sim_node_check(struct sim *s); /* whether the node equals the process, if all is durable */
/* The process died, and was started again from its book and the journal: the node decides, and the process follows it. */
void sim_node_take_over(struct sim *s);

/* ---- disk: sim_disk.c ---- */
void sim_open(struct sim *s);   /* the first start */
void sim_flush(struct sim *s);  /* writes the batch, and can crash */
void sim_record(struct sim *s); /* the book takes everything durable */

/* ---- checks: sim_check.c ---- */
void sim_check_answer(struct sim *s, const struct ask *a, const struct model_answer *expected,
                      const struct outcome *out, bool exact);
/* Checks every seat, pool, count and reservation, and every rule; nothing may be lapsed and unsettled. */
void sim_check_all(struct sim *s);

/* NULL, or the name of what differs in a reservation. */
const char *sim_image_differs(struct sim *s, struct model_reservation *m, const struct reservation_image *c);

/* ---- what core wrote down: sim_follow.c ---- */
struct sim_step {
    const struct ask *ask;   /* whose effect is among them; NULL: none, or not done yet */
    const struct ask *asked; /* the same, done or not */
    struct outcome *out;     /* with ask */
    bool exact;              /* with ask: see sim_check_answer */
    bool admitting;          /* it was a slice of admission */
    bool undoing;            /* claims of cancelled events are taken back */
    bool no_offers;          /* nothing could be offered */
};
/* The model judges the request at this point, and core's answer must match. */
void sim_judge(struct sim *s, const struct ask *a, const struct outcome *out, bool exact);
/* Takes the step into the model, judges the request, and checks that nothing is left undone. */
void sim_follow(struct sim *s, const struct sim_step *step);

/* ---- payments, refunds, tickets: sim_money.c ---- */
void sim_check_money(struct sim *s, const struct ask *a, const struct model_answer *expected,
                     const struct outcome *out);
void sim_check_rows(struct sim *s, const struct model_reservation *r, const struct reservation_image *c);
void sim_check_ledger(struct sim *s); /* all of it */
/* A change that core recorded, after the request was judged if it comes from that. */
void sim_follow_event(struct sim *s, const struct change *c);
void sim_follow_scan(struct sim *s, const struct change *c);
/* At the end of a step, with the answer to the request if there was one: everything is recorded. */
void sim_money_told(struct sim *s, const struct ask *a, const struct outcome *out);
bool sim_late(struct sim *s, const struct ask *a); /* a payment for an expired reservation */

/* ---- cancelled events: sim_cancelled.c ---- */
struct sim_back {
    struct id id;
    struct text reason;
};
/* Takes some of it back. True: there is more to do at this instant. */
bool sim_undo(struct sim *s);
void sim_undo_all(struct sim *s); /* until all are done, while time passes */
void sim_check_progress(struct sim *s, const struct ask *a, const struct model_answer *expected,
                        const struct outcome *out);
void sim_check_cancelled(struct sim *s, int event, const struct event_image *image);
/* NULL, or what is wrong with the change; back: what it takes back, and why. */
const char *sim_follow_back(struct sim *s, const struct change *c, struct sim_back *back);
const char *sim_follow_cancelling(struct sim *s, int event, const struct cancelling_image *image);

/* ---- outgoing webhooks: sim_hook.c ---- */
void sim_hooks(struct sim *s); /* something is sent, or hooks are created and removed */
void sim_check_hooks(struct sim *s);
void sim_follow_hook(struct sim *s, const struct hook_image *image);

/* ---- waiting rooms and waiting lists: sim_entries.c ---- */
void sim_admit(struct sim *s);  /* a step of admission, or everything there is to do */
void sim_serve(struct sim *s);  /* the waiting lists are served, as after a start */
void sim_stream(struct sim *s); /* a stream keeps its owner present */
void sim_check_lines(struct sim *s, const struct sim_step *step);
void sim_check_entries(struct sim *s, const struct ask *a, const struct model_answer *expected,
                       const struct outcome *out);
void sim_check_queue(struct sim *s, int event, const struct queue_view *view);
void sim_check_line(struct sim *s, int event);
void sim_learn_draw(struct sim *s, int event);
bool sim_concerns_lines(struct sim *s, const struct ask *a);
void sim_tally_lines(struct sim *s, const struct ask *a, const struct outcome *out);

/* ---- calendars: sim_calendar.c ---- */
void sim_set_zones(struct sim *s); /* after a recovery */
void sim_read_slots(struct sim *s);
void sim_check_calendar(struct sim *s, int calendar);
/* exact: no hold has lapsed unsettled; otherwise there can be fewer. */
void sim_compare_slots(struct sim *s, const struct slot *found, uint32_t count, const struct slot *expected,
                       uint32_t expected_count, bool exact);
/* ---- groups of calendars: sim_group.c ---- */
void sim_check_groups(struct sim *s);
void sim_read_group(struct sim *s);
/* Called before the model has judged: whether it counts as an operation on calendars, and the item of a move. */
bool sim_concerns_calendar(struct sim *s, const struct ask *a);
struct model_item sim_item_before(struct sim *s, const struct ask *a);
void sim_tally_calendar(struct sim *s, const struct ask *a, const struct model_item *before,
                        const struct outcome *out);

void tally_print(const struct tally *t);
/* Whether every reachable cell was reached; prints those that were not. */
bool tally_complete(const struct tally *t);

#endif
