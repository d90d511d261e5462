/* SPDX-License-Identifier: Apache-2.0 */
/* script_dispatch.c — the verbs of a script about fleets, drivers and rides. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/dispatch/ride.h"
#include "core/entry_id.h"
#include "script.h"

/* Positions are metres east and north of here. */
#define HOME_LAT 0.0
#define HOME_LNG 0.0
#define DEGREE_M 111195.08 /* of the equator and of a meridian, on core's sphere */

static uint32_t number_or(const struct script_line *l, const char *option, uint32_t otherwise)
{
    const char *word = script_option(l, option);
    return word ? (uint32_t)script_number(word) : otherwise;
}

static uint32_t seconds_or(const struct script_line *l, const char *option, uint32_t otherwise)
{
    const char *word = script_option(l, option);
    return word ? (uint32_t)(script_time(word) / 1000) : otherwise;
}

/* "500,-20", and its cell for the fleet; the line continues at *end. */
static struct geo_point place(const struct script *s, struct text fleet, const char *word, const char **end,
                              uint64_t *cell)
{
    char *rest;
    double east = strtod(word ? word : "0", &rest), north = *rest == ',' ? strtod(rest + 1, &rest) : 0;
    const struct fleet *f = state_fleet_named(s->world.st, fleet);
    struct h3_point p = {HOME_LAT + north / DEGREE_M, HOME_LNG + east / DEGREE_M};
    *cell = h3_from_point(p, f ? (int)f->image.resolution : 9);
    if (end)
        *end = rest;
    return (struct geo_point){(int32_t)lrint(p.lat * 1e7), (int32_t)lrint(p.lng * 1e7)};
}

static struct actor who(const struct script_line *l)
{
    const char *by = script_option(l, "by");
    if (!by || strcmp(by, "app") == 0)
        return (struct actor){.role = ROLE_APP, .name = TEXT("shop")};
    if (strcmp(by, "admin") == 0)
        return (struct actor){.role = ROLE_ADMIN};
    return (struct actor){.role = ROLE_USER, .name = script_text(by)};
}

/* ---- Fleets and drivers ---- */

static void verb_fleet(struct script *s, struct command *c)
{
    const struct script_line *l = &s->line;
    c->kind = COMMAND_FLEET_PUT;
    c->fleet_put = (struct fleet_image){
        .id = script_text(l->words[1]),
        .offer_s = seconds_or(l, "offer", 15),
        .resolution = number_or(l, "resolution", 9),
        .max_rings = number_or(l, "rings", 6),
        .presence_s = seconds_or(l, "presence", 30),
        .search_s = seconds_or(l, "search", 180),
        .speed_kmh = number_or(l, "speed", 36),
        .batch_ms = number_or(l, "batch", 0),
        .guests = script_flag(l, "guests"),
        .rides_per_rider = number_or(l, "perrider", 0),
        .weights = {number_or(l, "eta", 1000), number_or(l, "rating", 0), number_or(l, "waiting", 0),
                    number_or(l, "surge", 0)},
        .key = {7, 9},
    };
}

static void verb_driver(struct script *s, struct command *c, struct text types[DRIVER_TYPES_MAX], char *copy,
                        size_t size)
{
    const struct script_line *l = &s->line;
    const char *rating = script_option(l, "rating"), *list = script_option(l, "types");
    const char *surge = script_option(l, "surge");
    c->kind = COMMAND_DRIVER_PUT;
    c->driver_put.fleet = script_text(l->words[1]);
    c->driver_put.id = script_text(l->words[2]);
    c->driver_put.point = place(s, c->driver_put.fleet, script_option(l, "where"), NULL, &c->driver_put.cell);
    c->driver_put.available = !script_flag(l, "away");
    c->driver_put.has_rating = rating != NULL;
    c->driver_put.rating_milli = rating ? (uint32_t)script_number(rating) : 0;
    c->driver_put.has_surge = surge != NULL;
    c->driver_put.surge = surge && script_number(surge);
    c->driver_put.has_types = list != NULL;
    c->driver_put.types = types;
    snprintf(copy, size, "%s", list && strcmp(list, "-") != 0 ? list : "");
    char *rest = copy, *word;
    while (*copy && (word = strsep(&rest, ",")))
        types[c->driver_put.type_count++] = script_text(word);
}

