/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/layout_derived.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/layout.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct text digits_of(struct text t, size_t *at)
{
    while (*at + 1 < t.size && t.at[*at] == '0' && is_digit(t.at[*at + 1]))
        (*at)++;
    struct text run = {t.at + *at, 0};
    while (*at < t.size && is_digit(t.at[*at])) {
        run.size++;
        (*at)++;
    }
    return run;
}

int natural_compare(struct text a, struct text b)
{
    size_t i = 0, k = 0;
    while (i < a.size && k < b.size) {
        if (is_digit(a.at[i]) && is_digit(b.at[k])) {
            struct text x = digits_of(a, &i), y = digits_of(b, &k);
            if (x.size != y.size)
                return x.size < y.size ? -1 : 1;
            int order = memcmp(x.at, y.at, x.size);
            if (order)
                return order;
        } else {
            if (a.at[i] != b.at[k])
                return (unsigned char)a.at[i] < (unsigned char)b.at[k] ? -1 : 1;
            i++;
            k++;
        }
    }
    return i < a.size ? 1 : k < b.size ? -1 : 0;
}

/* A seat to be placed in a row. */
struct placed {
    uint32_t position;
    int64_t number;
};

static bool integer_of(struct text t, int64_t *out)
{
    if (t.size == 0 || t.size > 9)
        return false;
    int64_t v = 0;
    for (size_t i = 0; i < t.size; i++) {
        if (!is_digit(t.at[i]))
            return false;
        v = v * 10 + (t.at[i] - '0');
    }
    *out = v;
    return true;
}

static int compare_rows(const struct layout *l, uint32_t a, uint32_t b)
{
    const struct layout_row *x = &l->rows[a], *y = &l->rows[b];
    if (x->has_y != y->has_y)
        return x->has_y ? -1 : 1;
    if (x->has_y && x->y_milli != y->y_milli)
        return x->y_milli < y->y_milli ? -1 : 1;
    int order = natural_compare(layout_text(l, x->section), layout_text(l, y->section));
    if (!order)
        order = natural_compare(layout_text(l, x->row), layout_text(l, y->row));
    return order ? order : (x->opened > y->opened) - (x->opened < y->opened); /* "A1" and "A01" */
}

static int compare_numbers_of_rows(const void *a, const void *b, void *layout)
{
    return compare_rows(layout, *(const uint32_t *)a, *(const uint32_t *)b);
}

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

/* ---- Which row ---- */

struct rows_maker {
    struct layout *l;
    uint32_t capacity, from; /* room for rows; the first new seat */
    uint32_t known;          /* rows of the base */
    uint32_t *added;         /* by row: number of new seats */
    bool *moved;             /* by row: it is new, or its y has changed */
};

static void rows_grow(struct rows_maker *m)
{
    struct layout *l = m->l;
    uint32_t before = m->capacity;
    m->capacity = before + before / 2 + 64;
    l->rows = memory_grow(l->rows, m->capacity, sizeof(*l->rows));
    m->added = memory_grow(m->added, m->capacity, sizeof(*m->added));
    m->moved = memory_grow(m->moved, m->capacity, sizeof(*m->moved));
    memset(m->added + before, 0, (m->capacity - before) * sizeof(*m->added));
    memset(m->moved + before, 0, (m->capacity - before) * sizeof(*m->moved));
}

static void rows_begin(struct rows_maker *m, const struct layout *base)
{
    if (!base)
        return;
    ASSERT(base->count <= m->l->count && base->roll == m->l->roll);
    m->known = m->l->row_count = base->row_count;
    while (m->capacity < base->row_count)
        rows_grow(m);
    if (base->row_count)
        memcpy(m->l->rows, base->rows, (size_t)base->row_count * sizeof(*base->rows));
}

static bool row_same(const void *layout, uint32_t value, const void *key)
{
    const struct layout_row *r = &((const struct layout *)layout)->rows[value - 1];
    const struct layout_seat *seat = key;
    return r->section == seat->section && r->row == seat->row;
}

/* Finds or creates the row of (section, row label). */
static uint32_t row_find(struct rows_maker *m, uint32_t position)
{
    struct layout *l = m->l;
    const struct layout_seat *seat = layout_seat(l, position);
    uint64_t hash = ((uint64_t)seat->section << 32 | seat->row) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
    uint32_t value = growing_index_find(&l->roll->rows, hash, row_same, l, seat);
    if (value)
        return value - 1;
    if (l->row_count == m->capacity)
        rows_grow(m);
    m->moved[l->row_count] = true;
    l->rows[l->row_count] =
        (struct layout_row){.section = seat->section, .row = seat->row, .opened = position};
    growing_index_add(&l->roll->rows, hash, ++l->row_count);
    ASSERT(l->row_count <= m->capacity && l->row_count <= l->count);
    return l->row_count - 1;
}

