/* SPDX-License-Identifier: Apache-2.0 */
/* patch_body.h — the set of fields that a JSON merge patch names, in core's form.
 *
 * The patch is merged in core, into the current record (core/patch.h).
 */
#ifndef HTTP_PATCH_BODY_H
#define HTTP_PATCH_BODY_H

#include "core/patch.h"
#include "http/wire/request.h"

/* The set of named fields. Every field that can be set must have a row in `taken`. */
uint64_t patch_body_given(const struct json_field *fields, uint64_t named, const struct patch_field *taken);

#endif