/* "A@0,500;B@20,0:off;C@0,0:on" */
static void verb_positions(struct script *s, struct command *c, struct position all[64], char *copy,
                           size_t size)
{
    c->kind = COMMAND_POSITIONS;
    c->positions.fleet = script_text(s->line.words[1]);
    c->positions.all = all;
    snprintf(copy, size, "%s", s->line.words[2]);
    char *rest = copy, *word;
    while ((word = strsep(&rest, ";"))) {
        struct position *p = &all[c->positions.count++];
        const char *end;
        *p = (struct position){.driver = script_text(strsep(&word, "@"))};
        p->point = place(s, c->positions.fleet, word, &end, &p->cell);
        p->has_available = *end == ':';
        p->available = p->has_available && strcmp(end, ":on") == 0;
    }
}

/* ---- Rides ---- */

static void verb_ride(struct script *s, struct command *c)
{
    const struct script_line *l = &s->line;
    const char *to = script_option(l, "to");
    uint64_t there;
    c->kind = COMMAND_RIDE_NEW;
    c->ride.pickup = place(s, c->ride.fleet, script_option(l, "where"), NULL, &c->ride.cell);
    c->ride.has_to = to != NULL;
    if (to)
        c->ride.to = place(s, c->ride.fleet, to, NULL, &there);
    c->ride.type = script_text(script_option(l, "type"));
    c->ride.surge_milli = number_or(l, "surge", 1000);
    const char *key = script_option(l, "key");
    if (key) {
        c->idempotent = true;
        c->idempotency_key[0] = (uint64_t)key[0] << 8 | 1;
        c->idempotency_key[1] = 26;
        c->idempotency_body[0] = number_or(l, "body", 1);
    }
}

/* The ride of this name, in memory or else in the book. */
static const struct ride *find_ride(struct script *s, struct text fleet, struct id id, const struct fleet **f)
{
    for (int i = 0; i < 2; i++) {
        if (i)
            world_record(&s->world);
        *f = state_fleet_named(i ? s->world.book.st : s->world.st, fleet);
        uint32_t handle = *f ? ride_find(*f, id) : TABLE_NONE;
        if (handle != TABLE_NONE)
            return ride_at(*f, handle);
    }
    return NULL;
}

/* Its newest offer, or the one with this number from 1; `wrong` changes its id. */
static struct id offer_of(struct script *s, struct text fleet, struct id ride)
{
    const struct fleet *f;
    const struct ride *r = find_ride(s, fleet, ride, &f);
    uint32_t which = number_or(&s->line, "offer", r ? r->offer_count : 0), at = r ? r->first_offer : 0;
    for (uint32_t i = 1; at && i < which; i++)
        at = offer_at(f, at - 1)->next;
    struct id id = {1, 2};
    if (at)
        id = entry_id(f->image.key, ENTRY_RIDE_OFFER, offer_at(f, at - 1)->number);
    id.low ^= script_flag(&s->line, "wrong");
    return id;
}

static bool ride_verb(struct script *s, struct command *c)
{
    static const struct {
        const char *name;
        enum command_kind kind;
    } verbs[] = {{"ride", COMMAND_RIDE_NEW},
                 {"trip", COMMAND_RIDE_LOOK},
                 {"unride", COMMAND_RIDE_CANCEL},
                 {"complete", COMMAND_RIDE_COMPLETE},
                 {"driveoff", COMMAND_RIDE_DRIVER_CANCEL},
                 {"accept", COMMAND_OFFER_ACCEPT},
                 {"decline", COMMAND_OFFER_DECLINE}};
    const struct script_line *l = &s->line;
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
        if (strcmp(l->words[0], verbs[i].name) != 0)
            continue;
        c->kind = verbs[i].kind;
        struct text fleet = script_text(script_option(l, "in"));
        struct id id = script_name(s, l->words[1])->id;
        if (c->kind == COMMAND_OFFER_ACCEPT || c->kind == COMMAND_OFFER_DECLINE) {
            c->offer.fleet = fleet;
            c->offer.id = offer_of(s, fleet, id);
            return true;
        }
        c->ride.fleet = fleet;
        c->ride.id = id;
        if (c->kind == COMMAND_RIDE_NEW)
            verb_ride(s, c);
        return true;
    }
    return false;
}

