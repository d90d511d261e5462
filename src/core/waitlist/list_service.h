/* SPDX-License-Identifier: Apache-2.0 */
/* list_service.h — the service of the waiting list, for its own modules. The rest is in
 * core/waitlist/waiting_list.h. */
#ifndef CORE_LIST_SERVICE_H
#define CORE_LIST_SERVICE_H

#include "core/state.h"

/* Whether the event's settings allow offers now. */
bool list_service_offering(const struct event *e, int64_t now_ms);
/* Charges the cost of a search to the step. False, and nothing is left, if it exceeds what is left. */
bool list_service_pay(struct state *st, uint64_t price);
/* An entry joined: what it wants could be free now. */
void list_service_joined(struct state *st, struct event *e, uint32_t number);

#endif
