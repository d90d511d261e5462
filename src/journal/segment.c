/* SPDX-License-Identifier: Apache-2.0 */
#include "journal/segment.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/bytes.h"
#include "base/crypto/crc32c.h"
#include "base/memory/memory.h"

/* Offsets of the fields on disk. To change the layout, raise SEGMENT_VERSION; what the CRC covers stays the same, so that
 * any program can tell another version from damage. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_HEADER_CRC = 12,
    AT_SIZE = 16,
    AT_FIRST_SEQ = 24,
    AT_JOURNAL_ID = 32,
    AT_SALT = 48,
    AT_MS = 56,
    AT_PREV_CRC = 64,
    AT_PARENT_ID = 68,
    AT_ZERO = 84 /* to the end of the block */
};

static uint32_t header_crc(const uint8_t block[SEGMENT_HEADER_SIZE])
{
    uint32_t crc = crc32c(0, block, AT_HEADER_CRC);
    return crc32c(crc, block + AT_SIZE, AT_ZERO - AT_SIZE);
}

static bool header_fine(const uint8_t block[SEGMENT_HEADER_SIZE])
{
    return bytes_load_u32(block + AT_HEADER_CRC) == header_crc(block);
}

uint32_t segment_header_version(const uint8_t block[SEGMENT_HEADER_SIZE])
{
    bool fine = memcmp(block + AT_MAGIC, SEGMENT_MAGIC, 8) == 0 && header_fine(block);
    return fine ? bytes_load_u32(block + AT_VERSION) : 0;
}

void segment_header_encode(const struct segment_header *header, uint8_t block[SEGMENT_HEADER_SIZE])
{
    ASSERT(segment_size_valid(header->size));
    ASSERT(header->first_seq > 1 || (header->first_seq == 1 && header->prev_crc == 0));
    memset(block, 0, SEGMENT_HEADER_SIZE);
    memcpy(block + AT_MAGIC, SEGMENT_MAGIC, 8);
    bytes_store_u32(block + AT_VERSION, SEGMENT_VERSION);
    bytes_store_u64(block + AT_SIZE, header->size);
    bytes_store_u64(block + AT_FIRST_SEQ, header->first_seq);
    memcpy(block + AT_JOURNAL_ID, header->journal_id, 16);
    bytes_store_u64(block + AT_SALT, header->salt);
    bytes_store_u64(block + AT_MS, (uint64_t)header->at_ms);
    bytes_store_u32(block + AT_PREV_CRC, header->prev_crc);
    memcpy(block + AT_PARENT_ID, header->parent_id, 16);
    bytes_store_u32(block + AT_HEADER_CRC, header_crc(block));
}

const char *segment_header_decode(struct segment_header *header, const uint8_t block[SEGMENT_HEADER_SIZE])
{
    if (memcmp(block + AT_MAGIC, SEGMENT_MAGIC, 8) != 0)
        return "not a journal segment";
    if (!header_fine(block))
        return "the segment's header is damaged";
    if (bytes_load_u32(block + AT_VERSION) == 0)
        return "the segment's header is invalid";
    ASSERT(bytes_load_u32(block + AT_VERSION) == SEGMENT_VERSION);
    if (!batch_is_zero(block + AT_ZERO, SEGMENT_HEADER_SIZE - AT_ZERO))
        return "bytes after the segment's header are not zero";
    header->size = bytes_load_u64(block + AT_SIZE);
    header->first_seq = bytes_load_u64(block + AT_FIRST_SEQ);
    memcpy(header->journal_id, block + AT_JOURNAL_ID, 16);
    header->salt = bytes_load_u64(block + AT_SALT);
    header->at_ms = (int64_t)bytes_load_u64(block + AT_MS);
    header->prev_crc = bytes_load_u32(block + AT_PREV_CRC);
    memcpy(header->parent_id, block + AT_PARENT_ID, 16);
    if (!segment_size_valid(header->size) || header->first_seq == 0)
        return "the segment's header is invalid";
    return NULL;
}

struct batch_place segment_place(const struct segment_header *header, uint64_t offset)
{
    ASSERT(offset >= SEGMENT_HEADER_SIZE && offset < header->size);
    struct batch_place place = {.salt = header->salt, .segment_seq = header->first_seq, .offset = offset};
    memcpy(place.journal_id, header->journal_id, 16);
    return place;
}

