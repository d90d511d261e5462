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
    const char *event, *name;
    int days_ahead;
    uint32_t per_user_limit;
    enum payment_rule payment;
    unsigned sections, rows, numbers;
    const char *pool, *pool_name; /* NULL: none */
    uint32_t pool_capacity;
    int64_t pool_price;
    bool waits; /* has a waiting room and a waiting list */
};

static const struct hall halls[] = {
    {"arena", "An evening at the arena", 60, 8, PAYMENT_REQUIRED, 12, 10, 20, "floor", "Standing room", 500,
     4500, false},
    {"studio", "A small evening in the studio", 14, 4, PAYMENT_REQUIRED, 0, 5, 10, NULL, NULL, 0, 0, false},
    {"premiere", "An evening that everybody wants to see", 30, 2, PAYMENT_NONE, 0, 2, 10, NULL, NULL, 0, 0,
     true},
    {"default", "Seats without an event of their own", 0, 0, PAYMENT_NONE, 0, 4, 25, NULL, NULL, 0, 0, false},
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
    size_t hall; /* whose event and pool come next */
    struct command command;
    size_t imports_left;
    enum outcome_code code; /* the first refusal of an import */
    struct hall_import imports[HALL_COUNT];
    void (*done)(void *ctx, enum outcome_code code);
    void *ctx;
};

static const struct actor admin = {.role = ROLE_ADMIN};

static struct text text_of(const char *text)
{
    return (struct text){text, strlen(text)};
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

static void put_hall(struct filling *filling);

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

static void pool_put(void *ctx, const struct outcome *outcome)
{
    struct filling *filling = ctx;
    if (outcome->code != OUTCOME_OK) {
        finish(filling, outcome->code);
        return;
    }
    filling->hall++;
    if (filling->hall < HALL_COUNT)
        put_hall(filling);
    else
        import_seats(filling);
}

static void event_put(void *ctx, const struct outcome *outcome)
{
    struct filling *filling = ctx;
    const struct hall *hall = &halls[filling->hall];
    if (outcome->code != OUTCOME_OK || !hall->pool) {
        pool_put(filling, outcome);
        return;
    }
    filling->command = (struct command){.kind = COMMAND_POOL_PUT, .actor = admin};
    filling->command.pool_put.event = text_of(hall->event);
    filling->command.pool_put.id = text_of(hall->pool);
    filling->command.pool_put.name = text_of(hall->pool_name);
    filling->command.pool_put.capacity = hall->pool_capacity;
    filling->command.pool_put.price = hall->pool_price;
    store_submit(filling->store, &filling->command, pool_put, filling);
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

static void put_hall(struct filling *filling)
{
    const struct hall *hall = &halls[filling->hall];
    int64_t starts_at_ms =
        (store_now(filling->store) / DAY_MS + hall->days_ahead) * DAY_MS + DAY_MS * 20 / 24;
    filling->command = (struct command){.kind = COMMAND_EVENT_PUT, .actor = admin};
    filling->command.event_put.image = (struct event_image){
        .id = text_of(hall->event),
        .name = text_of(hall->name),
        .starts_at_ms = hall->days_ahead ? starts_at_ms : 0,
        .terms = {"EUR", 600, 900, 300, hall->payment, LATE_PAYMENT_ACCEPT_IF_FREE, 0},
        .per_user_limit = hall->per_user_limit,
    };
    if (hall->waits)
        add_queues(&filling->command);
    store_submit(filling->store, &filling->command, event_put, filling);
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
    put_hall(filling);
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
