/* SPDX-License-Identifier: Apache-2.0 */
/* record_reservation.c — part of encode.h: reservations and their history. */
#include "base/assertion.h"
#include "book/record/query.h"
#include "http/record/encode.h"
#include "http/record/record.h"

/* clang-format off */
WORDS_OF_ENUM(held, reservation_status, RESERVATION_HELD)
WORDS_OF_ENUM(confirmed, reservation_status, RESERVATION_CONFIRMED)
WORDS_OF_ENUM(over, reservation_status, RESERVATION_RELEASED, RESERVATION_EXPIRED)
WORDS_OF_ENUM(back, reservation_status, RESERVATION_CANCELLED, RESERVATION_REFUNDED)
WORD_LIST(origins, "list")

/* ---- A reservation: by its status ---- */

#define MONEY(F) \
    F(INT, amount, 4500, "The amount in minor units, such as cents.", amount) \
    F(STRING, currency, "EUR", "The currency (ISO 4217).", r->currency)
RECORD(money, "An amount in minor units of a currency.", MONEY)

#define PAYMENT(F) \
    F(TEXT_OR_NULL, method, "card", "How it was paid.", r->payment_method) \
    F(TEXT_OR_NULL, ref, "pi_123", "The payment provider's reference: of the payment that confirmed it, or else of the first payment " \
      "kept for it.", ref) \
    F(TIME, recorded_at, "2030-06-03T08:04:30.000Z", "When it was recorded.", recorded_at_ms)
RECORD(payment, "How it was paid.", PAYMENT)

/* The members that all statuses share. */
#define WHOSE(F) \
    F(ID, reservation_id, "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the reservation. Ids sort by time.", \
      ENCODE_RESERVATION, r->id) \
    F(CHARS, pnr, "K7QX2M", "A short, readable code of six characters.", pnr)
#define STATUS reservation_status_name(r->status)
#define UNTIL(F, in_s_, in_ms_) \
    F(MAYBE_WORD, reason, , "`list`: offered from a waiting list.", origins, r->from_list, "list") \
    F(TEXT, user_id, "ann", "The owner.", r->user_id) \
    F(TIME, created_at, "2030-06-03T08:00:00.000Z", "When it was created.", r->created_at_ms) \
    F(TIME, expires_at, "2030-06-03T08:10:00.000Z", "When the hold expires.", r->expires_at_ms) \
    F(INT, expires_in, in_s_, "Seconds until the hold expires, rounded up; 0 if it is no longer held.", \
      (left_ms + 999) / 1000) \
    F(INT, expires_in_ms, in_ms_, "Milliseconds until the hold expires; 0 if it is no longer held.", left_ms) \
    F(TIME, max_expires_at, "2030-06-03T08:15:00.000Z", "The latest time to which the hold can be extended.", \
      r->max_expires_at_ms) \
    F(TIME_OR_NULL, payment_started_at, null, "When the payment started; null: not yet.", \
      r->payment_started_at_ms) \
    F(MAYBE_ONE_OR_NULL, payment, null, "For app and admin keys: how it was paid; null: not known.", payment, \
      encode_for_staff(role), write_payment(w, r)) \
    F(MAYBE_LIST, payments, [], "For app and admin keys: its payments in the ledger, in the order of first receipt.", payment_row, \
      encode_for_staff(role), write_payments(w, r)) \
    F(MAYBE_ONE, balance, , "For app and admin keys: the amount still missing; 0 unless it is confirmed.", money, \
      encode_for_staff(role), write_money(w, r, reservation_image_balance(r))) \
    F(MAYBE_ONE, paid, , "For the owner: the amount paid for it and kept.", money, !encode_for_staff(role), \
      write_money(w, r, reservation_image_kept(r)))
#define WHAT(F) \
    F(UINT, fence, 1042, "A fencing token: greater than that of any earlier grant.", r->fence) \
    F(UINT, version, 3, "Increases with every change.", r->version) \
    F(ONE, total, , "The total price of all items.", money, write_money(w, r, reservation_image_total(r))) \
    F(OBJECT, attributes, {"channel": "web"}, "Your own data, as you sent it.", \
      r->attributes.at ? r->attributes : TEXT("{}")) \
    F(LIST, items, , "The items.", item, encode_items(w, r, encode_for_staff(role))) \
    F(TEXTS, leaves_single, "A4", "Single free seats that the owner's choice leaves, if the event refuses that.", \
      r->leaves_single, r->leaves_single_count)

