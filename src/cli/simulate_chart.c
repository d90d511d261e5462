/* SPDX-License-Identifier: Apache-2.0 */
/* simulate_chart.c — the report as a drawing: four panels, in whole pixels, so that it is the same everywhere.
 *
 *   time to assignment       refusals before acceptance
 *   drivers by activity      the city
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "cli/simulate.h"

#define PANEL_WIDTH 440
#define PANEL_HEIGHT 280
#define GAP 48
#define TOP 64 /* of the first row: room for titles */
#define WIDTH (2 * PANEL_WIDTH + 3 * GAP)
#define HEIGHT (TOP + 2 * PANEL_HEIGHT + 3 * GAP)
#define DOTS_MAX 3000 /* rides that are drawn */

static const char *const phase_names[PHASE_COUNT] = {"free", "offered", "to the pickup", "with a rider"};
static const char *const phase_colours[PHASE_COUNT] = {"#d8dee6", "#f2b134", "#7fb2e5", "#1f5fa8"};

struct panel {
    struct buf *out;
    int64_t x, y; /* the top left corner */
};

static struct panel panel_open(struct buf *out, int column, int row, const char *title)
{
    struct panel p = {out, GAP + column * (PANEL_WIDTH + GAP), TOP + row * (PANEL_HEIGHT + 2 * GAP)};
    buf_printf(out, "<text x=\"%lld\" y=\"%lld\" font-size=\"14\" font-weight=\"600\">%s</text>\n",
               (long long)p.x, (long long)p.y - 10, title);
    buf_printf(out,
               "<rect x=\"%lld\" y=\"%lld\" width=\"%d\" height=\"%d\" fill=\"#fff\" stroke=\"#c5ccd6\"/>\n",
               (long long)p.x, (long long)p.y, PANEL_WIDTH, PANEL_HEIGHT);
    return p;
}

__attribute__((format(printf, 5, 6))) static void label(struct panel p, int64_t x, int64_t y,
                                                        const char *anchor, const char *format, ...)
{
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    buf_printf(p.out, "<text x=\"%lld\" y=\"%lld\" text-anchor=\"%s\" fill=\"#56606e\">%s</text>\n",
               (long long)(p.x + x), (long long)(p.y + y), anchor, text);
}

static void percent_lines(struct panel p)
{
    for (int percent = 25; percent < 100; percent += 25) {
        int64_t y = PANEL_HEIGHT - PANEL_HEIGHT * percent / 100;
        buf_printf(p.out, "<path d=\"M%lld %lldh%d\" stroke=\"#e6eaef\"/>\n", (long long)p.x,
                   (long long)(p.y + y), PANEL_WIDTH);
        label(p, -6, y + 4, "end", "%d %%", percent);
    }
}

/* The share of all rides that had a driver, by seconds since the request. */
static void draw_times(const struct simulation *s, struct buf *out)
{
    struct panel p = panel_open(out, 0, 0, "Rides with a driver, by seconds waited");
    uint32_t count;
    int64_t *times = simulation_times(s, false, &count);
    /* The axis ends at the 99th percentile, rounded up to ten seconds. */
    int64_t most_ms =
        count ? times[(uint64_t)count * 99 / 100 < count ? (uint64_t)count * 99 / 100 : count - 1] : 1;
    int64_t axis_s = (most_ms / 10000 + 1) * 10;
    percent_lines(p);
    buf_printf(out, "<path fill=\"none\" stroke=\"#1f5fa8\" stroke-width=\"2\" d=\"M%lld %lld",
               (long long)p.x, (long long)p.y + PANEL_HEIGHT);
    uint32_t within = 0;
    for (int x = 1; x <= PANEL_WIDTH; x++) {
        int64_t until_ms = axis_s * 1000 * x / PANEL_WIDTH;
        while (within < count && times[within] <= until_ms)
            within++;
        int64_t up = s->ride_count ? (int64_t)within * PANEL_HEIGHT / s->ride_count : 0;
        buf_printf(out, "L%lld %lld", (long long)p.x + x, (long long)(p.y + PANEL_HEIGHT - up));
    }
    buf_append_text(out, "\"/>\n");
    for (int i = 0; i <= 5; i++)
        label(p, PANEL_WIDTH * i / 5, PANEL_HEIGHT + 16, "middle", "%lld s", (long long)(axis_s * i / 5));
    free(times);
}

