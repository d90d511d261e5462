/* SPDX-License-Identifier: Apache-2.0 */
#include "core/door/ticket.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/calendar/calendar.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"
#include "core/state_check_parts.h"

struct ticket {
    uint64_t code[2]; /* in two halves of 50 bits */
    struct id reservation;
    uint64_t resource;
    uint64_t reissue;
    uint32_t part, item_id;
    uint16_t unit;
    uint8_t kind; /* enum item_kind; 0: the slot is free */
    bool is_void;
    bool unread; /* its use is only in the book */

    /* derived, or kept by the book */
    uint32_t use; /* handle + 1; 0: never used */
    uint64_t seq; /* of its last change; an older entry in the ring is outdated */
};

struct ticket_use { /* the last one */
    int64_t at_ms;
    uint64_t seq, nonce[2];
    struct text gate; /* owned */
    uint8_t result;   /* CHECK_IN_OK or CHECK_IN_UNDONE */
};

/* ---- The index ---- */

static struct ticket *ticket_entry(const struct state *st, uint32_t handle)
{
    return slab_at(&st->tickets.all, handle);
}

static struct ticket_use *use_of(const struct state *st, const struct ticket *t)
{
    return t->use ? slab_at(&st->tickets.uses, t->use - 1) : NULL;
}

static uint64_t code_hash(const uint64_t code[2])
{
    return code[0] * 0x9e3779b97f4a7c15ULL ^ code[1] << 14;
}

static uint64_t ticket_hash_of(void *owner, uint32_t handle)
{
    return code_hash(ticket_entry(owner, handle)->code);
}

static bool ticket_same(void *owner, uint32_t handle, const void *code)
{
    return memcmp(ticket_entry(owner, handle)->code, code, sizeof(uint64_t[2])) == 0;
}

void tickets_init(struct state *st)
{
    slab_init(&st->tickets.all, sizeof(struct ticket));
    slab_init(&st->tickets.uses, sizeof(struct ticket_use));
    table_init(&st->tickets.by_code, ticket_hash_of, st);
}

void tickets_release(struct state *st)
{
    struct tickets *tickets = &st->tickets;
    for (uint32_t i = 0; i < tickets->all.used; i++)
        if (ticket_entry(st, i)->kind && ticket_entry(st, i)->use)
            text_free(use_of(st, ticket_entry(st, i))->gate);
    slab_release(&tickets->all);
    slab_release(&tickets->uses);
    table_release(&tickets->by_code);
    free(tickets->past);
}

static uint32_t handle_of(const struct state *st, const struct ticket *t)
{
    return table_find(&st->tickets.by_code, code_hash(t->code), ticket_same, t->code);
}

static struct ticket *ticket_lookup(struct state *st, const uint64_t code[2])
{
    uint32_t handle = table_find(&st->tickets.by_code, code_hash(code), ticket_same, code);
    return handle == TABLE_NONE ? NULL : ticket_entry(st, handle);
}

static struct ticket *find_or_make(struct state *st, const uint64_t code[2])
{
    struct ticket *t = ticket_lookup(st, code);
    if (t)
        return t;
    uint32_t handle = slab_take(&st->tickets.all);
    t = ticket_entry(st, handle);
    memcpy(t->code, code, sizeof(t->code));
    table_insert(&st->tickets.by_code, code_hash(code), handle);
    return t;
}

struct ticket *ticket_find(struct state *st, struct text code)
{
    uint64_t halves[2];
    return ticket_code_read(code, halves) ? ticket_lookup(st, halves) : NULL;
}

const struct ticket *ticket_at(const struct state *st, uint32_t place)
{
    ASSERT(place < st->tickets.all.used);
    return ticket_entry(st, place)->kind ? ticket_entry(st, place) : NULL;
}

bool ticket_sold_at(const struct state *st, uint32_t place, uint64_t event, struct id *reservation)
{
    const struct ticket *t = ticket_entry(st, place);
    ASSERT(place < st->tickets.all.used && event);
    if (!t->kind || t->is_void || t->resource != event)
        return false;
    *reservation = t->reservation;
    return true;
}

static void code_of(const uint64_t key[2], uint32_t item_id, uint32_t unit, uint64_t code[2])
{
    char text[TICKET_CODE_SIZE];
    ticket_code_write(key, item_id, unit, text);
    bool read = ticket_code_read((struct text){text, sizeof(text)}, code);
    ASSERT(read);
}

/* ---- Tickets that memory does not have to keep ---- */

/* Memory keeps a ticket of an event as long as its sale is valid; that of a slot only until its reservation is
 * forgotten. */
static bool kept(const struct ticket *t)
{
    return !t->is_void && claim_kind(t->kind)->in_event;
}

