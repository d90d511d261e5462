/* SPDX-License-Identifier: Apache-2.0 */
/* sql_zone.h — days of time zones in SQL.
 *
 *   local_day(ms, zone)   '2030-06-03': the day that it is then in the IANA zone; NULL or 'UTC' is UTC. NULL of NULL. A zone
 *                         that the system lacks is a fault.
 *
 * Only connections of this program have it: no view or trigger of the schema may use it.
 */
#ifndef BOOK_SQL_ZONE_H
#define BOOK_SQL_ZONE_H

#include <sqlite3.h>

/* Returns a code of SQLite. */
int sql_zone_register(sqlite3 *handle);

#endif
