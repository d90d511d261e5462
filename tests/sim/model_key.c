/* SPDX-License-Identifier: Apache-2.0 */
/* model_key.c — a repeated creating request with the same key. */
#include "model.h"

static struct model_key *key_find(struct model *m, const struct ask *a)
{
    for (int i = 0; a->key >= 0 && i < MODEL_KEYS; i++)
        if (m->keys[i].used && m->keys[i].text == a->key_text && m->now < m->keys[i].at + 24LL * 3600 * 1000)
            return &m->keys[i];
    return NULL;
}

/* Whoever owns it now. A transfer is answered in brief to the giver as long as the receiver has it. */
static void show_again(const struct ask *a, struct model *m, const struct model_reservation *r,
                       struct model_answer *out)
{
    bool staff = a->role == ROLE_APP || a->role == ROLE_ADMIN;
    if (a->kind == COMMAND_TRANSFER)
        out->code = staff || r->user == a->to ? OUTCOME_OK : OUTCOME_NO_SUCH_RESERVATION;
    else if (a->role == ROLE_USER && r->user != a->actor)
        out->code = OUTCOME_NO_SUCH_RESERVATION;
    else if (a->named >= 0 && r->user != a->named)
        out->code = OUTCOME_NOT_OWNER;
    out->replayed = out->code == OUTCOME_OK;
    out->brief = out->replayed && a->kind == COMMAND_TRANSFER;
    if (out->replayed)
        model_show(m, r, out);
}

bool model_replayed(struct model *m, const struct ask *a, struct model_answer *out)
{
    const struct model_key *key = key_find(m, a);
    if (!key)
        return false;
    if (key->body != a->body) {
        out->code = OUTCOME_IDEMPOTENCY_KEY_REUSED;
        return true;
    }
    out->replayed = true;
    out->entry_event = key->event;
    if (key->kind == MADE_RESERVATION)
        show_again(a, m, model_find(m, key->id), out);
    else
        *(key->kind == MADE_QUEUE_ENTRY ? &out->entry : &out->list_entry) = key->number;
    return true;
}

void model_remember(struct model *m, const struct ask *a, enum made_kind kind, int event, int number)
{
    if (a->key >= 0)
        m->keys[a->key] = (struct model_key){.used = true,
                                             .kind = (uint8_t)kind,
                                             .event = (int8_t)event,
                                             .number = (int8_t)number,
                                             .text = a->key_text,
                                             .body = a->body,
                                             .id = a->id,
                                             .at = m->now};
}
