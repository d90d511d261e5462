/* SPDX-License-Identifier: Apache-2.0 */
/* sim_disk.c — batches become durable, and machines die. */
#include <stdio.h>

#include "../lib/after.h"
#include "base/assertion.h"
#include "log/sales.h"
#include "sim.h"

static const struct journal_options options = {.segment_size = 64u << 10};

static struct status replayed(void *ctx, const struct batch *batch)
{
    struct sim *s = ctx;
    buf_append(&s->replay, batch->payload, batch->size);
    s->replay_count += batch->count;
    return status_none();
}

static enum fake_crash die(struct sim *s)
{
    enum fake_crash how = (enum fake_crash)dice_roll(&s->dice, 5);
    uint64_t cut = dice_roll(&s->dice, (uint32_t)fake_disk_unsynced(s->disk) + 1);
    fake_disk_crash(s->disk, how, cut, dice_word(&s->dice));
    return how;
}

/* Recovery itself can be cut short, and is then started again. */
static struct journal_recovery open_journal(struct sim *s, uint64_t after_seq)
{
    struct journal_recovery report;
    for (;;) {
        bool doomed = s->durable_seq && dice_percent(&s->dice, 20);
        buf_clear(&s->replay);
        s->replay_count = 0;
        if (doomed)
            fake_disk_die_after(s->disk, dice_roll(&s->dice, 30));
        struct status status = journal_open(&s->journal, fake_disk_table(s->disk), SIM_FOLDER, &options,
                                            AFTER(after_seq), replayed, s, &report);
        if (!doomed && !status_ok(&status))
            sim_fail(s, "The journal cannot be opened: %s", status.text);
        if (!doomed)
            return report;
        if (status_ok(&status))
            journal_close(s->journal);
        else if (status.kind != STATUS_IO)
            sim_fail(s, "A dying disk is no reason to say: %s", status.text);
        die(s);
        s->tally->recoveries_cut++;
    }
}

static void prepare(struct sim *s)
{
    if (!journal_prepare_due(s->journal))
        return;
    struct status status = journal_prepare(s->journal);
    if (!status_ok(&status))
        sim_fail(s, "The next segment cannot be prepared: %s", status.text);
}

void sim_open(struct sim *s)
{
    open_journal(s, 0);
    prepare(s);
}

void sim_record(struct sim *s)
{
    if (!fake_book_take(&s->book, s->unrecorded.data, s->unrecorded.size, s->unrecorded_count))
        sim_fail(s, "The book cannot take change %llu.", (unsigned long long)s->book.st->seq + 1);
    buf_clear(&s->unrecorded);
    s->unrecorded_count = 0;
}

/* As a database does that judges sales: by what is durable, and one row per seat. */
static void judge_sales(struct sim *s)
{
    char sentence[SOLD_SENTENCE];
    struct status fault = sales_fold(s->sales, &s->sale_count);
    if (!status_ok(&fault))
        sim_fail(s, "%s", fault.text);
    for (uint32_t i = 0; i < s->sale_count; i++)
        if (!sold_take(&s->sold, &s->sales[i], sentence))
            sim_fail(s, "%s", sentence);
    if (!sold_matches(&s->sold, s->state, sentence))
        sim_fail(s, "%s", sentence);
    s->tally->sales += s->sale_count;
    s->sale_count = 0;
}

static void acknowledged(struct sim *s)
{
    ASSERT(s->durable_seq + s->batch_count == s->state->seq);
    buf_append(&s->unrecorded, s->batch.data, s->batch.size);
    s->unrecorded_count += s->batch_count;
    s->durable_seq += s->batch_count;
    s->engine.durable_seq = s->durable_seq;
    s->followed = 0;
    s->durable = s->model;
    judge_sales(s);
    struct buf batch = s->batch;
    uint32_t count = s->batch_count;
    s->batch_count = 0;
    sim_node_take(s, &batch, count);
    buf_clear(&s->batch);
    s->tally->batches++;
}