static void draw_refusals(const struct simulation *s, struct buf *out)
{
    struct panel p = panel_open(out, 1, 0, "Refusals before a driver accepted");
    uint32_t refusals[REFUSAL_BUCKETS], all = simulation_rides(s, true);
    const int step = PANEL_WIDTH / REFUSAL_BUCKETS;
    simulation_refusals(s, refusals);
    percent_lines(p);
    for (int i = 0; i < REFUSAL_BUCKETS; i++) {
        int64_t up = all ? (int64_t)refusals[i] * PANEL_HEIGHT / all : 0;
        buf_printf(out, "<rect x=\"%lld\" y=\"%lld\" width=\"%d\" height=\"%lld\" fill=\"#1f5fa8\"/>\n",
                   (long long)(p.x + step * i + step / 6), (long long)(p.y + PANEL_HEIGHT - up), step * 2 / 3,
                   (long long)up);
        label(p, step * i + step / 2, up > PANEL_HEIGHT - 20 ? 34 : PANEL_HEIGHT - up - 6, "middle", "%u",
              refusals[i]);
        label(p, step * i + step / 2, PANEL_HEIGHT + 16, "middle", "%d%s", i,
              i == REFUSAL_BUCKETS - 1 ? " or more" : "");
    }
}

/* Stacked, with the occupied drivers at the bottom. */
static void draw_phases(const struct simulation *s, struct buf *out)
{
    struct panel p = panel_open(out, 0, 1, "Drivers, by minute");
    const int64_t minutes = (int64_t)s->options.minutes, drivers = (int64_t)s->options.drivers;
    for (int top = 0; top < PHASE_COUNT; top++) { /* each covers the lower part of the one before */
        buf_printf(out, "<path fill=\"%s\" d=\"M%lld %lld", phase_colours[top], (long long)p.x,
                   (long long)p.y + PANEL_HEIGHT);
        for (int64_t minute = 0; minute < minutes; minute++) {
            int64_t count = 0;
            for (int i = top; i < PHASE_COUNT; i++)
                count += s->minutes[minute].drivers[i];
            ASSERT(count <= drivers);
            int64_t y = p.y + PANEL_HEIGHT - count * PANEL_HEIGHT / drivers;
            buf_printf(out, "L%lld %lldL%lld %lld", (long long)(p.x + PANEL_WIDTH * minute / minutes),
                       (long long)y, (long long)(p.x + PANEL_WIDTH * (minute + 1) / minutes), (long long)y);
        }
        buf_printf(out, "L%lld %lldz\"/>\n", (long long)p.x + PANEL_WIDTH, (long long)p.y + PANEL_HEIGHT);
        buf_printf(out, "<rect x=\"%lld\" y=\"%lld\" width=\"12\" height=\"12\" fill=\"%s\"/>\n",
                   (long long)p.x + top * 105, (long long)p.y + PANEL_HEIGHT + 26, phase_colours[top]);
        label(p, top * 105 + 17, PANEL_HEIGHT + 36, "start", "%s", phase_names[top]);
    }
    percent_lines(p);
    label(p, 0, PANEL_HEIGHT + 16, "start", "minute 0");
    label(p, PANEL_WIDTH, PANEL_HEIGHT + 16, "end", "minute %lld", (long long)minutes);
}

static void dot(struct panel p, const struct simulation *s, struct city_point at, int radius,
                const char *colour, const char *opacity)
{
    int64_t left = (PANEL_WIDTH - PANEL_HEIGHT) / 2;
    buf_printf(p.out, "<circle cx=\"%lld\" cy=\"%lld\" r=\"%d\" fill=\"%s\" opacity=\"%s\"/>\n",
               (long long)(p.x + left + at.x_mm * PANEL_HEIGHT / s->city.side_mm),
               (long long)(p.y + PANEL_HEIGHT - at.y_mm * PANEL_HEIGHT / s->city.side_mm), radius, colour,
               opacity);
}

static void draw_city(const struct simulation *s, struct buf *out)
{
    struct panel p = panel_open(out, 1, 1, "Pickups: yellow waited over 15 s, red got no driver");
    for (int i = 0; i < CITY_SPOTS; i++)
        dot(p, s, s->city.spots[i], (int)(s->city.spread_mm * PANEL_HEIGHT / s->city.side_mm), "#e6eaef",
            "0.7");
    uint32_t every = s->ride_count / DOTS_MAX + 1;
    for (uint32_t i = 0; i < s->ride_count; i += every) {
        const struct simulated_ride *r = &s->rides[i];
        int64_t took_ms = r->assigned_ms - r->asked_ms;
        dot(p, s, r->pickup, 2, !r->assigned_ms ? "#d64545" : took_ms < 15000 ? "#1f5fa8" : "#f2b134", "0.8");
    }
}

void simulate_chart(const struct simulation *s, struct buf *out)
{
    buf_printf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
               "font-family=\"system-ui, sans-serif\" font-size=\"12\" fill=\"#1c2430\">\n"
               "<rect width=\"%d\" height=\"%d\" fill=\"#f7f9fb\"/>\n",
               WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT);
    buf_printf(out,
               "<text x=\"%d\" y=\"26\" font-size=\"18\" font-weight=\"600\">%llu drivers, %u rides in %llu "
               "minutes</text>\n",
               GAP, (unsigned long long)s->options.drivers, s->ride_count,
               (unsigned long long)s->options.minutes);
    draw_times(s, out);
    draw_refusals(s, out);
    draw_phases(s, out);
    draw_city(s, out);
    buf_append_text(out, "</svg>\n");
}
