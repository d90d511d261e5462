/* SPDX-License-Identifier: Apache-2.0 */
#include "http/demo/demo_actors.h"

#include "base/id.h"
#include "base/crypto/random.h"
#include "http/api/call.h"
#include "http/api/text_check.h"
#include "http/record/member.h"
#include "http/server.h"
#include "http/wire/reply.h"

#define RIDER_PREFIX "rider_"

struct actors_body {
    struct json_text_value fleet;
};

const struct json_field demo_actors_fields[] = {
    FIELD_ID(struct actors_body, fleet, JSON_OPTIONAL, "The fleet. Defaults to the first one."),
    JSON_END,
};

static void write_actor(struct json_writer *w, struct request *r, const char *user)
{
    struct auth_guest actor = auth_make_user(&r->server->auth, user, r->now_ms, &r->arena);
    json_object_begin(w);
    member_text(w, "user_id", actor.user_id);
    member_text(w, "token", actor.token);
    json_object_end(w);
}

static bool fleet_wanted(struct request *r, const struct actors_body *body, struct fleet_view *out)
{
    return body->fleet.text ? view_fleet_find(r->view, text_given(body->fleet), out)
                            : view_fleet_after(r->view, TEXT(""), out);
}

HANDLER(demo_actors_post)
{
    static const char *const drivers[] = DEMO_ACTOR_DRIVERS;
    struct actors_body body;
    struct fleet_view fleet;
    char rider[sizeof RIDER_PREFIX + ID_TEXT_SIZE] = RIDER_PREFIX;
    if (!request_decode(r, &body, sizeof body))
        return;
    if (!fleet_wanted(r, &body, &fleet)) {
        reply_outcome(r, OUTCOME_NO_SUCH_FLEET);
        return;
    }
    id_write(id_make(r->now_ms, random_u64(), random_u64()), rider + sizeof RIDER_PREFIX - 1);
    reply_header(r, "Cache-Control", "no-store");
    struct json_writer *w = reply_json(r, 201);
    json_object_begin(w);
    member_text(w, "fleet", fleet.image->id);
    json_key(w, "rider");
    write_actor(w, r, rider);
    member_array_begin(w, "drivers");
    for (unsigned i = 0; i < DEMO_ACTOR_DRIVER_COUNT; i++)
        if (view_has_driver(r->view, fleet.image->number, (struct text){drivers[i], strlen(drivers[i])}))
            write_actor(w, r, drivers[i]);
    json_array_end(w);
    member_time(w, "expires_at", auth_token_expiry(r->now_ms));
    json_object_end(w);
    reply_wait(r, fleet.seq);
    reply_finish(r);
}
