/* SPDX-License-Identifier: Apache-2.0 */
/* patch_body.h — a JSON merge patch, read by the fields of the PUT, and which of them it names, as core takes it.
 *
 * It is merged in core, into the record as it is then (core/patch.h).
 */
#ifndef HTTP_PATCH_BODY_H
#define HTTP_PATCH_BODY_H

#include "core/patch.h"
#include "http/wire/request.h"

/* Reads the body into `out`, zeroed first; *named as json_read_patch has it. On a fault 400 is replied and false
 * returned. */
bool patch_body_read(struct request *r, void *out, size_t out_size, uint32_t *named);
/* The set of what is named. Whatever may be set must have a row in `taken`. */
uint64_t patch_body_given(const struct json_field *fields, uint32_t named, const struct patch_field *taken);

#endif