uint64_t segment_payload_max(uint64_t segment_size)
{
    ASSERT(segment_size_valid(segment_size));
    /* Two seals: one that an idle server left in front, and one that must still fit behind. */
    uint64_t room = segment_size - SEGMENT_HEADER_SIZE - 2 * batch_extent(0) - BATCH_HEADER_SIZE;
    ASSERT(SEGMENT_HEADER_SIZE + 2 * batch_extent(0) + batch_extent(room) <= segment_size);
    return room < BATCH_PAYLOAD_MAX ? room : BATCH_PAYLOAD_MAX;
}

bool segment_size_valid(uint64_t size)
{
    return size >= SEGMENT_SIZE_MIN && size <= SEGMENT_SIZE_MAX && size % BATCH_ALIGNMENT == 0;
}

void segment_name(char name[SEGMENT_NAME_MAX], uint64_t first_seq)
{
    snprintf(name, SEGMENT_NAME_MAX, "%020" PRIu64 ".segment", first_seq);
}

static bool segment_name_read(const char *name, uint64_t *first_seq)
{
    char expected[SEGMENT_NAME_MAX];
    /* Written out again and compared: no sign, no missing digit, nothing after the number. */
    *first_seq = strtoull(name, NULL, 10);
    segment_name(expected, *first_seq);
    return *first_seq > 0 && strcmp(name, expected) == 0;
}

struct listing {
    struct segment_list *list;
    char stranger[64]; /* the first name that should not be there */
};

static void list_name(void *ctx, const char *name)
{
    struct listing *l = ctx;
    uint64_t first_seq;
    if (!disk_name_ends(name, ".segment"))
        return;
    if (segment_name_read(name, &first_seq))
        segment_list_add(l->list, first_seq, 0);
    else if (l->stranger[0] == '\0')
        snprintf(l->stranger, sizeof l->stranger, "%s", name);
}

static int compare_entries(const void *a, const void *b)
{
    uint64_t x = ((const struct segment_entry *)a)->first_seq;
    uint64_t y = ((const struct segment_entry *)b)->first_seq;
    return (x > y) - (x < y);
}

struct status segment_list_read(struct segment_list *list, const struct disk *d, const char *folder)
{
    *list = (struct segment_list){0};
    struct status status = disk_folder_check(folder);
    if (!status_ok(&status))
        return status;
    struct listing l = {.list = list};
    int result = d->list(d->owner, folder, list_name, &l);
    if (result < 0 && result != -ENOENT)
        return disk_fault(result, "list", folder);
    if (l.stranger[0] != '\0')
        return status_make(STATUS_CORRUPT, "%s is not a segment of this journal", l.stranger);
    if (list->count > 1)
        qsort(list->entries, list->count, sizeof *list->entries, compare_entries);
    return status_none();
}

/* Of its header; 0: there is none, or it is damaged. */
static struct status read_version(const struct disk *d, const char *folder, uint64_t first_seq,
                                  uint32_t *version)
{
    char name[SEGMENT_NAME_MAX], path[DISK_PATH_MAX];
    uint8_t block[SEGMENT_HEADER_SIZE];
    segment_name(name, first_seq);
    disk_path(path, folder, name);
    int handle = disk_open(d, path, DISK_READ);
    if (handle < 0)
        return disk_fault(handle, "open", path);
    int64_t n = disk_read_all(d, handle, block, sizeof block, 0);
    d->close(d->owner, handle);
    *version = n == sizeof block ? segment_header_version(block) : 0;
    return n < 0 ? disk_fault((int)n, "read", path) : status_none();
}

struct status segment_format_check(const struct disk *d, const char *folder)
{
    struct segment_list list;
    uint32_t version = 0;
    struct status status = segment_list_read(&list, d, folder);
    if (status.kind == STATUS_CORRUPT)
        status = status_none();
    else if (status_ok(&status) && list.count > 0)
        status = read_version(d, folder, list.entries[list.count - 1].first_seq, &version);
    segment_list_release(&list);
    if (!status_ok(&status) || version == 0 || version == SEGMENT_VERSION)
        return status;
    return status_make(STATUS_INVALID, "another version of Holdfast (journal version %u, supported %u)",
                       version, SEGMENT_VERSION);
}

void segment_list_add(struct segment_list *list, uint64_t first_seq, uint64_t size)
{
    list->entries = memory_room(list->entries, list->count, &list->capacity, 16, sizeof(*list->entries));
    list->entries[list->count++] = (struct segment_entry){.first_seq = first_seq, .size = size};
}

void segment_list_drop_first(struct segment_list *list)
{
    ASSERT(list->count > 0);
    list->count--;
    memmove(list->entries, list->entries + 1, list->count * sizeof *list->entries);
}

void segment_list_release(struct segment_list *list)
{
    free(list->entries);
    *list = (struct segment_list){0};
}
