/* SPDX-License-Identifier: Apache-2.0 */
#include "core/money/provider.h"

#include "base/assertion.h"
#include "core/codec.h"
#include "core/state.h"

static bool provider_image_fits(const struct provider_image *p)
{
    return p->number && p->secret.size >= PROVIDER_SECRET_SIZE_MIN &&
           p->secret.size <= PROVIDER_SECRET_SIZE_MAX && p->old_secret.size <= PROVIDER_SECRET_SIZE_MAX &&
           (p->old_secret.at != NULL) == (p->old_until_ms != 0);
}

static void free_texts(struct provider_image *p)
{
    text_free(p->secret);
    text_free(p->old_secret);
}

static bool provider_restore(struct state *st, const struct provider_image *image, uint64_t seq)
{
    struct provider_image own = *image;
    if (!provider_image_fits(image) || (st->provider.number && st->provider.number != image->number))
        return false;
    /* Before the old texts are freed: the image can borrow them. */
    own.secret = text_own(image->secret);
    own.old_secret = text_own(image->old_secret);
    free_texts(&st->provider);
    st->provider = own;
    st->provider_seq = seq;
    return true;
}

enum outcome_code provider_put(struct state *st, const struct command *c, struct outcome *out)
{
    const struct provider_image *now = &st->provider;
    struct provider_image image = *now;
    bool same =
        now->number && now->provider == c->provider.provider && text_equal(now->secret, c->provider.secret);
    ASSERT(c->provider.secret.size >= PROVIDER_SECRET_SIZE_MIN);
    if (!same) {
        image.number = now->number ? now->number : state_next_seq(st);
        image.provider = c->provider.provider;
        image.secret = c->provider.secret;
        image.old_provider = now->number ? now->provider : image.provider;
        image.old_secret = now->secret; /* of two old secrets only the newer stays */
        image.old_until_ms = now->number ? st->now_ms + PROVIDER_OLD_MS : 0;
        image.changed_at_ms = st->now_ms;
        st->change.kind = CHANGE_PROVIDER;
        st->change.provider = image;
        state_commit(st);
    }
    ASSERT(st->provider.number && text_equal(st->provider.secret, c->provider.secret));
    out->provider = &st->provider;
    state_saw(out, st->provider_seq);
    return OUTCOME_OK;
}

const struct provider_image *state_provider(const struct state *st)
{
    return &st->provider;
}

void provider_release(struct state *st)
{
    free_texts(&st->provider);
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

/* clang-format off */
#define PROVIDER_FIELDS(X) \
    X(number, number) X(word, provider, PAYMENT_PROVIDER_FIRST, PAYMENT_PROVIDER_LAST) X(text, secret) \
    X(word, old_provider, PAYMENT_PROVIDER_FIRST, PAYMENT_PROVIDER_LAST) X(optional, old_secret) \
    X(signed, old_until_ms) X(signed, changed_at_ms)
/* clang-format on */
CHANGE_CODEC(provider, provider, PROVIDER_FIELDS)
CHANGE_RESTORE(provider, provider_restore(st, &c->provider, c->seq))
