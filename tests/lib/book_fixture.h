/* SPDX-License-Identifier: Apache-2.0 */
/* book_fixture.h — a book in a folder of its own, and changes made by hand to write into it. */
#ifndef TESTS_LIB_BOOK_FIXTURE_H
#define TESTS_LIB_BOOK_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "book/record/check.h"
#include "book/record/writer.h"
#include "book/file/sql.h"
#include "scratch.h"

#define FIXTURE_START_MS 1700000000000

struct fixture {
    char folder[SCRATCH_PATH];
    char path[SCRATCH_PATH + 24];
    struct book_writer *writer;
    bool open; /* a transaction is open */
    uint64_t seq;
    int64_t at_ms;
    struct change change;
    struct buf rows;
};

/* A reservation as a test sets it up; fixture_write makes its next change. */
struct booking {
    struct reservation_image image;
    struct item_image items[8];
    char user[32];
};

#define assert_ok(expression)                                                                                \
    do {                                                                                                     \
        struct status status_ = (expression);                                                                \
        if (!status_ok(&status_))                                                                            \
            fail_msg("%s: %s", #expression, status_.text);                                                   \
    } while (0)

#define assert_fault(expression, kind_, part)                                                                \
    do {                                                                                                     \
        struct status status_ = (expression);                                                                \
        assert_int_equal(status_.kind, kind_);                                                               \
        if (!strstr(status_.text, part))                                                                     \
            fail_msg("\"%s\" does not say \"%s\"", status_.text, part);                                      \
    } while (0)

struct text text_of(const char *word);

/* ---- The book ---- */

/* Opens a closed book again. */
void fixture_reopen(struct fixture *f);
int fixture_setup(void **state);
/* Removes the file book.sqlite<ending>. */
void fixture_remove(struct fixture *f, const char *ending);
int fixture_teardown(void **state);

#define book_test(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

/* ---- Writing ----
 *
 * fixture_try… returns the fault; without `try`, a fault fails the test. A transaction begins with the first
 * change and lasts until fixture_commit. */

/* Gives f->change the next seq and applies it. */
struct status fixture_try(struct fixture *f);
void fixture_put(struct fixture *f); /* the same; it must succeed */
void fixture_commit(struct fixture *f);

/* As after a fault or a crash. */
void fixture_rollback(struct fixture *f);
struct change *fixture_change(struct fixture *f, enum change_kind kind);
uint64_t fixture_event(struct fixture *f, const char *id);
void fixture_event_remove(struct fixture *f, uint64_t number, const char *id);
void fixture_stage(struct fixture *f, uint64_t event, uint64_t import, uint32_t columns,
                   const struct seat_image *seats, uint32_t count);
void fixture_publish(struct fixture *f, uint64_t event, uint64_t import);

/* Seats A1, A2, … of section A, 12.00 each. */
void fixture_seats(struct fixture *f, uint64_t event, uint32_t count);
void fixture_pool(struct fixture *f, uint64_t event, uint32_t position, const char *id, uint32_t capacity);

#define MINUTE_MS 60000LL

/* Weekdays nine to five, one holiday, two services; the next change replaces the settings of the same
 * number. */
struct status fixture_try_calendar(struct fixture *f, uint64_t number, const char *id, uint32_t capacity);
uint64_t fixture_calendar(struct fixture *f, const char *id, uint32_t capacity);
void fixture_calendar_remove(struct fixture *f, uint64_t number);

/* ---- Reservations ---- */

/* Writes the next change of the reservation, with its current image. */
struct status fixture_try_write(struct fixture *f, struct booking *b, enum action action);
void fixture_write(struct fixture *f, struct booking *b, enum action action);
/* The same for a change that ended or changed an item; was: its previous state. */
void fixture_write_noted(struct fixture *f, struct booking *b, enum action action,
                         const struct item_image *was);
void booking_add(struct fixture *f, struct booking *b, enum item_kind kind, uint64_t event, uint32_t position,
                 uint32_t quantity);

/* A slot without a service, in minutes after FIXTURE_START_MS; until: including the buffer. */
void booking_slot(struct fixture *f, struct booking *b, uint64_t calendar, int64_t from, int64_t to,
                  int64_t until);
void booking_begin(struct fixture *f, struct booking *b, const char *user);

/* Holds one seat. */
void fixture_hold(struct fixture *f, struct booking *b, const char *user, uint64_t event, uint32_t seat);

/* Holds one slot without a buffer. */
struct status fixture_try_slot(struct fixture *f, struct booking *b, const char *user, uint64_t calendar,
                               int64_t from, int64_t to);
void fixture_slot(struct fixture *f, struct booking *b, const char *user, uint64_t calendar, int64_t from,
                  int64_t to);
void fixture_confirm(struct fixture *f, struct booking *b);
void fixture_end(struct fixture *f, struct booking *b);
struct status fixture_try_expire(struct fixture *f, struct booking **bookings, uint32_t count);

/* ---- Queues and lists ---- */

#define FIXTURE_LINE_KEY                                                                                     \
    {                                                                                                        \
        0x1122334455667788ULL, 0x99aabbccddeeff00ULL                                                         \
    }

/* An event with a waiting room for two tiers and a waiting list. */
struct event_image fixture_entries_image(struct fixture *f, const char *id);
void fixture_queue(struct fixture *f, uint64_t event, int64_t opened_at_ms, uint32_t drawn);
uint64_t fixture_event_with_lines(struct fixture *f, const char *id);
void fixture_remove_with_lines(struct fixture *f, uint64_t event, const char *id);
struct status fixture_try_join(struct fixture *f, uint64_t event, uint32_t number, const char *user);
void fixture_join(struct fixture *f, uint64_t event, uint32_t number, const char *user);
struct status fixture_try_move(struct fixture *f, uint64_t event, const struct queue_move *moves,
                               uint32_t count);
void fixture_move(struct fixture *f, uint64_t event, uint32_t number, enum queue_status status,
                  int64_t until_ms);

/* An entry that waits for two seats side by side. */
struct list_entry_image fixture_wish(struct fixture *f, uint64_t event, uint32_t number, const char *user);
struct status fixture_try_list(struct fixture *f, const struct list_entry_image *entry);
void fixture_list(struct fixture *f, const struct list_entry_image *entry);

/* A hold of two seats, offered to the entry's user. */
void fixture_offer(struct fixture *f, struct booking *b, struct list_entry_image *entry, uint32_t seat);

/* ---- Queries ---- */

/* The version of the newest schema: the number of its last file. */
int fixture_newest_version(void);

int64_t fixture_ask(struct fixture *f, const char *question);

/* The answer as a text, which the caller frees; "nothing" if there is none. */
char *fixture_text(struct fixture *f, const char *question);
void fixture_says(struct fixture *f, const char *question, const char *expected);

/* Everything in the book as one text, to compare before and after. */
char *fixture_dump(struct fixture *f);

/* Prints a finding of book_check, and counts it in the int at ctx. */
void finding_print(void *ctx, const char *sentence);
/* Fails if book_check finds anything. */
void fixture_check(struct fixture *f);

#endif