/* A new process finds what the disk has, and the run continues from there. */
static void recover(struct sim *s)
{
    struct tally *t = s->tally;
    bool from_book = s->journal_cut || dice_percent(&s->dice, 40);
    struct fake_book nothing, *book = from_book ? &s->book : &nothing;
    fake_book_init(&nothing);
    sim_die(s);
    state_release(s->state);
    struct journal_recovery report = open_journal(s, book->st->seq);
    s->state = state_make();
    if (!fake_book_recover(book, s->state, s->replay.data, s->replay.size, s->replay_count))
        sim_fail(s, "Recovery stops at change %llu.", (unsigned long long)s->state->seq + 1);
    fake_book_release(&nothing);
    sim_set_zones(s);
    if (s->state->seq != report.last_seq)
        sim_fail(s, "The journal ends with %llu, recovery with %llu.", (unsigned long long)report.last_seq,
                 (unsigned long long)s->state->seq);
    if (s->state->seq == s->durable_seq + s->batch_count) {
        t->in_flight_kept += s->batch_count > 0;
        acknowledged(s); /* complete: so it counts as acknowledged */
    } else if (s->state->seq == s->durable_seq) {
        t->in_flight_lost++;
        s->model = s->durable;
        sim_node_lost(s);
        buf_clear(&s->batch);
        s->batch_count = s->sale_count = 0;
        s->followed = 0;
    } else {
        sim_fail(s, "%llu was acknowledged, %llu is there.", (unsigned long long)s->durable_seq,
                 (unsigned long long)s->state->seq);
    }
    if (report.last_at_ms < s->state->now_ms || report.last_at_ms > s->model.now)
        sim_fail(s, "The journal remembers another instant.");
    if (dice_percent(&s->node_dice, 40)) {
        sim_record(s);
        sim_node_take_over(s);
    }
    model_restart(&s->model);
    model_hooks_restart(&s->model);
    t->cancelled.resumed += model_undoing(&s->model);
    sim_drive(s);
    sim_serve(s);
    t->torn += report.torn;
    t->from_book += from_book;
    t->restarts++;
    s->generator.seen.known = false;
    prepare(s);
}

/* The machine dies somewhere in the write, or just after it. */
static void flush_and_die(struct sim *s)
{
    fake_disk_die_after(s->disk, dice_roll(&s->dice, 4));
    struct status status = status_make(STATUS_IO, "nothing to write");
    if (s->batch_count)
        status = journal_write(s->journal, s->batch.data, s->batch.size, s->batch_count, s->model.now);
    if (status_ok(&status))
        acknowledged(s);
    journal_close(s->journal);
    if (dice_percent(&s->dice, 25)) {
        fake_disk_restart(s->disk);
        s->tally->kills++;
    } else {
        s->tally->crashes[die(s)]++;
    }
    recover(s);
}

static void restart_cleanly(struct sim *s)
{
    struct status status = journal_seal(s->journal, s->model.now);
    if (!status_ok(&status))
        sim_fail(s, "The journal cannot be sealed: %s", status.text);
    journal_close(s->journal);
    fake_disk_restart(s->disk);
    recover(s);
}

/* The journal can drop what the book has. */
static void cut_journal(struct sim *s)
{
    uint64_t before = journal_segments(s->journal);
    struct status status = journal_free(s->journal, s->book.st->seq);
    if (!status_ok(&status))
        sim_fail(s, "Segments cannot be freed: %s", status.text);
    if (journal_segments(s->journal) < before)
        s->journal_cut = true;
}

void sim_flush(struct sim *s)
{
    if (dice_roll(&s->dice, 80) == 0) {
        flush_and_die(s);
        sim_check_all(s);
        return;
    }
    if (s->batch_count) {
        struct status status =
            journal_write(s->journal, s->batch.data, s->batch.size, s->batch_count, s->model.now);
        if (!status_ok(&status))
            sim_fail(s, "A batch cannot be written: %s", status.text);
        acknowledged(s);
        prepare(s);
    }
    if (dice_percent(&s->dice, 30))
        sim_record(s);
    if (dice_percent(&s->dice, 1))
        cut_journal(s);
    if (dice_roll(&s->dice, 200) == 0) {
        restart_cleanly(s);
        sim_check_all(s);
    }
}
