/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/demo_buyers.h"

#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/crypto/random.h"

#define EVERY_MS 1000
/* Between two acts of a buyer: about one act of any of them every five seconds. */
#define PAUSE_MIN_MS 10000
#define PAUSE_MAX_MS 30000
#define BUYS_ONE_IN 4
/* The seats of demo/catalogue.json that they choose from: E-1-1 to L-10-20. */
#define FIRST_SECTION 'E'
#define SECTIONS 8
#define ROWS 10
#define ROW_SEATS 20

static const struct actor shop = {.role = ROLE_APP, .name = {"demo", sizeof("demo") - 1}};

static uint32_t roll(uint32_t sides)
{
    return (uint32_t)(random_u64() % sides);
}

static int64_t later(int64_t now_ms)
{
    return now_ms + PAUSE_MIN_MS + roll(PAUSE_MAX_MS - PAUSE_MIN_MS);
}

static void on_answer(void *ctx, const struct outcome *outcome)
{
    struct demo_buyer *b = ctx;
    ASSERT(b->busy);
    b->busy = false;
    b->holds = b->command.kind == COMMAND_HOLD && outcome->code == OUTCOME_OK; /* otherwise it starts again */
}

static void submit(struct demo_buyers *buyers, struct demo_buyer *b)
{
    ASSERT(!b->busy);
    b->busy = true;
    b->command.user_id = (struct text){b->id, strlen(b->id)};
    b->command.reservation = b->reservation;
    store_submit(buyers->store, &b->command, on_answer, b);
}

/* Neighbours in a row, drawn at random; if any of them is taken nothing happens. */
static void choose(struct demo_buyers *buyers, struct demo_buyer *b, int64_t now_ms)
{
    uint32_t count = 1 + roll(DEMO_BUYER_SEATS);
    char section = (char)(FIRST_SECTION + roll(SECTIONS));
    uint32_t row = 1 + roll(ROWS), first = 1 + roll(ROW_SEATS - count + 1);
    snprintf(b->id, sizeof(b->id), "visitor_%06x", roll(1 << 24));
    b->reservation = id_make(now_ms, random_u64(), random_u64());
    for (uint32_t i = 0; i < count; i++) {
        int size = snprintf(b->seats[i], sizeof(b->seats[i]), "%c-%u-%u", section, row, first + i);
        b->items[i] = (struct item_request){
            .kind = ITEM_SEAT, .resource = buyers->event, .part = {b->seats[i], (size_t)size}, .quantity = 1};
    }
    b->command = (struct command){.kind = COMMAND_HOLD, .actor = shop};
    b->command.hold.items = b->items;
    b->command.hold.count = count;
    submit(buyers, b);
}

static void buy(struct demo_buyers *buyers, struct demo_buyer *b)
{
    b->command = (struct command){.kind = COMMAND_COMMIT, .actor = shop};
    b->command.commit.ticket_key[0] = random_u64();
    b->command.commit.ticket_key[1] = random_u64();
    b->command.commit.payment_method = TEXT("card");
    submit(buyers, b);
}

static void give_back(struct demo_buyers *buyers, struct demo_buyer *b)
{
    b->command = (struct command){.kind = COMMAND_RELEASE, .actor = shop};
    submit(buyers, b);
}

static void buyers_tick(uv_timer_t *timer)
{
    struct demo_buyers *buyers = timer->data;
    struct event_view event;
    int64_t now_ms = store_now(buyers->store);
    if (buyers->stopping || !view_event_find(buyers->view, buyers->event, &event) ||
        event.image.cancelled.at_ms)
        return;
    for (uint32_t i = 0; i < DEMO_BUYERS; i++) {
        struct demo_buyer *b = &buyers->all[i];
        bool due = b->acts_at_ms && now_ms >= b->acts_at_ms && !b->busy;
        if (due || !b->acts_at_ms)
            b->acts_at_ms = later(now_ms);
        if (!due)
            continue;
        if (!b->holds)
            choose(buyers, b, now_ms);
        else if (event.counts.sold + DEMO_BUYER_SEATS <= DEMO_BUYERS_SOLD_MAX && roll(BUYS_ONE_IN) == 0)
            buy(buyers, b);
        else
            give_back(buyers, b);
    }
}

void demo_buyers_start(struct demo_buyers *buyers, struct store *store, struct view *view, uv_loop_t *loop,
                       struct text event)
{
    buyers->store = store;
    buyers->view = view;
    buyers->event = event;
    uv_timer_init(loop, &buyers->timer);
    buyers->timer.data = buyers;
    uv_timer_start(&buyers->timer, buyers_tick, EVERY_MS, EVERY_MS);
}

void demo_buyers_stop(struct demo_buyers *buyers)
{
    buyers->stopping = true;
    uv_close((uv_handle_t *)&buyers->timer, NULL);
}
