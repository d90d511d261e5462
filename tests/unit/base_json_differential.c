/* SPDX-License-Identifier: Apache-2.0 */
/* Our reader accepts exactly the JSON that jansson accepts (duplicates refused, 16 levels) and reads the same values,
 * over some hundred thousand seeded documents, valid and damaged. JSON_SEED and JSON_DOCUMENTS in the environment
 * choose others and more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>
#include <math.h>
#include <cmocka.h>

#include "base/json/json_reader.h"
#include "../lib/json_documents.h"

static uint64_t chosen(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static size_t levels_of(const json_t *json)
{
    size_t most = 0, index;
    const char *key;
    json_t *value;
    json_array_foreach(json, index, value)
    {
        size_t levels = levels_of(value);
        most = levels > most ? levels : most;
    }
    json_object_foreach((json_t *)json, key, value)
    {
        size_t levels = levels_of(value);
        most = levels > most ? levels : most;
    }
    return most + (json_is_array(json) || json_is_object(json));
}

/* jansson's verdict: the document, or NULL. */
static json_t *yardstick(const char *body, size_t size)
{
    /* It overlooks a zero byte after a number. */
    if (memchr(body, 0, size))
        return NULL;
    json_t *json = json_loadb(body, size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
    if (json && levels_of(json) > JSON_LEVELS_MAX) {
        json_decref(json);
        return NULL;
    }
    return json;
}

static void complain(const char *what, const char *body, size_t size)
{
    fprintf(stderr, "%s: %zu bytes: ", what, size);
    for (size_t i = 0; i < size; i++)
        fprintf(stderr, (uint8_t)body[i] >= 32 && (uint8_t)body[i] < 127 ? "%c" : "<%02x>", (uint8_t)body[i]);
    fputc('\n', stderr);
    fail();
}

struct comparison {
    void *next; /* the next expected member of jansson's object */
    json_t *object;
    size_t element; /* how many elements of its list were read */
    bool same;
};

static bool same_value(const struct json_member *m, const json_t *json)
{
    if (json_is_string(json))
        return m->kind == JSON_MEMBER_TEXT && m->size == json_string_length(json) &&
               memcmp(m->text, json_string_value(json), m->size + 1) == 0;
    if (json_is_number(json))
        return m->kind == JSON_MEMBER_NUMBER && m->number == json_number_value(json);
    return m->kind == (json_is_array(json) ? JSON_MEMBER_LIST : JSON_MEMBER_OTHER);
}

static bool compare_member(void *owner, const struct json_member *m)
{
    struct comparison *c = owner;
    c->same = false;
    if (!c->next || strcmp(json_object_iter_key(c->next), m->name) != 0)
        return false;
    const json_t *value = json_object_iter_value(c->next);
    size_t elements = json_array_size(value);
    if (m->listed)
        value = json_array_get(value, c->element++);
    c->same = value && same_value(m, value);
    if (c->element == elements) {
        c->next = json_object_iter_next(c->object, c->next);
        c->element = 0;
    }
    return c->same;
}

static void check_visit(const char *body, size_t size, json_t *json)
{
    struct comparison c = {.object = json, .next = json_object_iter(json), .same = true};
    bool visited = json_visit(body, size, compare_member, &c);
    if (visited != json_is_object(json) || !c.same || (visited && c.next))
        complain("visited otherwise", body, size);
}

struct wrapped {
    struct json_text_value raw;
    struct json_int_value whole, milli;
};
static const struct json_field no_fields[] = {JSON_END};
static const struct json_field raw_fields[] = {JSON_RAW(struct wrapped, raw, INT64_MAX, JSON_OPTIONAL),
                                               JSON_END};
static const struct json_field whole_fields[] = {
    JSON_INT(struct wrapped, whole, INT64_MIN, INT64_MAX, JSON_OPTIONAL), JSON_END};
static const struct json_field milli_fields[] = {
    JSON_MILLI(struct wrapped, milli, INT32_MIN, INT32_MAX, JSON_OPTIONAL), JSON_END};

/* The document as the only member of an object. */
static bool read_wrapped(const struct json_document *b, const struct json_field *fields, struct arena *arena,
                         struct wrapped *out)
{
    static char body[JSON_DOCUMENT_SIZE_MAX + 32];
    struct json_fault fault;
    int head = snprintf(body, sizeof body, "{\"%s\":", fields->name);
    memcpy(body + head, b->at, b->size);
    body[(size_t)head + b->size] = '}';
    *out = (struct wrapped){0};
    return json_read(body, (size_t)head + b->size + 1, fields, out, arena, &fault);
}

static void check_raw(const struct json_document *b, json_t *json, struct arena *arena)
{
    struct wrapped first, second;
    bool read = read_wrapped(b, raw_fields, arena, &first);
    if (read != (json_is_object(json) && levels_of(json) < JSON_LEVELS_MAX))
        complain("kept otherwise", b->at, b->size);
    if (!read)
        return;
    json_t *again = yardstick(first.raw.text, first.raw.size);
    if (!again || !json_equal(json, again) || strlen(first.raw.text) != first.raw.size)
        complain("kept with another meaning", b->at, b->size);
    json_decref(again);
    struct json_document kept = {.size = first.raw.size};
    memcpy(kept.at, first.raw.text, kept.size);
    if (!read_wrapped(&kept, raw_fields, arena, &second) || strcmp(first.raw.text, second.raw.text) != 0)
        complain("not compact", b->at, b->size);
}

static void check_numbers(const struct json_document *b, json_t *json, struct arena *arena)
{
    struct wrapped out;
    bool read = read_wrapped(b, whole_fields, arena, &out);
    if (read != json_is_integer(json) || (read && out.whole.value != json_integer_value(json)))
        complain("another integer", b->at, b->size);
    double wanted = json_number_value(json) * 1000;
    read = read_wrapped(b, milli_fields, arena, &out);
    bool near = fabs(wanted) < 1e10 && fabs(wanted - trunc(wanted)) > 0.499999 &&
                fabs(wanted - trunc(wanted)) < 0.500001;
    bool within = json_is_number(json) && json_number_value(json) >= INT32_MIN / 1000.0 &&
                  json_number_value(json) <= INT32_MAX / 1000.0;
    if (!near && (read != within || (read && out.milli.value != (int64_t)round(wanted))))
        complain("other thousandths", b->at, b->size);
}

/* True if it is JSON; both must agree. The copy ends where the document does, so that the sanitizer sees a read past
 * it. */
static bool check_document(const struct json_document *b, struct arena *arena)
{
    if (b->size == 0)
        return true; /* the reader's {} */
    char *copy = malloc(b->size);
    memcpy(copy, b->at, b->size);
    json_t *json = yardstick(copy, b->size);
    struct json_fault fault = {.pointer = ""};
    const char *not_object = "Invalid body: expected an object, got ";
    char out;
    /* A number that is too large has a pointer, but is not JSON either. */
    bool accepted = json_read(copy, b->size, no_fields, &out, arena, &fault) ||
                    (fault.pointer[0] && !strstr(fault.detail, "Invalid JSON: ")) ||
                    strncmp(fault.detail, not_object, strlen(not_object)) == 0;
    if (accepted != (json != NULL))
        complain(accepted ? "accepted" : fault.detail, b->at, b->size);
    check_visit(copy, b->size, json);
    if (json) {
        check_raw(b, json, arena);
        check_numbers(b, json, arena);
    }
    json_decref(json);
    free(copy);
    arena_reset(arena);
    return accepted;
}

static void run_documents(uint64_t seed, uint64_t documents, uint32_t spoilt_most)
{
    static struct json_document body;
    struct arena arena;
    arena_init(&arena, 65536);
    struct json_documents d = {chosen("JSON_SEED", seed)};
    documents = chosen("JSON_DOCUMENTS", documents);
    uint64_t accepted = 0;
    for (uint64_t i = 0; i < documents; i++) {
        json_documents_put(&d, &body);
        for (uint32_t left = spoilt_most ? 1 + json_documents_chance(&d, spoilt_most) : 0; left > 0; left--)
            json_documents_spoil(&d, &body);
        accepted += check_document(&body, &arena);
    }
    /* A reference that accepts or refuses nearly everything proves nothing. */
    if (documents >= 1000 && (accepted < documents / 20 || accepted > documents - documents / 20))
        fail_msg("%ju of %ju were JSON", (uintmax_t)accepted, (uintmax_t)documents);
    arena_release(&arena);
}

static void differential_agrees_on_documents(void **state)
{
    (void)state;
    run_documents(1, 100000, 0);
}

static void differential_agrees_on_spoilt_documents(void **state)
{
    (void)state;
    run_documents(2, 200000, 3);
}

static void differential_agrees_on_numbers(void **state)
{
    (void)state;
    static struct json_document body;
    struct arena arena;
    arena_init(&arena, 65536);
    struct json_documents d = {chosen("JSON_SEED", 3)};
    for (int i = 0; i < 100000; i++) {
        body.size = 0;
        json_documents_put_number(&d, &body);
        if (json_documents_chance(&d, 4) == 0)
            json_documents_spoil(&d, &body);
        check_document(&body, &arena);
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differential_agrees_on_documents),
        cmocka_unit_test(differential_agrees_on_spoilt_documents),
        cmocka_unit_test(differential_agrees_on_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
