/* SPDX-License-Identifier: Apache-2.0 */
/* People: exporting and erasing their data. */
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
    F(WORD, state, "running", "The progress. `none`: no erasure of this user id, or too long ago.", erasure_state_word, state) \
    F(TIME_OR_NULL, erased_at, "2030-06-03T08:02:11.000Z", "When it was last requested.", erased_at_ms)
RECORD(erasure, "The last erasure of a person.", ERASURE)

#define PERSON_ENTRY(F) \
    F(ID, entry_id, "ent_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The entry.", entry->list ? ENCODE_LIST_ENTRY : ENCODE_QUEUE_ENTRY, \
      entry->id) \
    F(TEXT, event, "arena", "The event.", entry->event) \
    F(TEXT, status, "left", "The status of the entry.", entry->status) \
    F(TIME, joined_at, "2030-06-03T08:02:11.000Z", "When the user joined.", entry->joined_at_ms) \
    F(UINT, quantity, 1, "How many seats or units.", entry->quantity)
RECORD(person_entry, "An entry of a waiting room or list.", PERSON_ENTRY)

#define PERSON_GIFT(F) \
    F(ID, reservation_id, "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The reservation.", ENCODE_RESERVATION, gift->reservation) \
    F(TIME, at, "2030-06-03T08:02:11.000Z", "When it was transferred.", gift->at_ms)
RECORD(person_gift, "A reservation that was given to another user.", PERSON_GIFT)

/* Written piece by piece, as the rows arrive. */
#define PERSON_RESERVATION(F) \
    F(ONE, reservation, {}, "The reservation, as an app sees it.", reservation, 0) \
    F(LIST, history, {}, "Its history, including check-ins.", reservation_change, 0) \
    F(LIST, refunds_due, [], "Its refunds due, open or not.", refund_due, 0) \
    F(LIST, payments, [], "Its payments in the ledger.", payment_row, 0) \
    F(LIST, payment_events, [], "The payment provider's events about these.", payment_event, 0)
RECORD(person_reservation, "A reservation with its history and payments.", PERSON_RESERVATION)

#define PERSON_DRIVER(F) \
    F(TEXT, fleet, "berlin", "The fleet.", driver->fleet_id) \
    F(MILLI, rating, 4.9, ABOUT_RATING, driver->rating_milli) \
    F(TEXTS, types, "van", ABOUT_DRIVER_TYPES, driver->types, driver->type_count) \
    F(BOOL, surge, false, ABOUT_DRIVER_SURGE, driver->surge)
RECORD(person_driver, "A driver of a fleet.", PERSON_DRIVER)

#define PERSON_RIDE(F) \
    F(TEXT, fleet, "berlin", "The fleet.", ride->fleet_id) \
    F(ONE, ride, {}, "The ride, as its rider sees it, without the driver's position.", ride, encode_ride(w, ride, true))
RECORD(person_ride, "A ride that the person requested.", PERSON_RIDE)

#define PERSON_OFFER(F) \
    F(TEXT, fleet, "berlin", "The fleet.", made->fleet) \
    F(ID, offer_id, "off_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the offer.", ENCODE_OFFER, offer->id) \
    F(ID, ride_id, "rid_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The ride.", ENCODE_RIDE, offer->ride) \
    F(INT, score, 92000, "The driver's score in milliseconds.", offer->score_ms) \
    F(UINT, eta_seconds, 92, "The driver's ETA at that time, in seconds.", (uint64_t)((offer->eta_ms + 999) / 1000)) \
    F(TIME, made_at, "2030-06-03T09:00:00.000Z", "When it was made.", offer->made_at_ms) \
    F(TIME_OR_NULL, ended_at, "2030-06-03T09:00:07.000Z", "When it ended; null: it is live.", offer->ended_at_ms) \
    F(WORD_OR_NULL, end, "accepted", "How it ended; null: it is live.", offer_end_word, \
      offer->end ? offer_end_name(offer->end) : NULL)
RECORD(person_offer, "A ride that was offered to the person as a driver.", PERSON_OFFER)

#define PERSON(F) \
    F(TEXT, user_id, "ann", "The person.", 0) \
    F(LIST, waiting_rooms, {}, "Entries of waiting rooms; on the first page.", person_entry, 0) \
    F(LIST, waiting_lists, {}, "Entries of waiting lists; on the first page.", person_entry, 0) \
    F(LIST, transferred, {}, "Reservations given to others; on the first page.", person_gift, 0) \
    F(LIST, drivers, {}, "The person's records as a driver; on the first page.", person_driver, 0) \
    F(LIST, reservations, {}, "Current and past reservations.", person_reservation, 0) \
    F(LIST, rides, {}, "Requested rides, after the last reservation.", person_ride, 0) \
    F(LIST, offers, {}, "Rides offered to the person as a driver, after the last ride.", person_offer, 0) \
    F(TEXT_OR_NULL, next_cursor, null, "Send it as `cursor` to get the next page; null on the last page.", 0)
RECORD(person, "All data about a person.", PERSON)
/* clang-format on */

/* ---- Exporting ---- */

/* The parts of the document, in the order in which the rows arrive. */
enum part { PART_ROOMS, PART_LISTS, PART_GIFTS, PART_DRIVERS, PART_RESERVATIONS, PART_RIDES, PART_OFFERS };
static const char *const part_keys[] = {"waiting_rooms", "waiting_lists", "transferred", "drivers",
                                        "reservations",  "rides",         "offers"};
