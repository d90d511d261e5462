/* SPDX-License-Identifier: Apache-2.0 */
/* hook_sender.h — takes the messages that are due, tells them, and reports what became of them.
 *
 *   due (core) ──► take ──► look at the reservation ──► durable? ──► sign, POST ──► report (core)
 *
 * A body shows the reservation as an app sees it when it is sent; what is not durable yet is told to nobody. Each hook
 * has a limited number under way, so that one which hangs delays no other, and one that fails is left alone
 * (hook_targets.h). A few begin in each turn, and all of them leave the loop to requests when those need it (hook_pace.h).
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
/* Something may be due: more is durable, or a hook was put or resent. */
void hook_sender_wake(struct hook_sender *s);
/* Gives up what is under way: after a restart it is told again. */
void hook_sender_stop(struct hook_sender *s);
void hook_sender_free(struct hook_sender *s); /* after the store has closed */

#endif
