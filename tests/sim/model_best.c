/* SPDX-License-Identifier: Apache-2.0 */
/* model_best.c — the best seats, the slow way: every row built again, every run of seats examined. */
#include <string.h>

#include "model.h"

/* One row: its seats side by side. */
struct row {
    int seats[ASK_SEATS];
    bool beside[ASK_SEATS]; /* this seat is the neighbour of the one before it */
    int count;
};

static bool before(const struct model_event *e, int a, int b, bool numbered)
{
    const struct model_seat *x = &e->seats[a], *y = &e->seats[b];
    if (numbered && x->number != y->number)
        return x->number < y->number;
    return x->order < y->order;
}

static void row_make(const struct model_event *e, int section, int row, struct row *out)
{
    bool numbered = true;
    out->count = 0;
    for (int i = 0; i < ASK_SEATS; i++)
        if (e->seats[i].exists && e->seats[i].section == section && e->seats[i].row == row) {
            numbered = numbered && e->seats[i].number >= 0;
            out->seats[out->count++] = i;
        }
    for (int i = 1; i < out->count; i++)
        for (int k = i; k > 0 && before(e, out->seats[k], out->seats[k - 1], numbered); k--) {
            int other = out->seats[k];
            out->seats[k] = out->seats[k - 1];
            out->seats[k - 1] = other;
        }
    int step = 0;
    for (int i = 1; i < out->count; i++) {
        int next = e->seats[out->seats[i]].number - e->seats[out->seats[i - 1]].number;
        step = next > 0 && (!step || next < step) ? next : step;
    }
    for (int i = 0; i < out->count; i++)
        out->beside[i] = i > 0 && (!numbered || (step && e->seats[out->seats[i]].number ==
                                                             e->seats[out->seats[i - 1]].number + step));
}

bool model_beside(const struct model_event *e, int left, int right)
{
    struct row row;
    row_make(e, e->seats[left].section, e->seats[left].row, &row);
    for (int i = 1; i < row.count; i++)
        if (row.seats[i - 1] == left && row.seats[i] == right)
            return row.beside[i];
    return false;
}

int model_seat_row(const struct model_event *e, int seat, int seats[ASK_SEATS], bool beside[ASK_SEATS])
{
    struct row row;
    row_make(e, e->seats[seat].section, e->seats[seat].row, &row);
    memcpy(seats, row.seats, sizeof(row.seats));
    memcpy(beside, row.beside, sizeof(row.beside));
    return row.count;
}

/* Only the named ones, or those on sale. */
static bool in_bound(const struct model_seat *s, uint8_t opened)
{
    if (s->blocked || opened == ASK_HOUSE)
        return s->blocked && opened == ASK_HOUSE;
    return s->allotment == opened;
}

void model_best_look(struct model *m, const struct ask_item *item, const struct model_bound *bound,
                     const bool taken[ASK_EVENTS][ASK_SEATS], struct model_best *out)
{
    const struct model_event *e = &m->events[item->event];
    *out =
        (struct model_best){.want_places = item->accessible, .want_plain = item->quantity - item->accessible};
    int64_t price;
    bool claimed[ASK_SEATS] = {0};
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        enum reservation_status status = model_status(m, r);
        if (!r->used || (status != RESERVATION_HELD && status != RESERVATION_CONFIRMED))
            continue;
        for (int k = 0; k < r->item_count; k++)
            if (r->items[k].kind == ITEM_SEAT && r->items[k].event == item->event)
                claimed[r->items[k].unit] = true;
    }
    for (int i = 0; i < ASK_SEATS; i++) {
        const struct model_seat *s = &e->seats[i];
        out->open[i] = s->exists && in_bound(s, bound->opened) && !claimed[i] && !taken[item->event][i];
        out->usable[i] = out->open[i] && (item->section < 0 || s->section == item->section) &&
                         (item->tier < 0 || s->tier == item->tier) && model_within(bound->tiers, s->tier) &&
                         model_tier_price(e, s->tier, s->price, bound->category, &price);
        out->accessible[i] = s->accessible;
        out->places += out->usable[i] && s->accessible;
        out->plain += out->usable[i] && !s->accessible;
    }
}

/* Whether these seats of the row can be taken together. */
static bool whole(const struct row *row, const struct model_best *b, int first, int count)
{
    uint32_t places = 0, plain = 0;
    for (int i = first; i < first + count; i++) {
        if (!b->usable[row->seats[i]] || (i > first && !row->beside[i]))
            return false;
        ++*(b->accessible[row->seats[i]] ? &places : &plain);
    }
    return places <= b->want_places && plain <= b->want_plain;
}

uint32_t model_best_longest(struct model *m, int event, const struct model_best *b)
{
    uint32_t longest = 0;
    for (int section = -1; section < 2; section++)
        for (int r = -1; r < ASK_ROWS; r++) {
            struct row row;
            row_make(&m->events[event], section, r, &row);
            for (int first = 0; first < row.count; first++)
                for (int n = (int)longest + 1; first + n <= row.count && whole(&row, b, first, n); n++)
                    longest = (uint32_t)n;
        }
    return longest;
}

/* Exactly one open seat between the run's edge and the next obstacle. */
static bool leaves_orphan(const struct row *row, const struct model_best *b, int edge, int step)
{
    int open = 0;
    for (int at = edge + step; at >= 0 && at < row->count; at += step) {
        bool joined = step > 0 ? row->beside[at] : row->beside[at + 1];
        if (!joined || !b->open[row->seats[at]])
            break;
        open++;
    }
    return open == 1;
}

bool model_best_run(struct model *m, int event, const struct model_best *b, uint32_t size, int *picked)
{
    int best_orphans = 3, best_off = 0, rank = 0, best_rank = 0, n = (int)size;
    for (int section = -1; section < 2; section++)
        for (int r = -1; r < ASK_ROWS; r++, rank++) {
            struct row row;
            row_make(&m->events[event], section, r, &row);
            for (int first = 0; first + n <= row.count; first++) {
                if (!whole(&row, b, first, n))
                    continue;
                int orphans = leaves_orphan(&row, b, first, -1) + leaves_orphan(&row, b, first + n - 1, 1);
                int off = 2 * first + n - row.count;
                off = off < 0 ? -off : off;
                bool better = orphans != best_orphans ? orphans < best_orphans
                              : rank != best_rank     ? rank < best_rank
                                                      : off < best_off;
                if (!better)
                    continue;
                best_orphans = orphans;
                best_off = off;
                best_rank = rank;
                for (int i = 0; i < n; i++)
                    picked[i] = row.seats[first + i];
            }
        }
    return best_orphans < 3;
}
