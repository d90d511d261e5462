/* SPDX-License-Identifier: Apache-2.0 */
/* mirror_batch.h — keys that the mirror writes with one command (GATE_MIRROR in gate_scripts.h). */
#ifndef HTTP_MIRROR_BATCH_H
#define HTTP_MIRROR_BATCH_H

#include "base/memory/buf.h"
#include "view/view.h"

#define MIRROR_BATCH_MAX 256u
#define MIRROR_COMMAND_SIZE_MAX ((size_t)1 << 18)

struct mirror_side; /* mirror.c */

struct mirror_batch {
    struct mirror_side *side;
    bool busy; /* sent, and not answered */
    uint32_t count;
    struct {
        uint64_t event;
        uint32_t position;
    } seats[MIRROR_BATCH_MAX];
    struct buf keys, arguments;
};

void mirror_batch_init(struct mirror_batch *b, struct mirror_side *side);
void mirror_batch_release(struct mirror_batch *b);
void mirror_batch_clear(struct mirror_batch *b);
/* There must be room. `op` is the letter of the operation; its number is the claim's version. */
void mirror_batch_put(struct mirror_batch *b, char op, const struct claim_view *c, struct text user);
void mirror_batch_write(const struct mirror_batch *b, const char *script, struct buf *out);

#endif
