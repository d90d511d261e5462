/* SPDX-License-Identifier: Apache-2.0 */
/* check_in.c — a ticket is shown at the door.
 *
 * The order of answers: the code exists; if the nonce is that of the ticket's last check-in, or of any recorded scan of
 * it, the same answer is given again; the gate is for this event; the ticket, and the print that was shown, is good;
 * the ticket is not checked in. For a scan that is uploaded later the decision at the door is past, so it is always
 * recorded, and its result is what the answer should have been.
 *
 * An undo takes back the last check-in, at a gate for this event; with a nonce, only the check-in made with that nonce.
 * The nonce stays, so that a late retry of an undone check-in does not admit again.
 */
#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "core/claim/kind.h"
#include "core/codec.h"
#include "core/door/nonce.h"
#include "core/state.h"

static const struct hash_key nonce_keys[2] = {{0x6e6f6e63652d6f6e, 0x686f6c6466617374},
                                              {0x6e6f6e63652d7477, 0x686f6c6466617374}};

static void nonce_hash(struct text nonce, uint64_t out[2])
{
    ASSERT(nonce.size <= NONCE_SIZE_MAX);
    for (int i = 0; i < 2; i++)
        out[i] = nonce.at ? hash_sip(nonce_keys[i], nonce.at, nonce.size) : 0;
}

static bool checked_in(const struct check_in_image *ticket)
{
    return ticket->result == CHECK_IN_OK;
}

/* Records what was done. A duplicate, and a scan of a void ticket, leave the ticket as it is. */
static enum outcome_code record(struct state *st, const struct check_in_image *done, struct outcome *out)
{
    ASSERT(done->result >= CHECK_IN_RESULT_FIRST && done->result <= CHECK_IN_RESULT_LAST);
    ASSERT(done->at_ms <= st->now_ms); /* a scanner's clock that is ahead is replaced by ours */
    st->change.kind = CHANGE_CHECK_IN;
    st->change.check_in = *done;
    state_saw(out, state_commit(st));
    out->check_in.result = done->result;
    out->check_in.at_ms = done->at_ms;
    out->check_in.gate = done->gate;
    return OUTCOME_OK;
}

/* A gate that names its event is for that event only. */
static bool wrong_event(const struct command *c, const struct check_in_image *ticket)
{
    struct text event = c->check_in.event;
    return event.at && !(claim_kind(ticket->kind)->in_event && text_equal(event, ticket->resource_id));
}

static enum outcome_code undo(struct state *st, struct ticket *t, const struct command *c,
                              struct outcome *out)
{
    struct check_in_image now = out->check_in;
    uint64_t nonce[2];
    ASSERT(c->check_in.undo && out->has_check_in);
    nonce_hash(c->check_in.nonce, nonce);
    state_saw(out, ticket_use_seq(st, t));
    if (wrong_event(c, &now))
        return OUTCOME_WRONG_EVENT;
    if (now.is_void)
        return OUTCOME_TICKET_VOID;
    if (!checked_in(&now)) { /* already undone: the first answer could have been lost */
        out->check_in.result = CHECK_IN_UNDONE;
        return OUTCOME_OK;
    }
    if (c->check_in.nonce.at && memcmp(nonce, now.nonce, sizeof(nonce)) != 0)
        return OUTCOME_ALREADY_CHECKED_IN; /* in another scan since */
    now.result = CHECK_IN_UNDONE;
    now.at_ms = st->now_ms;
    now.gate = c->check_in.gate;
    return record(st, &now, out);
}

static enum outcome_code judge(const struct command *c, const struct check_in_image *ticket)
{
    if (wrong_event(c, ticket))
        return OUTCOME_WRONG_EVENT;
    if (ticket->is_void || (c->check_in.printed && c->check_in.reissue < ticket->reissue))
        return OUTCOME_TICKET_VOID;
    return checked_in(ticket) ? OUTCOME_ALREADY_CHECKED_IN : OUTCOME_OK;
}

static bool scan_time_valid(const struct state *st, int64_t at_ms)
{
    return at_ms >= st->now_ms - SCAN_AGE_MAX_MS && at_ms <= st->now_ms + SCAN_AHEAD_MAX_MS;
}

static enum check_in_result result_of(enum outcome_code judged)
{
    return judged == OUTCOME_OK                   ? CHECK_IN_OK
           : judged == OUTCOME_ALREADY_CHECKED_IN ? CHECK_IN_DUPLICATE
                                                  : CHECK_IN_VOID;
}

/* Repeats the answer recorded with this nonce. An upload gets its result; a scan at the door gets OK only if the ticket
 * was good. */
static enum outcome_code repeat_answer(const struct nonce *n, bool uploaded, struct outcome *out)
{
    state_saw(out, n->seq);
    if (n->result == CHECK_IN_UNDONE)
        return OUTCOME_UNDONE;
    if (!uploaded && n->result != CHECK_IN_OK)
        return n->result == CHECK_IN_DUPLICATE ? OUTCOME_ALREADY_CHECKED_IN : OUTCOME_TICKET_VOID;
    out->check_in.result = (enum check_in_result)n->result;
    out->check_in.at_ms = n->at_ms;
    out->check_in.gate = n->gate;
    return OUTCOME_OK;
}

