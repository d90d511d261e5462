/* SPDX-License-Identifier: Apache-2.0 */
/* admission.h — from a parsed request to its handler: which route, which caller, allowed or not, within the
 * rate limits or not.
 *
 * The order of judgement is the contract's: 404 and 405, 401 and 403, 413 and 415, 429, 400.
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

#endif
