/* SPDX-License-Identifier: Apache-2.0 */
/* Rings and disks, from neighbour to neighbour, in integers.
 *
 * A step adds a unit to the finest digit and carries to the coarser ones, as with decimal digits; six steps in seven
 * carry nothing. A carry out of the coarsest digit leads to the next base cell, whose directions may be turned, so a
 * step also returns that turn.
 *
 * A ring is walked along its six sides. That fails when the ring contains a pentagon, where one sixth of the way is
 * missing: the walk steps on it, or returns to its start turned. Then, and at resolutions so coarse that a ring may
 * enclose several pentagons, the cells are found by breadth-first search. */
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/geo/h3_locate.h"
#include "base/memory/memory.h"

#define WALK_RESOLUTION_MIN 4 /* from here on no two pentagons are within 2 * H3_DISTANCE_MAX of each other */

struct step {
    h3_cell cell; /* H3_NONE: there is none in that direction */
    int turn;     /* from a direction before to the same one after */
};

/* Leaves the base cell in the direction of a digit; the other digits are already those of the neighbour, but for the
 * turn. */
static struct step over_to_base(h3_cell cell, int resolution, int unit)
{
    struct h3_seen next = H3_BASE_NEIGHBOURS[h3_base(cell)][unit];
    int turn = next.turn;
    cell = h3_turned(h3_with_base(cell, next.base), turn);
    if (H3_BASES[next.base].is_pentagon && resolution > 0) {
        int back = H3_TURNED[(turn + 3) % 6][unit];
        int more = h3_gap_turn(h3_lead(cell, resolution), back);
        cell = h3_turned(cell, more);
        turn = (turn + more) % 6;
    }
    return (struct step){cell, turn};
}

static struct step step_of_pentagon(h3_cell before, h3_cell after, int resolution, int carry)
{
    int from = resolution == 0 ? H3_DIGIT_CENTRE : h3_lead(before, resolution);
    int to = carry != 0 ? carry : h3_lead(after, resolution);
    if (from == H3_DIGIT_CENTRE && to == H3_DIGIT_K)
        return (struct step){H3_NONE, 0};
    int turn = h3_gap_turn(to, from);
    after = h3_turned(after, turn);
    if (carry == 0)
        return (struct step){after, turn};
    struct step over = over_to_base(after, resolution, H3_TURNED[turn][carry]);
    over.turn = (over.turn + turn) % 6;
    return over;
}

static struct step step_to(h3_cell cell, int direction)
{
    int resolution = h3_resolution(cell), carry = H3_DIGITS[direction];
    h3_cell after = cell;
    for (int r = resolution; r > 0 && carry != 0; r--) {
        struct h3_sum sum = H3_SUMS[r % 2][h3_digit(cell, r)][carry];
        after = h3_with_digit(after, r, sum.digit);
        carry = sum.carry;
    }
    if (H3_BASES[h3_base(cell)].is_pentagon)
        return step_of_pentagon(cell, after, resolution, carry);
    return carry == 0 ? (struct step){after, 0} : over_to_base(after, resolution, carry);
}

/* A cell on its way, and how much the way has turned since it began. */
struct walker {
    h3_cell cell;
    int turn;
};

/* One step in a direction as it was at the beginning; false: there is a pentagon. */
static bool walk(struct walker *w, int direction)
{
    struct step s = step_to(w->cell, (direction + w->turn) % 6);
    if (s.cell == H3_NONE || h3_is_pentagon(s.cell))
        return false;
    *w = (struct walker){s.cell, (w->turn + s.turn) % 6};
    return true;
}

/* Round the ring from its corner in direction 0, where the walker is and will be again. */
static bool walk_round(struct walker *w, int k, h3_cell *cells)
{
    struct walker start = *w;
    for (int side = 0; side < 6; side++)
        for (int i = 0; i < k; i++) {
            *cells++ = w->cell;
            if (!walk(w, (side + 2) % 6))
                return false;
        }
    return w->cell == start.cell && w->turn == start.turn;
}

static bool may_walk(h3_cell origin)
{
    return h3_resolution(origin) >= WALK_RESOLUTION_MIN && !h3_is_pentagon(origin);
}

/* Numbers of `cells`, plus one, by hash. */
struct seen {
    uint16_t *slots;
    unsigned mask;
};

/* Whether the cell was not among them; then it is the one with this number. */
static bool see(struct seen *s, const h3_cell *cells, h3_cell cell, int number)
{
    unsigned i = (unsigned)(cell * 0x9e3779b97f4a7c15 >> 40) & s->mask;
    for (; s->slots[i] != 0; i = (i + 1) & s->mask)
        if (cells[s->slots[i] - 1] == cell)
            return false;
    s->slots[i] = (uint16_t)(number + 1);
    return true;
}

/* The disk; returns how many cells it has, and in *ring how many of them come before the last ring. */
static int search(h3_cell origin, int k, h3_cell *cells, int *distances, int *ring)
{
    struct seen seen = {.mask = 15};
    while (seen.mask < 2 * (unsigned)H3_DISK_MAX(k))
        seen.mask = 2 * seen.mask + 1;
    seen.slots = memory_zeroed(seen.mask + 1, sizeof *seen.slots);
    int count = 0, from = 0, until = 0;
    see(&seen, cells, origin, count);
    cells[count++] = origin;
    for (int distance = 1; distance <= k; distance++) {
        from = until;
        until = count;
        for (int i = from; i < until; i++)
            for (int direction = 0; direction < 6; direction++) {
                h3_cell cell = step_to(cells[i], direction).cell;
                if (cell == H3_NONE || !see(&seen, cells, cell, count))
                    continue;
                ASSERT(count < H3_DISK_MAX(k));
                if (distances != NULL)
                    distances[count] = distance;
                cells[count++] = cell;
            }
    }
    free(seen.slots);
    if (distances != NULL)
        distances[0] = 0;
    *ring = until;
    return count;
}

int h3_ring(h3_cell origin, int k, h3_cell *cells)
{
    ASSERT(k >= 0 && k <= H3_DISTANCE_MAX);
    if (k == 0) {
        *cells = origin;
        return 1;
    }
    struct walker w = {origin, 0};
    bool walked = may_walk(origin);
    for (int i = 0; i < k && walked; i++)
        walked = walk(&w, 0);
    if (walked && walk_round(&w, k, cells))
        return 6 * k;
    h3_cell *disk = memory_zeroed((size_t)H3_DISK_MAX(k), sizeof *disk);
    int ring, count = search(origin, k, disk, NULL, &ring);
    memcpy(cells, disk + ring, (size_t)(count - ring) * sizeof *cells);
    free(disk);
    return count - ring;
}

int h3_disk(h3_cell origin, int k, h3_cell *cells, int *distances)
{
    ASSERT(k >= 0 && k <= H3_DISTANCE_MAX);
    struct walker w = {origin, 0};
    bool walked = may_walk(origin);
    int count = 0;
    cells[count++] = origin;
    for (int distance = 1; distance <= k && walked; distance++) {
        walked = walk(&w, 0) && walk_round(&w, distance, cells + count);
        for (int i = 0; i < 6 * distance && distances != NULL; i++)
            distances[count + i] = distance;
        count += 6 * distance;
    }
    int ring;
    if (!walked)
        return search(origin, k, cells, distances, &ring);
    if (distances != NULL)
        distances[0] = 0;
    return count;
}
