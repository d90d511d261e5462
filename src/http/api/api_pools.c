/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/api.h"

#include "http/api/call.h"
#include "http/record/encode.h"
#include "http/wire/reply.h"
#include "http/api/text_check.h"

struct pool_body {
    struct json_text_value name;
    struct json_int_value capacity, price;
};

const struct json_field api_pool_fields[] = {
    JSON_INT(struct pool_body, capacity, 0, POOL_CAPACITY_MAX, JSON_REQUIRED, .about = ABOUT_POOL_CAPACITY),
    JSON_INT_OR(struct pool_body, price, 0, PRICE_MAX, 0, .about = ABOUT_POOL_PRICE),
    FIELD_TEXT(struct pool_body, name, 1, NAME_SIZE_MAX, JSON_NULLABLE, text_check_name, ABOUT_NAME),
    JSON_END,
};

static void pool_was_put(struct call *call, const struct outcome *outcome)
{
    encode_pool(reply_json(call->request, outcome->created ? 201 : 200), &outcome->pool);
    reply_finish(call->request);
}

void api_pool_put(struct request *r)
{
    struct pool_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = call_make(r, COMMAND_POOL_PUT);
    call->command.pool_put.event = r->parameters[0];
    call->command.pool_put.id = r->parameters[1];
    call->command.pool_put.name = text_given(body.name);
    call->command.pool_put.capacity = (uint32_t)body.capacity.value;
    call->command.pool_put.price = body.price.value;
    call_submit(call, pool_was_put);
}
