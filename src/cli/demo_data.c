/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/demo_data.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"
#include "base/random.h"
#include "cli/demo_calendars.h"

#define DAY_MS (24LL * 3600 * 1000)
#define AISLE 3 /* in seats, between sections */
#define SECTIONS_ABREAST 4

/* Sections are A, B, C … (or none), rows 1, 2, 3 … inside a section and A, B, C … without one. */
struct hall {
    const char *event, *name, *description, *venue; /* the last two NULL: none */
    int days_ahead;
    uint32_t per_user_limit;
    enum payment_rule payment;
    unsigned sections, rows, numbers;
    const char *pool, *pool_name; /* NULL: none */
    uint32_t pool_capacity;
    int64_t pool_price;
    const char *categories, *prices; /* JSON; NULL: none */
    const char *code;                /* NULL: none */
    uint32_t code_units;
    const char *allotment; /* the front row, which the code carries; NULL: the code is for the whole event */
    bool refuse_singles;
    bool waits; /* has a waiting room and a waiting list */
};

static const struct hall halls[] = {
    {.event = "arena",
     .name = "An evening at the arena",
     .days_ahead = 60,
     .per_user_limit = 8,
     .payment = PAYMENT_REQUIRED,
     .sections = 12,
     .rows = 10,
     .numbers = 20,
     .pool = "floor",
     .pool_name = "Standing room",
     .pool_capacity = 500,
     .pool_price = 4500},
    {.event = "studio",
     .name = "A small evening in the studio",
     .days_ahead = 14,
     .per_user_limit = 4,
     .payment = PAYMENT_REQUIRED,
     .rows = 5,
     .numbers = 10},
    {.event = "theatre",
     .name = "A play for all ages",
     .description =
         "Children and students pay less. No seat is left alone. The front row is for the press, by code.",
     .venue = "The old theatre",
     .days_ahead = 21,
     .per_user_limit = 8,
     .payment = PAYMENT_REQUIRED,
     .sections = 8,
     .rows = 6,
     .numbers = 12,
     .categories = "[\"adult\",\"student\",\"child\"]",
     .prices = "{\"gold\":{\"adult\":12000,\"student\":9000,\"child\":6000},"
               "\"silver\":{\"adult\":8000,\"student\":6000,\"child\":4000}}",
     .code = "PRESS",
     .code_units = 6,
     .allotment = "press",
     .refuse_singles = true},
    {.event = "presale",
     .name = "A concert for friends of the house",
     .description = "Until it is on sale for everybody, seats are for those who have the code FRIENDS.",
     .venue = "The old theatre",
     .days_ahead = 90,
     .per_user_limit = 4,
     .payment = PAYMENT_REQUIRED,
     .rows = 6,
     .numbers = 12,
     .code = "FRIENDS",
     .code_units = 24},
    {.event = DEMO_PREMIERE,
     .name = "An evening that everybody wants to see",
     .days_ahead = 30,
     .per_user_limit = 2,
     .payment = PAYMENT_NONE,
     .rows = 2,
     .numbers = 10,
     .waits = true},
    {.event = "default",
     .name = "Seats without an event of their own",
     .payment = PAYMENT_NONE,
     .rows = 4,
     .numbers = 25},
};
#define HALL_COUNT (sizeof(halls) / sizeof(halls[0]))

/* Three tiers of sections, the front one the dearest; halls without sections have one price. */
static const struct tier {
    const char *name;
    int64_t price;
} tiers[] = {{"gold", 12000}, {"silver", 8000}, {"bronze", 5000}};
#define PLAIN_PRICE 2500

struct filling;

struct hall_import {
    struct filling *filling;
    const struct hall *hall;
};

struct filling {
    struct store *store;
    struct view *view;
    size_t hall, step; /* what comes next */
    struct command command;
    struct code_image promo;
    size_t imports_left;
    enum outcome_code code; /* the first refusal of an import */
    struct hall_import imports[HALL_COUNT];
    void (*done)(void *ctx, enum outcome_code code);
    void *ctx;
};

static const struct actor admin = {.role = ROLE_ADMIN};

static struct text text_of(const char *text)
{
    return text ? (struct text){text, strlen(text)} : (struct text){0};
}

static unsigned seat_count(const struct hall *hall)
{
    return (hall->sections ? hall->sections : 1) * hall->rows * hall->numbers;
}

