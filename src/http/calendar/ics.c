/* SPDX-License-Identifier: Apache-2.0 */
#include "http/calendar/ics.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/time/rfc3339.h"
#include "http/record/encode.h"
#include "http/wire/version.h"

#define FIRST_ONSET_S (2 * 86400) /* no local time before 1970 is written */

/* ---- Content lines ---- */

struct line {
    struct buf *out;
    size_t octets; /* since the last line break */
};

static struct line line_begin(struct buf *out, const char *name)
{
    size_t size = strlen(name);
    ASSERT(size < ICS_LINE_MAX);
    buf_append(out, name, size);
    return (struct line){out, size};
}

static void line_end(struct line *l)
{
    buf_append(l->out, "\r\n", 2);
}

/* Octets that must stay on one line: a character, or an escape. */
static void line_piece(struct line *l, const char *octets, size_t size)
{
    ASSERT(size < ICS_LINE_MAX);
    if (l->octets + size > ICS_LINE_MAX) {
        buf_append(l->out, "\r\n ", 3);
        l->octets = 1;
    }
    buf_append(l->out, octets, size);
    l->octets += size;
}

static size_t character_size(const char *at, const char *end)
{
    size_t size = 1;
    while (at + size < end && ((unsigned char)at[size] & 0xc0) == 0x80)
        size++;
    return size;
}

/* A value of type TEXT. Control characters, which are not allowed there, are left out. */
static void line_text(struct line *l, struct text text)
{
    const char *end = text.at + text.size;
    for (const char *at = text.at; at < end;) {
        size_t size = character_size(at, end);
        unsigned char first = (unsigned char)*at;
        if (first == '\\' || first == ';' || first == ',')
            line_piece(l, (char[]){'\\', *at}, 2);
        else if (first == '\n')
            line_piece(l, "\\n", 2);
        else if ((first >= ' ' && first != 0x7f) || first == '\t')
            line_piece(l, at, size);
        at += size;
    }
}

static void line_string(struct line *l, const char *text)
{
    line_text(l, (struct text){text, strlen(text)});
}

