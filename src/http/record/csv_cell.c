/* SPDX-License-Identifier: Apache-2.0 */
#include "http/record/csv_cell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/time/rfc3339.h"

void csv_cell_text(struct buf *out, struct text text)
{
    buf_append(out, ",", 1);
    if (!text.at || text.size == 0)
        return;
    bool formula = memchr("=+-@\t\r", text.at[0], 6) != NULL, quoted = false;
    for (size_t i = 0; i < text.size && !quoted; i++)
        quoted = memchr(",\"\r\n", text.at[i], 4) != NULL;
    if (quoted)
        buf_append(out, "\"", 1);
    if (formula)
        buf_append(out, "'", 1);
    for (size_t i = 0; i < text.size; i++) {
        if (text.at[i] == '"')
            buf_append(out, "\"", 1);
        buf_append(out, &text.at[i], 1);
    }
    if (quoted)
        buf_append(out, "\"", 1);
}

void csv_cell_word(struct buf *out, const char *word)
{
    csv_cell_text(out, (struct text){word, strlen(word)});
}

void csv_cell_number(struct buf *out, int64_t number)
{
    char text[32];
    int size = snprintf(text, sizeof(text), ",%" PRId64, number);
    buf_append(out, text, (size_t)size);
}

void csv_cell_time(struct buf *out, int64_t at_ms)
{
    char text[RFC3339_SIZE];
    buf_append(out, ",", 1);
    if (at_ms == 0)
        return;
    rfc3339_write(at_ms, text);
    buf_append(out, text, sizeof(text));
}
