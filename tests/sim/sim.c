/* SPDX-License-Identifier: Apache-2.0 */
#include "sim.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "core/catalogue/event.h"
#include "engine/import.h"

#define SIM_EPOCH_MS 1700000000000LL

_Noreturn void sim_fail(const struct sim *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stdout, "not ok - ");
    vfprintf(stdout, format, arguments);
    va_end(arguments);
    fprintf(stdout, "\n# again: sim --seed %llu --ops %llu\n", (unsigned long long)s->seed,
            (unsigned long long)s->operation + 1);
    exit(1);
}

void sim_init(struct sim *s, uint64_t seed, struct tally *tally)
{
    *s = (struct sim){.seed = seed, .dice = {seed * 0x2545f4914f6cdd1dULL + 1}, .tally = tally};
    s->generator.dice = &s->dice;
    s->generator.model = &s->model;
    s->generator.slot_percent = (uint32_t[]){15, 40, 85}[seed % 3];
    s->generator.lines_percent = (uint32_t[]){0, 30, 60}[seed / 3 % 3];
    s->generator.slow = seed / 9 % 2;
    s->generator.calls_off = seed % 5 % 2;
    s->generator.erases = seed % 7 % 3 == 1;
    if (s->generator.lines_percent)
        s->generator.slot_percent /= 3;
    s->model.now = SIM_EPOCH_MS;
    s->durable = s->model;
    s->state = state_make();
    fake_book_init(&s->book);
    buf_init(&s->batch, 1 << 20);
    buf_init(&s->unrecorded, (size_t)1 << 30);
    buf_init(&s->replay, (size_t)1 << 30);
    s->node_dice = (struct dice){seed};
    follower_init(&s->node);
    s->disk = fake_disk_make(dice_word(&s->dice));
    fake_disk_set_choppy(s->disk, seed % 8 == 0);
    sim_open(s);
    sim_drive(s);
}

void sim_release(struct sim *s)
{
    journal_close(s->journal);
    fake_disk_free(s->disk);
    sim_die(s);
    state_release(s->state);
    fake_book_release(&s->book);
    follower_release(&s->node);
    buf_release(&s->batch);
    free(s->sales);
    sold_release(&s->sold);
    buf_release(&s->unrecorded);
    buf_release(&s->replay);
}

/* ---- Asking the engine ---- */

static bool asks_best(const struct ask *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (a->items[i].kind == ITEM_BEST)
            return true;
    return false;
}

static void submit(struct sim *s, const struct command *c, const struct ask *a, struct outcome *out)
{
    bool low = s->generator.lines_percent && dice_percent(&s->dice, 2);
    /* Polls of a waiting room then do not even count as presence, which the model does not know. */
    low = low && command_is(c->kind, COMMAND_USES_RESERVE) && c->kind != COMMAND_QUEUE_LOOK;
    struct sim_step step = {.out = out,
                            .asked = a,
                            .exact = asks_best(a) && state_next_deadline(s->state) > s->model.now,
                            .no_offers = low};
    s->tally->lines.unrecorded += low;
    bool judged = sim_node_judge(s, c);
    sim_submit(s, c, &step, low ? LOG_ROOM_LOW : LOG_ROOM_OK);
    if (judged)
        sim_node_judged(s, out);
}

/* ---- Seats come in and go ---- */

static void on_over(void *ctx)
{
    *(bool *)ctx = true;
}

/* The loop's half of it. The layout is taken over, or released. */
static void import_run(struct sim *s, struct engine_import *i, const struct ask *a, struct outcome *out)
{
    struct sim_step step = {.out = out, .asked = a};
    bool over = false, known = event_find(s->state, i->event) != NULL;
    i->actor = (struct actor){.role = ROLE_ADMIN};
    i->over = on_over;
    i->ctx = &over;
    engine_import(&s->engine, i);
    for (;;) {
        due_slice(&s->engine, DUE_IMPORT, s->model.now);
        if (over)
            break;
        s->tally->lines.again += i->outcome.code == OUTCOME_RETRY;
        sim_follow(s, &step);
    }
    *out = i->outcome;
    out->code = known ? i->code : OUTCOME_NO_SUCH_EVENT; /* the store refuses it before it begins */
    step.ask = a;
    sim_follow(s, &step);
    layout_release(i->layout);
}