bool script_dispatch_verb(struct script *s, struct outcome *out)
{
    static struct position all[64];
    struct text types[DRIVER_TYPES_MAX];
    char copy[1024];
    const struct script_line *l = &s->line;
    const char *verb = l->words[0];
    struct command c = {.actor = who(l), .user_id = script_text(script_option(l, "for"))};
    if (strcmp(verb, "fleet") == 0)
        verb_fleet(s, &c);
    else if (strcmp(verb, "unfleet") == 0) {
        c.kind = COMMAND_FLEET_REMOVE;
        c.fleet = script_text(l->words[1]);
    } else if (strcmp(verb, "driver") == 0)
        verb_driver(s, &c, types, copy, sizeof(copy));
    else if (strcmp(verb, "positions") == 0)
        verb_positions(s, &c, all, copy, sizeof(copy));
    else if (strcmp(verb, "undriver") == 0 || strcmp(verb, "seen") == 0 || strcmp(verb, "asked") == 0) {
        c.kind = verb[0] == 'u'   ? COMMAND_DRIVER_REMOVE
                 : verb[0] == 's' ? COMMAND_DRIVER_LOOK
                                  : COMMAND_OFFER_LOOK;
        c.driver.fleet = script_text(l->words[1]);
        c.driver.id = script_text(l->words[2]);
    } else if (!ride_verb(s, &c))
        return false;
    script_submit(s, &c, out);
    return true;
}

/* ---- What is shown ---- */

static void write_offers(struct buf *out, const struct ride_image *r)
{
    for (uint32_t i = 0; i < r->offer_count; i++)
        buf_printf(out, "%s%.*s:%s", i ? ";" : "", (int)r->offers[i].driver_id.size,
                   r->offers[i].driver_id.at ? r->offers[i].driver_id.at : "",
                   r->offers[i].end ? offer_end_name(r->offers[i].end) : "live");
}

void script_dispatch_write(struct buf *out, const struct outcome *o)
{
    if (o->has_ride) {
        const struct ride_image *r = &o->ride;
        buf_printf(
            out, " ride %s of %.*s until %lld assigned %lld ended %lld to %.*s rider %d eta %lld offers ",
            ride_status_name(r->status), (int)r->rider_id.size, r->rider_id.at, (long long)r->search_until_ms,
            (long long)r->assigned_at_ms, (long long)r->ended_at_ms, (int)r->driver_id.size,
            r->driver_id.at ? r->driver_id.at : "", o->as_rider, (long long)r->driver_eta_ms);
        write_offers(out, r);
        for (uint32_t i = 0; i < r->offer_count; i++)
            buf_printf(out, " %lld/%lld/%lld", (long long)r->offers[i].score_ms,
                       (long long)r->offers[i].eta_ms, (long long)r->offers[i].ended_at_ms);
    }
    if (o->has_driver)
        buf_printf(out, " driver %s available %d heard %lld cell %llx rating %u surge %d types %u",
                   driver_status_name(o->driver.status), o->driver.available,
                   (long long)o->driver.heard_at_ms, (unsigned long long)o->driver.cell,
                   o->driver.rating_milli, o->driver.surge, o->driver.type_count);
    if (o->has_offer)
        buf_printf(out, " offer until %lld", (long long)o->offer.expires_at_ms);
}

static void expect_text(struct script *s, const char *name, struct text is)
{
    const char *wanted = script_expected(&s->line, name);
    if (wanted && strcmp(wanted, "none") == 0 ? is.size != 0 : wanted && !text_equal(script_text(wanted), is))
        script_wrong(s, "%s is %.*s.", name, (int)is.size, is.at ? is.at : "");
}

