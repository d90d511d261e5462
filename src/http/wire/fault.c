/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/fault.h"

#include <stdio.h>

#include "base/assertion.h"

static const struct {
    const char *name;
    int http_status;
    const char *sentence;
} faults[] = {
#define X(name, code, status, text) {code, status, text},
    FAULTS(X)
#undef X
};

const char *fault_name(enum fault_code code)
{
    ASSERT(code < FAULT_COUNT);
    return faults[code].name;
}

int fault_http_status(enum fault_code code)
{
    ASSERT(code < FAULT_COUNT);
    return faults[code].http_status;
}

const char *fault_sentence(enum fault_code code)
{
    ASSERT(code < FAULT_COUNT);
    return faults[code].sentence;
}

bool fault_set(struct fault *f, enum fault_code code, const char *detail)
{
    *f = (struct fault){.code = code};
    snprintf(f->detail, sizeof f->detail, "%s", detail ? detail : fault_sentence(code));
    return false;
}

bool fault_set_invalid(struct fault *f, const char *pointer, const char *detail)
{
    fault_set(f, FAULT_INVALID, detail);
    snprintf(f->pointer, sizeof f->pointer, "%s", pointer);
    return false;
}

bool fault_set_refusal(struct fault *f, enum outcome_code refusal)
{
    *f = (struct fault){.refusal = refusal};
    return false;
}
