/* SPDX-License-Identifier: Apache-2.0 */
/* words.h — closed lists of words, as requests, answers and /openapi.json have them.
 *
 * A list is a function: the word at an index from 0 on, NULL behind the last one. It fits json_field.word,
 * schema_member.word and route_query.word. A list that only one file needs is made there.
 */
#ifndef HTTP_WORDS_H
#define HTTP_WORDS_H

/* clang-format off */
/* The names of an enum without gaps, or words that are nobody's enum. */
#define WORDS_OF_ENUM(words_, type_, first_, last_, name_) \
    const char *words_(unsigned index) \
    { \
        return index <= (unsigned)(last_) - (first_) ? name_((type_)((first_) + index)) : NULL; \
    }
#define WORDS_OF_OURS(words_, ...) \
    const char *words_(unsigned index) \
    { \
        static const char *const all[] = {__VA_ARGS__, NULL}; \
        return all[index]; \
    }
/* clang-format on */

const char *words_reservation_status(unsigned index); /* also those that nothing has yet */
const char *words_list_status(unsigned index);
const char *words_payment(unsigned index);
const char *words_late_payment(unsigned index);
const char *words_day(unsigned index);
const char *words_availability_format(unsigned index);

#endif
