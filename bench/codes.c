/* SPDX-License-Identifier: Apache-2.0 */
#include "codes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stop.h"

void codes_read(struct codes *c, const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file || fseek(file, 0, SEEK_END))
        stop("cannot read %s: %s", path, strerror(errno));
    long size = ftell(file);
    rewind(file);
    if (size <= 0 || size % (CODES_SIZE + 1))
        stop("%s: expected lines of %d characters", path, CODES_SIZE);
    c->count = (uint64_t)size / (CODES_SIZE + 1);
    c->bytes = stop_or_zeroed(1, (size_t)size);
    if (fread(c->bytes, 1, (size_t)size, file) != (size_t)size)
        stop("cannot read %s", path);
    fclose(file);
    for (uint64_t i = 0; i < c->count; i++)
        if (codes_at(c, i)[CODES_SIZE] != '\n')
            stop("%s: expected lines of %d characters", path, CODES_SIZE);
}

void codes_release(struct codes *c)
{
    free(c->bytes);
    c->bytes = NULL;
}
