/* SPDX-License-Identifier: Apache-2.0 */
/* api_groups.c — groups of calendars; their slots are in api_slots.c. */
#include "http/api/call.h"
#include "http/api/page.h"
#include "http/api/text_check.h"
#include "http/describe/about.h"
#include "http/record/encode.h"
#include "http/wire/reply.h"

struct group_body {
    struct json_text_value id, name, pick;
    struct json_list_value calendars;
};

/* clang-format off */
const struct json_field api_group_fields[] = {
    FIELD_TEXT(struct group_body, name, 1, NAME_SIZE_MAX, JSON_REQUIRED, text_check_name, ABOUT_NAME),
    JSON_TEXTS(struct group_body, calendars, 1, GROUP_CALENDARS_MAX, JSON_REQUIRED, .check = text_check_id,
               .form = FIELD_ID_FORM, .about = ABOUT_GROUP_CALENDARS),
    {JSON_FIELD(JSON_KIND_TEXT, struct group_body, pick, JSON_OPTIONAL), .word = group_pick_word,
     .default_json = "\"least_busy\"", .about = ABOUT_GROUP_PICK},
    FIELD_SAME_ID(struct group_body),
    FIELD_SHOWN("created_at"),
    JSON_END,
};
/* clang-format on */

static void group_put_done(struct call *call, const struct outcome *outcome)
{
    encode_group(reply_json(call->request, outcome->created ? 201 : 200), &outcome->group);
    reply_finish(call->request);
}

HANDLER(api_group_put)
{
    struct group_body body;
    if (!request_decode(r, &body, sizeof(body)) || !call_check_id(r, 0, body.id))
        return;
    struct call *call = call_make(r, COMMAND_GROUP_PUT);
    struct group_image *image = &call->command.group_put;
    const struct json_text_value *ids = body.calendars.entries;
    struct group_member *members = arena_take(&r->arena, body.calendars.count * sizeof(*members));
    for (size_t i = 0; i < body.calendars.count; i++)
        members[i] = (struct group_member){.id = text_given(ids[i])};
    *image = (struct group_image){.id = r->parameters[0],
                                  .name = text_given(body.name),
                                  .pick = PICK_LEAST_BUSY,
                                  .members = members,
                                  .member_count = (uint32_t)body.calendars.count};
    if (body.pick.text)
        group_pick_read(text_given(body.pick),
                        &image->pick); /* cannot fail: the field allows only these words */
    call_submit(call, group_put_done);
}

HANDLER(api_group_get)
{
    struct group_view view;
    if (!view_group_find(r->view, r->parameters[0], &view)) {
        reply_outcome(r, OUTCOME_NO_SUCH_GROUP);
        return;
    }
    encode_group(reply_json(r, 200), &view.image);
    reply_wait(r, view.seq);
    reply_finish(r);
}

HANDLER(api_group_list)
{
    uint32_t limit;
    struct id after; /* the number of a group, in the form of an id */
    struct group_view view;
    if (!page_limit(r, 0, &limit) || !page_cursor(r, 1, &after))
        return;
    struct json_writer *w = reply_json(r, 200);
    page_begin(w);
    for (; limit && view_group_after(r->view, after.low, &view); limit--) {
        encode_group(w, &view.image);
        reply_wait(r, view.seq);
        after.low = view.image.number;
    }
    page_end(w, limit == 0 && view_group_after(r->view, after.low, &view), after);
    reply_wait(r, view_absent_seq(r->view));
    reply_finish(r);
}

HANDLER(api_group_remove)
{
    struct call *call = call_make(r, COMMAND_GROUP_REMOVE);
    call->command.group = r->parameters[0];
    call_submit(call, call_reply_empty);
}
