/* SPDX-License-Identifier: Apache-2.0 */
/* json_read with any bytes and the table of a reservation request. An accepted body must be within the table's bounds;
 * a refused one must have a pointer and a sentence. */
#include <string.h>

#include "base/assertion.h"
#include "base/json/json_reader.h"
#include "base/text/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz_best {
    struct json_object_value object;
    struct json_int_value quantity;
    struct json_text_value section;
    struct json_bool_value adjacent;
};

struct fuzz_item {
    struct json_text_value event, seat, pool;
    struct json_int_value quantity, start, x;
    struct fuzz_best best;
};

struct fuzz_request {
    struct json_text_value user_id, attributes;
    struct json_int_value ttl_seconds, until;
    struct json_bool_value commit;
    struct json_list_value items, ids;
    struct fuzz_best room;
};

static const struct json_field fuzz_best_fields[] = {
    JSON_INT(struct fuzz_best, quantity, 1, 100, JSON_REQUIRED),
    JSON_TEXT(struct fuzz_best, section, 1, 64, JSON_OPTIONAL),
    JSON_BOOL(struct fuzz_best, adjacent, JSON_OPTIONAL),
    JSON_END,
};

static const struct json_field fuzz_item_fields[] = {
    JSON_TEXT(struct fuzz_item, event, 1, 64, JSON_REQUIRED),
    JSON_TEXT(struct fuzz_item, seat, 1, 64, JSON_OPTIONAL),
    JSON_TEXT(struct fuzz_item, pool, 1, 64, JSON_NULLABLE),
    JSON_INT(struct fuzz_item, quantity, 1, INT64_MAX, JSON_OPTIONAL),
    JSON_TIME(struct fuzz_item, start, JSON_OPTIONAL),
    JSON_MILLI(struct fuzz_item, x, -1000000, 1000000, JSON_OPTIONAL),
    JSON_OBJECT(struct fuzz_item, best, fuzz_best_fields, JSON_OPTIONAL),
    JSON_END,
};

static const struct json_field fuzz_fields[] = {
    JSON_TEXT(struct fuzz_request, user_id, 1, 128, JSON_OPTIONAL),
    JSON_RAW(struct fuzz_request, attributes, 64, JSON_OPTIONAL),
    JSON_INT(struct fuzz_request, ttl_seconds, 1, 86400, JSON_OPTIONAL),
    JSON_TIME(struct fuzz_request, until, JSON_NULLABLE),
    JSON_BOOL(struct fuzz_request, commit, JSON_OPTIONAL),
    JSON_LIST(struct fuzz_request, items, struct fuzz_item, fuzz_item_fields, 1, 5, JSON_OPTIONAL),
    JSON_TEXTS(struct fuzz_request, ids, 0, 5, JSON_OPTIONAL),
    JSON_OBJECT(struct fuzz_request, room, fuzz_best_fields, JSON_NULLABLE),
    JSON_END,
};

static void fuzz_check_text(struct json_text_value value, size_t least, size_t most)
{
    if (!value.text)
        return;
    ASSERT(value.size >= least && value.size <= most);
    ASSERT(strlen(value.text) == value.size);
    ASSERT(utf8_valid(value.text, value.size));
}

static void fuzz_check_int(struct json_int_value value, int64_t least, int64_t most)
{
    ASSERT(!value.given || value.is_null || (value.value >= least && value.value <= most));
}

static void fuzz_check_items(const struct fuzz_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ASSERT(items[i].event.text);
        fuzz_check_text(items[i].event, 1, 64);
        fuzz_check_text(items[i].seat, 1, 64);
        fuzz_check_text(items[i].pool, 1, 64);
        fuzz_check_int(items[i].quantity, 1, INT64_MAX);
        fuzz_check_int(items[i].x, -1000000, 1000000);
        ASSERT(!items[i].best.object.given || items[i].best.quantity.given);
    }
}

static void fuzz_check_request(const struct fuzz_request *request)
{
    fuzz_check_text(request->user_id, 1, 128);
    fuzz_check_text(request->attributes, 2, 64);
    fuzz_check_int(request->ttl_seconds, 1, 86400);
    ASSERT(!request->items.given || (request->items.count >= 1 && request->items.count <= 5));
    fuzz_check_items(request->items.entries, request->items.count);
    const struct json_text_value *ids = request->ids.entries;
    ASSERT(request->ids.count <= 5);
    for (size_t i = 0; i < request->ids.count; i++)
        fuzz_check_text(ids[i], 0, SIZE_MAX);
}

static void fuzz_check_fault(const struct json_fault *fault)
{
    size_t size = strnlen(fault->pointer, sizeof fault->pointer);
    ASSERT(size < sizeof fault->pointer && utf8_valid(fault->pointer, size));
    ASSERT(size == 0 || fault->pointer[0] == '/');
    size = strnlen(fault->detail, sizeof fault->detail);
    ASSERT(size > 0 && size < sizeof fault->detail && fault->detail[size - 1] == '.');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    arena_init(&arena, 512);
    struct fuzz_request request = {0};
    struct json_fault fault;
    memset(&fault, 0xff, sizeof fault);
    if (json_read((const char *)data, size, fuzz_fields, &request, &arena, &fault))
        fuzz_check_request(&request);
    else
        fuzz_check_fault(&fault);
    void *entries;
    size_t count;
    if (json_read_list((const char *)data, size, fuzz_item_fields, sizeof(struct fuzz_item), 5, &entries,
                       &count, &arena, &fault))
        fuzz_check_items(entries, count);
    arena_release(&arena);
    return 0;
}
