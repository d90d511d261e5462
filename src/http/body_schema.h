/* SPDX-License-Identifier: Apache-2.0 */
/* body_schema.h — the tables that bodies are read by, told as JSON schemas. */
#ifndef HTTP_BODY_SCHEMA_H
#define HTTP_BODY_SCHEMA_H

#include "base/json_reader.h"
#include "base/json_writer.h"

/* The members of the schema of an object with these fields; NULL: it has none. The caller begins and ends it.
 */
void body_schema_members(struct json_writer *w, const struct json_field *fields, bool nullable);
/* Whether any of them is required. */
bool body_schema_requires(const struct json_field *fields);

#endif
