/* SPDX-License-Identifier: Apache-2.0 */
/* webhooks.h — the messages to hooks, as the `webhooks` of /openapi.json: what is sent in each, and how it is signed.
 *
 * To add a message: its word in HOOK_EVENTS (core/types.h) and a row in webhooks.c. Its data is a record that some route
 * answers with.
 */
#ifndef HTTP_WEBHOOKS_H
#define HTTP_WEBHOOKS_H

#include "base/json/json_writer.h"

/* A member, `webhooks`, of the document that is being written; `tag` is their group. */
void webhooks_write(struct json_writer *w, const char *tag);

#endif
