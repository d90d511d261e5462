/* SPDX-License-Identifier: Apache-2.0 */
/* encode.c — writes one reservation as JSON so many times: `encode WHICH CALLS`. Run by bench/encode/run under
 * callgrind; `encode` alone lists which there are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http/record/encode.h"

#define NOW_MS 1796299200000 /* 2026-12-03T12:00:00Z */
#define JSON_MAX 65536

static const struct item_image seat[] = {
    {.item_id = 1,
     .kind = ITEM_SEAT,
     .quantity = 1,
     .price = 12000,
     .resource_id = TEXT("eras"),
     .part_id = TEXT("A15")},
};

static const struct item_image mixed[] = {
    {.item_id = 1,
     .kind = ITEM_SEAT,
     .quantity = 1,
     .price = 12000,
     .resource_id = TEXT("eras"),
     .part_id = TEXT("A15")},
    {.item_id = 2,
     .kind = ITEM_POOL,
     .quantity = 2,
     .price = 1000,
     .resource_id = TEXT("eras"),
     .part_id = TEXT("floor")},
    {.item_id = 7,
     .kind = ITEM_SLOT,
     .quantity = 1,
     .start_ms = NOW_MS,
     .end_ms = NOW_MS + 1800000,
     .until_ms = NOW_MS + 2400000,
     .resource_id = TEXT("dr_smith"),
     .part_id = TEXT("check-up")},
};

static struct reservation_image held(const struct item_image *items, uint32_t count)
{
    return (struct reservation_image){
        .id = {0x0190000000000000, 1},
        .number = 1,
        .fence = 184467,
        .version = 1,
        .status = RESERVATION_HELD,
        .user_id = TEXT("user_xyz"),
        .created_at_ms = NOW_MS,
        .expires_at_ms = NOW_MS + 600000,
        .max_expires_at_ms = NOW_MS + 900000,
        .currency = "EUR",
        .items = items,
        .item_count = count,
    };
}

static struct reservation_image confirmed(const struct item_image *items, uint32_t count)
{
    struct reservation_image r = held(items, count);
    r.status = RESERVATION_CONFIRMED;
    r.version = 2;
    r.confirmed_at_ms = NOW_MS + 60000;
    r.attributes = TEXT("{\"channel\":\"web\",\"name\":\"Ann\"}");
    r.ticket_key[0] = 0x0123456789abcdef;
    r.ticket_key[1] = 0xfedcba9876543210;
    return r;
}

static bool choose(const char *which, struct reservation_image *out)
{
    if (strcmp(which, "held_seat") == 0)
        *out = held(seat, 1);
    else if (strcmp(which, "held_mixed") == 0)
        *out = held(mixed, 3);
    else if (strcmp(which, "confirmed_mixed") == 0)
        *out = confirmed(mixed, 3);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    struct reservation_image image;
    if (argc != 3 || !choose(argv[1], &image)) {
        fputs("held_seat\nheld_mixed\nconfirmed_mixed\n", stdout);
        return argc == 1 ? 0 : 64;
    }
    /* Unknown to the compiler, so that it does not write a special case of its own. */
    const struct reservation_image *volatile shown = &image;
    struct buf out;
    buf_init(&out, JSON_MAX);
    for (long calls = strtol(argv[2], NULL, 10); calls > 0; calls--) {
        buf_clear(&out);
        struct json_writer writer = json_writer_make(&out);
        encode_reservation(&writer, shown, NOW_MS);
    }
    printf("%.*s\n", (int)out.size, (const char *)out.data);
    buf_release(&out);
    return 0;
}
