/* SPDX-License-Identifier: Apache-2.0 */
/* resp_reader.h — reads RESP2, the protocol of Redis, however it is split: replies on one side, requests on the other.
 *
 *   resp_read ──► RESP_MORE    until all of the value has come
 *             ──► RESP_READY   resp_value; the next resp_read begins the next value
 *             ──► RESP_BAD, RESP_TOO_LARGE   and the same ever after, until resp_reader_clear
 *
 * Strict: CR LF everywhere, numbers in their shortest form, no type of RESP3, no inline command. Memory is reserved for
 * bytes that have come, never for a length or a count that was announced: at most `bytes` for the texts, and one struct
 * resp_value for each value that has begun. Linear in the input.
 */
#ifndef BASE_RESP_READER_H
#define BASE_RESP_READER_H

#include "base/memory/buf.h"

enum resp_kind {
    RESP_STATUS,  /* "+OK" */
    RESP_ERROR,   /* "-ERR unknown command": in replies alone */
    RESP_INTEGER, /* ":5" */
    RESP_BULK,    /* "$3", then any bytes */
    RESP_ARRAY,   /* "*2", then its elements */
    RESP_NULL,    /* "$-1" or "*-1" */
};

/* The elements of an array follow it, each with the elements of its own. */
struct resp_value {
    enum resp_kind kind;
    uint32_t count;   /* ARRAY: its elements */
    uint32_t span;    /* values it takes, itself included */
    int64_t integer;  /* INTEGER */
    const char *text; /* STATUS, ERROR, BULK: NUL-terminated too; NULL for the others */
    size_t size;
};

/* The first element of an array that has one. */
static inline const struct resp_value *resp_first(const struct resp_value *array)
{
    return array + 1;
}
/* The value that follows this one in the same array, which has one more. */
static inline const struct resp_value *resp_next(const struct resp_value *value)
{
    return value + value->span;
}
/* Whether it has this kind and exactly these bytes. */
bool resp_is(const struct resp_value *value, enum resp_kind kind, const char *text);

#define RESP_DEPTH_MAX 8u

/* Of one value as it is sent. */
struct resp_limits {
    bool request;    /* an array of bulk strings and nothing else */
    uint32_t depth;  /* arrays in each other, at most RESP_DEPTH_MAX; a request has one */
    uint32_t values; /* arrays count, and each of their elements */
    size_t bytes;    /* as it is sent, from its first byte to its last */
};

enum resp_verdict { RESP_MORE, RESP_READY, RESP_BAD, RESP_TOO_LARGE };

struct resp_reader {
    struct resp_limits limits;
    enum {
        RESP_AT_START, /* of a value, or of one of its elements */
        RESP_IN_LINE,  /* of a status or an error */
        RESP_IN_NUMBER,
        RESP_AT_LF, /* of either line */
        RESP_IN_BULK,
        RESP_AT_BULK_CR,
        RESP_AT_BULK_LF,
        RESP_AT_END, /* the value is complete */
        RESP_FAILED,
    } state;
    enum resp_verdict fault; /* FAILED */
    size_t taken;            /* bytes of this value */
    char type;               /* the first byte of the line */
    char number[20];
    unsigned number_size;
    size_t left; /* IN_BULK: bytes still to come */

    struct buf texts; /* each with a NUL after it, in the order of the values */
    struct resp_value *values;
    uint32_t value_count, value_capacity;
    struct {
        uint32_t array; /* among the values */
        uint32_t left;  /* elements that have not begun */
    } open[RESP_DEPTH_MAX];
    unsigned depth;
};

void resp_reader_init(struct resp_reader *r, const struct resp_limits *limits);
void resp_reader_release(struct resp_reader *r);
/* Forgets what has come, for another connection; keeps the memory. */
void resp_reader_clear(struct resp_reader *r);

/* Reads up to the end of the value. *used is how many bytes were consumed: all of them unless READY, when the others
 * belong to the next value. */
enum resp_verdict resp_read(struct resp_reader *r, const void *bytes, size_t size, size_t *used);
/* The value that is READY: valid until the next call for this reader. */
const struct resp_value *resp_value(const struct resp_reader *r);

#endif
