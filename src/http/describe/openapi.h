/* SPDX-License-Identifier: Apache-2.0 */
/* openapi.h — the OpenAPI 3.1 description of the API, made from the route table, the body tables and the tables
 * of answers (schema.h). */
#ifndef HTTP_OPENAPI_H
#define HTTP_OPENAPI_H

#include "base/memory/buf.h"

#define OPENAPI_SIZE_MAX (1u << 20)

/* Into a buffer with at least that limit. */
void openapi_write(struct buf *out);

#endif
