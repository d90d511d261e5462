/* SPDX-License-Identifier: Apache-2.0 */
#include "http/claim/reservation_csv.h"

#include <string.h>

#include "http/claim/item_kinds.h"
#include "http/record/csv_cell.h"
#include "http/record/encode.h"

/* Of a row without the texts of users: ids, words, times, numbers, commas. */
#define ROW_SIZE_MAX 1024

/* The columns in order: those of the reservation, the item, the payment, and ITEM_CSV. */
/* clang-format off */
#define EXTRA_NAME(name, ...) "," #name
#define EXTRA_EXAMPLE(name, value, example) "," example
#define NAMES "reservation_id,pnr,status,user_id,created_at,expires_at,confirmed_at,ended_at,total,currency,attributes," \
    "item_id,event,seat,pool,quantity,calendar,service,start,end,price,payment_method,payment_ref,payment_recorded_at" \
    ITEM_CSV(EXTRA_NAME) "\r\n"
/* clang-format on */
const char reservation_csv_example[] =
    NAMES "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E,K7QX2M,confirmed,ann,2030-06-03T08:00:00.000Z,"
          "2030-06-03T08:10:00.000Z,2030-06-03T08:02:11.000Z,,4500,EUR,\"{\"\"channel\"\":\"\"web\"\"}\","
          "1,arena,A15,,1,,,,,4500,card,pi_123,2030-06-03T08:02:11.000Z" ITEM_CSV(EXTRA_EXAMPLE) "\r\n";

static void put_reservation(struct buf *out, const struct reservation_image *r)
{
    char id[ENCODE_ID_SIZE], pnr[PNR_SIZE];
    const char *status = reservation_status_name(r->status);
    encode_id(ENCODE_RESERVATION, r->id, id);
    pnr_write(r->number, pnr);
    buf_append(out, id, sizeof(id));
    csv_cell_text(out, (struct text){pnr, sizeof(pnr)});
    csv_cell_text(out, (struct text){status, strlen(status)});
    csv_cell_text(out, r->user_id);
    csv_cell_time(out, r->created_at_ms);
    csv_cell_time(out, r->expires_at_ms);
    csv_cell_time(out, r->confirmed_at_ms);
    csv_cell_time(out, r->ended_at_ms);
    csv_cell_number(out, reservation_image_total(r));
    csv_cell_text(out, (struct text){r->currency, 3});
    csv_cell_text(out, r->attributes);
}

/* The column of a kind has the kind's name. */
static void put_part(struct buf *out, const struct item_image *item, const char *column)
{
    csv_cell_text(out, strcmp(item_kind_name(item->kind), column) == 0 ? item->part_id : (struct text){0});
}

static void put_item(struct buf *out, const struct item_image *item)
{
    const struct text none = {0};
    bool slot = item_kind_timed(item->kind);
    csv_cell_number(out, item->item_id);
    csv_cell_text(out, slot ? none : item->resource_id);
    put_part(out, item, "seat");
    put_part(out, item, "pool");
    csv_cell_number(out, item->quantity);
    csv_cell_text(out, slot ? item->resource_id : none);
    csv_cell_text(out, slot ? item->part_id : none);
    csv_cell_time(out, item->start_ms);
    csv_cell_time(out, item->end_ms);
    csv_cell_number(out, item->price);
}

static void put_payment(struct buf *out, const struct reservation_image *r)
{
    csv_cell_text(out, r->payment_method);
    csv_cell_text(out, r->payment_ref);
    csv_cell_time(out, r->payment_recorded_at_ms);
}

static void put_extras(struct buf *out, const struct item_image *item)
{
#define EXTRA(name, value, ...) csv_cell_text(out, value);
    ITEM_CSV(EXTRA)
#undef EXTRA
    buf_append(out, "\r\n", 2);
}

void reservation_csv_begin(struct buf *out)
{
    buf_append(out, NAMES, sizeof(NAMES) - 1);
}

void reservation_csv_write(struct buf *out, const struct reservation_image *r)
{
    for (uint32_t i = 0; i < r->item_count; i++) {
        put_reservation(out, r);
        put_item(out, &r->items[i]);
        put_payment(out, r);
        put_extras(out, &r->items[i]);
    }
    if (r->item_count > 0)
        return;
    put_reservation(out, r);
    buf_append(out, ",,,,,,,,,,", 10);
    put_payment(out, r);
    put_extras(out, &(struct item_image){0});
}

size_t reservation_csv_bound(const struct reservation_image *r)
{
    /* In the worst case a text is all quotes, which double. */
    size_t extras = 0;
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item_image *item = &r->items[i];
#define EXTRA(name, value, ...) extras += (value).size;
        ITEM_CSV(EXTRA)
#undef EXTRA
    }
    return 2 * extras +
           (r->item_count + 1) * (ROW_SIZE_MAX + 2 * (r->user_id.size + r->attributes.size +
                                                      r->payment_method.size + r->payment_ref.size));
}
