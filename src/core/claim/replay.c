/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/replay.h"

#include "base/assertion.h"

enum outcome_code replay_find(struct state *st, const struct command *c, struct outcome *out, bool *seen,
                              struct id *made)
{
    struct idempotency_entry entry;
    *seen = false;
    if (!c->idempotent)
        return OUTCOME_OK;
    switch (idempotency_find(&st->idempotency, c->idempotency_key, st->now_ms, &entry)) {
    case IDEMPOTENCY_NEW:
        return OUTCOME_OK;
    case IDEMPOTENCY_PERHAPS:
        if (c->idempotency_checked)
            return OUTCOME_OK;
        out->fetch = FETCH_IDEMPOTENCY;
        return OUTCOME_FETCH;
    case IDEMPOTENCY_FOUND:
        break;
    }
    *seen = true;
    *made = entry.image.made;
    state_saw(out, entry.seq);
    if (memcmp(entry.image.body, c->idempotency_body, sizeof(entry.image.body)) != 0)
        return OUTCOME_IDEMPOTENCY_KEY_REUSED;
    out->replayed = true;
    out->http_status = entry.image.http_status;
    return OUTCOME_OK;
}

void replay_remember(struct state *st, const struct command *c, enum made_kind kind, struct id made,
                     uint16_t http_status)
{
    if (!c->idempotent)
        return;
    ASSERT(http_status == 200 || http_status == 201);
    struct idempotency_image image = {.key = {c->idempotency_key[0], c->idempotency_key[1]},
                                      .body = {c->idempotency_body[0], c->idempotency_body[1]},
                                      .made_kind = kind,
                                      .made = made,
                                      .http_status = http_status,
                                      .at_ms = st->now_ms};
    st->change.kind = CHANGE_IDEMPOTENCY;
    st->change.idempotency = image;
    idempotency_add(&st->idempotency, &image, state_emit(st));
}