static void seats_assign(struct rows_maker *m)
{
    struct layout *l = m->l;
    for (uint32_t i = m->from; i < l->count; i++) {
        struct seat_image seat;
        layout_seat_image(l, i, &seat);
        uint32_t row = row_find(m, i);
        struct layout_row *r = &l->rows[row];
        *(uint32_t *)chunked_make(&l->roll->row_of, i) = row;
        if (seat.removed) /* its row keeps its number, even if it is empty */
            continue;
        m->added[row]++;
        if (seat.has_y && (!r->has_y || seat.y_milli < r->y_milli)) {
            r->has_y = true;
            r->y_milli = seat.y_milli;
            m->moved[row] = true;
        }
    }
}

/* ---- The seats of a row ---- */

static bool is_sorted(const struct placed *seats, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (compare_placed(&seats[i - 1], &seats[i]) > 0)
            return false;
    return true;
}

/* Sorts by number if all seats have one, and returns true; otherwise by position. */
static bool sort_placed(const struct layout *l, struct placed *seats, uint32_t count, bool numbered)
{
    for (uint32_t i = 0; i < count; i++)
        numbered = numbered &&
                   integer_of(layout_text(l, layout_seat(l, seats[i].position)->number), &seats[i].number);
    for (uint32_t i = 0; !numbered && i < count; i++)
        seats[i].number = seats[i].position;
    if (!is_sorted(seats, count))
        qsort(seats, count, sizeof(*seats), compare_placed);
    return numbered;
}

/* For a numbered row with seats. */
static int64_t last_number(const struct layout *l, const struct layout_row *r)
{
    int64_t number = 0;
    uint32_t last = r->seats[r->count - 1] & ~LAYOUT_BESIDE;
    bool numbered = integer_of(layout_text(l, layout_seat(l, last)->number), &number);
    ASSERT(numbered);
    return number;
}

/* The row's step after appending these seats, which are sorted. */
static uint32_t step_with(const struct layout *l, const struct layout_row *r, const struct placed *seats,
                          uint32_t count)
{
    uint32_t step = r->step;
    int64_t before = r->count ? last_number(l, r) : seats[0].number;
    ASSERT(r->numbered);
    for (uint32_t i = 0; i < count; i++) {
        int64_t next = seats[i].number - before;
        ASSERT(next >= 0 && next <= UINT32_MAX);
        if (next && (!step || next < step)) /* equal numbers are not a step */
            step = (uint32_t)next;
        before = seats[i].number;
    }
    return step;
}

/* Appends the seats to the row. There must be room in its list. */
static void row_append(const struct layout *l, struct layout_row *r, uint32_t *list,
                       const struct placed *seats, uint32_t count)
{
    int64_t before = r->count && r->numbered ? last_number(l, r) : 0;
    ASSERT(r->count + count <= r->capacity && list == r->seats);
    if (!r->count)
        r->tier = layout_seat(l, seats[0].position)->tier;
    if (r->numbered)
        r->step = step_with(l, r, seats, count);
    for (uint32_t i = 0; i < count; i++) {
        ASSERT(seats[i].number >= before);
        /* A larger step is a gap in the row, such as an aisle; without numbers gaps are unknown. */
        bool beside = r->count > 0 && (!r->numbered || (r->step && seats[i].number == before + r->step));
        bool accessible = layout_accessible(l, seats[i].position);
        before = seats[i].number;
        r->accessible += accessible;
        r->last_run = accessible ? 0 : beside ? r->last_run + 1 : 1;
        r->longest = r->last_run > r->longest ? r->last_run : r->longest;
        if (layout_seat(l, seats[i].position)->tier != r->tier)
            r->tier = LAYOUT_MIXED;
        list[r->count++] = seats[i].position | (beside ? LAYOUT_BESIDE : 0);
    }
    ASSERT(r->last_run <= r->longest && r->longest + r->accessible <= r->count);
}

/* Makes the row again from its old and new seats. */
static void row_remake(struct layout *l, struct layout_row *r, const struct placed *seats, uint32_t count)
{
    uint32_t before = r->count, all = before + count;
    struct placed *placed = memory_get((size_t)all * sizeof(*placed));
    for (uint32_t i = 0; i < before; i++)
        placed[i] = (struct placed){.position = r->seats[i] & ~LAYOUT_BESIDE};
    memcpy(placed + before, seats, count * sizeof(*placed));
    /* A new list: layouts that share the roll still read the old one. */
    l->roll->order_reclaim += r->capacity;
    r->numbered = sort_placed(l, placed, all, true);
    r->count = r->longest = r->last_run = r->step = r->accessible = 0;
    r->capacity = all;
    uint32_t *list = layout_roll_order(l->roll, all);
    r->seats = list;
    row_append(l, r, list, placed, all);
    free(placed);
}