/* The texts of one seat, spelled out. */
struct seat_labels {
    char id[ID_SIZE_MAX], section[2], row[12], number[12];
};

static void seat_write(const struct hall *hall, unsigned index, struct seat_labels *labels,
                       struct seat_image *seat)
{
    unsigned number = index % hall->numbers;
    unsigned row = index / hall->numbers % hall->rows;
    unsigned section = index / hall->numbers / hall->rows;
    unsigned bank = section / SECTIONS_ABREAST;
    *seat = (struct seat_image){.has_x = true, .has_y = true, .price = PLAIN_PRICE};
    snprintf(labels->number, sizeof(labels->number), "%u", number + 1);
    if (hall->sections) {
        snprintf(labels->section, sizeof(labels->section), "%c", (char)('A' + section));
        snprintf(labels->row, sizeof(labels->row), "%u", row + 1);
        snprintf(labels->id, sizeof(labels->id), "%s-%s-%s", labels->section, labels->row, labels->number);
        seat->section = text_of(labels->section);
        seat->tier = text_of(tiers[bank].name);
        seat->price = tiers[bank].price;
    } else {
        snprintf(labels->row, sizeof(labels->row), "%c", (char)('A' + row));
        snprintf(labels->id, sizeof(labels->id), "%s%s", labels->row, labels->number);
    }
    seat->id = text_of(labels->id);
    seat->row = text_of(labels->row);
    seat->number = text_of(labels->number);
    seat->x_milli = (int32_t)(section % SECTIONS_ABREAST * (hall->numbers + AISLE) + number) * 1000;
    seat->y_milli = (int32_t)(bank * (hall->rows + AISLE) + row) * 1000;
    seat->accessible = row == 0 && number < 2;
    if (row == 0 && section == 0)
        seat->allotment = text_of(hall->allotment);
}

static bool read_seats(void *ctx, struct buf *rows, uint32_t *count, struct import_fault *fault)
{
    const struct hall_import *import = ctx;
    const struct hall *hall = import->hall;
    uint32_t columns = SEAT_COLUMN_ROW | SEAT_COLUMN_NUMBER | SEAT_COLUMN_X | SEAT_COLUMN_Y |
                       SEAT_COLUMN_PRICE | SEAT_COLUMN_ACCESSIBLE;
    (void)fault;
    if (hall->sections)
        columns |= SEAT_COLUMN_SECTION | SEAT_COLUMN_TIER;
    if (hall->allotment)
        columns |= SEAT_COLUMN_ALLOTMENT;
    for (unsigned i = 0; i < seat_count(hall); i++) {
        struct seat_labels labels;
        struct seat_image seat;
        seat_write(hall, i, &labels, &seat);
        seat_row_put(rows, columns, &seat);
    }
    *count = seat_count(hall);
    return true;
}

/* Events are there, or one was refused: then the calendars are left alone, too. */
static void finish(struct filling *filling, enum outcome_code code)
{
    if (code == OUTCOME_OK)
        demo_calendars_put(filling->store, filling->view, filling->done, filling->ctx);
    else
        filling->done(filling->ctx, code);
    free(filling);
}

static void seats_put(void *ctx, const struct import_result *result)
{
    struct hall_import *import = ctx;
    struct filling *filling = import->filling;
    if (filling->code == OUTCOME_OK)
        filling->code = result->code;
    if (--filling->imports_left == 0)
        finish(filling, filling->code);
}

/* Every event and pool is there: the seats of all halls together, each an import of its own. */
static void import_seats(struct filling *filling)
{
    filling->imports_left = HALL_COUNT;
    for (size_t i = 0; i < HALL_COUNT; i++) {
        struct hall_import *import = &filling->imports[i];
        *import = (struct hall_import){filling, &halls[i]};
        store_import(filling->store, &admin, text_of(halls[i].event), read_seats, seats_put, import);
    }
}

/* A waiting room and a waiting list. */
static void add_queues(struct command *command)
{
    struct event_image *image = &command->event_put.image;
    image->has_queue = image->has_list = true;
    image->queue = (struct queue_settings){
        .rate_per_second = 2, .max_active = 5, .pass_ttl_s = 300, .by_inventory = true};
    random_bytes(command->event_put.seed, sizeof(command->event_put.seed));
    random_bytes(image->entry_key, sizeof(image->entry_key));
}