#define HELD(F) \
    WHOSE(F) \
    F(WORD, status, "held", "The reservation is held.", held, STATUS) \
    UNTIL(F, 600, 600000) \
    F(NO_TIME, confirmed_at, null, "Not confirmed.", r->confirmed_at_ms) \
    F(NO_TIME, ended_at, null, "Not ended.", r->ended_at_ms) \
    WHAT(F)
RECORD(held_reservation, "A hold. Confirm it before it expires.", HELD)

#define ORDER(F, tickets_) \
    F(ID, order_id, "ord_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the order.", ENCODE_ORDER, r->id) \
    F(LIST, tickets, , tickets_, ticket, encode_tickets(w, r))
#define CONFIRMED(F) \
    WHOSE(F) \
    F(WORD, status, "confirmed", "The reservation is confirmed.", confirmed, STATUS) \
    UNTIL(F, 0, 0) \
    F(TIME, confirmed_at, "2030-06-03T08:04:30.000Z", "When it was confirmed.", r->confirmed_at_ms) \
    F(NO_TIME, ended_at, null, "Not ended.", r->ended_at_ms) \
    WHAT(F) \
    ORDER(F, "One ticket for each seat, slot and unit of a pool.") \
    F(MAYBE_TEXT, manage_token, , \
      "Gives access to this reservation without a login; in the response to a commit, or on request.", manage_token)
RECORD(confirmed_reservation, "A confirmed reservation, with an order and tickets.", CONFIRMED)

#define OVER(F) \
    WHOSE(F) \
    F(WORD, status, "released", "How it ended.", over, STATUS) \
    UNTIL(F, 0, 0) \
    F(NO_TIME, confirmed_at, null, "Never confirmed.", r->confirmed_at_ms) \
    F(TIME, ended_at, "2030-06-03T08:04:30.000Z", "When it ended.", r->ended_at_ms) \
    WHAT(F)
RECORD(ended_reservation, "A released or expired hold. Its items are available again.", OVER)

#define BACK(F) \
    WHOSE(F) \
    F(WORD, status, "refunded", "How the sale ended.", back, STATUS) \
    UNTIL(F, 0, 0) \
    F(TIME, confirmed_at, "2030-06-03T08:04:30.000Z", "When it was confirmed.", r->confirmed_at_ms) \
    F(TIME, ended_at, "2030-06-04T09:00:00.000Z", "When it was refunded or cancelled.", r->ended_at_ms) \
    WHAT(F) \
    ORDER(F, "Its former tickets, which are void.")
RECORD(returned_reservation, "A refunded or cancelled sale. Its items are available again.", BACK)

ONE_OF(reservation, "A reservation; its fields depend on its status.",
    OPTION(held_reservation) OPTION(confirmed_reservation) OPTION(ended_reservation) OPTION(returned_reservation))
ONE_OF(refund_result, "The reservation: refunded, or still confirmed if only some items were.",
    OPTION(confirmed_reservation) OPTION(returned_reservation))

#define TRANSFERRED(F) \
    F(ID, reservation_id, "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the reservation.", ENCODE_RESERVATION, r->id) \
    F(WORD, status, "confirmed", "The status now.", confirmed, STATUS) \
    F(TEXT, user_id, "bob", "The owner now.", r->user_id) \
    F(UINT, version, 4, "Increases with every change.", r->version)
RECORD(transferred_reservation, "A transferred reservation as its old owner sees it.", TRANSFERRED)
ONE_OF(transfer, "The whole reservation for app and admin keys; otherwise, and for every replay, only its new owner.",
    OPTION(confirmed_reservation) OPTION(transferred_reservation))
/* clang-format on */

static void write_payment(struct json_writer *w, const struct reservation_image *r)
{
    struct text ref = r->payment_ref;
    int64_t recorded_at_ms = r->payment_recorded_at_ms;
    for (uint32_t i = 0; !ref.at && i < r->payment_count; i++)
        if (r->payments[i].kept) {
            ref = r->payments[i].ref;
            recorded_at_ms = recorded_at_ms ? recorded_at_ms : r->payments[i].first_at_ms;
        }
    if (r->payment_method.at || ref.at)
        WRITE_RECORD(PAYMENT);
    else
        json_null(w);
}

static void write_payments(struct json_writer *w, const struct reservation_image *r)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < r->payment_count; i++)
        encode_payment(w, &r->payments[i]);
    json_array_end(w);
}

