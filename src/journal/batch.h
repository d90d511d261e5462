/* SPDX-License-Identifier: Apache-2.0 */
/* batch.h — the bytes of one batch: one group of changes that becomes durable whole or not at all.
 *
 * A batch begins on a 4 KiB boundary: a header of 64 bytes, the payload, zeros up to the next boundary. The
 * layout is in README.md. The payload is opaque here. A batch of no changes is a seal. Both checksums also
 * cover the identity of the segment and the offset, so that a batch is valid only in the place it was written
 * to.
 */
#ifndef JOURNAL_BATCH_H
#define JOURNAL_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BATCH_ALIGNMENT 4096u /* every batch starts on such a boundary */
#define BATCH_SECTOR 512u     /* what a device writes whole or not at all */
#define BATCH_HEADER_SIZE 64u
#define BATCH_MAGIC "HFSBATCH"
#define BATCH_PAYLOAD_MAX (8u << 20)

/* A batch as its readers see it. */
struct batch {
    uint64_t first_seq;   /* of its first change; a seal carries the seq that comes next */
    uint32_t count;       /* changes in it; 0: a seal */
    bool closing;         /* a seal behind which the segment has nothing more: another one follows */
    int64_t at_ms;        /* the last instant of the server's clock when it was written */
    uint64_t durable_seq; /* the last seq known durable when it was written */
    uint32_t crc;         /* its CRC in the chain */
    const uint8_t *payload;
    size_t size;
};

#define BATCH_CLOSING_SIZE 8u /* the payload of a closing seal: the first seq of the next segment */

/* The header as it is on disk. */
struct batch_header {
    uint32_t size; /* of the payload */
    uint32_t count;
    uint64_t first_seq;
    uint64_t durable_seq;
    int64_t at_ms;
    uint32_t prev_crc;    /* the header_crc of the batch before, over segments too */
    uint32_t payload_crc; /* of place and payload */
    uint32_t header_crc;  /* of place and header, so of everything: this is the batch's CRC in the chain */
};

/* Where a batch lies; part of its checksums and not of its bytes. */
struct batch_place {
    uint8_t journal_id[16];
    uint64_t salt;        /* of the segment */
    uint64_t segment_seq; /* the segment's first seq, its name */
    uint64_t offset;
};

enum batch_fault {
    BATCH_FINE,
    BATCH_NOT_A_BATCH, /* no magic, checksum wrong, or bytes that are always zero are not */
    BATCH_BAD_LENGTH   /* checksum right, but longer than a batch may be */
};

/* Bytes on disk of a batch with a payload of `size`: a multiple of BATCH_ALIGNMENT. */
static inline uint64_t batch_extent(uint64_t size)
{
    return (BATCH_HEADER_SIZE + size + BATCH_ALIGNMENT - 1) / BATCH_ALIGNMENT * BATCH_ALIGNMENT;
}
#define BATCH_EXTENT_MAX (BATCH_PAYLOAD_MAX + BATCH_ALIGNMENT)

/* Completes and writes the header in front of the payload and zeros behind it: `block` has room for
 * batch_extent(header->size), the payload already at block + BATCH_HEADER_SIZE. Sets both
 * CRCs. */
void batch_encode(struct batch_header *header, const struct batch_place *place, uint8_t *block);

/* Reads and verifies the header at `block` (BATCH_HEADER_SIZE bytes). Nothing of it may be used unless it is
 * fine. */
enum batch_fault batch_decode(struct batch_header *header, const struct batch_place *place,
                              const uint8_t *block);

/* Whether the payload is the one the (fine) header was written for. */
bool batch_payload_fine(const struct batch_header *header, const struct batch_place *place,
                        const uint8_t *payload);

/* Whether all bytes are zero. */
bool batch_is_zero(const uint8_t *bytes, size_t size);

#endif