/* The lists that belong to one reservation, in the same way. */
enum related { RELATED_NONE, RELATED_HISTORY, RELATED_REFUNDS, RELATED_PAYMENTS, RELATED_EVENTS };
static const char *const related_keys[] = {NULL, "history", "refunds_due", "payments", "payment_events"};

struct export
{
    struct request *request;
    struct query query;
    struct json_writer writer;
    enum part part;       /* the array that is open */
    enum related related; /* a reservation is being written, and this array of it is open */
    uint32_t rows;        /* of the paged kinds */
    struct id last;
    bool cut;
};

static void open_array(struct json_writer *w, const char *key)
{
    json_key(w, key);
    json_array_begin(w);
}

static void advance_related(struct export *x, enum related related)
{
    ASSERT(x->related && x->related <= related);
    while (x->related < related) {
        json_array_end(&x->writer);
        open_array(&x->writer, related_keys[++x->related]);
    }
}

/* Moves on to this part: the parts before it are complete. */
static void advance(struct export *x, enum part part)
{
    if (x->related) {
        advance_related(x, RELATED_EVENTS);
        json_array_end(&x->writer);
        json_object_end(&x->writer);
        x->related = RELATED_NONE;
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
    advance(x, PART_RESERVATIONS);
    json_object_begin(w);
    json_key(w, "reservation");
    encode_reservation(w, x->request->actor.role, reservation, x->request->now_ms);
    open_array(w, related_keys[x->related = RELATED_HISTORY]);
    x->last = reservation->id;
    x->rows++;
}

/* Rows of riders and drivers. */
static void dispatch_row(struct export *x, const struct query_row *row)
{
    struct json_writer *w = &x->writer;
    if (row->driver) {
        const struct driver_image *driver = row->driver;
        advance(x, PART_DRIVERS);
        WRITE_RECORD(PERSON_DRIVER);
    } else if (row->ride) {
        const struct ride_image *ride = row->ride;
        advance(x, PART_RIDES);
        WRITE_RECORD(PERSON_RIDE);
        x->last = query_person_ride(ride->number);
        x->rows++;
    } else if (row->person_offer) {
        const struct person_offer *made = row->person_offer;
        const struct offer_image *offer = &made->offer;
        advance(x, PART_OFFERS);
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
        x->cut = true; /* the page is large enough; the remaining rows belong to the next one */
    if (x->cut)
        return;
    if (row->person_entry) {
        const struct person_entry *entry = row->person_entry;
        advance(x, entry->list ? PART_LISTS : PART_ROOMS);
        WRITE_RECORD(PERSON_ENTRY);
    } else if (row->person_gift) {
        const struct person_gift *gift = row->person_gift;
        advance(x, PART_GIFTS);
        WRITE_RECORD(PERSON_GIFT);
    } else if (row->reservation) {
        begin_reservation(x, row->reservation);
    } else if (row->history) {
        encode_history(w, row->history, x->request->actor.role);
    } else if (row->refund) {
        advance_related(x, RELATED_REFUNDS);
        encode_refund(w, row->refund);
    } else if (row->payment) {
        advance_related(x, RELATED_PAYMENTS);
        encode_payment(w, row->payment);
    } else if (row->payment_event) {
        advance_related(x, RELATED_EVENTS);
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
    advance(x, PART_OFFERS);
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

/* The key by which an erasure is found later: without the secret it does not show whether a name was erased. */
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

struct erasure_lookup {
    struct request *request;
    struct query query;
    uint8_t mark[ERASURE_MARK_SIZE];
    struct erasure_row found; /* number 0: none */
};

/* On the reader thread. */
static void erasure_row(void *ctx, const struct query_row *row)
{
    struct erasure_lookup *lookup = ctx;
    lookup->found = *row->erasure;
}

/* The first change that is not gone everywhere. */
static uint64_t oldest_seq(const struct request *r)
{
    uint64_t kept = store_oldest_seq(r->store);
    uint64_t shown = r->server->gate ? gate_erased_seq(r->server->gate) : UINT64_MAX;
    return kept < shown ? kept : shown;
}

static void looked(void *ctx, const struct query_result *result)
{
    struct erasure_lookup *lookup = ctx;
    struct request *r = lookup->request;
    const struct erasure_row *found = &lookup->found;
    if (!result->ok) {
        reply_unavailable(r, NULL);
        return;
    }
    bool gone = found->clean && found->number < oldest_seq(r);
    reply_erasure(r, 200, erasure_states[!found->number ? 0 : gone ? 2 : 1], found->at_ms);
}

HANDLER(api_person_erasure)
{
    struct erasure_lookup *lookup = arena_zeroed(&r->arena, sizeof(*lookup));
    lookup->request = r;
    make_mark(r, lookup->mark);
    lookup->query =
        (struct query){.kind = QUERY_ERASURE, .mark = lookup->mark, .limit = 1, .min_seq = r->min_seq};
    /* An erasure requested a moment ago must not be answered with `none`. */
    uint64_t last = view_erased_seq(r->view);
    if (lookup->query.min_seq < last)
        lookup->query.min_seq = last;
    store_query(r->store, &lookup->query, erasure_row, looked, lookup);
}