static void import(struct sim *s, const struct ask *a, struct outcome *out)
{
    struct buf rows;
    const struct event *e = event_find(s->state, translate_event(a->event));
    uint32_t created, updated;
    struct layout_blocks blocks;
    struct engine_import i = {
        .event = translate_event(a->event), .rows = &rows, .blocks = &blocks, .base = e ? e->layout : NULL};
    buf_init(&rows, 1 << 16);
    translate_seats(a, &rows);
    i.layout = layout_make(i.base, bytes_reader_make(rows.data, rows.size), a->seat_count, &created, &updated,
                           &blocks);
    import_run(s, &i, a, out);
    layout_blocks_release(&blocks);
    buf_release(&rows);
}

/* All named seats exist: others are refused before core is asked. */
static void remove_seats(struct sim *s, const struct ask *a, struct outcome *out)
{
    struct event *e = event_find(s->state, translate_event(a->event));
    uint32_t positions[ASK_SEATS], count = 0;
    for (uint32_t i = 0; e && i < e->layout->count; i++)
        for (uint32_t k = 0; k < a->seat_count; k++)
            if (!layout_is_gone(e->layout, i) &&
                text_equal(layout_id(e->layout, i), translate_seat(a->seats[k].seat)))
                positions[count++] = i;
    struct engine_import i = {.event = translate_event(a->event),
                              .removes = true,
                              .positions = positions,
                              .count = count,
                              .base = e ? e->layout : NULL};
    i.layout = e ? layout_without(e->layout, positions, count) : NULL;
    import_run(s, &i, a, out);
}

/* An import abandoned halfway leaves a part that is never seen. */
static void abandon_import(struct sim *s)
{
    struct ask a;
    struct buf rows;
    bool over = false;
    struct engine_import i = {.actor = {.role = ROLE_ADMIN}, .rows = &rows, .over = on_over, .ctx = &over};
    buf_init(&rows, 1 << 16);
    generate_import(&s->generator, (int)dice_roll(&s->dice, ASK_EVENTS), &a);
    translate_seats(&a, &rows);
    i.event = translate_event(a.event);
    if (a.seat_count) {
        engine_import(&s->engine, &i);
        sim_due(s, DUE_IMPORT, &(struct sim_step){.out = &i.outcome});
        engine_import_give_up(&s->engine, OUTCOME_UNAVAILABLE);
    }
    buf_release(&rows);
}

/* Keys that refer to a removed event are forgotten. */
static void forget_keys(struct sim *s, int event)
{
    for (int i = 0; i < MODEL_KEYS; i++)
        if (ask_of_lines(s->generator.keyed[i].kind) && s->generator.keyed[i].event == event)
            s->model.keys[i].used = s->generator.keyed_used[i] = false;
}

static void tally_allotments(struct sim *s, const struct ask *a, const struct model_item *before,
                             const struct outcome *out)
{
    struct tally_allotments *t = &s->tally->allotments;
    bool granted = a->kind == COMMAND_HOLD || a->kind == COMMAND_ITEMS_ADD;
    const struct model_reservation *r = out->created && granted ? model_find(&s->model, a->id) : NULL;
    for (int i = 0; r && i < r->item_count; i++) {
        const struct model_item *item = &r->items[i];
        *(item->allotment == ASK_HOUSE ? &t->house
          : item->code                 ? &t->coded
                                       : &t->named) += item->allotment > 0;
    }
    t->followed += a->kind == COMMAND_SEATS_BLOCK ? out->seats_skipped : 0;
    if (a->kind == COMMAND_ITEM_MOVE && before->allotment && out->has_reservation)
        for (uint32_t i = 0; i < out->reservation.item_count; i++)
            t->moved += out->reservation.items[i].item_id == a->item_id &&
                        out->reservation.items[i].allotment.at != NULL;
}

static void ask(struct sim *s, const struct ask *a)
{
    struct outcome out;
    struct translation t;
    bool concerns_calendar = sim_concerns_calendar(s, a), concerns_lines = sim_concerns_lines(s, a);
    struct model_item before = sim_item_before(s, a);
    bool undoing = model_called(&s->model, a->event) && !s->model.events[a->event].cancelled.done;
    translate(a, &t);
    if (a->kind == COMMAND_SEATS_PUBLISH)
        import(s, a, &out);
    else if (a->kind == COMMAND_SEATS_REMOVE)
        remove_seats(s, a, &out);
    else
        submit(s, &t.command, a, &out);
    s->tally->cells[a->kind][out.code]++;
    if (concerns_calendar)
        sim_tally_calendar(s, a, &before, &out);
    if (concerns_lines)
        sim_tally_lines(s, a, &out);
    tally_allotments(s, a, &before, &out);
    if (a->kind == COMMAND_EVENT_REMOVE && out.code == OUTCOME_OK) {
        s->generator.seen.known = false;
        s->tally->cancelled.removed += undoing;
        forget_keys(s, a->event);
    }
}

/* ---- What happens between requests ---- */