static bool event_step(struct filling *filling, const struct hall *hall)
{
    int64_t starts_at_ms =
        (store_now(filling->store) / DAY_MS + hall->days_ahead) * DAY_MS + DAY_MS * 20 / 24;
    filling->command.kind = COMMAND_EVENT_PUT;
    filling->command.event_put.image = (struct event_image){
        .id = text_of(hall->event),
        .name = text_of(hall->name),
        .description = text_of(hall->description),
        .venue = text_of(hall->venue),
        .starts_at_ms = hall->days_ahead ? starts_at_ms : 0,
        .terms = {"EUR", 600, 900, 300, hall->payment, LATE_PAYMENT_ACCEPT_IF_FREE, 0},
        .per_user_limit = hall->per_user_limit,
        .access = hall->code && !hall->allotment ? ACCESS_CODE : ACCESS_OPEN,
        .categories = text_of(hall->categories),
        .prices = text_of(hall->prices),
        .refuse_singles = hall->refuse_singles,
    };
    if (hall->waits)
        add_queues(&filling->command);
    return true;
}

static bool pool_step(struct filling *filling, const struct hall *hall)
{
    filling->command.kind = COMMAND_POOL_PUT;
    filling->command.pool_put.event = text_of(hall->event);
    filling->command.pool_put.id = text_of(hall->pool);
    filling->command.pool_put.name = text_of(hall->pool_name);
    filling->command.pool_put.capacity = hall->pool_capacity;
    filling->command.pool_put.price = hall->pool_price;
    return hall->pool;
}

static bool code_step(struct filling *filling, const struct hall *hall)
{
    filling->promo = (struct code_image){
        .code = text_of(hall->code), .units = hall->code_units, .allotment = text_of(hall->allotment)};
    filling->command.kind = COMMAND_CODES_PUT;
    filling->command.codes_put.event = text_of(hall->event);
    filling->command.codes_put.codes = &filling->promo;
    filling->command.codes_put.count = 1;
    return hall->code;
}

/* What makes a hall, each in a command of its own; false: this one has no need of it. */
static bool (*const steps[])(struct filling *filling, const struct hall *hall) = {event_step, pool_step,
                                                                                  code_step};
#define STEP_COUNT (sizeof(steps) / sizeof(steps[0]))

static void next_step(struct filling *filling);

static void step_taken(void *ctx, const struct outcome *outcome)
{
    struct filling *filling = ctx;
    if (outcome->code == OUTCOME_OK)
        next_step(filling);
    else
        finish(filling, outcome->code);
}

static void next_step(struct filling *filling)
{
    while (filling->hall < HALL_COUNT) {
        const struct hall *hall = &halls[filling->hall];
        size_t step = filling->step++;
        if (step == STEP_COUNT) {
            filling->step = 0;
            filling->hall++;
            continue;
        }
        filling->command = (struct command){.actor = admin};
        if (steps[step](filling, hall)) {
            store_submit(filling->store, &filling->command, step_taken, filling);
            return;
        }
    }
    import_seats(filling);
}

void demo_data_put(struct store *store, struct view *view, void (*done)(void *ctx, enum outcome_code code),
                   void *ctx)
{
    struct event_view any;
    if (view_event_after(view, 0, &any)) {
        demo_calendars_put(store, view, done, ctx);
        return;
    }
    struct filling *filling = memory_zeroed(1, sizeof(*filling));
    filling->store = store;
    filling->view = view;
    filling->done = done;
    filling->ctx = ctx;
    next_step(filling);
}

bool demo_data_free_seat(struct view *view, char out[DEMO_SEAT_SIZE_MAX])
{
    const struct hall *arena = &halls[0];
    for (unsigned i = 0; i < seat_count(arena); i++) {
        struct seat_labels labels;
        struct seat_image seat;
        struct seat_view found;
        seat_write(arena, i, &labels, &seat);
        if (view_seat_find(view, text_of(arena->event), seat.id, &found) != OUTCOME_OK)
            return false;
        if (found.status == UNIT_AVAILABLE) {
            snprintf(out, DEMO_SEAT_SIZE_MAX, "%s/%s", arena->event, labels.id);
            return true;
        }
    }
    return false;
}
