/* SPDX-License-Identifier: Apache-2.0 */
/* body_schema.h — the tables of request bodies as JSON schemas. */
#ifndef HTTP_BODY_SCHEMA_H
#define HTTP_BODY_SCHEMA_H

#include "base/json/json_reader.h"
#include "base/json/json_writer.h"

/* The members of the schema of an object with these fields; NULL: no fields. The caller begins and ends it.
 * With forms it is one of them, by reference to the components. */
void body_schema_members(struct json_writer *w, const struct json_field *fields,
                         const struct json_form *forms);
/* The same for a merge patch of such an object. */
void body_schema_patch(struct json_writer *w, const struct json_field *fields);
/* Members of the components' schemas, which the caller has begun: each form by its name. */
void body_schema_write_forms(struct json_writer *w, const struct json_field *fields,
                             const struct json_form *forms);
/* Whether any of them is required. */
bool body_schema_requires(const struct json_field *fields);

#endif
