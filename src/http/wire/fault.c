/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/fault.h"

#include <stdio.h>

const struct fault_facts fault_facts[FAULT_COUNT] = {
#define X(name, code, status, text) {code, status, text},
    FAULTS(X)
#undef X
};

bool fault_set(struct fault *f, enum fault_code code, const char *detail)
{
    *f = (struct fault){.code = code};
    snprintf(f->detail, sizeof f->detail, "%s", detail ? detail : fault_facts[code].sentence);
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