static void write_money(struct json_writer *w, const struct reservation_image *r, int64_t amount)
{
    WRITE_RECORD(MONEY);
}

void encode_transferred(struct json_writer *w, const struct reservation_image *r)
{
    WRITE_RECORD(TRANSFERRED);
}

void encode_managed_reservation(struct json_writer *w, enum role role, const struct reservation_image *r,
                                int64_t now_ms, struct text manage_token)
{
    char pnr[PNR_SIZE];
    int64_t left_ms =
        r->status == RESERVATION_HELD && r->expires_at_ms > now_ms ? r->expires_at_ms - now_ms : 0;
    pnr_write(r->number, pnr);
    switch (r->status) {
    case RESERVATION_HELD:
        WRITE_RECORD(HELD);
        break;
    case RESERVATION_CONFIRMED:
        WRITE_RECORD(CONFIRMED);
        break;
    case RESERVATION_CANCELLED:
    case RESERVATION_REFUNDED:
        WRITE_RECORD(BACK);
        break;
    case RESERVATION_RELEASED:
    case RESERVATION_EXPIRED:
        WRITE_RECORD(OVER);
        break;
    }
}

void encode_reservation(struct json_writer *w, enum role role, const struct reservation_image *r,
                        int64_t now_ms)
{
    encode_managed_reservation(w, role, r, now_ms, (struct text){0});
}

size_t encode_reservation_bound(const struct reservation_image *r)
{
    bool committed = r->ticket_key[0] || r->ticket_key[1];
    /* The fixed parts are under 1,312 bytes; texts of users may grow sixfold when escaped, ids never do. */
    size_t bound =
        1312 + 6 * (r->user_id.size + r->payment_method.size + r->payment_ref.size) + r->attributes.size;
    for (uint32_t i = 0; i < r->leaves_single_count; i++)
        bound += r->leaves_single[i].size + 3;
    for (uint32_t i = 0; i < r->payment_count; i++)
        bound += 512 + 6 * r->payments[i].ref.size;
    for (uint32_t i = 0; i < r->item_count; i++) {
        size_t names = r->items[i].resource_id.size + r->items[i].part_id.size;
        if (r->items[i].end_ms)
            names += 96; /* start and end */
        bound += 224 + names + r->items[i].attributes.size + r->items[i].code.size +
                 r->items[i].allotment.size + 6 * r->items[i].category.size;
        if (committed)
            bound += (size_t)r->items[i].quantity * (96 + names);
    }
    return bound;
}

/* ---- Its history ---- */

/* clang-format off */
#define ITEM_CHANGE(F) \
    F(DECIMAL, item_id, "1", "The id of the item.", item->has_after ? item->after.item_id : item->before.item_id) \
    F(ONE_OR_NULL, before, , "The item before the change; null if it was added.", item, \
      encode_item(w, item->has_before ? &item->before : NULL, staff)) \
    F(ONE_OR_NULL, after, , "The item after the change; null if it was removed.", item, \
      encode_item(w, item->has_after ? &item->after : NULL, staff))
RECORD(item_change, "One item before and after a change.", ITEM_CHANGE)
#define TOTAL_CHANGE(F) \
    F(INT, before, 4500, "The total before the change, in minor units.", history->total_before) \
    F(INT, after, 9000, "The total after the change, in minor units.", history->total_after)
RECORD(total_change, "The total price of all items before and after a change.", TOTAL_CHANGE)
#define OWNER_CHANGE(F) \
    F(TEXT_OR_NULL, before, null, "The owner before the transfer. Only for app and admin keys; null for others.", \
      staff ? history->user_before : (struct text){0}) \
    F(TEXT, after, "bob", "The owner since the transfer.", history->user_after)
RECORD(owner_change, "The owners before and after a transfer.", OWNER_CHANGE)
#define WHAT_CHANGED(F) \
    F(MAYBE_ONE, user_id, , "For a transfer: the owners before and after.", owner_change, history->user_after.at, \
      write_owner_change(w, history, staff)) \
    F(LIST, items, , "The items that were added, changed or removed.", item_change, write_items_changed(w, history, staff)) \
    F(ONE, total, , "The total price of all items.", total_change, write_total_change(w, history))
RECORD(what_changed, "The effect of a change on the items.", WHAT_CHANGED)
#define USED_TICKET(F) \
    F(DECIMAL, item_id, "1", "The item that the ticket is for.", history->ticket_item) \
    F(UINT, unit, 0, "Which unit of that item, from 0.", history->ticket_unit) \
    F(TEXT_OR_NULL, gate, "north", "The gate; null: not known.", history->gate)
