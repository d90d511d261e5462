/* SPDX-License-Identifier: Apache-2.0 */
/* old_book.h — books as earlier versions of the tables had them, to be upgraded. */
#ifndef TESTS_UNIT_OLD_BOOK_H
#define TESTS_UNIT_OLD_BOOK_H

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "book/sql.h"

static const char old_book_migrations[] =
#include "schema.inc"
    ;

/* Rows of every table, as version 1 of the tables had them. */
static const char old_book_rows[] =
    "UPDATE meta SET last_seq = 14, last_at = 1700000600000;"
    "INSERT INTO events VALUES (1, 'eras', 'An evening', NULL, NULL, NULL, 'EUR', 600, 900, 300, 'required', "
    "'accept_if_free', 0, 1700000000000, NULL, 4);"
    "INSERT INTO seats VALUES (1, 0, 'A1', 'A', NULL, NULL, NULL, NULL, NULL, 1200, 0, 0, 0);"
    "INSERT INTO seats VALUES (1, 1, 'A2', 'A', NULL, NULL, NULL, NULL, NULL, 1200, 0, 0, 0);"
    "INSERT INTO seats VALUES (1, 2, 'A3', 'A', NULL, NULL, NULL, NULL, NULL, 1200, 0, 0, 11);"
    "INSERT INTO seats VALUES (1, 3, 'A4', 'A', NULL, NULL, NULL, NULL, NULL, 1200, 0, 0, 0);"
    "INSERT INTO seats_staged VALUES (14, 1, 12, 1700000600000, 1, X'40025a3106');"
    "INSERT INTO pools VALUES (1, 0, 'floor', 'A pool', 10, 500, 3, 2);"
    "INSERT INTO reservations VALUES (5, 'res_01HF7YAT00002HE5B0KXY78V39', 'held', 'ann', 5, 1, "
    "1700000000000, 1700000600000, 1700000900000, NULL, NULL, NULL, 600, 300, 1, 'EUR', 3, NULL, NULL, NULL, "
    "NULL);"
    "INSERT INTO reservations VALUES (6, 'res_01HF7YAT00003BAK6TB3XVXT3Y', 'confirmed', 'bob', 6, 2, "
    "1700000000000, 1700000600000, 1700000900000, NULL, 1700000000000, NULL, 600, 300, 1, 'EUR', 3, NULL, "
    "NULL, 'pay_1', X'00000000000000530000000000000063');"
    "INSERT INTO reservations VALUES (8, 'res_01HF7YAT00004F3EYDSFX57R58', 'released', 'cid', 8, 2, "
    "1700000000000, 1700000600000, 1700000900000, NULL, NULL, 1700000000000, 600, 300, 1, 'EUR', 2, NULL, "
    "NULL, NULL, NULL);"
    "INSERT INTO reservations VALUES (10, 'res_01HF7YAT000052WAP17VWEHP6J', 'expired', 'dan', 10, 2, "
    "1700000000000, 1700000600000, 1700000900000, NULL, NULL, 1700000615000, 600, 300, 1, 'EUR', 2, NULL, "
    "NULL, NULL, NULL);"
    "INSERT INTO items VALUES (5, 1, 'seat', 1, 0, 1, 1200, 5);"
    "INSERT INTO items VALUES (5, 2, 'pool', 1, 0, 3, 1500, 5);"
    "INSERT INTO items VALUES (6, 1, 'seat', 1, 1, 1, 1200, 6);"
    "INSERT INTO items VALUES (6, 2, 'pool', 1, 0, 2, 1000, 6);"
    "INSERT INTO items VALUES (8, 1, 'seat', 1, 2, 1, 1200, 8);"
    "INSERT INTO items VALUES (10, 1, 'seat', 1, 2, 1, 1200, 10);"
    "INSERT INTO claims VALUES (1, 0, 5);"
    "INSERT INTO claims VALUES (1, 1, 6);"
    "INSERT INTO history VALUES (5, 5, 1700000000000, 'user', 'ann', 'held', 'held', 1700000600000, 1);"
    "INSERT INTO history VALUES (6, 6, 1700000000000, 'user', 'bob', 'held', 'held', 1700000600000, 1);"
    "INSERT INTO history VALUES (6, 7, 1700000000000, 'user', 'bob', 'confirmed', 'confirmed', "
    "1700000600000, 2);"
    "INSERT INTO history VALUES (8, 8, 1700000000000, 'user', 'cid', 'held', 'held', 1700000600000, 1);"
    "INSERT INTO history VALUES (8, 9, 1700000000000, 'user', 'cid', 'released', 'released', 1700000600000, "
    "2);"
    "INSERT INTO history VALUES (10, 10, 1700000000000, 'user', 'dan', 'held', 'held', 1700000600000, 1);"
    "INSERT INTO history VALUES (10, 11, 1700000615000, 'server', NULL, 'expired', 'expired', 1700000600000, "
    "2);"
    "INSERT INTO tickets VALUES ('A5PF4C1BM0RF7JD9G34B', 6, 1, 0);"
    "INSERT INTO tickets VALUES ('EAH03KSQKDWDGGJMYW5F', 6, 2, 1);"
    "INSERT INTO tickets VALUES ('PECAN4XV9N4HP92DZZQN', 6, 2, 0);"
    "INSERT INTO idempotency VALUES (13, X'00000000000000010000000000000002', "
    "X'00000000000000030000000000000004', 'res_01HF7YAT00002HE5B0KXY78V39', 201, 1700000600000);"
    "INSERT INTO keys VALUES ('door 1', 'door', "
    "X'abababababababababababababababababababababababababababababababab', 5);";

