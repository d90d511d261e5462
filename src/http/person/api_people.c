/* SPDX-License-Identifier: Apache-2.0 */
/* People: all that is known about one, and erasing them. */
#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/id.h"
#include "base/crypto/random.h"
#include "core/person/erasure.h"
#include "http/api/call.h"
#include "http/api/listing.h"
#include "http/api/page.h"
#include "http/describe/about.h"
#include "http/record/encode.h"
#include "http/record/record.h"
#include "http/server.h"
#include "http/wire/reply.h"

#define EXPORT_SIZE_MAX ((size_t)8 << 20)
#define MARK_PREFIX "holdfast-erasure:"

enum { QUERY_LIMIT, QUERY_CURSOR };

static const char *const erasure_states[] = {"none", "running", "done"};

WORD_LIST(erasure_state_word, "none", "running", "done")

/* clang-format off */
#define ERASURE(F) \
    F(WORD, state, "running", "How far it is: `none`, nobody of this name was erased, or too long ago.", erasure_state_word, state) \
    F(TIME_OR_NULL, erased_at, "2030-06-03T08:02:11.000Z", "When it was asked for the last time.", erased_at_ms)
RECORD(erasure, "The last erasure of a person.", ERASURE)

#define PERSON_ENTRY(F) \
    F(ID, entry_id, "ent_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The entry.", entry->list ? ENCODE_LIST_ENTRY : ENCODE_QUEUE_ENTRY, \
      entry->id) \
    F(TEXT, event, "arena", "The event.", entry->event) \
    F(TEXT, status, "left", "How it stands.", entry->status) \
    F(TIME, joined_at, "2030-06-03T08:02:11.000Z", "When they joined.", entry->joined_at_ms) \
    F(UINT, quantity, 1, "How many it is for.", entry->quantity)
RECORD(person_entry, "An entry of a waiting room or list.", PERSON_ENTRY)

#define PERSON_GIFT(F) \
    F(ID, reservation_id, "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The reservation.", ENCODE_RESERVATION, gift->reservation) \
    F(TIME, at, "2030-06-03T08:02:11.000Z", "When it changed hands.", gift->at_ms)
RECORD(person_gift, "A reservation that was given to another user.", PERSON_GIFT)

/* Written piece by piece, as the rows come. */
#define PERSON_RESERVATION(F) \
    F(ONE, reservation, {}, "As an app sees it.", reservation, 0) \
    F(LIST, history, {}, "What happened to it, check-ins included.", reservation_change, 0) \
    F(LIST, refunds_due, [], "What has to be paid back for it, or was.", refund_due, 0) \
    F(LIST, payments, [], "Its rows of the ledger.", payment_row, 0) \
    F(LIST, payment_events, [], "The events of the payment provider about these.", payment_event, 0)
RECORD(person_reservation, "A reservation, and what belongs to it.", PERSON_RESERVATION)

#define PERSON_DRIVER(F) \
    F(TEXT, fleet, "berlin", "The fleet.", driver->fleet_id) \
    F(MILLI, rating, 4.9, ABOUT_RATING, driver->rating_milli) \
    F(TEXTS, types, "van", ABOUT_DRIVER_TYPES, driver->types, driver->type_count) \
    F(BOOL, surge, false, ABOUT_DRIVER_SURGE, driver->surge)
RECORD(person_driver, "A driver of a fleet.", PERSON_DRIVER)

#define PERSON_RIDE(F) \
    F(TEXT, fleet, "berlin", "The fleet.", ride->fleet_id) \
    F(ONE, ride, {}, "As its rider sees it; without where the driver is.", ride, encode_ride(w, ride, true))
RECORD(person_ride, "A ride that they asked for.", PERSON_RIDE)

#define PERSON_OFFER(F) \
    F(TEXT, fleet, "berlin", "The fleet.", made->fleet) \
    F(ID, offer_id, "off_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the offer.", ENCODE_OFFER, offer->id) \
    F(ID, ride_id, "rid_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The ride.", ENCODE_RIDE, offer->ride) \
    F(INT, score, 92000, "Their score in milliseconds.", offer->score_ms) \
    F(UINT, eta_seconds, 92, "How far away they were, in seconds.", (uint64_t)((offer->eta_ms + 999) / 1000)) \
    F(TIME, made_at, "2030-06-03T09:00:00.000Z", "When it was made.", offer->made_at_ms) \
    F(TIME_OR_NULL, ended_at, "2030-06-03T09:00:07.000Z", "When it ended; null: it is live.", offer->ended_at_ms) \
    F(WORD_OR_NULL, end, "accepted", "How it ended; null: it is live.", offer_end_word, \
      offer->end ? offer_end_name(offer->end) : NULL)
RECORD(person_offer, "A ride that was offered to them as a driver.", PERSON_OFFER)

