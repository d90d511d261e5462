/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/demo_crowd.h"

#include <stdio.h>
#include <string.h>

#include "base/assertion.h"

#define EVERY_MS 500 /* a tick sees the effect of the one before: about one place a second */

static void on_answer(void *ctx, const struct outcome *outcome)
{
    struct demo_crowd_member *m = ctx;
    ASSERT(m->busy);
    m->busy = false;
    if (outcome->code == OUTCOME_OK) {
        m->entry = outcome->entry.id;
        m->status = outcome->entry.status;
    } else {
        m->status = 0; /* the waiting room was replaced or removed: join again */
    }
}

static void submit(struct demo_crowd *crowd, struct demo_crowd_member *m, enum command_kind kind)
{
    ASSERT(!m->busy);
    m->command = (struct command){.kind = kind, .actor = {.role = ROLE_USER, .name = {m->id, strlen(m->id)}}};
    m->command.queue.event = crowd->event;
    m->command.queue.entry = m->entry;
    m->busy = true;
    store_submit(crowd->store, &m->command, on_answer, m);
}

/* Joins, or asks about its entry, which keeps it present. */
static void attend(struct demo_crowd *crowd, struct demo_crowd_member *m)
{
    if (!m->busy)
        submit(crowd, m, queue_status_live(m->status) ? COMMAND_QUEUE_LOOK : COMMAND_QUEUE_JOIN);
}

static uint32_t waiting(const struct demo_crowd *crowd)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < DEMO_CROWD_SIZE; i++)
        count += crowd->members[i].status == QUEUE_WAITING;
    return count;
}

/* An admitted member leaves; it does not matter which. */
static void make_room(struct demo_crowd *crowd)
{
    for (uint32_t i = 0; i < DEMO_CROWD_SIZE; i++) {
        struct demo_crowd_member *m = &crowd->members[i];
        if (m->status == QUEUE_ADMITTED && !m->busy) {
            submit(crowd, m, COMMAND_QUEUE_LEAVE);
            return;
        }
    }
}

static void on_timer(uv_timer_t *timer)
{
    struct demo_crowd *crowd = timer->data;
    struct queue_view queue;
    if (crowd->stopping || view_queue_find(crowd->view, crowd->event, &queue) != OUTCOME_OK ||
        !queue.has_queue)
        return;
    if (queue.waiting > waiting(crowd))
        make_room(crowd);
    for (uint32_t i = 0; i < DEMO_CROWD_SIZE; i++)
        attend(crowd, &crowd->members[i]);
}

void demo_crowd_start(struct demo_crowd *crowd, struct store *store, struct view *view, uv_loop_t *loop,
                      struct text event)
{
    crowd->store = store;
    crowd->view = view;
    crowd->event = event;
    for (uint32_t i = 0; i < DEMO_CROWD_SIZE; i++)
        snprintf(crowd->members[i].id, sizeof(crowd->members[i].id), "crowd_%u", i + 1);
    uv_timer_init(loop, &crowd->timer);
    crowd->timer.data = crowd;
    uv_timer_start(&crowd->timer, on_timer, EVERY_MS, EVERY_MS);
}

void demo_crowd_stop(struct demo_crowd *crowd)
{
    crowd->stopping = true;
    uv_close((uv_handle_t *)&crowd->timer, NULL);
}
