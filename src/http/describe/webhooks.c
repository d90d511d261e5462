/* SPDX-License-Identifier: Apache-2.0 */
#include "http/describe/webhooks.h"

#include "base/assertion.h"
#include "core/types.h"
#include "http/describe/example.h"
#include "http/describe/schema.h"
#include "http/record/encode.h"
#include "http/record/member.h"

extern const struct schema schema_held_reservation, schema_confirmed_reservation, schema_ended_reservation,
    schema_returned_reservation;

/* `data`: what the message contains; `example`: one of its alternatives, in an example. */
/* clang-format off */
static const struct webhook {
    const char *operation, *about;
    const struct schema *data, *example;
} webhooks[HOOK_EVENT_LAST + 1] = {
    [HOOK_HELD] = {"reservationHeld", "A hold was made.", &schema_reservation, &schema_held_reservation},
    [HOOK_EXPIRING] = {"reservationExpiring", "A hold expires in a minute. Not for holds of less than two minutes.",
        &schema_reservation, &schema_held_reservation},
    [HOOK_CONFIRMED] = {"reservationConfirmed", "A reservation was confirmed. `data` has a `manage_token`.",
        &schema_reservation, &schema_confirmed_reservation},
    [HOOK_RELEASED] = {"reservationReleased", "A hold was released.", &schema_reservation, &schema_ended_reservation},
    [HOOK_EXPIRED] = {"reservationExpired", "A hold expired.", &schema_reservation, &schema_ended_reservation},
    [HOOK_CANCELLED] = {"reservationCancelled", "A sale was cancelled by its owner.",
        &schema_reservation, &schema_returned_reservation},
    [HOOK_REFUNDED] = {"reservationRefunded", "A sale was refunded, in full or in part.",
        &schema_reservation, &schema_returned_reservation},
    [HOOK_TRANSFERRED] = {"reservationTransferred", "A reservation has a new owner.",
        &schema_reservation, &schema_confirmed_reservation},
    [HOOK_REFUND_DUE] = {"refundDue", "Money has to be paid back, or the amount of a refund due has changed.",
        &schema_refund_due, &schema_refund_due},
    [HOOK_REFUND_WITHDRAWN] = {"refundWithdrawn", "A refund due is no longer owed.",
        &schema_refund_due, &schema_refund_due},
    [HOOK_PAYMENT_DISCREPANCY] = {"paymentDiscrepancy", "A payment does not add up.",
        &schema_payment_row, &schema_payment_row},
    [HOOK_LIST_OFFERED] = {"listOffered", "Freed seats or units are held for a user of a waiting list.",
        &schema_reservation, &schema_held_reservation},
    [HOOK_RIDE_ASSIGNED] = {"rideAssigned", "A driver accepted a ride.", &schema_ride, &schema_ride},
};

static const struct header {
    const char *name, *about, *example;
} headers[] = {
    {"webhook-id", "The same for every attempt: ignore an id that you have handled.", "msg_4711_0_01JX5M0Q6H8Z3V7T2R9K4C1W0E"},
    {"webhook-timestamp", "When this attempt was made, in seconds since 1970.", "1906707600"},
    {"webhook-signature", "`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; after a change of the secret two, "
        "separated by a space.", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="},
};
/* clang-format on */

static void write_headers(struct json_writer *w)
{
    member_array_begin(w, "parameters");
    for (unsigned i = 0; i < sizeof headers / sizeof *headers; i++) {
        json_object_begin(w);
        member_string(w, "name", headers[i].name);
        member_string(w, "in", "header");
        member_string(w, "description", headers[i].about);
        member_bool(w, "required", true);
        member_raw(w, "schema", "{\"type\":\"string\"}");
        member_string(w, "example", headers[i].example);
        json_object_end(w);
    }
    json_array_end(w);
}

static void write_example(struct json_writer *w, const char *name, const struct schema *data)
{
    member_object_begin(w, "example");
    member_string(w, "type", name);
    member_string(w, "timestamp", "2030-06-03T09:00:00.000Z");
    json_key(w, "data");
    example_write(w, data);
    json_object_end(w);
}

static void write_body(struct json_writer *w, const char *name, const struct webhook *webhook)
{
    member_object_begin(w, "requestBody");
    member_bool(w, "required", true);
    member_object_begin(w, "content");
    member_object_begin(w, "application/json");
    json_key(w, "schema");
    schema_write_message(w, name, webhook->data);
    write_example(w, name, webhook->example);
    json_object_end(w);
    json_object_end(w);
    json_object_end(w);
}

static void write_responses(struct json_writer *w)
{
    member_object_begin(w, "responses");
    member_raw(w, "2XX", "{\"description\":\"Received: it will not be sent again.\"}");
    member_raw(w, "default",
               "{\"description\":\"Not received: it is sent again after a growing pause, for 24 hours.\"}");
    json_object_end(w);
}

static void write_webhook(struct json_writer *w, const char *name, const struct webhook *webhook,
                          const char *tag)
{
    ASSERT(webhook->operation);
    member_object_begin(w, name);
    member_object_begin(w, "post");
    member_array_begin(w, "tags");
    json_string(w, tag);
    json_array_end(w);
    member_string(w, "operationId", webhook->operation);
    member_string(w, "summary", webhook->about);
    member_string(w, "description",
                  "A message to the hooks that list its type. It shows the state at the time of sending.");
    member_raw(w, "security", "[]");
    write_headers(w);
    write_body(w, name, webhook);
    write_responses(w);
    json_object_end(w);
    json_object_end(w);
}

void webhooks_write(struct json_writer *w, const char *tag)
{
    member_object_begin(w, "webhooks");
    for (enum hook_event event = HOOK_EVENT_FIRST; event <= HOOK_EVENT_LAST; event++)
        write_webhook(w, hook_event_name(event), &webhooks[event], tag);
    json_object_end(w);
}
