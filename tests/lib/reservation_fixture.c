/* SPDX-License-Identifier: Apache-2.0 */
#include "reservation_fixture.h"

const struct item_image fixture_items[3] = {
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
     .start_ms = FIXTURE_NOW_MS,
     .end_ms = FIXTURE_NOW_MS + 1800000,
     .until_ms = FIXTURE_NOW_MS + 2400000,
     .resource_id = TEXT("dr_smith"),
     .part_id = TEXT("check-up")},
};

struct reservation_image fixture_held(const struct item_image *items, uint32_t count)
{
    return (struct reservation_image){
        .id = {0x0190000000000000, 1},
        .number = 1,
        .fence = 184467,
        .version = 1,
        .status = RESERVATION_HELD,
        .user_id = TEXT("user_xyz"),
        .created_at_ms = FIXTURE_NOW_MS,
        .expires_at_ms = FIXTURE_NOW_MS + 600000,
        .max_expires_at_ms = FIXTURE_NOW_MS + 900000,
        .currency = "EUR",
        .items = items,
        .item_count = count,
    };
}
