/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/simulate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "cli/cli.h"
#include "cli/options.h"

#define REPORT_SIZE_MAX ((size_t)64 << 20)

/* To standard error: on a terminal one line that is overwritten, otherwise a line for each tenth. */
static void show_progress(void *ctx, const struct simulation *s, uint64_t minute)
{
    (void)ctx;
    uint64_t minutes = s->options.minutes;
    bool terminal = isatty(STDERR_FILENO), last = minute == minutes;
    if (!terminal && minute * 10 / minutes == (minute - 1) * 10 / minutes)
        return;
    fprintf(stderr, "%sminute %llu of %llu: %u rides, %u of them waiting%s", terminal ? "\r\033[K" : "",
            (unsigned long long)minute, (unsigned long long)minutes, s->ride_count,
            s->minutes[minute - 1].waiting, terminal && !last ? "" : "\n");
    fflush(stderr);
}

static int simulate_run(const struct simulate_options *options, const char *svg)
{
    static struct simulation s;
    struct buf out;
    /* Opened first, so that a long run does not end with a file that cannot be written. */
    FILE *file = svg ? fopen(svg, "wb") : NULL;
    bool written = !svg || file;
    if (written) {
        buf_init(&out, REPORT_SIZE_MAX);
        simulation_run(&s, options, show_progress, NULL);
        simulate_report(&s, &out);
        fwrite(out.data, 1, out.size, stdout);
        buf_clear(&out);
        simulate_chart(&s, &out);
        written = !file || fwrite(out.data, 1, out.size, file) == out.size;
        simulation_release(&s);
        buf_release(&out);
    }
    if (file && fclose(file) != 0)
        written = false;
    if (!written)
        fprintf(stderr, "holdfast simulate: cannot write %s: %s\n", svg, strerror(errno));
    return written ? 0 : status_exit_code(STATUS_IO);
}

int cli_simulate(int argc, char **argv)
{
    struct simulate_options o = simulate_defaults();
    const char *svg = NULL;
    const struct option table[] = {
        {OPTION_NUMBER, "drivers", &o.drivers, "N", "drivers of the fleet (1000)", 1, 1000000},
        {OPTION_NUMBER, "rides", &o.rides_per_minute, "N", "rides requested per minute, on average (60)", 0,
         30000},
        {OPTION_NUMBER, "minutes", &o.minutes, "N", "minutes during which rides are requested (60)", 1,
         10080},
        {OPTION_NUMBER, "seed", &o.seed, "N", "random seed: the same seed gives the same report (1)", 0,
         UINT64_MAX},
        {OPTION_NUMBER, "kilometres", &o.side_km, "N", "length of a side of the city (12)", 1, 100},
        {OPTION_NUMBER, "decline", &o.decline_percent, "PERCENT", "offers that are declined (10)", 0, 100},
        {OPTION_NUMBER, "ignore", &o.ignore_percent, "PERCENT", "offers that are not answered (5)", 0, 100},
        {OPTION_NUMBER, "offer-seconds", &o.offer_s, "N", "the fleet's offer_seconds (15)", 1,
         OFFER_SECONDS_MAX},
        {OPTION_NUMBER, "search-seconds", &o.search_s, "N", "its search_seconds (180)", 1,
         SEARCH_SECONDS_MAX},
        {OPTION_NUMBER, "resolution", &o.resolution, "N", "its resolution (9)", 0, FLEET_RESOLUTION_MAX},
        {OPTION_NUMBER, "max-rings", &o.max_rings, "N", "its max_rings (6)", 0, FLEET_RINGS_MAX},
        {OPTION_NUMBER, "speed-kmh", &o.speed_kmh, "N", "its speed_kmh, and the drivers' speed (30)", 1,
         SPEED_KMH_MAX},
        {OPTION_NUMBER, "batch-ms", &o.batch_ms, "N", "its batch_ms (0)", 0, BATCH_MS_MAX},
        {OPTION_NUMBER, "weight-rating", &o.rating_milli, "N",
         "weight of the rating, in thousandths; the ETA has 1000 (0)", 0, WEIGHT_MILLI_MAX},
        {OPTION_NUMBER, "weight-waiting", &o.waiting_milli, "N",
         "weight of the driver's idle time, in thousandths (0)", 0, WEIGHT_MILLI_MAX},
        {OPTION_TEXT, "svg", &svg, "FILE", "also draw the report to this file", 0, 0},
        {OPTION_END, NULL, NULL, NULL, NULL, 0, 0},
    };
    bool fleet = argc > 0 && strcmp(argv[0], "fleet") == 0;
    int code;
    if (!fleet && !options_help_requested(argc, argv)) {
        fputs("holdfast simulate: expected holdfast simulate fleet [options]\n", stderr);
        return status_exit_code(STATUS_INVALID);
    }
    if (!options_ready("simulate fleet [options]", table, argc - fleet, argv + fleet, &code))
        return code;
    if (o.decline_percent + o.ignore_percent > 100) {
        fputs("holdfast simulate: --decline and --ignore add up to more than 100 percent\n", stderr);
        return status_exit_code(STATUS_INVALID);
    }
    return simulate_run(&o, svg);
}
