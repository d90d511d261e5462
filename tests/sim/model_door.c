/* SPDX-License-Identifier: Apache-2.0 */
/* model_door.c — the expected answers at the door: each ticket admits once, and a retry gets the same answer. */
#include "model_door.h"

#include <stdio.h>
#include <string.h>

#include "model.h"

static bool same_code(const struct ask_code_of *a, const struct ask_code_of *b)
{
    return a->key[0] == b->key[0] && a->key[1] == b->key[1] && a->item_id == b->item_id && a->unit == b->unit;
}

static struct ask_code_of code_of(const struct model_reservation *r, const struct model_item *item,
                                  uint32_t unit)
{
    return (struct ask_code_of){{r->key[0], r->key[1]}, item->id, unit};
}

/* The sold item whose ticket it is, or NULL. */
static const struct model_item *sold_as(struct model *m, const struct ask_code_of *code,
                                        const struct model_reservation **of)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        for (int k = 0; r->used && r->status == RESERVATION_CONFIRMED && k < r->item_count; k++) {
            struct ask_code_of own = code_of(r, &r->items[k], code->unit);
            if (code->unit < r->items[k].quantity && same_code(&own, code)) {
                *of = r;
                return &r->items[k];
            }
        }
    }
    return NULL;
}

static struct model_ticket *known(struct model *m, const struct ask_code_of *code)
{
    for (int i = 0; i < MODEL_TICKETS; i++)
        if (m->door.tickets[i].known && same_code(&m->door.tickets[i].code, code))
            return &m->door.tickets[i];
    return NULL;
}

/* A free slot, or else that of a void one; NULL: all are needed. */
static struct model_ticket *place(struct model *m)
{
    for (int i = 0; i < MODEL_TICKETS; i++)
        if (!m->door.tickets[i].known)
            return &m->door.tickets[i];
    for (int i = 0; i < MODEL_TICKETS; i++) {
        struct model_ticket *t = &m->door.tickets[m->door.turn++ % MODEL_TICKETS];
        if (t->is_void)
            return t;
    }
    return NULL;
}

static struct model_ticket *known_or_made(struct model *m, const struct ask_code_of *code,
                                          struct id reservation)
{
    struct model_ticket *t = known(m, code);
    if (t || !(t = place(m)))
        return t;
    *t = (struct model_ticket){.known = true, .code = *code, .reservation = reservation};
    return t;
}

uint32_t model_tickets_free(const struct model *m)
{
    uint32_t count = 0;
    for (int i = 0; i < MODEL_TICKETS; i++)
        count += !m->door.tickets[i].known || m->door.tickets[i].is_void;
    return count;
}

/* ---- What becomes of tickets ---- */

void model_tickets_void(struct model *m, const struct model_reservation *r, const struct model_item *item)
{
    for (uint32_t unit = 0; unit < item->quantity; unit++) {
        struct ask_code_of code = code_of(r, item, unit);
        struct model_ticket *t = known_or_made(m, &code, r->id);
        if (!t)
            continue;
        t->is_void = true;
        t->event = item->kind == ITEM_SLOT ? -1 : item->event;
        t->reissue = item->fence;
    }
}

void model_tickets_event_gone(struct model *m, int event)
{
    for (int i = 0; i < MODEL_TICKETS; i++)
        if (m->door.tickets[i].is_void && m->door.tickets[i].event == event)
            m->door.tickets[i].event = -1;
}

void model_tickets_lose(struct model *m, struct id reservation)
{
    for (int i = 0; i < MODEL_TICKETS; i++)
        if (m->door.tickets[i].known && id_equal(m->door.tickets[i].reservation, reservation))
            m->door.tickets[i] = (struct model_ticket){0};
}

bool model_ticket_used(const struct model *m, const struct model_reservation *r,
                       const struct model_item *item)
{
    for (int i = 0; i < MODEL_TICKETS; i++) {
        const struct model_ticket *t = &m->door.tickets[i];
        struct ask_code_of own = code_of(r, item, t->code.unit);
        if (t->known && !t->is_void && t->result == CHECK_IN_OK && same_code(&own, &t->code))
            return true;
    }
    return false;
}

/* ---- The door ---- */

static void say(const struct model_ticket *t, struct model_answer *out)
{
    out->scanned.has_use = t->result != 0;
    out->scanned.result = t->result;
    out->scanned.at = t->at;
    out->scanned.gate = t->gate;
}

/* The scan recorded with this nonce, while an upload can be repeated; or NULL. */
static struct model_recorded *recorded(struct model *m, const struct ask_scan *s, uint32_t nonce)
{
    for (int i = 0; nonce && i < MODEL_SCANS; i++) {
        struct model_recorded *r = &m->door.scans[i];
        if (r->nonce == nonce && same_code(&r->code, &s->code) &&
            m->now < r->recorded + SCAN_AGE_MAX_MS + SCAN_AHEAD_MAX_MS)
            return r;
    }
    return NULL;
}

