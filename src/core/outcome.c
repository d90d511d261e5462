/* SPDX-License-Identifier: Apache-2.0 */
#include "core/outcome.h"

#include "base/assertion.h"

static const struct {
    const char *name;
    int status;
    enum outcome_wait waits;
    const char *sentence;
} outcomes[] = {
#define X(name, code, status, waits, text) {code, status, OUTCOME_WAITS_##waits, text},
    OUTCOMES(X)
#undef X
};

/* clang-format off */
#define OUTCOME_COLUMN(type, function, column) \
    type function(enum outcome_code code) \
    { \
        ASSERT(code < OUTCOME_COUNT); \
        return outcomes[code].column; \
    }
OUTCOME_COLUMN(const char *, outcome_name, name)
OUTCOME_COLUMN(int, outcome_http_status, status)
OUTCOME_COLUMN(enum outcome_wait, outcome_waits, waits)
OUTCOME_COLUMN(const char *, outcome_sentence, sentence)
/* clang-format on */

enum outcome_code outcome_lacks(struct outcome *out, const struct record_key *key)
{
    /* A reservation can be missing twice: as itself, and as the owner of a payment. */
    for (uint32_t i = 0; i < out->lack_count; i++)
        if (key->kind == FETCH_RESERVATION && out->lacks[i].kind == FETCH_RESERVATION &&
            id_equal(key->id, out->lacks[i].id))
            return OUTCOME_FETCH;
    ASSERT(out->lack_count < OUTCOME_LACKS_MAX);
    out->lacks[out->lack_count++] = *key;
    return OUTCOME_FETCH;
}