static void expect_time(struct script *s, const char *name, int64_t is_ms)
{
    const char *wanted = script_expected(&s->line, name);
    if (wanted && (strcmp(wanted, "none") == 0 ? is_ms != 0 : WORLD_EPOCH_MS + script_time(wanted) != is_ms))
        script_wrong(s, "%s is %lld ms.", name, (long long)(is_ms ? is_ms - WORLD_EPOCH_MS : 0));
}

const char *script_dispatch_status(const struct outcome *o)
{
    if (o->has_offer)
        return "offer";
    if (o->has_ride)
        return ride_status_name(o->ride.status);
    return o->has_driver ? driver_status_name(o->driver.status) : NULL;
}

void script_dispatch_check(struct script *s, const struct outcome *o)
{
    if (o->has_offer) {
        expect_time(s, "until", o->offer.expires_at_ms);
        expect_text(s, "asked", o->offer.driver_id);
    }
    if (o->has_ride) {
        const struct offer_image *last =
            o->ride.offer_count ? &o->ride.offers[o->ride.offer_count - 1] : NULL;
        struct buf offers;
        buf_init(&offers, 1 << 16);
        write_offers(&offers, &o->ride);
        expect_text(s, "offers", (struct text){(const char *)offers.data, offers.size});
        buf_release(&offers);
        expect_text(s, "driver", o->ride.driver_id);
        expect_text(s, "rider", o->ride.rider_id);
        expect_time(s, "assigned", o->ride.assigned_at_ms);
        expect_time(s, "ended", o->ride.ended_at_ms);
        expect_time(s, "search", o->ride.search_until_ms);
        script_expect_number(s, "arrives", o->ride.has_driver ? o->ride.driver_eta_ms : -1);
        script_expect_number(s, "score", last ? last->score_ms : 0);
        script_expect_number(s, "eta", last ? last->eta_ms : 0);
        script_expect_number(s, "asrider", o->as_rider);
    }
    script_expect_number(s, "updated", o->updated);
    script_expect_number(s, "unknown", o->unknown_count);
    if (o->unknown_count)
        script_expect_number(s, "first", o->unknown[0]);
}

/* dispatch: until nothing is due; returns how many offers that made. city F free=N …: the overview of the fleet. */
bool script_dispatch_query(struct script *s)
{
    const char *verb = s->line.words[0];
    if (strcmp(verb, "dispatch") == 0) {
        s->tally = world_dispatch(&s->world);
        if (s->line.expected_count && script_number(s->line.expected[0]) != s->tally)
            script_wrong(s, "%lld", (long long)s->tally);
        return true;
    }
    if (strcmp(verb, "city") != 0)
        return false;
    const struct fleet *f = state_fleet_named(s->world.st, script_text(s->line.words[1]));
    if (!f) {
        script_wrong(s, "There is no such fleet.");
        return true;
    }
    state_set_now(s->world.st, s->world.now_ms);
    struct fleet_overview o = state_fleet_overview(s->world.st, f);
    struct fleet_cell cell;
    uint32_t cells = 0;
    for (uint32_t from = 0, looks = UINT32_MAX; state_fleet_cell(f, &from, &looks, &cell);)
        cells++;
    for (unsigned i = DRIVER_STATUS_FIRST; i <= DRIVER_STATUS_LAST; i++)
        script_must_be(s, driver_status_name((enum driver_status)i), o.drivers[i]);
    script_must_be(s, "cells", cells);
    for (unsigned i = RIDE_STATUS_FIRST; s->mode == SCRIPT_PLAIN && i <= RIDE_STATUS_LAST; i++)
        if (i != RIDE_OFFERED)
            script_must_be(s, ride_status_name((enum ride_status)i), o.rides[i]);
    if (s->mode == SCRIPT_PLAIN) { /* of this process only */
        script_must_be(s, "median", (uint64_t)o.assignment.median_ms);
        script_must_be(s, "p95", (uint64_t)o.assignment.p95_ms);
    }
    return true;
}
