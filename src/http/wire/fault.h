/* SPDX-License-Identifier: Apache-2.0 */
/* fault.h — errors of a request that are found before any domain rule is checked.
 *
 * These codes come from http only; core's refusals are in core/outcome.h.
 */
#ifndef HTTP_FAULT_H
#define HTTP_FAULT_H

#include <stdbool.h>

#include "core/outcome.h"

/* name, code on the wire, HTTP status, sentence for people */
#define FAULTS(X)                                                                                            \
    X(INVALID, "invalid", 400, "Invalid request.")                                                           \
    X(UNAUTHENTICATED, "unauthenticated", 401, "Missing credentials.")                                       \
    X(FORBIDDEN, "forbidden", 403, "This role is not allowed to do that.")                                   \
    X(NO_SUCH_ROUTE, "no_such_route", 404, "No such path.")                                                  \
    X(METHOD_NOT_ALLOWED, "method_not_allowed", 405, "This method is not allowed here.")                     \
    X(TOO_LARGE, "too_large", 413, "The body is too large.")                                                 \
    X(UNSUPPORTED_TYPE, "unsupported_type", 415, "Unsupported content type.")                                \
    X(MISDIRECTED, "misdirected", 421,                                                                       \
      "This server does not decide. Send the request to the one that does.")                                 \
    X(SLOW_DOWN, "slow_down", 429, "Too many requests. Please wait a moment and try again.")                 \
    X(HEADERS_TOO_LARGE, "headers_too_large", 431, "The headers are too large.")                             \
    X(UNAVAILABLE, "unavailable", 503, "The server cannot answer right now. Please try again in a moment.")  \
    X(UNDECIDED, "undecided", 503,                                                                           \
      "This may or may not have happened. Please repeat it with the same Idempotency-Key, or look.")

enum fault_code {
#define X(name, code, status, text) FAULT_##name,
    FAULTS(X)
#undef X
        FAULT_COUNT
};
extern const struct fault_facts {
    const char *name;
    int http_status;
    const char *sentence;
} fault_facts[FAULT_COUNT];

struct fault {
    enum fault_code code;
    enum outcome_code refusal; /* not OK: answered with this refusal of core instead of `code` */
    char pointer[80];          /* INVALID: the field; "" is the whole. "?name" is a query parameter */
    char detail[160];          /* "": the code's own sentence */
    unsigned retry_after_s;    /* SLOW_DOWN, UNAVAILABLE */
    bool bad_token; /* UNAUTHENTICATED: credentials were sent, and `detail` says what is wrong with them */
    unsigned allow; /* METHOD_NOT_ALLOWED: bit per enum method */
};

/* Each returns false, so that a check can end with them. */
bool fault_set(struct fault *f, enum fault_code code, const char *detail); /* NULL: the code's own sentence */
bool fault_set_refusal(struct fault *f, enum outcome_code refusal);
bool fault_set_invalid(struct fault *f, const char *pointer, const char *detail);

#endif