/* The model drops a reservation that has ended, or is past. */
static void lose_sight(struct sim *s)
{
    struct model_reservation *r = &s->model.reservations[dice_roll(&s->dice, MODEL_RESERVATIONS)];
    enum reservation_status status = model_status(&s->model, r);
    if (!r->used || status == RESERVATION_HELD ||
        (r->status == RESERVATION_HELD && s->generator.lines_percent) || !model_may_lose(&s->model, r) ||
        (status == RESERVATION_CONFIRMED && !model_past(&s->model, r)))
        return;
    for (int i = 0; i < MODEL_KEYS; i++)
        if (id_equal(s->model.keys[i].id, r->id) || id_equal(s->generator.keyed[i].id, r->id)) {
            s->model.keys[i].used = false;
            s->generator.keyed_used[i] = false;
        }
    if (status == RESERVATION_CONFIRMED)
        model_group_lose(&s->model, r);
    model_tickets_lose(&s->model, r->id);
    model_rows_lose(&s->model, r);
    r->used = false;
    r->item_count = 0;
}

/* Reads a seat, to claim it optimistically later. */
static void read_seat(struct sim *s)
{
    int event = (int)dice_roll(&s->dice, ASK_EVENTS), seat = (int)dice_roll(&s->dice, ASK_SEATS);
    const struct event *e = event_find(s->state, translate_event(event));
    uint32_t position = e ? layout_find(e->layout, translate_seat(seat)) : LAYOUT_NONE;
    if (position == LAYOUT_NONE)
        return;
    s->generator.seen.known = true;
    s->generator.seen.event = event;
    s->generator.seen.seat = seat;
    s->generator.seen.version = seat_at(e, position)->version;
    s->generator.seen.claims = s->model.events[event].seats[seat].claims;
}

static void pause_a_while(struct sim *s)
{
    int64_t pause = generate_pause(&s->generator);
    s->model.now += pause;
    s->tally->leaps += pause > 60000;
    s->tally->at_deadline += pause && state_next_deadline(s->state) == s->model.now;
}

void sim_expire(struct sim *s, uint32_t most)
{
    uint64_t before = s->state->totals.expired;
    s->engine.limits.expire = most;
    sim_due(s, DUE_EXPIRY, &(struct sim_step){0});
    s->tally->expired += s->state->totals.expired - before;
}

static void housekeeping(struct sim *s)
{
    uint32_t roll = dice_roll(&s->dice, 1000);
    sim_hooks(s);
    if (model_undoing(&s->model) && dice_percent(&s->dice, 6))
        sim_undo(s);
    if (s->generator.lines_percent && dice_percent(&s->dice, 30))
        sim_admit(s);
    if (s->generator.lines_percent && dice_percent(&s->dice, 8))
        sim_stream(s);
    if (roll < 12) {
        sim_expire(s, 1 + dice_roll(&s->dice, 4));
    } else if (roll < 40) {
        uint64_t before = s->state->reservations.count;
        s->engine.limits.forget = 1 + dice_roll(&s->dice, 20);
        engine_forget(&s->engine);
        detached_release(state_take_detached(s->state));
        s->tally->forgotten += before - s->state->reservations.count;
    } else if (roll < 540) {
        lose_sight(s);
    } else if (roll < 600) {
        read_seat(s);
    } else if (roll < 604) {
        sim_check_all(s);
    } else if (roll < 654) {
        sim_read_slots(s);
    } else if (roll < 664) {
        sim_read_group(s);
    } else if (roll < 685 && s->generator.lines_percent) {
        sim_expire(s, 1000);
    } else if (roll == 999) {
        abandon_import(s);
    }
}

static void found(struct sim *s)
{
    struct ask a;
    for (int calendar = 0; calendar < ASK_CALENDARS - 1; calendar++) {
        generate_calendar(&s->generator, calendar, &a);
        ask(s, &a);
    }
    for (int event = 0; event < 3; event++) {
        generate_event(&s->generator, event, &a);
        a.copy = -1;
        a.settings.on_sale_at_ms = a.settings.off_sale_at_ms = 0;
        ask(s, &a);
        for (int i = 0; i < 3; i++) {
            generate_import(&s->generator, event, &a);
            ask(s, &a);
        }
        generate_codes(&s->generator, event, &a);
        ask(s, &a);
        for (int pool = 0; pool < ASK_POOLS; pool++) {
            generate_pool(&s->generator, event, pool, &a);
            ask(s, &a);
        }
    }
}

