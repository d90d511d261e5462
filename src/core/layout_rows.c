/* SPDX-License-Identifier: Apache-2.0 */
#include "core/layout_rows.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"
#include "core/layout.h"

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

/* One seat on its way into a row. */
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

static int compare_rows(const void *a, const void *b, void *layout)
{
    const struct layout_row *x = a, *y = b;
    const struct layout *l = layout;
    if (x->has_y != y->has_y)
        return x->has_y ? -1 : 1;
    if (x->has_y && x->y_milli != y->y_milli)
        return x->y_milli < y->y_milli ? -1 : 1;
    int order = natural_compare(layout_text(l, x->section), layout_text(l, y->section));
    if (!order)
        order = natural_compare(layout_text(l, x->row), layout_text(l, y->row));
    return order ? order : (x->first > y->first) - (x->first < y->first); /* "A1" and "A01" */
}

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

/* Finds the row of (section, row label), or makes it. The table holds row numbers + 1. */
static uint32_t row_find(struct layout *l, uint32_t **table, uint32_t *mask, uint32_t section, uint32_t row)
{
    if (!*table || l->row_count * 2 > *mask) {
        free(*table);
        *mask = *mask ? *mask * 2 + 1 : 255;
        *table = memory_zeroed((size_t)*mask + 1, sizeof(**table));
        l->rows = memory_grow(l->rows, (size_t)*mask + 1, sizeof(*l->rows));
        for (uint32_t i = 0; i < l->row_count; i++) {
            uint32_t at = (l->rows[i].section * 2654435761u ^ l->rows[i].row * 40503u) & *mask;
            while ((*table)[at])
                at = (at + 1) & *mask;
            (*table)[at] = i + 1;
        }
    }
    uint32_t at = (section * 2654435761u ^ row * 40503u) & *mask;
    for (; (*table)[at]; at = (at + 1) & *mask) {
        struct layout_row *r = &l->rows[(*table)[at] - 1];
        if (r->section == section && r->row == row)
            return (*table)[at] - 1;
    }
    l->rows[l->row_count] = (struct layout_row){.section = section, .row = row};
    (*table)[at] = ++l->row_count;
    return l->row_count - 1;
}

static void row_fill(struct layout *l, uint32_t row, struct placed *seats)
{
    struct layout_row *r = &l->rows[row];
    bool numbered = true;
    for (uint32_t i = 0; i < r->count; i++)
        numbered =
            numbered && integer_of(layout_text(l, l->seats[seats[i].position].number), &seats[i].number);
    for (uint32_t i = 0; !numbered && i < r->count; i++)
        seats[i].number = seats[i].position;
    qsort(seats, r->count, sizeof(*seats), compare_placed);
    uint32_t run = 0;
    r->tier = l->seats[seats[0].position].tier;
    for (uint32_t i = 0; i < r->count; i++) {
        bool beside = i > 0 && (!numbered || seats[i].number == seats[i - 1].number + 1);
        run = beside ? run + 1 : 1;
        r->longest = run > r->longest ? run : r->longest;
        if (l->seats[seats[i].position].tier != r->tier)
            r->tier = LAYOUT_MIXED;
        l->order[r->first + i] = seats[i].position | (beside ? LAYOUT_BESIDE : 0);
        l->row_of[seats[i].position] = row;
    }
}

void layout_rows_make(struct layout *l)
{
    if (l->count == 0)
        return;
    uint32_t *table = NULL, mask = 0;
    l->row_of = memory_get((size_t)l->count * sizeof(*l->row_of));
    l->order = memory_get((size_t)l->count * sizeof(*l->order));
    for (uint32_t i = 0; i < l->count; i++) {
        struct seat_image seat;
        layout_seat_image(l, i, &seat);
        l->row_of[i] =
            row_find(l, &table, &mask, l->seats[i].section, l->seats[i].row); /* may move the rows */
        struct layout_row *r = &l->rows[l->row_of[i]];
        r->count++;
        if (seat.has_y && (!r->has_y || seat.y_milli < r->y_milli)) {
            r->has_y = true;
            r->y_milli = seat.y_milli;
        }
        r->first =
            r->count == 1 ? i : r->first; /* for the time being: the first position, to find it again */
    }
    free(table);

    /* After sorting, each row finds its seats' old row number through its first position. */
    uint32_t *old_row = memory_get((size_t)l->row_count * sizeof(*old_row));
    uint32_t *new_row = memory_get((size_t)l->row_count * sizeof(*new_row));
    qsort_r(l->rows, l->row_count, sizeof(*l->rows), compare_rows, l);
    uint32_t next = 0;
    for (uint32_t i = 0; i < l->row_count; i++) {
        old_row[i] = l->row_of[l->rows[i].first];
        l->rows[i].first = next;
        next += l->rows[i].count;
    }
    for (uint32_t i = 0; i < l->row_count; i++)
        new_row[old_row[i]] = i;
    ASSERT(next == l->count);

    struct placed *seats = memory_get((size_t)l->count * sizeof(*seats));
    uint32_t *filled = memory_zeroed(l->row_count, sizeof(*filled));
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t row = new_row[l->row_of[i]];
        seats[l->rows[row].first + filled[row]++] = (struct placed){.position = i};
    }
    for (uint32_t i = 0; i < l->row_count; i++)
        row_fill(l, i, seats + l->rows[i].first);
    free(seats);
    free(filled);
    free(old_row);
    free(new_row);
    l->rows = memory_grow(l->rows, l->row_count, sizeof(*l->rows));
}
