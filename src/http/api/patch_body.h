/* SPDX-License-Identifier: Apache-2.0 */
/* patch_body.h — which fields of the PUT a JSON merge patch names, as core takes it.
 *
 * It is merged in core, into the record as it is then (core/patch.h).
 */
#ifndef HTTP_PATCH_BODY_H
#define HTTP_PATCH_BODY_H

#include "core/patch.h"
#include "http/wire/request.h"

/* The set of what is named. Whatever may be set must have a row in `taken`. */
uint64_t patch_body_given(const struct json_field *fields, uint32_t named, const struct patch_field *taken);

#endif
