/* SPDX-License-Identifier: Apache-2.0 */
/* sim.h — the simulator: engine, core, change codec, journal and recovery on a fake disk and clock, against the
 * model.
 *
 * A run is one life of a server under one seed: people ask, stand in lines, are let in and made offers,
 * batches are written and synced, the book follows behind, reservations are forgotten and fetched, and now
 * and then the process or the machine dies in the middle of a write. Every answer is compared with the
 * model's. After a death, all that was acknowledged must be there, and what was not is there whole, batch by
 * batch, or not at all.
 */
#ifndef TESTS_SIM_SIM_H
#define TESTS_SIM_SIM_H

#include "../lib/fake_book.h"
#include "../lib/fake_disk.h"
#include "engine/due.h"
#include "generate.h"
#include "journal/journal.h"
#include "translate.h"

#define SIM_OPERATIONS_A_RUN 2500
#define SIM_SLOTS 4096 /* that are read at once */
#define SIM_UNDOING 6  /* sales of cancelled events that are under way at once */
#define SIM_FOLDER "/data/journal"

struct tally_calendars {
    uint64_t operations; /* that concern a calendar or a slot, reads of slots among them */
    uint64_t pages, slots, reads_exact, mixed, taken_held, taken_sold;
    uint64_t rules[BOOKING_RULE_LAST + 1], limited; /* refused by each, and by the limit of a user */
    uint64_t group_slots;
    uint64_t given, given_other, given_beside,
        taken_group; /* by groups; not by the first member, to several items */
    uint64_t moved_held, moved_confirmed, moved_across_itself, moved_begun;
};

struct tally_lines {
    uint64_t operations; /* on waiting rooms and waiting lists, claims where there is one among them */
    uint64_t admissions, streams, opened, drawn; /* steps; entries */
    uint64_t admitted, passed_over, returned, left_late, left_admitted, finished_bought, finished_lapsed;
    uint64_t rejoined, ahead, offered, offered_adjacent, offered_pool, offered_code, offers_bought,
        offers_declined, offers_lapsed;
    uint64_t list_left, again, busy, unrecorded, passes;
};

/* What is set aside. */
struct tally_allotments {
    uint64_t named, coded, house;      /* items granted: of who names it, with a code, of what is blocked */
    uint64_t moved, followed, offered; /* items moved within; seats marked while they were claimed; offers */
};

/* Payments and tickets. */
struct tally_money {
    uint64_t rejected, again, late;
    uint64_t refunds[REFUND_STATUS_LAST + 1], changed; /* made, how they ended, and changed */
    uint64_t discrepancies[DISCREPANCY_LAST + 1], sources[PAYMENT_SOURCE_LAST + 1];
    uint64_t causes[REFUND_CAUSE_LAST + 1]; /* of what is owed, or more of it */
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
    uint64_t unread, in_vain;        /* could not be read; was taken back already by somebody else */
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
    uint64_t expired, forgotten, fetched, replayed, best_exact, batches, checks, at_deadline, leaps;
};

struct sim_step;

struct sim {
    uint64_t seed, operation;
    struct dice dice;
    struct generator generator;
    struct model model;   /* as of the last request */
    struct model durable; /* as of the last batch that was acknowledged */
    uint64_t durable_seq;

    struct model_settled paid; /* by the request of this step */
    const struct ask *scan;    /* of this step: it must be written down; NULL: nothing, or it is */

    struct state *state;
    struct engine engine;
    struct log log;   /* only its room is asked */
    struct buf batch; /* changes that are not written yet */
    uint32_t batch_count;
    size_t followed;                   /* bytes of the batch that the model knows, */
    uint32_t fresh_count, fresh_moved; /* and of the step that it does not: changes, entries that moved */
    uint64_t steps;                    /* that it followed */
    const struct sim_step *own;        /* what a step is that nobody asked for */

    struct fetch *reads[SIM_UNDOING]; /* of the book, for sales of cancelled events */
    uint32_t read_count;
    bool reads_wait;   /* what is asked for now is read later */
    bool selling_back; /* such sales are being taken back */
    bool missing;      /* the book did not have a reservation */

    struct fake_book book;
    struct buf unrecorded; /* changes that are durable and not in the book */
    uint32_t unrecorded_count;

    struct fake_disk *disk;
    struct journal *journal;
    bool journal_cut; /* its beginning is gone: only the book has it */
    struct buf replay;
    uint32_t replay_count;
    struct tally *tally;
};

