/* SPDX-License-Identifier: Apache-2.0 */
/* refusals.h — the codes of refusals, of core and of the HTTP layer, and which of them each route can return.
 *
 * That follows from the route's row: who may call it, its body, its path parameters, its lane, whether it takes
 * an Idempotency-Key or a pass, and `refuses`. Refusals before the route is known (no_such_route,
 * method_not_allowed, headers_too_large, and too_large where no body is taken) are described once, as the
 * response `general`. tests/conformance checks every refusal against this, and provokes every one.
 */
#ifndef HTTP_REFUSALS_H
#define HTTP_REFUSALS_H

#include "base/json/json_writer.h"
#include "http/routes.h"

/* Every code once; NULL after the last. */
const char *refusals_code(unsigned index);

/* Members of the responses object that the caller has begun: one for each status that the route refuses with, and
 * `default` for refusals before the route is known. */
void refusals_write_route(struct json_writer *w, const struct route *route);
/* Members of the components' responses: `general`, and one for each code that is the only one of its status
 * for some route, by its name. */
void refusals_write_all(struct json_writer *w);
/* Members of the components' examples: a problem for each code in use. */
void refusals_write_examples(struct json_writer *w);

#endif