void ticket_changed(struct state *st, struct ticket *t, uint64_t seq)
{
    struct tickets *tickets = &st->tickets;
    ASSERT(item_kind_claimed((enum item_kind)t->kind) && ticket_lookup(st, t->code) == t);
    t->seq = seq;
    if (kept(t))
        return;
    tickets->past = memory_room_ring(tickets->past, tickets->past_end - tickets->past_first,
                                     &tickets->past_capacity, 64, sizeof(*tickets->past));
    tickets->past[tickets->past_end++ & (tickets->past_capacity - 1)] =
        (struct ticket_past){.seq = seq, .ticket = handle_of(st, t)};
}

static void use_drop(struct state *st, struct ticket *t)
{
    if (!t->use)
        return;
    text_free(use_of(st, t)->gate);
    slab_give(&st->tickets.uses, t->use - 1);
    t->use = 0;
}

static void ticket_drop(struct state *st, uint32_t handle)
{
    struct ticket *t = ticket_entry(st, handle);
    ASSERT(!kept(t) && ticket_lookup(st, t->code) == t);
    use_drop(st, t);
    table_remove(&st->tickets.by_code, code_hash(t->code), handle);
    slab_give(&st->tickets.all, handle);
    t->kind = 0;
    t->seq = UINT64_MAX;
}

uint32_t tickets_forget(struct state *st, uint64_t book_seq, uint32_t most)
{
    struct tickets *tickets = &st->tickets;
    uint32_t done = 0;
    for (; done < most && tickets->past_first < tickets->past_end; done++) {
        struct ticket_past p = tickets->past[tickets->past_first & (tickets->past_capacity - 1)];
        if (p.seq > book_seq)
            break;
        tickets->past_first++;
        /* Changed again since, or good again, or the slot was reused. */
        struct ticket *t = ticket_entry(st, p.ticket);
        if (t->kind && t->seq == p.seq && !kept(t))
            ticket_drop(st, p.ticket);
    }
    return done;
}

/* ---- Where claims begin and end ---- */

static uint64_t resource_number(const struct state *st, const struct item *item)
{
    const struct event *e = item_event(st, item);
    return e ? e->image.number : st->calendars[item->resource]->image.number;
}

static void describe(struct state *st, struct ticket *t, const struct reservation *r, const struct item *item,
                     uint32_t unit)
{
    ASSERT(unit < item->quantity && item->quantity <= UNITS_MAX);
    t->reservation = r->id;
    t->resource = resource_number(st, item);
    t->part = item->part;
    t->item_id = item->item_id;
    t->unit = (uint16_t)unit;
    t->kind = item->kind;
    t->reissue = item->fence;
}

void tickets_begin(struct state *st, struct reservation *r, const struct item *item)
{
    const uint64_t *key = r->extra->ticket_key;
    ASSERT(r->status == RESERVATION_CONFIRMED && item->quantity >= 1);
    for (uint32_t unit = 0; (key[0] || key[1]) && unit < item->quantity; unit++) {
        uint64_t code[2];
        code_of(key, item->item_id, unit, code);
        struct ticket *t = ticket_lookup(st, code);
        /* The ticket of a slot could have been used, and dropped, before the change that is restored now: the book
         * knows. */
        bool unread = !t && !claim_kind(item->kind)->in_event;
        t = t ? t : find_or_make(st, code);
        describe(st, t, r, item, unit);
        t->unread = t->unread || unread;
        t->is_void = false;
        ticket_changed(st, t, state_next_seq(st));
    }
}

void tickets_end(struct state *st, struct reservation *r, const struct item *item, uint64_t seq)
{
    const uint64_t *key = r->extra->ticket_key;
    ASSERT(r->status == RESERVATION_CONFIRMED && item->quantity >= 1);
    for (uint32_t unit = 0; (key[0] || key[1]) && unit < item->quantity; unit++) {
        uint64_t code[2];
        code_of(key, item->item_id, unit, code);
        struct ticket *t = ticket_lookup(st, code);
        /* The ticket of a slot could be only in the book, which gets this change later: until then memory has it. */
        if (!t && !claim_kind(item->kind)->in_event) {
            t = find_or_make(st, code);
            describe(st, t, r, item, unit);
            t->unread = true;
        }
        if (!t || !id_equal(t->reservation, r->id))
            continue;
        t->is_void = true;
        ticket_changed(st, t, seq);
    }
}

static enum outcome_code fetch_ticket(struct outcome *out, const uint64_t code[2])
{
    struct record_key key = {.kind = FETCH_TICKET};
    ticket_code_halves(code, key.code);
    return outcome_lacks(out, &key);
}

enum outcome_code tickets_used(struct state *st, struct reservation *r, const struct item *item,
                               const struct command *c, struct outcome *out)
{
    const uint64_t *key = r->extra->ticket_key;
    ASSERT(r->status == RESERVATION_CONFIRMED);
    for (uint32_t unit = 0; (key[0] || key[1]) && unit < item->quantity; unit++) {
        uint64_t code[2];
        code_of(key, item->item_id, unit, code);
        const struct ticket *t = ticket_lookup(st, code);
        ASSERT(t || !claim_kind(item->kind)->in_event); /* tickets of sold items in an event are in memory */
        if ((!t || t->unread) && !c->ticket_checked)
            return fetch_ticket(out, code);
        const struct ticket_use *use = t ? use_of(st, t) : NULL;
        if (use && use->result == CHECK_IN_OK) {
            state_saw(out, use->seq);
            return OUTCOME_CHECKED_IN;
        }
    }
    return OUTCOME_OK;
}

