/* SPDX-License-Identifier: Apache-2.0 */
/* fleet.c — positions and candidate searches: core alone, Redis, and Holdfast over HTTP, with the same drivers.
 *
 *   fleet core DRIVERS SECONDS              searches/s, positions/s, bytes per driver; no server
 *   fleet redis PORT PID DRIVERS SECONDS    GEOADD/s and GEOSEARCH/s, pipelined
 *   fleet http PORT PID KEY FLEET DRIVERS SECONDS   positions/s by POST /v1/fleets/FLEET/positions, 1,000 each
 *   fleet cells FILE SECONDS                cells/s of the points in FILE, pairs of doubles in degrees
 *
 * One line of JSON to standard output. Core is timed by the processor's clock, servers by both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/geo/h3.h"
#include "base/memory/memory.h"
#include "core/dispatch/dispatch.h"
#include "core/state.h"
#include "peer.h"
#include "town.h"

#define NOW_MS 1700000000000LL
#define BULK 1000

struct bench {
    struct state *st;
    struct buf changes;
    struct outcome out;
    struct town town;
    int64_t now_ms;
};

static const struct text FLEET = {"F", 1};

static void apply(struct bench *b, const struct command *c)
{
    buf_clear(&b->changes);
    if (state_apply(b->st, c, b->now_ms, &b->changes, &b->out) != OUTCOME_OK) {
        fprintf(stderr, "bench: refused: %s\n", outcome_name(b->out.code));
        exit(1);
    }
}

static uint64_t resident_bytes(void)
{
    unsigned long long size, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%llu %llu", &size, &resident) != 2)
        exit(1);
    fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void fill(struct bench *b)
{
    struct command fleet = {.kind = COMMAND_FLEET_PUT, .actor = {.role = ROLE_ADMIN}};
    fleet.fleet_put = (struct fleet_image){.id = FLEET,
                                           .offer_s = 15,
                                           .resolution = TOWN_RESOLUTION,
                                           .max_rings = 6,
                                           .presence_s = PRESENCE_SECONDS_MAX,
                                           .search_s = 180,
                                           .speed_kmh = 30,
                                           .weights = {.eta_milli = 1000},
                                           .key = {1, 2}};
    apply(b, &fleet);
    for (uint32_t i = 0; i < b->town.drivers; i++) {
        char id[TOWN_ID_SIZE + 1];
        struct command put = {.kind = COMMAND_DRIVER_PUT, .actor = {.role = ROLE_ADMIN}};
        town_id(i, id);
        put.driver_put.fleet = FLEET;
        put.driver_put.id = (struct text){id, TOWN_ID_SIZE};
        put.driver_put.point = b->town.points[i];
        put.driver_put.cell = town_cell(b->town.points[i]);
        put.driver_put.available = true;
        apply(b, &put);
    }
}

/* Searches per second. A search is the step that finds the candidates of a ride and makes the offer; requesting the
 * ride before and cancelling it after is not counted. */
static double search(struct bench *b, double seconds)
{
    double searched = 0, end = town_seconds() + seconds;
    uint64_t count = 0;
    while (town_seconds() < end) {
        struct command ride = {.kind = COMMAND_RIDE_NEW, .actor = {.role = ROLE_USER, .name = TEXT("ann")}};
        ride.ride.fleet = FLEET;
        ride.ride.id = (struct id){1, ++count};
        ride.ride.pickup = town_anywhere(&b->town);
        ride.ride.cell = town_cell(ride.ride.pickup);
        ride.ride.surge_milli = SURGE_MILLI_MIN;
        b->now_ms += ROUND_PAUSE_MAX_MS; /* no round is pending */
        apply(b, &ride);
        buf_clear(&b->changes);
        double began = town_worked_seconds();
        while (state_dispatch(b->st, b->now_ms, &b->changes))
            ;
        searched += town_worked_seconds() - began;
        const struct fleet *f = state_fleet_named(b->st, FLEET);
        if (f->rides_by_status[RIDE_OFFERED] != 1) {
            fprintf(stderr, "bench: a ride found no driver\n");
            exit(1);
        }
        ride.kind = COMMAND_RIDE_CANCEL;
        apply(b, &ride);
        state_forget(b->st, b->st->seq, 100);
    }
    return (double)count / searched;
}