/* Whether the new seats, which are sorted, come after those in the row. */
static bool comes_after(const struct layout *l, const struct layout_row *r, const struct placed *seats,
                        bool numbered)
{
    return !r->count || !r->numbered || (numbered && seats[0].number >= last_number(l, r));
}

static void row_add(struct layout *l, struct layout_row *r, struct placed *seats, uint32_t count)
{
    /* A row that once had a seat without an integer number stays in order of import. */
    ASSERT(count > 0 && r->count <= r->capacity);
    bool numbered = sort_placed(l, seats, count, !r->count || r->numbered);
    if (!r->count)
        r->numbered = numbered;
    /* With a smaller step, seats that were neighbours no longer are. */
    if (!comes_after(l, r, seats, numbered) ||
        (r->step && r->numbered && step_with(l, r, seats, count) < r->step)) {
        row_remake(l, r, seats, count);
        return;
    }
    /* Owned by the roll. Earlier versions have a smaller count and do not see what is appended. */
    uint32_t *list = (uint32_t *)(uintptr_t)r->seats;
    if (r->capacity - r->count < count) {
        l->roll->order_reclaim += r->capacity;
        /* A row imported at once needs no spare room; one that grows will probably grow again. */
        r->capacity = r->count + count + (r->count ? r->count + count : 0);
        list = layout_roll_order(l->roll, r->capacity);
        if (r->count)
            memcpy(list, r->seats, r->count * sizeof(*list));
        r->seats = list;
    }
    row_append(l, r, list, seats, count);
}

/* Adds the new seats, row by row. */
static void seats_place(struct rows_maker *m)
{
    struct layout *l = m->l;
    uint32_t fresh = l->count - m->from, next = 0;
    struct placed *seats = memory_get((size_t)fresh * sizeof(*seats));
    uint32_t *place = memory_get((size_t)l->row_count * sizeof(*place));
    /* A stable counting sort by row. */
    for (uint32_t row = 0; row < l->row_count; row++) {
        place[row] = next;
        next += m->added[row];
    }
    ASSERT(next <= fresh && fresh - next <= l->gone_count);
    for (uint32_t i = m->from; i < l->count; i++)
        if (!layout_is_gone(l, i))
            seats[place[layout_row_of(l, i)]++] = (struct placed){.position = i};
    for (uint32_t row = 0; row < l->row_count; row++)
        if (m->added[row]) /* place[row] is now the end of the row's slice */
            row_add(l, &l->rows[row], seats + place[row] - m->added[row], m->added[row]);
    free(place);
    free(seats);
}

/* ---- The front ---- */

/* The index of the first of `stay`, from `low` on, that does not come before the row. */
static uint32_t before_row(const struct layout *l, const uint32_t *stay, uint32_t low, uint32_t count,
                           uint32_t row)
{
    uint32_t high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_rows(l, stay[middle], row) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void front_make(struct rows_maker *m, const struct layout *base)
{
    struct layout *l = m->l;
    uint32_t *stay = memory_get((size_t)l->row_count * sizeof(*stay));
    uint32_t *moved = memory_get((size_t)l->row_count * sizeof(*moved));
    uint32_t stays = 0, moves = 0, done = 0, next = 0;
    for (uint32_t i = 0; i < m->known; i++)
        if (!m->moved[base->front[i]])
            stay[stays++] = base->front[i];
    for (uint32_t row = 0; row < l->row_count; row++)
        if (m->moved[row])
            moved[moves++] = row;
    ASSERT(stays + moves == l->row_count);
    /* Only rows that moved are sorted, then merged into the others, which are already in order. */
    qsort_r(moved, moves, sizeof(*moved), compare_numbers_of_rows, l);
    l->front = memory_get((size_t)l->row_count * sizeof(*l->front));
    for (uint32_t i = 0; i < moves; i++) {
        uint32_t until = before_row(l, stay, done, stays, moved[i]);
        memcpy(l->front + next, stay + done, (until - done) * sizeof(*stay));
        next += until - done;
        done = until;
        l->front[next++] = moved[i];
    }
    memcpy(l->front + next, stay + done, (stays - done) * sizeof(*stay));
    ASSERT(next + stays - done == l->row_count);
    free(stay);
    free(moved);
}

void layout_rows_make(struct layout *l, const struct layout *base)
{
    struct rows_maker m = {.l = l, .from = base ? base->count : 0};
    ASSERT(!l->rows && !l->front && m.from <= l->count);
    if (l->count == 0)
        return;
    /* Only rows with new seats are processed: the rows of the base are copied. */
    rows_begin(&m, base);
    seats_assign(&m);
    seats_place(&m);
    front_make(&m, base);
    l->rows = memory_grow(l->rows, l->row_count, sizeof(*l->rows));
    free(m.added);
    free(m.moved);
}
