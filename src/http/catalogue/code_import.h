/* SPDX-License-Identifier: Apache-2.0 */
/* code_import.h — reads codes from a JSON array or a CSV text; one invalid code makes the whole import invalid.
 *
 * In CSV the tiers of one code are separated by semicolons or spaces; an empty field counts as not given. A fault names
 * the line or the JSON pointer.
 */
#ifndef HTTP_CODE_IMPORT_H
#define HTTP_CODE_IMPORT_H

#include "base/memory/arena.h"
#include "base/crypto/hash.h"
#include "base/memory/table.h"
#include "core/catalogue/code.h"
#include "store/store.h"

struct code_import {
    struct arena arena; /* holds the texts */
    struct hash_key key;
    struct code_image *codes;
    uint32_t count, capacity;
    struct table table; /* by the folded code */
};

/* key: random, so that codes cannot be chosen to collide. */
void code_import_init(struct code_import *s, struct hash_key key);
void code_import_release(struct code_import *s);
/* About how many bytes releasing it frees. */
size_t code_import_size(const struct code_import *s);
/* The codes stay valid as long as the import; the body may be freed. */
bool code_import_csv(struct code_import *s, const char *body, size_t size, struct import_fault *fault);
bool code_import_json(struct code_import *s, const char *body, size_t size, struct import_fault *fault);

#endif