/* A whole line, for a value that needs neither escaping nor folding. */
static void ics_line(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void ics_line(struct buf *out, const char *format, ...)
{
    char text[ICS_LINE_MAX + 1];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    ASSERT(size > 0 && size <= ICS_LINE_MAX);
    buf_append(out, text, (size_t)size);
    buf_append(out, "\r\n", 2);
}

#define STAMP_SIZE sizeof("20261203T140000")

static void stamp_write(int64_t at_ms, char out[STAMP_SIZE])
{
    char t[RFC3339_SIZE];
    rfc3339_write(at_ms, t);
    snprintf(out, STAMP_SIZE, "%.4s%.2s%.2sT%.2s%.2s%.2s", t, t + 5, t + 8, t + 11, t + 14, t + 17);
}

/* "DTSTART:20261203T140000Z" */
static void put_instant(struct buf *out, const char *name, int64_t at_ms)
{
    char stamp[STAMP_SIZE];
    stamp_write(at_ms, stamp);
    ics_line(out, "%s:%sZ", name, stamp);
}

/* "DTSTART;TZID=Europe/Berlin:20261203T150000". A time that occurs twice means the first one there. */
static void put_local(struct ics *ics, const char *name, int64_t at_ms)
{
    int64_t at_s = at_ms / 1000, local_s = ics->zone ? at_s + zone_offset_s(ics->zone, at_s) : at_s;
    if (!ics->zone || local_s < 0 || zone_to_utc_s(ics->zone, local_s) != at_s) {
        put_instant(ics->out, name, at_ms);
        return;
    }
    char stamp[STAMP_SIZE];
    stamp_write(local_s * 1000, stamp);
    struct line line = line_begin(ics->out, name);
    line_piece(&line, ";TZID=", sizeof(";TZID=") - 1);
    line_string(&line, zone_name(ics->zone));
    line_string(&line, ":");
    line_string(&line, stamp);
    line_end(&line);
    ics->first_s = at_s < ics->first_s ? at_s : ics->first_s;
    ics->last_s = at_s > ics->last_s ? at_s : ics->last_s;
}

/* ---- The object ---- */

void ics_begin(struct ics *ics, struct buf *out, struct text calendar_name, const struct zone *zone)
{
    bool utc = zone && strcmp(zone_name(zone), "UTC") == 0;
    *ics = (struct ics){.out = out,
                        .calendar_name = calendar_name,
                        .zone = utc ? NULL : zone,
                        .first_s = INT64_MAX,
                        .last_s = INT64_MIN};
    ics_line(out, "BEGIN:VCALENDAR");
    ics_line(out, "VERSION:2.0");
    ics_line(out, "PRODID:-//Holdfast//Holdfast %s//EN", HOLDFAST_VERSION);
    ics_line(out, "CALSCALE:GREGORIAN");
    struct line name = line_begin(out, "X-WR-CALNAME:");
    line_text(&name, calendar_name);
    line_end(&name);
}

static void put_uid(struct buf *out, const struct reservation_image *r, const struct item_image *item)
{
    char id[ENCODE_ID_SIZE];
    encode_id(ENCODE_RESERVATION, r->id, id);
    ics_line(out, "UID:%.*s-%u@holdfast", (int)sizeof(id), id, item->item_id);
}

static void put_summary(struct buf *out, struct text calendar_name, const struct item_image *item)
{
    struct line summary = line_begin(out, "SUMMARY:");
    line_text(&summary, calendar_name);
    if (item->part_id.at) {
        line_string(&summary, ": ");
        line_text(&summary, item->part_id);
    }
    line_end(&summary);
}

static void put_description(struct buf *out, const struct reservation_image *r)
{
    char pnr[PNR_SIZE];
    pnr_write(r->number, pnr);
    struct line description = line_begin(out, "DESCRIPTION:");
    line_text(&description, (struct text){pnr, sizeof(pnr)});
    line_string(&description, ", ");
    line_text(&description, r->user_id);
    line_end(&description);
}

void ics_booking(struct ics *ics, const struct reservation_image *r, const struct item_image *item,
                 int64_t changed_at_ms)
{
    struct buf *out = ics->out;
    ASSERT(item->start_ms < item->end_ms && item->start_ms >= 0);
    ASSERT(changed_at_ms >= r->confirmed_at_ms);
    ics_line(out, "BEGIN:VEVENT");
    put_uid(out, r, item);
    put_instant(out, "DTSTAMP", changed_at_ms);
    put_instant(out, "LAST-MODIFIED", changed_at_ms);
    put_local(ics, "DTSTART", item->start_ms);
    put_local(ics, "DTEND", (item->end_ms + 999) / 1000 * 1000);
    ics_line(out, "SEQUENCE:%u", r->version);
    put_summary(out, ics->calendar_name, item);
    put_description(out, r);
    ics_line(out, "STATUS:CONFIRMED");
    ics_line(out, "END:VEVENT");
    ics->bookings++;
}

/* ---- The time zone ---- */

/* "+0100", and seconds where there are any */
static void put_offset(struct buf *out, const char *name, int32_t offset_s)
{
    int32_t size_s = offset_s < 0 ? -offset_s : offset_s;
    char seconds[8] = "";
    if (size_s % 60)
        snprintf(seconds, sizeof(seconds), "%02d", size_s % 60);
    ics_line(out, "%s:%c%02d%02d%s", name, offset_s < 0 ? '-' : '+', size_s / 3600, size_s / 60 % 60,
             seconds);
}

/* One offset, in force from this instant on. Its beginning is what the clocks showed before it. */
static void put_observance(struct buf *out, int64_t from_s, int32_t before_s, int32_t offset_s)
{
    const char *kind = offset_s > before_s ? "DAYLIGHT" : "STANDARD";
    char stamp[STAMP_SIZE];
    stamp_write((from_s + before_s) * 1000, stamp);
    ics_line(out, "BEGIN:%s", kind);
    ics_line(out, "DTSTART:%s", stamp);
    put_offset(out, "TZOFFSETFROM", before_s);
    put_offset(out, "TZOFFSETTO", offset_s);
    ics_line(out, "END:%s", kind);
}

/* RFC 5545 requires at least one component; a calendar without bookings has none, so it gets its time zone. */
static void put_zone(struct ics *ics)
{
    struct buf *out = ics->out;
    bool used = ics->first_s <= ics->last_s;
    ics_line(out, "BEGIN:VTIMEZONE");
    struct line name = line_begin(out, "TZID:");
    line_string(&name, used ? zone_name(ics->zone) : "UTC");
    line_end(&name);
    if (!used)
        put_observance(out, 0, 0, 0);
    for (int64_t at_s = ics->first_s; used && at_s <= ics->last_s;) {
        struct zone_span span = zone_span_at(ics->zone, at_s);
        bool endless = span.from_s < FIRST_ONSET_S; /* it was in force before any booking */
        put_observance(out, endless ? FIRST_ONSET_S : span.from_s,
                       endless ? span.offset_s : zone_offset_s(ics->zone, span.from_s - 1), span.offset_s);
        at_s = span.until_s;
    }
    ics_line(out, "END:VTIMEZONE");
}

void ics_end(struct ics *ics)
{
    if (ics->bookings == 0 || ics->first_s <= ics->last_s)
        put_zone(ics);
    ics_line(ics->out, "END:VCALENDAR");
}
