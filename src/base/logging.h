/* SPDX-License-Identifier: Apache-2.0 */
/* logging.h — one JSON object a line on standard error. Thread-safe; never logs keys, tokens or bodies.
 *
 *   log_info("journal opened", {"segments", LOG_INT(3)}, {"path", LOG_STR(path)});
 *
 * The fields are optional. A line is at most LOG_LINE_SIZE_MAX bytes: longer texts are cut, then fields are
 * dropped.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stddef.h>
#include <stdint.h>

#define LOG_LINE_SIZE_MAX 4096

#define LOG_LEVELS(X) X(DEBUG, "debug") X(INFO, "info") X(WARN, "warn") X(ERROR, "error")
enum log_level {
#define X(name, word) LOG_LEVEL_##name,
    LOG_LEVELS(X)
#undef X
};

struct log_value {
    enum { LOG_VALUE_INT, LOG_VALUE_STR } kind;
    int64_t number;
    const char *text; /* NULL is null */
};

struct log_field {
    const char *name; /* a plain ASCII literal; NULL ends the list */
    struct log_value value;
};

#define LOG_INT(n) ((struct log_value){.kind = LOG_VALUE_INT, .number = (int64_t)(n)})
#define LOG_STR(s) ((struct log_value){.kind = LOG_VALUE_STR, .text = (s)})

void log_set_level(enum log_level level); /* the lowest level written; LOG_LEVEL_INFO by default */
void log_write(enum log_level level, const char *message, const struct log_field *fields);

#define log_at(level, message, ...)                                                                          \
    log_write(level, message, (const struct log_field[]){__VA_ARGS__ __VA_OPT__(, ){NULL, {0}}})
#define log_info(message, ...) log_at(LOG_LEVEL_INFO, message __VA_OPT__(, ) __VA_ARGS__)
#define log_warn(message, ...) log_at(LOG_LEVEL_WARN, message __VA_OPT__(, ) __VA_ARGS__)
#define log_error(message, ...) log_at(LOG_LEVEL_ERROR, message __VA_OPT__(, ) __VA_ARGS__)
#define log_debug(message, ...) log_at(LOG_LEVEL_DEBUG, message __VA_OPT__(, ) __VA_ARGS__)

#endif
