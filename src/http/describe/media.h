/* SPDX-License-Identifier: Apache-2.0 */
/* media.h — the bodies of requests and answers in /openapi.json: type, schema and example of each. */
#ifndef HTTP_MEDIA_H
#define HTTP_MEDIA_H

#include "base/json/json_writer.h"
#include "http/routes.h"

/* Each writes the member `content`. */
void media_write_request(struct json_writer *w, const struct route *route);
void media_write_answer(struct json_writer *w, const struct route_answer *answer);

/* Every record that the routes answer with, and problems. */
void media_records(struct schema_set *out);

/* Members of the components' schemas and examples, which the caller has begun. */
void media_write_forms(struct json_writer *w);
void media_write_examples(struct json_writer *w);

#endif
