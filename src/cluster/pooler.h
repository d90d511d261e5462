/* SPDX-License-Identifier: Apache-2.0 */
/* pooler.h — whether a pooler between this node and the database takes connections apart.
 *
 * In transaction mode a pooler runs each statement on any connection of the server. Then the limits of a connection are lost
 * (log/pg.h sets how long it waits for a lock), and so are its prepared statements. Session mode is fine.
 */
#ifndef CLUSTER_POOLER_H
#define CLUSTER_POOLER_H

#include "base/status.h"

/* Opens two connections. INVALID: there is such a pooler, or the server refuses this user. IO: the server does not answer. */
struct status pooler_check(const char *url);

#endif
