/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/test_clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_SIZE 21

static const char *mapped; /* two lines; the rest of the page reads as zeros */

struct status test_clock_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0)
        return status_make(STATUS_INVALID, "cannot open the test clock %s: %s", path, strerror(errno));
    void *at =
        st.st_size >= LINE_SIZE - 1 ? mmap(NULL, 2 * LINE_SIZE, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    close(fd);
    if (at == MAP_FAILED)
        return status_make(STATUS_INVALID, "the test clock %s must start with a number of 20 characters",
                           path);
    mapped = at;
    return status_none();
}

static int64_t read_line(size_t line)
{
    char text[LINE_SIZE - 1];
    memcpy(text, mapped + line * LINE_SIZE, sizeof text);
    size_t i = 0;
    while (i < sizeof text && text[i] == ' ')
        i++;
    bool minus = i < sizeof text && text[i] == '-';
    int64_t value = 0;
    for (i += minus; i < sizeof text && text[i] >= '0' && text[i] <= '9'; i++)
        value = value * 10 + (text[i] - '0');
    return minus ? -value : value;
}

static int64_t wall_ms(void *owner)
{
    (void)owner;
    return clock_system.wall_ms(clock_system.owner) + read_line(0);
}

static int64_t boot_ms(void *owner)
{
    (void)owner;
    return clock_system.boot_ms(clock_system.owner) + read_line(0);
}

const struct clock_source test_clock_source = {.wall_ms = wall_ms, .boot_ms = boot_ms};

int64_t test_clock_skip_ms(void)
{
    return read_line(1);
}
