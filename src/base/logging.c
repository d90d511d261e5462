/* SPDX-License-Identifier: Apache-2.0 */
#include "base/logging.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/frame.h"
#include "base/json/json_writer.h"

/* Room that is never given to texts, so that a line can always be ended. */
#define LOG_RESERVE 64
/* The most that one byte of text becomes when it is escaped. */
#define LOG_ESCAPED_MAX 6

static _Atomic int log_least = LOG_LEVEL_INFO;

void log_set_level(enum log_level level)
{
    atomic_store_explicit(&log_least, (int)level, memory_order_relaxed);
}

static const char *log_level_name(enum log_level level)
{
#define X(name, word) word,
    static const char *const names[] = {LOG_LEVELS(X)};
#undef X
    ASSERT(level <= LOG_LEVEL_ERROR);
    return names[level];
}

static void log_text(struct json_writer *w, const char *text)
{
    size_t room = (w->out->limit - w->out->size - LOG_RESERVE) / LOG_ESCAPED_MAX;
    size_t size = strlen(text);
    json_text(w, text, size < room ? size : room);
}

static void log_put_field(struct json_writer *w, const struct log_field *field)
{
    if (!buf_room(w->out, strlen(field->name) + 2 * LOG_RESERVE))
        return;
    json_key(w, field->name);
    if (field->value.kind == LOG_VALUE_INT)
        json_int(w, field->value.number);
    else if (field->value.text)
        log_text(w, field->value.text);
    else
        json_null(w);
}

/* One write a line, so that lines of several threads do not mix. */
static void log_send(const uint8_t *line, size_t size)
{
    while (size > 0) {
        ssize_t written = write(STDERR_FILENO, line, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return; /* there is nowhere left to report it */
        line += written;
        size -= (size_t)written;
    }
}

LARGE_FRAME("a line, not zeroed; on the stack because memory may have run out")
void log_write(enum log_level level, const char *message, const struct log_field *fields)
{
    if ((int)level < atomic_load_explicit(&log_least, memory_order_relaxed))
        return;
    int saved_errno = errno; /* callers may log between a failed call and reading its errno */
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint8_t storage[LOG_LINE_SIZE_MAX] __attribute__((uninitialized));
    struct buf line = {.data = storage, .capacity = sizeof storage, .limit = sizeof storage};
    struct json_writer w = json_writer_make(&line);
    json_object_begin(&w);
    json_key(&w, "at");
    json_time(&w, (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    json_key(&w, "level");
    json_string(&w, log_level_name(level));
    json_key(&w, "message");
    log_text(&w, message);
    for (; fields && fields->name; fields++)
        log_put_field(&w, fields);
    json_object_end(&w);
    buf_append(&line, "\n", 1);
    log_send(line.data, line.size);
    errno = saved_errno;
}
LARGE_FRAME_END
