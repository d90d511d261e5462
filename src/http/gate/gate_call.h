/* SPDX-License-Identifier: Apache-2.0 */
/* gate_call.h — holds that a node which follows refuses by its copy, instead of passing them on.
 *
 * The answer is the one that the node that decides would give: 409 `taken`, with its items. Everything else is left to
 * that node: a malformed request, a query, a large body, a Holdfast-Min-Seq beyond the copy, and all that store_gate
 * has no verdict on.
 */
#ifndef HTTP_GATE_CALL_H
#define HTTP_GATE_CALL_H

#include "http/wire/request.h"

/* For a request that this node would pass on; its caller, size and rate were judged. True: it was refused, and answered.
 * False: nothing was done, and it can be passed on. */
bool gate_call(struct request *r);

#endif