#define PERSON(F) \
    F(TEXT, user_id, "ann", "The person.", 0) \
    F(LIST, waiting_rooms, {}, "Their entries of waiting rooms; on the first page.", person_entry, 0) \
    F(LIST, waiting_lists, {}, "Their entries of waiting lists; on the first page.", person_entry, 0) \
    F(LIST, transferred, {}, "What they gave to others; on the first page.", person_gift, 0) \
    F(LIST, drivers, {}, "As which drivers they are known; on the first page.", person_driver, 0) \
    F(LIST, reservations, {}, "What they have or had.", person_reservation, 0) \
    F(LIST, rides, {}, "The rides they asked for, behind the last reservation.", person_ride, 0) \
    F(LIST, offers, {}, "The rides that were offered to them, behind the last ride.", person_offer, 0) \
    F(TEXT_OR_NULL, next_cursor, null, "Where the next page begins.", 0)
RECORD(person, "All that is known about a person.", PERSON)
/* clang-format on */

/* ---- Exporting ---- */

/* The parts of the document, in the order in which the rows come. */
enum part { PART_ROOMS, PART_LISTS, PART_GIFTS, PART_DRIVERS, PART_RESERVATIONS, PART_RIDES, PART_OFFERS };
static const char *const part_keys[] = {"waiting_rooms", "waiting_lists", "transferred", "drivers",
                                        "reservations",  "rides",         "offers"};
/* Those of one reservation. */
enum beside { BESIDE_NONE, BESIDE_HISTORY, BESIDE_REFUNDS, BESIDE_PAYMENTS, BESIDE_EVENTS };
static const char *const beside_keys[] = {NULL, "history", "refunds_due", "payments", "payment_events"};

struct export
{
    struct request *request;
    struct query query;
    struct json_writer writer;
    enum part part;     /* its array is open */
    enum beside beside; /* a reservation is being written, and this array of it is open */
    uint32_t rows;      /* of those that are paged */
    struct id last;
    bool cut;
};

static void open_array(struct json_writer *w, const char *key)
{
    json_key(w, key);
    json_array_begin(w);
}

static void go_on_beside(struct export *x, enum beside beside)
{
    ASSERT(x->beside && x->beside <= beside);
    while (x->beside < beside) {
        json_array_end(&x->writer);
        open_array(&x->writer, beside_keys[++x->beside]);
    }
}

/* Goes on to this part: whatever comes before it has no more. */
static void go_on(struct export *x, enum part part)
{
    if (x->beside) {
        go_on_beside(x, BESIDE_EVENTS);
        json_array_end(&x->writer);
        json_object_end(&x->writer);
        x->beside = BESIDE_NONE;
    }
    ASSERT(x->part <= part);
    while (x->part < part) {
        json_array_end(&x->writer);
        open_array(&x->writer, part_keys[++x->part]);
    }
}

static void begin_reservation(struct export *x, const struct reservation_image *reservation)
{
    struct json_writer *w = &x->writer;
    go_on(x, PART_RESERVATIONS);
    json_object_begin(w);
    json_key(w, "reservation");
    encode_reservation(w, x->request->actor.role, reservation, x->request->now_ms);
    open_array(w, beside_keys[x->beside = BESIDE_HISTORY]);
    x->last = reservation->id;
    x->rows++;
}

/* Of somebody who rides or drives. */
static void dispatch_row(struct export *x, const struct query_row *row)
{
    struct json_writer *w = &x->writer;
    if (row->driver) {
        const struct driver_image *driver = row->driver;
        go_on(x, PART_DRIVERS);
        WRITE_RECORD(PERSON_DRIVER);
    } else if (row->ride) {
        const struct ride_image *ride = row->ride;
        go_on(x, PART_RIDES);
        WRITE_RECORD(PERSON_RIDE);
        x->last = query_person_ride(ride->number);
        x->rows++;
    } else if (row->person_offer) {
        const struct person_offer *made = row->person_offer;
        const struct offer_image *offer = &made->offer;
        go_on(x, PART_OFFERS);
        WRITE_RECORD(PERSON_OFFER);
        x->last = query_person_offer(offer->number);
        x->rows++;
    }
}

/* On the reader thread. */
static void person_row(void *ctx, const struct query_row *row)
{
    struct export *x = ctx;
    struct json_writer *w = &x->writer;
    bool paged = row->reservation || row->ride || row->person_offer;
    if (paged && x->rows && x->request->scratch.size > EXPORT_SIZE_MAX)
        x->cut = true; /* the page is large enough; the rows that still come are the next one's */
    if (x->cut)
        return;
    if (row->person_entry) {
        const struct person_entry *entry = row->person_entry;
        go_on(x, entry->list ? PART_LISTS : PART_ROOMS);
        WRITE_RECORD(PERSON_ENTRY);
    } else if (row->person_gift) {
        const struct person_gift *gift = row->person_gift;
        go_on(x, PART_GIFTS);
        WRITE_RECORD(PERSON_GIFT);
    } else if (row->reservation) {
        begin_reservation(x, row->reservation);
    } else if (row->history) {
        encode_history(w, row->history, x->request->actor.role);
    } else if (row->refund) {
        go_on_beside(x, BESIDE_REFUNDS);
        encode_refund(w, row->refund);
    } else if (row->payment) {
        go_on_beside(x, BESIDE_PAYMENTS);
        encode_payment(w, row->payment);
    } else if (row->payment_event) {
        go_on_beside(x, BESIDE_EVENTS);
        encode_payment_event(w, row->payment_event);
    } else {
        dispatch_row(x, row);
    }
}

