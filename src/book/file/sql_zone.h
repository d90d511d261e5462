/* SPDX-License-Identifier: Apache-2.0 */
/* sql_zone.h — local days in SQL.
 *
 *   local_day(ms, zone)   '2030-06-03': the date at that instant in the IANA zone; NULL or 'UTC' is UTC. NULL if ms is NULL.
 *                         A zone that the system lacks is a fault.
 *
 * Only this program's connections have it, so no view or trigger of the schema may use it.
 */
#ifndef BOOK_SQL_ZONE_H
#define BOOK_SQL_ZONE_H

#include <sqlite3.h>

/* Returns a SQLite result code. */
int sql_zone_register(sqlite3 *handle);

#endif
