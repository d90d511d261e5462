/* SPDX-License-Identifier: Apache-2.0 */
#include "codes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stop.h"

void codes_read(struct codes *c, const char *path, size_t size)
{
    FILE *file = fopen(path, "r");
    if (!file || fseek(file, 0, SEEK_END))
        stop("cannot read %s: %s", path, strerror(errno));
    long bytes = ftell(file);
    rewind(file);
    if (bytes <= 0 || (size_t)bytes % (size + 1))
        stop("%s: expected lines of %zu characters", path, size);
    c->size = size;
    c->count = (uint64_t)bytes / (size + 1);
    c->bytes = stop_or_zeroed(1, (size_t)bytes);
    if (fread(c->bytes, 1, (size_t)bytes, file) != (size_t)bytes)
        stop("cannot read %s", path);
    fclose(file);
    for (uint64_t i = 0; i < c->count; i++)
        if (codes_at(c, i)[size] != '\n')
            stop("%s: expected lines of %zu characters", path, size);
}

void codes_release(struct codes *c)
{
    free(c->bytes);
    c->bytes = NULL;
}
