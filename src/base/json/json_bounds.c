/* SPDX-License-Identifier: Apache-2.0 */
/* json_bounds.c — of json_reader.h: how many names and values a document of a table can have. */
#include "base/json/json_reader.h"

/* Slack on top of the table's own room: a small excess still gets the error that names the unknown field. */
#define NAMES_MORE 64
#define VALUES_MORE 1024
#define RAW_NAME_SIZE 5  /* "":0, */
#define RAW_VALUE_SIZE 2 /* 0, */

struct count {
    uint64_t names;  /* of the object that has the most */
    uint64_t values; /* of all, names included */
};

static struct count count_object(const struct json_field *fields);

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static struct count count_value(const struct json_field *field)
{
    uint64_t most = (uint64_t)field->most;
    struct count inside;
    switch (field->kind) {
    case JSON_KIND_OBJECT:
        return count_object(field->fields);
    case JSON_KIND_LIST:
        inside = count_object(field->fields);
        return (struct count){inside.names, 1 + most * inside.values};
    case JSON_KIND_TEXTS:
        return (struct count){0, 1 + most};
    case JSON_KIND_MAP:
        inside = count_value(field->fields);
        return (struct count){greater(most, inside.names), 1 + most * (1 + inside.values)};
    case JSON_KIND_RAW:
        return (struct count){most / RAW_NAME_SIZE, most / RAW_VALUE_SIZE};
    default:
        return (struct count){0, 1};
    }
}

static struct count count_object(const struct json_field *fields)
{
    struct count all = {0, 1};
    uint64_t own = 0;
    for (; fields->kind != JSON_KIND_END; fields++, own++) {
        struct count value = count_value(fields);
        all.names = greater(all.names, value.names);
        all.values += 1 + value.values;
    }
    all.names = greater(all.names, own);
    return all;
}

struct json_bounds json_bounds_of(const struct json_field *fields, uint64_t most)
{
    struct count one = count_object(fields);
    uint64_t values = 1 + most * one.values + VALUES_MORE;
    return (struct json_bounds){
        .names = (uint32_t)one.names + NAMES_MORE,
        .values = values < UINT32_MAX ? (uint32_t)values : UINT32_MAX,
    };
}

size_t json_struct_size(const struct json_field *fields)
{
    static const size_t sizes[] = {
        [JSON_KIND_TEXT] = sizeof(struct json_text_value),
        [JSON_KIND_INT] = sizeof(struct json_int_value),
        [JSON_KIND_MILLI] = sizeof(struct json_int_value),
        [JSON_KIND_NUMBER] = sizeof(struct json_number_value),
        [JSON_KIND_BOOL] = sizeof(struct json_bool_value),
        [JSON_KIND_TIME] = sizeof(struct json_int_value),
        [JSON_KIND_OBJECT] = sizeof(struct json_object_value),
        [JSON_KIND_LIST] = sizeof(struct json_list_value),
        [JSON_KIND_TEXTS] = sizeof(struct json_list_value),
        [JSON_KIND_IGNORED] = 0,
        [JSON_KIND_MAP] = sizeof(struct json_list_value),
        [JSON_KIND_RAW] = sizeof(struct json_text_value),
    };
    size_t size = 0;
    for (; fields->kind != JSON_KIND_END; fields++) {
        size_t inside = fields->kind == JSON_KIND_OBJECT ? json_struct_size(fields->fields) : 0;
        size = greater(size, fields->offset + greater(sizes[fields->kind], inside));
    }
    return size;
}
