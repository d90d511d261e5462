/* SPDX-License-Identifier: Apache-2.0 */
#include "journal/batch.h"

#include <string.h>

#include "base/assertion.h"
#include "base/memory/bytes.h"
#include "base/crypto/crc32c.h"

/* Offsets of the fields on disk. To change the layout, raise SEGMENT_VERSION. */
enum {
    AT_MAGIC = 0,
    AT_SIZE = 8,
    AT_COUNT = 12,
    AT_FIRST_SEQ = 16,
    AT_DURABLE_SEQ = 24,
    AT_MS = 32,
    AT_PREV_CRC = 40,
    AT_PAYLOAD_CRC = 44,
    AT_ZERO = 48, /* twelve bytes to spare */
    AT_HEADER_CRC = 60
};

static uint32_t place_crc(const struct batch_place *place)
{
    uint8_t bytes[40];
    memcpy(bytes, place->journal_id, 16);
    bytes_store_u64(bytes + 16, place->salt);
    bytes_store_u64(bytes + 24, place->segment_seq);
    bytes_store_u64(bytes + 32, place->offset);
    return crc32c(0, bytes, sizeof bytes);
}

void batch_encode(struct batch_header *header, const struct batch_place *place, uint8_t *block)
{
    ASSERT(header->size <= BATCH_PAYLOAD_MAX);
    ASSERT(place->offset % BATCH_ALIGNMENT == 0 && place->offset > 0); /* block 0 is the segment's header */
    ASSERT(header->count > 0 || header->size == 0 || header->size == BATCH_CLOSING_SIZE);
    uint32_t seed = place_crc(place);
    header->payload_crc = crc32c(seed, block + BATCH_HEADER_SIZE, header->size);
    memset(block, 0, BATCH_HEADER_SIZE);
    memcpy(block + AT_MAGIC, BATCH_MAGIC, 8);
    bytes_store_u32(block + AT_SIZE, header->size);
    bytes_store_u32(block + AT_COUNT, header->count);
    bytes_store_u64(block + AT_FIRST_SEQ, header->first_seq);
    bytes_store_u64(block + AT_DURABLE_SEQ, header->durable_seq);
    bytes_store_u64(block + AT_MS, (uint64_t)header->at_ms);
    bytes_store_u32(block + AT_PREV_CRC, header->prev_crc);
    bytes_store_u32(block + AT_PAYLOAD_CRC, header->payload_crc);
    /* After payload_crc: the chain links header CRCs only, and so covers the payloads too. */
    header->header_crc = crc32c(seed, block, AT_HEADER_CRC);
    bytes_store_u32(block + AT_HEADER_CRC, header->header_crc);
    size_t used = BATCH_HEADER_SIZE + header->size;
    memset(block + used, 0, (size_t)batch_extent(header->size) - used);
}

enum batch_fault batch_decode(struct batch_header *header, const struct batch_place *place,
                              const uint8_t *block)
{
    if (memcmp(block + AT_MAGIC, BATCH_MAGIC, 8) != 0)
        return BATCH_NOT_A_BATCH;
    header->header_crc = bytes_load_u32(block + AT_HEADER_CRC);
    if (header->header_crc != crc32c(place_crc(place), block, AT_HEADER_CRC))
        return BATCH_NOT_A_BATCH;
    if (!batch_is_zero(block + AT_ZERO, AT_HEADER_CRC - AT_ZERO))
        return BATCH_NOT_A_BATCH;
    header->size = bytes_load_u32(block + AT_SIZE);
    header->count = bytes_load_u32(block + AT_COUNT);
    header->first_seq = bytes_load_u64(block + AT_FIRST_SEQ);
    header->durable_seq = bytes_load_u64(block + AT_DURABLE_SEQ);
    header->at_ms = (int64_t)bytes_load_u64(block + AT_MS);
    header->prev_crc = bytes_load_u32(block + AT_PREV_CRC);
    header->payload_crc = bytes_load_u32(block + AT_PAYLOAD_CRC);
    return header->size <= BATCH_PAYLOAD_MAX ? BATCH_FINE : BATCH_BAD_LENGTH;
}

bool batch_payload_fine(const struct batch_header *header, const struct batch_place *place,
                        const uint8_t *payload)
{
    ASSERT(header->size <= BATCH_PAYLOAD_MAX);
    return crc32c(place_crc(place), payload, header->size) == header->payload_crc;
}

bool batch_is_zero(const uint8_t *bytes, size_t size)
{
    /* Eight zeros, and each later byte equals the one eight before it: one memcmp, no second buffer. */
    size_t head = size < 8 ? size : 8;
    for (size_t i = 0; i < head; i++)
        if (bytes[i] != 0)
            return false;
    return size <= 8 || memcmp(bytes, bytes + 8, size - 8) == 0;
}
