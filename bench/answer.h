/* SPDX-License-Identifier: Apache-2.0 */
/* answer.h — reads one answer from a connection, in any pieces: HTTP/1.1 with Content-Length, or RESP.
 *
 * Reads only what is needed to find the end and the verdict. Bodies are counted and discarded, except the start of an
 * unexpected one, which is kept to be shown, and of any body on request.
 */
#ifndef BENCH_ANSWER_H
#define BENCH_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum answer_protocol { ANSWER_HTTP, ANSWER_RESP };
enum answer_state { ANSWER_HEAD, ANSWER_BODY, ANSWER_DONE, ANSWER_BAD };

/* For HTTP the code is the status; for RESP one of these. */
enum answer_resp { ANSWER_RESP_OK = 1, ANSWER_RESP_NIL, ANSWER_RESP_ERROR, ANSWER_RESP_OTHER };
#define ANSWER_CODES 600

#define ANSWER_HEAD_MAX 8192
#define ANSWER_SAMPLE_MAX 240

struct answer {
    enum answer_protocol protocol;
    enum answer_state state;
    int expected; /* code */
    bool keeps;   /* also keeps the start of an expected body; set after answer_init */
    int code;
    uint64_t body_left;
    size_t head_size; /* bytes kept of a head that came in pieces */
    size_t sample_size;
    char head[ANSWER_HEAD_MAX];
    char sample[ANSWER_SAMPLE_MAX]; /* of an unexpected answer, or of any */
};

void answer_init(struct answer *a, enum answer_protocol protocol, int expected);
void answer_next(struct answer *a); /* forgets the finished answer and waits for another */
/* Takes the bytes of one answer and returns how many there were; it is complete when the state says so. */
size_t answer_feed(struct answer *a, const char *data, size_t size);
/* "201", "OK", "nil": the name of a code in the report. */
const char *answer_name(enum answer_protocol protocol, int code, char out[16]);

#endif