static void exported(void *ctx, const struct query_result *result)
{
    struct export *x = ctx;
    struct request *r = x->request;
    if (!result->ok) {
        reply_unavailable(r, NULL);
        return;
    }
    go_on(x, PART_OFFERS);
    page_end(&x->writer, x->cut || result->more, x->last);
    reply_seq(r, result->seq);
    reply_copy(r, 200, r->scratch.data, r->scratch.size);
}

HANDLER(api_person_export)
{
    struct export *x = arena_zeroed(&r->arena, sizeof(*x));
    x->request = r;
    x->query = (struct query){.kind = QUERY_PERSON, .user_id = r->parameters[0], .min_seq = r->min_seq};
    if (!page_limit(r, QUERY_LIMIT, &x->query.limit) || !page_cursor(r, QUERY_CURSOR, &x->query.after))
        return;
    x->writer = json_writer_make(&r->scratch);
    json_object_begin(&x->writer);
    member_text(&x->writer, "user_id", r->parameters[0]);
    open_array(&x->writer, part_keys[x->part]);
    store_query(r->store, &x->query, person_row, exported, x);
}

/* ---- Erasing ---- */

/* By which it is found again: whoever has the secret can tell whether a name was erased, and nobody else. */
static void make_mark(struct request *r, uint8_t mark[ERASURE_MARK_SIZE])
{
    const char *secret = r->server->auth.credentials->secret;
    struct buf *text = &r->scratch;
    buf_clear(text);
    buf_append(text, MARK_PREFIX, strlen(MARK_PREFIX));
    buf_append(text, r->parameters[0].at, r->parameters[0].size);
    hash_hmac_sha256(secret, strlen(secret), text->data, text->size, mark);
    buf_clear(text);
}

static void reply_erasure(struct request *r, int status, const char *state, int64_t erased_at_ms)
{
    struct json_writer *w = reply_json(r, status);
    WRITE_RECORD(ERASURE);
    reply_finish(r);
}

static void erased(struct call *call, const struct outcome *outcome)
{
    (void)outcome;
    reply_erasure(call->request, 202, erasure_states[1], call->request->now_ms);
}

HANDLER(api_person_erase)
{
    struct call *call = call_make(r, COMMAND_ERASE);
    char to[sizeof(ERASED_PREFIX) - 1 + ID_TEXT_SIZE];
    memcpy(to, ERASED_PREFIX, sizeof(ERASED_PREFIX) - 1);
    id_write((struct id){random_u64(), random_u64()}, to + sizeof(ERASED_PREFIX) - 1);
    call->command.erase.from = r->parameters[0];
    call->command.erase.to = (struct text){arena_copy(&r->arena, to, sizeof(to)), sizeof(to)};
    make_mark(r, call->command.erase.mark);
    call_submit(call, erased);
}

struct asked {
    struct request *request;
    struct query query;
    uint8_t mark[ERASURE_MARK_SIZE];
    struct erasure_row found; /* number 0: none */
};

/* On the reader thread. */
static void erasure_row(void *ctx, const struct query_row *row)
{
    struct asked *asked = ctx;
    asked->found = *row->erasure;
}

static void looked(void *ctx, const struct query_result *result)
{
    struct asked *asked = ctx;
    struct request *r = asked->request;
    const struct erasure_row *found = &asked->found;
    if (!result->ok) {
        reply_unavailable(r, NULL);
        return;
    }
    bool gone = found->clean && found->number < store_oldest_seq(r->store);
    reply_erasure(r, 200, erasure_states[!found->number ? 0 : gone ? 2 : 1], found->at_ms);
}

HANDLER(api_person_erasure)
{
    struct asked *asked = arena_zeroed(&r->arena, sizeof(*asked));
    asked->request = r;
    make_mark(r, asked->mark);
    asked->query =
        (struct query){.kind = QUERY_ERASURE, .mark = asked->mark, .limit = 1, .min_seq = r->min_seq};
    /* Whoever has just asked for one is not to be told that there is none. */
    uint64_t last = view_erased_seq(r->view);
    if (asked->query.min_seq < last)
        asked->query.min_seq = last;
    store_query(r->store, &asked->query, erasure_row, looked, asked);
}