static void record(struct model *m, const struct ask_scan *s, const struct model_ticket *done)
{
    struct model_recorded *known = recorded(m, s, done->nonce);
    if (known) { /* undone: it counts from when it was made */
        known->result = done->result;
    } else if (done->nonce && done->result != CHECK_IN_UNDONE) {
        m->door.scans[m->door.next_scan++ % MODEL_SCANS] =
            (struct model_recorded){s->code, done->nonce, done->result, done->gate, done->at, m->now};
    }
}

static void use(struct model *m, const struct ask_scan *s, struct model_ticket *t,
                enum check_in_result result, struct model_answer *out)
{
    struct model_ticket done = *t;
    done.result = (uint8_t)result;
    done.at = s->at && s->at < m->now ? s->at : m->now;
    done.gate = (int8_t)s->gate;
    if (result != CHECK_IN_UNDONE)
        done.nonce = s->nonce;
    say(&done, out);
    out->changes = true;
    record(m, s, &done);
    if (result == CHECK_IN_OK || result == CHECK_IN_UNDONE)
        *t = done;
}

static bool wrong_event(const struct ask_scan *s, int event)
{
    return s->event >= 0 && s->event != event;
}

static void undo(struct model *m, const struct ask_scan *s, struct model_ticket *t, int event,
                 struct model_answer *out)
{
    bool in = t->result == CHECK_IN_OK;
    if (wrong_event(s, event)) {
        out->code = OUTCOME_WRONG_EVENT;
    } else if (t->is_void) {
        out->code = OUTCOME_TICKET_VOID;
    } else if (!in) {
        out->scanned.has_use = false;
        out->scanned.result = CHECK_IN_UNDONE;
    } else if (s->nonce && s->nonce != t->nonce) {
        out->code = OUTCOME_ALREADY_CHECKED_IN;
    } else {
        use(m, s, t, CHECK_IN_UNDONE, out);
    }
}

static enum outcome_code judge(const struct ask_scan *s, const struct model_ticket *t, int event,
                               uint64_t reissue)
{
    if (wrong_event(s, event))
        return OUTCOME_WRONG_EVENT;
    if (t->is_void || (s->printed && s->reissue < reissue))
        return OUTCOME_TICKET_VOID;
    return t->result == CHECK_IN_OK ? OUTCOME_ALREADY_CHECKED_IN : OUTCOME_OK;
}

static void tell_again(const struct ask_scan *s, const struct model_recorded *again, struct model_answer *out)
{
    if (again->result == CHECK_IN_UNDONE) {
        out->code = OUTCOME_UNDONE;
    } else if (!s->at && again->result != CHECK_IN_OK) {
        out->code = again->result == CHECK_IN_VOID ? OUTCOME_TICKET_VOID : OUTCOME_ALREADY_CHECKED_IN;
    } else {
        out->scanned.has_use = true;
        out->scanned.result = again->result;
        out->scanned.at = again->at;
        out->scanned.gate = again->gate;
    }
}

void model_scan(struct model *m, const struct ask *a, struct model_answer *out)
{
    const struct ask_scan *s = &a->scan;
    const struct model_reservation *r = NULL;
    const struct model_item *item = sold_as(m, &s->code, &r);
    bool looks = a->kind == COMMAND_TICKET_LOOK;
    if (!looks && s->at && (s->at < m->now - SCAN_AGE_MAX_MS || s->at > m->now + SCAN_AHEAD_MAX_MS)) {
        out->code = OUTCOME_INVALID;
        snprintf(out->pointer, sizeof(out->pointer), "/scanned_at");
        return;
    }
    struct model_ticket *t = item ? known_or_made(m, &s->code, r->id) : known(m, &s->code);
    if (!t) {
        out->code = OUTCOME_NO_SUCH_TICKET;
        return;
    }
    int event = item ? (item->kind == ITEM_SLOT ? -1 : item->event) : t->event;
    out->scanned.shown = true;
    out->scanned.reissue = item ? item->fence : t->reissue;
    say(t, out);
    const struct model_recorded *again = recorded(m, s, s->nonce);
    if (looks) {
        out->code = t->is_void ? OUTCOME_TICKET_GONE : OUTCOME_OK;
    } else if (s->undo) {
        undo(m, s, t, event, out);
    } else if (s->nonce && t->result && s->nonce == t->nonce) {
        out->code = t->result == CHECK_IN_OK ? OUTCOME_OK : OUTCOME_UNDONE;
    } else if (again) {
        tell_again(s, again, out);
    } else {
        enum outcome_code code = judge(s, t, event, out->scanned.reissue);
        if (code != OUTCOME_OK && !s->at)
            out->code = code;
        else
            use(m, s, t,
                code == OUTCOME_OK                   ? CHECK_IN_OK
                : code == OUTCOME_ALREADY_CHECKED_IN ? CHECK_IN_DUPLICATE
                                                     : CHECK_IN_VOID,
                out);
    }
}