RECORD(used_ticket, "A ticket that was checked in.", USED_TICKET)
#define HISTORY_REFUND(F) \
    F(STRING, id, "rfd_184470", "The id of the refund due.", id) \
    F(TEXT_OR_NULL, payment_ref, "pi_123", "The payment provider's reference. Only for app and admin keys; null for others.", \
      staff ? history->refund.payment_ref : (struct text){0}) \
    F(ONE, amount, , "The amount to pay back.", refund_amount, encode_refund_amount(w, &history->refund))
RECORD(history_refund, "A refund due of a payment, or of a part of it.", HISTORY_REFUND)
#define CHANGE(F) \
    F(UINT, seq, 1042, "The sequence number of the change.", history->seq) \
    F(TIME, at, "2030-06-03T08:00:00.000Z", "When it happened.", history->at_ms) \
    F(TEXT, actor, "user:ann", "Who did it: `user:…`, `app:…`, `door:…`, `admin`, `server`, `payment` (the payment provider), or `order` (a manage token).", actor) \
    F(WORD, action, "held", "What was done.", action_word, action_name(history->action)) \
    F(TEXT_OR_NULL, reason, null, "The reason: `deadline`, `list`, the reason of the refund, or the reason that was given; null if there is no " \
      "particular reason.", reason) \
    F(WORD, status, "held", "The status after the change.", reservation_status_word, \
      reservation_status_name(history->status)) \
    F(TIME, expires_at, "2030-06-03T08:10:00.000Z", "The deadline after the change.", history->expires_at_ms) \
    F(UINT, version, 3, "The version after the change.", history->version) \
    F(ONE, what, , "Its effect on the items.", what_changed, write_what(w, history, staff)) \
    F(MAYBE_ONE, ticket, , "For a check-in, or its undoing: the ticket.", used_ticket, history->ticket_item, \
      write_used(w, history)) \
    F(MAYBE_ONE, refund, , "For `refund_due`, `refund_done` and `refund_withdrawn`: the refund.", \
      history_refund, history->refund.number, write_history_refund(w, history, staff))
RECORD(reservation_change, "A change of a reservation: what was done, when and by whom.", CHANGE)
/* clang-format on */

#define ACTOR_SIZE_MAX (8 + USER_SIZE_MAX)

/* "role:name", or the role alone. */
static struct text actor_text(const struct actor *actor, char out[ACTOR_SIZE_MAX])
{
    const char *role = role_name(actor->role);
    size_t size = strlen(role);
    ASSERT(size + 1 + actor->name.size <= ACTOR_SIZE_MAX);
    memcpy(out, role, size);
    if (actor->name.size) {
        out[size++] = ':';
        memcpy(out + size, actor->name.at, actor->name.size);
        size += actor->name.size;
    }
    return (struct text){out, size};
}

static void write_items_changed(struct json_writer *w, const struct history_view *history, bool staff)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < history->item_count; i++) {
        const struct history_item *item = &history->items[i];
        WRITE_RECORD(ITEM_CHANGE);
    }
    json_array_end(w);
}

static void write_total_change(struct json_writer *w, const struct history_view *history)
{
    WRITE_RECORD(TOTAL_CHANGE);
}

static void write_owner_change(struct json_writer *w, const struct history_view *history, bool staff)
{
    WRITE_RECORD(OWNER_CHANGE);
}

static void write_what(struct json_writer *w, const struct history_view *history, bool staff)
{
    WRITE_RECORD(WHAT_CHANGED);
}

static void write_used(struct json_writer *w, const struct history_view *history)
{
    WRITE_RECORD(USED_TICKET);
}

static void write_history_refund(struct json_writer *w, const struct history_view *history, bool staff)
{
    char id[ENCODE_REFUND_SIZE];
    encode_refund_id(history->refund.number, id);
    WRITE_RECORD(HISTORY_REFUND);
}

void encode_history(struct json_writer *w, const struct history_view *history, enum role role)
{
    bool staff = encode_for_staff(role);
    char text[ACTOR_SIZE_MAX];
    struct text actor = actor_text(&history->actor, text);
    const char *word = action_reason(history->action, history->actor.role);
    struct text reason = word ? (struct text){word, strlen(word)} : history->reason;
    WRITE_RECORD(CHANGE);
}
