/* SPDX-License-Identifier: Apache-2.0 */
/* example.h — examples of answers, made from the examples of their members (schema.h).
 *
 * Optional members are left out. If a record is one of several alternatives, each alternative has an example; inside
 * another record the first one is used.
 */
#ifndef HTTP_EXAMPLE_H
#define HTTP_EXAMPLE_H

#include "http/describe/schema.h"

/* Each writes one value. */
void example_write(struct json_writer *w, const struct schema *s);
void example_write_page(struct json_writer *w, const struct schema *s);        /* of a list of such records */
void example_write_events(struct json_writer *w, const struct schema *stream); /* one of each, as a text */

#endif
