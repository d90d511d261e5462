/* SPDX-License-Identifier: Apache-2.0 */
/* list_service.h — what the modules of the waiting list ask of its service. The rest of it is in
 * core/waitlist/waiting_list.h. */
#ifndef CORE_LIST_SERVICE_H
#define CORE_LIST_SERVICE_H

#include "core/state.h"

/* Whether the event's settings allow offers at this instant. */
bool list_service_offering(const struct event *e, int64_t now_ms);
/* Search costs: false, and nothing is left, when it is more than is left. */
bool list_service_pay(struct state *st, uint64_t price);
/* An entry joined: what it wishes for may be free at this moment. */
void list_service_joined(struct state *st, struct event *e, uint32_t number);

#endif