/* Prints the sentence, the seed and how to come back here; ends the program. */
_Noreturn void sim_fail(const struct sim *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

void sim_init(struct sim *s, uint64_t seed, struct tally *tally);
void sim_release(struct sim *s);
void sim_run(struct sim *s, uint64_t operations);
void sim_expire(struct sim *s, uint32_t most); /* what has lapsed is ended by the timer */

/* ---- the engine's host: sim_host.c ---- */
void sim_drive(struct sim *s); /* a process begins, with this state */
void sim_die(struct sim *s);   /* and ends: what waited for the book is lost */
/* A request, followed step by step until it is answered. The log has this room for its first step; later there is enough. */
void sim_submit(struct sim *s, const struct command *c, struct sim_step *step, enum log_room room);
/* A slice of a row of DUE, followed. True: there is more at this instant. */
bool sim_due(struct sim *s, enum due due, const struct sim_step *step);
/* The same of cancelled events; of sales that memory has forgotten the book is asked, and answers later. */
bool sim_sell_back(struct sim *s);
void sim_read(struct sim *s, bool fails); /* it answers one of them */

/* ---- disk: sim_disk.c ---- */
void sim_open(struct sim *s);   /* the first start */
void sim_flush(struct sim *s);  /* writes the batch, and may die of it */
void sim_record(struct sim *s); /* the book takes all that is durable */

/* ---- checks: sim_check.c ---- */
void sim_check_answer(struct sim *s, const struct ask *a, const struct model_answer *expected,
                      const struct outcome *out, bool exact);
/* Every seat, pool, count and reservation, and every rule; nothing may be lapsed and unsettled. */
void sim_check_all(struct sim *s);

/* NULL, or the name of what differs in a reservation. */
const char *sim_image_differs(struct sim *s, struct model_reservation *m, const struct reservation_image *c);

/* ---- what core wrote down: sim_follow.c ---- */
struct sim_step {
    const struct ask *ask;   /* whose effect is among them; NULL: nobody's, or it is not done yet */
    const struct ask *asked; /* the same, done or not */
    struct outcome *out;     /* with ask */
    bool exact;              /* with ask: see sim_check_answer */
    bool admitting;          /* it was a slice of admission */
    bool undoing;            /* what was claimed of cancelled events is taken back */
    bool no_offers;          /* nothing could be offered */
};
/* The model judges the request as things stand, and core's answer must be its own. */
void sim_judge(struct sim *s, const struct ask *a, const struct outcome *out, bool exact);
/* Takes the step into the model, judges the request, and checks that nothing is left undone. */
void sim_follow(struct sim *s, const struct sim_step *step);

/* ---- payments, refunds, tickets: sim_money.c ---- */
void sim_check_money(struct sim *s, const struct ask *a, const struct model_answer *expected,
                     const struct outcome *out);
void sim_check_rows(struct sim *s, const struct model_reservation *r, const struct reservation_image *c);
void sim_check_ledger(struct sim *s); /* all of it */
/* A change that core wrote down, after the request was judged where it comes from that. */
void sim_follow_event(struct sim *s, const struct change *c);
void sim_follow_scan(struct sim *s, const struct change *c);
/* At the end of a step, with the answer to the request if there was one: nothing is left untold. */
void sim_money_told(struct sim *s, const struct ask *a, const struct outcome *out);
bool sim_late(struct sim *s, const struct ask *a); /* a payment for what has expired */

/* ---- cancelled events: sim_cancelled.c ---- */
struct sim_back {
    struct id id;
    struct text reason;
};
/* A bit of it is taken back. True: there is more to do at this instant. */
bool sim_undo(struct sim *s);
void sim_undo_all(struct sim *s); /* until all are done, while time passes */
void sim_check_progress(struct sim *s, const struct ask *a, const struct model_answer *expected,
                        const struct outcome *out);
void sim_check_cancelled(struct sim *s, int event, const struct event_image *image);
/* NULL, or what is wrong with the change; back: what it takes back, and why. */
const char *sim_follow_back(struct sim *s, const struct change *c, struct sim_back *back);
const char *sim_follow_cancelling(struct sim *s, int event, const struct cancelling_image *image);

/* ---- outgoing webhooks: sim_hook.c ---- */
void sim_hooks(struct sim *s); /* something is sent, or hooks are made and removed */
void sim_check_hooks(struct sim *s);
void sim_follow_hook(struct sim *s, const struct hook_image *image);

/* ---- waiting rooms and waiting lists: sim_entries.c ---- */
void sim_admit(struct sim *s);  /* a step of admission, or all there is to do */
void sim_serve(struct sim *s);  /* the waiting lists are served, as after a start */
void sim_stream(struct sim *s); /* somebody's stream keeps them present */
void sim_check_lines(struct sim *s, const struct sim_step *step);
void sim_check_entries(struct sim *s, const struct ask *a, const struct model_answer *expected,
                       const struct outcome *out);
void sim_check_queue(struct sim *s, int event, const struct queue_view *view);
void sim_check_line(struct sim *s, int event);
void sim_learn_draw(struct sim *s, int event);
bool sim_concerns_lines(struct sim *s, const struct ask *a);
void sim_tally_lines(struct sim *s, const struct ask *a, const struct outcome *out);

/* ---- calendars: sim_calendar.c ---- */
void sim_give_zones(struct sim *s); /* after a recovery */
void sim_read_slots(struct sim *s);
void sim_check_calendar(struct sim *s, int calendar);
/* exact: no hold has lapsed unsettled; otherwise there may be fewer. */
void sim_compare_slots(struct sim *s, const struct slot *found, uint32_t count, const struct slot *expected,
                       uint32_t expected_count, bool exact);
/* ---- groups of calendars: sim_group.c ---- */
void sim_check_groups(struct sim *s);
void sim_read_group(struct sim *s);
/* Asked before the model has judged: whether it counts as an operation on calendars, and the item that a move
 * is about. */
bool sim_concerns_calendar(struct sim *s, const struct ask *a);
struct model_item sim_item_before(struct sim *s, const struct ask *a);
void sim_tally_calendar(struct sim *s, const struct ask *a, const struct model_item *before,
                        const struct outcome *out);

void tally_print(const struct tally *t);
/* Whether every cell that can be reached was; prints those that were not. */
bool tally_complete(const struct tally *t);

#endif
