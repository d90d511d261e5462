/* SPDX-License-Identifier: Apache-2.0 */
/* script_line.h — one line of a script, cut into words.
 *
 *   at TIME verb words... -> expected words...
 */
#ifndef TESTS_LIB_SCRIPT_LINE_H
#define TESTS_LIB_SCRIPT_LINE_H

#include "base/memory/buf.h"
#include "core/types.h"

#define SCRIPT_WORDS_MAX 64
#define SCRIPT_IDS_MAX 512

struct script_line {
    int number;      /* in the file, from 1 */
    char text[1024]; /* as in the file, for messages */
    char words_text[1024];
    const char *words[SCRIPT_WORDS_MAX]; /* the verb first */
    int count;
    const char *expected[SCRIPT_WORDS_MAX];
    int expected_count;
    bool has_time;
    int64_t at_ms; /* since the start of the script */
};

/* False: nothing to do (empty or a comment). */
bool script_line_read(struct script_line *l, const char *text, int number);

/* The word after this one, or NULL. */
const char *script_option(const struct script_line *l, const char *name);
bool script_flag(const struct script_line *l, const char *name);
/* The value of "name=value" among the expected words, or NULL. */
const char *script_expected(const struct script_line *l, const char *name);
bool script_expects(const struct script_line *l, const char *flag);

/* "10s", "9999ms", "1h+1ms", "2d-1ms" in milliseconds, or an RFC 3339 instant ("2026-03-29T02:30:00+01:00"), relative
 * to the start of the script. Ends the program with a message if it is invalid. */
int64_t script_time(const char *word);
/* The same in the largest unit that gives a whole number, up to hours. */
void script_time_write(struct buf *out, int64_t ms);
int64_t script_number(const char *word);
struct text script_text(const char *word); /* NULL: not given */

/* "A1,B1..B3" into ids; returns how many. */
uint32_t script_ids(const char *word, char ids[SCRIPT_IDS_MAX][ID_SIZE_MAX + 1]);

#endif
