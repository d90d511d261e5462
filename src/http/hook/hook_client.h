/* SPDX-License-Identifier: Apache-2.0 */
/* hook_client.h — POSTs to other people's servers, on the loop: libcurl's multi interface, which this file alone knows.
 *
 * Waits for nobody: names are resolved by curl's own threads, connecting has 5 s and the whole exchange 15 s. Follows
 * no redirect, knows no proxy, speaks http and https only, and asks hook_address.h at every connect. Knows nothing of
 * what it sends.
 */
#ifndef HTTP_HOOK_CLIENT_H
#define HTTP_HOOK_CLIENT_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/memory/buf.h"

struct hook_client;

/* NULL: curl cannot be started. */
struct hook_client *hook_client_open(uv_loop_t *loop, bool private_allowed);
/* status: of the answer; 0: there was none, and `why` says why not. connected: the request could be sent. */
typedef void (*hook_client_done_fn)(void *ctx, int status, bool connected, const char *why);
/* Everything is copied but the body, which must stay until done is called; that is never before this returns. */
void hook_client_post(struct hook_client *c, const char *url, const char *const *headers, size_t header_count,
                      const struct buf *body, hook_client_done_fn done, void *ctx);
/* What all of it has cost the loop so far, callbacks included. */
uint64_t hook_client_worked_ns(const struct hook_client *c);
/* Ends what is under way, without telling anybody. The client is gone when the loop has closed its handles. */
void hook_client_close(struct hook_client *c);

#endif
