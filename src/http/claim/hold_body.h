/* SPDX-License-Identifier: Apache-2.0 */
/* hold_body.h — the body of a hold, from JSON to the arguments of COMMAND_HOLD.
 *
 *   json_read by hold_body_fields ──► the caller is judged ──► hold_body_fill
 *
 * Does not know about requests and replies, so that every protocol that accepts this JSON refuses the same bodies with
 * the same errors. The calling code fills in the actor and the new reservation's id.
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

/* Fills in command->hold, with a new ticket key if it is committed; texts point into the body, items are in the arena.
 * The actor, user_id and hold.commit of the command must be set and checked by command_judge_caller before: refusals
 * that concern the caller come first. if_match: the version that the seat must have, as an ETag, if any. False: `fault`
 * is set. */
bool hold_body_fill(const struct hold_body *body, struct text if_match, struct arena *arena,
                    struct command *command, struct json_fault *fault);

#endif