/* Positions per second, with the cell of each, as computed by the edge. */
static double positions(struct bench *b, double seconds)
{
    static char ids[BULK][TOWN_ID_SIZE + 1];
    static struct position all[BULK];
    double spent = 0;
    uint64_t count = 0;
    struct command c = {.kind = COMMAND_POSITIONS, .actor = {.role = ROLE_ADMIN}};
    c.positions.fleet = FLEET;
    c.positions.all = all;
    while (spent < seconds) {
        town_move(&b->town);
        for (uint32_t first = 0; first < b->town.drivers; first += BULK) {
            uint32_t some = b->town.drivers - first < BULK ? b->town.drivers - first : BULK;
            for (uint32_t i = 0; i < some; i++)
                town_id(first + i, ids[i]);
            double began = town_worked_seconds();
            for (uint32_t i = 0; i < some; i++)
                all[i] = (struct position){.driver = {ids[i], TOWN_ID_SIZE},
                                           .point = b->town.points[first + i],
                                           .cell = town_cell(b->town.points[first + i])};
            c.positions.count = some;
            apply(b, &c);
            spent += town_worked_seconds() - began;
            count += some;
        }
    }
    return (double)count / spent;
}

static void core(uint32_t drivers, double seconds)
{
    struct bench b = {.st = state_make(), .now_ms = NOW_MS};
    buf_init(&b.changes, 1 << 26);
    town_make(&b.town, drivers);
    uint64_t before = resident_bytes();
    fill(&b);
    uint64_t bytes = resident_bytes() - before;
    double searches = search(&b, seconds);
    printf("{\"searches\":%.0f,\"positions\":%.0f,\"bytes\":%.1f}\n", searches, positions(&b, seconds),
           (double)bytes / drivers);
    state_release(b.st);
    buf_release(&b.changes);
    town_release(&b.town);
}

static void redis(uint16_t port, int pid, uint32_t drivers, double seconds)
{
    struct town t;
    town_make(&t, drivers);
    struct rate added = peer_geoadd(port, pid, &t, seconds), found = peer_geosearch(port, pid, &t, seconds);
    printf("{\"positions\":%.0f,\"positions_worked\":%.0f,\"searches\":%.0f,\"searches_worked\":%.0f}\n",
           added.by_clock, added.by_work, found.by_clock, found.by_work);
    town_release(&t);
}

static void http(uint16_t port, int pid, const char *key, const char *fleet, uint32_t drivers, double seconds)
{
    struct town t;
    town_make(&t, drivers);
    struct rate told = peer_positions(port, pid, key, fleet, &t, seconds);
    printf("{\"positions\":%.0f,\"positions_worked\":%.0f}\n", told.by_clock, told.by_work);
    town_release(&t);
}

/* All cells go into what is printed, so that the compiler cannot omit the calls. */
static void cells(const char *name, double seconds)
{
    static struct {
        double lat, lng;
    } points[1 << 16];
    FILE *file = fopen(name, "rb");
    size_t count = file ? fread(points, sizeof points[0], sizeof points / sizeof points[0], file) : 0,
           done = 0;
    uint64_t last = 0;
    if (!count) {
        fprintf(stderr, "bench: no points in %s\n", name);
        exit(1);
    }
    fclose(file);
    double began = town_worked_seconds(), spent = 0;
    while (spent < seconds) {
        for (size_t i = 0; i < count; i++)
            last ^= h3_from_point((struct h3_point){points[i].lat, points[i].lng}, TOWN_RESOLUTION);
        done += count;
        spent = town_worked_seconds() - began;
    }
    printf("{\"cells\":%.0f,\"last\":\"%llx\"}\n", (double)done / spent, (unsigned long long)last);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "core") == 0)
        core((uint32_t)atoi(argv[2]), atof(argv[3]));
    else if (argc == 6 && strcmp(argv[1], "redis") == 0)
        redis((uint16_t)atoi(argv[2]), atoi(argv[3]), (uint32_t)atoi(argv[4]), atof(argv[5]));
    else if (argc == 8 && strcmp(argv[1], "http") == 0)
        http((uint16_t)atoi(argv[2]), atoi(argv[3]), argv[4], argv[5], (uint32_t)atoi(argv[6]),
             atof(argv[7]));
    else if (argc == 4 && strcmp(argv[1], "cells") == 0)
        cells(argv[2], atof(argv[3]));
    else {
        fputs("usage: fleet core DRIVERS SECONDS | redis PORT PID DRIVERS SECONDS |\n"
              "       fleet http PORT PID KEY FLEET DRIVERS SECONDS | cells FILE SECONDS\n",
              stderr);
        return 64;
    }
    return 0;
}
