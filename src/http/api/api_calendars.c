/* SPDX-License-Identifier: Apache-2.0 */
#include "base/zone.h"
#include "http/api/calendar_body.h"
#include "http/api/call.h"
#include "http/api/page.h"
#include "http/api/patch_call.h"
#include "http/record/encode.h"
#include "http/wire/reply.h"

#define LIST_SIZE_MAX (1u << 20)

static void calendar_was_put(struct call *call, const struct outcome *outcome)
{
    encode_calendar(reply_json(call->request, outcome->created ? 201 : 200), &outcome->calendar);
    reply_finish(call->request);
}

/* Core has taken a reference of its own if it wants the zone. */
static void put_ended(struct call *call, const struct outcome *outcome)
{
    (void)outcome;
    zone_release(call->command.calendar_put.zone);
}

/* GET of such a path is the bookings, so nobody could read the calendar back. */
static bool id_allowed(struct text id)
{
    return id.size <= 4 || memcmp(id.at + id.size - 4, ".ics", 4) != 0;
}

HANDLER(api_calendar_put)
{
    struct calendar_body body;
    if (!request_decode(r, &body, sizeof(body)) || !call_same_id(r, 0, body.id))
        return;
    struct call *call = call_make(r, COMMAND_CALENDAR_PUT);
    struct calendar_image *image = &call->command.calendar_put.image;
    if (!id_allowed(r->parameters[0])) {
        reply_invalid(r, "", "Invalid id: a calendar id must not end in \".ics\".");
        return;
    }
    if (!calendar_body_read(r, &body, image))
        return;
    image->id = r->parameters[0];
    call->command.calendar_put.zone = zone_load(image->timezone.at);
    if (!call->command.calendar_put.zone) {
        reply_invalid(r, "/timezone", "Invalid timezone: no such time zone.");
        return;
    }
    call->ended = put_ended;
    call_submit(call, calendar_was_put);
}

static bool calendar_merge(void *about, const struct calendar_image *present, struct calendar_image *image,
                           struct outcome *out)
{
    struct request *r = about;
    struct calendar_body body;
    struct patch_reading reading;
    patch_reading_begin(&reading, r);
    encode_calendar(&reading.writer, present);
    bool good = patch_reading_merge(&reading, &body, sizeof(body)) && call_same_id(r, 0, body.id) &&
                calendar_body_read(r, &body, image);
    return patch_reading_end(&reading, good, out);
}

static void patch_ended(struct call *call, const struct outcome *outcome)
{
    (void)outcome;
    zone_release(call->command.calendar_patch.zone);
}

/* Time zones are loaded here and not while core merges: that must not wait for a file. */
struct named_zone {
    struct zone *zone;
    bool missing;
};

static bool find_timezone(void *owner, const struct json_member *member)
{
    struct named_zone *named = owner;
    bool is_it = strcmp(member->name, "timezone") == 0 && !member->listed;
    bool removed =
        is_it && member->kind == JSON_MEMBER_OTHER; /* null: the default; else refused when merged */
    if (!removed &&
        !(is_it && member->kind == JSON_MEMBER_TEXT && zone_name_valid(member->text, member->size)))
        return true;
    named->zone = zone_load(removed ? CALENDAR_TIMEZONE : member->text);
    named->missing = !named->zone;
    return true;
}

HANDLER(api_calendar_patch)
{
    struct named_zone named = {0};
    if (!patch_call_check(r))
        return;
    json_visit(r->body.at, r->body.size, find_timezone, &named);
    if (named.missing) {
        reply_invalid(r, "/timezone", "Invalid timezone: no such time zone.");
        return;
    }
    struct call *call = call_make(r, COMMAND_CALENDAR_PATCH);
    call->command.calendar_patch.id = r->parameters[0];
    call->command.calendar_patch.merge = calendar_merge;
    call->command.calendar_patch.about = r;
    call->command.calendar_patch.zone = named.zone;
    call->ended = patch_ended;
    call_submit(call, calendar_was_put);
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

/* Calendars with long lists make short pages. */
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
    reply_finish(r);
}
