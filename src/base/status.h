/* SPDX-License-Identifier: Apache-2.0 */
/* status.h — a fault: something outside our code went wrong (disk, database, bad file).
 *
 * A refusal is not a fault (see core/outcome.h), and a bug is an ASSERT. A function that can fault returns
 * struct status; the caller handles it or passes it up, and it is logged once, where it is handled.
 */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stdbool.h>

#define STATUS_KINDS(X)                                                                                      \
    X(OK, 0)                                                                                                 \
    X(IO, 74)         /* a read, write or sync failed */                                                     \
    X(UNREADABLE, 74) /* the disk fails to return a page of the book */                                      \
    X(FULL, 73)       /* no space */                                                                         \
    X(CORRUPT, 65)    /* the data cannot be trusted; never repaired silently */                              \
    X(INVALID, 64)    /* bad input or bad options */                                                         \
    X(BUSY, 75)       /* another process has it: lock, port */                                               \
    X(DATABASE, 70)   /* the book's SQL engine refused */

enum status_kind {
#define X(name, exit_code) STATUS_##name,
    STATUS_KINDS(X)
#undef X
};

struct status {
    enum status_kind kind;
    char text[256]; /* a sentence for people; empty when OK */
};

static inline bool status_ok(const struct status *s)
{
    return s->kind == STATUS_OK;
}

struct status status_none(void);
struct status status_make(enum status_kind kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* FULL for ENOSPC and EDQUOT, IO for any other errno. */
enum status_kind status_of_errno(int error);
/* The process exit code that goes with a kind (sysexits.h numbers: a damaged journal is 65). */
int status_exit_code(enum status_kind kind);

#endif
