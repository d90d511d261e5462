/* SPDX-License-Identifier: Apache-2.0 */
/* hold_body.h — the body of a hold, from JSON to the arguments of COMMAND_HOLD.
 *
 *   json_read by hold_body_fields ──► the caller is judged ──► hold_body_fill
 *
 * Knows neither requests nor replies, so that every protocol that takes this JSON refuses the same bodies with the same
 * words. Who asks, and by which id the reservation is made, is the caller's to fill in.
 */
#ifndef HTTP_HOLD_BODY_H
#define HTTP_HOLD_BODY_H

#include "http/claim/item_body.h"
#include "http/money/money_body.h"

struct hold_body {
    struct json_text_value user_id, resource_id, attributes, code, payment_method, payment_ref;
    struct json_int_value ttl_seconds;
    struct json_bool_value commit;
    struct json_list_value items;
    struct money_body amount;
};

extern const struct json_field hold_body_fields[];
extern const struct json_form hold_body_forms[];

/* Fills in command->hold, with a new ticket key if it is committed; texts are the body's, items are in the arena. The
 * actor, user_id and hold.commit of the command are there already, and judged by command_judge_caller: the refusals of
 * the caller come before those of the request. if_match: the version that the seat must have, as an ETag; at == NULL:
 * any. False: `fault` says what is wrong. */
bool hold_body_fill(const struct hold_body *body, struct text if_match, struct arena *arena,
                    struct command *command, struct json_fault *fault);

#endif
