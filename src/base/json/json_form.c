/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/json/json_reader.h"

bool json_named(const char *names, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = names; *at; at += strspn(at, " ")) {
        size_t next = strcspn(at, " ");
        if (next == size && memcmp(at, name, size) == 0)
            return true;
        at += next;
    }
    return false;
}

bool json_given(const struct json_field *field, const void *object)
{
    const void *value = (const char *)object + field->offset;
    switch (field->kind) {
    case JSON_KIND_TEXT:
    case JSON_KIND_RAW:
        return ((const struct json_text_value *)value)->text;
    case JSON_KIND_INT:
    case JSON_KIND_MILLI:
    case JSON_KIND_TIME:
        return ((const struct json_int_value *)value)->given;
    case JSON_KIND_NUMBER:
        return ((const struct json_number_value *)value)->given;
    case JSON_KIND_BOOL:
        return ((const struct json_bool_value *)value)->given;
    case JSON_KIND_OBJECT:
        return ((const struct json_object_value *)value)->given;
    case JSON_KIND_LIST:
    case JSON_KIND_TEXTS:
    case JSON_KIND_MAP:
        return ((const struct json_list_value *)value)->given;
    case JSON_KIND_IGNORED: /* has no value */
    case JSON_KIND_END:
        break;
    }
    ASSERT(false);
}

enum json_fit json_form_fit(const struct json_form *forms, const struct json_field *field, const char *key)
{
    bool any = false, all = true;
    for (const struct json_form *form = forms; form->name; form++) {
        if (!json_named(form->needs, key))
            continue;
        bool needs = json_named(form->needs, field->name);
        any = any || needs || json_named(form->may, field->name);
        all = all && needs;
    }
    return !any ? JSON_FOREIGN : all ? JSON_NEEDED : JSON_ALLOWED;
}

void json_words_write(const char *(*word)(unsigned index), char out[JSON_WORDS_SIZE])
{
    bool two = word(0) && word(1) && !word(2);
    snprintf(out, JSON_WORDS_SIZE, "%s", two ? "" : "one of ");
    for (unsigned i = 0; word(i); i++) {
        size_t size = strlen(out);
        snprintf(out + size, JSON_WORDS_SIZE - size, "%s%s", i == 0 ? "" : two ? " or " : ", ", word(i));
    }
}