/* ---- One ticket ---- */

struct ticket *ticket_take(struct state *st, const struct check_in_image *image)
{
    uint64_t code[2];
    if (!ticket_code_read(image->code, code) || !item_kind_claimed(image->kind) || image->unit >= UNITS_MAX)
        return NULL;
    struct ticket *t = ticket_lookup(st, code);
    if (t)
        return id_equal(t->reservation, image->reservation) && t->item_id == image->item_id ? t : NULL;
    t = find_or_make(st, code);
    t->reservation = image->reservation;
    t->resource = image->resource;
    t->part = image->part;
    t->item_id = image->item_id;
    t->unit = (uint16_t)image->unit;
    t->kind = (uint8_t)image->kind;
    t->reissue = image->reissue;
    t->is_void = image->is_void;
    return t;
}

enum outcome_code ticket_fetch(struct state *st, const struct command *c, struct text code,
                               struct outcome *out, struct ticket **ticket)
{
    uint64_t halves[2];
    if (!ticket_code_read(code, halves))
        return OUTCOME_NO_SUCH_TICKET;
    *ticket = ticket_lookup(st, halves);
    if (*ticket && (!(*ticket)->unread || c->ticket_checked))
        return OUTCOME_OK;
    /* The engine reads the book and repeats the command with the ticket remembered, or with ticket_checked. */
    return c->ticket_checked ? OUTCOME_NO_SUCH_TICKET : fetch_ticket(out, halves);
}

void ticket_show(struct state *st, const struct ticket *t, struct check_in_image *out)
{
    const struct claim_kind *kind = claim_kind(t->kind);
    const struct ticket_use *use = use_of(st, t);
    ASSERT(t->kind && (!use || use->result));
    struct item item = {.part = t->part, .kind = t->kind};
    struct item_image names = {0};
    /* A removed event can stay in memory for any time, and another can have its name. */
    if (kind->find(st, t->resource, &item.resource) &&
        !(kind->in_event && st->events[item.resource]->image.removed))
        kind->name(st, &item, &names);
    ticket_code_halves(t->code, st->ticket_code);
    *out = (struct check_in_image){.code = {st->ticket_code, TICKET_CODE_SIZE},
                                   .reservation = t->reservation,
                                   .kind = (enum item_kind)t->kind,
                                   .resource = t->resource,
                                   .part = t->part,
                                   .item_id = t->item_id,
                                   .unit = t->unit,
                                   .reissue = t->reissue,
                                   .is_void = t->is_void,
                                   .resource_id = names.resource_id,
                                   .part_id = names.part_id};
    if (!use)
        return;
    out->result = (enum check_in_result)use->result;
    out->at_ms = use->at_ms;
    out->gate = use->gate;
    out->nonce[0] = use->nonce[0];
    out->nonce[1] = use->nonce[1];
}

void ticket_use(struct state *st, struct ticket *t, const struct check_in_image *image, uint64_t seq)
{
    ASSERT(image->result <= CHECK_IN_UNDONE && image->gate.size <= GATE_SIZE_MAX);
    t->unread = false;
    struct text gate = text_own(image->gate); /* before the old one is freed: the image can borrow it */
    use_drop(st, t);
    if (image->result) {
        t->use = slab_take(&st->tickets.uses) + 1;
        *use_of(st, t) = (struct ticket_use){.at_ms = image->at_ms,
                                             .seq = seq,
                                             .nonce = {image->nonce[0], image->nonce[1]},
                                             .gate = gate,
                                             .result = (uint8_t)image->result};
    }
    ASSERT(image->result || !gate.at);
}

bool ticket_unread(const struct ticket *t)
{
    return t->unread;
}

uint64_t ticket_use_seq(const struct state *st, const struct ticket *t)
{
    return t->use ? use_of(st, t)->seq : 0;
}

/* ---- state_check ---- */

void check_reservation_tickets(struct check *c, struct reservation *r)
{
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        const uint64_t *key = r->extra->ticket_key;
        uint64_t code[2];
        for (uint32_t unit = 0; (key[0] || key[1]) && unit < item->quantity; unit++) {
            code_of(key, item->item_id, unit, code);
            const struct ticket *t = ticket_lookup(c->st, code);
            check_expect(c, t || !claim_kind(item->kind)->in_event, "was sold without a ticket.");
            check_expect(c,
                         !t || (!t->is_void && id_equal(t->reservation, r->id) &&
                                t->item_id == item->item_id && t->unit == unit && t->part == item->part),
                         "has a ticket of another item, or a void one.");
        }
    }
}
