/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/pages.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/file/page_sum.h"

#define FINDINGS_MAX 10
#define PAGE_SIZE_MAX 65536

/* Read through SQLite: closing a descriptor of our own would release the locks that SQLite holds on the file in this
 * process. */
struct pages {
    struct sql *sql;
    size_t size; /* of one */
    bool sums;
    uint8_t *page;
};

static bool pages_open(struct pages *p, const char *path)
{
    uint8_t header[PAGE_SUM_HEADER_SIZE];
    *p = (struct pages){.page = memory_get(PAGE_SIZE_MAX)};
    struct status status = sql_open(&p->sql, path, SQL_LOOK);
    if (!status_ok(&status) || !sql_bytes(p->sql, 0, header, sizeof(header)))
        return false;
    p->size = page_sum_page_size(header);
    p->sums = page_sum_expected(header);
    return p->size != 0;
}

static void pages_close(struct pages *p)
{
    sql_close(p->sql);
    free(p->page);
}

/* False: the file ends before it, or it cannot be read. */
static bool pages_read(struct pages *p, uint32_t number)
{
    ASSERT(number > 0 && p->size > 0 && p->size <= PAGE_SIZE_MAX);
    return sql_bytes(p->sql, (int64_t)(number - 1) * (int64_t)p->size, p->page, p->size);
}

/* ---- What a page belongs to ---- */

/* Reads SQLite's variable-length number at `at`; returns where it ends, or 0 if it is not within the page. */
static size_t read_varint(const struct pages *p, size_t at, int64_t *out)
{
    uint64_t value = 0;
    for (int i = 0; i < 9 && at < p->size; i++, at++) {
        uint8_t byte = p->page[at];
        /* Seven bits per byte, but all eight of the ninth. */
        value = i == 8 ? value << 8 | byte : value << 7 | (byte & 0x7f);
        if (i == 8 || !(byte & 0x80)) {
            *out = (int64_t)value;
            return at + 1;
        }
    }
    return 0;
}

/* The row number of a cell in a leaf: after the size of its payload. */
static bool row_of(const struct pages *p, size_t header, unsigned cell, int64_t *row)
{
    size_t pointer = header + 8 + 2 * (size_t)cell;
    if (pointer + 2 > p->size)
        return false;
    int64_t size;
    size_t at = (size_t)p->page[pointer] << 8 | p->page[pointer + 1];
    at = read_varint(p, at, &size);
    return at && read_varint(p, at, row);
}

#define LEAF_OF_ROWS 0x0d

/* The first and the last row of the page. False: it has no numbered rows, or they cannot be read. */
static bool rows_of(const struct pages *p, uint32_t number, int64_t *first, int64_t *last)
{
    /* The first page starts with the header of the file. */
    size_t header = number == 1 ? PAGE_SUM_HEADER_SIZE : 0;
    unsigned cells = (unsigned)p->page[header + 3] << 8 | p->page[header + 4];
    return p->page[header] == LEAF_OF_ROWS && cells > 0 && row_of(p, header, 0, first) &&
           row_of(p, header, cells - 1, last) && *first <= *last;
}

static void table_of(struct sql *s, uint32_t number, char *out, size_t size)
{
    char question[80];
    /* dbstat walks the whole file: slow, but used only to describe damage. */
    snprintf(question, sizeof(question), "SELECT name FROM dbstat WHERE pageno = %u", number);
    struct sql_statement *t = sql_prepare(s, question);
    out[0] = '\0';
    if (sql_next(t)) {
        struct text name = sql_text(t, 0);
        snprintf(out, size, "%.*s", (int)name.size, name.at);
        sql_reset(t);
    }
    /* The file is damaged, so this may fail; the name is optional. */
    sql_forgive(s);
}

/* Describes the page that was read last. */
static void name_page(struct pages *p, const char *path, uint32_t number, char out[SQL_PAGE_NAME_SIZE])
{
    char table[40], rows[56] = "";
    int64_t first, last;
    if (rows_of(p, number, &first, &last))
        snprintf(rows, sizeof(rows), ", rows %lld to %lld", (long long)first, (long long)last);
    table_of(p->sql, number, table, sizeof(table));
    char *copy = memory_copy(path, strlen(path));
    snprintf(out, SQL_PAGE_NAME_SIZE, "page %u of %.32s (%s%s)", number, basename(copy),
             table[0] ? table : "of no table", rows);
    free(copy);
}

static void name_damaged(const char *path, uint32_t number, char out[SQL_PAGE_NAME_SIZE])
{
    struct pages p;
    ASSERT(number > 0); /* SQLite counts from 1 */
    if (pages_open(&p, path) && pages_read(&p, number))
        name_page(&p, path, number, out);
    else
        snprintf(out, SQL_PAGE_NAME_SIZE, "page %u", number);
    pages_close(&p);
}

/* name_damaged opens the file without a name function, so that damage found there does not call it again. */
struct status book_pages_open(struct sql **out, const char *path, enum sql_access access)
{
    return sql_open_naming(out, path, access, name_damaged);
}

/* ---- All pages ---- */

/* Pages of zeros are accepted, because free pages may be zero; a zeroed page in use is noticed when it is read. */
struct status book_pages_check(const char *path, void (*finding)(void *ctx, const char *sentence), void *ctx)
{
    struct pages p;
    bool found = pages_open(&p, path) && p.sums;
    for (uint32_t number = 1, wrong = 0; found && wrong < FINDINGS_MAX; number++) {
        found = pages_read(&p, number);
        if (!found || page_sum_fine(p.page, p.size, number) || page_sum_hole(p.page, p.size))
            continue;
        char name[SQL_PAGE_NAME_SIZE], sentence[SQL_PAGE_NAME_SIZE + 64];
        name_page(&p, path, number, name);
        snprintf(sentence, sizeof(sentence), "The checksum of %s does not match.", name);
        finding(ctx, sentence);
        wrong++;
    }
    struct status status = p.sql && sql_unreadable(p.sql) ? sql_status(p.sql) : status_none();
    pages_close(&p);
    return status;
}
