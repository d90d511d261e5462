/* SPDX-License-Identifier: Apache-2.0 */
/* hook_sender.h — takes the messages that are due, sends them, and reports the results.
 *
 *   due (core) ──► take ──► read the reservation ──► durable? ──► sign, POST ──► report (core)
 *
 * A body shows the reservation as an app sees it at the time of sending; a change is never sent before it is durable.
 * Each hook has a limited number of messages in flight, so that one which hangs does not delay the others, and a
 * failing one is paused (hook_targets.h). Sends nothing unless this process decides (store_decides): otherwise another
 * one sends them. A few messages begin in each turn, and requests have priority (hook_pace.h).
 * Loop thread only.
 */
#ifndef HTTP_HOOK_SENDER_H
#define HTTP_HOOK_SENDER_H

#include <uv.h>

#include "http/access/credentials.h"
#include "view/view.h"

struct hook_sender;

struct hook_sender *hook_sender_open(uv_loop_t *loop, struct store *store, struct view *view,
                                     const struct credentials *credentials, bool private_allowed);
/* Messages may be due: more changes are durable, or a hook was set, or messages are resent. */
void hook_sender_wake(struct hook_sender *s);
/* Aborts the messages in flight: they are sent again after a restart. */
void hook_sender_stop(struct hook_sender *s);
void hook_sender_free(struct hook_sender *s); /* after the store has closed */

#endif
