/* SPDX-License-Identifier: Apache-2.0 */
/* json_documents.h — JSON documents generated from a seed, most of them valid, and ways to damage them. */
#ifndef TESTS_LIB_JSON_DOCUMENTS_H
#define TESTS_LIB_JSON_DOCUMENTS_H

#include <stddef.h>
#include <stdint.h>

#define JSON_DOCUMENT_SIZE_MAX 16384

struct json_documents {
    uint64_t state; /* starts as the seed */
};

struct json_document {
    char at[JSON_DOCUMENT_SIZE_MAX];
    size_t size;
};

uint32_t json_documents_chance(struct json_documents *d, uint32_t below);
void json_documents_put(struct json_documents *d, struct json_document *b);        /* replaces the content */
void json_documents_put_number(struct json_documents *d, struct json_document *b); /* appends */
void json_documents_spoil(struct json_documents *d, struct json_document *b);      /* in one place */

#endif
