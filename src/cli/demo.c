/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "base/logging.h"
#include "base/crypto/random.h"
#include "base/time/rfc3339.h"
#include "cli/cli.h"
#include "cli/demo_buyers.h"
#include "cli/demo_catalogue.h"
#include "cli/demo_crowd.h"
#include "cli/demo_fleet.h"
#include "cli/demo_riders.h"
#include "cli/serve.h"
#include "cli/shared_options.h"
#include "http/server.h"

#define OWN_URL_SIZE 128
#define PLACE_SIZE 4096
#define SECRET_BYTES 24 /* of the payment provider that the demo simulates */
#define DAY_MS (24LL * 3600 * 1000)
/* From the catalogue: records for the printed examples, and the event with a waiting crowd. */
#define ARENA "arena"
#define DOCTOR "dr_smith"
#define PREMIERE "premiere"

struct demo {
    struct serve_options options;
    struct command provider;
    char secret[2 * SECRET_BYTES + 1];
    struct server *server;
    char url[OWN_URL_SIZE];
    struct demo_loader loader;
    struct demo_fleet fleet;
    struct demo_crowd crowd;
    bool quiet; /* without the next two */
    struct demo_buyers buyers;
    struct demo_riders riders;
    char key_place[PLACE_SIZE];
};

/* Where a secret is: it comes from the environment or is in the data folder. */
static void write_place(const struct demo *demo, const char *variable, const char *file,
                        char place[PLACE_SIZE])
{
    if (getenv(variable))
        snprintf(place, PLACE_SIZE, "$%s", variable);
    else
        snprintf(place, PLACE_SIZE, "%s/%s", demo->options.data, file);
}

/* The beginning of a curl command with the admin key. */
static void print_as_admin(const struct demo *demo, const char *what, const char *path)
{
    printf("%-14scurl %s%s -H 'Content-Type: application/json' -H \"Authorization: Bearer ", what, demo->url,
           path);
    if (getenv("HOLDFAST_ADMIN_KEY"))
        printf("$HOLDFAST_ADMIN_KEY\"");
    else
        printf("$(cat \"%s/admin.key\")\"", demo->options.data);
}

static void print_curl(const struct demo *demo)
{
    struct event_view arena;
    if (!view_event_find(demo->server->view, TEXT(ARENA), &arena) || !arena.counts.available) {
        printf("try:          curl %s/v1/events\n", demo->url);
        return;
    }
    print_as_admin(demo, "try:", "/v1/reservations");
    printf(" -d '{\"user_id\":\"ann\",\"items\":[{\"event\":\"" ARENA "\",\"best\":{\"quantity\":1}}]}'\n");
}

/* The doctor's free slots of the coming week. */
static void print_slots(const struct demo *demo)
{
    char from[RFC3339_SIZE], to[RFC3339_SIZE];
    int64_t now_ms = store_now(demo->server->store) / DAY_MS * DAY_MS;
    struct calendar_view doctor;
    if (!view_calendar_find(demo->server->view, TEXT(DOCTOR), &doctor))
        return;
    rfc3339_write(now_ms, from);
    rfc3339_write(now_ms + 7 * DAY_MS, to);
    printf("or:           curl '%s/v1/calendars/" DOCTOR "/slots?from=%.*s&to=%.*s'\n", demo->url,
           RFC3339_SIZE, from, RFC3339_SIZE, to);
}

static void on_data_ready(void *ctx)
{
    struct demo *demo = ctx;
    printf("open:         %s/\n", demo->url);
    char secret[PLACE_SIZE];
    write_place(demo, "HOLDFAST_SECRET", "secret", secret);
    printf("admin key:    %s\ntoken secret: %s\n", demo->key_place, secret);
    print_curl(demo);
    print_slots(demo);
    print_as_admin(demo, "a ride:", "/v1/fleets/" DEMO_FLEET "/rides");
    printf(" -d '{\"rider_id\":\"ann\",\"lat\":" DEMO_FLEET_LAT ",\"lng\":" DEMO_FLEET_LNG "}'\n");
    fflush(stdout);
}

static void put_data(struct demo *demo)
{
    demo_catalogue_put(&demo->loader, demo->server, demo_catalogue, DEMO_PARTS, on_data_ready, demo);
}

static void on_provider_set(void *ctx, const struct outcome *outcome)
{
    if (outcome->code != OUTCOME_OK)
        log_error("the demo has no payment provider", {"code", LOG_STR(outcome_name(outcome->code))});
    put_data(ctx);
}

/* With a random secret: only this process signs the demo's payment events. Not called if a provider is already set. */
static void set_provider(struct demo *demo)
{
    uint8_t bytes[SECRET_BYTES];
    random_bytes(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(demo->secret + 2 * i, 3, "%02x", bytes[i]);
    demo->provider = (struct command){.kind = COMMAND_PROVIDER_PUT, .actor = {.role = ROLE_ADMIN}};
    demo->provider.provider.provider = PROVIDER_STRIPE;
    demo->provider.provider.secret = (struct text){demo->secret, strlen(demo->secret)};
    store_submit(demo->server->store, &demo->provider, on_provider_set, demo);
}

static void listening(void *ctx, struct server *server, const char *url)
{
    struct demo *demo = ctx;
    demo->server = server;
    snprintf(demo->url, sizeof(demo->url), "%s", url);
    if (view_provider(server->view)->number)
        put_data(demo);
    else
        set_provider(demo);
    demo_fleet_start(&demo->fleet, server->store, server->view, server->loop);
    demo_crowd_start(&demo->crowd, server->store, server->view, server->loop, TEXT(PREMIERE));
    if (demo->quiet)
        return;
    demo_buyers_start(&demo->buyers, server->store, server->view, server->loop, TEXT(ARENA));
    demo_riders_start(&demo->riders, server->store, server->view, server->loop);
}

static void stopping(void *ctx)
{
    struct demo *demo = ctx;
    demo_fleet_stop(&demo->fleet);
    demo_crowd_stop(&demo->crowd);
    if (demo->quiet)
        return;
    demo_buyers_stop(&demo->buyers);
    demo_riders_stop(&demo->riders);
}

int cli_demo(int argc, char **argv)
{
    static struct demo demo;
    demo.options = serve_defaults();
    struct serve_options *o = &demo.options;
    o->data = "./demo-data";
    const struct option table[] = {
        {OPTION_TEXT, "data", &o->data, "DIR", "data folder (./demo-data); filled with demo data if new", 0,
         0},
        {OPTION_TEXT, "listen", &o->listen, "ADDRESS:PORT",
         "address to listen on (127.0.0.1:8080); port 0 picks a free one", 0, 0},
        {OPTION_SWITCH, "quiet", &demo.quiet, "", "no simulated buyers and riders (off)", 0, 0},
        SHARED_OPTIONS(*o),
        {OPTION_SWITCH, "limits", &o->rate_limits, "on|off", "rate limits and cool-downs (on)", 0, 0},
        {OPTION_SWITCH, "hooks-private", &o->hooks_private, "on|off",
         "allow hooks to private addresses and this machine (off)", 0, 0},
        {OPTION_LIST, "cors", &o->cors, "ORIGIN...", "origins whose pages may call this server (none)", 0, 0},
        {OPTION_END, NULL, NULL, NULL, NULL, 0, 0},
    };
    const struct serve_callbacks callbacks = {listening, stopping, &demo};
    int code;
    if (!options_ready("demo [options]", table, argc, argv, &code))
        return code;
    write_place(&demo, "HOLDFAST_ADMIN_KEY", "admin.key", demo.key_place);
    o->demo = demo.key_place;
    return serve_run(o, &callbacks);
}