/* The migrations up to `number`: what a program of that version had. */
static inline char *old_book_schema(int number)
{
    char next[32];
    snprintf(next, sizeof(next), "-- migration %d\n", number + 1);
    const char *end = strstr(old_book_migrations, next);
    return strndup(old_book_migrations,
                   end ? (size_t)(end - old_book_migrations) : sizeof(old_book_migrations));
}

/* A file as SQLite makes it by itself: its pages have no room for checksums. */
static inline struct status old_book_make(const char *path)
{
    sqlite3 *plain;
    int code = sqlite3_open(path, &plain);
    if (code == SQLITE_OK)
        code = sqlite3_exec(plain, "PRAGMA application_id = 1212572260", NULL, NULL, NULL);
    sqlite3_close(plain);
    return code == SQLITE_OK ? status_none() : status_make(STATUS_DATABASE, "cannot make an old book");
}

/* Everything up to seq 14: an event, and reservations in each state. */
static inline struct status old_book_write(const char *path)
{
    struct sql *s;
    struct status status = old_book_make(path);
    if (status_ok(&status))
        status = sql_open(&s, path, SQL_WRITE);
    if (!status_ok(&status))
        return status;
    char *old = old_book_schema(1);
    sql_run(s, "PRAGMA journal_mode = WAL; PRAGMA user_version = 1");
    sql_run(s, old);
    sql_run(s, old_book_rows);
    status = sql_status(s);
    sql_close(s);
    free(old);
    return status;
}

/* What version 2 could have beside it: a calendar, and a slot of it that is held. */
static const char old_book_rows_2[] =
    "UPDATE meta SET last_seq = 16;"
    "INSERT INTO calendars VALUES (15, 'dr_smith', 'A doctor', 'Europe/Berlin', 1, 2500, 'EUR', 300, 900, "
    "200, "
    "'none', 'refund', 30, 10, 1700000600000, 1700000600000);"
    "INSERT INTO calendar_hours VALUES (15, 0, 'mon tue', '09:00', '17:00');"
    "INSERT INTO calendar_closed VALUES (15, 0, 1700086400000, 1700172800000);"
    "INSERT INTO services VALUES (15, 0, 'check_up', 30, 4000, 0);"
    "INSERT INTO reservations VALUES (16, 'res_01HF7YAT00006WRRHTZ1W36N77', 'held', 'fay', 16, 1, "
    "1700000600000, 1700001200000, 1700001500000, NULL, NULL, NULL, 600, 300, 1, 'EUR', 2, NULL, NULL, NULL, "
    "NULL);"
    "INSERT INTO items VALUES (16, 1, 'slot', NULL, 15, 0, 1, 4000, 16, 1700003600000, 1700005400000, "
    "1700006000000);"
    "INSERT INTO calendar_claims VALUES (15, 1700003600000, 16, 1, 1700006000000, 1700000600000, 1);"
    "INSERT INTO history VALUES (16, 16, 1700000600000, 'user', 'fay', 'held', 'held', 1700001200000, 1);";

/* The same in version 2 of the tables, up to seq 16. */
static inline struct status old_book_write_2(const char *path)
{
    struct sql *s;
    struct status status = old_book_write(path);
    if (status_ok(&status))
        status = sql_open(&s, path, SQL_WRITE);
    if (!status_ok(&status))
        return status;
    char *old = old_book_schema(2);
    sql_run(s, strstr(old, "-- migration 2\n"));
    sql_run(s, "PRAGMA user_version = 2");
    sql_run(s, old_book_rows_2);
    status = sql_status(s);
    sql_close(s);
    free(old);
    return status;
}

#endif
