/* SPDX-License-Identifier: Apache-2.0 */
/* replay.h — a creating request seen before is answered as it was, or refused when its body differs. */
#ifndef CORE_REPLAY_H
#define CORE_REPLAY_H

#include "core/state.h"

/* OK and !*seen: it is new. OK and *seen: the answer is the record with the id *made as it is now;
 * out->replayed and its status are set. FETCH, IDEMPOTENCY_KEY_REUSED: answer with that. */
enum outcome_code replay_find(struct state *st, const struct command *c, struct outcome *out, bool *seen,
                              struct id *made);
/* The command has made this and is answered with this status. Emits, if it came with a key. */
void replay_remember(struct state *st, const struct command *c, enum made_kind kind, struct id made,
                     uint16_t http_status);

#endif