void sim_run(struct sim *s, uint64_t operations)
{
    static struct ask a;
    found(s);
    uint32_t until_flush = 1;
    for (; s->operation < operations; s->operation++) {
        pause_a_while(s);
        housekeeping(s);
        if (generate(&s->generator, &a))
            ask(s, &a);
        if (--until_flush == 0 || s->batch.size > 16384) {
            sim_flush(s);
            until_flush = 1 + dice_roll(&s->dice, 50);
        }
        s->tally->operations++;
    }
    sim_check_all(s);
    sim_undo_all(s);
    sim_check_all(s);
    s->tally->runs++;
}

/* ---- The program ---- */

static struct sim *running;

static void aborted(int number)
{
    (void)number;
    char line[160];
    int size =
        snprintf(line, sizeof(line), "not ok - an assertion failed\n# again: sim --seed %llu --ops %llu\n",
                 (unsigned long long)running->seed, (unsigned long long)running->operation + 1);
    ssize_t written = write(STDOUT_FILENO, line, (size_t)size);
    (void)written;
}

static void print_tally(const struct tally *t)
{
    printf("# %llu batches, %llu full checks, %llu holds expired by the timer, %llu forgotten, %llu fetched, "
           "%llu replayed, "
           "%llu best picks proven best\n",
           (unsigned long long)t->batches, (unsigned long long)t->checks, (unsigned long long)t->expired,
           (unsigned long long)t->forgotten, (unsigned long long)t->fetched, (unsigned long long)t->replayed,
           (unsigned long long)t->best_exact);
    printf("# power lost with unsynced writes lost %llu, kept %llu, cut %llu, by sectors %llu, torn %llu; "
           "killed %llu; "
           "%llu restarts, %llu of them from the book\n",
           (unsigned long long)t->crashes[0], (unsigned long long)t->crashes[1],
           (unsigned long long)t->crashes[2], (unsigned long long)t->crashes[3],
           (unsigned long long)t->crashes[4], (unsigned long long)t->kills, (unsigned long long)t->restarts,
           (unsigned long long)t->from_book);
    printf("# batches in flight: %llu kept whole, %llu lost whole, %llu torn and cut; %llu recoveries cut "
           "short; %llu clock leaps, %llu "
           "requests at the "
           "very deadline\n",
           (unsigned long long)t->in_flight_kept, (unsigned long long)t->in_flight_lost,
           (unsigned long long)t->torn, (unsigned long long)t->recoveries_cut, (unsigned long long)t->leaps,
           (unsigned long long)t->at_deadline);
    printf("# a second node followed %llu changes, was compared %llu times, and took over %llu times\n",
           (unsigned long long)t->followed, (unsigned long long)t->followed_checks,
           (unsigned long long)t->taken_over);
    printf("# of %llu holds it was asked first, and refused %llu\n", (unsigned long long)t->gate_judged,
           (unsigned long long)t->gate_refused);
    printf("# %llu sales were judged, one per seat and batch\n", (unsigned long long)t->sales);
}

int main(int argc, char **argv)
{
    static struct sim s;
    static struct tally tally;
    uint64_t seed = 1, operations = 10000000;
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t *option = strcmp(argv[i], "--seed") == 0  ? &seed
                           : strcmp(argv[i], "--ops") == 0 ? &operations
                                                           : NULL;
        if (!option) {
            fprintf(stderr, "usage: sim [--seed N] [--ops N]\n");
            return 64;
        }
        *option = strtoull(argv[i + 1], NULL, 10);
    }
    running = &s;
    log_set_level(LOG_LEVEL_ERROR); /* torn batches are expected here */
    signal(SIGABRT, aborted);
    for (; tally.operations < operations; seed++) {
        uint64_t left = operations - tally.operations;
        sim_init(&s, seed, &tally);
        sim_run(&s, left < SIM_OPERATIONS_A_RUN ? left : SIM_OPERATIONS_A_RUN);
        sim_release(&s);
    }
    tally_print(&tally);
    print_tally(&tally);
    printf("1..3\n");
    printf(
        "ok 1 - %llu operations of %llu seeds, %llu of them on calendars, %llu on waiting rooms and lists, "
        "answered as the model does\n",
        (unsigned long long)tally.operations, (unsigned long long)tally.runs,
        (unsigned long long)tally.calendars.operations, (unsigned long long)tally.lines.operations);
    printf("ok 2 - all that was acknowledged survived %llu restarts\n", (unsigned long long)tally.restarts);
    if (operations < 1000000) {
        printf("ok 3 # skip a short run does not reach every outcome\n");
        return 0;
    }
    bool complete = tally_complete(&tally);
    printf("%s 3 - every outcome that can be reached was\n", complete ? "ok" : "not ok");
    return complete ? 0 : 1;
}
