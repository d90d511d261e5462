/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/single.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/text/digits.h"

static void write_seat(struct buf *out, uint32_t seat)
{
    if (seat == SINGLE_NO_SEAT)
        buf_printf(out, " -");
    else
        buf_printf(out, " %u", seat);
}

void single_write(struct buf *out, const struct single *single)
{
    ASSERT(single->event && single->since && single->seat != SINGLE_NO_SEAT);
    buf_printf(out, "%s%llu", out->size ? ";" : "", (unsigned long long)single->event);
    write_seat(out, single->seat);
    write_seat(out, single->beside[0]);
    write_seat(out, single->beside[1]);
    buf_printf(out, " %llu", (unsigned long long)single->since);
}

/* Removes and returns the bytes before the next separator, and drops the separator. */
static struct text take_word(struct text *rest, char separator)
{
    size_t size = 0;
    while (size < rest->size && rest->at[size] != separator)
        size++;
    struct text word = {rest->at, size};
    size_t skipped = size < rest->size ? size + 1 : size;
    *rest = (struct text){rest->at + skipped, rest->size - skipped};
    return word;
}

static bool read_number(struct text *rest, uint64_t most, uint64_t *out)
{
    struct text word = take_word(rest, ' ');
    return digits_read(word.at, word.size, out) && *out <= most;
}

static bool read_seat(struct text *rest, uint32_t *out)
{
    struct text before = *rest;
    uint64_t number;
    *out = SINGLE_NO_SEAT;
    if (text_equal(take_word(rest, ' '), TEXT("-")))
        return true;
    *rest = before;
    if (!read_number(rest, SEATS_MAX, &number))
        return false;
    *out = (uint32_t)number;
    return true;
}

bool single_read(struct text *rest, struct single *out)
{
    if (!rest->size)
        return false;
    struct text one = take_word(rest, ';');
    return read_number(&one, UINT64_MAX, &out->event) && read_seat(&one, &out->seat) &&
           out->seat != SINGLE_NO_SEAT && read_seat(&one, &out->beside[0]) &&
           read_seat(&one, &out->beside[1]) && read_number(&one, UINT64_MAX, &out->since) && !one.size;
}

bool singles_sound(struct text singles)
{
    struct single single;
    uint32_t count = 0;
    bool sound = singles.size <= SINGLES_SIZE_MAX && !(singles.at && !singles.size);
    while (sound && singles.size)
        sound = ++count <= SINGLES_MAX && single_read(&singles, &single);
    return sound;
}

bool single_still_alone(const struct single *single, const struct single_seat *seat,
                        const struct single_seat beside[2])
{
    if (seat->claimed || seat->off_sale || seat->version > single->since)
        return false;
    for (int i = 0; i < 2; i++) {
        const struct single_seat *next = &beside[i];
        /* A neighbour claimed again was free in between; but not if it is off sale, no matter who claims it. */
        bool taken = (next->claimed && next->off_sale) ||
                     ((next->claimed || next->off_sale) && next->version <= single->since);
        if (single->beside[i] != SINGLE_NO_SEAT && !taken)
            return false;
    }
    return true;
}
