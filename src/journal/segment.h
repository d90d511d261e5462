/* SPDX-License-Identifier: Apache-2.0 */
/* segment.h — one file of the journal: its name and its header; and the list of the existing ones.
 *
 * A file called .segment always has its full size, a valid header and, after it, batches followed by zeros
 * (spare.h describes how it is made). The name is the seq of its first change in 20 digits. A segment is never
 * reused: it is unlinked.
 */
#ifndef JOURNAL_SEGMENT_H
#define JOURNAL_SEGMENT_H

#include "journal/batch.h"
#include "journal/disk.h"

#define SEGMENT_HEADER_SIZE BATCH_ALIGNMENT /* 84 bytes of it are used, the rest is zero */
#define SEGMENT_MAGIC "HFSTJRNL"
#define SEGMENT_VERSION 1u /* of everything in the journal, batches and changes too: see README.md */
#define SEGMENT_SIZE_MIN (16u << 10)
#define SEGMENT_SIZE_MAX (1u << 30)
#define SEGMENT_NAME_MAX 32

struct segment_header {
    uint64_t size; /* of the whole file */
    uint64_t first_seq;
    uint8_t journal_id[16]; /* drawn once, the same in all segments until the journal is forked */
    uint8_t parent_id[16];  /* the first since a fork: the id that this one was forked from; else zeros */
    uint64_t salt;          /* drawn for each segment */
    int64_t at_ms;          /* the greatest instant of the batches before */
    uint32_t prev_crc;      /* the last batch before this segment; 0 for the first of all */
};

/* The segments present, ascending. */
struct segment_list {
    struct segment_entry {
        uint64_t first_seq;
        uint64_t size; /* 0 until its header was read */
    } * entries;
    uint32_t count, capacity;
};

void segment_header_encode(const struct segment_header *header, uint8_t block[SEGMENT_HEADER_SIZE]);
/* The format version that it says; 0: the header is damaged, or not a segment's. */
uint32_t segment_header_version(const uint8_t block[SEGMENT_HEADER_SIZE]);
/* NULL when fine, else what is wrong with it. A whole header has this program's version: that is asked first. */
const char *segment_header_decode(struct segment_header *header, const uint8_t block[SEGMENT_HEADER_SIZE]);

/* Whether this program can read the journal: INVALID if its newest segment has another version, and the text continues
 * "written by". Changes nothing. OK also where there is no journal and where the header is damaged: reading it says so. */
struct status segment_format_check(const struct disk *d, const char *folder);

struct batch_place segment_place(const struct segment_header *header, uint64_t offset);

/* The longest payload that fits a segment of this size between two seals. So a segment that holds no
 * change yet has room for any batch, every segment that was left has a change, and no two begin with the
 * same seq. */
uint64_t segment_payload_max(uint64_t segment_size);
bool segment_size_valid(uint64_t size);

void segment_name(char name[SEGMENT_NAME_MAX], uint64_t first_seq);

/* Finds the segments, after disk_folder_check. A file that ends in .segment under any other name than
 * segment_name makes is CORRUPT. A folder that does not exist is an empty one. Release the list in any
 * case. */
struct status segment_list_read(struct segment_list *list, const struct disk *d, const char *folder);
void segment_list_add(struct segment_list *list, uint64_t first_seq, uint64_t size); /* after all others */
void segment_list_drop_first(struct segment_list *list);
void segment_list_release(struct segment_list *list);

#endif
