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
