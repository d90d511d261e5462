/* SPDX-License-Identifier: Apache-2.0 */
/* hook_client.h — POSTs to other servers, on the loop: the only user of libcurl's multi interface.
 *
 * Never blocks: curl's own threads resolve names; connecting may take 5 s and the whole exchange 15 s. Follows no
 * redirects, uses no proxy, speaks only http and https, and asks hook_address.h at every connection. Does not know what
 * it sends.
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
/* status: of the answer; 0: no answer, and `why` is the reason. connected: the request could be sent. */
typedef void (*hook_client_done_fn)(void *ctx, int status, bool connected, const char *why);
/* Copies everything but the body, which must stay valid until `done` is called, never before this returns. */
void hook_client_post(struct hook_client *c, const char *url, const char *const *headers, size_t header_count,
                      const struct buf *body, hook_client_done_fn done, void *ctx);
/* The time that all transfers have cost the loop so far, including callbacks. */
uint64_t hook_client_worked_ns(const struct hook_client *c);
/* Aborts all transfers without calling `done`. The client is freed when the loop has closed its handles. */
void hook_client_close(struct hook_client *c);

#endif
