/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time/zone.h"
#include "http/calendar/calendar_body.h"
#include "http/api/call.h"
#include "http/api/page.h"
#include "http/api/patch_body.h"
#include "http/record/encode.h"
#include "http/wire/reply.h"

#define LIST_SIZE_MAX (1u << 20)

static void calendar_put_done(struct call *call, const struct outcome *outcome)
{
    encode_calendar(reply_json(call->request, outcome->created ? 201 : 200), &outcome->calendar);
    reply_finish(call->request);
}

/* Core has its own reference if it keeps the zone. */
static void put_ended(struct call *call, const struct outcome *outcome)
{
    (void)outcome;
    zone_release(call->command.calendar_put.zone);
}

/* GET of such a path returns the bookings, so the calendar itself could not be read. */
static bool id_allowed(struct text id)
{
    return id.size <= 4 || memcmp(id.at + id.size - 4, ".ics", 4) != 0;
}

HANDLER(api_calendar_put)
{
    struct call *call = call_make(r, COMMAND_CALENDAR_PUT);
    struct calendar_image *image = &call->command.calendar_put.image;
    if (!calendar_body_read(r, image, NULL))
        return;
    if (!id_allowed(r->parameters[0])) {
        reply_invalid(r, "", "Invalid id: a calendar id must not end in \".ics\".");
        return;
    }
    image->id = r->parameters[0];
    call->command.calendar_put.zone = zone_load(image->timezone.at);
    if (!call->command.calendar_put.zone) {
        reply_invalid(r, "/timezone", "Invalid timezone: no such time zone.");
        return;
    }
    call->ended = put_ended;
    call_submit(call, calendar_put_done);
}

static void patch_ended(struct call *call, const struct outcome *outcome)
{
    (void)outcome;
    zone_release(call->command.calendar_patch.zone);
}

HANDLER(api_calendar_patch)
{
    uint64_t named;
    struct call *call = call_make(r, COMMAND_CALENDAR_PATCH);
    struct calendar_patch *patch = &call->command.calendar_patch;
    if (!calendar_body_read(r, &patch->values, &named))
        return;
    patch->id = r->parameters[0];
    patch->given = patch_body_given(r->route->fields, named, calendar_patch_fields);
    if (patch->given & patch_set(calendar_patch_fields, "timezone")) {
        /* Loaded here and not when core merges the patch: core must not wait for a file. */
        patch->zone = zone_load(patch->values.timezone.at);
        if (!patch->zone) {
            reply_invalid(r, "/timezone", "Invalid timezone: no such time zone.");
            return;
        }
    }
    call->ended = patch_ended;
    call_submit(call, calendar_put_done);
}

HANDLER(api_calendar_get)
{
    struct calendar_view view;
    if (!view_calendar_find(r->view, r->parameters[0], &view)) {
        reply_outcome(r, OUTCOME_NO_SUCH_CALENDAR);
        return;
    }
    encode_calendar(reply_json(r, 200), &view.image);
    reply_wait(r, view.seq);
    reply_finish(r);
}

HANDLER(api_calendar_remove)
{
    struct call *call = call_make(r, COMMAND_CALENDAR_REMOVE);
    call->command.calendar = r->parameters[0];
    call_submit(call, call_reply_empty);
}

/* Calendars with long lists of hours or services make short pages. */
HANDLER(api_calendar_list)
{
    uint32_t limit;
    struct id after; /* the number of a calendar, in the form of an id */
    struct calendar_view view;
    if (!page_limit(r, 0, &limit) || !page_cursor(r, 1, &after))
        return;
    struct json_writer *w = reply_json(r, 200);
    page_begin(w);
    size_t size_max = w->out->size + LIST_SIZE_MAX;
    for (; limit && view_calendar_after(r->view, after.low, &view); limit--) {
        if (w->out->size > size_max)
            limit = 1;
        encode_calendar(w, &view.image);
        reply_wait(r, view.seq);
        after.low = view.image.number;
    }
    page_end(w, limit == 0 && view_calendar_after(r->view, after.low, &view), after);
    reply_wait(r, view_absent_seq(r->view)); /* a calendar missing here may have been removed a moment ago */
    reply_finish(r);
}
