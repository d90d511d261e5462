/* SPDX-License-Identifier: Apache-2.0 */
/* admission.h — from a parsed request to its handler: which route, which caller, allowed or not, within the
 * rate limits or not.
 *
 * The order of judgement is the contract's: 404 and 405, 401 and 403, 413 and 415, 429, 400. A server that only follows
 * another one (store_decides) judges up to 429 and leaves the rest to the other one (forward/forward.h), unless the route is
 * NODE_ANY and the caller's key is known here. What another node has passed on is not counted towards limits again.
 */
#ifndef HTTP_ADMISSION_H
#define HTTP_ADMISSION_H

#include "http/wire/request.h"

/* Checks everything that depends only on the head. Does nothing if it has already passed. */
bool admission_judge(struct request *r, struct fault *fault);
/* Checks the complete request and either calls the handler or replies with the fault. */
void admission_dispatch(struct request *r);
/* Counts the request in this lane. False: over the limit, and the fault is set. admission_dispatch does this for all
 * routes except those of LANE_UNSIGNED. */
bool admission_take(struct request *r, enum lane lane, struct fault *fault);
/* The head of an import is good, and its body is still arriving: if another node is to answer, it gets the body as it
 * comes, from now on, and the request may be answered at once. False: it is refused. */
bool admission_upload(struct request *r, struct fault *fault);
/* Judges and answers again: a request that waited for a change, or that this process can answer by now. */
void admission_resume(struct request *r);

#endif