enum outcome_code check_in_scan(struct state *st, const struct command *c, struct outcome *out)
{
    struct ticket *t;
    uint64_t nonce[2];
    bool uploaded = c->check_in.scanned_at_ms != 0;
    ASSERT(c->check_in.gate.size <= GATE_SIZE_MAX);
    if (uploaded && !scan_time_valid(st, c->check_in.scanned_at_ms))
        return state_invalid(out, "Invalid scanned_at: must be within the last 48 hours.", "/scanned_at");
    enum outcome_code code = ticket_fetch(st, c, c->check_in.code, out, &t);
    if (code != OUTCOME_OK)
        return code;
    ticket_show(st, t, &out->check_in);
    out->has_check_in = true;
    if (c->check_in.undo)
        return undo(st, t, c, out);
    struct check_in_image now = out->check_in;
    nonce_hash(c->check_in.nonce, nonce);
    state_saw(out, ticket_use_seq(st, t));
    if (c->check_in.nonce.at && now.result && memcmp(nonce, now.nonce, sizeof(nonce)) == 0)
        return checked_in(&now) ? OUTCOME_OK : OUTCOME_UNDONE;
    const struct nonce *known = c->check_in.nonce.at ? nonce_find(st, now.code, nonce) : NULL;
    if (known)
        return repeat_answer(known, uploaded, out);
    code = judge(c, &now);
    if (code != OUTCOME_OK && !uploaded)
        return code;
    now.result = result_of(code);
    now.at_ms = uploaded && c->check_in.scanned_at_ms < st->now_ms ? c->check_in.scanned_at_ms : st->now_ms;
    now.gate = c->check_in.gate;
    memcpy(now.nonce, nonce, sizeof(nonce));
    return record(st, &now, out);
}

enum outcome_code check_in_look(struct state *st, const struct command *c, struct outcome *out)
{
    struct ticket *t;
    enum outcome_code code = ticket_fetch(st, c, c->check_in.code, out, &t);
    if (code != OUTCOME_OK)
        return code;
    ticket_show(st, t, &out->check_in);
    out->has_check_in = true;
    return out->check_in.is_void ? OUTCOME_TICKET_GONE : OUTCOME_OK;
}

/* ---- From the book ---- */

bool state_remember_ticket(struct state *st, const struct check_in_image *image)
{
    struct ticket *known = ticket_find(st, image->code);
    if (known && ticket_unread(known) && image->result <= CHECK_IN_UNDONE)
        ticket_use(st, known, image, 0);
    if (known)
        return true; /* it was created or voided in the meantime */
    struct ticket *t = image->result <= CHECK_IN_UNDONE ? ticket_take(st, image) : NULL;
    if (!t)
        return false;
    ticket_use(st, t, image, 0);
    /* Kept for a while: the command could need other tickets of the same reservation too. */
    ticket_changed(st, t, st->seq);
    return true;
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

/* clang-format off */
#define CHECK_IN_FIELDS(X) \
    X(text, code) X(id, reservation) X(word, kind, ITEM_KIND_FIRST, ITEM_KIND_LAST) X(number, resource) \
    X(u32, part, UINT32_MAX) X(u32, item_id, UINT32_MAX) X(u32, unit, UNITS_MAX - 1) X(number, reissue) \
    X(word, result, CHECK_IN_RESULT_FIRST, CHECK_IN_RESULT_LAST) X(signed, at_ms) X(optional, gate) \
    X(fixed, nonce[0]) X(fixed, nonce[1])
/* clang-format on */

void check_in_change_put(struct buf *out, const struct change *c)
{
    const struct check_in_image *r = &c->check_in;
    ASSERT(r->code.size == TICKET_CODE_SIZE && r->gate.size <= GATE_SIZE_MAX);
    CHECK_IN_FIELDS(CODEC_PUT)
}

void check_in_change_get(struct bytes_reader *in, struct change *c)
{
    struct check_in_image *r = &c->check_in;
    *r = (struct check_in_image){0};
    CHECK_IN_FIELDS(CODEC_GET)
    in->bad = in->bad || r->code.size != TICKET_CODE_SIZE || r->gate.size > GATE_SIZE_MAX;
}

bool check_in_change_restore(struct state *st, const struct change *c)
{
    int64_t recorded_ms = c->seq ? c->at_ms : c->check_in.recorded_at_ms;
    if (recorded_ms)
        nonce_note(st, &c->check_in, recorded_ms, c->seq);
    if (c->check_in.recorded_at_ms || c->check_in.result > CHECK_IN_UNDONE)
        return true; /* only recorded */
    /* The book has the good ones: one that is not in memory was dropped since, or is void. */
    struct ticket *t = c->seq ? ticket_take(st, &c->check_in) : ticket_find(st, c->check_in.code);
    if (!t)
        return c->seq == 0;
    ticket_use(st, t, &c->check_in, c->seq);
    ticket_changed(st, t, c->seq);
    return true;
}
